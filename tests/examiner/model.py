"""The tree of a recorded search as plain objects, each node with its position by the naive rules."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from engines.position import Position
from engines.rules import INFINITY, WIN, WIN_EDGE
from engines.rules import passed as passed_state
from engines.tape.recording import Recording
from engines.tape.tape import KINDS
from tests.examiner.oracles import passed, spoken
from tests.naive.games import SHOWN_WIN

Number = Fraction | float
"""A value as people see it: a win at ply n of the search is `SHOWN_WIN - n`, and an open edge of a window is infinite."""


@dataclass(eq=False)
class Node:
    """A node of the tape. Values and windows are the first player's."""

    row: int
    above: Node | None
    move: str
    """The move that leads here, in the game's notation; empty at a root, `pass` and `trial` where none was made."""
    name: str
    """The same as sentences name it."""
    turn: int
    ply: int
    """Plies from the root of the search; a trial of the same position is at the ply of the node above."""
    level: int
    """How far below its root it is in the tree."""
    depth: int
    low: Number
    high: Number
    value: Number
    kind: str
    oracle: Any
    engine: Position
    values: tuple[Number, ...] = ()
    """What each player gets, where every player has a value."""
    likelihood: float | None = None
    children: list[Node] = field(default_factory=list)
    decider: Node | None = None

    @property
    def counting(self) -> list[Node]:
        """The children that count: those that are finished and no trials."""
        return [child for child in self.children if child.kind not in ("open", "aside")]

    @property
    def path(self) -> list[Node]:
        """From the root of this tree to this node."""
        return [*(self.above.path if self.above else []), self]

    @property
    def looked_at(self) -> int:
        """How many different moves were searched here."""
        return len({child.move for child in self.children if child.move not in ("pass", "trial")})


class Reader:
    """Makes the nodes of a recording. Games differ in how a move is named, and in the scale of a tape's values."""

    def __init__(self, recording: Recording, oracle: Any) -> None:
        self.recording, self.oracle = recording, oracle
        self.game = recording.position.game
        self.fine = recording.algorithm.expects or recording.algorithm.vectors

    def number(self, value: int, plain: bool = False) -> Number:
        """A value of the tape as people see it. `plain`: it is one where wins are no special numbers."""
        if abs(value) >= INFINITY:
            return math.inf if value > 0 else -math.inf
        exact = Fraction(value) / Fraction(self.game.fineness) if self.fine else Fraction(value)
        if self.game.has_winner and not plain and not (self.fine and self.game.has_chance) and abs(exact) >= WIN_EDGE:
            return SHOWN_WIN - (WIN - exact) if value > 0 else (WIN + exact) - SHOWN_WIN
        if self.fine and self.game.has_winner and self.game.has_chance:  # from -1 to 1: what the game comes to on average
            return exact
        return exact / self.game.unit

    def nodes(self) -> list[Node]:
        """All of them, in the order of the tape."""
        tape = self.recording
        numbered = tape.algorithm.proves and not tape.is_proof
        found: list[Node] = []
        for row in range(len(tape)):
            above = found[tape.parent[row]] if tape.parent[row] >= 0 else None
            kind, turn, move = KINDS[tape.kind[row]], int(tape.turn[row]), int(tape.move[row])
            engine, oracle, text, name, ply = tape.position, self.oracle, "", "", 0
            if above is not None:
                engine, oracle, text, ply = above.engine, above.oracle, "pass", above.ply + 1
                if move >= 0:
                    text = engine.game.move_text(engine.state, move)
                    name = spoken(oracle, text)
                    engine, oracle = engine.play(move), oracle.play(text)
                elif turn == above.turn:
                    text, ply = "trial", above.ply
                else:
                    engine, oracle = Position(engine.game, passed_state(engine.game.rules, engine.state)), passed(oracle)
            edges = (int(tape.alpha[row]), int(tape.beta[row]))
            low, high = (Fraction(edges[0]), Fraction(edges[1])) if numbered else map(self.number, edges)
            node = Node(
                row, above, text, name, turn, ply, above.level + 1 if above else 0, int(tape.depth[row]), low, high,
                self.number(int(tape.value[row])), kind, oracle, engine,
            )  # fmt: skip
            if tape.algorithm.vectors and tape.report.values:
                others = (
                    [0] * (self.game.player_count - 1) if tape.more is None else tape.more[row, 1 : self.game.player_count]
                )
                node.values = tuple(self.number(int(value)) for value in (tape.value[row], *others))
            if above is not None:
                above.children.append(node)
            found.append(node)
        for row, node in enumerate(found):
            if tape.decider[row] >= 0:
                node.decider = found[tape.decider[row]]
        return found
