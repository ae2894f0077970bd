"""Why a node at the horizon ended as it did: scored as it stands, with captures played out, or with every answer to a
threat."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engines.rules import MAX_MOVES, captures, threatened
from engines.tape.recording import Recording
from engines.tape.tape import NOBODY
from workbench.recordings.bounds import bound_at
from workbench.recordings.why.nodes import move_in_sentence, mover_name, moves_at, ply_of, position_at, seen
from workbench.recordings.why.windows import because
from workbench.render.values import counted


class SearchedMoves(NamedTuple):
    """How many of the relevant moves were searched."""

    searched: int
    all: int
    what: str

    @property
    def words(self) -> str:
        return f"{self.searched} of {counted(self.all, self.what)} looked at"

    @property
    def rest(self) -> str:
        """Why the others were not."""
        if self.searched == self.all:
            return ""
        if self.searched:
            return "; the others lose material"
        return "; it loses material" if self.all == 1 else "; they lose material"


def horizon_words(recording: Recording, node: int) -> str:
    """The sentence for a leaf at the horizon, scored by the evaluation."""
    if bound_at(recording, node) == "exact":
        return f"Scored at the horizon: {seen(recording, node)}."
    reason = because(recording, node, "beta" if recording.turn[node] > 0 else "alpha")
    return f"Scored at the horizon, and captures were not looked at: {seen(recording, node)}, and {reason}."


def quiet_words(recording: Recording, node: int) -> str:
    """The sentence for a node of the quiescence search; under a threat all moves were searched."""
    mover, decider, found = mover_name(recording, node), int(recording.decider[node]), seen(recording, node)
    threat, bound = answers_threat(recording, node), bound_at(recording, node)
    looked = _looked(recording, node, threat)
    first = recording.turn[node] > 0
    head = f"{mover} has to answer a threat, so every move counts" if threat else "Captures were played out"
    best = move_in_sentence(recording, decider) if decider != NOBODY else "a move that is not on the tape"
    if decider == NOBODY and not threat:
        return f"{head}: {mover} does best without one: {found}; {looked.words}, and none is better{looked.rest}."
    if bound == "exact":
        if threat:
            return f"{head}: {best} is best: {found}; {looked.words}."
        return f"{head}: {best} is best for {mover}: {found}; {looked.words}{looked.rest}."
    if (bound == "at least") == first:
        cut = f"{head}, and it was cut" if threat else f"{head} for {mover}, and cut"
        return f"{cut}: after {best} {found}, and {because(recording, node, 'beta' if first else 'alpha')}; {looked.words}."
    reason = because(recording, node, "alpha" if first else "beta")
    if threat:
        return f"{head}, and nothing is good enough: {found}, and {reason}; {looked.words}."
    return f"{head}, and {mover} has nothing good enough: {found}, and {reason}; {looked.words}{looked.rest}."


def answers_threat(recording: Recording, node: int) -> bool:
    """Whether the side to move is in check, or would lose at once by passing, and so has to move; from ply 2 x depth + 8 on
    the search no longer looks for threats."""
    position, root = position_at(recording, node), recording.path(node)[0]
    within = ply_of(recording, node) < 2 * int(recording.depth[root]) + 8
    return within and bool(threatened(position.game.rules, position.state))


def _looked(recording: Recording, node: int, threat: bool) -> SearchedMoves:
    legal, searched = moves_at(recording, node)
    if threat:
        return SearchedMoves(searched, legal, "move")
    position = position_at(recording, node)
    count = int(captures(position.game.rules, position.state, np.zeros(MAX_MOVES, np.int64)))
    return SearchedMoves(searched, count, "capture")
