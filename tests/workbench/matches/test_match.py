"""Matches: the plan, the totals, the sequential test, and that neither workers nor a kill change anything."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import chess.pgn
import pytest
from rich.console import Console, RenderableType

from engines import catalog
from engines.contract import InputError, Limit
from tests.workbench.conftest import Plybench
from workbench.jobs.journal import Journal
from workbench.jobs.workers import GivenExecutor, results
from workbench.matches.match import Match
from workbench.matches.statistics import Sprt, strength, tally
from workbench.matches.types import MatchOutcome, Terms
from workbench.matches.view import (
    LOW_SCREEN,
    PRINTED,
    SCREEN,
    by_side,
    described,
    match_table,
    status_line,
    summary,
    terms_and_place,
)
from workbench.play.game_files import read_games
from workbench.play.game_loop import PlayedGame
from workbench.play.openings import read_openings
from workbench.play.players import read_players


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))


def a_match(*players: str, game: str = "connect4", openings: str = "random", depth: int = 2, **terms: Any) -> Match:
    found, _ = read_players(players, game, Limit(depth=depth))
    wanted = Terms(**{"games": 6, "seed": 3, "most_plies": 600, **terms})
    return Match(found, catalog.position("startpos", game), wanted, openings)


def play(match: Match, path: Path, workers: Executor | None = None, most: int | None = None) -> MatchOutcome:
    with Journal(path, match.head) as journal, ThreadPoolExecutor(1) as one:
        match.resume(journal)
        for number, _ in enumerate(match.run(journal, GivenExecutor(workers or one)), 1):
            if number == most:
                break
    return match.outcome()


def what_was_played(found: MatchOutcome) -> list[Any]:
    return [(game.number, game.players, game.opening, game.moves, game.outcome) for game in found.games]


class Scattered(Executor):
    """Does pieces in another order, and breaks now and then: as workers that are killed would."""

    def __init__(self, seed: int, breaks: float = 0.0) -> None:
        self.chance, self.breaks, self.broken = random.Random(seed), breaks, 0

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.chance.random() < self.breaks:
            self.broken += 1
            future.set_exception(BrokenExecutor("a worker is gone"))
        else:
            future.set_result(function(*args, **kwargs))
        return future


# The plan.


def test_everybody_meets_everybody_from_every_opening_with_both_sides() -> None:
    match = a_match("alphabeta", "deepening", "random", games=4)
    tasks = list(match.tasks())
    assert [task.number for task in tasks] == list(range(1, 13))
    assert match.total == 12
    for one in range(3):
        for other in range(3):
            met = [task for task in tasks if task.sides == (one, other)]
            assert len(met) == (0 if one == other else 2)
            back = [task for task in tasks if task.sides == (other, one)]
            assert [task.opening for task in met] == [task.opening for task in back]
    assert len({task.seed for task in tasks}) == 12


def test_in_a_gauntlet_the_first_meets_all_others() -> None:
    match = a_match("alphabeta", "deepening", "random", games=3, style="gauntlet")
    assert match.meetings == [(0, 1), (0, 2)]
    assert [task.sides for task in match.tasks()] == [(0, 1), (1, 0), (0, 2), (2, 0), (0, 1), (0, 2)]


def test_random_openings_are_different_open_and_always_the_same() -> None:
    start = catalog.position("startpos", "connect4")
    found = read_openings("random:5", start, 60, 7)
    assert len({position.text for position in found}) == 60
    assert not any(position.is_over for position in found)
    assert [one.text for one in found[:20]] == [one.text for one in read_openings("random:5", start, 20, 7)]
    assert found != read_openings("random:5", start, 60, 8)
    assert len(read_openings("random:1", start, 30, 7)) == 30  # there are seven: some come again
    assert read_openings("start", start, 30, 7) == read_openings("random:0", start, 30, 7) == [start]


def test_openings_from_the_library_and_from_files(tmp_path: Path) -> None:
    start = catalog.position("startpos", "breakthrough", "6x4")
    found = read_openings("library", start, 50, 1)
    assert found
    assert all((one.game, one.is_over) == (start.game, False) for one in found)
    (tmp_path / "four.txt").write_text("44\n4455\n123\n7\n")
    connect = catalog.position("startpos", "connect4", settings={"weights": "0,0,1"})
    texts = {one.text for one in read_openings(str(tmp_path / "four.txt"), connect, 50, 1)}
    assert texts == {"44", "4455", "123", "7"}
    (tmp_path / "games.pgn").write_text('[White "a"]\n\n1. e4 e5 2. Nf3 *\n\n[White "b"]\n\n1. d4 *\n')
    pgn = read_openings(str(tmp_path / "games.pgn"), catalog.position("startpos", "chess"), 5, 1)
    assert {len(one.played) for one in pgn} == {1, 3}
    for text, says in (("nowhere.txt", "no file"), ("random:200", "0 to 100"), ("random:40", "decided")):
        with pytest.raises(InputError, match=says):
            read_openings(text, start, 5, 1)


@pytest.mark.parametrize(
    ("players", "terms", "says"),
    [
        (["random"], {}, "2 to 32 players"),
        (["random", "random"], {"games": 0}, "1 to 1,000,000 games"),
        (["random"] * 3, {"sprt": Sprt(elo0=0, elo1=5)}, "two players"),
    ],
)
def test_what_is_no_match(players: list[str], terms: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        a_match(*players, **terms)


# Playing.


def test_the_same_games_whoever_plays_them_and_in_whatever_order(tmp_path: Path) -> None:
    wanted = play(a_match("alphabeta", "random", games=10), tmp_path / "one")
    assert wanted.complete
    assert wanted.done == 10
    assert wanted.repeatable
    lossy = Scattered(5, breaks=0.3)
    for number, executor in enumerate((Scattered(1), Scattered(2), lossy)):
        found = play(a_match("alphabeta", "random", games=10), tmp_path / f"other {number}", executor)
        assert what_was_played(found) == what_was_played(wanted)
        assert found.standings[0].tally == wanted.standings[0].tally
    assert lossy.broken


def test_a_match_that_was_stopped_goes_on_to_the_same_totals(tmp_path: Path) -> None:
    wanted = play(a_match("alphabeta", "random", "random", games=5), tmp_path / "whole")
    for stop in (1, 4, 9):
        path = tmp_path / f"stopped {stop}"
        half = play(a_match("alphabeta", "random", "random", games=5), path, most=stop)
        assert (half.done, half.complete) == (stop, False)
        with path.open("ab") as file:
            file.write(b'{"number": 99, "torn')
        found = play(a_match("alphabeta", "random", "random", games=5), path)
        assert found.resumed == stop
        assert what_was_played(found) == what_was_played(wanted)
        assert [one.tally for one in found.standings] == [one.tally for one in wanted.standings]
    with pytest.raises(InputError, match="terms is not the same"):
        play(a_match("alphabeta", "random", "random", games=7), path)


def test_the_totals_are_those_of_the_games(tmp_path: Path) -> None:
    found = play(a_match("alphabeta", "beam:beam=1", "random", games=5), tmp_path / "journal")
    assert found.first_wins + found.draws + found.second_wins == found.done == 15
    for one in found.standings:
        mine = [game.score(game.players.index(one.name)) for game in found.games if one.name in game.players]
        assert one.tally.points == sum(mine)
        assert one.tally.games == len(mine) == 10
        assert sum(one.tally.pairs) == 4
        moves = sum(game.efforts[game.players.index(one.name)].moves for game in found.games if one.name in game.players)
        assert one.effort.moves == moves
    for meeting in found.encounters:
        games = [game for game in found.games if set(game.players) == set(meeting.players)]
        scores = [game.score(game.players.index(meeting.players[0])) for game in games]
        pairs = [scores[0] + scores[1], scores[2] + scores[3]]
        assert meeting.tally == tally(scores, pairs)
    assert [one.rating.elo for one in found.standings if one.rating] == sorted(
        (one.rating.elo for one in found.standings if one.rating), reverse=True
    )
    assert found.standings[0].name != "random"


def test_who_thinks_otherwise_of_positions_plays_otherwise(tmp_path: Path) -> None:
    match = a_match("alphabeta", "other=alphabeta:depth=2:weights=100,10,1", games=4)
    found = play(match, tmp_path / "journal")
    assert {one.title for one in found.standings} == {"alphabeta:depth=2", "alphabeta:depth=2:weights=100,10,1"}
    assert any(game.outcome != "draw" for game in found.games)


# The sequential test.


def made_up(match: Match, scores: list[float]) -> Iterator[PlayedGame]:
    """Games with these results for the first player of the match."""
    for task, score in zip(match.tasks(), scores, strict=False):
        mine = task.sides.index(0)
        outcome = "draw" if score == 0.5 else "first" if (score == 1) == (mine == 0) else "second"
        yield PlayedGame(
            number=task.number,
            game="connect4",
            size="7x6",
            options={},
            players=(task.players[0].name, task.players[1].name),
            opening=task.opening,
            moves=(),
            outcome=outcome,  # type: ignore[arg-type]
            ending="",
        )


def test_a_sequential_test_stops_at_the_same_game_however_games_come_in() -> None:
    chance = random.Random(4)
    scores = [chance.choice((1.0, 1.0, 0.5, 0.0)) for _ in range(400)]
    ends = []
    for order in (0, 1, 2):
        match = a_match("alphabeta", "random", games=400, sprt=Sprt(elo0=0, elo1=50))
        games = list(made_up(match, scores))
        if order:
            random.Random(order).shuffle(games)
        for game in games:
            match._take(game)
        found = match.outcome()
        assert found.sprt is not None
        assert found.sprt.verdict == 1
        assert found.done == found.sprt.games == 2 * sum(found.encounters[0].tally.pairs)
        assert found.sprt.ratio == pytest.approx(Sprt(elo0=0, elo1=50).ratio(found.encounters[0].tally))
        ends.append((found.done, found.encounters[0].tally))
    assert len(set(ends)) == 1
    assert ends[0][0] < 400


def test_a_sequential_test_ends_a_match(tmp_path: Path) -> None:
    match = a_match("alphabeta", "random", games=400, depth=1, sprt=Sprt(elo0=0, elo1=200))
    found = play(match, tmp_path / "journal")
    assert found.complete
    assert found.sprt is not None
    assert found.sprt.verdict == 1
    assert found.done == found.sprt.games < 100


def test_one_table_for_terminal_and_screen(tmp_path: Path) -> None:
    players = ("alphabeta", "second=alphabeta:depth=1", "random")
    outcome = play(a_match(*players[:2], games=4, sprt=Sprt(elo0=0, elo1=100)), tmp_path / "two.journal")
    marks = {"standings": "superior", "test": "ratio", "meetings": "Pairs with", "efforts": "nodes/move"}
    for parts in (PRINTED, SCREEN, LOW_SCREEN):
        text = printed(match_table(outcome, parts))
        assert sorted(parts, key=lambda part: text.index(marks[part])) == list(parts)
        assert all((mark in text) == (part in parts) for part, mark in marks.items())
        assert f"\n{summary(outcome).plain.splitlines()[0]}" in text
    last = terms_and_place(outcome, "games 4", "over there")
    assert printed(match_table(outcome, SCREEN, last=last)).rstrip().endswith("The games are in over there")
    assert printed(terms_and_place(outcome, "games 4", "")) == f"games 4; {by_side(outcome)}\n"
    several = printed(match_table(play(a_match(*players, games=2), tmp_path / "three.journal")))
    assert "who met whom" in several
    assert "ratio" not in several, "there is no test"


def test_the_line_of_the_status(tmp_path: Path) -> None:
    match = a_match("alphabeta", "random", games=2)
    assert status_line(None, "Connect 4 7x6", 100).plain == " Match  Connect 4 7x6  100 games"
    half = play(match, tmp_path / "match.journal", most=1)
    assert status_line(half, "Connect 4 7x6", 100).plain == " Match  Connect 4 7x6  1/2 games"
    whole = play(match, tmp_path / "match.journal")
    assert status_line(whole, "Connect 4 7x6", 100).plain == " Match  Connect 4 7x6  2/2 games  done"


def printed(what: RenderableType) -> str:
    console = Console(width=200)
    with console.capture() as captured:
        console.print(what)
    return captured.get()


# Workers.


def fails(piece: int) -> int:
    raise InputError(f"Piece {piece} cannot be done.")


def test_a_piece_that_fails_says_why() -> None:
    with ThreadPoolExecutor(2) as executor, pytest.raises(InputError, match="Piece 1"):
        list(results(fails, [1], GivenExecutor(executor, 2)))


def test_workers_that_do_nothing_but_break() -> None:
    with pytest.raises(InputError, match="keep ending"):
        list(results(abs, [1, 2], GivenExecutor(Scattered(1, breaks=1.0))))


# The command.

COMMAND = ("match", "alphabeta", "random", "--game", "connect4", "--depth", "2", "--games", "8", "--seed", "1")


def test_the_command_keeps_every_game(plybench: Plybench, tmp_path: Path) -> None:
    answer = plybench(*COMMAND, "--jobs", "1", "-o", str(tmp_path / "games.jsonl"), "--json")
    assert answer.code == 0
    assert answer.err == ""
    assert answer.json["done"] == 8
    assert answer.json["standings"][0]["name"] == "alphabeta"
    kept = read_games(tmp_path / "games.jsonl")
    assert [list(game.moves) for game in kept] == [game["moves"] for game in answer.json["games"]]
    assert not list((tmp_path / "data" / "matches").glob("*"))


def test_chess_comes_as_pgn_too(plybench: Plybench, tmp_path: Path) -> None:
    command = ("match", "alphabeta", "random", "--game", "chess", "--depth", "1", "--games", "2", "--plies", "20")
    answer = plybench(*command, "--jobs", "1", "--adjudicate", "both")
    assert answer.code == 0
    assert "2 of 2 games" in answer.out
    (file,) = (tmp_path / "data" / "matches").glob("*.pgn")
    with file.open() as stream:
        games = [chess.pgn.read_game(stream), chess.pgn.read_game(stream)]
    assert [len(list(game.mainline_moves())) for game in games if game is not None] == [24, 24]


def test_a_match_that_is_killed_goes_on(tmp_path: Path, plybench: Plybench) -> None:
    journal = tmp_path / "journal"
    command = [*COMMAND[:-4], "--games", "40", "--seed", "1", "--jobs", "1", "--journal", str(journal), "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench.cli", *command], stdout=subprocess.PIPE, start_new_session=True
    )
    give_up = monotonic() + 60
    while monotonic() < give_up and (not journal.exists() or journal.read_bytes().count(b"\n") < 5):
        sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    before = journal.read_bytes().count(b"\n") - 1
    assert 3 < before < 40
    answer = plybench(*command)
    assert answer.code == 0
    assert answer.json["resumed"] in (before, before - 1)
    fresh = plybench(*[word if word != str(journal) else str(tmp_path / "fresh") for word in command])
    left, right = answer.json, fresh.json
    assert [game["moves"] for game in left["games"]] == [game["moves"] for game in right["games"]]
    assert left["encounters"] == right["encounters"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--game", "samegame"), "Same"),
        (("--game", "connect4", "--sprt", "5"), "ELO0:ELO1"),
        (("--game", "connect4", "--sprt", "5:5"), "larger than the first"),
        (("--game", "connect4", "-o", "games.txt"), ".jsonl"),
        (("--game", "connect4", "--openings", "nothing"), "no file"),
        (("--game", "connect4", "--set", "beam=3"), "Neither"),
        (("--game", "connect4", "--cluster", "tcp://127.0.0.1:1"), "cluster"),
        ((), "--game"),
    ],
)
def test_bad_input(plybench: Plybench, words: tuple[str, ...], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.jobs.workers.CONNECTING", 0.2)
    answer = plybench("match", "alphabeta", "random", *words)
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err
    assert answer.err.count("\n") == 1


def test_games_of_players_who_draw_lots_are_all_evidence(tmp_path: Path) -> None:
    """That chance led to the same short game twice is a sample like any other."""
    found = play(a_match("random", "random", game="tictactoe", openings="start", games=200), tmp_path / "match.jsonl")
    assert found.distinct < found.done == found.evidence == 200
    assert found.encounters[0].strength == strength(found.encounters[0].tally)
    assert "left out of the" not in summary(found).plain


def test_games_that_are_played_again_are_no_evidence(tmp_path: Path) -> None:
    """Two players who always do the same from one opening play one pair of games, however often: its interval is that of
    the pair, and a sequential test does not move on."""
    few, many = (
        play(a_match("alphabeta:depth=1", "alphabeta:depth=4", openings="start", games=games), tmp_path / f"{games}.jsonl")
        for games in (2, 40)
    )
    assert (many.distinct, many.evidence, many.done) == (2, 2, 40)
    assert "38 games of deterministic players" in summary(many).plain
    assert many.encounters[0].tally.games == 40
    assert many.encounters[0].strength == few.encounters[0].strength
    assert [one.strength for one in many.standings] == [one.strength for one in few.standings]
    test = a_match("alphabeta:depth=1", "alphabeta:depth=4", openings="start", games=40, sprt=Sprt(elo0=0, elo1=400))
    assert play(test, tmp_path / "test.jsonl").sprt is not None
    progress = test.progress()
    assert progress is not None
    assert progress.verdict is None
    assert progress.ratio == Sprt(elo0=0, elo1=400).ratio(few.encounters[0].tally)


def test_own_weights_are_a_list_of_terms() -> None:
    title = "alphabeta:depth=2:weights=100,10,1:order=full"
    lines = ["alphabeta:depth=2:order=full", "lines with 1  100", "lines with 2   10", "lines with 3    1"]
    assert described(title, "connect4") == lines
    assert described("uct", "connect4") == ["uct"]
    assert described("a:weights=1,2", "connect4") == ["a", "term 1  1", "term 2  2"]
