"""`plybench analyze`: the facts everybody can look up, and reports that keep their promises."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workbench.conftest import Plybench, interrupted

TEXTBOOK = "((3 12 8) (2 4 6) (14 5 2))"
REPORT_FIELDS = [
    "game",
    "position",
    "size",
    "algorithm",
    "parameters",
    "limit",
    "seed",
    "value",
    "outcome",
    "distance",
    "best_move",
    "pv",
    "depth",
    "nodes",
    "leaves",
    "evaluations",
    "seconds",
    "nodes_per_second",
    "stopped_by",
    "table",
    "depths",
    "root_moves",
]


@pytest.mark.parametrize("algorithm", ["minimax", "negamax"])
def test_tictactoe_has_549946_nodes(plybench: Plybench, algorithm: str) -> None:
    report = plybench("analyze", "startpos", "--game", "tictactoe", "--algorithm", algorithm, "--depth", "9", "--json").json
    assert (report["value"], report["outcome"], report["nodes"], report["leaves"]) == (0, "draw", 549946, 255168)


def test_alphabeta_needs_18297_of_them(plybench: Plybench) -> None:
    report = plybench(
        "analyze", "startpos", "--game", "tictactoe", "--algorithm", "alphabeta", "--depth", "9", "--json"
    ).json
    assert (report["value"], report["outcome"], report["nodes"], report["leaves"]) == (0, "draw", 18297, 7330)


def test_textbook_tree(plybench: Plybench) -> None:
    report = plybench("analyze", TEXTBOOK, "--game", "tree", "--algorithm", "alphabeta", "--json").json
    assert (report["value"], report["leaves"], report["exact"]) == (3, 7, True)


def test_course_exercise_is_won_by_black(plybench: Plybench) -> None:
    report = plybench("analyze", "breakthrough/course-6x4", "--algorithm", "alphabeta", "--depth", "5", "--json").json
    assert (report["outcome"], report["distance"]) == ("second", 5)
    assert report["best_move"] in ("a4b3", "b4b3")
    assert len(report["pv"]) == 5


def test_json_has_every_promised_field(plybench: Plybench) -> None:
    answer = plybench("analyze", "startpos", "--game", "connect4", "--depth", "3", "--json")
    assert answer.code == 0
    assert answer.err == ""
    assert set(REPORT_FIELDS) <= set(answer.json)
    row = answer.json["depths"][0]
    assert {"depth", "value", "best_move", "pv", "nodes", "seconds", "table"} <= set(row)
    assert {"move", "value", "nodes"} <= set(answer.json["root_moves"][0])


def test_values_are_for_the_first_player(plybench: Plybench) -> None:
    """X threatens to win at once; whoever is asked, the value is good for X."""
    report = plybench("analyze", "4151", "--game", "connect4", "--depth", "3", "--json").json
    assert report["outcome"] == "first"
    assert report["value"] > 0
    after = plybench("analyze", "41513", "--game", "connect4", "--depth", "2", "--json").json
    assert after["outcome"] == "first"
    assert after["value"] > 0


def test_game_that_is_over(plybench: Plybench) -> None:
    report = plybench("analyze", "XXX/OO./...", "--game", "tictactoe", "--json").json
    assert (report["outcome"], report["best_move"], report["pv"], report["distance"]) == ("first", None, [], 0)
    assert report["stopped_by"] == "game over"
    assert "X has won" in plybench("analyze", "XXX/OO./...", "--game", "tictactoe").out


def test_same_limit_same_report(plybench: Plybench) -> None:
    command = ("analyze", "4", "--game", "connect4", "--nodes", "20000", "--json")
    reports = [plybench(*command).json for _ in range(2)]
    for report in reports:
        for name in ("seconds", "compile_seconds", "nodes_per_second"):
            del report[name]
        for row in report["depths"]:
            del row["seconds"]
    assert reports[0] == reports[1]
    assert reports[0]["nodes"] == 20000
    assert reports[0]["stopped_by"] == "nodes"


def test_settings_reach_game_and_algorithm(plybench: Plybench) -> None:
    command = ("analyze", "startpos", "--game", "connect4", "--depth", "2", "--json")
    report = plybench(*command, "--set", "weights=15,244,953", "--set", "quickest=off").json
    assert report["options"]["weights"] == "15,244,953"
    assert report["parameters"] == {"quickest": False, "backwards": False, "tables": False}


def test_position_from_standard_input() -> None:
    command = [sys.executable, "-m", "workbench.cli", "analyze", "-", "--game", "tree", "--json"]
    done = subprocess.run(command, input=TEXTBOOK, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["value"] == 3


def test_readable_report(plybench: Plybench) -> None:
    out = plybench("analyze", "breakthrough/course-6x4", "--depth", "5").out
    assert "Black wins in 5 plies" in out
    assert "b4b3 c1c2 b3a2 b2b3 a2a1" in out


def test_tape_is_written_and_summarised(plybench: Plybench, tmp_path: Path) -> None:
    file = tmp_path / "search.tape"
    analyze = ("analyze", "startpos", "--game", "tictactoe", "--depth", "9", "--json")
    report = plybench(*analyze, "--tape", str(file)).json
    summary = plybench("tape", str(file), "--json").json
    assert report["tape_nodes"] == summary["nodes"] == summary["recorded"] == 18297
    assert sum(row["nodes"] for row in summary["plies"]) == 18297
    assert sum(row["terminal"] for row in summary["plies"]) == 7330
    assert summary["faults"] == 0
    assert summary["report"] == report
    assert "every value follows from its children" in plybench("tape", str(file)).out


def test_full_tape_says_so(plybench: Plybench, tmp_path: Path) -> None:
    file = tmp_path / "short.tape"
    plybench("analyze", "startpos", "--game", "tictactoe", "--tape", str(file), "--tape-nodes", "100", "--json")
    assert plybench("tape", str(file), "--json").json["faults"] is None, "what is not all there cannot be checked"
    assert "100 nodes on the tape of 18,297 that were searched" in " ".join(plybench("tape", str(file)).out.split())


def test_a_search_for_one_good_game_claims_no_interval_and_its_tables_stay_short(plybench: Plybench) -> None:
    command = ("analyze", "startpos", "--game", "morpion", "--algorithm", "nrpa", "--iterations", "100")
    report = plybench(*command, "--json").json
    assert len(report["pv"]) > 20
    assert {row["interval"] for row in report["root_moves"]} == {None}
    out = plybench(*command).out
    assert "95 %" not in out
    table = out.split("iterations   value", 1)[1].split("level", 1)[0]
    assert len(table.splitlines()) <= 4 + 4 * len(report["depths"]), "not the whole game for every checkpoint"


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
@pytest.mark.parametrize(
    "command",
    [
        ["analyze", "startpos", "--game", "connect4", "--depth", "40", "--json"],
        ["analyze", "startpos", "--game", "connect4", "--seconds", "600", "--json"],
        ["perft", "startpos", "--game", "breakthrough", "--depth", "20", "--json"],
    ],
)
def test_interrupt_prints_what_is_known(command: list[str]) -> None:
    for patience in (0.7, 3):  # the compiled search has to be loaded first
        answer = interrupted(patience, *command)
        assert answer.code == 130
        assert "Traceback" not in answer.err
        document = answer.json
        if command[0] == "perft" or document["nodes"]:
            break
    if command[0] == "analyze":
        assert document["stopped_by"] == "request"
        assert document["nodes"] > 0
