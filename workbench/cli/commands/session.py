"""`plybench session`: list, show, verify, export and import saved sessions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engines.contract import InputError, shown
from workbench.cli.console import emit, tell
from workbench.cli.options import ascii_option, json_option

if TYPE_CHECKING:
    from rich.console import RenderableType

session_argument = click.argument("session", metavar="FILE|NAME")
FORMATS = ("plybench", "md", "html", "pgn", "epd", "csv")
DIFFERENT = 1
"""The exit code if a repeated search had another result."""


@click.group(name="session")
def group() -> None:
    """Sessions: saved positions with variations, searches and notes."""


@group.command(name="list")
@json_option
def listing(json: bool) -> None:
    """List the sessions, the one that was changed last first."""
    from workbench.sessions import store as sessions

    rows = sessions.listing()

    def view() -> RenderableType:
        from workbench.export import view as show_session

        return show_session.listing(rows, str(sessions.directory()))

    emit([{"name": row.name, "file": str(row.path), **_counts(row)} for row in rows], view, json)


def _counts(row: object) -> dict[str, object]:
    return {name: getattr(row, name) for name in ("games", "changed", "studies", "searches", "error")}


@group.command()
@session_argument
@ascii_option
@json_option
def show(session: str, json: bool) -> None:
    """Show a session: boards, moves, notes and searches."""
    from workbench.sessions import store as sessions

    path = sessions.find(session)
    found = sessions.read(path)

    def view() -> RenderableType:
        from workbench.export import view as show_session

        return show_session.session(found, path)

    emit(found.saved, view, json)


@group.command()
@session_argument
@json_option
def verify(session: str, json: bool) -> int:
    """Rerun every search that must come out the same, and say what differs.

    Searches with a limit in seconds, interrupted ones and those of other programs are skipped. The exit code is 1 if
    anything but times differs.
    """
    from engines.run.search import Search
    from workbench.cli.console import INTERRUPTED
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
    """Write a session for others: as one file that any Plybench opens (plybench), as a report (md, html), chess for other
    programs (pgn, epd), or a table (csv)."""
    from engines.storage.files import check_writable
    from workbench.export.session import export as exported
    from workbench.export.session import write
    from workbench.sessions import store as sessions

    if to == "plybench":
        from workbench.portable import handover

        path = sessions.find(session)
        tell(handover.pack(path, file or handover.target_for(sessions.read(path).name, Path.cwd())).sentence)
        return
    if file is not None:
        check_writable(file)
    found = sessions.read(sessions.find(session))
    if file is None:
        click.echo(exported(found, to), nl=False)
        return
    write(found, to, file)


@group.command(name="import")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def take_in(file: Path, json: bool) -> None:
    """Add an exported session to your own. Nothing of yours is changed: if you have one of its name, it gets another."""
    from msgspec.structs import asdict

    from workbench.portable import handover

    if not file.is_file():
        raise InputError(f"There is no file {shown(str(file), 80)}.")
    imported = handover.take_in(file)

    def view() -> RenderableType:
        from rich.text import Text

        return Text(imported.sentence)

    emit({**asdict(imported), "file": str(imported.file)}, view, json)
