"""Players as they are typed, and the games that they play."""

from __future__ import annotations

import re
from pathlib import Path

import chess.pgn
import pytest

from engines import catalog
from engines.contract import InputError, Limit
from workbench.play.game_files import check_name, pgn, positions_of, read_games, write_games
from workbench.play.game_loop import PlayedGame, play_game
from workbench.play.players import Player, read_player, read_players, seed_of

START = "startpos"


def game_of(first: str, second: str, game: str = "connect4", seed: int = 1, **rest: object) -> PlayedGame:
    players, _ = read_players([first, second], game)
    found = play_game((players[0], players[1]), catalog.position(START, game), seed, **rest)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_a_player_is_an_algorithm_with_settings_a_limit_and_what_it_thinks_of_positions() -> None:
    player = read_player("tuned=deepening:depth=4:table=1:weights=15,244,953", "connect4", Limit(nodes=7))
    assert player == Player(
        name="tuned",
        algorithm="deepening",
        parameters={"table": 1},
        limit=Limit(depth=4),
        options={"weights": "15,244,953"},
    )
    assert read_player(f"tuned={player.title}", "connect4") == player
    assert read_player("alphabeta", "connect4", Limit(nodes=7)).limit == Limit(nodes=7)


def test_common_settings_are_the_games_or_of_all_players_that_have_them() -> None:
    players, for_game = read_players(["uct", "uct:k=0.2", "random"], "connect4", settings={"k": "3", "memory": "16"})
    assert for_game == {"k": "3"}
    assert [player.parameters for player in players] == [{"memory": 16}, {"memory": 16, "k": 0.2}, {}]
    assert [player.name for player in players] == ["uct", "uct 2", "random"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("alfabeta", "Did you mean alphabeta?"),
        ("alphabeta:depth", "not NAME=VALUE"),
        ("alphabeta:depth=deep", "numbers"),
        ("alphabeta:depth=-1", "0 to 240"),
        ("alphabeta:width=3", "Did you mean depth?"),
        ("alphabeta:k=3", "has no 'k'"),
        ("uct:depth=4", "uct:iterations=4"),
    ],
)
def test_what_is_no_player(text: str, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        read_player(text, "connect4")


def test_a_setting_that_nobody_has() -> None:
    with pytest.raises(InputError, match="Neither connect4 nor any of the players"):
        read_players(["alphabeta", "random"], "connect4", settings={"beam": "3"})


def test_weights_are_checked_where_the_player_is_to_play() -> None:
    with pytest.raises(InputError, match="3 whole numbers"):
        read_player("alphabeta:weights=1,2", "connect4").check(catalog.position(START, "connect4"))


def test_each_player_sees_a_position_by_its_own_weights() -> None:
    here = catalog.position("44", "connect4")
    other = read_player("alphabeta:depth=1:weights=0,0,1", "connect4")
    assert here.game.evaluation(here.state).terms[0].weight == 1
    assert other.seen(here).game.evaluation(here.state).terms[0].weight == 0
    assert other.move(here).report.value == 0
    assert other.seen(here).text == here.text


def test_a_game_comes_out_the_same_twice_and_otherwise_with_another_seed() -> None:
    games = [game_of("alphabeta:depth=2", "random", seed=seed) for seed in (1, 1, 2)]
    assert games[0].moves == games[1].moves != games[2].moves
    assert games[0].outcome == "first"
    assert games[0].score(0) == 1
    assert games[0].score(1) == 0
    last = positions_of(games[0])[-1]
    assert last.is_over
    assert last.text == "".join(games[0].moves)


def test_a_proof_ends_a_game_early_with_the_same_result() -> None:
    shortened = 0
    for seed in range(4):
        whole = game_of("alphabeta:depth=4", "random", seed=seed)
        early = game_of("alphabeta:depth=4", "random", seed=seed, adjudicate="proof")
        assert early.outcome == whole.outcome
        assert early.moves == whole.moves[: early.plies]
        assert early.adjudicated == (early.plies < whole.plies) == ("proven by alphabeta" in early.ending)
        shortened += early.adjudicated
    assert shortened


def test_a_table_ends_a_game_that_nobody_else_sees_the_end_of() -> None:
    found = game_of("random", "random", "tictactoe", adjudicate="table")
    assert (found.plies, found.outcome, found.adjudicated) == (1, "draw", True)


def test_a_game_without_an_end_is_drawn() -> None:
    found = game_of("random", "random", "chess", most_plies=10)
    assert (found.plies, found.outcome, found.ending) == (10, "draw", "drawn after 10 plies")


def test_whoever_watches_can_end_it() -> None:
    players, _ = read_players(["random", "random"], "connect4")
    seen: list[int] = []

    def watch(position: object) -> bool:
        seen.append(1)
        return len(seen) < 4

    assert play_game((players[0], players[1]), catalog.position(START, "connect4"), watch=watch) is None
    assert len(seen) == 4


def test_games_are_written_and_read(tmp_path: Path) -> None:
    games = [game_of("alphabeta:depth=1", "random", seed=seed) for seed in range(2)]
    write_games(games, tmp_path / "games.jsonl")
    assert read_games(tmp_path / "games.jsonl") == games
    with pytest.raises(InputError, match="PGN is for chess"):
        check_name(tmp_path / "games.pgn", "connect4")
    (tmp_path / "bad.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match="Line 1"):
        read_games(tmp_path / "bad.jsonl")


def test_a_game_of_chess_as_pgn(tmp_path: Path) -> None:
    players, _ = read_players(["white {1}=alphabeta:depth=1", "random"], "chess")
    opening = catalog.position("startpos moves e4 e5 Nf3", "chess")
    game = play_game((players[0], players[1]), opening, 5, number=3, most_plies=12)
    assert game is not None
    write_games([game, game], tmp_path / "two.pgn", "A match")
    with (tmp_path / "two.pgn").open() as stream:
        read = chess.pgn.read_game(stream)
        assert chess.pgn.read_game(stream) is not None
    assert read is not None
    assert not read.errors
    assert read.headers["Event"] == "A match"
    assert read.headers["White"] == "white {1}"
    assert read.headers["Result"] == "1/2-1/2"
    assert [move.uci() for move in read.mainline_moves()] == ["e2e4", "e7e5", "g1f3", *game.moves]
    assert pgn(game).rstrip().endswith("drawn after 12 plies } 1/2-1/2")


def test_seeds_of_moves_are_all_different() -> None:
    seeds = {seed_of(seed, game, ply) for seed in range(10) for game in range(10) for ply in range(10)}
    assert len(seeds) == 1000
    assert all(0 <= seed < 2**62 for seed in seeds)
