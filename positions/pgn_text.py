"""PGN as text: the words it is made of, and where one game ends and the next begins. No move is played here.

A file is read line by line, and a game at a time is in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engines.contract import InputError

Source = str | Iterable[str]
"""The text of a PGN, or its lines."""
LONGEST_GAME = 20_000_000
"""Characters: a game with its comments and variations is not longer."""
PIECE = 100_000
"""Games without tags are cut from each other where a result ends a line, once so many characters have come together."""

TOKEN = re.compile(
    r"""
    \s* (?:
    (?P<comment> \{[^}]*\} )
    | (?P<rest> ;[^\n]* | ^%[^\n]* )
    | (?P<unclosed> \{[^}]* )
    | (?: ^ | (?<=\]) | (?<=\][ ]) ) \[ [ \t]* (?P<name>[A-Za-z0-9][A-Za-z0-9_+#=:-]*) [ \t]*
      "(?P<value>(?:[^"\\\n]|\\.)*)" [ \t]* \]
    | ^\[ [ \t]* (?P<loose_name>[A-Za-z0-9][A-Za-z0-9_+#=:-]*) [ \t]* "(?P<loose_value>[^\n]*)" [ \t]* \] (?=[ \t]*$)
    | (?P<badtag> ^\[ [^\n]* )
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<nag> \$[0-9]+ | [!?]+ )
    | (?P<mark> e\.p\. | [.…]+ | (?<=\s) (?:\+/?-|-/?\+|\+/?=|=/?\+|[=±∓⩲⩱∞□]) (?![^\s)]) )
    | (?P<result> (?:1-0 | 0-1 | 1/2(?:-1/2)? | \*) (?![^\s(){};]) )
    | (?P<number> (?!0000) [0-9]+ (?: [.…]+ | (?!\S) ) )
    | (?P<word> [^\s(){};!?$*]+ | [}$*] )
    )
    """,
    re.MULTILINE | re.VERBOSE,
)
"""What a PGN is made of. A loose value is one with quotation marks in it that should have been escaped; a comment that is
not closed goes on to the end."""

_TAG = re.compile(r'\[[ \t]*[A-Za-z0-9][A-Za-z0-9_+#=:-]*[ \t]*"')
_EVENT = re.compile(r'\[[ \t]*Event[ \t]*"')
_ENDS = re.compile(r"(?:^|\s)(?:1-0|0-1|1/2-1/2|\*)\s*$")
_EMPTY_LINE = re.compile(r"\n[ \t]*\n")
_NOT_MOVES = re.compile(r"\s*(?:$|%|;)")


@dataclass
class Chunk:
    """A game as it stands in a text."""

    number: int
    tags: list[tuple[str, str]] = field(default_factory=list)
    """As they stand between the quotation marks, which may be escaped inside."""
    bad_tags: list[tuple[int, str]] = field(default_factory=list)
    """What looks like a tag and is none, and the places in the text where it stands."""
    text: str = ""
    """What stands between the tags and the next game, and other games near it."""
    first: int = 0
    """Where its moves start in that text, and where they end; both 0 if there are none."""
    last: int = 0
    line: int = 1
    """The line of the file on which that text starts."""
    begun: bool = False
    """There is more than tags and comments."""
    plies: int = 0
    result: str = ""

    def span(self, token: re.Match[str]) -> None:
        """This word belongs to its moves."""
        if not self.last:
            self.first = token.start()
        self.last = token.end()

    def values(self, name: str) -> list[str]:
        """What the tags of this name say."""
        return [unescaped(value) for tag, value in self.tags if tag.lower() == name.lower()]

    def value(self, name: str) -> str:
        """What a tag says; empty if it is not there."""
        return next(reversed(self.values(name)), "")

    def line_at(self, place: int) -> int:
        """The line of the file for a place in the text."""
        return self.line + self.text.count("\n", 0, place)


def unescaped(value: str) -> str:
    """What a tag means by the text between its quotation marks."""
    return re.sub(r'\\(["\\])', r"\1", value)


def escaped(value: str) -> str:
    """The value of a tag: inside, quotation marks and backslashes are marked by a backslash."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


def chunks(source: Source) -> Iterator[Chunk]:
    """The games, one after the other.

    A game ends with its result, where tags begin, or at an empty line before another move number 1.
    """
    number = 0
    for line, piece in _pieces(_lines(source)):
        for chunk in _games(piece, line, number + 1):
            number = chunk.number
            yield chunk


def _lines(source: Source) -> Iterator[str]:
    if isinstance(source, str):
        text = source.removeprefix("\ufeff").rstrip().replace("\r\n", "\n").replace("\r", "\n")
        yield from (line + "\n" for line in text.split("\n"))
    else:
        yield from source


def _pieces(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Texts that hold whole games, each with the number of its first line."""
    held: list[str] = []
    first, size, has_moves, in_comment, blank, ended = 1, 0, False, False, True, False
    for number, line in enumerate(lines, 1):
        stripped = line.lstrip(" \t")
        starts_tag = _TAG.match(stripped) is not None
        if in_comment and blank and _EVENT.match(stripped):  # a comment that nobody closed ends with its game
            in_comment = False
        if not in_comment and has_moves and (starts_tag or (blank and ended and size > PIECE)):
            yield first, "".join(held)
            held, first, size, has_moves, ended = [], number, 0, False, False
        if starts_tag and not in_comment:
            line = stripped
        elif in_comment or not _NOT_MOVES.match(line):
            has_moves = True
            in_comment = _open_after(line, in_comment)
            ended = not in_comment and _ENDS.search(line) is not None
        blank = not stripped.strip()
        held.append(line)
        size += len(line)
        if size > LONGEST_GAME:
            raise InputError(f"The game that starts on line {first} has more than {LONGEST_GAME:,} characters.")
    if held:
        yield first, "".join(held).rstrip()


def _open_after(line: str, in_comment: bool) -> bool:
    """A comment is open at the end of a line, if one was or was not at its start."""
    place = 0
    while True:
        if in_comment:
            place = line.find("}", place) + 1
            if not place:
                return True
            in_comment = False
        opens, rest = line.find("{", place), line.find(";", place)
        if opens < 0 or 0 <= rest < opens:
            return False
        place, in_comment = opens + 1, True


def _games(text: str, line: int, number: int) -> Iterator[Chunk]:
    """The games of a piece."""
    chunk, depth, ended, before = Chunk(number, text=text, line=line), 0, False, 0
    for token in TOKEN.finditer(text):
        kind, gap, before = str(token.lastgroup), before, token.end()
        if kind == "rest" or (ended and kind in ("mark", "nag", "result")):
            continue
        tag = token["name"] or token["loose_name"]
        apart = "\n" in text[gap : token.start(kind)] and _EMPTY_LINE.search(text, gap, token.start(kind)) is not None
        if kind in ("comment", "unclosed") and not (ended and apart):
            chunk.span(token)
            continue
        if tag:
            ended = ended or chunk.begun or (tag == "Event" and bool(chunk.values("Event")))
        elif kind == "number" and chunk.plies and not depth and token[kind] == "1.":
            ended = ended or apart
        if ended:
            yield chunk
            chunk, depth, ended = Chunk(chunk.number + 1, text=text, line=line), 0, False
        if tag:
            chunk.tags.append((tag, token[kind] if kind == "value" else escaped(token[kind])))
            continue
        if kind == "badtag" and not chunk.begun:
            chunk.bad_tags.append((token.start(kind), token[kind]))
            continue
        chunk.span(token)
        chunk.begun = chunk.begun or kind not in ("comment", "unclosed")
        if kind == "word":
            chunk.plies += depth == 0
        elif kind == "open":
            depth += chunk.plies > 0
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "result" and not depth:
            chunk.result, ended = token[kind], True
    if chunk.tags or chunk.bad_tags or chunk.begun:
        yield chunk
