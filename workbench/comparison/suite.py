"""A suite of comparisons: the same lanes on many positions, and how each lane did.

Searches run one after another, so that their times can be compared. Every finished one is written to a journal, and a suite
that was killed continues from there and comes to the same totals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean

from msgspec import Struct

from engines import catalog
from engines.contract import EngineFailed, InputError, Setting, shown
from engines.position import Position
from engines.run.search import Search
from positions.suites import Case, game_of, read_suite
from workbench.comparison.agreement import contradicts, disagreements, value_kind
from workbench.comparison.lanes import limit_of, work_of
from workbench.jobs.journal import Journal, digest_of
from workbench.jobs.workers import Workers, results
from workbench.proofs.truth import Run, truth_of
from workbench.sessions.comparison_types import (
    JudgedCell,
    LaneBudget,
    LaneSpec,
    LaneTotal,
    SuiteCell,
    SuiteHead,
    SuiteOutcome,
    SuiteRow,
    Truth,
    TruthRow,
)
from workbench.suites.job import answer, is_right, names_moves, score
from workbench.version import version

FORMAT = "plybench comparison 1"


class ComparisonSuite:
    """The positions of a file, the lanes, the budget, and the results so far."""

    def __init__(
        self,
        file: Path,
        cases: Sequence[Case],
        lanes: Sequence[LaneSpec],
        budget: LaneBudget,
        truth_nodes: int | None,
    ) -> None:
        self.file, self.lanes, self.budget, self.truth_nodes = file, tuple(lanes), budget, truth_nodes
        self.cases = [case for case in cases if not case.position.is_over]
        if not self.cases:
            raise InputError(f"The game is over in every position of {shown(str(file), 80)}.")
        if budget.evaluations is not None:
            raise InputError("A suite takes no budget in evaluations: it would not come out the same twice.")
        self.cells: dict[tuple[int, int], SuiteCell] = {}
        self.truths: dict[int, Truth | None] = {}
        self.resumed = 0
        for lane in self.lanes:
            algorithm = catalog.algorithm(lane.algorithm)
            for case in self.cases:
                if reason := catalog.misfit(algorithm, case.position):
                    raise InputError(f"{case.id}: {reason}")
            catalog.check_limit(algorithm, limit_of(budget, lane.algorithm, self.cases[0].position))

    @property
    def head(self) -> SuiteHead:
        """Everything that determines the results, written at the start of the journal."""
        said = [(*answer(case), *filter(None, (case.mate, case.points))) for case in self.cases]
        game = self.cases[0].position.game
        return SuiteHead(
            format=FORMAT,
            version=version(),
            game=game.id,
            size=game.size,
            positions=len(self.cases),
            digest=digest_of(said),
            lanes=self.lanes,
            budget=self.budget,
            truth_nodes=self.truth_nodes,
        )

    @property
    def searches(self) -> int:
        """The total number of searches."""
        return len(self.cases) * len(self.lanes)

    def resume(self, journal: Journal[SuiteHead]) -> None:
        """Take over the results that a journal contains."""
        for line, piece in journal.pieces(SuiteCell, TruthRow):
            if isinstance(piece, SuiteCell) and self._lacks(piece.position, piece.lane):
                self.cells[piece.position, piece.lane] = piece
            elif isinstance(piece, TruthRow) and self._lacks(piece.position):
                self.truths[piece.position] = piece.truth
            else:
                raise journal.damage(line)
        self.resumed = len(self.cells)

    def _lacks(self, position: int, lane: int | None = None) -> bool:
        """Whether the search of a lane (or the truth, without a lane) is part of the suite and not known yet."""
        if not 1 <= position <= len(self.cases):
            return False
        if lane is None:
            return position not in self.truths
        return 1 <= lane <= len(self.lanes) and (position, lane) not in self.cells

    def run(self, journal: Journal[SuiteHead], run: Run) -> Iterator[SuiteCell]:
        """Run the searches that are missing and yield each result. Ends early if the user interrupts a search, which is not
        kept."""
        for number, case in enumerate(self.cases, 1):
            for lane_number, lane in enumerate(self.lanes, 1):
                if (number, lane_number) in self.cells:
                    continue
                cell = self._search(case, number, lane_number, lane, run)
                if cell is None:
                    return
                journal.add(cell)
                self.cells[number, lane_number] = cell
                yield cell
            if self.truth_nodes is not None and number not in self.truths:
                stopped: list[bool] = []

                def watched(search: Search, stopped: list[bool] = stopped) -> bool:
                    stopped.append(run(search))
                    return stopped[-1]

                moves = [self.cells[number, lane].best_move for lane in range(1, len(self.lanes) + 1)]
                truth = truth_of(case.position, moves, self.truth_nodes, watched)
                if any(stopped):
                    return
                journal.add(TruthRow(position=number, truth=truth))
                self.truths[number] = truth

    def _search(self, case: Case, number: int, lane_number: int, lane: LaneSpec, run: Run) -> SuiteCell | None:
        search = search_of(case.position, lane, self.budget)
        return None if run(search) else cell_of(search, number, lane_number)

    def run_on(self, journal: Journal[SuiteHead], workers: Workers) -> Iterator[SuiteCell]:
        """Run the missing searches on workers, many at once; their times then mean less. All searches come before all
        truths."""
        lanes = list(enumerate(self.lanes, 1))
        missing = [
            self._task(number, lane_number, lane)
            for number in range(1, len(self.cases) + 1)
            for lane_number, lane in lanes
            if (number, lane_number) not in self.cells
        ]
        for _, cell in results(do_cell, missing, workers):
            journal.add(cell)
            self.cells[cell.position, cell.lane] = cell
            yield cell
        if self.truth_nodes is None:
            return
        unknown = [self._task(number) for number in range(1, len(self.cases) + 1) if number not in self.truths]
        for _, told in results(do_truth, unknown, workers):
            journal.add(told)
            self.truths[told.position] = told.truth

    def _task(self, number: int, lane_number: int = 0, lane: LaneSpec | None = None) -> SuiteTask:
        position = self.cases[number - 1].position
        found = [self.cells.get((number, place)) for place in range(1, len(self.lanes) + 1)] if lane is None else []
        return SuiteTask(
            game=position.game.id,
            size=position.game.size,
            options=position.game.options,
            text=position.text,
            number=number,
            lane_number=lane_number,
            lane=lane,
            budget=self.budget,
            moves=tuple(cell.best_move for cell in found if cell is not None),
            truth_nodes=self.truth_nodes or 0,
        )

    # Results.

    @property
    def is_complete(self) -> bool:
        """Whether every search is done and every requested truth is known."""
        searched = len(self.cells) == self.searches
        return searched and (self.truth_nodes is None or len(self.truths) == len(self.cases))

    def outcome(self) -> SuiteOutcome:
        """The result so far."""
        rows = [self._row(number, case) for number, case in enumerate(self.cases, 1)]
        done = [row for row in rows if len(row.cells) == len(self.lanes)]
        by: dict[str, int] = {}
        for row in done:
            what = row.judged[0].by
            by[what] = by.get(what, 0) + 1
        game = self.cases[0].position.game
        return SuiteOutcome(
            file=str(self.file),
            game=game.id,
            size=game.size,
            budget=self.budget,
            truth_nodes=self.truth_nodes,
            total=len(self.cases),
            done=len(done),
            complete=self.is_complete,
            resumed=self.resumed,
            lanes=tuple(self._total(lane, number, done) for number, lane in enumerate(self.lanes)),
            by=by,
            errors=tuple(error for row in done for error in self._errors(row)),
            rows=tuple(done),
            failures=tuple(
                f"{row.id}: {self.lanes[cell.lane - 1].name} has no answer. {cell.error}"
                for row in done
                for cell in row.cells
                if cell.error is not None
            ),
        )

    def _row(self, number: int, case: Case) -> SuiteRow:
        lanes = range(1, len(self.lanes) + 1)
        cells = tuple(self.cells[number, lane] for lane in lanes if (number, lane) in self.cells)
        truth = self.truths.get(number)
        return SuiteRow(
            number=number,
            id=case.id,
            position=case.position.text,
            truth=truth,
            cells=cells,
            judged=judged(case, cells, truth),
        )

    def _total(self, lane: LaneSpec, number: int, rows: Sequence[SuiteRow]) -> LaneTotal:
        cells = [row.cells[number] for row in rows]
        verdicts = [row.judged[number] for row in rows]
        told = [one for one in verdicts if one.right is not None]
        right = sum(bool(one.right) for one in told)
        regrets = [one.regret for one in verdicts if one.regret is not None]
        evaluations = [cell.evaluations for cell in cells]
        return LaneTotal(
            name=lane.name,
            algorithm=lane.algorithm,
            changed=lane.changed,
            positions=len(cells),
            judged=len(told),
            right=right,
            percent=round(100 * right / len(told), 1) if told else None,
            regret=round(fmean(regrets), 4) if regrets else None,
            depth=round(fmean(cell.depth for cell in cells), 2) if cells else 0.0,
            nodes=sum(cell.nodes for cell in cells),
            mean_nodes=round(fmean(cell.nodes for cell in cells), 1) if cells else 0.0,
            evaluations=None if None in evaluations else sum(one or 0 for one in evaluations),
            seconds=sum(cell.seconds for cell in cells),
            mean_seconds=fmean(cell.seconds for cell in cells) if cells else 0.0,
            first_moves=sum(row.cells[number].best_move == row.cells[0].best_move for row in rows),
        )

    def _errors(self, row: SuiteRow) -> Iterator[str]:
        """Yield a sentence for each disagreement, on one position, between lanes that must agree."""
        case = self.cases[row.number - 1]
        kinds = [value_kind(lane.algorithm, lane.parameters, case.position.game.id) for lane in self.lanes]
        for (one, kind), (other, other_kind) in combinations(zip(row.cells, kinds, strict=True), 2):
            names = f"{self.lanes[one.lane - 1].name} and {self.lanes[other.lane - 1].name}"
            if kind is not None and kind == other_kind and (depths := disagreements(one.depths, other.depths)):
                yield f"{row.id}: {names} are exact and disagree at depth {depths[0]}."
            proofs = [(cell.outcome, cell.distance, cell.value) for cell in (one, other) if cell.exact]
            if len(proofs) == 2 and contradicts(*proofs):
                yield f"{row.id}: {names} have proven different things."
        if row.truth is None:
            return
        true = (row.truth.outcome, row.truth.distance, row.truth.value)
        for cell in row.cells:
            if cell.exact and contradicts((cell.outcome, cell.distance, cell.value), true):
                yield f"{row.id}: {self.lanes[cell.lane - 1].name} has proven something that is not true."
        if case.score is not None and score(case.position, row.truth) != case.score:
            yield f"{row.id}: the file says {case.score:+d}, but {row.truth.source} proves otherwise."


class SuiteTask(Struct, frozen=True, kw_only=True):
    """Work for a worker: the search of one position by one lane, or, without a lane, the truth of the position and of the
    moves found."""

    game: str
    size: str
    options: dict[str, Setting]
    text: str
    number: int
    lane_number: int
    lane: LaneSpec | None
    budget: LaneBudget
    moves: tuple[str | None, ...]
    truth_nodes: int

    @property
    def position(self) -> Position:
        """The position to search."""
        return catalog.restore(self.text, self.game, self.size, self.options)


def do_cell(task: SuiteTask) -> SuiteCell:
    """Run the search of a task. Called in worker processes."""
    assert task.lane is not None
    return cell_of(search_of(task.position, task.lane, task.budget).run_here(), task.number, task.lane_number)


def do_truth(task: SuiteTask) -> TruthRow:
    """Find the truth for a task. Called in worker processes."""
    return TruthRow(position=task.number, truth=truth_of(task.position, task.moves, task.truth_nodes))


def search_of(position: Position, lane: LaneSpec, budget: LaneBudget) -> Search:
    """The search of a position by a lane."""
    limit = limit_of(budget, lane.algorithm, position)
    seen = position.judged_with(lane.options)
    return Search(seen, catalog.algorithm(lane.algorithm), limit, lane.parameters, lane.seed)


def cell_of(search: Search, number: int, lane_number: int) -> SuiteCell:
    """Run a search and return what is kept of it. If an external program fails, only this position is lost: the next search
    starts the program again."""
    try:
        report = search.report()
    except EngineFailed as error:
        return failed_cell(str(error), number, lane_number)
    work = work_of(report)
    return SuiteCell(
        position=number,
        lane=lane_number,
        value=report.value,
        best_move=report.best_move,
        depth=report.depth,
        exact=report.exact,
        outcome=report.outcome,
        distance=report.distance,
        nodes=work.nodes,
        evaluations=work.evaluations,
        seconds=report.seconds,
        stopped_by=report.stopped_by,
        depths={row.depth: row.value for row in report.depths},
    )


def failed_cell(error: str, number: int, lane_number: int) -> SuiteCell:
    """The record of a search that gave no answer."""
    return SuiteCell(
        position=number,
        lane=lane_number,
        value=None,
        best_move=None,
        depth=0,
        exact=False,
        outcome=None,
        distance=None,
        nodes=0,
        evaluations=None,
        seconds=0.0,
        stopped_by="failure",
        error=error,
    )


def judged(case: Case, cells: Sequence[SuiteCell], truth: Truth | None) -> tuple[JudgedCell, ...]:
    """How each lane did on a position: by what the file says, else by the truth, else by the lane that searched deepest."""
    regrets = [found.regret if truth and (found := truth.of(cell.best_move)) else None for cell in cells]
    if names_moves(case):
        return tuple(
            JudgedCell(right=is_right(case, cell.best_move), by="the file", regret=regret)
            for cell, regret in zip(cells, regrets, strict=True)
        )
    if any(regret is not None for regret in regrets):
        return tuple(
            JudgedCell(
                right=regret == 0 if regret is not None else False if cell.error else None, by="the truth", regret=regret
            )
            for cell, regret in zip(cells, regrets, strict=True)
        )
    answers = [cell for cell in cells if cell.error is None]
    deepest = max(answers, key=lambda cell: (cell.exact, cell.depth, cell.nodes), default=None)
    return tuple(
        JudgedCell(
            right=None if cell is deepest or deepest is None else cell.best_move == deepest.best_move, by="the deepest lane"
        )
        for cell in cells
    )


def read_cases(
    file: Path,
    game: str | None,
    size: str | None,
    settings: dict[str, str],
    most: int | None,
    tell: Callable[[str], None] = lambda sentence: None,
) -> tuple[str, list[Case]]:
    """The name of the game and the positions of a file, each with the right answer if the file has one. `tell` receives
    sentences about lines that cannot be read."""
    name = game or game_of(file)
    catalog.game(name)
    return name, read_suite(file, name, size, settings, most, answered=False, tell=tell)
