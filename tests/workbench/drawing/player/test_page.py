"""The page as a file: nothing in it comes from elsewhere, nothing of a person is markup, and it says what it has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.contract import Limit
from tests.engines.tape.test_events import TEXTBOOK, recorded, small
from tests.workbench.drawing.player.reader import data_of, moments_of
from workbench.cli.main import cli
from workbench.drawing.player.page import SCRIPTS, in_script, page_of
from workbench.input.pictured import Drawn, drawn_in, drawn_of
from workbench.watch.tape_trace import TapeTrace

NASTY = '</script><script>alert("1")</script><!-- & -->'


def textbook() -> tuple[TapeTrace, Drawn]:
    recording = recorded(TEXTBOOK, "tree", "alphabeta", Limit(depth=2))
    return TapeTrace(recording), drawn_of(recording.report)


def test_the_page_opens_its_search_again(tmp_path: Path) -> None:
    trace, drawn = textbook()
    path = tmp_path / "search.html"
    path.write_text(page_of(trace, "alphabeta on Tree", drawn), encoding="utf-8")
    assert drawn_in(path) == drawn


def test_nothing_comes_from_elsewhere() -> None:
    trace, drawn = textbook()
    page = page_of(trace, "alphabeta on Tree", drawn)
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}, "the name of a language, which is never asked for"
    assert not re.findall(r"<(?:link|img|iframe|object|embed)\b| src=|@import|url\(\s*[^)#]*//", page)
    assert "default-src 'none'" in page
    assert "{{" not in page


def test_what_a_person_wrote_is_never_markup() -> None:
    trace, drawn = textbook()
    page = page_of(trace, NASTY, drawn)
    assert page.count("</script>") == 2, "the data and the script end; nothing else does"
    assert "&lt;/script&gt;&lt;script&gt;alert(" in page
    assert "<" not in in_script({"name": NASTY})


def test_a_name_inside_a_tree_is_never_markup() -> None:
    trace, drawn = textbook()
    trace._moves[1] = NASTY
    page = page_of(trace, "alphabeta on Tree", drawn)
    data = data_of(page)
    assert NASTY in data["strings"]
    assert page.count("<script") == 2


def test_a_page_begins_where_it_is_asked_to() -> None:
    trace, drawn = textbook()
    assert data_of(page_of(trace, "", drawn))["start"] == 0
    assert data_of(page_of(trace, "", drawn, top=3))["start"] == trace.moment_of(3)
    recording = small("tictactoe", "alphabeta")
    long = TapeTrace(recording)
    page = page_of(long, "", drawn_of(recording.report, step=90), most=40)
    data = data_of(page)
    assert (data["first"], data["start"], data["total"]) == (70, 20, len(long))
    assert data["limited"] in page
    assert "number 71 to 110 are played back here" in data["limited"]
    assert moments_of(data)[20].sentence == long.moment(90).sentence()


def test_landmarks_are_those_of_the_trace() -> None:
    trace, drawn = textbook()
    data = data_of(page_of(trace, "", drawn))
    cuts = [at for at in range(1, len(trace) + 1) if trace.happening(at - 1).kind == "cut"]
    assert data["landmarks"] == cuts
    assert data["landmark"] == "cut"


def test_progress_is_told() -> None:
    trace, drawn = textbook()
    told: list[tuple[int, int]] = []
    page_of(trace, "", drawn, progress=lambda done, count: told.append((done, count)))
    assert told
    assert told[0][1] == len(trace)


def test_draw_writes_it_and_says_what_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "search.html"
    command = ["draw", TEXTBOOK, "--algorithm", "alphabeta", "--depth", "2", "--theme", "dark", "-o", str(path)]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    assert re.search(r"Drawn: .*search.html, all \d+ events\.", done.output)
    assert '<html lang="en" data-theme="dark">' in path.read_text(encoding="utf-8")
    monkeypatch.setattr("workbench.drawing.player.page.MOST_EVENTS", 10)
    done = CliRunner().invoke(cli, [*command, "--step", "20"])
    assert done.exit_code == 0, done.output
    assert "number 16 to 25 are played back here" in done.output
    assert "number 16 to 25 are played back here" in path.read_text(encoding="utf-8")


def test_two_thousand_events_are_less_than_two_megabytes() -> None:
    recording = recorded("startpos", "tictactoe", "minimax", Limit(depth=4))
    trace = TapeTrace(recording)
    page = page_of(trace, "", drawn_of(recording.report), most=2_000)
    assert len(data_of(page)["frames"]) == 2_001
    assert len(page.encode()) < 1_000_000


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_is_used(name: str) -> None:
    folder = Path(__file__).parents[4] / "workbench" / "drawing" / "player"
    assert {path.name for path in folder.glob("*.js")} == set(SCRIPTS)
    assert (folder / name).read_text(encoding="utf-8").splitlines()[0].startswith("//")
