"""Files as the world writes them, made by chance: PGN, EPD and FEN with the slips that public files have."""

from __future__ import annotations

import random

import chess
import chess.pgn

NUMBERS = ("right", "wrong", "none")
ILLEGAL = "ILLEGAL"
"""Stands for an illegal move until it is known on which line."""


def some_board(chance: random.Random) -> chess.Board:
    """A position of a random game."""
    board = chess.Board()
    for _ in range(chance.randint(0, 60)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(chance.choice(moves))
    return board


def fen_line(chance: random.Random) -> str:
    """A FEN, often with a slip: move number 0, fields left out, rights without rooks, a wrong en passant square, rubbish."""
    board = some_board(chance)
    rows, side, castling, square, clock, number = board.fen().split()
    slip = chance.randrange(9)
    if slip == 0:
        number = "0"
    elif slip == 1:
        return " ".join((rows, side, castling, square, clock, number)[: chance.randint(1, 5)])
    elif slip == 2:
        castling = chance.choice(("KQkq", "KQ", "kq", "Kq"))
    elif slip == 3:
        square = chance.choice(chess.SQUARE_NAMES)
    elif slip == 4:
        side = "b" if side == "w" else "w"  # perhaps with a king that can be captured
    elif slip == 5:
        rows = rows.replace(chance.choice("pPnNqQ"), chance.choice("pPqQkK12"), 1)
    elif slip == 6:
        clock = chance.choice(("-1", "?", "100", "0"))
    return " ".join((rows, side, castling, square, clock, number))


def epd_line(chance: random.Random) -> str:
    """An EPD, often with a slip: a text that is not closed, operations that come twice, illegal moves."""
    board = some_board(chance)
    moves = [board.san(move) for move in board.legal_moves]
    if not moves:
        return board.epd()
    move = chance.choice(moves)
    operations = chance.choice(
        (
            f'bm {move}; id "one";',
            f'bm {move}; id "one',
            f'id "one" bm {move};',
            f"bm {chance.choice(moves)}; bm {move};",
            f"fmvn 0; bm {move}; acd 5;",
            "bm Qz9;",
            f'am {move}; c0 "a; b";',
            "id 7;",
        )
    )
    return f"{' '.join(board.fen().split()[:4])} {operations}"


def pgn_game(chance: random.Random, number: int) -> str:
    """A game, often with slips: wrong move numbers or none, marks in one character, tags with quotation marks, odd lines."""
    game = _some_game(chance, number)
    tags, _, moves_text = str(game).partition("\n\n")
    slip = chance.randrange(7)
    if slip == 0:
        moves_text = "".join(f"{chance.randint(1, 99)}." if part.isdigit() else part for part in _split_numbers(moves_text))
    elif slip == 1:
        moves_text = "".join("" if part.isdigit() else part.lstrip(".") for part in _split_numbers(moves_text))
    elif slip == 2:
        words = moves_text.split(" ")
        at = [place for place, word in enumerate(words) if word[:1] in tuple("NBRQKabcdefgh") and "{" not in moves_text]
        for place in at[:3]:
            words[place] += "\u203c"
        moves_text = " ".join(words)
    elif slip == 3:
        moves_text = f"; a line for nobody\n{moves_text}"
    elif slip == 4:
        tags += "\n[Annotator not a tag"
    elif slip == 5:
        moves_text = moves_text.replace("\n", "\r\n")
    return f"{tags}\n\n{moves_text}\n\n"


def broken_game(chance: random.Random, number: int) -> tuple[str, int]:
    """A game with an illegal move in its main line, on short lines; and on which of them that move stands.

    (None in a variation: python-chess then takes what follows the variation for moves of it.)
    """
    game = _some_game(chance, number)
    bad = chance.choice(list(game.mainline()))
    text = f"{game.accept(_Breaking(bad.move))}\n\n"
    line = text[: text.index(ILLEGAL)].count("\n") + 1
    return text.replace(ILLEGAL, _illegal(chance, bad.parent.board())), line


class _Breaking(chess.pgn.StringExporter):
    """Writes a game on short lines, and another word for one of its moves."""

    def __init__(self, bad: chess.Move) -> None:
        super().__init__(columns=40)
        self.bad = bad

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if move is self.bad:
            self.write_token(f"{ILLEGAL} ")
        else:
            super().visit_move(board, move)


def _illegal(chance: random.Random, board: chess.Board) -> str:
    """A move that is written well and cannot be played."""
    while True:
        text = chance.choice(("", "N", "B", "R", "Q", "K")) + chance.choice(chess.SQUARE_NAMES)
        try:
            board.parse_san(text)
        except ValueError:
            return text


def _some_game(chance: random.Random, number: int) -> chess.pgn.Game:
    """A random game with comments and variations."""
    game = chess.pgn.Game()
    game.headers["Event"] = chance.choice(("Open", "x y z", "?"))
    game.headers["Round"] = str(number)
    node: chess.pgn.GameNode = game
    for _ in range(chance.randint(1, 40)):
        moves = list(node.board().legal_moves)
        if not moves:
            break
        following = node.add_variation(chance.choice(moves), comment=chance.choice(("", "", "", "[%clk 0:10:00]", "a (b")))
        if chance.random() < 0.1 and not node.has_variation(moves[0]):
            node.add_variation(moves[0], nags=[chance.randint(1, 20)])
        node = following
    game.headers["Result"] = chance.choice(("1-0", "0-1", "1/2-1/2"))
    return game


def _split_numbers(text: str) -> list[str]:
    """The text in parts, of which those made of digits are the move numbers outside of comments."""
    import re

    return [
        piece
        for part in re.split(r"(\{[^}]*\})", text)
        for piece in ([part] if part.startswith("{") else re.split(r"(?<![\w/$-])(\d+)(?=\.)", part))
    ]
