"""Finding a node of a recorded search: along a typed line, along the principal variation, to the next cut node."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from engines.contract import InputError
from engines.position import Position
from engines.tape.recording import Recording
from engines.tape.tape import ASIDE, CUT, NOBODY, OPEN
from workbench.recordings.why.nodes import line_names, position_at

MOVE_NUMBER = re.compile(r"\b\d+\.+")


class FollowedLine(NamedTuple):
    """The node that a typed line leads to, as far as the recording has it."""

    node: int
    problem: str | None = None
    """Why it goes no further, as a sentence."""


def follow(recording: Recording, root: int, text: str) -> FollowedLine:
    """Follow a line that the user typed, from a root down: moves as the game reads them, move numbers allowed."""
    node = root
    for word in MOVE_NUMBER.sub(" ", text).replace(",", " ").split():
        position = position_at(recording, node)
        if position.is_over:
            return FollowedLine(node, f"The game is over there, so {word} cannot be played.")
        try:
            moves = read_moves(position, word)
        except InputError as error:
            return FollowedLine(node, str(error))
        for move in moves:
            child = child_by(recording, node, move)
            if child == NOBODY:
                after = " ".join(line_names(recording, node))
                where = f"after {after}" if after else "at the root"
                return FollowedLine(node, f"The tape has no {word} {where}: it was not searched there.")
            node = child
    return FollowedLine(node)


def read_moves(position: Position, word: str) -> list[int]:
    """The move of a word, or the moves of one like `4453`, if each of its letters is one."""
    game = position.game
    try:
        return [game.read_move(position.state, word)]
    except InputError:
        moves = []
        try:
            for letter in word:
                moves.append(game.read_move(position.state, letter))
                position = position.play(moves[-1])
        except InputError:
            moves = []
        if len(moves) < 2:
            raise
        return moves


def child_by(recording: Recording, node: int, move: int) -> int:
    """The child that a move leads to, the one that counts if it was tried twice; `NOBODY` if it was not searched."""
    tried = [int(child) for child in recording.children(node) if recording.move[child] == move]
    counting = [child for child in tried if recording.kind[child] != ASIDE]
    return (counting or tried or [NOBODY])[-1]


def principal_leaf(recording: Recording) -> int:
    """The end of the principal variation, as far as the tape has it: in the last pass over the root that goes along it
    furthest."""
    position, moves = recording.position, []
    for word in recording.report.pv:
        moves.append(position.game.read_move(position.state, word))
        position = position.play(moves[-1])
    best, longest = NOBODY, -1
    for root in map(int, recording.roots()):
        node = root
        for move in moves:
            child = child_by(recording, node, move)
            if child == NOBODY:
                break
            node = child
        length = int(recording.ply[node])
        if length >= longest and (recording.kind[root] != OPEN or best == NOBODY):
            best, longest = node, length
    return best


def next_cut(recording: Recording, node: int, step: int) -> int:
    """The next cut after a node in the order of the search, or the one before it; `NOBODY` if there is none."""
    cuts = np.flatnonzero(recording.kind == CUT)
    place = int(np.searchsorted(cuts, node, side="right" if step > 0 else "left")) - (step < 0)
    return int(cuts[place]) if 0 <= place < len(cuts) else NOBODY
