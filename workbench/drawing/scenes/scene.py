"""What a picture of a search is made of: lines, shapes and labels in pixels, with words for what each of them means.

Marks are words from `MARKS`. What they look like is said by whoever writes a picture; see `workbench.drawing.scenes.svg`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

Form = Literal["up", "down", "circle", "diamond", "square", "pointer", "band", "star"]
"""Triangles upwards and downwards; a circle, a diamond, a square; what points at the present node; a band behind a row; a
star."""
MARKS = (
    "max", "min", "chance", "other", "leaf",  # who moves
    "ahead", "open", "done", "never",  # how far the search is with it
    "here", "path", "line", "cut",  # the node where the search is, its path, the best line, a cut
    "move", "value", "detail", "bundle", "row",  # of labels: what they say
    "caption", "sentence", "legend",  # what stands beside the tree
)  # fmt: skip
"""All words that marks are made of."""
Point = tuple[float, float]


class Line(Struct, frozen=True):
    """A line through some points; the edge to a node of a tree has that node's key."""

    points: tuple[Point, ...]
    marks: tuple[str, ...] = ()
    key: str = ""
    has_arrow: bool = False
    """It has a head at its last point."""


class Shape(Struct, frozen=True):
    """A shape with its middle at a place."""

    form: Form
    x: float
    y: float
    width: float
    height: float
    marks: tuple[str, ...] = ()
    key: str = ""


class SceneLabel(Struct, frozen=True):
    """Words, with their middle at a height. `anchor` says whether `x` is their beginning or their middle."""

    x: float
    y: float
    text: str
    size: float = 13.0
    anchor: Literal["start", "middle"] = "middle"
    bold: bool = False
    marks: tuple[str, ...] = ()
    key: str = ""

    @property
    def box(self) -> Rectangle:
        """The room that it takes."""
        width = text_width(self.text, self.size, self.bold)
        left = self.x if self.anchor == "start" else self.x - width / 2
        return Rectangle(left, self.y - 0.6 * self.size, left + width, self.y + 0.6 * self.size)


class Rectangle(NamedTuple):
    """A rectangle: its left, upper, right and lower edge."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Rectangle) -> bool:
        """Whether it shares more than an edge with another one."""
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom


class NodeFacts(Struct, frozen=True):
    """What a scene shows of a node, for formats that lay out by themselves, and for tooltips."""

    key: str
    above: str
    """The key of the node above; empty of the uppermost. Of a node of a graph always empty: see `Scene.edges`."""
    shape: str
    move: str
    value: str
    detail: str
    mark: str
    marks: tuple[str, ...]
    folded: tuple[int, int] = (0, 0)
    """Of a bundle: how many moves, and how many nodes of the search."""


class SceneEdge(Struct, frozen=True):
    """An edge between two nodes, by their keys."""

    start: str
    end: str
    marks: tuple[str, ...] = ()


class LegendEntry(Struct, frozen=True):
    """A sign that occurs, and what it means; the form or the kind of line is drawn beside the words."""

    sign: str
    """A form, `line-` and a mark for a line of that kind, or words that stand for themselves."""
    text: str
    marks: tuple[str, ...] = ()


class Scene(Struct, frozen=True):
    """A moment of a search, laid out. Lines are drawn first, then shapes, then labels."""

    width: float
    height: float
    at: int
    """After so many events."""
    events: int
    """The number of all events of the search."""
    title: str
    """Which algorithm, on what, and which event."""
    sentence: str
    """What happens, and why."""
    lines: tuple[Line, ...]
    shapes: tuple[Shape, ...]
    labels: tuple[SceneLabel, ...]
    nodes: tuple[NodeFacts, ...]
    edges: tuple[SceneEdge, ...]
    legend: tuple[LegendEntry, ...]
    """What occurs in this scene; it is among the shapes and labels too."""
    tree_height: float = 0.0
    """Where the tree ends, below which are the sentence and the legend."""

    def boxes(self) -> Iterator[tuple[SceneLabel, Rectangle]]:
        """All labels with the room that they take."""
        for label in self.labels:
            yield label, label.box


# How wide words are: in the widest of the usual fonts (DejaVu Sans), so that there is room for them in any other.

WIDTHS = {
    0.33: " ,.IJijl'", 0.38: "-/:;\\f|", 0.42: "!()[]rt", 0.53: '*_`sz"', 0.6: "?Lc", 0.63: "FPTYaekovxy",
    0.65: "$0123456789EKSbdghnpqu{}", 0.71: "ABCRVXZ", 0.78: "DGHNU", 0.83: "&OQw", 0.87: "#+<=>M^~", 1.0: "%m@W",
}  # fmt: skip
WIDTH_OF = {letter: width for width, letters in WIDTHS.items() for letter in letters}
OTHER_WIDTH, WIDE_WIDTH, BOLD = 0.9, 1.1, 1.12
"""Of letters that are not listed; of those that East Asian fonts make as wide as high; how much wider bold letters are."""


def text_width(text: str, size: float, bold: bool = False) -> float:
    """So many pixels words take at most."""
    ems = 0.0
    for letter in text:
        known = WIDTH_OF.get(letter)
        if known is None:
            known = WIDE_WIDTH if unicodedata.east_asian_width(letter) in "WF" else OTHER_WIDTH
        ems += known
    return ems * size * (BOLD if bold else 1.0)


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Words in lines that are not wider; a word that is, alone on its line."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def overlaps(labels: Sequence[SceneLabel]) -> list[tuple[SceneLabel, SceneLabel]]:
    """The pairs of labels that lie on top of each other: none, if all is well."""
    placed = sorted((label.box, number) for number, label in enumerate(labels) if label.text)
    found: list[tuple[SceneLabel, SceneLabel]] = []
    open_: list[tuple[Rectangle, int]] = []
    for box, number in placed:
        open_ = [one for one in open_ if one[0].right > box.left]
        found += [(labels[other], labels[number]) for beside, other in open_ if beside.overlaps(box)]
        open_.append((box, number))
    return found
