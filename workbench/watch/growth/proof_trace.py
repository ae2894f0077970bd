"""The trace of PNS and PN2: proof and disproof numbers, on the way down to the most proving node and up again."""

from __future__ import annotations

from engines.algorithm import Algorithm
from workbench.render.values import counted
from workbench.watch.growth.expanded import Growing, Numbers
from workbench.watch.growth.proof_words import capital, change_words, number, pair, sum_words
from workbench.watch.growth.trace import GrowthMoment, GrowthTrace
from workbench.watch.trace import Happening, Variable

MOST_CHILDREN = 8
"""So many children are named with their numbers."""


class ProvingTrace(GrowthTrace):
    """What all searches with proof numbers show of a node: both numbers, and whether it is solved."""

    own_marks = (("6/1", "proof and disproof number"), ("yes no", "solved"))

    def numbers(self, moment: GrowthMoment, node: int) -> Numbers:
        """What is known of a node."""
        found: Numbers = moment.state(node)
        return found

    def value(self, moment: GrowthMoment, node: int) -> str:
        known = self.numbers(moment, node)
        if leaf := self.written(node):
            return leaf
        return "yes" if known.proof == 0 else "no" if known.disproof == 0 else ""

    def detail(self, moment: GrowthMoment, node: int) -> str:
        known = self.numbers(moment, node)
        return pair(known.proof, known.disproof)

    def is_done(self, moment: GrowthMoment, node: int) -> bool:
        return self.numbers(moment, node).is_solved

    def line(self, moment: GrowthMoment) -> tuple[int, ...]:
        """The most proving line, or the one that decided."""
        line = [moment.path[0]]
        while (best := self.numbers(moment, line[-1]).best) >= 0 and moment.state(best) is not None:
            line.append(best)
        return tuple(line) if len(line) > 1 else ()

    def is_or(self, node: int) -> bool:
        """Whether the first player moves: one good move is enough for a yes."""
        return self.history.turn[node] > 0

    def near(self, node: int, known: Numbers) -> int:
        """The number of whoever moves at a node: the least of the children's."""
        return known.proof if self.is_or(node) else known.disproof

    def far(self, node: int, known: Numbers) -> int:
        """The other number: the sum of the children's."""
        return known.disproof if self.is_or(node) else known.proof

    def names(self, node: int) -> tuple[str, str]:
        """What the near and the far number of a node are called."""
        return ("proof number", "disproof number") if self.is_or(node) else ("disproof number", "proof number")

    def where(self, node: int) -> str:
        """A node, inside a sentence."""
        return "the root" if self.history.parent[node] < 0 else self.named(node)

    def named(self, node: int) -> str:
        """The move that leads to a node, inside a sentence."""
        name = self.move(node)
        return f"move {name}" if name.isdecimal() else name

    def mover(self, node: int) -> str:
        """Who moves at a node, and what that makes of it."""
        players = self.root_position.game.players
        return f"{players[0]} moves (OR)" if self.is_or(node) else f"{players[1]} moves (AND)"

    def gate_variables(self, moment: GrowthMoment, node: int) -> list[Variable]:
        """Both numbers of a node, and those of its children."""
        known = self.numbers(moment, node)
        players = self.root_position.game.players
        found = [
            Variable("node", f"OR, {players[0]}" if self.is_or(node) else f"AND, {players[1]}"),
            Variable("proof", number(known.proof)),
            Variable("disproof", number(known.disproof)),
        ]
        children = sorted(
            moment.children(node), key=lambda child: (child != known.best, self.near(node, self.numbers(moment, child)))
        )
        for child in children[:MOST_CHILDREN]:
            its = self.numbers(moment, child)
            found.append(Variable(self.move(child), f"{number(its.proof)} / {number(its.disproof)}"))
        if len(children) > MOST_CHILDREN:
            found.append(Variable("…", f"{len(children) - MOST_CHILDREN} more"))
        return found

    def children_words(self, moment: GrowthMoment, node: int) -> str:
        """How many new positions there are, and which are solved at once."""
        children = [self.numbers(moment, child) for child in moment.children(node)]
        yes, no = sum(one.proof == 0 for one in children), sum(one.disproof == 0 for one in children)
        still_open = [one for one in children if not one.is_solved]
        said = []
        if still_open:
            alike = len({one.what_counts for one in still_open}) == 1
            begins = "begin" if len(still_open) > 1 else "begins"
            whole = "all" if len(still_open) == len(children) > 1 else f"{len(still_open):,}"
            numbers = f" with {number(still_open[0].proof)} and {number(still_open[0].disproof)}"
            said.append(f"{whole} {begins}{numbers if alike else ' with numbers of their own'}")
        said += [f"{yes:,} {'is' if yes == 1 else 'are'} a yes"] if yes else []
        said += [f"{no:,} {'is' if no == 1 else 'are'} a no"] if no else []
        return f"{counted(len(children), 'move')}: {', '.join(said)}"

    def selected_words(self, moment: GrowthMoment, node: int, child: int) -> str:
        """Why the search goes on to a child."""
        near, _ = self.names(node)
        its = self.near(node, self.numbers(moment, child))
        children = moment.children(node)
        goes = f"{self.mover(node)}: on to {self.named(child)}"
        least = min(self.near(node, self.numbers(moment, one)) for one in children)
        if len(children) == 1:
            return f"{goes}, the only move."
        if its > least:
            by_chance = f"is near enough to the least, {number(least)}, and it was taken by chance"
            return f"{goes}: its {near} {number(its)} {by_chance}."
        equal = sum(self.near(node, self.numbers(moment, one)) == least for one in children)
        which = "the least" if equal == 1 else f"the least, as {equal:,} have"
        return f"{goes}: its {near} {number(its)} is {which}, of {len(children):,} moves."

    def updated_words(self, moment: GrowthMoment, node: int, before: Numbers) -> str:
        """How both numbers of a node come out of its children's."""
        now = self.numbers(moment, node)
        children = [self.numbers(moment, child) for child in moment.children(node)]
        near, far = self.names(node)
        fars = [self.far(node, child) for child in children]
        added = sum_words(fars)
        summed = f"the sum of its children's{f' ({added})' if added else ''}"
        where = self.where(node)
        one = change_words(near, self.near(node, before), self.near(node, now), where)
        other = change_words(far, self.far(node, before), self.far(node, now), "it").replace(" of it", "")
        return f"{capital(one)}, the least of its children's; {other}, {summed}."


class ProofTrace(ProvingTrace):
    """The events of a proof search that keeps its tree."""

    kinds = ("asked", "selected", "grown", "expanded", "updated", "answered")

    def __init__(self, told: Growing, algorithm: Algorithm, notice: str) -> None:
        super().__init__(told.position, algorithm, told.history, notice)
        self.told = told

    @property
    def landmarks(self) -> tuple[str, ...]:
        return ("expanded",)

    def question(self, root: int) -> str:
        """What is asked at a root."""
        return self.root_position.game.question(self.told.questions[root])

    def variables(self, moment: GrowthMoment) -> tuple[Variable, ...]:
        return tuple(self.gate_variables(moment, moment.here))

    def steps(self, moment: GrowthMoment, event: Happening) -> tuple[str, ...]:
        return f"{event.kind} {'or' if self.is_or(event.node) else 'and'}", event.kind

    def sentence(self, moment: GrowthMoment, event: Happening) -> str:
        node = event.node
        if event.kind == "asked":
            known = self.numbers(moment, node)
            return f"{self.question(node)} The root begins with {number(known.proof)} and {number(known.disproof)}."
        if event.kind == "answered":
            answer, which = ("Yes", "proof") if self.numbers(moment, node).proof == 0 else ("No", "disproof")
            return f"{self.question(node)} {answer}: the {which} number of the root is 0."
        if event.kind == "selected" and event.child is not None:
            return self.selected_words(moment, node, event.child)
        where = capital(self.where(node))
        if event.kind == "grown":
            nodes = counted(self.told.second_trees[moment.at - 1], "node")
            return f"{where} is the most proving node. A second search grows a tree of {nodes} from there."
        if event.kind == "expanded":
            if moment.at - 2 in self.told.second_trees:
                kept = "are kept with the numbers that the second search found; the rest is forgotten"
                return f"{counted(len(moment.children(node)), 'move')} of {self.where(node)} {kept}."
            return f"{where} is the most proving node, and is expanded. {self.children_words(moment, node)}."
        return self._updated(moment, node)

    def _updated(self, moment: GrowthMoment, node: int) -> str:
        before, now = moment.before(node), self.numbers(moment, node)
        ends = before.what_counts == now.what_counts and not self.told.spread and self.history.parent[node] >= 0
        return self.updated_words(moment, node, before) + (" So nothing changes above." if ends else "")
