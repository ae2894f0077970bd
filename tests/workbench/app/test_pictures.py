"""Pictures of every screen at two sizes: whoever changes what they look like sees it. `--snapshot-update` accepts it.

The numbers are those of a real search in plain Python or compiled, which are the same; only the times are made up.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot
from textual.widgets import Input

from engines.contract import Glance, Limit
from engines.position import Position
from positions import library
from tests.workbench.settling import begun, settled
from workbench.analysis.desk import Desk
from workbench.analysis.view_state import Belief
from workbench.app.app import PlybenchApp
from workbench.app.screens.tree import TreeScreen
from workbench.app.themes import LIGHT
from workbench.app.widgets.recorded.ply_bars import PlyBars
from workbench.comparison.lane_specs import read_lanes
from workbench.comparison.lanes import Comparison
from workbench.comparison.result import compared
from workbench.proofs.truth import truth_of
from workbench.sessions.comparison_types import LaneBudget

SMALL, LARGE = (80, 24), (160, 50)
Compare = Callable[..., bool]


class Still(Desk):
    """A desk whose search has ended and took no time that anybody could see."""

    def poll(self) -> Glance | None:
        glance = super().poll()
        self.rates = [1.2e6, 2.1e6, 2.4e6, 2.3e6] if glance is not None else []
        for depth, known in self.beliefs.items():
            self.beliefs[depth] = Belief(replace(known.row, seconds=known.row.nodes / 1e5), known.root_moves)
        if self.report is not None:
            self.report = replace(self.report, compile_seconds=0.0)
        return None if glance is None else replace(glance, seconds=1.5, running=False)


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test touches anybody's sessions."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PLYBENCH_PIECES", "")


def app(position: Position | None = None, algorithm: str = "deepening", depth: int = 3, **options: Any) -> PlybenchApp:
    """An app in which a search to a small depth is done."""
    kiwipete = library.get("chess/kiwipete")
    made = PlybenchApp(position, **options)
    made.desk = Still(position or kiwipete.position(), "" if position else kiwipete.title)
    made.desk.algorithm = algorithm
    if depth:
        made.desk.limits[made.desk.position.game.id, algorithm] = Limit(depth=depth)
        made.desk.run()
        assert made.desk.search is not None
        made.desk.search.join(60)
        assert not made.desk.search.running, "no picture of a search that is not done"
    return made


def position(name: str) -> Position:
    return library.get(name).position()


def keys(*pressed: str) -> Callable[[Pilot[None]], Any]:
    """Press keys, with time to draw."""

    async def press(pilot: Pilot[None]) -> None:
        await begun(pilot)
        for key in pressed:
            await pilot.press(key)
            await settled(pilot)
        for line in pilot.app.screen.query(Input):
            line.cursor_blink = False
        await settled(pilot)
        await pilot.pause(0.1)

    return press


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_first_screen(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(app(depth=0), terminal_size=size, run_before=keys())


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_search_that_is_done(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(app(), terminal_size=size, run_before=keys())


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("name", ["samegame/ten-by-ten", "morpion/short-game"], ids=["samegame", "morpion"])
def test_boards_of_one_player(snap_compare: Compare, name: str, size: tuple[int, int]) -> None:
    made = app(position(name), "nrpa", depth=0)
    made.desk.limits[made.desk.position.game.id, "nrpa"] = Limit(iterations=20)
    made.desk.run()
    assert made.desk.search is not None
    made.desk.search.join(60)
    assert snap_compare(made, terminal_size=size, run_before=keys())


def test_looking_back_in_a_light_theme(snap_compare: Compare) -> None:
    assert snap_compare(app(theme=LIGHT.name), terminal_size=(120, 36), run_before=keys("left_square_bracket"))


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_variations_and_all_root_moves(snap_compare: Compare, size: tuple[int, int]) -> None:
    made = app(position("breakthrough/course-6x4"), "alphabeta", depth=0)
    for move in ("a4b3", "d1c2", "b3a2"):
        made.desk.play_text(move)
    made.desk.back()
    made.desk.play_text("d5c4")
    made.desk.back()
    made.desk.limits["breakthrough", "alphabeta"] = Limit(depth=3)
    made.desk.run()
    assert made.desk.search is not None
    made.desk.search.join(60)
    assert snap_compare(made, terminal_size=size, run_before=keys("L", "tab", "tab"))


def test_connect4(snap_compare: Compare) -> None:
    solved = app(position("connect4/ending-12"), "alphabeta", depth=6)
    assert snap_compare(solved, terminal_size=(120, 36), run_before=keys())


def test_a_typed_tree(snap_compare: Compare) -> None:
    assert snap_compare(app(position("tree/textbook"), "alphabeta"), terminal_size=(120, 36), run_before=keys())


@pytest.mark.parametrize(
    ("key", "size"),
    [
        ("a", SMALL),
        ("a", LARGE),
        ("o", SMALL),
        ("o", LARGE),
        ("question_mark", SMALL),
        ("i", SMALL),
        ("e", SMALL),
        ("e", LARGE),
    ],
)
def test_dialogs(snap_compare: Compare, key: str, size: tuple[int, int]) -> None:
    assert snap_compare(app(depth=0), terminal_size=size, run_before=keys(key))


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_tree(snap_compare: Compare, size: tuple[int, int]) -> None:
    recorded = app(position("breakthrough/course-6x4"), "alphabeta", depth=3)
    recorded.desk.record(3)
    assert recorded.desk.search is not None
    recorded.desk.search.join(60)
    recorded.desk.look()
    assert snap_compare(recorded, terminal_size=size, run_before=keys("t", "n"))


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_proof(snap_compare: Compare, size: tuple[int, int]) -> None:
    """What is proven, move by move: where the other side moves, every move is answered."""

    async def ask(pilot: Pilot[None]) -> None:
        await keys("Q")(pilot)
        give_up = monotonic() + 60
        while not isinstance(pilot.app.screen, TreeScreen):
            assert monotonic() < give_up
            await pilot.pause(0.05)
        while not any(bars.plies for bars in pilot.app.screen.query(PlyBars)):
            assert monotonic() < give_up
            await pilot.pause(0.05)
        for key in ("right", "down", "right"):
            await pilot.press(key)
            await settled(pilot)
        await pilot.pause(0.1)

    assert snap_compare(app(position("breakthrough/course-6x4"), "alphabeta", 5), terminal_size=size, run_before=ask)


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize(
    ("name", "algorithm", "pressed"),
    [
        ("einstein/start", "star2", ()),
        ("tictactoe/kingmaker", "maxn", ()),
        ("tree/star2", "star2", ("t", "n")),
    ],
    ids=["einstein", "three-players", "chance-tree"],
)
def test_chance_and_three_players(
    snap_compare: Compare, name: str, algorithm: str, pressed: tuple[str, ...], size: tuple[int, int]
) -> None:
    """A die beside its board, a value for each player, and a recorded tree with probabilities."""
    made = app(position(name), algorithm, depth=0)
    if name == "einstein/start":
        made.desk.play_text("3")
    made.desk.limits[made.desk.position.game.id, algorithm] = Limit(depth=2)
    made.desk.run()
    assert made.desk.search is not None
    made.desk.search.join(60)
    if pressed:
        made.desk.look()
        made.desk.record(2)
        made.desk.search.join(60)
        made.desk.look()
    assert snap_compare(made, terminal_size=size, run_before=keys(*pressed))


@pytest.mark.parametrize(("size", "lanes"), [(SMALL, 3), (LARGE, 6)])
def test_lanes_side_by_side(
    snap_compare: Compare, size: tuple[int, int], lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A comparison that the session has, with times that are made up."""
    monkeypatch.setattr("workbench.jobs.workers.cores", lambda: 2)
    made = app(position("connect4/ending-12"), depth=0)
    names = "alphabeta,deepening,random,minimax,mtdf,deepening"
    specs, _ = read_lanes(",".join(names.split(",")[:lanes]), ("6:table=0",) if lanes == 6 else (), "connect4")
    comparison = Comparison(made.desk.position, specs, LaneBudget(depth=5), by_depth=True)
    comparison.run()
    while not comparison.wait(0.05):
        pass
    for lane in comparison.lanes:
        assert lane.report is not None
        lane.rows = {depth: replace(row, seconds=row.nodes / 1e5) for depth, row in lane.rows.items()}
        lane.report = replace(lane.report, seconds=lane.report.nodes / 1e5)
    truth = truth_of(comparison.position, [lane.belief().best_move for lane in comparison.lanes])
    made.desk.session.study.keep_comparison(compared(comparison, truth))
    assert snap_compare(made, terminal_size=size, run_before=keys("C"))
