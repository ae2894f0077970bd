"""Checks the sentences about one random game, with any number of players and with chance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any

from engines.tape.recording import Recording
from tests.examiner.family import counted, faults_of
from tests.examiner.grammar import NUMBER, Rule, is_win, read_number
from tests.examiner.judge import Judge, Range
from tests.examiner.model import Node, Number
from tests.examiner.oracles import Branch, ForThree, Roll
from tests.naive import games as naive

Oracle = Branch | ForThree | Roll | Any


class OneGame(Judge):
    """Knows the moves of the game, and its value for the first player."""

    @cached_property
    def count(self) -> int:
        return int(self.recording.position.game.player_count)

    def _known(self, node: Node) -> Range:
        if node.children:
            return self.known(node.children[0])
        value = self.ends(node.oracle, node.ply)
        return value, value

    def ends(self, oracle: Oracle, ply: int) -> Number:
        """The displayed value of a game that ends here, or that is evaluated here."""
        if isinstance(oracle, Branch):
            return oracle.payoffs(self.count, ply)[0]
        if isinstance(oracle, (Roll, ForThree)):
            winner = winner_of(oracle)
            if winner is None:
                return Fraction(oracle.payoffs(3, ply)[0]) if isinstance(oracle, ForThree) else Fraction(0)
            return (naive.SHOWN_WIN - ply) * (1 if winner == 0 else -1)
        result = oracle.result()
        value = oracle.evaluate() if result is None else naive.delayed(result, ply)
        return Fraction(naive.shown(oracle, value)).limit_denominator(10**6)


def winner_of(oracle: Oracle) -> int | None:
    """The player who has won; None if nobody has."""
    if isinstance(oracle, Branch):
        return None
    if isinstance(oracle, Roll):
        return {"red": 0, "blue": 1}.get(oracle.winner())
    if isinstance(oracle, ForThree):
        return oracle.winner
    result = oracle.result()
    return (0 if result > 0 else 1) if result is not None and naive.is_win(result) else None


def told(judge: OneGame, node: Node, text: str) -> Iterator[str]:
    """Yield what is wrong with the value of a node: a number, or who wins or loses when."""
    low, _ = judge.known(node)
    if found := re.fullmatch(r"(\S+) (?:(wins|loses) at ply|in) (\d+)", text):
        value = naive.SHOWN_WIN - int(found[3])
        if found[1] == "lost" or found[2] == "loses" or (judge.count == 2 and found[1] == judge.players[1]):
            value = -value
        elif found[1] not in ("won", judge.players[0]):
            yield "of others nothing is known"
        if found[1] in ("won", "lost") and judge.count < 3:
            yield "a winner has a name"
        if value != low or not judge.recording.position.game.has_winner:
            yield f"it is {float(low)}"
        return
    number, slack = read_number(text)
    if is_win(low) and judge.recording.position.game.has_winner:
        yield f"it is {float(low)}"
    if abs(float(number - low)) > slack:
        yield f"it is {float(low)}"


def _with(judge: OneGame, node: Node, found: re.Match[str]) -> Iterator[str]:
    yield from counted(judge, node, found["count"])
    move, _, share = found["move"].partition(" p=")
    if len(node.children) != 1 or node.children[0].name != move.removeprefix("move "):
        yield "another move was made"
    chances = None if not isinstance(node.oracle, (Branch, Roll)) else node.oracle.chances()
    if bool(share) != (chances is not None) or ("outcome" in found["count"]) != (chances is not None):
        yield "nature moves, or does not"
    elif chances and abs(Fraction(share) - chances[node.oracle.moves().index(node.children[0].move)]) > Fraction(1, 1000):
        yield f"{found['move']} is not so likely"
    yield from told(judge, node, found["value"])


def _over(judge: OneGame, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.oracle.moves():
        yield "the game goes on"
        return
    winner = winner_of(node.oracle)
    if (winner is None) == bool(found["winner"]) or (found["winner"] and found["winner"] != judge.players[winner or 0]):
        yield "somebody else has won, or nobody"
    if found["draw"] and any(_paid(judge, node)):
        yield "it is no draw"
    numbers = re.findall(rf"(?:(\w+) (?:gets )?)?({NUMBER})(?:, |$)", found["each"] or "")
    for name, number in numbers:
        value, slack = read_number(number)
        if abs(float(value - _paid(judge, node)[judge.players.index(name) if name else 0])) > slack:
            yield f"it pays {list(map(float, _paid(judge, node)))}"
    if found["each"] and len(numbers) != (judge.count if judge.count > 2 else 1):
        yield "somebody is forgotten"


def _paid(judge: OneGame, node: Node) -> list[Number]:
    if isinstance(node.oracle, (Branch, ForThree)):
        return list(node.oracle.payoffs(judge.count, node.ply))
    return [judge.ends(node.oracle, node.ply)]


def _horizon(judge: OneGame, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.depth != 0 or node.children or not node.oracle.moves():
        yield "it is not at the horizon"
    if not isinstance(node.oracle, Roll):
        yield from told(judge, node, found["value"])


def rules(judge: OneGame) -> list[Rule]:
    """The patterns of all sentences of such a game, with their checks."""
    names = "|".join(map(re.escape, judge.players))
    value = rf"(?P<value>(?:{names}) (?:wins|loses) at ply \d+|{NUMBER})"
    each = rf"(?P<each>(?:(?:{names}) )?(?:gets )?(?:{NUMBER})(?:, (?:{names}) (?:{NUMBER}))*)"
    return [
        (rf"With (?P<move>(?:move )?\S+(?: p=\S+)?), (?P<count>.+?): {value}\.", _with),
        (rf"The game is over: (?:(?P<draw>a draw)|(?P<winner>{names}) has won|{each})(?: \(.+\))?\.", _over),
        (rf"Scored at the horizon(?:, before it is decided what happens)?: {value}\.", _horizon),
    ]


def faults(recording: Recording, oracle: Any) -> Iterator[tuple[int, str, str]]:
    """Yield every false sentence of a recording: the node, the sentence, and what is wrong with it."""
    judge = OneGame(recording, oracle)
    yield from faults_of(recording, judge, rules(judge), _window, _shown)


def _window(judge: OneGame, node: Node, words: str) -> Iterator[str]:
    if words != "open: every value counts":
        yield "there are no windows"


def _shown(judge: OneGame, node: Node, text: str) -> Iterator[str]:
    if not isinstance(judge.nodes[0].oracle, Roll) or node.depth > 0 or not node.oracle.moves():
        yield from told(judge, node, text)
