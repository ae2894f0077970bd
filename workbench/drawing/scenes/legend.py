"""What the signs of a scene mean: only those that occur in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from workbench.drawing.scenes.scene import Form, LegendEntry, Line, SceneLabel, Shape, text_width
from workbench.drawing.scenes.tree import FORMS, SceneParts
from workbench.watch.growth.proof_trace import ProvingTrace
from workbench.watch.growth.sampled_trace import SampledTrace
from workbench.watch.layers.layer_trace import LayerTrace
from workbench.watch.tape_trace import TapeTrace
from workbench.watch.trace import Trace

SIZE, LEGEND_LINE = 12.0, 24.0
SIGN, SPACE, GAP = 30.0, 8.0, 24.0
LINES = {
    "line": "the best line so far",
    "path": "the path to where the search is",
    "never": "never searched",
    "ahead": "not searched yet",
}
"""Kinds of lines."""
FORM_NAMES: tuple[str, ...] = get_args(Form)


def entries_of(trace: Trace, parts: SceneParts) -> tuple[LegendEntry, ...]:
    """The signs that occur, in the order in which they are explained."""
    shapes = list(dict.fromkeys(node.shape for node in parts.nodes if node.shape in FORMS))
    found = [LegendEntry(FORMS[shape], _mover(trace, shape), (shape, "done")) for shape in FORMS if shape in shapes]
    is_graph = isinstance(trace, LayerTrace) and not trace.is_tree
    if is_graph and any(shape.form == "star" for shape in parts.shapes):
        found.append(LegendEntry("star", "a target", ("leaf", "done")))
    if is_graph and not any(shape.form == "square" and "leaf" in shape.marks for shape in parts.shapes):
        found = [entry for entry in found if entry.sign != "square"]
    nodes = {mark for node in parts.nodes for mark in node.marks if node.shape != "bundle"}
    if "here" in nodes:
        found.append(LegendEntry("pointer", "where the search is", ("here",)))
    for mark, words in LINES.items():
        if any(mark in line.marks and "bundle" not in line.marks for line in parts.lines):
            found.append(_line(mark, words, is_graph))
    if "cut" in nodes:
        found.append(LegendEntry("cut", "no further move was searched here", ("cut",)))
    if any(node.detail for node in parts.nodes):
        found += _details(trace)
    if any(node.value.startswith(("≤", "≥")) for node in parts.nodes):
        found.append(LegendEntry("≤ ≥", "at most, at least"))
    if any(node.value.startswith("Σ") for node in parts.nodes):
        found.append(LegendEntry("Σ", "the part of the mean so far"))
    if any(node.shape == "bundle" for node in parts.nodes):
        found.append(LegendEntry("+", "moves that are folded, and the nodes below them"))
    return tuple(found)


def _line(mark: str, words: str, is_graph: bool) -> LegendEntry:
    if is_graph:
        words = {"ahead": "not in a layer yet", "line": "where whoever decides goes"}.get(mark, words)
    return LegendEntry(f"line-{mark}", words, (mark,))


def _details(trace: Trace) -> list[LegendEntry]:
    if isinstance(trace, ProvingTrace):
        return [LegendEntry("p/d", "proof number / disproof number")]
    if isinstance(trace, SampledTrace):
        return [LegendEntry("n", "visits, below the mean")]
    if isinstance(trace, TapeTrace):
        return [LegendEntry("[α, β]", "the window")]
    return []


def _mover(trace: Trace, shape: str) -> str:
    """Who moves at nodes of a shape, in words."""
    if shape == "leaf":
        return "a leaf"
    game = trace.position(trace.moment(0).here).game
    if shape == "chance":
        return game.nature
    names = game.players
    if shape == "other":
        return " or ".join(names[2:]) or "another player"
    name = names[0 if shape == "max" else min(1, len(names) - 1)]
    return f"{'OR' if shape == 'max' else 'AND'}: {name}" if isinstance(trace, ProvingTrace) else name


# Where it stands.


def _width(entry: LegendEntry) -> float:
    sign = SIGN if is_drawn(entry) else text_width(entry.sign, SIZE, bold=True)
    return sign + SPACE + text_width(entry.text, SIZE)


def is_drawn(entry: LegendEntry) -> bool:
    """Whether the sign is a shape or a line, not words."""
    return entry.sign in FORM_NAMES or entry.sign.startswith("line-")


def _placed(entries: Sequence[LegendEntry], room: float) -> list[tuple[LegendEntry, float, int]]:
    """Each entry with its place and its row."""
    found, x, row = [], 0.0, 0
    for entry in entries:
        width = _width(entry)
        if x and x + width > room:
            x, row = 0.0, row + 1
        found.append((entry, x, row))
        x += width + GAP
    return found


def legend_rows(entries: Sequence[LegendEntry], room: float) -> int:
    """How many rows the legend takes."""
    return 1 + max((row for _, _, row in _placed(entries, room)), default=0)


def legend_parts(
    entries: Sequence[LegendEntry], left: float, top: float, room: float
) -> tuple[list[Shape], list[Line], list[SceneLabel]]:
    """The legend as shapes, lines and labels."""
    shapes: list[Shape] = []
    lines: list[Line] = []
    labels: list[SceneLabel] = []
    for entry, x, row in _placed(entries, room):
        at, y = left + x, top + row * LEGEND_LINE
        if entry.sign.startswith("line-"):
            lines.append(Line(((at + 2.0, y), (at + SIGN - 2.0, y)), (*entry.marks, "legend")))
            if entry.sign == "line-never":
                lines += [Line(((at + 11, y - way), (at + 19, y + way)), ("cut", "legend")) for way in (-4.0, 4.0)]
            after = at + SIGN
        elif is_drawn(entry):
            form: Form = next(form for form in get_args(Form) if form == entry.sign)
            shapes.append(Shape(form, at + SIGN / 2, y, 17.0, 17.0, (*entry.marks, "legend")))
            after = at + SIGN
        else:
            labels.append(SceneLabel(at, y, entry.sign, SIZE, "start", True, (*entry.marks, "legend")))
            after = at + text_width(entry.sign, SIZE, bold=True)
        labels.append(SceneLabel(after + SPACE, y, entry.text, SIZE, "start", marks=("legend",)))
    return shapes, lines, labels
