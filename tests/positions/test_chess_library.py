"""The chess positions of the library, checked by python-chess alone: no code of Plybench's own is asked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from operator import itemgetter
from pathlib import Path
from typing import Any

import chess
import chess.gaviota
import pytest

Row = dict[str, Any]
SOURCE = resources.files("positions") / "data" / "chess.toml"
ROWS: list[Row] = tomllib.loads(SOURCE.read_text(encoding="utf-8"))["position"]
BY_ID: dict[str, Row] = {row["id"]: row for row in ROWS}
NAME = itemgetter("id")
GAVIOTA = Path("/usr/share/gaviotatb/gtb4")
LONGEST_MATE = 5
"""Plies up to which a mate is proven here."""
PERFT_NODES = 20_000
"""Perft is counted here as long as all depths together have at most this many nodes."""


def board_of(row: Row) -> chess.Board:
    """The position of an entry: a FEN, or the start position with moves."""
    words = row["notation"].split()
    if words[0] != "startpos":
        return chess.Board(row["notation"])
    board = chess.Board()
    assert words[1:2] in ([], ["moves"])
    for word in words[2:]:
        board.push_uci(word)
    return board


def three_men(row: Row) -> bool:
    """Whether the tables have it: they do not know the fifty-move rule."""
    board = board_of(row)
    return chess.popcount(board.occupied) == 3 and board.halfmove_clock == 0


def perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft(board, depth - 1)
        board.pop()
    return total


def mating(board: chess.Board, plies: int) -> Iterator[chess.Move]:
    """The moves that force mate within so many plies."""
    for move in sorted(board.legal_moves, key=board.gives_check, reverse=True):
        if plies == 1 and not board.gives_check(move):
            return
        board.push(move)
        forced = is_mated(board, plies - 1)
        board.pop()
        if forced:
            yield move


def is_mated(board: chess.Board, plies: int) -> bool:
    """Whether every answer of the side to move runs into mate within so many plies."""
    answers = list(board.legal_moves)
    if not answers or plies == 0:
        return board.is_checkmate()
    for answer in answers:
        board.push(answer)
        lost = next(mating(board, plies - 1), None) is not None
        board.pop()
        if not lost:
            return False
    return True


def test_there_are_many_and_each_has_its_own_name() -> None:
    assert len(ROWS) >= 60
    assert len(BY_ID) == len(ROWS)
    assert len({board_of(row).fen() for row in ROWS}) == len(ROWS)
    assert [name for name in BY_ID if name.startswith("bratko-kopec-")] == [f"bratko-kopec-{n:02}" for n in range(1, 25)]


def test_tags_are_a_small_set() -> None:
    tags = {tag for row in ROWS for tag in row["tags"]}
    assert len(tags) <= 30


@pytest.mark.parametrize("row", ROWS, ids=NAME)
def test_entry_is_sound(row: Row) -> None:
    board = board_of(row)
    assert board.is_valid()
    assert not board.is_game_over()
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", row["id"])
    assert row["notation"].startswith("startpos") or len(row["notation"].split()) == 6
    assert row["title"]
    assert row["tags"]
    assert len(row["known"]) >= 40
    assert row["known"].endswith(".")
    for move in (*row.get("best", ()), *row.get("recommended", ())):
        assert chess.Move.from_uci(move) in board.legal_moves
    assert row.get("outcome") in (None, "first", "second", "draw")
    if "distance" in row:
        assert row["outcome"] == ("first" if board.turn == (row["distance"] % 2 == 1) else "second")


@pytest.mark.parametrize("row", [row for row in ROWS if row.get("distance", 99) <= LONGEST_MATE], ids=NAME)
def test_mate_is_exact(row: Row) -> None:
    board, plies = board_of(row), row["distance"]
    for sooner in range(1, plies, 2):
        assert next(mating(board, sooner), None) is None
    assert {move.uci() for move in mating(board, plies)} == set(row["best"])


def test_there_are_mates_of_every_length_for_both_sides() -> None:
    for plies in (1, 3, 5):
        outcomes = {row["outcome"] for row in ROWS if row.get("distance") == plies}
        assert outcomes == {"first", "second"}


@pytest.mark.parametrize("row", [row for row in ROWS if three_men(row) and "outcome" in row], ids=NAME)
def test_three_men_agree_with_gaviota(row: Row) -> None:
    if not GAVIOTA.is_dir():
        pytest.skip("Debian's gaviotatb is not installed")
    board = board_of(row)
    with chess.gaviota.open_tablebase(str(GAVIOTA)) as tables:
        assert abs(tables.probe_dtm(board)) == row.get("distance", 0)
        assert (tables.probe_dtm(board) == 0) == (row["outcome"] == "draw")
        after = {}
        for move in board.legal_moves:
            board.push(move)
            after[move.uci()] = tables.probe_dtm(board)
            board.pop()
    if "best" in row:
        quickest = 1 - row["distance"] if row["distance"] % 2 else row["distance"] - 1
        assert {move for move, distance in after.items() if distance == quickest} == set(row["best"])


@pytest.mark.parametrize("row", [row for row in ROWS if "perft" in row], ids=NAME)
def test_perft(row: Row) -> None:
    board, nodes = board_of(row), 0
    for depth, count in enumerate(row["perft"], 1):
        nodes += count
        if nodes > PERFT_NODES:
            break
        assert perft(board, depth) == count
    assert ", ".join(f"{count:,}" for count in row["perft"]) in row["known"]


def test_fifty_moves_leave_no_time_to_mate() -> None:
    """Two plies on, the hundredth half-move is over and nobody is mated."""
    board = board_of(BY_ID["fifty-draw"])
    assert next(mating(board, 3), None) is not None
    for move in list(board.legal_moves):
        board.push(move)
        assert not board.is_game_over()
        for answer in list(board.legal_moves):
            board.push(answer)
            assert board.is_fifty_moves() or board.is_insufficient_material()
            board.pop()
        board.pop()


def test_perpetual_check_leaves_no_choice() -> None:
    board = board_of(BY_ID["perpetual"])
    before = board.board_fen()
    for move in ("h5e8", "e8h5"):
        board.push_uci(move)
        assert board.is_check()
        (answer,) = board.legal_moves
        board.push(answer)
    assert board.board_fen() == before


def test_course_example_has_the_terms_of_the_text() -> None:
    """Shannon's terms, counted naively: rooks, minor pieces, queens, pawns, doubled, blocked, isolated, moves."""
    board = board_of(BY_ID["course-example"])
    assert not board.is_check()
    white, black = shannon_terms(board, chess.WHITE), shannon_terms(board, chess.BLACK)
    assert white == (0, 2, 1, white[3], 0, 0, 0, 43)
    assert black == (1, 1, 1, white[3], 2, 0, 1, 39)
    weights = (5, 3, 9, 1, -0.5, -0.5, -0.5, 0.1)
    value = sum(weight * (w - b) for weight, w, b in zip(weights, white, black, strict=True))
    assert value == pytest.approx(-0.1)


def shannon_terms(board: chess.Board, color: chess.Color) -> tuple[int, ...]:
    if board.turn != color:
        board = board.copy(stack=False)
        board.push(chess.Move.null())
    pawns = board.pieces(chess.PAWN, color)
    files = [chess.square_file(square) for square in pawns]
    ahead = 8 if color == chess.WHITE else -8
    return (
        len(board.pieces(chess.ROOK, color)),
        len(board.pieces(chess.BISHOP, color)) + len(board.pieces(chess.KNIGHT, color)),
        len(board.pieces(chess.QUEEN, color)),
        len(pawns),
        len(files) - len(set(files)),
        sum(board.piece_at(square + ahead) is not None for square in pawns),
        sum(file - 1 not in files and file + 1 not in files for file in files),
        board.legal_moves.count(),
    )
