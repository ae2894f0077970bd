"""What a node of a proof says: whose move it is, and what there is to be shown of it."""

from __future__ import annotations

from engines.parts.tape import CUT, NOBODY, TABLE, TERMINAL
from engines.recording import Recording
from engines.rules import WIN_EDGE
from workbench.value_words import value_words
from workbench.why import mover_name, position_at, terminal_words, told_move


def why_proof(recording: Recording, node: int) -> str:
    """What is shown at a node of a proof."""
    kind, mover, decider = int(recording.kind[node]), mover_name(recording, node), int(recording.decider[node])
    if kind == TERMINAL:
        return terminal_words(recording, node)
    if kind == TABLE:
        if _is_back(recording, node):
            return "Play has come back to where it was, and may go round for ever: that is all the prover wants."
        return "This position has come up before, and it is shown there how it goes on."
    game, value = recording.position.game, int(recording.value[node])
    won = game.has_winner and abs(value) >= WIN_EDGE
    if kind == CUT:
        best = f"with {told_move(recording, decider)}" if decider != NOBODY else "with a move that is not on the tape"
        end = f": {value_words(value, game)}" if won else ""
        return f"{mover} needs one good move, and has it {best}{end}."
    count = len(recording.children(node))
    if count == 1:
        return f"{mover} has only one move, and it is answered."
    said = f"{mover} has {count} moves, and each of them is answered"
    return f"{said}; {told_move(recording, decider)} holds out longest." if won and decider != NOBODY else f"{said}."


def _is_back(recording: Recording, node: int) -> bool:
    """The position of a node is one of those that lead to it."""
    states = [tuple(map(int, position_at(recording, step).state)) for step in recording.path(node)]
    return states[-1] in states[:-1]
