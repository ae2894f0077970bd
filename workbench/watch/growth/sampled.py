"""A Monte Carlo search as it grew its tree: written down iteration by iteration, in four phases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from engines.parts.sampling.driver import Sampler
from engines.parts.sampling.iteration import Growth
from engines.parts.sampling.playout import Uniform, drawn
from engines.parts.sampling.tree import PLY, ROOT, UNKNOWN, AnyTree, LinkedTree, home_of, merges
from engines.position import Position
from engines.rules import ONGOING, move_code, play, result
from engines.run.work import new_work, shuffled
from engines.tape.tape import NOBODY
from workbench.watch.growth.history import History
from workbench.watch.growth.rerun import Rerun

NO_GAME = 0.0


class SampledNode(NamedTuple):
    """What is known of a node: the games by this very way; and of its position all visits, the sum of their results for the
    first player, and what is proven."""

    games: int = 0
    visits: int = 0
    total: float = 0.0
    proven: int = UNKNOWN


class Learnt(NamedTuple):
    """A move that the winner of a random game made, and its weight before and after."""

    text: str
    before: float
    after: float


@dataclass
class GrownIteration:
    """What one iteration did."""

    end: int
    """The node from which it sampled."""
    random: Any
    """The random bits before it."""
    draws: int
    """How often random bits were drawn before the first random game."""
    worth: float
    """The sum of the results, for the first player."""
    sampled: bool
    """Random games were played; else the game was over, or its result proven."""
    made: tuple[int, ...] | None
    """The moves of the random game, if the player remembers them."""
    learnt: tuple[tuple[int, float, float], ...] = ()
    """Where the weights are that have changed, and what they were before and after."""


@dataclass
class Sampling:
    """A whole search that was written down."""

    history: History
    position: Position
    how: Growth
    player: Any
    chooses: bool
    """Moves are chosen by a formula; else they take turns."""
    iterations: list[GrownIteration] = field(default_factory=list)
    home: list[int] = field(default_factory=list)
    """For each node the one that has the statistics of its position: itself, but for transpositions."""
    listed: dict[int, int] = field(default_factory=dict)
    """How many moves a node has, once they are listed."""
    merges: bool = False


class SamplingRecorder:
    """Writes down what each iteration changed."""

    def __init__(self, rerun: Rerun) -> None:
        self.rerun, self.work, self.done = rerun, rerun.search.run.work, 0
        self.history = History()
        self.numbers: dict[int, int] = {}
        self.random = np.uint64(self.work.random)
        self.playouts, self.worth = 0, NO_GAME
        self.told: Sampling | None = None
        self.weights: Any = None

    def see(self, _: Any) -> None:
        """One more iteration is done."""
        if int(self.work.iterations) == self.done:
            return
        kept = self.rerun.search.run.memory.kept
        assert kept is not None
        sampler: Sampler = kept.grown
        tree = sampler.tree
        if self.told is None:
            chooses = self.rerun.algorithm.watchable
            self.told = Sampling(self.history, self.rerun.position, sampler.team.how, sampler.player, chooses)
            self.told.merges = isinstance(tree, LinkedTree) and bool(merges(tree))
            if hasattr(sampler.player, "policy"):
                self.weights = np.zeros_like(sampler.player.policy.weights)
        self._write(self.told, sampler, tree)
        self.done, self.random = int(self.work.iterations), np.uint64(self.work.random)
        self.playouts = int(self.work.playouts)

    def _write(self, told: Sampling, sampler: Sampler, tree: AnyTree) -> None:
        history, way = self.history, self._way(told, tree)
        history.begin()
        draws = 0
        if ROOT not in self.numbers:
            history.happen("expanded", 0)
            self._add(told, tree, NOBODY, ROOT)
        for above, below in pairwise(way):
            over = int(home_of(tree, above))
            parent, by_chance = self.numbers[over], int(tree.nodes["turn"][over]) == 0
            told.listed[parent] = int(tree.nodes["count"][over])
            draws += by_chance
            if below in self.numbers:
                history.happen("selected", parent, self.numbers[below], end=self.numbers[below])
                continue
            draws += not by_chance and told.chooses
            if not told.chooses:
                history.happen("selected", parent, len(history.parent), end=len(history.parent))
                self._add(told, tree, parent, below)
            else:
                history.happen("expanded", len(history.parent))
                self._add(told, tree, parent, below)
        end = self.numbers[way[-1]]
        sampled = int(self.work.playouts) > self.playouts
        total = float(tree.nodes["total"][ROOT])
        iteration = GrownIteration(end, self.random, draws, total - self.worth, sampled, self._made(sampler, sampled))
        self.worth = total
        history.happen("sampled", end)
        if self.weights is not None and sampled:
            iteration.learnt = self._learnt(sampler)
            if iteration.learnt:
                history.happen("learned", end)
        for node in reversed(way):
            self._back_up(told, tree, node, end)
        told.iterations.append(iteration)

    def _way(self, told: Sampling, tree: AnyTree) -> list[int]:
        """The nodes of the tree through which the iteration went."""
        if told.chooses:
            return [int(node) for node in tree.path[: int(tree.path[PLY]) + 1]]
        first, count = int(tree.nodes["first"][ROOT]), int(tree.nodes["count"][ROOT])
        for child in range(first, first + count):
            known = self.numbers.get(child)
            if int(tree.nodes["visits"][child]) != (self.history.now(known).visits if known is not None else 0):
                return [ROOT, child]
        return [ROOT]

    def _add(self, told: Sampling, tree: AnyTree, parent: int, node: int) -> None:
        """A node that was come to for the first time."""
        home = int(home_of(tree, node))
        self.numbers[node] = len(self.history.parent)
        told.home.append(self.numbers[home])
        self.history.add(parent, int(tree.nodes["move"][node]), int(tree.nodes["turn"][home]), SampledNode())

    def _back_up(self, told: Sampling, tree: AnyTree, node: int, end: int) -> None:
        """One node is told how it ended."""
        number = self.numbers[node]
        self.history.happen("updated", number, end=end)
        home = told.home[number]
        row = tree.nodes[int(home_of(tree, node))]
        games = self.history.now(number).games + told.how.batch
        known = SampledNode(games, int(row["visits"]), float(row["total"]), int(row["proven"]))
        if home != number:
            self.history.change(home, known._replace(games=self.history.now(home).games))
        self.history.change(number, known)

    def _made(self, sampler: Sampler, sampled: bool) -> tuple[int, ...] | None:
        """The moves of the last random game, if the player has noted them."""
        if not sampled or isinstance(sampler.player, Uniform):
            return None
        return tuple(int(move) for move in sampler.player.made[: int(sampler.player.length[0])])

    def _learnt(self, sampler: Sampler) -> tuple[tuple[int, float, float], ...]:
        """Which weights of the policy have changed."""
        weights = sampler.player.policy.weights
        places = np.flatnonzero(weights != self.weights).tolist()
        found = tuple((place, float(self.weights[place]), float(weights[place])) for place in places)
        self.weights[places] = weights[places]
        return found


# The random game, played once more when it is asked for.


def random_game(told: Sampling, number: int, leaf: Position, way: Sequence[int]) -> tuple[int, ...] | None:
    """The moves of the (first) random game of an iteration, which began at a leaf to which these moves lead; None if it
    cannot be told."""
    iteration = told.iterations[number]
    if iteration.made is not None or not isinstance(told.player, Uniform):
        return iteration.made
    game, bits = leaf.game, iteration.random
    rules, state, scratch = game.rules_for(told.position), told.position.state, new_work()
    result(rules, state)
    for move in way:
        state = play(rules, state, move)
        result(rules, state)
    made: list[int] = []
    with np.errstate(over="ignore"):
        for _ in range(iteration.draws):
            bits = shuffled(bits)
        while result(rules, state) == ONGOING and len(made) != (told.player.plies or -1):
            bits = shuffled(bits)
            made.append(int(drawn(rules, scratch, state, bits)))
            state = play(rules, state, made[-1])
    return tuple(made)


def learnt_moves(told: Sampling, number: int, leaf: Position) -> tuple[str, list[Learnt]]:
    """Who won the random game of an iteration, and the winner's moves with their weights before and after."""
    iteration, policy = told.iterations[number], told.player.policy
    weights = {place: (before, after) for place, before, after in iteration.learnt}
    positions = [leaf]
    for move in iteration.made or ():
        positions.append(positions[-1].play(move))
    winner = 1 if positions[-1].result * positions[-1].turn > 0 else -1
    found: dict[str, Learnt] = {}
    for before, move in zip(positions, iteration.made or (), strict=False):
        game = before.game
        place = int(move_code(game.rules, before.state, move)) & (len(policy.weights) - 1)
        if before.turn == winner and place in weights:
            (text,) = game.pretty_line(before.state, (game.move_text(before.state, move),))
            found.setdefault(text, Learnt(text, *weights[place]))
    return leaf.game.players[0 if winner > 0 else 1], list(found.values())
