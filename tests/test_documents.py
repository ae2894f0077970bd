"""The documents, comments and docstrings name only what exists: files, modules, links, pictures, commands and options."""

from __future__ import annotations

import ast
import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import click
import pytest

from docs.tools import commands, counts, keys, rooms
from engines import catalog
from workbench.app.actions import ACTIONS
from workbench.cli.main import cli

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = {"engines/games/takeaway.py", "engines/search/greedy.py", "positions/data/takeaway.toml"}
"""Files that the guide tells the reader to create."""
PRODUCT = ("engines", "positions", "workbench", "benchmarks")
HOUSES = "engines|workbench|positions|tests|docs|benchmarks|requirements"
PATH = re.compile(rf"(?<![\w./-])(?:{HOUSES})/[\w./-]*[\w/]")
MODULE = re.compile(rf"(?<![\w./-])(?:{HOUSES})(?:\.[A-Za-z_]\w*)+")
CODE_FILE = re.compile(r"`([\w/-]+\.(?:py|md))`")
"""A file in backquotes, as comments and docstrings name it."""
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FILE_ENDINGS = ("py", "md", "toml", "png", "svg", "txt", "epd")
ONE_SCREEN = 45
"""The lines of a terminal of ordinary size."""


def text_of(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def name_of(document: Path) -> str:
    return str(document.relative_to(ROOT))


every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)


@every_document
def test_every_path_exists(document: Path) -> None:
    named = {match.group().rstrip("/") for match in PATH.finditer(text_of(document))} - EXAMPLES
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


@every_document
def test_every_module_exists(document: Path) -> None:
    text = text_of(document)
    named = {match.group() for match in MODULE.finditer(text)}
    assert [name for name in sorted(named) if name.rsplit(".")[-1] not in FILE_ENDINGS and not is_there(name)] == []


def is_there(name: str) -> bool:
    """Whether a dotted name is a module, or something defined in one."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:count])
        module = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        if module.exists():
            return all(re.search(rf"\b{part}\b", text_of(module)) for part in parts[count:])
    return False


def comments_and_docstrings(text: str) -> Iterator[str]:
    """Yield the comments of a module, and the texts that stand alone: docstrings, also those of constants and fields."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


@pytest.mark.parametrize("package", PRODUCT)
def test_every_path_in_comments_and_docstrings_exists(package: str) -> None:
    """A file is named by its path from the root of the project; one in the same folder also by its name alone."""
    missing: list[str] = []
    for module in sorted((ROOT / package).rglob("*.py")):
        for words in comments_and_docstrings(text_of(module)):
            named = {match.group().rstrip("/") for match in PATH.finditer(words)} | set(CODE_FILE.findall(words))
            for path in sorted(named):
                if not (ROOT / path if "/" in path else module.with_name(path)).exists():
                    missing.append(f"{name_of(module)}: {path}")
            dotted = {match.group() for match in MODULE.finditer(words)}
            missing += [f"{name_of(module)}: {name}" for name in sorted(dotted) if not is_there(name)]
    assert missing == []


@every_document
def test_every_link_and_picture_resolves(document: Path) -> None:
    text = re.sub(r"```.*?```", "", text_of(document), flags=re.DOTALL)
    for target in LINK.findall(text):
        assert "//" not in target, f"{target} is somewhere else, and cannot be held to be there"
        file, _, place = target.partition("#")
        found = document.parent / file if file else document
        assert found.exists(), target
        if place:
            assert place in anchors(text_of(found)), target


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def typed_commands(text: str) -> Iterator[str]:
    """Yield the commands that the reader may type: lines of listings, and text in backquotes that begins with `plybench`."""
    joined = re.sub(r"\\\n\s*", " ", text)
    yield from re.findall(r"^(?: {4}|\$ | {4}\$ )(plybench .*)$", joined, re.MULTILINE)
    yield from (" ".join(found.split()) for found in re.findall(r"`(plybench [^`]*)`", joined))


@every_document
def test_every_command_and_option_exists(document: Path) -> None:
    for line in typed_commands(text_of(document)):
        words = shlex.split(re.split(r" {3,}| #", line)[0], posix=True)[1:]
        command: click.Command = cli
        while words and isinstance(command, click.Group) and re.fullmatch("[a-z][a-z-]*,?", words[0]):
            name = words[0].rstrip(",")
            if command is not cli and name not in command.commands:
                break  # the id of a horizon example, which can stand in place of a command
            assert name in command.commands, line
            if words.pop(0).endswith(","):  # "session list, show or verify"
                assert all(word.rstrip(",") in command.commands for word in words if word not in ("or", "and", "...")), line
                words = []
                break
            command = command.commands[name]
        group_default = command.commands.get("show") if isinstance(command, click.Group) else None
        known = {option for one in (command, group_default) if one for parameter in one.params for option in parameter.opts}
        given = [
            word.split("=")[0] for word in takewhile(lambda word: word != "--", words) if re.match("--[a-z]|-[a-z]$", word)
        ]
        assert [option for option in given if option not in known | {"--help", "--version"}] == [], line


def test_the_reference_of_commands_is_up_to_date() -> None:
    assert text_of(commands.PAGE) == commands.page(), "`make docs` regenerates it"


def test_the_tables_of_keys_are_up_to_date() -> None:
    tables = keys.tables()
    assert keys.BEGIN + tables + keys.END in text_of(keys.PAGE), "`make docs` regenerates it"
    assert all(action.sentence in tables for action in ACTIONS)


def test_the_drawing_of_the_rooms_is_up_to_date() -> None:
    again = "`make docs` regenerates it"
    assert text_of(rooms.DRAWING) == rooms.drawing(), again
    assert rooms.BEGIN + rooms.words() + rooms.END in text_of(rooms.PAGE), again


def test_where_things_are_fits_one_screen_and_names_every_room() -> None:
    text = text_of(ROOT / "CONTRIBUTING.md")
    listing = text.split("## Where things are\n")[1].split("\n## ")[0]
    assert listing.count("\n") <= ONE_SCREEN
    for house in ("engines", "workbench"):
        found = {path.parent.name for path in (ROOT / house).glob("*/__init__.py")}
        assert [room for room in sorted(found) if not re.search(rf"\b{room}/", listing)] == []


def test_what_is_listed_there_is_where_the_listing_says() -> None:
    text = text_of(ROOT / "CONTRIBUTING.md")
    listing = text.split("## Where things are\n")[1].split("\n\n[")[0]
    house = ROOT
    for line in listing.splitlines():
        named = re.findall(r"(?<![\w`])([\w]+/|[\w]+\.py)(?!\w)", line)
        if re.match(" {4}\\S", line):
            house = ROOT / named.pop(0)
            places = [house]
        else:
            places = [house, *(house / name for name in named if name.endswith("/"))]
        assert [name for name in named if not any((place / name).exists() for place in places)] == [], line


def test_every_page_is_linked_and_every_picture_can_be_made_again() -> None:
    index = text_of(ROOT / "docs/index.md")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert [page for page in sorted(pages) if f"({page})" not in index] == []
    shown = "".join(map(text_of, DOCUMENTS))
    assert [path.name for path in (ROOT / "docs/pictures").iterdir() if f"pictures/{path.name})" not in shown] == []
    scripts = "".join(text_of(path) for path in (ROOT / "docs/tools").glob("*.py"))
    for picture in (ROOT / "docs/pictures").glob("*.png"):
        words = picture.stem.removeprefix("app-").split("-")
        assert words[0] in scripts or re.fullmatch(r"\d+x\d+", words[0]), picture.name


TUTORIAL_COMMANDS = (
    'analyze "((3 12 8) (2 4 6) (14 5 2))" --game tree --algorithm minimax',
    'analyze "((3 12 8) (2 4 6) (14 5 2))" --game tree --algorithm alphabeta',
    "analyze breakthrough/course-6x4 --depth 5",
)


@pytest.mark.parametrize("command", TUTORIAL_COMMANDS)
def test_the_tutorial_shows_what_is_printed(command: str) -> None:
    tutorial = text_of(ROOT / "docs/tutorial.md")
    shown = tutorial.split(f"    plybench {command}\n")[1].split("```text\n")[1].split("```")[0]
    done = subprocess.run(
        [sys.executable, "-m", "workbench.cli", *shlex.split(command)],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "84"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert timeless(done.stdout) == timeless(shown)


def timeless(text: str) -> list[str]:
    """The words of each line, without lines that contain times, because their width also moves the text around them."""
    return [
        " ".join(line.split())
        for line in text.strip().split("\n")
        if not re.search(r"\b(starting|searching|nodes/s)\b", line)
    ]


def test_the_example_of_the_python_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = text_of(ROOT / "docs/python-api.md")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (prints,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    exec(compile(example, "docs/python-api.md", "exec"), {})
    assert capsys.readouterr().out == prints


def test_the_guide_names_every_game_and_every_algorithm() -> None:
    guide = text_of(ROOT / "docs/guide.md")
    assert [name for name in (*catalog.GAMES, *catalog.ALGORITHMS) if f"`{name}`" not in guide] == []
    readme = text_of(ROOT / "README.md")
    assert len(counts.COUNTS.findall(readme)) == 1
    assert f": {counts.WORDS.get(len(catalog.GAMES), len(catalog.GAMES))} games, " in readme, "`make docs` counts them"
    assert f" games, {len(catalog.ALGORITHMS)} algorithms" in readme, "`make docs` counts them"


def test_the_packages_say_that_they_are_typed() -> None:
    for package in ("engines", "positions", "workbench"):
        found = importlib.util.find_spec(package)
        assert found is not None
        assert found.origin is not None
        assert Path(found.origin).with_name("py.typed").exists()
        assert f'{package} = ["' in text_of(ROOT / "pyproject.toml")
