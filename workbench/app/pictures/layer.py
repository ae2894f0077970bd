"""The layer of pictures over the boards of a screen.

Boards are drawn in characters as everywhere, and say where which man stands. The pictures are laid over that after each
update of the screen, in the same write. What a picture hides is not written; so nothing flickers, and a picture is sent only
where another one was before. Where no picture can be shown, such as under a dialog, the men of characters are seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.control import Control
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.app import App
from textual.errors import NoWidget
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip

from workbench.app.pictures.men import MenOnBoards
from workbench.app.pictures.output import KittyOutput, PictureOutput, SixelOutput
from workbench.app.pictures.terminal import CellSize, GraphicsProtocol, cell_size
from workbench.app.widgets.board import BoardView
from workbench.drawing.man import ManPicture, man_svg

if TYPE_CHECKING:
    from rich.console import RenderableType

AT_ONCE = 2
"""So many new pictures are made while the screen is drawn; more are made in a thread, and shown when they are there."""
LEAST_PIXELS = 20
"""Smaller pictures than this are not better than characters."""
MOST_KEPT = 500
"""More pictures than this are not kept: old ones have another size."""


class PictureLayer:
    """Shows the men of all boards on the top screen as pictures."""

    def __init__(self, app: App[Any], protocol: GraphicsProtocol) -> None:
        self._app = app
        self.output: PictureOutput = KittyOutput() if protocol == "kitty" else SixelOutput()
        self._men = MenOnBoards()
        self._encoded: dict[ManPicture, str] = {}
        self._is_making = False
        self._cell: CellSize | None = None
        self._size = app.size
        self._is_stale = False
        app.app_resume_signal.subscribe(app, lambda _: self.forget())

    def over(self, screen: Screen[Any], update: RenderableType | None) -> Any:
        """An update of the screen, with pictures."""
        return PicturedUpdate(self, screen, update) if isinstance(update, LayoutUpdate | ChopsUpdate) else update

    def forget(self) -> None:
        """The terminal has lost its pictures: send them again."""
        self._is_stale = True

    def settle(self) -> str:
        """What to write before anything else if pictures that are shown do not fit any more, as the terminal has another
        size or another font."""
        cell, size = cell_size(), self._app.size
        if (cell, size) == (self._cell, self._size) and not self._is_stale and len(self._encoded) <= MOST_KEPT:
            return ""
        if cell != self._cell or len(self._encoded) > MOST_KEPT:
            self._encoded.clear()
        self._cell, self._size, self._is_stale = cell, size, False
        return self.output.forget()

    def wanted(self, screen: Screen[Any]) -> dict[Region, ManPicture]:
        """The pictures to show, of those that are made; the others are being made."""
        if self._cell is None or screen is not self._app.screen:
            return {}
        found = dict(self._standing(screen, self._cell))
        missing = list(dict.fromkeys(picture for picture in found.values() if picture not in self._encoded))
        if missing and not self._is_making:
            if len(missing) <= AT_ONCE:
                self._encoded.update(self._made(missing))
            else:
                self._is_making = True
                self._app.run_worker(lambda: self._make(missing), group="pictures", thread=True)
        return {region: picture for region, picture in found.items() if picture in self._encoded}

    def _standing(self, screen: Screen[Any], cell: CellSize) -> Iterator[tuple[Region, ManPicture]]:
        """The pictures of all men that are in sight as a whole."""
        for board in screen.query(BoardView):
            try:
                seen = screen.find_widget(board).visible_region
            except NoWidget:
                continue
            for place, man, line in self._men.on(board):
                region = place.translate(board.content_region.offset)
                width, height = region.width * cell.width, region.height * cell.height
                middle = round((line + 0.5) * cell.height) if man.bracket else 0
                picture = ManPicture(man, width, height, cell.width, middle)
                is_large = min(width, height) >= LEAST_PIXELS
                if is_large and seen.contains_region(region) and is_in_sight(board, region):
                    yield region, picture

    def _make(self, missing: Iterable[ManPicture]) -> None:
        """Make pictures in a thread, and show them."""
        made = self._made(missing)

        def take() -> None:
            self._is_making = False
            self._encoded.update(made)
            if self._app.screen_stack:  # it is empty while the app ends
                self._app._display(self._app.screen, ChopsUpdate([], [], []))

        self._app.call_later(take)

    def _made(self, pictures: Iterable[ManPicture]) -> dict[ManPicture, str]:
        from resvg_py import svg_to_bytes

        return {
            picture: self.output.encoded(bytes(svg_to_bytes(svg_string=man_svg(picture), skip_system_fonts=True)))
            for picture in pictures
        }

    def encoded(self) -> Mapping[ManPicture, str]:
        """The pictures that are made."""
        return self._encoded


def is_in_sight(board: BoardView, region: Region) -> bool:
    """Whether nothing, such as a notice, lies over a region of a board."""
    corners = product((region.x, region.right - 1), (region.y, region.bottom - 1))
    try:
        return all(board.screen.get_widget_at(*corner)[0] is board for corner in corners)
    except NoWidget:
        return False


class PicturedUpdate(CompositorUpdate):
    """An update of the screen with pictures."""

    def __init__(self, layer: PictureLayer, screen: Screen[Any], update: LayoutUpdate | ChopsUpdate) -> None:
        self._layer, self._screen, self._update = layer, screen, update

    def render_segments(self, console: Console) -> str:
        cleared = self._layer.settle()
        output, wanted = self._layer.output, self._layer.wanted(self._screen)
        text = without(wanted, self._update, console) if output.covers_text else self._text(console)
        return cleared + text + output.change(wanted, self._layer.encoded())

    def _text(self, console: Console) -> str:
        is_empty = isinstance(self._update, ChopsUpdate) and not self._update.spans
        return "" if is_empty else self._update.render_segments(console)


def without(regions: Iterable[Region], update: LayoutUpdate | ChopsUpdate, console: Console) -> str:
    """The text of an update, but for what is inside some regions."""
    hidden: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for region in sorted(regions):
        for y in region.line_range:
            hidden[y].append(region.column_span)
    written: list[str] = []
    for y, x, strip in pieces(update):
        end = x + strip.cell_length
        start = x
        for left, right in [*sorted(hidden[y]), (end, end)]:
            until = min(max(left, start), end)
            if until > start:
                written += (Control.move_to(start, y).segment.text, strip.crop(start - x, until - x).render(console))
            start = max(start, right)
    return "".join(written)


def pieces(update: LayoutUpdate | ChopsUpdate) -> Iterator[tuple[int, int, Strip]]:
    """The pieces of lines that an update writes: the line, the column, and what is there."""
    if isinstance(update, LayoutUpdate):
        for y, line in enumerate(update.strips, update.region.y):
            x = update.region.x
            for strip in line:
                yield y, x, strip
                x += strip.cell_length
        return
    for y, first, last in update.spans:
        for end, (x, chop) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            if chop is not None and x < last and end > first:
                left, right = max(x, first), min(end, last)
                yield y, left, chop.crop(left - x, right - x)
