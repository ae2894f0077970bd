"""`plybench diff`: its text and document, and tapes that cannot be compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from positions import library
from tests.examiner.searches import recorded
from tests.mutation import is_sentence
from tests.naive.difference import NaiveDifference
from tests.thorough import LONG
from tests.workbench.conftest import Plybench
from workbench.difference.job import difference_of
from workbench.difference.types import REASONS

TEXTBOOK = "((3 12 8) (2 4 6) (14 5 2))"


def write(path: Path, text: str, game: str, algorithm: str, capacity: int = 0, **limit: int) -> Path:
    """Record a search and write its tape."""
    found, tape = catalog.algorithm(algorithm), new_tape(capacity or 100_000)
    report = Search(catalog.position(text, game), found, Limit(**limit), tape=tape).run_here().report()
    Recording.of(tape, report, found.view).save(path)
    return path


@pytest.fixture
def two(tmp_path: Path) -> tuple[str, str]:
    """Tapes of minimax and alpha-beta on the textbook's tree."""
    names = "minimax", "alphabeta"
    paths = [write(tmp_path / f"{name}.tape", TEXTBOOK, "tree", name, depth=2) for name in names]
    return str(paths[0]), str(paths[1])


def test_minimax_and_alpha_beta_in_the_textbook(plybench: Plybench, two: tuple[str, str]) -> None:
    out = " ".join(plybench("diff", *two).out.split())
    assert "A took 2 nodes more than B, 1.18 times as many." in out
    first = "First difference, depth 2: 1 2: A asked for the value, whatever it is, B asked for less than +3."
    assert f"The first 3 nodes are the same. {first} Both saw how the game ends: +12." in out
    assert "A searched all 3 moves: +2; B cut after move 1, move 1 of 3: it is at most +2." in out
    assert "In B MAX can already get +3 with move 1 instead of move 2." in out


def test_the_document_adds_up(plybench: Plybench, two: tuple[str, str]) -> None:
    document = plybench("diff", *two, "--json").json
    assert document["difference"] == -2
    assert [part["difference"] for part in document["parts"]["subtrees"]] == [-2]
    assert document["parts"]["subtrees"][0]["top"]["line"] == ["2"]
    assert document["parts"]["held"] == -2
    assert sum(row["difference"] for row in document["reasons"]) == -2
    assert {row["reason"] for row in document["reasons"]} <= set(REASONS)
    assert [document["first"]["value"], document["second"]["value"]] == [3, 3]


def test_a_tape_with_itself(plybench: Plybench, two: tuple[str, str]) -> None:
    assert "The searches are the same, node by node." in plybench("diff", two[0], two[0]).out
    document = plybench("diff", two[1], two[1], "--json").json
    assert document["same"]
    assert (document["difference"], document["parts"]["subtrees"], document["reasons"]) == (0, [], [])


def test_what_cannot_be_compared_is_a_sentence(plybench: Plybench, tmp_path: Path, two: tuple[str, str]) -> None:
    others = {
        "different games": write(tmp_path / "game.tape", "startpos", "tictactoe", "minimax", depth=2),
        "different positions": write(tmp_path / "place.tape", "((1 2) (3 4))", "tree", "minimax", depth=2),
        "does not search depth first": write(tmp_path / "uct.tape", TEXTBOOK, "tree", "uct", iterations=20),
        "There is no file": tmp_path / "none.tape",
    }
    for says, path in others.items():
        for pair in ((two[0], str(path)), (str(path), two[0])):
            answer = plybench("diff", *pair)
            assert answer.code == 2
            assert says in answer.err
            assert is_sentence(answer.err.removeprefix("plybench: ").strip())
    assert plybench("diff", *two, "--parts", "0").code == 2


def test_damaged_tapes_are_refused(plybench: Plybench, tmp_path: Path, two: tuple[str, str]) -> None:
    good = Path(two[1]).read_bytes()
    for number in range(0, len(good), 97):
        bad = tmp_path / "bad.tape"
        bad.write_bytes(good[:number] + bytes([good[number] ^ 0x55]) + good[number + 1 :])
        answer = plybench("diff", two[0], str(bad))
        assert answer.code in (0, 2), "a byte that nothing reads may differ"
        assert "Traceback" not in answer.err
    bad.write_bytes(good[: len(good) // 2])
    answer = plybench("diff", str(bad), two[0])
    assert (answer.code, "is not a tape of Plybench" in answer.err) == (2, True)


def test_a_forged_tape_is_compared_as_it_stands(tmp_path: Path) -> None:
    """A checksum is no signature: whatever a consistent tape says is compared, and the sums are right."""
    first = recorded(catalog.position(TEXTBOOK, "tree"), "minimax", {}, depth=2)
    second = recorded(catalog.position(TEXTBOOK, "tree"), "minimax", {}, depth=2)
    second.value[3], second.kind[5] = 99, 9 - 2
    second.save(tmp_path / "forged.tape")
    found = difference_of(first, Recording.load(tmp_path / "forged.tape"))
    assert (found.same, found.difference, found.parts.subtrees) == (False, 0, ())
    assert found.begins is not None
    assert found.begins.first_node == 3
    assert "A scored it at the horizon" in found.begins.sentence or "A saw how the game ends" in found.begins.sentence


def test_a_tape_that_was_full(plybench: Plybench, tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.tape", "startpos", "tictactoe", "minimax", depth=3)
    full = write(tmp_path / "full.tape", "startpos", "tictactoe", "minimax", capacity=200, depth=3)
    out = " ".join(plybench("diff", str(whole), str(full)).out.split())
    assert "The tape of B was full: what is not on it is not compared." in out
    assert "200 of 586" in out
    document = plybench("diff", str(whole), str(full), "--json").json
    assert document["difference"] == 200 - 586
    assert document["same_nodes"] == 200
    assert {row["reason"] for row in document["reasons"]} == {"cut short"}


def test_a_search_that_was_stopped() -> None:
    position = catalog.position("startpos", "tictactoe")
    found = difference_of(recorded(position, "minimax", {}, depth=3), recorded(position, "minimax", {}, nodes=100, depth=3))
    assert found.reasons
    assert found.begins is not None


@pytest.mark.parametrize("depth", [6, pytest.param(8, marks=pytest.mark.skipif(not LONG, reason="takes a minute"))])
def test_null_moves_on_kiwipete(depth: int) -> None:
    """The subtrees that are named hold nine tenths of the difference, and more; the naive twin counts the same."""
    position, tapes = library.get("chess/kiwipete").position(), []
    for null_move in (False, True):
        algorithm, tape = catalog.algorithm("deepening"), new_tape(2_000_000)
        limit = Limit(depth=depth, nodes=2**40)
        report = Search(position, algorithm, limit, {"null_move": null_move}, tape=tape).run_here().report()
        tapes.append(Recording.of(tape, report, algorithm.view))
    first, second = tapes
    found = difference_of(first, second)
    assert found.difference == len(second) - len(first) < 0
    parts, naive = found.parts, NaiveDifference(first, second)
    assert 10 * parts.held <= 9 * found.difference
    assert parts.held == sum(part.difference for part in parts.subtrees)
    candidates, needed, held = naive.fewest(100)
    assert (len(parts.subtrees), -parts.held) == (needed, held)
    rows = {node.row: path for path, node in naive.first.items()}
    for part in parts.subtrees:
        assert part.top.first_node is not None
        path = rows[part.top.first_node]
        assert path in candidates
        assert naive.sizes[path] == part.difference
    assert sum(row.difference for row in found.reasons) == found.difference
    assert {row.reason: row.difference for row in found.reasons} == naive.by_reason()
