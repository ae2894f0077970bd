"""The rules of chess against published counts and, position by position, against python-chess."""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Hashable
from pathlib import Path

import chess
import pytest
from hypothesis import given, settings

from engines import catalog
from engines.games.chess.border import from_board, to_board
from engines.games.chess.state import HOME_ROWS, Men
from engines.perft import Perft
from engines.position import Position
from tests.chess_games import KIWIPETE, Game, Kind, any_games, games, some_boards
from tests.engines import checks
from tests.engines.games.chess.checks import agree, agree_on_game, chess_game, child, look, new_seen, reached, rules_of
from tests.naive import chess as naive_chess
from tests.thorough import examples, passed_before

COUNTS = tomllib.loads((Path(__file__).parent / "perft.toml").read_text(encoding="utf-8"))
DEEPEST = 5
SUITES = os.environ.get("PLYBENCH_SUITES")
"""A directory with larger suites; without it those tests are left out."""


def either(fen: str) -> Position:
    """The position of a FEN, which may be one of Chess960."""
    return reached(Game(fen, chess960=True))


# Published counts.


@pytest.mark.parametrize("fen", COUNTS["every_depth"])
def test_published_counts(fen: str) -> None:
    expected = COUNTS["every_depth"][fen][:DEEPEST]
    assert [checks.count(either(fen), depth) for depth in range(1, len(expected) + 1)] == expected


@pytest.mark.parametrize("fen", COUNTS["one_depth"])
def test_published_counts_at_one_depth(fen: str) -> None:
    depth, leaves = COUNTS["one_depth"][fen]
    assert checks.count(either(fen), depth) == leaves


def test_the_deepest_counts_everybody_knows() -> None:
    assert checks.count(either(chess.STARTING_FEN), 6) == 119_060_324
    assert checks.count(either(KIWIPETE), 5) == 193_690_690
    assert checks.count(either("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"), 6) == 11_030_083


@pytest.mark.plain
@pytest.mark.parametrize("fen", COUNTS["every_depth"])
def test_published_counts_also_in_plain_python(fen: str) -> None:
    for depth, leaves in enumerate(COUNTS["every_depth"][fen], 1):
        if leaves < 600:
            assert checks.count(either(fen), depth) == leaves


def counted(board: chess.Board, depth: int) -> int:
    """Perft by python-chess."""
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += counted(board, depth - 1) if depth > 1 else 1
        board.pop()
    return total


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/4r3/8/8/r3K2r w - - 0 1",  # three men give check at once
        "4k3/8/8/8/8/2n5/5PPP/r3K2r w - - 0 0",  # two rooks on one row
        "8/8/8/8/1k1Pp2R/8/8/4K3 b - d3 0 1",
        "3k4/8/8/8/1b1n1b2/3r4/3PPP2/3QK3 w - - 0 1",
        "r3k3/8/8/8/8/8/8/1NB1K1BN w KQq - 0 0",  # rights without their rooks
        "4k3/8/8/8/8/PPP5/PPPPPP2/4K3 w - - 0 1",  # nine pawns
    ],
)
def test_what_no_game_leads_to_is_counted_all_the_same(fen: str) -> None:
    """Files of perft counts have such positions."""
    for depth in (1, 2, 3):
        found = Perft(catalog.position(fen, "chess"), depth).start()
        assert found.report().leaves == counted(chess.Board(fen), depth)


def test_a_whole_suite_to_depth_four() -> None:
    if not SUITES:
        pytest.skip("PLYBENCH_SUITES does not say where perft.epd is")
    lines = (Path(SUITES) / "perft.epd").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 127
    for line in lines:
        fen, *counts = line.split(" ;")
        for count in counts[:4]:
            depth, leaves = count.removeprefix("D").split()
            assert checks.count(either(fen), int(depth)) == int(leaves), f"{fen} to depth {depth}"


# Position by position.


class Keys:
    """Equal positions have equal keys, different positions different ones."""

    def __init__(self) -> None:
        self.key_of: dict[Hashable, int] = {}
        self.position_of: dict[int, Hashable] = {}

    def add(self, board: chess.Board, state: Men) -> None:
        position, key = naive_chess.same(board), int(state.key)
        assert self.key_of.setdefault(position, key) == key, f"another key: {board.fen()}"
        assert self.position_of.setdefault(key, position) == position, f"the same key: {board.fen()}"

    def __len__(self) -> int:
        return len(self.key_of)


def happens(board: chess.Board) -> list[str]:
    """What there is to get wrong in a position."""
    checkers, over = board.checkers_mask().bit_count(), not any(board.legal_moves)
    passing = board.ep_square is not None and board.has_pseudo_legal_en_passant()
    found = {
        "check": checkers > 0,
        "double check": checkers > 1,
        "mate": over and checkers > 0,
        "stalemate": over and checkers == 0,
        "too few men": board.is_insufficient_material(),
        "fifty moves": board.halfmove_clock >= 100,
        "in passing": passing and board.has_legal_en_passant(),
        "not in passing": passing and not board.has_legal_en_passant(),
        "castling": any(board.generate_castling_moves()),
        "promotion": any(move.promotion for move in board.generate_legal_moves(board.pawns)),
    }
    return [name for name, there in found.items() if there]


@pytest.mark.parametrize(
    ("kind", "wanted", "contains"),
    [
        ("random", 6000, {"check": 300, "promotion": 20, "castling": 100}),
        ("greedy", 6000, {"check": 200, "castling": 15}),
        ("chess960", 3000, {"check": 200, "castling": 100, "in passing": 60}),
        ("few men", 3000, {"mate": 5, "stalemate": 5, "too few men": 200, "fifty moves": 300}),
        ("rare moves", 3000, {"mate": 5, "castling": 100, "promotion": 200, "double check": 5}),
        ("in passing", 3000, {"in passing": 200, "not in passing": 10, "double check": 5}),
    ],
)
def test_twenty_thousand_positions(kind: Kind, wanted: int, contains: dict[str, int]) -> None:
    """Moves, captures, counts, check, endings, keys and FENs, all as python-chess has them; 24,000 in all."""
    seen, keys, found = new_seen(), Keys(), Counter[str]()
    for game in games(kind):
        walk = agree_on_game(game, seen)
        for board, state in zip(walk.boards, walk.states, strict=True):
            keys.add(board, state)
            found.update(happens(board))
        if len(keys) >= examples(wanted):
            break
    missing = {name: found[name] for name, least in contains.items() if found[name] < least}
    assert passed_before() or missing == {}, "a part of the examples need not hold what is rare"


@pytest.mark.plain
@pytest.mark.parametrize("kind", ["random", "greedy", "chess960", "few men", "rare moves", "in passing"])
def test_some_positions_also_in_plain_python(kind: Kind) -> None:
    seen, keys = new_seen(), Keys()
    for game in games(kind, seed=1):
        walk = agree_on_game(Game(game.start, game.moves[:40], game.chess960), seen)
        for board, state in zip(walk.boards, walk.states, strict=True):
            keys.add(board, state)
            assert state == from_board(rules_of(board), board)
        if len(keys) >= 110:
            break


@pytest.mark.plain
@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/4r2R/8/2n5/3BK3 w - - 0 1",  # double check: taking one of the two does not help
        "4k3/8/8/1B5Q/8/8/8/4K3 b - - 0 1",
        "2r3k1/8/8/2PpP3/8/8/8/2K5 w - d6 0 1",  # two can take in passing, but one of them is pinned
        "4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
        "2r3k1/3p4/8/2P1P3/8/8/8/2K5 b - - 0 1",
        "4r1k1/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1",
        "4k3/2p5/8/K2P3r/8/8/8/8 b - - 0 1",  # taking in passing would open the row
        "4k3/2p5/b7/3P4/4K3/8/8/8 b - - 0 1",  # the double step gives check, and taking in passing ends it
        "8/8/8/2k5/3Pp3/8/8/4K2B b - d3 0 1",
        "1n2k3/P1P5/8/8/8/8/8/4K3 w - - 0 1",  # two pawns promote on the same square
        "r3k3/1P6/8/8/8/8/6p1/4K2R w Kq - 0 1",  # a rook that may castle is taken by a pawn that promotes
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 300 700",  # rooks take rooks; and nobody has claimed a draw for long
        "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1",  # only the rook crosses an attacked square
        "2r1k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "4k1r1/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1",  # Chess960: the rook shields the king from where it will stand
        "1k6/8/8/8/8/8/8/3K1R2 w F - 0 1",  # the rook stays where it is
        "6k1/8/8/8/8/8/8/3R2K1 w D - 0 1",
        "1k6/8/8/8/8/8/8/6KR w H - 0 1",  # the king stays where it is
        "6k1/8/8/8/8/8/8/R1K5 w A - 0 1",
        "1k6/8/8/8/8/8/8/5KR1 w G - 0 1",  # they change places
        "6k1/8/8/8/8/8/8/2RK4 w C - 0 1",
        "5k2/8/8/8/8/8/8/1R2K1R1 w GB - 0 1",
        "6k1/8/8/8/8/8/8/RN1K4 w A - 0 1",  # a man in the rook's way, not in the king's
    ],
)
def test_positions_made_for_one_mistake(fen: str) -> None:
    """The position, with either colour, and every one behind it."""
    chess960 = any(letter in "ABCDFGH" for letter in fen.split()[2])
    for board in (chess.Board(fen, chess960=chess960), chess.Board(fen, chess960=chess960).mirror()):
        assert board.is_valid()
        seen = new_seen()
        agree(board, from_board(rules_of(board), board), seen)
        for move, state in [(move, child(seen, board, move)[1]) for move in board.legal_moves]:
            board.push(move)
            agree(board, state, seen)
            board.pop()


@pytest.mark.plain
@settings(max_examples=examples(50))
@given(any_games())
def test_any_game_from_known_positions(game: Game) -> None:
    """Where this fails, hypothesis gives the shortest game it can find."""
    board, state = game.board(), from_board(chess_game().rules, game.board())
    seen = new_seen()
    for move in map(chess.Move.from_uci, game.moves):
        look(chess_game().rules, state, seen)
        _, state = child(seen, board, move)
        board.push(move)
    agree(board, state, seen)


# Keys.


@pytest.mark.plain
def test_the_key_tells_apart_what_the_rules_tell_apart() -> None:
    """The same men with the other side to move, with fewer castling rights, or without en passant: another key each."""
    rules, told = chess_game().rules, Counter[str]()
    for board in [*some_boards("rare moves", 300), *some_boards("in passing", 100)]:
        others = {"": board}
        for square in chess.SquareSet(board.clean_castling_rights()):
            others[chess.square_name(square)] = other = board.copy()
            other.castling_rights &= ~chess.BB_SQUARES[square]
        if board.has_legal_en_passant():
            others["in passing"] = other = board.copy()
            other.ep_square = None
        others["turn"] = other = board.copy()
        other.turn, other.ep_square = not board.turn, None
        keys = {name: int(from_board(rules, other).key) for name, other in others.items()}
        assert len(set(keys.values())) == len(keys), f"{board.fen()} {keys}"
        told.update(keys.keys())
    assert min(told[name] for name in ("a1", "h1", "a8", "h8", "in passing", "turn")) >= 5


@pytest.mark.plain
@pytest.mark.parametrize(
    ("fen", "one", "other", "equal"),
    [
        (chess.STARTING_FEN, "g1f3 g8f6 b1c3", "b1c3 g8f6 g1f3", True),
        (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8", "", True),
        (chess.STARTING_FEN, "g1f3 g8f6 h1g1 f6g8 g1h1 g8f6", "g1f3 g8f6 b1c3 f6g8 c3b1 g8f6", False),  # castling is lost
        ("4k3/8/8/8/8/p7/4P3/4K3 w - - 0 1", "e2e4", "e2e3 e8d8 e3e4 d8e8 e1d1 e8d8 d1d2 d8e8 d2e1", True),
        ("4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1", "e2e4", "e2e3 e8d8 e3e4 d8e8 e1d1 e8d8 d1d2 d8e8 d2e1", False),  # fxe3 is lost
        ("8/8/8/8/k4p1R/8/4P3/4K3 w - - 0 1", "e2e4", "e2e3 a4b4 e3e4 b4a4 e1d1 a4b4 d1d2 b4a4 d2e1", True),  # never was
    ],
)
def test_positions_reached_in_two_ways(fen: str, one: str, other: str, equal: bool) -> None:
    ends = [Game(fen, tuple(moves.split())) for moves in (one, other)]
    assert (naive_chess.same(ends[0].end()) == naive_chess.same(ends[1].end())) == equal
    assert (reached(ends[0]).state.key == reached(ends[1]).state.key) == equal


@pytest.mark.plain
def test_a_pawn_nobody_can_take_in_passing_leaves_no_trace() -> None:
    """The FEN says e3, but no pawn is beside, or the one that is must not move."""
    for fen in (
        "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1",
        "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
        "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1",
    ):
        with_square, without = reached(fen), reached(fen.replace("e3", "-"))
        assert with_square.state == without.state
        assert with_square.state.rights & ~HOME_ROWS == 0
        assert "e3" not in to_board(with_square.state).fen()
