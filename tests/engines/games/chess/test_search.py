"""Searches of chess against a naive minimax on python-chess, against each other, and on mates everybody can check."""

from __future__ import annotations

from functools import cache
from itertools import islice

import chess
import pytest

from engines.perft import perft
from engines.position import Position
from engines.run.work import new_work
from tests.chess_games import STARTS, Game, Kind, games, some_boards
from tests.engines import checks
from tests.engines.games.chess.checks import reached
from tests.naive import games as naive
from tests.naive.chess import Chess, same
from tests.thorough import examples

MOST_NODES = 1500
"""A naive search may take about so many nodes."""
REPEATING = (
    "7K/7p/7k/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/K7/P7/k7 w - - 0 1",
    "8/8/8/8/8/7k/7p/7K w - - 0 1",
    "8/8/8/8/1p1p1p1p/1P1P1P1P/K7/7k b - - 90 100",
    "k7/p1p5/P1P5/8/8/8/8/1K6 w - - 0 1",
    "k1b5/p1p5/P1P5/8/8/7p/7P/7K w - - 0 1",
)
"""So few moves that a naive search sees positions come again."""


def oracle(played: Game | str, tapered: bool = False, every_doubled: bool = False) -> Chess:
    """The same for python-chess."""
    played = Game(played) if isinstance(played, str) else played
    board, before = played.board(), []
    for text in played.moves:
        before.append(same(board))
        board.push(chess.Move.from_uci(text))
    return Chess(board.copy(stack=False), tuple(before), tapered=tapered, every_doubled=every_doubled)


def affordable(board: chess.Board, most: int) -> int:
    """How deep a naive search can go: at least one ply, at most so many."""
    other = board.copy(stack=False)
    other.turn, other.ep_square = not board.turn, None
    mine, theirs = max(2, board.legal_moves.count()), max(2, other.legal_moves.count())
    depth, nodes = 1, mine
    while depth < most and nodes * (theirs if depth % 2 else mine) <= MOST_NODES:
        nodes *= theirs if depth % 2 else mine
        depth += 1
    return depth


def agree(here: Position, twin: Chess, depth: int, said: str) -> None:
    """Value, every root move's value, nodes, leaves and evaluations are the naive search's; alpha-beta has the value."""
    expected = naive.minimax(twin, depth)
    value = naive.shown(twin, expected.value)
    behind = {move: naive.minimax(twin.play(move), depth - 1, 1).value for move in twin.moves()} if depth < 3 else {}
    for name in ("minimax", "negamax"):
        report = checks.run(here, name, depth=depth)
        assert report.value == value, f"{name} to depth {depth} on {said}"
        assert (report.nodes, report.leaves, report.evaluations) == (
            expected.nodes,
            expected.leaves,
            expected.evaluations,
        ), f"{name} to depth {depth} on {said}"
        if behind:
            rows = {row.move: row.value for row in report.root_moves}
            assert rows == {move: naive.shown(twin, worth) for move, worth in behind.items()}, f"{name} on {said}"
    report = checks.run(here, "alphabeta", depth=depth)
    assert report.value == value, f"alphabeta to depth {depth} on {said}"
    assert report.nodes <= expected.nodes


@pytest.mark.parametrize(
    ("kind", "count"),
    [("greedy", 4), ("random", 4), ("chess960", 3), ("rare moves", 10), ("few men", 16), ("in passing", 5)],
)
def test_values_and_nodes_of_a_naive_minimax(kind: Kind, count: int) -> None:
    for number, board in enumerate(some_boards(kind, examples(count), seed=5)):
        played = Game(board.fen(), (), board.chess960)
        evaluation, doubled = ("shannon", "tapered")[number % 4 == 3], ("extra", "every")[number % 4 == 2]
        twin = oracle(played, evaluation == "tapered", doubled == "every")
        if twin.result() is None:
            agree(reached(played, evaluation=evaluation, doubled=doubled), twin, max(2, affordable(board, 4)), str(played))


@pytest.mark.plain
@pytest.mark.parametrize("kind", ["rare moves", "few men", "in passing"])
def test_one_ply_also_in_plain_python(kind: Kind) -> None:
    for board in some_boards(kind, 6, seed=6):
        if Chess(board).result() is None:
            agree(reached(board.fen()), oracle(board.fen()), 1, board.fen())


@pytest.mark.plain
@pytest.mark.parametrize("fen", REPEATING)
def test_positions_that_come_again_are_drawn(fen: str) -> None:
    """The same nodes and leaves as the naive search has: the search goes no further where a position comes again."""
    twin = oracle(fen)
    depth = 1
    while depth < 7 and naive.minimax(twin, depth).nodes < 80:
        depth += 1
    for some in range(1, depth + 1):
        agree(reached(fen), twin, some, fen)
    again = naive.minimax(twin, depth)
    assert depth >= 4
    assert again.evaluations < again.leaves, "nothing came again"


def test_searches_know_the_history() -> None:
    """From all plies of games that go to and fro, one or two plies deep."""
    drawn = 0
    for game in islice(games("to and fro", seed=2), examples(16)):
        for plies in range(4, len(game.moves), 3):
            played = Game(game.start, game.moves[:plies])
            twin = oracle(played)
            if twin.result() is not None:
                report = checks.run(reached(played), "minimax", depth=1)
                assert (report.stopped_by, report.value) == ("game over", naive.shown(twin, twin.result() or 0)), str(played)
                continue
            after = [twin.play(move) for move in twin.moves()]
            drawn += any(next_one.is_drawn() and next_one.before.count(same(next_one.board)) >= 2 for next_one in after)
            agree(reached(played), twin, 1 if len(after) > 8 else 2, str(played))
    assert drawn > examples(10)


@pytest.mark.plain
def test_the_third_time_saves_the_lone_king() -> None:
    """Black goes back to where both have been twice. One round earlier that is no draw yet."""
    round_trip = ("a1a2", "h8h7", "a2a1", "h7h8")
    start = "7k/8/8/8/8/8/8/R5K1 w - - 0 1"
    twice = Game(start, (*round_trip, *round_trip[:3]))
    report = checks.run(reached(twice), "minimax", depth=1)
    assert (report.value, report.best_move) == (0, "h7h8")
    once = checks.run(reached(Game(start, round_trip[:3])), "minimax", depth=1)
    assert once.value is not None
    assert once.value > 4
    over = reached(Game(start, round_trip * 2))
    assert over.game.ending(over) == "threefold repetition"
    report = checks.run(over, "alphabeta", depth=3)
    assert (report.value, report.stopped_by, report.outcome) == (0, "game over", "draw")


# All exact searches.


@cache
def mixed_positions(count: int, most: int) -> list[Position]:
    """So many positions of all kinds in which four plies are not more than so many games."""
    found: list[Position] = []
    kinds: list[Kind] = ["greedy", "random", "chess960", "few men", "rare moves"]
    for kind in kinds:
        some = []
        for board in some_boards(kind, 4 * count // len(kinds), seed=7):
            here = reached(Game(board.fen(), (), board.chess960))
            if not here.is_over and perft(here.game.rules, new_work(), here.state, 4, 0) <= most:
                some.append(here)
        found += some[: count // len(kinds)]
    assert len(found) == count
    return found


@pytest.mark.parametrize("part", range(4))
def test_equal_values_at_depths_one_to_four_over_two_hundred_positions(part: int) -> None:
    for here in mixed_positions(examples(200), 500_000)[part::4]:
        for depth in (1, 2, 3, 4):
            reports = {name: checks.run(here, name, depth=depth) for name in ("minimax", "negamax", "alphabeta")}
            said = f"{here.text} to depth {depth}"
            assert len({report.value for report in reports.values()}) == 1, said
            assert reports["minimax"].nodes == reports["negamax"].nodes >= reports["alphabeta"].nodes, said


# Mates.

MATES = [
    ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", 1),
    ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", 1),
    ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7", 1),  # Scholar's mate
    ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", 1),  # Fool's mate
    ("8/4Q3/8/8/8/3k4/2R5/R3K3 w Q - 0 1", "e1c1", 1),  # by castling
    ("4Q2B/8/8/8/8/5k2/6R1/4K2R w K - 0 1", "e1g1", 1),
    ("8/1P1R4/2k5/8/2B5/8/8/K5B1 w - - 0 1", "b7b8n", 1),  # only a knight will do
    ("8/6Pp/7k/8/2K3Q1/6p1/8/8 w - - 0 1", "g7g8n", 1),
    ("8/7Q/8/6pP/3Q4/2p2Kp1/7k/8 w - g6 0 1", "h5g6", 1),  # in passing
    ("3K1k2/8/6Q1/4pP2/5R2/8/8/3n4 w - e6 0 1", "f5e6", 1),
    ("8/8/8/8/8/5K2/8/5R1k b - - 0 1", "h1h2", 4),  # the mated side is to move
    ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "f6g6", 3),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 3),  # Morphy
    ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", "d5f6", 3),  # Légal
    ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", "g2g1", 3),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 5),
    ("6r1/8/8/8/5k2/8/8/7K b - - 0 1", None, 5),
    ("7k/8/8/5K2/8/8/8/6R1 w - - 0 1", None, 5),
    ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", None, 5),
]
"""Where, the only first move if there is only one, and the plies to mate."""


@pytest.mark.parametrize(("fen", "move", "plies"), MATES)
def test_mates_in_one_two_and_three(fen: str, move: str | None, plies: int) -> None:
    here = reached(fen)
    mover_wins = plies % 2 == 1
    winner = "first" if (here.turn > 0) == mover_wins else "second"
    names = ("minimax", "negamax", "alphabeta") if plies < 4 else ("alphabeta",)
    for name in names:
        report = checks.run(here, name, depth=plies)
        assert (report.outcome, report.distance, report.exact) == (winner, plies, True), name
        assert len(report.pv) == plies
        assert report.value == (1_000_000 - plies) * (1 if winner == "first" else -1)
        if move is not None:
            assert report.best_move == move
        board = chess.Board(fen)
        for text in report.pv:
            board.push_uci(text)
        assert board.is_checkmate()
        if plies > 1:
            assert checks.run(here, name, depth=plies - 1).outcome is None, name
    if plies <= 3:
        report = checks.run(here, "alphabeta", depth=plies + 1)
        assert (report.outcome, report.distance) == (winner, plies), "one ply deeper"


@pytest.mark.plain
@pytest.mark.parametrize(("fen", "move", "plies"), [row for row in MATES if row[2] == 1])
def test_mates_in_one_also_in_plain_python(fen: str, move: str, plies: int) -> None:
    report = checks.run(reached(fen), "alphabeta", depth=1)
    assert (report.best_move, report.distance) == (move, 1)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("fen", "value", "outcome"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 1_000_000, "first"),
        ("7K/6q1/6k1/8/8/8/8/8 w - - 100 80", -1_000_000, "second"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, "draw"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 100 80", 0, "draw"),
        ("7k/8/6K1/8/8/8/8/B7 w - - 0 1", 0, "draw"),
    ],
)
def test_nothing_is_searched_where_the_game_is_over(fen: str, value: int, outcome: str) -> None:
    for name in ("minimax", "negamax", "alphabeta"):
        report = checks.run(reached(fen), name, depth=3)
        assert (report.value, report.outcome, report.stopped_by, report.nodes) == (value, outcome, "game over", 1)
        assert report.best_move is None


@pytest.mark.plain
def test_fifty_moves_come_before_a_slower_mate() -> None:
    """Mate in two is two plies too late, and a draw by then; a capture in time would start the count anew."""
    for fen in ("7k/8/5K2/8/8/8/8/R7 w - - 98 80", "7k/8/5K2/8/8/6p1/8/R7 w - - 98 80"):
        agree(reached(fen), oracle(fen), 2, fen)
    report = checks.run(reached("7k/8/5K2/8/8/8/8/R7 w - - 98 80"), "alphabeta", depth=3)
    assert (report.value, report.outcome) == (0, "draw")
    report = checks.run(reached("7k/8/5K2/8/8/8/8/R7 w - - 97 80"), "alphabeta", depth=3)
    assert (report.distance, report.outcome) == (3, "first")


def test_the_evaluation_is_chosen_by_the_settings() -> None:
    """Different values at the horizon, and the naive search's each."""
    for fen in STARTS[:4]:
        shannon = checks.run(reached(fen), "alphabeta", depth=1).value
        tapered = checks.run(reached(fen, evaluation="tapered"), "alphabeta", depth=1).value
        assert shannon != tapered
        assert tapered == naive.shown(oracle(fen, tapered=True), naive.minimax(oracle(fen, tapered=True), 1).value)
