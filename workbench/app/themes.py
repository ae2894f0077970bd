"""The themes of the app: Plybench's own, and those that Textual brings along."""

from __future__ import annotations

import difflib

from rich.terminal_theme import TerminalTheme
from textual.theme import BUILTIN_THEMES, Theme

from engines.contract import InputError, shown

OWN = "plybench-"
"""What the names of Plybench's own themes begin with; it can be left out."""
DARK = Theme(
    name="plybench-dark",
    primary="#8fb8de",
    secondary="#7fd48a",
    accent="#e3c567",
    foreground="#d5dde6",
    background="#10151b",
    surface="#161d25",
    panel="#1b232d",
    success="#7fd48a",
    warning="#e3c567",
    error="#e07a7a",
    dark=True,
)
LIGHT = Theme(
    name="plybench-light",
    primary="#22577a",
    secondary="#2e7d4f",
    accent="#9a6a00",
    foreground="#1c2530",
    background="#f6f8fa",
    surface="#eceff3",
    panel="#dfe5ec",
    success="#2e7d4f",
    warning="#9a6a00",
    error="#b3352b",
    dark=False,
)
SAFE = Theme(
    name="plybench-colour-blind-safe",
    primary="#56b4e9",
    secondary="#0072b2",
    accent="#e69f00",
    foreground="#e8e8e8",
    background="#101010",
    surface="#181818",
    panel="#222222",
    success="#56b4e9",
    warning="#f0e442",
    error="#e66f00",
    dark=True,
)
THEMES = (DARK, LIGHT, SAFE)
SAFE_COLOURS = TerminalTheme(
    (16, 16, 16),
    (232, 232, 232),
    [
        (0, 0, 0),
        (230, 111, 0),
        (86, 180, 233),
        (240, 228, 66),
        (74, 144, 226),
        (204, 121, 167),
        (150, 210, 245),
        (232, 232, 232),
    ],
    [
        (130, 130, 130),
        (255, 140, 40),
        (120, 200, 250),
        (250, 240, 110),
        (110, 170, 240),
        (225, 150, 190),
        (180, 225, 250),
        (255, 255, 255),
    ],
)
"""The colours of the terminal in the colour-blind theme. What is green elsewhere is blue here, and what is red is orange."""


def theme_named(text: str) -> str:
    """The name of the theme that is meant; an InputError if there is none."""
    names = [theme.name for theme in THEMES] + list(BUILTIN_THEMES)
    short = {name.removeprefix(OWN): name for name in names}
    wanted = text.strip().lower().replace("color", "colour").replace(" ", "-").replace("_", "-")
    for name in (wanted, OWN + wanted):
        if name in names:
            return name
    begun = [short[name] for name in short if wanted and name.startswith(wanted)]
    if len(begun) == 1:
        return begun[0]
    near = difflib.get_close_matches(wanted, [*short, *names], n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    raise InputError(f"There is no theme {shown(text)}; there are {', '.join(short)}.{meant}")
