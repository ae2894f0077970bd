"""Games of chess between two running engines: moves are checked, clocks are kept, nothing is adjudicated.

A game goes on until python-chess says that it is over; draws by repetition and by the fifty-move rule are claimed. An engine
that plays an illegal move, uses up its clock or terminates has lost.
"""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Iterable, Mapping
from concurrent import futures
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

import chess
from chess.engine import EngineError, EngineTerminatedError, Limit, SimpleEngine
from msgspec import Struct

from benchmarks.peers.uci_engines import PATIENCE, given_up_after

Fault = Literal["illegal move", "out of time", "gone"]


class TimeControl(Struct, frozen=True):
    """The seconds of each side for the game, and the increment per move."""

    seconds: float
    increment: float


@dataclass
class TimedEngine:
    """One side of a game, with the time it has left and has used."""

    engine: SimpleEngine
    clock: float
    least: float = float("inf")
    """The lowest state of its clock, in seconds."""
    used: float = 0.0
    moves: int = 0

    def think(self, board: chess.Board, limit: Limit, game: object) -> chess.Move | Fault:
        """Its move, or the fault that prevented one. The time it took is subtracted from its clock."""
        began, allowed = perf_counter(), limit.time or self.clock
        try:
            with given_up_after(allowed, self.engine):
                move: chess.Move | Fault = self.engine.play(board, limit, game=game).move or "illegal move"
        except EngineTerminatedError:
            move = "gone"
        except EngineError:  # python-chess has checked whether the move is legal
            move = "illegal move"
        except (TimeoutError, CancelledError, futures.CancelledError):
            move = "out of time"
        took = perf_counter() - began
        self.clock -= took
        self.least = min(self.least, self.clock)
        self.used += took
        self.moves += 1
        return "out of time" if self.clock < 0 or took > allowed + PATIENCE else move


class FinishedGame(Struct, frozen=True, kw_only=True):
    """A game that is over."""

    board: chess.Board
    players: Mapping[chess.Color, TimedEngine]
    winner: chess.Color | None
    ending: str
    fault: Fault | None = None
    """The fault that ended the game before the rules did; the other side has won. None if there was none."""

    def score(self, color: chess.Color) -> float:
        """The points of a colour: 1 for a win, 0.5 for a draw."""
        return 0.5 if self.winner is None else float(self.winner == color)


def play(white: SimpleEngine, black: SimpleEngine, opening: Iterable[str], pace: TimeControl | float) -> FinishedGame:
    """Play one game after an opening, on the clock or with so many seconds for each move."""
    clock = pace.seconds if isinstance(pace, TimeControl) else float("inf")
    players = {chess.WHITE: TimedEngine(white, clock), chess.BLACK: TimedEngine(black, clock)}
    board, game = chess.Board(), object()
    for text in opening:
        board.push_uci(text)
    while (outcome := board.outcome(claim_draw=True)) is None:
        mover = players[board.turn]
        move = mover.think(board, limit_for(players, pace), game)
        if not isinstance(move, chess.Move):
            return FinishedGame(board=board, players=players, winner=not board.turn, ending=move, fault=move)
        if isinstance(pace, TimeControl):
            mover.clock += pace.increment
        board.push(move)
    ending = outcome.termination.name.lower().replace("_", " ")
    return FinishedGame(board=board, players=players, winner=outcome.winner, ending=ending)


def limit_for(players: Mapping[chess.Color, TimedEngine], pace: TimeControl | float) -> Limit:
    """The time limit that the side to move is given."""
    if not isinstance(pace, TimeControl):
        return Limit(time=pace)
    return Limit(
        white_clock=players[chess.WHITE].clock,
        black_clock=players[chess.BLACK].clock,
        white_inc=pace.increment,
        black_inc=pace.increment,
    )
