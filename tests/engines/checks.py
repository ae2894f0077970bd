"""What many tests of `engines` check, each thing in one place."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from engines import catalog
from engines.contract import Limit, Report, Setting, as_json
from engines.perft import Perft
from engines.position import Position
from engines.rules import ONGOING, result
from engines.run.memory import Memory
from engines.run.search import Search
from engines.tape.tape import Tape
from tests.naive import games as naive
from tests.strategies import Case

SMALL = ("tictactoe", "samegame", "tree", "graph", "einstein", "connect4", "breakthrough", "morpion")
RICHEST = "chess"
SIMPLEST = (*SMALL, *(game for game in catalog.GAMES if game not in (*SMALL, RICHEST)), RICHEST)
"""All games, the simplest first."""


def also_plain(pairs: list[tuple[str, str]]) -> list[Any]:
    """Games and algorithms as test parameters. What holds for all of them is seen without the compiler too, for each
    algorithm on the simplest of its games; that plain and compiled code do the same is what the oracles' tests see."""
    games = {algorithm: [game for game, other in pairs if other == algorithm] for _, algorithm in pairs}
    simplest = {(min(its, key=SIMPLEST.index), algorithm) for algorithm, its in games.items()}
    return [pytest.param(*pair, marks=[pytest.mark.plain] if pair in simplest else []) for pair in pairs]


def on_two_games(pairs: list[tuple[str, str]]) -> list[Any]:
    """The same, each algorithm on the simplest and the richest of its games: enough for what does not hang on rules."""
    games: dict[str, list[str]] = {algorithm: [] for _, algorithm in pairs}
    for game, algorithm in sorted(pairs, key=lambda pair: SIMPLEST.index(pair[0])):
        games[algorithm].append(game)
    return also_plain([pair for pair in pairs if pair[0] in (games[pair[1]][0], games[pair[1]][-1])])


def run(position: Position, algorithm: str, tape: Tape | None = None, seed: int = 0, **limits: Any) -> Report:
    """The report of one search with default parameters. What counts no depths has so many iterations for each."""
    found = catalog.algorithm(algorithm)
    if "depth" in limits and "depth" not in found.limits:
        limits["iterations"] = 8 * limits.pop("depth")
    return Search(position, found, Limit(**limits), seed=seed, tape=tape, memory=small_memory(algorithm)).run_here().report()


def run_with(position: Position, algorithm: str, parameters: Mapping[str, Setting], **limits: Any) -> Report:
    """The report of one search with chosen parameters."""
    return Search(position, catalog.algorithm(algorithm), Limit(**limits), parameters).run_here().report()


def grown_by(memory: Memory) -> Any:
    """What the last search that counts iterations has grown."""
    assert memory.kept is not None
    return memory.kept.grown


def small_memory(algorithm: str) -> Memory:
    """Enough for a search that takes a moment: to take 64 megabytes takes longer, and a table that is soon full is the
    harder test. The solver keeps its own: hard positions need it."""
    return Memory(most=None if algorithm == "solver" else 1)


def count(position: Position, depth: int) -> int:
    """How many games of so many plies start here."""
    return Perft(position, depth).run_here().report().leaves


def published(*rows: tuple[str, list[int]]) -> list[Any]:
    """Test parameters (size, depth, leaves) of published counts; the small ones are also counted without the compiler."""
    return [
        pytest.param(size, depth, leaves, marks=[pytest.mark.plain] if leaves < 3000 else [])
        for size, counts in rows
        for depth, leaves in enumerate(counts, 1)
    ]


def agree_on_rules(case: Case) -> None:
    """`engines` and the oracle see the same position: whose turn it is, how it stands, what is legal and what it has."""
    position, oracle = case.position(), case.oracle
    game, state = position.game, position.state
    assert position.turn == oracle.turn()
    assert game.line_choices(state) == oracle.moves()
    expected = oracle.result()
    found = int(result(game.rules, state))
    assert position.is_over == (expected is not None)
    if expected is None:
        assert found == ONGOING
    else:
        assert naive.shown(oracle, expected) == game.shown_value(position.turn * found)
    evaluation = game.evaluation(state)
    assert evaluation.value == pytest.approx(naive.shown(oracle, oracle.evaluate()))
    assert sum(term.value for term in evaluation.terms) == pytest.approx(evaluation.value)
    if game.has_winner:  # then terms are counts of things
        assert [(term.first, term.second) for term in evaluation.terms] == oracle.terms()


def agree_on_compiled_rules(case: Case) -> None:
    """The same through the compiler: a search one ply deep and a short count see what the oracle sees."""
    position, oracle = case.position(), case.oracle
    if not position.is_over:
        expected = naive.minimax(oracle, 1)
        report = run(position, "minimax", depth=1)
        assert report.value == naive.shown(oracle, expected.value)
        assert (report.nodes, report.leaves, report.evaluations) == (expected.nodes, expected.leaves, expected.evaluations)
        assert {row.move: row.value for row in report.root_moves} == {
            move: naive.shown(oracle, naive.minimax(oracle.play(move), 0, 1).value) for move in oracle.moves()
        }
    assert count(position, 2) == naive.perft(oracle, 2)


def reads_back(position: Position) -> None:
    """What is written can be read again and says the same."""
    game = position.game
    settings = {name: str(value) for name, value in game.options.items()}
    again = catalog.position(position.text, game.id, game.size or None, settings)
    assert again.text == position.text
    assert again.played == position.played
    assert again.state == position.state
    board = catalog.position(game.board_text(position.start), game.id, game.size or None, settings)
    assert board.state == position.start


def is_sentence(message: str) -> bool:
    """It can be shown to a person as it is: one line that ends as sentences do, and no Python error."""
    return message.endswith(".") and "\n" not in message and 15 <= len(message) <= 400 and "invalid literal" not in message


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail instead of hanging."""

    def fail(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"not done within {seconds} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def without_times(report: Report) -> dict[str, Any]:
    """A report as plain data, without what differs from run to run."""
    data: dict[str, Any] = json.loads(as_json(report))
    for name in ("seconds", "compile_seconds", "nodes_per_second"):
        del data[name]
    for row in data["depths"]:
        del row["seconds"]
    return data
