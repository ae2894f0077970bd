"""Characters that show two pixels of a sprite, one above the other."""

from __future__ import annotations

from functools import cache

from rich.color import Color
from rich.style import Style

from workbench.render.men import colours, sprites


def cell(two: tuple[str, ...], ink: Style, own: Style, ground: Style) -> tuple[str, Style]:
    """The character that shows two pixels, and its style."""
    paints = {
        sprites.MAN: ink.color,
        sprites.NUMBER: Color.parse(colours.ON_MEN),
        sprites.RIM: own.bgcolor,
        sprites.GROUND: ground.bgcolor,
    }
    above, below = two
    upper, lower = paints[above], paints[below]
    if upper != lower:
        is_lower = below in sprites.RAISED and above not in sprites.RAISED
        return ("▄", Style(color=lower, bgcolor=upper)) if is_lower else ("▀", Style(color=upper, bgcolor=lower))
    behind = ink.color if above == sprites.NUMBER else own.bgcolor
    return ("█", Style(color=upper, bgcolor=behind)) if above in sprites.RAISED else (" ", Style(bgcolor=upper))


@cache
def stands_out(one: Color | None, other: Color | None) -> bool:
    """Whether two colours differ so much that one can be seen on the other."""
    if one is None or other is None:
        return False
    return colours.contrast(one.get_truecolor().hex, other.get_truecolor().hex) >= colours.LEAST
