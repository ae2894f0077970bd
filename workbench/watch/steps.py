"""Which step of an algorithm an event is: the line of its card that is marked while the event is shown.

An algorithm declares in `Algorithm.steps` words of its card for some of these names:

    entered    a node is entered            leaf       a node is scored: terminal, horizon, table, pruned, quiet
    child      a child is entered           returned   a child's value has come back; trial: it does not count
    raised     a bound has moved            cut        the other moves are left out
    left       a node is left               chance     nature moves at the node; outcome: one of its outcomes came back
"""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING

from engines.algorithm import Algorithm
from engines.tape.tape import ASIDE, KINDS, NOBODY

if TYPE_CHECKING:
    from workbench.watch.tape_moment import TapeMoment

INDENT = 4
HEADING = "**In short.**"


def card_of(algorithm: Algorithm) -> str:
    """The text that explains an algorithm: the docstring of the module that its search is in."""
    return inspect.getdoc(sys.modules[algorithm.search.__module__]) or ""


def lines_of(algorithm: Algorithm) -> tuple[str, ...]:
    """The steps of an algorithm as its card has them: the lines that are set as code."""
    _, _, short = card_of(algorithm).partition(HEADING)
    lines: list[str] = []
    for line in short.partition("\n**")[0].splitlines()[1:]:
        if line.startswith(" " * INDENT):
            lines.append(line[INDENT:])
        elif lines and not line.strip():
            lines.append("")
    while lines and not lines[-1]:
        lines.pop()
    return tuple(lines)


def step_line(algorithm: Algorithm, names: tuple[str, ...]) -> int | None:
    """The number of the line that stands for an event, by the first of its names that the algorithm declares."""
    for name in names:
        if (words := algorithm.steps.get(name)) is not None:
            return next(number for number, line in enumerate(lines_of(algorithm)) if words in line)
    return None


def steps_of(moment: TapeMoment) -> tuple[str, ...]:
    """The names of the step that an event of a recorded depth-first search is, the most exact first."""
    event, recording = moment.event, moment.recording
    if event is None:
        return ()
    by_chance = recording.turn[event.node] == 0
    if event.kind == "leaf":
        return KINDS[int(recording.kind[event.node])], "leaf"
    if event.kind == "entered":
        if recording.parent[event.node] == NOBODY:
            return "root", "entered"
        return ("outcome", "child", "entered") if _below_chance(moment) else ("child", "entered")
    if event.kind == "returned" and event.child is not None:
        if recording.kind[event.child] == ASIDE:
            return ("pass", "trial", "returned") if recording.move[event.child] < 0 else ("trial", "returned")
        return ("chance", "returned") if by_chance else ("returned",)
    if event.kind == "left":
        kind = KINDS[int(recording.kind[event.node])]
        return ("mean", "left") if by_chance and kind == "expanded" else (f"left {kind}", "left")
    return (event.kind,)


def _below_chance(moment: TapeMoment) -> bool:
    above = int(moment.recording.parent[moment.here])
    return bool(moment.recording.turn[above] == 0)
