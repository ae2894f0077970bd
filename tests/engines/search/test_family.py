"""The alpha-beta family: every way to the same value, what it claims, what it records, and the limits it keeps to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from random import Random
from time import perf_counter, sleep
from typing import Any

import chess
import numpy as np
import pytest

from engines import catalog
from engines.contract import Limit, Report, Setting, TableCounters
from engines.game import SHOWN_WIN
from engines.parts.alphabeta.ordering import new_search_context
from engines.position import Position
from engines.rules import INFINITY, ONGOING, delayed, evaluate, play, result
from engines.run.memory import Memory
from engines.run.search import Search
from engines.run.work import new_work
from engines.search.deepening import deepen
from engines.tape.recording import Recording
from engines.tape.tape import NOBODY, NoTape, Tape, new_tape
from positions import library
from tests.chess_games import Kind, some_boards
from tests.engines import checks
from tests.naive import games as naive
from tests.positions import retrograde
from tests.strategies import Case, sample
from tests.thorough import LONG, examples

TWO_PLAYERS = ["chess", "connect4", "breakthrough", "tictactoe", "tree"]
FAMILY = ("deepening", "pvs", "mtdf")
CERTAIN: Mapping[str, Setting] = {"null_move": False, "late_move_reductions": False, "futility": False, "probcut": False}
"""No switch on that may change a value."""
PLAIN: Mapping[str, Setting] = {**CERTAIN, "quiescence": False, "check_extension": False, "singular_extension": False}
"""Nor one that looks deeper than the depth: the value is minimax's."""
RISKY: list[dict[str, Setting]] = [
    {"beam": 2},
    {"beam": 1, "table": 1},
    {"probcut": True},
    {"null_move": True, "late_move_reductions": True, "futility": True},
    {"null_move": True, "late_move_reductions": True, "futility": True, "beam": 3, "probcut": True, "quiescence": True},
    {"beam": 2, "check_extension": True, "quiescence": True, "singular_extension": True},
]
Settings = dict[str, Setting]


THOROUGH = LONG
"""Every way on every position, not only some of them: minutes, not seconds."""


def look(
    position: Position,
    algorithm: str,
    parameters: Mapping[str, Setting] | None = None,
    *,
    memory: Memory | None = None,
    tape: Tape | None = None,
    **limits: Any,
) -> Report:
    """The report of one search; parameters that the algorithm does not have are left out."""
    found = catalog.algorithm(algorithm)
    known = {parameter.name for parameter in found.parameters}
    chosen = {name: value for name, value in (parameters or {}).items() if name in known}
    if memory is None and "table" not in chosen:
        memory = checks.small_memory(algorithm)
    search = Search(position, found, Limit(**limits), chosen, tape=tape, memory=memory)
    return (search.run_here() if chosen.get("threads", 1) == 1 else search.start()).report()


def ways() -> list[tuple[str, Settings]]:
    """The three searches, with and without table and ordering."""
    return [
        (name, {**PLAIN, "table": table, "ordering": ordering})
        for name, table, ordering in product(FAMILY, (0, 1), ("none", "full"))
    ]


def some_ways(count: int, seed: str) -> list[tuple[str, Settings]]:
    """So many of them, with what else changes no value chosen at random."""
    random = Random(seed)
    found = random.sample(ways(), count)
    for _, settings in found:
        settings["aspiration"] = random.random() < 0.7
        settings["replacement"] = random.choice(("both", "always", "deeper"))
        if settings["ordering"] == "full":
            settings["ordering"] = random.choice(("full", "full", "killers", "captures"))
    return found


def chess_position(board: chess.Board) -> Position:
    return catalog.position(board.fen(), "chess", None, {"chess960": str(board.chess960)})


@cache
def chess_positions(count: int, seed: int = 0) -> list[Position]:
    """Positions of all kinds that are not over, none with a history or near the fifty-move rule."""
    kinds: list[Kind] = ["greedy", "random", "few men", "rare moves", "in passing"]
    each = -(-count // len(kinds))
    found = []
    for kind in kinds:
        some: list[Position] = []
        for board in some_boards(kind, 2 * each, seed=seed + 20):
            board.halfmove_clock = min(board.halfmove_clock, 60)
            position = chess_position(board)
            if not position.is_over and len(some) < each:
                some.append(position)
        found += some
    return Random(seed).sample(found, count)


@cache
def some_positions(game: str, count: int) -> list[Position]:
    """So many positions of a game that are not over, a few of them on large boards."""
    if game == "chess":
        return chess_positions(count)
    large = 0 if game == "tree" else count // 6
    return [case.board() for case in [*sample(game, count - large), *sample(game, large, "any")]]


def moves_here(position: Position) -> int:
    return len(position.game.legal_moves(position.state))


def deepest(position: Position) -> int:
    """How deep every search is quick here."""
    if position.game.id == "tree":
        return 7
    moves, steps = moves_here(position), ((4, 7), (6, 6), (9, 5), (16, 4))
    quick = next((depth for most, depth in steps if moves <= most), 3)
    return min(quick, 4) if position.game.id == "chess" else quick


def deep_enough(position: Position, number: int) -> int:
    """A depth for the number-th position, from 1 on."""
    return number % deepest(position) + 1


def end_of(position: Position, moves: tuple[str, ...]) -> tuple[int, bool]:
    """What the position at the end of a line is worth to the side that moves at its start, and whether the game is over."""
    game, state = position.game, position.state
    rules = game.rules_for(position)
    assert result(rules, state) == ONGOING
    for number, text in enumerate(moves):
        assert result(rules, state) == ONGOING or number == 0, "the line goes on after the end"
        state = play(rules, state, game.read_move(state, text))
    value = int(result(rules, state))
    sign = 1 if len(moves) % 2 == 0 else -1
    if value != ONGOING:
        return sign * int(delayed(value, len(moves))), True
    return sign * int(evaluate(rules, state)), False


def check_line(position: Position, report: Report, said: str) -> None:
    """The line is legal, as long as the depth or to the end of the game, and ends in the value; or it says it is short."""
    game = position.game
    assert report.pv, said
    assert report.best_move == report.pv[0], said
    value, over = end_of(position, report.pv)
    if not report.pv_cut_short:
        assert len(report.pv) == report.depth or over, said
        assert game.shown_value(position.turn * value) == report.value, (said, report.pv)
    else:
        assert len(report.pv) < report.depth, said


def check_moves(position: Position, report: Report, said: str) -> None:
    """The best move has the value, and what is said of the others holds: minimax knows each one's value."""
    true = {row.move: row.value for row in look(position, "minimax", depth=report.depth).root_moves}
    rows = {row.move: row for row in report.root_moves}
    assert report.best_move in rows, said
    assert len(rows) == len(report.root_moves), said
    assert true[report.best_move] == rows[report.best_move].value == report.value, said
    for move, row in rows.items():
        value = true[move]
        holds = {"exact": row.value == value, "at most": row.value >= value, "at least": row.value <= value}
        assert holds[row.bound], (said, row, value)


def check_table(table: TableCounters | None, megabytes: int) -> None:
    """The numbers add up."""
    assert (table is None) == (megabytes == 0)
    if table is not None:
        assert 0 <= table.hits <= table.probes
        assert table.cutoffs == table.exact_cutoffs + table.lower_cutoffs + table.upper_cutoffs <= table.hits
        assert 0 <= table.overwrites <= table.stores
        assert table.hits + table.collisions <= table.probes
        assert 0 <= table.filled <= min(table.entries, table.stores)
        assert table.entries * 16 == table.size <= megabytes * 1_000_000


@pytest.mark.parametrize("replacement", ["both", "always", "deeper"])
@pytest.mark.parametrize("threads", [1, 2])
def test_filled_counts_what_all_threads_filled(threads: int, replacement: str) -> None:
    """So many entries are in use at the end, whoever filled them; two threads may both count one that they fill at once."""
    settings: Settings = {**PLAIN, "table": 1, "threads": threads, "replacement": replacement}
    memory = Memory()
    report = look(catalog.position("4453", "connect4"), "deepening", settings, memory=memory, depth=14)
    assert memory.table is not None
    assert report.table is not None
    used = int(np.count_nonzero(memory.table.words[1::2]))
    assert used <= report.table.filled <= min(used * (1 if threads == 1 else 1.05), report.table.entries)
    last = report.depths[-1].table
    assert last is not None
    assert used * 0.9 < last.filled <= report.table.filled
    assert used > 0.8 * report.table.entries, "the table is too small for this search, so that all of it is used"


def agree(position: Position, depth: int, seed: str, count: int = 4, moves_too: bool = True) -> None:
    """The value of alpha-beta at this depth by some ways, with a line and root moves that are so."""
    expected = look(position, "alphabeta", depth=depth)
    for name, settings in some_ways(count, seed):
        report = look(position, name, settings, depth=depth)
        said = f"{name} {settings} to depth {depth} on {position.text}"
        assert report.value == expected.value, said
        check_table(report.table, int(settings["table"]))
        check_line(position, report, said)
        if settings["table"] == 0 and name != "mtdf" and position.game.id != "chess":
            assert not report.pv_cut_short, said  # in chess a line may end where a position comes again
        if moves_too:
            check_moves(position, report, said)


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_every_safe_way_gives_the_value_of_alphabeta(game: str, part: int) -> None:
    for number, position in enumerate(some_positions(game, 300)[: examples(300)]):
        if number % 2 == part:
            depth = deep_enough(position, number)
            cheap = moves_here(position) ** depth < 30_000 and (game != "chess" or number % 4 < 2)
            some = len(ways()) if THOROUGH else 2 if game == "chess" else 1 + number % 2
            agree(position, depth, f"{game} {number}", some, moves_too=cheap)
            if (cheap and number % 3 == 0) or THOROUGH:
                assert look(position, "minimax", depth=depth).value == look(position, "alphabeta", depth=depth).value


@pytest.mark.plain
@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_the_same_without_the_compiler(game: str) -> None:
    positions = some_positions(game, 300)[1::7] if game != "chess" else some_positions(game, 300)[:3]
    for number, position in enumerate(positions):
        depth = min(deep_enough(position, number), 1 if game == "chess" else 4)
        if moves_here(position) ** depth < 700:
            agree(position, depth, f"plain {number}", count=3)


def random_tree(random: Random, levels: int) -> str:
    """A tree of whole numbers, many of them equal, every branch to the end or shorter."""
    if levels == 0 or random.random() < 0.05:
        return str(random.randint(-9, 9))
    number = random.choice(("", str(random.randint(-9, 9))))
    return f"{number}({' '.join(random_tree(random, levels - 1) for _ in range(random.randint(1, 4)))})"


def test_random_trees_at_every_depth() -> None:
    """All twelve ways, from one ply to the whole tree."""
    random = Random(3)
    for number in range(16):
        text = f"({random_tree(random, 5)} {random_tree(random, 6)} {random_tree(random, 4)})"
        position = catalog.position(text, "tree")
        for depth in (1 + number % 4, 5, 8):
            agree(position, depth, text, count=12 if number % 4 == 0 else 4)
        assert look(position, "mtdf", PLAIN, depth=8).exact


@pytest.mark.plain
@pytest.mark.parametrize("game", ["connect4", "breakthrough"])
def test_a_move_left_out_is_left_out(game: str) -> None:
    """What singular extensions ask: the value without one move is that of the best of the others."""
    for position in [position for position in some_positions(game, 300)[::9] if 1 < moves_here(position) < 9]:
        rules = position.game.rules_for(position)
        rows = look(position, "minimax", depth=2).root_moves
        values = {position.game.read_move(position.state, row.move): position.turn * row.value for row in rows}
        for skip in values:
            expected = max(value for move, value in values.items() if move != skip)
            window = (-INFINITY, INFINITY)
            found = deepen(
                rules, NoTape(), new_work(), new_search_context(None), position.state, 2, *window, 0, NOBODY, skip
            )
            assert position.game.shown_value(int(found)) == expected, (position.text, skip)


EXTENDED = [
    {**CERTAIN, "quiescence": quiescence, "check_extension": check}
    for quiescence, check in ((True, False), (False, True), (True, True))
]


@pytest.mark.parametrize("game", ["chess", "breakthrough"])
def test_with_quiescence_and_extensions_the_three_still_agree(game: str) -> None:
    changed = 0
    normal = [position for position in some_positions(game, 300) if not position.game.options.get("misere")]
    for number, position in enumerate(normal[:: 5 if game == "chess" else 3]):
        depth = 1 + number % (3 if moves_here(position) > 12 or game == "chess" else 5)
        settings = EXTENDED[number % 3]
        values = {
            (name, table, ordering): look(
                position, name, {**settings, "table": table, "ordering": ordering}, depth=depth
            ).value
            for name, table, ordering in [(name, table, "full") for name in FAMILY for table in (0, 1)]
            + [("deepening", 1, "captures")]
        }
        assert len(set(values.values())) == 1, (position.text, depth, settings, values)
        changed += look(position, "alphabeta", depth=depth).value not in values.values()
    assert changed > 10


@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_the_table_saves_nodes(game: str) -> None:
    nodes = {(name, table): 0 for name in FAMILY for table in (0, 1)}
    for position in some_positions(game, 300)[:: 12 if game == "chess" else 6]:
        depth = deepest(position)
        for name, table in nodes:
            nodes[name, table] += look(position, name, {**PLAIN, "table": table}, depth=depth).nodes
    for name in FAMILY:
        assert nodes[name, 1] <= nodes[name, 0], nodes
    assert nodes["pvs", 1] < 1.2 * nodes["deepening", 1]


@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_what_the_table_counts_is_what_is_in_it(game: str) -> None:
    for number, position in enumerate(some_positions(game, 300)[::20]):
        memory, before = Memory(), 0
        for name in FAMILY:
            report = look(position, name, {**PLAIN, "table": 1}, memory=memory, depth=max(deep_enough(position, number), 3))
            assert memory.table is not None
            assert report.table is not None
            filled = int(np.count_nonzero(memory.table.words[1::2]))
            assert before <= report.table.filled == filled <= report.table.entries
            assert report.table.size == memory.table.words.nbytes
            before = filled
            if name == "deepening":
                check_table(report.table, 1)
                for column in ("probes", "hits", "cutoffs", "stores", "overwrites", "collisions"):
                    assert sum(getattr(row.table, column) for row in report.depths) == getattr(report.table, column)
                assert [row.table.filled for row in report.depths if row.table][-1:] == [filled]


# Mates.

MATES = [
    entry
    for entry in library.entries().values()
    if entry.game == "chess" and "mate" in entry.tags and entry.distance is not None and entry.distance <= 5
]
SAFE_WAYS: list[Settings] = [
    {**PLAIN},
    {**PLAIN, "table": 0},
    {**PLAIN, "table": 1, "ordering": "none"},
    {**CERTAIN, "quiescence": True, "check_extension": False},
    {**CERTAIN, "quiescence": True, "check_extension": True},
    {**CERTAIN, "quiescence": True, "check_extension": True, "singular_extension": True, "table": 1},
]


@pytest.mark.parametrize("entry", MATES, ids=lambda entry: entry.id.partition("/")[2])
def test_mates_are_found_at_the_right_distance(entry: library.Entry) -> None:
    position = entry.position()
    assert entry.distance is not None
    for number, settings in enumerate(SAFE_WAYS):
        short = entry.distance <= 3 or (THOROUGH and entry.distance <= 5)
        for name in FAMILY if short else (FAMILY[number % 2],):
            if not short and settings.get("ordering") == "none":
                continue
            report = look(position, name, settings, depth=entry.distance)
            said = f"{name} {settings}"
            assert (report.exact, report.outcome, report.distance) == (True, entry.outcome, entry.distance), said
            assert report.stopped_by == "solved", said
            if entry.best:
                assert report.best_move in entry.best, said


@pytest.mark.parametrize(
    ("fen", "depth", "distance"),
    [
        ("1br2k2/5p2/1p6/pp2pnK1/4q3/2P1P2r/1P1P4/1bB2N2 w - - 8 46", 3, 4),
        ("6b1/3k4/3q4/2B4r/2r5/2R5/3b4/6K1 b - - 21 19", 3, 5),
    ],
)
def test_a_win_seen_behind_the_horizon_is_not_taken_for_the_quickest(fen: str, depth: int, distance: int) -> None:
    """Checks and captures, looked at deeper than the rest, show a mate; a quicker one has quiet moves in it."""
    position = catalog.position(fen, "chess")
    for settings in (CERTAIN, {}):
        assert look(position, "deepening", settings, depth=depth).distance in (None, distance), settings
    assert look(position, "pvs", PLAIN, depth=distance).distance == distance


def few_men(piece: str, plies: range, count: int, seed: int) -> Iterator[tuple[chess.Board, int]]:
    """King and piece against king at random, with the plies to mate."""
    solved, random = retrograde.solve(piece), Random(f"{piece} {seed}")
    for _ in range(count):
        while True:
            king, man, black = (random.randrange(64) for _ in range(3))
            turn = random.random() < 0.5
            distance = int((solved.white if turn else solved.black)[king, man, black])
            if distance in plies:
                break
        flip = random.random() < 0.5
        board = chess.Board(None)
        for square, symbol in ((king, "K"), (man, piece), (black, "k")):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = turn
        yield (board.mirror() if flip else board), distance


@pytest.mark.parametrize("piece", ["Q", "R"])
def test_three_men_are_mated_as_retrograde_analysis_says(piece: str) -> None:
    boards = [*few_men(piece, range(1, 8), 30, 1), *few_men(piece, range(1, 6), 70, 2)]
    for number, (board, distance) in enumerate(boards):
        position = chess_position(board)
        name = FAMILY[number % 3]
        settings: Settings = {**PLAIN, "table": 8} if number % 2 or distance > 5 else {**PLAIN, "table": 0}
        report = look(position, name, settings, depth=7)
        loser_moves = distance % 2 == 0
        winner = "first" if board.turn != loser_moves else "second"
        assert (report.exact, report.outcome, report.distance) == (True, winner, distance), (name, board.fen())
        assert abs(report.value or 0) == SHOWN_WIN - distance
        assert report.depth == distance


# Several best moves.


@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_the_best_three_moves(game: str) -> None:
    for number, position in enumerate(some_positions(game, 300)[1::6]):
        depth = min(deep_enough(position, number), 2 if game == "chess" else 5)
        name: str = FAMILY[number % 2]
        settings: Settings = {**PLAIN, "multipv": 3, "table": number // 2 % 2, "ordering": ("full", "none")[number // 4 % 2]}
        report = look(position, name, settings, depth=depth)
        if report.depth < 1:
            continue
        said = f"{name} {settings} on {position.text}"
        true = {row.move: row.value for row in look(position, "minimax", depth=report.depth).root_moves}
        wanted = sorted(true.values(), key=lambda value: -position.turn * value)[:3]
        first = report.root_moves[:3]
        assert [row.value for row in first] == wanted, said
        assert all(row.bound == "exact" for row in first), said
        assert len({row.move for row in first}) == len(first) == min(3, len(true)), said
        check_moves(position, report, said)
        for row in first:
            assert row.pv[0] == row.move
            value, over = end_of(position, row.pv)
            if len(row.pv) == report.depth or over:
                assert position.game.shown_value(position.turn * value) == row.value, said


# Claims.


def claims_are_true(case: Case, true: naive.Value, settings: Settings, name: str, depth: int) -> bool:
    report = look(case.board(), name, settings, depth=depth, nodes=100_000)
    said = f"{name} {settings} to depth {depth} on {case}"
    if not report.exact:
        assert (report.outcome, report.distance) == (None, None), said
        return False
    outcome = ("first" if true > 0 else "second") if naive.is_win(true) else "draw"
    assert report.outcome == outcome, said
    if outcome != "draw":
        assert report.distance in (None, naive.WIN - max(true, -true)), said
    if outcome == "draw" or report.distance is not None:
        assert report.value == naive.shown(case.oracle, true), said
    return True


@pytest.mark.parametrize("game", ["connect4", "breakthrough", "tictactoe"])
def test_what_is_claimed_is_true_whatever_is_switched_on(game: str) -> None:
    """Against the whole tree of small games: who wins, and how soon."""
    solved: dict[naive.Naive, naive.Value] = {}
    claims = 0
    for number, case in enumerate(sample(game, examples(120), "tiny")):
        true = naive.solve(case.oracle, solved)
        for offset in range(2):
            settings = {**PLAIN, "table": number % 2, **RISKY[(number + offset) % len(RISKY)]}
            claims += claims_are_true(case, true, settings, FAMILY[(number + offset) % 3], (2, 4, 7, 12)[number // 6 % 4])
        claims_are_true(case, true, {**PLAIN, "table": 1}, FAMILY[number % 3], (3, 5, 9)[number % 3])
    assert claims > examples(100)


@pytest.mark.plain
def test_what_is_claimed_is_true_without_the_compiler_too() -> None:
    solved: dict[naive.Naive, naive.Value] = {}
    for number, case in enumerate(sample("connect4", 60, "tiny")):
        true = naive.solve(case.oracle, solved)
        settings = {**PLAIN, "table": number % 2, **RISKY[number % len(RISKY)]}
        claims_are_true(case, true, settings, FAMILY[number % 3], 4)


def test_what_is_claimed_of_chess_endings_is_true() -> None:
    claims = 0
    for number, (board, distance) in enumerate(
        pair for seed in range(36) for pair in few_men("QR"[seed % 2], range(1, 10), 1, seed)
    ):
        position = chess_position(board)
        settings: Settings = {"table": 2, **RISKY[number % len(RISKY)]}
        report = look(position, FAMILY[number % 3], settings, nodes=40_000)
        if report.outcome is not None:
            claims += 1
            loser_moves = distance % 2 == 0
            assert report.outcome == ("first" if board.turn != loser_moves else "second"), (board.fen(), settings)
            assert report.distance in (None, distance), (board.fen(), settings)
    assert claims > 5


# Recording, threads, limits.


@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_recorded_with_everything_on(game: str) -> None:
    """The same search, and a tape on which every value follows from those below it."""
    for number, position in enumerate(some_positions(game, 300)[::15]):
        depth = min(deep_enough(position, number) + 2, 4 if game == "chess" or moves_here(position) > 12 else 7)
        for settings in ({"table": 1}, {**RISKY[number % len(RISKY)], "table": 1}):
            name, tape = FAMILY[number % 3], new_tape(400_000)
            report = look(position, name, settings, depth=depth, nodes=300_000, tape=tape)
            plain = look(position, name, settings, depth=depth, nodes=300_000)
            assert checks.without_times(report) | {"tape_nodes": None} == checks.without_times(plain), position.text
            recording = Recording.of(tape, report, "mover")
            assert recording.complete
            assert recording.faults() == 0, (position.text, name, settings, depth)


@pytest.mark.parametrize("game", ["chess", "connect4", "breakthrough"])
def test_two_threads_find_the_same_value(game: str) -> None:
    both = 0
    depth = {"chess": 4, "connect4": 8, "breakthrough": 5}[game]
    start = catalog.position("startpos", game)
    others = [position for position in some_positions(game, 300)[:24:6] if moves_here(position) < 12]
    for position in [start, *others]:
        for name in FAMILY[:2]:
            one = look(position, name, {**PLAIN, "table": 8}, depth=depth)
            two = look(position, name, {**PLAIN, "table": 8, "threads": 2}, depth=depth)
            assert (one.value, one.depth) == (two.value, two.depth), position.text
            check_table(two.table, 8)
            main = sum(row.nodes for row in two.depths)
            assert two.nodes >= main
            both += two.nodes > main
    assert both > 0


@pytest.mark.plain
@pytest.mark.parametrize("game", TWO_PLAYERS)
@pytest.mark.parametrize("name", FAMILY)
def test_node_limits_are_kept(game: str, name: str) -> None:
    position = catalog.position("startpos", game)
    for limit in (1, 2, 17, 60, 250) if game != "chess" else (1, 2, 40):
        for threads in (1, 2):
            report = look(position, name, {"table": 1, "threads": threads}, nodes=limit)
            assert report.all_nodes <= limit
            assert report.stopped_by in ("nodes", "solved")
            assert report.stopped_by == "solved" or threads == 2 or report.all_nodes == limit


@pytest.mark.parametrize("settings", [{}, {"threads": 2}, {"multipv": 3}, {"table": 0, "ordering": "none"}])
@pytest.mark.parametrize("game", ["chess", "connect4", "breakthrough"])
def test_told_to_stop_it_stops(game: str, settings: Settings) -> None:
    position = catalog.position("startpos", game)
    look(position, "pvs", settings, depth=2)
    search = Search(position, catalog.algorithm("pvs"), Limit(seconds=60), settings).start()
    while not search.run.depths and search.elapsed() < 10:
        sleep(0.01)
    sleep(0.05)
    began = perf_counter()
    search.stop()
    assert search.join(5.0)
    assert perf_counter() - began < 1.5
    report = search.report()
    assert report.stopped_by == "request"
    assert report.depth >= 1
    end_of(position, report.pv)


@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_deeper_with_the_table_kept(game: str) -> None:
    """A depth, then the next one with what the table knows: the same value as from nothing, for fewer nodes."""
    nodes = {"kept": 0, "fresh": 0}
    for number, position in enumerate(some_positions(game, 300)[::10]):
        name, memory = FAMILY[number % 3], Memory()
        depth = 3 if game == "chess" or moves_here(position) > 8 else 5
        look(position, name, {**PLAIN, "table": 4}, memory=memory, depth=depth)
        kept = look(position, name, {**PLAIN, "table": 4}, memory=memory, depth=depth + 1)
        fresh = look(position, name, {**PLAIN, "table": 4}, depth=depth + 1)
        assert (kept.value, kept.exact, kept.outcome, kept.distance) == (
            fresh.value,
            fresh.exact,
            fresh.outcome,
            fresh.distance,
        )
        check_line(position, kept, position.text)
        nodes["kept"] += kept.nodes
        nodes["fresh"] += fresh.nodes
    assert nodes["kept"] < nodes["fresh"]


def shallower_is_the_same(position: Position, name: str, depth: int) -> None:
    """Deeper entries are other values, even if they are better guesses: they are not used. And what is taken from the table
    is no proof if an evaluation went into it."""
    memory = Memory()
    deep = look(position, name, {**PLAIN, "table": 1}, memory=memory, depth=depth)
    for shallower in (depth, *range(1, depth)):
        kept = look(position, name, {**PLAIN, "table": 1}, memory=memory, depth=shallower)
        fresh = look(position, name, {**PLAIN, "table": 0}, depth=shallower)
        assert deep.exact or not kept.exact, (name, depth, shallower, position.text)
        if not fresh.exact and not kept.exact:
            assert kept.value == fresh.value, (name, depth, shallower, position.text)
            check_line(position, kept, position.text)


@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_less_deep_with_the_table_kept(game: str) -> None:
    for number, position in enumerate(some_positions(game, 300)[::15]):
        shallower_is_the_same(position, FAMILY[number % 3], min(deepest(position), 5))


@pytest.mark.plain
def test_less_deep_with_the_table_kept_in_plain_python() -> None:
    for number, position in enumerate(some_positions("connect4", 300)[::25]):
        shallower_is_the_same(position, FAMILY[number % 3], 3)
