"""`plybench suite`: an algorithm on all positions of a file, and how many it gets right."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from engines import catalog
from engines.algorithm import Algorithm
from engines.contract import InputError, Limit, Report, Setting
from engines.contract import Outcome as Winner
from engines.game import Position
from engines.runner import Search
from positions.suites import Case, game_of, read_suite
from workbench import show
from workbench.forms import value_text

BEST_FIRST = {"chess": ("deepening", "alphabeta"), "connect4": ("solver", "alphabeta")}
"""Which algorithm is taken for a game if nobody says; the first that there is."""
SECONDS = 1.0
"""For each position of chess, if nobody gives a limit."""
POLL = 0.01


class Result(Struct, frozen=True, kw_only=True):
    """How one position came out."""

    number: int
    line: int
    id: str
    position: str
    best: tuple[str, ...]
    avoid: tuple[str, ...]
    score: int | None
    """What is right."""
    solved: bool
    best_move: str | None
    found_score: int | None
    """The score that was found, where it is proven."""
    value: float | None
    depth: int
    solved_depth: int | None
    """The depth from which on the answer was right to the end."""
    nodes: int
    seconds: float
    stopped_early: bool
    """It was stopped because the answer had been right for long enough."""


class Outcome(Struct, frozen=True, kw_only=True):
    """How a whole suite came out."""

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
    """False if it was interrupted: then only `done` positions are in it."""
    positions: tuple[Result, ...]


class Suite:
    """A file of positions, and how they are to be searched."""

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
        catalog.game(self.game)
        if self.game not in BEST_FIRST:
            raise InputError(f"There are suites for {' and '.join(BEST_FIRST)}, not for {self.game}.")
        name = algorithm or next(name for name in BEST_FIRST[self.game] if name in catalog.ALGORITHMS)
        self.algorithm: Algorithm = catalog.algorithm(name)
        for_game, rest = catalog.split_settings(settings or {}, self.game, name)
        self.parameters = catalog.read_settings(self.algorithm.parameters, rest, self.game)
        self.limit = limit if limit not in (None, Limit()) else Limit(seconds=SECONDS if self.game == "chess" else None)
        self.cases = read_suite(file, self.game, size, for_game, most)
        self.early = early

    def run(self, jobs: int = 1) -> Generator[tuple[Case, Result], None, None]:
        """Search all positions, so many at once, and yield each as it is done. Closed early, it stops what is running."""
        waiting, running = list(reversed(self.cases)), list[tuple[Case, Search]]()
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    case = waiting.pop()
                    running.append((case, self._search(case.position).start()))
                for pair in list(running):
                    case, search = pair
                    if search.join(POLL / len(running)):
                        running.remove(pair)
                        yield case, result_of(case, search.report(), search.told_by == "request")
                    elif self.early and self._has_held(case, search):
                        search.stop()
        finally:
            for _, search in running:
                search.stop()

    def _search(self, position: Position) -> Search:
        """The search of one position. Without a limit it goes to the end of the game."""
        limit = self.limit
        if limit == Limit() and "depth" in self.algorithm.limits:
            limit = Limit(depth=cells(position)[1])
        return Search(position, self.algorithm, limit, self.parameters)

    def _has_held(self, case: Case, search: Search) -> bool:
        """The right answer came out of each of the last depths."""
        game, state, last = case.position.game, case.position.state, search.run.depths[-(self.early or 1) :]
        moves = [game.move_text(state, row.line[0]) if row.line else None for row in last]
        return case.score is None and len(last) == self.early and all(is_right(case, move) for move in moves)

    def outcome(self, results: Sequence[Result]) -> Outcome:
        """All of it, in the order of the file."""
        solved, seconds = sum(row.solved for row in results), sum(row.seconds for row in results)
        return Outcome(
            file=str(self.file),
            game=self.game,
            algorithm=self.algorithm.id,
            parameters=self.parameters,
            limit=self.limit,
            early=self.early,
            total=len(self.cases),
            done=len(results),
            solved=solved,
            percent=round(100 * solved / max(len(results), 1), 1),
            nodes=sum(row.nodes for row in results),
            seconds=seconds,
            mean_seconds=seconds / max(len(results), 1),
            complete=len(results) == len(self.cases),
            positions=tuple(sorted(results, key=lambda row: row.number)),
        )


def is_right(case: Case, move: str | None) -> bool:
    """The move is one of the best, and none of those to be avoided."""
    return move is not None and (not case.best or move in case.best) and move not in case.avoid


def result_of(case: Case, report: Report, stopped_early: bool) -> Result:
    """Compare what was found with what is right."""
    found = score(case.position, report) if case.score is not None else None
    solved = found == case.score if case.score is not None else is_right(case, report.best_move)
    since = None
    for row in reversed(report.depths):
        if case.score is not None or not solved or not is_right(case, row.best_move):
            break
        since = row.depth
    return Result(
        number=case.number,
        line=case.line,
        id=case.id,
        position=report.position,
        best=case.best,
        avoid=case.avoid,
        score=case.score,
        solved=solved,
        best_move=report.best_move,
        found_score=found,
        value=report.value,
        depth=report.depth,
        solved_depth=since,
        nodes=report.nodes + report.distance_nodes,
        seconds=report.seconds,
        stopped_early=stopped_early,
    )


def cells(position: Position) -> tuple[int, int]:
    """How many cells a board of Connect 4 has, and how many of them are empty."""
    columns, rows = map(int, position.game.size.split("x"))
    stones = sum(position.game.diagram(position.state).count(mark) for mark in position.game.marks)
    return columns * rows, columns * rows - stones


class Proof(Protocol):
    """Whatever says who wins, and when: a report, or the truth."""

    @property
    def outcome(self) -> Winner | None:
        """Who wins."""

    @property
    def distance(self) -> int | None:
        """Plies to the end."""


def score(position: Position, report: Proof) -> int | None:
    """A proven result in Pons' convention: the winner's stones that are left when it is decided, and one, for the side to
    move; None if nothing is proven."""
    if report.outcome == "draw":
        return 0
    if report.outcome is None or report.distance is None:
        return None
    every, empty = cells(position)
    last_ply = every - empty + report.distance
    worth = (every + 2 - last_ply) // 2
    return worth if (report.outcome == "first") == (position.turn > 0) else -worth


# For people.


def watch(suite: Suite, jobs: int, terminal: Console, screen: Console | None, verbose: bool) -> tuple[Outcome, bool]:
    """Run a suite with a progress bar on the terminal, and each failure (or each result) on a line of the screen; True if a
    person interrupted it."""
    results: list[Result] = []
    interrupted, running = False, suite.run(jobs)
    bars = (TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *bars, console=terminal, transient=True, disable=not terminal.is_terminal, redirect_stdout=False
    ) as progress:
        if screen is not None and screen.is_terminal and terminal.is_terminal:
            screen = terminal  # both are the same window: lines go above the bar
        task = progress.add_task(suite.algorithm.id, total=len(suite.cases))
        try:
            for case, row in running:
                results.append(row)
                solved = sum(row.solved for row in results)
                progress.update(task, advance=1, description=f"{suite.algorithm.id}: {solved} solved")
                if screen is not None and (verbose or not row.solved):
                    screen.print(result_line(case, row), soft_wrap=True)
        except KeyboardInterrupt:
            interrupted = True
            running.close()
    return suite.outcome(results), interrupted


def result_line(case: Case, row: Result) -> Text:
    """One position: whether it was solved, what was wanted and what was found."""
    game, state = case.position.game, case.position.state

    def pretty(moves: Sequence[str]) -> str:
        return " ".join(game.pretty_line(state, (move,))[0] for move in moves) or "nothing"

    if case.score is not None:
        found = "nothing proven" if row.found_score is None else f"{row.found_score:+d}"
        wanted = f"{case.score:+d}"
    else:
        found = pretty([row.best_move] if row.best_move else [])
        wanted = " ".join([*([pretty(row.best)] if row.best else []), *(f"not {pretty([move])}" for move in row.avoid)])
    value = "" if row.value is None else f"{value_text(row.value, game)}, "
    work = f"({value}depth {row.depth}, {row.nodes:,} nodes, {show.duration(row.seconds)})"
    mark = ("✓ ", "green") if row.solved else ("✗ ", "bold red")
    return Text.assemble(mark, (row.id, "bold"), f"  wanted {wanted}, found {found}  ", (work, "dim"))


def summary(outcome: Outcome) -> Text:
    """The totals."""
    text = Text(f"{outcome.solved} of {outcome.done} solved ({outcome.percent:g}%)", style="bold")
    if not outcome.complete:
        text.append(f"; interrupted, {outcome.total - outcome.done} were not reached")
    how = f"{outcome.algorithm}, {limit_text(outcome.limit)}: {outcome.nodes:,} nodes, {outcome.seconds:,.1f} s"
    text.append(f"\n{how}, {show.duration(outcome.mean_seconds)} a position", style="dim not bold")
    return text


def limit_text(limit: Limit) -> str:
    """A limit in words."""
    given: dict[str, Any] = {name: getattr(limit, name) for name in limit.__struct_fields__}
    words = [f"depth {number}" if name == "depth" else f"{number:,g} {name}" for name, number in given.items() if number]
    return ", ".join(words) or "to the end"
