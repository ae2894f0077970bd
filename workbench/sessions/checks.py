"""Consistency checks of a session, run once when it is read, so that all other code can rely on it.

The types say what each number may be. Here lists that belong together have one length, and moves are legal in the position
that they are of. A search of a game, an algorithm or a parameter that is not known here is no damage: another version of
Plybench has it. It stays as it is, is shown as far as it can be, and is never gone on with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

from engines import catalog
from engines.contract import InputError, Outcome, Report, shown
from engines.game import Game
from engines.position import Position
from engines.tape.report_checks import LineChecker, check_found, read_parameters, searched_position
from workbench.sessions.comparison_types import Compared, MoveTruth, SuiteOutcome, Truth
from workbench.sessions.play_types import read_clock
from workbench.sessions.types import SavedSession, SavedStudy

Part = TypeVar("Part")

FIRST_YEAR, LAST_YEAR = 1970, 2999
"""Of what is written down. Python cannot say what time it was elsewhere in the first year, or will be in the last."""


def check_kept(saved: SavedSession) -> None:
    """An InputError that says where something does not hold together."""
    check_moment(saved.created)
    check_moment(saved.changed)
    for number, study in enumerate(saved.studies, 1):
        _at(f"study {number}", _check_study, study)
    for number, suite in enumerate(saved.suites, 1):
        check_moment(suite.when)
        _at(f"suite {number}", _check_suite, suite.outcome)


def is_known(report: Report) -> bool:
    """Whether this version of Plybench can read the position of a search, and could run it."""
    try:
        searched_position(report)
        read_parameters(report)
    except InputError:
        return False
    return True


def check_moment(moment: datetime) -> None:
    """An InputError if it is no time at which anything can have been saved."""
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise InputError(f"it is from the year {moment.year}.")


def _at(where: str, check: Callable[[Part], None], part: Part) -> None:
    try:
        check(part)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _check_study(study: SavedStudy) -> None:
    for number, kept in enumerate(study.searches, 1):
        check_moment(kept.when)
        _at(f"search {number}", _check_report, kept.report)
    for number, comparison in enumerate(study.comparisons, 1):
        check_moment(comparison.when)
        _at(f"comparison {number}", _check_compared, comparison.compared)
    if study.record is not None:
        read_clock(study.record.clock)


def _check_report(report: Report) -> None:
    """What was found, wherever the position can be read."""
    try:
        position = searched_position(report)
    except InputError:
        return
    check_found(report, position)
    _check_outcomes(position.game, (report.outcome, *(move.proven for move in report.root_moves)))


def _check_outcomes(game: Game | type[Game], outcomes: Iterable[Outcome | None]) -> None:
    if "second" in outcomes and len(game.players) < 2:
        raise InputError(f"the second player wins, and {game.title} has one player.")


def _check_compared(found: Compared) -> None:
    """Its lanes, its reports, and what is true of the position."""
    if not found.lanes or len(found.lanes) != len(found.reports):
        raise InputError(f"it has {len(found.lanes)} lanes and {len(found.reports)} reports.")
    if len({row.name for row in found.lanes}) != len(found.lanes):
        raise InputError("two of its lanes have the same name.")
    for number, (row, report) in enumerate(zip(found.lanes, found.reports, strict=True), 1):
        if report is None:
            continue
        if row.algorithm != report.algorithm:
            raise InputError(f"lane {number} is {shown(row.algorithm)}, and its report is of {shown(report.algorithm)}.")
        theirs = (report.game, report.size, report.position)
        if theirs != (found.game, found.size, found.position):
            raise InputError(f"the report of lane {number} is of another position.")
        _at(f"lane {number}", _check_report, report)
    try:
        position = catalog.restore(found.position, found.game, found.size, found.options)
    except InputError:
        return
    truths = [row.truth for row in found.lanes if row.truth is not None]
    _check_truths(position, found.truth, truths)


def _check_truths(position: Position, truth: Truth | None, of_moves: Iterable[MoveTruth]) -> None:
    """Who wins, and after which moves."""
    moves = [*of_moves, *(truth.moves if truth is not None else ())]
    lines = LineChecker(position)
    for one in moves:
        lines.check("what is true", one.move)
    _check_outcomes(position.game, [one.outcome for one in moves] + ([truth.outcome] if truth is not None else []))


def _check_suite(found: SuiteOutcome) -> None:
    """Each position has one answer of each lane, and a judgement of each answer."""
    game, lanes = catalog.game(found.game), len(found.lanes)
    if not found.done == len(found.rows) <= found.total:
        raise InputError(f"it has {len(found.rows)} positions, and says that it has {found.done} of {found.total}.")
    for row in found.rows:
        if not lanes == len(row.cells) == len(row.judged):
            answers = f"{len(row.cells)} answers and {len(row.judged)} judgements"
            raise InputError(f"position {row.number} has {answers}, and there are {lanes} lanes.")
        if [cell.lane for cell in row.cells] != list(range(1, lanes + 1)):
            raise InputError(f"the answers to position {row.number} are not those of the lanes in their order.")
        _check_outcomes(game, [cell.outcome for cell in row.cells] + ([row.truth.outcome] if row.truth else []))
