"""Sentences about nodes of a written proof, and about nodes of a proof-number search."""

from __future__ import annotations

from engines.rules import INFINITE, WIN_EDGE
from engines.tape.recording import Recording
from engines.tape.tape import CUT, NOBODY, TABLE, TERMINAL
from workbench.recordings.why.nodes import move_in_sentence, mover_name, number_words, position_at, terminal_words
from workbench.recordings.why.values import value_words


def why_proof(recording: Recording, node: int) -> str:
    """What is shown at a node of a proof."""
    kind, mover, decider = int(recording.kind[node]), mover_name(recording, node), int(recording.decider[node])
    if kind == TERMINAL:
        return terminal_words(recording, node)
    if kind == TABLE:
        if _is_back(recording, node):
            return "Play has come back to where it was, and may go round for ever: that is all the prover wants."
        return "This position has come up before; what follows is shown there."
    game, value = recording.position.game, int(recording.value[node])
    won = game.has_winner and abs(value) >= WIN_EDGE
    if kind == CUT:
        best = f"with {move_in_sentence(recording, decider)}" if decider != NOBODY else "with a move that is not on the tape"
        end = f": {value_words(value, game)}" if won else ""
        return f"{mover} needs one good move, and has it {best}{end}."
    count = len(recording.children(node))
    if count == 1:
        return f"{mover} has only one move, and it is answered."
    said = f"{mover} has {count} moves, and each of them is answered"
    return f"{said}; {move_in_sentence(recording, decider)} holds out longest." if won and decider != NOBODY else f"{said}."


def _is_back(recording: Recording, node: int) -> bool:
    """The position of a node is one of those that lead to it."""
    states = [tuple(map(int, position_at(recording, step).state)) for step in recording.path(node)]
    return states[-1] in states[:-1]


def why_numbered(recording: Recording, node: int) -> str:
    """What the proof number and the disproof number of a node come from."""
    proof, disproof = number_words(recording, node)
    children, first = [int(child) for child in recording.children(node)], recording.turn[node] > 0
    mover, decider = mover_name(recording, node), int(recording.decider[node])
    if proof == "0" or disproof == "0":
        said = "Proven" if proof == "0" else "Disproven"
        if (proof == "0") == first and children:
            enough = decider if decider != NOBODY else _answering(recording, children, proof == "0")
            move = move_in_sentence(recording, enough) if enough != NOBODY else "a move that the table has not kept"
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
        return (
            f"The table has kept too little about its {moves}: it had proof number {proof} and disproof number {disproof}."
        )
    following = f" Next it looks at {move_in_sentence(recording, decider)}." if decider != NOBODY else ""
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
