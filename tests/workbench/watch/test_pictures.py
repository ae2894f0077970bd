"""Pictures of Watch: a search of each kind at a telling moment, at three sizes. `--snapshot-update` accepts what is new."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest
from textual.pilot import Pilot

from engines import catalog
from engines.contract import Limit
from engines.position import Position
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from positions import library
from tests.engines import checks
from tests.engines.tape.test_events import TEXTBOOK
from tests.workbench.settling import begun, settled
from tests.workbench.watch.test_tape_trace import COURSE
from workbench.app.app import PlybenchApp
from workbench.app.screens.watch import WatchScreen
from workbench.watch.open import trace_of

SIZES = [(80, 24), (160, 50), (220, 60)]
Compare = Callable[..., bool]


@dataclass(frozen=True)
class Kind:
    """A search, and how many events of it have happened."""

    entry: str
    algorithm: str
    limit: Limit
    at: int

    def position(self) -> Position:
        """What is searched: a position of the library, or a typed tree."""
        return catalog.position(self.entry, "tree") if self.entry.startswith("(") else library.get(self.entry).position()


KINDS = {
    "textbook": Kind(TEXTBOOK, "alphabeta", Limit(depth=2), 21),
    "course": Kind(COURSE, "alphabeta", Limit(depth=3), 20),
    "expectiminimax": Kind("tree/star2", "expectiminimax", Limit(depth=3), 19),
    "three-players": Kind("tree/three-players", "maxn", Limit(depth=3), 22),
    "tictactoe": Kind("tictactoe/start", "alphabeta", Limit(depth=3), 101),
    "uct": Kind("connect4/two-ways", "uct", Limit(iterations=200), 500),
    "pns": Kind("breakthrough/course-6x4", "pns", Limit(iterations=40), 90),
    "attractor": Kind("graph/roundabout", "attractor", Limit(), 10),
    "quiescence": Kind("chess/immortal", "deepening", Limit(depth=2), 90),
}


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test touches anybody's sessions."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PLYBENCH_PIECES", "")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", KINDS)
def test_a_moment(snap_compare: Compare, name: str, size: tuple[int, int]) -> None:
    kind = KINDS[name]
    position, algorithm = kind.position(), catalog.algorithm(kind.algorithm)
    tape = new_tape(50_000) if algorithm.records else None
    search = Search(position, algorithm, kind.limit, seed=1, tape=tape, memory=checks.small_memory(kind.algorithm))
    report = search.run_here().report()
    recording = Recording.of(tape, report, algorithm.view) if tape is not None else None
    screen = WatchScreen(trace_of(report, recording), report, recording)
    screen.replay.go_to(kind.at)

    async def watch(pilot: Pilot[None]) -> None:
        await begun(pilot)
        await pilot.app.push_screen(screen)
        give_up = monotonic() + 60
        while not str(screen.query_one("#watch-sentence").render()):
            assert monotonic() < give_up
            await pilot.pause(0.05)
        for _ in range(3):  # panels that have only just got their sizes
            await settled(pilot)
            screen.draw()
        await pilot.pause(0.1)

    assert snap_compare(PlybenchApp(position), terminal_size=size, run_before=watch)
