"""Journals of long work: what was noted comes back as it was, what was torn is done again, what was damaged is told."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from engines import catalog
from engines.contract import InputError, Limit
from engines.run.search import Search
from tests.damage.bounds import frugal
from tests.damage.files import damaged
from tests.mutation import attempt, is_sentence
from tests.thorough import LONG
from tests.workbench.conftest import Plybench
from tests.workbench.timeless import timeless
from workbench.comparison.lane_specs import read_lanes
from workbench.comparison.suite import ComparisonSuite, read_cases
from workbench.jobs.journal import Journal
from workbench.jobs.workers import GivenExecutor
from workbench.matches.match import Match
from workbench.matches.types import Terms
from workbench.play.players import read_players
from workbench.sessions.comparison_types import LaneBudget
from workbench.suites.job import Suite
from workbench.tuning.genetic import Tuning
from workbench.tuning.types import TuneTerms

MUTATIONS = 100_000 if LONG else 500


class Head(Struct, frozen=True, kw_only=True):
    """What the work is."""

    format: str
    seed: int


HEAD = Head(format="work 1", seed=1)


class Noted(Struct, frozen=True, kw_only=True):
    """A piece of it."""

    number: int
    text: str = "what came out"


def written(path: Path, count: int = 5) -> bytes:
    with Journal(path, HEAD) as journal:
        for number in range(1, count + 1):
            journal.add(Noted(number=number))
    return path.read_bytes()


def numbers(path: Path) -> list[int]:
    with Journal(path, HEAD) as journal:
        return [piece.number for _, piece in journal.pieces(Noted)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def test_every_line_has_its_place_and_a_checksum(path: Path) -> None:
    lines = written(path).splitlines()
    assert [int(line.split()[0]) for line in lines] == [1, 2, 3, 4, 5, 6]
    assert len({line.split()[1] for line in lines}) == 6
    assert numbers(path) == [1, 2, 3, 4, 5]
    with Journal(path, HEAD) as journal:
        journal.add(Noted(number=6))
    assert numbers(path) == [1, 2, 3, 4, 5, 6]


def test_a_last_line_that_is_torn_is_done_again(path: Path) -> None:
    """Wherever it ends, and also if only its place was kept on the disk: what is in front of it counts."""
    content = written(path)
    begins = content.rindex(b"\n", 0, -1) + 1
    for end in range(begins, len(content)):
        path.write_bytes(content[:end])
        assert numbers(path) == [1, 2, 3, 4]
        assert path.read_bytes() == content[:begins]
    path.write_bytes(content[:begins] + b"\x00" * (len(content) - begins - 1) + b"\n")
    assert numbers(path) == [1, 2, 3, 4]
    with Journal(path, HEAD) as journal:
        journal.add(Noted(number=5))
    assert path.read_bytes() == content


def test_a_head_that_is_torn_is_written_again(path: Path) -> None:
    content = written(path, 0)
    for end in range(len(content)):
        path.write_bytes(content[:end])
        assert numbers(path) == []
        assert path.read_bytes() == content


def of_line(number: int, change: Callable[[bytes], bytes]) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: [change(line) if place == number else line for place, line in enumerate(lines, 1)]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (of_line(3, lambda line: line.replace(b'"number":2', b'"number":7')), 3),
        (of_line(3, lambda line: line.replace(b"what", b"whut")), 3),
        (of_line(3, lambda line: line[line.index(b"{") :]), 3),
        (of_line(4, lambda line: b""), 4),
        (of_line(4, lambda line: b"{"), 4),
        (lambda lines: lines[:2] + lines[3:], 3),
        (lambda lines: [*lines[:3], lines[2], *lines[3:]], 4),
        (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], 3),
        (of_line(1, lambda line: line.replace(b'"seed":1', b'"seed":2')), 1),
    ],
    ids=["a number", "a letter", "no checksum", "an empty line", "a brace", "left out", "twice", "swapped", "the head"],
)
def test_damage_in_the_middle_is_told(path: Path, change: Callable[[list[bytes]], list[bytes]], line: int) -> None:
    content = b"\n".join(change(written(path).split(b"\n")))
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf"damaged in line {line}\b") as told:
        numbers(path)
    assert is_sentence(str(told.value))
    assert path.read_bytes() == content, "what is left of it may still be of use"


def test_a_line_of_another_journal_is_damage(path: Path, tmp_path: Path) -> None:
    lines = written(path).split(b"\n")
    with Journal(tmp_path / "other", Head(format="work 1", seed=2)) as other:
        other.add(Noted(number=1))
    lines[1] = (tmp_path / "other").read_bytes().split(b"\n")[1]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(InputError, match="damaged in line 2"):
        numbers(path)


@pytest.mark.parametrize("content", [b"my notes", b"my notes\nof this\nand that", b"{}", b'{"a": 1}\n{"b"', b"\n", b"\n\n"])
def test_a_file_that_is_no_journal_is_left_as_it_was(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a journal"):
        numbers(path)
    assert path.read_bytes() == content


def test_a_journal_of_the_version_before_goes_on(path: Path) -> None:
    """Its lines have no checksums. What is added has, and vouches for what stands before it."""
    old = [msgspec.json.encode(piece) for piece in (HEAD, Noted(number=1), Noted(number=2))]
    path.write_bytes(b"\n".join([*old, b'{"number":3,"te']))
    assert numbers(path) == [1, 2]
    with Journal(path, HEAD) as journal:
        journal.add(Noted(number=3))
    assert numbers(path) == [1, 2, 3]
    path.write_bytes(path.read_bytes().replace(b'"number":2', b'"number":4') + b"\n")
    with pytest.raises(InputError, match="damaged in line 4"):
        numbers(path)


def test_a_disk_that_is_full_tears_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = written(path)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    with Journal(path, HEAD) as journal:
        with monkeypatch.context() as patched:
            patched.setattr("workbench.jobs.journal.os.fsync", full)
            with pytest.raises(InputError, match="No space left"):
                journal.add(Noted(number=6))
        assert path.read_bytes() == before
        journal.add(Noted(number=6))
    assert numbers(path) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("place", ["/dev/null", "/dev/full", "."])
def test_what_is_no_file_is_no_journal(place: str) -> None:
    with pytest.raises(InputError, match=r"is not a file|cannot be written"):
        Journal(Path(place), HEAD)


# The journals of long jobs, damaged in every way.

Job = tuple[Callable[[], Any], Callable[[Any, Any], Iterator[object]], Callable[[Any], Any]]
"""How the job is made, how it is run, and what it knows."""


def to_the_end(search: Search) -> bool:
    search.start().join()
    return False


def a_match() -> Match:
    players, _ = read_players(("alphabeta", "random"), "tictactoe", Limit(depth=1))
    return Match(players, catalog.position("startpos", "tictactoe"), Terms(games=8, seed=3, most_plies=20), "start")


def a_tuning() -> Tuning:
    terms = TuneTerms(population=4, generations=4, depth=1, seed=1)
    return Tuning(catalog.position("startpos", "connect4", "5x4"), terms)


def a_suite(tmp_path: Path) -> Callable[[], ComparisonSuite]:
    file = tmp_path / "positions.txt"
    file.write_text("4455\n44556\n123\n")
    game, cases = read_cases(file, "connect4", None, {}, None)
    lanes = read_lanes("alphabeta,random", (), game)[0]
    return lambda: ComparisonSuite(file, cases, lanes, LaneBudget(nodes=50), 1000)


def a_test(tmp_path: Path) -> Callable[[], Suite]:
    file = tmp_path / "scores.txt"
    file.write_text("4455 1\n44556 2\n123 0\n1 0\n")
    return lambda: Suite(file, "connect4", "alphabeta", Limit(depth=2))


@pytest.fixture(params=["match", "tune", "compare-suite", "suite"])
def job(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Job]:
    with ThreadPoolExecutor(1) as executor:
        workers = GivenExecutor(executor)
        yield {
            "match": (a_match, lambda job, kept: job.run(kept, workers), lambda job: list(job.played.items())),
            "tune": (a_tuning, lambda job, kept: job.run(kept, workers), lambda job: job.generations),
            "compare-suite": (
                a_suite(tmp_path),
                lambda job, kept: job.run(kept, to_the_end),
                lambda job: list(job.cells.items()),
            ),
            "suite": (
                a_test(tmp_path),
                lambda job, kept: job.run(1, kept),
                lambda job: list(job.results.items()),
            ),
        }[request.param]


@pytest.mark.timeout(1800)  # a hundred thousand, with PLYBENCH_LONG
def test_a_damaged_journal_gives_other_totals_to_nobody(job: Job, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens to a journal: it is refused in a sentence, or what is taken from it is what was in it from the first
    piece on, and all that is missing is done again."""
    monkeypatch.setattr("workbench.jobs.journal.os.fsync", lambda handle: None)  # no power cut here
    new, run, known = job
    whole = new()
    with Journal(path, whole.head) as journal:
        for _ in run(whole, journal):
            pass
    content, everything = path.read_bytes(), known(whole)

    def taken(damaged: bytes) -> Any:
        path.write_bytes(damaged)
        found = new()
        with frugal(), Journal(path, found.head) as journal:
            found.resume(journal)
        return known(found)

    told, lengths = 0, set[int]()
    for some, refused in (attempt(taken, damage) for damage in damaged([content], MUTATIONS)):
        if refused:
            told += 1
        else:
            assert some is not None
            assert some == everything[: len(some)]
            lengths.add(len(some))
    assert told > MUTATIONS / 4
    assert {0, len(everything) // 2, len(everything)} <= lengths
    for cut in random.Random(1).sample(range(len(content)), 3):
        path.write_bytes(content[:cut])
        found = new()
        with Journal(path, found.head) as journal:
            found.resume(journal)
            for _ in run(found, journal):
                pass
        assert timeless(msgspec.to_builtins(found.outcome())) == timeless(msgspec.to_builtins(whole.outcome()))


@pytest.mark.plain
def test_a_result_that_was_changed_in_the_journal_is_told_and_not_counted(plybench: Plybench, tmp_path: Path) -> None:
    """As a person sees it: the same command again says which line is damaged, and prints no totals."""
    journal = tmp_path / "match.journal"
    command = ["match", "--game", "tictactoe", "random", "alphabeta:depth=2", "--games", "4", "--jobs", "1", "--json"]
    whole = plybench(*command, "--journal", str(journal))
    assert (whole.code, whole.json["done"]) == (0, 4)
    lines = journal.read_bytes().splitlines(keepends=True)
    at, line = next((at, line) for at, line in enumerate(lines) if b'"outcome":"first"' in line)
    lines[at] = line.replace(b'"outcome":"first"', b'"outcome":"draw"')
    journal.write_bytes(b"".join(lines))
    again = plybench(*command, "--journal", str(journal))
    assert (again.code, again.out) == (2, "")
    assert f"is damaged in line {at + 1}." in again.err
