"""The command that compares two recorded searches node by node."""

from __future__ import annotations

from pathlib import Path

import click

from workbench.cli.console import emit
from workbench.cli.options import ascii_option, json_option


@click.command()
@click.argument("first", type=click.Path(path_type=Path), metavar="A.tape")
@click.argument("second", type=click.Path(path_type=Path), metavar="B.tape")
@click.option(
    "--parts",
    type=click.IntRange(1, 1000),
    default=100,
    show_default=True,
    help="Name at most so many subtrees: with fewer, larger ones are named.",
)
@ascii_option
@json_option
def diff(first: Path, second: Path, parts: int, json: bool) -> None:
    """Compare two recorded searches of one position: where they part, why, and where the extra nodes went.

    The tapes are written by plybench analyze POSITION --tape FILE."""
    from engines.tape.recording import Recording
    from workbench.difference import view
    from workbench.difference.job import difference_of

    recording = Recording.load(first)
    found = difference_of(recording, Recording.load(second), (str(first), str(second)), parts)
    emit(found, lambda: view.difference(found, recording.position.game), json)
