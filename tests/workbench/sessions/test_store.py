"""The folder of sessions: what is saved is there and whole, what is deleted comes back, what is damaged stays as it is."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engines import catalog
from engines.contract import InputError
from tests.mutation import is_sentence
from tests.workbench.session_samples import italian
from workbench.sessions import codec as session_file
from workbench.sessions import store as sessions
from workbench.sessions.autosave import Autosave
from workbench.sessions.model import Session
from workbench.sessions.types import SavedSession


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A data directory of the test's own."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Saves that come sooner, and are tried again sooner."""
    for name, seconds in (("QUIET", 0.1), ("LONGEST", 0.12), ("RETRY", 0.3)):
        monkeypatch.setattr(Autosave, name, seconds)


def small(name: str = "small") -> Session:
    return Session.new(name, catalog.position("startpos", "tictactoe"))


def until(what: Callable[[], object], seconds: float = 5.0) -> bool:
    """Wait for something to be true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.005)
    return False


# The folder.


def test_something_is_kept_in_the_session_of_a_name_or_in_a_new_one() -> None:
    position = catalog.position("startpos", "tictactoe")
    path = sessions.keep_in("Notes", position, lambda session: session.study.write_note_here("one"))
    assert sessions.keep_in("notes", catalog.position("44", "connect4"), lambda session: session.study.back()) == path
    (row,) = sessions.listing()
    kept = sessions.read(row.path)
    assert (row.name, kept.study.note_here, kept.study.position().game.id) == ("Notes", "one", "tictactoe")


def test_the_folder_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    assert sessions.directory() == data / "sessions"
    assert sessions.listing() == []
    assert not data.exists()
    monkeypatch.delenv("PLYBENCH_DATA")
    if sys.platform == "linux":
        monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
        assert sessions.directory() == Path("/somewhere/plybench/sessions")
        monkeypatch.delenv("XDG_DATA_HOME")
        monkeypatch.setenv("HOME", "/home/ada")
        assert sessions.directory() == Path("/home/ada/.local/share/plybench/sessions")


def test_a_session_is_created_listed_found_and_read() -> None:
    session = italian()
    session.add(catalog.position("4453", "connect4"))
    path = sessions.create(session)
    (row,) = sessions.listing()
    assert (row.name, row.path, row.games) == (session.name, path, ("chess", "connect4"))
    assert (row.studies, row.searches, row.error) == (2, 2, "")
    assert row.changed == session.changed
    assert sessions.find(session.name) == sessions.find(session.name.upper()) == sessions.find(str(path)) == path
    assert sessions.read(path).saved() == session.saved()


def test_the_last_changed_is_listed_first() -> None:
    for day, name in enumerate(("b", "c", "a")):
        session = small(name)
        session.changed = datetime(2026, 1, 1 + day, tzinfo=UTC)
        sessions.create(session)
    assert [row.name for row in sessions.listing()] == ["a", "c", "b"]


def test_what_is_not_there_is_said() -> None:
    sessions.create(small("endgames"))
    with pytest.raises(InputError, match="Did you mean 'endgames'"):
        sessions.find("endgame")
    with pytest.raises(InputError, match="no file of that name"):
        sessions.find(str(sessions.directory()))
    with pytest.raises(InputError, match="no file of that name"):
        sessions.find("x" * 5000 + "\0")


@pytest.mark.parametrize(
    "name", ["a/b\\c", "..", ".hidden", "CON", "nul.txt", "a:b*c?", "é" * 100, "日本語 " * 20, "- ", "x.", "a\u202eb"]
)
def test_any_name_makes_a_file_inside_the_folder(name: str) -> None:
    path = sessions.create(small(name))
    assert path.parent == sessions.directory()
    assert path.is_file()
    assert not path.name.startswith((".", " "))
    assert len(os.fsencode(path.name)) < 200
    assert sessions.find(sessions.read(path).name) == path


def test_names_that_look_alike_to_files_are_different_sessions() -> None:
    first, second = sessions.create(small("a/b")), sessions.create(small("a:b"))
    assert first != second
    with pytest.raises(InputError, match="already"):
        sessions.create(small("A/B"))
    assert sessions.free_name("a/b") == "a/b 2"
    assert sessions.free_name("new") == "new"


def test_a_copy_and_a_new_name() -> None:
    path = sessions.create(small())
    copy = sessions.duplicate(path)
    assert sessions.read(copy).name == "small copy"
    assert sessions.read(sessions.duplicate(path)).name == "small copy 2"
    moved = sessions.rename(copy, "large")
    assert not copy.exists()
    assert sessions.read(moved).name == "large"
    assert moved.name.startswith("large")
    assert sessions.rename(moved, "Large") != path
    with pytest.raises(InputError, match="already"):
        sessions.rename(path, "small copy 2")
    assert sessions.read(path).name == "small"


# The trash.


def test_what_is_deleted_can_be_brought_back() -> None:
    path = sessions.create(small())
    content = path.read_bytes()
    gone = sessions.delete(path)
    assert sessions.listing() == []
    assert [row.name for row in sessions.trash()] == ["small"]
    assert sessions.restore(gone) == path
    assert path.read_bytes() == content
    assert sessions.trash() == []


def test_what_comes_back_does_not_take_anothers_place() -> None:
    gone = sessions.delete(sessions.create(small()))
    other = sessions.create(small())
    back = sessions.restore(gone)
    assert back != other
    assert len(sessions.listing()) == 2


def test_a_damaged_session_can_be_deleted_and_comes_back_as_damaged_as_it_was() -> None:
    path = sessions.create(small())
    path.write_bytes(b"\xff nonsense")
    back = sessions.restore(sessions.delete(path))
    assert back.read_bytes() == b"\xff nonsense"


def test_the_trash_is_emptied_after_30_days_and_not_before(data: Path) -> None:
    trash = sessions.trash_directory()
    trash.mkdir(parents=True)
    for days in (29, 31):
        stamp = (datetime.now(UTC) - timedelta(days=days)).strftime("%Y%m%dT%H%M%S%f")
        (trash / f"{stamp} old{days}{sessions.SUFFIX}").write_bytes(b"x")
    (trash / f"mine{sessions.SUFFIX}").write_bytes(b"x")
    sessions.purge()
    assert sorted(path.name.split()[-1] for path in trash.iterdir()) == [f"mine{sessions.SUFFIX}", f"old29{sessions.SUFFIX}"]


def test_what_a_killed_process_left_behind_is_tidied_up(data: Path) -> None:
    path = sessions.create(small())
    left, fresh = (path.with_name(f".{path.name}.{name}") for name in ("abc", "xyz"))
    for file in (left, fresh):
        file.write_bytes(b"half")
    os.utime(left, (1, 1))
    sessions.purge()
    assert fresh.exists()
    assert not left.exists()
    assert [row.path for row in sessions.listing()] == [path]


# Files that cannot be read.


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b'{"format": "plybench session 2", "new": {}}'])
def test_what_cannot_be_read_is_refused_and_left_as_it_is(content: bytes) -> None:
    path = sessions.create(small())
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        sessions.read(path)
    assert is_sentence(str(error.value))
    assert path.read_bytes() == content
    (row,) = sessions.listing()
    assert row.error == str(error.value)
    assert row.name == "small"
    with pytest.raises(InputError):
        sessions.duplicate(path)
    with pytest.raises(InputError):
        sessions.rename(path, "other")
    assert path.read_bytes() == content


def test_a_newer_session_is_said_to_be_newer() -> None:
    path = sessions.create(small())
    path.write_bytes(path.read_bytes().replace(b"plybench session 1", b"plybench session 2"))
    with pytest.raises(InputError, match="newer Plybench"):
        sessions.read(path)


def test_the_version_before_is_offered(quick: None) -> None:
    path = sessions.create(small())
    before = path.read_bytes()
    autosave = Autosave(sessions.read(path), path)
    for move in ("a1", "b2"):
        autosave.session.study.play(move)
        autosave.touch()
        autosave.flush()
    autosave.close()
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InputError, match=r"The version before is in .*\.bak'"):
        sessions.read(path)
    assert sessions.backup_of(path).read_bytes() == before
    damaged = path.read_bytes()
    recovered = sessions.recover(path)
    assert sessions.read(recovered).name == "small recovered"
    assert sessions.read(recovered).study.path == ()
    assert path.read_bytes() == damaged
    assert sessions.backup_of(path).read_bytes() == before


# Saving by itself.


def test_a_change_is_saved_soon_and_not_each_one_alone(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    path = sessions.create(small())
    written: list[float] = []
    write = sessions.write

    def counted(saved: SavedSession, where: Path) -> None:
        written.append(time.monotonic())
        write(saved, where)

    monkeypatch.setattr(sessions, "write", counted)
    autosave = Autosave(sessions.read(path), path)
    began = time.monotonic()
    for move in ("a1", "b2", "c3", "a2"):
        autosave.session.study.play(move)
        autosave.touch()
    assert until(lambda: autosave.saved)
    assert len(written) == 1
    assert written[0] - began >= 0.09
    touched = 0
    while len(written) < 4 and touched < 1000:  # never quiet for long enough: saved all the same
        autosave.touch()
        touched += 1
        time.sleep(0.01)
    assert len(written) == 4
    assert touched > 12
    autosave.close()
    assert sessions.read(path).study.path == ("a1", "b2", "c3", "a2")


def test_no_change_is_older_than_a_second_before_it_is_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often changes come, on a disk that takes a while: whoever kills the app loses less than the last second."""
    path = sessions.create(small())
    changed: dict[str, float] = {}
    write, oldest = sessions.write, list[float]()

    def slow(saved: SavedSession, where: Path) -> None:
        time.sleep(0.1)
        write(saved, where)
        unsaved = [when for note, when in changed.items() if int(note) > int(saved.studies[0].note)]
        oldest.append(time.monotonic() - changed[saved.studies[0].note])
        oldest.append(time.monotonic() - min(unsaved, default=time.monotonic()))

    monkeypatch.setattr(sessions, "write", slow)
    autosave = Autosave(sessions.read(path), path)
    for gap in (0.02, 0.15, 0.3):
        for _ in range(round(0.8 / gap)):
            autosave.session.study.note = str(len(changed))
            changed[autosave.session.study.note] = time.monotonic()
            autosave.touch()
            time.sleep(gap)
    assert until(lambda: autosave.saved)
    autosave.close()
    assert len(oldest) > 6
    assert Autosave.LONGEST + 2 * 0.1 < 0.6
    assert max(oldest) < 0.9, "what is left of the second is for a busy machine"


def test_closing_saves_at_once() -> None:
    path = sessions.create(small())
    autosave = Autosave(sessions.read(path), path)
    autosave.session.study.play("b2")
    autosave.touch()
    assert not autosave.saved
    autosave.close()
    assert autosave.saved
    assert sessions.read(path).study.path == ("b2",)
    autosave.close()


def test_a_failing_disk_is_told_and_tried_again(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    path = sessions.create(small())
    told: list[str] = []
    autosave = Autosave(sessions.read(path), path, told.append)
    write = sessions.write

    def full(saved: object, where: Path) -> None:
        raise InputError("'small' cannot be written: No space left on device.")

    monkeypatch.setattr(sessions, "write", full)
    autosave.session.study.play("b2")
    autosave.touch()
    assert until(lambda: told)
    assert told == ["'small' cannot be written: No space left on device."]
    assert not autosave.saved
    with pytest.raises(InputError, match="No space"):
        autosave.close()
    autosave.session.study.play("a1")
    autosave.touch()
    monkeypatch.setattr(sessions, "write", write)
    assert until(lambda: told[-1] == "")
    assert len(told) == 2
    assert sessions.read(path).study.path == ("b2", "a1")
    autosave.close()


def test_a_folder_that_has_become_unwritable_is_a_sentence(data: Path) -> None:
    path = sessions.create(small())
    autosave = Autosave(sessions.read(path), path)
    (data / "sessions").rename(data / "elsewhere")
    (data / "sessions").write_bytes(b"in the way")
    autosave.touch()
    with pytest.raises(InputError) as error:
        autosave.flush()
    assert is_sentence(str(error.value))
    (data / "sessions").unlink()
    autosave.close()
    assert path.is_file()


def test_renaming_what_is_open() -> None:
    path = sessions.create(small())
    sessions.create(small("taken"))
    autosave = Autosave(sessions.read(path), path)
    autosave.session.study.play("b2")
    autosave.touch()
    autosave.rename("other")
    assert not path.exists()
    with pytest.raises(InputError, match="already"):
        autosave.rename("taken")
    assert autosave.session.name == "other"
    autosave.session.study.play("a1")
    autosave.touch()
    autosave.close()
    assert sessions.read(sessions.find("other")).study.path == ("b2", "a1")
    assert len(sessions.listing()) == 2


def test_two_programs_with_one_session_do_not_overwrite_each_other() -> None:
    path = sessions.create(small())
    told: list[str] = []
    ours, theirs = Autosave(sessions.read(path), path, told.append), Autosave(sessions.read(path), path)
    for autosave, move in ((theirs, "a1"), (ours, "b2"), (ours, "c3")):
        autosave.session.study.go(())
        autosave.session.study.play(move)
        autosave.touch()
        autosave.flush()
    assert until(lambda: told)
    assert "goes on as 'small 2'" in told[0]
    ours.close()
    theirs.close()
    assert sessions.read(path).study.path == ("a1",)
    other = sessions.read(sessions.find("small 2"))
    assert [child.move for child in other.study.root.children] == ["b2", "c3"]


def test_renaming_does_not_take_away_what_another_program_wrote() -> None:
    path = sessions.create(small())
    ours, theirs = Autosave(sessions.read(path), path), Autosave(sessions.read(path), path)
    theirs.session.study.play("a1")
    theirs.touch()
    theirs.close()
    ours.rename("ours")
    ours.close()
    assert sorted(row.name for row in sessions.listing()) == ["ours", "small"]
    assert sessions.read(path).study.path == ("a1",)


KILLING = """
import os, random, signal, sys, time
from pathlib import Path
from engines import catalog
from workbench.sessions import store as sessions
from workbench.sessions.model import Session

path = sessions.directory() / f"killed{sessions.SUFFIX}"
session = Session.new("killed", catalog.position("startpos", "connect4"))
chance = random.Random(3)
frozen = []
for number in range(40):  # of very different lengths, each with its number twice
    session.rename(f"killed {number}")
    session.study.note = f"{number} " * chance.choice((1, 1000, 40000))
    frozen.append(session.saved())
sessions.write(frozen[0], path)
seen = set()
for _ in range(50):
    child = os.fork()
    if child == 0:
        while True:
            sessions.write(chance.choice(frozen), path)
    time.sleep(chance.uniform(0.005, 0.06))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    found = sessions.read(path)
    number = found.name.split()[1]
    assert found.study.note.split() == [number] * (found.study.note.count(" ")), "torn"
    assert found.saved() in frozen, "not what was saved"
    seen.add(number)
    chance.random()
print(len(seen))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be forked")
def test_a_process_that_is_killed_while_it_saves_leaves_a_whole_file() -> None:
    ran = subprocess.run([sys.executable, "-c", KILLING], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) > 1, "hardly any save came through"


def test_a_save_is_on_the_disk_when_it_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[int] = []
    fsync = os.fsync

    def counted(handle: int) -> None:
        flushed.append(os.fstat(handle).st_ino)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", counted)
    path = sessions.create(small())
    assert flushed == [path.stat().st_ino, path.parent.stat().st_ino]
    assert session_file.read(path.read_bytes(), "x").name == "small"
