"""The trace of df-pn and PDS: visits with limits for both numbers, and the numbers with which positions are left."""

from __future__ import annotations

from engines.algorithm import Algorithm
from engines.rules import INFINITE
from workbench.render.values import counted
from workbench.watch.growth.expanded import Numbers
from workbench.watch.growth.proof_trace import ProvingTrace
from workbench.watch.growth.proof_words import capital, change_words, number
from workbench.watch.growth.trace import GrowthMoment
from workbench.watch.growth.visits import Limits, Visits
from workbench.watch.trace import Happening, Variable


class VisitsTrace(ProvingTrace):
    """The events of a proof search that goes depth first, with a table in place of a tree."""

    kinds = ("asked", "entered", "expanded", "selected", "left", "returned", "answered")

    def __init__(self, told: Visits, algorithm: Algorithm, notice: str) -> None:
        super().__init__(told.position, algorithm, told.history, notice)
        self.told, self.both = told, told.both

    @property
    def landmarks(self) -> tuple[str, ...]:
        return ("entered",)

    def question(self, root: int) -> str:
        """What is asked at a root."""
        return self.root_position.game.question(self.told.questions[root])

    def limits(self, moment: GrowthMoment) -> Limits | None:
        """The limits of the visit that an event belongs to."""
        return self.told.limits.get(moment.at - 1)

    def variables(self, moment: GrowthMoment) -> tuple[Variable, ...]:
        found = self.gate_variables(moment, moment.here)
        limits = self.limits(moment)
        if limits is not None:
            found[1:3] = [
                Variable("proof", f"{found[1].value} of {number(limits.proof)}"),
                Variable("disproof", f"{found[2].value} of {number(limits.disproof)}"),
            ]
        return tuple(found)

    def steps(self, moment: GrowthMoment, event: Happening) -> tuple[str, ...]:
        if event.kind == "entered" and self.history.parent[event.node] < 0:
            return "root", "entered"
        return (event.kind,)

    def sentence(self, moment: GrowthMoment, event: Happening) -> str:
        node = event.node
        if event.kind == "asked":
            return self.question(node)
        if event.kind == "answered":
            answer, which = ("Yes", "proof") if self.numbers(moment, node).proof == 0 else ("No", "disproof")
            return f"{self.question(node)} {answer}: the {which} number of the root is 0."
        if event.kind == "selected" and event.child is not None:
            return self._selected(moment, node, event.child) if self.both else self.selected_words(moment, node, event.child)
        if event.kind == "returned" and event.child is not None:
            return self._returned(moment, node, event.child)
        return {"entered": self._entered, "expanded": self._expanded, "left": self._left}[event.kind](moment, node)

    def _selected(self, moment: GrowthMoment, node: int, child: int) -> str:
        """Why PDS goes on to a child: numbers that are no larger than one that was reached here before count as equal."""
        known = {one: self.numbers(moment, one) for one in moment.children(node)}
        near, far = self.names(node)
        its, least = self.near(node, known[child]), min(self.near(node, one) for one in known.values())
        own_far = number(self.far(node, known[child]))
        goes = f"{self.mover(node)}: on to {self.named(child)}"
        if len(known) == 1:
            return f"{goes}, the only move."
        if its > least:
            small = f"is no larger than one that was reached here, and its {far} {own_far} is small"
            return f"{goes}: its {near} {number(its)} {small}."
        equal = sum(self.near(node, one) == least for one in known.values())
        among = f", and of the {equal:,} that have it its {far} {own_far} is the least" if equal > 1 else ""
        return f"{goes}: its {near} {number(its)} is the least of {len(known):,}{among}."

    def _entered(self, moment: GrowthMoment, node: int) -> str:
        limits = self.limits(moment)
        assert limits is not None
        first = self.history.born[node] + 1 == moment.at or not moment.children(node)
        comes = "The search comes" if first else "The search comes back"
        to = "begins at the root" if self.history.parent[node] < 0 else f"to {self.named(node)}"
        comes = f"The search {to}" if to.startswith("begins") else f"{comes} {to}"
        return f"{comes}, {self._until(limits)}."

    def _until(self, limits: Limits) -> str:
        """When a visit ends."""
        if limits.proof >= INFINITE and limits.disproof >= INFINITE:
            return "and stays until it is solved"
        parts = [
            f"the {name} number is {number(limit)}{' or more' if limit < INFINITE else ''}"
            for name, limit in (("proof", limits.proof), ("disproof", limits.disproof))
        ]
        if not self.both:
            parts = [part for part, limit in zip(parts, limits, strict=True) if limit < INFINITE]
        return f"and stays until {(' and ' if self.both else ' or ').join(parts)}, or it is solved"

    def _expanded(self, moment: GrowthMoment, node: int) -> str:
        met = self.told.met[moment.at - 1]
        all_moves = len(self.position(node).game.legal_moves(self.position(node).state))
        known = self.numbers(moment, node)
        if known.is_solved and self.near(node, known) == 0:
            decides = self.named(known.best)
            others = all_moves - len(met)
            left = f", and {counted(others, 'move')} {'needs' if others == 1 else 'need'} no look" if others else ""
            return f"{capital(self.where(node))}: {decides} decides it{left}."
        numbers = [self.numbers(moment, child) for child in met]
        solved = sum(one.is_solved for one in numbers)
        new = sum(self.history.born[child] + 1 == moment.at for child in met)
        said = [f"{new:,} for the first time"] if new else []
        said += [f"{solved:,} solved"] if solved else []
        own = f"proof {number(known.proof)}, disproof {number(known.disproof)}"
        looked = f" ({', '.join(said)})" if said else ""
        return f"{capital(self.where(node))}: {counted(len(met), 'move')} looked up{looked}; that makes {own}."

    def _left(self, moment: GrowthMoment, node: int) -> str:
        known, limits = self.numbers(moment, node), self.limits(moment)
        assert limits is not None
        where = capital(self.where(node))
        own = f"{number(known.proof)} and {number(known.disproof)}"
        if self.told.stopped_at is not None and moment.at > self.told.stopped_at:
            return f"The limit of the search is reached, so that it goes back. {where} is left with {own}."
        if known.is_solved:
            which = "proof" if known.proof == 0 else "disproof"
            return f"{where} is solved: its {which} number is 0. Both go into the table."
        reached = [
            f"the {name} number has reached its limit {number(limit)}"
            for name, value, limit in (
                ("proof", known.proof, limits.proof),
                ("disproof", known.disproof, limits.disproof),
            )
            if value >= limit
        ]
        return f"{where} is left with {own}: {' and '.join(reached)}. Both go into the table."

    def _returned(self, moment: GrowthMoment, node: int, child: int) -> str:
        before: Numbers = moment.before(node)
        now, limits = self.numbers(moment, node), self.limits(moment)
        assert limits is not None
        near, far = self.names(node)
        its = self.numbers(moment, child)
        one = change_words(near, self.near(node, before), self.near(node, now), self.where(node))
        other = change_words(far, self.far(node, before), self.far(node, now), "it").replace(" of it", "")
        is_stopped = self.told.stopped_at is not None and moment.at > self.told.stopped_at
        goes = (
            ""
            if is_stopped or now.is_solved or self._has_reached(now, limits)
            else " That is below the limits: it goes on here."
        )
        back = f"{capital(self.named(child))} comes back with {number(its.proof)} and {number(its.disproof)}"
        return f"{back}: {one}; {other}.{goes}"

    def _has_reached(self, known: Numbers, limits: Limits) -> bool:
        """Whether a visit ends with these numbers."""
        reached = known.proof >= limits.proof, known.disproof >= limits.disproof
        return all(reached) if self.both else any(reached)
