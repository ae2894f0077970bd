"""Adding a game or an algorithm takes one file and one line. This test does exactly what CONTRIBUTING.md says, on a copy."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.copies import ROOT, kept_copy


@pytest.fixture(scope="module")
def copy(pytestconfig: pytest.Config) -> Path:
    """A copy of the sources with the guide's game and algorithm added."""
    catalog = (ROOT / "engines/catalog.py").read_text()
    for names, name in (("GAMES", "takeaway"), ("ALGORITHMS", "greedy")):
        catalog, found = re.subn(rf"^{names} = \[", f'{names} = ["{name}", ', catalog, flags=re.MULTILINE)
        assert found == 1, names
    added = {**listings(), "engines/catalog.py": catalog}
    return kept_copy(pytestconfig, "extended", ("engines", "positions", "workbench"), added)


def listings() -> dict[str, str]:
    """The files that the guide tells the reader to write."""
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    game, algorithm = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    (positions,) = re.findall(r"```toml\n(.*?)```", guide, re.DOTALL)
    return {
        "engines/games/takeaway.py": game,
        "engines/search/greedy.py": algorithm,
        "positions/data/takeaway.toml": positions,
    }


@pytest.mark.parametrize("path", [path for path in listings() if path.endswith(".py")])
@pytest.mark.parametrize("command", [("check",), ("format", "--diff")], ids=lambda command: command[0])
def test_the_listings_pass_the_linter(path: str, command: tuple[str, ...]) -> None:
    """With the settings of the project, as if the file were where the guide says."""
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "--no-cache", "--stdin-filename", str(ROOT / path), "-"],
        cwd=ROOT,
        input=listings()[path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_listings_have_what_make_test_demands(copy: Path) -> None:
    (named,) = interpreted(copy, [["positions", "--game", "takeaway", "--json"]])
    assert [(entry["id"], entry["outcome"], entry["distance"]) for entry in named] == [("takeaway/start", "second", 6)]
    card = listings()["engines/search/greedy.py"]
    assert card.startswith('"""Greedy')
    assert re.findall(r"\*\*(.+?)\.\*\*", card) == ["Idea", "In short", "Cost", "Watch"]


def run(copy: Path, *command: str, text: str = "", **environment: str) -> str:
    """The output of a fresh interpreter that imports the copy only."""
    places = {"PYTHONPATH": str(copy), "PLYBENCH_CACHE": str(copy / "cache")}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=copy,
        env=os.environ | places | environment,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def plybench(copy: Path, *args: str) -> Any:
    """The JSON answer of one command."""
    return json.loads(run(copy, "-m", "workbench.cli", *args, "--json"))


ONE_BY_ONE = """
import json, sys
from workbench.cli.main import cli
for args in json.load(sys.stdin):
    cli.main(args, standalone_mode=False)
"""


def interpreted(copy: Path, commands: list[list[str]], **environment: str) -> list[Any]:
    """The answers of many commands in one process without compilation, which would take long."""
    out = run(copy, "-c", ONE_BY_ONE, text=json.dumps(commands), NUMBA_DISABLE_JIT="1", **environment)
    answers, decoder = [], json.JSONDecoder()
    while out := out.strip():
        answer, end = decoder.raw_decode(out)
        answers.append(answer)
        out = out[end:]
    return answers


def test_the_new_game_has_every_fitting_algorithm(copy: Path) -> None:
    games = {row["id"]: row for row in plybench(copy, "games")}
    fitting = games["takeaway"]["algorithms"]
    assert {"greedy", "minimax", "negamax", "alphabeta", "random"} <= set(fitting)
    samples = {row["id"] for row in plybench(copy, "algorithms") if "iterations" in row["limits"]}
    commands = [
        ["analyze", "startpos", "--game", "takeaway", "--algorithm", algorithm, "--json"]
        + (["--iterations", "500"] if algorithm in samples else ["--depth", "12"])
        for algorithm in fitting
    ]
    compiled = plybench(copy, *commands[fitting.index("alphabeta")][:-3], "--depth", "12")
    reports = interpreted(copy, commands)
    assert [report["algorithm"] for report in reports] == fitting
    for report in [*reports, compiled]:
        assert report["best_move"] in ("1", "2", "3"), report
        if report["algorithm"] not in {"greedy", "random", "beam", *samples}:
            assert (report["outcome"], report["distance"]) == ("second", 6), "a multiple of four is lost"


def test_the_new_game_has_perft_and_evaluation(copy: Path) -> None:
    assert plybench(copy, "perft", "startpos", "--game", "takeaway", "--depth", "4")["leaves"] == 3**4
    assert plybench(copy, "eval", "8", "--game", "takeaway")["value"] == -1


def test_the_new_algorithm_plays_the_other_games(copy: Path, tmp_path: Path) -> None:
    tape = tmp_path / "greedy.tape"
    analyze = ("analyze", "454545", "--game", "connect4", "--algorithm", "greedy", "--tape", str(tape))
    report = plybench(copy, *analyze)
    assert (report["best_move"], report["outcome"], report["nodes"]) == ("4", "first", 8)
    assert plybench(copy, "tape", str(tape))["faults"] == 0


def test_the_new_game_is_played_at_a_level(copy: Path, tmp_path: Path) -> None:
    levels, played = interpreted(
        copy,
        [
            ["levels", "takeaway", "--json"],
            ["play", "startpos", "--game", "takeaway", "--first", "level:1", "--second", "level:8", "--json"],
        ],
        PLYBENCH_DATA=str(tmp_path),
    )
    assert [row["level"] for row in levels] == list(range(1, 11)), "it has the usual ladder"
    assert levels[4]["words"].startswith("Sees its move and the reply; every fourth move is not its best")
    assert played["outcome"] == "second", "who looks leaves a multiple of four to one who does not"
    assert sum(map(int, played["moves"])) == 12


def test_the_weights_of_the_new_game_are_tuned(copy: Path, tmp_path: Path) -> None:
    small = ["--size", "9", "--population", "4", "--generations", "2", "--depth", "1", "--bits", "3", "--draws", "2"]
    alone = ["--jobs", "1", "--journal", str(tmp_path / "journal"), "--json"]
    (found,) = interpreted(copy, [["tune", "takeaway", *small, *alone]], PLYBENCH_DATA=str(tmp_path))
    assert found["complete"]
    assert [generation["number"] for generation in found["generations"]] == [1, 2]
    assert found["best"] > [0], "to know what is lost is better than to know nothing"
    assert found["acceptance"]["reference"] == [1], "the game's own weights"


def test_what_is_true_of_the_new_game_is_found(copy: Path) -> None:
    lost = ["analyze", "startpos", "--game", "takeaway", "--algorithm", "random", "--truth", "--json"]
    won = ["analyze", "7", "--game", "takeaway", "--algorithm", "random", "--truth", "--json"]
    for report, outcome, distance in zip(interpreted(copy, [lost, won]), ("second", "first"), (6, 3), strict=True):
        truth = report["truth"]
        assert (truth["source"], truth["outcome"], truth["distance"]) == ("deepening", outcome, distance)


SCORED = """
from engines import catalog
kind = catalog.game("takeaway")
kind.has_scored_suites, kind.suite_algorithms = True, ("alphabeta",)
"""


def test_the_new_game_may_have_suites_with_scores(copy: Path, tmp_path: Path) -> None:
    """Nothing bounds the plies of the game, so that a score is the number of plies to the end."""
    file = tmp_path / "scores.txt"
    file.write_text("12 -6\n7 3\n4 1\n")
    command = json.dumps([["suite", str(file), "--json"]])
    found = json.loads(run(copy, "-c", SCORED + ONE_BY_ONE, text=command, NUMBA_DISABLE_JIT="1"))
    assert (found["game"], found["solved"], found["total"]) == ("takeaway", 2, 3)
    assert [row["found_score"] for row in found["positions"]] == [-6, 3, -2]


DRAWN = """
import asyncio
from engines import catalog
from workbench.app.app import PlybenchApp
from workbench.app.widgets.board import BoardView

async def look():
    app = PlybenchApp(catalog.position("7", "takeaway"))
    async with app.run_test(size=(120, 36)) as pilot:
        while not app.screen.query(BoardView):
            await pilot.pause(0.05)
        await pilot.pause()
        view = app.screen.query_one(BoardView)
        print(*("".join(segment.text for segment in view.render_line(y)) for y in range(view.size.height)), sep="\\n")

asyncio.run(look())
"""


def test_the_board_of_the_new_game_is_drawn(copy: Path, tmp_path: Path) -> None:
    terminal = run(copy, "-m", "workbench.cli", "eval", "7", "--game", "takeaway", NUMBA_DISABLE_JIT="1")
    assert "|||||||" in terminal
    assert "Takeaway" in terminal
    app = run(copy, "-c", DRAWN, NUMBA_DISABLE_JIT="1", PLYBENCH_DATA=str(tmp_path))
    assert "|||||||" in app
