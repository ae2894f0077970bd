"""Confidence intervals for a mean, which stay valid where the samples are few or all equal.

After four games that were all won the standard error is 0, which claims too much. Wilson's interval keeps a width there; it
is used for results between a known minimum and a known maximum. Scores without a maximum get Student's interval, and none if
all samples were equal, because nothing is known of their spread then.
"""

from __future__ import annotations

import math

Z = 1.96
"""How many standard errors to each side hold 95 % of a normal distribution."""
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""The same for a spread that was estimated from 2, 3 ... samples."""

Interval = tuple[float, float]


def wilson(mean: float, count: int, z: float = Z) -> Interval:
    """Wilson's interval for a mean of `count` results from 0 to 1; one draw or win in ten does not make it empty."""
    middle = (mean + z * z / (2 * count)) / (1 + z * z / count)
    reach = z / (1 + z * z / count) * math.sqrt(max(0.0, mean * (1 - mean)) / count + z * z / (4 * count * count))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def student(mean: float, count: int, error: float | None) -> Interval | None:
    """Student's interval for a mean with a standard error; None if the samples do not say how far they spread."""
    if not error:
        return None
    freedom = count - 1
    reach = error * (STUDENT[freedom - 1] if freedom <= len(STUDENT) else Z + (Z**3 + Z) / (4 * freedom))
    return mean - reach, mean + reach
