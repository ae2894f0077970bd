"""An external engine as an algorithm: Stockfish where it is installed, Plybench itself, and programs that misbehave."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, sleep

import pytest

from engines import catalog
from engines.contract import InputError, Limit, Report
from engines.parts.external import uci_process as external
from engines.run.search import Search
from engines.tape.tape import new_tape
from tests.engines import checks

STOCKFISH = external.is_there("stockfish")
needs_stockfish = pytest.mark.skipif(not STOCKFISH, reason="Stockfish is not installed")
SCRIPT = """
import sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci": print("id name Script\\noption name Hash type spin default 1 min 1 max 9\\nuciok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "quit": break
    elif word == "position": position = line.strip()
    elif word == "go":
        go = line.strip()
        {reaction}
"""
ANSWERS = """
        print("info string depth 9 score cp 1 pv a2a3")
        print("info depth 1 seldepth 3 score cp 30 nodes 10 pv e2e4 e7e5")
        print("info depth 2 score cp 5 lowerbound nodes 20 pv d2d4")
        print("info depth 2 seldepth 4 multipv 1 score mate 3 nodes 40 pv d2d4 d7d5 d8d8")
        print("info depth 2 multipv 2 score cp 1 nodes 41 pv h2h3")
        print("bestmove d2d4 ponder d7d5", flush=True)
"""


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    """Whatever a test does, nothing runs on behind it."""
    yield
    engines = list(external._alive)
    external.end_all()
    assert all(engine.process.returncode is not None for engine in engines)
    assert not external._alive


def script(folder: Path, reaction: str) -> str:
    """The command of an engine that reacts so to `go`."""
    file = folder / "engine.py"
    file.write_text(SCRIPT.format(reaction=reaction.strip()))
    return f"{sys.executable} {file}"


def search(engine: str, position: str = "startpos", options: str = "", **limits: float) -> Search:
    where = catalog.position(position, "chess")
    limit = Limit(**limits)  # type: ignore[arg-type]
    return Search(where, catalog.algorithm("uci"), limit, {"engine": engine, "options": options})


def run(engine: str, position: str = "startpos", options: str = "", **limits: float) -> Report:
    return search(engine, position, options, **limits).start().report()


ONLY_BOUNDS = """
        print("info depth 1 score cp 30 lowerbound nodes 10 pv e2e4 e7e5")
        print("info depth 2 score cp 50 upperbound nodes 30 pv d2d4", flush=True)
        time.sleep(0.4)
        print("bestmove d2d4", flush=True)
"""


@pytest.mark.plain
def test_an_engine_that_knows_only_bounds_and_answers_late(tmp_path: Path) -> None:
    """Its time is up after 0.1 s; its answer comes when it comes, as long as that is not long."""
    report = run(script(tmp_path, ONLY_BOUNDS), seconds=0.1)
    assert (report.best_move, report.value, report.nodes, report.stopped_by) == ("d2d4", 0.5, 30, "seconds")
    assert [row.bound for row in report.root_moves] == ["at most"]


@pytest.mark.plain
def test_what_an_engine_says_is_read(tmp_path: Path) -> None:
    report = run(script(tmp_path, ANSWERS), options="hash=4", depth=2)
    assert [(row.depth, row.value, row.nodes) for row in report.depths] == [(1, 0.3, 10), (2, 999_995, 30)]
    assert report.depths[0].pv == ("e2e4", "e7e5")
    assert (report.best_move, report.pv) == ("d2d4", ("d2d4", "d7d5")), "what is not legal ends the line"
    assert (report.nodes, report.selective_depth, report.stopped_by) == (41, 4, "depth")
    assert (report.exact, report.outcome, report.distance) == (False, None, None), "it is only a claim"


@pytest.mark.plain
def test_values_are_turned_for_the_first_player(tmp_path: Path) -> None:
    engine = script(tmp_path, 'print("info depth 1 score cp 30 nodes 1 pv e7e5\\nbestmove e7e5", flush=True)')
    assert run(engine, "startpos moves e2e4", depth=1).value == -0.3
    engine = script(tmp_path, 'print("info depth 1 score mate -2 nodes 1 pv e7e5\\nbestmove e7e5", flush=True)')
    assert run(engine + " ", "startpos moves e2e4", depth=1).value == 999_996, "being mated in two moves is four plies"


@pytest.mark.plain
def test_the_engine_gets_the_history_and_the_limit(tmp_path: Path) -> None:
    log = tmp_path / "log"
    note = f'open(r"{log}", "a").write(position + "|" + go + "\\n")'
    engine = script(tmp_path, f'{note}; print("bestmove e7e5", flush=True)')
    every: list[dict[str, float]] = [{"depth": 7}, {"nodes": 50}, {"seconds": 60}, {"depth": 3, "nodes": 9}, {}]
    for limits in every:
        report = run(engine, "startpos moves e2e4", "", **limits)
        assert (report.best_move, report.value) == ("e7e5", None)
    lines = [line for line in log.read_text().splitlines() if not line.endswith("go depth 2")]
    start = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4"
    goes = ["go depth 7", "go nodes 50", "go infinite", "go depth 3 nodes 9", "go depth 4"]
    assert lines == [f"{start}|{go}" for go in goes]


BAD = [
    ("no-such-engine", "", "There is no engine 'no-such-engine'"),
    ("", "", "The engine is empty"),
    ("'", "", "command line"),
    ("/bin/false", "", "ended unexpectedly"),
    ("/", "", "There is no engine"),
]


@pytest.mark.plain
@pytest.mark.parametrize(("engine", "options", "hint"), BAD)
def test_an_engine_that_is_none(engine: str, options: str, hint: str) -> None:
    with pytest.raises(InputError, match=hint) as error:
        run(engine, options=options, depth=1)
    assert checks.is_sentence(str(error.value))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("reaction", "hint"),
    [
        ("sys.exit(3)", "ended unexpectedly"),
        ('print("info depth 1 score cp 1 pv e2e5", flush=True)', "'e2e5', which is not legal"),
        ('print("bestmove h1h8", flush=True)', "'h1h8', which is not legal"),
    ],
)
def test_an_engine_that_fails(tmp_path: Path, reaction: str, hint: str) -> None:
    with pytest.raises(InputError, match=hint) as error:
        run(script(tmp_path, reaction), depth=1)
    assert checks.is_sentence(str(error.value))


@pytest.mark.plain
def test_options_there_are_not(tmp_path: Path) -> None:
    engine = script(tmp_path, ANSWERS)
    for options, hint in (("Speed=9", "no option 'Speed'"), ("Hash", "NAME=VALUE"), ("=4", "NAME=VALUE")):
        with pytest.raises(InputError, match=hint):
            run(engine, options=options, depth=1)


def test_an_engine_that_says_nothing_is_left_alone(tmp_path: Path) -> None:
    """It does not answer `go` nor `stop`: the search ends all the same, with nothing."""
    engine = script(tmp_path, "time.sleep(1 if go.endswith('depth 2') else 60)" + ANSWERS)
    mute = search(engine, seconds=30)
    mute.run.work.budget = 0
    assert mute.start().report().best_move is None
    external.end_all()


def test_an_engine_that_is_deaf_to_stop_is_ended(tmp_path: Path) -> None:
    reaction = "\n        ".join(
        [
            "if go.endswith('depth 2'): print('bestmove e2e4', flush=True); continue",
            "print('info depth 1 score cp 7 nodes 3 pv e2e4', flush=True); time.sleep(60)",
        ]
    )
    deaf = search(script(tmp_path, reaction), seconds=30).start()
    while deaf.counters().nodes < 3:
        sleep(0.01)
    told = perf_counter()
    deaf.stop()
    assert deaf.report().value == 0.07
    assert perf_counter() - told < 1.5, "it was killed, and that was waited for"


def test_other_games_are_not_played() -> None:
    with pytest.raises(InputError, match="they do not play Connect 4"):
        Search(catalog.position("startpos", "connect4"), catalog.algorithm("uci"))
    assert "uci" not in catalog.algorithms_for("tree")
    assert "uci" in catalog.algorithms_for("chess")
    assert "uci" not in catalog.compiled_algorithms_for("chess")


def test_it_cannot_be_recorded(tmp_path: Path) -> None:
    where = catalog.position("startpos", "chess")
    with pytest.raises(InputError, match="uci keeps no tree, so there is nothing to record"):
        Search(where, catalog.algorithm("uci"), Limit(depth=1), {"engine": "stockfish"}, tape=new_tape(10))


@needs_stockfish
def test_stockfish_finds_a_mate() -> None:
    report = run("stockfish", "7k/8/8/8/8/8/1R6/R5K1 w - - 0 1", options="Hash=8;Threads=1", depth=8)
    assert (report.value, report.exact) == (999_997, False)
    assert len(report.pv) == 3


@needs_stockfish
def test_stockfish_stops_when_it_is_told() -> None:
    run("stockfish", depth=1)
    long = search("stockfish", depth=100).start()
    sleep(0.3)
    told = perf_counter()
    long.stop()
    assert long.join(5)
    assert perf_counter() - told < 0.5, "50 ms, and something for a busy machine; the benchmark is strict"
    report = long.report()
    assert report.stopped_by == "request"
    assert report.depth > 5
    assert report.best_move is not None


@needs_stockfish
def test_stockfish_keeps_a_deadline_and_nodes() -> None:
    assert run("stockfish", nodes=2000).stopped_by == "nodes"
    report = run("stockfish", seconds=0.2)
    assert report.stopped_by == "seconds"
    assert report.seconds < 0.5
    assert report.value is not None


@needs_stockfish
def test_two_lanes_at_once_and_engines_are_kept() -> None:
    lanes = [search("stockfish", nodes=3000).start() for _ in range(2)]
    assert len({lane.report().best_move for lane in lanes}) == 1
    before = {engine.process.pid for engine in external._alive}
    assert len(before) == 2
    run("stockfish", depth=3)
    assert {engine.process.pid for engine in external._alive} == before


@needs_stockfish
def test_chess960() -> None:
    where = "4k3/8/8/8/8/8/3PPPPP/3QBKR1 w G - 0 1"
    assert run("stockfish", where, depth=6).best_move is not None
    assert run("stockfish", depth=4).best_move is not None


def test_plybench_itself_is_an_engine() -> None:
    report = run(f"{sys.executable} -m workbench.cli uci --algorithm alphabeta", options="Evaluation=shannon", depth=3)
    own = checks.run(catalog.position("startpos", "chess"), "alphabeta", depth=3)
    assert (report.value, report.best_move) == (own.value, own.best_move)


ONE_SEARCH = """
import sys
from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
Search(catalog.position("startpos", "chess"), catalog.algorithm("uci"), Limit(depth=3)).start().report()
from engines.parts.external import uci_process as external
print(*[engine.process.pid for engine in external._alive])
"""


@needs_stockfish
def test_no_engine_outlives_python() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", ONE_SEARCH], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    (pid,) = map(int, done.stdout.split())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
