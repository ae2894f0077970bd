"""The drawn tree of a moment as lines of text: layers from top to bottom, in as many columns and lines as there are.

four lines a layer:   the strokes from the nodes above
                      the moves
                      the nodes: a shape for who moves, and the value so far
                      the window, the visits or the numbers of inner nodes
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from workbench.render.style import plain_letters, short_number
from workbench.watch.layout import Box, Drawing, drawing_of
from workbench.watch.strokes import HEAVY, LIGHT, NONE, plain_stroke, stroke
from workbench.watch.trace import Look, Moment, Trace

LINES = 4
"""Lines that a layer takes, the first one excepted: it has no strokes and no move above it."""
SHAPES = {"max": "△", "min": "▽", "chance": "○", "other": "◇", "leaf": ""}
PLAIN_SHAPES = {"max": "^", "min": "v", "chance": "o", "other": "*", "leaf": ""}
MARKS = {"table": "▤", "pruned": "⊘", "trial": "?", "quiet": ""}
PLAIN_MARKS = {"table": "#", "pruned": "/", "trial": "?", "quiet": ""}
HERE, CUT, CROSS, DOWN, DASH = "▶", "✂", "╳", "┊", "┄"
FAINT, PATH, LINE, CURRENT, CUT_STYLE = "dim", "bold", "bold", "reverse bold", "bold yellow"


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

    def __init__(self, trace: Trace, moment: Moment, width: int, height: int) -> None:
        self.trace, self.moment, self.width, self.height = trace, moment, width, height
        self.drawing: Drawing = drawing_of(trace, moment, width, levels_in(height))
        self.plain = plain_letters()
        self.shift = max(0, (width - self.drawing.width) // 2)
        used = self.drawing.levels * LINES - 2
        self.top = max(0, (height - used) // 3)
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

    def _line_of(self, level: int) -> int:
        """The line on which the nodes of a level stand."""
        return self.top + level * LINES

    def _node(self, box: Box, look: Look) -> None:
        assert box.node is not None
        x, y = self.shift + box.x, self._line_of(box.level)
        shape = (PLAIN_SHAPES if self.plain else SHAPES)[look.shape]
        mark = (PLAIN_MARKS if self.plain else MARKS).get(look.mark, "")
        label = f"{shape}{look.value}{mark}" or "·"
        style = self._style(look)
        at = x - len(label) // 2 if not shape else x - max(0, (len(label) - 1) // 2)
        if look.is_cut:
            self.canvas.put(at + len(label), y, "x" if self.plain else CUT, CUT_STYLE)
        if look.is_here:
            self.canvas.put(at - 1, y, ">" if self.plain else HERE, PATH)
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
                self.canvas.put(x, y - 2, "x" if self.plain else CROSS, CUT_STYLE)

    def _style(self, look: Look) -> str:
        if look.is_here:
            return CURRENT
        if look.stage in ("ahead", "never"):
            return FAINT
        return PATH if look.on_path or look.on_line else ""

    def _bundle(self, box: Box) -> None:
        assert box.bundle is not None
        x, y = self.shift + box.x, self._line_of(box.level)
        said = f"+{box.bundle.moves}"
        self.canvas.put(x - len(said) // 2, y, said, FAINT)
        if box.bundle.nodes:
            number = short_number(box.bundle.nodes).replace(" ", "")
            self.canvas.put(x - len(number) // 2, y + 1, number, FAINT)
        self.spots.append(Spot(y, x - len(said) // 2, x - len(said) // 2 + len(said), box))

    def _strokes(self, box: Box, looks: dict[int, Look]) -> None:
        """The strokes from a node to those below it."""
        y, middle = self._line_of(box.level + 1) - 2, self.shift + box.x
        arms: dict[int, list[int]] = {}
        dashed: dict[int, bool] = {}

        def add(x: int, side: int, weight: int, is_dashed: bool) -> None:
            cell = arms.setdefault(x, [NONE] * 4)
            cell[side] = max(cell[side], weight)
            dashed[x] = dashed.get(x, True) and is_dashed

        for child in box.children:
            look = looks.get(id(child))
            above = looks[id(box)]
            heavy = look is not None and look.on_line and above.on_line
            faint = look is None or look.stage in ("ahead", "never")
            weight = HEAVY if heavy else LIGHT
            at = self.shift + child.x
            for x in range(min(at, middle), max(at, middle)):
                add(x, 3, weight, faint)
                add(x + 1, 2, weight, faint)
            add(at, 1, weight, faint)
            add(middle, 0, weight, faint)
        draw = plain_stroke if self.plain else stroke
        for x, cell in arms.items():
            letter = draw(*cell)
            if dashed[x] and not self.plain and letter in "─│":
                letter = DASH if letter == "─" else DOWN
            self.canvas.put(x, y, letter, FAINT if dashed[x] else PATH if HEAVY in cell else "")
