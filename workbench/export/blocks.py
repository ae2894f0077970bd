"""A document of headings, paragraphs, diagrams, tables and plots, written as Markdown or as HTML.

Text of a person is escaped in both: it is never markup.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 560, 180
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 12, 28
MOST_TICKS = 12
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
pre { line-height: 1.2; overflow-x: auto; }
table { border-collapse: collapse; display: block; overflow-x: auto; margin: 1rem 0; font-size: 0.9rem; }
th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid #8886; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
blockquote { border-left: 4px solid #8886; margin-left: 0; padding-left: 1rem; white-space: pre-line; }
svg { max-width: 100%; height: auto; }
"""


@dataclass(frozen=True)
class Heading:
    """A title; 1 is the document's."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """A few sentences."""

    text: str


@dataclass(frozen=True)
class Note:
    """What the user wrote, with its line breaks."""

    text: str


@dataclass(frozen=True)
class Diagram:
    """Text whose every space counts."""

    text: str


@dataclass(frozen=True)
class Sheet:
    """A table; `>` behind a title aligns its column to the right."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class DepthPlot:
    """A value at each depth. Where a win is seen there is no number but a word: it stands at the upper or lower edge."""

    title: str
    points: tuple[tuple[int, float, str], ...]
    """Depth, value, and the value in words."""
    largest: float = float("inf")
    """What is beyond this is a win."""


Block = Heading | Paragraph | Note | Diagram | Sheet | DepthPlot


def markdown(blocks: Sequence[Block]) -> str:
    """The document in Markdown; plots are left out, for their numbers are in the tables."""
    parts = [_markdown(block) for block in blocks]
    return "\n\n".join(part for part in parts if part) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {_plain(text)}"
        case Paragraph(text):
            return _begun(text)
        case Note(text):
            return "\\\n".join(f"> {_begun(line)}" for line in text.splitlines())
        case Diagram(text):
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
            return f"{fence}text\n{text}\n{fence}"
        case Sheet(titles, rows):
            dashes = ["---:" if title.endswith(">") else "---" for title in titles]
            lines = [
                [_plain(title.rstrip(">")) for title in titles],
                dashes,
                *([_plain(cell) for cell in row] for row in rows),
            ]
            return "\n".join(f"| {' | '.join(line)} |" for line in lines)
        case DepthPlot():
            return ""


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_\[\]<>|~$&])", r"\\\1", " ".join(text.split()))


def _begun(text: str) -> str:
    """The same at the beginning of a line, where a number or a dash would begin a list."""
    return re.sub(r"^(\d*)([.)#+-])(?=\s)", r"\1\\\2", _plain(text))


def html(blocks: Sequence[Block], title: str) -> str:
    """The document as one HTML page that needs nothing else."""
    body = "\n".join(_html(block) for block in blocks)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _html(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{escape(text)}</p>"
        case Note(text):
            return f"<blockquote>{escape(text)}</blockquote>"
        case Diagram(text):
            return f"<pre>{escape(text)}</pre>"
        case Sheet(titles, rows):
            kinds = [' class="number"' if title.endswith(">") else "" for title in titles]
            head = "".join(f"<th{kind}>{escape(title.rstrip('>'))}</th>" for kind, title in zip(kinds, titles, strict=True))
            body = "\n".join(
                "<tr>" + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)) + "</tr>"
                for row in rows
            )
            return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
        case DepthPlot():
            return svg(block)


def svg(plot: DepthPlot) -> str:
    """A plot as a picture: the depths to the right, the values upwards."""
    numbers = [value for _, value, _ in plot.points if abs(value) < plot.largest]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        low, high = -1.0, 1.0
    depths = [depth for depth, _, _ in plot.points]
    first, last = min(depths), max(depths)

    def across(depth: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * ((depth - first) / (last - first) if last > first else 0.5), 1)

    def up(value: float) -> float:
        share = min(max((value - low) / (high - low), 0.0), 1.0)
        return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share, 1)

    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">',
        f"<title>{escape(plot.title)}</title>",
        '<g stroke="currentColor" stroke-opacity="0.3" fill="none">',
        *(f'<path d="M{LEFT} {up(value)}H{WIDTH - RIGHT}"/>' for value in {low, 0.0, high}),
        f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}"/>',
        "</g>",
        '<g fill="currentColor" font-size="12" font-family="sans-serif">',
        *(
            f'<text x="{LEFT - 8}" y="{up(value) + 4}" text-anchor="end">{value:g}</text>'
            for value in sorted({low, 0.0, high})
        ),
    ]
    step = max(1, -(-(last - first + 1) // MOST_TICKS))
    for depth in range(first, last + 1, step):
        parts.append(f'<text x="{across(depth)}" y="{HEIGHT - 8}" text-anchor="middle">{depth}</text>')
    line = " ".join(f"{across(depth)},{up(value)}" for depth, value, _ in plot.points)
    parts += ["</g>", f'<polyline points="{line}" fill="none" stroke="#2a7ab0" stroke-width="2"/>']
    for depth, value, words in plot.points:
        shape = "none" if abs(value) >= plot.largest else "#2a7ab0"
        parts.append(
            f'<circle cx="{across(depth)}" cy="{up(value)}" r="4" fill="{shape}" stroke="#2a7ab0" stroke-width="2">'
            f"<title>depth {depth}: {escape(words)}</title></circle>"
        )
    return "\n".join([*parts, "</svg>"])
