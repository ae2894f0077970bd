"""Openings from files: one pass over a PGN, and what cannot be read is skipped and told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import catalog
from engines.contract import InputError
from positions import files, pgn_text
from tests.mutation import is_sentence
from tests.workbench.conftest import Plybench
from workbench.play import openings
from workbench.play.openings import FROM_GAMES, read_openings

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
GAMES = """[White "a"]

1. e4 e5 2. Nf3 *

[White "b"]

1. d4 d5
2. Ke3 e6 *

[White "c"]
[FEN "nothing"]

1. e4 *
"""
AROUND = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nc3 Nc6 4. Nb1 Nb8 5. e4 e5 6. Nf3 Nc6 7. Bb5 a6 8. Ba4 Nf6"
"""Sixteen plies."""


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))


def wrote(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def test_a_file_of_games_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many games there are, each is looked at once; and no more are than are taken."""
    looked_at = list[int]()
    plain = pgn_text._games

    def counted(text: str, line: int, number: int) -> Iterator[pgn_text.Chunk]:
        looked_at.append(number)
        return plain(text, line, number)

    monkeypatch.setattr(pgn_text, "_games", counted)
    path = wrote(tmp_path / "games.pgn", "".join(f'[White "{number}"]\n\n1. e4 e5 *\n\n' for number in range(60)))
    start = catalog.position("startpos", "chess")
    found = read_openings(path, start, 40, 1)
    assert (len(found), found.skipped) == (40, "")
    assert looked_at == list(range(1, 61))
    monkeypatch.setattr(openings, "MOST", 10)
    looked_at.clear()
    found = read_openings(path, start, 40, 1)
    assert (len(found), found.skipped) == (10, "Only the first 10 are taken.")
    assert len(looked_at) == 11
    lines = wrote(tmp_path / "lines.epd", f"{KIWIPETE}\n" * 11)
    assert read_openings(lines, start, 40, 1).skipped == "Only the first 10 are taken."


def test_a_bad_line_is_skipped_and_told(tmp_path: Path) -> None:
    chess, connect = catalog.position("startpos", "chess"), catalog.position("startpos", "connect4")
    found = read_openings(wrote(tmp_path / "mix.epd", f"# one\n{KIWIPETE}\n\nrubbish\nstartpos moves e2e4\n"), chess, 9, 1)
    assert sorted(one.text for one in found) == [KIWIPETE, "startpos moves e2e4"]
    assert found.skipped.startswith("1 of 3 lines skipped; line 4: The board has 8 rows")
    found = read_openings(wrote(tmp_path / "four.txt", "44\n4459\n\n7\n"), connect, 9, 1)
    assert {one.text for one in found} == {"44", "7"}
    assert found.skipped.startswith("1 of 3 lines skipped; line 2: '4459' has '9'")


def test_lines_are_read_on_the_board_of_the_match(tmp_path: Path) -> None:
    start = catalog.position("startpos", "breakthrough", "6x4")
    found = read_openings(wrote(tmp_path / "lines.txt", "2a3a-5a4a\n\nbbbb/4/4/wwww w\n2b3b\n"), start, 9, 1)
    assert {one.text for one in found} == {"startpos moves a2a3 a5a4", "startpos moves b2b3"}
    assert all(one.game is start.game for one in found)
    assert found.skipped == "1 of 3 lines skipped; line 3: The board has 4 rows and 4 columns, but the game is 6x4."


def test_an_illegal_move_is_told(tmp_path: Path) -> None:
    start, path = catalog.position("startpos", "chess"), wrote(tmp_path / "games.pgn", GAMES)
    found = read_openings(path, start, 9, 1)
    assert [one.text for one in found] == ["startpos moves e2e4 e7e5 g1f3"]
    illegal = "Move 2 of White: 'Ke3' is not a legal move here, on line 8."
    assert found.skipped == f"2 of 3 games skipped; game 2: {illegal}"
    found = read_openings(f"{path}#2", start, 9, 1)  # who chooses it gets it as far as it goes
    assert ([one.text for one in found], found.skipped) == (["startpos moves d2d4 d7d5"], illegal)
    found = read_openings(f"{path}#2/1", start, 9, 1)
    assert [one.text for one in found] == ["startpos moves d2d4"]


def test_a_large_file_of_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is too large to be read as a whole."""
    monkeypatch.setattr(files, "LARGEST_FILE", 100)
    start = catalog.position("startpos", "chess")
    assert len(read_openings(wrote(tmp_path / "many.pgn", '[Round "1"]\n\n1. e4 *\n\n' * 50), start, 99, 1)) == 50
    with pytest.raises(InputError, match="too large to read"):
        read_openings(wrote(tmp_path / "many.epd", f"{KIWIPETE}\n" * 50), start, 99, 1)


def test_what_comes_behind_the_opening_does_not_matter(tmp_path: Path) -> None:
    start = catalog.position("startpos", "chess")
    found = read_openings(wrote(tmp_path / "late.pgn", f"{AROUND} 9. Kd8 *"), start, 9, 1)
    assert ([len(one.played) for one in found], found.skipped) == ([FROM_GAMES], "")
    found = read_openings(wrote(tmp_path / "late.pgn", f"{AROUND[:-3]}Kd3 *\n\n1. e4 *"), start, 9, 1)
    assert found.skipped == "1 of 2 games skipped; game 1: Move 8 of Black: 'Kd3' is not a legal move here, on line 1."


def test_games_by_other_rules_are_told(tmp_path: Path) -> None:
    shuffled = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    path = wrote(tmp_path / "two.pgn", f'[FEN "{shuffled}"]\n\n1. h3 *\n\n[White "x"]\n\n1. e4 *\n')
    found = read_openings(path, catalog.position("startpos", "chess"), 9, 1)
    assert [one.text for one in found] == ["startpos moves e2e4"]
    assert found.skipped == "1 of 2 games skipped; game 1: This is played with another value of chess960."


@pytest.mark.parametrize(
    ("name", "text", "game", "says"),
    [
        ("a.epd", "rubbish\n\nnothing\n", "chess", "2 of 2 lines skipped; line 1: The board has 8 rows"),
        ("a.epd", KIWIPETE, "connect4", "1 of 1 lines skipped; line 1: This is a position in Chess, not in Connect 4."),
        ("a.pgn", GAMES, "connect4", "It has games of chess in it."),
        ("a.pgn", "1. e5 *", "chess", "1 of 1 games skipped; game 1: Move 1 of White"),
        ("a.pgn", "% nothing", "chess", "There is no game in this file."),
        ("a.txt", "\nrubbish\n", "connect4", "; line 2 as a position of"),
    ],
)
def test_nothing_that_can_be_read(tmp_path: Path, name: str, text: str, game: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        read_openings(wrote(tmp_path / name, text), catalog.position("startpos", game), 9, 1)
    assert says in str(caught.value)
    assert is_sentence(str(caught.value))


def test_a_match_tells_what_was_skipped(plybench: Plybench, tmp_path: Path) -> None:
    bad = wrote(tmp_path / "mix.epd", f"{KIWIPETE}\nrubbish\n")
    answer = plybench(
        "match", "random", "one=random", "--game", "chess", "--games", "2", "--plies", "4", "--jobs", "1",
        "--openings", bad, "--json",
    )  # fmt: skip
    assert answer.code == 0
    assert len(json.loads(answer.out)["games"]) == 2
    assert "1 of 2 lines skipped; line 2: The board has 8 rows" in " ".join(answer.err.split())
