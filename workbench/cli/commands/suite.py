"""`plybench suite`: an algorithm on all positions of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.options import json_option, limit_options

if TYPE_CHECKING:
    from rich.console import Console

    from workbench.jobs.journal import Journal
    from workbench.suites.job import Head, Suite


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", metavar="GAME", help="The game that the positions belong to, if the file does not say.")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--algorithm", help="The algorithm that searches (plybench algorithms lists them).")
@limit_options
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game or the algorithm.")
@click.option("--limit", "most", type=click.IntRange(1), help="Take only the first N positions.")
@click.option("--early", type=click.IntRange(1), help="Stop a search once this many depths in a row gave the right answer.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Search this many positions at once.")
@click.option("--verbose", is_flag=True, help="Print a line for every position, not only for failures.")
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file to keep progress in, so that the suite can continue after a stop.",
)
@click.option(
    "-o",
    "--output",
    "files",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    help="Write the results to a .csv file.",
)
@json_option
def suite(
    file: Path,
    game: str | None,
    size: str | None,
    algorithm: str | None,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    settings: tuple[str, ...],
    most: int | None,
    early: int | None,
    jobs: int,
    verbose: bool,
    journal: Path | None,
    files: tuple[Path, ...],
    json: bool,
) -> int:
    """Search all positions of a file that has the right answers.

    That is an EPD file with best moves (bm), moves to avoid (am), moves to mate (dm) or points (c0 "e4=10, d4=5"); Connect 4
    positions with scores; or positions of any game with counts (;D1 20 ;D2 400), for which games are counted and nothing is
    searched.

    Without a limit, one second for a position of chess; Connect 4 is searched to the end. The same command goes on where it
    was killed or interrupted. Output files end in .csv."""
    from engines.contract import Limit
    from engines.storage.files import check_writable
    from workbench.cli.console import INTERRUPTED, emit, output, read_assignments, tell, write_file
    from workbench.jobs.journal import taken_up
    from workbench.suites.job import Suite
    from workbench.suites.view import check_format, summary, to_csv

    for path in files:
        check_format(path)
        check_writable(path)
    limit = Limit(depth=depth, nodes=nodes, seconds=seconds)
    wanted = Suite(file, game, algorithm, limit, read_assignments(settings), size, most, early)
    for sentence in wanted.skipped:
        tell(sentence)
    with taken_up(wanted, "suites", journal, lambda: wanted.is_complete, ".jsonl") as kept:
        interrupted = watch_suite(wanted, jobs, None if json else output(), verbose, kept)
        found = wanted.outcome()
        for path in files:
            write_file(path, to_csv(found))
    emit(found, lambda: summary(found), json)
    return INTERRUPTED if interrupted else 0


def watch_suite(suite: Suite, jobs: int, screen: Console | None, verbose: bool, journal: Journal[Head]) -> bool:
    """Run a suite with a progress bar on standard error, and print each failure, or with `verbose` each result, to the
    screen. Returns True if the user interrupted it."""
    from workbench.cli.console import errors
    from workbench.cli.progress import counting_bar
    from workbench.suites.view import result_line

    running, terminal = suite.run(jobs, journal), errors()
    if screen is not None and screen.is_terminal and terminal.is_terminal:
        screen = terminal  # both are the same window, so lines have to be printed above the bar
    with counting_bar(suite.name, len(suite.cases), len(suite.results), terminal) as move:
        try:
            for case, row in running:
                solved = sum(row.solved for row in suite.results.values())
                move(advance=1, description=f"{suite.name}: {solved} solved")
                if screen is not None and (verbose or not row.solved):
                    screen.print(result_line(case, row), soft_wrap=True)
        except KeyboardInterrupt:
            running.close()
            return True
    return False
