"""The layouts of the Analyse screen: where its panels stand in terminals of four sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Size
from textual.markup import escape
from textual.screen import Screen
from textual.widgets import Digits, Static, TabbedContent, TabPane

from engines.position import Position
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.depth_rows import DepthRows
from workbench.app.widgets.game_moves import GameMoves, RootMoves
from workbench.app.widgets.panel import TITLES, PlotPanel, panel

NORMAL_WIDTH, WIDE_WIDTH, LARGE_WIDTH = 110, 150, 190
LOW_HEIGHT, TALL_HEIGHT, LARGE_HEIGHT = 30, 42, 54
"""Heights in lines. Below the first there is no room for the evaluation under the board; from the second on the board has
all the room it can use in its column; from the third on its column is broader, if the screen is."""

Layout = Literal["narrow", "normal", "wide", "full"]


def fitting_layout(size: Size) -> Layout:
    """The layout that suits the size of a terminal."""
    if size.width < WIDE_WIDTH:
        return "narrow" if size.width < NORMAL_WIDTH else "normal"
    return "wide" if size.height < TALL_HEIGHT else "full"


@dataclass(frozen=True)
class Arrangement:
    """The panels of the screen in one of its layouts."""

    layout: Layout
    position: Position
    """The position that the board shows first."""
    flipped: bool
    hint: str
    """A sentence on how to walk along the principal variation."""

    def widgets(self) -> ComposeResult:
        """Yield all widgets between the first and the last line of the screen."""
        large = self.layout in ("wide", "full")
        with Horizontal(id="body", classes="wide" if large else self.layout):
            if large:
                yield from self._large()
            else:
                yield from self._small()

    def _large(self) -> ComposeResult:
        """Yield all panels at once. On a low screen the moves of the game take the place of one plot."""
        with Vertical(id="left"):
            yield self._board()
            yield panel("evaluation")
            if self.layout == "full":
                yield self._game()
        with Vertical(id="middle"):
            yield from self._search()
            yield self._line()
            yield self._moves()
            yield panel("table")
        with Vertical(id="right"):
            yield self._depths()
            yield PlotPanel("values")
            yield PlotPanel("nodes") if self.layout == "full" else self._game()

    def _small(self) -> ComposeResult:
        """Yield the board, the search, and tabs for the rest."""
        with Vertical(id="left"):
            yield self._board()
            if self.layout == "normal":
                yield panel("evaluation")
        with Vertical(id="middle"):
            yield from self._search()
            with TabbedContent(id="tabs"):
                with TabPane("Moves", id="tab-moves"):
                    yield self._line()
                    yield self._moves()
                with TabPane("Depths", id="tab-depths"):
                    yield self._depths()
                with TabPane("Game", id="tab-game"):
                    yield self._game()
                if self.layout == "narrow":
                    with TabPane("Eval", id="tab-evaluation"):
                        yield panel("evaluation")
                with TabPane("Plots", id="tab-plots"):
                    yield PlotPanel("values")
                    yield PlotPanel("nodes")
                with TabPane("Table", id="tab-table"):
                    yield panel("table")

    def _board(self) -> Vertical:
        board = BoardView(self.position, id="board")
        board.flipped = self.flipped
        box = Vertical(board, id="position", classes="panel")
        box.border_title = "Position"
        return box

    def _game(self) -> GameMoves:
        moves = GameMoves(id="game", classes="panel")
        moves.border_title = "Game"
        return moves

    def _depths(self) -> DepthRows:
        box = DepthRows(id="depths", classes="panel")
        box.border_title = TITLES["depths"]
        return box

    def _moves(self) -> RootMoves:
        moves = RootMoves(id="moves", classes="panel")
        moves.border_title = TITLES["moves"]
        return moves

    def _line(self) -> VerticalScroll:
        box = VerticalScroll(Static(id="line"), id="line-box", classes="panel", can_focus=False)
        box.border_title, box.border_subtitle = TITLES["line"], escape(self.hint)
        return box

    def _search(self) -> ComposeResult:
        box = Vertical(
            Horizontal(Digits("", id="value"), Static(id="belief"), id="headline"),
            Static(id="counters"),
            id="search",
            classes="panel",
        )
        box.border_title = "Search"
        yield box


def arrange_layers(screen: Screen[None], has_layers: bool) -> None:
    """Give the layers of a graph the middle of the screen, and the plots, which have nothing to show of them, no place."""
    for plot in screen.query(PlotPanel):
        plot.display = not has_layers
    for tabs in screen.query(TabbedContent):
        (tabs.hide_tab if has_layers else tabs.show_tab)("tab-plots")
        tabs.get_tab("tab-table").label = "Layers" if has_layers else "Table"
    table, moves = screen.query_one("#table"), screen.query_one("#moves")
    if table.parent is moves.parent and isinstance(table.parent, Vertical):
        upper, lower = (table, moves) if has_layers else (moves, table)
        table.parent.move_child(upper, before=lower)
