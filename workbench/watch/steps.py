"""Which step of an algorithm an event is: the line of its card that is marked while the event is shown.

An algorithm declares in `Algorithm.steps` words of its card for some of these names:

    entered        a node is entered; root, child, first child, later child, again (after a trial), outcome (of chance),
                   pass and same (trials: somebody passes, or the same side searches less deep) are more exact
    leaf           a node is scored: terminal, horizon, table, pruned, quiet
    returned       a child's value has come back; returned more and returned less (who wants what), trial, chance
    raised         a bound has moved; raised more, raised less
    cut            the other moves are left out; cut below, cut above (by which edge of the window)
    left           a node is left; left root, left cut, left pruned, mean (of a chance node)
"""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING

from engines import catalog
from engines.algorithm import Algorithm
from engines.tape.recording import Recording
from engines.tape.tape import ASIDE, KINDS, NOBODY
from workbench.recordings.bounds import wants_more

if TYPE_CHECKING:
    from workbench.watch.tape_moment import TapeMoment

INDENT = 4
HEADING = "**In short.**"


def card_of(algorithm: Algorithm) -> str:
    """The text that explains an algorithm: the docstring of the module that its search is in."""
    return inspect.getdoc(sys.modules[algorithm.search.__module__]) or ""


def lines_of(algorithm: Algorithm) -> tuple[str, ...]:
    """The steps of an algorithm, and below them those of the one that it is built on."""
    own = card_lines(algorithm)
    if not algorithm.inside:
        return own
    base = catalog.algorithm(algorithm.inside)
    return (*own, "", f"{base.name}:", *lines_of(base))


def card_lines(algorithm: Algorithm) -> tuple[str, ...]:
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
    """The number of the line that stands for an event, by the first of its names that the algorithm declares, or else by one
    that the algorithm declares on which it is built."""
    own = card_lines(algorithm)
    for name in names:
        if (words := algorithm.steps.get(name)) is not None:
            return next(number for number, line in enumerate(own) if words in line)
    if not algorithm.inside:
        return None
    base = catalog.algorithm(algorithm.inside)
    number = step_line(base, names)
    return None if number is None else len(lines_of(algorithm)) - len(lines_of(base)) + number


def steps_of(moment: TapeMoment) -> tuple[str, ...]:
    """The names of the step that an event of a recorded depth-first search is, the most exact first."""
    event, recording = moment.event, moment.recording
    if event is None:
        return ()
    node, kind = event.node, KINDS[int(recording.kind[event.node])]
    by_chance = recording.turn[node] == 0
    if event.kind == "leaf" and kind == "aside":
        return ("horizon" if recording.depth[node] <= 0 else "table"), "leaf"  # the tape says no more of a trial
    if event.kind == "leaf":
        return kind, "leaf"
    if event.kind == "entered":
        return _entered(recording, node)
    if event.kind == "left":
        if recording.parent[node] == NOBODY:
            return "left root", f"left {kind}", "left"
        return ("mean", "left") if by_chance and kind == "expanded" else (f"left {kind}", "left")
    side = "more" if wants_more(recording, node) else "less"
    if event.kind == "returned" and event.child is not None:
        if recording.kind[event.child] == ASIDE:
            return (*_trial(recording, event.child), "returned")
        return ("chance", "returned") if by_chance else (f"returned {side}", "returned")
    if event.kind == "cut":
        return ("cut below" if recording.value[node] <= recording.alpha[node] else "cut above"), "cut"
    return f"{event.kind} {side}", event.kind


def _entered(recording: Recording, node: int) -> tuple[str, ...]:
    """The names of the step that enters a node."""
    above = int(recording.parent[node])
    if above == NOBODY:
        return "root", "entered"
    if recording.kind[node] == ASIDE:
        return (*_trial(recording, node), "entered")
    if recording.turn[above] == 0:
        return "outcome", "child", "entered"
    before = [int(child) for child in recording.children(above) if child < node]
    if any(recording.move[child] == recording.move[node] and recording.kind[child] == ASIDE for child in before):
        return "again", "later child", "child", "entered"
    return "later child" if before else "first child", "child", "entered"


def _trial(recording: Recording, child: int) -> tuple[str, ...]:
    """The names of a trial: somebody passes, the same side searches less deep, or a move is tried with less depth."""
    if recording.move[child] >= 0:
        return "trial", "later child", "child"
    same = recording.turn[child] == recording.turn[int(recording.parent[child])]
    return "same" if same else "pass", "trial"
