"""Where a game to review comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines import catalog
from engines.contract import InputError
from workbench.play.game_files import write_games
from workbench.play.game_loop import PlayedGame
from workbench.play.live_game import LiveGame
from workbench.render.report_text import how_it_ended
from workbench.review.sources import game_in_match, game_in_session
from workbench.sessions import store as sessions
from workbench.sessions.model import Session

WON = catalog.position("startpos moves 1 2 1 2 1 2 1", "connect4")


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))


def a_game(number: int, *moves: str) -> PlayedGame:
    return PlayedGame(
        number=number,
        game="connect4",
        size="7x6",
        options={},
        players=("one", "other"),
        opening="startpos",
        moves=moves,
        outcome="first",
        ending=f"ending {number}",
    )


def test_a_game_of_a_match_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    write_games([a_game(1, "1", "2"), a_game(2, "4")], path)
    for target, moves, ending in ((f"{path}", 2, "ending 1"), (f"{path}#1", 2, "ending 1"), (f"{path}#2", 1, "ending 2")):
        game = game_in_match(target)
        assert game is not None
        assert (len(game[0].played), game[1]) == (moves, ending)
    with pytest.raises(InputError, match="has 2 games, not 3"):
        game_in_match(f"{path}#3")
    with pytest.raises(InputError, match="cannot be read"):
        game_in_match(str(tmp_path / "other.jsonl"))
    assert game_in_match("games.pgn#2") is None
    assert game_in_match("4455") is None


def test_a_game_of_a_session_says_how_it_ended() -> None:
    session = Session.new("My game", catalog.position("startpos", "connect4"))
    LiveGame.begin(session.study, (None, None), None)
    playing = LiveGame(session.study)
    playing.play("4")
    path = sessions.create(session)
    assert game_in_session("another") is None
    going_on = game_in_session("my GAME")
    assert going_on is not None
    assert (going_on[0].played, going_on[1]) == (playing.position.played, "")
    playing.resign(1)
    sessions.write(session.saved(), path)
    resigned = game_in_session("My game")
    assert resigned is not None
    assert resigned[1] == playing.ending
    assert "O resigned" in resigned[1]


def test_the_rules_say_how_a_game_ended() -> None:
    assert WON.is_over
    assert how_it_ended(WON).startswith("X wins")
    assert how_it_ended(WON.back()) == ""
