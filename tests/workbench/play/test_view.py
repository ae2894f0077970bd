"""The table of levels."""

from __future__ import annotations

from rich.console import Console

from engines import catalog
from workbench.play.levels import ladders, why_not_played
from workbench.play.view import levels_table


def test_each_level_has_a_row_and_each_game_is_named_once() -> None:
    by_game = ladders()
    assert all(why_not_played(catalog.position("startpos", name).game) is None for name in by_game)
    assert by_game["connect4"] == ladders("connect4")["connect4"]
    table = levels_table(by_game)
    assert table.row_count == sum(map(len, by_game.values()))
    console = Console(width=200)
    with console.capture() as captured:
        console.print(table)
    lines = captured.get().splitlines()[1:]
    assert [line.split()[0] for line in lines if line[1] != " "] == list(by_game)
    assert by_game["connect4"][0].words in captured.get()
