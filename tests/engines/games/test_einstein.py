"""EinStein würfelt nicht!: the rules against two other versions, notation, evaluation, and what the searches claim."""

from __future__ import annotations

from random import Random

import pytest

from engines import catalog
from engines.contract import InputError
from engines.games.einstein.rules import faces_of, moved
from engines.position import Position
from engines.rules import ONGOING, play
from engines.rules_chance import judged
from tests.engines import checks
from tests.naive.chance import EinStein

START = "ABC2/DE3/F3f/3ed/2cba r"
NEAR = "...../..A../...../.B.../a.... r 1"


def random_game(seed: int, text: str = "startpos") -> list[Position]:
    """All positions of a random game, rolls included."""
    random, position = Random(seed), catalog.position(text, "einstein")
    places = [position]
    while not position.is_over:
        position = position.play(random.choice(position.game.legal_moves(position.state)))
        places.append(position)
    return places


@pytest.mark.plain
def test_random_games_agree_with_the_oracle() -> None:
    for seed in range(25):
        for position in random_game(seed, f"deal {seed}"):
            oracle = EinStein.read(position.game.board_text(position.state))
            assert sorted(position.game.line_choices(position.state)) == sorted(oracle.moves())
            assert (position.turn > 0) == oracle.red_moves
            winner = {ONGOING: ""}.get(position.result, "red" if position.result * position.turn > 0 else "blue")
            assert winner == oracle.winner()
            assert position.by_chance == (not winner and not oracle.die)
            if not winner:
                move = position.game.line_choices(position.state)[0]
                after = position.play(position.game.legal_moves(position.state)[0])
                assert EinStein.read(after.game.board_text(after.state)) == oracle.play(move)


@pytest.mark.plain
def test_games_read_back_with_their_rolls() -> None:
    places = random_game(1)
    last = places[-1]
    assert last.text.startswith("startpos moves ")
    assert last.text.split()[2] in "123456"
    checks.reads_back(last)
    for position in places[::7]:
        checks.reads_back(position)
        board = catalog.position(position.game.board_text(position.state), "einstein")
        assert board.state == position.state


@pytest.mark.plain
def test_notation() -> None:
    start = catalog.position("startpos", "einstein")
    assert start.game.board_text(start.state) == START
    assert (start.by_chance, start.turn) == (True, 1)
    rolled = catalog.position("startpos moves roll3", "einstein")
    assert rolled.game.line_choices(rolled.state) == ["c5d4", "c5d5", "c5c4"]
    assert catalog.position("startpos moves 3 c5-d4 6 e3xd4", "einstein").played == (3, 72, 6, 456)
    assert rolled.game.standing(rolled) == "Red to move, ⚂ 3"
    assert "roll" in start.game.standing(start)
    missing = catalog.position("A..D./...../...../...../....a r 3", "einstein")
    assert missing.game.line_choices(missing.state) == ["d5e4", "d5e5", "d5d4", "a5b4", "a5b5", "a5a4"]
    assert catalog.position("deal 5", "einstein").state == catalog.position("deal 5", "einstein").state


@pytest.mark.plain
def test_a_free_set_up() -> None:
    position = catalog.position("startpos", "einstein", settings={"setup": "free"})
    assert position.game.standing(position) == "Red places stone 1"
    text = "startpos moves a5 b5 c5 a4 b4 a3 e1 d1 c1 e2 d2 e3"
    placed = catalog.position(text, "einstein", settings={"setup": "free"})
    assert placed.game.board_text(placed.state) == START
    assert placed.by_chance
    half = catalog.position("startpos moves a5 b5 c5 a4 b4 a3 e1", "einstein", settings={"setup": "free"})
    assert half.turn == -1
    checks.reads_back(half)
    assert half.game.board_text(half.state) == "ABC2/DE3/F4/5/4a b set"
    assert len(half.game.legal_moves(half.state)) == 5


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("ABC../DE.../F...f/...ed/..cba", "the side to move"),
        ("ABC../DE.../F...f/...ed r", "4 rows of 5"),
        ("ABC../DE.../F...f/...ed/..cbx r", "'x'"),
        ("ABC../DA.../F...f/...ed/..cba r", "twice"),
        ("ABC../DE.../F...f/...ed/..cba r 7", "'7'"),
        ("...../...../...../...../....A r", "already won"),
        ("A..../...../...../...../..... b 3", "already won"),
        ("...../...../...../...../..... r", "already won"),
        ("deal x", "deal"),
        ("A..../...../...../...../....a r set", "Red places all six"),
        ("startpos moves 7", "Move 1"),
        ("startpos moves 3 a1b2", "Move 2"),
    ],
)
def test_bad_input_is_named(text: str, named: str) -> None:
    with pytest.raises(InputError) as error:
        catalog.position(text, "einstein")
    assert named in str(error.value)
    assert checks.is_sentence(str(error.value)) or len(str(error.value)) < 400


@pytest.mark.plain
def test_evaluation() -> None:
    """Nearest stone: five less the steps; readiness: its square times the faces that move it, over all stones."""
    position = catalog.position("A..../..D../...../...../....b r", "einstein")
    nearest, ready, stones = position.game.evaluation(position.state).terms
    assert (nearest.first, nearest.second) == (2, 1)
    assert (ready.first, ready.second) == (1 * 3 + 4 * 5, 6)
    assert (stones.first, stones.second) == (2, 1)
    stones_of_red = int(moved(moved((1 << 30) - 1, 0, 0), 3, 7))
    assert [int(faces_of(stones_of_red, number)) for number in (0, 3)] == [3, 5]
    assert -1 < float(judged(position.game.rules, position.state)) < 1


@pytest.mark.plain
def test_a_certain_win_is_proven() -> None:
    position = catalog.position(NEAR.replace(".B...", "...B."), "einstein")
    report = checks.run(catalog.position("...../..c../...../...A./a.... r 6", "einstein"), "star2", depth=1)
    assert (report.best_move, report.value, report.outcome, report.exact) == ("d2e1", 1.0, "first", True)
    over = catalog.position("...../..c../...../...A./a.... r 6 moves d2e1", "einstein")
    ended = checks.run(over, "expectiminimax")
    assert (ended.value, ended.outcome, ended.stopped_by) == (1.0, "first", "game over")
    assert position.game.evaluation(position.state).value > 0


def test_all_searches_agree_and_only_cut() -> None:
    """The three searches for expectations, and max^n and paranoid search, which are the same here."""
    for seed in range(12):
        places = random_game(seed, f"deal {seed}")
        position = places[min(len(places) - 2, 2 * seed + seed % 2)]
        depth = 2 if position.by_chance else 3
        whole = checks.run(position, "expectiminimax", depth=depth)
        for name in ("star1", "star2", "maxn", "paranoid"):
            report = checks.run(position, name, depth=depth)
            assert report.value == pytest.approx(whole.value, abs=1e-9), (name, position.text)
            assert report.leaves <= whole.leaves
            assert report.best_move == whole.best_move or whole.best_move is not None
        assert whole.chance_nodes
        assert whole.spread is not None


@pytest.mark.plain
def test_rolls_are_fair_and_rules_know_it() -> None:
    start = catalog.position("startpos", "einstein")
    assert [start.game.likelihood(start.state, move) for move in start.game.legal_moves(start.state)] == [1 / 6] * 6
    assert start.game.likelihood(play(start.game.rules, start.state, 2), 68) is None
