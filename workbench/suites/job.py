"""`plybench suite`: run an algorithm on all positions of a file, and count how many it gets right.

Every finished position is written to a journal, and a suite that was killed continues from there. If an external program
crashes, only the current position is lost, and the program is started again.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from engines import catalog
from engines.algorithm import Algorithm
from engines.contract import MAX_DEPTH, EngineFailed, InputError, Limit, Report, Setting, listed
from engines.contract import Outcome as Winner
from engines.game import SHOWN_WIN
from engines.position import Position
from engines.run.background import Background
from engines.run.search import Search
from positions.suites import Case, counts_games, game_of, read_suite
from workbench.jobs.journal import Journal, digest_of
from workbench.suites.perft import Counting
from workbench.version import version

FORMAT = "plybench suite 1"
COUNTING = "perft"
"""The name in place of an algorithm where games are counted."""
POLL = 0.01


class CaseResult(Struct, frozen=True, kw_only=True):
    """The result for one position."""

    number: int
    line: int
    id: str
    position: str
    best: tuple[str, ...]
    avoid: tuple[str, ...]
    score: int | None
    """The right score; None if the file has none."""
    solved: bool
    best_move: str | None
    found_score: int | None
    """The score that was found; None if it is not proven."""
    value: float | None
    depth: int
    solved_depth: int | None
    """The depth from which on the answer was right up to the end; None if it was wrong."""
    nodes: int
    seconds: float
    stopped_early: bool
    """Whether the search was stopped because the answer had been right for long enough."""
    mate: int | None = None
    found_mate: int | None = None
    """The moves to mate for the side to move: `mate` is right, `found_mate` was found."""
    points: int | None = None
    most_points: int | None = None
    """The points of the move found (`points`) and of the best move, where the file has points."""
    counts: dict[int, int] = {}
    found_counts: dict[int, int] = {}
    """The number of games by their length in plies: `counts` is right, `found_counts` was found."""
    error: str | None = None
    """A sentence on why there is no answer; None if there is one."""


class Head(Struct, frozen=True, kw_only=True):
    """Everything that determines the results of a suite; two runs with the same head do the same work."""

    format: str
    version: str
    game: str
    size: str
    options: dict[str, Setting]
    positions: int
    digest: str
    """A digest of all positions and of the right answers."""
    algorithm: str
    parameters: dict[str, Setting]
    limit: Limit
    early: int | None


class Outcome(Struct, frozen=True, kw_only=True):
    """The results of a whole suite."""

    file: str
    game: str
    algorithm: str
    parameters: dict[str, Setting]
    limit: Limit
    early: int | None
    total: int
    done: int
    solved: int
    percent: float
    nodes: int
    seconds: float
    mean_seconds: float
    complete: bool
    """False if the run was interrupted: then only `done` positions are included."""
    positions: tuple[CaseResult, ...]
    failed: int = 0
    """The number of positions without an answer, because an external program failed."""
    points: int | None = None
    most_points: int | None = None
    """The points of all moves found (`points`) and of the best moves, where the file has points."""
    resumed: int = 0
    """The number of results that were taken over from the journal."""


class Suite:
    """A file of positions, how they are searched, and the results so far."""

    def __init__(
        self,
        file: Path,
        game: str | None = None,
        algorithm: str | None = None,
        limit: Limit | None = None,
        settings: Mapping[str, str] | None = None,
        size: str | None = None,
        most: int | None = None,
        early: int | None = None,
    ) -> None:
        self.file = file
        self.game = game or game_of(file)
        kind = catalog.game(self.game)
        if not kind.suite_algorithms and not counts_games(file):
            having = [name for name in catalog.GAMES if catalog.game(name).suite_algorithms]
            raise InputError(f"There are suites for {listed(having)}, not for {self.game}.")
        names = kind.suite_algorithms or catalog.compiled_algorithms_for(self.game)
        name = algorithm or next(name for name in names if name in catalog.ALGORITHMS)
        self.algorithm: Algorithm = catalog.algorithm(name)
        for_game, rest = catalog.split_settings(settings or {}, self.game, name)
        self.parameters = catalog.read_settings(self.algorithm.parameters, rest, self.game)
        self.skipped: list[str] = []
        """Sentences about lines that could not be read."""
        self.cases = read_suite(file, self.game, size, for_game, most, tell=self.skipped.append)
        self.counts = all(case.counts for case in self.cases)
        """Whether games are counted and nothing is searched."""
        if self.counts and (algorithm is not None or rest):
            raise InputError("The file says how many games there are. They are counted, which takes no algorithm.")
        if self.counts and limit is not None and limit.seconds is not None:
            raise InputError("Counts are limited by --depth, or by --nodes for the most to count, not by --seconds.")
        self.limit = limit or Limit()
        if self.limit == Limit() and not self.counts:
            self.limit = Limit(seconds=kind.suite_seconds)
        self.early = early
        self.results: dict[int, CaseResult] = {}
        """The results so far, by the number of the case."""
        self.resumed = 0

    @property
    def name(self) -> str:
        """The algorithm's id, or the name in its place."""
        return COUNTING if self.counts else self.algorithm.id

    @property
    def head(self) -> Head:
        """Everything that determines the results, written at the start of the journal."""
        said = [(*answer(case), case.mate, case.points, case.counts) for case in self.cases]
        game = self.cases[0].position.game
        return Head(
            format=FORMAT,
            version=version(),
            game=game.id,
            size=game.size,
            options=dict(game.options),
            positions=len(self.cases),
            digest=digest_of(said),
            algorithm=self.name,
            parameters={} if self.counts else dict(self.parameters),
            limit=self.limit,
            early=self.early,
        )

    def resume(self, journal: Journal[Head]) -> None:
        """Take over the results that a journal contains."""
        known = {case.number: case for case in self.cases}
        for line, result in journal.pieces(CaseResult):
            case = known.get(result.number)
            if case is None or (result.line, result.id) != (case.line, case.id) or result.number in self.results:
                raise journal.damage(line)
            self.results[result.number] = result
        self.resumed = len(self.results)

    def run(self, jobs: int = 1, journal: Journal[Head] | None = None) -> Generator[tuple[Case, CaseResult], None, None]:
        """Search all positions whose results are missing, `jobs` at once, and yield each result. Closing the generator early
        stops what is running."""
        waiting = [case for case in reversed(self.cases) if case.number not in self.results]
        running = list[tuple[Case, Background]]()
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    case = waiting.pop()
                    running.append((case, self._work(case).start()))
                for pair in list(running):
                    case, work = pair
                    if work.join(POLL / len(running)):
                        running.remove(pair)
                        result = result_of(case, work)
                        if journal is not None:
                            journal.add(result)
                        self.results[case.number] = result
                        yield case, result
                    elif self.early and isinstance(work, Search) and self._has_held(case, work):
                        work.stop()
        finally:
            for _, work in running:
                work.stop()

    def _work(self, case: Case) -> Background:
        """The background work that answers a case."""
        if not case.counts:
            return self._search(case.position)
        most = self.limit.nodes
        depths = [
            depth
            for depth, leaves in case.counts.items()
            if (self.limit.depth is None or depth <= self.limit.depth) and (most is None or leaves <= most)
        ]
        return Counting(case.position, depths or [min(case.counts)])

    def _search(self, position: Position) -> Search:
        """The search of one position. Without a limit it goes to the end of the game."""
        limit = self.limit
        if limit == Limit() and "depth" in self.algorithm.limits:
            limit = Limit(depth=position.game.plies_left(position.state) or MAX_DEPTH)
        return Search(position, self.algorithm, limit, self.parameters)

    def _has_held(self, case: Case, search: Search) -> bool:
        """Whether the answer has been right at each of the last depths."""
        game, state, last = case.position.game, case.position.state, search.run.depths[-(self.early or 1) :]
        moves = [game.move_text(state, row.line[0]) if row.line else None for row in last]
        return names_moves(case) and len(last) == self.early and all(is_right(case, move) for move in moves)

    @property
    def is_complete(self) -> bool:
        """Whether there is a result for every position."""
        return len(self.results) == len(self.cases)

    def outcome(self) -> Outcome:
        """The result so far, in the order of the file."""
        results = [self.results[number] for number in sorted(self.results)]
        solved, seconds = sum(row.solved for row in results), sum(row.seconds for row in results)
        points = [(row.points, row.most_points) for row in results if row.points is not None and row.most_points is not None]
        return Outcome(
            file=str(self.file),
            game=self.game,
            algorithm=self.name,
            parameters={} if self.counts else self.parameters,
            limit=self.limit,
            early=self.early,
            total=len(self.cases),
            done=len(results),
            solved=solved,
            percent=round(100 * solved / max(len(results), 1), 1),
            nodes=sum(row.nodes for row in results),
            seconds=seconds,
            mean_seconds=seconds / max(len(results), 1),
            complete=self.is_complete,
            positions=tuple(results),
            failed=sum(row.error is not None for row in results),
            points=sum(got for got, _ in points) if points else None,
            most_points=sum(most for _, most in points) if points else None,
            resumed=self.resumed,
        )


def answer(case: Case) -> tuple[object, ...]:
    """A case and what is right there, as the digests of all journals have it. What was added to suites since follows in
    each in its own way, so that journals written before still continue."""
    return case.id, case.position.text, case.best, case.avoid, case.score


def names_moves(case: Case) -> bool:
    """Whether the case names best moves, or moves to be avoided."""
    return bool(case.best or case.avoid or case.points)


def is_right(case: Case, move: str | None) -> bool:
    """Whether the move is one of the best and none of those to avoid. If the case has only points, the best moves have the
    most points."""
    best = case.best
    if not best and not case.avoid and case.points:
        best = tuple(one for one, worth in case.points.items() if worth == max(case.points.values()))
    return move is not None and (not best or move in best) and move not in case.avoid


def result_of(case: Case, work: Background) -> CaseResult:
    """The result of a case, if its work gave one; otherwise one with the error."""
    if isinstance(work, Counting):
        return counted(case, work)
    assert isinstance(work, Search)
    try:
        return judged(case, work.report(), work.algorithm, work.stopped_by == "request")
    except EngineFailed as error:
        return unanswered(case, str(error))


def unanswered(case: Case, error: str | None) -> CaseResult:
    """A result without an answer, but with what would have been right."""
    return CaseResult(
        number=case.number,
        line=case.line,
        id=case.id,
        position=case.position.text,
        best=case.best,
        avoid=case.avoid,
        score=case.score,
        solved=False,
        best_move=None,
        found_score=None,
        value=None,
        depth=0,
        solved_depth=None,
        nodes=0,
        seconds=0.0,
        stopped_early=False,
        mate=case.mate,
        points=0 if case.points else None,
        most_points=max(case.points.values(), default=None),
        counts=case.counts,
        error=error,
    )


def counted(case: Case, work: Counting) -> CaseResult:
    """Compare the counts of games with the right ones."""
    work.finish()
    leaves = work.leaves
    return msgspec.structs.replace(
        unanswered(case, None),
        solved=bool(leaves) and all(case.counts[depth] == count for depth, count in leaves.items()),
        depth=max(leaves, default=0),
        nodes=sum(leaves.values()),
        seconds=work.count_seconds,
        found_counts=dict(leaves),
    )


def judged(case: Case, report: Report, algorithm: Algorithm, stopped_early: bool) -> CaseResult:
    """Compare the report with the right answer. Best moves decide before a mate does: a mate may be asked for without
    them."""
    found = score(case.position, report) if case.score is not None else None
    mate = mate_of(case.position, report, algorithm)
    if case.score is not None:
        solved = found == case.score
    elif names_moves(case):
        solved = is_right(case, report.best_move)
    else:
        solved = case.mate is not None and mate is not None and mate <= case.mate
    since = None
    for row in reversed(report.depths):
        if not names_moves(case) or not solved or not is_right(case, row.best_move):
            break
        since = row.depth
    return msgspec.structs.replace(
        unanswered(case, None),
        solved=solved,
        best_move=report.best_move,
        found_score=found,
        value=report.value,
        depth=report.depth,
        solved_depth=since,
        nodes=report.all_nodes,
        seconds=report.seconds,
        stopped_early=stopped_early,
        found_mate=mate,
        points=case.points.get(report.best_move or "", 0) if case.points else None,
    )


def mate_of(position: Position, report: Report, algorithm: Algorithm) -> int | None:
    """In how many moves the side to move mates, if that is proven, or announced by an external program; None otherwise."""
    plies = report.distance
    won = report.outcome is not None and report.outcome != "draw" and (report.outcome == "first") == (position.turn > 0)
    if not algorithm.compiled and report.value is not None and report.value * position.turn > SHOWN_WIN / 2:
        plies, won = round(SHOWN_WIN - abs(report.value)), True
    return (plies + 1) // 2 if won and plies else None


class DecidedOutcome(Protocol):
    """Anything that says who wins and when: a report, or the truth."""

    @property
    def outcome(self) -> Winner | None:
        """Who wins; None if that is not known."""

    @property
    def distance(self) -> int | None:
        """Plies to the end; None if they are not known."""


def score(position: Position, report: DecidedOutcome) -> int | None:
    """A proven result in Pons' convention: one plus the number of stones that the winner has left when the game is decided,
    negative if the side to move loses, and 0 for a draw. In a game that does not count the plies left it is the number of
    plies to the end. None if nothing is proven."""
    if report.outcome == "draw":
        return 0
    if report.outcome is None or report.distance is None:
        return None
    left = position.game.plies_left(position.state)
    worth = report.distance if left is None else (left - report.distance) // 2 + 1
    return worth if (report.outcome == "first") == (position.turn > 0) else -worth
