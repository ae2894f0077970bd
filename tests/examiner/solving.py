"""Checks the sentences about nodes of the solver: yes-or-no questions, each with a proven answer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from engines.tape.recording import Recording
from tests.examiner import alphabeta
from tests.examiner.family import faults_of, window_faults
from tests.examiner.grammar import NUMBER, Claim, Rule, examine, read_number, value_words
from tests.examiner.judge import Judge
from tests.examiner.model import Node, Number
from tests.naive import games as naive


@dataclass
class SolverJudge(Judge):
    """Knows the true result of the game."""

    solved: dict[Any, naive.Value] = field(default_factory=dict)

    def true(self, node: Node) -> Number:
        """The value with best play; for a question about some moves only, with the best of these."""
        if node.above is None and node.looked_at < len(node.oracle.moves()) and node.kind == "expanded":
            return (max if node.turn > 0 else min)(map(self.true, node.counting))
        return self.in_truth(node)

    def in_truth(self, node: Node) -> Number:
        """The value with best play."""
        return self.shown(naive.delayed(naive.solve(node.oracle, self.solved), node.ply), node)

    @cached_property
    def first_seen(self) -> dict[Any, int]:
        """The node at which each position, or an equivalent one, was searched first. For root moves every answer is kept."""
        found: dict[Any, int] = {}
        for node in reversed(self.nodes):
            if node.children or (node.ply == 1 and node.kind == "pruned"):
                found.update(dict.fromkeys(images(node.oracle), node.row))
        return found


def images(oracle: Any) -> list[Any]:
    """Equivalent positions: mirrored, and in Breakthrough with the sides exchanged."""
    if isinstance(oracle, naive.Connect4):
        return [oracle, replace(oracle, columns=oracle.columns[::-1])]
    turned = tuple(row.translate(str.maketrans("wb", "bw")) for row in reversed(oracle.rows))
    both = [oracle, replace(oracle, rows=turned, mover="b" if oracle.mover == "w" else "w")]
    return [*both, *(replace(one, rows=tuple(row[::-1] for row in one.rows)) for one in both)]


def _table(judge: SolverJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a value from the table: it can only know this position, or one that a move leads to, from an earlier search."""
    if node.children:
        yield "it was searched"
    places = [node.oracle, *(node.oracle.play(move) for move in node.oracle.moves())]
    if not any(judge.first_seen.get(place, math.inf) < node.row for place in places):
        yield "nothing of it was searched before"
    yield from judge.told(node, found["value"])


def _by_rules(judge: SolverJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.children:
        yield "it was searched"
    yield from judge.told(node, found["value"])


def _asked_again(judge: SolverJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a bound at a root that is followed by one more question about all moves."""
    rest = found[0].removesuffix(found["once_more"])
    yield from examine(rules(judge), judge, node, rest)
    later = [other for other in judge.nodes if other.above is None and other.row > node.row]
    if not later or (later[0].low, later[0].high) == (node.low, node.high):
        yield "it was not asked about other values"
    elif any(other.kind == "expanded" and other.looked_at < len(node.oracle.moves()) for other in (node, later[0])):
        yield "it was asked about some moves only"


def rules(judge: SolverJudge) -> list[Rule]:
    """The patterns of all sentences of this search, with their checks."""
    value = rf"(?P<value>{value_words(judge.players)})"
    return [
        (rf"The table knew: {value}\.", _table),
        (rf"Not searched: the rules of the game alone say {value}\.", _by_rules),
        (r".+(?P<once_more> So it was asked once more, about other values\.)", _asked_again),
        *alphabeta.rules(judge),
    ]


def faults(recording: Recording, oracle: Any, solved: dict[Any, naive.Value]) -> Iterator[tuple[int, str, str]]:
    """Yield every false sentence of a recording: the node, the sentence, and what is wrong with it."""
    judge = SolverJudge(recording, oracle, solved=solved)
    yield from faults_of(recording, judge, rules(judge), window_faults, _shown_faults)


def _shown_faults(judge: SolverJudge, node: Node, text: str) -> Iterator[str]:
    """Yield what is wrong with the value in a node's row."""
    if not text:
        return
    found = re.fullmatch(rf"(?P<sign>[≤≥] )?(?:(?P<number>{NUMBER})|(?P<who>.+) in (?P<plies>\d+))", text)
    if found is None:
        yield "nothing is known of such a value"
        return
    value: Number = read_number(found["number"])[0] if found["number"] else naive.SHOWN_WIN - int(found["plies"])
    if found["who"] == judge.players[1]:
        value = -value
    claim = Claim({"≤ ": "at most", "≥ ": "at least"}.get(found["sign"], "exact"), value)  # type: ignore[arg-type]
    true = judge.in_truth(node)
    yield from claim.faults("in truth it", true, true)
