"""Reads and writes FEN and EPD. A text that cannot be read gets a sentence that names the field and what was expected there.

Writing is strict, reading is tolerant. Fields at the end may be missing, the move number may be 0, castling may name a rook
that is not there, and the position need not be reachable from the start: public files contain all of that, and it is clear
which moves are legal. `doubt` says what is odd about such a text. Refused are only positions that cannot be searched: a
board without two kings, a king that can be captured, pawns on the last rows, or more moves than the kernels have room for.

Castling is read as in X-FEN (`K` is the outermost rook on that side of the king) or Shredder-FEN (`H`, the rook's file) and
written as in X-FEN. A board is a Chess960 board exactly if its castling needs that. An en passant square is kept only where
a capture is legal, so that equal positions are equal. EPD is four fields and then operations: `bm Qd1+; id "BK.01";`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import chess

from engines.contract import InputError, shown

FIELDS = ("board", "side to move", "castling", "en passant", "clock", "move number")
LONGEST_TEXT = 20_000
LARGEST_CLOCK, LARGEST_NUMBER = 9_999, 99_999
MOST_QUEENS = 9
"""Queens of one side, pawns that may become one included: with more, a position may have more moves than a kernel has room
for."""
MOVES = ("bm", "am", "pv", "sm")
"""The operations of an EPD whose operands are moves: best, to be avoided, a line, supplied."""
Value = tuple[str, ...] | int | float | str

MARKS = "!?\u203c\u2047\u2048\u2049"
"""What an annotator puts behind a move; the last four are two marks in one character each."""

_DEFAULTS = ("w", "-", "-", "0", "1")
"""What the fields behind the board are where a text ends before them."""
_AT_FIRST = {chess.KNIGHT: 2, chess.BISHOP: 2, chess.ROOK: 2, chess.QUEEN: 1}
_NULL_MOVES = ("--", "Z0", "0000", "@@@@")
_TOKEN = re.compile(r'"(?P<text>(?:\\.|[^"\\])*)(?:"|\\?$)|(?P<end>;)|(?P<word>[^\s;"]+)', re.DOTALL)
"""A text without its closing quotation mark goes on to the end."""


def read_fen(text: str) -> chess.Board:
    """The position of a FEN with six fields; those at the end may be left out."""
    return _position(_fen_fields(text))[0]


def doubt(text: str) -> str | None:
    """Why no game leads to the position of a FEN exactly as it stands there, in a sentence; None if nothing speaks against
    it. An InputError if it cannot be read at all."""
    _, doubts = _position(_fen_fields(text))
    return doubts[0] if doubts else None


def write_fen(board: chess.Board) -> str:
    """The FEN with six fields that `read_fen` reads back."""
    return board.fen(en_passant="legal")


def looks_like_epd(text: str) -> bool:
    """Operations follow the fields, so that this is to be read as EPD and not as FEN."""
    fields = text.split(maxsplit=5)
    if len(fields) < 5 or "/" not in fields[0] or fields[4] == "moves":
        return False
    return fields[4][0].isalpha() or ";" in text


def read_epd(text: str) -> tuple[chess.Board, dict[str, Value]]:
    """The position and the operations of an EPD; moves are in UCI notation, numbers are numbers, all else is text.

    A clock and a move number may follow the four fields, as in a FEN; `hmvc` and `fmvn` say them too, and win.
    """
    fields = _split(text, 4)
    rest = fields.pop() if len(fields) == 5 else ""
    counts = re.match(r"([0-9]+)\s+([0-9]+)(?=[\s;]|$)", rest)
    if counts:
        fields, rest = [*fields, *counts.groups()], rest[counts.end() :]
    board, _ = _position(fields)
    operations = {name: _value(board, name, operands) for name, operands in _operations(rest)}
    clock, number = operations.get("hmvc"), operations.get("fmvn")
    if isinstance(clock, int):
        board.halfmove_clock = clock
    if isinstance(number, int):
        board.fullmove_number = max(1, number)
    return board, operations


def read_san(board: chess.Board, text: str) -> chess.Move:
    """The legal move that is written in algebraic or UCI notation; marks such as `+`, `!` and `e.p.` may follow it."""
    bare = text.rstrip(MARKS).removesuffix("e.p.").rstrip("+#")
    try:
        move = board.parse_san(bare)
    except chess.AmbiguousMoveError:
        raise InputError(f"{shown(text)} can be more than one move here.") from None
    except ValueError:
        raise InputError(f"{shown(text)} is not a legal move here.") from None
    if not move:
        raise InputError(f"{shown(text)} is a null move, which is not a legal move.")
    return move


def is_null_move(text: str) -> bool:
    """It stands for passing, as annotators write it."""
    return text in _NULL_MOVES


# The fields.


def _split(text: str, count: int) -> list[str]:
    """That many fields, and whatever follows them as one more."""
    if len(text) > LONGEST_TEXT:
        raise InputError(f"A position has at most {LONGEST_TEXT:,} characters, this text has {len(text):,}.")
    fields = text.split(maxsplit=count)
    if not fields:
        raise InputError("The FEN is empty; its first field is the board.")
    return fields


def _fen_fields(text: str) -> list[str]:
    fields = _split(text, len(FIELDS))
    if len(fields) > len(FIELDS):
        raise InputError(f"A FEN ends with its sixth field, the move number; this one goes on with {shown(fields[-1])}.")
    return fields


def _position(fields: list[str]) -> tuple[chess.Board, list[str]]:
    """The board, and what is odd about the fields: sentences."""
    rows, side, castling, en_passant, clock, number = [*fields, *_DEFAULTS[len(fields) - 1 :]]
    board = chess.Board.empty()
    _check_rows(rows)
    board.set_board_fen(rows)
    doubts = [said for color in chess.COLORS for said in _odd_men(board, color)]
    if side not in ("w", "b"):
        raise InputError(f"The side to move is w or b, not {shown(side)}.")
    board.turn = side == "w"
    board.castling_rights = _castling(board, castling, doubts)
    board.chess960 = board.has_chess960_castling_rights()
    board.ep_square = _en_passant(board, en_passant, doubts)
    board.halfmove_clock = _count(clock, "clock", 0, LARGEST_CLOCK)
    board.fullmove_number = max(1, _count(number, "move number", 0, LARGEST_NUMBER))
    if board.was_into_check():
        raise InputError(f"{_name(not board.turn)}'s king can be captured: it is {_name(board.turn)}'s move.")
    doubts += _odd_status(board)
    if not board.has_legal_en_passant():
        board.ep_square = None
    return board, doubts


def _check_rows(text: str) -> None:
    rows = text.split("/")
    if len(rows) != 8:
        raise InputError(f"The board has 8 rows with slashes between them; {shown(text)} has {len(rows)}.")
    for number, row in zip(range(8, 0, -1), rows, strict=True):
        where = f"Row {number} of the board, {shown(row)},"
        for letter in row:
            if letter not in "KQRBNPkqrbnp12345678":
                raise InputError(f"{where} has {shown(letter)}; a square is a letter of KQRBNP or kqrbnp, or digits 1 to 8.")
        if re.search("[1-8]{2}", row):
            raise InputError(f"{where} has two digits running; empty squares side by side are one digit.")
        squares = sum(int(letter) if letter.isdigit() else 1 for letter in row)
        if squares != 8:
            raise InputError(f"{where} has {_counted(squares, 'square')}, not 8.")


def _odd_men(board: chess.Board, color: chess.Color) -> Iterator[str]:
    """What is odd about one side's men; an InputError if they are too odd to be searched."""
    name = _name(color)
    kings, pawns = board.pieces(chess.KING, color), board.pieces(chess.PAWN, color)
    if len(kings) != 1:
        raise InputError(f"{name} has {len(kings)} kings on the board, not one.")
    for square in pawns:
        if chess.square_rank(square) in (0, 7):
            raise InputError(f"The board has a pawn on {chess.square_name(square)}; no pawn stands on row 1 or row 8.")
    men, queens = chess.popcount(board.occupied_co[color]), len(board.pieces(chess.QUEEN, color))
    if men > 16:
        raise InputError(f"{name} has {men} men on the board; at most 16 are possible.")
    if len(pawns) + queens > MOST_QUEENS:
        both = f"{_counted(len(pawns), 'pawn')} and {_counted(queens, 'queen')}"
        raise InputError(f"{name} has {both} on the board; together at most 9 are possible.")
    if len(pawns) > 8:
        yield f"{name} has {len(pawns)} pawns on the board; at most 8 are possible."
    promoted = sum(max(0, len(board.pieces(kind, color)) - count) for kind, count in _AT_FIRST.items())
    if promoted > 8 - len(pawns):
        yield (
            f"{name} has {_counted(len(pawns), 'pawn')} on the board, and {_counted(promoted, 'piece')} more than a queen "
            "and two rooks, bishops and knights: together at most 8 are possible."
        )


def _counted(number: int, what: str) -> str:
    return f"{number} {what if number == 1 else what + 's'}"


def _castling(board: chess.Board, text: str, doubts: list[str]) -> chess.Bitboard:
    """The rooks that may castle. A right without its rook or its king is none."""
    if text == "-":
        return chess.BB_EMPTY
    if not chess.FEN_CASTLING_REGEX.match(text):
        raise InputError(
            f"The castling field is -, or up to two letters for White and then up to two for Black, such as KQkq or HAha, "
            f"not {shown(text)}."
        )
    found: dict[tuple[chess.Color, bool], chess.Square] = {}
    for letter in text:
        color = letter.isupper()
        rook, king = _castling_rook(board, letter, doubts), board.king(color)
        assert king is not None
        if rook is None:
            continue
        side = color, rook > king
        if side in found:
            where = "king's side" if rook > king else "queen's side"
            doubts.append(f"The castling field {shown(text)} has two letters for {_name(color)}'s {where}.")
            rook = max(rook, found[side]) if rook > king else min(rook, found[side])
        found[side] = rook
    return chess.Bitboard(sum(chess.BB_SQUARES[rook] for rook in found.values()))


def _castling_rook(board: chess.Board, letter: str, doubts: list[str]) -> chess.Square | None:
    """The rook that a letter stands for; None if it or the king is not at home."""
    color, lower = letter.isupper(), letter.lower()
    row = 0 if color else 7
    king = board.king(color)
    assert king is not None
    rooks = [square for square in board.pieces(chess.ROOK, color) if chess.square_rank(square) == row]
    if lower in "kq":
        rooks = [square for square in rooks if (square > king) == (lower == "k")]
        rook = f"a rook on {'h' if lower == 'k' else 'a'}{row + 1}"
        needed = f"on e{row + 1} and {rook}, or in Chess960 both on row {row + 1} in this order"
    else:
        rooks = [square for square in rooks if chess.FILE_NAMES[chess.square_file(square)] == lower]
        needed = f"on row {row + 1} and a rook on {lower}{row + 1}"
    if not rooks or chess.square_rank(king) != row:
        doubts.append(f"Castling {letter} needs a {'white' if color else 'black'} king {needed}.")
        return None
    return max(rooks) if lower == "k" else min(rooks)


def _en_passant(board: chess.Board, text: str, doubts: list[str]) -> chess.Square | None:
    """The square behind a pawn that has just moved two squares. One that no pawn has passed, and where none could be
    captured anyway, is left out: many programs write one."""
    if text == "-":
        return None
    row, pawn_row, from_row = (6, 5, 7) if board.turn else (3, 4, 2)
    wrong = f"The en passant field is - or, as {_name(board.turn)} is to move, a square on row {row}, not {shown(text)}."
    if text not in chess.SQUARE_NAMES:
        raise InputError(wrong)
    if text[1] != str(row):
        doubts.append(wrong)
        return None
    file, square = text[0], chess.parse_square(text)
    pawn = chess.Piece(chess.PAWN, not board.turn)
    behind = chess.parse_square(f"{file}{from_row}")
    in_front = chess.parse_square(f"{file}{pawn_row}")
    if board.piece_at(in_front) == pawn and not board.piece_at(square) and not board.piece_at(behind):
        return square
    problem = (
        f"En passant {text} needs a {'black' if board.turn else 'white'} pawn on {file}{pawn_row}, "
        f"and nothing on {text} and {file}{from_row}, where it came from."
    )
    claimed = board.copy(stack=False)
    claimed.ep_square = square
    # A capture is claimed that the board contradicts, so it is unclear which position is meant.
    if claimed.has_legal_en_passant():
        raise InputError(problem)
    doubts.append(problem)
    return None


def _count(text: str, name: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and low <= int(text) <= high):
        raise InputError(f"The {name} is a whole number from {low} to {high}, not {shown(text)}.")
    return int(text)


def _odd_status(board: chess.Board) -> Iterator[str]:
    """Why no game leads to the position, beyond what a field shows by itself."""
    status, us = board.status(), _name(board.turn)
    attackers = " and ".join(chess.square_name(square) for square in board.checkers())
    if status & chess.STATUS_TOO_MANY_CHECKERS:
        yield f"{us}'s king is in check from {attackers} at once; at most two men can give check."
    elif status & chess.STATUS_IMPOSSIBLE_CHECK:
        last = "no move can have done" if board.ep_square is None else "the move of the en passant field cannot have done"
        yield f"{us}'s king is in check from {attackers}, which {last}."


def _name(color: chess.Color) -> str:
    return "White" if color else "Black"


# The operations of an EPD.


def _operations(text: str) -> Iterator[tuple[str, list[re.Match[str]]]]:
    """Each operation's name and its operands. A semicolon ends it, and so does a text; one that is there twice counts as it
    stands there last."""
    tokens: list[re.Match[str]] = []
    for token in [*_TOKEN.finditer(text), None]:
        if token is not None and not token["end"]:
            tokens.append(token)
        if tokens and (token is None or token["end"] or (len(tokens) > 1 and token["text"] is not None)):
            name = tokens[0][0]
            if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,14}", name):
                raise InputError(f"An operation starts with its name, such as bm or id, not with {shown(name)}.")
            yield name, tokens[1:]
            tokens = []


def _value(board: chess.Board, name: str, operands: list[re.Match[str]]) -> Value:
    words = [operand[0] for operand in operands]
    if name in MOVES:
        return _moves(board, name, [part for word in words for part in word.split(",") if part])
    if name in ("hmvc", "fmvn"):
        return _count(" ".join(words), f"operand of {name}", 0, LARGEST_CLOCK if name == "hmvc" else LARGEST_NUMBER)
    if operands and operands[-1]["text"] is not None:
        return " ".join([*words[:-1], re.sub(r'\\(["\\])', r"\1", operands[-1]["text"])])
    text = " ".join(words)
    if re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        return int(text)
    return float(text) if re.fullmatch(r"[+-]?[0-9]{0,18}\.[0-9]{1,18}", text) else text


def _moves(board: chess.Board, name: str, words: list[str]) -> tuple[str, ...]:
    """Moves of one position or, in a line, one after the other."""
    at, found = board.copy(), []
    for word in words:
        try:
            move = read_san(at, word)
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
        found.append(move.uci())
        if name == "pv":
            at.push(move)
    return tuple(found)
