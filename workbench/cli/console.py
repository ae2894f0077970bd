"""What all commands share: exit codes, both output streams, `--json`, error messages, and reading the position argument.

Rich is imported only when something is printed, so that a command with JSON output starts quickly.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.exceptions import NoSuchCommand

from engines.contract import InputError, as_json, instead, shown

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from engines.position import Position
    from positions.library import Entry

BAD_INPUT, INTERRUPTED = 2, 130
"""Exit codes: the input was wrong; the user interrupted the command."""
LONGEST_INPUT = 2_000_000


# Output.


def console(**options: Any) -> Console:
    """A rich console that prints texts as they are: names from users and files are not markup."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, **options)


def output() -> Console:
    """The console for standard output, with colours and tables if it is a terminal."""
    return console(soft_wrap=False)


def errors() -> Console:
    """The console for standard error."""
    return console(stderr=True)


def emit(document: object, view: Callable[[], RenderableType], json: bool) -> None:
    """Print a result: with `--json` the document, otherwise what `view` returns. Only one of them is computed: a document
    that takes work may be passed as a function without arguments."""
    if json:
        click.echo(as_json(document() if callable(document) else document))
    else:
        output().print(view())


def echo_list(rows: Iterable[Any]) -> None:
    """Print a JSON list row by row, because it may be too long for memory."""
    before = "["
    for row in rows:
        click.echo(f"{before}\n{as_json(row).rstrip()}", nl=False)
        before = ","
    click.echo("[]" if before == "[" else "\n]")


def fields(struct: Any) -> dict[str, Any]:
    """The fields of a msgspec struct as a mapping."""
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def write_file(path: Path, text: str) -> None:
    """Write a document to a file, whole or not at all."""
    from engines.storage.files import write_safely

    with write_safely(path) as stream:
        stream.write(text.encode(errors="replace"))


def tell(sentence: str) -> None:
    """Print a sentence to standard error, unless it is empty."""
    if sentence:
        errors().print(sentence, markup=False)


def fail(message: str) -> NoReturn:
    """Print a sentence on what is wrong to standard error, and exit with `BAD_INPUT`."""
    text = " ".join(message.split())
    click.echo(f"plybench: {text if text.endswith(('.', '?', '!')) else text + '.'}", err=True)
    sys.exit(BAD_INPUT)


def sentence_of(error: click.ClickException) -> str:
    """What click found wrong with the command line, in a sentence; of a name that is unknown also the nearest ones."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return error.format_message()
    listing = f"{context.command_path} --help"
    if isinstance(error, click.NoSuchOption):
        options = [name for one in context.command.get_params(context) for name in one.opts if name.startswith("-")]
        return f"There is no option {error.option_name}.{instead(error.option_name, options, listing)}"
    if isinstance(error, NoSuchCommand) and isinstance(context.command, click.Group):
        names = context.command.list_commands(context)
        return f"There is no command {shown(error.command_name)}.{instead(error.command_name, names, listing)}"
    return error.format_message()


def run(work: Any, what: str) -> bool:
    """Run background work with a live line on standard error. Returns True if the user interrupted it."""
    from workbench.cli.progress import wait_for

    return wait_for(work.start(), what, errors())


# Input.


def read_position(
    text: str, game: str | None, size: str | None, settings: tuple[str, ...], algorithm: str | None = None
) -> tuple[Position, dict[str, str]]:
    """The position that the user asked for, and the settings that belong to the algorithm. Without a game's name, the game
    is recognised from the text."""
    from engines import catalog
    from workbench.input import pictured, recognise

    if game is not None:
        catalog.game(game)
    given = read_assignments(settings)
    entry = library_position(text, game)
    if entry is not None:
        game, size, text = entry.game, size or entry.size, entry.notation
        given = catalog.as_typed(entry.settings) | given
    elif (found := recognise.named(text, game)) is not None:
        for remark in found.remarks:
            tell(remark)
        options = catalog.as_typed(found.options)
        game, text, size, given = found.game, found.text, size or found.size or None, options | given
    else:
        text = standard_input() if text == "-" else text
        if (drawn := pictured.pasted_drawing(text)) is not None:
            game, text, size, given = drawn.game, drawn.position, size or drawn.size or None, drawn.for_game() | given
    if catalog.may_have_pgn(game) and (pasted := recognise.pasted_game(text)) is not None:
        game, text = catalog.pgn_game(), pasted
    if game is None:
        if is_directory(text):
            raise InputError(f"{shown(text)} is a directory, not a position or a file of some.")
        game, size = recognise.game_of(text.strip(), size)
    for_game, for_algorithm = catalog.split_settings(given, game, algorithm)
    return catalog.position(text.strip(), game, size, for_game), for_algorithm


def is_directory(text: str) -> bool:
    """Whether a text that should be a position names a directory."""
    with contextlib.suppress(OSError, ValueError):  # no name of a file is as long, or has such characters
        return "/" in text and Path(text).is_dir()
    return False


def standard_input() -> str:
    """The text that is piped into standard input."""
    if sys.stdin is None:
        raise InputError("The position is to be read from standard input, but that is closed.")
    return sys.stdin.buffer.read(LONGEST_INPUT + 1)[: LONGEST_INPUT + 1].decode(errors="replace")


def library_position(text: str, game: str | None) -> Entry | None:
    """The library's position with this id; None if the text is a notation."""
    from engines import catalog
    from positions import library

    entry = library.entries().get(text)
    if entry is None:
        if game is None and "/" in text and text.partition("/")[0] in catalog.GAMES:
            library.get(text)  # raises an error that suggests the closest id
        return None
    if game not in (None, entry.game):
        raise InputError(f"{entry.id} is a position of {entry.game}, not of {game}.")
    return entry


def read_assignments(settings: tuple[str, ...]) -> dict[str, str]:
    """The assignments given with `--set NAME=VALUE`."""
    given: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise InputError(f"A setting is written NAME=VALUE, not {shown(setting)}.")
        given[name.strip()] = value.strip()
    return given
