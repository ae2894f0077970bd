"""What happens at each event of a recorded depth-first search, and why: one to three sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.rules import INFINITY
from engines.tape.tape import ASIDE, CUT, EXPANDED, HORIZON, NOBODY, TERMINAL
from workbench.recordings.bounds import bound_at, is_known, wants_more
from workbench.recordings.why.nodes import (
    edge_at,
    edge_words,
    is_fine,
    line_names,
    move_in_sentence,
    move_name,
    mover_name,
    moves_at,
    node_value,
    position_at,
    value_at,
)
from workbench.recordings.why.reasons import cut_words, why
from workbench.recordings.why.windows import EDGES, because, is_asked
from workbench.render.values import likelihood_text, plies

if TYPE_CHECKING:
    from workbench.watch.tape_moment import TapeMoment

BEFORE = "Nothing has happened yet: a step forward enters the root."


def sentence_of(moment: TapeMoment) -> str:
    """The sentences of a moment."""
    event = moment.event
    if event is None:
        return BEFORE
    if event.kind == "entered":
        return _entered(moment, event.node)
    if event.kind in ("paused", "resumed"):
        return _paused(moment, event.node) if event.kind == "paused" else _resumed(moment, event.node)
    if event.child is not None:
        return {"returned": _returned, "raised": _raised, "cut": _cut}[event.kind](moment, event.node, event.child)
    return _left(moment, event.node) if event.kind == "left" else why(moment.recording, event.node)


# A node is entered.


def _entered(moment: TapeMoment, node: int) -> str:
    recording = moment.recording
    above = int(recording.parent[node])
    if above == NOBODY:
        return _root(moment, node)
    if recording.move[node] < 0:
        if recording.turn[node] == recording.turn[above]:
            return f"A trial: the same position is searched with {_left_to_go(moment, node)}.{_asked(moment, node)}"
        passes = f"{mover_name(recording, above)} passes, and it is {mover_name(recording, node)}'s turn"
        return f"A trial: {passes}.{_asked(moment, node)}"
    if recording.turn[above] == 0:
        likely = recording.likelihood(node)
        happens = f"happens with probability {likelihood_text(likely)}" if likely is not None else "happens"
        return f"{_outcome(moment, node)} {happens}; {_turn_here(moment, node)}.{_asked(moment, node)}"
    tries = f"{mover_name(recording, above)} tries {move_in_sentence(recording, node)}"
    again = " again" if _was_tried(moment, node) else ""
    return f"{tries}{again}; {_turn_here(moment, node)}.{_asked(moment, node)}"


def _outcome(moment: TapeMoment, node: int) -> str:
    name = move_name(moment.recording, node).partition(" p=")[0]
    return f"Outcome {name}"


def _was_tried(moment: TapeMoment, node: int) -> bool:
    """Whether the same move was searched before: then that was a trial, with less depth or a narrower window."""
    recording = moment.recording
    before = [int(child) for child in recording.children(int(recording.parent[node])) if child < node]
    return any(recording.move[child] == recording.move[node] and recording.kind[child] == ASIDE for child in before)


def _turn_here(moment: TapeMoment, node: int) -> str:
    """Who moves at a node, and how many plies are to go."""
    recording = moment.recording
    if recording.kind[node] == TERMINAL and position_at(recording, node).is_over:
        return "nobody can move there" if not moment.trace.is_written else "that is a leaf"
    if recording.kind[node] == HORIZON and recording.depth[node] <= 0:
        return "no ply is left"
    if recording.turn[node] == 0:
        return f"{mover_name(recording, node)} decides there"
    return f"{mover_name(recording, node)} is to move there, {_left_to_go(moment, node)}"


def _left_to_go(moment: TapeMoment, node: int) -> str:
    depth = int(moment.recording.depth[node])
    return f"with {plies(depth)} to go" if depth > 0 else "at the horizon"


def _root(moment: TapeMoment, node: int) -> str:
    recording = moment.recording
    number = [int(root) for root in recording.roots()].index(node)
    begins = "The search begins at the root" if number == 0 else f"Pass {number + 1} begins at the root"
    return f"{begins}: {_turn_here(moment, node).replace(' there', '')}.{_asked(moment, node)}"


def _asked(moment: TapeMoment, node: int) -> str:
    """What the window of a node means, with a blank before it; nothing where the search has no windows."""
    recording = moment.recording
    if not moment.trace.shows_windows:
        return ""
    low, high = int(recording.alpha[node]), int(recording.beta[node])
    if low <= -INFINITY and high >= INFINITY:
        return " Every value counts."
    if not _has_reasons(moment):
        return f" Only {_between(moment, low, high)} counts."
    if low > -INFINITY and high < INFINITY and all(is_asked(recording, node, edge) for edge in EDGES):
        return f" Only {_between(moment, low, high)} counts: that is all that the search asked."
    said = [because(recording, node, "alpha")] if low > -INFINITY else []
    said += [because(recording, node, "beta")] if high < INFINITY else []
    if high - low == 1:  # a null window: the edge that nobody holds says nothing that has not been said
        said = [reason for reason in said if "the only question was" not in reason] or ["a null window asks no more"]
    return f" Only {_between(moment, low, high)} counts: {', and '.join(said)}."


def _has_reasons(moment: TapeMoment) -> bool:
    """Whether `because` can tell where the edges of windows come from: with two players and no chance."""
    recording = moment.recording
    return not is_fine(recording) and recording.position.game.player_count == 2


def _between(moment: TapeMoment, low: int, high: int) -> str:
    """A window in words."""
    recording = moment.recording
    if low <= -INFINITY:
        return f"less than {edge_words(recording, high)}"
    if high >= INFINITY:
        return f"more than {edge_words(recording, low)}"
    if high - low == 1:
        return f"whether it is more than {edge_words(recording, low)}"
    return f"what lies between {edge_words(recording, low)} and {edge_words(recording, high)}"


# A value comes back.


def _returned(moment: TapeMoment, node: int, child: int) -> str:
    recording = moment.recording
    move = _named(moment, child)
    if recording.kind[child] == ASIDE:
        return f"{move} was only a trial, and does not count. {why(recording, child)}"
    if not is_known(recording, child):
        return f"{move} was only looked at in part: nothing is known of its value but a bound."
    if recording.turn[node] == 0:
        return _outcome_returned(moment, node, child)
    value = node_value(recording, child)
    mover = mover_name(recording, node)
    before = [one for one in moment.returned(node) if one != child]
    comes = f"{move} comes back with {_value_words(moment, child)}"
    if not before:
        return f"{comes}: the best for {mover} so far, as it is the first."
    best = before[0]
    for one in before[1:]:
        if moment.worth(node, one) > moment.worth(node, best):
            best = one
    held = f"{_value_words(moment, best)}, which {mover} has with {move_in_sentence(recording, best)}"
    if moment.worth(node, child) > moment.worth(node, best):
        return f"{comes}: better for {mover} than {held}."
    if value == node_value(recording, best):
        return f"{comes}: no better for {mover} than {move_in_sentence(recording, best)}, which came first."
    return f"{comes}: no better for {mover} than {held}."


def _named(moment: TapeMoment, child: int) -> str:
    recording = moment.recording
    if recording.turn[int(recording.parent[child])] == 0 and recording.move[child] >= 0:
        return _outcome(moment, child)
    name = move_in_sentence(recording, child)
    return f"{name[0].upper()}{name[1:]}" if name.startswith(("move ", "trial", "pass")) else name


def _value_words(moment: TapeMoment, node: int) -> str:
    """A value, or a bound that is known of it, in a sentence."""
    recording = moment.recording
    if recording.values(node):
        return moment.value(node) or node_value(recording, node)
    bound, value = bound_at(recording, node), edge_words(recording, int(recording.value[node]))
    return value if bound == "exact" else f"{bound} {value}"


def _outcome_returned(moment: TapeMoment, node: int, child: int) -> str:
    recording = moment.recording
    likely = recording.likelihood(child)
    comes = f"{_outcome(moment, child)} comes back with {_value_words(moment, child)}"
    if recording.values(child) or likely is None:
        return f"{comes}."
    weighted = value_at(recording, round(likely * int(recording.value[child])))
    left = 1.0 - sum(recording.likelihood(one) or 0.0 for one in moment.returned(node))
    so_far = moment.value(node).lstrip("Σ")
    rest = f", and {likelihood_text(left)} of the chances is left" if left > 1e-9 else ", and that is all of it"
    weighed = f"weighted by its probability {likelihood_text(likely)} that is {weighted}"
    return f"{comes}; {weighed}. The sum so far is {so_far}{rest}."


def _raised(moment: TapeMoment, node: int, child: int) -> str:
    recording = moment.recording
    more = wants_more(recording, node)
    value = int(recording.value[child])
    low, high = int(recording.alpha[node]), int(recording.beta[node])
    for one in moment.returned(node):
        if one != child and more:
            low = max(low, int(recording.value[one]))
        elif one != child:
            high = min(high, int(recording.value[one]))
    name, before = ("alpha", low) if more else ("beta", high)
    moves = f"{name} {'rises' if more else 'falls'} from {edge_at(recording, before)} to {edge_at(recording, value)}"
    mover = mover_name(recording, node)
    matters = "less" if more else "more"
    has = f"{mover} is sure of {edge_words(recording, value)} with {move_in_sentence(recording, child)}"
    first = recording.position.game.players[0]
    return f"{moves[0].upper()}{moves[1:]}: {has}, so what is worth {matters} to {first} no longer matters."


def _cut(moment: TapeMoment, node: int, child: int) -> str:
    recording = moment.recording
    if not _has_reasons(moment) or recording.is_proof:
        return why(recording, node)
    return cut_words(recording, node, f"{mover_name(recording, node)}'s ")


def _paused(moment: TapeMoment, node: int) -> str:
    """A node is put aside after a look at its first move, which says how good it is at the least for whoever moves there."""
    recording, best = moment.recording, moment.best(node)
    aside = f"{_named(moment, node)} is put aside after a look at one move"
    if best == NOBODY:
        return f"{aside}."
    sure = "at least" if wants_more(recording, node) else "at most"
    return f"{aside}: it is worth {sure} {edge_words(recording, int(recording.value[best]))}."


def _resumed(moment: TapeMoment, node: int) -> str:
    name = _named(moment, node)
    return f"The search comes back to {name[0].lower()}{name[1:]}, to look at its other moves.{_asked(moment, node)}"


def _left(moment: TapeMoment, node: int) -> str:
    """A node is left. Why it was cut has been said by the event before."""
    recording = moment.recording
    if recording.kind[node] == EXPANDED and _has_reasons(moment) and bound_at(recording, node) == "exact":
        return _all_searched(moment, node)
    if recording.kind[node] != CUT or not is_known(recording, node):
        return why(recording, node)
    where = "the root" if recording.parent[node] == NOBODY else move_in_sentence(recording, node)
    return f"Nothing more is looked at behind {where}: it is left with {_value_words(moment, node)}."


def _all_searched(moment: TapeMoment, node: int) -> str:
    """A node of which every move was searched, and whose value is exact."""
    recording, best = moment.recording, int(moment.recording.decider[node])
    legal, searched = moves_at(recording, node)
    if legal != searched or best == NOBODY or recording.turn[node] == 0 or recording.is_proof:
        return why(recording, node)
    all_of_them = "The only move is" if legal == 1 else "Both moves are" if legal == 2 else f"All {legal} moves are"
    value, move = _value_words(moment, node), move_in_sentence(recording, best)
    where = "the root" if recording.parent[node] == NOBODY else "this node"
    decides = f" {mover_name(recording, node)} chooses {move}, so" if legal > 1 else " So"
    return f"{all_of_them} searched.{decides} {where} is worth {value}."


def path_words(moment: TapeMoment) -> str:
    """The moves that lead to the node where the search is."""
    return " ".join(line_names(moment.recording, moment.here)) or "the root"
