"""Events of recorded searches: replaying them gives back every value and window that the search wrote."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from engines.tape.events import ENTERED, LEAF, LEFT, NEVER, PAUSED, RAISED, RESUMED, RETURNED, STOPPED, events_of
from engines.tape.recording import Recording
from engines.tape.tape import ASIDE, CUT, EXPANDED, NOBODY, OPEN, new_tape
from tests.engines import checks
from workbench.recordings.bounds import first_side, has_bounds, wants_more

TEXTBOOK = "((3 12 8) (2 4 6) (14 5 2))"
PAIRS = [
    (game, name)
    for game in catalog.GAMES
    for name in catalog.ALGORITHMS
    if catalog.algorithm(name).compiled
    and catalog.algorithm(name).records
    and not catalog.misfit(catalog.algorithm(name), catalog.position("startpos", game))
]


def recorded(text: str, game: str, algorithm: str, limit: Limit, capacity: int = 50_000) -> Recording:
    found, tape = catalog.algorithm(algorithm), new_tape(capacity)
    search = Search(catalog.position(text, game), found, limit, tape=tape, memory=checks.small_memory(algorithm))
    return Recording.of(tape, search.run_here().report(), found.view)


def small(game: str, algorithm: str) -> Recording:
    iterates = catalog.algorithm(algorithm).iterates
    return recorded("startpos", game, algorithm, Limit(iterations=60) if iterates else Limit(depth=2))


@dataclass
class Replayed:
    """A search that is carried out again, event by event, and knows nothing but them."""

    recording: Recording
    path: list[int] = field(default_factory=list)
    best: dict[int, int] = field(default_factory=dict)
    window: dict[int, list[int]] = field(default_factory=dict)
    values: dict[int, int] = field(default_factory=dict)
    stopped: set[int] = field(default_factory=set)

    def take(self, kind: int, node: int, child: int) -> None:
        recording = self.recording
        if kind == ENTERED:
            assert (self.path[-1] if self.path else NOBODY) == recording.parent[node]
            self.path.append(node)
            self.window[node] = [int(recording.alpha[node]), int(recording.beta[node])]
        elif kind in (LEAF, LEFT):
            assert self.path.pop() == node
            inner = recording.kind[node] in (EXPANDED, CUT)
            self.values[node] = self.best[node] if inner and node in self.best else int(recording.value[node])
        elif kind == RETURNED:
            assert self.path[-1] == node == recording.parent[child]
            if recording.kind[child] != ASIDE and recording.turn[node] != 0:
                value, more = self.values[child], wants_more(recording, node)
                best = self.best.get(node)
                self.best[node] = value if best is None else max(best, value) if more else min(best, value)
        elif kind == RAISED:
            edge = 0 if wants_more(recording, node) else 1
            before, now = self.window[node][edge], self.values[child]
            assert now > before if edge == 0 else now < before
            self.window[node][edge] = now
        elif kind == PAUSED:
            assert self.path.pop() == node
        elif kind == RESUMED:
            assert self.path[-1] == recording.parent[node]
            self.path.append(node)
        else:
            assert kind == STOPPED
            self.stopped.add(node)


def assert_replays(recording: Recording) -> None:
    """The events alone give back every value and window of a recording."""
    events = events_of(recording, has_bounds(recording), first_side(recording))
    replayed = Replayed(recording)
    for number, (kind, node, child) in enumerate(zip(events.kind, events.node, events.child, strict=True)):
        replayed.take(int(kind), int(node), int(child))
        if kind == ENTERED:
            assert events.entered[node] == number
        elif kind in (LEAF, LEFT):
            assert events.done[node] == number
        elif kind == RETURNED:
            assert events.returned[child] == number
    done = np.flatnonzero(recording.kind != OPEN)
    assert (np.diff(events.entered) > 0).all(), "nodes are entered in the order in which they stand on the tape"
    assert set(replayed.window) == set(range(len(recording))), "every node is entered once"
    assert set(replayed.values) == set(done.tolist())
    if not recording.algorithm.iterates and not recording.algorithm.vectors and not recording.algorithm.expects:
        given_back = [replayed.values[node] for node in done.tolist()]
        assert given_back == recording.value[done].tolist()
    for node in np.flatnonzero((recording.kind == EXPANDED) & (recording.turn == 0)).tolist():
        assert_is_mean(recording, node)
    assert replayed.stopped <= set(np.flatnonzero(recording.kind == CUT).tolist())


def assert_is_mean(recording: Recording, node: int) -> None:
    """A chance node that was looked at as a whole has the mean of its outcomes, each of which came back."""
    below = [int(child) for child in recording.children(node) if recording.kind[child] != ASIDE]
    shares = [recording.likelihood(child) for child in below]
    if recording.values(node) or None in shares or recording.algorithm.iterates or not recording.algorithm.judges:
        return
    mean = sum((share or 0.0) * float(recording.value[child]) for share, child in zip(shares, below, strict=True))
    assert recording.value[node] == pytest.approx(mean, rel=1e-6, abs=len(below))


@pytest.mark.parametrize(("game", "algorithm"), checks.also_plain(PAIRS))
def test_replaying_gives_back_what_was_recorded(game: str, algorithm: str) -> None:
    assert_replays(small(game, algorithm))


def test_the_events_of_the_textbook_tree() -> None:
    recording = recorded(TEXTBOOK, "tree", "alphabeta", Limit(depth=2))
    events = events_of(recording, True)
    names = ("enter", "leaf", "return", "raise", "stop", "leave")
    said = [f"{names[kind]} {node}" for kind, node in zip(events.kind, events.node, strict=True)]
    assert ", ".join(said[:9]) == "enter 0, enter 1, enter 2, leaf 2, return 1, raise 1, enter 3, leaf 3, return 1"
    assert ", ".join(said[9:15]) == "enter 4, leaf 4, return 1, leave 1, return 0, raise 0"
    assert ", ".join(said[15:23]) == "enter 5, enter 6, leaf 6, return 5, raise 5, stop 5, leave 5, return 0"
    assert len(said) == 40
    assert int((events.kind == ENTERED).sum()) == 11, "alpha-beta leaves two of nine leaves out"


def test_minimax_moves_no_bounds() -> None:
    recording = recorded(TEXTBOOK, "tree", "minimax", Limit(depth=2))
    events = events_of(recording, has_bounds(recording))
    assert not {RAISED, STOPPED} & set(events.kind.tolist())
    assert int((events.kind == ENTERED).sum()) == 13


def test_a_search_that_was_stopped_leaves_its_path_open() -> None:
    recording = recorded("startpos", "connect4", "alphabeta", Limit(nodes=500))
    events = events_of(recording, True)
    for node in np.flatnonzero(recording.kind == OPEN).tolist():
        assert (events.done[node], events.returned[node]) == (NEVER, NEVER)
    assert (events.entered != NEVER).all()
