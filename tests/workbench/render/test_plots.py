"""Plots as they are drawn, read cell by cell: every tick has its whole label, every line its name, and zero its line."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest

from workbench.render.plots.axis import NARROW, Axis, Scale, spanning
from workbench.render.plots.chart import LEAST_HEIGHT, ZERO, Plot, PlotLine, chart

SIZES = [(24, 8), (39, 7), (58, 15), (100, 30), (180, 44)]
LABEL = re.compile(r"^(0|[+-]?\d+(\.\d+)?( [kMGT])?|[\d,]+(\.\d+)? m?s)$")
NAMES = ("alphabeta", "deepening", "mtdf:first_guess=0")


def drawn(plot: Plot, width: int, height: int) -> list[str]:
    """The lines of a plot."""
    return chart(plot, width, height).plain.split("\n")


def labels_up(lines: list[str]) -> list[str]:
    """What stands beside the ticks of the upright axis, from above."""
    return [line.partition("┤")[0].strip() for line in lines if "┤" in line]


def labels_across(lines: list[str]) -> list[str]:
    """What stands below the axis, from the left."""
    return re.split(r" {2,}", lines[-1].strip()) if lines[-1].strip() else []


def number(label: str) -> float:
    """The number that a label stands for."""
    amount, _, unit = label.partition(" ")
    return float(amount.replace(",", "")) * {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "s": 1.0, "ms": 1e-3}[unit]


def some_plot(random: Random) -> Plot:
    """Lines of random values, as searches have them."""
    stages = sorted(random.sample(range(1, random.choice([3, 12, 60])), 2))
    across: Scale = random.choice(["whole", "log"])
    up: Scale = random.choice(["linear", "log"])
    unit = random.choice(["", "s"]) if up == "log" else ""
    size = 10.0 ** random.randint(-3, 3 if unit else 9)
    factor = random.choice([1, 1, 1000]) if across == "log" else 1

    def value() -> float:
        return size * 10 ** random.uniform(-2.9, 0) if up == "log" else random.uniform(-size, size)

    lines = tuple(
        PlotLine([(float(x * factor), value()) for x in range(stages[0], stages[1] + 1)], "green", name, str(place))
        for place, name in enumerate(NAMES, 1)
    )
    points = [point for line in lines for point in line.points]
    signed = up == "linear" and random.random() < 0.5
    axis = spanning([y for _, y in points], up, 0.1, signed=signed, unit=unit)
    return Plot(lines, spanning([x for x, _ in points], across), axis)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(60))
def test_every_tick_has_its_whole_label_at_its_place(size: tuple[int, int], seed: int) -> None:
    """The labels are numbers in order, in even steps, each whole; the plot keeps to its room."""
    plot = some_plot(Random(seed))
    lines = drawn(plot, *size)
    assert len(lines) <= size[1]
    assert max(map(len, lines)) <= size[0]
    for axis, labels in ((plot.up, labels_up(lines)[::-1]), (plot.across, labels_across(lines))):
        assert all(LABEL.match(label) for label in labels), labels
        numbers = [number(label) for label in labels]
        assert all(one < other for one, other in pairwise(numbers)), labels
        assert all(axis.least - 1e-9 <= value <= axis.most * (1 + 1e-6) + 1e-9 for value in numbers)
        if (axis.scale != "log" or axis.most / axis.least < NARROW) and len(numbers) > 2:
            steps = [other - one for one, other in pairwise(numbers)]
            assert max(steps) - min(steps) < 1e-6 * (axis.most - axis.least)
        if axis.scale == "whole":
            assert all(value == round(value) for value in numbers)
    assert lines[-2].count("┬") == len(labels_across(lines)), "no tick without a label, no label without a tick"


@pytest.mark.parametrize("size", SIZES[2:])
@pytest.mark.parametrize("seed", range(30))
def test_there_are_enough_ticks_and_all_names(size: tuple[int, int], seed: int) -> None:
    plot = some_plot(Random(seed))
    lines = drawn(plot, *size)
    assert len(labels_up(lines)) >= 2
    assert len(labels_across(lines)) >= 2
    text = "\n".join(lines)
    for place, name in enumerate(NAMES, 1):
        assert f"{place} {name}" in text


@pytest.mark.parametrize(("values", "has_zero"), [((-2.5, 1.5), True), ((0.5, 1.5), False), ((-3.0, -1.0), False)])
def test_zero_has_a_line_where_values_have_two_signs(values: tuple[float, float], has_zero: bool) -> None:
    points = [(1.0, values[0]), (2.0, values[1])]
    plot = Plot((PlotLine(points, "green"),), spanning([1, 2], "whole"), spanning(values, margin=0.1, signed=True))
    rows = [line for line in drawn(plot, 50, 16) if ZERO in line]
    assert len(rows) == int(has_zero)
    assert all(row.strip().startswith("0 ┤") for row in rows)


def test_large_numbers_are_short_and_not_powers_of_ten() -> None:
    points = [(1.0, 80.0), (2.0, 2_300.0), (3.0, 48_000.0), (4.0, 3_100_000.0)]
    plot = Plot((PlotLine(points, "cyan"),), spanning([1, 4], "whole"), spanning([y for _, y in points], "log", 0.05))
    assert labels_up(drawn(plot, 50, 16)) == ["1 M", "100 k", "10 k", "1 k", "100"]


def test_times_have_their_unit() -> None:
    points = [(1.0, 0.00004), (2.0, 0.03), (3.0, 12.0)]
    plot = Plot((PlotLine(points, "cyan"),), spanning([1, 3], "whole"), spanning([y for _, y in points], "log", unit="s"))
    assert labels_up(drawn(plot, 50, 20)) == ["10 s", "1 s", "100 ms", "10 ms", "1 ms", "0.1 ms"]


def test_the_colours_of_the_legend_are_those_of_the_lines() -> None:
    lines = (PlotLine([(1, 1), (2, 2)], "green", "one", "1"), PlotLine([(1, 2), (2, 1)], "red", "other", "2"))
    text = chart(Plot(lines, spanning([1, 2], "whole"), spanning([1, 2])), 40, 12)
    for sign, style in (("1", "green"), ("2", "red")):
        places = [place for place, letter in enumerate(text.plain) if letter == sign]
        styles = {str(span.style) for span in text.spans for place in places if span.start <= place < span.end}
        assert {style, f"bold {style}"} <= styles


def test_all_points_are_drawn_even_at_the_edges() -> None:
    points = [(float(x), float(y)) for x in (1, 5) for y in (-1, 1)]
    marked = PlotLine(points, "green", mark="#", has_line=False)
    lines = drawn(Plot((marked,), Axis(1, 5, "whole"), Axis(-1, 1)), 40, 12)
    assert sum(line.count("#") for line in lines) == 4


def test_one_value_alone_is_in_the_middle() -> None:
    plot = Plot((PlotLine([(1, 3.0), (2, 3.0)], "green"),), spanning([1, 2], "whole"), spanning([3.0, 3.0]))
    assert "3" in " ".join(labels_up(drawn(plot, 40, 12)))


@pytest.mark.parametrize("size", [(0, 0), (1, 1), (9, 3), (12, 4)])
def test_a_plot_without_room_says_so_and_breaks_nothing(size: tuple[int, int]) -> None:
    plot = some_plot(Random(1))
    lines = drawn(plot, *size)
    assert lines == ["A plot needs more room."] or len(lines) <= max(size[1], LEAST_HEIGHT + 2)


def test_nothing_to_draw_is_no_plot() -> None:
    assert not Plot((PlotLine([], "green"),), Axis(0, 1), Axis(0, 1)).has_lines
    assert not Plot((PlotLine([(1, 1)], "green"),), Axis(0, 1), Axis(0, 1)).has_lines
