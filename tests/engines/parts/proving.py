"""Proof searches that come to their end, with the proof of what they found."""

from __future__ import annotations

from typing import Any

from engines import catalog
from engines.contract import Limit, Report
from engines.parts.proof.driver import Proving
from engines.parts.proof.maker import EFFORT, make_proof
from engines.position import Position
from engines.proofs.document import Proof
from engines.rules import WIN
from engines.run.memory import Memory
from engines.run.search import Search
from tests.engines import checks
from tests.thorough import LONG

PROVERS = ("pns", "pn2", "dfpn", "pds")
RESULTS = {"first": WIN, "draw": 0, "second": -WIN}


def proven(
    position: Position, algorithm: str, memory: Memory | None = None, effort: int = EFFORT, **parameters: Any
) -> tuple[Report, Proof]:
    """The report of a search that comes to its end, and the proof."""
    memory = memory or Memory(most=512 if LONG else 1)
    found = catalog.algorithm(algorithm)
    search = Search(position, found, Limit(iterations=3_000_000), parameters, seed=3, memory=memory).run_here()
    report = search.report()
    assert report.exact, (position.text, algorithm, report.stopped_by)
    result = RESULTS[report.outcome] if report.outcome else round((report.value or 0) * position.game.unit)
    grower = checks.grown_by(memory)
    prover = grower.prover if isinstance(grower, Proving) else None
    return report, make_proof(position, result, algorithm, prover, effort=effort)
