"""The positions that a text stands for: all of a file, or one."""

from __future__ import annotations

from pathlib import Path

from engines import catalog
from engines.position import Position
from workbench.input.position_lists import chosen_positions

BOARD = "4k3/8/8/8/8/8/4P3/4K3 w - -"
OVER = "7k/5KQ1/8/8/8/8/8/8 b - -"


def single() -> tuple[Position, dict[str, str]]:
    return catalog.position("44", "connect4"), {"table": "0"}


def test_a_file_stands_for_all_its_positions(tmp_path: Path) -> None:
    file = tmp_path / "some.epd"
    file.write_text(f'{BOARD} id "pawn";\n{OVER} id "mate";\nnonsense\n')
    chosen = chosen_positions(str(file), None, {"table": "4"}, "deepening", single)
    assert (chosen.source, chosen.settings) == (str(file), {"table": "4"})
    assert [name for name, _ in chosen.positions] == ["pawn"]
    assert "line 3" in chosen.skipped
    file.write_text(f"{OVER}\n")
    assert chosen_positions(str(file), "chess", {}, "deepening", single)[1:] == ([], {}, "")


def test_a_game_is_a_file_of_positions_only_if_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text("1. e4 e5 *\n")
    chosen = chosen_positions(str(file), None, {}, "deepening", single)
    assert [name for name, _ in chosen.positions] == [f"game.pgn#1/{ply}" for ply in range(3)]
    assert chosen_positions(str(file), None, {}, "deepening", single, with_games=False).positions[0][0] == ""


def test_anything_else_stands_for_one_position(tmp_path: Path) -> None:
    file = tmp_path / "some.epd"
    file.write_text(f"{BOARD}\n")
    for target, game in (("44", "connect4"), ("startpos", None), (str(file), "connect4")):
        chosen = chosen_positions(target, game, {}, "deepening", single)
        assert (chosen.source, chosen.settings, chosen.skipped) == ("44", {"table": "0"}, "")
        assert [(name, position.text) for name, position in chosen.positions] == [("", "44")]
