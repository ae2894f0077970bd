"""Writing a proof in the background, as any other work: it may be watched and stopped."""

from __future__ import annotations

from typing import Any

from engines.contract import InputError, Report
from engines.game import Position
from engines.parts.growing import Kept
from engines.parts.proving import Proving
from engines.parts.work import Work, new_work
from engines.proof import Proof
from engines.proof_making import EFFORT, make_proof
from engines.rules import WIN
from engines.runner import Background


class ProofWork(Background):
    """Makes the proof of what a search has reported; what it kept, a tree or a table, makes that quick, and so do tables of
    solved positions, if it looked into them."""

    def __init__(self, position: Position, report: Report, kept: Any, most: int, effort: int = EFFORT) -> None:
        super().__init__("proof", new_work())
        self.position, self.report, self.most, self.effort = position, report, most, effort
        proving = kept.grower if isinstance(kept, Kept) else None
        self.prover = proving.prover if isinstance(proving, Proving) else None
        self._proof: Proof | None = None

    def do(self) -> None:
        """Make it."""
        shelf = None
        if self.report.algorithm == "retrograde" or self.report.parameters.get("tables"):
            from engines.tables.shelf import shelf_for

            shelf = shelf_for(self.position)
        made_by, result = self.report.algorithm, self._result()
        self._proof = make_proof(self.position, result, made_by, self.prover, self.most, self._lend, shelf, self.effort)

    def _lend(self, work: Work) -> None:
        self.work = work
        if self.told_by is not None:  # in the meantime
            work.budget = 0

    def _result(self) -> int:
        if self.report.outcome is not None:
            return {"first": WIN, "second": -WIN, "draw": 0}[self.report.outcome]
        assert self.report.value is not None
        return round(self.report.value * self.position.game.unit)

    def proof(self) -> Proof:
        """Wait for the end and return it: the shortest, or, if it was stopped while that was looked for, one that holds."""
        self.finish()
        if self._proof is None:
            raise InputError("The proof was not finished.")
        return self._proof
