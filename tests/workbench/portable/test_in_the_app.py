"""Portable sessions in the app: packed from the Sessions dialog, opened from the Open dialog."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.events import Paste
from textual.widgets import Input, Label

from tests.workbench.app.test_app import Person, tell
from tests.workbench.sessions.test_tapes import saved_session
from workbench.app.dialogs.choice import ChoiceDialog
from workbench.app.dialogs.file import FileDialog, Files
from workbench.app.dialogs.open import OpenDialog
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.tree import TreeScreen
from workbench.portable import handover
from workbench.sessions import store as sessions


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A portable session from elsewhere."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLYBENCH_PIECES", "")
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "there"))
    target = tmp_path / "A lesson.plybench"
    handover.pack(saved_session("A lesson"), target)
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "here"))
    return target


@pytest.mark.parametrize("form", ["{}", "'{}'", '"{}"', "url", "escaped"])
def test_a_pasted_path_opens_it_and_its_tree(file: Path, form: str) -> None:
    text = {"url": file.as_uri(), "escaped": str(file).replace(" ", "\\ ")}.get(form, form.format(file))

    async def story(person: Person) -> None:
        await person.press("o")
        field = person.app.screen.query_one(Input)
        field._on_paste(Paste(text))
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, AnalyseScreen))
        assert person.desk.session.name == "A lesson"
        await person.press("t")
        await person.until(lambda: isinstance(person.app.screen, TreeScreen))
        assert person.desk.search is None, "the tree is the one that was handed over"

    tell(story)
    (row,) = sessions.listing()
    assert row.name == "A lesson"


def test_found_in_the_tree_of_files(file: Path) -> None:
    async def story(person: Person) -> None:
        await person.press("o", "ctrl+f")
        assert isinstance(person.app.screen, FileDialog)
        files = person.app.screen.query_one(Files)

        def places() -> list[Path | None]:
            return [node.data.path if node.data else None for node in files.root.children]

        await person.until(lambda: file in places())
        files.move_cursor(files.root.children[places().index(file)])
        await person.press("enter")
        assert isinstance(person.app.screen, OpenDialog)
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, AnalyseScreen))
        assert person.desk.session.name == "A lesson"

    tell(story)


def test_a_damaged_one_is_one_sentence_and_leaves_the_session_open(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-30])

    async def story(person: Person) -> None:
        await person.press("o")
        person.app.screen.query_one(Input).value = str(file)
        await person.press("enter")
        await person.until(lambda: "not a portable session" in str(person.app.screen.query_one("#problem", Label).content))
        await person.press("escape")
        assert isinstance(person.app.screen, AnalyseScreen)

    tell(story)
    assert sessions.listing() == []


def test_a_saved_session_opens_from_the_dialog_too(file: Path, tmp_path: Path) -> None:
    shutil.copytree(tmp_path / "there" / "sessions", tmp_path / "copy")

    async def story(person: Person) -> None:
        await person.press("o")
        person.app.screen.query_one(Input).value = "copy/A lesson.plybench.json"
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, AnalyseScreen))
        assert person.desk.session.name == "A lesson"

    tell(story)


def test_export_packs_the_open_session(file: Path, tmp_path: Path) -> None:
    file.unlink()

    async def story(person: Person) -> None:
        await person.press("right_square_bracket")
        await person.wait()
        await person.press("S", "w")
        assert isinstance(person.app.screen, ChoiceDialog)
        await person.press("enter")
        await person.until(lambda: bool(list(tmp_path.glob("*.plybench"))))
        await person.press("w", "enter")
        await person.until(lambda: len(list(tmp_path.glob("*.plybench"))) == 2)

    tell(story)
    (row,) = sessions.listing()
    for packed in tmp_path.glob("*.plybench"):
        assert handover.read(packed).saved() == sessions.read(row.path).saved()
