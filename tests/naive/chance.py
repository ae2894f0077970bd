"""Oracles for chance and for more players: typed trees with fractions, EinStein würfelt nicht!, tic-tac-toe for three.

Nothing here comes from `engines`. Searches follow their definitions, use fractions, and prune nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

Values = tuple[Fraction, ...]
NATURE = -1
WIN = 1_000_000_000


@dataclass
class Node:
    """A node of a typed tree. `numbers` are the values written at it: one, or one for each player."""

    mover: int
    numbers: Values
    branches: list[tuple[Fraction, Node]] = field(default_factory=list)

    def text(self, due: int, players: int, several: bool) -> str:
        """The notation of the tree; `due` is the player whose turn it would be."""
        numbers = [f"{float(number):g}" for number in self.numbers]
        word = f"<{' '.join(numbers)}>" if several and numbers else "".join(numbers)
        if not self.branches:
            return word
        if self.mover == NATURE:
            inside = [f"{chance}:{node.text(due, players, several)}" for chance, node in self.branches]
            return f"{word}[{' '.join(inside)}]"
        after = (self.mover + 1) % players
        inside = [node.text(after, players, several) for _, node in self.branches]
        who = "" if self.mover == due else f"p{self.mover + 1}" if several else ("max", "min")[self.mover]
        return f"{':'.join(filter(None, (who, word)))}({' '.join(inside)})"


def random_tree(pick: Callable[[int, int], int], players: int = 2, several: bool = False, chance: bool = True) -> Node:
    """A random irregular tree with all kinds of nodes."""

    def numbers() -> Values:
        return tuple(Fraction(pick(-99, 99), 10) for _ in range(players if several else 1))

    def node(levels: int, due: int) -> Node:
        count = pick(0, 3) if levels else 0
        if not count:
            return Node(0, numbers())
        is_chance = chance and pick(0, 2) == 0
        mover = NATURE if is_chance else due if pick(0, 4) else pick(0, players - 1)
        after = due if is_chance else (mover + 1) % players
        weights = [pick(1, 6) for _ in range(count)]
        shares = [Fraction(weight, sum(weights)) if is_chance else Fraction(1) for weight in weights]
        inner = numbers() if pick(0, 1) else ()
        return Node(mover, inner, [(share, node(levels - 1, after)) for share in shares])

    root = node(pick(2, 5), 0)
    return root if root.branches else random_tree(pick, players, several, chance)


@dataclass
class Seen:
    """The result of an exhaustive search: the value or values, and the leaves visited."""

    values: Values
    leaves: int


def numbers_at(node: Node, players: int) -> Values:
    """The values written at a node for each player. Two players with one number have opposite values."""
    if not node.numbers:
        return (Fraction(0),) * players
    if len(node.numbers) == 1:
        return node.numbers[0], -node.numbers[0]
    return node.numbers


def maxn(node: Node, depth: int, players: int = 2, team: tuple[int, ...] = ()) -> Seen:
    """Max^n by its definition: the player to move takes the largest value, and the first of equal ones. With two players it
    is minimax, and with chance nodes expectiminimax."""
    if not node.branches or (depth == 0 and node.mover != NATURE):
        return Seen(numbers_at(node, players), 1)
    chance = node.mover == NATURE
    found = [(share, maxn(below, depth - (not chance), players, team)) for share, below in node.branches]
    leaves = sum(seen.leaves for _, seen in found)
    if chance:
        means = tuple(sum((share * seen.values[i] for share, seen in found), Fraction(0)) for i in range(players))
        return Seen(means, leaves)
    best = found[0][1]
    for _, seen in found[1:]:
        if wanted(seen.values, node.mover, team) > wanted(best.values, node.mover, team):
            best = seen
    return Seen(best.values, leaves)


def wanted(values: Values, player: int, team: tuple[int, ...]) -> Fraction:
    """What a player maximises: the player's own value, or the sum of the team's."""
    return sum((values[one] for one in (team if player in team else (player,))), Fraction(0))


def paranoid(node: Node, depth: int, players: int, team: tuple[int, ...]) -> Fraction:
    """The value that a team can guarantee against all others."""
    if not node.branches or (depth == 0 and node.mover != NATURE):
        return wanted(numbers_at(node, players), team[0], team)
    if node.mover == NATURE:
        return sum((share * paranoid(below, depth, players, team) for share, below in node.branches), Fraction(0))
    values = [paranoid(below, depth - 1, players, team) for _, below in node.branches]
    return max(values) if node.mover in team else min(values)


# EinStein würfelt nicht!


@dataclass(frozen=True)
class EinStein:
    """Stones by letter (A-F Red, a-f Blue) on squares (column, row from the bottom), and the die, 0 before the roll."""

    stones: tuple[tuple[str, int, int], ...]
    red_moves: bool
    die: int

    @classmethod
    def read(cls, text: str) -> EinStein:
        """Read the notation."""
        rows, side, *die = text.split()
        lines = ["".join("." * int(letter) if letter.isdecimal() else letter for letter in row) for row in rows.split("/")]
        found = [(letter, x, 4 - y) for y, row in enumerate(lines) for x, letter in enumerate(row) if letter != "."]
        return cls(tuple(sorted(found)), side == "r", int(die[0]) if die else 0)

    def numbers(self, red: bool) -> list[int]:
        """The numbers of a side's remaining stones."""
        letters = "ABCDEF" if red else "abcdef"
        return sorted(letters.index(letter) + 1 for letter, _, _ in self.stones if letter in letters)

    def winner(self) -> str:
        """The winner: `red`, `blue`, or empty."""
        if not self.numbers(False) or any(letter in "ABCDEF" and (x, y) == (4, 0) for letter, x, y in self.stones):
            return "red"
        if not self.numbers(True) or any(letter in "abcdef" and (x, y) == (0, 4) for letter, x, y in self.stones):
            return "blue"
        return ""

    def moves(self) -> list[str]:
        """The possible rolls or moves, in no particular order."""
        if self.winner():
            return []
        if not self.die:
            return list("123456")
        left = self.numbers(self.red_moves)
        may = [self.die] if self.die in left else []
        if not may:
            may += [max(n for n in left if n < self.die)] if min(left) < self.die else []
            may += [min(n for n in left if n > self.die)] if max(left) > self.die else []
        step = 1 if self.red_moves else -1
        letters = "ABCDEF" if self.red_moves else "abcdef"
        found = []
        for letter, x, y in self.stones:
            if letter in letters and letters.index(letter) + 1 in may:
                for right, down in ((1, 1), (1, 0), (0, 1)):
                    to = x + step * right, y - step * down
                    if 0 <= to[0] <= 4 and 0 <= to[1] <= 4:
                        found.append(f"{'abcde'[x]}{y + 1}{'abcde'[to[0]]}{to[1] + 1}")
        return found

    def play(self, move: str) -> EinStein:
        """The position after a roll or a move."""
        if not self.die:
            return EinStein(self.stones, self.red_moves, int(move))
        start = "abcde".index(move[0]), int(move[1]) - 1
        to = "abcde".index(move[2]), int(move[3]) - 1
        (who,) = [letter for letter, x, y in self.stones if (x, y) == start]
        rest = [stone for stone in self.stones if stone[1:] not in (start, to)]
        return EinStein(tuple(sorted([*rest, (who, *to)])), not self.red_moves, 0)


# Tic-tac-toe for three.


def open_lines(board: dict[tuple[int, int], str], width: int, height: int, k: int, name: str) -> int:
    """The number of lines of k cells without another player's mark."""
    return sum(all(board.get(cell, name) == name for cell in line) for line in rows_of(width, height, k))


def rows_of(width: int, height: int, k: int) -> list[list[tuple[int, int]]]:
    """All lines of k cells."""
    found = []
    for x in range(width):
        for y in range(height):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)) if k > 1 else ((1, 0),):
                line = [(x + i * dx, y + i * dy) for i in range(k)]
                if all(0 <= a < width and 0 <= b < height for a, b in line):
                    found.append(line)
    return found


def worth_to_all(rows: str, k: int, ply: int) -> tuple[float, ...]:
    """The values of a board for X, O and Z; a win counts by its distance, `ply` plies after the root."""
    lines = rows.split("/")
    board = {(x, y): letter for y, row in enumerate(lines) for x, letter in enumerate(row) if letter != "."}
    width, height = len(lines[0]), len(lines)
    for name in "XOZ":
        if any(all(board.get(cell) == name for cell in line) for line in rows_of(width, height, k)):
            return tuple(float(WIN - ply) if name == other else -(WIN - ply) / 2 for other in "XOZ")
    if len(board) == width * height:
        return 0.0, 0.0, 0.0
    counts = [open_lines(board, width, height, k, name) for name in "XOZ"]
    return tuple(float(3 * count - sum(counts)) for count in counts)
