"""Why a node of a recorded search ended as it did: a sentence or two for each kind of node.

Values and windows are the first player's, as everywhere. A win is told by its ply, counted from the root of the search.
"""

from __future__ import annotations

from engines.position import Position
from engines.tape.recording import Recording
from engines.tape.tape import (
    ASIDE,
    CUT,
    EXPANDED,
    HORIZON,
    NOBODY,
    NUMBERED,
    OPEN,
    PRUNED,
    QUIET,
    SAMPLED,
    TABLE,
    TERMINAL,
)
from workbench.recordings.bounds import bound_at
from workbench.recordings.why.chance_nodes import why_many
from workbench.recordings.why.nodes import (
    is_fine,
    move_in_sentence,
    mover_name,
    moves_at,
    only_one,
    position_at,
    seen,
    terminal_words,
)
from workbench.recordings.why.proof_nodes import why_numbered, why_proof
from workbench.recordings.why.quiescence import horizon_words, quiet_words
from workbench.recordings.why.values import bounded
from workbench.recordings.why.windows import because
from workbench.render.values import plies


def why(recording: Recording, node: int) -> str:
    """Why a node ended as it did: a sentence or two."""
    if is_fine(recording) or recording.position.game.player_count > 2:
        return why_many(recording, node)
    if recording.is_proof:
        return why_proof(recording, node)
    return _REASONS[int(recording.kind[node])](recording, node)


def _cut(recording: Recording, node: int) -> str:
    return cut_words(recording, node, "")


def cut_words(recording: Recording, node: int, whose: str) -> str:
    """Why a node was cut, in a game of two; `whose` says who made the move that was too good: `MIN's `, or nothing."""
    first = recording.turn[node] > 0
    decider = int(recording.decider[node])
    after = f"after {whose}{move_in_sentence(recording, decider)}" if decider != NOBODY else "after one move"
    found = bounded(int(recording.value[node]), "at least" if first else "at most", recording.position.game)
    return f"Cut: {after} {found}, and {because(recording, node, 'beta' if first else 'alpha')}; {_left(recording, node)}."


def _expanded(recording: Recording, node: int) -> str:
    game, value, decider = recording.position.game, int(recording.value[node]), int(recording.decider[node])
    legal, searched = moves_at(recording, node)
    left_out = legal > searched and not _reaches_over(recording, node)
    best = move_in_sentence(recording, decider) if decider != NOBODY else "a move that is not on the tape"
    bound = bound_at(recording, node)
    found = bounded(value, bound, game)
    first = recording.turn[node] > 0
    if bound == "exact":
        among = "the only move" if legal == 1 else f"the best of {legal} moves"
        if left_out:
            among = f"the {'only one' if searched == 1 else f'best of {searched}'} searched of {legal} moves"
        if recording.turn[node] == 0:  # one random game, with an outcome that was drawn
            among = only_one(recording, node)
        return f"With {best}, {among}: {found}."
    if (bound == "at least") == first:  # a root that was given a window, and left it
        return (
            f"With {best}, better than what was asked for: {found}. This is a bound, not the value.{_again(recording, node)}"
        )
    # All moves have bounds only, so it is not known which is the best.
    among = "the only move" if legal == 1 else f"any of {legal} moves"
    if left_out:
        among = f"{'the only one' if searched == 1 else f'any of {searched}'} searched of {legal} moves"
    reason = because(recording, node, "alpha" if first else "beta")
    if recording.parent[node] == NOBODY:
        return f"With {among} {found}. This is a bound, not the value: {reason}.{_again(recording, node)}"
    return f"Not good enough: with {among} {found}, and {reason}."


def _again(recording: Recording, root: int) -> str:
    """What came of a root that left its window: the same depth once more, or the next question of a solver."""
    following = root + recording.subtree_size(root)
    if following >= len(recording) or recording.parent[following] != NOBODY:
        return ""
    if recording.algorithm.asks_questions:  # a solver with `all_moves` goes on with single moves
        return "" if recording.parameters["all_moves"] else " So it was asked once more, about other values."
    same = recording.depth[following] == recording.depth[root]
    return " So this depth was searched once more, with another window." if same else ""


def _table(recording: Recording, node: int) -> str:
    if recording.algorithm.asks_rules_first and _wins_at_once(position_at(recording, node)):
        return _by_rules(recording, node)
    return f"The table knew: {seen(recording, node)}."


def _wins_at_once(position: Position) -> bool:
    """Whether the side to move can end the game with a win."""
    after = (position.play(move) for move in position.game.legal_moves(position.state))
    return any(one.is_over and one.result < 0 for one in after)


def _by_rules(recording: Recording, node: int) -> str:
    return f"Not searched: the rules of the game alone say {seen(recording, node)}."


def _pruned(recording: Recording, node: int) -> str:
    mover, found = mover_name(recording, node), seen(recording, node)
    tried = [int(child) for child in recording.children(node)]
    trials = [child for child in tried if recording.move[child] < 0]
    if recording.algorithm.asks_rules_first:
        return _by_rules(recording, node)
    if len(trials) < len(tried):
        return f"Given up: {mover}'s remaining quiet moves cannot make up for what is missing; {found}."
    if trials and recording.turn[trials[-1]] != recording.turn[node]:
        return f"Given up: even if {mover} passes, {found}. The guess is that a move does no worse."
    if trials:
        searched = plies(int(recording.depth[trials[-1]]))
        return f"Given up: a search of {searched} was so far outside the window that it decided; {found}."
    return f"Given up without looking at its moves: {found}."


def _aside(recording: Recording, node: int) -> str:
    above, found = int(recording.parent[node]), seen(recording, node)
    if recording.move[node] >= 0:
        return f"Only a first try, with a narrow window or less depth: {found}. That was too good, so it was searched again."
    if recording.turn[node] == recording.turn[above]:
        return f"Only a trial: the same position at depth {int(recording.depth[node])}; {found}."
    return f"Only a trial: what if {mover_name(recording, above)} passed? {found[0].upper()}{found[1:]}."


def _sampled(recording: Recording, node: int) -> str:
    from workbench.recordings.why.sampled_nodes import why_sampled

    return why_sampled(recording, node)


def _open(recording: Recording, node: int) -> str:
    return "Not finished: the search was stopped here."


_REASONS = {
    OPEN: _open,
    EXPANDED: _expanded,
    TERMINAL: terminal_words,
    HORIZON: horizon_words,
    CUT: _cut,
    TABLE: _table,
    QUIET: quiet_words,
    PRUNED: _pruned,
    ASIDE: _aside,
    SAMPLED: _sampled,
    NUMBERED: why_numbered,
}


def _left(recording: Recording, node: int) -> str:
    """How many moves were not searched."""
    if _reaches_over(recording, node):
        return "what came next is not on the tape"
    legal, searched = moves_at(recording, node)
    if legal > searched:
        return f"{legal - searched} of {legal} moves not searched"
    return "no move was left anyway" if legal > 1 else "it was the only move"


def _reaches_over(recording: Recording, node: int) -> bool:
    """The tape was full before the node was done: there may be children that are not on it."""
    return not recording.complete and node in recording.path(len(recording) - 1)
