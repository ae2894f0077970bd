"""The levels of every game: a player who only avoids immediate losses beats level 1, every level beats the one below, and
the top level beats the one five below in nine of ten games.

All limits are in depth and nodes and all games have a seed, so that the results are the same on every machine. Openings are
random and played twice, with colours swapped. The games are distributed over all cores.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from multiprocessing.pool import Pool

from benchmarks.printing import tell
from benchmarks.rows import Row, Target
from engines import catalog
from engines.run.background import NICENESS
from workbench.play.game_loop import play_game
from workbench.play.levels import Level, careful, levels
from workbench.play.openings import random_openings
from workbench.play.players import Player

GAMES, STEP_GAMES, QUICK_GAMES = 40, 20, 4
"""The number of games of the top level and of level 1; of every other step; and of each in a quick run."""
SLOW = ("tictactoe", "einstein", "connect4", "breakthrough", "chess")
"""The games in the order of their duration, the quickest first."""
BELOW = 5
OPENING_PLIES = {"chess": 4, "breakthrough": 4, "connect4": 2}
"""The random plies of openings. Tic-tac-toe has none: after two random moves many games are decided. There the levels'
mistakes make the games differ."""
ALL_LOST = Target(at_least=75.0)
NINE_OF_TEN = Target(at_least=90.0)


@dataclass(frozen=True)
class LadderScore:
    """The results of one player."""

    won: int
    drawn: int
    games: int

    @property
    def points(self) -> float:
        """The points in percent; a draw is half a win."""
        return 100 * (self.won + self.drawn / 2) / self.games

    @property
    def wins(self) -> float:
        """The games won in percent."""
        return 100 * self.won / self.games


def measure(quick: bool) -> Iterator[Row]:
    """A row for each step of each game's levels, and for the promised results."""
    games, step_games = (QUICK_GAMES, QUICK_GAMES) if quick else (GAMES, STEP_GAMES)
    with multiprocessing.get_context("spawn").Pool(os.cpu_count() or 1, _be_nice) as pool:
        for game in SLOW:
            start = catalog.position("startpos", game)
            ladder = levels(start.game)
            found = meet(pool, careful(start.game), ladder[0], game, games)
            yield row(
                game, "who only avoids what loses at once", ladder[0], found, found.points, None if quick else ALL_LOST
            )
            for lower, higher in pairwise(ladder):
                found = meet(pool, higher, lower, game, step_games)
                yield row(game, higher.name, lower, found, found.points, None, higher.words)
                tell(f"{game}: {higher.name} against {lower.name}: {found.points:.0f} %")
            top, below = ladder[-1], ladder[max(0, len(ladder) - 1 - BELOW)]
            found = meet(pool, top, below, game, games)
            yield row(game, f"{top.name} (the top)", below, found, found.wins, None if quick else NINE_OF_TEN)


def row(game: str, who: str, lower: Level, found: LadderScore, share: float, target: Target | None, note: str = "") -> Row:
    """The row for a result."""
    lost = found.games - found.won - found.drawn
    said = f"{found.won} won, {found.drawn} drawn, {lost} lost"
    return Row(
        task=f"{game}: {who} against {lower.name}",
        ours=share,
        unit="%",
        result=share,
        result_unit="%",
        target=target,
        note=f"{said}; {note}" if note else said,
    )


def meet(pool: Pool, one: Player, other: Player, game: str, games: int) -> LadderScore:
    """The results of the first of two players, who alternate colours."""
    points = list(pool.imap_unordered(partial(play, one, other, game, games), range(games)))
    return LadderScore(points.count(1.0), points.count(0.5), games)


def play(one: Player, other: Player, game: str, games: int, number: int) -> float:
    """The points of the first player in one game."""
    start = catalog.position("startpos", game)
    openings = random_openings(start, (games + 1) // 2, OPENING_PLIES.get(game, 0), seed=1)
    opening = openings[(number // 2) % len(openings)]
    first = number % 2 == 0
    played = play_game((one, other) if first else (other, one), opening, seed=number)
    assert played is not None
    return played.score(0 if first else 1)


def _be_nice() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
