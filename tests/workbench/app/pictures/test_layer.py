"""Pictures over boards: each is made once and sent where something has changed, and what lies over a board stays whole."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from rich.console import RenderableType
from rich.text import Text
from textual._compositor import CompositorUpdate
from textual.app import ComposeResult
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from engines import catalog
from tests.workbench.app.test_contrast import BoardApp, marks_on
from workbench.analysis.board_marks import Marks
from workbench.app.pictures import layer as layers
from workbench.app.pictures.layer import PictureLayer
from workbench.app.pictures.men import men_on
from workbench.app.pictures.output import KittyOutput
from workbench.app.pictures.terminal import CellSize, GraphicsProtocol
from workbench.app.themes import LIGHT
from workbench.app.widgets.board import BoardView
from workbench.drawing.man import ManPicture, has_picture, man_svg
from workbench.render.men.colours import contrast

SIXEL = re.compile(r"\x1b\[(\d+);(\d+)H\x1bP[^\x1b]*\x1b\\")
"""A picture, and the line and column where it stands, both from 1."""
SENT, PUT, DELETED = "\x1b_Ga=t", "\x1b_Ga=p", "\x1b_Ga=d,d=i"
LEAST = 4.5


class PicturedApp(BoardApp):
    """A board with pictures; what a terminal would get is kept."""

    CSS_PATH = "../../../../workbench/app/styles/app.tcss"

    def __init__(self, name: str, text: str, protocol: GraphicsProtocol) -> None:
        super().__init__(catalog.position(text, name))
        self.written: list[str] = []
        self.protocol = protocol
        self.layer: PictureLayer | None = None

    def compose(self) -> ComposeResult:
        yield Static("")
        yield from super().compose()

    def on_mount(self) -> None:
        super().on_mount()
        self.layer = PictureLayer(self, self.protocol)

    @property
    def pictures(self) -> PictureLayer:
        assert self.layer is not None
        return self.layer

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        update = self.layer.over(screen, renderable) if self.layer is not None else None
        if isinstance(update, CompositorUpdate):
            self.written.append(update.render_segments(self.console))

    def taken(self) -> str:
        """What was written since this was asked last."""
        written = "".join(self.written)
        self.written.clear()
        return written

    @property
    def board(self) -> BoardView:
        return self.query_one(BoardView)


class Cover(ModalScreen[None]):
    """A dialog."""

    def compose(self) -> ComposeResult:
        yield Static("A dialog")


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> list[CellSize]:
    """A terminal of true colours; a test may change the size of its cells."""
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("PLYBENCH_PIECES", "")
    cell = [CellSize(8, 16)]
    monkeypatch.setattr(layers, "cell_size", lambda: cell[0])
    return cell


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[ManPicture]:
    """The pictures that were made."""
    pictures: list[ManPicture] = []
    plain = man_svg

    def watched(picture: ManPicture) -> str:
        pictures.append(picture)
        return plain(picture)

    monkeypatch.setattr(layers, "man_svg", watched)
    return pictures


Deed = Callable[[PicturedApp, Pilot[None]], Awaitable[None]]


def watch(deed: Deed, name: str = "chess", text: str = "startpos", protocol: GraphicsProtocol = "sixel") -> None:
    """Do something with a board whose pictures are all there."""

    async def do() -> None:
        app = PicturedApp(name, text, protocol)
        async with app.run_test(size=(100, 42), notifications=True) as pilot:
            await settle(app, pilot)
            await deed(app, pilot)

    asyncio.run(do())


async def settle(app: PicturedApp, pilot: Pilot[None]) -> None:
    """Wait until what has changed is drawn, and all pictures are made and shown."""
    quiet = 0
    while quiet < 3:
        await pilot.pause(0.02)
        screen = app.screen
        waiting: list[object] = [
            widget for widget in (screen, *screen.query("*")) if widget._repaint_required or widget._layout_required
        ]
        waiting += [*screen._dirty_widgets, *screen._compositor._dirty_regions] if screen.is_current else []
        quiet = 0 if waiting or app.pictures._is_making else quiet + 1


async def until(app: PicturedApp, pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait for something, and until it is drawn."""
    for _ in range(500):
        await pilot.pause(0.02)
        if holds():
            break
    assert holds()
    await settle(app, pilot)


def places(written: str) -> list[tuple[int, int]]:
    """Where pictures were sent to: column and line, from 0."""
    return [(int(found[2]) - 1, int(found[1]) - 1) for found in SIXEL.finditer(written)]


def corner(app: PicturedApp, square: tuple[int, int]) -> tuple[int, int]:
    """Where the picture on a square without notes begins."""
    x, y = app.board.corner(square)
    return app.board.content_region.x + x + 1, app.board.content_region.y + y


def test_every_man_is_sent_once_and_nothing_again_while_all_stays(made: list[ManPicture]) -> None:
    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        first = app.taken()
        assert len(places(first)) == len(set(places(first))) == 32
        assert len(made) == len(set(made)) == 20  # twelve men, eight of which stand on squares of both colours
        app.query(Static).first().update("A search runs")
        app.board.refresh()
        await settle(app, pilot)
        app.screen.refresh()
        await settle(app, pilot)
        again = app.taken()
        assert "A search runs" in again
        assert places(again) == []
        assert len(made) == 20

    watch(look)


def test_text_under_a_picture_is_not_written_and_so_nothing_flickers() -> None:
    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        app.taken()
        app.board.refresh()
        await settle(app, pilot)
        screen = Text.from_ansi(re.sub(r"\x1b\[\d+;\d+H", "\n", app.taken())).plain
        assert not set("▀▄█") & set(screen)

    watch(look)


@pytest.mark.parametrize("protocol", ["sixel", "kitty"])
def test_a_move_changes_the_pictures_of_its_squares_alone(protocol: GraphicsProtocol) -> None:
    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        app.taken()
        position = app.position
        app.board.show(position.play(position.game.read_move(position.state, "e4")))
        await settle(app, pilot)
        written = app.taken()
        if protocol == "sixel":
            assert places(written) == [corner(app, (4, 4))]
            assert len(app.pictures.output.shown) == 32
        else:
            assert (written.count(PUT), written.count(DELETED), written.count(SENT)) == (1, 1, 0)

    watch(look, protocol=protocol)


def test_kitty_is_sent_a_picture_once_for_all_places() -> None:
    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        first = app.taken()
        assert (first.count(SENT), first.count(PUT), first.count(DELETED)) == (20, 32, 0)
        assert all(command.count("q=2") == 1 for command in re.findall(r"\x1b_Ga=[^\x1b]*", first)), "it must not answer"
        app.board.flipped = True
        app.board.refresh()
        await settle(app, pilot)
        turned = app.taken()
        assert turned.count(SENT) == 0
        assert turned.count(PUT) == turned.count(DELETED) == 32

    watch(look, protocol="kitty")


@pytest.mark.parametrize("protocol", ["sixel", "kitty"])
def test_under_a_dialog_there_are_men_of_characters(protocol: GraphicsProtocol) -> None:
    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        app.taken()
        await app.push_screen(Cover())
        await settle(app, pilot)
        covered = app.taken()
        assert "A dialog" in covered
        assert app.pictures.output.shown == {}
        assert set("▀▄█") & set(covered)
        assert places(covered) == []
        assert covered.count(DELETED) == (32 if protocol == "kitty" else 0)
        await app.pop_screen()
        await settle(app, pilot)
        after = app.taken()
        assert len(places(after)) + after.count(PUT) == len(app.pictures.output.shown) == 32
        assert after.count(SENT) == 0

    watch(look, protocol=protocol)


def test_a_notice_over_the_board_is_not_painted_over() -> None:
    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        app.taken()
        app.notify("A notice that is wide enough to lie on the board. " * 4, timeout=60)
        await until(app, pilot, lambda: any(toast.region for toast in app.screen.query("Toast")))
        notice = app.screen.query("Toast").first().region
        assert notice.overlaps(app.board.region)
        shown = app.pictures.output.shown
        assert 0 < len(shown) < 32
        assert not any(region.overlaps(notice) for region in shown)
        assert places(app.taken()) == []
        app.clear_notifications()
        await until(app, pilot, lambda: not app.screen.query("Toast"))
        assert 0 < len(places(app.taken())) < 32
        assert len(shown) < len(app.pictures.output.shown) == 32

    watch(look)


def test_another_size_of_the_window_or_the_font_sends_all_again(terminal: list[CellSize], made: list[ManPicture]) -> None:
    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        app.taken()
        await pilot.resize_terminal(70, 30)
        await until(app, pilot, lambda: app.board.size.width == 70)
        assert len(places(app.taken())) >= 32
        assert {picture.height for picture in made} == {5 * 16, 3 * 16}
        terminal[0] = CellSize(12, 24)
        app.board.refresh()
        await settle(app, pilot)
        assert len(places(app.taken())) == 32
        assert made[-1].height == 3 * 24
        app.pictures.forget()
        count = len(made)
        app.board.refresh()
        await settle(app, pilot)
        assert len(places(app.taken())) == 32
        assert len(made) == count

    watch(look)


def test_small_squares_and_cells_of_unknown_size_have_no_pictures(terminal: list[CellSize]) -> None:
    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        terminal[0] = None  # type: ignore[call-overload]
        app.board.refresh()
        await settle(app, pilot)
        assert app.pictures.output.shown == {}
        terminal[0] = CellSize(8, 16)
        await pilot.resize_terminal(50, 20)
        await until(app, pilot, lambda: app.board.size.width == 50)
        assert app.board.shape[1] < 3
        assert app.pictures.output.shown == {}

    watch(look)


@pytest.mark.parametrize("variable", ["NO_COLOR", "PLYBENCH_PIECES"])
def test_without_colours_or_with_letters_there_are_no_pictures(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "ascii")

    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        assert men_on(app.board) == []

    watch(look)


def test_a_terminal_of_sixteen_colours_has_no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORTERM", "")
    monkeypatch.setenv("TERM", "xterm")

    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        assert men_on(app.board) == []

    watch(look)


GAMES = {
    "chess": "startpos",
    "connect4": "44443335",
    "breakthrough": "startpos",
    "einstein": "startpos",
    "tictactoe": "X.O/.X./O..",
}


@pytest.mark.parametrize("name", GAMES)
def test_men_stand_out_in_pictures_too_and_cover_no_mark(name: str) -> None:
    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        board = app.board
        board.focus()
        for theme in ("textual-dark", LIGHT.name):
            app.theme = theme
            for marks in marks_on(app.position):
                board.show(app.position, marks=marks)
                board.action_go(0, 1)
                await pilot.pause()
                standing = men_on(board)
                assert standing
                width, height = board.shape
                for place, man, line in standing:
                    x, y = place.x - 3, place.y
                    assert has_picture(man.name)
                    assert x % width == 1, "the first column is the mark's"
                    assert place.width == width - 1
                    assert (y % height, place.height) in ((0, height), (1, height - 2)), "lines of notes stay free"
                    assert 0 <= line < place.height
                    if man.ink != "#f1ece1":  # a hole
                        assert contrast(man.ink, man.own) >= LEAST, (man, theme)
                    if man.bracket:
                        assert contrast(man.bracket, man.ground) >= LEAST, (man, theme)
                assert sum(man.bracket != "" for _, man, _ in standing) <= 1

    watch(look, name, GAMES[name])


def test_marks_of_another_colour_change_their_pictures_alone() -> None:
    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        app.taken()
        app.board.show(app.position, marks=Marks(best=((6, 4), (4, 4)), reply=((1, 4), (3, 4))))
        await settle(app, pilot)
        assert sorted(places(app.taken())) == sorted([corner(app, (6, 4)), corner(app, (1, 4))])

    watch(look)


def test_what_an_update_writes_beside_pictures_is_all_of_it() -> None:
    """Line by line, the text beside the pictures and the pictures together cover the screen once."""

    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        update = app.screen._compositor.render_full_update()
        hidden = list(app.pictures.output.shown)
        assert len(hidden) == 32
        written = layers.without(hidden, update, app.console)
        cells = 0
        for piece in re.split(r"\x1b\[\d+;\d+H", written):
            cells += len(re.sub(r"\x1b\[[0-9;]*m", "", piece))
        assert cells + sum(region.area for region in hidden) == app.size.width * app.size.height

    watch(look)


def test_an_app_without_pictures_writes_what_textual_writes() -> None:
    async def look(app: PicturedApp, pilot: Pilot[None]) -> None:
        update = app.screen._compositor.render_full_update()
        beside = layers.without([], update, app.console)
        plain = update.render_segments(app.console).replace("\n", "")
        assert (
            Text.from_ansi(re.sub(r"\x1b\[\d+;\d+H", "", beside)).plain
            == Text.from_ansi(re.sub(r"\x1b\[\d+;\d+H", "", plain)).plain
        )

    watch(look)


def test_regions_are_told_apart_by_kitty() -> None:
    numbers = {KittyOutput._place(Region(x, y, 1, 1)) for x in range(300) for y in range(100)}
    assert len(numbers) == 300 * 100
    assert min(numbers) > 0
