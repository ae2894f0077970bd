"""Plybench as a UCI engine in games against other engines, each played to the end, one at a time.

Two games against GNU Chess are played on the clock: they check that every move is legal and in time, and not who wins. Then
there are 40 against Sunfish, which is written in Python too: 20 openings, each with both colours, with the same time for
every move. (Sunfish starts no further depth when two thirds of that are used.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import chess
from msgspec import Struct

from benchmarks.peers.uci_engines import GNU_CHESS, PLYBENCH, SUNFISH, Program
from benchmarks.printing import tell
from benchmarks.rows import Row, Target, not_measured
from benchmarks.strength import referee
from benchmarks.strength.referee import Fault, FinishedGame, TimeControl
from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from workbench.uci.engine import BEST_FIRST

CLOCK, QUICK_CLOCK = TimeControl(20.0, 0.2), TimeControl(2.0, 0.02)
MOVE_SECONDS = 0.2
PERCENT = 75
"""The target: the percentage of points against Sunfish."""
OPENINGS = tuple(
    tuple(line.partition(":")[2].split()) for line in Path(__file__).with_name("openings.txt").read_text().splitlines()
)
QUICK_OPENINGS = 2


class Ours(Struct, frozen=True):
    """A game, and the side that Plybench played."""

    game: FinishedGame
    color: chess.Color

    @property
    def score(self) -> float:
        """Plybench's points: 1 for a win, 0.5 for a draw."""
        return self.game.score(self.color)

    @property
    def fault(self) -> Fault | None:
        """Plybench's fault, if that ended the game; otherwise None."""
        return None if self.score else self.game.fault


def measure(quick: bool) -> Iterator[Row]:
    """Play on the clock first, then for points."""
    Search(
        catalog.position("startpos", "chess"), catalog.algorithm(BEST_FIRST[0]), Limit(depth=1)
    ).start().finish()  # compiles
    yield from on_the_clock(GNU_CHESS, QUICK_CLOCK if quick else CLOCK)
    yield for_points(SUNFISH, OPENINGS[:QUICK_OPENINGS] if quick else OPENINGS, MOVE_SECONDS)


def on_the_clock(peer: Program, clock: TimeControl) -> Iterator[Row]:
    """Count the illegal moves and the games lost on time."""
    task = f"chess on the clock, {clock.seconds:g} s + {clock.increment:g} s a move, 2 games"
    none = Target(below=1)
    if not peer.is_installed():
        yield not_measured(f"{task}: illegal moves", "moves", none, peer=peer.name)
        yield not_measured(f"{task}: lost on time", "games", none, peer=peer.name)
        return
    games = match(peer, [()], clock)
    illegal = sum(one.fault in ("illegal move", "gone") for one in games)
    late = sum(one.fault == "out of time" for one in games)
    plies = " and ".join(str(one.game.board.ply()) for one in games)
    least = min(one.game.players[one.color].least for one in games)
    result = f"{wins_draws_losses(games)} against {peer.full_name()} in {plies} plies{their_faults(games)}"
    yield counted(f"{task}: illegal moves", illegal, "moves", result)
    yield counted(f"{task}: lost on time", late, "games", f"never less than {least:.1f} s on the clock")


def counted(task: str, count: int, unit: Literal["moves", "games"], note: str) -> Row:
    """A row that counts faults, of which there must be none."""
    return Row(task=task, ours=count, unit=unit, result=count, result_unit=unit, target=Target(below=1), note=note)


def for_points(peer: Program, openings: Sequence[Sequence[str]], seconds: float) -> Row:
    """The share of points from all openings with both colours."""
    task, target = f"chess, {2 * len(openings)} games, {seconds:g} s a move", Target(at_least=PERCENT)
    if not peer.is_installed():
        return not_measured(task, "%", target, peer=peer.name)
    games = match(peer, openings, seconds)
    percent = 100 * sum(one.score for one in games) / len(games)
    note = f"{wins_draws_losses(games)}; {pace(games, True):.2f} s a move here, {pace(games, False):.2f} s there"
    if faults := sum(one.fault is not None for one in games):
        note += f"; lost by a fault: {faults}"
    return Row(
        task=task,
        ours=percent,
        unit="%",
        peer=peer.full_name(),
        theirs=100 - percent,
        result=percent,
        result_unit="%",
        target=target,
        note=note + their_faults(games),
    )


def match(peer: Program, openings: Sequence[Sequence[str]], pace: TimeControl | float) -> list[Ours]:
    """Play a game with each colour from each opening. Each game has new processes, so that no game affects another."""
    games: list[Ours] = []
    for opening in openings:
        for color in chess.COLORS:
            with PLYBENCH.start() as here, peer.start() as there:
                white, black = (here, there) if color == chess.WHITE else (there, here)
                games.append(Ours(referee.play(white, black, opening, pace), color))
            tell(f"{peer.name}, game {len(games)} of {2 * len(openings)}: {in_words(games[-1])}; {wins_draws_losses(games)}")
    return games


def in_words(one: Ours) -> str:
    """A sentence on how a game went."""
    result = {1.0: "won", 0.5: "drawn", 0.0: "lost"}[one.score]
    return f"{result} with {chess.COLOR_NAMES[one.color]}, {one.game.ending} after {one.game.board.ply()} plies"


def wins_draws_losses(games: Sequence[Ours]) -> str:
    """Wins, draws and losses of Plybench."""
    scores = [one.score for one in games]
    return f"{scores.count(1)} won, {scores.count(0.5)} drawn, {scores.count(0)} lost"


def their_faults(games: Sequence[Ours]) -> str:
    """The other engine's faults, as an addition to a note."""
    faults = [one.game.fault for one in games if one.score and one.game.fault]
    return f"; the other side: {', '.join(faults)}" if faults else ""


def pace(games: Sequence[Ours], ours: bool) -> float:
    """The mean seconds per move, of Plybench or of the other engine."""
    players = [one.game.players[one.color if ours else not one.color] for one in games]
    return sum(player.used for player in players) / sum(player.moves for player in players)
