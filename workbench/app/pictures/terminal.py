"""Whether the terminal can show pictures, and how large its cells are.

Kitty and Ghostty are known by the name that they have in TERM. Other terminals are asked whether they know Sixel, once the
first frame is drawn; so nobody waits for the answer, which may come late or never. Textual would take it for keys that were
pressed, so `hear` takes it out of what Textual reads.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Literal, NamedTuple

from textual import _xterm_parser
from textual._xterm_parser import XTermParser
from textual.events import Key
from textual.keys import Keys

from workbench.settings import Pictures

GraphicsProtocol = Literal["kitty", "sixel"]
KITTY_TERMS = ("xterm-kitty", "xterm-ghostty")
"""Terminals with Kitty's protocol, by their name; those that have it only in part know Sixel as well."""
WITHOUT_PICTURES = ("", "dumb", "linux")
ASK = "\x1b[c"
"""Asks for the terminal's attributes (DA1), which every terminal tells."""
ATTRIBUTES = re.compile(r"\x1b\[\?([0-9;]*)c")
"""The answer."""
LONG_ANSWER = "\x1b[?64;1;2;3;4;6;9;15;16;17;18;21;22;28;29;42;52;314c"
"""An answer as long as any; Textual gives up sequences of more than 32 letters, and takes them for keys."""
SIXEL = "4"
"""The attribute of terminals that know Sixel."""
PACKAGES: Mapping[GraphicsProtocol, tuple[str, ...]] = {
    "kitty": ("resvg_py",),
    "sixel": ("resvg_py", "PIL", "textual_image"),
}
"""What has to be installed for each protocol: the extra plybench[images]."""


class CellSize(NamedTuple):
    """The size of a cell in pixels."""

    width: int
    height: int


def cell_size() -> CellSize | None:
    """How large a cell of the terminal is now; None if it does not say."""
    if sys.platform == "win32" or sys.__stdout__ is None:
        return None
    import fcntl
    import termios

    try:
        told = fcntl.ioctl(sys.__stdout__.fileno(), termios.TIOCGWINSZ, b"\0" * 8)
    except (OSError, ValueError):  # no terminal, or it is closed
        return None
    rows, columns, width, height = (int.from_bytes(told[at : at + 2], sys.byteorder) for at in (0, 2, 4, 6))
    if not (rows and columns and width >= columns and height >= rows):
        return None
    return CellSize(width // columns, height // rows)


def named_protocol(environment: Mapping[str, str] = os.environ) -> GraphicsProtocol | None:
    """The protocol that is known by the terminal's name."""
    return "kitty" if environment.get("TERM") in KITTY_TERMS else None


def may_show_pictures(wanted: Pictures, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether it makes sense to look for a protocol. The driver of `plybench serve` has none; inside tmux or screen,
    pictures would stay where the text of another window is."""
    if wanted == "off" or environment.get("TEXTUAL_DRIVER") or environment.get("TERM", "") in WITHOUT_PICTURES:
        return False
    return wanted == "on" or not (environment.get("TMUX") or environment.get("STY"))


def missing_packages(protocol: GraphicsProtocol) -> list[str]:
    """What is not installed of what a protocol needs. Nothing is imported yet."""
    return [name for name in PACKAGES[protocol] if find_spec(name) is None]


def protocol_in(answer: str) -> GraphicsProtocol | None:
    """The protocol that a terminal knows by its answer to `ASK`."""
    found = ATTRIBUTES.fullmatch(answer)
    return "sixel" if found is not None and SIXEL in found[1].split(";")[1:] else None


def hear(told: Callable[[str], object]) -> bool:
    """Have a function called with the terminal's answer, in the thread that reads what is typed. Must be called before the
    app runs. False if Textual has changed so much that the answer would be taken for keys: then the terminal must not be
    asked."""
    plain = getattr(XTermParser, "_sequence_to_key_events", None)
    if plain is None:
        return False
    heard: list[str] = []
    listener: Callable[[str], object] = heard.append

    def without_answer(self: XTermParser, sequence: str, *more: object, **others: object) -> object:
        if ATTRIBUTES.fullmatch(sequence) is None:
            return plain(self, sequence, *more, **others)
        listener(sequence)
        return [Key(Keys.Ignore, sequence)]

    # Textual offers no other way.
    XTermParser._sequence_to_key_events = without_answer  # type: ignore[method-assign, assignment]
    _xterm_parser._MAX_SEQUENCE_SEARCH_THRESHOLD = 2 * len(LONG_ANSWER)
    keys = list(XTermParser().feed(LONG_ANSWER))
    listener = told
    return heard == [LONG_ANSWER] and not keys
