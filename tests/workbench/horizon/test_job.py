"""The search for horizon effects in many positions, without a screen."""

from __future__ import annotations

import pytest

from engines.contract import InputError
from engines.run.search import Search
from positions import horizon as examples
from workbench.horizon.effect import PLAIN
from workbench.horizon.finder import DEPTH
from workbench.horizon.job import FinderJob, parameters_of, ranked
from workbench.jobs.searches import run_to_end

KNIGHT = examples.get("doomed-knight").position()
OFF = {"quiescence": "off"}


def test_quiescence_is_on_and_everything_else_off_unless_it_is_set() -> None:
    assert parameters_of("deepening", {}) == {**PLAIN, "quiescence": True}
    assert parameters_of("pvs", {"quiescence": "off", "check_extension": "on"}) == {
        **PLAIN,
        "quiescence": False,
        "check_extension": True,
    }


def test_all_positions_are_examined_and_named() -> None:
    begun: list[str] = []
    ended: list[int] = []
    job = FinderJob("two.epd", [("knight", KNIGHT), ("again", KNIGHT), ("left out", KNIGHT)], OFF, depth=3, most=2)
    assert not job.run(run_to_end, begun.append, lambda: ended.append(len(job.findings)))
    assert (begun, ended) == (["knight", "again"], [1, 2])
    assert [one.name for one in job.findings] == ["knight", "again"]
    assert job.findings[0].flagged
    document = job.document()
    assert list(document) == ["target", "algorithm", "parameters", "complete", "searched", "positions", "findings"]
    assert (document["target"], document["complete"], document["searched"]) == ("two.epd", True, 2)
    assert document["findings"] == [finding for _, finding in ranked(job.findings)]
    assert list(job.by_notation) == [KNIGHT.text]
    kinds = [finding.kind for _, finding in ranked(job.findings, everything=True)]
    assert kinds == sorted(kinds, key=["horizon", "exchange", "refinement"].index)


@pytest.mark.parametrize("by_key", [False, True])
def test_an_interrupt_keeps_the_positions_before_it(by_key: bool) -> None:
    job = FinderJob("two.epd", [("one", KNIGHT), ("two", KNIGHT)], OFF, depth=1)

    def run(search: Search, what: str) -> bool:
        if not job.findings:
            return run_to_end(search, what)
        if by_key:
            raise KeyboardInterrupt
        return True

    assert job.run(run)
    assert job.interrupted
    assert [one.name for one in job.findings] == ["one"]
    assert not job.document()["complete"]


def test_what_cannot_be_searched_is_said() -> None:
    with pytest.raises(InputError, match=r"no position to search in 'empty.epd'"):
        FinderJob("empty.epd", [])
    with pytest.raises(InputError, match="alphabeta has no quiescence"):
        FinderJob("startpos", [("", KNIGHT)], algorithm="alphabeta")
    assert FinderJob("startpos", [("", KNIGHT)]).depth == DEPTH
