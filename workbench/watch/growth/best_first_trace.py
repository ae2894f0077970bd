"""The trace of best-first minimax: values on the way down the best line, and up again."""

from __future__ import annotations

from engines.algorithm import Algorithm
from workbench.recordings.why.values import short_value
from workbench.render.values import counted
from workbench.watch.growth.expanded import Growing, ValuedNode
from workbench.watch.growth.proof_words import capital
from workbench.watch.growth.trace import GrowthMoment, GrowthTrace
from workbench.watch.trace import Happening, Variable

MOST_CHILDREN = 8
"""So many children are named with their values."""


class ValuedTrace(GrowthTrace):
    """The events of a search that expands the end of the line that looks best for both."""

    kinds = ("began", "selected", "expanded", "updated")
    own_marks = (("!", "settled"),)

    def __init__(self, told: Growing, algorithm: Algorithm, notice: str) -> None:
        super().__init__(told.position, algorithm, told.history, notice)
        self.told, self.game = told, told.position.game

    @property
    def landmarks(self) -> tuple[str, ...]:
        return ("expanded",)

    def known(self, moment: GrowthMoment, node: int) -> ValuedNode:
        """What is known of a node."""
        found: ValuedNode = moment.state(node)
        return found

    def shown(self, value: int) -> str:
        """A value, short."""
        return short_value(value, self.game).replace(" ", "")

    def value(self, moment: GrowthMoment, node: int) -> str:
        known = self.known(moment, node)
        if self.history.parent[node] < 0 and known.best < 0:
            return ""
        return self.shown(known.value) + ("!" if known.settled else "")

    def detail(self, moment: GrowthMoment, node: int) -> str:
        return ""

    def is_done(self, moment: GrowthMoment, node: int) -> bool:
        return self.known(moment, node).settled

    def line(self, moment: GrowthMoment) -> tuple[int, ...]:
        """The line that is best for both."""
        line = [0]
        while (best := self.known(moment, line[-1]).best) >= 0 and moment.state(best) is not None:
            line.append(best)
        return tuple(line) if len(line) > 1 else ()

    def mover(self, node: int) -> str:
        """Who moves at a node."""
        return self.game.players[0 if self.history.turn[node] > 0 else 1]

    def named(self, node: int) -> str:
        """The move that leads to a node, inside a sentence."""
        if self.history.parent[node] < 0:
            return "the root"
        name = self.move(node)
        return f"move {name}" if name.isdecimal() else name

    def variables(self, moment: GrowthMoment) -> tuple[Variable, ...]:
        node = moment.here
        known, children = self.known(moment, node), moment.children(node)
        found = [Variable("to move", self.mover(node))]
        if children:
            found += [
                Variable("value", self.value(moment, node) or "none yet"),
                Variable("settled", "yes" if known.settled else "no"),
            ]
        side = self.history.turn[node]
        children.sort(key=lambda child: -side * self.known(moment, child).value)
        for child in children[:MOST_CHILDREN]:
            its = self.known(moment, child)
            found.append(Variable(self.move(child), self.shown(its.value) + (" settled" if its.settled else "")))
        if len(children) > MOST_CHILDREN:
            found.append(Variable("…", f"{len(children) - MOST_CHILDREN} more, none better"))
        return tuple(found)

    def steps(self, moment: GrowthMoment, event: Happening) -> tuple[str, ...]:
        if event.kind == "updated" and self.known(moment, event.node).settled:
            return "settled", "updated"
        return (event.kind,)

    def sentence(self, moment: GrowthMoment, event: Happening) -> str:
        node = event.node
        if event.kind == "began":
            return "The tree begins with its root, of which nothing is known."
        if event.kind == "selected" and event.child is not None:
            return self._selected(moment, node, event.child)
        return self._expanded(moment, node) if event.kind == "expanded" else self._updated(moment, node)

    def _selected(self, moment: GrowthMoment, node: int, child: int) -> str:
        children = [self.known(moment, one) for one in moment.children(node)]
        settled = sum(one.settled for one in children)
        value, left = self.shown(self.known(moment, child).value), len(children) - settled
        goes = f"{self.mover(node)} would play {self.named(child)}"
        rest = f" {counted(settled, 'move')} {'is' if settled == 1 else 'are'} settled and passed over." if settled else ""
        if left == 1:
            return f"{goes}: it is the only move {'that is not settled' if settled else 'there is'} ({value}).{rest}"
        return f"{goes}: its value {value} is the best for {self.mover(node)}, of {left:,} moves.{rest}"

    def _expanded(self, moment: GrowthMoment, node: int) -> str:
        children = [self.known(moment, one) for one in moment.children(node)]
        over = sum(one.settled for one in children)
        valued = len(children) - over
        said = [f"the evaluation values {valued:,}"] if valued else []
        said += [f"{over:,} {'is' if over == 1 else 'are'} settled at once"] if over else []
        end = "The root" if self.history.parent[node] < 0 else f"The end of the best line, after {self.named(node)},"
        return f"{end} is expanded. {counted(len(children), 'move')}: {', '.join(said)}."

    def _updated(self, moment: GrowthMoment, node: int) -> str:
        before, now = moment.before(node), self.known(moment, node)
        where, best = capital(self.named(node)), self.named(now.best)
        was, value = self.shown(before.value), self.shown(now.value)
        if before.best < 0:
            said = f"{where} is worth {value} now, as its best child for {self.mover(node)}, {best}, is."
            if self.history.parent[node] >= 0 and was != value:
                said = f"{where} is worth {value} and not {was}: its best child for {self.mover(node)}, {best}, is."
        elif was != value:
            better = "rises" if now.value > before.value else "falls"
            said = f"The value of {self.named(node)} {better} from {was} to {value}, that of its best child for "
            said += f"{self.mover(node)}, {best}."
        else:
            said = f"The value of {self.named(node)} stays {value}, that of its best child for {self.mover(node)}, {best}."
        if now.settled and not before.settled:
            said += f" It is settled: {self._why_settled(moment, node, now)}."
        elif before.what_counts == now.what_counts and self.history.parent[node] >= 0:
            said += " So nothing changes above."
        elif now.following not in (NOTHING, now.best) and now.following != before.following:
            said += f" Next time the search goes on to {self.named(now.following)}, as {best} is settled."
        return said

    def _why_settled(self, moment: GrowthMoment, node: int, now: ValuedNode) -> str:
        if all(self.known(moment, child).settled for child in moment.children(node)):
            return "all its children are"
        return f"{self.mover(node)} has won with {self.named(now.best)}"


NOTHING = -1
