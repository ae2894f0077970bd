"""`plybench retrograde`: tables of whole games solved backwards from their ends: build, list, show, check, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engines.contract import InputError, shown
from workbench.cli.options import json_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engines.solved.registry import Build

POLL_SECONDS = 0.1
"""Seconds between two looks at the tables that are built."""


@click.group(name="retrograde")
def group() -> None:
    """Whole games solved backwards, kept as tables that answer every position at once.

    Searches use them with --set tables=true, `--algorithm retrograde` looks a position up, and `--truth` asks them first."""


@group.command()
@click.argument("game")
@click.argument("what", required=False)
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="An option of the game, such as misere=true.")
@click.option("--threads", type=int, help="How many threads build; one for each core if not given.")
@click.option("--again", is_flag=True, help="Build the table anew even if there is one.")
@json_option
def build(game: str, what: str | None, settings: tuple[str, ...], threads: int | None, again: bool, json: bool) -> int:
    """Solve a whole game: a board (connect4 5x5, breakthrough 5x4, tictactoe 3x3x3) or a chess ending with three or four
    men (chess KBNK, or KBNK alone; chess all: every one). Tables that it needs are built first."""
    from engines.solved import store
    from engines.solved.registry import Build, close_tables
    from workbench.cli.console import INTERRUPTED, emit, read_assignments
    from workbench.proofs.solved_tables import stored_table, tables_for
    from workbench.render import solved_tables as show_tables

    chosen, names = tables_for(game, what, read_assignments(settings))
    if again:
        close_tables()
        store.path_of(names[-1]).unlink(missing_ok=True)
    work = Build(chosen, names, threads)
    interrupted = watched(work)
    built = [facts.name for facts in work.done]
    kept = [stored_table(store.path_of(name)) for name in (built or ([] if work.stopped else names[-1:]))]
    seconds, complete = round(work.seconds, 3), not work.stopped
    document = {"built": built, "complete": complete, "seconds": seconds, "tables": kept}
    emit(document, lambda: show_tables.built(kept, bool(built), complete, str(store.directory())), json)
    return INTERRUPTED if interrupted else 0


@group.command(name="list")
@json_option
def list_tables(json: bool) -> None:
    """List the tables built so far."""
    from engines.solved import store
    from workbench.cli.console import emit
    from workbench.proofs.solved_tables import stored_table
    from workbench.render import solved_tables as show_tables

    tables = [stored_table(path) for path in store.listing()]
    directory = str(store.directory())
    emit({"directory": directory, "tables": tables}, lambda: show_tables.listing(tables, directory), json)


@group.command()
@click.argument("name")
@json_option
def show(name: str, json: bool) -> None:
    """Show one table: how many positions it has, by stones where moves add stones, and who wins."""
    from workbench.cli.console import emit
    from workbench.proofs.solved_tables import stored_table, table_path
    from workbench.render import solved_tables as show_tables

    table = stored_table(table_path(name))
    emit(table, lambda: show_tables.table(table), json)


@group.command()
@click.argument("names", nargs=-1)
@json_option
def check(names: tuple[str, ...], json: bool) -> int:
    """Read tables and verify their check sums; without a name, all of them. Exit code 1 if one is damaged."""
    from engines.solved import store
    from workbench.cli.console import emit
    from workbench.proofs.solved_tables import table_path
    from workbench.render import solved_tables as show_tables

    rows = []
    for path in [table_path(name) for name in names] or store.listing():
        problem = None
        try:
            store.load(path)
        except InputError as error:
            problem = str(error)
        rows.append({"name": path.name.removesuffix(store.SUFFIX), "good": problem is None, "error": problem})
    emit(rows, lambda: show_tables.checked(rows), json)
    return 0 if all(row["good"] for row in rows) else 1


@group.command()
@click.argument("name")
def delete(name: str) -> None:
    """Delete a table."""
    from engines.solved.registry import close_tables
    from workbench.cli.console import output
    from workbench.proofs.solved_tables import table_path

    path = table_path(name)
    close_tables()
    try:
        path.unlink()
    except OSError as error:
        raise InputError(f"{shown(str(path), 200)} cannot be deleted: {error.strerror}.") from None
    output().print(f"Deleted {path.name}.")


def watched(work: Build) -> bool:
    """Build a table with a progress bar on standard error. Returns True if the user interrupted it."""
    from workbench.cli.progress import move_along, share_bar

    def states() -> Iterator[dict[str, object]]:
        while not work.join(POLL_SECONDS):
            share = work.share_done
            yield {
                "description": work.workers.stage or "Starting",
                "total": None if share is None else 1.0,
                "completed": share or 0.0,
                "nodes": f"{work.workers.nodes:,} looked at",
            }

    work.start()
    interrupted = move_along(share_bar("Starting", None, nodes=""), states())
    if interrupted:
        work.stop()
        work.join()
    work.finish()
    return interrupted
