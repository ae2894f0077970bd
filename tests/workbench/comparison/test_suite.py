"""`plybench compare-suite`: many positions, the same lanes, totals that a kill does not change."""

from __future__ import annotations

import csv
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from msgspec.structs import replace

from engines import catalog
from engines.contract import InputError
from engines.run.search import Search
from positions.suites import Case
from tests.workbench.conftest import Plybench
from tests.workbench.timeless import timeless
from workbench.comparison.lane_specs import read_lanes
from workbench.comparison.suite import ComparisonSuite, judged, read_cases
from workbench.jobs.journal import Journal
from workbench.jobs.workers import GivenExecutor
from workbench.sessions import store as sessions
from workbench.sessions.comparison_types import LaneBudget, MoveTruth, SuiteCell, SuiteHead, SuiteOutcome, Truth

SCORES = Path(__file__).parents[2] / "engines" / "games" / "connect4_scores.txt"


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))


@pytest.fixture
def scored(tmp_path: Path) -> Path:
    """Ten positions of Connect 4 with their scores."""
    file = tmp_path / "ten.txt"
    late = [line for line in SCORES.read_text().splitlines() if len(line.split()[0]) >= 12]
    file.write_text("\n".join(late[:10]))
    return file


def to_the_end(search: Search) -> bool:
    search.start().join()
    return False


def suite_of(file: Path, lanes: str = "alphabeta,random,deepening", nodes: int = 300) -> ComparisonSuite:
    game, cases = read_cases(file, None, None, {}, None)
    settings = ("table=1",) if "deepening" in lanes else ()
    return ComparisonSuite(file, cases, read_lanes(lanes, settings, game)[0], LaneBudget(nodes=nodes), 100_000)


def run(suite: ComparisonSuite, path: Path, pieces: int | None = None) -> SuiteOutcome:
    """Run a suite, at most so many pieces of it."""
    with Journal(path, suite.head) as journal:
        suite.resume(journal)
        for number, _ in enumerate(suite.run(journal, to_the_end), 1):
            if number == pieces:
                break
    return suite.outcome()


def without_times(found: SuiteOutcome) -> SuiteOutcome:
    """What has to be the same every time."""
    rows = [replace(row, cells=tuple(replace(cell, seconds=0.0) for cell in row.cells)) for row in found.rows]
    lanes = [replace(lane, seconds=0.0, mean_seconds=0.0) for lane in found.lanes]
    return replace(found, rows=tuple(rows), lanes=tuple(lanes), resumed=0)


# Killed and resumed.


def test_a_killed_suite_of_4_lanes_on_50_positions_goes_on_to_the_same_totals(plybench: Plybench, tmp_path: Path) -> None:
    file = tmp_path / "fifty.txt"
    late = [line for line in SCORES.read_text().splitlines() if len(line.split()[0]) >= 12]
    file.write_text("\n".join(late[:50]))
    command = ["compare-suite", str(file), "--algorithms", "alphabeta,deepening,bare=deepening,random"]
    command += ["--set", "bare:table=0", "--set", "deepening:table=1", "--nodes", "2000", "--json"]
    journal = tmp_path / "journal.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench.cli", *command, "--journal", str(journal)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    give_up = monotonic() + 120
    while not (journal.exists() and journal.read_bytes().count(b"\n") > 60):
        assert process.poll() is None, "it ended before it could be killed"
        assert monotonic() < give_up
        sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    known = journal.read_bytes().count(b"\n")
    assert 60 < known < 251
    resumed = plybench(*command, "--journal", str(journal)).json
    whole = plybench(*command).json
    assert (resumed["complete"], whole["complete"], whole["resumed"]) == (True, True, 0)
    assert resumed["resumed"] >= 60 * 4 // 5
    assert (len(resumed["rows"]), resumed["done"], resumed["errors"]) == (50, 50, [])
    assert timeless(resumed) == timeless(whole)
    assert journal.read_bytes().count(b"\n") == 1 + 50 * 5, "a head, four searches and the truth for each"
    again = plybench(*command, "--journal", str(journal)).json
    assert (again["resumed"], timeless(again)) == (200, timeless(whole))


def test_a_journal_that_ends_anywhere(scored: Path, tmp_path: Path) -> None:
    """Whatever byte it ends at: what is whole counts, and the totals come out the same."""
    path = tmp_path / "journal"
    whole = run(suite_of(scored), path)
    content = path.read_bytes()
    head = content.index(b"\n") + 1
    for end in (head + 1, head + 700, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:end])
        assert without_times(run(suite_of(scored), path)) == without_times(whole)
        assert path.read_bytes().count(b"\n") == content.count(b"\n")


def test_piece_by_piece(scored: Path, tmp_path: Path) -> None:
    whole = run(suite_of(scored), tmp_path / "whole")
    found = run(suite_of(scored), tmp_path / "pieces", 1)
    assert (found.complete, found.done) == (False, 0)
    for _ in range(5):
        found = run(suite_of(scored), tmp_path / "pieces", 7)
    assert without_times(found) == without_times(whole)


def test_a_journal_of_other_work_is_refused(scored: Path, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    run(suite_of(scored), path, 2)
    with pytest.raises(InputError, match="budget is not the same"):
        run(suite_of(scored, nodes=301), path)
    with pytest.raises(InputError, match="lanes is not the same"):
        run(suite_of(scored, "alphabeta,minimax"), path)
    scored.write_text("\n".join(scored.read_text().splitlines()[:9]))
    with pytest.raises(InputError, match="positions is not the same"):
        run(suite_of(scored), path)
    path.write_bytes(b"something else\n")
    with pytest.raises(InputError, match="not a journal"):
        run(suite_of(scored), path)


def test_a_damaged_journal_says_where(scored: Path, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    run(suite_of(scored), path, 5)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], b"{", *lines[3:]]))
    with pytest.raises(InputError, match="damaged in line 3"):
        run(suite_of(scored), path)


def test_two_cannot_have_one_journal(scored: Path, tmp_path: Path) -> None:
    head = suite_of(scored).head
    with Journal[SuiteHead](tmp_path / "journal", head), pytest.raises(InputError, match="Another program"):
        Journal(tmp_path / "journal", head)


# What is right.


def cell(lane: int, move: str, depth: int = 1, nodes: int = 1) -> SuiteCell:
    return SuiteCell(
        position=1,
        lane=lane,
        value=0.0,
        best_move=move,
        depth=depth,
        exact=False,
        outcome=None,
        distance=None,
        nodes=nodes,
        evaluations=1,
        seconds=0.5,
        stopped_by="depth",
    )


def test_who_is_right() -> None:
    where = catalog.position("startpos", "chess")
    bare = Case(number=1, line=1, id="x", position=where)
    cells = [cell(1, "e2e4"), cell(2, "d2d4", depth=5), cell(3, "d2d4")]
    assert [(one.right, one.by) for one in judged(bare, cells, None)] == [
        (False, "the deepest lane"),
        (None, "the deepest lane"),
        (True, "the deepest lane"),
    ]
    told = Case(number=1, line=1, id="x", position=where, best=("e2e4",))
    assert [(one.right, one.by) for one in judged(told, cells, None)] == [
        (True, "the file"),
        (False, "the file"),
        (False, "the file"),
    ]
    move = MoveTruth(move="d2d4", outcome="draw", distance=None, value=0, regret=0.5, plies=None)
    truth = Truth(source="x", outcome="first", distance=None, value=0, nodes=0, moves=(move,))
    assert [(one.right, one.regret) for one in judged(bare, cells, truth)] == [(None, None), (False, 0.5), (False, 0.5)]


def test_totals_are_the_sums(scored: Path, tmp_path: Path) -> None:
    found = run(suite_of(scored), tmp_path / "journal")
    assert (found.total, found.done, found.complete, found.errors) == (10, 10, True, ())
    assert found.by == {"the truth": 10}
    for number, lane in enumerate(found.lanes):
        cells = [row.cells[number] for row in found.rows]
        assert lane.nodes == sum(cell.nodes for cell in cells)
        assert lane.mean_nodes == lane.nodes / 10
        regrets = [row.judged[number].regret for row in found.rows]
        assert lane.right == regrets.count(0)
        assert lane.regret == pytest.approx(sum(one or 0 for one in regrets) / 10)
        assert lane.percent == 10 * lane.right
    alphabeta, random, deepening = found.lanes
    assert alphabeta.first_moves == 10
    assert random.nodes < deepening.nodes


def test_a_wrong_score_in_the_file_is_found(scored: Path, tmp_path: Path) -> None:
    first, *rest = scored.read_text().splitlines()
    scored.write_text("\n".join([f"{first.split()[0]} {int(first.split()[1]) + 1}", *rest]))
    found = run(suite_of(scored), tmp_path / "journal")
    assert len(found.errors) == 1
    assert first.split()[0] in found.errors[0]


# The command.


def test_files_and_sessions(plybench: Plybench, scored: Path, tmp_path: Path) -> None:
    out = [tmp_path / f"found.{kind}" for kind in ("csv", "md", "html")]
    command = ["compare-suite", str(scored), "--algorithms", "alphabeta,random", "--depth", "2", "--session", "mine"]
    for path in out:
        command += ["-o", str(path)]
    said = plybench(*command)
    assert (said.code, said.err) == (0, "")
    assert "10 positions of connect4, 2 lanes, depth 2" in said.out
    rows = list(csv.DictReader(io.StringIO(out[0].read_text())))
    assert len(rows) == 20
    assert {row["lane"] for row in rows} == {"alphabeta", "random"}
    assert "| alphabeta |" in out[1].read_text()
    assert "<table" in out[2].read_text()
    (row,) = sessions.listing()
    kept = sessions.read(row.path)
    assert (row.name, kept.suites[0].outcome.lanes[0].positions) == ("mine", 10)
    plybench(*command)
    assert len(sessions.read(row.path).suites) == 2, "a second one goes into the same session"
    assert not list((tmp_path / "data" / "comparisons").iterdir()), "no journal is left of what is complete"


def test_an_interrupt_keeps_what_is_done(plybench: Plybench, scored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["compare-suite", str(scored), "--algorithms", "alphabeta,random", "--depth", "2", "--json"]
    original = ComparisonSuite.run

    def interrupted(*args: Any) -> Iterator[SuiteCell]:
        for number, found in enumerate(original(*args)):
            yield found
            if number == 6:
                raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ComparisonSuite, "run", interrupted)
        stopped = plybench(*command)
    assert (stopped.code, stopped.json["done"], stopped.json["complete"]) == (130, 3, False)
    again = plybench(*command)
    assert (again.code, again.json["done"], again.json["resumed"]) == (0, 10, 7)


def test_positions_of_any_game(plybench: Plybench, tmp_path: Path) -> None:
    trees = tmp_path / "trees.txt"
    trees.write_text("# two\n((3 12 8) (2 4 6) (14 5 2))\n(1 (5 6))\n")
    command = ("--algorithms", "minimax,random", "--depth", "4", "--json")
    found = plybench("compare-suite", str(trees), "--game", "tree", *command).json
    assert [row["truth"]["value"] for row in found["rows"]] == [3, 5]
    assert found["lanes"][0]["percent"] == 100
    epd = tmp_path / "mates.epd"
    epd.write_text('6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id "back rank";\n6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\n')
    found = plybench("compare-suite", str(epd), *command, "--no-truth").json
    assert found["by"] == {"the file": 1, "the deepest lane": 1}
    assert found["lanes"][0]["right"] == 1


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ("--algorithms alphabeta,random -o x.pdf", "ends in .csv, .md, .html"),
        ("--algorithms alphabeta,uci", "they do not play Connect 4"),
        ("--algorithms alphabeta,random --evaluations 9", "no budget in evaluations"),
        ("--algorithms alphabeta", "2 to 6 lanes"),
        ("--algorithms alphabeta,random --game chess", "line 1"),
        ("--algorithms alphabeta,random --journal /proc/x/y", "cannot be written"),
    ],
)
def test_what_cannot_be(plybench: Plybench, scored: Path, options: str, hint: str) -> None:
    answer = plybench("compare-suite", str(scored), *options.split())
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert hint in answer.err


def test_workers_come_to_the_same_totals_as_one_search_after_another(scored: Path, tmp_path: Path) -> None:
    wanted = run(suite_of(scored), tmp_path / "one by one")
    suite = suite_of(scored)
    with Journal(tmp_path / "together", suite.head) as journal, ThreadPoolExecutor(2) as executor:
        assert len(list(suite.run_on(journal, GivenExecutor(executor, 2)))) == suite.searches
    assert without_times(suite.outcome()) == without_times(wanted)
    again = suite_of(scored)
    with Journal(tmp_path / "together", again.head) as journal, ThreadPoolExecutor(1) as executor:
        again.resume(journal)
        assert not list(again.run_on(journal, GivenExecutor(executor)))
    assert without_times(again.outcome()).rows == without_times(wanted).rows
