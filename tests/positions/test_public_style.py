"""Two hundred files as the world writes them: read as python-chess reads them, or skipped with a line number."""

from __future__ import annotations

import io
import logging
import random
import re
from pathlib import Path

import chess
import chess.pgn
import pytest

from engines.contract import InputError
from engines.games.chess.fen import read_epd, read_fen, write_fen
from positions import files, pgn
from positions.pgn_tree import PgnNode
from positions.reading import lines_of
from tests.positions.public_style import broken_game, epd_line, fen_line, pgn_game
from tests.thorough import LONG

CANNOT_BE_SEARCHED = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_OPPOSITE_CHECK
    | chess.STATUS_TOO_MANY_WHITE_PIECES
    | chess.STATUS_TOO_MANY_BLACK_PIECES
)


@pytest.fixture(autouse=True)
def _python_chess_is_silent() -> None:
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


def their_position(line: str, is_epd: bool) -> str | None:
    """The FEN that python-chess reads; None if it reads none, or none that can be searched."""
    try:
        board = chess.Board.from_epd(line)[0] if is_epd else chess.Board(line)
    except (ValueError, IndexError, AssertionError):
        return None
    board.chess960 = board.has_chess960_castling_rights()  # as its reader of PGN does
    claims_capture = board.status() & chess.STATUS_INVALID_EP_SQUARE and board.has_legal_en_passant()
    crowded = any(len(board.pieces(chess.PAWN, color)) + len(board.pieces(chess.QUEEN, color)) > 9 for color in chess.COLORS)
    return None if board.status() & CANNOT_BE_SEARCHED or claims_capture or crowded else board.fen()


@pytest.mark.parametrize("kind", ["fen", "epd"])
def test_a_hundred_files_of_positions(tmp_path: Path, kind: str) -> None:
    chance = random.Random(kind)
    make = epd_line if kind == "epd" else fen_line
    path = tmp_path / f"file.{kind}"
    read = 0
    for _ in range(50):
        lines = [chance.choice(("", "# a comment")) if chance.random() < 0.1 else make(chance) for _ in range(12)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        rows = [number for number, line in enumerate(lines, 1) if line and not line.startswith("#")]
        items = list(files.listing(path)) if rows else []
        assert len(items) == len(rows)
        for number, item in zip(rows, items, strict=True):
            theirs = their_position(lines[number - 1], kind == "epd" and ";" in lines[number - 1])
            if theirs is None:
                assert item.details.get("line") == number, lines[number - 1]
            else:
                read += 1
                assert item.details.get("position") == theirs, (lines[number - 1], item)
    assert read > 350


def shape(node: PgnNode) -> object:
    return node.move, node.before, node.comment, frozenset(node.nags), tuple(map(shape, node.choices))


def their_shape(node: chess.pgn.GameNode) -> object:
    move = node.move.uci() if node.move else ""
    return move, node.starting_comment, node.comment, frozenset(node.nags), tuple(map(their_shape, node.variations))


def test_a_hundred_files_of_games(tmp_path: Path) -> None:
    chance = random.Random("pgn")
    path = tmp_path / "file.pgn"
    for _ in range(100):
        text = "".join(pgn_game(chance, number) for number in range(1, chance.randint(2, 5)))
        path.write_bytes(text.encode(chance.choice(("utf-8", "utf-8-sig", "utf-16"))))
        handle = io.StringIO(text.replace("\r\n", "\n"))
        trees = list(pgn.each_tree(lines_of(path)))
        for tree in trees:
            theirs = chess.pgn.read_game(handle)
            assert theirs is not None
            assert not isinstance(tree, str), tree
            assert not theirs.errors
            assert shape(tree.root) == their_shape(theirs), text
            assert {**dict(theirs.headers), **tree.tags} == dict(theirs.headers)
            assert all(re.search(r"line [0-9]+\.$", remark) for remark in tree.remarks)
        assert chess.pgn.read_game(handle) is None


def test_games_with_an_illegal_move(tmp_path: Path) -> None:
    """They are read as far as python-chess reads them, told with the line of that move, and the games around them whole."""
    chance = random.Random("illegal")
    path = tmp_path / "file.pgn"
    cut_short = 0
    for _ in range(100):
        text, places = "", list[int | None]()
        for number in range(1, chance.randint(3, 6)):
            before = text.count("\n")
            game, line = broken_game(chance, number) if chance.random() < 0.5 else (pgn_game(chance, number), None)
            text += game.replace("\r\n", "\n")
            places.append(None if line is None else before + line)
        path.write_text(text, encoding="utf-8")
        handle = io.StringIO(text)
        trees = list(pgn.each_tree(lines_of(path)))
        lines = list(pgn.each_line(lines_of(path), 1000))
        for place, tree, line_found in zip(places, trees, lines, strict=True):
            theirs = chess.pgn.read_game(handle)
            assert theirs is not None
            assert not isinstance(tree, str), tree
            assert shape(tree.root) == their_shape(theirs), text
            told = [remark for remark in tree.remarks if "not a legal move" in remark or "more than one move" in remark]
            assert len(told) == len(theirs.errors) == (place is not None), (text, tree.remarks)
            assert place is None or told[0].endswith(f", on line {place}."), (text, told, place)
            if isinstance(line_found, str):
                cut_short += 1
                assert line_found == f"Game {tree.number}: {told[0]}"
            else:
                assert line_found.moves == tuple(move.uci() for move in theirs.mainline_moves())
        assert chess.pgn.read_game(handle) is None
    assert cut_short > 50


def test_a_file_larger_than_may_be_read_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games and positions are read one after the other: the limit is for what is read as a whole."""
    monkeypatch.setattr(files, "LARGEST_FILE", 5_000)
    chance, path = random.Random(1), tmp_path / "large.pgn"
    path.write_text("".join(pgn_game(chance, number) for number in range(1, 31)), encoding="utf-8")
    assert path.stat().st_size > 10_000
    assert [item.number for item in files.listing(path)] == list(range(1, 31))
    assert files.find(f"{path}#30/1") is not None
    assert sum(1 for _ in pgn.each_tree(lines_of(path))) == 30
    lines = tmp_path / "large.fen"
    lines.write_text(f"{chess.STARTING_FEN}\n" * 200)
    assert sum(1 for _ in files.listing(lines)) == 200
    with pytest.raises(InputError, match="too large to read"):
        files.read_text(lines)


def test_one_bad_line_is_skipped_and_told(tmp_path: Path) -> None:
    """As of a public file of mates, whose lines have move number 0."""
    from positions.suites import read_suite

    path = tmp_path / "mates.epd"
    good = '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 0 ;bm Ra8#; id "m";'
    path.write_text("\n".join(["rubbish" if number % 71 == 3 else good for number in range(1, 213)]))
    told: list[str] = []
    assert len(read_suite(path, "chess", tell=told.append)) == 209
    assert told[0].startswith("3 of 212 lines skipped; line 3: ")
    path.write_text("rubbish\n")
    with pytest.raises(InputError, match="line 1: "):
        read_suite(path, "chess")


@pytest.mark.timeout(1800)
@pytest.mark.skipif(not LONG, reason="writes and reads 120 MB")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """More than a hundred megabytes: the peak is that of a small file."""
    import tracemalloc

    chance, path = random.Random(1), tmp_path / "large.pgn"
    block = "".join(pgn_game(chance, number) for number in range(1, 1000))
    peaks, counts = [], []
    for megabytes in (2, 120):
        with path.open("w", encoding="utf-8") as stream:
            for _ in range(megabytes * 1_000_000 // len(block) + 1):
                stream.write(block)
        tracemalloc.start()
        counts.append(sum(1 for _ in files.listing(path)))
        assert files.find(f"{path}#{counts[-1]}/1") is not None
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert counts[1] > 20 * counts[0]
    assert peaks[1] < peaks[0] + 3_000_000


def test_reading_back_what_was_written() -> None:
    assert write_fen(read_fen(write_fen(read_epd("4k3/8/8/8/8/8/8/4K2R w KQ - fmvn 0;")[0]))).endswith("w K - 0 1")
