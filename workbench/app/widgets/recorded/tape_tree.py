"""A recorded search as a folding tree. Only visible rows are drawn, so that it stays fast with millions of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from engines.rules import INFINITE, INFINITY, WIN_EDGE
from engines.tape.recording import Column, Recording
from engines.tape.tape import CUT, EXPANDED, NOBODY, NUMBERED
from workbench.recordings.bounds import has_bounds
from workbench.recordings.outline import Order, Outline, TreeRow
from workbench.recordings.why.nodes import Label, edge_at, has_numbers, kind_name, label, node_value, number_words, value_at
from workbench.recordings.why.values import SIGNS
from workbench.render.style import bar

BAR_WIDTH = 6
LEVELS = 2
"""Levels of the tree that must have room, or a column is left out. For deeper levels, guides on the left are dropped."""
MOVE_ROOM = 14
"""Columns that the guides always leave to the move itself."""
MOST_LABELS = 20_000
MEASURED = 200
"""How many nodes' values are formatted to find the widest one where the largest number need not have the longest text."""
HEADER_LINES = 1
NUMBERS = ("proof", "disproof")
"""The headings of the columns that stand in place of the windows in the tree of a search that proves."""


class Columns(NamedTuple):
    """The widths of the columns to the right of the tree; 0 for one that has no room."""

    value: int
    window: int
    kind: int
    size: int
    bar: int

    @property
    def total(self) -> int:
        """The sum of the widths, with a gap before each column and one after the last."""
        return sum(width + 1 for width in self if width) + 1


class TapeTree(ScrollView, can_focus=True):
    """The tree of a recording's nodes, with a cursor on one of them."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "tape-tree--header",
        "tape-tree--guide",
        "tape-tree--value",
        "tape-tree--cut",
        "tape-tree--leaf",
        "tape-tree--cursor",
        "tape-tree--path",
    }
    DEFAULT_CSS = """
    TapeTree {
        background: $surface;
        color: $foreground;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        & > .tape-tree--header { color: $text-muted; text-style: underline; }
        & > .tape-tree--guide { color: $text-muted; }
        & > .tape-tree--value { text-style: bold; }
        & > .tape-tree--cut { color: $text-accent; text-style: bold; }
        & > .tape-tree--leaf { color: $text-muted; }
        & > .tape-tree--cursor { background: $block-cursor-blurred-background; text-style: bold; }
        & > .tape-tree--path { text-style: bold; }
        &:focus > .tape-tree--cursor { background: $block-cursor-background; color: $block-cursor-foreground; }
    }
    """
    BINDINGS = [  # noqa: RUF012 - Textual's own form
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("left", "out", "Fold, or go to the parent", show=False),
        Binding("right", "into", "Unfold, or go to the first child", show=False),
        Binding("enter,space", "fold", "Fold or unfold", show=False),
        Binding("home", "move_to(0)", "First row", show=False),
        Binding("end", "move_to(-1)", "Last row", show=False),
        Binding("pageup", "page(-1)", "A page up", show=False),
        Binding("pagedown", "page(1)", "A page down", show=False),
    ]

    @dataclass
    class NodeChosen(Message):
        """Posted when the cursor has moved to another node."""

        tree: TapeTree
        node: int

        @property
        def control(self) -> TapeTree:
            """The tree that posted the message."""
            return self.tree

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, TapeTree.NodeChosen)

    def __init__(self, recording: Recording, id: str | None = None) -> None:
        super().__init__(id=id)
        self.recording = recording
        self.outline = Outline(recording)
        self.cursor = 0
        self._labels: dict[int, Label] = {}
        self._widths = column_widths(recording)
        self._path: set[int] = set()
        """The ancestors of the node at the cursor."""
        roots = recording.roots()
        if len(roots):
            self.cursor = self.outline.place_of(int(roots[-1]))

    def on_mount(self) -> None:
        """Start at the last root, which is the one that gave the answer."""
        self._measure()
        self._moved(self.cursor)

    # State, and ways to change it.

    @property
    def rows(self) -> list[TreeRow]:
        """The visible rows of the tree."""
        return self.outline.rows

    @property
    def sorted_by(self) -> Order:
        """The order of the children."""
        return self.outline.order

    @property
    def node(self) -> int:
        """The node at the cursor. On a row that stands for further children, their parent. `NOBODY` if the tape is empty."""
        return self.rows[self.cursor].node if self.rows else NOBODY

    def go_to(self, node: int) -> None:
        """Unfold all ancestors of a node and put the cursor on it."""
        if self.outline.unfold_above(node):
            self._measure()
        place = self.outline.place_of(node)
        lines = self.size.height - HEADER_LINES
        if not self.scroll_offset.y <= place < self.scroll_offset.y + lines:
            self.scroll_to(y=place - lines // 2, animate=False, force=True)
        self._move(place)

    def sort_by(self, order: Order) -> None:
        """Sort the children by another criterion; the cursor stays on its node."""
        node = self.node
        self.outline.sort_by(order)
        self._measure()
        if node != NOBODY:
            self.go_to(node)

    def _measure(self) -> None:
        self.virtual_size = Size(max(self._width, 1), len(self.rows) + HEADER_LINES)
        self.refresh()

    # The cursor.

    def action_move(self, rows: int) -> None:
        """Move the cursor down by some rows."""
        self._move(self.cursor + rows)

    def action_move_to(self, place: int) -> None:
        """Move the cursor to a row; a negative number counts from the end."""
        self._move(place if place >= 0 else len(self.rows) + place)

    def action_page(self, pages: int) -> None:
        """Move the cursor down by some pages."""
        self._move(self.cursor + pages * max(self.size.height - HEADER_LINES - 1, 1))

    def action_fold(self) -> None:
        """Fold or unfold the node at the cursor, or show further children."""
        if not self.rows:
            return
        row = self.rows[self.cursor]
        if row.more:
            self.outline.show_more(self.cursor)
        elif self.outline.is_unfolded(row.node):
            self.outline.fold(self.cursor)
        elif len(self.recording.children(row.node)):
            self.outline.unfold(self.cursor)
        self._measure()
        self._moved(self.cursor)

    def action_into(self) -> None:
        """Unfold the node; if it is unfolded, go to its first child."""
        if not self.rows:
            return
        row = self.rows[self.cursor]
        if row.more or not self.outline.is_unfolded(row.node):
            if row.more or len(self.recording.children(row.node)):
                self.action_fold()
        else:
            self._move(self.cursor + 1)

    def action_out(self) -> None:
        """Fold the node; if it is folded, go to its parent."""
        if not self.rows:
            return
        row = self.rows[self.cursor]
        if not row.more and self.outline.is_unfolded(row.node):
            self.action_fold()
            return
        above = row.node if row.more else int(self.recording.parent[row.node])
        if above != NOBODY:
            self._move(self.outline.place_of(above))

    def on_click(self, event: events.Click) -> None:
        """Move the cursor by a click. A click on the folding mark, or a double click, folds or unfolds."""
        place = event.y + self.scroll_offset.y - HEADER_LINES
        if event.y < HEADER_LINES or not 0 <= place < len(self.rows):
            return
        row = self.rows[place]
        mark = 2 * max(self.outline.level(row) - self._shift, 0)
        self._move(place)
        if row.more or event.chain == 2 or mark <= event.x < mark + 2:
            self.action_fold()

    def on_resize(self) -> None:
        """Keep the cursor visible."""
        self._measure()
        self._keep_in_sight()

    def _move(self, place: int) -> None:
        if not self.rows:
            return
        self.cursor = max(0, min(place, len(self.rows) - 1))
        self._moved(self.cursor)

    def _moved(self, place: int) -> None:
        """Move the cursor to a row, redraw what that changes, and post a message."""
        if not self.rows:
            return
        self._path = set(self.recording.path(self.node)[:-1])
        self._keep_in_sight()
        self.refresh()
        self.post_message(self.NodeChosen(self, self.node))

    def _keep_in_sight(self) -> None:
        """Scroll so that the cursor's row is visible. The header covers one line of the view."""
        self.scroll_to_region(Region(0, self.cursor, 1, 1 + HEADER_LINES), animate=False, force=True)

    # Drawing.

    @property
    def _width(self) -> int:
        """The width of the widget in columns, without the scrollbar."""
        return self.scrollable_content_region.width

    @property
    def columns(self) -> Columns:
        """The columns that fit beside the tree. The bar is left out first, then the window, the size and the kind; proof
        numbers, which stand in place of windows, go last."""
        found = self._widths
        for missing in (
            ("bar", "size", "kind", "window") if has_numbers(self.recording) else ("bar", "window", "size", "kind")
        ):
            if found.total + MOVE_ROOM + 2 * LEVELS <= self._width:
                break
            found = found._replace(**{missing: 0})
        return found

    @property
    def _shift(self) -> int:
        """How many guides are dropped on the left, so that the cursor's row has room for its move."""
        if not self.rows:
            return 0
        room = (self._width - self.columns.total - MOVE_ROOM) // 2
        return max(0, self.outline.level(self.rows[self.cursor]) - max(room, 1))

    def render_line(self, y: int) -> Strip:
        width = self._width
        if y < HEADER_LINES:
            return self._header(width)
        place = y - HEADER_LINES + self.scroll_offset.y
        if place >= len(self.rows):
            return Strip.blank(width, self.rich_style)
        row = self.rows[place]
        ground = self.get_component_rich_style("tape-tree--cursor", partial=True) if place == self.cursor else Style()
        tree = max(width - self.columns.total, 1)
        parts = [*self._guides(row), *(self._more(row) if row.more else self._move_text(row.node))]
        left = Strip(parts).adjust_cell_length(tree)
        right = [] if row.more else self._cells(row.node)
        plain = self.rich_style
        drawn = [Segment(text, plain + (style or Style()) + ground) for text, style, _ in [*left, *right]]
        return Strip(drawn).adjust_cell_length(width, plain + ground)

    def _header(self, width: int) -> Strip:
        style = self._part("header")
        columns = self.columns
        sizes = (columns.value, columns.window, columns.kind, columns.size, columns.bar)
        numbered = has_numbers(self.recording)
        value, window = ("proven", in_columns(NUMBERS, columns)) if numbered else ("value", f"{'window':>{columns.window}}")
        titles = (f"{value:>{columns.value}}", window, f"{'node' if numbered else 'kind':<{columns.kind}}")
        cells = [*titles, f"{'nodes':>{columns.size}}", f"{'share':<{columns.bar}}"]
        right = "".join(f" {cell}" for cell, size in zip(cells, sizes, strict=True) if size)
        order = {
            "order": "in order" if self.recording.is_proof else "as searched",
            "value": "best first",
            "size": "largest first",
        }[self.sorted_by]
        tree = max(width - columns.total, 1)
        title = f"move, {order}"
        return Strip([Segment(f"{title if len(title) <= tree else 'move':<{tree}}{right}", style)]).adjust_cell_length(
            width, style
        )

    def _guides(self, row: TreeRow) -> list[Segment]:
        level = self.outline.level(row) - self._shift
        return [Segment("│ " * level, self._part("guide"))] if level > 0 else []

    def _more(self, row: TreeRow) -> list[Segment]:
        return [Segment(f"+ {row.more:,} more", self._part("guide"))]

    def _move_text(self, node: int) -> list[Segment]:
        children = len(self.recording.children(node))
        mark = "▾ " if self.outline.is_unfolded(node) else "▸ " if children else "  "
        style = self._part("path") if node in self._path else Style()
        return [Segment(mark, self._part("guide")), Segment(self._label(node).move, style)]

    def _cells(self, node: int) -> list[Segment]:
        """The segments of value, window, kind, size and bar, as far as there is room."""
        found, columns = self._label(node), self.columns
        kind = int(self.recording.kind[node])
        tone = self._part("cut") if kind == CUT else Style() if kind == EXPANDED else self._part("leaf")
        cells = [Segment(f" {found.value:>{columns.value}}", self._part("value"))]
        if columns.window:
            numbers = (
                in_columns(number_words(self.recording, node), columns) if has_numbers(self.recording) else found.window
            )
            cells.append(Segment(f" {numbers:>{columns.window}}", self._part("guide")))
        if columns.kind:
            cells.append(Segment(f" {found.kind:<{columns.kind}}", tone))
        if columns.size:
            cells.append(Segment(f" {found.size:>{columns.size},}"))
        if columns.bar:
            cells.append(Segment(" " + bar(found.share, columns.bar), self._part("guide")))
        return cells

    def _label(self, node: int) -> Label:
        if len(self._labels) > MOST_LABELS:
            self._labels.clear()
        if node not in self._labels:
            self._labels[node] = label(self.recording, node)
        return self._labels[node]

    def _part(self, name: str) -> Style:
        return self.get_component_rich_style(f"tape-tree--{name}")


def in_columns(two: Sequence[str], columns: Columns) -> str:
    """Two texts in the two columns for proof numbers."""
    width = columns.window // 2
    return f"{two[0]:>{width}} {two[1]:>{width}}"


def column_widths(recording: Recording) -> Columns:
    """The width that each column needs so that nothing in it is ever cut off."""

    def extremes(column: Column) -> set[int]:
        """The values with the longest texts: the largest numbers, and the longest distances to a win, of both signs."""
        kinds = (column >= WIN_EDGE, column <= -WIN_EDGE, np.abs(column) < WIN_EDGE)
        inner = [column[kind & (np.abs(column) < INFINITY)] for kind in kinds]
        return {int(edge) for some in inner if len(some) for edge in (some.min(), some.max())} | {0}

    sign = len(SIGNS["at most"]) if has_bounds(recording) else 0
    values = [" " * sign + value_at(recording, value) for value in extremes(recording.value)]
    lows = [len(edge_at(recording, value)) for value in extremes(recording.alpha) | {INFINITY}]
    highs = [len(edge_at(recording, value)) for value in extremes(recording.beta) | {INFINITY}]
    if recording.algorithm.expects or recording.values(0):
        values += [node_value(recording, node) for node in range(min(len(recording), MEASURED))]
    if recording.values(0):  # several players: a search has no window then
        lows = highs = [0]
    present = np.unique(recording.kind)
    if has_numbers(recording):
        finite = (column[column < INFINITE] for column in (recording.alpha, recording.beta))
        largest = max((int(column.max()) for column in finite if len(column)), default=0)
        return Columns(
            value=len("proven"),
            window=2 * max(len(NUMBERS[1]), len(f"{largest:,}")) + 1,
            kind=max([len("node"), *(len(kind_name(recording, int(kind))) for kind in present if kind != NUMBERED)]),
            size=max(len("nodes"), len(f"{len(recording):,}")),
            bar=BAR_WIDTH,
        )
    return Columns(
        value=max(len("value"), *map(len, values)),
        window=0 if recording.is_proof else max(len("window"), max(lows) + max(highs) + len("[, ]")),
        kind=max([len("kind"), *(len(kind_name(recording, int(kind))) for kind in present)]),
        size=max(len("nodes"), len(f"{len(recording):,}")),
        bar=BAR_WIDTH,
    )
