"""Writing a proof in the background, as any other work: it may be watched and stopped."""

from __future__ import annotations

from typing import Any

from engines.contract import InputError, Report
from engines.game import Position
from engines.parts.growing import Kept
from engines.parts.proving import Proving
from engines.parts.work import Work, new_work
from engines.proof import Proof
from engines.proof_making import make_proof
from engines.rules import WIN
from engines.runner import Background


class ProofWork(Background):
    """Makes the proof of what a search has reported; what it kept, a tree or a table, makes that quick."""

    def __init__(self, position: Position, report: Report, kept: Any, most: int) -> None:
        super().__init__("proof", new_work())
        self.position, self.report, self.most = position, report, most
        proving = kept.grower if isinstance(kept, Kept) else None
        self.prover = proving.prover if isinstance(proving, Proving) else None
        self._proof: Proof | None = None

    def do(self) -> None:
        """Make it."""
        self._proof = make_proof(self.position, self._result(), self.report.algorithm, self.prover, self.most, self._lend)

    def _lend(self, work: Work) -> None:
        self.work = work

    def _result(self) -> int:
        if self.report.outcome is not None:
            return {"first": WIN, "second": -WIN, "draw": 0}[self.report.outcome]
        assert self.report.value is not None
        return round(self.report.value * self.position.game.unit)

    def proof(self) -> Proof:
        """Wait for the end and return it."""
        self.finish()
        if self._proof is None:
            raise InputError("The proof was not finished.")
        return self._proof
