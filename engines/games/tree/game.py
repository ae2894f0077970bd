"""Trees typed by a person: `((3 12 8) (2 4 6) (14 5 2))`.

A number is a leaf and says what MAX gets; a bracket is a decision. Players alternate from MAX at the root; `min(...)` and
`max(...)` say otherwise. `[0.5:x 0.3:y 1/5:z]` is a chance node: what happens with which probability (none given: all are
equally likely); it takes no turn away. `<1 2 6>` is a leaf of a game with more players, one value for each; they move in
turn from the first, and `p3(...)` says otherwise. See `engines/games/tree/text.py` for names and the values of inner nodes.

A state is a node's number. Nodes are numbered level by level, so that the children of a node stand side by side.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from engines.compiled.bits import U
from engines.compiled.kernel import int64
from engines.contract import Evaluation, InputError, Setting, Term
from engines.game import Game
from engines.games.tree.text import (
    NATURE,
    WrittenNode,
    at_ply,
    by_level,
    decimals_of,
    player_count,
    read_tree,
    values_missing,
    write_tree,
)
from engines.notation import IMPOSSIBLE, LIKELY
from engines.parts.sampling.playout import drawn
from engines.position import Position
from engines.rules import ONGOING, State, delayed, key, mixed, move_code, moves, packed, play, result, reward, terms, turn
from engines.rules_chance import by_chance, gains, judged, judgements, likelihood, mover, reach, stake
from engines.run.work import scaled

TEXTBOOK = "((3 12 8) (2 4 6) (14 5 2))"
FIRST_CHILD, CHILDREN, VALUE, OWNER, MOVER, PARTS, WHOLE = range(7)
"""The columns of the table of nodes: where its children start, how many, what the first player gets, 1 if that player moves
there and else -1, whose number it is (`NATURE`: nobody's), and the probability to come there as a fraction. Behind them
stands what the second player gets, and every other one, where each has values of their own."""
LONGEST_DRAWING = 60


class TypedTree(NamedTuple):
    """`nodes`: a row for each node. `edges`: the node behind each branch (in a graph it may be one that others lead to as
    well)."""

    nodes: np.ndarray[Any, Any]
    edges: np.ndarray[Any, Any]
    data: Any


class TreePosition(NamedTuple):
    """Where in the tree we are."""

    node: int


@moves.register(TypedTree)
def branches(game: TypedTree, state: TreePosition, out: Any) -> int:
    """The children from left to right; a move is a child's number."""
    count = game.nodes[state.node, CHILDREN]
    for i in range(count):
        out[i] = i
    return count


@key.register(TypedTree)
def number(game: TypedTree, state: TreePosition) -> Any:
    """The node's number, mixed to a 64-bit key."""
    return mixed(U(state.node + 1))


@play.register(TypedTree)
def descend(game: TypedTree, state: TreePosition, move: int) -> TreePosition:
    """The child with that number."""
    return TreePosition(game.edges[game.nodes[state.node, FIRST_CHILD] + move])


@result.register(TypedTree)
def gain(game: TypedTree, state: TreePosition) -> int:
    """A leaf pays its number."""
    if game.nodes[state.node, CHILDREN] > 0:
        return int64(ONGOING)
    return game.nodes[state.node, VALUE] * game.nodes[state.node, OWNER]


@turn.register(TypedTree)
def owner(game: TypedTree, state: TreePosition) -> int:
    """Who decides at this node."""
    return game.nodes[state.node, OWNER]


@reward.register(TypedTree)
def share_of_span(game: TypedTree, value: int) -> float:
    """Where a gain lies between the least and the most that the tree has."""
    return float((value - game.data.low) / game.data.span)


@move_code.register(TypedTree)
def child_number(game: TypedTree, state: TreePosition, move: int) -> int:
    """The edge: every branch is a move of its own."""
    return game.nodes[state.node, FIRST_CHILD] + move


@terms.register(TypedTree)
def number_given(game: TypedTree, state: TreePosition) -> Any:
    """The number written at the node."""
    return game.nodes[state.node, VALUE], int64(0)


# Chance, and more players.


@by_chance.register(TypedTree)
def natures(game: TypedTree, state: TreePosition) -> bool:
    """It is a chance node."""
    return bool(game.nodes[state.node, MOVER] == NATURE)


@likelihood.register(TypedTree)
def as_written(game: TypedTree, state: TreePosition, move: int) -> float:
    """The probability written at the branch."""
    child = game.edges[game.nodes[state.node, FIRST_CHILD] + move]
    return float(game.nodes[child, PARTS] / game.nodes[child, WHOLE])


@drawn.register(TypedTree)
def drawn_branch(game: TypedTree, work: Any, state: TreePosition, bits: Any) -> int:
    """Any branch with the same chance; at a chance node each with its own."""
    count = game.nodes[state.node, CHILDREN]
    if game.nodes[state.node, MOVER] != NATURE:
        return scaled(bits, count)
    left = float(bits >> U(11)) * 2.0**-53
    first = game.nodes[state.node, FIRST_CHILD]
    for i in range(count - 1):
        child = game.edges[first + i]
        left -= game.nodes[child, PARTS] / game.nodes[child, WHOLE]
        if left < 0.0:
            return int64(i)
    return int64(count - 1)


@stake.register(TypedTree)
def gain_itself(game: TypedTree, value: int) -> float:
    """Gains can be averaged as they are."""
    return float(value)


@judged.register(TypedTree)
def number_itself(game: TypedTree, state: TreePosition) -> float:
    """So can the numbers of inner nodes."""
    return float(game.nodes[state.node, VALUE])


@reach.register(TypedTree)
def all_numbers(game: TypedTree) -> tuple[float, float]:
    """From the least number of the tree to the largest."""
    return float(game.data.least), float(game.data.most)


@mover.register(TypedTree)
def number_of_owner(game: TypedTree, state: TreePosition) -> int:
    """The player who decides."""
    return max(int64(0), game.nodes[state.node, MOVER])


@gains.register(TypedTree)
def gains_written(game: TypedTree, state: TreePosition, plies: int, out: Any) -> None:
    """The values of a leaf; a win on a graph is worth more the sooner it comes."""
    judgements(game, state, out)
    out[0] = delayed(game.nodes[state.node, VALUE], plies)
    if game.nodes.shape[1] == WHOLE + 1:
        out[1] = -out[0]


@judgements.register(TypedTree)
def values_written(game: TypedTree, state: TreePosition, out: Any) -> None:
    """The values written at the node; of two players who have one number, what one gets the other pays."""
    columns = game.nodes.shape[1]
    out[0] = game.nodes[state.node, VALUE]
    if columns == WHOLE + 1:
        out[1] = -game.nodes[state.node, VALUE]
    for column in range(WHOLE + 1, columns):
        out[column - WHOLE] = game.nodes[state.node, column]


class TreeGame(Game):
    """A typed tree as a game: its one start position is the root."""

    id = "tree"
    title = "Typed tree"
    sentence = (
        "A tree written in brackets: ( ) decides, [ ] is chance; numbers are what MAX gets, <1 2 6> what each player gets."
    )
    players: tuple[str, ...] = ("MAX", "MIN")
    has_winner = False
    has_chance = True
    is_tree = True
    first_choices = ("alphabeta", "minimax", "expectiminimax", "maxn")
    term_names = ("number given",)
    longest_text = 1_000_000
    is_typed_by_hand = True

    def __init__(self, size: str, options: Mapping[str, Setting], text: str = TEXTBOOK) -> None:
        if size:
            raise InputError("A typed tree has no size.")
        super().__init__(size, options)
        root = read_tree(text)
        self.nodes = by_level(root)
        self.unit = 10 ** max(0, max(map(decimals_of, self.nodes)))
        self.code_bits = len(self.nodes).bit_length()
        self.has_vectors = any(len(node.values) > 1 for node in self.nodes)
        if self.has_vectors:
            self.player_count = player_count(root)
            self.players = tuple(f"P{number}" for number in range(1, self.player_count + 1))
        table = np.zeros((len(self.nodes), WHOLE + (self.player_count if self.has_vectors else 1)), np.int64)
        next_child = 1
        for i, node in enumerate(self.nodes):
            values = [int(value * self.unit) for value in node.values] or [0]
            owner = 1 if node.mover in (0, NATURE) else -1
            table[i, :VALUE] = next_child, len(node.children)
            table[i, VALUE : WHOLE + 1] = values[0], owner, node.mover, *node.chance.as_integer_ratio()
            table[i, WHOLE + 1 : WHOLE + len(values)] = values[1:]
            next_child += len(node.children)
        paid = table[table[:, CHILDREN] == 0]
        self.results = tuple(sorted({int(value) for value in paid[:, VALUE]}))
        self.low, self.span = int(paid[:, VALUE].min()), max(1, int(np.ptp(paid[:, VALUE])))
        self.values = np.delete(table, range(VALUE + 1, WHOLE + 1), axis=1)[:, VALUE:]
        """What each node gives to each player, in units; the first one's alone where one gets what the other pays."""
        self.fineness = 10.0 ** (8 - len(str(int(np.abs(self.values).max()))))  # as fine as the largest number allows
        reached = {"least": int(table[:, VALUE].min()), "most": int(table[:, VALUE].max())}
        edges = np.arange(len(self.nodes) + 1)
        self.rules = TypedTree(table, edges, packed(weights=(1,), low=self.low, span=self.span, **reached))

    def payoff_bounds(self) -> tuple[float, tuple[float, ...]]:
        if not self.has_vectors:
            return 0.0, (float(self.rules.data.least), -float(self.rules.data.most))
        return float(self.values.sum(axis=1).max()), tuple(map(float, self.values.min(axis=0)))

    def shown_mean(self, mean: float) -> float:
        """The mean gain."""
        return (self.low + mean * self.span) / self.unit

    @classmethod
    def create(cls, text: str, size: str | None, options: Mapping[str, Setting]) -> Game:
        return cls(size or "", options, TEXTBOOK if text == "startpos" else text)

    @classmethod
    def resembles(cls, text: str) -> float:
        """It has brackets, and is no line of moves with variations."""
        return LIKELY if re.search(r"[(<\[]", text) and not re.match(r"\s*1\s*[.…]", text) else IMPOSSIBLE

    @classmethod
    def spans(cls, lines: Sequence[str]) -> bool:
        return "(" in lines[0]

    def start(self) -> State:
        return TreePosition(0)

    def read_board(self, text: str) -> State:
        return self.start()  # the text is the game itself, read when the game was made

    def board_text(self, state: State) -> str:
        return write_tree(self.nodes[int(state.node)], self.player_count)

    def without_evaluation(self, state: State, plies: int | None) -> str:
        root = self.nodes[int(state.node)]
        below = by_level(root) if plies is None else at_ply(root, plies)
        return values_missing([node.name or "" for node in below if node.children and not node.values])

    def position_text(self, start: State, played: Sequence[int]) -> str:
        tree = self.board_text(start)
        return f"{tree} moves {' '.join(self.line_text(start, played))}" if played else tree

    def ending(self, position: Position) -> str | None:
        return "a leaf"

    def diagram(self, state: State) -> str:
        lines: list[str] = []
        stack = [(int(state.node), "", "")]
        while stack and len(lines) < LONGEST_DRAWING:
            number, lead, below = stack.pop()
            node = self.nodes[number]
            lines.append(lead + self._label(node))
            first = int(self.rules.nodes[number, FIRST_CHILD])
            for i in reversed(range(len(node.children))):
                last = i == len(node.children) - 1
                likely = f"{node.children[i].chance_text} " if node.mover == NATURE else ""
                lead_in = below + ("└─ " if last else "├─ ") + likely
                stack.append((first + i, lead_in, below + ("   " if last else "│  ")))
        if stack:
            lines.append(f"... and more below: the tree has {len(self.nodes):,} nodes")
        return "\n".join(lines)

    def _label(self, node: WrittenNode) -> str:
        number = node.values_text
        if not node.children:
            return f"{node.name} = {number}" if node.name else number
        who = "chance" if node.mover == NATURE else self.players[node.mover]
        words = [node.name, who, f"({number})" if number else ""]
        return " ".join(word for word in words if word)

    def move_text(self, state: State, move: int) -> str:
        children = self.nodes[int(state.node)].children
        name = children[move].name
        unique = name and sum(child.name == name for child in children) == 1
        return name if unique else str(move + 1)

    def node_name(self, node: int) -> str:
        return self.nodes[node].name or f"#{node + 1}"

    def normal_move(self, text: str) -> str:
        return text.strip()

    def depth_from(self, state: State) -> int:
        depth, level = 0, [(self.nodes[int(state.node)], 0)]
        while level:
            depth = max(depth, *(plies for _, plies in level))
            level = [(child, plies + (node.mover != NATURE)) for node, plies in level for child in node.children]
        return depth

    def lacks(self, need: str, state: State) -> str | None:
        if need == "graph":
            return self.lacks("sides", state) or self.lacks("no chance", state)
        ahead = [self.nodes[int(state.node)]]
        if need == "sides" and self.has_vectors:
            return "in this tree every player has their own values"
        if need == "no chance":
            for node in ahead:  # grows while it is walked
                if node.mover == NATURE and node.children:
                    return "this tree has chance nodes"
                ahead.extend(node.children)
            return None
        if need in ("alternating", "alone") and (reason := self.lacks("sides", state) or self.lacks("no chance", state)):
            return reason
        if need == "alone":
            for node in ahead:  # grows while it is walked
                if node.children and node.mover not in (0, NATURE):
                    return f"in this tree {self.players[node.mover]} decides too"
                ahead.extend(node.children)
            return None
        if need == "alternating":
            for node in ahead:  # grows while it is walked
                for child in node.children:
                    if child.children and child.mover == node.mover:
                        return f"in this tree {self.players[node.mover]} moves twice in a row"
                ahead.extend(node.children)
            return None
        return super().lacks(need, state)

    def evaluation(self, state: State) -> Evaluation:
        node = self.nodes[int(state.node)]
        numbers = tuple(map(float, node.values)) or (0.0,) * (self.player_count if self.has_vectors else 1)
        each = numbers if self.has_vectors else ()
        only = Term(name=self.term_names[0], first=numbers[0], second=0, weight=1, value=numbers[0], values=each)
        return Evaluation(value=numbers[0], terms=(only,), values=each)


GAME = TreeGame
