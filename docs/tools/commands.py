"""Writes docs/commands.md from the commands themselves: `python docs/tools/commands.py`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import click

from workbench.cli.main import cli

PAGE = Path(__file__).parents[1] / "commands.md"
HEAD = """# Commands

This page is made from the command line itself by `docs/tools/commands.py`; a test fails if it is out of date.
[The guide](guide.md) shows the commands at work, and says how positions are written.

Bad input gives one sentence and exit code 2, an interrupted command prints what it has and exits with 130. With `--json`
exactly one JSON document goes to standard output.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """The whole page, as Markdown."""
    context = click.Context(cli, info_name="plybench")
    commands = list(all_commands(cli, context))
    contents = "\n".join(f"- [`{one.command_path}`](#{anchor(one)}): {summary(one.command)}" for one in commands)
    return "\n".join([HEAD, contents, "", *(section(one) for one in commands)]).rstrip() + "\n"


def all_commands(group: click.Group, context: click.Context) -> Iterator[click.Context]:
    """Every command in alphabetical order, those of a group behind it."""
    for name in sorted(group.commands):
        command = group.commands[name]
        inner = click.Context(command, info_name=name, parent=context)
        yield inner
        if isinstance(command, click.Group):
            yield from all_commands(command, inner)


def section(context: click.Context) -> str:
    """A command: how it is called, what it does, and its options."""
    command = context.command
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    text = inspect.cleandoc(command.help or "")
    parts = [f"## {context.command_path}\n", f"    {usage}\n", text + "\n"]
    named = (one for one in command.params if isinstance(one, click.Option))
    options = [record for one in named if (record := one.get_help_record(context)) is not None]
    if options:
        rows = [f"| `{as_cell(name)}` | {as_cell(what)} |" for name, what in options]
        parts.append("\n".join(["| option | |", "|---|---|", *rows]) + "\n")
    if command.epilog:
        parts.append(" ".join(inspect.cleandoc(command.epilog).split()) + "\n")
    return "\n".join(parts)


def summary(command: click.Command) -> str:
    """The first sentence of a command's help."""
    first = " ".join(inspect.cleandoc(command.help or "").split("\n\n")[0].split())
    return first.split(". ")[0].rstrip(".") + "."


def anchor(context: click.Context) -> str:
    """The address of a command's heading on the page."""
    return context.command_path.replace(" ", "-")


def as_cell(text: str) -> str:
    """A text that a table of Markdown takes for one cell."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    main()
