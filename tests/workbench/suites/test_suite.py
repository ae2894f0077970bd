"""`plybench suite`: what is right is counted as right, in both kinds of files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from positions.suites import game_of
from tests.workbench.conftest import Plybench, interrupted
from workbench.suites.job import Suite, score

MATES = """# three mates in one, and one that is none
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id "back rank";
k7/8/1K6/8/8/8/8/6Q1 w - - am Qa1+ Qh1+; id "not these";
7k/8/6K1/8/8/8/8/R7 w - - bm Ra8+ Kf7; id "one of two";

6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra2; id "wrong on purpose";
"""
SCORES = """2252576253462244111563365343671351441 -1
7422341735647741166133573473242566 1
23163416124767223154467471272416755633 0
71255763773133525731261364622167124446454 0
65214673556155731566316327373221417 -1
"""
ALPHABETA = ("--algorithm", "alphabeta")


@pytest.fixture
def mates(tmp_path: Path) -> str:
    file = tmp_path / "mates.epd"
    file.write_text(MATES)
    return str(file)


@pytest.fixture
def scores(tmp_path: Path) -> str:
    file = tmp_path / "Test_L3"
    file.write_text(SCORES)
    return str(file)


def test_best_moves_and_moves_to_avoid(plybench: Plybench, mates: str) -> None:
    answer = plybench("suite", mates, *ALPHABETA, "--depth", "2", "--json")
    assert (answer.code, answer.err) == (0, "")
    found = answer.json
    assert {"file", "game", "algorithm", "parameters", "limit", "total", "solved", "positions"} <= set(found)
    assert (found["game"], found["total"], found["done"], found["solved"], found["percent"]) == ("chess", 4, 4, 3, 75.0)
    assert [row["solved"] for row in found["positions"]] == [True, True, True, False]
    assert [row["line"] for row in found["positions"]] == [2, 3, 4, 6]
    wrong = found["positions"][-1]
    assert (wrong["id"], wrong["best"], wrong["best_move"]) == ("wrong on purpose", ["a1a2"], "a1a8")
    assert found["nodes"] == sum(row["nodes"] for row in found["positions"])


def test_failures_are_told_and_all_with_verbose(plybench: Plybench, mates: str) -> None:
    out = plybench("suite", mates, *ALPHABETA, "--depth", "2").out
    assert "✗ wrong on purpose  wanted Ra2, found Ra8#" in out
    assert "back rank" not in out
    assert "3 of 4 solved (75%)" in out
    out = plybench("suite", mates, *ALPHABETA, "--depth", "2", "--verbose", "--jobs", "2").out
    assert "✓ back rank  wanted Ra8#, found Ra8#" in out
    assert "wanted not Qa1+ not Qh1+" in out
    assert "1 of 1 solved" in plybench("suite", mates, *ALPHABETA, "--depth", "2", "--limit", "1").out


def test_early_stops_what_is_solved(plybench: Plybench, tmp_path: Path) -> None:
    """The pawn is taken at every depth, so the search need not go on for its 20 seconds."""
    file = tmp_path / "early.epd"
    file.write_text("4k3/8/8/8/8/q7/8/R3K3 w - - bm Rxa3;\n")
    (row,) = plybench("suite", str(file), *ALPHABETA, "--seconds", "20", "--early", "3", "--json").json["positions"]
    assert row["solved"]
    assert row["stopped_early"]
    assert row["seconds"] < 10
    assert row["depth"] >= 3
    assert row["solved_depth"] == 1


def test_scores_of_connect4(plybench: Plybench, scores: str) -> None:
    found = plybench("suite", scores, *ALPHABETA, "--json").json
    assert (found["game"], found["solved"], found["total"]) == ("connect4", 5, 5)
    assert [row["found_score"] for row in found["positions"]] == [-1, 1, 0, 0, -1]
    shallow = plybench("suite", scores, *ALPHABETA, "--depth", "1", "--limit", "2")
    assert "no proof" in shallow.out


@pytest.mark.parametrize(
    ("position", "size", "expected"),
    [
        ("445566", None, 18),  # X wins with the fourth of its 21 stones: 18 are left, that one included
        ("44556", None, -18),  # O must answer on two sides: X wins with the fourth
        ("4455", None, 18),
        ("startpos", "4x4", 0),
    ],
)
def test_scores_are_counted_in_the_winners_stones(position: str, size: str | None, expected: int) -> None:
    where = catalog.position(position, "connect4", size)
    depth = 16 if size else 6
    report = Search(where, catalog.algorithm("alphabeta"), Limit(depth=depth)).start().report()
    assert score(where, report) == expected


BAD = [
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - id 1;", "line 1: The EPD names neither best moves (bm)"),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra9;", "line 1: bm: 'Ra9' is not a legal move here"),
    ("\n\nrubbish", "line 3: The board has 8 rows"),
    ("\n44539 2", "line 2: '44539' has '9'"),
    ("4453 2x", "line 1:"),
    ("4455667 1", "line 1: The game is over"),
    ("", "is empty"),
]


@pytest.mark.parametrize(("text", "hint"), BAD)
def test_a_bad_line_is_named(plybench: Plybench, tmp_path: Path, text: str, hint: str) -> None:
    file = tmp_path / "bad.epd"
    file.write_text(text)
    answer = plybench("suite", str(file), *ALPHABETA)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert hint in answer.err


@pytest.mark.parametrize(
    ("text", "hint"),
    [("4453 2\n44539 2", "line 2: '44539' has '9'"), ("4453 2\n4453", "line 2: A line is a position and its score")],
)
def test_one_bad_line_is_skipped_and_told(tmp_path: Path, text: str, hint: str) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(text)
    suite = Suite(file)
    assert [case.line for case in suite.cases] == [1]
    (told,) = suite.skipped
    assert told.startswith("1 of 2 lines skipped; ")
    assert hint in told


def test_what_there_is_not(plybench: Plybench, mates: str) -> None:
    for command, hint in [
        (("suite", "no-such-file"), "There is no file"),
        (("suite", mates, "--game", "breakthrough"), "suites for chess and connect4"),
        (("suite", mates, "--game", "connect4"), "line 2: A line is a position and its score"),
        (("suite", mates, "--algorithm", "alfabeta"), "Did you mean alphabeta?"),
        (("suite", mates, *ALPHABETA, "--set", "speed=9"), "no parameter 'speed'"),
        (("suite", mates, *ALPHABETA, "--depth", "-1"), "0 to 240"),
    ]:
        answer = plybench(*command)
        assert answer.code == 2
        assert hint in answer.err


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_an_interrupt_prints_what_there_is(tmp_path: Path) -> None:
    file = tmp_path / "long.epd"
    file.write_text(MATES.splitlines()[1] + "\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n")
    answer = interrupted(1, "suite", str(file), *ALPHABETA, "--depth", "30", "--json")
    assert (answer.code, answer.err) == (130, "")
    found = answer.json
    assert (found["total"], found["complete"]) == (2, False)
    assert found["solved"] == found["done"] == len(found["positions"]) <= 1


def test_the_game_of_a_suite_is_one_that_declares_such_suites(tmp_path: Path) -> None:
    file = tmp_path / "suite"
    for text, game in [("4453 2", "connect4"), ("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8;", "chess"), ("99999 2", "connect4")]:
        file.write_text(text)
        assert game_of(file) == game
