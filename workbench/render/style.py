"""Styles, bars, sparklines and numbers in a few characters."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

DIM, STRONG, CHANGED = "dim", "bold", "bold yellow"
GOOD, BAD = ("", "") if os.environ.get("NO_COLOR") else ("green", "red")
"""Without colours red would be a grey that is hard to read. Signs say the same."""
BLOCKS = " ▁▂▃▄▅▆▇█"
EIGHTHS = " ▏▎▍▌▋▊▉█"


def bar(share: float, width: int) -> str:
    """A bar to the eighth of a cell; any share above 0 shows at least an eighth."""
    eighths = max(round(max(0.0, min(1.0, share)) * width * 8), 1 if share > 0 else 0)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (EIGHTHS[rest] if rest else "")).ljust(width)


def sparkline(values: Sequence[float], width: int) -> str:
    """The last values as a row of blocks."""
    some = list(values)[-width:]
    most = max(some, default=0)
    return "".join(BLOCKS[max(1, round(value / most * 8))] if most else " " for value in some)


def short_number(value: float) -> str:
    """A number in five letters at most: 312, 4.2 k, 118 M."""
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size * 0.9995:
            scaled = value / size
            return f"{scaled:.0f} {letter}" if scaled >= 99.95 else f"{scaled:.1f} {letter}"
    return f"{value:.0f}"


MEASURABLE = 0.005
"""In fewer seconds a search is over before its speed can be measured."""


def rate(nodes: float, seconds: float) -> str:
    """Nodes per second in few letters; a dash where that would be no measurement."""
    return short_number(nodes / seconds) if seconds >= MEASURABLE else "–"


def coloured(value: float) -> str:
    """The style of a value: its sign is always written too."""
    return GOOD if value > 0 else BAD if value < 0 else ""


def plain_letters() -> bool:
    """Whether men are shown as letters: by the user's setting, or because the terminal cannot show anything else."""
    return (
        "utf" not in (getattr(sys.stdout, "encoding", None) or "utf").lower() or os.environ.get("PLYBENCH_PIECES") == "ascii"
    )
