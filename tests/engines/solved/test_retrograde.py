"""Whole games solved backwards: against naive solvers, other searches, published counts, Gaviota and python-chess."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import chess
import pytest

from engines import catalog
from engines.contract import InputError, Limit, Report
from engines.games.chess.border import from_board
from engines.games.chess.ending_index import ending_name
from engines.position import Position
from engines.rules import ONGOING, WIN, WIN_EDGE, result
from engines.run.search import Search
from engines.solved import chess_endings as endings
from engines.solved import registry as shelf
from engines.solved import store
from engines.solved.registry import Build
from positions.endgames import Gaviota
from tests import strategies
from tests.engines import checks
from tests.naive import games as naive
from tests.thorough import LONG, examples

GAVIOTA = Path("/usr/share/gaviotatb/gtb4")
TABLES: dict[str, Any] = {"tables": True}


@pytest.fixture(autouse=True, scope="module")
def own_directory(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Tables of these tests are theirs alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYBENCH_DATA", str(tmp_path_factory.mktemp("data")))
        yield
        shelf.close_tables()


def built(position: Position, threads: int = 2) -> store.Facts:
    """What is known of the table of a position, built if it is not there."""
    names = shelf.names_for(position)
    Build(position.game, names, threads).run_here().finish()
    return store.read_facts(store.path_of(names[-1]))


def looked_up(position: Position) -> Report:
    return Search(position, catalog.algorithm("retrograde"), Limit()).run_here().report()


# Whole boards.


def test_published_counts() -> None:
    assert built(catalog.position("startpos", "tictactoe")).positions == 5_478
    four = built(catalog.position("startpos", "connect4", "4x4"))
    assert (four.positions, four.start, four.by_ply[:5]) == (161_029, "draw", (1, 4, 16, 52, 160))
    assert four.won + four.drawn + four.lost + four.over == four.positions


@pytest.mark.skipif(not LONG, reason="takes ten seconds on two cores and half a gigabyte; PLYBENCH_LONG=1")
def test_published_count_of_five_by_five() -> None:
    five = built(catalog.position("startpos", "connect4", "5x5"))
    assert (five.positions, five.start) == (69_763_700, "draw")


@pytest.mark.plain
@pytest.mark.parametrize(("game", "size"), [("tictactoe", "3x2x2"), ("connect4", "3x2"), ("breakthrough", "4x2")])
def test_small_boards_without_the_compiler_too(game: str, size: str) -> None:
    """Every position of a whole small game has the value that a naive search finds."""
    start = catalog.position("startpos", game, size)
    built(start, threads=1)
    rules = shelf.search_tables_for(start).with_tables(start.game.rules)
    solved: dict[Any, Any] = {}
    width, height = (int(part) for part in size.split("x")[:2])
    oracle: naive.Naive
    if game == "tictactoe":
        oracle = naive.TicTacToe.start(width, height, 2)
    elif game == "connect4":
        oracle = naive.Connect4.start(width, height, 4)
    else:
        oracle = naive.Breakthrough.start(width, height, False)
    waiting = [(start, oracle)]
    seen: set[Any] = set()
    while waiting:
        position, other = waiting.pop()
        if position.is_over or position.state in seen:
            continue
        seen.add(position.state)
        expected = naive.shown(other, naive.solve(other, solved))
        assert position.game.shown_value(position.turn * int(result(rules, position.state))) == expected
        waiting += [
            (position.play(move), other.play(position.game.move_text(position.state, move)))
            for move in position.game.legal_moves(position.state)
        ]
    assert len(seen) > 5


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "breakthrough"])
def test_random_positions_of_tiny_boards(game: str) -> None:
    """Value, outcome, distance and every root move are what a naive search to the end finds; also other k, also misère."""
    solved: dict[Any, Any] = {}
    for case in strategies.sample(game, 300 if LONG else examples(60), "tiny"):
        report = looked_up(case.position())
        assert report.exact
        assert report.value == naive.shown(case.oracle, naive.solve(case.oracle, solved))
        for row in report.root_moves:
            after = case.oracle.play(row.move)
            value = naive.solve(after, solved)
            assert row.value == naive.shown(case.oracle, naive.delayed(value, 1)), row.move
        if report.distance is not None:
            assert len(report.pv) == report.distance
            end = case.position()
            for move in report.pv:
                end = end.play(end.game.read_move(end.state, move))
            assert end.is_over


@pytest.mark.parametrize(
    ("game", "sizes", "prover"),
    [
        ("connect4", ["4x4", "5x4"], "solver"),
        ("breakthrough", ["4x4", "5x3", *(["5x4"] if LONG else [])], "solver"),
        ("tictactoe", ["3x3x3", "4x3x3"], "deepening"),
    ],
)
def test_random_positions_against_other_searches(game: str, sizes: list[str], prover: str) -> None:
    random = Random(game)
    for size in sizes:
        found = 0
        while found < (170 if LONG else examples(30)):
            position = catalog.position("startpos", game, size)
            for _ in range(random.randint(0, 14)):
                if position.is_over:
                    break
                position = position.play(random.choice(position.game.legal_moves(position.state)))
            if position.is_over:
                continue
            found += 1
            parameters = {"table": 8} if prover == "solver" else {"table": 1, "aspiration": False}
            limit = Limit() if prover == "solver" else Limit(depth=12)
            proven = Search(position, catalog.algorithm(prover), limit, parameters).run_here().report()
            report = looked_up(position)
            assert proven.exact
            assert (report.value, report.outcome, report.distance) == (proven.value, proven.outcome, proven.distance)


# What searches make of tables.


@pytest.mark.parametrize("algorithm", ["minimax", "negamax", "alphabeta", "deepening", "pvs", "mtdf"])
def test_a_search_with_tables_knows_all_at_depth_one(algorithm: str) -> None:
    position = catalog.position("startpos moves a2b3 a4b3", "breakthrough", "4x2")
    built(position)
    true = looked_up(position)
    report = checks.run_with(position, algorithm, TABLES, depth=1)
    assert (report.exact, report.outcome, report.distance) == (True, true.outcome, true.distance)
    assert report.evaluations == 0
    if algorithm != "mtdf":  # which asks more than once
        assert report.nodes == 1 + len(true.root_moves)


def test_sampling_with_tables_proves_at_once() -> None:
    position = catalog.position("12", "connect4", "4x3")
    built(position)
    true = looked_up(position)
    report = checks.run_with(position, "uct", {**TABLES, "proofs": True}, iterations=30)
    assert (report.exact, report.outcome, report.stopped_by) == (True, true.outcome, "solved")


def test_two_threads_look_into_the_same_table() -> None:
    position = catalog.position("startpos", "breakthrough", "4x3")
    built(position)
    true = looked_up(position)
    report = checks.run_with(position, "deepening", {**TABLES, "threads": 2, "table": 1}, depth=2)
    assert (report.exact, report.outcome, report.distance) == (True, true.outcome, true.distance)


@pytest.fixture
def no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A directory in which nothing has been built yet, by whatever test."""
    shelf.close_tables()
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path))
    yield
    shelf.close_tables()


@pytest.mark.plain
@pytest.mark.usefixtures("no_tables")
def test_without_a_table_it_is_said_how_to_get_one() -> None:
    with pytest.raises(InputError, match="plybench retrograde build connect4 5x5 does it"):
        checks.run_with(catalog.position("1", "connect4", "5x5"), "alphabeta", TABLES, depth=1)
    with pytest.raises(InputError, match="too many positions"):
        checks.run_with(catalog.position("1", "connect4"), "alphabeta", TABLES, depth=1)
    with pytest.raises(InputError, match="a board of 8x8 has too many positions"):
        looked_up(catalog.position("startpos", "breakthrough"))
    with pytest.raises(InputError, match="retrograde build connect4 5x5"):
        looked_up(catalog.position("1", "connect4", "5x5"))
    three = catalog.position("startpos", "tictactoe", None, {"players": "3"})
    assert three.game.table_name(three.state) is None
    assert three.lacks("table") == "tables are made for two players"
    with pytest.raises(InputError, match="at most 4 men"):
        looked_up(catalog.position("startpos", "chess"))


# Files.


def test_a_damaged_file_is_noticed() -> None:
    position = catalog.position("startpos", "connect4", "3x3")
    facts = built(position)
    path = store.path_of(facts.name)
    content = bytearray(path.read_bytes())
    for place in (3, 40, len(content) // 2, len(content) - 3):
        damaged = bytearray(content)
        damaged[place] ^= 0x55
        path.write_bytes(damaged)
        shelf.close_tables()
        with pytest.raises(InputError, match=r"damaged|not a table of this version") as caught:
            shelf.open_table(facts.name)
        assert checks.is_sentence(str(caught.value))
    path.write_bytes(content[:-10])
    with pytest.raises(InputError, match="damaged"):
        shelf.open_table(facts.name)
    path.write_bytes(content)
    assert shelf.open_table(facts.name).facts == facts


@pytest.mark.usefixtures("no_tables")
def test_a_build_that_is_stopped_leaves_nothing() -> None:
    position = catalog.position("startpos", "connect4", "5x5")
    build = Build(position.game, shelf.names_for(position), 2).start()
    while not build.workers.nodes:
        assert not build.join(0.01)
    build.stop()
    with checks.within(20):
        build.finish()
    assert build.stopped
    assert not store.path_of("connect4-5x5").exists()
    assert not list(store.directory().glob(".connect4-5x5*"))


def test_threads_do_not_change_a_table() -> None:
    position = catalog.position("startpos", "breakthrough", "4x3")
    built(position)
    one = store.load(store.path_of("breakthrough-4x3"))[1]["values"].copy()
    store.path_of("breakthrough-4x3").unlink()
    shelf.close_tables()
    built(position, threads=1)
    assert (store.load(store.path_of("breakthrough-4x3"))[1]["values"] == one).all()


# Chess endings.


def random_boards(ending: str, count: int, seed: int = 1) -> list[chess.Board]:
    """Legal positions with these men, either side to move, colours either way round."""
    random = Random(f"{ending} {seed}")
    found: list[chess.Board] = []
    _, first, second = ending.split("K")
    while len(found) < count:
        board = chess.Board(None)
        men = [(letter, True) for letter in "K" + first] + [(letter, False) for letter in "K" + second]
        for (letter, white), square in zip(men, random.sample(range(64), len(men)), strict=True):
            board.set_piece_at(square, chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), white))
        board.turn = random.random() < 0.5
        if random.random() < 0.5:
            board = board.mirror()
        if board.is_valid():
            found.append(board)
    return found


class Endings:
    """What the tables say of python-chess's boards, as python-chess would say it: plies to mate with a sign, or 0."""

    def __init__(self, name: str) -> None:
        self.game = catalog.position("startpos", "chess").game
        names = [f"chess-{one}" for one in (*endings.needed(name), name)]
        Build(self.game, names, 2).run_here().finish()
        known = {one: shelf.open_table(f"chess-{one}").arrays["values"] for one in (*endings.needed(name), name)}
        self.rules = shelf.SearchTables((), endings.describe(known)).with_tables(self.game.rules)

    def plies(self, board: chess.Board) -> int:
        """Positive if the side to move wins; mated is -0, told by `is_checkmate`."""
        value = int(result(self.rules, from_board(self.rules, board)))
        assert value != ONGOING, board.fen()
        return 0 if abs(value) < WIN_EDGE else (WIN - abs(value)) * (1 if value > 0 else -1)


THREE_MEN = ("KQK", "KRK", "KPK")
LONGEST = {"KQK": 20, "KRK": 32, "KPK": 56, "KBNK": 66}
"""Plies of the longest mates, which everybody knows: 10, 16, 28 and 33 moves, with the other side to move first."""


def test_the_longest_mates_are_the_known_ones() -> None:
    for name in ("KQK", "KRK", "KPK", *(["KBNK"] if LONG else [])):
        Endings(name)
        assert store.read_facts(store.path_of(f"chess-{name}")).longest == LONGEST[name]


@pytest.mark.skipif(not (GAVIOTA / "kqk.gtb.cp4").exists(), reason="Debian's gaviotatb is not installed")
@pytest.mark.parametrize("name", THREE_MEN)
def test_distances_agree_with_gaviota(name: str) -> None:
    ours, tables = Endings(name), Gaviota()
    with tables:
        assert tables.add(GAVIOTA)
        for board in random_boards(name, 10_000 if LONG else examples(150)):
            assert ours.plies(board) == tables.probe_dtm(board), board.fen()


@pytest.mark.parametrize("name", [*THREE_MEN, *(["KBNK", "KQKR", "KRKP"] if LONG else [])])
def test_every_value_follows_from_the_moves_of_python_chess(name: str) -> None:
    """Mates are mates, and every other value is one ply further than the best of those behind its moves. If that holds
    everywhere, all values are right; here it is seen to hold at random positions."""
    ours = Endings(name)
    for board in random_boards(name, 10_000 if LONG else examples(60), seed=2):
        said, best = ours.plies(board), None
        for move in list(board.legal_moves):
            board.push(move)
            behind = ours.plies(board)
            value = 1 if board.is_checkmate() else 0 if not behind else -behind + (1 if behind < 0 else -1)
            board.pop()
            if best is None or rank(value) > rank(best):
                best = value
        assert said == (0 if best is None else best), board.fen()


def rank(plies: int) -> float:
    """How good it is to win, or lose, in so many plies."""
    return 0.0 if not plies else 1.0 / plies


def test_endings_are_named_by_the_stronger_side() -> None:
    assert endings.normal_name("kkq") == "KQK"
    assert endings.normal_name("KPvKR") == "KRKP"
    assert endings.needed("KPK") == ["KQK", "KRK"]
    assert endings.needed("KBNK") == []
    assert len(endings.all_names()) == 33
    assert ending_name(catalog.position("8/P7/8/3k4/7r/8/8/K7 w - - 0 1", "chess").state) == "KRKP"
    with pytest.raises(InputError, match="written like KQK"):
        endings.normal_name("KXK")


def test_the_fifty_moves_are_not_overlooked() -> None:
    """A table knows nothing of the clock: where that may run out first, nothing is called proven."""
    Endings("KRK")
    fresh = looked_up(catalog.position("8/8/8/3k4/8/8/8/KR6 w - - 0 1", "chess"))
    late = looked_up(catalog.position("8/8/8/3k4/8/8/8/KR6 w - - 90 90", "chess"))
    assert fresh.exact
    assert fresh.distance == len(fresh.pv)
    assert not late.exact
    assert late.outcome is None
    assert late.value == fresh.value


def test_chess_searches_look_into_endings() -> None:
    Endings("KPK")
    position = catalog.position("8/8/8/1k6/8/1K6/1P6/8 w - - 0 1", "chess")
    true = looked_up(position)
    report = checks.run_with(position, "alphabeta", TABLES, depth=2)
    assert (report.outcome, report.distance, report.evaluations) == (true.outcome, true.distance, 0)
    assert report.value == true.value


def test_a_win_behind_the_horizon_has_no_distance() -> None:
    """A table far away proves the win, but a quicker one elsewhere may have been overlooked: that is not claimed."""
    Endings("KQK")
    position = catalog.position("8/1q6/8/8/8/1QK5/8/6k1 w - - 0 1", "chess")
    report = checks.run_with(position, "alphabeta", TABLES, depth=1)
    assert report.outcome == "first"
    assert report.distance is None
