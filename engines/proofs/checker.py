"""Checks a proof by the rules alone: no search, no table, no compiled code, nothing that made the proof.

It walks through every position of the proof and asks the rules what is legal and how a finished game has ended. A proof that
passes is right, whatever program made it.

A proof must not return to a position, because endless play would prove nothing. There is one exception: where the rules give
endless play a result, and that result is enough for the side whose claim is proven, the proof may return to an earlier
position. Whatever the opponent does there, the play either ends in a position that was checked, or goes on for ever.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from engines.position import Position
from engines.proofs.document import AnswerProof, Proof
from engines.rules import WIN

MOST_FAULTS = 20
"""The number of faults after which the check ends."""


class ProofCheck(Struct, frozen=True, kw_only=True):
    """What the checker found."""

    positions: int
    """How many it has looked at."""
    faults: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether the proof is valid."""
        return not self.faults


def check(proof: Proof, progress: Callable[[int], None] = lambda positions: None) -> ProofCheck:
    """Verify every part of a proof, and that the parts together say what the proof claims."""
    faults = _claims(proof)
    checked = 0
    for part in proof.parts:
        seen: dict[int, Position] = {}
        may_return = _settled_by_going_round(proof, part)
        todo = [(part.root, proof.position)]
        while todo and len(faults) < MOST_FAULTS:
            node, position = todo.pop()
            if node in seen:
                if not _same(seen[node], position):
                    faults.append(f"{_where(proof, position)}: it is taken for another position.")
                continue
            seen[node] = position
            checked += 1
            if checked % 1000 == 0:
                progress(checked)
            found = _fault(part, node, position)
            if found:
                faults.append(f"{_where(proof, position)}: {found}")
                continue
            for move, child in part.edges(node):
                if not 0 <= child < len(part):
                    faults.append(f"{_where(proof, position)}: a move leads nowhere.")
                elif child >= node and not may_return:
                    faults.append(f"{_where(proof, position)}: it goes in a circle.")
                else:
                    todo.append((child, position.play(move)))
    return ProofCheck(positions=checked, faults=tuple(faults))


def _claims(proof: Proof) -> list[str]:
    """What is wrong with what the parts say together: the result is reached, and nothing better."""
    results, faults = proof.position.game.results, []
    if proof.result not in results:
        return ["No game can end with the result that is claimed."]
    at_least = [part for part in proof.parts if part.yes and part.target == proof.result]
    no_more = [part for part in proof.parts if not part.yes and part.target in results and part.target > proof.result]
    if proof.result > results[0] and not at_least:
        faults.append("It is not proven that the first player gets this much.")
    better = [result for result in results if result > proof.result]
    if better and not any(part.target == better[0] for part in no_more):
        faults.append("It is not proven that the first player gets no more than this.")
    return faults


def _settled_by_going_round(proof: Proof, part: AnswerProof) -> bool:
    """By the rules, a game that never ends gives the first player at least what is asked for, or does not, as claimed."""
    endless = proof.position.game.endless
    return endless is not None and (endless * WIN >= part.target) == part.yes


def _fault(part: AnswerProof, node: int, position: Position) -> str | None:
    """What is wrong at one position; None if nothing is."""
    edges = part.edges(node)
    if position.is_over:
        gets = position.turn * position.result
        if edges:
            return "the game is over, but the proof goes on."
        return None if (gets >= part.target) == part.yes else "the game does not end as the proof says."
    if not edges:
        return "the game is not over, but the proof ends."
    legal = position.game.legal_moves(position.state)
    given = [move for move, _ in edges]
    if any(move not in legal for move in given):
        return "a move is not legal."
    if position.turn == part.prover:
        return None if len(given) == 1 else "the prover has more than one move."
    return None if sorted(given) == sorted(legal) else "not every move of the other side is answered."


def _same(one: Position, other: Position) -> bool:
    """Whether two positions are the same; where history matters, no two ever are."""
    if one.game.remembers:
        return one.played == other.played
    return tuple(map(int, one.state)) == tuple(map(int, other.state))


def _where(proof: Proof, position: Position) -> str:
    """The moves that lead to a position, for messages."""
    moves = position.played[len(proof.position.played) :]
    line = position.game.line_text(proof.position.state, moves)
    return f"After {' '.join(line)}" if line else "At the root"
