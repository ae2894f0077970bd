"""Recorded searches in sessions: their tapes are files beside the session, which its searches name."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from engines import catalog
from engines.contract import InputError, Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.workbench.app.test_app import Person, tell
from tests.workbench.conftest import Plybench
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.tree import TreeScreen
from workbench.export.session import export
from workbench.sessions import store as sessions
from workbench.sessions import tapes
from workbench.sessions.model import Session


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PLYBENCH_PIECES", "")
    monkeypatch.chdir(tmp_path)


def saved_session(name: str = "Recorded", depth: int = 3) -> Path:
    """A session with one search and its tape."""
    position = catalog.position("startpos", "tictactoe")
    algorithm, tape = catalog.algorithm("alphabeta"), new_tape(100_000)
    report = Search(position, algorithm, Limit(depth=depth), tape=tape).start().report()
    session = Session.new(name, position)
    path = sessions.create(session)
    session.study.attach(session.study.add(report), tapes.write(Recording.of(tape, report, algorithm.view), path))
    sessions.write(session.saved(), path)
    return path


def tape_of(path: Path) -> Path:
    (kept,) = sessions.read(path).study.searches
    return tapes.path_of(kept.tape or "", path)


def test_a_recorded_tree_is_there_again_without_a_search() -> None:
    async def first(person: Person) -> None:
        await person.press("right_square_bracket")
        await person.wait()
        await person.press("right_square_bracket")
        await person.wait()
        await person.press("t")
        await person.until(lambda: isinstance(person.app.screen, TreeScreen))

    app = tell(first, catalog.position("startpos", "connect4"))
    (row,) = sessions.listing()
    assert row.searches == 3
    *steps, recorded = sessions.read(row.path).study.searches
    assert [kept.tape for kept in steps] == [None, None]
    assert recorded.tape is not None, "quitting waits for the tape"
    nodes = len(app.desk.recording or ())
    assert nodes == recorded.report.tape_nodes

    async def second(person: Person) -> None:
        assert sorted(person.desk.beliefs) == [1, 2]
        await person.press("t")
        await person.until(lambda: isinstance(person.app.screen, TreeScreen))
        assert person.desk.search is None, "nothing was searched"
        assert person.desk.recording is not None
        assert len(person.desk.recording) == nodes
        await person.press("n", "escape")
        assert isinstance(person.app.screen, AnalyseScreen)
        person.desk.recording = None
        tape_of_last = tapes.path_of(recorded.tape or "", row.path)
        tape_of_last.write_bytes(b"no tape at all")
        await person.press("t")
        await person.until(lambda: isinstance(person.app.screen, TreeScreen))
        said = " ".join(notification.message for notification in person.app._notifications)
        assert "is not a tape of Plybench. The search is recorded again." in said
        assert person.desk.recording is not None
        assert len(person.desk.recording) == nodes

    tell(second, path=row.path)
    *_, again = sessions.read(row.path).study.searches
    assert again.tape not in (None, recorded.tape)


def test_copies_share_a_tape_and_an_undone_deletion_still_has_it(tmp_path: Path) -> None:
    path = saved_session()
    copy = sessions.duplicate(path)
    assert tape_of(copy) == tape_of(path)
    renamed = sessions.rename(copy, "Other")
    assert tape_of(renamed).is_file()
    back = sessions.restore(sessions.delete(path))
    (kept,) = sessions.read(back).study.searches
    assert len(tapes.read(kept, back)) == kept.report.tape_nodes
    elsewhere = tmp_path / "elsewhere" / path.name
    (elsewhere.parent / tapes.FOLDER).mkdir(parents=True)
    back.rename(elsewhere)
    tape_of(elsewhere).write_bytes(tape_of(renamed).read_bytes())
    sessions.delete(renamed)
    tape = sessions.directory() / (kept.tape or "")
    tape.unlink()
    assert tape_of(sessions.duplicate(elsewhere, "Brought here")).is_file(), "one from another folder brings its tapes"


def test_what_nobody_names_is_removed_in_the_end() -> None:
    path = saved_session()
    tape = tape_of(path)
    old = time.time() - 2 * sessions.KEPT_IN_TRASH.total_seconds()
    os.utime(tape, (old, old))
    nobodys = tape.with_name("nobodys.tape")
    nobodys.write_bytes(b"")
    sessions.purge()
    assert nobodys.exists(), "it may be about to be named"
    os.utime(nobodys, (old, old))
    sessions.purge()
    assert (tape.exists(), nobodys.exists()) == (True, False)
    sessions.delete(path)
    sessions.purge()
    assert tape.exists(), "the deletion can be undone"


@pytest.mark.parametrize(
    "name", ["", "../secret.tape", "tapes/../../x.tape", "/etc/passwd", "tapes/a b.tape", "tapes/x.txt"]
)
def test_a_name_never_leads_elsewhere(name: str) -> None:
    with pytest.raises(InputError, match="is not how a session names a tape"):
        tapes.path_of(name, Path("session.json"))


def test_commands_say_what_became_of_a_tape(plybench: Plybench) -> None:
    path = saved_session()
    name = tape_of(path).name
    nodes = sessions.read(path).study.searches[0].report.tape_nodes
    assert f"{nodes:,} nodes recorded in tapes/{name}" in " ".join(plybench("session", "show", "Recorded").out.split())
    assert f"{nodes:,} nodes recorded in tapes/{name}, beside the session." in export(sessions.read(path), "md").replace(
        "\\", ""
    )
    (check,) = plybench("session", "verify", "Recorded", "--json").json["checks"]
    assert (check["status"], check["tape"]) == ("same", "")

    good = tape_of(path).read_bytes()
    for bad, words in (
        (good[: len(good) // 2], "is not a tape of Plybench"),
        (tape_of(saved_session("Other", depth=2)).read_bytes(), "belongs to another search"),
        (None, "no longer exists"),
    ):
        tape_of(path).unlink()
        if bad is not None:
            tape_of(path).write_bytes(bad)
        answer = plybench("session", "verify", "Recorded", "--json")
        (check,) = answer.json["checks"]
        assert check["status"] == "same"
        assert words in check["tape"]
        assert answer.code == 0
        assert words.split()[-1].rstrip(".") in plybench("session", "verify", "Recorded").out
    assert "no longer exists" in " ".join(plybench("session", "show", "Recorded").out.split())
