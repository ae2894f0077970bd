"""Levels: which mistakes they make, how often, that the same seed repeats them, and that strength grows with the number."""

from __future__ import annotations

from collections import Counter

import pytest

from engines import catalog
from engines.contract import InputError
from engines.game_facts import USUAL_LADDER, Habits
from engines.position import Position
from workbench.play.game_loop import play_game
from workbench.play.levels import careful, in_words, level, levels, near_best
from workbench.play.players import Player, read_player

GAMES = tuple(name for name in catalog.GAMES if catalog.game(name).ladder is not USUAL_LADDER)


def start(game: str) -> Position:
    return catalog.position("startpos", game)


def points(one: Player, other: Player, game: str, games: int) -> float:
    """The share of points of the first of two players, who has both colours in turn."""
    scored = 0.0
    for number in range(games):
        players = (one, other) if number % 2 == 0 else (other, one)
        played = play_game(players, start(game), seed=number)
        assert played is not None
        scored += played.score(number % 2)
    return scored / games


def test_every_game_of_two_has_levels_with_words_of_their_own() -> None:
    for name in catalog.GAMES:
        game = start(name).game
        if game.player_count == 1 or name == "graph":  # in its graph both players can move to the end
            with pytest.raises(InputError, match="has no levels"):
                levels(game)
            continue
        ladder = levels(game)
        assert len({one.words for one in ladder}) == len(ladder) >= 6
        assert [one.number for one in ladder] == list(range(1, len(ladder) + 1))
        assert all(one.repeats for one in ladder)
        for one in ladder:
            one.check(start(name))


def test_words_say_what_the_numbers_do() -> None:
    game = start("chess").game
    said = in_words(Habits(depth=1, overlooks=1 / 3, slips=1 / 4, gives=1.0), game)
    slips = "every fourth move is not its best and may cost a pawn"
    assert said == f"Sees one move ahead; overlooks every third threat; {slips}."
    assert in_words(Habits(blind=1.0), game) == "Moves without looking."
    assert "300 positions" in in_words(Habits(nodes=300), game)


def test_moods_come_as_often_as_the_habits_say() -> None:
    one, position = level(start("connect4").game, 3), start("connect4")
    seen = Counter(one.mood(position, seed) for seed in range(6_000))
    habits = one.habits
    for mood, share in (("blind", habits.blind), ("overlooks", habits.overlooks), ("slips", habits.slips)):
        assert abs(seen[mood] / 6_000 - share) < 0.03  # type: ignore[index]


def test_one_that_overlooks_does_not_see_a_reply_that_wins() -> None:
    position = catalog.position("112233", "connect4")  # X wins with 4
    lost = catalog.position("11223", "connect4")  # O has to play 4
    one = level(position.game, 3)
    seeds = {mood: next(seed for seed in range(1000) if one.mood(lost, seed) == mood) for mood in ("sound", "overlooks")}
    assert one.move(lost, seeds["sound"]).report.best_move == "4"
    assert one.search(lost, seeds["overlooks"]).run.limit.depth == 1
    seen = one.move(position, seeds["sound"])
    assert position.game.move_text(position.state, seen.move) == "4"


def test_a_slip_is_never_a_move_that_is_seen_to_lose() -> None:
    position = catalog.position("11223", "connect4")  # all but 4 lose at once
    one = level(position.game, 4)
    slips = [seed for seed in range(300) if one.mood(position, seed) == "slips"]
    assert len(slips) > 20
    for seed in slips[:10]:
        choice = one.move(position, seed)
        assert position.game.move_text(position.state, choice.move) == "4"
        assert [row.move for row in near_best(position, choice.report, 1000.0)] == ["4"]


def test_the_same_seed_plays_the_same_game() -> None:
    pair = (level(start("connect4").game, 3), level(start("connect4").game, 5))
    games = [play_game(pair, start("connect4"), seed=seed) for seed in (7, 7, 8)]
    moves = [game.moves for game in games if game is not None]
    assert moves[0] == moves[1] != moves[2]


@pytest.mark.parametrize("game", GAMES)
def test_a_beginner_loses_to_who_only_avoids_what_loses_at_once(game: str) -> None:
    beginner = level(start(game).game, 1)
    assert points(beginner, careful(start(game).game), game, 2 if game == "chess" else 10) <= 0.3


def test_levels_grow() -> None:
    ladder = levels(start("connect4").game)
    for lower, higher in zip(ladder[:6:2], ladder[2:7:2], strict=True):
        assert points(higher, lower, "connect4", 6) >= 0.6


def test_levels_are_typed_as_players() -> None:
    one = read_player("level:3", "connect4")
    assert (one.name, one.title) == ("level 3", "level:3")
    assert read_player("weak=level:2", "chess").name == "weak"
    assert read_player("level:2", "chess").options == {"evaluation": "tapered"}
    for text in ("level", "level:0", "level:11", "level:x", "level:3:depth=4", "level:99999999999"):
        with pytest.raises(InputError, match="level"):
            read_player(text, "connect4")
