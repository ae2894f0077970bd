"""What the tests of the alpha-beta family share: its settings, positions to search, and checks of what a report says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import chess

from engines import catalog
from engines.contract import Limit, Report, Setting, TableCounters
from engines.position import Position
from engines.rules import ONGOING, delayed, evaluate, play, result
from engines.run.memory import Memory
from engines.run.search import Search
from engines.tape.tape import Tape
from tests.chess_games import Kind, some_boards
from tests.engines import checks
from tests.strategies import sample
from tests.thorough import LONG

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
