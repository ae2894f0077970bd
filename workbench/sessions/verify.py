"""Kept searches run again: a limit in depth, nodes or iterations gives the same report every time, so that what differs
was changed, or comes from other code."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engines import catalog
from engines.contract import InputError, Report
from engines.run.search import Search
from engines.tape.report_checks import read_parameters
from workbench.sessions import tapes
from workbench.sessions.model import Session
from workbench.sessions.text import position_of
from workbench.sessions.types import KeptSearch

TIMES = {"seconds", "compile_seconds", "nodes_per_second"}
ASIDE = TIMES | {"tape_nodes", "interval", "visited_nodes", "counted"}
"""What may differ: times; what went on a tape, for nothing is recorded here; and what follows from other numbers, or is in
their sum, which older sessions have not written down."""
MOST_DIFFERENCES = 40
"""The most differences of one search that are listed."""

Status = Literal["same", "different", "skipped", "impossible"]


class FieldDifference(Struct, frozen=True, kw_only=True):
    """A field of a report that is not what it was."""

    field: str
    """Such as `depths[3].nodes`."""
    kept: Any
    found: Any


class Check(Struct, frozen=True, kw_only=True):
    """What came of running one search again."""

    study: int
    search: int
    """Both counted from 1; the search of a comparison is its lane."""
    comparison: int = 0
    """Which comparison of the study it is a lane of; 0: of none."""
    game: str
    algorithm: str
    position: str
    status: Status
    reason: str = ""
    """Why it was skipped, or cannot be run."""
    tape: str = ""
    """What is wrong with its tape, in a sentence; empty if nothing is, or if it has none."""
    differences: tuple[FieldDifference, ...] = ()


class Verification(Struct, frozen=True, kw_only=True):
    """What came of running a session's searches again."""

    session: str
    file: str
    complete: bool
    """False if it was interrupted."""
    same: int
    different: int
    impossible: int
    skipped: int
    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing differs, and everything that could be run was."""
        return self.complete and not self.different and not self.impossible


Runner = Callable[[Search, str], bool]
"""Runs a search to its end; True if the user interrupted it."""


def verify(session: Session, file: str, run: Runner) -> Verification:
    """Run every search again that can be."""
    checks: list[Check] = []
    complete = True
    for study, comparison, number, kept in _all(session):
        checked = check(study, number, kept, run, Path(file), comparison)
        if checked is None:
            complete = False
            break
        checks.append(checked)
    count = {
        status: sum(one.status == status for one in checks) for status in ("same", "different", "impossible", "skipped")
    }
    return Verification(session=session.name, file=file, complete=complete, checks=tuple(checks), **count)


def count(session: Session) -> int:
    """How many searches would be run again."""
    return sum(not why_skipped(kept.report, kept.stepped) for *_, kept in _all(session))


def _all(session: Session) -> Iterator[tuple[int, int, int, KeptSearch]]:
    """Every search: the study, the comparison or 0, the number there, and the search. A comparison that was stepped is left
    out: each of its depths is of a search of its own, and only the last one's limit is known."""
    for study_number, study in enumerate(session.studies, 1):
        for number, kept in enumerate(study.searches, 1):
            yield study_number, 0, number, kept
        for count, comparison in enumerate(study.comparisons, 1):
            for number, report in enumerate(comparison.compared.reports, 1):
                if report is not None and not comparison.stepped:
                    yield (
                        study_number,
                        count,
                        number,
                        KeptSearch(when=comparison.when, version=comparison.version, report=report),
                    )


def check(study: int, number: int, kept: KeptSearch, run: Runner, session: Path, comparison: int = 0) -> Check | None:
    """Run one search again, if it can be, and read its tape; None if the user interrupted it. A tape that is missing or
    damaged is said: the search itself may still come out the same."""
    report = kept.report
    status: Status = "skipped"
    reason = why_skipped(report, kept.stepped)
    found: tuple[FieldDifference, ...] = ()
    if not reason:
        try:
            search = search_again(report)
        except InputError as error:
            status, reason = "impossible", str(error)
        else:
            if run(search, report.algorithm):
                return None
            kept_now = replace(report, parameters=catalog.completed(report.algorithm, report.parameters, report.game))
            found = tuple(differences(kept_now, search.report()))
            status = "different" if found else "same"
    return Check(
        study=study,
        search=number,
        comparison=comparison,
        game=report.game,
        algorithm=report.algorithm,
        position=report.position,
        status=status,
        reason=reason,
        tape=tapes.problem(kept, session),
        differences=found[:MOST_DIFFERENCES],
    )


def why_skipped(report: Report, stepped: bool = False) -> str:
    """Why another run of a search would not have to come out the same; empty if it would."""
    if stepped and report.table is not None:
        return "it continued with the table of the step before"
    if report.limit.seconds is not None:
        return "its limit was in seconds"
    if report.stopped_by in ("request", "seconds"):
        return "it was stopped before its limit"
    if report.parameters.get("threads", 1) != 1 and report.parameters.get("parallel") not in ("root", "leaf"):
        return "it ran in several threads"
    if report.algorithm in catalog.ALGORITHMS and not catalog.algorithm(report.algorithm).compiled:
        return "another program did the work"
    return ""


def search_again(report: Report) -> Search:
    """The same search, not started yet; an InputError if this Plybench cannot run it."""
    algorithm, parameters = catalog.algorithm(report.algorithm), read_parameters(report)
    return Search(position_of(report), algorithm, report.limit, parameters, report.seed)


def differences(kept: Report, found: Report) -> Iterator[FieldDifference]:
    """The fields that are not the same in both, times aside."""
    one, other = msgspec.to_builtins(kept), msgspec.to_builtins(found)
    if kept.iterations is not None:
        one["depths"], other["depths"] = _same_checkpoints(one["depths"], other["depths"])
        one["depth"] = other["depth"] = None  # how many checkpoints there are
    yield from _differences("", one, other)


def _same_checkpoints(kept: list[dict[str, Any]], found: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
    """The checkpoints that both have, with what was done until then in all. A search that was stepped one iteration at a
    time has more of them, and what was done since the last one is less."""
    both = {row["iterations"] for row in kept} & {row["iterations"] for row in found}

    def in_all(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        nodes, leaves = (itertools.accumulate(row[name] for row in rows) for name in ("nodes", "leaves"))
        summed = [
            {**row, "nodes": until, "leaves": ended, "depth": None}
            for row, until, ended in zip(rows, nodes, leaves, strict=True)
        ]
        return [row for row in summed if row["iterations"] in both]

    return in_all(kept), in_all(found)


def _differences(field: str, kept: Any, found: Any) -> Iterator[FieldDifference]:
    if isinstance(kept, dict) and isinstance(found, dict):
        for name in dict.fromkeys((*kept, *found)):
            if name not in ASIDE:
                yield from _differences(f"{field}.{name}" if field else name, kept.get(name), found.get(name))
    elif isinstance(kept, list | tuple) and isinstance(found, list | tuple) and len(kept) == len(found):
        for place, (one, other) in enumerate(zip(kept, found, strict=True)):
            yield from _differences(f"{field}[{place}]", one, other)
    elif kept != found:
        yield FieldDifference(field=field, kept=kept, found=found)
