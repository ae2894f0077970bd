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
"""A displayed value: a win at ply n of the search is `SHOWN_WIN - n`, and an open edge of a window is infinite."""


@dataclass(eq=False)
class Node:
    """A node of the tape. Values and windows are from the first player's view."""

    row: int
    above: Node | None
    move: str
    """The move that leads here, in the game's notation; empty at a root, `pass` or `trial` where no move was made."""
    name: str
    """The move as sentences name it."""
    turn: int
    ply: int
    """Plies from the root of the search. A trial search of the same position has the ply of the node above."""
    level: int
    """Its depth in the tree below its root."""
    depth: int
    low: Number
    high: Number
    value: Number
    kind: str
    oracle: Any
    engine: Position
    values: tuple[Number, ...] = ()
    """Each player's value, where every player has one."""
    likelihood: float | None = None
    children: list[Node] = field(default_factory=list)
    decider: Node | None = None

    @property
    def counting(self) -> list[Node]:
        """The children that count: those that are finished and are not trials."""
        return [child for child in self.children if child.kind not in ("open", "aside")]

    @property
    def path(self) -> list[Node]:
        """The nodes from the root of this tree to this one."""
        return [*(self.above.path if self.above else []), self]

    @property
    def looked_at(self) -> int:
        """The number of different moves that were searched here."""
        return len({child.move for child in self.children if child.move not in ("pass", "trial")})


class Reader:
    """Builds the nodes of a recording. Games differ in how moves are named and in the scale of a tape's values."""

    def __init__(self, recording: Recording, oracle: Any) -> None:
        self.recording, self.oracle = recording, oracle
        self.game = recording.position.game
        self.fine = recording.algorithm.expects or recording.algorithm.vectors

    def number(self, value: int, plain: bool = False) -> Number:
        """A displayed value from one on the tape. `plain`: wins are not special numbers in it."""
        if abs(value) >= INFINITY:
            return math.inf if value > 0 else -math.inf
        exact = Fraction(value) / Fraction(self.game.fineness) if self.fine else Fraction(value)
        if self.game.has_winner and not plain and not (self.fine and self.game.has_chance) and abs(exact) >= WIN_EDGE:
            return SHOWN_WIN - (WIN - exact) if value > 0 else (WIN + exact) - SHOWN_WIN
        if self.fine and self.game.has_winner and self.game.has_chance:  # from -1 to 1: the expected result of the game
            return exact
        return exact / self.game.unit

    def nodes(self) -> list[Node]:
        """All nodes, in the order of the tape."""
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
