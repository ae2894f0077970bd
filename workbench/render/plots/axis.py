"""Axes: what part of a scale is shown, where its ticks are, and what stands beside them.

A tick without its label says nothing, so an axis has as many ticks as labels fit, and no others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Scale = Literal["linear", "whole", "log"]
Tick = tuple[float, str]
"""The value at which a tick is, and its label."""

STEPS = (1, 2, 5)
"""Ticks are so many units of some power of ten apart."""
FINEST = 30
"""No axis has more parts than this."""
SIZES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
NARROW = 20
"""A logarithmic axis whose ends are nearer than this has the ticks of a linear one."""
EVEN = 1e-9
"""Two numbers nearer than this, by the width of the axis, are the same."""


@dataclass(frozen=True)
class Axis:
    """A part of a scale: `linear`; `whole`, with ticks at whole numbers; or `log`, where each step to the next tick is ten
    times as large as the one before."""

    least: float
    most: float
    scale: Scale = "linear"
    signed: bool = False
    """Whether labels above 0 have a plus sign."""
    unit: str = ""
    """`s` for seconds, which are written as milliseconds where they are few."""
    names: tuple[str, str] | None = None
    """What the most and the least are called, where numbers say nothing; 0 is `even`."""

    def share(self, value: float) -> float:
        """Where a value is: 0 at the least, 1 at the most, and beyond where it is not on the axis."""
        least, most = self._at(self.least), self._at(self.most)
        return (self._at(value) - least) / (most - least)

    def _at(self, value: float) -> float:
        return math.log10(value) if self.scale == "log" else value

    def ticks(self, fits: Callable[[Sequence[Tick]], bool]) -> tuple[Tick, ...]:
        """As many ticks as fit with their labels; none if not even one does."""
        return next((found for found in self._choices() if found and fits(found)), ())

    def _choices(self) -> Iterator[tuple[Tick, ...]]:
        """Rows of ticks, each coarser than the one before."""
        if self.names is not None:
            yield (self.least, self.names[1]), (0.0, "even"), (self.most, self.names[0])
            return
        if self.scale == "log" and self.most / self.least >= NARROW:
            yield from self._decades()
            return
        size = self.most - self.least
        power = math.floor(math.log10(size / FINEST))
        steps = [step * 10.0**exponent for exponent in range(power, power + 4) for step in STEPS]
        for step in steps:
            if step < size / FINEST or (self.scale == "whole" and step < 1):
                continue
            first = math.ceil(self.least / step - EVEN)
            last = math.floor(self.most / step + EVEN)
            yield tuple(
                (at * step, self._label(at * step, step)) for at in range(first, last + 1) if at or self.scale != "log"
            )

    def _decades(self) -> Iterator[tuple[Tick, ...]]:
        first, last = math.floor(math.log10(self.least)), math.ceil(math.log10(self.most))
        low, high = self.least * (1 - EVEN), self.most * (1 + EVEN)

        def shown(values: Iterable[float]) -> tuple[Tick, ...]:
            return tuple((value, self._label(value, value)) for value in values if low <= value <= high)

        if last - first <= 3:
            yield shown(part * 10.0**power for power in range(first, last + 1) for part in STEPS)
        for every in range(1, last - first + 2):
            yield shown(10.0**power for power in range(first, last + 1) if power % every == 0)

    def _label(self, value: float, step: float) -> str:
        if self.unit == "s":
            return f"{value:,g} s" if value >= 1 - EVEN else f"{value * 1e3:g} ms"
        if not value:
            return "0"
        sign = "+" if self.signed else ""
        for size, letter in SIZES:
            if max(abs(self.least), abs(self.most)) >= 10_000 - EVEN and abs(value) >= size:
                return f"{value / size:{sign}.{_decimals(step / size)}f} {letter}"
        return f"{value:{sign}.{_decimals(step)}f}"


def _decimals(step: float) -> int:
    """The decimals that tell ticks apart which are so far from each other."""
    return max(0, -math.floor(math.log10(step) + EVEN))


def spanning(values: Iterable[float], scale: Scale = "linear", margin: float = 0.0, **how: object) -> Axis:
    """An axis that shows all of these values, with so much of it free at both ends; one value alone is in its middle."""
    found = [value for value in values if scale != "log" or value > 0] or [1.0]
    least, most = min(found), max(found)
    if scale == "log":
        grown = (most / least) ** margin if most > least else 2.0
        return Axis(least / grown, most * grown, scale, **how)  # type: ignore[arg-type]
    room = (most - least) * margin if most > least else 1.0
    return Axis(least - room, most + room, scale, **how)  # type: ignore[arg-type]


def apart(places: Iterable[tuple[int, int]], least: int) -> bool:
    """Whether places, each a beginning and an end, are in order with so much between them."""
    return all(begins - ended >= least for (_, ended), (begins, _) in pairwise(places))
