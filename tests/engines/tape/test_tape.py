"""The tape: a recorded search is the same search, and its records alone give back every value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import catalog
from engines.algorithm import View
from engines.compiled.kernel import jit_enabled
from engines.contract import Report
from engines.position import Position
from engines.rules import State, delayed, evaluate, play, result
from engines.tape.recording import Recording
from engines.tape.tape import COLUMNS, CUT, EXPANDED, HORIZON, MORE, NOBODY, OPEN, TERMINAL, Tape, new_tape
from tests.engines import checks
from tests.strategies import GAMES, cases
from tests.thorough import examples

PAIRS = [
    (game, algorithm)
    for game in catalog.GAMES
    for algorithm in catalog.compiled_algorithms_for(game)
    if catalog.algorithm(algorithm).records
]
NODE_BY_NODE = [(game, algorithm) for game, algorithm in PAIRS if not catalog.algorithm(algorithm).iterates]
"""Those that write down every node as they enter it; test_sampling.py and test_proof_search.py have the others."""
BY_DEPTH = [(game, algorithm) for game, algorithm in NODE_BY_NODE if algorithm != "solver"]
TEXTBOOK = ("minimax", "negamax", "alphabeta", "random")
"""One pass over the root, every child one ply less deep, every leaf over or at the horizon. (The others' tapes have more
kinds of nodes: their records are replayed below, and in test_family_runs.py.)"""
"""The solver asks question by question, each with a root of its own: see test_solver.py."""


def some_positions(game: str) -> list[Position]:
    """The start and some positions after it, both players to move."""
    position = catalog.position("startpos", game)
    found = [position]
    for step in range(4 if jit_enabled() else 1):
        legal = position.game.legal_moves(position.state)
        position = position.play(legal[(3 * step + 1) % len(legal)])
        if position.is_over:
            break
        found.append(position)
    return found


def recorded(position: Position, algorithm: str, capacity: int = 100_000, **limits: int) -> tuple[Report, Tape]:
    tape = new_tape(capacity)
    return checks.run(position, algorithm, tape=tape, seed=4, **limits), tape


def records_agree(tape: Tape, view: View) -> None:
    """Each inner node's value follows from its children's, the decider is a child that has it, leaves have none."""
    size = int(tape.size[0])
    children: dict[int, list[int]] = {}
    for node in range(size):
        children.setdefault(int(tape.parent[node]), []).append(node)
        assert tape.parent[node] < node
    for node in range(size):
        kind, value, below = int(tape.kind[node]), int(tape.value[node]), children.get(node, [])
        if kind in (TERMINAL, HORIZON):
            assert below == []
            assert tape.decider[node] == NOBODY
            assert kind == TERMINAL or tape.depth[node] == 0
            continue
        assert kind in (EXPANDED, CUT)
        for child in below:
            assert tape.ply[child] == tape.ply[node] + 1
            assert tape.depth[child] == tape.depth[node] - 1
        values = {child: int(tape.value[child]) * (-1 if view == "mover" else 1) for child in below}
        best = max(values.values()) if view == "mover" or tape.turn[node] > 0 else min(values.values())
        assert value == best
        assert values[int(tape.decider[node])] == best
        assert kind == EXPANDED or int(tape.decider[node]) == below[-1]


def leaves_agree(tape: Tape, position: Position, view: View, haste: int) -> None:
    """The first recorded moves, played from the root, lead to positions that are worth what the leaves say."""
    rules = position.game.rules
    states: dict[int, State] = {}
    for node in range(min(int(tape.size[0]), 2000)):
        parent = int(tape.parent[node])
        states[node] = position.state if parent == NOBODY else play(rules, states[parent], int(tape.move[node]))
        here = Position(position.game, states[node])
        assert tape.turn[node] == (0 if here.by_chance else here.turn)
        assert here.is_over == (tape.kind[node] == TERMINAL)
        sign = 1 if view == "mover" else here.turn
        if tape.kind[node] == TERMINAL:
            assert tape.value[node] == sign * delayed(int(result(rules, states[node])), int(tape.ply[node]) * haste)
        elif tape.kind[node] == HORIZON:
            assert tape.value[node] == sign * int(evaluate(rules, states[node]))


@pytest.mark.parametrize(("game", "algorithm"), checks.also_plain(PAIRS))
def test_recording_changes_nothing(game: str, algorithm: str) -> None:
    for position in some_positions(game):
        some_limits: list[dict[str, Any]] = [{"depth": 2}, {"nodes": 60}]
        for limits in some_limits:
            report, _ = recorded(position, algorithm, **limits)
            plain = checks.without_times(checks.run(position, algorithm, seed=4, **limits))
            assert checks.without_times(report) | {"tape_nodes": None} == plain


@pytest.mark.parametrize(("game", "algorithm"), checks.also_plain([pair for pair in PAIRS if pair[1] in TEXTBOOK]))
def test_the_records_alone_give_back_every_value(game: str, algorithm: str) -> None:
    view = catalog.algorithm(algorithm).view
    for position in some_positions(game):
        report, tape = recorded(position, algorithm, depth=2)
        assert int(tape.size[0]) == int(tape.size[1]) == report.nodes == report.tape_nodes
        records_agree(tape, view)
        leaves_agree(tape, position, view, int(report.parameters.get("quickest", 1)))
        sign = 1 if view == "first" else position.turn
        if not report.distance_nodes:
            assert position.game.shown_value(sign * int(tape.value[0])) == report.value
        kinds = np.bincount(tape.kind[: report.nodes], minlength=5)
        assert kinds[OPEN] == 0
        assert kinds[CUT] == report.cutoffs
        assert kinds[HORIZON] == report.evaluations
        assert kinds[TERMINAL] + kinds[HORIZON] == report.leaves


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("algorithm", ["minimax", "negamax", "alphabeta", "random"])
@settings(max_examples=examples(40))
@given(st.data())
def test_any_position_on_tape(game: str, algorithm: str, data: st.DataObject) -> None:
    case = data.draw(cases(game, "small", ongoing=True))
    position, view = case.position(), catalog.algorithm(algorithm).view
    report, tape = recorded(position, algorithm, depth=2)
    assert report.tape_nodes == report.nodes
    records_agree(tape, view)
    leaves_agree(tape, position, view, int(report.parameters.get("quickest", 1)))


@pytest.mark.parametrize(("game", "algorithm"), checks.also_plain(NODE_BY_NODE))
def test_a_stopped_search_leaves_a_tape_that_says_so(game: str, algorithm: str) -> None:
    """What was not finished is open; what was still agrees."""
    report, tape = recorded(catalog.position("startpos", game), algorithm, nodes=8)
    size = int(tape.size[0])
    assert report.nodes <= size <= report.nodes + 1  # the node that was one too many is on the tape, open
    recording = Recording.of(tape, report, catalog.algorithm(algorithm).view)
    assert recording.faults() == 0
    assert len(recording) == recording.nodes == report.nodes
    unfinished = report.stopped_by == "nodes" and sum(row.nodes for row in report.depths) < report.nodes
    has_open = bool(np.any(recording.kind == OPEN))
    if algorithm in TEXTBOOK:
        assert has_open == unfinished
    else:  # these may be stopped between two passes over the root
        assert unfinished or not has_open


def guarded_tape(capacity: int, guard: int = 64) -> tuple[Tape, dict[str, Any]]:
    """A tape with marked memory behind every column."""
    whole = {name: np.full(capacity + guard, 77, kind) for name, kind in COLUMNS.items()}
    whole["more"] = np.full((capacity + guard, MORE), 77, np.int32)
    return Tape(**{name: column[:capacity] for name, column in whole.items()}, size=np.zeros(2, np.int64)), whole


@pytest.mark.parametrize("capacity", [0, 1, 2, 7, 50])
@pytest.mark.parametrize(("game", "algorithm"), NODE_BY_NODE)
def test_a_full_tape_is_safe(game: str, algorithm: str, capacity: int) -> None:
    """Nothing is written behind its end, the search goes on the same, and the first nodes are on it."""
    position = catalog.position("startpos", game)
    tape, whole = guarded_tape(capacity)
    report = checks.run(position, algorithm, tape=tape, seed=4, depth=3)
    complete, full = recorded(position, algorithm, depth=3)
    assert checks.without_times(report) | {"tape_nodes": complete.tape_nodes} == checks.without_times(complete)
    written = min(capacity, report.nodes)
    assert [int(number) for number in tape.size] == [written, report.nodes]
    assert report.tape_nodes == written
    for name, column in whole.items():
        assert (column[capacity:] == 77).all(), name
        if name not in ("decider", "more"):  # the deciding child may not have fitted; most searches write no more
            assert (column[:written] == getattr(full, name)[:written]).all(), name


@pytest.mark.parametrize(("game", "algorithm"), BY_DEPTH)
def test_a_recording_is_for_the_first_player_and_survives_its_file(game: str, algorithm: str, tmp_path: Any) -> None:
    position = some_positions(game)[-1]
    report, tape = recorded(position, algorithm, depth=3)
    recording = Recording.of(tape, report, catalog.algorithm(algorithm).view)
    assert recording.complete
    assert recording.faults() == 0
    if not report.distance_nodes:
        value = float(recording.value[recording.roots()[-1]]) * recording.step
        assert position.game.shown_payoff(value) == pytest.approx(report.value, abs=1e-6)
    recording.save(tmp_path / "search.tape")
    again = Recording.load(tmp_path / "search.tape")
    assert again.report == report
    for name in COLUMNS:
        assert (getattr(again, name) == getattr(recording, name)).all()
    assert sum(row.nodes for row in again.by_ply()) == report.nodes
    assert sum(again.subtree_size(int(root)) for root in again.roots()) == report.nodes
    for node in range(len(again)):
        assert all(again.parent[child] == node for child in again.children(node))


def test_a_wrong_value_on_a_tape_is_a_fault() -> None:
    report, tape = recorded(catalog.position("startpos", "tictactoe"), "negamax", depth=2)
    tape.value[5] += 1
    faults = Recording.of(tape, report, "mover").faults()
    assert faults is not None
    assert faults > 0
