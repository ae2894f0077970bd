"""Chess games made by python-chess alone: random ones, greedy ones, ones with rare moves; and a hypothesis strategy.

A game is a FEN and moves. The same seed always gives the same games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

import chess
from hypothesis import strategies as st

Kind = Literal["random", "greedy", "chess960", "few men", "rare moves", "in passing", "to and fro"]
Taste = Callable[[chess.Board, chess.Move], float]
"""How much a player likes a move: higher is better."""

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
STARTS = (
    chess.STARTING_FEN,
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
    "4k3/8/8/K1pP3r/8/8/8/8 w - c6 0 2",
    "7k/8/8/8/8/8/r6r/R3K2R w KQ - 96 70",
    "8/8/8/8/5b2/3k4/4p3/4K1B1 w - - 98 90",
)
WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}


@dataclass(frozen=True)
class Game:
    """The starting position of a game, and its moves."""

    start: str
    moves: tuple[str, ...] = ()
    chess960: bool = False

    def __str__(self) -> str:
        return f"{self.start} moves {' '.join(self.moves)}" if self.moves else self.start

    def board(self) -> chess.Board:
        """The board at the start of the game."""
        return chess.Board(self.start, chess960=self.chess960)

    def end(self) -> chess.Board:
        """The board after the last move, with the whole game on its stack."""
        board = self.board()
        for move in self.moves:
            board.push(chess.Move.from_uci(move))
        return board


def no_taste(board: chess.Board, move: chess.Move) -> float:
    """Like all moves equally."""
    return 0.0


def greed(board: chess.Board, move: chess.Move) -> float:
    """Like captures, promotions and checks; dislike putting a man where it can be taken."""
    mover = board.piece_type_at(move.from_square)
    taken = board.piece_type_at(move.to_square) if board.is_capture(move) and not board.is_en_passant(move) else None
    gain = WORTH.get(taken, 0) if taken else int(board.is_en_passant(move))
    if mover and board.is_attacked_by(not board.turn, move.to_square):
        gain -= WORTH[mover]
    return gain + WORTH.get(move.promotion or chess.KING, 0) + 0.5 * board.is_castling(move) + 0.4 * board.gives_check(move)


def curiosity(board: chess.Board, move: chess.Move) -> float:
    """Like rare moves: en passant, castling, promotions, and double steps that allow en passant."""
    rare = 2.0 * board.is_en_passant(move) + 1.5 * board.is_castling(move) + 0.7 * (move.promotion is not None)
    if abs(move.to_square - move.from_square) == 16 and board.piece_type_at(move.from_square) == chess.PAWN:
        passed = (move.from_square + move.to_square) // 2
        takers = chess.BB_PAWN_ATTACKS[board.turn][passed] & board.pawns & board.occupied_co[not board.turn]
        rare += 1.7 if takers else 0.2
    return rare + 0.3 * board.is_capture(move) + 0.3 * board.gives_check(move)


def cruelty(board: chess.Board, move: chess.Move) -> float:
    """Like moves that leave few replies: these games end in mate and stalemate."""
    board.push(move)
    replies = board.legal_moves.count()
    board.pop()
    return -0.3 * replies


def habit(board: chess.Board, move: chess.Move) -> float:
    """Like moving a man back to where it came from: these games have repetitions."""
    return float(len(board.move_stack) > 1 and board.move_stack[-2] == chess.Move(move.to_square, move.from_square))


def play_on(board: chess.Board, random: Random, taste: Taste, noise: float, plies: int) -> Game:
    """Play at most so many plies from a board, which is changed. The game ends early only if there is no legal move."""
    start, chess960, moves = board.fen(), board.chess960, []
    for _ in range(plies):
        legal = list(board.legal_moves)
        if not legal:
            break
        if taste is no_taste:
            move = random.choice(legal)
        else:
            some = random.sample(legal, min(len(legal), 14))
            move = max(some, key=lambda move: taste(board, move) + noise * random.random())
        moves.append(move.uci())
        board.push(move)
    return Game(start, tuple(moves), chess960)


def scattered(random: Random, most: int, pawns: float) -> chess.Board:
    """A random board with kings and at most so many other men, a share of them pawns; sometimes with castling rights."""
    while True:
        board = chess.Board(None)
        home = random.random() < 0.4
        squares = random.sample(range(64), 64)
        for colour, king, rooks in (
            (chess.WHITE, chess.E1, (chess.A1, chess.H1)),
            (chess.BLACK, chess.E8, (chess.A8, chess.H8)),
        ):
            if not home:
                king = squares.pop()
            board.set_piece_at(king, chess.Piece(chess.KING, colour))
            for rook in rooks if home else ():
                if random.random() < 0.5:
                    board.set_piece_at(rook, chess.Piece(chess.ROOK, colour))
        for square in squares[: random.randint(1, most)]:
            colour = random.random() < 0.5
            man = (
                chess.PAWN
                if random.random() < pawns
                else random.choice((chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN))
            )
            if man == chess.PAWN:  # where pawns matter most: at home, before the last row, and beside a double step
                row = random.choice((1, 1, 4, 4, 6, 6, 2, 3, 5))
                square = chess.square(chess.square_file(square), row if colour else 7 - row)
            if board.piece_at(square) is None:
                board.set_piece_at(square, chess.Piece(man, colour))
        board.turn = random.random() < 0.5
        board.castling_rights = board.rooks & (chess.BB_CORNERS if home else 0)
        board.castling_rights = board.clean_castling_rights()
        board.halfmove_clock = random.choice((0, 0, 0, 3, 90, 97, 98, 99, 100, 140))
        board.fullmove_number = random.randint(71, 150)
        if board.is_valid():
            return board


def before_a_double_step(random: Random) -> chess.Board:
    """A board on which a pawn can move two steps to where others may take it en passant, unless pins or discovered checks
    forbid it."""
    while True:
        board, colour = chess.Board(None), random.random() < 0.5
        squares = random.sample(range(64), 64)
        file, home, beside = random.randrange(8), 1 if colour else 6, 3 if colour else 4
        board.set_piece_at(chess.square(file, home), chess.Piece(chess.PAWN, colour))
        for other in (file - 1, file + 1):
            if 0 <= other < 8 and random.random() < 0.7:
                board.set_piece_at(chess.square(other, beside), chess.Piece(chess.PAWN, not colour))
        row = [chess.square(other, beside) for other in range(8) if other != file]
        for side, places in ((colour, squares), (not colour, row if random.random() < 0.4 else squares)):
            free = next(square for square in random.sample(places, len(places)) if board.piece_at(square) is None)
            board.set_piece_at(free, chess.Piece(chess.KING, side))
        for square in random.sample(row, 1) + squares[: random.randint(1, 4)]:
            if board.piece_at(square) is None:
                man = random.choice((chess.BISHOP, chess.ROOK, chess.QUEEN))
                board.set_piece_at(square, chess.Piece(man, random.random() < 0.7 if colour else random.random() < 0.3))
        board.turn = colour
        if board.is_valid():
            return board


def game(kind: Kind, random: Random) -> Game:
    """One game of a kind."""
    if kind == "random":
        return play_on(chess.Board(random.choice(STARTS[:6])), random, no_taste, 0, 140)
    if kind == "greedy":
        return play_on(chess.Board(), random, greed, 1.5, 160)
    if kind == "chess960":
        return play_on(chess.Board.from_chess960_pos(random.randrange(960)), random, curiosity, 1.5, 50)
    if kind == "few men":
        return play_on(scattered(random, 4, 0.3), random, random.choice((no_taste, cruelty)), 1, 14)
    if kind == "rare moves":
        return play_on(scattered(random, 14, 0.7), random, curiosity, 0.8, 12)
    if kind == "in passing":
        return play_on(before_a_double_step(random), random, curiosity, 0.8, 3)
    board = chess.Board(random.choice(STARTS)) if random.random() < 0.5 else scattered(random, 4, 0.3)
    board.halfmove_clock, board.fullmove_number = random.choice((0, 0, 0, 70, 90)), random.randint(240, 256)
    return play_on(board, random, habit, 1.15, 36)


def games(kind: Kind, seed: int = 0) -> Iterator[Game]:
    """Yield games of a kind without end; the same ones for the same seed."""
    random = Random(f"{kind} {seed}")
    while True:
        yield game(kind, random)


def some_boards(kind: Kind, count: int, seed: int = 0) -> list[chess.Board]:
    """So many different positions from games of a kind, each with a legal move and without history."""
    random, found = Random(f"boards {kind} {seed}"), dict[str, chess.Board]()
    for played in games(kind, seed):
        board = played.board()
        for move in played.moves:
            if random.random() < 0.3:
                found.setdefault(board.epd(), board.copy(stack=False))
            board.push(chess.Move.from_uci(move))
        if len(found) >= count:
            return list(found.values())[:count]
    raise AssertionError("games have no end")


@st.composite
def any_games(draw: st.DrawFn) -> Game:
    """A hypothesis strategy: a start and, for each ply, the index of a move in alphabetical order. It shrinks to few
    plies."""
    start = draw(st.sampled_from(STARTS))
    board, moves = chess.Board(start), []
    for number in draw(st.lists(st.integers(0, 250), max_size=30)):
        legal = sorted(move.uci() for move in board.legal_moves)
        if not legal:
            break
        moves.append(legal[number % len(legal)])
        board.push_uci(moves[-1])
    return Game(start, tuple(moves))
