"""The settings file: what it says is found, what is wrong with it is one sentence, and nothing else in it is lost."""

from __future__ import annotations

import os
import sys
import tomllib
from functools import partial
from pathlib import Path

import chess
import pytest
from rich.console import Console, RenderableType

from engines.contract import InputError, as_json
from positions.references import BookMove, References, TableVerdict, san
from workbench import settings
from workbench.render import references as show_references
from workbench.settings import Settings, read_settings, settings_path, write_setting


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No settings but the test's own, and no usual places."""
    monkeypatch.setenv("PLYBENCH_CONFIG", str(tmp_path / "config"))
    for setting in settings.DECLARED:
        monkeypatch.delenv(setting.variable, raising=False)
    bare = tuple(settings.Declared(name=s.name, sentence=s.sentence, many=s.many, usual=()) for s in settings.DECLARED)
    monkeypatch.setattr(settings, "DECLARED", bare)


def write(text: str) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text(text, encoding="utf-8")


def printed(view: RenderableType | None) -> str:
    assert view is not None
    console = Console(width=300, color_system=None)
    with console.capture() as captured:
        console.print(view)
    return captured.get()


def test_no_file_no_settings() -> None:
    assert read_settings() == Settings(book="", syzygy=(), gaviota=())
    assert not settings_path().exists()


def test_the_file_says_where_things_are() -> None:
    write('book = "/books/a.bin"\nsyzygy = ["/t/3-4-5", "/t/6"]\ngaviota = "/g"\n')
    assert read_settings() == Settings(book="/books/a.bin", syzygy=("/t/3-4-5", "/t/6"), gaviota=("/g",))


def test_paths_are_seen_from_the_file_and_from_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    write('book = "a.bin"\nsyzygy = ["~/t", "~nobody-has-this-name/t"]\n')
    directory = settings_path().parent
    assert read_settings().book == str(directory / "a.bin")
    assert read_settings().syzygy == ("/home/ada/t", str(directory / "~nobody-has-this-name/t"))


def test_a_byte_order_mark_does_no_harm() -> None:
    write('\ufeffbook = "/a.bin"\r\n')
    assert read_settings().book == "/a.bin"


def test_environment_goes_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write('book = "/file.bin"\nsyzygy = ["/file"]\ngaviota = ["/file"]\n')
    monkeypatch.setenv("PLYBENCH_BOOK", "/with:colon.bin")
    monkeypatch.setenv("PLYBENCH_SYZYGY", os.pathsep.join(["/a", "", "/b"]))
    monkeypatch.setenv("PLYBENCH_GAVIOTA", "")
    assert read_settings() == Settings(book="/with:colon.bin", syzygy=("/a", "/b"), gaviota=())


def test_usual_places_are_used_only_if_something_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("second.bin", "third.bin"):
        (tmp_path / name).touch()
    (tmp_path / "tables").mkdir()
    places = tuple(str(tmp_path / name) for name in ("first.bin", "second.bin", "third.bin"))
    book = settings.Declared(name="book", sentence="", many=False, usual=places)
    tables = settings.Declared(name="syzygy", sentence="", many=True, usual=(str(tmp_path / "tables"), str(tmp_path / "no")))
    monkeypatch.setattr(settings, "DECLARED", (book, tables, settings.DECLARED[2]))
    assert read_settings() == Settings(book=places[1], syzygy=(str(tmp_path / "tables"),))
    write('book = ""\nsyzygy = []\n')
    assert read_settings() == Settings()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("book = \n", ["not valid TOML", "line 1"]),
        ("book = 3\n", ["book", "'3'", "a path in quotation marks"]),
        ('book = ["/a"]\n', ["book", "a path in quotation marks"]),
        ("syzygy = true\n", ["syzygy", "'True'", "a list of directories"]),
        ('gaviota = ["/a", 3]\n', ["gaviota", "a list of directories"]),
        ('boook = "/a"\n', ["'boook' is not a setting", "book, syzygy, gaviota"]),
        ('[book]\npath = "/a"\n', ["book", "a path in quotation marks"]),
        ("book = " + "[" * 5000, ["not valid TOML", "nested too deeply"]),
    ],
)
def test_a_broken_file_is_one_sentence(text: str, parts: list[str]) -> None:
    write(text)
    with pytest.raises(InputError) as error:
        read_settings()
    message = str(error.value)
    assert str(settings_path()) in message
    assert message.endswith(".")
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_a_file_that_cannot_be_read() -> None:
    settings_path().mkdir(parents=True)
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_settings()
    settings_path().rmdir()
    settings_path().write_bytes(b'book = "\xff"')
    with pytest.raises(InputError, match="UTF-8"):
        read_settings()


def test_the_file_is_where_the_system_keeps_such_things(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLYBENCH_CONFIG")
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("APPDATA", "/appdata")
    for platform, xdg, path in [
        ("linux", "/xdg", "/xdg/plybench/settings.toml"),
        ("linux", "", "/home/ada/.config/plybench/settings.toml"),
        ("darwin", "", "/home/ada/Library/Application Support/plybench/settings.toml"),
        ("win32", "", "/appdata/plybench/settings.toml"),
    ]:
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setenv("XDG_CONFIG_HOME", xdg)
        assert str(settings_path()) == path


def test_what_is_written_is_read_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    write_setting("book", "books/a.bin")
    write_setting("syzygy", os.pathsep.join(["/a b", "here"]))
    assert read_settings() == Settings(book=str(tmp_path / "books/a.bin"), syzygy=("/a b", str(tmp_path / "here")))
    write_setting("syzygy", "")
    assert read_settings().syzygy == ()
    assert "syzygy = []" in settings_path().read_text()
    write_setting("book", None)
    assert "book" not in settings_path().read_text()


@pytest.mark.parametrize(
    "name", ['quote " and \\ back.bin', "tab\t and line\n.bin", "日本 — é.bin", "del\x7f nul\x01", "#[x] = 'y'"]
)
def test_strange_names_are_written_as_they_are(name: str) -> None:
    write_setting("book", f"/books/{name}")
    assert read_settings().book == f"/books/{name}"
    write_setting("gaviota", f"/tables/{name}")
    assert read_settings() == Settings(book=f"/books/{name}", gaviota=(f"/tables/{name}",))


def test_names_that_no_text_can_have() -> None:
    with pytest.raises(InputError, match="not text in UTF-8"):
        write_setting("book", "/books/\udcff.bin")
    assert not settings_path().exists()


def test_writing_keeps_everything_else() -> None:
    before = """# My settings
# from last year

syzygy = [  # several
  "/a",  # with a ] in a comment
  "/b",
]
book = "/old.bin"  # the old one
later = "of a newer version"

[theme]
name = "dark"  # book = "no"
"""
    write(before)
    write_setting("book", "/new.bin")
    write_setting("syzygy", "/c")
    write_setting("gaviota", "/d")
    after = settings_path().read_text()
    expected = tomllib.loads(before) | {"book": "/new.bin", "syzygy": ["/c"], "gaviota": ["/d"]}
    assert tomllib.loads(after) == expected
    for kept in ("# My settings\n# from last year\n", 'later = "of a newer version"\n', '# book = "no"'):
        assert kept in after


def test_a_file_that_cannot_be_changed_safely_is_left_alone() -> None:
    for before in ('[other]\nbook = "/mine"\n', "book = \n", 'note = """\nbook = "/in a text"\n"""\n'):
        write(before)
        with pytest.raises(InputError):
            write_setting("book", "/new.bin")
        assert settings_path().read_text() == before


def test_unknown_names_and_places_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no setting 'books'\. Did you mean book"):
        write_setting("books", "/a")
    (tmp_path / "file").touch()
    monkeypatch.setenv("PLYBENCH_CONFIG", str(tmp_path / "file"))
    with pytest.raises(InputError, match="cannot be made"):
        write_setting("book", "/a")
    assert read_settings() == Settings()


def test_report_says_where_from_and_what_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    book = tmp_path / "book.bin"
    book.write_bytes(bytes(32))
    write_setting("book", str(book))
    monkeypatch.setenv("PLYBENCH_GAVIOTA", str(tmp_path / "none"))
    report = settings.report()
    assert report.file == str(settings_path())
    rows = {row.name: row for row in report.settings}
    assert (rows["book"].source, rows["book"].value, rows["book"].found) == ("file", str(book), 2)
    assert (rows["syzygy"].source, rows["syzygy"].value, rows["syzygy"].found) == ("default", (), 0)
    assert (rows["gaviota"].source, rows["gaviota"].found) == ("environment", 0)
    assert rows["gaviota"].notes == (f"The directory '{tmp_path / 'none'}' does not exist.",)
    assert [row.name for row in settings.report("syzygy").settings] == ["syzygy"]
    with pytest.raises(InputError, match="There is no setting"):
        settings.report("theme")
    assert '"found": 2' in as_json(report)
    text = printed(show_references.settings(report))
    for part in ("2 entries", "PLYBENCH_GAVIOTA", "nothing", "does not exist.", "settings.toml"):
        assert part in text
    write_setting("book", "")
    assert "off" in printed(show_references.settings(settings.report("book")))


def test_view_of_a_book() -> None:
    shares = {"e2e4": 50, "d2d4": 30, "g1f3": 10, "c2c4": 8, "g2g3": 1, "b2b3": 1, "a2a3": 0}
    book = tuple(BookMove(move=move, weight=weight, share=weight / 100) for move, weight in shares.items())
    text = printed(show_references.references(References(book=book), partial(san, chess.STARTING_FEN)))
    assert "Nf3" in text
    assert "50.0%  ████████" in text
    assert "and 1.0% for b3 a3" in text


def test_view_of_a_table_and_of_nothing() -> None:
    fen = "8/8/8/8/8/8/8/K2kr3 w - - 0 1"
    table = TableVerdict(source="gaviota", outcome="second", distance=10, dtz=None, best=("a1b2",))
    found = References(table=table, notes=("Something is missing.",))
    text = printed(show_references.references(found, partial(san, fen)))
    assert "Black wins in 10 plies (Gaviota); best Kb2" in text
    assert "Something is missing." in text
    draw = TableVerdict(source="syzygy", outcome="draw", distance=None, dtz=None, best=("a1b2",))
    assert show_references.table_sentence(draw, partial(san, fen)) == "Draw (Syzygy); kept by Kb2"
    win = TableVerdict(source="syzygy", outcome="first", distance=None, dtz=1, best=())
    assert show_references.table_sentence(win, str) == "White wins (Syzygy, capture, pawn move or mate in 1 ply)"
    assert show_references.references(References(), str) is None
