"""`plybench tune`, the genetic algorithm for weights; `plybench weights`, those that have a name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.commands.match import worker_options
from workbench.cli.options import json_option
from workbench.tuning.types import BITS, DEPTH, DRAWS, GENERATIONS, MUTATION, PAIRING, POPULATION

if TYPE_CHECKING:
    from workbench.jobs.journal import Journal
    from workbench.jobs.workers import Workers
    from workbench.tuning.genetic import AcceptanceTest, Tuning
    from workbench.tuning.types import TuneHead

DRAWINGS_A_SECOND = 4


@click.command()
@click.argument("game")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game.")
@click.option("--population", type=int, default=POPULATION, show_default=True, help="So many genomes.")
@click.option("--generations", type=int, default=GENERATIONS, show_default=True, help="So many times.")
@click.option("--depth", type=int, default=DEPTH, show_default=True, help="Both sides look so many plies ahead.")
@click.option("--bits", type=int, default=BITS, show_default=True, help="Of each weight.")
@click.option("--pairing", type=float, default=PAIRING, show_default=True, help="How likely a couple has children.")
@click.option("--mutation", type=float, default=MUTATION, show_default=True, help="How likely a bit turns over.")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides all chance.")
@click.option("--candidate", metavar="WEIGHTS", help="Do not tune: only test these weights, or those of this name.")
@click.option("--reference", metavar="WEIGHTS", help="What the test compares with; else the game's own weights.")
@click.option(
    "--draws", type=click.IntRange(0, 100_000), default=DRAWS, show_default=True, help="Random genomes to test by."
)
@click.option("--save", metavar="NAME", help="Keep the best weights under a name, for --set weights=NAME.")
@worker_options
@click.option("--journal", type=click.Path(dir_okay=False, path_type=Path), help="Where what is done is noted, and kept.")
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

    The same command goes on where it was killed or interrupted, and comes to the same end.
    """
    from engines.contract import InputError, as_json
    from workbench.cli.console import INTERRUPTED, output, read_position
    from workbench.jobs.journal import Journal, fingerprint
    from workbench.jobs.workers import opened, workers
    from workbench.sessions.store import data_directory
    from workbench.tuning import named_weights as presets
    from workbench.tuning.genetic import AcceptanceTest, Tuning, read_named_weights
    from workbench.tuning.types import TuneTerms
    from workbench.tuning.view import acceptance_table, tuning_view, weights_text

    start, _ = read_position("startpos", game, size, settings)
    if save is not None:
        presets.check_name(game, save)
    if candidate is not None and save is not None:
        raise InputError("--candidate only tests weights; plybench weights keeps them under a name.")
    terms = TuneTerms(
        population=population,
        generations=generations,
        bits=bits,
        pairing=pairing,
        mutation=mutation,
        depth=depth,
        seed=seed,
    )
    wanted = Tuning(start, terms)
    against = read_named_weights(reference, start) if reference else wanted.usual
    with opened(workers(jobs, cluster)) as found_workers:
        if candidate is not None:
            test = AcceptanceTest(wanted.duels, read_named_weights(candidate, start), wanted.coding, against, draws, seed)
            if watch_test(test, found_workers):
                return INTERRUPTED
            verdict = test.verdict()
            click.echo(as_json(verdict)) if json else output().print(acceptance_table(verdict))
            return 0
        place = journal or data_directory() / "tuning" / f"{fingerprint(wanted.head)}.journal"
        acceptance, kept_as = None, None
        with Journal(place, wanted.head) as kept:
            wanted.resume(kept)
            interrupted = watch_tuning(wanted, kept, found_workers)
            best = wanted.best
            if wanted.is_complete and best is not None and draws and not interrupted:
                test = AcceptanceTest(wanted.duels, best, wanted.coding, against, draws, seed)
                interrupted = watch_test(test, found_workers, kept)
                acceptance = None if interrupted else test.verdict()
            if save is not None and best is not None and wanted.is_complete:
                presets.keep(game, save, weights_text(best))
                kept_as = save
            if journal is None and wanted.is_complete and not interrupted:
                kept.remove()
    found = wanted.outcome(acceptance, kept_as)
    if json:
        click.echo(as_json(found))
    else:
        output().print(tuning_view(found, most=None))
    return INTERRUPTED if interrupted else 0


def watch_tuning(tuning: Tuning, journal: Journal[TuneHead], workers: Workers) -> bool:
    """Tune with a live view on standard error, where that is a terminal; True if a person interrupted it."""
    from contextlib import nullcontext
    from time import monotonic

    from rich.live import Live

    from workbench.cli.console import errors
    from workbench.tuning.view import tuning_view

    terminal = errors()
    live = Live(console=terminal, transient=True, auto_refresh=False) if terminal.is_terminal else nullcontext()
    try:
        if not tuning.is_complete and not tuning.is_compiled:
            with terminal.status("compiling, once"):
                tuning.compile()
        with live:
            last = 0.0
            for _ in tuning.run(journal, workers):
                if isinstance(live, Live) and monotonic() - last > 1 / DRAWINGS_A_SECOND:
                    live.update(tuning_view(tuning.outcome(), tuning.doing), refresh=True)
                    last = monotonic()
    except KeyboardInterrupt:
        return True
    return False


def watch_test(test: AcceptanceTest, workers: Workers, journal: Journal[TuneHead] | None = None) -> bool:
    """Play the games of a test with a progress bar; True if a person interrupted it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from workbench.cli.console import errors

    bars = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*bars, console=errors(), transient=True, disable=not errors().is_terminal) as progress:
        task = progress.add_task("Testing", total=len(test.duels.missing(test.meetings)))
        try:
            for done in test.run(workers) if journal is None else test.run(workers, journal.add):
                progress.update(task, completed=done)
        except KeyboardInterrupt:
            return True
    return False


@click.command()
@click.argument("game", required=False)
@click.argument("name", required=False)
@click.argument("weights", required=False)
@click.option("--delete", is_flag=True, help="Keep them no longer.")
@json_option
def weights(game: str | None, name: str | None, weights: str | None, delete: bool, json: bool) -> None:
    """List weights that have a name, or keep some: plybench weights connect4 mine 1,20,300. --set weights=mine then means
    them in every command."""
    from engines import catalog
    from engines.contract import InputError, as_json
    from workbench.cli.console import output
    from workbench.tuning import named_weights as presets

    if game is not None:
        catalog.game(game)
    if delete:
        if name is None or weights is not None or game is None:
            raise InputError("--delete goes with a game and a name, and nothing else.")
        presets.forget(game, name)
    elif name is not None and weights is not None:
        presets.keep(game or "", name, weights)
    found = [one for one in presets.listing(game) if delete or name in (None, one.name)]
    if name is not None and not found and not delete:
        raise InputError(f"No weights of {game} are kept under {name}.")
    if json:
        click.echo(as_json(found))
        return
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("game", "name", "weights"):
        table.add_column(column)
    for one in found:
        table.add_row(one.game, one.name, one.weights)
    output().print(table)
