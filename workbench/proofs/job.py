"""Makes a proof in the background, so that it can be watched and stopped. For the app it also checks the proof and builds
its tree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from engines import catalog
from engines.contract import InputError, Limit, Report
from engines.parts.proof.driver import Proving
from engines.parts.proof.maker import EFFORT, MOST_POSITIONS, Interrupted, make_proof
from engines.position import Position
from engines.proofs.checker import check
from engines.proofs.document import Proof, write_proof
from engines.rules import WIN
from engines.run.background import Background
from engines.run.resume import Resumable
from engines.run.work import UNLIMITED, Work, new_work
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from workbench.jobs.compile import compile_first
from workbench.render.values import counted

BY = "dfpn"
"""The algorithm that searches the positions a proof needs and that the search has not kept."""


class ProofWork(Background):
    """Makes the proof of what a search has reported. The search's own tree or table makes that quick, and so do the tables
    of solved positions if the search used them. `nodes` limits what has to be searched again."""

    def __init__(
        self,
        position: Position,
        report: Report,
        kept: Resumable[Any] | None,
        most: int = MOST_POSITIONS,
        effort: int = EFFORT,
        nodes: int = UNLIMITED,
    ) -> None:
        if report.outcome is None and not report.exact:
            raise InputError("Nothing is proven, so there is no proof to write.")
        if reason := catalog.misfit(catalog.algorithm(BY), position):
            raise InputError(f"There is no proof of it to write: {reason}")
        super().__init__("proof", new_work())
        self.position, self.report, self.most, self.effort, self.nodes = position, report, most, effort, nodes
        grown = kept.grown if kept is not None else None
        self.prover = grown.prover if isinstance(grown, Proving) else None
        self._proof: Proof | None = None

    def do(self) -> None:
        """Make the proof."""
        solved = None
        if catalog.algorithm(self.report.algorithm).looks_up or self.report.parameters.get("tables"):
            solved = catalog.solved_tables(self.position)
        made_by, result = self.report.algorithm, self._result()
        self._proof = make_proof(self.position, result, made_by, self.prover, self.most, self._lend, solved, self.effort)

    def _lend(self, work: Work) -> None:
        self.work = work
        work.budget = self.nodes
        if self.stopped_by is not None:  # it was stopped meanwhile
            work.budget = 0

    def _result(self) -> int:
        if self.report.outcome is not None:
            return {"first": WIN, "second": -WIN, "draw": 0}[self.report.outcome]
        assert self.report.value is not None
        return round(self.report.value * self.position.game.unit)

    def proof(self) -> Proof:
        """Wait for the end and return the proof: the shortest one, or, if it was stopped while looking for that, any valid
        one."""
        self.finish()
        assert self._proof is not None
        return self._proof


class CheckedProof(Background):
    """Makes a proof or reads it from a file, checks it by the rules alone, and builds its tree. Raises InputError if the
    proof does not hold."""

    proof: Proof
    recording: Recording

    def __init__(self, source: ProofWork | Path) -> None:
        super().__init__("checked proof", new_work())
        self.source = source
        self.stage = "Reading the proof"
        self.checked = 0
        """The number of positions checked so far."""

    def stop(self, why: Any = "request") -> None:
        super().stop(why)
        if isinstance(self.source, ProofWork):
            self.source.stop(why)

    def do(self) -> None:
        """Make or read the proof, check it, and build its tree."""
        self.proof = Proof.load(self.source) if isinstance(self.source, Path) else self._made(self.source)
        self.stage = "Checking it by the rules alone"
        verdict = check(self.proof, self._go_on)
        if not verdict.holds:
            raise InputError(f"This is not a proof. {verdict.faults[0]}")
        self.stage = "Drawing its tree"
        self.recording = recorded(self.proof, lambda: self._go_on(self.checked))

    def _made(self, making: ProofWork) -> Proof:
        game = making.position.game
        self.stage = f"Compiling {BY} for {game.title}, once"
        compile_first(BY, game, lambda: self.stopped_by is not None)
        self.stage = "Writing the proof"
        self._go_on(0)
        return making.run_here().proof()

    def _go_on(self, positions: int) -> None:
        self.checked = positions
        if self.stopped_by is not None:
            raise Interrupted("The proof was not finished.")

    def says(self) -> str:
        """A sentence on what it is doing, and how far it is."""
        if self.checked:
            return f"{self.stage} ... {counted(self.checked, 'position')}"
        nodes = self.source.counters().nodes if isinstance(self.source, ProofWork) else 0
        return f"{self.stage} ... {counted(nodes, 'node')}" if nodes else f"{self.stage} ..."


def recorded(proof: Proof, go_on: Callable[[], None] = lambda: None) -> Recording:
    """The tree of a valid proof as a recording that can be browsed like a search's. `go_on` is called often and may raise an
    exception to end the work."""
    position = proof.position
    game, line = position.game, proof.parts[0].line() if proof.parts else []
    moves = game.line_text(position.state, line)
    edges = sum(len(part.moves) for part in proof.parts)
    report = Report(
        game=game.id,
        size=game.size,
        options=game.options,
        position=position.text,
        algorithm=BY,
        parameters={},
        limit=Limit(),
        seed=0,
        value=game.shown_value(proof.result) if proof.outcome is None else None,
        exact=True,
        outcome=proof.outcome,
        distance=None,
        best_move=moves[0] if moves else None,
        pv=moves,
        pv_cut_short=False,
        depth=0,
        nodes=len(proof),
        leaves=0,
        evaluations=0,
        cutoffs=0,
        first_move_cutoffs=0,
        selective_depth=0,
        distance_nodes=0,
        seconds=0.0,
        compile_seconds=0.0,
        nodes_per_second=0.0,
        stopped_by="solved",
        table=None,
        depths=(),
        root_moves=(),
    )
    tape = new_tape(edges + len(proof.parts))
    write_proof(proof, tape, edges + len(proof.parts), go_on)
    return Recording.of(tape, report, "first")
