"""Progress bars, and long work that moves one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from workbench.cli.progress import counting_bar, move_along, share_bar
from workbench.jobs.searches import SearchInterrupted


@contextmanager
def noting(changes: list[object]) -> Iterator[Callable[..., None]]:
    def move(**change: object) -> None:
        changes.append(change)

    yield move
    changes.append("closed")


def test_work_moves_a_bar_step_by_step() -> None:
    changes: list[object] = []
    assert not move_along(noting(changes), ({"completed": done} for done in (1, 2)))
    assert changes == [{"completed": 1}, {"completed": 2}, "closed"]


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SearchInterrupted])
def test_work_that_is_interrupted_says_so_and_closes_its_bar(interruption: type[BaseException]) -> None:
    def steps() -> Iterator[dict[str, int]]:
        yield {"advance": 1}
        raise interruption

    changes: list[object] = []
    assert move_along(noting(changes), steps())
    assert changes == [{"advance": 1}, "closed"]


def test_other_errors_are_not_swallowed() -> None:
    def steps() -> Iterator[dict[str, int]]:
        yield {"advance": 1}
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - it has no text
        move_along(noting([]), steps())


def test_bars_print_nothing_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    steps: list[dict[str, object]] = [{"completed": 1, "description": "Half"}]
    assert not move_along(counting_bar("Counting", 2), steps)
    assert not move_along(share_bar("Starting", None, nodes=""), [{"total": 1.0, "completed": 0.5, "nodes": "7 looked at"}])
    captured = capsys.readouterr()
    assert (captured.out, captured.err.strip()) == ("", "")
