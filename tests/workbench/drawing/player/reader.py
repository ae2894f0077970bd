"""A page that is read without a browser: its data, decoded as its script does, but naively."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from workbench.drawing.player.frames import HERE_SHOWN, MARKS, PATH_SHOWN, SHAPES, STAGES
from workbench.watch.trace import Look


def data_of(page: str) -> dict[str, Any]:
    """The data of a page."""
    found = re.findall(r'<script type="application/json" id="search">(.*?)</script>', page, re.DOTALL)
    assert len(found) == 1
    data: dict[str, Any] = json.loads(found[0])
    return data


@dataclass(frozen=True)
class Read:
    """A moment as the page has it; nodes are the page's numbers."""

    looks: tuple[Look, ...]
    here: int
    path: tuple[int, ...]
    line: tuple[int, ...]
    step: int
    visited: int
    sentence: str
    variables: tuple[tuple[str, str], ...]


def path_to(data: dict[str, Any], node: int) -> tuple[int, ...]:
    above = data["nodes"]["parent"][node]
    return (node,) if above < 0 else (*path_to(data, above), node)


def moments_of(data: dict[str, Any]) -> list[Read]:
    """All moments, one after the other."""
    strings, shapes = data["strings"], data["nodes"]["shape"]
    known = [(0, 0, 0)] * len(shapes)
    variables: list[int] = []
    line: list[int] = []
    found = []
    for frame in data["frames"]:
        changes, here, end, shown, step, visited, sentence, new_variables, new_line = frame[:9]
        for node, *look in zip(*[iter(changes)] * 4, strict=True):
            known[node] = tuple(look)
        variables, line = new_variables or variables, line if new_line == 0 else new_line
        path = path_to(data, end) if here in path_to(data, end) else path_to(data, here)
        looks = tuple(
            Look(
                STAGES[state & 3],  # type: ignore[arg-type]  # words of the type
                SHAPES[shapes[node]],  # type: ignore[arg-type]
                strings[value],
                strings[detail],
                is_here=bool(shown & HERE_SHOWN) and node == here,
                on_path=bool(shown & PATH_SHOWN) and node in path,
                on_line=node in line,
                is_cut=bool(state & 4),
                mark=MARKS[state >> 3],
            )
            for node, (state, value, detail) in enumerate(known)
        )
        named = tuple((strings[name], strings[value]) for name, value in zip(*[iter(variables)] * 2, strict=True))
        found.append(Read(looks, here, path, tuple(line), step, visited, strings[sentence], named))
    return found
