"""The search that a picture was drawn of: its command, which stands inside the picture's file, and how it is read again.

    plybench draw '((3 12) (2 4))' --game tree --algorithm alphabeta --depth 2

Nothing of a file is ever run: only the options that are listed here are read from its command, and checked as if they had
been typed. Where the command stands in a file of each kind:

    SVG, HTML   in <metadata>, or in <meta name="plybench" content="...">
    TikZ, DOT   in the comment on the first line
    PNG         in a text chunk, PNG_WORD
    GIF         in a comment in front of the first image
"""

from __future__ import annotations

import re
import shlex
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from html import escape, unescape
from pathlib import Path

from msgspec import Struct, field

from engines import catalog
from engines.contract import DEPTH_BY_DEPTH, MAX_DEPTH, InputError, Limit, Parameter, Report, Setting, shown
from engines.position import Position
from engines.tape.report_checks import read_parameters
from workbench.watch.kinds import can_be_watched

COMMAND = "plybench draw"
PNG_WORD = "plybench"
SUFFIXES = (".svg", ".tex", ".dot", ".png", ".gif", ".html")
"""The endings of the names of pictures."""
LONGEST = 200_000
"""A command that is longer is none of Plybench's."""
HEAD = 400_000
"""So much of a file is read: the command stands at its beginning."""
PNG, GIF = b"\x89PNG\r\n\x1a\n", (b"GIF89a", b"GIF87a")
MOST = {"depth": MAX_DEPTH, "nodes": DEPTH_BY_DEPTH, "iterations": 10**7, "seed": 2**62, "step": 10**9}
"""The largest numbers that are read from a file."""
TEXTS = ("game", "size", "algorithm", "node")


class Drawn(Struct, frozen=True, kw_only=True):
    """A search that was drawn, and which of its moments."""

    position: str
    game: str
    size: str = ""
    algorithm: str = ""
    """Empty of a picture of the position alone."""
    settings: dict[str, str] = field(default_factory=dict)
    """Those of the game and of the algorithm, as they are typed."""
    depth: int | None = None
    nodes: int | None = None
    iterations: int | None = None
    seed: int = 0
    node: str = ""
    """The moves that lead to the uppermost node; empty for the root."""
    step: int | None = None
    """The number of events after which it was drawn; None for the end."""
    is_plot: bool = False
    """It is a plot of the values by depth, not of the tree."""

    @property
    def limit(self) -> Limit:
        """The limit of the search."""
        return Limit(depth=self.depth, nodes=self.nodes, iterations=self.iterations)

    def command(self) -> str:
        """The command that draws it, without the name of a file."""
        words = [*COMMAND.split(), self.position, "--game", self.game]
        words += ["--size", self.size] if self.size else []
        words += ["--algorithm", self.algorithm] if self.algorithm else ["--board"]
        for name in ("depth", "nodes", "iterations"):
            if (number := getattr(self, name)) is not None:
                words += [f"--{name}", str(number)]
        words += ["--seed", str(self.seed)] if self.seed else []
        for name, value in self.settings.items():
            words += ["--set", f"{name}={value}"]
        words += ["--node", self.node] if self.node else []
        words += ["--step", str(self.step)] if self.step is not None else []
        words += ["--plot"] if self.is_plot else []
        return " ".join(shlex.quote(" ".join(word.split("\n"))) for word in words)

    def for_game(self) -> dict[str, str]:
        """The settings of the game. Raises InputError if it has none of this name."""
        return catalog.split_settings(self.settings, self.game, self.algorithm or None)[0]

    def read_position(self) -> Position:
        """The position. Raises InputError if there is none."""
        return catalog.position(self.position, self.game, self.size or None, self.for_game())

    def parameters(self) -> dict[str, Setting]:
        """The parameters of the algorithm. Raises InputError if something is wrong with them."""
        _, for_algorithm = catalog.split_settings(self.settings, self.game, self.algorithm)
        return catalog.read_settings(catalog.algorithm(self.algorithm).parameters, for_algorithm, self.game)


def drawn_of(report: Report, node: str = "", step: int | None = None) -> Drawn:
    """What is written into a picture of a search."""
    algorithm = catalog.algorithm(report.algorithm)
    settings = other_than_usual(catalog.game(report.game).parameters, report.options, report.game)
    settings |= other_than_usual(algorithm.parameters, read_parameters(report), report.game)
    limit = report.limit
    is_repeatable = limit.depth is not None or limit.nodes is not None or limit.iterations is not None
    return Drawn(
        position=report.position,
        game=report.game,
        size=report.size or "",
        algorithm=report.algorithm,
        settings=catalog.as_typed(settings),
        depth=limit.depth if is_repeatable or algorithm.iterates else report.depth,
        nodes=limit.nodes,
        iterations=limit.iterations if is_repeatable or not algorithm.iterates else report.iterations,
        seed=report.seed,
        node=node,
        step=step,
    )


def drawn_position(position: Position) -> Drawn:
    """What is written into a picture of a position alone."""
    game = position.game
    options = catalog.as_typed(other_than_usual(game.parameters, game.options, game.id))
    return Drawn(position=position.text, game=game.id, size=game.size or "", settings=options)


def other_than_usual(parameters: Sequence[Parameter], given: Mapping[str, Setting], game: str) -> dict[str, Setting]:
    """The settings that are not the default ones."""
    usual = catalog.read_settings(parameters, {}, game)
    return {name: value for name, value in given.items() if usual.get(name) != value}


# Reading.


def drawn_in(path: Path) -> Drawn | None:
    """What is drawn in a file; None if it is no picture. Raises InputError of a picture that Plybench did not draw, or that
    is damaged."""
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
    except OSError as error:
        raise InputError(f"{shown(str(path), 80)} cannot be read: {error.strerror}.") from None
    if not (head.startswith((PNG, *GIF)) or path.suffix.lower() in SUFFIXES):
        return None
    found = next(_commands(head, path), None)
    if found is None:
        raise InputError(f"{shown(path.name, 80)} holds no search: it was not drawn by Plybench, or is damaged.")
    return read_command(found, path.name)


def pasted_drawing(text: str) -> Drawn | None:
    """What is drawn in the text of a picture, or by a command, that was pasted; None if it is neither."""
    lead = text.lstrip()
    if lead.startswith(COMMAND):
        return read_command(lead, "This command")
    if not lead.startswith(("<svg", "<?xml", "<!doctype html", "<!DOCTYPE html", f"% {COMMAND}", f"// {COMMAND}")):
        return None
    found = next(_in_text(lead[:HEAD]), None)
    return read_command(found, "This picture") if found is not None else None


def _commands(head: bytes, path: Path) -> Iterator[str]:
    try:
        if head.startswith(PNG):
            yield from _in_png(head)
        elif head.startswith(GIF):
            yield from _in_gif(head)
        else:
            yield from _in_text(head.decode(errors="replace"))
    except (struct.error, IndexError, zlib.error):
        raise InputError(f"{shown(path.name, 80)} is damaged, so what it shows cannot be read.") from None


def _in_text(text: str) -> Iterator[str]:
    for form in (r"<metadata[^>]*>\s*(plybench draw .*?)\s*</metadata>", r'<meta name="plybench" content="([^"]*)"'):
        for found in re.finditer(form, text, re.DOTALL):
            yield unescape(found[1])
    if comment := re.match(r"\s*(?:%|//) (plybench draw [^\n]*)", text):
        yield comment[1]


def _in_png(head: bytes) -> Iterator[str]:
    at = len(PNG)
    while at + 12 <= len(head):
        (length,) = struct.unpack(">I", head[at : at + 4])
        kind, data = head[at + 4 : at + 8], head[at + 8 : at + 8 + length]
        word, _, said = data.partition(b"\0")
        if kind in (b"tEXt", b"iTXt") and word == PNG_WORD.encode():
            (check,) = struct.unpack(">I", head[at + 8 + length : at + 12 + length])
            if check != zlib.crc32(kind + data):
                raise zlib.error
            yield said.decode("latin-1") if kind == b"tEXt" else said[4:].decode(errors="replace")
        at += 12 + length


def _in_gif(head: bytes) -> Iterator[str]:
    at = gif_header(head)
    while head[at] == 0x21:
        is_comment, at, said = head[at + 1] == 0xFE, at + 2, b""
        while size := head[at]:
            said += head[at + 1 : at + 1 + size]
            at += 1 + size
        at += 1
        if is_comment and said.startswith(COMMAND.encode()):
            yield said.decode(errors="replace")


def gif_header(head: bytes) -> int:
    """How many bytes the beginning of a GIF takes, its table of colours included."""
    return 13 + (3 * 2 ** ((head[10] & 7) + 1) if head[10] & 0x80 else 0)


def read_command(text: str, where: str) -> Drawn:
    """What a command draws: of its options only those that are known, and only with values that can be. `where` it stands,
    for the sentence of an error."""
    try:
        words = shlex.split(text[: LONGEST + 1])
    except ValueError:
        raise InputError(f"{where}: the command that drew it is damaged.") from None
    if len(text) > LONGEST or words[:2] != COMMAND.split() or len(words) < 3:
        raise InputError(f"{where}: the command that drew it is damaged.")
    found: dict[str, str | int | bool] = {"position": words[2]}
    settings: dict[str, str] = {}
    is_board, rest = False, iter(words[3:])
    for word in rest:
        name = word.removeprefix("--")
        if word in ("--board", "--plot"):
            is_board |= word == "--board"
            found["is_plot"] = word == "--plot"
            continue
        value = next(rest, None)
        if value is None or not word.startswith("--"):
            raise InputError(f"{where}: the command that drew it is damaged at {shown(word)}.")
        if name == "set":
            key, _, said = value.partition("=")
            settings[key] = said
        elif name in MOST:
            if not re.fullmatch("[0-9]{1,19}", value) or int(value) > MOST[name]:
                raise InputError(f"{where}: {word} cannot be {shown(value)}.")
            found[name] = int(value)
        elif name in TEXTS:
            found[name] = value
        elif word not in ("-o", "--output", "--theme"):
            raise InputError(f"{where}: the command that drew it has an option that is unknown, {shown(word)}.")
    return _checked(found, settings, is_board, where)


def _checked(found: dict[str, str | int | bool], settings: dict[str, str], is_board: bool, where: str) -> Drawn:
    if "game" not in found or is_board == ("algorithm" in found):
        raise InputError(f"{where}: the command that drew it does not say of which game it is, or what is searched.")
    drawn = Drawn(settings=settings, **found)  # type: ignore[arg-type]
    try:
        drawn.read_position()
        if drawn.algorithm:
            algorithm = catalog.algorithm(drawn.algorithm)
            if not algorithm.compiled:
                raise InputError(f"{drawn.algorithm} runs another program, which is never done for a file.")
            if not can_be_watched(algorithm):
                raise InputError(f"{drawn.algorithm} keeps no tree, so there is nothing to draw.")
            drawn.parameters()
            catalog.check_limit(catalog.algorithm(drawn.algorithm), drawn.limit)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return drawn


# Writing.


def in_png(picture: bytes, command: str) -> bytes:
    """A PNG with the command inside, behind its header."""
    kind, lead = (b"tEXt", b"\0") if command.isascii() else (b"iTXt", b"\0\0\0\0\0")
    data = PNG_WORD.encode() + lead + command.encode()
    chunk = struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    end = len(PNG) + 25
    return picture[:end] + chunk + picture[end:]


def in_gif(picture: bytes, command: str) -> bytes:
    """A GIF with the command inside, in front of its first image."""
    at, said = gif_header(picture), command.encode()
    blocks = b"".join(bytes([len(said[i : i + 255])]) + said[i : i + 255] for i in range(0, len(said), 255))
    return picture[:at] + b"\x21\xfe" + blocks + b"\0" + picture[at:]


def meta_tag(command: str) -> str:
    """The command as an element of the head of an HTML page."""
    return f'<meta name="plybench" content="{escape(command)}">'
