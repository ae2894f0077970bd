"""The tree screen, used as a person would."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import numpy as np
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, Static

from engines import catalog
from engines.contract import Limit
from engines.rules import INFINITY
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import COLUMNS, CUT, EXPANDED, HORIZON, NUMBERED, new_tape
from tests.workbench.recordings.test_why import TEXTBOOK, recorded
from workbench.app.screens.tree import TreeScreen
from workbench.app.widgets.recorded.ply_bars import PlyBars, lengths
from workbench.app.widgets.recorded.tape_tree import TapeTree
from workbench.app.widgets.recorded.timeline import Timeline
from workbench.recordings.outline import PAGE, TreeRow
from workbench.recordings.why.nodes import line_names, number_words
from workbench.recordings.why.reasons import why
from workbench.render.report_text import for_screen
from workbench.render.style import bar

LARGE, CHILDREN = 1_000_000, 100


class Host(App[None]):
    """An app with nothing but the screen."""

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.recording = recording

    def on_mount(self) -> None:
        self.push_screen(TreeScreen(self.recording))


Story = Callable[[Pilot[None], TreeScreen], Awaitable[None]]


def tell(recording: Recording, story: Story, size: tuple[int, int] = (120, 36)) -> None:
    async def run() -> None:
        app = Host(recording)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            screen = app.screen
            assert isinstance(screen, TreeScreen)
            await story(pilot, screen)

    asyncio.run(run())


def connect4() -> Recording:
    return recorded("startpos", "connect4", "alphabeta", 4)


def large() -> Recording:
    """A million nodes, a hundred children each."""
    nodes = np.arange(LARGE)
    columns = {name: np.zeros(LARGE, kind) for name, kind in COLUMNS.items()}
    columns["parent"][:] = (nodes - 1) // CHILDREN
    columns["parent"][0] = -1
    for start, ply in ((1, 1), (1 + CHILDREN, 2), (1 + CHILDREN + CHILDREN**2, 3)):
        columns["ply"][start:] = ply
    columns["move"][:] = (nodes - 1) % CHILDREN % 7
    columns["turn"][:] = 1 - 2 * (columns["ply"] % 2)
    columns["alpha"][:], columns["beta"][:] = -INFINITY, INFINITY
    columns["value"][:] = nodes % 17
    inner = CHILDREN * nodes + 1 < LARGE
    columns["kind"][:] = np.where(inner, np.where(nodes % 5 == 4, CUT, EXPANDED), HORIZON)
    columns["decider"][:] = np.where(inner, CHILDREN * nodes + 1, -1)
    report = recorded("startpos", "connect4", "alphabeta", 1).report
    return Recording(msgspec.structs.replace(report, nodes=LARGE * 4), LARGE * 4, columns)


def said(screen: TreeScreen) -> str:
    return str(screen.query_one("#why", Static).render())


def drawn(tree: TapeTree) -> list[str]:
    return [tree.render_line(y).text for y in range(tree.size.height)]


def test_fold_and_unfold_by_key_and_mouse() -> None:
    async def story(pilot: Pilot[None], screen: TreeScreen) -> None:
        tree = screen.tape
        assert tree.rows == [TreeRow(0), *(TreeRow(int(child)) for child in screen.recording.children(0))]
        await pilot.press("down", "right")
        assert len(tree.rows) == 1 + 7 + 7
        await pilot.press("right")
        assert line_names(screen.recording, tree.node) == ["1", "1"]
        await pilot.press("left")
        assert line_names(screen.recording, tree.node) == ["1"]
        await pilot.press("left")
        assert len(tree.rows) == 1 + 7
        await pilot.press("end", "enter")
        assert len(tree.rows) > 1 + 7
        await pilot.press("home", "enter")
        assert tree.rows == [TreeRow(0)]
        await pilot.press("enter")
        await pilot.click(TapeTree, offset=(12, 4))
        assert line_names(screen.recording, tree.node) == ["3"]
        before = len(tree.rows)
        await pilot.click(TapeTree, offset=(2, 4))
        assert len(tree.rows) > before

    tell(connect4(), story)


def test_the_next_cut_says_why() -> None:
    async def story(pilot: Pilot[None], screen: TreeScreen) -> None:
        recording = screen.recording
        cuts = np.flatnonzero(recording.kind == CUT)
        await pilot.press("n")
        assert screen.tape.node == cuts[0]
        await pilot.press("n")
        assert screen.tape.node == cuts[1]
        assert said(screen) == why(recording, int(cuts[1]))
        assert said(screen).startswith("Cut: after move ")
        await pilot.press("N")
        assert screen.tape.node == cuts[0]
        await pilot.press("N")
        assert screen.tape.node == cuts[0]

    tell(connect4(), story)


def test_the_principal_variation() -> None:
    async def story(pilot: Pilot[None], screen: TreeScreen) -> None:
        recording = screen.recording
        await pilot.press("greater_than_sign")
        assert tuple(line_names(recording, screen.tape.node)) == for_screen(recording.report, recording.position).pv

    tell(connect4(), story)
    tell(recorded("startpos", "connect4", "deepening", 4), story, (80, 24))


def test_a_typed_line_good_and_bad() -> None:
    async def story(pilot: Pilot[None], screen: TreeScreen) -> None:
        await pilot.press("g", *"41", "enter")
        assert line_names(screen.recording, screen.tape.node) == ["4", "1"]
        assert screen.focused is screen.tape
        screen.query_one(Input).value = ""
        await pilot.press("g", *"3 [x", "enter")
        assert line_names(screen.recording, screen.tape.node) == ["3"]
        (notice,) = screen.app._notifications
        assert "is not a legal move here" in notice.message
        await pilot.press("g", "escape")
        assert screen.is_current
        await pilot.press("escape")
        await pilot.pause()
        assert not screen.is_current

    tell(connect4(), story)


def test_playing_forward_and_back() -> None:
    async def story(pilot: Pilot[None], screen: TreeScreen) -> None:
        await pilot.press(*["full_stop"] * 5)
        assert screen.tape.node == 5
        await pilot.press("comma", "comma")
        assert screen.tape.node == 3
        assert screen.query_one(Timeline).place == 3
        await pilot.press(*["comma"] * 4)
        assert screen.tape.node == 0
        await pilot.click(Timeline, offset=(20, 0))
        assert 0 < screen.tape.node < len(screen.recording) - 1

    tell(connect4(), story)


def test_children_in_three_orders() -> None:
    async def story(pilot: Pilot[None], screen: TreeScreen) -> None:
        tree, recording = screen.tape, screen.recording
        await pilot.press("down", "down", "s")
        assert line_names(recording, tree.node) == ["2"]
        values = [int(recording.value[row.node]) for row in tree.rows[1:]]
        assert values == sorted(values, reverse=True)
        await pilot.press("s")
        sizes = [recording.subtree_size(row.node) for row in tree.rows[1:]]
        assert sizes == sorted(sizes, reverse=True)
        await pilot.press("s")
        assert [row.node for row in tree.rows[1:]] == recording.children(0).tolist()

    tell(connect4(), story)


def test_no_number_is_cut_off_at_any_width() -> None:
    for width in (40, 80, 110, 200):

        async def story(pilot: Pilot[None], screen: TreeScreen) -> None:
            await pilot.press("greater_than_sign")
            rows = screen.tape.rows[screen.tape.scroll_offset.y :]
            for line, row in zip(drawn(screen.tape)[1:], rows, strict=False):
                shown = screen.tape._label(row.node)
                columns = screen.tape.columns
                assert f" {shown.value} " in f"{line} "
                assert not columns.window or shown.window in line
                assert not columns.size or f" {shown.size:,} " in f"{line} "

        tell(recorded("4453", "connect4", "deepening", 4), story, (width, 24))


def test_a_proof_search_names_its_nodes_and_numbers() -> None:
    tape, algorithm = new_tape(10_000), catalog.algorithm("pns")
    report = Search(catalog.position("XX./OO./...", "tictactoe"), algorithm, Limit(nodes=2000), tape=tape).start().report()
    numbered = Recording.of(tape, report, algorithm.view)
    for width in (58, 80, 160):

        async def story(pilot: Pilot[None], screen: TreeScreen) -> None:
            await pilot.press("greater_than_sign")
            head, *lines = (line.split() for line in drawn(screen.tape))
            tape, columns = screen.tape.recording, screen.tape.columns
            assert {"proven", "proof", "disproof"} <= set(head)
            assert "value" not in head
            for cells, row in zip(lines, screen.tape.rows[screen.tape.scroll_offset.y :], strict=False):
                proof, disproof = number_words(tape, row.node)
                assert [proof, disproof] in [cells[at : at + 2] for at in range(len(cells))]
                if columns.kind and tape.kind[row.node] == NUMBERED:
                    assert ("OR" if tape.turn[row.node] > 0 else "AND") in cells

        tell(numbered, story, (width, 24))


def test_a_small_tree_is_unfolded_and_drawn() -> None:
    async def story(pilot: Pilot[None], screen: TreeScreen) -> None:
        lines = [line.rstrip() for line in drawn(screen.tape)]
        assert len(screen.tape.rows) == 11
        assert lines[6].split()[:8] == ["│", "▾", "2", "≤", "+2", "[+3,", "+∞]", "cut"]
        assert lines[12] == ""

    tell(recorded(TEXTBOOK, "tree", "alphabeta", 2), story)


def test_the_plies_have_their_place_on_a_narrow_screen() -> None:
    async def story(pilot: Pilot[None], screen: TreeScreen) -> None:
        await screen.workers.wait_for_complete()
        await pilot.pause()
        assert not screen.query_one("#tree-plies").display
        await pilot.press("tab")
        assert screen.query_one("#tree-plies").display
        text = str(screen.query_one(PlyBars).render())
        assert [int(line.split()[1]) for line in text.split("\n")[2:]] == [1, 7, 37, 183, 751]

    tell(connect4(), story, (80, 24))


def test_a_million_nodes() -> None:
    async def story(pilot: Pilot[None], screen: TreeScreen) -> None:
        tree = screen.tape
        assert screen.sub_title == "the first 1,000,000 of 4,000,000 nodes"
        assert len(tree.rows) == 1 + PAGE + 1
        await pilot.press("end")
        assert "+ 60 more" in drawn(tree)[-1]
        await pilot.press("enter", "end", "enter")
        assert len(tree.rows) == 1 + CHILDREN
        tree.go_to(12_345)
        await pilot.pause()
        assert tree.node == 12_345
        assert any("horizon" in line for line in drawn(tree))
        for node in range(1, CHILDREN + 1, 4):
            tree.go_to(CHILDREN * node + CHILDREN)
        assert len(tree.rows) > CHILDREN**2 / 4
        await pilot.press("home", "pagedown", "pagedown", "end")
        assert tree.cursor == len(tree.rows) - 1
        assert len(tree._labels) < 2_000

    tell(large(), story)


def test_bars_fill_their_room() -> None:
    assert bar(1, 6) == "██████"
    assert bar(0.5, 6) == "███   "
    assert bar(0.001, 6) == "▏     "
    assert bar(0, 6) == "      "
    assert lengths([1, 999], 10) == [1, 9]
    assert lengths([0, 0], 10) == [0, 0]
    assert sum(lengths([5, 3, 9], 40)) == 40
