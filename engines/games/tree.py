"""Trees typed by a person: `((3 12 8) (2 4 6) (14 5 2))`.

A number is a leaf and says what MAX gets; a bracket is a decision. Players alternate from MAX at the root; `min(...)` and
`max(...)` say otherwise. `A(...)` names a node, and `5(...)` gives an inner node the value that a search cut off there
takes for it (0 if none is given). Several go together with colons: `A:min:5(...)`, and a leaf may be named too: `B:3`.

A state is a node's number. Nodes are numbered level by level, so that the children of a node stand side by side.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from engines.contract import MAX_DEPTH, Evaluation, InputError, Setting, Term, shown
from engines.game import Game
from engines.kernel import int64
from engines.parts.bits import U
from engines.parts.playout import reward
from engines.rules import MAX_MOVES, ONGOING, State, key, mixed, move_code, moves, packed, play, result, terms, turn

TEXTBOOK = "((3 12 8) (2 4 6) (14 5 2))"
FIRST_CHILD, CHILDREN, VALUE, OWNER = range(4)
"""The columns of the table of nodes."""
LARGEST = 100_000
MOST_DECIMALS = 3
LONGEST_DRAWING = 60

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9']*")
TOKEN = re.compile(r"\s+|,|\)|(?P<foreign>[\[\]<>])|(?P<word>[^\s,()\[\]<>]*)(?P<open>\()?")


class TypedTree(NamedTuple):
    """One row for each node: where its edges start, how many, its value, and who moves there; and where each edge leads: in
    a tree to the next node that has not been led to, in a graph to any."""

    nodes: np.ndarray[Any, Any]
    edges: np.ndarray[Any, Any]
    data: Any


class TreeNode(NamedTuple):
    """Where in the tree we are."""

    node: int


@moves.register(TypedTree)
def branches(game: TypedTree, state: TreeNode, out: Any) -> int:
    """The children from left to right; a move is a child's number."""
    count = game.nodes[state.node, CHILDREN]
    for i in range(count):
        out[i] = i
    return count


@key.register(TypedTree)
def number(game: TypedTree, state: TreeNode) -> Any:
    """The node's number, spread out."""
    return mixed(U(state.node + 1))


@play.register(TypedTree)
def descend(game: TypedTree, state: TreeNode, move: int) -> TreeNode:
    """The child with that number."""
    return TreeNode(game.edges[game.nodes[state.node, FIRST_CHILD] + move])


@result.register(TypedTree)
def gain(game: TypedTree, state: TreeNode) -> int:
    """A leaf pays its number."""
    if game.nodes[state.node, CHILDREN] > 0:
        return int64(ONGOING)
    return game.nodes[state.node, VALUE] * game.nodes[state.node, OWNER]


@turn.register(TypedTree)
def owner(game: TypedTree, state: TreeNode) -> int:
    """Who decides at this node."""
    return game.nodes[state.node, OWNER]


@reward.register(TypedTree)
def share_of_span(game: TypedTree, value: int) -> float:
    """Where a gain lies between the least and the most that the tree has."""
    return float((value - game.data.low) / game.data.span)


@move_code.register(TypedTree)
def child_number(game: TypedTree, state: TreeNode, move: int) -> int:
    """The edge: every branch is a move of its own."""
    return game.nodes[state.node, FIRST_CHILD] + move


@terms.register(TypedTree)
def number_given(game: TypedTree, state: TreeNode) -> Any:
    """The number written at the node."""
    return game.nodes[state.node, VALUE], int64(0)


@dataclass
class Node:
    """A node while it is read."""

    owner: int
    name: str = ""
    number: Decimal | None = None
    children: list[Node] = field(default_factory=list)


class TreeGame(Game):
    """A typed tree as a game: its one start position is the root."""

    id = "tree"
    title = "Typed tree"
    sentence = "A tree written with brackets; numbers are what MAX gets."
    players = ("MAX", "MIN")
    has_winner = False
    term_names = ("number given",)
    longest_text = 1_000_000

    def __init__(self, size: str, options: Mapping[str, Setting], text: str = TEXTBOOK) -> None:
        if size:
            raise InputError("A typed tree has no size.")
        super().__init__(size, options)
        root = read_tree(text)
        self.nodes = by_level(root)
        decimals = max((-exponent(node.number) for node in self.nodes if node.number is not None), default=0)
        self.unit = 10 ** max(0, decimals)
        self.code_bits = len(self.nodes).bit_length()
        table = np.zeros((len(self.nodes), 4), np.int64)
        next_child = 1
        for i, node in enumerate(self.nodes):
            table[i] = next_child, len(node.children), int((node.number or 0) * self.unit), node.owner
            next_child += len(node.children)
        gains = [int((node.number or 0) * self.unit) for node in self.nodes if not node.children]
        self.results = tuple(sorted(set(gains)))
        self.low, self.span = min(gains), max(1, max(gains) - min(gains))
        edges = np.arange(len(self.nodes) + 1)
        self.rules = TypedTree(table, edges, packed(weights=(1,), low=self.low, span=self.span))

    def shown_mean(self, mean: float) -> float:
        """The mean gain."""
        return (self.low + mean * self.span) / self.unit

    @classmethod
    def create(cls, text: str, size: str | None, options: Mapping[str, Setting]) -> Game:
        return cls(size or "", options, TEXTBOOK if text == "startpos" else text)

    def start(self) -> State:
        return TreeNode(0)

    def read_board(self, text: str) -> State:
        return self.start()  # the text is the game itself, read when the game was made

    def board_text(self, state: State) -> str:
        return self._write(self.nodes[int(state.node)])

    def position_text(self, start: State, played: Sequence[int]) -> str:
        tree = self.board_text(start)
        return f"{tree} moves {' '.join(self.line_text(start, played))}" if played else tree

    def _write(self, root: Node) -> str:
        """The tree as text, written without recursion: it may be deep."""
        parts: list[str] = []
        stack: list[Node | str] = [root]
        expected = {id(root): 1}
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                parts.append(node)
                continue
            words = [node.name] if node.name else []
            if node.owner != expected[id(node)] and node.children:
                words.append("max" if node.owner > 0 else "min")
            if node.number is not None:
                words.append(f"{node.number:f}")
            parts.append(":".join(words))
            if node.children:
                expected.update({id(child): -node.owner for child in node.children})
                inside: list[Node | str] = ["("]
                for child in node.children:
                    inside += [child, " "]
                stack.extend(reversed([*inside[:-1], ")"]))
        return "".join(parts)

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
                stack.append((first + i, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  ")))
        if stack:
            lines.append(f"... and more below: the tree has {len(self.nodes):,} nodes")
        return "\n".join(lines)

    @staticmethod
    def _label(node: Node) -> str:
        number = "" if node.number is None else f"{node.number:f}"
        if not node.children:
            return f"{node.name} = {number}" if node.name else number
        words = [node.name, "MAX" if node.owner > 0 else "MIN", f"({number})" if number else ""]
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
        depth, level = 0, [int(state.node)]
        while True:
            rows = self.rules.nodes[level]
            level = [int(row[FIRST_CHILD]) + i for row in rows for i in range(int(row[CHILDREN]))]
            if not level:
                return depth
            depth += 1

    def lacks(self, need: str, state: State) -> str | None:
        if need == "graph":
            return None
        if need not in ("alternating", "alone"):
            return super().lacks(need, state)
        ahead = [self.nodes[int(state.node)]]
        if need == "alone":
            for node in ahead:  # grows while it is walked
                if node.children and node.owner < 0:
                    return "in this tree MIN decides too"
                ahead.extend(node.children)
            return None
        for node in ahead:  # grows while it is walked
            for child in node.children:
                if child.children and child.owner == node.owner:
                    who = "MAX" if node.owner > 0 else "MIN"
                    return f"in this tree {who} moves twice in a row"
            ahead.extend(node.children)
        return None

    def evaluation(self, state: State) -> Evaluation:
        number = float(self.nodes[int(state.node)].number or 0)
        only = Term(name=self.term_names[0], first=number, second=0, weight=1, value=number)
        return Evaluation(value=number, terms=(only,))


def exponent(number: Decimal) -> int:
    """The power of ten of a number's last digit."""
    power = number.as_tuple().exponent
    assert isinstance(power, int)  # only infinities have others, and none can be written
    return power


def by_level(root: Node) -> list[Node]:
    """All nodes, level by level."""
    nodes = [root]
    for node in nodes:  # grows while it is walked
        nodes.extend(node.children)
    return nodes


def read_tree(text: str) -> Node:
    """The tree of a text; an InputError that says what is wrong at which character."""
    root: Node | None = None
    path: list[Node] = []
    place = 0
    while place < len(text):
        token = TOKEN.match(text, place)
        assert token is not None  # the pattern matches everything
        at = f"at character {place + 1}"
        place = token.end()
        if token["foreign"]:
            raise InputError(f"{shown(token[0])} {at}: a tree here has two players and no chance; use round brackets.")
        if token[0] == ")":
            if not path:
                raise InputError(f"The closing bracket {at} has no opening one.")
            if not path.pop().children:
                raise InputError(f"The bracket that closes {at} is empty; a decision needs at least one branch.")
            continue
        if not token["word"] and not token["open"]:
            continue
        if root is not None and not path:
            raise InputError(f"The tree is complete, but more follows {at}: {shown(text[token.start() :])}.")
        node = read_node(token["word"], bool(token["open"]), -path[-1].owner if path else 1, at)
        if root is None:
            root = node
        else:
            path[-1].children.append(node)
            if len(path[-1].children) > MAX_MOVES:
                raise InputError(f"The bracket {at} has more than {MAX_MOVES} branches.")
        if token["open"]:
            path.append(node)
            if len(path) > MAX_DEPTH:
                raise InputError(f"The brackets are nested more than {MAX_DEPTH} deep {at}.")
    if root is None:
        raise InputError("The tree is empty; write for example " + TEXTBOOK + ".")
    if path:
        raise InputError(f"{len(path)} bracket{'s are' if len(path) > 1 else ' is'} not closed at the end of the tree.")
    return root


def read_node(word: str, inner: bool, owner: int, at: str) -> Node:
    """A node from what is written before its bracket, or a leaf."""
    node = Node(owner)
    said = False
    for part in word.split(":") if word else []:
        if part.lower() in ("max", "min") and inner and not said:
            node.owner = 1 if part.lower() == "max" else -1
            said = True
        elif NUMBER.fullmatch(part) and node.number is None:
            node.number = read_number(part, at)
        elif NAME.fullmatch(part) and not node.name and not (inner and part.lower() in ("max", "min")):
            node.name = part
        else:
            raise InputError(f"{shown(word)} {at} is neither a number nor a name before a bracket.")
    if not inner and node.number is None:
        raise InputError(f"{shown(word)} {at} is a leaf without a number.")
    return node


def read_number(text: str, at: str) -> Decimal:
    """A number that the kernels can hold as a whole number of units."""
    number = Decimal(text).normalize() if len(text) <= 40 else Decimal(LARGEST + 1)
    if abs(number) > LARGEST or -exponent(number) > MOST_DECIMALS:
        raise InputError(f"{shown(text)} {at}: numbers go up to {LARGEST:,}, with at most {MOST_DECIMALS} decimals.")
    return number


GAME = TreeGame
