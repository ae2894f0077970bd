"""Books and tables: what they say is true, and whatever is wrong with their files is a sentence."""

from __future__ import annotations

import os
import random
import struct
from functools import partial
from pathlib import Path
from typing import IO, Any

import chess
import chess.polyglot
import chess.syzygy
import msgspec
import pytest

from engines.contract import InputError
from positions.endgames import Judged, under_fifty_moves
from positions.references import References, ReferenceSources, look_up, san
from tests.naive.retrograde import NEVER, solve

GNU_BOOK = Path("/usr/share/games/gnuchess/book.bin")
GAVIOTA = Path("/usr/share/gaviotatb")
START = chess.STARTING_FEN
needs_gaviota = pytest.mark.skipif(not (GAVIOTA / "gtb4/kqk.gtb.cp4").exists(), reason="Debian's gaviotatb is not installed")


def write_book(path: Path, *entries: tuple[str, str, int]) -> str:
    """A Polyglot book of (FEN, raw move such as e1h1, weight)."""
    rows = []
    for fen, move, weight in entries:
        source, target = chess.parse_square(move[:2]), chess.parse_square(move[2:4])
        promotion = " nbrq".index(move[4]) if len(move) > 4 else 0
        key = chess.polyglot.zobrist_hash(chess.Board(fen))
        rows.append(struct.pack(">QHHI", key, promotion << 12 | source << 6 | target, weight, 0))
    path.write_bytes(b"".join(sorted(rows)))
    return str(path)


def moves(found: References) -> dict[str, int]:
    return {row.move: row.weight for row in found.book}


# Books


def test_book_moves_have_weights_and_shares(tmp_path: Path) -> None:
    book = write_book(tmp_path / "book.bin", (START, "d2d4", 1), (START, "e2e4", 2), (START, "e2e4", 1), (START, "a2a3", 0))
    found = look_up(START, book)
    assert [(row.move, row.weight, row.share) for row in found.book] == [
        ("e2e4", 3, 0.75),
        ("d2d4", 1, 0.25),
        ("a2a3", 0, 0),
    ]
    assert (found.table, found.notes) == (None, ())


def test_book_of_nothing_but_weightless_moves(tmp_path: Path) -> None:
    (row,) = look_up(START, write_book(tmp_path / "book.bin", (START, "e2e4", 0))).book
    assert (row.move, row.share) == ("e2e4", 0)


def test_moves_of_another_position_with_the_same_key_are_left_out(tmp_path: Path) -> None:
    book = write_book(tmp_path / "book.bin", (START, "e2e5", 9), (START, "e7e5", 9), (START, "d2d4q", 9), (START, "g1f3", 1))
    assert moves(look_up(START, book)) == {"g1f3": 1}


def test_castling_and_promotion_are_written_as_uci_has_them(tmp_path: Path) -> None:
    castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1"
    book = write_book(
        tmp_path / "book.bin", (castling, "e1h1", 3), (castling, "e1a1", 2), (promotion, "a7a8q", 2), (promotion, "a7a8n", 1)
    )
    assert moves(look_up(castling, book)) == {"e1g1": 3, "e1c1": 2}
    assert moves(look_up(promotion, book)) == {"a7a8q": 2, "a7a8n": 1}
    assert moves(look_up(castling, book, chess960=True)) == {"e1h1": 3, "e1a1": 2}
    assert san(castling, "e1g1") == san(castling, "e1h1") == "O-O"
    assert san(promotion, "a7a8n") == "a8=N"


def test_castling_rights_that_cannot_be_do_not_hide_a_position(tmp_path: Path) -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    book = write_book(tmp_path / "book.bin", (fen, "e1h1", 1))
    assert moves(look_up(fen.replace("K -", "KQkq -"), book)) == {"e1g1": 1}


def test_books_do_not_have_castling_from_other_squares(tmp_path: Path) -> None:
    fen = "1r2k3/8/8/8/8/8/8/1R2K3 w B - 0 1"
    book = write_book(tmp_path / "book.bin", ("1r2k3/8/8/8/8/8/8/1R2K3 w - - 0 1", "b1b8", 1))
    assert look_up(fen, book) == References()
    assert moves(look_up(fen.replace(" B ", " - "), book)) == {"b1b8": 1}


def test_positions_that_are_not_in_the_book(tmp_path: Path) -> None:
    book = write_book(tmp_path / "book.bin", (START, "e2e4", 1))
    assert look_up("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", book) == References()
    assert look_up(START) == References()


@pytest.mark.skipif(not GNU_BOOK.exists(), reason="Debian's gnuchess-book is not installed")
def test_gnu_chess_opens_as_people_do() -> None:
    found = look_up(START, str(GNU_BOOK))
    assert [row.move for row in found.book[:4]] == ["e2e4", "d2d4", "g1f3", "c2c4"]
    assert sum(row.share for row in found.book) == pytest.approx(1)
    assert found.notes == ()
    with ReferenceSources(str(GNU_BOOK)) as sources:
        assert sources.holdings()["book"].count == GNU_BOOK.stat().st_size // 16


def test_whatever_is_wrong_with_a_book_is_a_sentence(tmp_path: Path) -> None:
    whole = Path(write_book(tmp_path / "whole.bin", (START, "e2e4", 1), (START, "d2d4", 1))).read_bytes()
    for content, sentence in [
        (whole[:-1], "part of an entry"),
        (b"", "is empty"),
        (b"This is no book, but some text.." * 8, "not in order"),
    ]:
        book = tmp_path / "book.bin"
        book.write_bytes(content)
        found = look_up(START, str(book))
        assert found.book == ()
        assert len(found.notes) == 1
        assert sentence in found.notes[0]
        assert str(book) in found.notes[0]


def test_books_that_are_not_there(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # opening it would wait forever
    for path, sentence in [
        (tmp_path / "none.bin", "does not exist."),
        (tmp_path, "is not a file."),
        (tmp_path / "pipe", "is not a file."),
        (Path(__file__) / "book.bin", "cannot be read: Not a directory."),
        (tmp_path / ("x" * 300), "cannot be read: File name too long."),
    ]:
        (note,) = look_up(START, str(path)).notes
        assert note.startswith("The opening book '")
        assert note.endswith(sentence)
    assert look_up(START, "nul\0").notes[0].endswith("does not exist.")


def test_books_that_may_not_be_read(tmp_path: Path) -> None:
    book = Path(write_book(tmp_path / "book.bin", (START, "e2e4", 1)))
    book.chmod(0)
    if os.access(book, os.R_OK):
        pytest.skip("root may read everything")
    assert look_up(START, str(book)).notes[0].endswith("cannot be read: Permission denied.")


# Gaviota


def by_retrograde(board: chess.Board) -> tuple[int, int]:
    """For White: the sign of the outcome and the plies to mate, by the oracle, with one piece beside the kings at most."""
    pieces = [piece for piece in board.piece_map().values() if piece.piece_type != chess.KING]
    if not pieces or pieces[0].piece_type in (chess.BISHOP, chess.KNIGHT):
        return 0, 0
    if pieces[0].color == chess.BLACK:
        sign, plies = by_retrograde(board.mirror())
        return -sign, plies
    solved = solve(pieces[0].symbol())
    (man,) = chess.SquareSet(board.occupied & ~board.kings)
    kings = board.king(chess.WHITE), board.king(chess.BLACK)
    plies = int((solved.white if board.turn else solved.black)[kings[0], man, kings[1]])
    return (0, 0) if plies == NEVER else (1, plies)


def best_moves(board: chess.Board) -> set[str]:
    """The moves that keep the outcome and are quickest or resist longest, by the oracle."""
    after = {}
    for move in list(board.legal_moves):
        board.push(move)
        sign, plies = by_retrograde(board)
        after[move.uci()] = (sign if board.turn == chess.BLACK else -sign), plies
        board.pop()
    top = max(after.values(), key=lambda value: (value[0], -value[0] * value[1]))
    return {move for move, value in after.items() if value == top}


def random_board(piece: str, chance: random.Random) -> chess.Board:
    """Two kings and one piece, of either colour, with either side to move and something to do."""
    while True:
        board = chess.Board(None)
        squares = chance.sample(chess.SQUARES, 3)
        for square, symbol in zip(squares, ("K", "k", chance.choice([piece, piece.lower()])), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = chance.choice(chess.COLORS)
        if board.is_valid() and any(board.legal_moves):
            return board


@needs_gaviota
@pytest.mark.parametrize("piece", ["Q", "R", "P"])
def test_gaviota_agrees_with_a_solver(piece: str) -> None:
    chance = random.Random(piece)
    outcomes = {1: "first", -1: "second", 0: "draw"}
    seen = set()
    with ReferenceSources(gaviota=[str(GAVIOTA / "gtb4")]) as sources:
        for _ in range(150):
            board = random_board(piece, chance)
            found = sources.look_up(board.fen())
            sign, plies = by_retrograde(board)
            assert found.table is not None
            assert found.notes == ()
            assert found.table.source == "gaviota"
            assert (found.table.outcome, found.table.distance) == (outcomes[sign], plies if sign else None), board.fen()
            assert set(found.table.best) == best_moves(board), board.fen()
            seen.add((found.table.outcome, board.turn))
    assert len(seen) == 6


@needs_gaviota
def test_facts_that_are_known() -> None:
    table = look_up("8/8/8/8/8/8/8/K2kr3 w - - 0 1", gaviota=[str(GAVIOTA)]).table  # from python-chess's manual
    assert table is not None
    assert (table.outcome, table.distance, table.best) == ("second", 10, ("a1b2",))
    opposition = look_up("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", gaviota=[str(GAVIOTA)]).table
    assert opposition is not None
    assert opposition.outcome == "first"
    assert set(opposition.best) <= {"e6d6", "e6f6"}
    bare = look_up("4k3/8/4K3/8/8/8/8/8 w - - 0 1", gaviota=[str(GAVIOTA)]).table
    assert bare is not None
    assert bare.outcome == "draw"


@needs_gaviota
def test_where_tables_have_nothing_to_say() -> None:
    gaviota = [str(GAVIOTA)]
    for fen in [
        START,
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",  # castling
        "4k3/8/8/8/8/8/8/RB2K3 w - - 0 1",  # no such table
        "4k3/pppp4/8/8/8/8/8/4K3 w - - 0 1",  # too many men
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",  # mate
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",  # stalemate
        "8/8/8/8/8/8/8/1K1kR3 w - - 0 1",  # a king that could be taken
        "8/8/8/8/8/8/8/K3r3 w - - 0 1",  # no king
    ]:
        assert look_up(fen, gaviota=gaviota) == References(), fen
    with ReferenceSources(gaviota=gaviota) as sources:
        assert sources.holdings()["gaviota"].count == 5


@needs_gaviota
def test_fifty_moves_are_mentioned_where_they_may_matter() -> None:
    (note,) = look_up("8/8/8/8/8/8/8/K2kr3 w - - 91 80", gaviota=[str(GAVIOTA)]).notes
    assert "fifty-move rule" in note
    assert look_up("8/8/8/8/8/8/8/K2kr3 w - - 90 80", gaviota=[str(GAVIOTA)]).notes == ()


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """Copies of Gaviota's tables that may be spoiled."""
    for path in (GAVIOTA / "gtb4").glob("k?k.gtb.cp4"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


@needs_gaviota
def test_damaged_gaviota_tables_are_named(copies: Path) -> None:
    table = copies / "kqk.gtb.cp4"
    whole = table.read_bytes()
    fen = "4k3/8/8/8/8/8/8/4K2Q w - - 0 1"
    for content in [b"", whole[:39], whole[:50], whole[:200], b"\xff" * len(whole), whole[:60] + bytes(9000)]:
        table.write_bytes(content)
        found = look_up(fen, gaviota=[str(copies)])
        assert found.table is None
        assert found.notes == (f"The Gaviota table '{table}' is damaged.",)


@needs_gaviota
def test_tables_under_a_wrong_name_contradict_each_other(copies: Path) -> None:
    (copies / "kqk.gtb.cp4").write_bytes((copies / "krk.gtb.cp4").read_bytes())
    found = look_up("8/3P4/8/8/8/2k5/8/K7 w - - 0 1", gaviota=[str(copies)])
    assert found.table is None
    assert "contradict" in found.notes[0]


@needs_gaviota
def test_missing_tables_behind_a_move_are_mentioned(copies: Path) -> None:
    (copies / "knk.gtb.cp4").unlink()
    found = look_up("8/3P4/8/8/8/2k5/8/K7 w - - 0 1", gaviota=[str(copies)])
    assert found.table is not None
    assert (found.table.outcome, found.table.best) == ("first", ("d7d8q",))
    assert "Tables for some of the moves are missing" in found.notes[0]


@needs_gaviota
def test_tables_that_may_only_be_read(copies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of the system are, for everybody but root: no file is opened for writing."""
    modes = []
    opened = Path.open

    def spy(path: Path, mode: str = "r") -> IO[Any]:
        modes.append(mode)
        return opened(path, mode)

    monkeypatch.setattr(Path, "open", spy)
    assert look_up("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", gaviota=[str(copies)]).table is not None
    assert set(modes) == {"rb"}


def test_directories_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    missing, file, empty = str(tmp_path / "none"), str(tmp_path / "file"), tmp_path / "empty"
    empty.mkdir()
    for fen in (START, "4k3/8/8/8/8/8/8/4K2Q w - - 0 1"):
        notes = look_up(fen, syzygy=[missing], gaviota=[file, missing]).notes
        assert set(notes) == {f"The directory '{missing}' does not exist.", f"'{file}' is not a directory."}
    found = look_up("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", syzygy=[str(empty)], gaviota=[str(empty)])
    assert found.table is None
    assert [note.split(" in ")[0] for note in found.notes] == [
        "There are no Syzygy tables (*.rtbw)",
        "There are no Gaviota tables (*.gtb.cp4)",
    ]


# Syzygy


def write_syzygy(directory: Path, name: str, *values: int) -> Path:
    """A table with one value (2 a win, -2 a loss) for each side to move, or for the one of a symmetric material.

    Some real ones are such. Queen and king against king could be: with White to move it is always won; with Black to
    move it is lost, but for stalemates and for taking the queen, and those are not asked of the table.
    """
    white, black = ([chess.PIECE_SYMBOLS.index(letter) for letter in side.lower()] for side in name.split("v"))
    pieces = sorted([*white, *(piece | 8 for piece in black)], key=lambda piece: piece & 7)  # pawns are first
    files = 4 if chess.PAWN in pieces else 1
    header = bytes([0x71, 0xE8, 0x23, 0x5D, (len(values) == 2) | (files == 4) << 1])
    header += bytes([0, *(piece | piece << 4 if len(values) == 2 else piece for piece in pieces)]) * files
    body = header + bytes(len(header) % 2) + bytes(byte for value in values for byte in (0x80, value + 2)) * files
    directory.mkdir(exist_ok=True)
    path = directory / f"{name}.rtbw"
    path.write_bytes(body + bytes((16 - len(body)) % 64))
    return path


def write_syzygy_distances(directory: Path, name: str) -> Path:
    """A DTZ table in which the side to move of `name` always has 1 ply to go."""
    header = bytearray(write_syzygy(directory / "as", name, 2, -2).read_bytes())
    header[:5] = 0xD7, 0x66, 0x0C, 0xA5, 0
    path = directory / f"{name}.rtbz"
    path.write_bytes(header)
    return path


@pytest.fixture
def syzygy(tmp_path: Path) -> Path:
    """A directory with tables one level down."""
    write_syzygy(tmp_path / "3-4-5", "KQvK", 2, -2)
    write_syzygy(tmp_path / "3-4-5", "KBvK", 0, 0)
    return tmp_path


@pytest.mark.parametrize("fen", ["4k3/8/8/6Q1/8/8/8/4K3 w - - 0 1", "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"])
def test_syzygy_knows_the_outcome_and_the_moves_that_keep_it(syzygy: Path, fen: str) -> None:
    board = chess.Board(fen)
    for mirrored in (board, board.mirror()):
        found = look_up(mirrored.fen(), syzygy=[str(syzygy)])
        assert found.table is not None
        assert found.notes == ()
        assert (found.table.source, found.table.distance, found.table.dtz) == ("syzygy", None, None)
        assert found.table.outcome == ("first" if mirrored.turn else "second")
        after = {move: mirrored.copy() for move in mirrored.legal_moves}
        for move, child in after.items():
            child.push(move)
        kept = {move.uci() for move, child in after.items() if by_retrograde(child)[0]}
        assert set(found.table.best) == kept
        assert len(kept) < len(after), "some move loses the queen, or gives stalemate"


def test_syzygy_of_the_losing_side_and_of_a_draw(syzygy: Path) -> None:
    taking = look_up("8/8/8/8/8/2k5/1Q6/7K b - - 0 1", syzygy=[str(syzygy)]).table
    assert taking is not None
    assert (taking.outcome, taking.best) == ("draw", ("c3b2",))
    losing = look_up("8/8/8/8/8/2k5/8/1Q5K b - - 0 1", syzygy=[str(syzygy)]).table
    assert losing is not None
    assert losing.outcome == "first"
    assert set(losing.best) == {move.uci() for move in chess.Board("8/8/8/8/8/2k5/8/1Q5K b - - 0 1").legal_moves}
    bishop = look_up("8/8/8/8/8/2k5/8/1B5K w - - 0 1", syzygy=[str(syzygy)]).table
    assert bishop is not None
    assert bishop.outcome == "draw"
    assert look_up("8/8/8/8/8/2k5/8/1R5K w - - 0 1", syzygy=[str(syzygy)]).table is None
    with ReferenceSources(syzygy=[str(syzygy)]) as sources:
        assert sources.holdings()["syzygy"].count == 2


def test_syzygy_without_distances_says_what_it_does_not_know(syzygy: Path) -> None:
    (note,) = look_up("4k3/8/8/8/8/8/8/4K2Q w - - 40 60", syzygy=[str(syzygy)]).notes
    assert "fifty-move rule" in note


def test_syzygy_with_distances_counts_the_fifty_moves(syzygy: Path) -> None:
    write_syzygy_distances(syzygy / "3-4-5", "KQvK")  # true of positions with a mate in one
    fen = "k7/8/1K6/8/8/8/8/6Q1 w - - 0 1"
    fresh, late, over = (look_up(fen.replace("- 0", f"- {clock}"), syzygy=[str(syzygy)]) for clock in (0, 99, 100))
    assert fresh.table is not None
    assert late.table is not None
    assert over.table is not None
    assert (fresh.table.outcome, fresh.table.dtz, fresh.notes) == ("first", 1, ())
    assert len(fresh.table.best) > len(late.table.best)
    assert set(late.table.best) == {"g1g8"}, "only mate is in time"
    assert "do not tell" in late.notes[0]
    assert (over.table.outcome, over.table.dtz) == ("draw", None)
    assert "makes it a draw" in over.notes[0]


def test_symmetric_syzygy_tables_and_those_with_pawns(syzygy: Path) -> None:
    write_syzygy(syzygy, "KPvK", 0, 0)  # true of a rook pawn whose way is barred
    write_syzygy(syzygy, "KRvKR", 0)  # true if no rook hangs
    write_syzygy(syzygy, "KRvK", 2, -2)
    for fen in ("k7/8/8/8/P7/8/8/K7 w - - 0 1", "K7/8/8/p7/8/8/8/7k w - - 0 1", "1k5r/8/8/8/8/8/8/R5K1 b - - 0 1"):
        found = look_up(fen, syzygy=[str(syzygy)])
        assert found.notes == ()
        assert found.table is not None
    found = look_up("7k/1r6/8/8/8/8/R7/7K w - - 0 1", syzygy=[str(syzygy)])
    assert found.table is not None
    assert found.table.outcome == "draw"
    assert not {"a2a7", "a2b2"} & set(found.table.best), "they give the rook away"


def test_wins_that_come_too_late_are_draws() -> None:
    assert under_fifty_moves(2, 12, 0) == Judged(1, 12)
    assert under_fifty_moves(-2, -12, 88) == Judged(-1, 12)
    assert under_fifty_moves(-2, -12, 89) == Judged(0)
    assert under_fifty_moves(1, 110, 0) == Judged(0)
    assert under_fifty_moves(-1, -101, 0) == Judged(0)
    assert under_fifty_moves(0, 0, 0) == Judged(0)
    assert under_fifty_moves(2, None, 50) == Judged(1, None)


def test_damaged_syzygy_tables_are_named(syzygy: Path) -> None:
    table = syzygy / "3-4-5" / "KQvK.rtbw"
    whole = table.read_bytes()
    other = write_syzygy(syzygy / "other", "KRvK", 2, -2).read_bytes()  # python-chess would look for its rook forever
    compressed = whole[:10] + bytes([0x00, 0xFF, 0x10]) + bytes(67)
    for content in [b"", whole[:-1], bytes(16), other, compressed]:
        table.write_bytes(content)
        found = look_up("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", syzygy=[str(syzygy)])
        assert found.table is None
        assert found.notes == (f"The Syzygy table '{table}' is damaged.",)


@needs_gaviota
def test_both_kinds_of_tables_together(syzygy: Path) -> None:
    fen = "4k3/8/8/8/8/8/8/4K2Q w - - 0 1"
    found = look_up(fen, syzygy=[str(syzygy)], gaviota=[str(GAVIOTA)]).table
    assert found == look_up(fen, gaviota=[str(GAVIOTA)]).table
    write_syzygy(syzygy / "3-4-5", "KQvK", -2, 2)
    broken = look_up(fen, syzygy=[str(syzygy)], gaviota=[str(GAVIOTA)])
    assert broken.table is None
    assert "contradict" in broken.notes[0]


def test_a_bad_fen_is_the_callers_mistake() -> None:
    with pytest.raises(InputError, match="not a position in FEN"):
        look_up("not a fen")


def test_what_is_found_becomes_json(tmp_path: Path) -> None:
    found = look_up(START, write_book(tmp_path / "book.bin", (START, "e2e4", 2)))
    document = msgspec.json.decode(msgspec.json.encode(found))
    assert document == {"book": [{"move": "e2e4", "weight": 2, "share": 1.0}], "table": None, "notes": []}
    assert msgspec.convert(document, References) == found


def test_moves_are_shown_as_people_write_them(tmp_path: Path) -> None:
    assert list(map(partial(san, START), ["g1f3", "e2e4"])) == ["Nf3", "e4"]
