"""Whether the value of a recorded node is exact or only a bound, because the search looked no further than it had to.

A search with a window is exact inside it. A value at or below the window is at most that, one at or above it at least that,
as some moves were left out, or are themselves known by bounds alone.
"""

from __future__ import annotations

from engines.contract import Bound
from engines.notation import read_coalition
from engines.rules import INFINITY
from engines.tape.recording import Recording
from engines.tape.tape import CUT, EXPANDED, HORIZON, NOBODY, NUMBERED, OPEN, PRUNED, SAMPLED, TERMINAL


def bound_at(recording: Recording, node: int) -> Bound:
    """What is known of a node's value, for the first player."""
    kind, value = int(recording.kind[node]), int(recording.value[node])
    if not has_windows(recording) or kind in (OPEN, TERMINAL) or (kind == HORIZON and not _stands(recording, node)):
        return "exact"
    low, high = int(recording.alpha[node]), int(recording.beta[node])
    if kind == HORIZON:  # the side to move may stand pat: if that is too good, captures are not searched
        first = recording.turn[node] > 0
        return "at least" if first and value >= high else "at most" if not first and value <= low else "exact"
    if recording.algorithm.expects:
        if kind == CUT and recording.turn[node] != 0:
            return "at least" if recording.turn[node] > 0 else "at most"
        least, most = int(recording.alpha[0]), int(recording.beta[0])
        if value <= least or value >= most:  # nothing is worth less, or more
            return "exact"
    return "at most" if value <= low else "at least" if value >= high else "exact"


def is_known(recording: Recording, node: int) -> bool:
    """Whether anything is known of a node's value. Star2 tries one move behind each outcome: if that is no good to whoever
    moves there, nothing is known of what the others are worth. And where nothing could matter, nothing was looked at. A
    solver asks about a single move too, and that it is no better says nothing of the others."""
    kind, turn = recording.kind[node], recording.turn[node]
    if kind == EXPANDED and recording.algorithm.asks_questions and recording.parent[node] == NOBODY:
        return not recording.parameters["all_moves"] or _asked_about_all(recording, node)
    if recording.algorithm.expects and kind == PRUNED:
        return False
    if not recording.algorithm.expects or kind != CUT or turn == 0:
        return True
    value = recording.value[node]
    return bool(value > recording.alpha[node] if turn > 0 else value < recording.beta[node])


def _asked_about_all(recording: Recording, root: int) -> bool:
    """A question of a solver was about all moves of the root, and not about one of them."""
    game = recording.position.game
    return len(recording.children(root)) == len(game.legal_moves(recording.position.state))


def wants_more(recording: Recording, node: int) -> bool:
    """Whether the player to move at a node wants the value to be large: the first player, or one on the same side."""
    turn = int(recording.turn[node])
    if recording.position.game.player_count == 2:
        return turn > 0
    return bool(first_side(recording) >> max(0, -turn) & 1)


def first_side(recording: Recording) -> int:
    """The players on the first one's side, a bit for each: the team that was searched for, or everybody else."""
    game = recording.position.game
    if not recording.algorithm.vectors:
        return 1
    team = read_coalition(recording.report.parameters, game) or 1 << recording.position.mover
    return team if team & 1 else (1 << game.player_count) - 1 & ~team


def has_windows(recording: Recording) -> bool:
    """Its search had windows: it is no proof, no tree with proof numbers or samples, and there is one value at each node."""
    if not len(recording) or recording.is_proof or recording.kind[0] in (NUMBERED, SAMPLED):
        return False
    return not recording.values(0)


def has_bounds(recording: Recording) -> bool:
    """Some windows were narrower than everything, so that some values may be bounds."""
    if not has_windows(recording):
        return False
    least, most = (int(recording.alpha[0]), int(recording.beta[0])) if recording.algorithm.expects else (-INFINITY, INFINITY)
    return bool((recording.alpha > least).any() or (recording.beta < most).any())


def _stands(recording: Recording, node: int) -> bool:
    """Whether this node belongs to the quiescence search."""
    return bool(recording.report.parameters.get("quiescence")) and recording.depth[node] <= 0
