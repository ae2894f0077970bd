"""Converts the value of a search to the scales of UCI: centipawns, moves to mate, shares of wins, draws and losses.

All values here are for the side to move, as the protocol wants them. Algorithms have values of different kinds:

- An evaluation is in pawns; centipawns are its hundredths.
- A share of games won (searches that sample) becomes the hundredths of a pawn that let one expect that share, by the
  logistic curve that Lichess fitted to human games: 50 % is 0, 75 % is +298, 25 % is -298.
- A proven win or loss is so many moves to mate if the proof tells how many are enough. If it does not, or if it is seen
  but not proven, it is a large number of hundredths with the right sign: `mate` is only said where it is true.
- A proof search without an answer yet has the value 0 and no shares.
- A single sampled game counts by Laplace's rule of succession: after one win of one game, two thirds.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from engines.algorithm import Algorithm
from engines.contract import Bound
from engines.game import Game, distance
from engines.position import Position
from engines.rules import MEAN, WIN_EDGE
from engines.rules import WIN as WIN_NOW
from engines.run.result import DepthResult, MoveResult

STEEPNESS = 0.00368208
"""How the share of points grows with hundredths of a pawn: 1 / (1 + exp(-STEEPNESS * hundredths))."""
KNOWN_WIN = 20_000
"""The centipawns for a win at an unknown distance."""
SEEN_WIN = 19_000
"""Less, for one that a search has seen and not proven, and less by the plies to it."""
MOST_BELIEVED = 15_000
"""The largest evaluation in centipawns that is reported, so that it cannot be taken for a win."""
ONE_WON_GAME = 2 / 3

WIN, DRAW, LOSS = (1000, 0, 0), (0, 1000, 0), (0, 0, 1000)


class Score(NamedTuple):
    """A value for the side to move: moves to mate, or hundredths of a pawn."""

    hundredths: int = 0
    mate: int | None = None
    """The moves to mate; negative if the engine is mated."""
    known: bool = False
    """Whether the end of the game is proven."""
    blank: bool = False
    """Nothing is believed, so that there are no shares to tell."""

    @property
    def wdl(self) -> tuple[int, int, int]:
        """How many of 1000 games are won, drawn and lost. If each of two half points is won with the share that the
        hundredths let one expect, both give a win, and one of them a draw."""
        if self.known:
            sign = self.hundredths if self.mate is None else self.mate
            return WIN if sign > 0 else LOSS if sign < 0 else DRAW
        share = share_of(self.hundredths)
        won, lost = round(1000 * share**2), round(1000 * (1 - share) ** 2)
        return won, 1000 - won - lost, lost

    def text(self, bound: Bound = "exact", shows_wdl: bool = False) -> str:
        """As it stands behind `score`."""
        words = [f"cp {self.hundredths}" if self.mate is None else f"mate {self.mate}"]
        if shows_wdl and not self.blank:
            words.append("wdl " + " ".join(map(str, self.wdl)))
        return " ".join(words) + BOUNDS[bound]


BOUNDS: dict[Bound, str] = {"exact": "", "at least": " lowerbound", "at most": " upperbound"}


@dataclass(frozen=True)
class ScoredLine:
    """A line of play from the root, and what is known of its value."""

    score: Score
    moves: tuple[int, ...]
    bound: Bound = "exact"


def hundredths_of(share: float) -> int:
    """What lets one expect so large a share of the points, from 0 to 1."""
    inside = min(max(share, 1 / MEAN), 1 - 1 / MEAN)
    return round(math.log(inside / (1 - inside)) / STEEPNESS)


def share_of(hundredths: int) -> float:
    """The expected share of points for an advantage in centipawns."""
    return 1 / (1 + math.exp(-STEEPNESS * hundredths))


def mate_in(plies: int, won: bool) -> Score:
    """The score of a game that is over in so many plies."""
    moves = (plies + 1) // 2
    return Score(mate=moves if won else -moves, known=True)


def known_end(sign: int) -> Score:
    """It is known who wins (+1: the side to move) or that it is a draw (0), but not when."""
    return Score(hundredths=sign * KNOWN_WIN, known=True)


def score_of(value: float, algorithm: Algorithm, game: Game, proven: bool) -> Score:
    """The score for a value of a search. A value beyond that of a win counts as a win at an unknown distance."""
    if algorithm.means:
        if proven:
            return known_end((2 * value > MEAN) - (2 * value < MEAN))
        return Score(hundredths_of(value / MEAN))
    if algorithm.proves and not proven:
        return Score(blank=True)
    value = min(max(value, -WIN_NOW), WIN_NOW)
    sign = (value > 0) - (value < 0)
    if abs(value) < WIN_EDGE:
        hundredths = round(value * 100 / game.unit)
        return Score(min(max(hundredths, -MOST_BELIEVED), MOST_BELIEVED), known=proven and algorithm.judges)
    if not algorithm.judges:
        return Score(sign * hundredths_of(ONE_WON_GAME))
    plies = distance(int(value))
    if not proven:
        return Score(sign * (SEEN_WIN - min(plies, 999)))
    return mate_in(plies, sign > 0) if plies else known_end(sign)


def lines_of(
    found: DepthResult, algorithm: Algorithm, root: Position, wanted: Collection[int], count: int
) -> list[ScoredLine]:
    """The best lines of a finished depth that begin with a wanted move: the principal variation, and then the next best
    moves whose value is known."""
    if found.value is None:
        return []
    first = found.line[0] if found.line else None
    bounds: dict[int, Bound] = {row.move: row.bound for row in found.root_moves}
    lines = []
    if first is not None and first in wanted:
        score = score_of(found.value, algorithm, root.game, found.exact)
        lines.append(ScoredLine(score, tuple(found.line), bounds.get(first, "exact")))
    known = [row for row in found.root_moves if row.bound == "exact" and abs(row.value) <= WIN_NOW]
    others = [row for row in known if row.move in wanted and row.move != first]
    rest = [ScoredLine(_score_of_move(row, algorithm, root), tuple(row.line or [row.move])) for row in others]
    if not algorithm.iterates:  # those that do have the moves in order already
        rest.sort(key=lambda line: -order(line.score))
    return [*lines, *rest][:count]


def order(score: Score) -> int:
    """Larger for what is better."""
    if score.mate is None:
        return score.hundredths
    return (2 * KNOWN_WIN - abs(score.mate)) * (1 if score.mate > 0 else -1)


def _score_of_move(row: MoveResult, algorithm: Algorithm, root: Position) -> Score:
    """What is known of one move of the root."""
    if row.proven and (algorithm.means or algorithm.proves):
        return known_end(0 if row.proven == 2 else root.turn * row.proven)
    return score_of(row.value, algorithm, root.game, bool(row.proven))
