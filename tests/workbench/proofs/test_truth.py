"""What is true, where it can be known: published scores, whole games solved naively, endgame tables."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engines import catalog
from engines.contract import Limit
from engines.position import Position
from engines.run.search import Search
from positions.suites import read_suite
from tests.workbench.conftest import Plybench
from workbench.jobs.searches import run_to_end
from workbench.proofs.truth import find_truth, from_reports, outcome_text, regret_text, sentence, truth_of
from workbench.sessions.comparison_types import MoveTruth, Truth
from workbench.suites.job import score

OWN = Path(__file__).parents[2] / "engines" / "games" / "connect4_scores.txt"
SCORES = [(line.split()[0], int(line.split()[1])) for line in OWN.read_text().splitlines() if len(line.split()[0]) >= 12]
SUITES = os.environ.get("PLYBENCH_SUITES")
LONG = bool(os.environ.get("PLYBENCH_LONG"))
EARLIEST = 12


def test_connect4_by_published_scores() -> None:
    some = SCORES[:300] if LONG else SCORES[:60]
    for played, expected in some:
        where = catalog.position(played, "connect4")
        found = truth_of(where)
        assert found is not None
        assert score(where, found) == expected, played


@pytest.mark.parametrize("name", ["Test_L1_R1", "Test_L2_R1", "Test_L3_R1"])
def test_connect4_by_the_suites(name: str) -> None:
    if not SUITES:
        pytest.skip("PLYBENCH_SUITES does not say where the scored positions of Connect 4 are")
    cases = read_suite(Path(SUITES) / "connect4" / name, "connect4")
    late = [case for case in cases if len(case.position.played) >= EARLIEST]
    for case in late[:100]:
        found = truth_of(case.position)
        assert found is not None
        assert score(case.position, found) == case.score, case.id


@pytest.mark.parametrize(
    ("game", "size", "text"),
    [
        ("connect4", "5x4", "...../...../...../XO... moves 3 3 3 3 4 4 4 2 2 2"),
        ("connect4", "5x4", "X...O/OX..X/XO..O/OXX.O"),
        ("tictactoe", None, "X.O/.../..."),
        ("tictactoe", None, "X.O/.X./..O"),
        ("breakthrough", "5x3", "bb1/1b1/w2/1ww/2w w"),
    ],
)
def test_every_move_of_a_small_board_by_hand(game: str, size: str | None, text: str) -> None:
    """The regret of each move is what solving everything naively says."""
    where = catalog.position(text, game, size)
    moves = where.game.line_choices(where.state)
    found = truth_of(where, moves)
    assert found is not None
    assert [one.move for one in found.moves] == moves
    known: dict[object, int] = {}
    values = {move: by_hand(where.play(where.game.read_move(where.state, move)), known) for move in moves}
    best = max(values.values()) if where.turn > 0 else min(values.values())
    assert signed(found) == best
    for one in found.moves:
        assert signed(one) == values[one.move]
        points = [1.0 if value > 0 else 0.5 if value == 0 else 0.0 for value in (best, values[one.move])]
        assert one.regret == where.turn * (points[0] - points[1])
    assert any(one.regret == 0 and one.plies == 0 for one in found.moves), "some move is the best one"


def signed(found: Truth | MoveTruth) -> int:
    """100 less the plies to the first player's win, the other way round for the second's, 0 for a draw."""
    if found.distance is None:
        return 0
    return (100 - found.distance) * (1 if found.outcome == "first" else -1)


def by_hand(position: Position, known: dict[object, int]) -> int:
    """What the position one ply on is worth, by the rules alone: no search of ours, no cutoff."""
    if position.state not in known:
        game = position.game
        values = [by_hand(position.play(move), known) for move in game.legal_moves(position.state)]
        outcome = game.outcome(position.result * position.turn) if not values else None
        ended = {"first": 100, "second": -100}.get(outcome or "", 0)
        known[position.state] = (max(values) if position.turn > 0 else min(values)) if values else ended
    value = known[position.state]
    return value - 1 if value > 0 else value + 1 if value < 0 else 0


def test_typed_trees() -> None:
    textbook = catalog.position("((3 12 8) (2 4 6) (14 5 2))", "tree")
    found = truth_of(textbook, ["1", "2", "3", None, "1"])
    assert found is not None
    assert (found.value, found.outcome) == (3, None)
    assert [(one.move, one.value, one.regret) for one in found.moves] == [("1", 3, 0), ("2", 2, 1), ("3", 2, 1)]
    mins = truth_of(catalog.position("min(5 (7 1))", "tree"), ["1", "2"])
    assert mins is not None
    assert (mins.value, [one.regret for one in mins.moves]) == (5, [0, 2])
    twice = truth_of(catalog.position("(max(1 9) 5)", "tree"))
    assert twice is not None
    assert twice.value == 9, "whoever moves, and however often in a row"


def test_the_end_of_a_game() -> None:
    over = truth_of(catalog.position("XXX/OO./...", "tictactoe"))
    assert over is not None
    assert (over.outcome, over.distance, over.source) == ("first", 0, "the rules")


def test_a_budget_that_is_too_small_tells_nothing() -> None:
    assert truth_of(catalog.position("startpos", "connect4"), nodes=50) is None


def test_chess_by_tables() -> None:
    won = catalog.position("8/8/8/8/8/2k5/7Q/K7 w - - 0 1", "chess")
    found = truth_of(won, ["h2c2", "h2d6"])
    if found is None:
        pytest.skip("there are no endgame tables here")
    assert found.outcome == "first"
    blunder = found.of("h2c2")
    assert blunder is not None
    assert (blunder.outcome, blunder.regret) == ("draw", 0.5)
    fine = found.of("h2d6")
    assert fine is not None
    assert fine.regret == 0
    assert truth_of(catalog.position("startpos", "chess")) is None


def test_what_a_search_has_proven_is_true() -> None:
    from tests.engines import checks

    mate = catalog.position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "chess")
    proof = checks.run(mate, "alphabeta", depth=2)
    found = from_reports([None, proof], ["a1a8", "g1f1"])
    assert found is not None
    assert (found.source, found.outcome, found.distance) == ("proven by alphabeta", "first", 1)
    assert [(one.move, one.regret) for one in found.moves] == [("a1a8", 0)]
    assert from_reports([checks.run(mate, "alphabeta", depth=0)]) is None


def test_in_words() -> None:
    players = ("X", "O")
    won = Truth(source="solver", outcome="second", distance=7, value=0, nodes=1)
    assert outcome_text(won, players) == "O in 7"

    def move(regret: float, plies: int | None, outcome: str | None = "draw") -> MoveTruth:
        return MoveTruth(move="4", outcome=outcome, distance=None, value=0, regret=regret, plies=plies)  # type: ignore[arg-type]

    said = [move(0, 0), move(0, 2), move(0, 1), move(0.5, None), move(1, None), move(2.5, None, None), None]
    assert [regret_text(one) for one in said] == ["none", "2 plies", "1 ply", "½", "1", "2.5", ""]


def test_on_the_command_line(plybench: Plybench) -> None:
    answer = plybench("analyze", SCORES[0][0], "--game", "connect4", "--depth", "2", "--truth", "--json")
    assert answer.code == 0
    truth = answer.json["truth"]
    assert (truth["source"], truth["moves"][0]["move"]) == ("solver", answer.json["best_move"])
    said = plybench("analyze", "((3 12 8) (2 4 6) (14 5 2))", "--game", "tree", "--depth", "1", "--truth").out
    assert "The truth, by the tree: 3" in said
    unknown = plybench("analyze", "startpos", "--game", "connect4", "--depth", "1", "--truth", "--truth-nodes", "5")
    assert "could not be found" in unknown.out


def test_the_truth_is_found_by_a_prover_else_in_what_a_search_has_proven() -> None:
    where = catalog.position("17516442226766", "connect4")
    report = Search(where, catalog.algorithm("deepening"), Limit(depth=13)).start().report()
    asked: list[str] = []

    def run(search: Search, what: str) -> bool:
        asked.append(what)
        return run_to_end(search, what)

    truth, interrupted = find_truth(where, [report, None], run=run)
    assert truth is not None
    assert (truth.source, truth.outcome, truth.distance, interrupted) == ("solver", "first", 13, False)
    assert truth.of(report.best_move) is not None
    assert set(asked) == {"truth by solver"}
    truth, interrupted = find_truth(where, [report], nodes=1)
    assert truth is not None
    assert (truth.source, truth.outcome, truth.nodes, interrupted) == ("proven by deepening", "first", 0, False)
    assert find_truth(where, [], nodes=1) == (None, False)
    assert find_truth(where, [], run=lambda search, what: True) == (None, True)


@pytest.mark.parametrize(("source", "said"), [("the table KQvK", "by the table KQvK"), ("proven by dfpn", "proven by dfpn")])
def test_where_a_truth_is_from_is_said_once(source: str, said: str) -> None:
    truth = Truth(source=source, outcome="first", distance=3, value=9.0, nodes=0)
    assert sentence(truth, None, catalog.position("startpos", "tictactoe")) == f"The truth, {said}: X in 3."
