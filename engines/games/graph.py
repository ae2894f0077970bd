"""Games on a graph, written in TOML: who decides at each node, where its edges lead, and who wants to get where.

    start = "A"
    targets = ["T"]                             # MAX wants to get there; {max = [...], min = [...]} if both want something
    [nodes]
    A = {owner = "max", to = ["B", "C"]}
    B = {owner = "min", to = ["A", "T"]}
    C = {owner = "min", to = ["T"]}
    T = {}

The same on one line: `graph = {start = "A", ...}`. With targets it is a *reachability game*: MAX wins as soon as a target is
reached, and MIN wins if that never happens, also by going round in circles for ever, or where no edge leads on. If both have
targets, what never ends is a draw. Without targets, the nodes that no edge leaves pay their `gain` to MAX. `value` is what a
search takes an inner node for that it does not look behind. Owners are `max` and `min`, or `J1` and `J2`, or 1 and 2.

A state is a node's number. The kernels see a graph as they see a tree: one table of nodes, one of edges.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np

from engines.contract import Evaluation, InputError, Setting, Term, shown
from engines.game import Game
from engines.games.tree.game import CHILDREN, LONGEST_DRAWING, OWNER, VALUE, WHOLE, TreePosition, TypedTree
from engines.games.tree.text import exponent, read_number, values_missing
from engines.notation import CERTAIN, IMPOSSIBLE
from engines.position import Position
from engines.rules import MAX_MOVES, WIN, State, packed
from engines.storage.toml import TomlError, read_toml

ROUNDABOUT = """graph = {start = "A", targets = ["T"], nodes = {A = {owner = "max", to = ["B", "C"]}, \
B = {owner = "min", to = ["A", "T"]}, C = {owner = "min", to = ["D", "T"]}, D = {owner = "max", to = ["T", "B"]}, T = {}}}"""
NODES = re.compile(r"\[nodes\]|\[nodes\.|(graph|nodes)\s*=\s*\{")
"""The beginning of a line that only graphs have."""
MOST_NODES = 20_000
LONGEST_NAME = 24
OWNERS = {"max": 1, "j1": 1, "1": 1, "first": 1, "min": -1, "j2": -1, "2": -1, "second": -1}
PLAYERS = {1: "max", -1: "min"}


@dataclass
class GraphNode:
    """A node as it was read."""

    name: str
    owner: int = 1
    to: list[int] = field(default_factory=list)
    number: Decimal | None = None
    """Its gain, or what a search takes it for."""
    target_of: int = 0
    """Who wants to get here: 1, -1, or nobody."""

    @property
    def is_end(self) -> bool:
        """The game ends here."""
        return self.target_of != 0 or not self.to


class GraphGame(Game):
    """A graph as a game: a position is a node."""

    id = "graph"
    title = "Graph"
    sentence = "Nodes and edges in TOML: reach a target, or keep the opponent from it for ever; or collect a gain."
    players = ("MAX", "MIN")
    term_names = ("value given",)
    longest_text = 1_000_000
    is_typed_by_hand = True
    default_depth = 8
    preferred: ClassVar[Mapping[str, Setting]] = {"playout_depth": 200}
    prover = "attractor"
    first_choices = ("attractor", "minimax")

    def __init__(self, size: str, options: Mapping[str, Setting], text: str = ROUNDABOUT) -> None:
        if size:
            raise InputError("A graph has no size.")
        super().__init__(size, options)
        self.nodes, self.first_node = read_graph(text)
        self.numbers = {node.name: number for number, node in enumerate(self.nodes)}
        self.wanting = {node.target_of for node in self.nodes} - {0}
        self.has_winner = bool(self.wanting)
        if self.has_winner:
            self.endless = -next(iter(self.wanting)) if len(self.wanting) == 1 else 0
        decimals = max((-exponent(node.number) for node in self.nodes if node.number is not None), default=0)
        self.unit = 10 ** max(0, decimals)
        self.code_bits = sum(len(node.to) for node in self.nodes).bit_length()
        table = np.zeros((len(self.nodes), WHOLE + 1), np.int64)
        edges: list[int] = []
        for number, node in enumerate(self.nodes):
            table[number, : OWNER + 1] = len(edges), 0 if node.is_end else len(node.to), self._worth(node), node.owner
            table[number, OWNER + 1 :] = 0 if node.owner > 0 else 1, 1, 1
            edges += node.to
        ends = [int(row[2]) for row in table if not row[CHILDREN]] or [0]
        self.low, self.span = (-WIN, 2 * WIN) if self.has_winner else (min(ends), max(1, max(ends) - min(ends)))
        if self.has_winner:
            self.results = (-WIN, 0, WIN) if len(self.wanting) == 2 else (-WIN, WIN)
        else:
            self.results = tuple(sorted(set(ends)))
        reached = {"least": int(table[:, VALUE].min()), "most": int(table[:, VALUE].max())}
        data = packed(weights=(1,), low=self.low, span=self.span, **reached)
        self.rules = TypedTree(table, np.array([*edges, 0], np.int64), data)

    def _worth(self, node: GraphNode) -> int:
        """What the table of nodes says: a win or a loss for MAX, a gain, or what an inner node is taken for."""
        if node.target_of:
            return WIN * node.target_of
        if self.has_winner and not node.to:
            return 0 if len(self.wanting) == 2 else -WIN * next(iter(self.wanting))
        return int((node.number or 0) * self.unit)

    def shown_mean(self, mean: float) -> float:
        return super().shown_mean(mean) if self.has_winner else (self.low + mean * self.span) / self.unit

    @classmethod
    def create(cls, text: str, size: str | None, options: Mapping[str, Setting]) -> Game:
        return cls(size or "", options, ROUNDABOUT if text == "startpos" else text)

    # Reading and writing.

    @classmethod
    def resembles(cls, text: str) -> float:
        return CERTAIN if any(NODES.match(line.strip()) for line in text.splitlines()) else IMPOSSIBLE

    def start(self) -> State:
        return TreePosition(self.first_node)

    def read_board(self, text: str) -> State:
        return self.start()  # the text is the game itself, read when the game was made

    def board_text(self, state: State) -> str:
        parts = [f"start = {quoted(self.nodes[int(state.node)].name)}"]
        wanted = {whose: [node.name for node in self.nodes if node.target_of == whose] for whose in (1, -1)}
        lists = {whose: f"[{', '.join(map(quoted, names))}]" for whose, names in wanted.items()}
        if self.wanting == {1}:
            parts.append(f"targets = {lists[1]}")
        elif self.wanting:
            both = ", ".join(f"{PLAYERS[whose]} = {lists[whose]}" for whose in (1, -1) if wanted[whose])
            parts.append(f"targets = {{{both}}}")
        parts.append(f"nodes = {{{', '.join(self._node_text(node) for node in self.nodes)}}}")
        return f"graph = {{{', '.join(parts)}}}"

    def _node_text(self, node: GraphNode) -> str:
        parts = []
        if node.to:
            names = ", ".join(quoted(self.nodes[to].name) for to in node.to)
            parts = [f'owner = "{PLAYERS[node.owner]}"', f"to = [{names}]"]
        elif node.owner < 0:
            parts = ['owner = "min"']
        if node.number is not None:
            parts.append(f"{'value' if node.to else 'gain'} = {node.number:f}")
        return f"{quoted(node.name)} = {{{', '.join(parts)}}}"

    def position_text(self, start: State, played: Sequence[int]) -> str:
        graph = self.board_text(start)
        return f"{graph} moves {' '.join(self.line_text(start, played))}" if played else graph

    def move_text(self, state: State, move: int) -> str:
        return self.nodes[self.nodes[int(state.node)].to[move]].name

    def node_name(self, node: int) -> str:
        return self.nodes[node].name

    def normal_move(self, text: str) -> str:
        return text.strip()

    # Drawing.

    def diagram(self, state: State) -> str:
        lines: list[str] = []
        drawn: set[int] = set()
        stack = [(int(state.node), "", "")]
        while stack and len(lines) < LONGEST_DRAWING:
            number, lead, below = stack.pop()
            node = self.nodes[number]
            if number in drawn:
                lines.append(f"{lead}{node.name} ↑")
                continue
            drawn.add(number)
            lines.append(lead + self.label(number))
            if not node.is_end:
                for i in reversed(range(len(node.to))):
                    last = i == len(node.to) - 1
                    stack.append((node.to[i], below + ("└─ " if last else "├─ "), below + ("   " if last else "│  ")))
        if stack:
            lines.append(f"... and more: the graph has {len(self.nodes):,} nodes")
        elif others := [node.name for number, node in enumerate(self.nodes) if number not in drawn]:
            lines.append("out of reach from here: " + ", ".join(others[:8]) + (" ..." if len(others) > 8 else ""))
        return "\n".join(lines)

    def label(self, number: int) -> str:
        """A node in a drawing: its name, who decides there, and what it pays."""
        node = self.nodes[number]
        if node.target_of:
            return f"{node.name} ★ {self.players[node.target_of < 0]}"
        if not node.to:
            return f"{node.name} ■" if self.has_winner else f"{node.name} = {node.number or 0:f}"
        given = "" if node.number is None else f" ({node.number:f})"
        return f"{node.name} {self.players[node.owner < 0]}{given}"

    # What is known without searching.

    def depth_from(self, state: State) -> int:
        return self.default_depth

    def ending(self, position: Position) -> str | None:
        node = self.nodes[int(position.state.node)]
        if not self.has_winner:
            return None
        return "the target is reached" if node.target_of else "no edge leads on, and no target is reached"

    def lacks(self, need: str, state: State) -> str | None:
        if need in ("graph", "decided"):
            circle = None if self.has_winner else self.circle(int(state.node))
            return f"this graph has gains and no targets, and goes round in circles through {circle}" if circle else None
        if need == "ends":
            circle = self.circle(int(state.node))
            return f"this graph goes round in circles through {circle}" if circle else None
        if need not in ("alternating", "alone"):
            return super().lacks(need, state)
        for number in self.ahead(int(state.node)):
            node = self.nodes[number]
            if need == "alone" and not node.is_end and node.owner < 0:
                return "in this graph MIN decides too"
            for to in node.to if not node.is_end else ():
                if need == "alternating" and self.nodes[to].owner == node.owner:
                    if self.nodes[to].is_end:
                        return f"in this graph both players can move to {self.nodes[to].name}, where the play ends"
                    return f"in this graph {self.players[node.owner < 0]} moves twice in a row, at {node.name}"
        return None

    def without_evaluation(self, state: State, plies: int | None) -> str:
        ahead = self.ahead(int(state.node)) if plies is None else self.at_ply(int(state.node), plies)
        inner = [self.nodes[number] for number in ahead]
        return values_missing([node.name for node in inner if not node.is_end and node.number is None])

    def at_ply(self, number: int, plies: int) -> list[int]:
        """The nodes that play can be at after so many plies from here."""
        found = {number: None}
        for _ in range(plies):
            found = {to: None for one in found if not self.nodes[one].is_end for to in self.nodes[one].to}
        return list(found)

    def ahead(self, number: int) -> list[int]:
        """This node and all that can be reached from it."""
        found, seen = [number], {number}
        for one in found:  # grows while it is walked
            for to in self.nodes[one].to if not self.nodes[one].is_end else ():
                if to not in seen:
                    seen.add(to)
                    found.append(to)
        return found

    def circle(self, number: int) -> str | None:
        """A node that the play can come back to, or None if it always ends."""
        waiting = dict.fromkeys(self.ahead(number), 0)
        for one in waiting:
            for to in self.nodes[one].to if not self.nodes[one].is_end else ():
                waiting[to] += 1
        free = [one for one, count in waiting.items() if not count]
        for one in free:  # grows while it is walked
            waiting.pop(one)
            for to in self.nodes[one].to if not self.nodes[one].is_end else ():
                waiting[to] -= 1
                if not waiting[to]:
                    free.append(to)
        return self.nodes[next(iter(waiting))].name if waiting else None

    def evaluation(self, state: State) -> Evaluation:
        number = float(self.nodes[int(state.node)].number or 0)
        only = Term(name=self.term_names[0], first=number, second=0, weight=1, value=number)
        return Evaluation(value=number, terms=(only,))


def is_finite(number: int | Decimal) -> bool:
    """TOML also writes `inf` and `nan`."""
    return isinstance(number, int) or number.is_finite()


def quoted(name: str) -> str:
    """A name in TOML."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


# Reading.


def read_graph(text: str) -> tuple[list[GraphNode], int]:
    """The nodes of a graph, and the number of the first; an InputError that says what is wrong at which node."""
    try:
        found = read_toml(text, parse_float=Decimal)
    except TomlError as error:
        raise InputError(f"The graph is not valid TOML: {error}.") from None
    if set(found) == {"graph"} and isinstance(found["graph"], dict):
        found = found["graph"]
    if unknown := set(found) - {"start", "targets", "nodes", "title"}:
        raise InputError(f"A graph has start, targets and nodes, not {shown(min(unknown))}.")
    rows = found.get("nodes")
    if not isinstance(rows, dict) or not rows:
        raise InputError('A graph needs nodes, such as nodes = {A = {owner = "max", to = ["B"]}, B = {gain = 1}}.')
    if len(rows) > MOST_NODES:
        raise InputError(f"A graph has at most {MOST_NODES:,} nodes, this one has {len(rows):,}.")
    numbers = {name: number for number, name in enumerate(rows)}
    nodes = [_read_node(name, row, numbers) for name, row in rows.items()]
    _read_targets(found.get("targets", []), nodes, numbers)
    _give_ends_to_the_other(nodes)
    start = found.get("start", next(iter(rows)))
    if not isinstance(start, str) or start not in numbers:
        raise InputError(f"The start of the graph, {shown(str(start))}, is not one of its nodes.")
    return nodes, numbers[start]


def _read_node(name: str, row: Any, numbers: Mapping[str, int]) -> GraphNode:
    at = f"at node {shown(name)}"
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or any(letter.isspace() for letter in name):
        raise InputError(f"The name of a node has 1 to {LONGEST_NAME} letters and no blanks, not {shown(name)}.")
    if not isinstance(row, dict):
        raise InputError(f'{shown(str(row))} {at}: a node is written {{owner = "max", to = ["B", "C"]}}.')
    if unknown := set(row) - {"owner", "to", "gain", "value"}:
        raise InputError(f"A node has owner, to, gain and value, not {shown(min(unknown))} {at}.")
    node = GraphNode(name)
    to = row.get("to", [])
    if not isinstance(to, list) or not all(isinstance(one, str) and one in numbers for one in to):
        missing = next((one for one in to if str(one) not in numbers), to) if isinstance(to, list) else to
        raise InputError(f"An edge {at} leads to {shown(str(missing))}, which is not one of the nodes.")
    if len(set(to)) != len(to) or len(to) > MAX_MOVES:
        raise InputError(f"The edges {at} lead to the same node twice, or are more than {MAX_MOVES}.")
    node.to = [numbers[one] for one in to]
    owner = str(row.get("owner", "" if to else "max")).lower()
    if owner not in OWNERS:
        raise InputError(f'The owner {at} is "max" or "min", not {shown(owner)}.')
    node.owner = OWNERS[owner]
    if "gain" in row and (to or "value" in row):
        raise InputError(f"A gain is paid where no edge leads on, but one does {at}; a value is for inner nodes.")
    number = row.get("gain", row.get("value"))
    if number is not None:
        if isinstance(number, bool) or not isinstance(number, int | Decimal) or not is_finite(number):
            raise InputError(f"{shown(str(number))} {at} is not a number.")
        node.number = read_number(str(number), at)
    return node


def _read_targets(found: Any, nodes: Sequence[GraphNode], numbers: Mapping[str, int]) -> None:
    lists = found if isinstance(found, dict) else {"max": found}
    for player, names in lists.items():
        if player.lower() not in OWNERS or not isinstance(names, list):
            raise InputError("Targets are a list of nodes, or a list for max and one for min.")
        for name in names:
            if not isinstance(name, str) or name not in numbers:
                raise InputError(f"The target {shown(str(name))} is not one of the nodes.")
            node = nodes[numbers[name]]
            if node.target_of == -OWNERS[player.lower()]:
                raise InputError(f"Node {shown(name)} is a target for both players.")
            node.target_of = OWNERS[player.lower()]


def _give_ends_to_the_other(nodes: Sequence[GraphNode]) -> None:
    """Nobody decides where the play ends: it is the turn of whoever did not move there, if only one player can."""
    movers: dict[int, set[int]] = {}
    for node in nodes:
        for to in () if node.is_end else node.to:
            movers.setdefault(to, set()).add(node.owner)
    for number, node in enumerate(nodes):
        if node.is_end and len(movers.get(number, ())) == 1:
            node.owner = -next(iter(movers[number]))


GAME = GraphGame
