"""A row of the table: a task, our figure, a peer's figure, how they compare, and whether that is good enough."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Unit = Literal[
    "leaves/s", "nodes/s", "playouts/s", "s", "ms", "solved", "positions", "moves", "games", "points", "lines", "%", "/s"
]


class Target(Struct, frozen=True, kw_only=True):
    """What is asked of a result: at least so much, or less than so much."""

    at_least: float | None = None
    below: float | None = None

    def is_met(self, result: float) -> bool:
        """The result is good enough."""
        enough = self.at_least is None or result >= self.at_least
        return enough and (self.below is None or result < self.below)


class Row(Struct, frozen=True, kw_only=True):
    """One comparison. `result` is what the target is about; None if it was not measured, for want of a peer or for what the
    note says. Then `ours` may be missing too."""

    task: str
    ours: float | None
    unit: Unit
    result: float | None
    result_unit: Unit | Literal["x", "s more"]
    peer: str | None = None
    theirs: float | None = None
    target: Target | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None if there is none, or nobody to measure it with."""
        return None if self.target is None or self.result is None else self.target.is_met(self.result)

    @property
    def is_open(self) -> bool:
        """There is a target, and it was not measured."""
        return self.target is not None and self.result is None

    @property
    def verdict(self) -> str:
        """`met`, `missed`, `not measured`, or nothing."""
        return "not measured" if self.is_open else {None: "", True: "met", False: "missed"}[self.met]

    def as_json(self) -> dict[str, Any]:
        """Everything about the row, the verdict included."""
        fields: dict[str, Any] = {name: getattr(self, name) for name in self.__struct_fields__}
        return {**fields, "met": self.met}


def times_faster(
    task: str, unit: Unit, ours: float, peer: str, theirs: float | None, at_least: float | None = None, note: str = ""
) -> Row:
    """A row whose result is how many times faster than the peer Plybench is, from two rates or two durations. A peer without
    a figure is not installed."""
    result = None if theirs is None else ours / theirs if unit.endswith("/s") else theirs / ours
    return Row(
        task=task,
        ours=ours,
        unit=unit,
        peer=peer,
        theirs=theirs,
        result=result,
        result_unit="x",
        target=None if at_least is None else Target(at_least=at_least),
        note=note,
    )


def not_measured(task: str, unit: Unit, target: Target, note: str = "", peer: str | None = None) -> Row:
    """A row for what could not be measured: the note says why, or the peer is not installed."""
    return Row(task=task, ours=None, unit=unit, result=None, result_unit=unit, peer=peer, target=target, note=note)
