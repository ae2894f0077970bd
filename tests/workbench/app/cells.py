"""What the widgets of a screen want to show, beside the cells that are really drawn: where a name or a number is cut."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Region
from textual.screen import Screen
from textual.scrollbar import ScrollBar, ScrollBarCorner
from textual.visual import RichVisual
from textual.widget import Widget
from textual.widgets import Digits, Input, OptionList
from textual.widgets._select import SelectOverlay
from textual.widgets._toast import ToastRack

from workbench.app.widgets.game_moves import GameMoves, RootMoves

ENDLESS = 1_000
"""Columns in which everything has room on one line."""
COLUMNS = re.compile(r"\S {3,}\S")
"""What lines of tables have: three blanks between two words."""
DRAWN = re.compile(r"[─-▟]+")
"""Lines that are drawn are as long as their room, and no text."""
GOES_ON = " …"
"""What stands at the end of a list of which there is more; a word that is cut has no blank before it."""
CUT = re.compile(r"…(?!\d)")
"""What stands where something is cut. Before a number it is Watch's sign for so many moves that are folded."""
MAY_GO_ON = (RootMoves,)
"""A row of the root moves ends with as many moves of its line as have room; a key shows all of the line above it."""
LAYERS = (SelectOverlay, ToastRack)
"""What is meant to lie on top of others."""


@dataclass(frozen=True)
class Defect:
    """Where something is cut, and what."""

    widget: str
    said: str

    def __str__(self) -> str:
        return f"{self.widget}: {self.said}"


def defects_of(screen: Screen[object]) -> list[Defect]:
    """All places of a screen where something is cut, broken, or covered."""
    found = []
    texts: list[tuple[Widget, Region]] = []
    for widget, place in screen._compositor.full_map.items():
        if not widget.visible or widget is screen or isinstance(widget, ScrollBar | ScrollBarCorner):
            continue
        found += [Defect(name_of(widget), said) for said in faults_of(widget)]
        if is_text(widget) and isinstance(widget.parent, Widget):
            found += [Defect(name_of(widget), said) for said in clipped(widget, place.region, place.clip)]
            texts.append((widget, place.region.intersection(place.clip)))
    found += [Defect(name_of(one), f"covers {name_of(other)}") for one, other in covering(texts)]
    return found


def name_of(widget: Widget) -> str:
    """A widget by its id, or by its kind and that of the one around it."""
    if widget.id:
        return f"{type(widget).__name__}#{widget.id}"
    around = widget.parent
    inside = f" in {name_of(around)}" if isinstance(around, Widget) and not isinstance(around, Screen) else ""
    return f"{type(widget).__name__}{inside}"


def faults_of(widget: Widget) -> Iterator[str]:
    """What is wrong with what a widget draws in its own region."""
    outer = drawn(widget)
    if widget._border_title is not None and widget.styles.border_top[0] and outer:
        yield from cut_title(widget._border_title.plain, outer[0])
    if widget._border_subtitle is not None and widget.styles.border_bottom[0] and outer:
        yield from cut_title(widget._border_subtitle.plain, outer[-1])
    if isinstance(widget, Input):
        if not widget.value and cell_len(str(widget.placeholder)) > widget.content_size.width:
            yield f"no room for the hint {str(widget.placeholder)!r}"
    elif isinstance(widget, Digits):
        if widget.get_content_width(widget.size, widget.size) > widget.content_size.width:
            yield f"no room for {widget.value!r}"
    elif isinstance(widget, OptionList):
        for option in widget.options:
            style = widget.get_visual_style("option-list--option")
            lines = [strip.text for strip in widget._get_option_render(option, style)]
            yield from compared(in_words(widget._get_visual(option)), lines)
    elif (text := wanted(widget)) is not None:
        tabled = not isinstance(widget._render(), RichVisual)
        yield from compared(text, inner(widget, outer), tabled, isinstance(widget, MAY_GO_ON))
    elif not widget.is_container and not widget.children:
        yield from (f"cut: {line.strip()!r}" for line in outer if CUT.search(line))


def is_text(widget: Widget) -> bool:
    """Whether a widget shows text of its own."""
    return wanted(widget) not in (None, "")


def wanted(widget: Widget) -> str | None:
    """The text that a widget wants to show; None if it draws something else."""
    if isinstance(widget, GameMoves):
        return widget.text
    if type(widget).render_line is not Widget.render_line or type(widget).render_lines is not Widget.render_lines:
        return None
    if isinstance(widget, Digits | Input) or widget.is_scrollable or widget.children:
        return None
    return in_words(widget._render())


def in_words(visual: object) -> str:
    """The text that is drawn where there is room for all of it."""
    if isinstance(visual, Content):
        return visual.plain.replace("\t", " ")
    if isinstance(visual, RichVisual):  # a table, whose rows may be laid out otherwise where there is less room
        console = visual._widget.app.console
        lines = console.render_lines(visual._renderable, console.options.update(width=ENDLESS), pad=False)
        return "\n".join("".join(segment.text for segment in line).rstrip() for line in lines)
    return ""


def drawn(widget: Widget) -> list[str]:
    """The rows of a widget as they are drawn, with its border, also where they are scrolled out of sight."""
    width, height = widget.outer_size
    if not width or not height:
        return []
    return [strip.text for strip in widget.render_lines(Region(0, 0, width, height))]


def inner(widget: Widget, rows: list[str]) -> list[str]:
    """The rows of a widget without its border and its padding."""
    top, right, bottom, left = widget.gutter
    return [row[left : len(row) - right] for row in rows[top : len(rows) - bottom]]


def cut_title(title: str, row: str) -> Iterator[str]:
    """A title that its border has no room for, or that is cut already."""
    if title.strip() and title.strip() not in row:
        yield f"title {title!r} cut to {row.strip('─╭╮╰╯ ')!r}"
    elif "…" in title:
        yield f"title {title!r} is cut"


def compared(text: str, rows: list[str], tabled: bool = True, may_go_on: bool = False) -> Iterator[str]:
    """Differences between text and the rows that show it: words that are not there or are broken, rows of tables that were
    wrapped, if they are laid out by hand, and ellipses."""
    missing = Counter(words_of(text)) - Counter(words_of("\n".join(rows)))
    room, together = max(map(len, rows), default=0), "".join(row.strip() for row in rows)
    for word in [word for word in missing if len(word) > room and word in together]:  # it has to be broken
        del missing[word]
    if missing:
        yield f"not shown: {' '.join(missing)!r} of {text.strip()[:120]!r}"
    elif tabled:
        for line in text.splitlines():
            if COLUMNS.search(line) and not any(line.strip() in row for row in rows):
                yield f"wrapped: {line!r}"
    for row in rows:
        said = row.replace(GOES_ON, "") if may_go_on else re.sub(r"(^|\s)… ", "", row)
        if CUT.search(said):
            yield f"cut: {row.strip()!r}"


def words_of(text: str) -> list[str]:
    return [word for word in text.split() if not DRAWN.fullmatch(word)]


def clipped(widget: Widget, region: Region, clip: Region) -> Iterator[str]:
    """Where a widget goes out of the one that it is in, and there is no bar to scroll it by."""
    around = [parent for parent in widget.ancestors if isinstance(parent, Widget)]
    seen = region.intersection(clip)
    downwards = any(parent.show_vertical_scrollbar and parent.scrollbar_size_vertical for parent in around)
    sideways = any(parent.show_horizontal_scrollbar and parent.scrollbar_size_horizontal for parent in around)
    if not region.area:
        yield f"no room at all for {(wanted(widget) or '')[:60]!r}"
    elif seen.height < region.height and not downwards:
        yield f"{region.height - seen.height} of {region.height} rows are out of sight"
    elif seen.width < region.width and seen.height and not sideways:
        yield f"{region.width - seen.width} of {region.width} columns are out of sight"


def covering(texts: list[tuple[Widget, Region]]) -> Iterator[tuple[Widget, Widget]]:
    """Pairs of widgets with text that lie on top of each other."""
    for number, (one, region) in enumerate(texts):
        for other, place in texts[:number]:
            on_top = any(isinstance(parent, LAYERS) for widget in (one, other) for parent in widget.ancestors_with_self)
            if region.intersection(place).area and not on_top:
                yield one, other
