"""The very first run: nothing is compiled yet, and there is something to see at once."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep

import pytest

from engines import catalog
from engines.contract import Glance, Limit
from tests.workbench.app.test_monkey import LONG
from workbench.analysis import desk as desks
from workbench.analysis.desk import Desk
from workbench.analysis.panels import search as panels
from workbench.analysis.panels.status import compiling_text
from workbench.analysis.view_state import CompilingView
from workbench.jobs import compile_times
from workbench.jobs.compile import Compiling
from workbench.jobs.compile_process import CompileTask, InterpretedSearch, end, start
from workbench.jobs.compile_times import expected, remember

POSITION = "startpos moves 4 4"


def task(depth: int) -> InterpretedSearch:
    return InterpretedSearch(
        position=POSITION, size="", options={}, parameters={}, limit=Limit(depth=depth, nodes=10**9), seed=0
    )


def test_a_search_is_seen_while_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The desk takes over what the search without the compiler finds, and then what the compiled one does."""
    ready = False
    monkeypatch.setattr(desks, "is_missing", lambda algorithm, game, recorded: not ready)
    desk = Desk(catalog.position(POSITION, "connect4"))
    desk.choose("alphabeta", {}, Limit(depth=4))
    desk.run()
    compiling = desk.compiling
    assert compiling is not None
    give_up = monotonic() + 60
    while 3 not in desk.beliefs:
        assert monotonic() < give_up
        desk.look()
        sleep(0.05)
    assert all(belief.interpreted for belief in desk.beliefs.values())
    assert "Searched without the compiler" in panels.beliefs_text(desk.view()).plain
    early = {depth: belief.row for depth, belief in desk.beliefs.items()}
    ready = True
    while desk.busy or desk.report is None:
        assert monotonic() < give_up
        desk.look()
        sleep(0.02)
    assert sorted(desk.beliefs) == [1, 2, 3, 4]
    assert not any(belief.interpreted for belief in desk.beliefs.values())
    for depth, row in early.items():
        later = desk.beliefs[depth].row
        assert (row.value, row.pv, row.nodes) == (later.value, later.pv, later.nodes), "one source, one result"
    assert len(desk.session.study.searches) == 1, "only the compiled one is kept"
    desk.close()
    assert compiling.ended, "no child is left behind"


def test_stopping_ends_both_children() -> None:
    compiling = Compiling("alphabeta for Connect 4", "alphabeta", "connect4", task(30))
    children = [compiling._compiler, compiling._searcher]
    compiling.stop()
    assert [child is not None and child.returncode is not None for child in children] == [True, True]


def test_a_child_ends_with_whoever_started_it() -> None:
    child = start(CompileTask(algorithm="alphabeta", game="connect4", search=task(40)))
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(30) == 0
    end(child)


def test_what_it_took_here_is_what_is_expected_the_next_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compile_times, "cache_root", lambda: tmp_path)
    usual = {name: expected(name, game) for name, game in (("deepening", "chess"), ("alphabeta", "connect4"))}
    remember("deepening", "chess", 2 * usual["deepening"])
    assert expected("deepening", "chess") == pytest.approx(2 * usual["deepening"], abs=0.1)
    assert expected("alphabeta", "connect4") == pytest.approx(2 * usual["alphabeta"], rel=0.02), "this machine is slow"
    for damaged in (b"", b"[]", b'{"a b": "c"}', b'{"nobody knows": 5, "x": 1, "deepening chess": -1}'):
        (tmp_path / "seconds.json").write_bytes(damaged)
        assert expected("deepening", "chess") == usual["deepening"]
    monkeypatch.setattr(compile_times, "cache_root", lambda: tmp_path / "not there")
    remember("deepening", "chess", 5)
    assert expected("deepening", "chess") == usual["deepening"]


def test_what_is_said_of_the_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compile_times, "cache_root", lambda: tmp_path)

    class Fake(Compiling):
        def __init__(self, seconds: float) -> None:
            self.what, self.expected, self._fixed = "deepening for Chess", 30.0, seconds

        @property
        def seconds(self) -> float:
            return self._fixed

    assert expected("deepening", "chess") > expected("alphabeta", "chess") > expected("alphabeta", "connect4")
    assert "once:   9 s of about 30 s" in compiling_text(CompilingView.of(Fake(9)), 120).plain
    assert "31 s of about 30 s, longer than usual" in compiling_text(CompilingView.of(Fake(31)), 120).plain
    for width in (10, 80, 120, 200):
        text = compiling_text(CompilingView.of(Fake(15)), width)
        assert text.cell_len <= width or width < 60
    assert Fake(3000).share < 1


@pytest.mark.skipif(not LONG, reason="long")
@pytest.mark.timeout(900)
def test_the_first_run_of_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With an empty cache: how long until the first belief, and until it is compiled. Printed."""
    began = monotonic()
    monkeypatch.setenv("PLYBENCH_CACHE", str(tmp_path))
    child = Compiling("deepening for Connect 4", "deepening", "connect4", task(20))
    try:
        while child.glance is None or not child.glance.depths:
            assert monotonic() < began + 120
            sleep(0.05)
        first = monotonic() - began
        while not list(tmp_path.glob("*/deepening-connect4-plain.compiled")):
            assert not child.ended
            sleep(0.1)
        print(f"\nfirst belief after {first:.1f} s, compiled after {child.seconds:.1f} s of about {child.expected:.0f} s")
        assert isinstance(child.glance, Glance)
    finally:
        child.stop()
