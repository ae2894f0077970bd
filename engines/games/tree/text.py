"""How a tree is written, and read: brackets, names, numbers, probabilities.

`A(...)` names a node, and `5(...)` gives an inner node the value that a search cut off there takes for it (0 if none is
given). Several go together with colons: `A:min:5(...)`, and a leaf may be named too: `B:3`. Below a chance node the
probability comes first: `[1/3:A:5(1 2) 2/3:B:<4 4 4>]`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from engines.contract import MAX_DEPTH, InputError, shown
from engines.rules import MAX_MOVES
from engines.rules_chance import MOST_PLAYERS

EXAMPLE = "((3 12 8) (2 4 6) (14 5 2))"
LARGEST = 100_000
MOST_DECIMALS = 3
LONGEST_CHANCE = 18
"""The most characters that a probability has."""
NATURE = -1
"""Whose move it is at a chance node."""

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9']*")
PLAYER = re.compile(rf"[pP][1-{MOST_PLAYERS}]")
CHANCE = re.compile(r"(\d+/\d+|\d+\.?\d*|\.\d+)")
TOKEN = re.compile(
    r"\s+|,|(?P<close>[)\]])|(?P<stray>>|<(?![^<>()\[\]]*>))"
    r"|(?P<word>[^\s,()\[\]<>]*)(?P<vector><[^<>()\[\]]*>)?(?P<open>[(\[])?"
)
CLOSES = {"(": ")", "[": "]"}


NAMES_TOLD = 5
"""The most nodes that are named in a sentence."""


@dataclass
class WrittenNode:
    """A node of a tree that is written."""

    at: str
    """Where it stands, for complaints."""
    opened: str = ""
    """Its bracket; a leaf has none."""
    name: str = ""
    said: str = ""
    """Who moves, if that is written: `max`, `min` or `p3`."""
    values: tuple[Decimal, ...] = ()
    """The number at the node, or one for each player; none if nothing is given."""
    given: bool = False
    """Its probability is written."""
    chance: Fraction = Fraction(1)
    children: list[WrittenNode] = field(default_factory=list)
    mover: int = 0
    """The number of the player who moves there, or `NATURE`."""

    @property
    def values_text(self) -> str:
        """Its number or numbers, as they are written."""
        if len(self.values) < 2:
            return "".join(f"{value:f}" for value in self.values)
        return f"<{' '.join(f'{value:f}' for value in self.values)}>"

    @property
    def chance_text(self) -> str:
        """Its probability: a decimal if it is a short one, else a fraction."""
        millionths = self.chance * 10**6
        if millionths.denominator == 1:
            return f"{float(self.chance):.6f}".rstrip("0").rstrip(".")
        return f"{self.chance.numerator}/{self.chance.denominator}"


def by_level(root: WrittenNode) -> list[WrittenNode]:
    """All nodes, level by level."""
    nodes = [root]
    for node in nodes:  # grows while it is walked
        nodes.extend(node.children)
    return nodes


def at_ply(root: WrittenNode, plies: int) -> list[WrittenNode]:
    """The nodes that are so many plies below one."""
    nodes = [root]
    for _ in range(plies):
        nodes = [child for node in nodes for child in node.children]
    return nodes


def decimals_of(node: WrittenNode) -> int:
    """How many decimals its numbers have."""
    return max((-exponent(value) for value in node.values), default=0)


def values_missing(names: Sequence[str]) -> str:
    """That inner nodes have no value of their own, in a sentence; empty if there are none."""
    if not names:
        return ""
    told = [name for name in names if name][:NAMES_TOLD]
    which = f" ({', '.join(told)}{', ...' if len(told) < len(names) else ''})" if told else ""
    nodes = (
        "1 inner node has no value of its own and counts"
        if len(names) == 1
        else (f"{len(names):,} inner nodes have no value of their own and count")
    )
    return f"{nodes} as 0 where the search stops there{which}."


def player_count(root: WrittenNode) -> int:
    """How many players the tree has: as many as its leaves have values, two if they have one."""
    return max(2, max(len(node.values) for node in by_level(root)))


# Reading.


def read_tree(text: str) -> WrittenNode:
    """The tree of a text; an InputError that says what is wrong at which character."""
    root: WrittenNode | None = None
    path: list[WrittenNode] = []
    place = 0
    while place < len(text):
        token = TOKEN.match(text, place)
        assert token is not None  # the pattern matches everything
        at = f"at character {place + 1}"
        place = token.end()
        if token["stray"]:
            raise InputError(f"{shown(token[0])} {at}: the values of all players stand between < and >, as in <1 2 6>.")
        if token["close"]:
            _close(path, token["close"], at)
            continue
        if not token["word"] and not token["open"] and not token["vector"]:
            continue
        if root is not None and not path:
            raise InputError(f"The tree is complete, but more follows {at}: {shown(text[token.start() :])}.")
        below_chance = bool(path) and path[-1].opened == "["
        node = read_node(token["word"] or "", token["vector"] or "", token["open"] or "", below_chance, at)
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
        raise InputError("The tree is empty; write for example " + EXAMPLE + ".")
    if path:
        raise InputError(f"{len(path)} bracket{'s are' if len(path) > 1 else ' is'} not closed at the end of the tree.")
    _settle_players(root)
    return root


def _close(path: list[WrittenNode], bracket: str, at: str) -> None:
    """A bracket is closed: the right one, not empty, and its probabilities come to 1."""
    if not path:
        raise InputError(f"The closing bracket {at} has no opening one.")
    node = path.pop()
    if CLOSES[node.opened] != bracket:
        raise InputError(f"The bracket that closes {at} is {bracket}, but the one that it closes is {node.opened}.")
    if not node.children:
        raise InputError(f"The bracket that closes {at} is empty; a decision needs at least one branch.")
    if node.opened != "[":
        return
    given = [child for child in node.children if child.given]
    if not given:
        for child in node.children:
            child.chance = Fraction(1, len(node.children))
        return
    if len(given) < len(node.children):
        missing = next(child for child in node.children if not child.given)
        raise InputError(f"The branch {missing.at} has no probability, but others of its chance node have: [0.5:x 0.5:y].")
    total = sum(child.chance for child in given)
    if total != 1:
        said = f"{float(total):g}" if abs(float(total) - 1) > 1e-6 else "almost 1; thirds are written 1/3"
        raise InputError(f"The probabilities of the chance node that closes {at} come to {said}, not to 1.")


def read_node(word: str, vector: str, opened: str, below_chance: bool, at: str) -> WrittenNode:
    """A node from what is written before its bracket, or a leaf."""
    node = WrittenNode(at, opened)
    whole, parts = word + vector, word.split(":") if word else []
    if below_chance and len(parts) > 1 and CHANCE.fullmatch(parts[0]):
        node.chance, node.given = read_chance(parts[0], at), True
        parts = parts[1:] if parts[1:] != [""] else []
    if vector:
        node.values = read_vector(vector, at)
        if parts and parts[-1] == "":
            parts = parts[:-1]
    for part in parts:
        if part.lower() in ("max", "min") and opened == "(" and not node.said:
            node.said = part.lower()
        elif PLAYER.fullmatch(part) and opened == "(" and not node.said:
            node.said = part.lower() if part[0] == "p" else part
        elif NUMBER.fullmatch(part) and not node.values:
            node.values = (read_number(part, at),)
        elif NAME.fullmatch(part) and not node.name and not (opened == "(" and part.lower() in ("max", "min")):
            node.name = part
        else:
            raise InputError(f"{shown(whole)} {at} is neither a number nor a name before a bracket.")
    if not opened and not node.values:
        raise InputError(f"{shown(whole)} {at} is a leaf without a number.")
    return node


def read_number(text: str, at: str) -> Decimal:
    """A number that the kernels can hold as a whole number of units."""
    number = Decimal(text) if len(text) <= 40 else Decimal(LARGEST + 1)
    tiny = bool(number) and number.adjusted() < -MOST_DECIMALS  # asked first: arithmetic would round it to nothing
    if tiny or number.copy_abs() > LARGEST or -exponent(number.normalize()) > MOST_DECIMALS:
        raise InputError(f"{shown(text)} {at}: numbers go up to {LARGEST:,}, with at most {MOST_DECIMALS} decimals.")
    return number.normalize() + 0  # no negative zero


def read_vector(text: str, at: str) -> tuple[Decimal, ...]:
    """The values of all players."""
    parts = text.strip("<>").replace(",", " ").split()
    if not 2 <= len(parts) <= MOST_PLAYERS:
        raise InputError(f"{shown(text)} {at} has {len(parts)} values; a tree has from 2 to {MOST_PLAYERS} players.")
    for part in parts:
        if not NUMBER.fullmatch(part):
            raise InputError(f"{shown(part)} in {shown(text)} {at} is not a number.")
    return tuple(read_number(part, at) for part in parts)


def read_chance(text: str, at: str) -> Fraction:
    """A probability: a decimal or a fraction, above 0 and at most 1."""
    if len(text) > LONGEST_CHANCE or text.endswith("/0") or not 0 < (chance := Fraction(text)) <= 1:
        raise InputError(f"{shown(text)} {at} is not a probability: those are above 0 and at most 1.")
    return chance


def exponent(number: Decimal) -> int:
    """The power of ten of a number's last digit."""
    power = number.as_tuple().exponent
    assert isinstance(power, int)  # only infinities have others, and none can be written
    return power


def _settle_players(root: WrittenNode) -> None:
    """Who moves at each node, now that it is known how many players there are."""
    nodes, count = by_level(root), player_count(root)
    several = any(len(node.values) > 1 for node in nodes)
    due = {id(root): 0}
    for node in nodes:
        if several and node.values and len(node.values) != count:
            raise InputError(
                f"The node {node.at} has {len(node.values)} of {count} values; every leaf has one for each player."
            )
        if node.said[:1] in ("p", "P") and not several and not node.name:
            node.name, node.said = node.said, ""  # a name like any other, where there are no such players
        number = int(node.said[1:]) - 1 if node.said[1:].isdecimal() else {"max": 0, "min": 1}.get(node.said, due[id(node)])
        if node.said and (several == (node.said in ("max", "min")) or number >= count):
            who = f"from p1 to p{count}" if several else "max and min"
            raise InputError(f"{shown(node.said)} {node.at} is not a player here: the players of this tree are {who}.")
        node.mover = NATURE if node.opened == "[" else number
        following = due[id(node)] if node.mover == NATURE else (node.mover + 1) % count
        due.update({id(child): following for child in node.children})


# Writing.


def write_tree(root: WrittenNode, count: int) -> str:
    """The tree as text, written without recursion: it may be deep."""
    parts: list[str] = []
    several = any(len(node.values) > 1 for node in by_level(root))
    stack: list[tuple[WrittenNode, int, bool] | str] = [(root, 0, False)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        node, due, below_chance = item
        words = [node.chance_text] if below_chance else []
        words += [node.name] if node.name else []
        if node.opened == "(" and node.mover != due:
            words.append(("max", "min")[node.mover] if not several else f"p{node.mover + 1}")
        if node.values:
            words.append(node.values_text)
        bare = below_chance and len(words) == 1
        parts.append(":".join(words) + (":" if bare else ""))
        if node.children:
            following = due if node.mover == NATURE else (node.mover + 1) % count
            inside: list[tuple[WrittenNode, int, bool] | str] = [node.opened]
            for child in node.children:
                inside += [(child, following, node.mover == NATURE), " "]
            stack.extend(reversed([*inside[:-1], CLOSES[node.opened]]))
    return "".join(parts)
