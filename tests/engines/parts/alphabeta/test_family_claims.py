"""What the alpha-beta family claims, mates above all, against retrograde analysis and the whole trees of small games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import chess
import pytest

from engines import catalog
from engines.game import SHOWN_WIN
from positions import library
from tests.engines.parts.alphabeta.family import CERTAIN, FAMILY, PLAIN, RISKY, THOROUGH, Settings, chess_position, look
from tests.naive import games as naive
from tests.naive import retrograde
from tests.strategies import Case, sample
from tests.thorough import examples

MATES = [
    entry
    for entry in library.entries().values()
    if entry.game == "chess" and "mate" in entry.tags and entry.distance is not None and entry.distance <= 5
]
SAFE_WAYS: list[Settings] = [
    {**PLAIN},
    {**PLAIN, "table": 0},
    {**PLAIN, "table": 1, "ordering": "none"},
    {**CERTAIN, "quiescence": True, "check_extension": False},
    {**CERTAIN, "quiescence": True, "check_extension": True},
    {**CERTAIN, "quiescence": True, "check_extension": True, "singular_extension": True, "table": 1},
]


@pytest.mark.parametrize("entry", MATES, ids=lambda entry: entry.id.partition("/")[2])
def test_mates_are_found_at_the_right_distance(entry: library.Entry) -> None:
    position = entry.position()
    assert entry.distance is not None
    for number, settings in enumerate(SAFE_WAYS):
        short = entry.distance <= 3 or (THOROUGH and entry.distance <= 5)
        for name in FAMILY if short else (FAMILY[number % 2],):
            if not short and settings.get("ordering") == "none":
                continue
            report = look(position, name, settings, depth=entry.distance)
            said = f"{name} {settings}"
            assert (report.exact, report.outcome, report.distance) == (True, entry.outcome, entry.distance), said
            assert report.stopped_by == "solved", said
            if entry.best:
                assert report.best_move in entry.best, said


@pytest.mark.parametrize(
    ("fen", "depth", "distance"),
    [
        ("1br2k2/5p2/1p6/pp2pnK1/4q3/2P1P2r/1P1P4/1bB2N2 w - - 8 46", 3, 4),
        ("6b1/3k4/3q4/2B4r/2r5/2R5/3b4/6K1 b - - 21 19", 3, 5),
    ],
)
def test_a_win_seen_behind_the_horizon_is_not_taken_for_the_quickest(fen: str, depth: int, distance: int) -> None:
    """Checks and captures, looked at deeper than the rest, show a mate; a quicker one has quiet moves in it."""
    position = catalog.position(fen, "chess")
    for settings in (CERTAIN, {}):
        assert look(position, "deepening", settings, depth=depth).distance in (None, distance), settings
    assert look(position, "pvs", PLAIN, depth=distance).distance == distance


def few_men(piece: str, plies: range, count: int, seed: int) -> Iterator[tuple[chess.Board, int]]:
    """King and piece against king at random, with the plies to mate."""
    solved, random = retrograde.solve(piece), Random(f"{piece} {seed}")
    for _ in range(count):
        while True:
            king, man, black = (random.randrange(64) for _ in range(3))
            turn = random.random() < 0.5
            distance = int((solved.white if turn else solved.black)[king, man, black])
            if distance in plies:
                break
        flip = random.random() < 0.5
        board = chess.Board(None)
        for square, symbol in ((king, "K"), (man, piece), (black, "k")):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = turn
        yield (board.mirror() if flip else board), distance


@pytest.mark.parametrize("piece", ["Q", "R"])
def test_three_men_are_mated_as_retrograde_analysis_says(piece: str) -> None:
    boards = [*few_men(piece, range(1, 8), 30, 1), *few_men(piece, range(1, 6), 70, 2)]
    for number, (board, distance) in enumerate(boards):
        position = chess_position(board)
        name = FAMILY[number % 3]
        settings: Settings = {**PLAIN, "table": 8} if number % 2 or distance > 5 else {**PLAIN, "table": 0}
        report = look(position, name, settings, depth=7)
        loser_moves = distance % 2 == 0
        winner = "first" if board.turn != loser_moves else "second"
        assert (report.exact, report.outcome, report.distance) == (True, winner, distance), (name, board.fen())
        assert abs(report.value or 0) == SHOWN_WIN - distance
        assert report.depth == distance


def claims_are_true(case: Case, true: naive.Value, settings: Settings, name: str, depth: int) -> bool:
    report = look(case.board(), name, settings, depth=depth, nodes=100_000)
    said = f"{name} {settings} to depth {depth} on {case}"
    if not report.exact:
        assert (report.outcome, report.distance) == (None, None), said
        return False
    outcome = ("first" if true > 0 else "second") if naive.is_win(true) else "draw"
    assert report.outcome == outcome, said
    if outcome != "draw":
        assert report.distance in (None, naive.WIN - max(true, -true)), said
    if outcome == "draw" or report.distance is not None:
        assert report.value == naive.shown(case.oracle, true), said
    return True


@pytest.mark.parametrize("game", ["connect4", "breakthrough", "tictactoe"])
def test_what_is_claimed_is_true_whatever_is_switched_on(game: str) -> None:
    """Against the whole tree of small games: who wins, and how soon."""
    solved: dict[naive.Naive, naive.Value] = {}
    claims = 0
    for number, case in enumerate(sample(game, examples(120), "tiny")):
        true = naive.solve(case.oracle, solved)
        for offset in range(2):
            settings = {**PLAIN, "table": number % 2, **RISKY[(number + offset) % len(RISKY)]}
            claims += claims_are_true(case, true, settings, FAMILY[(number + offset) % 3], (2, 4, 7, 12)[number // 6 % 4])
        claims_are_true(case, true, {**PLAIN, "table": 1}, FAMILY[number % 3], (3, 5, 9)[number % 3])
    assert claims > examples(100)


@pytest.mark.plain
def test_what_is_claimed_is_true_without_the_compiler_too() -> None:
    solved: dict[naive.Naive, naive.Value] = {}
    for number, case in enumerate(sample("connect4", 60, "tiny")):
        true = naive.solve(case.oracle, solved)
        settings = {**PLAIN, "table": number % 2, **RISKY[number % len(RISKY)]}
        claims_are_true(case, true, settings, FAMILY[number % 3], 4)


def test_what_is_claimed_of_chess_endings_is_true() -> None:
    claims = 0
    for number, (board, distance) in enumerate(
        pair for seed in range(36) for pair in few_men("QR"[seed % 2], range(1, 10), 1, seed)
    ):
        position = chess_position(board)
        settings: Settings = {"table": 2, **RISKY[number % len(RISKY)]}
        report = look(position, FAMILY[number % 3], settings, nodes=40_000)
        if report.outcome is not None:
            claims += 1
            loser_moves = distance % 2 == 0
            assert report.outcome == ("first" if board.turn != loser_moves else "second"), (board.fen(), settings)
            assert report.distance in (None, distance), (board.fen(), settings)
    assert claims > 5
