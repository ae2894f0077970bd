"""Plybench's side of a comparison: its kernels, called directly in this thread."""

from __future__ import annotations

from collections.abc import Mapping

from engines import catalog
from engines.parts.sampling.playout import playouts
from engines.perft import perft
from engines.position import Position
from engines.rules import INFINITY
from engines.run.work import Work, new_work
from engines.search.alphabeta import alphabeta
from engines.search.minimax import minimax
from engines.tape.tape import NOBODY, AnyTape, NoTape

TO_THE_END = 60
"""A depth beyond the end of every game here."""


def position(game: str, text: str = "startpos", settings: Mapping[str, str] | None = None) -> Position:
    """A position in a game's default size."""
    return catalog.position(text, game, settings=settings)


def run_alphabeta(where: Position, depth: int, haste: bool = True, tape: AnyTape | None = None) -> tuple[int, Work]:
    """The value of a position for the side to move by alpha-beta, and the counters of the search."""
    work = new_work()
    work.haste = int(haste)
    tape = NoTape() if tape is None else tape
    rules = where.game.rules_for(where)
    value = alphabeta(rules, tape, work, where.state, depth, -INFINITY, INFINITY, 0, NOBODY, 0)
    return int(value), work


def run_minimax(where: Position, depth: int) -> tuple[int, Work]:
    """The value of a position for the first player by minimax, and the counters of the search."""
    work = new_work()
    value = minimax(where.game.rules, NoTape(), work, where.state, where.turn > 0, depth, 0, NOBODY)
    return int(value), work


def run_playouts(where: Position, count: int) -> int:
    """Play so many random games; returns the total number of moves."""
    work = new_work(seed=1)
    playouts(where.game.rules, work, where.state, count)
    return int(work.nodes)


def run_perft(where: Position, depth: int) -> int:
    """The number of games of so many plies from here."""
    return int(perft(where.game.rules, new_work(), where.state, depth, 0))
