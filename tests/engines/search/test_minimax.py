from __future__ import annotations

import numpy as np
import pytest

from engines import catalog
from engines.contract import InputError
from engines.run.search import Search
from engines.tape.tape import TERMINAL, new_tape
from tests.engines import checks
from tests.naive import games as naive


@pytest.mark.parametrize("algorithm", ["minimax", "negamax"])
def test_tictactoe_as_everybody_counts_it(algorithm: str) -> None:
    report = checks.run(catalog.position("startpos", "tictactoe"), algorithm, depth=9)
    assert (report.nodes, report.leaves, report.evaluations) == (549_946, 255_168, 0)
    assert (report.value, report.outcome, report.distance, report.stopped_by) == (0, "draw", None, "solved")


def test_how_the_games_of_tictactoe_end() -> None:
    """131,184 are won by the first player, 77,904 by the second, 46,080 are drawn: read off the tape."""
    tape = new_tape(600_000)
    report = checks.run(catalog.position("startpos", "tictactoe"), "minimax", tape=tape, depth=9)
    assert report.tape_nodes == 549_946
    values = tape.value[: report.tape_nodes][tape.kind[: report.tape_nodes] == TERMINAL]
    assert [int(np.sum(values > 0)), int(np.sum(values < 0)), int(np.sum(values == 0))] == [131_184, 77_904, 46_080]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(max(1 2) max(3 4))", 4),
        ("(min(1 2) min(3 4))", 3),
        ("min(min(1 2) min(3 4))", 1),
        ("max(max(max(1 2) min(9 8)) (3 4))", 8),
        ("min(max(1 5) 3)", 3),
        ("min(2 7)", 2),
    ],
)
def test_trees_where_one_player_moves_twice(text: str, value: int) -> None:
    assert naive.minimax(naive.Tree.read(text), 9).value == value
    assert checks.run(catalog.position(text, "tree"), "minimax").value == value


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", ["negamax", "alphabeta"])
@pytest.mark.parametrize(("text", "who"), [("(max(1 2) 3)", "MAX"), ("min(min(1 2) 3)", "MIN"), ("((1 min(2 3)) 4)", "MIN")])
def test_others_refuse_those_with_a_sentence(algorithm: str, text: str, who: str) -> None:
    position = catalog.position(text, "tree")
    with pytest.raises(InputError) as error:
        Search(position, catalog.algorithm(algorithm))
    assert checks.is_sentence(str(error.value))
    assert str(error.value).startswith(f"{algorithm} needs two players who take turns")
    assert f"{who} moves twice in a row" in str(error.value)


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", ["negamax", "alphabeta"])
def test_only_what_is_still_ahead_has_to_alternate(algorithm: str) -> None:
    """MAX moves twice in the other branch, which the game can no longer come to."""
    report = checks.run(catalog.position("(max(1 2) (3 4)) moves 2", "tree"), algorithm)
    assert report.value == 3


@pytest.mark.plain
def test_the_cut_off_search_takes_inner_numbers() -> None:
    position = catalog.position("(7(1 2) 5(3 4) (6 6))", "tree")
    report = checks.run(position, "minimax", depth=1)
    assert (report.value, report.best_move, report.exact, report.stopped_by) == (7, "1", False, "depth")
    assert [row.value for row in report.root_moves] == [7, 5, 0]
    assert checks.run(position, "minimax").value == 6
