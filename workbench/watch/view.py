"""The drawn tree of a moment as lines of text: layers from top to bottom, in as many columns and lines as there are.

four lines a layer:   the strokes from the nodes above
                      the moves
                      the nodes: a shape for who moves, and the value so far
                      the window, the visits or the numbers of inner nodes
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.text import Text

from workbench.render.style import plain_letters, short_number
from workbench.render.values import plies
from workbench.watch.layout import Box, Drawing, drawing_of
from workbench.watch.strokes import HEAVY, LIGHT, NONE, plain_stroke, stroke
from workbench.watch.trace import Look, Moment, Node, Trace

LINES = 4
"""Lines that a layer takes, the first one excepted: it has no strokes and no move above it."""
SHAPES = {"max": "△", "min": "▽", "chance": "○", "other": "◇", "leaf": ""}
PLAIN_SHAPES = {"max": "^", "min": "v", "chance": "o", "other": "*", "leaf": ""}
MARKS = {"table": "▤", "pruned": "⊘", "trial": "?", "quiet": ""}
PLAIN_MARKS = {"table": "#", "pruned": "/", "trial": "?", "quiet": ""}
HERE, CUT, CROSS, DOWN, DASH, ALONE, FOLDED = "▶", "✂", "╳", "┊", "┄", "✚", "…"
FAINT, PATH, CURRENT, CUT_STYLE, ALONE_STYLE = "dim", "bold", "reverse bold", "bold yellow", "bold yellow"
MOST_STRETCHED, MOST_LINES = 4, 12
"""How many times as wide as it has to be a small tree is drawn at most, and how many lines a layer takes then."""
MOST_ABOVE = 6
"""So many moves above the drawn part are named."""


def levels_in(height: int) -> int:
    """How many layers fit in so many lines."""
    return max(2, (height - 2) // LINES + 1)


@dataclass(frozen=True)
class Spot:
    """A box on the screen, for the mouse."""

    line: int
    first: int
    last: int
    box: Box


class Canvas:
    """Characters with styles, a line each."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.letters = [[" "] * width for _ in range(height)]
        self.styles = [[""] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """Write a text, as far as it is on the canvas."""
        for at, letter in enumerate(text, x):
            if 0 <= at < self.width and 0 <= y < self.height:
                self.letters[y][at], self.styles[y][at] = letter, style

    def lines(self) -> list[Text]:
        """The lines as text, runs of one style together."""
        found = []
        for letters, styles in zip(self.letters, self.styles, strict=True):
            line, first = Text(no_wrap=True), 0
            for at in range(1, self.width + 1):
                if at == self.width or styles[at] != styles[first]:
                    line.append("".join(letters[first:at]), styles[first])
                    first = at
            found.append(line)
        return found


class TreeView:
    """The drawing of a moment in so many columns and lines."""

    def __init__(
        self,
        trace: Trace,
        moment: Moment,
        width: int,
        height: int,
        is_missing: Callable[[Node], bool] | None = None,
    ) -> None:
        """`is_missing`: whether another search, which is watched beside this one, never visits a node."""
        self.trace, self.moment, self.width, self.height = trace, moment, width, height
        self.is_missing = is_missing
        self.drawing: Drawing = drawing_of(trace, moment, width, levels_in(height))
        self.plain = plain_letters()
        self.stretch = max(1, min(MOST_STRETCHED, (width - 2) // max(self.drawing.width, 1)))
        """A tree that is small is drawn wider, and higher."""
        self.lines_each = LINES
        if self.drawing.levels > 1:
            self.lines_each = max(LINES, min(MOST_LINES, (height - 2) // (self.drawing.levels - 1)))
        self.shift = max(0, (width - self.drawing.width * self.stretch) // 2)
        used = (self.drawing.levels - 1) * self.lines_each + 2
        self.top = max(0, (height - used) // 2)
        self.canvas = Canvas(width, height)
        self.spots: list[Spot] = []
        """Where nodes stand, for the mouse."""

    def lines(self) -> list[Text]:
        """The drawing as text."""
        boxes = self.drawing.boxes()
        looks = {id(box): self.moment.look(box.node) for box in boxes if box.node is not None}
        for box in boxes:
            if box.children:
                self._strokes(box, looks)
        for box in boxes:
            if box.node is None:
                self._bundle(box)
            else:
                self._node(box, looks[id(box)])
        return self.canvas.lines()

    def node_at(self, x: int, y: int) -> Node | None:
        """The node that is drawn there, or the first one of a bundle; None if there is none."""
        for spot in self.spots:
            if spot.line <= y <= spot.line + 1 and spot.first - 1 <= x <= spot.last:
                box = spot.box
                if box.node is not None:
                    return box.node
                if box.above is not None and box.above.node is not None and box.bundle is not None:
                    return self.trace.children(box.above.node)[box.bundle.first]
        return None

    def note(self) -> str:
        """What of the tree is not drawn above, in words; empty if it is drawn from its root."""
        hidden = self.drawing.hidden
        if not hidden:
            return ""
        moves = [self.trace.move(node) for node in self.moment.path[1 : hidden + 1]]
        said = " ".join(moves[-MOST_ABOVE:])
        return f"{plies(hidden)} above: {'… ' if len(moves) > MOST_ABOVE else ''}{said}"

    def _line_of(self, level: int) -> int:
        """The line on which the nodes of a level stand."""
        return self.top + level * self.lines_each

    def _column_of(self, box: Box) -> int:
        """The column of the middle of a box."""
        return self.shift + box.x * self.stretch + (self.stretch - 1) // 2

    def _node(self, box: Box, look: Look) -> None:
        assert box.node is not None
        x, y = self._column_of(box), self._line_of(box.level)
        shape = (PLAIN_SHAPES if self.plain else SHAPES)[look.shape]
        mark = (PLAIN_MARKS if self.plain else MARKS).get(look.mark, "")
        label = " ".join(filter(None, (shape, look.value))) + mark or "·"
        style = self._style(look)
        at = x - len(label) // 2 if not shape else x - max(0, (len(label) - 1) // 2)
        if look.is_cut:
            self.canvas.put(at + len(label), y, "x" if self.plain else CUT, CUT_STYLE)
        if look.is_here:
            self.canvas.put(at - 1, y, ">" if self.plain else HERE, PATH)
        elif self.is_missing is not None and look.stage in ("open", "done") and self.is_missing(box.node):
            self.canvas.put(at - 1, y, "!" if self.plain else ALONE, ALONE_STYLE)
        self.canvas.put(at, y, label, style)
        self.spots.append(Spot(y, at, at + len(label), box))
        if look.detail:
            self.canvas.put(x - (len(look.detail) - 1) // 2, y + 1, look.detail, FAINT if not look.on_path else "")
        if box.above is not None:
            move = self.trace.move(box.node)[: max(box.width, 8)]
            faint = look.stage in ("ahead", "never")
            strong = look.on_line or look.on_path
            self.canvas.put(x - len(move) // 2, y - 1, move, FAINT if faint else PATH if strong else "")
            if look.stage == "never":
                cross = y - 2 - (self.lines_each - LINES) // 2
                self.canvas.put(x, cross, "x" if self.plain else CROSS, CUT_STYLE)

    def _style(self, look: Look) -> str:
        if look.is_here:
            return CURRENT
        if look.stage in ("ahead", "never"):
            return FAINT
        return PATH if look.on_path or look.on_line else ""

    def _bundle(self, box: Box) -> None:
        assert box.bundle is not None
        x, y = self._column_of(box), self._line_of(box.level)
        said = f"{'..' if self.plain else FOLDED}{box.bundle.moves}"
        self.canvas.put(x - len(said) // 2, y, said, FAINT)
        if self.is_missing is not None and box.above is not None and box.above.node is not None:
            folded = self.trace.children(box.above.node)[box.bundle.first : box.bundle.first + box.bundle.moves]
            reached = [node for node in folded if self.moment.look(node).stage in ("open", "done")]
            if any(map(self.is_missing, reached)):
                self.canvas.put(x - len(said) // 2 - 1, y, "!" if self.plain else ALONE, ALONE_STYLE)
        if box.bundle.nodes:
            number = short_number(box.bundle.nodes).replace(" ", "")
            self.canvas.put(x - len(number) // 2, y + 1, number, FAINT)
        self.spots.append(Spot(y, x - len(said) // 2, x - len(said) // 2 + len(said), box))

    def _strokes(self, box: Box, looks: dict[int, Look]) -> None:
        """The strokes from a node to those below it."""
        more = self.lines_each - LINES
        y, middle = self._line_of(box.level + 1) - 2 - (more - more // 2), self._column_of(box)
        arms: dict[int, list[int]] = {}
        dashed: dict[tuple[int, int], bool] = {}

        def add(x: int, side: int, weight: int, is_dashed: bool) -> None:
            cell = arms.setdefault(x, [NONE] * 4)
            cell[side] = max(cell[side], weight)
            dashed[x, side] = dashed.get((x, side), True) and is_dashed

        for child in box.children:
            look = looks.get(id(child))
            above = looks[id(box)]
            heavy = look is not None and look.on_line and above.on_line
            faint = look is None or look.stage in ("ahead", "never")
            weight = HEAVY if heavy else LIGHT
            at = self._column_of(child)
            for x in range(min(at, middle), max(at, middle)):
                add(x, 3, weight, faint)
                add(x + 1, 2, weight, faint)
            add(at, 1, weight, faint)
            add(middle, 0, weight, faint)
        draw = plain_stroke if self.plain else stroke
        for x, cell in arms.items():
            letter = draw(*cell)
            all_dashed = all(is_dashed for (at, _), is_dashed in dashed.items() if at == x)
            if all_dashed and not self.plain and letter in "─│":
                letter = DASH if letter == "─" else DOWN
            style = FAINT if all_dashed else PATH if HEAVY in cell else ""
            self.canvas.put(x, y, letter, style)
            down, up = range(y + 1, self._line_of(box.level + 1) - 1), range(self._line_of(box.level) + 2, y)
            for side, lines in ((1, down), (0, up)):
                weight, faint = cell[side], dashed.get((x, side), True)
                straight = DOWN if faint and not self.plain else draw(weight, weight)
                for line in lines if weight else ():
                    self.canvas.put(x, line, straight, FAINT if faint else PATH if weight == HEAVY else "")
