"""Writes pictures of searches and of boards to files; the ending of the name says in which form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from engines.contract import InputError, listed, shown
from engines.storage.files import write_safely
from workbench.drawing.picture import Picture
from workbench.drawing.player.page import events_of, page_of
from workbench.drawing.scenes.dot import dot_of
from workbench.drawing.scenes.pixels import gif_of, png_of
from workbench.drawing.scenes.stage import Stage
from workbench.drawing.scenes.svg import svg_of
from workbench.drawing.scenes.tikz import tikz_of
from workbench.input.pictured import Drawn, in_gif, in_png
from workbench.render.values import counted

FORMS = {
    ".svg": "vectors, for pages and slides",
    ".png": "pixels",
    ".gif": "a film of the whole search",
    ".tex": "TikZ, for LaTeX",
    ".dot": "a graph for Graphviz",
    ".html": "a page that plays the whole search back",
}
"""The endings of the names of files, and what they stand for."""
FLAT = (".svg", ".png")
"""The forms of what is not a search: boards and plots."""
MOST_FRAMES = 400
"""A film has no more pictures; of a longer search some events are left out."""
Progress = Callable[[int, int], None]
"""Told how many pictures of a film are drawn, and of how many."""


def form_of(path: Path, forms: Sequence[str] = tuple(FORMS)) -> str:
    """The ending of a name that says the form. Raises InputError if it says none."""
    ending = path.suffix.lower()
    if ending not in forms:
        said = f"{shown(ending)} is none" if ending else f"{shown(path.name)} has none"
        raise InputError(f"The ending of the name says the form of a picture: {listed(forms, 'or')}; {said}.")
    return ending


def picture_bytes(
    stage: Stage, at: int, form: str, drawn: Drawn, theme: str = "light", progress: Progress = lambda done, count: None
) -> bytes:
    """A picture of a search after so many events; a film of all events until then, or a page that plays all of them."""
    command = drawn.command()
    if form == ".html":
        return page_of(stage.trace, stage.what, drawn, stage.top, theme, progress).encode()
    if form == ".gif":
        moments = frames_of(at)
        svgs = [partial(_svg, stage, moment, theme) for moment in moments]
        return in_gif(gif_of(svgs, lambda done: progress(done, len(moments))), command)
    scene = stage.scene(at)
    if form == ".png":
        return in_png(png_of(svg_of(scene, theme)), command)
    write = {".svg": svg_of, ".tex": tikz_of, ".dot": dot_of}[form]
    return write(scene, theme, command).encode()


def said_of(stage: Stage, at: int, form: str, drawn: Drawn) -> str:
    """Which events a picture shows, in words."""
    if form == ".html":
        return events_of(stage.trace, drawn, stage.top).words() or f"all {counted(len(stage.trace), 'event')}"
    return f"event {at:,} of {len(stage.trace):,}"


def _svg(stage: Stage, at: int, theme: str) -> str:
    return svg_of(stage.scene(at), theme)


def frames_of(last: int, most: int = MOST_FRAMES) -> list[int]:
    """The moments that a film shows: all, or if they are too many, some that are equally far apart."""
    if last < most:
        return list(range(last + 1))
    return sorted({round(last * number / (most - 1)) for number in range(most)})


def board_bytes(picture: Picture, form: str, drawn: Drawn) -> bytes:
    """A picture that is not of a search, as SVG or PNG, with the command inside."""
    svg = picture.file(drawn.command())
    return svg.encode() if form == ".svg" else in_png(png_of(svg), drawn.command())


def write_picture(path: Path, content: bytes) -> None:
    """Write a picture, whole or not at all."""
    with write_safely(path) as stream:
        stream.write(content)
