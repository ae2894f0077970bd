"""Perft: how many games of n plies start here. The standard check that a game's rules are right."""

from __future__ import annotations

from time import perf_counter

from msgspec import Struct

from engines.compiled.kernel import kernel, note_compiled
from engines.contract import MAX_DEPTH, InputError
from engines.position import Position
from engines.rules import Rules, State, count_successors, play, successors
from engines.run.background import Background
from engines.run.work import Work, new_work


@kernel
def perft(game: Rules, work: Work, state: State, depth: int, ply: int) -> int:
    """How many games of `depth` plies start from `state`. The last ply is counted without being played."""
    if work.nodes >= work.budget:
        work.stopped = 1
        return 0
    work.nodes += 1
    if depth == 0:
        return 1
    if depth == 1:
        return count_successors(game, state, work.moves[ply])
    total = 0
    for i in range(successors(game, state, work.moves[ply])):
        total += perft(game, work, play(game, state, work.moves[ply, i]), depth - 1, ply + 1)
    return total


class PerftReport(Struct, frozen=True, kw_only=True):
    """How many games of `depth` plies there are, in all and by first move."""

    game: str
    size: str
    position: str
    depth: int
    leaves: int
    seconds: float
    divide: dict[str, int]
    complete: bool
    """False if it was stopped: then only the moves in `divide` are counted."""


class Perft(Background):
    """A perft count that runs in the background."""

    def __init__(self, position: Position, depth: int) -> None:
        if not 0 <= depth <= MAX_DEPTH:
            raise InputError(f"The depth is a whole number from 0 to {MAX_DEPTH}, not {depth}.")
        super().__init__("perft", new_work())
        self.position = position
        self.depth = depth
        self.leaves = 0 if depth else 1
        self.divide: dict[str, int] = {}
        self.count_seconds = 0.0
        self.root_count = len(position.game.legal_moves(position.state)) if depth else 0

    def do(self) -> None:
        """Count behind each move of the position."""
        game, state = self.position.game, self.position.state
        perft(game.rules, new_work(), state, 2, 0)  # compile, or load what is compiled: not part of the time
        began = perf_counter()
        for move in game.legal_moves(state) if self.depth else []:
            leaves = int(perft(game.rules, self.work, play(game.rules, state, move), self.depth - 1, 1))
            self.count_seconds = perf_counter() - began
            if self.work.stopped:
                return
            self.divide[game.move_text(state, move)] = leaves
            self.leaves += leaves
        note_compiled(f"perft-{game.code}")

    def report(self) -> PerftReport:
        """Wait for the end and return the counts."""
        self.finish()
        return PerftReport(
            game=self.position.game.id,
            size=self.position.game.size,
            position=self.position.text,
            depth=self.depth,
            leaves=self.leaves,
            seconds=self.count_seconds,
            divide=self.divide,
            complete=not self.work.stopped,
        )
