"""Pictures made of pixels: PNG, and GIF with a search that moves. They need the extra `images`."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from engines.contract import InputError
from workbench.drawing.scenes.svg import FONT

ZOOM = 2.0
"""A PNG has so many pixels for each of the scene."""
GIF_ZOOM = 1.0
FRAME, LAST = 700, 3000
"""Milliseconds for which an event is shown, and the last one."""
COLOURS = 64
MISSING = "needs the extra for images: pip install plybench[images]"
NO_FONTS = "A picture of pixels needs fonts, and none is installed here (DejaVu Sans is a good one); SVG needs none."


def png_of(svg: str, zoom: float = ZOOM) -> bytes:
    """An SVG as a PNG. Raises InputError if what draws it is not installed."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise InputError(f"A PNG {MISSING}.") from None
    if not has_fonts():
        raise InputError(NO_FONTS)
    try:
        return bytes(svg_to_bytes(svg_string=svg, zoom=zoom))
    except ValueError as error:
        raise InputError(f"The picture could not be drawn: {error}.") from None


@cache
def has_fonts() -> bool:
    """Whether there is a font with which letters are drawn."""
    from resvg_py import svg_to_bytes

    lead = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
    word = f'<text x="5" y="30" font-size="20" font-family="{FONT}">x</text>'
    return bytes(svg_to_bytes(svg_string=f"{lead}{word}</svg>")) != bytes(svg_to_bytes(svg_string=f"{lead}</svg>"))


def gif_of(svgs: Sequence[Callable[[], str]], drawn: Callable[[int], None] = lambda count: None) -> bytes:
    """SVGs as a film, which begins again and again. `drawn` is told how many are done."""
    try:
        from PIL import Image
    except ImportError:
        raise InputError(f"A GIF {MISSING}.") from None

    def frames() -> Iterator[Image.Image]:
        for count, svg in enumerate(svgs, 1):
            yield Image.open(io.BytesIO(png_of(svg(), GIF_ZOOM))).convert("RGB")
            drawn(count)

    found = list(frames())
    size = max(one.width for one in found), max(one.height for one in found)
    ground = found[-1].getpixel((0, 0))
    made = []
    for one in found:
        whole = Image.new("RGB", size, ground)
        whole.paste(one, ((size[0] - one.width) // 2, 0))
        made.append(whole)
    palette = made[-1].quantize(COLOURS)
    pages = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in made]
    stream = io.BytesIO()
    times = [FRAME] * (len(pages) - 1) + [LAST]
    pages[0].save(stream, "GIF", save_all=True, append_images=pages[1:], duration=times, loop=0, optimize=False)
    return stream.getvalue()
