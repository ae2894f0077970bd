"""`plybench experiment`: minimax and alpha-beta play the same games, and alpha-beta looks at fewer nodes."""

from __future__ import annotations

import pytest

from engines import catalog
from engines.contract import InputError
from tests.workbench.conftest import Plybench
from workbench.matches.experiment import ExperimentRun

FEW = ("experiment", "--games", "6", "--depth", "3", "--seed", "5")


def test_the_games_are_the_same_and_the_nodes_are_fewer(plybench: Plybench) -> None:
    answer = plybench(*FEW, "--json")
    found = answer.json
    assert answer.code == 0
    assert (found["games"], found["same_games"], found["identical"]) == (6, 6, True)
    minimax, alphabeta = found["sides"]
    assert [minimax[name] for name in ("wins", "draws", "losses", "moves")] == [
        alphabeta[name] for name in ("wins", "draws", "losses", "moves")
    ]
    assert minimax["wins"] + minimax["draws"] + minimax["losses"] == 6
    assert found["node_ratio"] == minimax["nodes"] / alphabeta["nodes"] > 1.5
    again = plybench(*FEW, "--json").json
    assert again["moves"] == found["moves"]
    assert [side["nodes"] for side in again["sides"]] == [side["nodes"] for side in found["sides"]]


def test_the_moves_are_games(plybench: Plybench) -> None:
    found = plybench(*FEW, "--size", "5x4", "--json").json
    assert found["size"] == "5x4"
    for moves in found["moves"]:
        position = catalog.position(f"startpos moves {' '.join(moves)}", "connect4", "5x4")
        assert position.is_over


def test_the_table_says_it(plybench: Plybench) -> None:
    out = plybench(*FEW).out
    assert "All games are the same, move by move: 6 of connect4 at depth 3, seed 5." in out
    assert "the course: 2.85 times less time" in out


def test_searches_that_see_otherwise_are_told_apart(plybench: Plybench) -> None:
    """Random play makes other moves than minimax: that is said, by the exit code too."""
    answer = plybench(*FEW, "--algorithms", "minimax,random", "--json")
    assert answer.json["identical"] is False
    assert answer.code == 1


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (("--algorithms", "minimax"), "two algorithms or more"),
        (("--algorithms", "minimax,nonsense"), "nonsense"),
        (("--game", "samegame"), "samegame"),
        (("--depth", "0"), "depth"),
    ],
)
def test_what_cannot_be(plybench: Plybench, options: tuple[str, ...], hint: str) -> None:
    answer = plybench("experiment", "--games", "1", *options)
    assert answer.code == 2
    assert hint.lower() in answer.err.lower()


def test_a_game_for_one_has_no_sides() -> None:
    with pytest.raises(InputError):
        ExperimentRun(catalog.position("startpos", "morpion"))
