"""Draws an `AnalysisView` into the widgets of the Analyse screen, and only the parts that have changed since the last
time."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, TypeVar

from rich.text import Text
from textual.markup import escape
from textual.widget import Widget
from textual.widgets import Digits, Static, TabbedContent

from engines.position import Position
from workbench.analysis.board_marks import OVERLAYS, Marks, along, last_squares, marked_text, marks_of, pointed_text
from workbench.analysis.game_text import game_lines
from workbench.analysis.panels import depths, evaluation, lines, root_moves, search, table
from workbench.analysis.panels.counters import counted_of, counter_cells, counters_text, table_of
from workbench.analysis.panels.sampled_tree import tree_panel
from workbench.analysis.panels.status import compiling_text, status_text
from workbench.analysis.view_state import AnalysisView
from workbench.app.screens.analyse_parts.layout import arrange_layers
from workbench.app.widgets.base_screen import DrawnParts
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.depth_rows import DepthRows
from workbench.app.widgets.game_moves import GameMoves, RootMoves
from workbench.app.widgets.panel import TITLES, PlotPanel
from workbench.render.lines import pretty
from workbench.render.report_rows import stage_title, value_title

if TYPE_CHECKING:
    from workbench.app.screens.analyse import AnalyseScreen

W = TypeVar("W", bound=Widget)

GROWING = ("evaluation", "line")
"""Ids of panels as high as their text. Only a change in these lays out the screen again, which takes longer than all
drawing."""


class PanelDrawing:
    """Keeps what each panel shows, and draws it again when that is out of date."""

    def __init__(self, screen: AnalyseScreen) -> None:
        self.screen = screen
        self.view = screen.desk.view()
        """The view that was drawn last."""
        self._drawn = DrawnParts()
        self._found: dict[type[Widget], dict[str | None, Any]] = {}

    def forget(self) -> None:
        """Draw everything next time, because the widgets have been replaced."""
        self._drawn.forget()
        self._found.clear()

    def _all(self, kind: type[W], id: str | None = None) -> list[W]:
        """The widgets of a type, or those of them with an id. They are cached, because a query takes longer than drawing."""
        found = self._found.setdefault(kind, {})
        if not found.get(id):
            found[id] = list(self.screen.query(f"#{id}").results(kind) if id else self.screen.query(kind))
        return found[id]  # type: ignore[no-any-return]

    def draw(self, view: AnalysisView) -> None:
        """Draw the parts of the view that have changed."""
        self.view, screen = view, self.screen
        belief: Hashable = (view.algorithm, len(view.beliefs), view.shown, id(view.report), screen.at, screen.chosen)
        seen: Hashable = (id(view.position), belief)
        board = screen.query_one(BoardView)
        looks: Hashable = (seen, screen.flipped, screen.overlay, board.cursor, board.picked, board.size)
        game: Hashable = (id(view.game), view.note)
        listed: Hashable = tuple((moves.top, moves.order) for moves in self._all(RootMoves))
        if self._is_still((looks, game, listed)):
            return
        status = status_text(view, screen.with_keys("{run}"), screen.size.width)
        for widget in self._all(Static, "status"):
            widget.set_class(status.cell_len > screen.size.width, "two-lines")
        self._draw("status", status)
        self._draw_compiling()
        self._draw_search()
        if self._drawn.is_new("board", looks):
            self._draw_board(board)
        self._draw_game(game)
        if self._drawn.is_new("layers", view.layers):
            arrange_layers(screen, view.layers)
        self._draw_panels(seen)
        self._draw_moves(seen)
        self._draw_plots(seen)

    def _is_still(self, seen: Hashable) -> bool:
        """Whether nothing has changed for a while."""
        tabs = tuple(tabs.active for tabs in self._all(TabbedContent))
        view = self.view
        rows = tuple(rows.top for rows in self._all(DepthRows))
        now = (
            seen,
            self.screen.size,
            tabs,
            rows,
            self.screen.sums,
            view.algorithm,
            view.limit,
            view.title,
            view.held,
            view.holding,
        )
        return self._drawn.is_still(now, view.busy)

    def _draw(self, id: str, text: Text) -> None:
        for widget in self._all(Static, id):
            if self._drawn.is_new(id, (text.markup, widget.size)):
                widget.update(text, layout=id in GROWING)

    def _draw_compiling(self) -> None:
        compiling = self.view.compiling
        line = self.screen.query_one("#compiling", Static)
        line.display = compiling is not None
        if compiling is not None:
            self._draw("compiling", compiling_text(compiling, self.screen.size.width))

    def _draw_search(self) -> None:
        view, belief = self.view, self.view.belief
        value = belief.row.value if belief else None
        values = belief.row.values if belief else ()
        if belief is None and view.report is not None:
            value, values = view.report.value, view.report.values
        digits = self.screen.query_one("#value", Digits)
        shown = search.big_value(value, view.position.game, values)
        if self._drawn.is_new("value", shown):
            digits.update(shown)
            digits.set_class((value or 0) > 0, "good")
            digits.set_class((value or 0) < 0, "bad")
        keys = self.screen.with_keys("{run}"), self.screen.with_keys("{take_back}")
        room = self.screen.query_one("#belief", Static).content_size
        if room.width:
            self._draw("belief", search.beliefs_that_fit(view, room.width, room.height, *keys))
        room = self.screen.query_one("#counters", Static).content_size
        if room.width:
            cells = counter_cells(view, self.screen.sums)
            self._draw("counters", counters_text(cells, room.width, room.height) if cells else Text(""))
        counted = counted_of(view, self.screen.sums)
        if self._drawn.is_new("counted", counted):  # even the same subtitle would draw the whole panel
            self.screen.query_one("#search").border_subtitle = self._counted_text(counted)

    def _counted_text(self, counted: str) -> str:
        """What the counters are counted over, and the key that changes it."""
        if not counted or self.view.iterates:
            return counted
        return f"{counted}; {self.screen.with_keys('{sums}')} {'shows one alone' if self.screen.sums else 'adds up all'}"

    def _here(self) -> Position:
        """The position on the board: the one that is analysed, or one on the line."""
        at = self.screen.at
        return along(self.view.position, self.screen.walked[:at]) if at is not None else self.view.position

    def _draw_board(self, board: BoardView) -> None:
        view, screen = self.view, self.screen
        board.flipped = screen.flipped
        if screen.at is not None:
            here = self._here()
            board.show(here, marks=Marks(last=last_squares(here)))
            said = f"after {screen.at} of the line"
        else:
            board.show(view.position, marks=marks_of(view, screen.overlay))
            room = board.size.width - 6
            pointed = pointed_text(view, board.cursor, board.picked, room) if board.cursor is not None else ""
            said = pointed or marked_text(view)
        board.refresh()
        box, labels = screen.query_one("#position"), OVERLAYS[screen.overlay]
        box.border_title, box.border_subtitle = f"Position, {labels}" if labels else "Position", escape(said)

    def _draw_game(self, game: Hashable) -> None:
        for moves in self._all(GameMoves):
            room = moves.content_size
            if room.width and self._drawn.is_new("game", (game, room)):
                moves.take(game_lines(self.view.game, room.width, room.height))
                moves.border_subtitle = escape(self._game_hint())

    def _game_hint(self) -> str:
        view = self.view
        hint = (
            "{take_back} back  {replay} forward  {other} other  {cut} delete"
            if view.game.has_moves
            else "{move} types a move"
        )
        if view.study_count > 1:
            hint += f"  {{positions}} position {view.study_number + 1} of {view.study_count}"
        return self.screen.with_keys(hint)

    def _draw_panels(self, seen: Hashable) -> None:
        self._draw_depths(seen)
        for name in ("line", "evaluation", "table"):
            for widget in self._all(Static, name):
                room = widget.content_size
                if room.width and self._drawn.is_new(f"panel-{name}", (seen, room)):
                    widget.update(self._panel_text(name, room.width, room.height), layout=name in GROWING)
                    if name == "line":
                        chosen = self.screen.chosen
                        box = self.screen.query_one("#line-box")
                        box.border_title = f"Line of {pretty(self.view.position, (chosen,))}" if chosen else TITLES[name]
                        self._show_walked(box, room.width)
                    if name == "table":
                        grown = self.view.iterates and not self.view.has_table
                        tree = "Tree by ply" if grown else TITLES[name]
                        widget.border_title = "Levels" if self.view.scores else "Layers" if self.view.layers else tree
                        widget.border_subtitle = table_of(self.view)

    def _draw_depths(self, seen: Hashable) -> None:
        view = self.view
        for rows in self._all(DepthRows):
            rows.take(sorted(view.beliefs), view.belief.row.depth if view.belief is not None else None)
            room = rows.content_size
            if room.width and self._drawn.is_new("panel-depths", (seen, room, rows.top)):
                rows.update(depths.depths_panel(view, rows.top, room.height, room.width), layout=False)
                rows.border_title = "Checkpoints" if view.iterates else TITLES["depths"]

    def _draw_moves(self, seen: Hashable) -> None:
        for widget in self._all(RootMoves):
            room = widget.content_size
            rows = self.view.belief.root_moves if self.view.belief is not None else ()
            widget.take(len(rows), self.screen.with_keys("{moves_down} {moves_up}"), value_title(rows))
            shown = root_moves.Shown(widget.top, widget.order, self.screen.chosen)
            if room.width and self._drawn.is_new("moves", (seen, room, shown, self.view.game.about)):
                about = self.view.game.about if self._all(TabbedContent) else ""  # else the game is beside it, and says it
                text = root_moves.root_moves_panel(self.view, room.width, room.height, shown, about)
                widget.update(text, layout=False)

    def _show_walked(self, box: Widget, width: int) -> None:
        """Scroll to the move of the line that is on the board."""
        before = lines.line_panel(self.view, self.screen.walked[: self.screen.at or 0], None)
        row = len(before.wrap(self.screen.app.console, width)) - 1 if self.screen.at else 0
        box.scroll_to(y=max(0, row - 1), animate=False)

    def _panel_text(self, name: str, width: int, height: int) -> Text:
        view, at = self.view, self.screen.at
        if name == "line":
            line = self.screen.walked
            text = lines.line_panel(view, line, at)
            if view.belief is not None:
                text.append("\n")
                text.append_text(lines.leaf_text(view.position, line, at))
            return text
        if name == "evaluation":
            here = self._here()
            return evaluation.evaluation_panel(here.game.evaluation(here.state), here.game, width)
        grows = view.iterates and not view.scores and not view.has_table
        return tree_panel(view, width, height) if grows else table.table_panel(view, width, height)

    def _draw_plots(self, seen: Hashable) -> None:
        view, rows = self.view, [self.view.beliefs[depth].row for depth in sorted(self.view.beliefs)]
        stage = stage_title(view.algorithm, view.iterates)
        for name in ("values", "nodes"):
            for box in self._all(PlotPanel, name):
                if box.size.width and box.display and self._drawn.is_new(f"plot-{name}", (seen, box.size)):
                    box.draw(name, rows, view.position.game, stage)
