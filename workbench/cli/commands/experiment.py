"""`plybench experiment`: what the course measured, in one command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from workbench.cli.options import json_option
from workbench.render.values import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from workbench.matches.experiment import Experiment

COURSE_RATIO = 2.85
"""The course: 0.57 s a game for minimax, 0.20 s for alpha-beta."""
DIFFERED = 1
"""The exit code if the games were not the same."""


@click.command()
@click.option("--game", metavar="GAME", default="connect4", show_default=True, help="What is played.")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game.")
@click.option("--algorithms", default="minimax,alphabeta", show_default=True, help="Which are compared.")
@click.option("--games", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Against so many at random.")
@click.option("--depth", type=click.IntRange(1, 200), default=4, show_default=True, help="They look so many plies ahead.")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides what those at random do.")
@json_option
def experiment(
    game: str, size: str | None, settings: tuple[str, ...], algorithms: str, games: int, depth: int, seed: int, json: bool
) -> int:
    """The course's experiment: minimax and alpha-beta against 100 players who move at random. Both play the same games;
    alpha-beta looks at fewer nodes."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from engines.contract import as_json
    from workbench.cli.console import INTERRUPTED, errors, output, read_position
    from workbench.matches.experiment import Course

    start, _ = read_position("startpos", game, size, settings)
    course = Course(start, [name.strip() for name in algorithms.split(",") if name.strip()], games, depth, seed)
    interrupted = False
    bars = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*bars, console=errors(), transient=True, disable=not errors().is_terminal) as progress:
        task = progress.add_task("Playing", total=games)
        try:
            for done in course.run():
                progress.update(task, completed=done)
        except KeyboardInterrupt:
            interrupted = True
    found = course.outcome()
    if json:
        click.echo(as_json(found))
    else:
        output().print(view(found))
    if interrupted:
        return INTERRUPTED
    return 0 if found.identical else DIFFERED


def view(found: Experiment) -> RenderableType:
    """The table, and what it says."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from workbench.render.values import duration

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("algorithm")
    for name in ("won", "drawn", "lost", "nodes", "nodes/move", "time/game", "time"):
        table.add_column(name, justify="right")
    for one in found.sides:
        numbers = [one.wins, one.draws, one.losses]
        table.add_row(
            Text(one.algorithm, style="bold"),
            *map(str, numbers),
            f"{one.nodes:,}",
            f"{one.nodes / max(1, one.moves):,.0f}",
            duration(one.seconds_per_game),
            duration(one.seconds),
        )
    same = (
        "All games are the same, move by move" if found.identical else f"Only {counted(found.same_games, 'game')} the same"
    )
    lines = [Text(f"{same}: {found.games} of {found.game} at depth {found.depth}, seed {found.seed}.", style="bold")]
    first, last = found.sides[0].algorithm, found.sides[-1].algorithm
    if found.node_ratio is not None and found.time_ratio is not None:
        nodes, time = f"{found.node_ratio:.2f} times fewer nodes", f"{found.time_ratio:.2f} times less time"
        lines.append(Text(f"{last} looks at {nodes} than {first}, in {time}"))
        lines[-1].append(f" (the course: {COURSE_RATIO} times less time).", style="dim")
        if found.time_ratio < found.node_ratio / 2:
            said = "Searches this short spend most of their time on beginning; deeper, time goes as nodes do (--depth 6)."
            lines.append(Text(said, style="dim"))
    return Group(table, *lines)
