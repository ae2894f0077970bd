"""FEN and EPD: what is legal reads back, what cannot be searched says which field is wrong, and what is odd is told."""

from __future__ import annotations

import random
import re

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract import InputError
from engines.games.chess.fen import doubt, looks_like_epd, read_epd, read_fen, write_fen
from tests.mutation import ODD, attempt, is_sentence, slips

START = chess.STARTING_FEN
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
LONE_KINGS = "4k3/8/8/8/8/8/8/4K3"


def random_positions(games: int, chess960: bool = False) -> list[chess.Board]:
    """Positions of random games, every third ply."""
    found = []
    for seed in range(games):
        chance = random.Random(seed)
        board = chess.Board.from_chess960_pos(chance.randrange(960)) if chess960 else chess.Board()
        for ply in range(120):
            moves = list(board.legal_moves)
            if not moves:
                break
            if ply % 3 == 0:
                found.append(board.copy(stack=False))
            board.push(chance.choice(moves))
    return found


def says(text: str) -> str:
    """What is wrong with a FEN."""
    with pytest.raises(InputError) as raised:
        read_fen(text)
    message = str(raised.value)
    assert is_sentence(message)
    return message


# What is true of chess.


def test_all_960_starting_positions_in_both_notations() -> None:
    for number in range(960):
        start = chess.Board.from_chess960_pos(number)
        plain, shredder = read_fen(start.fen()), read_fen(start.fen(shredder=True))
        assert plain == shredder == start
        assert plain.chess960 == shredder.chess960 == bool(start.has_chess960_castling_rights())
        assert plain.chess960_pos() == number
        assert write_fen(plain) == write_fen(shredder) == start.fen()
    assert not read_fen(START.replace("KQkq", "HAha")).chess960
    assert sum(read_fen(chess.Board.from_chess960_pos(number).fen()).chess960 for number in range(960)) == 960 - 18


@pytest.mark.parametrize("chess960", [False, True])
def test_positions_of_games_read_back(chess960: bool) -> None:
    positions = random_positions(20, chess960)
    assert len(positions) > 600
    for board in positions:
        again = read_fen(write_fen(board))
        assert again == board
        assert set(again.legal_moves) == set(board.legal_moves) or again.chess960 != board.chess960
        assert again.chess960 == board.has_chess960_castling_rights()
        assert read_fen(board.fen(shredder=True, en_passant="fen")) == again
        assert write_fen(again) == write_fen(board)
        assert read_epd(board.epd(hmvc=board.halfmove_clock, fmvn=board.fullmove_number))[0] == again


@pytest.mark.parametrize(
    ("fen", "square"),
    [
        ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "e3"),
        ("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1", None),  # no white pawn beside it
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", None),  # the capture would open the row to the queen
        ("8/6bb/8/8/R1pP2k1/4P3/P7/K7 b - d3 0 1", None),
        ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "d3"),  # the only way to take the pawn that checks, or one of them
    ],
)
def test_en_passant_is_kept_where_a_capture_is_legal(fen: str, square: str | None) -> None:
    board = read_fen(fen)
    assert board.ep_square == (chess.parse_square(square) if square else None)
    assert write_fen(board).split()[3] == (square or "-")
    assert read_fen(write_fen(board)) == board


def test_castling_of_inner_and_outer_rooks() -> None:
    inner, outer = (read_fen(f"4k3/8/8/8/8/8/8/4K1RR w {letter} - 0 1") for letter in "GK")
    assert inner.chess960
    assert not outer.chess960
    assert inner != outer
    assert (write_fen(inner).split()[2], write_fen(outer).split()[2]) == ("G", "K")
    assert read_fen("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1") == read_fen("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1")


def test_what_may_be_left_out_or_written_otherwise() -> None:
    board = read_fen(KIWIPETE)
    assert read_fen(" ".join(KIWIPETE.split()[:4])) == read_fen(" ".join(KIWIPETE.split()[:5])) == board
    assert read_fen(f"\n {KIWIPETE.replace(' ', ' 	  ')}\r\n") == board
    assert read_fen(START.replace("0 1", "9999 99999")).fullmove_number == 99_999
    assert read_fen(START.replace("KQkq", "QKqk")) == read_fen(START)


# What is wrong, and where.


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        ("", ["empty", "board"]),
        (START + " 7 8", ["sixth field", "'7 8'"]),
        (START + " moves" * 3000, ["sixth field"]),
        ("8/" * 20_000, ["20,000 characters"]),
        (f"{LONE_KINGS}/8 w - - 0 1", ["board", "8 rows", "has 9"]),
        (START.replace("/8/8/8/8/", "/8/8/8/"), ["board", "8 rows", "has 7"]),
        (START.replace("rnbqkbnr/", "rnbqkbnrr/"), ["Row 8 of the board", "9 squares"]),
        (START.replace("/RNBQKBNR", "/RNBQKBN"), ["Row 1 of the board", "7 squares"]),
        (START.replace("/8/8/8/8/", "/8/8//8/"), ["Row 4 of the board", "0 squares"]),
        (START.replace("/8/8/8/8/", "/8/44/8/8/"), ["Row 5 of the board", "two digits running"]),
        (START.replace("/8/8/8/8/", "/8/9/8/8/"), ["Row 5 of the board", "has '9'"]),
        (START.replace("/8/8/8/8/", "/08/8/8/8/"), ["Row 6 of the board", "has '0'"]),
        (START.replace("/8/8/8/8/", "/8/8/٨/8/"), ["Row 4 of the board", "has '٨'"]),
        (START.replace("Q", "Q~"), ["Row 1 of the board", "has '~'"]),
        (START.replace("rnbq", "rnbx"), ["Row 8 of the board", "has 'x'"]),
        ("8/8/8/8/8/8/8/8 w - - 0 1", ["White has 0 kings on the board"]),
        ("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", ["Black has 2 kings on the board"]),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", ["pawn on h1", "row 1 or row 8"]),
        ("p3k3/8/8/8/8/8/8/4K3 w - - 0 1", ["pawn on a8"]),
        ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", ["White has 17 men"]),
        (START.replace(" w ", " W "), ["side to move", "'W'"]),
        (START.replace(" w ", " white "), ["side to move", "w or b", "'white'"]),
        (START.replace("KQkq", "KQkqq"), ["castling", "'KQkqq'"]),
        (START.replace("KQkq", "kqKQ"), ["castling", "White and then"]),
        (START.replace("KQkq", "--"), ["castling", "'--'"]),
        (START.replace("KQkq", "Ix"), ["castling", "'Ix'"]),
        (START.replace("KQkq", "kqqq"), ["castling"]),
        (START.replace(" - ", " E6 "), ["en passant", "'E6'"]),
        (START.replace(" - ", " e66 "), ["en passant", "'e66'"]),
        ("4k3/4p3/8/4pP2/8/8/8/4K3 w - e6 0 1", ["En passant e6", "nothing on e6 and e7"]),
        (START.replace("0 1", "-1 1"), ["clock", "from 0 to 9999", "'-1'"]),
        (START.replace("0 1", "10000 1"), ["clock", "from 0 to 9999"]),
        (START.replace("0 1", "٣ 1"), ["clock", "'٣'"]),
        (START.replace("0 1", "1_0 1"), ["clock", "'1_0'"]),
        (START.replace("0 1", "0 1.5"), ["move number", "'1.5'"]),
        (START.replace("0 1", "0 " + "9" * 5000), ["move number"]),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", ["Black's king can be captured: it is White's move."]),
        ("8/8/8/3kK3/8/8/8/8 b - - 0 1", ["White's king can be captured: it is Black's move."]),
    ],
)
def test_the_sentence_names_the_field(text: str, hints: list[str]) -> None:
    message = says(text)
    for hint in hints:
        assert hint in message


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", ["White has 9 pawns"]),
        ("4k3/8/8/8/8/N7/PPPPPPPP/1NBQKBNR w - - 0 1", ["White has 8 pawns", "1 piece more"]),
        ("rrrrkrrr/rrrr4/1p6/8/8/8/8/4K3 b - - 0 1", ["Black has 1 pawn on", "9 pieces more"]),
        (START.replace("KQkq", "KH"), ["castling", "two letters for White's king's side"]),
        (START.replace("KQkq", "aq"), ["castling", "two letters for Black's queen's side"]),
        (f"{LONE_KINGS} w K - 0 1", ["Castling K needs a white king on e1 and a rook on h1"]),
        (f"{LONE_KINGS} w q - 0 1", ["Castling q needs a black king on e8 and a rook on a8"]),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", ["Castling K needs a white king on e1", "Chess960", "row 1"]),
        ("4k3/8/8/8/8/8/8/4KR2 w H - 0 1", ["Castling H needs a white king on row 1 and a rook on h1"]),
        (START.replace(" - ", " e3 "), ["en passant", "White is to move", "row 6", "'e3'"]),
        (START.replace("w KQkq -", "b KQkq e6"), ["en passant", "Black is to move", "row 3", "'e6'"]),
        (START.replace(" - ", " e6 "), ["En passant e6 needs a black pawn on e5", "nothing on e6 and e7"]),
        ("4k3/8/8/8/4r3/8/8/r3K2r w - - 0 1", ["White's king is in check from a1 and h1 and e4", "at most two"]),
        ("4k3/8/8/8/8/8/8/r3K2r w - - 0 1", ["White's king is in check from a1 and h1", "no move"]),
        ("4k3/8/8/4p3/8/3K4/8/3r4 w - e6 0 1", ["White's king is in check from d1", "en passant"]),
    ],
)
def test_what_is_odd_is_read_and_can_be_told(text: str, hints: list[str]) -> None:
    """The moves are clear, and python-chess has the same ones."""
    assert write_fen(read_fen(text)) == chess.Board(text, chess960=read_fen(text).chess960).fen()
    message = doubt(text)
    assert message is not None
    assert is_sentence(message)
    for hint in hints:
        assert hint in message


@pytest.mark.parametrize("count", range(1, 6))
def test_fields_that_are_missing(count: int) -> None:
    text = " ".join(KIWIPETE.split()[:count])
    assert write_fen(read_fen(text)) == chess.Board(text).fen()


def test_a_move_number_of_nought() -> None:
    """As in many files of mates."""
    assert write_fen(read_fen(START.replace("0 1", "0 0"))) == START
    assert write_fen(read_epd(f"{START[:-4]} fmvn 0; dm 3;")[0]) == START
    assert doubt(START.replace("0 1", "0 0")) is None


UNSEARCHABLE = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_OPPOSITE_CHECK
)


def test_men_put_on_the_board_at_random() -> None:
    """What can be searched is read as python-chess reads it, and what no game leads to can be told from what one does."""
    chance = random.Random(3)
    legal, problems = 0, chess.Status(0)
    for _ in range(2000):
        board = chess.Board.empty()
        letters = ["K", chance.choice("kkkkkkkkkkkkkkKn"), *chance.choices("QRBNPqrbnp", k=chance.randint(0, 10))]
        for square, letter in zip(chance.sample(range(64), len(letters)), letters, strict=True):
            if letter not in "Pp" or 7 < square < 56 or chance.random() < 0.1:
                board.set_piece_at(square, chess.Piece.from_symbol(letter))
        en_passant = chance.choice(["-", "-", "-", "-", "d3", "e6"])
        text = f"{board.board_fen()} {chance.choice('wb')} - {en_passant} 0 1"
        theirs = chess.Board(text)
        problems |= theirs.status()
        false_capture = theirs.status() & chess.STATUS_INVALID_EP_SQUARE and theirs.has_legal_en_passant()
        if theirs.status() & UNSEARCHABLE or false_capture:
            says(text)
            continue
        legal += theirs.is_valid()
        assert write_fen(read_fen(text)) == theirs.fen()
        assert (doubt(text) is None) == theirs.is_valid()
    assert legal > 200
    for problem in (chess.STATUS_OPPOSITE_CHECK, chess.STATUS_TOO_MANY_CHECKERS, chess.STATUS_IMPOSSIBLE_CHECK):
        assert problems & problem


# EPD.


def test_operations() -> None:
    text = f'{KIWIPETE[:-4]} bm Bxa6 d5xe6; am O-O-O!?; pv O-O O-O; id "BK; \\"01\\""; acd 12; ce -30; x 0.5; c0 a b; ok;'
    board, operations = read_epd(text)
    assert board == read_fen(KIWIPETE)
    assert operations == {
        "bm": ("e2a6", "d5e6"),
        "am": ("e1c1",),
        "pv": ("e1g1", "e8g8"),
        "id": 'BK; "01"',
        "acd": 12,
        "ce": -30,
        "x": 0.5,
        "c0": "a b",
        "ok": "",
    }


def test_clock_and_number_of_an_epd() -> None:
    assert write_fen(read_epd(f"{START[:-4]} hmvc 7; fmvn 12;")[0]) == START.replace("0 1", "7 12")
    board, operations = read_epd(f"{START.replace('0 1', '3 4')} ;D1 20 ;D2 400")  # as lists of perft counts are written
    assert write_fen(board) == START.replace("0 1", "3 4")
    assert operations == {"D1": 20, "D2": 400}
    assert read_epd(START) == (read_fen(START), {})


def test_what_is_epd_and_what_is_fen() -> None:
    assert looks_like_epd(f"{START[:-4]} bm e4;")
    assert looks_like_epd(f"{START} ;D1 20")
    for fen in (
        START,
        START[:-4],
        START[:-2],
        f"{START} x",
        f"{START[:-4]} moves e2e4",
        START.replace("0 1", "- 1"),
        "",
        "a b",
    ):
        assert not looks_like_epd(fen)


@pytest.mark.parametrize(
    ("operations", "hint"),
    [
        ("bm Qz9;", "bm: 'Qz9' is not a legal move"),
        ("bm e4; am e5", "am: 'e5' is not a legal move"),
        ("pv e4 e4;", "pv: 'e4' is not a legal move"),
        ("bm --;", "bm: '--' is a null move"),
        ("5;", "not with '5'"),
        ('"a";', "An operation starts with its name"),
        ("hmvc x;", "hmvc is a whole number from 0 to 9999, not 'x'"),
        ("fmvn -1", "fmvn is a whole number from 0 to 99999, not '-1'"),
        ("0 1 0 1", "An operation starts with its name"),
        ("a" * 16, "An operation starts with its name"),
    ],
)
def test_bad_operations(operations: str, hint: str) -> None:
    with pytest.raises(InputError, match=re.escape(hint)) as raised:
        read_epd(f"{START[:-4]} {operations}")
    assert is_sentence(str(raised.value))


@pytest.mark.parametrize(
    ("operations", "found"),
    [
        ("bm e4; bm d4;", {"bm": ("d2d4",)}),
        ('id "a', {"id": "a"}),
        ('id "a" bm e4;', {"id": "a", "bm": ("e2e4",)}),
        ("bm; id x", {"bm": (), "id": "x"}),
        ("bm Nf3\u203c e4!?", {"bm": ("g1f3", "e2e4")}),
    ],
)
def test_operations_with_slips(operations: str, found: dict[str, object]) -> None:
    assert read_epd(f"{START[:-4]} {operations}")[1] == found


def test_ambiguous_move() -> None:
    with pytest.raises(InputError, match="bm: 'Nd2' can be more than one move"):
        read_epd("4k3/8/8/8/8/5N2/8/1N2K3 w - - bm Nd2;")


# Slips.

STRICTER = r"from 0 to 9999|from 0 to 99999|has '~'"
"""What python-chess lets pass although nobody can have meant it."""


def valid_texts() -> list[str]:
    boards = random_positions(6) + random_positions(6, chess960=True)
    en_passant = ["rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"]
    return [*en_passant * 10, KIWIPETE, *(board.fen() for board in boards), *(board.fen(shredder=True) for board in boards)]


def agrees(board: chess.Board, text: str) -> None:
    """The position can be searched, and python-chess reads the same one from the same fields."""
    assert not board.status() & UNSEARCHABLE
    theirs = chess.Board(text, chess960=board.chess960)
    assert theirs.fen() == write_fen(board)
    assert read_fen(write_fen(board)) == board


def python_chess_takes(text: str) -> bool:
    for chess960 in (False, True):
        try:
            if chess.Board(text, chess960=chess960).is_valid():
                return True
        except (ValueError, IndexError):
            continue
    return False


def test_a_thousand_fens_with_slips() -> None:
    read = 0
    for text in slips(valid_texts(), 1500):
        board, complaint = attempt(read_fen, text)
        if board is None:
            assert re.search(STRICTER, complaint) or not python_chess_takes(text), (complaint, text)
        else:
            read += 1
            agrees(board, text)
    assert 50 < read < 1000


def test_a_thousand_epds_with_slips() -> None:
    chance = random.Random(2)
    texts = []
    for board in random_positions(10) + random_positions(5, chess960=True):
        moves = chance.sample(list(board.legal_moves), min(2, board.legal_moves.count()))
        texts.append(board.epd(bm=moves, id="BK.01", acd=5, hmvc=board.halfmove_clock, pv=moves[:1], c0='a; "b"'))
    read = 0
    for text in slips(texts, 1500):
        found, _ = attempt(read_epd, text)
        if found is None:
            continue
        read += 1
        board, operations = found
        fields = text.split()[:4]
        fields += ["w", "-", "-"][len(fields) - 1 :]
        agrees(board, f"{' '.join(fields)} {board.halfmove_clock} {board.fullmove_number}")
        best = operations.get("bm", ())
        assert isinstance(best, tuple)
        assert all(chess.Move.from_uci(move) in board.legal_moves for move in best)
        try:
            theirs = chess.Board.from_epd(text, chess960=board.chess960)[1].get("bm")
        except (ValueError, AssertionError):
            continue
        if isinstance(theirs, list):
            assert best == tuple(move.uci() for move in theirs)
    assert 50 < read < 1200


any_text = st.one_of(
    st.text(max_size=40), st.text(ODD, max_size=90), st.lists(st.sampled_from(START.split()), max_size=8).map(" ".join)
)


@given(any_text)
def test_any_text(text: str) -> None:
    for board in (attempt(read_fen, text)[0], (attempt(read_epd, text)[0] or [None])[0]):
        assert board is None or not board.status() & UNSEARCHABLE
