"""What all commands share: exit codes, the two streams, `--json`, complaints, and reading the position that was asked for.

Rich is imported only when something is printed, so that a command which answers in JSON starts quickly.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn

import click

from engines.contract import InputError, as_json, shown

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from engines.position import Position
    from positions.library import Entry

BAD_INPUT, INTERRUPTED = 2, 130
"""Exit codes: something given was wrong; the user interrupted the command."""
LONGEST_INPUT = 2_000_000


# Output.


def console(**options: Any) -> Console:
    """A terminal that shows texts as they are: what a person or a file calls something is no markup."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, **options)


def output() -> Console:
    """Standard output, with colours and tables where it is a terminal."""
    return console(soft_wrap=False)


def errors() -> Console:
    """Standard error."""
    return console(stderr=True)


def emit(document: object, view: Callable[[], RenderableType], json: bool) -> None:
    """Print a result: with `--json` its document, else what `view` makes of it for a person. Whichever is not wanted is not
    made: a document that takes work may be a function without arguments."""
    if json:
        click.echo(as_json(document() if callable(document) else document))
    else:
        output().print(view())


def echo_list(rows: Iterable[Any]) -> None:
    """Print a JSON list row by row: it may be too long to be kept in memory."""
    before = "["
    for row in rows:
        click.echo(f"{before}\n{as_json(row).rstrip()}", nl=False)
        before = ","
    click.echo("[]" if before == "[" else "\n]")


def fields(struct: Any) -> dict[str, Any]:
    """A contract type as a mapping."""
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def tell(sentence: str) -> None:
    """Say on standard error what could not be read, if anything."""
    if sentence:
        errors().print(sentence, markup=False)


def fail(message: str) -> NoReturn:
    """Say in one sentence what is wrong, and end."""
    text = " ".join(message.split())
    click.echo(f"plybench: {text if text.endswith(('.', '?', '!')) else text + '.'}", err=True)
    sys.exit(BAD_INPUT)


def run(work: Any, what: str) -> bool:
    """Run work in the background with a live line on standard error; True if the user interrupted it."""
    from workbench.cli.progress import wait_for

    return wait_for(work.start(), what, errors())


# Input.


def read_position(
    text: str, game: str | None, size: str | None, settings: tuple[str, ...], algorithm: str | None = None
) -> tuple[Position, dict[str, str]]:
    """The position that the user asked for, and those of the settings that are the algorithm's. Which game it is of is found
    out by default."""
    from engines import catalog
    from workbench.input import recognise

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
    elif text == "-":
        text = standard_input()
    if catalog.may_have_pgn(game) and (pasted := recognise.pasted_game(text)) is not None:
        game, text = "chess", pasted
    if game is None:
        game, size = recognise.game_of(text.strip(), size)
    for_game, for_algorithm = catalog.split_settings(given, game, algorithm)
    return catalog.position(text.strip(), game, size, for_game), for_algorithm


def standard_input() -> str:
    """What is piped in."""
    if sys.stdin is None:
        raise InputError("The position is to be read from standard input, but that is closed.")
    return sys.stdin.buffer.read(LONGEST_INPUT + 1)[: LONGEST_INPUT + 1].decode(errors="replace")


def library_position(text: str, game: str | None) -> Entry | None:
    """The library's position with this id, or None if the text is a notation."""
    from engines import catalog
    from positions import library

    entry = library.entries().get(text)
    if entry is None:
        if game is None and "/" in text and text.partition("/")[0] in catalog.GAMES:
            library.get(text)  # says which id is close
        return None
    if game not in (None, entry.game):
        raise InputError(f"{entry.id} is a position of {entry.game}, not of {game}.")
    return entry


def read_assignments(settings: tuple[str, ...]) -> dict[str, str]:
    """What was given with `--set NAME=VALUE`."""
    given: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise InputError(f"A setting is written NAME=VALUE, not {shown(setting)}.")
        given[name.strip()] = value.strip()
    return given
