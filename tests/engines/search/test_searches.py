"""Every exact search gives the value of the definition, on thousands of positions of every game."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import catalog
from engines.contract import Report
from engines.position import Position
from engines.rules import WIN_EDGE, delayed, evaluate, result
from tests.engines import checks
from tests.naive import games as naive
from tests.strategies import GAMES, Case, cases, sample, trees
from tests.thorough import examples

MOST_NODES = 40
"""A naive search may take so many nodes: few enough to look at thousands of positions."""


def searches(case: Case, depth: int) -> dict[str, Report]:
    """The reports of the three textbook searches."""
    position = case.board()
    return {name: checks.run(position, name, depth=depth) for name in ("minimax", "negamax", "alphabeta")}


def affordable(case: Case, most: int) -> tuple[int, naive.Searched]:
    """The deepest naive search up to `most` plies that is not too long, and at least one ply."""
    depth, found = 1, naive.minimax(case.oracle, 1)
    while depth < most and found.nodes * max(2, len(case.oracle.moves())) <= MOST_NODES:
        depth += 1
        found = naive.minimax(case.oracle, depth)
    return depth, found


def all_agree(case: Case, most: int, deeply: bool = True) -> None:
    """The naive value and line, the same nodes where nothing is cut, and never more where something is."""
    depth, expected = affordable(case, most)
    value = naive.shown(case.oracle, expected.value)
    counts = (expected.nodes, expected.leaves, expected.evaluations)
    for name, report in searches(case, depth).items():
        said = f"{name} to depth {depth} on {case}"
        assert report.value == value, said
        assert report.pv == expected.line, said
        if name == "alphabeta":
            assert report.nodes <= expected.nodes, said
            assert report.leaves <= expected.leaves, said
        else:
            assert (report.nodes, report.leaves, report.evaluations) == counts, said
        if deeply:
            check_line(case.board(), report, depth)


@pytest.mark.parametrize("game", GAMES)
def test_all_exact_searches_agree_on_thousands_of_positions(game: str) -> None:
    for number, case in enumerate(sample(game, examples(2000))):
        all_agree(case, number % 4 + 1, deeply=number % 8 == 0)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(200))
@given(st.data())
def test_all_exact_searches_agree(game: str, data: st.DataObject) -> None:
    """The same with positions that hypothesis looks for, and makes short if it finds a difference."""
    all_agree(data.draw(cases(game, "small", ongoing=True)), data.draw(st.integers(1, 5)))


def check_line(position: Position, report: Report, depth: int) -> None:
    """The line is legal, as long as it may be, and ends in the value; the best move has the value of the root."""
    game = position.game
    for move in report.pv:
        position = position.play(game.read_move(position.state, move))
    assert report.best_move == report.pv[0]
    assert len(report.pv) == depth or position.is_over
    rules, state = game.rules, position.state
    leaf = delayed(result(rules, state), len(report.pv)) if position.is_over else evaluate(rules, state)
    assert report.value == game.shown_value(position.turn * int(leaf))
    (best,) = [row for row in report.root_moves if row.move == report.best_move]
    assert (best.value, best.bound) == (report.value, "exact")


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(150))
@given(st.data())
def test_alphabeta_visits_what_the_textbook_visits(game: str, data: st.DataObject) -> None:
    """Node by node: moves in the game's own order, a cut where alpha meets beta, and the window narrowed at the root."""
    case = data.draw(cases(game, "small", ongoing=True))
    depth, _ = affordable(case, 5)
    expected = naive.alphabeta(case.oracle, depth)
    report = checks.run_with(case.board(), "alphabeta", {"quickest": True}, depth=depth)
    assert (report.nodes, report.leaves, report.evaluations) == (expected.nodes, expected.leaves, expected.evaluations)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(60))
@given(st.data())
def test_alphabeta_backwards_visits_what_the_naive_search_does_backwards(game: str, data: st.DataObject) -> None:
    case = data.draw(cases(game, "small", ongoing=True))
    depth, _ = affordable(case, 5)
    expected = naive.alphabeta(case.oracle, depth, backwards=True)
    report = checks.run_with(case.board(), "alphabeta", {"quickest": True, "backwards": True}, depth=depth)
    assert expected.value == naive.minimax(case.oracle, depth).value
    assert report.value == naive.shown(case.oracle, expected.value)
    assert (report.nodes, report.leaves, report.evaluations) == (expected.nodes, expected.leaves, expected.evaluations)
    check_line(case.board(), report, depth)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(90))
@given(st.data())
def test_root_moves_are_bounded_truly(game: str, data: st.DataObject) -> None:
    """Exact is exact, and `at most` and `at least` hold for the first player."""
    case = data.draw(cases(game, "small", ongoing=True))
    depth, _ = affordable(case, 4)
    for name, report in searches(case, depth).items():
        assert [row.move for row in report.root_moves] == case.oracle.moves(), name
        assert sum(row.nodes for row in report.root_moves) + 1 == report.nodes, name
        for row in report.root_moves:
            true = naive.shown(case.oracle, naive.minimax(case.oracle.play(row.move), depth - 1, 1).value)
            holds = {"exact": row.value == true, "at most": row.value >= true, "at least": row.value <= true}
            assert holds[row.bound], (name, row, true)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_claimed_is_true(game: str) -> None:
    """An exact value is the true one, a proven winner wins, in so many plies: checked against the whole game tree."""
    solved: dict[naive.Naive, naive.Value] = {}
    claims = 0
    for number, case in enumerate(sample(game, examples(200), "tiny")):
        position = case.board()
        true = naive.solve(case.oracle, solved)
        for name in ("minimax", "negamax", "alphabeta"):
            report = checks.run(position, name, depth=number % 6 + 1)
            if report.exact:
                claims += 1
                check_claim(case, report, true)
            else:
                assert (report.outcome, report.distance, report.stopped_by) == (None, None, "depth")
    assert claims > examples(200)


@pytest.mark.parametrize("game", GAMES)
def test_a_search_to_the_end_claims_what_is_true(game: str) -> None:
    solved: dict[naive.Naive, naive.Value] = {}
    for case in sample(game, examples(100), "tiny"):
        report = checks.run(case.board(), "alphabeta", depth=40)
        assert report.exact
        check_claim(case, report, naive.solve(case.oracle, solved))


def check_claim(case: Case, report: Report, true: naive.Value) -> None:
    """The report proves what is so."""
    assert (report.value, report.stopped_by) == (naive.shown(case.oracle, true), "solved"), case
    if not catalog.game(case.game).has_winner:
        assert (report.outcome, report.distance) == (None, None), case
    elif naive.is_win(true):
        winner = "first" if true > 0 else "second"
        assert (report.outcome, report.distance) == (winner, naive.WIN - max(true, -true)), case
    else:
        assert (report.outcome, report.distance) == ("draw", None), case


@settings(max_examples=examples(300))
@given(trees(), st.integers(1, 6))
def test_minimax_where_players_do_not_alternate(case: Case, depth: int) -> None:
    expected = naive.minimax(case.oracle, depth)
    report = checks.run(case.position(), "minimax", depth=depth)
    assert report.value == naive.shown(case.oracle, expected.value)
    assert (report.nodes, report.leaves, report.evaluations) == (expected.nodes, expected.leaves, expected.evaluations)
    assert report.exact == (expected.evaluations == 0)


@pytest.mark.plain
@pytest.mark.parametrize("game", GAMES)
def test_without_the_compiler_too(game: str) -> None:
    """The first hundred of those positions, few enough for plain Python."""
    for number, case in enumerate(sample(game, 100)):
        all_agree(case, number % 3 + 1)


@pytest.mark.plain
@pytest.mark.parametrize("game", [game for game in catalog.GAMES if "minimax" in catalog.algorithms_for(game)])
def test_evaluation_and_a_search_of_no_plies_say_the_same(game: str) -> None:
    """To the last bit: both are shown to people, side by side."""
    position = catalog.position("startpos", game)
    for step in range(12):
        if position.is_over:
            break
        evaluation = position.game.evaluation(position.state)
        assert checks.run(position, "minimax", depth=0).value == evaluation.value, position.text
        assert abs(evaluation.value) * position.game.unit < WIN_EDGE
        legal = position.game.legal_moves(position.state)
        position = position.play(legal[(7 * step + 3) % len(legal)])
