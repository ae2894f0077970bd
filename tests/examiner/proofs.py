"""Checks the sentences about nodes of proof searches: trees with proof numbers, and written proofs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engines.rules import INFINITE
from engines.tape.recording import Recording
from tests.examiner.family import faults_of
from tests.examiner.grammar import MOVE, Rule
from tests.examiner.judge import Judge
from tests.examiner.model import Node
from tests.naive import games as naive

COUNT = r"[\d,]+|∞"


class ProofJudge(Judge):
    """Knows the numbers of the children, and the true result of the game."""

    solved: dict[Any, naive.Value]

    def result(self, node: Node) -> naive.Value:
        """The true value of a position, by exhaustive search."""
        if not hasattr(self, "solved"):
            self.solved = {}
        return naive.solve(node.oracle, self.solved)


def read_count(text: str) -> int:
    return INFINITE if text == "∞" else int(text.replace(",", ""))


def _near_far(node: Node) -> tuple[int, int]:
    """The number that is minimised and the one that is summed, for the player who moves above the node."""
    assert node.above is not None
    proof, disproof = int(node.low), int(node.high)
    return (proof, disproof) if node.above.turn > 0 else (disproof, proof)


def _mover(judge: ProofJudge, node: Node, name: str) -> Iterator[str]:
    if name != judge.players[0 if node.turn > 0 else 1]:
        yield "somebody else moves"


def _open_node(judge: ProofJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check an unsolved node: the minimum and the sum of the moves' numbers, and which move is searched next."""
    yield from _mover(judge, node, found["mover"])
    numbers = [_near_far(child) for child in node.children]
    if int(found["count"]) != len(numbers) or len(numbers) != len(node.oracle.moves()):
        yield f"there are {len(node.oracle.moves())} moves"
    least, total = min(near for near, _ in numbers), sum(far for _, far in numbers)
    total = INFINITE if any(far >= INFINITE for _, far in numbers) else min(total, INFINITE - 1)
    if read_count(found["near"]) != least:
        yield f"the least is {least}"
    if read_count(found["far"]) != total:
        yield f"the sum is {total}"
    words = ("proof", "disproof") if node.turn > 0 else ("disproof", "proof")
    if (found["nearword"], found["farword"]) != words:
        yield "it is the other number"
    chosen = judge.child(node, found["next"]) if found["next"] else None
    if found["next"] and (chosen is None or _near_far(chosen)[0] > least + int(judge.parameters.get("spread", 0))):
        yield f"{found['next']} is not where the least is missing"


def _leaf(judge: ProofJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.children:
        yield "it is expanded"
    if (read_count(found["proof"]), read_count(found["disproof"])) != (int(node.low), int(node.high)):
        yield f"the numbers are {node.low} and {node.high}"
    moves = len(node.oracle.moves())
    first = (1, 1) if not judge.parameters.get("mobility") else (1, moves) if node.turn > 0 else (moves, 1)
    if judge.recording.algorithm.id == "pns" and (int(node.low), int(node.high)) != first:
        yield f"a new position begins with {first}"


def _solved(judge: ProofJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a node that is proven or disproven, by one move or by all."""
    yes = found["said"] == "Proven"
    if (int(node.low) == 0) != yes or (not yes and int(node.high) != 0):
        yield "the answer is another one"
    told = found.groupdict()
    if told.get("mover"):
        yield from _mover(judge, node, told["mover"])
    if told.get("move"):
        chosen = judge.child(node, told["move"])
        kept = told["move"] != "a move that the table has not kept"
        if kept and (chosen is None or int(chosen.low if yes else chosen.high) != 0):
            yield f"{told['move']} is not enough"
        if yes != (node.turn > 0):
            yield "one move is not enough"
    if told.get("count"):
        if int(told["count"]) != len(node.oracle.moves()) or len(node.children) != len(node.oracle.moves()):
            yield f"there are {len(node.oracle.moves())} moves"
        lost = judge.recording.algorithm.id not in ("pns", "pn2")  # a table may have lost the entry of a move
        if not lost and any(int(child.low if yes else child.high) != 0 for child in node.children):
            yield "some move helps"
        if yes == (node.turn > 0):
            yield "one move is enough"
    yield from _true_answer(judge, node, yes)


def _true_answer(judge: ProofJudge, node: Node, yes: bool) -> Iterator[str]:
    """Check that an answer is possible by the naive rules for one of the two questions: whether it is a win, or no loss."""
    if not isinstance(node.oracle, naive.TicTacToe | naive.Connect4 | naive.Breakthrough):
        return
    value = judge.result(node)
    if yes and value < 0:
        yield "the second player wins"
    if not yes and value > 0:
        yield "the first player wins"


def _listed(judge: ProofJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a node whose numbers come from a table, without the children's."""
    if (read_count(found["proof"]), read_count(found["disproof"])) != (int(node.low), int(node.high)):
        yield f"the numbers are {node.low} and {node.high}"
    if int(found["count"]) != len(node.oracle.moves()):
        yield f"there are {len(node.oracle.moves())} moves"


# Written proofs.


def _one_move(judge: ProofJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a node at which the proving side has a good move."""
    yield from _mover(judge, node, found["mover"])
    chosen = judge.child(node, found["move"])
    if chosen is None or chosen.value != node.value:
        yield f"{found['move']} does not lead to what is shown"
    if found["winner"]:
        sign = 1 if found["winner"] == judge.players[0] else -1
        if node.value != sign * (naive.SHOWN_WIN - int(found["ply"])):
            yield f"the value is {float(node.value)}"
        yield from _true_answer(judge, node, sign > 0)


def _answered(judge: ProofJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a node at which the other side has so many moves, each of them answered."""
    yield from _mover(judge, node, found["mover"])
    count, told = len(node.oracle.moves()), found.groupdict()
    if int(told.get("count") or 1) != count or node.looked_at != count:
        yield f"there are {count} moves, and {node.looked_at} are answered"
    if told.get("move"):
        chosen = judge.child(node, told["move"])
        longest = min(abs(float(child.value)) for child in node.children)
        if chosen is None or abs(float(chosen.value)) != longest:
            yield f"{told['move']} does not hold out longest"


def _before(judge: ProofJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    if not any(other.oracle == node.oracle and other.children for other in judge.nodes):
        yield "it has not come up"


def _over(judge: ProofJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    result = node.oracle.result()
    if result is None:
        yield "the game goes on"
    elif found["draw"]:
        if result != 0:
            yield "it is no draw"
    elif found["winner"] and result != (naive.WIN if found["winner"] == judge.players[0] else -naive.WIN):
        yield "somebody else has won"


def rules(judge: ProofJudge) -> list[Rule]:
    """The patterns of all sentences about trees with proof numbers, with their checks."""
    mover = f"(?P<mover>{'|'.join(map(re.escape, judge.players[:2]))})"
    said, move = "(?P<said>Proven|Disproven)", f"(?P<move>a move that the table has not kept|{MOVE})"
    return [
        (r"The game is over: (?:(?P<draw>a draw)|(?P<winner>.+) has won|.+ gets .+?)(?: \(.+\))?\.", _over),
        (
            rf"{mover} needs one good move: the (?P<nearword>proof|disproof) number (?P<near>{COUNT}) is the least of the "
            rf"(?P<count>\d+) moves?', the (?P<farword>proof|disproof) number (?P<far>{COUNT}) is their sum\. ?"
            rf"(?:Next it looks at (?P<next>{MOVE})\.)?",
            _open_node,
        ),
        (
            rf"Not expanded yet: it counts as (?P<proof>{COUNT}) to be proven and (?P<disproof>{COUNT}) to be disproven\.",
            _leaf,
        ),
        (
            r"The table has kept too little about its (?P<count>\d+) moves?: it had "
            rf"proof number (?P<proof>{COUNT}) and disproof number (?P<disproof>{COUNT})\.",
            _listed,
        ),
        (rf"{mover} needs one good move, and has it with {move}(?:: (?P<winner>.+) wins at ply (?P<ply>\d+))?\.", _one_move),
        (rf"{mover} has only one move, and it is answered\.", _answered),
        (rf"{mover} has (?P<count>\d+) moves, and each of them is answered(?:; {move} holds out longest)?\.", _answered),
        (r"This position has come up before; what follows is shown there\.", _before),
        (rf"{said}: {move} is enough for {mover}\.", _solved),
        (rf"{said}: none of the (?P<count>\d+) moves of {mover} helps\.", _solved),
        (rf"{said}: the only move of {mover} does not help\.", _solved),
        (
            rf"{said}, without a move being made here: the game foresees it, play has come back to where it was, or "
            r"what was below has been given up\.",
            _solved,
        ),
    ]


def faults(recording: Recording, oracle: Any) -> Iterator[tuple[int, str, str]]:
    """Yield every false sentence of a recording: the node, the sentence, and what is wrong with it."""
    judge = ProofJudge(recording, oracle)
    yield from faults_of(recording, judge, rules(judge), _window)


def _window(judge: ProofJudge, node: Node, words: str) -> Iterator[str]:
    """Check the window column: a written proof has no proof numbers; those of a search are on the tape."""
    if judge.recording.is_proof:
        return
    numbers = re.fullmatch(rf"none: proof number ({COUNT}), disproof number ({COUNT})", words)
    if numbers is None or (read_count(numbers[1]), read_count(numbers[2])) != (int(node.low), int(node.high)):
        yield f"the numbers are {node.low} and {node.high}"
