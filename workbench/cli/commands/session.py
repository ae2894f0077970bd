"""`plybench session`: list, show, verify and export what was saved."""

from __future__ import annotations

from pathlib import Path

import click

from engines.contract import as_json

json_option = click.option("--json", "json", is_flag=True, help="Print one JSON document and nothing else.")
session_argument = click.argument("session", metavar="FILE|NAME")
FORMATS = ("md", "html", "pgn", "epd", "csv")
DIFFERENT = 1
"""The exit code if a search came out differently."""


@click.group(name="session")
def group() -> None:
    """Sessions: saved positions with variations, searches and notes."""


@group.command(name="list")
@json_option
def listing(json: bool) -> None:
    """List the sessions, the one that was changed last first."""
    from workbench.sessions import store as sessions

    rows = sessions.listing()
    if json:
        click.echo(as_json([{"name": row.name, "file": str(row.path), **_counts(row)} for row in rows]))
        return
    from workbench.cli.console import output
    from workbench.export import view as show_session

    output().print(show_session.listing(rows, str(sessions.directory())))


def _counts(row: object) -> dict[str, object]:
    return {name: getattr(row, name) for name in ("games", "changed", "studies", "searches", "error")}


@group.command()
@session_argument
@click.option("--ascii", "letters", is_flag=True, help="Show men as letters, not as pictures.")
@json_option
def show(session: str, letters: bool, json: bool) -> None:
    """Show a session: boards, moves, notes and searches."""
    from workbench.sessions import store as sessions

    path = sessions.find(session)
    found = sessions.read(path)
    if json:
        click.echo(as_json(found.saved()))
        return
    import os

    from workbench.cli.console import output
    from workbench.export import view as show_session

    if letters:
        os.environ["PLYBENCH_PIECES"] = "ascii"
    output().print(show_session.session(found, path))


@group.command()
@session_argument
@json_option
def verify(session: str, json: bool) -> int:
    """Run every search again that has to come out the same, and say what differs.

    Searches with a limit in seconds, interrupted ones and those of other programs are skipped. The exit code is 1 if
    anything differs, times aside.
    """
    from engines.run.search import Search
    from workbench.cli.console import INTERRUPTED, emit
    from workbench.cli.progress import counting_bar, run_interruptible
    from workbench.export import view as show_session
    from workbench.sessions import store as sessions
    from workbench.sessions import verify as verifying

    path = sessions.find(session)
    found = sessions.read(path)
    with counting_bar("Searching again", verifying.count(found)) as move:

        def run(search: Search, what: str) -> bool:
            move(description=f"Searching again: {what}")
            interrupted = run_interruptible(search)
            move(advance=not interrupted)
            return interrupted

        result = verifying.verify(found, str(path), run)
    emit(result, lambda: show_session.verification(result), json)
    if not result.complete:
        return INTERRUPTED
    return 0 if result.holds else DIFFERENT


@group.command()
@session_argument
@click.option("--to", "to", type=click.Choice(FORMATS), required=True, help="The format; pgn and epd are for chess.")
@click.option("-o", "--output", "file", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
def export(session: str, to: str, file: Path | None) -> None:
    """Write a session for others: a report (md, html), chess for other programs (pgn, epd), or a table (csv)."""
    from engines.storage.files import check_writable, write_safely
    from workbench.export.session import export as exported
    from workbench.sessions import store as sessions

    if file is not None:
        check_writable(file)
    text = exported(sessions.read(sessions.find(session)), to)
    if file is None:
        click.echo(text, nl=False)
        return
    with write_safely(file) as stream:
        stream.write(text.encode(errors="replace"))
