"""The analysis of games: what is known of them elsewhere has to come out."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from engines import catalog
from engines.contract import InputError
from engines.position import Position
from engines.run.search import Search
from tests.workbench.conftest import Plybench
from workbench.proofs.truth import truth_of
from workbench.review import view as show_review
from workbench.review.job import MARKS, Review, Reviewer, ReviewJob, chance, effect_words, one_ply_earlier

COURSE = "a2a3 a5a4 b2b3 a4b3 c2b3 a6a5 a3a4 b5a4 b3a4 b6b5 a4b5 c6b5 a1a2 a5a4 a2a3 b5b4 a3b4 c5b4 b1b2"  # on 6x4
SCHOLAR = "startpos moves e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7"


def reviewed(text: str, game: str, size: str | None = None, nodes: int = 20_000, effects: int = 0) -> Review:
    return Reviewer(catalog.position(text, game, size), nodes, effects=effects).review()


def test_the_scholars_mate_is_lost_by_one_move() -> None:
    found = reviewed(SCHOLAR, "chess")
    assert found.complete
    assert [row.ply for row in found.mistakes if row.verdict == "blunder"] == [6]
    blunder = found.mistakes[-1]
    assert blunder.side == 1
    assert blunder.better is not None
    assert "was better" in blunder.words
    assert found.chances[-1] == found.outcomes.count("first") / found.outcomes.count("first") == 1
    assert found.count(0, "blunder") == 0


def test_tic_tac_toe_is_judged_by_the_truth() -> None:
    found = reviewed("startpos moves b2 a1 c1 a3 a2 c2", "tictactoe")  # X in the centre; O's corner holds
    assert all(outcome is not None for outcome in found.outcomes)
    end = catalog.position("startpos moves b2 a1 c1 a3 a2 c2", "tictactoe")
    for row in found.moves:
        before = show_review.place(end, row.ply - 1)
        truth = truth_of(before, [row.move])
        assert truth is not None
        assert truth.outcome == found.outcomes[row.ply - 1]
        assert truth.moves[0].regret == pytest.approx(row.cost)
        assert (row.cost > 0) == (row.verdict in ("mistake", "blunder"))


def test_the_courses_exercise_was_lost_by_the_fourth_move() -> None:
    """White was winning until 3a4a, its fourth move; then Black was, to the end. The proof for that move takes seconds."""
    long = bool(os.environ.get("PLYBENCH_LONG"))
    end = catalog.position(f"startpos moves {COURSE}", "breakthrough", "6x4")
    found = Reviewer(end, 5_000, 60_000_000 if long else 200_000, effects=0).review()
    assert set(found.outcomes[7:] if long else found.outcomes[15:]) == {"second"}
    assert not any(row.verdict == "blunder" for row in found.moves if row.ply > (7 if long else 15))
    if long:
        row = next(row for row in found.moves if row.ply == 7)
        assert (row.move, row.verdict, row.cost) == ("a3a4", "blunder", 1.0)
        assert "Gives away a point" in row.words


def test_the_better_move_of_a_proven_mistake_holds() -> None:
    end = catalog.position("444433356226", "connect4")
    found = Reviewer(end, 2_000, 500_000, effects=0).review()
    judged = [row for row in found.mistakes if row.truth is not None and row.better is not None]
    assert judged
    for row in judged:
        before = show_review.place(end, row.ply - 1)
        truth = truth_of(before, [row.better, row.move], 2_000_000)
        assert truth is not None
        right, wrong = truth.moves
        assert right.regret == 0 < wrong.regret == row.cost


def test_a_move_is_judged_by_what_came_after_it() -> None:
    """Nothing seemed wrong with 7. 3 until the answer to it was on the board: the value fell from +26 to -19 in one ply."""
    end = catalog.position("444435332", "connect4")
    reviewer = Reviewer(end, 3_000, 1_000, effects=0)
    found = reviewer.review()
    row = found.at(7)
    assert row is not None
    assert row in found.mistakes
    assert row.better == reviewer.reports[6].best_move  # type: ignore[union-attr]
    assert found.values[7] == found.values[8] == row.value < 0 < row.better_value  # type: ignore[operator]
    for at, place in enumerate(reviewer.places[:-1]):
        assert place.turn * found.values[at] >= place.turn * found.values[at + 1]  # type: ignore[operator]


def test_wins_are_a_ply_farther_away_one_ply_earlier() -> None:
    for game, value, earlier in (
        ("chess", 999_997.0, 999_996.0),
        ("connect4", -999_999.0, -999_998.0),
        ("chess", 1_000_000.0, 1_000_000.0),  # nobody knows in how many plies
        ("chess", 600_000.0, 600_000.0),  # by endless play
        ("chess", -1.5, -1.5),
    ):
        assert one_ply_earlier(value, catalog.position("startpos", game).game) == earlier


def test_chances_are_even_at_zero_and_certain_for_wins() -> None:
    game = catalog.position("startpos", "chess").game
    assert chance(0.0, game) == 0
    assert 0 < chance(1.0, game) < chance(3.0, game) < 1
    assert chance(-2.0, game) == -chance(2.0, game)


def test_effects_are_told_in_words() -> None:
    text = "6k1/8/2p1p3/3p1p2/8/4K3/6PP/nR1B4 b - - 0 1 moves f5f4 e3f4"  # the knight is lost; f4+ only postpones it
    found = Reviewer(catalog.position(text, "chess"), 5_000, effects=2)
    found.review()
    for row in found.rows.values():
        words = effect_words(row, found.places[row.ply - 1])
        assert not words or "horizon effect" in words


def test_a_move_in_a_list_and_in_words() -> None:
    end = catalog.position(SCHOLAR, "chess")
    moves = end.game.line_text(end.start, end.played)
    found = reviewed(SCHOLAR, "chess", nodes=2_000)
    assert show_review.move_line(None, 0, "", end).plain.split() == ["start"]
    assert show_review.move_line(None, 1, moves[0], end).plain.split() == ["1.e4"]
    assert found.at(0) is None
    for row in found.moves:
        assert found.at(row.ply) is row
        name, line = (
            show_review.move_name(row.ply, row.move, end),
            show_review.move_line(found, row.ply, row.move, end).plain,
        )
        assert line.split()[0] == name
        assert (MARKS[row.verdict] in line.split()) == (row in found.mistakes)
        assert ("■" in line) == (found.outcomes[row.ply] is not None)
        story = show_review.move_story(row, end).plain
        assert story.startswith(f"{name} {row.verdict}. ")
        assert row.words in story
        assert effect_words(row, show_review.place(end, row.ply - 1)) in story


def test_the_line_of_the_status() -> None:
    end = catalog.position(SCHOLAR, "chess")
    found = reviewed(SCHOLAR, "chess", nodes=2_000)
    title = f" Review {show_review.title(end, 'White wins')}"
    assert show_review.status_line(None, end, "White wins", None, True).plain.startswith(f"{title}  ● ")
    assert show_review.status_line(None, end, "White wins", None, False).plain == title
    assert show_review.status_line(None, end, "White wins", InputError("No."), True).plain == f"{title}  No."
    assert found.mistakes
    assert f"■ {len(found.mistakes)} mistake" in show_review.status_line(found, end, "", None, False).plain
    flawless = show_review.status_line(replace(found, moves=()), end, "", None, False)
    assert flawless.plain.endswith("■ no mistakes")


def test_an_interrupted_review_says_what_is_known() -> None:
    asked: list[Search] = []

    def run(search: Search, what: str) -> bool:
        asked.append(search)
        search.run_here()
        return len(asked) > 3

    found = Reviewer(catalog.position(SCHOLAR, "chess"), 1_000, run=run).review()
    assert not found.complete
    assert sum(value is not None for value in found.values) == 3
    assert "stopped" in show_review.verdict(found)


def test_a_review_in_a_thread_stops_at_once() -> None:
    work = ReviewJob(catalog.position(SCHOLAR, "chess"), 50_000_000)
    work.stop()
    assert not work.running
    assert not work.problem


def test_what_cannot_be_reviewed_says_why() -> None:
    for text, game in (("startpos", "chess"), ("deal 1", "samegame")):
        with pytest.raises(InputError):
            Reviewer(catalog.position(text, game))


# In the terminal.


def test_review_in_the_terminal(plybench: Plybench, tmp_path: Path) -> None:
    answer = plybench("review", SCHOLAR, "--game", "chess", "--nodes", "20000", "--effects", "0", "--json")
    assert answer.code == 0
    assert [row["move"] for row in answer.json["moves"]] == SCHOLAR_UCI
    assert answer.json["ending"] == "White wins, checkmate"
    pgn = tmp_path / "game.pgn"
    pgn.write_text("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n")
    said = plybench("review", str(pgn), "--nodes", "20000", "--effects", "0").out
    assert "3...Nf6" in said
    assert "??" in said
    assert "White wins, checkmate" in said


SCHOLAR_UCI = ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"]


def test_a_game_of_a_match_is_reviewed(plybench: Plybench, tmp_path: Path) -> None:
    from workbench.play.game_files import write_games
    from workbench.play.game_loop import play_game
    from workbench.play.players import read_player

    pair = (read_player("level:2", "tictactoe"), read_player("level:1", "tictactoe"))
    games = [play_game(pair, catalog.position("startpos", "tictactoe"), seed=seed) for seed in (1, 2)]
    write_games([game for game in games if game is not None], tmp_path / "match.jsonl")
    answer = plybench("review", str(tmp_path / "match.jsonl#2"), "--json", "--effects", "0")
    assert games[1] is not None
    assert [row["move"] for row in answer.json["moves"]] == list(games[1].moves)
    assert plybench("review", str(tmp_path / "match.jsonl#3")).code == 2


@pytest.mark.parametrize(
    "args",
    [
        ("review", "startpos", "--game", "chess"),
        ("review", "nothing here"),
        ("review", "x.jsonl"),
        ("review", "/no/such.pgn"),
    ],
)
def test_bad_reviews(plybench: Plybench, args: tuple[str, ...]) -> None:
    answer = plybench(*args)
    assert answer.code == 2
    assert answer.err.count("\n") == 1


def test_charts_fit(capsys: pytest.CaptureFixture[str]) -> None:
    end: Position = catalog.position(SCHOLAR, "chess")
    for count in (2, 8, 500):
        chances = [json.loads("0.5") if ply % 2 else -1.0 for ply in range(count)]
        for width, height in ((20, 3), (72, 7)):
            lines = show_review.chart(chances, end, width, height).plain.splitlines()
            assert len(lines) == height + 1
            assert max(map(len, lines)) <= width
    Console().print(show_review.review(reviewed(SCHOLAR, "chess", nodes=2_000), end))
    assert "White" in capsys.readouterr().out
