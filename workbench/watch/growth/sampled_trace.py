"""The trace of UCT, PPA and flat Monte Carlo: visits and means, the formula that chooses, the random games."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from engines.algorithm import Algorithm
from engines.contract import listed
from engines.parts.sampling.iteration import proven_worth
from engines.parts.sampling.tree import UNKNOWN
from engines.position import Position
from workbench.render.values import counted, likelihood_text, number_text
from workbench.watch.growth.sampled import SampledNode, Sampling, learnt_moves, random_game
from workbench.watch.growth.trace import GrowthMoment, GrowthTrace
from workbench.watch.trace import Happening, Node, Variable

MOST_OPTIONS = 8
"""So many candidates are named, the best first."""
MOST_MOVES = 16
"""So many moves of a random game are named."""
MOST_LEARNT = 4
"""So many weights are named."""


class Option(NamedTuple):
    """A move that can be selected, with both terms of the formula, for the side that moves."""

    node: int
    mean: float
    exploration: float
    games: int

    @property
    def promise(self) -> float:
        """The sum of both terms."""
        return self.mean + self.exploration

    def words(self) -> str:
        """The terms and their sum."""
        return f"{self.mean:.3f} + {self.exploration:.3f} = {self.promise:.3f}"


class SampledTrace(GrowthTrace):
    """The events of a search that samples random games."""

    kinds = ("selected", "expanded", "sampled", "learned", "updated")
    own_marks = (("+0.25", "mean result"), ("n 8", "visits"), ("!", "proven"))

    def __init__(self, told: Sampling, algorithm: Algorithm, notice: str) -> None:
        super().__init__(told.position, algorithm, told.history, notice)
        self.told, self.game = told, told.position.game

    # What is known of nodes.

    def seen(self, moment: GrowthMoment, node: int) -> SampledNode:
        """What is known of a node's position, and the games by this way."""
        own, home = moment.state(node), moment.state(self.told.home[node])
        if own is None or home is None:
            return SampledNode()
        known: SampledNode = home._replace(games=own.games)
        return known

    @cached_property
    def _merged(self) -> dict[int, list[int]]:
        """The nodes whose position is another node's too, by the node where it is known."""
        found: dict[int, list[int]] = {}
        for node, home in enumerate(self.told.home):
            if node != home:
                found.setdefault(home, []).append(node)
        return found

    def touched(self, number: int) -> Iterable[Node]:
        changed = self.history.changed(number)
        return [*changed, *(node for home in changed for node in self._merged.get(home, ()))]

    def is_won_by(self, node: int) -> int:
        """From whose side the mean of a node is told: the side that chose it; at the root the one that moves."""
        above = self.history.parent[node]
        turn = self.history.turn[node if above < 0 else above]
        return 1 if turn >= 0 else -1

    def mean_for(self, seen: SampledNode, side: int) -> float:
        """The mean of a node for a side, from 0 to 1."""
        mean = seen.total / seen.visits
        return mean if side > 0 else 1.0 - mean

    def value(self, moment: GrowthMoment, node: int) -> str:
        seen = self.seen(moment, node)
        if not seen.visits:
            return ""
        if seen.proven != UNKNOWN:
            return f"{number_text(self.game.shown_mean(proven_worth(seen.proven)), self.game)}!"
        return number_text(round(self.game.shown_mean(seen.total / seen.visits), 2), self.game)

    def detail(self, moment: GrowthMoment, node: int) -> str:
        games = self.seen(moment, node).games
        return f"n {games:,}" if games else ""

    def is_done(self, moment: GrowthMoment, node: int) -> bool:
        return self.seen(moment, node).proven != UNKNOWN

    def line(self, moment: GrowthMoment) -> tuple[int, ...]:
        """The moves that would be played: the most visited ones."""
        line = [0]
        while True:
            home = self.told.home[line[-1]]
            children = moment.children(home)
            if not children or self.history.turn[home] == 0 or (home != line[-1]):
                break
            best = max(children, key=lambda child: self._preference(moment, home, child))
            if not self.seen(moment, best).games:
                break
            line.append(best)
        return tuple(line) if len(line) > 1 else ()

    def _preference(self, moment: GrowthMoment, node: int, child: int) -> tuple[float, int, float]:
        seen, side = self.seen(moment, child), self.history.turn[node]
        if not seen.visits:
            return -2.0, 0, 0.0
        proven = 0.0 if seen.proven in (UNKNOWN, 2) else float(side * seen.proven)
        return proven, seen.games, self.mean_for(seen, side)

    # The formula.

    def options(self, moment: GrowthMoment, node: int) -> list[Option]:
        """The moves that are weighed at a node, with both terms, in their order."""
        visits = self.seen(moment, node).visits
        side = self.history.turn[node]
        found = []
        for child in moment.children(node):
            seen = self.seen(moment, child)
            if seen.games and seen.visits and seen.proven == UNKNOWN:
                exploration = self.told.how.k * math.sqrt(math.log(visits)) / math.sqrt(seen.games)
                found.append(Option(child, self.mean_for(seen, side), exploration, seen.games))
        return found

    def mover(self, node: int) -> str:
        """Who moves at a node."""
        turn = self.history.turn[node]
        return self.game.nature if turn == 0 else self.game.players[0 if turn > 0 else 1]

    def named(self, node: int) -> str:
        """The move that leads to a node, inside a sentence."""
        name = self.move(node)
        return f"move {name}" if name.isdecimal() else name

    # In words.

    def variables(self, moment: GrowthMoment) -> tuple[Variable, ...]:
        event = moment.event
        assert event is not None
        found = [Variable("iteration", f"{moment.chapter + 1:,}")]
        if event.kind == "selected" and event.child is not None:
            found.append(Variable("to move", self.mover(event.node)))
            if self.told.chooses and self.history.turn[event.node] != 0:
                found += self._formula(moment, event)
            return tuple(found)
        seen, before = self.seen(moment, event.node), moment.before(event.node)
        if event.kind == "updated":
            was = before.games if before is not None else 0
            found.append(Variable("visits", f"{was:,} → {seen.games:,}"))
            found.append(Variable("mean", self._means(moment, event.node)))
        elif event.kind == "sampled":
            found.append(Variable("result", f"{self._worth(moment):.4g}"))
        return tuple(found)

    def _formula(self, moment: GrowthMoment, event: Happening) -> list[Variable]:
        """Both terms of every candidate."""
        found = [Variable("K", f"{self.told.how.k:g}"), Variable("visits", f"{self.seen(moment, event.node).visits:,}")]
        options = sorted(self.options(moment, event.node), key=lambda one: (one.node != event.child, -one.promise))
        found += [Variable(self.move(one.node), f"{one.words()} (n {one.games:,})") for one in options[:MOST_OPTIONS]]
        if len(options) > MOST_OPTIONS:
            found.append(Variable("…", f"{len(options) - MOST_OPTIONS} more, none larger"))
        return found

    def _worth(self, moment: GrowthMoment) -> float:
        return self.told.iterations[moment.chapter].worth

    def _means(self, moment: GrowthMoment, node: int) -> str:
        side, home = self.is_won_by(node), self.told.home[node]
        before, now = self.history.state(home, moment.at - 1), self.seen(moment, node)
        was = f"{self.mean_for(before, side):.3f}" if before is not None and before.visits else "–"
        return f"{was} → {self.mean_for(now, side):.3f}"

    def sentence(self, moment: GrowthMoment, event: Happening) -> str:
        if event.kind == "selected" and event.child is not None:
            return self._selected(moment, event.node, event.child)
        told = {"expanded": self._expanded, "sampled": self._sampled, "learned": self._learned, "updated": self._updated}
        return told[event.kind](moment, event.node)

    def _selected(self, moment: GrowthMoment, node: int, child: int) -> str:
        if self.history.turn[node] == 0:
            likely = self.game.likelihood(self.position(node).state, self.history.moves[child])
            return f"{self.mover(node)} decides: {self.named(child)} is drawn (probability {likelihood_text(likely)})."
        takes = f"{self.mover(node)} takes {self.named(child)}"
        if not self.told.chooses:
            games = self.seen(moment, child).games
            so_far = f"{counted(games, 'game')} so far" if games else "for the first time"
            return f"All moves take turns: now it is {self.named(child)} ({so_far})."
        seen, options = self.seen(moment, child), self.options(moment, node)
        if seen.proven != UNKNOWN:
            return f"{takes}: all that it leads to is known, and nothing else is left to look at."
        chosen = next(one for one in options if one.node == child)
        terms = f"its mean {chosen.mean:.3f} + exploration {chosen.exploration:.3f} = {chosen.promise:.3f}"
        others = self._left_out(moment, node)
        if len(options) == 1:
            return f"{takes}: {terms}; it is the only move that can be taken.{others}"
        equal = sum(one.promise == chosen.promise for one in options) > 1
        largest = f"{'the first of the largest' if equal else 'the largest'} of {len(options)}"
        return f"{takes}: {terms} is {largest}.{others}"

    def _left_out(self, moment: GrowthMoment, node: int) -> str:
        """Which moves are not weighed, with a blank before it."""
        said = []
        settled = sum(self.seen(moment, child).proven != UNKNOWN for child in moment.children(node))
        untried = self.told.listed.get(node, 0) - len(moment.children(node))
        if settled:
            said.append(f"{counted(settled, 'move')} whose result is proven {'is' if settled == 1 else 'are'} passed over.")
        if untried and self.told.how.widening > 0:
            said.append(
                f"{counted(untried, 'move')} {'is' if untried == 1 else 'are'} not tried yet: widening allows no more."
            )
        return "".join(f" {one}" for one in said)

    def _expanded(self, moment: GrowthMoment, node: int) -> str:
        above = self.history.parent[node]
        if above < 0:
            return "The tree begins with its root."
        if self.history.turn[above] == 0:
            return (
                f"{self.mover(above)} decides: {self.named(node)} is drawn, for the first time. Its position joins the tree."
            )
        others = self.told.listed[above] - len(moment.children(above))
        waiting = f"{counted(others, 'more')}".replace("mores", "more") if others else ""
        rest = f", {waiting} {'waits' if others == 1 else 'wait'}" if others else ", the last one"
        return f"{self.mover(above)} tries {self.named(node)}, which was never tried{rest}. Its position joins the tree."

    def _sampled(self, moment: GrowthMoment, node: int) -> str:
        iteration = self.told.iterations[moment.chapter]
        leaf, batch = self.position(node), self.told.how.batch
        first = self.game.players[0]
        each = f"{iteration.worth:.4g} for {first}" if self.game.player_count > 1 else f"{iteration.worth:.4g}"
        if not iteration.sampled:
            if leaf.is_over:
                return f"The game is over here: {ending(leaf)}. That counts {each}, and no random game is needed."
            return f"What this comes to is proven. That counts {each}, and no random game is needed."
        way = [self.history.moves[step] for _, step in self.history.on_the_way(node)]
        moves = random_game(self.told, moment.chapter, leaf, way)
        if moves is None:
            return f"Random games from here come to {each}."
        texts = self.game.pretty_line(leaf.state, self.game.line_text(leaf.state, moves))
        end = leaf
        for move in moves:
            end = end.play(move)
        said = " ".join(texts[:MOST_MOVES]) + (" …" if len(texts) > MOST_MOVES else "")
        how = ending(end) if end.is_over else f"not over: the evaluation judges it ({each})"
        if batch > 1:
            return f"{batch:,} random games begin here, together {each}. The first: {said} ({how})."
        counts = "" if not end.is_over else f" That counts {each}."
        return f"{counted(len(moves), 'random move')} from here: {said}. In the end: {how}.{counts}"

    def _learned(self, moment: GrowthMoment, node: int) -> str:
        winner, moves = learnt_moves(self.told, moment.chapter, self.position(node))
        named = [f"{_move(one.text)} from {one.before:.3f} to {one.after:.3f}" for one in moves[:MOST_LEARNT]]
        rest = f", and {len(moves) - MOST_LEARNT} more" if len(moves) > MOST_LEARNT else ""
        count = len(self.told.iterations[moment.chapter].learnt)
        changed = f"{counted(count, 'weight')} {'has' if count == 1 else 'have'} changed"
        weights = f": {listed(named)}{rest}" if named else ""
        return f"{winner} won, so the policy learns. {changed}, among them those of {winner}'s moves{weights}."

    def _updated(self, moment: GrowthMoment, node: int) -> str:
        seen, before = self.seen(moment, node), moment.before(node)
        was = before.games if before is not None else 0
        where = "The root" if self.history.parent[node] < 0 else self.named(node)
        where = f"{where[0].upper()}{where[1:]}" if where.startswith("move ") else where
        side = self.game.players[0 if self.is_won_by(node) > 0 else 1]
        of = f" for {side}" if self.game.player_count > 1 else ""
        said = f"{where}: visits {was:,} → {seen.games:,}, mean{of} {self._means(moment, node)}."
        old = self.history.state(self.told.home[node], moment.at - 1)
        if seen.proven != UNKNOWN and (old is None or old.proven == UNKNOWN):
            what = {1: f"{self.game.players[0]} wins", -1: f"{self.game.players[1]} wins", 2: "a draw"}[seen.proven]
            said += f" Now it is proven: {what}."
        return said


def _move(name: str) -> str:
    """A move inside a sentence: one that is a mere number is called a move."""
    return f"move {name}" if name.isdecimal() else name


def ending(position: Position) -> str:
    """How a game has ended."""
    game, worth = position.game, position.result * position.turn
    if not game.has_winner:
        return f"{game.players[0]} gets {game.shown_value(worth):g}"
    return f"{game.players[0]} wins" if worth > 0 else f"{game.players[1]} wins" if worth < 0 else "a draw"
