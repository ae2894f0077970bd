"""The variables of an algorithm at a moment, by the names that its card has for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.rules import INFINITY
from engines.tape.tape import NOBODY
from workbench.recordings.why.nodes import edge_at, mover_name
from workbench.render.values import likelihood_text
from workbench.watch.trace import Variable

if TYPE_CHECKING:
    from workbench.watch.tape_moment import TapeMoment


def variables_of(moment: TapeMoment) -> tuple[Variable, ...]:
    """The variables where a recorded depth-first search is."""
    recording, node = moment.recording, moment.here
    if moment.event is None:
        return ()
    found = [Variable("to move", mover_name(recording, node)), Variable("depth", str(int(recording.depth[node])))]
    if moment.trace.shows_windows:
        low, high = moment.window(node)
        found += [Variable("alpha", _edge(moment, low)), Variable("beta", _edge(moment, high))]
    best = moment.value(node)
    found.append(Variable("sum" if recording.turn[node] == 0 else "best", best.lstrip("Σ") or "none yet"))
    if moment.event.kind == "returned" and moment.event.child is not None:
        child = moment.event.child
        found.append(Variable("value", moment.value(child)))
        if (likely := recording.likelihood(child)) is not None:
            found.append(Variable("p", likelihood_text(likely)))
    if recording.algorithm.view == "mover" and recording.turn[node] < 0:
        found.append(Variable("in the code", _turned(moment)))
    return tuple(found)


def _edge(moment: TapeMoment, value: int) -> str:
    return edge_at(moment.recording, value)


def _turned(moment: TapeMoment) -> str:
    """The same variables as the code has them, which counts for the side that moves."""
    recording, node = moment.recording, moment.here
    parts = []
    if moment.trace.shows_windows:
        low, high = moment.window(node)
        parts += [f"alpha {edge_at(recording, -high)}", f"beta {edge_at(recording, -low)}"]
    best = moment.best(node)
    value = (
        int(recording.value[node]) if moment.is_done(node) else int(recording.value[best]) if best != NOBODY else INFINITY
    )
    parts.append(f"best {edge_at(recording, -value)}")
    return ", ".join(parts)
