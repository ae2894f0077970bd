"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def options(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several click decorators as one, applied so that options appear in this order."""

    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def want_letters(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    """Show pieces as letters for the rest of this command."""
    if wanted:
        os.environ["PLYBENCH_PIECES"] = "ascii"


ascii_option = click.option(
    "--ascii", is_flag=True, expose_value=False, callback=want_letters, help="Show men as letters, not as pictures."
)
json_option = click.option("--json", "json", is_flag=True, help="Print one JSON document and nothing else.")
theme_option = click.option(
    "--theme",
    metavar="NAME",
    help="The colours of the app, such as dark, light or colour-blind-safe; without it, those chosen last.",
)
position_options = options(
    click.argument("position"),
    click.option(
        "--game", "game", metavar="GAME", help="The game that the position belongs to (plybench games lists them)."
    ),
    click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes."),
    click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game or the algorithm."),
    ascii_option,
)
POSITION_HELP = """POSITION is a notation, `startpos`, the id of a position in the library, - for standard input, or a file:
games.pgn#3/24 is its third game after 24 plies, suite.epd#7 its seventh position."""
limit_options = options(
    click.option("--depth", type=int, help="Search this many plies deep."),
    click.option("--nodes", type=int, help="Search at most this many nodes."),
    click.option("--seconds", type=float, help="Search for at most this many seconds."),
)
