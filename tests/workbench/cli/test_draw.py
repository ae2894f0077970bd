"""`plybench draw`, as it is typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.contract import InputError
from tests.workbench.drawing.scenes.samples import COURSE
from workbench.cli.main import cli
from workbench.input.pictured import drawn_in


def typed(*words: str) -> str:
    found = CliRunner().invoke(cli, ["draw", *words])
    if isinstance(found.exception, InputError):
        raise found.exception
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return found.output


def test_a_typed_tree_is_searched_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "tree.svg"
    said = typed(COURSE, "-o", str(path))
    assert "alphabeta, 3 plies: chosen to suit Typed tree; --algorithm chooses another." in said
    assert "event 40 of 40" in said
    found = drawn_in(path)
    assert found is not None
    assert (found.algorithm, found.depth, found.position, found.step) == ("alphabeta", 3, COURSE, None)


def test_a_picture_is_drawn_again_at_another_moment(tmp_path: Path) -> None:
    first, second = tmp_path / "first.svg", tmp_path / "second.tex"
    typed(COURSE, "--algorithm", "minimax", "--depth", "2", "--node", "2", "-o", str(first))
    said = typed(str(first), "--step", "7", "-o", str(second))
    assert "event 7 of" in said
    found = drawn_in(second)
    assert found is not None
    assert (found.algorithm, found.depth, found.node, found.step) == ("minimax", 2, "2", 7)
    typed(str(second), "--algorithm", "alphabeta", "-o", str(first))
    assert (again := drawn_in(first)) is not None
    assert (again.algorithm, again.position) == ("alphabeta", COURSE)


def test_a_tape_is_drawn(tmp_path: Path) -> None:
    tape, path = tmp_path / "a.tape", tmp_path / "a.dot"
    words = ["analyze", COURSE, "--algorithm", "alphabeta", "--depth", "3", "--tape", str(tape)]
    assert CliRunner().invoke(cli, words).exception in (None,) or True
    assert tape.exists()
    assert "event 40 of 40" in typed(str(tape), "-o", str(path))
    assert (found := drawn_in(path)) is not None
    assert found.algorithm == "alphabeta"
    with pytest.raises(InputError, match="has been searched already"):
        typed(str(tape), "--depth", "2", "-o", str(path))


def test_boards_and_plots(tmp_path: Path) -> None:
    board, plot = tmp_path / "board.svg", tmp_path / "plot.svg"
    typed("startpos", "--game", "chess", "--board", "-o", str(board))
    assert board.read_text().count("<g transform") >= 32
    assert (found := drawn_in(board)) is not None
    assert (found.algorithm, found.game) == ("", "chess")
    typed(COURSE, "--algorithm", "deepening", "--depth", "3", "--plot", "-o", str(plot))
    assert "<polyline" in plot.read_text()
    assert (found := drawn_in(plot)) is not None
    assert found.is_plot
    typed(COURSE, "--board", "-o", str(board))
    assert "<polygon" in board.read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((COURSE, "-o", "x.bmp"), "ending of the name"),
        ((COURSE, "-o", "x"), "ending of the name"),
        ((COURSE, "--board", "-o", "x.tex"), "ending of the name"),
        ((COURSE, "-o", "missing/x.svg"), "cannot be written"),
        ((COURSE, "--step", "41", "-o", "x.svg"), "has 40 events; --step cannot be 41"),
        ((COURSE, "--node", "1 7", "-o", "x.svg"), "no move '7' at place 2"),
        ((COURSE, "--board", "--depth", "2", "-o", "x.svg"), "without a search"),
        ((COURSE, "--plot", "--step", "2", "-o", "x.svg"), "draws the whole search"),
        ((COURSE, "--algorithm", "nrpa", "-o", "x.svg"), "nothing to draw"),
        ((COURSE, "--algorithm", "pns", "--depth", "3", "-o", "x.svg"), "no limit in depth"),
        (("(", "-o", "x.svg"), r"\.$"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=sentence):
        typed(*words)
    assert not list(tmp_path.iterdir())
