"""The cost of the tape for a search that records nothing: alpha-beta compared with itself without the tape calls.

With `NoTape` the tape calls should compile to nothing. The second kernel is made here from the source of the first, so that
the two differ in nothing else.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import ours
from benchmarks.rows import Row, times_faster
from benchmarks.timing import best_in_turn
from engines.compiled import kernel
from engines.position import Position
from engines.rules import INFINITY
from engines.run.work import new_work
from engines.search.alphabeta import alphabeta
from engines.tape.tape import NOBODY, NoTape, new_tape

DEPTHS = {"connect4": (11, 10), "breakthrough": (7, 7)}
"""The depth to which the kernels are compared, and that of the recorded search: 16 million nodes would take half a
gigabyte."""
NO_SLOWER = 0.97
LEAST_ROUNDS, MOST_ROUNDS = 10, 60
SECONDS, QUICK_SECONDS = 24.0, 6.0
"""Seconds for which the two kernels take turns. A busy machine slows single runs by a third, far more than the difference
that is measured here. Only the best of many runs is reliable, and ten are too few for a search of half a second."""


def measure(quick: bool) -> Iterator[Row]:
    """For each game, a row for `NoTape` and one for a real tape."""
    bare = without_tape_calls(alphabeta)
    for game, (depth, recorded_depth) in DEPTHS.items():
        where = ours.position(game)
        nodes, bare_nodes = run(alphabeta, where, depth), run(bare, where, depth)
        if nodes != bare_nodes:
            raise AssertionError(f"Without tape calls the search visits {bare_nodes} nodes instead of {nodes}.")
        plain = compare(where, depth, bare, nodes, QUICK_SECONDS if quick else SECONDS)
        yield plain
        assert plain.ours is not None
        yield record(where, recorded_depth, plain.ours, 1 if quick else 3)


def compare(where: Position, depth: int, bare: Callable[..., Any], nodes: int, seconds: float) -> Row:
    """The kernel with `NoTape`, compared with the one without tape calls."""
    (once,) = best_in_turn(2, lambda: run(bare, where, depth))
    rounds = min(MOST_ROUNDS, max(LEAST_ROUNDS, int(seconds / 2 / once)))
    with_calls, without_calls = best_in_turn(rounds, lambda: run(alphabeta, where, depth), lambda: run(bare, where, depth))
    task = f"{where.game.title} alpha-beta, depth {depth}, not recorded"
    peer = "the same kernel without tape calls"
    return times_faster(task, "nodes/s", nodes / with_calls, peer, nodes / without_calls, NO_SLOWER, f"best of {rounds}")


def record(where: Position, depth: int, unrecorded: float, rounds: int) -> Row:
    """The kernel with a tape that holds every node, including the time to allocate it."""
    _, work = ours.run_alphabeta(where, depth)
    nodes = int(work.nodes)
    ours.run_alphabeta(where, 1, tape=new_tape(1000))  # compiles
    (seconds,) = best_in_turn(rounds, lambda: ours.run_alphabeta(where, depth, tape=new_tape(nodes)))
    task = f"{where.game.title} alpha-beta, depth {depth}, recorded"
    return times_faster(task, "nodes/s", nodes / seconds, "not recorded", unrecorded)


def run(search: Callable[..., Any], where: Position, depth: int) -> int:
    """Search with `NoTape` by either kernel; returns the number of nodes."""
    work = new_work()
    search(where.game.rules, NoTape(), work, where.state, depth, -INFINITY, INFINITY, 0, NOBODY)
    return int(work.nodes)


class TapeCallsOut(ast.NodeTransformer):
    """Removes `leave(...)` and replaces `child = enter(...)` by `child = node`."""

    def __init__(self) -> None:
        self.removed = {"enter": 0, "leave": 0}

    def visit_Expr(self, statement: ast.Expr) -> ast.Expr | None:
        return None if self._is_call(statement.value, "leave") else statement

    def visit_Assign(self, statement: ast.Assign) -> ast.Assign:
        if self._is_call(statement.value, "enter"):
            statement.value = ast.Name("node", ast.Load())
        return statement

    def _is_call(self, expression: ast.expr, name: str) -> bool:
        match expression:
            case ast.Call(func=ast.Name(id=called)) if called == name:
                self.removed[name] += 1
                return True
        return False


def without_tape_calls(original: kernel.Kernel[..., Any]) -> Callable[..., Any]:
    """The kernel compiled from its own source without the tape calls."""
    kernel.start()
    import numba

    name = original.py_func.__name__
    source = ast.parse(textwrap.dedent(inspect.getsource(original.py_func)))
    function = source.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.decorator_list = []
    remover = TapeCallsOut()
    remover.visit(function)
    if not all(remover.removed.values()):
        raise AssertionError(f"{name} no longer calls `enter` and `leave` in the way that is known here.")
    names = dict(vars(sys.modules[original.py_func.__module__]))
    exec(compile(ast.fix_missing_locations(source), f"<{name} without tape calls>", "exec"), names)
    names[name] = numba.njit(nogil=True)(names[name])  # the recursive call has to find the new kernel
    bare: Callable[..., Any] = names[name]
    return bare
