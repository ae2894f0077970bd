"""A document of headings, paragraphs, diagrams, tables and pictures, written as Markdown or as HTML.

Text of a person is escaped in both: it is never markup.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from workbench.drawing.picture import Picture

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
pre { line-height: 1.2; overflow-x: auto; }
table { border-collapse: collapse; display: block; overflow-x: auto; margin: 1rem 0; font-size: 0.9rem; }
th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid #8886; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
blockquote { border-left: 4px solid #8886; margin-left: 0; padding-left: 1rem; white-space: pre-line; }
figure { margin: 1rem 0; }
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
class Figure:
    """A picture, and what stands in its place where there are none; nothing, if the same is in a table."""

    picture: Picture
    text: str = ""


Block = Heading | Paragraph | Note | Diagram | Sheet | Figure


def markdown(blocks: Sequence[Block], pictures: str = "") -> str:
    """The document in Markdown. With the name of a folder its pictures are those of `picture_files` there; else they are
    left out, or drawn in letters."""
    parts, count = [], 0
    for block in blocks:
        if isinstance(block, Figure) and pictures:
            count += 1
            parts.append(f"![{_plain(block.picture.title)}](<{pictures}/{picture_name(count)}>)")
        else:
            parts.append(_markdown(block))
    return "\n\n".join(part for part in parts if part) + "\n"


def picture_files(blocks: Sequence[Block]) -> dict[str, str]:
    """The pictures of a document, by the names of their files."""
    figures = [block for block in blocks if isinstance(block, Figure)]
    return {picture_name(count): figure.picture.file() for count, figure in enumerate(figures, 1)}


def picture_name(count: int) -> str:
    """The name of a picture's file, counted from 1."""
    return f"{count:03}.svg"


def _markdown(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {_plain(text)}"
        case Paragraph(text):
            return _begun(text)
        case Note(text):
            return "\\\n".join(f"> {_begun(line)}" for line in text.splitlines())
        case Diagram(text) | Figure(_, text):
            return _fenced(text) if text else ""
        case Sheet(titles, rows):
            dashes = ["---:" if title.endswith(">") else "---" for title in titles]
            lines = [
                [_plain(title.rstrip(">")) for title in titles],
                dashes,
                *([_plain(cell) for cell in row] for row in rows),
            ]
            return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _fenced(text: str) -> str:
    """Text whose every space counts."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_\[\]<>|~$&])", r"\\\1", " ".join(text.split()))


def _begun(text: str) -> str:
    """The same at the beginning of a line, where a number or a dash would begin a list."""
    return re.sub(r"^(\d*)([.)#+-])(?=\s)", r"\1\\\2", _plain(text))


def html(blocks: Sequence[Block], title: str) -> str:
    """The document as one HTML page that needs nothing else."""
    body = "\n".join(_html(block, f"picture{number}") for number, block in enumerate(blocks, 1))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _html(block: Block, name: str) -> str:
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
        case Figure(picture, _):
            return f"<figure>\n{picture.inline(name)}\n</figure>"
