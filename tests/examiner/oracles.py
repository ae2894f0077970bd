"""Positions by the naive rules, in one form for the examiner: who moves, what may be played, and how moves are spoken of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import chess

from tests.naive import WIN, Breakthrough, Value
from tests.naive_chance import NATURE, EinStein, Node
from tests.naive_chess import Chess
from tests.naive_graphs import NaiveGraph

DICE = "⚀⚁⚂⚃⚄⚅"


@dataclass(frozen=True)
class Branch:
    """A node of a typed tree with chance or more players; moves are numbers."""

    node: Node
    unit = 1

    def moves(self) -> list[str]:
        return [str(number + 1) for number in range(len(self.node.branches))]

    def play(self, move: str) -> Branch:
        return Branch(self.node.branches[int(move) - 1][1])

    def chances(self) -> list[Fraction] | None:
        """How likely each outcome is; None where a player moves."""
        return [share for share, _ in self.node.branches] if self.node.branches and self.node.mover == NATURE else None


@dataclass(frozen=True)
class Roll(EinStein):
    """EinStein würfelt nicht!, with rolls as outcomes."""

    def play(self, move: str) -> Roll:
        after = super().play(move)
        return Roll(after.stones, after.red_moves, after.die)

    def chances(self) -> list[Fraction] | None:
        """A fair die."""
        return None if self.die or self.winner() else [Fraction(1, 6)] * 6


@dataclass(frozen=True)
class Spot:
    """A node of a graph."""

    graph: Any
    node: int
    unit = 1

    def __hash__(self) -> int:
        return self.node

    def turn(self) -> int:
        return int(self.graph.owners[self.node])

    def moves(self) -> list[str]:
        return [] if self.result() is not None else [f"n{one}" for one in self.graph.edges[self.node]]

    def play(self, move: str) -> Spot:
        return Spot(self.graph, int(move[1:]))

    def result(self) -> Value | None:
        graph: NaiveGraph = self.graph
        if any(graph.wanted):
            ends = graph.ends()
            return ends[self.node] * WIN if self.node in ends else None
        return None if graph.edges[self.node] else graph.gains[self.node]

    def evaluate(self) -> Value:
        return 0


def spoken(oracle: Any, move: str) -> str:
    """A move as sentences name it: in chess as people write it, rolls with the picture of the die."""
    if isinstance(oracle, Chess):
        return oracle.board.san(chess.Move.from_uci(move))
    if isinstance(oracle, EinStein) and not oracle.die:
        return f"{DICE[int(move) - 1]}{move}"
    return move


def passed(oracle: Any) -> Any:
    """The position after a side made no move; None where the naive rules know nothing of that."""
    if isinstance(oracle, Chess):
        board = oracle.board.copy(stack=False)
        board.push(chess.Move.null())
        return replace(oracle, board=board)
    if isinstance(oracle, Breakthrough):
        return replace(oracle, mover="b" if oracle.mover == "w" else "w")
    return None


def captures(oracle: Any) -> list[str] | None:
    """The moves that quiescence counts as captures: what takes, promotes or reaches the last row; None if unknown."""
    if isinstance(oracle, Chess):
        return [move.uci() for move in oracle.board.legal_moves if oracle.board.is_capture(move) or move.promotion]
    if isinstance(oracle, Breakthrough):
        row, enemy = (str(len(oracle.rows)), "b") if oracle.mover == "w" else ("1", "w")
        columns = "abcdefgh"
        return [
            move for move in oracle.moves() if move[3] == row or oracle.at(columns.index(move[2]), int(move[3]) - 1) == enemy
        ]
    return None


def threatened(oracle: Any) -> bool | None:
    """The side to move is in check, or the other side's pawn is one step from the end. None where nobody knows."""
    if isinstance(oracle, Chess):
        return oracle.board.is_check()
    if isinstance(oracle, Breakthrough):
        if oracle.misere:
            return False
        row = 1 if oracle.mover == "w" else len(oracle.rows) - 2
        return ("b" if oracle.mover == "w" else "w") in oracle.rows[row]
    return None
