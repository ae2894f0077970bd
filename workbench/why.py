"""Why a node of a recorded search ended as it did, in words, and what a row of the tree says of it.

Values and windows are the first player's, as everywhere. A win is told by its ply, counted from the root of the search.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

from engines.contract import Bound
from engines.game import SHOWN_WIN, Position
from engines.parts.proof_numbers import INFINITE
from engines.parts.sample_tree import MEAN
from engines.parts.tape import (
    ASIDE,
    CUT,
    EXPANDED,
    HORIZON,
    KINDS,
    NOBODY,
    NUMBERED,
    OPEN,
    PRUNED,
    QUIET,
    SAMPLED,
    TABLE,
    TERMINAL,
)
from engines.recording import Recording
from engines.rules import INFINITY, passed
from workbench.forms import counted, is_decided, likelihood_text, number_text, value_text, vector_text
from workbench.node_bounds import bound_at, first_side, is_known
from workbench.show import ended, plies
from workbench.value_words import SIGNS, as_edge, at_ply, bounded, edge_text, is_won, short_value, value_words

Edge = Literal["alpha", "beta"]
PROOF_KINDS = {CUT: "one move", EXPANDED: "all moves", TERMINAL: "over", TABLE: "as before"}
"""What nodes of a proof are called: where the prover moves one move is shown, where the other moves all are."""
MOST_PLACES = 20_000
"""So many positions of a recording are kept at hand."""
_places: WeakKeyDictionary[Recording, dict[int, Position]] = WeakKeyDictionary()


class Label(NamedTuple):
    """What a row of the tree says of a node."""

    move: str
    value: str
    window: str
    kind: str
    size: int
    share: float
    """Its part of the nodes below its parent."""


class Source(NamedTuple):
    """Where an edge of a node's window comes from."""

    branch: int
    """The node on the path that was given the edge; the root if the search itself was."""
    earlier: int
    """The sibling of `branch`, searched before it, whose value became the edge; `NOBODY` if none did."""


# What a node is.


def position_at(recording: Recording, node: int) -> Position:
    """The position of a node, with the moves that led there."""
    known = _places.setdefault(recording, {})
    if len(known) > MOST_PLACES:
        known.clear()
    missing = []
    while node not in known and recording.parent[node] != NOBODY:
        missing.append(node)
        node = int(recording.parent[node])
    position = known.setdefault(node, recording.position)
    for step in reversed(missing):
        position = known[step] = _after(recording, step, position)
    return position


def _after(recording: Recording, node: int, before: Position) -> Position:
    move = int(recording.move[node])
    if move >= 0:
        return before.play(move)
    if recording.turn[node] == before.turn:
        return before  # the same position once more, for a trial
    return Position(before.game, passed(before.game.rules, before.state))


def move_name(recording: Recording, node: int) -> str:
    """The move that leads to a node, as people read it; of a root, how deep it looked."""
    above = int(recording.parent[node])
    if above == NOBODY:
        if recording.is_proof:
            question, yes = recording.question(node)
            return f"{question} {'Yes' if yes else 'No'}"
        depth = int(recording.depth[node])
        return f"depth {depth}" if depth else "root"
    move = int(recording.move[node])
    if move < 0:
        return "trial" if recording.turn[node] == recording.turn[above] else "pass"
    before = position_at(recording, above)
    game = before.game
    name = game.pretty_line(before.state, (game.move_text(before.state, move),))[0]
    likely = recording.likelihood(node)
    return name if likely is None else f"{name} p={likelihood_text(likely)}"


def ply_of(recording: Recording, node: int) -> int:
    """How many plies after the root a node is: a trial of the same position is a level of the tree, and no ply."""
    return sum(
        recording.move[step] >= 0 or recording.turn[step] != recording.turn[above]
        for above, step in pairwise(recording.path(node))
    )


def line_names(recording: Recording, node: int) -> list[str]:
    """The moves from the root to a node, as people read them."""
    return [move_name(recording, step) for step in recording.path(node)[1:]]


def label(recording: Recording, node: int) -> Label:
    """What a row of the tree says of a node."""
    above = int(recording.parent[node])
    size = recording.subtree_size(node)
    whole = recording.subtree_size(above) if above != NOBODY else len(recording)
    return Label(
        move=move_name(recording, node),
        value=node_value(recording, node),
        window=window_text(recording, node),
        kind=kind_name(recording, int(recording.kind[node])),
        size=size,
        share=size / whole,
    )


def kind_name(recording: Recording, kind: int) -> str:
    """What became of a node, in a word or two."""
    return PROOF_KINDS.get(kind, KINDS[kind]) if recording.is_proof else KINDS[kind]


def window_text(recording: Recording, node: int) -> str:
    """The window of a node, very short; of one that was sampled, how many games went through it; a proof has none."""
    if recording.is_proof:
        return ""
    if recording.kind[node] == SAMPLED:
        return counted(int(recording.alpha[node]), "game")
    if has_numbers(recording):
        return " / ".join(number_words(recording, node))
    if recording.values(node):
        return ""
    return f"[{edge_at(recording, int(recording.alpha[node]))}, {edge_at(recording, int(recording.beta[node]))}]"


def has_numbers(recording: Recording) -> bool:
    """It is the tree of a search that proves, with proof numbers in place of windows."""
    return len(recording) > 0 and recording.kind[0] == NUMBERED


def number_words(recording: Recording, node: int) -> list[str]:
    """The proof and the disproof number of a node."""
    numbers = (int(recording.alpha[node]), int(recording.beta[node]))
    return ["∞" if number >= INFINITE else f"{number:,}" for number in numbers]


def node_value(recording: Recording, node: int) -> str:
    """A node's value, or the bound that is known of it, short; nothing if nothing is, as of a node that was not finished."""
    if recording.kind[node] == OPEN or not is_known(recording, node):
        return ""
    if recording.kind[node] == NUMBERED:
        return "yes" if recording.alpha[node] == 0 else "no" if recording.beta[node] == 0 else "open"
    if recording.kind[node] == SAMPLED:
        game = recording.position.game
        return number_text(round(game.shown_mean(int(recording.value[node]) / MEAN), 4), game)
    if values := recording.values(node):
        from workbench.why_many import at_least

        game = recording.position.game
        if recording.kind[node] == CUT:
            return at_least(recording, node)
        return vector_text([game.shown_payoff(value) for value in values], game)
    return SIGNS[bound_at(recording, node)] + value_at(recording, int(recording.value[node]))


def is_fine(recording: Recording) -> bool:
    """Values on the tape are those of searches for expectations, or for many players: written in finer steps."""
    return recording.algorithm.expects or recording.algorithm.vectors


def shown_at(recording: Recording, value: int) -> float:
    """A value on the tape as people see it."""
    game = recording.position.game
    return round(game.shown_payoff(value * recording.step), 6) if is_fine(recording) else game.shown_value(value)


def value_at(recording: Recording, value: int) -> str:
    """A value on the tape, short."""
    game = recording.position.game
    return value_text(shown_at(recording, value), game) if is_fine(recording) else short_value(value, game)


def edge_at(recording: Recording, value: int) -> str:
    """An edge of a window on the tape, very short."""
    game = recording.position.game
    if abs(value) >= INFINITY or not is_fine(recording):
        return edge_text(value, game)
    shown = shown_at(recording, value)
    if game.has_winner and is_decided(shown):
        return f"{'+' if shown > 0 else '-'}W{SHOWN_WIN - abs(shown):.0f}"
    return number_text(shown, game)


def edge_words(recording: Recording, value: int) -> str:
    """An edge of a window, or a value that is a bound, inside a sentence. With more than two players a win or a loss is that
    of the first one's side."""
    game, shown = recording.position.game, shown_at(recording, value)
    if not game.has_winner or not is_decided(shown):
        return edge_at(recording, value)
    if game.player_count == 2:
        return as_edge(value, game)
    return f"{'a win' if shown > 0 else 'a loss'} for {side_name(recording)} at ply {SHOWN_WIN - abs(shown):.0f}"


def side_name(recording: Recording) -> str:
    """The first player, with those on the same side."""
    first = recording.position.game.players[0]
    return first if first_side(recording) == 1 else f"{first}'s side"


def window_words(recording: Recording, node: int) -> str:
    """The window of a node in words."""
    if recording.kind[node] == SAMPLED:
        games = int(recording.alpha[node])
        return f"none: {counted(games, 'game')} {'was' if games == 1 else 'were'} sampled"
    if has_numbers(recording):
        proof, disproof = number_words(recording, node)
        return f"none: proof number {proof}, disproof number {disproof}"
    if recording.algorithm.vectors and recording.values(node):
        return "none: every player looks at values of their own"
    low, high = (int(edge[node]) for edge in (recording.alpha, recording.beta))
    if low <= -INFINITY and high >= INFINITY:
        return "open: every value counts"
    words = edge_words if is_fine(recording) else _as_edge
    if low <= -INFINITY:
        return f"less than {words(recording, high)}"
    if high >= INFINITY:
        return f"more than {words(recording, low)}"
    if high - low == 1 and not is_fine(recording):
        return f"more than {words(recording, low)} or not"
    return f"{words(recording, low)} to {words(recording, high)}"


def _as_edge(recording: Recording, value: int) -> str:
    return as_edge(value, recording.position.game)


# Why it ended so.


def why(recording: Recording, node: int) -> str:
    """Why a node ended as it did: a sentence or two."""
    if is_fine(recording) or recording.position.game.player_count > 2:
        from workbench.why_many import why_many

        return why_many(recording, node)
    if recording.is_proof:
        from workbench.why_proof import why_proof

        return why_proof(recording, node)
    return _REASONS[int(recording.kind[node])](recording, node)


def _cut(recording: Recording, node: int) -> str:
    first = recording.turn[node] > 0
    decider = int(recording.decider[node])
    after = f"after {told_move(recording, decider)}" if decider != NOBODY else "after one move"
    found = bounded(int(recording.value[node]), "at least" if first else "at most", recording.position.game)
    return f"Cut: {after} {found}, and {because(recording, node, 'beta' if first else 'alpha')}; {_left(recording, node)}."


def _expanded(recording: Recording, node: int) -> str:
    game, value, decider = recording.position.game, int(recording.value[node]), int(recording.decider[node])
    legal, searched = moves_at(recording, node)
    left_out = legal > searched and not _reaches_over(recording, node)
    best = told_move(recording, decider) if decider != NOBODY else "a move that is not on the tape"
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
    # All moves are known by bounds alone, so that nobody knows which is the best.
    among = "the only move" if legal == 1 else f"any of {legal} moves"
    if left_out:
        among = f"{'the only one' if searched == 1 else f'any of {searched}'} searched of {legal} moves"
    reason = because(recording, node, "alpha" if first else "beta")
    if recording.parent[node] == NOBODY:
        return f"With {among} {found}. This is a bound, not the value: {reason}.{_again(recording, node)}"
    return f"Not good enough: with {among} {found}, and {reason}."


def only_one(recording: Recording, node: int) -> str:
    """How many others there were, where one random game was played."""
    legal, _ = moves_at(recording, node)
    what = "outcome" if recording.turn[node] == 0 else "move"
    return f"the only {what}" if legal == 1 else f"the only one searched of {legal} {what}s"


def _again(recording: Recording, root: int) -> str:
    """What came of a root that left its window: the same depth once more, or the next question of a solver."""
    following = root + recording.subtree_size(root)
    if following >= len(recording) or recording.parent[following] != NOBODY:
        return ""
    if recording.report.algorithm == "solver":  # which asks about moves one by one too, if it shall know all of them
        return "" if recording.parameters["all_moves"] else " So it was asked once more, about other values."
    same = recording.depth[following] == recording.depth[root]
    return " So this depth was searched once more, with another window." if same else ""


def terminal_words(recording: Recording, node: int) -> str:
    """How the game has ended, or what a table says of it."""
    position, value = position_at(recording, node), int(recording.value[node])
    if not position.is_over:
        return f"A table of solved positions has it: {value_words(value, position.game)}."
    worth = int(position.result) * position.turn  # a tree of proofs knows only whether that is enough
    return ended(position.game.outcome(worth), number_text(position.game.shown_value(worth), position.game), position)


def _horizon(recording: Recording, node: int) -> str:
    from workbench.why_quiet import horizon_words

    return horizon_words(recording, node)


def _quiet(recording: Recording, node: int) -> str:
    from workbench.why_quiet import quiet_words

    return quiet_words(recording, node)


def _table(recording: Recording, node: int) -> str:
    if recording.report.algorithm == "solver" and _wins_at_once(position_at(recording, node)):
        return _by_rules(recording, node)
    return f"The table knew: {seen(recording, node)}."


def _wins_at_once(position: Position) -> bool:
    """Whoever moves can end the game with a win."""
    after = (position.play(move) for move in position.game.legal_moves(position.state))
    return any(one.is_over and one.result < 0 for one in after)


def _by_rules(recording: Recording, node: int) -> str:
    return f"Not searched: the rules of the game alone say {seen(recording, node)}."


def _pruned(recording: Recording, node: int) -> str:
    mover, found = _mover(recording, node), seen(recording, node)
    tried = [int(child) for child in recording.children(node)]
    trials = [child for child in tried if recording.move[child] < 0]
    if recording.report.algorithm == "solver":
        return _by_rules(recording, node)
    if len(trials) < len(tried):
        return f"Given up: {mover}'s quiet moves that are left cannot make up for what is missing; {found}."
    if trials and recording.turn[trials[-1]] != recording.turn[node]:
        return f"Given up: even if {mover} passes, {found}. It was guessed that a move does no worse."
    if trials:
        return f"Given up: a search of {plies(int(recording.depth[trials[-1]]))} was so far off that it decided; {found}."
    return f"Given up without looking at its moves: {found}."


def _aside(recording: Recording, node: int) -> str:
    above, found = int(recording.parent[node]), seen(recording, node)
    if recording.move[node] >= 0:
        return f"Only a first try, with a narrow window or less depth: {found}. That was too good, so it was searched again."
    if recording.turn[node] == recording.turn[above]:
        return f"Only a trial: the same position at depth {int(recording.depth[node])}; {found}."
    return f"Only a trial: what if {_mover(recording, above)} passed? {found[0].upper()}{found[1:]}."


def _sampled(recording: Recording, node: int) -> str:
    from workbench.why_sampled import why_sampled

    return why_sampled(recording, node)


def _numbered(recording: Recording, node: int) -> str:
    proof, disproof = number_words(recording, node)
    children, first = [int(child) for child in recording.children(node)], recording.turn[node] > 0
    mover, decider = _mover(recording, node), int(recording.decider[node])
    if proof == "0" or disproof == "0":
        said = "Proven" if proof == "0" else "Disproven"
        if (proof == "0") == first and children:
            enough = decider if decider != NOBODY else _answering(recording, children, proof == "0")
            move = told_move(recording, enough) if enough != NOBODY else "a move that the table has not kept"
            return f"{said}: {move} is enough for {mover}."
        if len(children) == 1:
            return f"{said}: the only move of {mover} does not help."
        if children:
            return f"{said}: none of the {len(children)} moves of {mover} helps."
        return (
            f"{said}, without a move being made here: the game foresees it, play has come back to where it was, or what was "
            "below has been given up."
        )
    if not children:
        return f"Not expanded yet: it counts as {proof} to be proven and {disproof} to be disproven."
    near, far = (("proof", proof), ("disproof", disproof)) if first else (("disproof", disproof), ("proof", proof))
    moves = "1 move" if len(children) == 1 else f"{len(children)} moves"
    if not _add_up(recording, node, children):
        return f"Of its {moves} the table has kept too little: it had proof number {proof} and disproof number {disproof}."
    following = f" Next it looks at {told_move(recording, decider)}." if decider != NOBODY else ""
    return (
        f"{mover} needs one good move: the {near[0]} number {near[1]} is the least of the {moves}', the "
        f"{far[0]} number {far[1]} is their sum.{following}"
    )


def _answering(recording: Recording, children: list[int], yes: bool) -> int:
    """The first move that answers the question; `NOBODY` if none is known to."""
    numbers = recording.alpha if yes else recording.beta
    return next((child for child in children if numbers[child] == 0), NOBODY)


def _add_up(recording: Recording, node: int, children: list[int]) -> bool:
    """The numbers of a node follow from those of its moves. A search that keeps them in a table may have lost some."""
    near, far = (recording.alpha, recording.beta) if recording.turn[node] > 0 else (recording.beta, recording.alpha)
    fars = [int(far[child]) for child in children]
    total = INFINITE if max(fars) >= INFINITE else min(sum(fars), INFINITE - 1)
    return (int(near[node]), int(far[node])) == (min(int(near[child]) for child in children), total)


def _open(recording: Recording, node: int) -> str:
    return "Not finished: the search was stopped here."


_REASONS = {
    OPEN: _open,
    EXPANDED: _expanded,
    TERMINAL: terminal_words,
    HORIZON: _horizon,
    CUT: _cut,
    TABLE: _table,
    QUIET: _quiet,
    PRUNED: _pruned,
    ASIDE: _aside,
    SAMPLED: _sampled,
    NUMBERED: _numbered,
}


def source(recording: Recording, node: int, edge: Edge) -> Source:
    """Where an edge of a node's window comes from: up the path to where it was last set, and the move that set it."""
    column: Any = getattr(recording, edge)
    branch = node
    while (above := int(recording.parent[branch])) != NOBODY and column[above] == column[node]:
        branch = above
    if above == NOBODY:
        return Source(branch, NOBODY)
    too_little: Bound = "at most" if edge == "alpha" else "at least"  # it is the same number, and gives nobody so much
    for sibling in recording.children(above):
        counts = recording.kind[sibling] not in (OPEN, ASIDE) and bound_at(recording, int(sibling)) != too_little
        if sibling < branch and counts and recording.value[sibling] == column[node]:
            return Source(branch, int(sibling))
    return Source(branch, NOBODY)


def because(recording: Recording, node: int, edge: Edge) -> str:
    """Who has something better, and where."""
    game = recording.position.game
    limit = int(getattr(recording, edge)[node])
    branch, earlier = source(recording, node, edge)
    if recording.parent[branch] == NOBODY:
        return f"the search only asked about values {'above' if edge == 'alpha' else 'below'} {as_edge(limit, game)}"
    here = told_move(recording, branch) + ("" if branch == node else f" at ply {ply_of(recording, branch)}")
    if earlier == NOBODY:
        where = f"at {here}" if recording.move[branch] >= 0 else f"in the {move_name(recording, branch)} above"
        asked = window_words(recording, branch)
        if asked.endswith(" or not"):
            return f"{where} it was only asked if it is {asked.removesuffix(' or not')}"
        return f"{where} only {asked} counts"
    sign = 1 if edge == "alpha" else -1
    holder = game.players[0 if sign > 0 else 1]
    move = told_move(recording, earlier)
    if is_won(limit, game) and limit * sign > 0:
        has = f"already wins{at_ply(limit)}"
    elif is_won(limit, game):
        has = f"can already hold out{at_ply(limit, 'until')}" if at_ply(limit) else "does no worse"
    else:
        has = f"can already {'get' if sign > 0 else 'hold it to'} {number_text(limit / game.unit, game)}"
    return f"{holder} {has} with {move} instead of {here}"


def _left(recording: Recording, node: int) -> str:
    """How many moves were not searched."""
    if _reaches_over(recording, node):
        return "what came next is not on the tape"
    legal, searched = moves_at(recording, node)
    if legal > searched:
        return f"{legal - searched} of {legal} moves not searched"
    return "no move was left anyway" if legal > 1 else "it was the only move"


def moves_at(recording: Recording, node: int) -> tuple[int, int]:
    """How many moves there are at a node, and how many of them were searched."""
    position = position_at(recording, node)
    searched = {int(recording.move[child]) for child in recording.children(node) if recording.move[child] >= 0}
    return len(position.game.legal_moves(position.state)), len(searched)


def _reaches_over(recording: Recording, node: int) -> bool:
    """The tape was full before the node was done: there may be children that are not on it."""
    return not recording.complete and node in recording.path(len(recording) - 1)


def _mover(recording: Recording, node: int) -> str:
    return mover_name(recording, node)


def mover_name(recording: Recording, node: int) -> str:
    """Who moves at a node."""
    game, turn = recording.position.game, int(recording.turn[node])
    return game.nature if turn == 0 else game.players[0 if turn > 0 else -turn]


def told_move(recording: Recording, node: int) -> str:
    """The move that leads to a node, inside a sentence: a bare number would be taken for a value."""
    name = move_name(recording, node)
    return f"move {name}" if name.isdecimal() else name


def seen(recording: Recording, node: int) -> str:
    """What is known of a node: its value, or a bound where it lies outside the window."""
    return bounded(int(recording.value[node]), bound_at(recording, node), recording.position.game)
