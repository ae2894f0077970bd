"""The solver proves what is so: published scores, whole games solved naively, and every claim kept to."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import catalog
from engines.compiled.bits import U
from engines.contract import InputError, Report
from engines.parts.solving.bounds import FEWEST_PLACES, entry_of, least, most, names, place_of
from engines.position import Position
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.engines import checks
from tests.naive import games as naive
from tests.strategies import Case, sample
from tests.thorough import examples

SCORES = [line.split() for line in (Path(__file__).parents[1] / "games" / "connect4_scores.txt").read_text().splitlines()]
"""Positions and scores for the side to move, from Pascal Pons' sets (begin, middle and end, the easy ones)."""


def solve(position: Position, **parameters: int) -> Report:
    """A report of the solver with a small table."""
    return checks.run_with(position, "solver", {"table": 8, **parameters})


def has_score(report: Report, played: str, score: int) -> bool:
    """A score of n: the side to move wins with its n-th stone from the last; -n: the other does."""
    if score == 0:
        return (report.outcome, report.distance, report.value) == ("draw", None, 0)
    first_wins = (len(played) % 2 == 0) == (score > 0)
    last_ply = 2 * (22 - abs(score)) - first_wins
    return (report.outcome, report.distance) == ("first" if first_wins else "second", last_ply - len(played))


def check_line(position: Position, report: Report) -> None:
    """The line is legal, goes to the end of the game, and ends as and when the report says."""
    here = position
    for move in report.pv:
        here = here.play(here.game.read_move(here.state, move))
    assert here.is_over
    assert not report.pv_cut_short
    assert report.best_move == report.pv[0]
    if report.distance is None:
        assert here.result == 0
    else:
        assert len(report.pv) == report.distance
        assert here.game.outcome(here.turn * here.result) == report.outcome


def test_five_hundred_published_scores() -> None:
    assert len(SCORES) == 500
    for played, score in SCORES[: examples(500)]:
        position = catalog.position(played, "connect4")
        report = solve(position)
        assert has_score(report, played, int(score)), (played, score, report)
        check_line(position, report)


@pytest.mark.parametrize(("played", "score"), [("35333571", -3), ("13333111", 0)])
def test_hard_positions(played: str, score: int) -> None:
    assert has_score(checks.run(catalog.position(played, "connect4"), "solver"), played, score)


@pytest.mark.parametrize(
    ("size", "outcome", "distance"),
    [
        ("1x1", "draw", None),
        ("3x8", "draw", None),
        ("4x4", "draw", None),
        ("5x5", "draw", None),
        ("6x4", "second", 24),
        ("8x4", "second", 32),
        ("6x6", "second", 36),
        ("12x4", None, None),
        ("2x31", "draw", None),
    ],
)
def test_connect4_of_any_size(size: str, outcome: str | None, distance: int | None) -> None:
    """Boards too narrow or too high for all directions too. The widest is only begun."""
    position = catalog.position("startpos", "connect4", size)
    report = checks.run(position, "solver", nodes=30_000_000 if outcome else 100_000)
    assert (report.outcome, report.distance) == (outcome, distance)
    assert report.stopped_by == ("solved" if outcome else "nodes")


@pytest.mark.parametrize(
    ("size", "winner"),
    [(size, "second") for size in ("4x2", "4x3", "4x4", "4x5", "4x6", "5x2", "5x3", "5x4", "7x2")]
    + [(size, "first") for size in ("6x2", "6x3", "8x2")],
)
def test_small_breakthrough_boards(size: str, winner: str) -> None:
    position = catalog.position("startpos", "breakthrough", size)
    report = solve(position)
    assert (report.outcome, report.stopped_by, report.exact) == (winner, "solved", True)
    check_line(position, report)


COURSE = "2a3a 5a4a 2b3b 4a3b 2c3b 6a5a 3a4a 5b4a 3b4a 6b5b 4a5b 6c5b 1a2a 5a4a 2a3a 5b4b 3a4b 5c4b 1b2b"


def test_the_exercise_of_the_course() -> None:
    """All eight black moves win, two of them in 5 plies; White was winning until its fourth move."""
    moves = COURSE.split()
    report = solve(catalog.position(f"startpos moves {COURSE}", "breakthrough", "6x4"), all_moves=True)
    won = {row.move: 1_000_000 + row.value for row in report.root_moves}  # plies to Black's win
    assert len(won) == 8
    assert all(plies < 100 for plies in won.values())
    assert sorted(move for move in won if won[move] == min(won.values()) == 5) == ["a4b3", "b4b3"]
    for played, winner in ((6, "first"), (7, "second")):
        position = catalog.position(f"startpos moves {' '.join(moves[:played])}", "breakthrough", "6x4")
        assert checks.run(position, "solver").outcome == winner


def affordable(case: Case) -> bool:
    """Few enough stones to come, or pawns left, for the whole game to be solved naively."""
    position = case.board()
    if position.game.lacks("knowledge", position.state):
        return False
    board = case.oracle.text().split()[0]
    if case.game == "connect4":
        return board.count(".") <= 12
    return sum(letter in "wb" for letter in board) <= (10 if board.count("/") == 3 else 7)


def check_against_naive(case: Case, solved: dict[naive.Naive, naive.Value], table: int) -> None:
    """Value, distance, line and every move's own value."""
    report = solve(case.board(), all_moves=True, table=table)
    assert report.exact
    assert report.value == naive.shown(case.oracle, naive.solve(case.oracle, solved)), case
    check_line(case.board(), report)
    assert [row.move for row in report.root_moves] == case.oracle.moves()
    for row in report.root_moves:
        true = naive.delayed(naive.solve(case.oracle.play(row.move), solved), 1)
        assert (row.value, row.bound) == (naive.shown(case.oracle, true), "exact"), (case, row)


@pytest.mark.parametrize("game", ["connect4", "breakthrough"])
def test_everything_is_what_the_whole_tree_says(game: str) -> None:
    solved: dict[naive.Naive, naive.Value] = {}
    found = [case for case in sample(game, examples(100), "tiny") + sample(game, examples(100), "small") if affordable(case)]
    assert len(found) > examples(60)
    for case in found:
        check_against_naive(case, solved, 1)


@pytest.mark.plain
@pytest.mark.parametrize("game", ["connect4", "breakthrough"])
def test_without_the_compiler_too(game: str) -> None:
    solved: dict[naive.Naive, naive.Value] = {}
    found = [case for case in sample(game, 120, "tiny") if affordable(case)]
    assert len(found) > 20
    for case in found[:25]:
        check_against_naive(case, solved, 1)


def random_positions(count: int, stones: int) -> list[str]:
    """Games of Connect 4 after so many random stones, in columns."""
    random = Random(5)
    found: list[str] = []
    while len(found) < count:
        position = catalog.position("startpos", "connect4")
        while not position.is_over and len(position.played) < stones:
            position = position.play(random.choice(position.game.legal_moves(position.state)))
        if not position.is_over:
            found.append(position.text)
    return found


def test_a_position_and_its_mirror_image_are_worth_the_same() -> None:
    for played in random_positions(30, 14):
        mirrored = "".join(str(8 - int(column)) for column in played)
        here, there = (solve(catalog.position(text, "connect4"), all_moves=True) for text in (played, mirrored))
        assert here.value == there.value
        assert {row.move: row.value for row in here.root_moves} == {
            str(8 - int(row.move)): row.value for row in there.root_moves
        }


def test_the_size_of_the_table_changes_no_value_and_is_kept_to() -> None:
    for game, text, size in (
        [("connect4", played, None) for played in random_positions(6, 12)]
        + [("breakthrough", "startpos", "5x4"), ("breakthrough", "startpos", "6x3")]
    ):  # fmt: skip
        values = set()
        for megabytes in (1, 3, 256):
            report = solve(catalog.position(text, game, size), table=megabytes)
            assert report.table is not None
            assert report.table.size <= megabytes * 1_000_000 < report.table.size + 8
            assert report.table.entries * 8 == report.table.size
            assert report.table.filled <= min(report.table.entries, report.table.stores)
            assert report.table.cutoffs <= report.table.hits <= report.table.probes - report.table.collisions
            values.add((report.value, report.distance))
        assert len(values) == 1, (game, text)


@pytest.mark.plain
@given(st.integers(FEWEST_PLACES, 2**40), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_no_two_positions_have_one_name_in_one_place(places: int, one: int, other: int) -> None:
    """Not even if their numbers are neighbours, or come to lie side by side when they are scattered."""
    inverse = pow(0x9E3779B97F4A7C15, -1, 2**64)
    neighbours = [(one + 1) % 2**64, (one + inverse) % 2**64, (one - inverse) % 2**64]
    found = {place_of(U(places), U(number)) for number in {one, other, *neighbours}}
    assert len(found) == len({one, other, *neighbours})
    assert all(place < places for place, _ in found)


@pytest.mark.plain
@given(st.integers(0, 2**48 - 1), st.integers(-127, 127), st.integers(-127, 127))
def test_an_entry_says_what_was_written(name: int, low: int, high: int) -> None:
    entry = entry_of(U(name << 16), low, high)
    assert (least(entry), most(entry)) == (low, high)
    assert names(entry, U(name << 16))
    assert not names(entry, U((name ^ 1) << 16))
    assert least(U(0)) < -127
    assert most(U(0)) > 127


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "settings", "reason"),
    [
        ("connect4", {"k": "5"}, "5 in a row"),
        ("breakthrough", {"misere": "yes"}, "misère"),
        ("tictactoe", {}, "Tic-tac-toe has none"),
        ("chess", {}, "Chess has none"),
    ],
)
def test_what_it_cannot_solve_it_says(game: str, settings: dict[str, str], reason: str) -> None:
    with pytest.raises(InputError, match=reason) as error:
        Search(catalog.position("startpos", game, None, settings), catalog.algorithm("solver"))
    assert checks.is_sentence(str(error.value))


@pytest.mark.parametrize("game", ["connect4", "breakthrough"])
def test_it_stops_when_told(game: str) -> None:
    position = catalog.position("startpos", game)
    search = Search(position, catalog.algorithm("solver")).start()
    while search.counters().nodes < 1000:
        time.sleep(0.01)
    search.stop()
    began = time.perf_counter()
    report = search.report()
    assert time.perf_counter() - began < 0.5  # on a busy machine; the benchmark holds it to 50 ms
    assert (report.stopped_by, report.exact, report.outcome) == ("request", False, None)


@pytest.mark.plain
@pytest.mark.parametrize(("game", "size"), [("connect4", "5x4"), ("breakthrough", "5x3")])
def test_a_limit_in_nodes_is_kept_to_and_gives_the_same_numbers(game: str, size: str) -> None:
    position = catalog.position("startpos", game, size)
    for nodes in (1, 2, 5, 40, 300):
        first, second = (checks.run(position, "solver", nodes=nodes) for _ in range(2))
        assert checks.without_times(first) == checks.without_times(second)
        assert first.nodes <= nodes
        assert first.stopped_by in ("nodes", "solved")


def test_who_wins_may_be_known_before_how_soon() -> None:
    """A search that is stopped says what is proven by then, and no more."""
    position = catalog.position("startpos", "breakthrough", "5x4")
    whole = checks.run(position, "solver")
    known = [
        report
        for nodes in range(50_000, whole.nodes, 50_000)
        if (report := checks.run(position, "solver", nodes=nodes)).outcome is not None
    ]
    assert known
    assert (whole.outcome, whole.stopped_by) == ("second", "solved")
    for report in known:
        assert (report.outcome, report.distance, report.stopped_by) == ("second", None, "nodes")


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "depth", "outcome"),
    [("112233", 1, "first"), ("4455", 3, "first"), ("44553", 2, "first"), ("1", 3, None)],
)
def test_a_depth_limits_what_is_looked_for(text: str, depth: int, outcome: str | None) -> None:
    report = checks.run(catalog.position(text, "connect4"), "solver", depth=depth)
    assert report.outcome == outcome
    assert report.stopped_by == ("solved" if outcome else "depth")
    assert report.exact == (outcome is not None)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "size", "played"),
    [("connect4", "2x2", "121"), ("connect4", "4x4", "12341"), ("breakthrough", "5x2", ""), ("breakthrough", "4x3", "")],
)
def test_on_tape_every_value_follows_from_its_children(game: str, size: str, played: str) -> None:
    position = catalog.position(f"startpos moves {' '.join(played)}" if played else "startpos", game, size)
    tape = new_tape(200_000)
    report = checks.run(position, "solver", tape=tape)
    plain = checks.run(position, "solver")
    assert checks.without_times(report) | {"tape_nodes": None} == checks.without_times(plain)
    recording = Recording.of(tape, report, "mover")
    assert recording.complete
    assert recording.faults() == 0
    assert len(recording) == report.nodes
    for node in range(0, len(recording), 7):  # the recorded moves can be played
        recording.line(node)
