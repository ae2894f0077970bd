"""`plybench horizon` and `plybench horizon find`."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.run.search import Search
from positions import horizon as examples
from tests.mutation import is_sentence
from tests.workbench.conftest import Plybench
from workbench.input import position_lists

KNIGHT = examples.get("doomed-knight")
MATERIAL = "weights=20000,900,500,300,100,0,0,0,0"


def test_the_list(plybench: Plybench) -> None:
    answer = plybench("horizon")
    assert answer.code == 0
    assert all(f" {name} " in answer.out for name in examples.examples())
    assert "…" not in answer.out, "it fits 80 columns"
    assert [row["id"] for row in plybench("horizon", "--json").json] == list(examples.examples())


def test_a_story(plybench: Plybench) -> None:
    answer = plybench("horizon", "doomed-knight")
    assert answer.code == 0
    assert "d4+↷ (sacrifice) Kxd4 Nc2+↷ (check)" in answer.out
    assert "▸ +4.00" in answer.out
    assert "…" not in answer.out
    found = plybench("horizon", "doomed-knight", "--json").json
    assert found["example"]["id"] == "doomed-knight"
    assert found["story"]["delaying"] == [0, 2]
    assert found["after"].endswith("d5d4 e3d4 a1c2")
    assert {row["configuration"]["name"] for row in found["story"]["curves"]} >= {"plain", "quiescence"}


def test_any_position(plybench: Plybench) -> None:
    found = plybench("horizon", KNIGHT.notation, "--game", "chess", "--set", MATERIAL, "--depth", "3", "--json").json
    assert found["story"]["depth"] in (1, 2, 3)
    assert found["example"] is None


def test_finding_in_a_file(plybench: Plybench, tmp_path: Path) -> None:
    file = tmp_path / "two.epd"
    board = " ".join(KNIGHT.notation.split()[:4])
    file.write_text(f'{board} id "knight";\n4k3/8/8/8/8/8/4P3/4K3 w - - id "calm";\n')
    options = ("--set", MATERIAL, "--set", "quiescence=off", "--depth", "3")
    found = plybench("horizon", "find", str(file), *options, "--json").json
    assert found["complete"]
    assert found["searched"] == 2
    assert [row["name"] for row in found["positions"] if row["findings"]] == ["knight"]
    worst = next(row for row in found["findings"] if row["depth"] == 3)
    assert (worst["kind"], worst["remedy"], worst["line"]) == ("horizon", "quiescence", list(KNIGHT.line))
    sizes = [row["size"] for row in found["findings"]]
    assert sizes == sorted(sizes, reverse=True)
    text = plybench("horizon", "find", str(file), *options).out
    assert "d4+↷ Kxd4 Nc2+↷" in text
    assert "remedy: quiescence; knight" in text


def test_finding_along_a_game(plybench: Plybench, tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text('[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 Ke7 2. e5 *\n')
    found = plybench("horizon", "find", str(file), "--depth", "2", "--json").json
    assert [row["name"] for row in found["positions"]] == [f"game.pgn#1/{ply}" for ply in range(4)]
    assert plybench("horizon", "find", str(file), "--depth", "2", "--limit", "1", "--json").json["searched"] == 1


def test_an_interrupt_prints_what_there_is(plybench: Plybench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "two.fen"
    file.write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/8/8/8/8/8/3P4/4K3 w - - 0 1\n")
    joined: list[float | None] = []
    real = Search.join

    def join(self: Search, seconds: float | None = None) -> bool:
        joined.append(seconds)
        if len(joined) == 3:  # the second position's first search
            raise KeyboardInterrupt
        return real(self, seconds)

    monkeypatch.setattr(Search, "join", join)
    answer = plybench("horizon", "find", str(file), "--depth", "2", "--json")
    assert answer.code == 130
    assert not answer.json["complete"]
    assert answer.json["searched"] == 1


@pytest.mark.parametrize(
    "words",
    [
        ("horizon", "nonsense"),
        ("horizon", "no/such/thing"),
        ("horizon", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "--game", "chess"),
        ("horizon", "find", "missing.epd"),
        ("horizon", "find", "startpos"),
        ("horizon", "find", "startpos", "--game", "chess", "--algorithm", "alphabeta"),
        ("horizon", "find", "startpos", "--game", "chess", "--set", "quiescence=perhaps"),
        ("horizon", "find", "startpos", "--game", "chess", "--depth", "0"),
    ],
)
def test_bad_input_is_a_sentence(plybench: Plybench, words: tuple[str, ...]) -> None:
    answer = plybench(*words)
    assert answer.code == 2
    assert answer.out == ""
    assert is_sentence(answer.err.removeprefix("plybench: ").strip())


def test_positions_of_files_have_names_that_can_be_opened(tmp_path: Path) -> None:
    file = tmp_path / "one.fen"
    file.write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n")
    assert [name for name, _ in position_lists.in_file(str(file), {}, lambda sentence: None)] == ["one.fen#1"]
