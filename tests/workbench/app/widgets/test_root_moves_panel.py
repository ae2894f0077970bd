"""The list of root moves, the dialog of algorithms, and what is proposed for a game, driven by keys and the mouse."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from engines import catalog
from engines.contract import Limit
from positions import library
from tests.workbench.settling import begun, settled
from workbench.analysis.desk import Desk
from workbench.analysis.panels.root_moves import BEST, CHOSEN, root_moves_of
from workbench.app.app import PlybenchApp
from workbench.app.dialogs.algorithm import PROPOSED, UNFIT, AlgorithmDialog
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.widgets.game_moves import RootMoves
from workbench.app.widgets.options import MarkedCheckbox
from workbench.render.root_order import ORDERS, in_order

Story = Callable[[PlybenchApp, Pilot[None]], Coroutine[Any, Any, None]]


def tell(story: Story, name: str, size: tuple[int, int], depth: int = 2, algorithm: str = "alphabeta") -> None:
    async def told() -> None:
        app = PlybenchApp(library.get(name).position())
        app.desk = Desk(library.get(name).position())
        app.desk.algorithm = algorithm
        app.desk.limits[app.desk.position.game.id, algorithm] = Limit(depth=depth) if depth else Limit(nodes=2000)
        app.desk.run()
        while app.desk.busy or not app.desk.taken:
            app.desk.look()
            await asyncio.sleep(0.01)
        async with app.run_test(size=size) as pilot:
            await begun(pilot)
            await story(app, pilot)

    asyncio.run(told())


def lines_of(app: PlybenchApp) -> list[str]:
    return str(app.screen.query_one("#moves", Static).render()).split("\n")


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (160, 50)])
def test_every_move_can_be_reached(size: tuple[int, int]) -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        moves = app.screen.query_one(RootMoves)
        rows = root_moves_of(app.desk.view())
        names = [app.desk.position.game.pretty_line(app.desk.position.state, (row.move,))[0] for row in rows]
        assert lines_of(app)[0].startswith(f"{BEST} {names[0]} ")
        seen = {line[2:].split()[0] for line in lines_of(app)}
        for _ in range(len(names)):
            await press(pilot, "pagedown")
            seen |= {line[2:].split()[0] for line in lines_of(app)}
        assert seen == set(names), "all are reached"
        assert f"to {len(names)} of {len(names)} " in str(moves.border_subtitle)
        await press(pilot, *["pageup"] * len(names))
        assert lines_of(app)[0].startswith(f"{BEST} {names[0]} ")

    tell(story, "chess/kiwipete", size)


def test_the_orders() -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        moves, belief = app.screen.query_one(RootMoves), app.desk.belief
        assert belief is not None
        for order in [*list(ORDERS)[1:], "best"]:
            await press(pilot, "s")
            assert moves.order == order
            first = in_order(belief.root_moves, belief.row.best_move, app.desk.position, moves.order)[0].move
            assert lines_of(app)[0][2:].split()[0] == first
        shares = [row.nodes for row in in_order(belief.root_moves, None, app.desk.position, "work")]
        assert shares == sorted(shares, reverse=True)

    tell(story, "breakthrough/course-6x4", (160, 50))


def test_a_move_is_chosen_with_keys_and_the_mouse() -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        screen, rows = app.screen, root_moves_of(app.desk.view())
        assert isinstance(screen, AnalyseScreen)
        await press(pilot, "right_curly_bracket", "right_curly_bracket")
        assert (screen.chosen, screen.at) == (rows[1].move, 1)
        assert lines_of(app)[1].startswith(CHOSEN)
        assert screen.here.played[-1:] == (app.desk.position.game.read_move(app.desk.position.state, rows[1].move),)
        assert rows[1].move in str(screen.query_one("#line-box").border_title)
        await press(pilot, "left_curly_bracket")
        assert screen.chosen == rows[0].move
        await press(pilot, "escape")
        assert (screen.chosen, screen.at) == ("", None)
        await pilot.click(RootMoves, offset=(5, 3))  # inside the frame, the third row
        await settled(pilot)
        assert screen.chosen == rows[2].move
        await pilot.click(RootMoves, offset=(5, 3))
        await settled(pilot)
        assert screen.at is None, "a second click goes back to the position"

    tell(story, "breakthrough/course-6x4", (160, 50))


@pytest.mark.parametrize("name", ["chess/start", "einstein/start", "tictactoe/three-players", "samegame/four-by-four"])
def test_the_dialog_lists_all_algorithms_the_fitting_ones_first(name: str) -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        app.push_screen(AlgorithmDialog(app.desk))
        await pilot.pause(0.1)
        options = app.screen.query_one("#algorithms", OptionList)
        ids = [option.id for option in options.options if option.id]
        misfits = [bool(catalog.misfit(catalog.algorithm(name), app.desk.position)) for name in ids]
        assert sorted(ids) == sorted(catalog.ALGORITHMS)
        assert misfits == sorted(misfits), "those that do not fit come last"
        prompts = {option.id: str(option.prompt) for option in options.options}
        assert [prompts[id][0] == UNFIT for id in ids] == misfits
        assert prompts[catalog.proposed(app.desk.position)].startswith(PROPOSED)
        for box in app.screen.query(MarkedCheckbox):
            assert ("[x]" in str(box.render())) == box.value
        if True in misfits:
            options.highlighted = options.get_option_index(ids[-1])
            await pilot.pause(0.1)
            assert "needs" in str(app.screen.query_one(".misfit", Static).render())
            await pilot.press("ctrl+s")
            await pilot.pause(0.1)
            assert isinstance(app.screen, AlgorithmDialog), "what does not fit is not taken"

    async def told() -> None:
        app = PlybenchApp(library.get(name).position())
        async with app.run_test(size=(80, 24)) as pilot:
            await begun(pilot)
            await story(app, pilot)

    asyncio.run(told())


def test_another_game_gets_a_fitting_algorithm() -> None:
    desk = Desk(library.get("chess/start").position())
    desk.algorithm = "pvs"
    desk.load(library.get("breakthrough/start").position())
    assert (desk.algorithm, desk.fit_remark) == ("pvs", ""), "it fits, and stays"
    desk.load(library.get("einstein/start").position())
    assert (desk.algorithm, desk.fit_remark) == (
        "star2",
        "pvs cannot search EinStein würfelt nicht!; star2 takes its place.",
    )
    desk.load(library.get("samegame/four-by-four").position())
    assert desk.algorithm == "nrpa"
    desk.algorithm = "minimax"
    desk.load(library.get("chess/start").position())
    assert desk.algorithm == "minimax"
    assert desk.fit_remark == "In Chess minimax looks about 4 plies ahead in a few seconds, deepening about 10."
    desk.load(library.get("chess/kiwipete").position())
    assert desk.fit_remark == "", "the game is the same"
    for entry in library.entries().values():
        assert catalog.proposed(entry.position()) is not None


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
def test_proof_numbers_are_headed_by_their_names(size: tuple[int, int]) -> None:
    async def story(app: PlybenchApp, pilot: Pilot[None]) -> None:
        moves = app.screen.query_one(RootMoves)
        assert "proof / disproof" in str(moves.border_title)
        assert "value" not in str(moves.border_subtitle)

    tell(story, "tictactoe/start", size, depth=0, algorithm="pns")
