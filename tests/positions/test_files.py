"""Files of positions: what a person names is found, or a sentence says what is not there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import chess
import pytest

from engines.contract import InputError, as_json
from positions.files import find, listing, skipped
from tests.mutation import attempt, is_sentence, slips

START = chess.STARTING_FEN
GAMES = """[Event "Café"]
[White "Müller"]
[Black "Ó Súilleabháin"]

1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *

[Event "Second"]
[Date "2024.01.02"]

1. d4 d5 1/2-1/2
"""
SUITE = f"""# a comment
{START[:-4]} bm e4 d4; id "Start.1"; hmvc 5;

; another, and an empty line
4k3/8/8/8/8/8/4P3/4K3 w - -
% FEN with its moves
4k3/8/8/8/8/8/4P3/4K3 w - - 7 40 moves e2e4 e8d7
8/8/8/8/8/8/8/8 w - - 0 1
startpos moves e2e4
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files, and the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(GAMES, encoding="utf-8")
    (tmp_path / "suite.epd").write_text(SUITE, encoding="utf-8")
    return tmp_path


def says(text: str) -> str:
    with pytest.raises(InputError) as raised:
        find(text)
    assert is_sentence(str(raised.value))
    return str(raised.value)


@pytest.mark.usefixtures("folder")
def test_games_by_name_number_ply_and_variation() -> None:
    assert find("games.pgn") == find("games.pgn#1") == "startpos moves e2e4 e7e5 g1f3"
    assert find("games.pgn#1/1") == "startpos moves e2e4"
    assert find("games.pgn#1/2.2") == "startpos moves e2e4 c7c5 g1f3"
    assert find("games.pgn#1/2.2/1") == "startpos moves e2e4 c7c5"
    assert find(str(Path("games.pgn").resolve()) + "#2") == "startpos moves d2d4 d7d5"
    assert says("games.pgn#3") == "There are 2 games in this file, not 3."
    assert says("games.pgn#2/3") == "Game 2: The line has 2 plies, not 3."
    assert "#GAME/PLY" in says("games.pgn#")
    assert "not '#one'" in says("games.pgn#one")


@pytest.mark.usefixtures("folder")
def test_positions_by_number() -> None:
    assert find("suite.epd") == find("suite.epd#1") == START.replace("0 1", "5 1")
    assert find("suite.epd#2") == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert find("suite.epd#3") == "4k3/8/8/8/8/8/4P3/4K3 w - - 7 40 moves e2e4 e8d7"
    assert find("suite.epd#5") == "startpos moves e2e4"
    assert says("suite.epd#4") == "Position 4, on line 8: White has 0 kings on the board, not one."
    assert says("suite.epd#30") == "There are 5 positions in this file, not 30."
    assert says("suite.epd#0") == "Positions are counted from 1, not from 0."
    assert "chosen with #NUMBER, not with '#1/2'" in says("suite.epd#1/2")
    assert "chosen with #NUMBER" in says("suite.epd#٣")


def test_what_is_said_of_what_was_skipped() -> None:
    assert skipped([], 7) == ""
    assert skipped([(3, "Bad."), (5, "Worse.")], 1234) == "2 of 1,234 lines skipped; line 3: Bad."
    assert skipped([(3, "Line 3: Bad.")], 7) == "1 of 7 lines skipped; line 3: Bad."
    assert skipped([(2, "Game 2, on line 9: Bad.")], 7, "game") == "1 of 7 games skipped; game 2, on line 9: Bad."
    assert skipped([(2, "Game 22: Bad.")], 7, "game") == "1 of 7 games skipped; game 2: Game 22: Bad."


@pytest.mark.usefixtures("folder")
def test_a_listing_names_the_lines_that_cannot_be_read() -> None:
    bad = next(item for item in listing("suite.epd") if "error" in item.details)
    assert (bad.number, bad.title, bad.details["line"]) == (4, "line 8", 8)


@pytest.mark.usefixtures("folder")
def test_what_is_no_file_is_left_to_the_game() -> None:
    Path("4444").mkdir()
    Path("startpos").write_text("no position", encoding="utf-8")
    for text in (
        "",
        "-",
        ".",
        "startpos",
        START,
        f"{START[:-4]} bm Qh7#; id",
        "4444",
        "((3 12) (2 4))",
        "a\0b",
        "x" * 5000,
        "#1",
    ):
        assert find(text) is None


@pytest.mark.usefixtures("folder")
def test_files_with_other_names() -> None:
    Path("games").write_text(GAMES, encoding="utf-8")
    Path("lines.txt").write_text(SUITE, encoding="utf-8")
    Path("odd#2.pgn").write_text("1. c4 *", encoding="utf-8")
    Path("UPPER.PGN").write_text("1. f4 *", encoding="utf-8")
    assert find("games#2") == "startpos moves d2d4 d7d5"
    assert find("lines.txt#2") == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert find("odd#2.pgn") == find("odd#2.pgn#1") == "startpos moves c2c4"
    assert find("UPPER.PGN") == "startpos moves f2f4"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_encodings(folder: Path, encoding: str) -> None:
    file = folder / "other.pgn"
    file.write_bytes(GAMES.replace("\n", "\r\n").encode(encoding))
    assert find("other.pgn#1/2") == "startpos moves e2e4 e7e5"
    assert next(listing(file)).title == "Müller - Ó Súilleabháin"


def test_files_that_cannot_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "folder.pgn").mkdir()
    (folder / "empty.pgn").touch()
    (folder / "blank.epd").write_text("\ufeff \n\n")
    (folder / "comments.epd").write_text("# nothing\n")
    (folder / "binary.pgn").write_bytes(bytes(range(256)))
    (folder / "broken.pgn").write_bytes(b"\xff\xfe1")
    with (folder / "large.epd").open("wb") as file:
        file.truncate(100_000_001)
    os.mkfifo(folder / "pipe.pgn")
    assert says("missing.pgn#2") == "There is no file 'missing.pgn'."
    assert says("folder.pgn") == "'folder.pgn' is a directory, not a file."
    assert says("empty.pgn") == "'empty.pgn' is empty."
    assert says("blank.epd") == "'blank.epd' is empty."
    assert says("comments.epd") == "There is no position in this file."
    assert says("binary.pgn") == "'binary.pgn' has NUL bytes in it, so it is not a text file."
    assert says("large.epd") == "'large.epd' has NUL bytes in it, so it is not a text file."
    assert says("pipe.pgn") == "'pipe.pgn' is not a file that can be read."
    assert says("a\0b.pgn") == "There is no file 'a?b.pgn'."
    assert "cannot be read" in says("x" * 5000 + ".pgn")
    says("broken.pgn")

    def refuse(path: Path, *args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert says("games.pgn") == "'games.pgn' cannot be read: Permission denied."


def test_listing(folder: Path) -> None:
    games = list(listing(folder / "games.pgn"))
    assert [(item.number, item.title) for item in games] == [(1, "Müller - Ó Súilleabháin"), (2, "? - ?")]
    assert games[1].details == {
        "event": "Second",
        "date": "2024.01.02",
        "result": "1/2-1/2",
        "plies": 2,
        "start": "startpos",
    }
    items = list(listing("suite.epd"))
    assert [item.number for item in items] == [1, 2, 3, 4, 5]
    assert items[0].title == "Start.1"
    assert items[0].details == {"position": START.replace("0 1", "5 1"), "bm": ("e2e4", "d2d4"), "hmvc": 5}
    assert items[1].details == {"position": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}
    assert items[3].details == {"error": "White has 0 kings on the board, not one.", "line": 8}
    assert json.loads(as_json(items))[0]["details"]["bm"] == ["e2e4", "d2d4"]
    with pytest.raises(InputError, match="There is no file 'nothing'"):
        list(listing("nothing"))


def test_files_with_slips(folder: Path) -> None:
    """Whatever is in them, all that is listed can be chosen, or a sentence says why not."""
    for name, content in (("games.pgn", GAMES), ("suite.epd", SUITE)):
        for text in slips([content], 100):
            (folder / name).write_text(text, encoding="utf-8")
            items, _ = attempt(lambda file: list(listing(file)), name)
            for item in items or []:
                notation, complaint = attempt(find, f"{name}#{item.number}")
                assert (notation is None) == bool(complaint)
                if name == "suite.epd":
                    assert (notation is None) == ("error" in item.details)
            attempt(find, name)
