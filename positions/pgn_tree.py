"""One game of a PGN, played through: its moves and variations, comments and marks, as python-chess understands them.

Move numbers are not looked at: many files have wrong ones. What cannot be played ends its line, and what makes no sense is
left out; both are told with the line of the file. Nothing is passed over without a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import chess

from engines.contract import InputError, shown
from engines.games.chess.fen import is_null_move, read_fen, read_san
from positions.pgn_text import TOKEN, Chunk

LONGEST_LINE = 17_697
"""Plies: no game is longer if seventy-five moves without a capture or a pawn's move end it."""
DEEPEST_NESTING = 100
MOST_REMARKS = 20
NULL_MOVE = chess.Move.null().uci()
STANDARD = {"", "?", "-", "standard", "chess", "classical", "normal", "orthodox", "from position"}
CHESS960 = {"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "freestyle"}
SETTING_UP = ("fen", "setup", "variant")
"""Tags without which nobody knows how a game starts."""
NAGS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
ASIDE = {"N", "D", "RR", "ep", "ch", "dbl", "dis", "mate"}
"""Words that annotators put between moves: a novelty, a diagram, and so on."""


@dataclass(slots=True)
class PgnNode:
    """A move, what was written about it, and what may follow: first the line's own next move, then the other choices."""

    move: str = ""
    """In UCI notation; empty at the start."""
    choices: list[PgnNode] = field(default_factory=list)
    before: str = ""
    """The comment before the move."""
    comment: str = ""
    nags: list[int] = field(default_factory=list)
    """Numeric annotation glyphs: 1 is `!`."""
    fault: str = ""
    """Why the line does not go on here although the text does."""


@dataclass
class GameTree:
    """A game with everything in it."""

    number: int
    tags: dict[str, str]
    """As they stand between the quotation marks, which are escaped inside."""
    start: chess.Board
    root: PgnNode
    result: str
    """As it stands behind the moves; empty if nothing does."""
    remarks: list[str]
    """What could not be read, sentences that name the line."""


def tree_of(chunk: Chunk, plies: int | None = None) -> GameTree:
    """A game played through, or so many plies of it; an InputError if it is not known how it starts."""
    remarks = [
        f"{shown(text)} cannot be read as a tag, on line {chunk.line_at(place)}."
        for place, text in chunk.bad_tags[:MOST_REMARKS]
    ]
    reader = _Reader(start_of(chunk), chunk, remarks)
    reader.read(plies)
    return GameTree(chunk.number, dict(chunk.tags), reader.start, reader.root, chunk.result, remarks)


def start_of(chunk: Chunk) -> chess.Board:
    """The position that the tags say a game starts from."""
    for place, text in chunk.bad_tags:
        if text.lower().lstrip("[ \t").startswith(SETTING_UP):
            raise InputError(f"The tag {shown(text)} cannot be read, on line {chunk.line_at(place)}.")
    variant, fen = chunk.value("Variant"), chunk.value("FEN")
    if variant.strip().lower() not in STANDARD | CHESS960:
        raise InputError(f"This is a game of {shown(variant)}; only chess and Chess960 can be read.")
    if not fen:
        return chess.Board()
    try:
        return read_fen(fen)
    except InputError as error:
        raise InputError(f"FEN tag: {error}") from None


class _Reader:
    """Plays through the moves of a game and its variations."""

    def __init__(self, start: chess.Board, chunk: Chunk, remarks: list[str]) -> None:
        self.start, self.root, self.chunk, self.remarks = start, PgnNode(), chunk, remarks
        self.lines = [(start.copy(), [self.root])]
        """The main line, and each variation that is open: its board now, and its nodes from the one it starts behind on."""
        self.left_out = 0
        """So many brackets, or the main line, are open since a move that could not be played."""
        self.before = ""
        """A comment that waits for the move behind it."""
        self.moved = False
        """A move was made since a variation was opened: what is said now is said of it."""

    def read(self, plies: int | None = None) -> None:
        """Fill the tree, until the main line has so many plies if that is said."""
        for token in TOKEN.finditer(self.chunk.text, self.chunk.first, self.chunk.last):
            if plies is not None and len(self.lines) == 1 and len(self.lines[0][1]) > plies:
                break
            kind = str(token.lastgroup)
            place = token.start(kind)
            if kind == "open":
                self.open(place)
            elif kind == "close":
                self.close(place)
            elif self.left_out:
                continue
            elif kind == "word":
                self.word(token[kind], place)
            elif kind == "comment":
                self.comment(token[kind][1:-1])
            elif kind == "nag":
                self.nag(token[kind])
            elif kind == "unclosed":
                self.comment(token[kind][1:])
                self.stop("A comment opens that is never closed", place)
            elif kind == "badtag":
                self.stop(f"{shown(token[kind])} stands between the moves", place)
        if len(self.lines) > 1:
            count = len(self.lines) - 1
            self.remarks.append(f"A variation is not closed; open at the end: {count} bracket{'s' * (count > 1)}.")

    def remark(self, what: str, place: int) -> None:
        """Add a remark about something that is wrong at a place in the text."""
        if len(self.remarks) < MOST_REMARKS:
            self.remarks.append(f"{what}, on line {self.chunk.line_at(place)}.")

    def stop(self, what: str, place: int) -> None:
        """End a line that cannot be played on, with a remark."""
        self.lines[-1][1][-1].fault = f"{what}, on line {self.chunk.line_at(place)}."
        self.remark(what, place)
        self.left_out = 1

    def open(self, place: int) -> None:
        if self.left_out:
            self.left_out += 1
            return
        board, nodes = self.lines[-1]
        if len(nodes) < 2:
            self.remark("A variation opens, but there is no move to replace", place)
            return
        if len(self.lines) > DEEPEST_NESTING:
            raise InputError(f"Variations are nested more than {DEEPEST_NESTING} deep.")
        before = board.copy(stack=1)
        before.pop()
        self.lines.append((before, [nodes[-2]]))
        self.moved = False

    def close(self, place: int) -> None:
        if self.left_out > 1:
            self.left_out -= 1
        elif len(self.lines) > 1:
            self.left_out = 0
            self.lines.pop()
        elif not self.left_out:
            self.remark("A bracket closes, but none is open", place)

    def comment(self, text: str) -> None:
        text = text.removeprefix(" ").removesuffix(" ")
        node = self.lines[-1][1][-1]
        if self.moved or (node is self.root and not node.choices):
            node.comment = " ".join(filter(None, (node.comment, text)))
        else:
            self.before = " ".join(filter(None, (self.before, text)))

    def nag(self, text: str) -> None:
        node = self.lines[-1][1][-1]
        found = [int(text[1:10])] if text.startswith("$") else [NAGS[mark] for mark in re.findall("[!?]{1,2}", text)]
        node.nags += [nag for nag in dict.fromkeys(found) if nag not in node.nags]

    def word(self, text: str, place: int) -> None:
        """A move, or a word that annotators put between moves."""
        if text in ASIDE or not (re.search(r"\w", text) or is_null_move(text) or text == "}"):
            return
        board, nodes = self.lines[-1]
        if len(nodes) > LONGEST_LINE:
            self.stop(f"It is longer than {LONGEST_LINE:,} plies", place)
            return
        if is_null_move(text) and not board.is_check():
            move = chess.Move.null()
        else:
            try:
                move = read_san(board, re.sub(r"[^\w+#=.)-]+$", "", text) or text)
            except InputError as error:
                side = "White" if board.turn else "Black"
                self.stop(f"Move {board.fullmove_number} of {side}: {str(error).rstrip('.')}", place)
                return
        board.push(move)
        node = PgnNode(move.uci(), before=self.before)
        self.before, self.moved = "", True
        nodes[-1].choices.append(node)
        nodes.append(node)
