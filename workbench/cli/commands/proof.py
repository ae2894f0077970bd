"""`plybench proof`, which checks proof files by the rules alone, and `plybench mistakes`, which proves who was winning at
each ply of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engines.contract import Report
from workbench.cli.options import POSITION_HELP, json_option, position_options
from workbench.render.values import counted

if TYPE_CHECKING:
    from engines.run.background import Background
    from engines.run.search import Search

NOT_PROVEN = 1
"""The exit code if a proof does not hold."""
WHATEVER_IT_TAKES = 1 << 60
"""The number of expansions for finding the shortest proof, if that is wanted: in effect unlimited."""


def write_proof(search: Search, report: Report, path: Path, most: int | None, shortest: bool) -> bool:
    """Write the proof of what a search has found. Returns True if the user interrupted it. If only the search for a shorter
    proof was interrupted, the proof found so far is written."""
    from engines.parts.proof.maker import EFFORT, MOST_POSITIONS, Interrupted
    from workbench.cli.console import errors
    from workbench.cli.progress import wait_for
    from workbench.proofs.job import ProofWork

    effort = WHATEVER_IT_TAKES if shortest else EFFORT
    work = ProofWork(search.position, report, search.run.memory.kept, most or MOST_POSITIONS, effort)
    interrupted = wait_for(work.start(), "writing the proof", errors())
    try:
        work.proof().save(path)
    except Interrupted:
        return True
    return interrupted


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--depth", type=click.IntRange(0, 100), default=2, show_default=True, help="How many plies of the proof to show."
)
@click.option("--unchecked", is_flag=True, help="Show the proof without checking it.")
@json_option
def proof(file: Path, depth: int, unchecked: bool, json: bool) -> int:
    """Summarise a proof, verify it by the rules alone, and show how it begins."""
    from engines.proofs.checker import check
    from engines.proofs.document import Proof
    from workbench.cli.console import emit, errors
    from workbench.proofs import view as show_proof

    found = Proof.load(file)
    verdict = None
    if not unchecked:
        with errors().status("Checking ...") as status:
            verdict = check(found, lambda count: status.update(f"Checking ... {counted(count, 'position')}"))
    emit(lambda: show_proof.document(found, verdict), lambda: show_proof.summary(found, verdict, depth), json)
    return 0 if verdict is None or verdict.holds else NOT_PROVEN


@click.command(epilog=POSITION_HELP)
@position_options
@click.option("--nodes", type=click.IntRange(1), help="Search at most this many nodes for each position.")
@click.option(
    "--table",
    type=click.IntRange(1, 65_536),
    default=256,
    show_default=True,
    help="The size of the table for the proofs, in megabytes.",
)
@json_option
def mistakes(
    position: str,
    game: str | None,
    size: str | None,
    settings: tuple[str, ...],
    nodes: int | None,
    table: int,
    json: bool,
) -> int:
    """Show who was winning at each ply of the game that led to a position, and which moves gave it away."""
    from workbench.cli.console import INTERRUPTED, emit, errors, read_position
    from workbench.cli.progress import wait_for
    from workbench.proofs import view as show_proof
    from workbench.proofs.mistakes import NODES, judged

    where, _ = read_position(position, game, size, settings)
    interrupted = False

    def watch(work: Background, ply: int) -> bool:
        nonlocal interrupted
        interrupted = interrupted or wait_for(work.start(), f"ply {ply} of {len(where.played)}", errors())
        return interrupted

    found = judged(where, nodes or NODES, table, watch)
    emit(found, lambda: show_proof.mistakes(found, where), json)
    return INTERRUPTED if interrupted else 0
