"""The rows of the table: a task, our figure, a peer's figure, their ratio, and whether the target is met."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Unit = Literal[
    "leaves/s", "nodes/s", "playouts/s", "s", "ms", "solved", "positions", "moves", "games", "points", "lines", "%", "/s"
]


class Target(Struct, frozen=True, kw_only=True):
    """A target for a result: a minimum, or a maximum that is not reached, or both."""

    at_least: float | None = None
    below: float | None = None

    def is_met(self, result: float) -> bool:
        """Whether the result meets the target."""
        enough = self.at_least is None or result >= self.at_least
        return enough and (self.below is None or result < self.below)


class Row(Struct, frozen=True, kw_only=True):
    """One comparison. `result` is what the target refers to; None if it was not measured, because a peer is missing or for
    the reason in the note. Then `ours` may be None too."""

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
        """Whether the target is met; None if there is no target, or no result."""
        return None if self.target is None or self.result is None else self.target.is_met(self.result)

    @property
    def is_open(self) -> bool:
        """Whether there is a target without a result."""
        return self.target is not None and self.result is None

    @property
    def verdict(self) -> str:
        """`met`, `missed`, `not measured`, or empty."""
        return "not measured" if self.is_open else {None: "", True: "met", False: "missed"}[self.met]

    def as_json(self) -> dict[str, Any]:
        """All fields of the row and its verdict."""
        fields: dict[str, Any] = {name: getattr(self, name) for name in self.__struct_fields__}
        return {**fields, "met": self.met}


def times_faster(
    task: str, unit: Unit, ours: float, peer: str, theirs: float | None, at_least: float | None = None, note: str = ""
) -> Row:
    """A row whose result is how many times faster than the peer Plybench is, from two rates or two durations. If `theirs` is
    None, the peer is not installed."""
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
