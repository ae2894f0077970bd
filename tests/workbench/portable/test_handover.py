"""Sessions handed over in one file: whole on the other machine, refused in a sentence if anything is wrong with it."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract import InputError
from tests.damage.bounds import frugal
from tests.damage.files import damaged
from tests.mutation import is_sentence
from tests.thorough import LONG
from tests.workbench.conftest import Plybench
from tests.workbench.session_samples import italian
from tests.workbench.sessions.test_tapes import saved_session
from workbench.input import recognise
from workbench.portable import archive, handover
from workbench.sessions import store as sessions
from workbench.sessions import tapes
from workbench.sessions.model import Session

COUNT = 4_000 if LONG else 300
"""Damaged files that are taken in, or refused."""


class Homes:
    """Two machines: the data directory of one of them is in use."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self._monkeypatch, self.folder = monkeypatch, folder
        self.move("here")

    def move(self, name: str) -> None:
        """Sit at another machine."""
        self._monkeypatch.setenv("PLYBENCH_DATA", str(self.folder / name))


@pytest.fixture
def homes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Homes:
    monkeypatch.chdir(tmp_path)
    return Homes(monkeypatch, tmp_path)


def packed(tmp_path: Path, name: str = "Recorded") -> Path:
    """A session with a tape in one file."""
    target = tmp_path / f"{name}.plybench"
    handover.pack(saved_session(name), target)
    return target


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_recorded_is_there_on_the_other_machine(homes: Homes, tmp_path: Path) -> None:
    file = packed(tmp_path)
    here = sessions.read(sessions.find("Recorded"))
    homes.move("there")
    imported = handover.take_in(file)
    assert not imported.was_here
    assert imported.sentence == "'Recorded' is now among your sessions: 1 position, 1 search, 1 recorded tree."
    there = sessions.read(imported.file)
    assert there.saved() == here.saved()
    (kept,) = there.study.searches
    assert tapes.problem(kept, imported.file) == ""
    assert tapes.read(kept, imported.file).report == kept.report


def test_a_second_time_nothing_is_written(homes: Homes, tmp_path: Path) -> None:
    file = packed(tmp_path)
    homes.move("there")
    handover.take_in(file)
    before = everything(tmp_path / "there")
    again = handover.take_in(file)
    assert again.was_here
    assert "already" in again.sentence
    assert everything(tmp_path / "there") == before


def test_nothing_existing_is_overwritten(homes: Homes, tmp_path: Path) -> None:
    file = packed(tmp_path)
    homes.move("there")
    theirs = saved_session("Recorded", depth=2)
    (name,) = tapes.named_by(sessions.read(theirs))
    homes.move("here")
    (mine,) = tapes.named_by(sessions.read(sessions.find("Recorded")))
    homes.move("there")
    shutil.copy(tapes.path_of(name, theirs), tapes.path_of(mine, theirs))  # another tape has the name of the one that comes
    before = everything(tmp_path / "there")
    imported = handover.take_in(file)
    assert imported.name == "Recorded 2"
    assert "as 'Recorded 2', because there is another 'Recorded'" in imported.sentence
    assert before.items() <= everything(tmp_path / "there").items()
    (kept,) = sessions.read(imported.file).study.searches
    assert kept.tape != mine
    assert tapes.problem(kept, imported.file) == ""


def test_a_tape_that_is_gone_is_said(homes: Homes, tmp_path: Path) -> None:
    path = saved_session()
    shutil.rmtree(path.parent / "tapes")
    told = handover.pack(path, tmp_path / "x.plybench")
    assert (told.tapes, told.missing) == (0, 1)
    assert "could not be found" in told.sentence
    homes.move("there")
    assert handover.take_in(tmp_path / "x.plybench").tapes == 0


def test_a_session_as_it_is_saved_is_taken_in_too(homes: Homes, tmp_path: Path) -> None:
    path = saved_session()
    homes.move("there")
    imported = handover.take_in(path)
    (kept,) = sessions.read(imported.file).study.searches
    assert tapes.problem(kept, imported.file) == ""
    assert handover.take_in(path).was_here


def test_a_full_disk_leaves_nothing(homes: Homes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = packed(tmp_path)
    homes.move("there")

    def full(*_: Any) -> None:
        raise InputError("The disk is full.")

    monkeypatch.setattr(sessions, "write", full)
    with pytest.raises(InputError, match="full"):
        handover.take_in(file)
    assert everything(tmp_path / "there") == {}


def rewritten(file: Path, change: Callable[[dict[str, bytes]], None], hashes: bool = True) -> None:
    """Change the files in a portable session; the manifest fits to them afterwards, unless it is what was changed."""
    with zipfile.ZipFile(file) as old:
        members = {name: old.read(name) for name in old.namelist()}
    before = members[archive.MANIFEST]
    change(members)
    if hashes and members.get(archive.MANIFEST) == before:
        manifest = msgspec.json.decode(before)
        manifest["files"] = [
            {"path": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in members.items()
            if name != archive.MANIFEST
        ]
        members[archive.MANIFEST] = msgspec.json.encode(manifest)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in members.items():
            new.writestr(name, content)


def replaced(name: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        assert old in members[name]
        members[name] = members[name].replace(old, new, 1)

    return change


def put(name: str, content: bytes) -> Callable[[dict[str, bytes]], None]:
    return lambda members: members.update({name: content})


def without(name: str) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        del members[name]

    return change


@pytest.mark.parametrize(
    ("change", "hashes", "said"),
    [
        (put("../../evil.tape", b"x"), True, "has a file '../../evil.tape', which Plybench did not write"),
        (put("/etc/evil", b"x"), True, "has a file '/etc/evil'"),
        (put("tapes/../../evil.tape", b"x"), True, "which Plybench did not write"),
        (put("tapes/x.tape", b"x"), False, "'tapes/x.tape' is in it or in its list of files, and not in both"),
        (without(archive.SESSION), True, "it has no session"),
        (without(archive.MANIFEST), False, "is not a portable session"),
        (put(archive.MANIFEST, b"{"), False, "its list of files cannot be read"),
        (put(archive.MANIFEST, b'{"format": "something"}'), False, "is not a portable session"),
        (replaced(archive.MANIFEST, b"session 1", b"session 2"), False, "was written by a newer Plybench"),
        (replaced(archive.SESSION, b"plybench session 1", b"plybench session 7"), True, "written by a newer Plybench"),
        (replaced(archive.SESSION, b"Recorded", b"Recordes"), False, "its 'session.json' is not what was packed"),
        (put(archive.SESSION, b"{}"), True, "is not a session of Plybench"),
        (put("tapes/bomb.tape", bytes(200_000_000)), True, "unpack to much more than such a file can hold"),
    ],
)
def test_what_is_refused(
    homes: Homes, tmp_path: Path, change: Callable[[dict[str, bytes]], None], hashes: bool, said: str
) -> None:
    file = packed(tmp_path)
    rewritten(file, change, hashes)
    homes.move("there")
    with pytest.raises(InputError) as caught, frugal():
        handover.take_in(file)
    assert said in str(caught.value)
    assert is_sentence(str(caught.value))
    assert everything(tmp_path / "there") == {}
    assert not (tmp_path / "evil.tape").exists()


def test_foreign_files(homes: Homes, tmp_path: Path) -> None:
    for content in (b"", b"hello", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), os.urandom(5000)):
        (tmp_path / "x.plybench").write_bytes(content)
        with pytest.raises(InputError, match="not a portable session"):
            handover.take_in(tmp_path / "x.plybench")
    with pytest.raises(InputError, match="cannot be read"):
        handover.read(tmp_path / "none.plybench")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A portable session as bytes."""
    folder = tmp_path_factory.mktemp("original")
    before = os.environ.get("PLYBENCH_DATA")
    os.environ["PLYBENCH_DATA"] = str(folder)
    try:
        return packed(folder).read_bytes()
    finally:
        os.environ.pop("PLYBENCH_DATA")
        if before is not None:
            os.environ["PLYBENCH_DATA"] = before


def taken_whole_or_refused(content: bytes, folder: Path) -> None:
    """One sentence and nothing written, or all of it."""
    file = folder / "x.plybench"
    file.write_bytes(content)
    shutil.rmtree(folder / "data", ignore_errors=True)
    os.environ["PLYBENCH_DATA"] = str(folder / "data")
    try:
        imported = handover.take_in(file)
    except InputError as error:
        refusal = str(error)
    else:
        refusal = ""
        there = sessions.read(imported.file)
        for kept in there.study.searches:
            assert tapes.path_of(kept.tape or "", imported.file).is_file() or not imported.tapes
    if refusal:
        assert is_sentence(refusal), refusal
        assert everything(folder / "data") == {}


def test_damaged_bytes(homes: Homes, tmp_path: Path, original: bytes) -> None:
    for content in damaged([original], COUNT):
        taken_whole_or_refused(content, tmp_path)


@settings(max_examples=COUNT // 3, deadline=None)
@given(data=st.data())
def test_a_few_bytes_replaced(data: st.DataObject, original: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Any few bytes changed, a part cut out, or anything appended."""
    place = data.draw(st.integers(0, len(original)))
    new = data.draw(st.binary(max_size=40))
    cut = data.draw(st.integers(0, 60))
    folder = tmp_path_factory.mktemp("damaged")
    before = os.environ.get("PLYBENCH_DATA")
    try:
        taken_whole_or_refused(original[:place] + new + original[place + cut :], folder)
    finally:
        os.environ.pop("PLYBENCH_DATA", None)
        if before is not None:
            os.environ["PLYBENCH_DATA"] = before
        shutil.rmtree(folder)


def test_every_sample_comes_back(homes: Homes, tmp_path: Path) -> None:
    session = italian()
    handover.pack(sessions.create(session), tmp_path / "i.plybench")
    homes.move("there")
    assert sessions.read(handover.take_in(tmp_path / "i.plybench").file).saved() == session.saved()


def test_a_session_that_packs_too_well_is_taken_in_all_the_same(homes: Homes, tmp_path: Path) -> None:
    """What Plybench writes it reads, even where a reader has to take it for a trap."""
    session = italian()
    session.study.note = "all work and no play " * 200_000
    handover.pack(sessions.create(session), tmp_path / "n.plybench")
    homes.move("there")
    assert handover.take_in(tmp_path / "n.plybench").studies == 1


def test_recognised_everywhere(homes: Homes, tmp_path: Path, plybench: Plybench) -> None:
    file = packed(tmp_path)
    homes.move("there")
    found = recognise.own_file(file)
    assert found is not None
    assert isinstance(found.session, Session)
    assert found.portable == file
    (row,) = recognise.listed(file, "", "chess")
    assert (row.title, row.own) == ("Recorded", file)
    shutil.copy(file, tmp_path / "renamed.zip")
    assert recognise.own_file(tmp_path / "renamed.zip") is not None
    answer = plybench("analyze", str(file), "--algorithm", "alphabeta", "--depth", "1", "--json")
    assert answer.json["game"] == "tictactoe"
    assert everything(tmp_path / "there") == {}, "looking is not taking in"


def test_the_command_line_between_two_homes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The real program, with nothing in common but the file."""

    def run(home: str, *words: str) -> subprocess.CompletedProcess[str]:
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("PLYBENCH", "XDG"))}
        (tmp_path / home).mkdir(exist_ok=True)
        environment = {**keep, "HOME": str(tmp_path / home), "NUMBA_DISABLE_JIT": "1"}
        command = [sys.executable, "-m", "workbench.cli", *words]
        environment["PYTHONPATH"] = str(Path(__file__).parents[3])
        return subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)

    for name in ("PLYBENCH_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "teacher"))
    saved_session("Lesson")
    exported = run("teacher", "session", "export", "Lesson", "--to", "plybench")
    assert exported.returncode == 0, exported.stderr
    assert "Lesson.plybench" in exported.stderr
    for was_here in (False, True):
        imported = msgspec.json.decode(run("pupil", "session", "import", "Lesson.plybench", "--json").stdout)
        assert (imported["name"], imported["was_here"], imported["tapes"]) == ("Lesson", was_here, 1)
    assert [row["name"] for row in msgspec.json.decode(run("pupil", "session", "list", "--json").stdout)] == ["Lesson"]
    verified = run("pupil", "session", "verify", "Lesson")
    assert verified.returncode == 0, verified.stdout
    assert "1 the same" in verified.stdout
    (tmp_path / "Lesson.plybench").write_bytes((tmp_path / "Lesson.plybench").read_bytes()[:500])
    broken = run("pupil", "session", "import", "Lesson.plybench")
    assert (broken.returncode, broken.stdout, broken.stderr.count("\n")) == (2, "", 1)
