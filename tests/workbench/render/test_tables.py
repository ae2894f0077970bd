"""Tables at every width: what one has to type stands there whole."""

from __future__ import annotations

import pytest
from rich.console import Console, RenderableType

from engines import catalog
from workbench.render import catalog as render
from workbench.render.tables import LaneSheet

WIDTHS = (60, 80, 120, 200)


def printed(shown: RenderableType, width: int) -> str:
    console = Console(width=width, highlight=False, markup=False)
    with console.capture() as capture:
        console.print(shown)
    text = capture.get()
    assert max(map(len, text.split("\n"))) <= width
    return text


@pytest.mark.parametrize("width", WIDTHS)
def test_the_list_of_algorithms_has_every_name_and_summary(width: int) -> None:
    words = printed(render.algorithms(), width).split()
    for name in catalog.ALGORITHMS:
        found = catalog.algorithm(name)
        assert name in words
        assert all(parameter.name in words for parameter in found.parameters)
        assert set(found.summary.split()) <= set(words)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("names", [("deepening", "pvs"), ("deepening", "a-lane-with-quite-a-long-name-of-its-own")])
def test_lanes_with_long_names_and_parameters(names: tuple[str, ...], width: int) -> None:
    changed = {"late_move_reductions": False, "singular_extension": True, "check_extension": False, "ordering": "none"}
    columns = {title: ["123,456,789", "1"] for title in ("value>", "best", "depth>", "nodes>", "evals>", "time>", "hits>")}
    text = printed(LaneSheet(names, [changed, {}], columns, ("hits>", "evals>", "time>", "depth>", "best")), width)
    words = text.split()
    assert all(name in words for name in names)
    assert all(f"{key}={str(value).lower()}" in words for key, value in changed.items())
    assert "…" not in text
    for title in columns:
        title = title.rstrip(">")
        assert title in words or f"{title}." in words or f"{title}," in words, "shown, or said to be left out"
    assert all(word in ("123,456,789", "1") or not word[0].isdecimal() for word in words if "," in word), "no number is cut"
