"""The command line: everything Plybench does without a screen.

With `--json` exactly one JSON document goes to standard output. Progress and complaints go to standard error. Bad input is
one sentence and exit code 2; an interrupted command prints what it has and exits with 130.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from io import TextIOWrapper
from typing import NoReturn

import click

from engines import named_weights
from engines.contract import InputError, shown
from workbench.cli.commands import (
    analyze,
    app,
    catalog,
    compare,
    draw,
    horizon,
    match,
    play,
    proof,
    retrograde,
    session,
    suite,
    tune,
)
from workbench.cli.console import INTERRUPTED, fail, output, sentence_of
from workbench.cli.options import theme_option


class CommandGroup(click.Group):
    """The group of all commands. It refuses arguments that no program can be given: with a NUL, or half a character."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for argument in args:
            if "\0" in argument:  # a caller from Python can pass one, but no file name can contain it
                raise InputError(f"There is a NUL character in {shown(argument)}, which no argument can have.")
            try:
                os.fsencode(argument)
            except UnicodeEncodeError:
                raise InputError(f"There is half a character in {shown(argument)}, which no argument can have.") from None
        return super().parse_args(ctx, args)


@click.group(cls=CommandGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="plybench", message="plybench %(version)s")
@theme_option
@click.pass_context
def cli(context: click.Context, theme: str | None) -> None:
    """A microscope for game-tree search: run any search algorithm on a position and see what it did."""
    named_weights.add_source(kept_weights)
    if context.invoked_subcommand is not None:
        if theme is not None:
            raise InputError("--theme stands alone, or behind open or serve: no other command opens the app.")
        return
    theme = app.known_theme(theme)
    if app.has_screen():
        app.open_app(theme=theme)
    else:
        from workbench.cli.welcome import welcome

        output().print(welcome())


COMMANDS: tuple[click.Command, ...] = (
    analyze.analyze,
    analyze.evaluate,
    analyze.perft,
    analyze.ablate,
    analyze.tape,
    app.open_position,
    app.serve,
    app.settings,
    app.uci,
    app.warm,
    catalog.algorithms,
    catalog.games,
    catalog.positions,
    compare.compare,
    compare.compare_suite,
    compare.diff,
    compare.profile,
    draw.draw,
    match.experiment,
    horizon.group,
    match.match,
    play.levels,
    play.play,
    play.review,
    proof.mistakes,
    proof.proof,
    retrograde.group,
    session.group,
    suite.suite,
    tune.tune,
    tune.weights,
)
for command in COMMANDS:
    cli.add_command(command)


def kept_weights(game: str) -> Mapping[str, str]:
    """The weights of a game that the user has kept, by name."""
    from workbench.tuning.named_weights import kept_weights

    return kept_weights(game)


def main() -> NoReturn:
    """Run the command that the user typed, and exit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows only ASCII shows question marks
    try:
        code = cli.main(prog_name="plybench", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        fail(str(error))
    except click.ClickException as error:
        fail(sentence_of(error))
    except (KeyboardInterrupt, click.Abort):
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the reader of the output has closed it: `plybench positions | head -3`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        fail(f"Something could not be read or written: {error.strerror or error}")
    sys.exit(code if isinstance(code, int) else 0)
