"""`plybench suite`: mates, points, counts of games; its journal and its CSV; and other programs that crash."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from engines.parts.external import uci_process as external
from tests.workbench.conftest import Plybench

ALPHABETA = ("--algorithm", "alphabeta")
TWO_MATES = '7k/8/8/8/8/8/1R6/R5K1 w - - dm 2; id "in two";\n7k/8/8/8/8/8/1R6/R5K1 w - - dm 1; id "not in one";\n'
POINTS = """6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; c0 "Ra8#=10, Ra7=3"; id "best";
6k1/5ppp/8/8/8/8/8/R5K1 w - - c0 "Ra7=10, Ra8+=4"; id "second best";
7k/P7/8/8/8/8/8/6K1 w - - c7 "a8=Q a8=N"; c8 "10 1"; c0 "a comment, of course"; id "two comments";
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; c0 "no points here"; id "none";
"""
PERFT = """rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902 ;D4 197281
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - ;D1 48 ;D2 2039 ;D3 97862
4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 67
"""
"""Known counts; the last one is wrong on purpose: it is 66."""
ENGINE = """
import os, sys
position, starts = "", r"{starts}"
with open(starts, "a") as file: file.write("started\\n")
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci": print("id name Glass\\nuciok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "quit": break
    elif word == "position": position = line
    elif word == "go":
        if "5ppp" in position: os._exit(7)
        print("info depth 1 score mate 2 nodes 5 pv " + {move!r})
        print("bestmove " + {move!r}, flush=True)
"""
"""An engine that crashes in some positions, and plays one move in all others."""


def written(folder: Path, text: str, name: str = "suite.epd") -> str:
    file = folder / name
    file.write_text(text)
    return str(file)


@pytest.fixture
def glass(tmp_path: Path) -> str:
    """The command of an engine that crashes; `starts` beside it has a line for each time it was started."""
    file = tmp_path / "glass.py"
    file.write_text(ENGINE.format(starts=tmp_path / "starts", move="b2b7"))
    return f"{sys.executable} {file}"


def test_a_mate_in_so_many_moves(plybench: Plybench, tmp_path: Path) -> None:
    file = written(tmp_path, TWO_MATES)
    answer = plybench("suite", file, *ALPHABETA, "--depth", "4", "--json")
    rows = answer.json["positions"]
    assert [(row["mate"], row["found_mate"], row["solved"]) for row in rows] == [(2, 2, True), (1, 2, False)]
    assert "wanted mate in 1, found" in plybench("suite", file, *ALPHABETA, "--depth", "4").out
    shallow = plybench("suite", file, *ALPHABETA, "--depth", "2", "--json").json["positions"]
    assert [(row["found_mate"], row["solved"]) for row in shallow] == [(None, False)] * 2, "it was not looked for so far"


def test_points_for_moves(plybench: Plybench, tmp_path: Path) -> None:
    file = written(tmp_path, POINTS)
    found = plybench("suite", file, *ALPHABETA, "--depth", "3", "--json").json
    rows = found["positions"]
    assert [(row["points"], row["most_points"]) for row in rows] == [(10, 10), (4, 10), (10, 10), (None, None)]
    assert [row["solved"] for row in rows] == [True, False, True, True]
    assert (found["points"], found["most_points"]) == (24, 30)
    assert "24 of 30 points" in plybench("suite", file, *ALPHABETA, "--depth", "3").out


@pytest.mark.parametrize(
    ("operation", "hint"),
    [("dm 0", "from 1 to 120"), ("dm x", "from 1 to 120"), ('c0 "Ra9=3"', "'Ra9' is not a legal move")],
)
def test_bad_operations_are_named(plybench: Plybench, tmp_path: Path, operation: str, hint: str) -> None:
    answer = plybench("suite", written(tmp_path, f"6k1/5ppp/8/8/8/8/8/R5K1 w - - {operation};\n"), *ALPHABETA)
    assert hint in answer.err + answer.out
    assert "Traceback" not in answer.err


def test_counts_of_games(plybench: Plybench, tmp_path: Path) -> None:
    file = written(tmp_path, PERFT)
    found = plybench("suite", file, "--json").json
    assert (found["algorithm"], found["solved"], found["total"]) == ("perft", 2, 3)
    assert found["positions"][0]["found_counts"] == {"1": 20, "2": 400, "3": 8902, "4": 197281}
    assert found["positions"][2]["found_counts"] == {"1": 15, "2": 66}
    out = plybench("suite", file).out
    assert "wanted D1 15 D2 67, found D1 15 D2 66" in out
    assert "2 of 3 solved" in out
    shallow = plybench("suite", file, "--depth", "1", "--json").json
    assert [row["depth"] for row in shallow["positions"]] == [1, 1, 1]
    few = plybench("suite", file, "--nodes", "500", "--json").json
    assert [row["depth"] for row in few["positions"]] == [2, 1, 2], "no count of more than 500 games"


def test_counts_of_other_games_and_without_an_algorithm(plybench: Plybench, tmp_path: Path) -> None:
    file = written(tmp_path, "startpos ;D1 7 ;D2 49 ;D3 343\n4 ;D1 7\n")
    assert plybench("suite", file, "--game", "connect4", "--json").json["solved"] == 2
    file = written(tmp_path, PERFT)
    assert "takes no algorithm" in plybench("suite", file, *ALPHABETA).err
    assert "not by --seconds" in plybench("suite", file, "--seconds", "1").err


def test_rows_for_other_programs(plybench: Plybench, tmp_path: Path) -> None:
    target = tmp_path / "found.csv"
    plybench("suite", written(tmp_path, POINTS + TWO_MATES), *ALPHABETA, "--depth", "3", "-o", str(target))
    with target.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["solved"] for row in rows] == ["yes", "no", "yes", "yes", "yes", "no"]
    assert (rows[0]["best"], rows[0]["best_move"], rows[0]["points"]) == ("a1a8", "a1a8", "10")
    assert (rows[4]["mate"], rows[4]["found_mate"]) == ("2", "2")
    assert all(int(row["nodes"]) > 0 for row in rows)
    answer = plybench("suite", written(tmp_path, POINTS), *ALPHABETA, "-o", str(tmp_path / "found.xls"))
    assert (answer.code, "ends in .csv" in answer.err) == (2, True)


# The journal.


def test_a_suite_goes_on_from_its_journal(plybench: Plybench, tmp_path: Path) -> None:
    file, journal = written(tmp_path, POINTS + TWO_MATES), tmp_path / "journal"
    command = ("suite", file, *ALPHABETA, "--depth", "3", "--json")
    whole = plybench(*command, "--journal", str(journal)).json
    assert journal.read_bytes().count(b"\n") == 7, "a head and six positions"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:4]) + lines[4][:20])
    resumed = plybench(*command, "--journal", str(journal)).json
    assert (resumed["resumed"], resumed["complete"]) == (3, True)
    assert (resumed["solved"], resumed["points"], resumed["nodes"]) == (whole["solved"], whole["points"], whole["nodes"])
    journal.write_bytes(b"".join([lines[0], *lines[2:]]))
    damaged = plybench(*command, "--journal", str(journal))
    assert (damaged.code, "damaged in line 2" in damaged.err) == (2, True)
    journal.write_bytes(b"".join(lines))
    other = plybench("suite", file, *ALPHABETA, "--depth", "2", "--json", "--journal", str(journal))
    assert "limit is not the same" in other.err


def test_a_suite_that_was_killed_goes_on(plybench: Plybench, tmp_path: Path) -> None:
    """Without a journal's name it is found by what the work is, and gone when that is done."""
    file = written(tmp_path, POINTS + "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n")
    command = ["suite", file, *ALPHABETA, "--nodes", "1500000", "--json"]
    data = tmp_path / "data"
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench.cli", *command],
        env={**os.environ, "PLYBENCH_DATA": str(data)},
        stdout=subprocess.DEVNULL,
    )
    end = monotonic() + 60
    while not any(path.read_bytes().count(b"\n") > 2 for path in data.rglob("*.jsonl")) and monotonic() < end:
        sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    done = subprocess.run(
        [sys.executable, "-m", "workbench.cli", *command],
        env={**os.environ, "PLYBENCH_DATA": str(data)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert '"complete":true' in done.stdout.replace(" ", "")
    assert '"resumed":0' not in done.stdout.replace(" ", "")
    assert not list(data.rglob("*.jsonl"))


# Other programs that crash.


def test_a_crash_costs_its_position_and_no_other(plybench: Plybench, tmp_path: Path, glass: str) -> None:
    file = written(tmp_path, TWO_MATES + POINTS.splitlines()[0] + "\n" + TWO_MATES.replace("in", "again in"))
    command = ("suite", file, "--algorithm", "uci", "--set", f"engine={glass}", "--depth", "1")
    found = plybench(*command, "--json")
    assert found.code == 0
    rows = found.json["positions"]
    assert (found.json["done"], found.json["failed"]) == (5, 1)
    assert [row["error"] for row in rows if row["id"] != "best"] == [None] * 4
    assert "ended unexpectedly (exit code 7)" in rows[2]["error"]
    assert [row["solved"] for row in rows] == [True, False, False, True, False], "a mate in two is what it announces"
    assert (tmp_path / "starts").read_text().count("started") == 2, "it was started again"
    out = plybench(*command).out
    assert "✗ best  wanted Ra8#. The engine" in out
    assert "1 without an answer" in out
    external.end_all()


@pytest.mark.parametrize("jobs", [(), ("--jobs", "1")])
def test_a_crash_costs_its_cell_of_a_comparison(
    plybench: Plybench, tmp_path: Path, glass: str, jobs: tuple[str, ...]
) -> None:
    file = written(tmp_path, POINTS.splitlines()[0] + "\n" + TWO_MATES)
    target = tmp_path / "found.csv"
    command = ("--algorithms", "alphabeta,uci", "--set", f"2:engine={glass}", "--depth", "2", "--no-truth", *jobs)
    answer = plybench("compare-suite", file, *command, "-o", str(target), "--json")
    found = answer.json
    assert (answer.code, found["done"], found["complete"]) == (0, 3, True)
    assert [row["cells"][1]["error"] is None for row in found["rows"]] == [False, True, True]
    assert found["rows"][0]["judged"][1]["right"] is False
    assert len(found["failures"]) == 1
    assert "best: uci has no answer. The engine" in found["failures"][0]
    assert "has no answer" in plybench("compare-suite", file, *command).out.replace("\n", " ")
    external.end_all()


def test_an_engine_that_is_not_there_ends_the_run(plybench: Plybench, tmp_path: Path) -> None:
    answer = plybench("suite", written(tmp_path, TWO_MATES), "--algorithm", "uci", "--set", "engine=no-such-engine")
    assert (answer.code, answer.out) == (2, "")
    assert "There is no engine 'no-such-engine'" in answer.err
