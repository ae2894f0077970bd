"""Games in PGN: what is in a text, and the position after any ply of any game and variation.

Listing reads tags and counts plies; only the game that is asked for is played through. All of its moves are, those of the
variations too, so that an unreadable or illegal move, a missing bracket or a wrong move number is an error that says where.

A position is chosen by a selector, which names a line and then a place in it:

    #3              game 3, at the end of its main line
    #3/24           after 24 plies of it; 0 is where the game starts
    #3/24.2         the line that plays the second choice at ply 24 instead (1 is the line's own move), at its end
    #3/24.2/5       after 5 plies of that line, counted from the choice on: 1 is the chosen move itself
    #3/24.2/5.3/1   and so on: the third choice at the fifth ply of that line

Choices are counted in the order in which the text has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import chess
from msgspec import Struct

from engines.contract import InputError, shown
from engines.games.chess.fen import is_null_move, read_fen, read_san, write_fen

LONGEST_LINE = 17_697
"""Plies: no game is longer if seventy-five moves without a capture or a pawn's move end it."""
DEEPEST_NESTING = 100

NULL_MOVE = chess.Move.null().uci()
STANDARD = {"", "?", "-", "standard", "chess", "classical", "normal", "orthodox", "from position"}
CHESS960 = {"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "freestyle"}

Variation = tuple[tuple[int, int], ...]
"""Which line of a game: at this ply of the line so far, this choice; and so on. The main line is the empty tuple."""

_TOKEN = re.compile(
    r"""
    \s* (?:
    (?P<comment> \{[^}]*\} | ;[^\n]* | ^%[^\n]* )
    | (?P<unclosed> \{ )
    | (?: ^ | (?<=\]) | (?<=\][ ]) ) \[ [ \t]* (?P<name>[A-Za-z0-9_]+) [ \t]* "(?P<value>(?:[^"\\\n]|\\.)*)" [ \t]* \]
    | ^\[ [ \t]* (?P<loose_name>[A-Za-z0-9_]+) [ \t]* "(?P<loose_value>[^\n]*)" [ \t]* \] (?=[ \t]*$)
    | (?P<badtag> ^\[ [^\n]* )
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<mark> \$[0-9]+ | [!?]+ | e\.p\. | [.…]+ | (?<=\s) (?:\+/?-|-/?\+|\+/?=|=/?\+|[=±∓⩲⩱∞□]) (?![^\s)]) )
    | (?P<result> (?:1-0 | 0-1 | 1/2(?:-1/2)? | \*) (?![^\s(){};]) )
    | (?P<number> (?!0000) [0-9]+ (?: [.…]+ | (?!\S) ) )
    | (?P<word> [^\s(){};!?$*]+ | [}$*] )
    )
    """,
    re.MULTILINE | re.VERBOSE,
)
"""What a PGN is made of. A loose value is one with quotation marks in it that should have been escaped."""


class GameEntry(Struct, frozen=True, kw_only=True):
    """What the tags of a game say, and how long its main line is; nothing of it has been checked."""

    number: int
    """From 1, in the order of the text."""
    white: str
    black: str
    event: str
    date: str
    result: str
    plies: int
    start: str
    """`startpos` or a FEN."""


class Line(Struct, frozen=True, kw_only=True):
    """A line of play from the start of a game on, every move of it legal."""

    start: str
    """`startpos` or a FEN."""
    moves: tuple[str, ...]
    """In UCI notation."""


@dataclass
class _Chunk:
    """A game as it stands in the text."""

    number: int
    tags: list[tuple[str, str]] = field(default_factory=list)
    bad_tag: str = ""
    first: int = 0
    """Where its moves start in the text, and where they end; both 0 if there are none."""
    last: int = 0
    plies: int = 0
    result: str = ""

    def values(self, name: str) -> list[str]:
        """What the tags of this name say."""
        return [value for tag, value in self.tags if tag.lower() == name.lower()]

    def value(self, name: str) -> str:
        """What a tag says; empty if it is not there."""
        return next(reversed(self.values(name)), "")


@dataclass(slots=True)
class _Node:
    """A move, and what may follow it: first the line's own next move, then the other choices."""

    move: str = ""
    choices: list[_Node] = field(default_factory=list)


def read_games(text: str) -> list[GameEntry]:
    """What games there are; an InputError if there are none."""
    entries = [_entry(chunk) for chunk in _chunks(_plain_lines(text))]
    if not entries:
        raise InputError("There is no game in this file.")
    return entries


def read_line(text: str, game_number: int = 1, variation: Variation = ()) -> Line:
    """A line of a game, to its end."""
    return _line(_plain_lines(text), game_number, variation, None)


def position_text(text: str, game_number: int = 1, ply: int | None = None, variation: Variation = ()) -> str:
    """The notation of a position in a game, `startpos moves e2e4 ...` or a FEN with moves: by default the line's end."""
    line = _line(_plain_lines(text), game_number, variation, ply)
    return f"{line.start} moves {' '.join(line.moves)}" if line.moves else line.start


def read_selector(selector: str) -> tuple[int, Variation, int | None]:
    """The number of the game, the line, and the ply that a selector such as `3/24.2/5` names."""
    match = re.fullmatch(r"([0-9]{1,9})((?:/[0-9]{1,9}\.[0-9]{1,9})*)(?:/([0-9]{1,9}))?", selector)
    if match is None:
        raise InputError(f"A place in a PGN is #GAME, #GAME/PLY or, in a variation, #3/24.2/5, not {shown('#' + selector)}.")
    game, steps, ply = match.groups()
    path = [step.split(".") for step in steps.split("/")[1:]]
    return int(game), tuple((int(at), int(choice)) for at, choice in path), None if ply is None else int(ply)


def _plain_lines(text: str) -> str:
    """Every line ends with a newline alone, and a tag at the start of a line really is there."""
    text = text.removeprefix("\ufeff").rstrip().replace("\r\n", "\n").replace("\r", "\n")
    return re.sub(r"^[ \t]+\[", "[", text, flags=re.MULTILINE)


# Finding the games.


def _chunks(text: str) -> Iterator[_Chunk]:
    """The games of a text, one after the other.

    A game ends with its result, where tags begin, or at an empty line before another move number 1.
    """
    chunk, depth, ended, before = _Chunk(1), 0, False, 0
    for token in _TOKEN.finditer(text):
        kind, gap, before = str(token.lastgroup), before, token.end()
        if kind == "comment" or (ended and kind in ("mark", "result")):
            continue
        if kind == "unclosed":
            line = text.count("\n", 0, token.end()) + 1
            raise InputError(f"The comment that opens on line {line}, in game {chunk.number}, is never closed.")
        tag = token["name"] or token["loose_name"]
        if tag:
            ended = ended or chunk.last > 0 or (tag == "Event" and bool(chunk.values("Event")))
        elif kind == "number" and chunk.plies and not depth and token[kind] == "1.":
            ended = ended or re.search(r"\n[ \t]*\n", text[gap : token.end()]) is not None
        if ended:
            yield chunk
            chunk, depth, ended = _Chunk(chunk.number + 1), 0, False
        if tag:
            chunk.tags.append((tag, re.sub(r'\\(["\\])', r"\1", token[kind])))
            continue
        if kind == "badtag" and not chunk.last:
            chunk.bad_tag = token[kind]
            continue
        if not chunk.last:
            chunk.first = token.start()
        chunk.last = token.end()
        if kind == "word":
            chunk.plies += depth == 0
        elif kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "result" and not depth:
            chunk.result, ended = token[kind], True
    if chunk.tags or chunk.bad_tag or chunk.last:
        yield chunk


def _entry(chunk: _Chunk) -> GameEntry:
    start, result = " ".join(chunk.value("FEN").split()), _printable(chunk.value("Result"))
    return GameEntry(
        number=chunk.number,
        white=_printable(chunk.value("White")) or "?",
        black=_printable(chunk.value("Black")) or "?",
        event=_printable(chunk.value("Event")) or "?",
        date=_printable(chunk.value("Date")) or "????.??.??",
        result=result if result not in ("", "?", "*") else chunk.result or "*",
        plies=chunk.plies,
        start="startpos" if start in ("", chess.STARTING_FEN) else _printable(start),
    )


def _printable(text: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


# Reading one of them.


def _line(text: str, game_number: int, variation: Variation, ply: int | None) -> Line:
    chunk = _chunk(text, game_number)
    try:
        start = _start(chunk)
        node = _Reader(start).read(text, chunk)
        moves = _follow(node, variation, ply)
    except InputError as error:
        raise InputError(f"Game {game_number}: {error}") from None
    fen = write_fen(start)
    return Line(start="startpos" if fen == chess.STARTING_FEN else fen, moves=tuple(moves))


def _chunk(text: str, number: int) -> _Chunk:
    chunk = None
    for chunk in _chunks(text):
        if chunk.number == number:
            return chunk
    if chunk is None:
        raise InputError("There is no game in this file.")
    if number == 0:
        raise InputError("Games are counted from 1, not from 0.")
    verb = "is" if chunk.number == 1 else "are"
    raise InputError(f"There {verb} {_counted(chunk.number, 'game')} in this file, not {number}.")


def _start(chunk: _Chunk) -> chess.Board:
    """The position that the tags say a game starts from."""
    if chunk.bad_tag:
        raise InputError(f"The tag {shown(chunk.bad_tag)} cannot be read.")
    for name in ("FEN", "SetUp", "Variant"):
        if len(set(chunk.values(name))) > 1:
            raise InputError(f"There are two {name} tags that differ.")
    variant, fen = chunk.value("Variant"), chunk.value("FEN")
    if variant.strip().lower() not in STANDARD | CHESS960:
        raise InputError(f"This is a game of {shown(variant)}; only chess and Chess960 can be read.")
    if not fen:
        if chunk.value("SetUp") == "1" or variant.strip().lower() in CHESS960:
            raise InputError("There is no FEN tag, so it is not known how the pieces were set up.")
        return chess.Board()
    try:
        return read_fen(fen)
    except InputError as error:
        raise InputError(f"FEN tag: {error}") from None


class _Reader:
    """Plays through the moves of a game and its variations."""

    def __init__(self, start: chess.Board) -> None:
        self.lines = [(start.copy(), [_Node()])]
        """The main line, and each variation that is open: its board now, and its nodes from the one it starts behind on."""
        self.shift: int | None = None if start.fen() != chess.STARTING_FEN else 0
        """What the text's move numbers are ahead by: games that were set up are often counted from 1, or from elsewhere."""

    def read(self, text: str, chunk: _Chunk) -> _Node:
        """The node behind which the game starts."""
        for token in _TOKEN.finditer(text, chunk.first, chunk.last):
            kind = str(token.lastgroup)
            match kind:
                case "open":
                    self.open()
                case "close":
                    self.close()
                case "number":
                    self.number(token[kind])
                case "badtag":
                    raise InputError(f"{shown(token[kind])} stands between the moves.")
                case "word":
                    self.move(token[kind])
        if len(self.lines) > 1:
            raise InputError(f"A variation is not closed; open at the end: {_counted(len(self.lines) - 1, 'bracket')}.")
        return self.lines[0][1][0]

    def open(self) -> None:
        board, nodes = self.lines[-1]
        if len(nodes) < 2:
            raise InputError(f"A variation opens before move {board.fullmove_number}, but there is no move to replace.")
        if len(self.lines) > DEEPEST_NESTING:
            raise InputError(f"Variations are nested more than {DEEPEST_NESTING} deep.")
        before = board.copy(stack=1)
        before.pop()
        self.lines.append((before, [nodes[-2]]))

    def close(self) -> None:
        if len(self.lines) == 1:
            raise InputError(f"A bracket closes before move {self.lines[0][0].fullmove_number}, but none is open.")
        self.lines.pop()

    def number(self, text: str) -> None:
        board, _ = self.lines[-1]
        found, expected = int(text.rstrip(".…")[:9]), board.fullmove_number + (self.shift or 0)
        if self.shift is None:
            self.shift = found - expected
        elif found != expected:
            raise InputError(f"Move number {found} stands where {expected} should: there is a move missing or too many.")

    def move(self, text: str) -> None:
        board, nodes = self.lines[-1]
        if len(nodes) > LONGEST_LINE:
            raise InputError(f"It is longer than {LONGEST_LINE:,} plies.")
        if is_null_move(text) and not board.is_check():
            move = chess.Move.null()
        else:
            try:
                move = read_san(board, text)
            except InputError as error:
                number = board.fullmove_number + (self.shift or 0)
                raise InputError(f"Move {number} of {'White' if board.turn else 'Black'}: {error}") from None
        board.push(move)
        node = _Node(move.uci())
        nodes[-1].choices.append(node)
        nodes.append(node)


def _follow(root: _Node, variation: Variation, ply: int | None) -> list[str]:
    """The moves to a place in the tree."""
    moves: list[str] = []
    node = root
    for at, choice in variation:
        if not at:
            raise InputError("The plies of a line are counted from 1.")
        node = _walk(node, at - 1, moves)
        if not 1 <= choice <= len(node.choices):
            raise InputError(f"Ply {at} of the line has {_counted(len(node.choices), 'choice')}, not {choice}.")
        own = node.choices[choice - 1]
        node = _Node("", [own, *(other for other in node.choices if other is not own)])
    _walk(node, ply, moves)
    if NULL_MOVE in moves:
        raise InputError("The line has a null move, and no position of a game comes after that.")
    return moves


def _walk(node: _Node, plies: int | None, moves: list[str]) -> _Node:
    """The node so many plies further along the line, or at its end; its moves are added to the list."""
    count = 0
    while node.choices and count != plies:
        node = node.choices[0]
        moves.append(node.move)
        count += 1
    if plies is not None and count < plies:
        raise InputError(f"The line has {_counted(count, 'ply', 'plies')}, not {plies}.")
    return node


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
