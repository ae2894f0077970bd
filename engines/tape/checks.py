"""Checks that the columns of a tape read from a file are consistent, so that all code that uses the tape can rely on them.

Compiled code uses them without further checks: a parent after its child, or a move that is not legal, would make it read
arbitrary memory. A checksum shows that the file is as Plybench wrote it, and then its moves are legal. It is no signature:
it detects accidents, not forgery.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.contract import Report
from engines.position import Position
from engines.rules import State, may_pass, passed, play
from engines.storage.npz import ArchiveError
from engines.tape.tape import KINDS, MORE, NOBODY, OPEN, SAMPLED

Column = np.ndarray[Any, Any]
CHECK = "check"
"""The name of the checksum among the columns."""


def checksum(header: bytes, columns: Mapping[str, Column]) -> bytes:
    """The checksum of all columns and of the header of a tape."""
    digest = hashlib.blake2b(header, digest_size=16)
    for name in sorted(columns):
        digest.update(name.encode() + str(columns[name].shape).encode())
        digest.update(np.ascontiguousarray(columns[name]).data)
    return digest.digest()


def check_columns(columns: Mapping[str, Column]) -> None:
    """An ArchiveError unless the columns are of one length and make a tree: parents come before their children and one ply
    above them, and what decided a node is one of its children."""
    parent, decider, kind, ply = (columns[name] for name in ("parent", "decider", "kind", "ply"))
    count = len(parent)
    if any(len(column) != count for column in columns.values()):
        raise ArchiveError("its columns differ in length")
    if count == 0:
        raise ArchiveError("it has no nodes")
    rows = np.arange(count)
    if not ((parent >= NOBODY) & (parent < rows)).all():
        raise ArchiveError("a node in it stands before its parent")
    if not ((kind >= OPEN) & (kind < len(KINDS))).all():
        raise ArchiveError("a node in it ended in an unknown way")
    if not (ply == np.where(parent == NOBODY, 0, ply[parent] + 1)).all():
        raise ArchiveError("a node in it is not one ply below its parent")
    if not ((decider >= NOBODY) & (decider < count)).all():
        raise ArchiveError("a node in it was decided by one that does not exist")
    if not ((decider == NOBODY) | (parent[decider] == rows)).all():
        raise ArchiveError("a node in it was decided by another's child")
    if not (columns["alpha"][kind == SAMPLED] > 0).all():
        raise ArchiveError("a node in it was sampled by no game")
    if not ((columns["turn"] > -MORE) & (columns["turn"] <= 1)).all():
        raise ArchiveError("one of its nodes has a player that does not exist")


def check_size(report: Report, nodes: int, recorded: int) -> None:
    """An ArchiveError unless there are as many nodes as the report says."""
    if recorded > nodes or report.tape_nodes not in (None, recorded):
        raise ArchiveError(f"it has {recorded:,} nodes, but says that it has more or fewer")


def check_moves(columns: Mapping[str, Column], position: Position) -> None:
    """An ArchiveError unless every move is legal where it was made. Only what has children is played: most has none."""
    parent, move, to_move = columns["parent"], columns["move"], columns["turn"]
    game = position.game
    inner = np.zeros(len(parent), np.bool_)
    inner[parent[parent != NOBODY]] = True
    states: dict[int, State] = {}
    legal: dict[int, frozenset[int]] = {}
    for node in np.flatnonzero(inner | (parent != NOBODY)).tolist():
        above, made = int(parent[node]), int(move[node])
        if above == NOBODY:
            states[node] = position.state
            continue
        before = states[above]
        if made < 0:
            same = int(to_move[node]) == int(to_move[above])
            if not same and not may_pass(game.rules, before):
                raise ArchiveError("it has a pass where passing is not allowed")
            if inner[node]:
                states[node] = before if same else passed(game.rules, before)
            continue
        if above not in legal:
            legal[above] = frozenset(game.legal_moves(before))
        if made not in legal[above]:
            raise ArchiveError("a move in it is not legal")
        if inner[node]:
            states[node] = play(game.rules, before, made)
