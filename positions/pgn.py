"""Games in PGN: what is in a text, and the position after any ply of any game and variation.

Listing reads tags and counts plies; only the game that is asked for is played through, its variations too. A text may be
given as lines, of which no more than a game is kept in memory: so a file of any size can be read.

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

import chess
from msgspec import Struct

from engines.contract import InputError, shown
from engines.games.chess.fen import write_fen
from positions.pgn_text import Chunk, Source, chunks
from positions.pgn_tree import NULL_MOVE, GameTree, PgnNode, tree_of

VariationPath = tuple[tuple[int, int], ...]
"""Which line of a game: at this ply of the line so far, this choice; and so on. The main line is the empty tuple."""


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


class PgnLine(Struct, frozen=True, kw_only=True):
    """A line of play from the start of a game on, every move of it legal."""

    start: str
    """`startpos` or a FEN."""
    moves: tuple[str, ...]
    """In UCI notation."""

    @property
    def notation(self) -> str:
        """The position at its end."""
        return f"{self.start} moves {' '.join(self.moves)}" if self.moves else self.start


def each_game(source: Source) -> Iterator[GameEntry]:
    """What games there are, one after the other; an InputError if there are none."""
    empty = True
    for chunk in chunks(source):
        empty = False
        yield _entry(chunk)
    if empty:
        raise InputError("There is no game in this file.")


def read_games(source: Source) -> list[GameEntry]:
    """What games there are; an InputError if there are none."""
    return list(each_game(source))


def read_tree(source: Source, game_number: int = 1) -> GameTree:
    """A game with everything in it, played through."""
    chunk = _chunk(source, game_number)
    try:
        return tree_of(chunk)
    except InputError as error:
        raise InputError(f"Game {game_number}: {error}") from None


def each_tree(source: Source) -> Iterator[GameTree | str]:
    """All games, played through, one after the other; for one that cannot be read, a sentence that says why and where."""
    yield from map(_tree_or_sentence, chunks(source))


def each_line(source: Source, plies: int) -> Iterator[PgnLine | str]:
    """The main lines of all games, one after the other, so many plies of each or all there are; for one that cannot be
    played so far, a sentence that says why and where. An InputError if there are no games."""
    empty = True
    for chunk in chunks(source):
        empty = False
        tree = _tree_or_sentence(chunk, plies)
        try:
            found = tree if isinstance(tree, str) else line_of(tree)
        except InputError as error:
            found = str(error)
        yield found
    if empty:
        raise InputError("There is no game in this file.")


def _tree_or_sentence(chunk: Chunk, plies: int | None = None) -> GameTree | str:
    """A game, played through or so many plies of it; or a sentence that says why it cannot be read, and on which line it
    starts."""
    try:
        return tree_of(chunk, plies)
    except InputError as error:
        return f"Game {chunk.number}, on line {chunk.line_at(chunk.first)}: {error}"


def read_line(source: Source, game_number: int = 1, variation: VariationPath = ()) -> PgnLine:
    """A line of a game, to its end."""
    return line_of(read_tree(source, game_number), variation)


def position_text(source: Source, game_number: int = 1, ply: int | None = None, variation: VariationPath = ()) -> str:
    """The notation of a position in a game, `startpos moves e2e4 ...` or a FEN with moves: by default the line's end."""
    return line_of(read_tree(source, game_number), variation, ply).notation


def line_so_far(tree: GameTree, variation: VariationPath = (), ply: int | None = None) -> tuple[str, ...]:
    """The moves to a place; where the main line cannot be played to its end, to where it can."""
    if not variation and ply is None:
        moves = list[str]()
        _walk(tree.root, None, moves, faults=False)
        if tree.root.fault and not moves:
            raise InputError(f"Game {tree.number}: {tree.root.fault}")
        return tuple(moves)
    return line_of(tree, variation, ply).moves


def line_of(tree: GameTree, variation: VariationPath = (), ply: int | None = None) -> PgnLine:
    """A line of a game, to its end or to a ply; an InputError if the text has more of it than could be played."""
    try:
        moves = _follow(tree.root, variation, ply)
    except InputError as error:
        raise InputError(f"Game {tree.number}: {error}") from None
    fen = write_fen(tree.start)
    return PgnLine(start="startpos" if fen == chess.STARTING_FEN else fen, moves=tuple(moves))


def read_selector(selector: str) -> tuple[int, VariationPath, int | None]:
    """The number of the game, the line, and the ply that a selector such as `3/24.2/5` names."""
    match = re.fullmatch(r"([0-9]{1,9})((?:/[0-9]{1,9}\.[0-9]{1,9})*)(?:/([0-9]{1,9}))?", selector)
    if match is None:
        raise InputError(f"A place in a PGN is #GAME, #GAME/PLY or, in a variation, #3/24.2/5, not {shown('#' + selector)}.")
    game, steps, ply = match.groups()
    path = [step.split(".") for step in steps.split("/")[1:]]
    return int(game), tuple((int(at), int(choice)) for at, choice in path), None if ply is None else int(ply)


def _entry(chunk: Chunk) -> GameEntry:
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


def _chunk(source: Source, number: int) -> Chunk:
    chunk = None
    for chunk in chunks(source):
        if chunk.number == number:
            return chunk
    if chunk is None:
        raise InputError("There is no game in this file.")
    if number == 0:
        raise InputError("Games are counted from 1, not from 0.")
    verb = "is" if chunk.number == 1 else "are"
    raise InputError(f"There {verb} {_counted(chunk.number, 'game')} in this file, not {number}.")


def _follow(root: PgnNode, variation: VariationPath, ply: int | None) -> list[str]:
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
        node = PgnNode("", [own, *(other for other in node.choices if other is not own)])
    _walk(node, ply, moves)
    if NULL_MOVE in moves:
        raise InputError("The line has a null move, and no position of a game comes after that.")
    return moves


def _walk(node: PgnNode, plies: int | None, moves: list[str], faults: bool = True) -> PgnNode:
    """The node so many plies further along the line, or at its end; its moves are added to the list."""
    count = 0
    while node.choices and count != plies:
        node = node.choices[0]
        moves.append(node.move)
        count += 1
    if faults and node.fault and count != plies and not node.choices:
        raise InputError(node.fault)
    if plies is not None and count < plies:
        raise InputError(f"The line has {_counted(count, 'ply', 'plies')}, not {plies}.")
    return node


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
