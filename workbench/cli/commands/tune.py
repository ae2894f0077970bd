"""`plybench tune`, the genetic algorithm for weights, and `plybench weights`, the named weights."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.commands.match import worker_options
from workbench.cli.options import json_option
from workbench.tuning.types import BITS, DEPTH, DRAWS, GENERATIONS, MUTATION, PAIRING, POPULATION

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.jobs.workers import Workers
    from workbench.tuning.job import TuningJob

DRAWINGS_A_SECOND = 4


@click.command()
@click.argument("game")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game.")
@click.option("--population", type=int, default=POPULATION, show_default=True, help="How many genomes a generation has.")
@click.option("--generations", type=int, default=GENERATIONS, show_default=True, help="How many generations to breed.")
@click.option("--depth", type=int, default=DEPTH, show_default=True, help="Both sides look this many plies ahead.")
@click.option("--bits", type=int, default=BITS, show_default=True, help="How many bits a weight has.")
@click.option(
    "--pairing", type=float, default=PAIRING, show_default=True, help="The probability that a couple has children."
)
@click.option("--mutation", type=float, default=MUTATION, show_default=True, help="The probability that a bit flips.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="The seed of all chance: the same seed, the same result."
)
@click.option("--candidate", metavar="WEIGHTS", help="Only test these weights (numbers, or a name); do not tune.")
@click.option("--reference", metavar="WEIGHTS", help="The weights to compare with, in place of the game's own.")
@click.option(
    "--draws",
    type=click.IntRange(0, 100_000),
    default=DRAWS,
    show_default=True,
    help="How many random genomes to test against.",
)
@click.option("--save", metavar="NAME", help="Keep the best weights under a name, for --set weights=NAME.")
@worker_options
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file to keep progress in, so that tuning can continue after a stop.",
)
@json_option
def tune(
    game: str,
    size: str | None,
    settings: tuple[str, ...],
    population: int,
    generations: int,
    depth: int,
    bits: int,
    pairing: float,
    mutation: float,
    seed: int,
    candidate: str | None,
    reference: str | None,
    draws: int,
    save: str | None,
    jobs: int | None,
    cluster: str | None,
    journal: Path | None,
    json: bool,
) -> int:
    """Look for better weights of a game's evaluation with the course's genetic algorithm, and test the best ones as it does:
    they are accepted if they beat the game's own weights, and more random weights than those do.

    The same command goes on where it was killed or interrupted, and comes to the same result.
    """
    from engines.contract import InputError
    from workbench.cli.console import INTERRUPTED, emit, read_position
    from workbench.jobs.workers import opened, workers
    from workbench.tuning import named_weights as presets
    from workbench.tuning.genetic import read_named_weights
    from workbench.tuning.job import TuningJob
    from workbench.tuning.types import TuneTerms
    from workbench.tuning.view import acceptance_table, tuning_view

    start, _ = read_position("startpos", game, size, settings)
    if save is not None:
        presets.check_name(game, save)
    if candidate is not None and save is not None:
        raise InputError("--candidate only tests weights; plybench weights keeps them under a name.")
    if candidate is not None and journal is not None:
        raise InputError("--candidate only tests weights; a journal is kept of tuning alone.")
    terms = TuneTerms(
        population=population,
        generations=generations,
        bits=bits,
        pairing=pairing,
        mutation=mutation,
        depth=depth,
        seed=seed,
    )
    against = read_named_weights(reference, start) if reference else None
    tested = read_named_weights(candidate, start) if candidate is not None else None
    job = TuningJob(start, terms, against, draws, journal, save, tested)
    with opened(workers(jobs, cluster)) as pool:
        interrupted = watch_tuning(job, pool)
    if candidate is None:
        outcome = job.outcome()
        emit(outcome, lambda: tuning_view(outcome, most=None), json)
    elif (verdict := job.acceptance) is not None:
        emit(verdict, lambda: acceptance_table(verdict, start.game.id), json)
    return INTERRUPTED if interrupted else 0


def watch_tuning(job: TuningJob, workers: Workers) -> bool:
    """Tune with a live view, and test weights with a progress bar, both on standard error if that is a terminal. Returns
    True if the user interrupted it."""
    from contextlib import ExitStack

    from workbench.cli.progress import LiveView, counting_bar
    from workbench.tuning.view import tuning_view

    tuning = job.tuning
    live = LiveView(lambda: tuning_view(tuning.outcome(), tuning.doing), DRAWINGS_A_SECOND)
    with ExitStack() as stack:
        stack.enter_context(live)
        bar: list[Callable[..., None]] = []

        def update() -> None:
            if job.testing is None:
                live.update()
                return
            if not bar:
                live.clear()
                bar.append(stack.enter_context(counting_bar("Testing", job.testing[1])))
            bar[0](completed=job.testing[0])

        compile = live.during("compiling, once", lambda _: tuning.compile())
        return job.run(workers, update, lambda: compile(""))


@click.command()
@click.argument("game", required=False)
@click.argument("name", required=False)
@click.argument("weights", required=False)
@click.option("--delete", is_flag=True, help="Delete the weights of this name.")
@json_option
def weights(game: str | None, name: str | None, weights: str | None, delete: bool, json: bool) -> None:
    """List named weights, or keep some: plybench weights connect4 mine 1,20,300. --set weights=mine then uses them in every
    command."""
    from engines import catalog
    from engines.contract import InputError
    from workbench.cli.console import emit
    from workbench.tuning import named_weights as presets
    from workbench.tuning.view import named_weights_table

    if game is not None:
        catalog.game(game)
    if delete:
        if name is None or weights is not None or game is None:
            raise InputError("--delete takes a game and a name, and nothing else.")
        presets.forget(game, name)
    elif name is not None and weights is not None:
        presets.keep(game or "", name, weights)
    found = [one for one in presets.listing(game) if delete or name in (None, one.name)]
    if name is not None and not found and not delete:
        raise InputError(f"No weights of {game} are kept under {name}.")
    emit(found, lambda: named_weights_table(found), json)
