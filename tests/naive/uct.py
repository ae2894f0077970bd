"""UCT in the simplest way on the naive games: objects for nodes, a list for the path, and the same random numbers as
`engines`, from which nothing is imported."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

BITS = 2**64 - 1


class Chance:
    """The xorshift64 generator, initialised by the splitmix64 finaliser of the seed."""

    def __init__(self, seed: int) -> None:
        x = (seed + 1) * 0x9E3779B97F4A7C15 & BITS
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & BITS
        x = (x ^ x >> 27) * 0x94D049BB133111EB & BITS
        self.bits = (x ^ x >> 31) or 1

    def below(self, n: int) -> int:
        x = self.bits
        x ^= x << 13 & BITS
        x ^= x >> 7
        x ^= x << 17 & BITS
        self.bits = x
        return (x >> 33) * n >> 31

    def fraction(self) -> float:
        self.below(1)
        return (self.bits >> 11) / 2**53


@dataclass
class Node:
    """A visited position, the move that led there, and its results for the first player."""

    game: Any
    visits: int = 0
    total: float = 0.0
    untried: list[str] | None = None
    children: dict[str, Node] = field(default_factory=dict)


def worth(game: Any) -> float:
    """The result of a finished game for the first player: 1, ½ or 0."""
    value = game.result()
    return 1.0 if value > 0 else 0.0 if value < 0 else 0.5


def play_out(game: Any, chance: Chance) -> float:
    """Play random moves to the end; returns the result."""
    while game.result() is None:
        moves = game.moves()
        game = game.play(moves[chance.below(len(moves))])
    return worth(game)


def promise(parent: Node, child: Node, k: float) -> float:
    """The UCT formula for the side that moves at the parent."""
    mean = child.total / child.visits
    mean = mean if parent.game.turn() > 0 else 1.0 - mean
    return mean + k * math.sqrt(math.log(parent.visits)) / math.sqrt(child.visits)


def take_one(untried: list[str], chance: Chance) -> str:
    """Remove and return a random element; the first one takes its place in the list."""
    at = chance.below(len(untried))
    untried[0], untried[at] = untried[at], untried[0]
    return untried.pop(0)


def uct(game: Any, iterations: int, seed: int, k: float = 0.4, player: Any = play_out) -> Node:
    """The root after so many iterations."""
    chance, root = Chance(seed), Node(game)
    for _ in range(iterations):
        path = [root]
        while path[-1].visits and path[-1].game.result() is None:
            node = path[-1]
            if node.untried is None:
                node.untried = node.game.moves()
            if node.untried:
                move = take_one(node.untried, chance)
                node.children[move] = Node(node.game.play(move))
            else:
                move = max(node.children, key=lambda move: promise(node, node.children[move], k))
            path.append(node.children[move])
        leaf = path[-1].game
        result = worth(leaf) if leaf.result() is not None else player(leaf, chance)
        for node in path:
            node.visits += 1
            node.total += result
    return root


class Learner:
    """PPA's playout player: weights by a move's name and player; after a game the weights of the winner's moves grow."""

    def __init__(self, alpha: float, simple: bool = False) -> None:
        self.alpha, self.simple = alpha, simple
        self.weights: dict[tuple[str, int], float] = {}

    def odds(self, game: Any) -> list[float]:
        weights = [self.weights.get((move, game.turn()), 1.0 if self.simple else 0.0) for move in game.moves()]
        return weights if self.simple else [math.exp(weight) for weight in weights]

    def __call__(self, start: Any, chance: Chance) -> float:
        game, played = start, []
        while game.result() is None:
            odds = self.odds(game)
            rest = chance.fraction() * sum(odds)
            at = 0
            while (rest := rest - odds[at]) >= 0:
                at += 1
            played.append((game, game.moves()[at]))
            game = game.play(played[-1][1])
        result = worth(game)
        if result != 0.5:
            self.learn([pair for pair in played if (pair[0].turn() > 0) == (result == 1.0)])
        return result

    def learn(self, good: list[tuple[Any, str]]) -> None:
        if self.simple:
            for game, move in good:
                count = self.weights.get((move, game.turn()), 1.0)
                self.weights[move, game.turn()] = count + (2 if count < 10 else 4 if count < 100 else 1)
            return
        changes: dict[tuple[str, int], float] = {}
        for game, move in good:
            odds = self.odds(game)
            for other, odd in zip(game.moves(), odds, strict=True):
                change = self.alpha * ((other == move) - odd / sum(odds))
                changes[other, game.turn()] = changes.get((other, game.turn()), 0.0) + change
        for kind, change in changes.items():
            self.weights[kind] = self.weights.get(kind, 0.0) + change
