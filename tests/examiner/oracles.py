"""Positions of the naive rules with one interface for the examiner: who moves, which moves there are, and how they are
named."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import chess

from tests.naive.chance import NATURE, EinStein, Node, numbers_at, worth_to_all
from tests.naive.chess import Chess
from tests.naive.games import WIN, Breakthrough, Value, delayed, put
from tests.naive.graphs import NaiveGraph

DICE = "⚀⚁⚂⚃⚄⚅"


@dataclass(frozen=True)
class Branch:
    """A node of a typed tree with chance or more players; its moves are numbers."""

    node: Node
    unit = 1

    def moves(self) -> list[str]:
        return [str(number + 1) for number in range(len(self.node.branches))]

    def play(self, move: str) -> Branch:
        return Branch(self.node.branches[int(move) - 1][1])

    def chances(self) -> list[Fraction] | None:
        """The probability of each outcome; None where a player moves."""
        return [share for share, _ in self.node.branches] if self.node.branches and self.node.mover == NATURE else None

    def mover(self) -> int:
        """The index, from 0, of the player to move."""
        return self.node.mover

    def payoffs(self, players: int, ply: int) -> tuple[Fraction, ...]:
        """Each player's value at the node: at an end, or by the numbers written at it."""
        return numbers_at(self.node, players)


@dataclass(frozen=True)
class ForThree:
    """Tic-tac-toe for X, O and Z; rows from the top."""

    rows: tuple[str, ...]
    k: int
    unit = 1

    def mover(self) -> int:
        """The index, from 0, of the player to move."""
        return sum(mark != "." for mark in "".join(self.rows)) % 3

    @cached_property
    def winner(self) -> int | None:
        """The player who has a row; None if nobody has."""
        worth = self.payoffs(3, 0)
        return worth.index(WIN) if WIN in worth else None

    def moves(self) -> list[str]:
        if self.winner is not None:
            return []
        cells = [(x, y) for y, row in enumerate(self.rows) for x, mark in enumerate(row) if mark == "."]
        return [f"{'abcdefgh'[x]}{len(self.rows) - y}" for x, y in cells]

    def play(self, move: str) -> ForThree:
        x, y = "abcdefgh".index(move[0]), len(self.rows) - int(move[1:])
        return ForThree(put(self.rows, (x, y), "XOZ"[self.mover()]), self.k)

    def chances(self) -> None:
        """Always None: there is no chance in this game."""

    def payoffs(self, players: int, ply: int) -> tuple[Fraction, ...]:
        """Each player's value so many plies after the root: at an end, or by the evaluation."""
        return tuple(map(Fraction, worth_to_all("/".join(self.rows), self.k, ply)))


@dataclass(frozen=True)
class ForTwo:
    """A zero-sum game of two players."""

    game: Any

    @property
    def unit(self) -> int:
        return int(self.game.unit)

    def mover(self) -> int:
        """The index, from 0, of the player to move."""
        return 0 if self.game.turn() > 0 else 1

    def moves(self) -> list[str]:
        found: list[str] = self.game.moves()
        return found

    def play(self, move: str) -> ForTwo:
        return ForTwo(self.game.play(move))

    def chances(self) -> None:
        """Always None: there is no chance in these games."""

    def payoffs(self, players: int, ply: int) -> tuple[Fraction, ...]:
        """Each player's value so many plies after the root: at an end, or by the evaluation."""
        result = self.game.result()
        value = Fraction(self.game.evaluate() if result is None else delayed(result, ply))
        return value, -value


@dataclass(frozen=True)
class Roll(EinStein):
    """EinStein würfelt nicht!, with rolls of the die as chance outcomes."""

    def play(self, move: str) -> Roll:
        after = super().play(move)
        return Roll(after.stones, after.red_moves, after.die)

    def chances(self) -> list[Fraction] | None:
        """The probabilities of a fair die; None where a player moves."""
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
    """A move as sentences name it: in chess in algebraic notation, rolls with the symbol of the die."""
    if isinstance(oracle, Chess):
        return oracle.board.san(chess.Move.from_uci(move))
    if isinstance(oracle, EinStein) and not oracle.die:
        return f"{DICE[int(move) - 1]}{move}"
    return move


def passed(oracle: Any) -> Any:
    """The position after a null move; None where the naive rules have none."""
    if isinstance(oracle, Chess):
        board = oracle.board.copy(stack=False)
        board.push(chess.Move.null())
        return replace(oracle, board=board)
    if isinstance(oracle, Breakthrough):
        return replace(oracle, mover="b" if oracle.mover == "w" else "w")
    return None


def captures(oracle: Any) -> list[str] | None:
    """The moves that quiescence counts as captures: captures, promotions and steps onto the last row; None if that is
    unknown."""
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
    """Whether the side to move is in check, or an opposing pawn is one step from its goal; None if that is unknown."""
    if isinstance(oracle, Chess):
        return oracle.board.is_check()
    if isinstance(oracle, Breakthrough):
        if oracle.misere:
            return False
        row = 1 if oracle.mover == "w" else len(oracle.rows) - 2
        return ("b" if oracle.mover == "w" else "w") in oracle.rows[row]
    return None
