"""`plybench open`, `serve`, `uci`, `warm` and `settings`: commands that start the app or the chess engine, or prepare
them."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from engines.contract import InputError
from workbench.cli.console import (
    emit,
    errors,
    library_position,
    read_position,
)
from workbench.cli.options import POSITION_HELP, json_option, position_options, theme_option

if TYPE_CHECKING:
    from rich.console import RenderableType

    from workbench.input.recognise import Recognised
    from workbench.settings import Pictures


@click.command(name="open", epilog=POSITION_HELP)
@position_options
@theme_option
def open_position(position: str, game: str | None, size: str | None, settings: tuple[str, ...], theme: str | None) -> None:
    """Open the app with a position, a game with its variations, a session, a tape or a proof."""
    from workbench.input import recognise

    theme = known_theme(theme)
    entry = library_position(position, game)
    whole = recognise.whole_file(position, game) if entry is None else None
    if whole is None:
        where, _ = read_position(position, game, size, settings)
        whole = recognise.Recognised(where, entry.title if entry else "")
    if not has_screen():
        raise InputError("The app needs a terminal: standard input and output must not be redirected.")
    if whole.portable is not None:
        from workbench.portable import handover
        from workbench.sessions import store as sessions

        imported = handover.take_in(whole.portable)
        found = sessions.read(imported.file)
        study, said = found.study, (imported.sentence,)
        whole = recognise.Recognised(study.position(), study.title, session=found, file=imported.file, remarks=said)
    open_app(whole, theme)


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port; 0 takes one that is free."
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on; 0.0.0.0 lets other machines in as well.",
)
@click.option("--browser/--no-browser", default=True, help="Open the page at once, if somebody is at this terminal.")
@theme_option
def serve(port: int, host: str, browser: bool, theme: str | None) -> None:
    """Show the app in a browser (needs the extra: pip install plybench[serve]). Each page is a separate app.

    The address has a random token: whoever knows it can use Plybench, and your files, as you can; others are refused."""
    from workbench.app.serve import AppServer, is_local, listen, open_browser

    server = AppServer(listen(host, port), host, known_theme(theme))
    if not is_local(host):
        click.echo("Anyone on the network who sees the address can use Plybench on this machine, and its files.", err=True)

    def ready() -> None:
        click.echo(f"Plybench is at {server.address} ; Ctrl-C ends it.", err=True)
        if browser and sys.stderr.isatty():
            open_browser(server.address)

    server.run(ready)


@click.command()
@click.option("--algorithm", help="The algorithm to begin with; a GUI may choose another one.")
def uci(algorithm: str | None) -> None:
    """Run as a chess engine, for programs that speak UCI."""
    from workbench.uci.engine import serve

    serve(algorithm)


@click.command()
@click.option("--processes", type=click.IntRange(1, 64), help="Compile in this many processes at once.")
def warm(processes: int | None) -> None:
    """Compile everything ahead of time, so that no search has to wait for it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from engines.warm import CompileError, missing
    from engines.warm import warm as compile_missing

    waiting = missing()
    if not waiting:
        click.echo("Everything is compiled already.", err=True)
        return
    bars = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*bars, console=errors(), transient=True, disable=not errors().is_terminal) as progress:
        task = progress.add_task("Compiling", total=len(waiting))
        seconds = 0.0
        try:
            for compiled in compile_missing(processes):
                seconds += compiled.seconds
                progress.update(task, advance=1, description=f"Compiled {compiled.part.name}")
        except CompileError as error:
            raise click.ClickException(str(error)) from None
    click.echo(f"Compiled {len(waiting)} kernels ({seconds:.0f} s of work).", err=True)


@click.command()
@click.argument("name", required=False)
@click.argument("value", required=False)
@click.option("--default", "default", is_flag=True, help="Forget what was set, and look in the usual places again.")
@json_option
def settings(name: str | None, value: str | None, default: bool, json: bool) -> None:
    """Show where opening books and endgame tables are, or set one: plybench settings book FILE. An empty value
    switches one off."""
    from workbench import settings as own

    if default and (name is None or value is not None):
        raise InputError("--default takes the name of one setting and nothing else.")
    if default or value is not None:
        own.write_setting(name or "", None if default else value)
    found = own.report(name)

    def view() -> RenderableType:
        from workbench.render import references as render

        return render.settings(found)

    emit(found, view, json)


def has_screen() -> bool:
    """Whether the user sits at a terminal, or at a browser in which `plybench serve` shows one."""
    if os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver"):
        return True
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def known_theme(given: str | None) -> str | None:
    """The whole name of the theme that a command was given, if any; an InputError if there is no such theme."""
    if given is None:
        return None
    from workbench.app.themes import theme_named

    return theme_named(given)


def theme_to_use(given: str | None) -> tuple[str, tuple[str, ...]]:
    """The theme that the command names, or the one chosen last, and what is wrong with the latter, if anything."""
    from workbench import settings as own
    from workbench.app.themes import DARK, theme_named

    if given is not None:
        return theme_named(given), ()
    try:
        return theme_named(own.read_theme() or DARK.name), ()
    except InputError as error:
        return DARK.name, (str(error),)


def pictures_to_use() -> tuple[Pictures, tuple[str, ...]]:
    """Whether men are shown as real pictures, and what is wrong with that setting, if anything."""
    from workbench import settings as own

    try:
        return own.read_pictures(), ()
    except InputError as error:
        return "auto", (str(error),)


def open_app(found: Recognised | None = None, theme: str | None = None) -> None:
    """Run the app until the user quits, with what was recognised in the command's argument, if anything."""
    theme, complaints = theme_to_use(theme)
    pictures, others = pictures_to_use()
    complaints += tuple(other for other in others if other not in complaints)
    from workbench.app.app import PlybenchApp
    from workbench.app.shutdown import Ending

    if found is None:
        app = PlybenchApp(goes_on=True, starts=True, theme=theme, remarks=complaints, pictures=pictures)
    else:
        app = PlybenchApp(
            found.position,
            found.title,
            session=found.as_session(),
            path=found.file,
            proof=found.proof,
            remarks=(*complaints, *found.remarks),
            theme=theme,
            pictures=pictures,
            drawn=found.drawn,
        )
    with Ending(app) as ending:
        app.run()
    if app.fault:
        click.echo(f"plybench: {app.fault} {app.last_word or 'The session is saved.'}", err=True)
    elif app.last_word:
        raise InputError(app.last_word)
    if ending.code or app.return_code:
        sys.exit(ending.code or app.return_code)
