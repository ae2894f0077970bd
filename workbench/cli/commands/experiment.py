"""`plybench experiment`: the course's measurement in one command."""

from __future__ import annotations

import click

from workbench.cli.options import json_option

DIFFERED = 1
"""The exit code if the algorithms played different games."""


@click.command()
@click.option("--game", metavar="GAME", default="connect4", show_default=True, help="The game that is played.")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game.")
@click.option(
    "--algorithms", default="minimax,alphabeta", show_default=True, help="The algorithms to compare, separated by commas."
)
@click.option(
    "--games",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    help="How many random games to compare them in.",
)
@click.option("--depth", type=click.IntRange(1, 200), default=4, show_default=True, help="Look this many plies ahead.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the random players.")
@json_option
def experiment(
    game: str, size: str | None, settings: tuple[str, ...], algorithms: str, games: int, depth: int, seed: int, json: bool
) -> int:
    """The course's experiment: minimax and alpha-beta against 100 players who move at random. Both play the same games;
    alpha-beta looks at fewer nodes."""
    from workbench.cli.console import INTERRUPTED, emit, read_position
    from workbench.cli.progress import counting_bar, move_along
    from workbench.matches.experiment import ExperimentRun
    from workbench.matches.view import experiment_table

    start, _ = read_position("startpos", game, size, settings)
    course = ExperimentRun(start, [name.strip() for name in algorithms.split(",") if name.strip()], games, depth, seed)
    interrupted = move_along(counting_bar("Playing", games), ({"completed": done} for done in course.run()))
    outcome = course.outcome()
    emit(outcome, lambda: experiment_table(outcome), json)
    if interrupted:
        return INTERRUPTED
    return 0 if outcome.identical else DIFFERED
