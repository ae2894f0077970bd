"""Proofs that are as short as can be, and proof searches that look into tables of solved positions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from engines import catalog
from engines.compiled.kernel import jit_enabled
from engines.contract import InputError, Limit, Report
from engines.parts.proof.maker import Interrupted, make_proof
from engines.position import Position
from engines.proofs.checker import check
from engines.proofs.document import AnswerProof, Proof
from engines.rules import WIN
from engines.run.memory import Memory
from engines.run.search import Search
from engines.run.work import Work
from positions import library
from tests.engines import checks
from tests.engines.solved.test_retrograde import built, own_directory
from tests.naive import games as naive
from tests.naive.graphs import random_graph, roundabout
from tests.strategies import GAMES, sample
from tests.thorough import LONG, examples
from workbench.proofs.job import ProofWork

__all__ = ["own_directory"]
PROVERS = ("pns", "pn2", "dfpn", "pds")
RESULTS = {"first": WIN, "draw": 0, "second": -WIN}
WINNABLE = [game for game in GAMES if catalog.game(game).has_winner]
ENOUGH = 10_000_000
"""Expansions with which every small question is answered."""


def searched(position: Position, algorithm: str, **parameters: Any) -> tuple[Report, Any]:
    """The report of a search that comes to its end, and what it has kept."""
    memory = Memory(most=64)
    found = catalog.algorithm(algorithm)
    report = Search(position, found, Limit(iterations=3_000_000), parameters, seed=3, memory=memory).run_here().report()
    assert report.exact, (position.text, algorithm, report.stopped_by)
    return report, memory.kept


def won_part(proof: Proof) -> AnswerProof:
    """The only part of the proof that somebody wins."""
    verdict = check(proof)
    assert verdict.holds, verdict.faults
    (part,) = proof.parts
    return part


# As short as can be.


@pytest.mark.plain
@pytest.mark.parametrize("game", WINNABLE)
def test_the_shortest_proof_takes_as_long_as_the_quickest_win(game: str) -> None:
    """Whatever the search had found before, and however long that would have taken."""
    solved: dict[naive.Naive, naive.Value] = {}
    longer = 0
    for number, case in enumerate(sample(game, 200 if LONG else examples(40) if jit_enabled() else 8, "tiny")):
        true = naive.solve(case.oracle, solved)
        if not naive.is_win(true):
            continue
        position, algorithm = case.board(), PROVERS[number % 4]
        report, kept = searched(position, algorithm)
        assert report.outcome is not None
        result = RESULTS[report.outcome]
        first = won_part(make_proof(position, result, algorithm, kept.grown.prover, effort=0))
        part = won_part(make_proof(position, result, algorithm, kept.grown.prover, effort=ENOUGH))
        assert (part.plies, part.shortest, first.shortest) == (naive.WIN - max(true, -true), True, False), (case, algorithm)
        assert len(part.line()) == part.plies
        assert first.plies is not None
        longer += first.plies > part.plies
    if game == "breakthrough" and jit_enabled() and LONG:
        assert longer, "without a second search some proofs are longer than they need be"


@pytest.mark.plain
def test_on_graphs_it_is_as_long_as_the_attractor_says() -> None:
    random, found = Random("shortest"), 0
    while found < (400 if LONG else examples(60) if jit_enabled() else 10):
        both = random.random() < 0.5
        graph = roundabout(random.randint, both) if found % 2 else random_graph(random.randint, "both" if both else "one")
        position = catalog.position(graph.text(0), "graph")
        if position.is_over or not position.game.has_winner:
            continue
        attracted = checks.run(position, "attractor")
        if attracted.outcome not in ("first", "second") or attracted.distance is None:
            continue
        found += 1
        _, kept = searched(position, "dfpn")
        part = won_part(make_proof(position, RESULTS[attracted.outcome], "dfpn", kept.grown.prover, effort=ENOUGH))
        if part.plies is not None:
            assert (part.plies, part.shortest) == (attracted.distance, True), position.text


@pytest.mark.plain
def test_what_is_too_deep_to_be_looked_at_is_not_called_the_shortest() -> None:
    """A hundred moves that nobody has a choice in, and then a chain of 200, or one of 160."""
    chains = {"A": 200, "B": 160}
    nodes = [f'm{n} = {{owner = "min", to = ["{f"m{n + 1}" if n < 99 else "C"}"]}}' for n in range(100)]
    for order in ("AB", "BA"):
        way = [f'C = {{owner = "max", to = ["{order[0]}0", "{order[1]}0"]}}']
        for name, length in chains.items():
            way += [f'{name}{n} = {{owner = "min", to = ["{f"{name}{n + 1}"}"]}}' for n in range(length)]
            way.append(f"{name}{length} = {{}}")
        text = f'graph = {{start = "m0", targets = ["A200", "B160"], nodes = {{{", ".join([*nodes, *way])}}}}}'
        position = catalog.position(text, "graph")
        proof = make_proof(position, WIN, "attractor", effort=ENOUGH)
        part = won_part(proof)
        true = checks.run(position, "attractor").distance
        assert true is not None
        assert part.plies is not None
        assert part.plies == true or (part.plies > true and not part.shortest), order


@pytest.mark.parametrize("algorithm", [*PROVERS, "best-first", "alphabeta"])
def test_the_exercise_is_lost_in_five(algorithm: str) -> None:
    position = library.get("breakthrough/course-6x4").position()
    limit = Limit(depth=20) if algorithm == "alphabeta" else Limit()
    memory = Memory()
    report = Search(position, catalog.algorithm(algorithm), limit, memory=memory).run_here().report()
    part = won_part(ProofWork(position, report, memory.kept, 1_000_000).run_here().proof())
    assert (report.outcome, part.plies, part.shortest) == ("second", 5, True)


MATES = [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),
    ("7k/8/4K3/8/8/8/8/6Q1 w - - 0 1", 3),
]


@pytest.mark.parametrize(("fen", "plies"), MATES)
def test_mates(fen: str, plies: int) -> None:
    position = catalog.position(fen, "chess")
    report, kept = searched(position, "dfpn")
    part = won_part(ProofWork(position, report, kept, 1_000_000).run_here().proof())
    assert (report.outcome, part.plies, part.shortest) == ("first", plies, True)


def test_if_it_takes_too_long_the_proof_that_there_is_counts() -> None:
    position = catalog.position("startpos", "breakthrough", "4x3")
    _, kept = searched(position, "dfpn")
    prover = kept.grown.prover
    quick, sure = (won_part(make_proof(position, -WIN, "dfpn", prover, effort=effort)) for effort in (3, ENOUGH))
    assert (quick.shortest, sure.shortest) == (False, True)
    assert quick.plies is not None
    assert sure.plies is not None
    assert quick.plies >= sure.plies


def test_whoever_stops_it_gets_the_proof_or_a_sentence() -> None:
    position = catalog.position("startpos", "breakthrough", "4x3")
    report, kept = searched(position, "dfpn")
    works: list[Work] = []

    def stopped_at_once(work: Work) -> None:
        works.append(work)
        work.budget = 0

    with pytest.raises(Interrupted) as caught:
        make_proof(position, -WIN, "dfpn", kept.grown.prover, watch=stopped_at_once)
    assert checks.is_sentence(str(caught.value))
    work = ProofWork(position, report, kept, 1_000_000)
    work.stop()  # before it has begun: then it does not begin
    with pytest.raises(Interrupted):
        work.run_here().proof()


def test_its_file_says_whether_it_is_the_shortest(tmp_path: Path) -> None:
    position = library.get("breakthrough/course-6x4").position()
    _, kept = searched(position, "pns")
    proof = make_proof(position, -WIN, "pns", kept.grown.prover)
    (part,) = proof.parts
    for shortest in (True, False):
        Proof(position, proof.result, [replace(part, shortest=shortest)], "pns").save(tmp_path / "a.proof")
        (read,) = Proof.load(tmp_path / "a.proof").parts
        assert read.shortest is shortest
        assert all(np.array_equal(getattr(read, name), getattr(part, name)) for name in ("starts", "moves", "children"))


# With tables of solved positions.


def some_positions(game: str, size: str, count: int) -> list[Position]:
    """Different positions that are not over, from anywhere in a game."""
    random, found = Random(game + size), dict[str, Position]()
    while len(found) < count:
        position = catalog.position("startpos", game, size)
        for _ in range(random.randint(0, 8)):
            if not position.is_over:
                position = position.play(random.choice(position.game.legal_moves(position.state)))
        if not position.is_over:
            found[position.text] = position
    return list(found.values())


BOARDS = [("tictactoe", "3x3x3"), ("connect4", "4x3"), ("breakthrough", "4x3")]


@pytest.mark.parametrize(("game", "size"), BOARDS)
@pytest.mark.parametrize("algorithm", [*PROVERS, "best-first", "maxn", "paranoid"])
def test_with_tables_everything_is_known_after_one_expansion(algorithm: str, game: str, size: str) -> None:
    for position in some_positions(game, size, examples(12)):
        built(position)
        true = checks.run(position, "retrograde")
        limit: dict[str, Any] = {"depth": 1} if algorithm in ("maxn", "paranoid") else {"iterations": 1000}
        report = checks.run_with(position, algorithm, {"tables": True}, **limit)
        assert (report.exact, report.outcome) == (True, true.outcome), position.text
        assert report.evaluations == 0
        if algorithm in ("maxn", "paranoid"):
            assert report.distance == true.distance
        else:  # an expansion for each question; a question has a node for the root
            questions = max(1, len(report.answers))
            assert report.iterations == questions
            assert report.nodes <= questions * (1 + len(true.root_moves))


@pytest.mark.parametrize("parameters", [{"threads": 2}, {"threads": 2, "job": 20, "spread": 1}])
def test_every_thread_looks_into_the_tables(parameters: dict[str, Any]) -> None:
    for position in some_positions("connect4", "4x3", 3):
        built(position)
        report, _ = searched(position, "pns", tables=True, **parameters)
        assert report.outcome == checks.run(position, "retrograde").outcome


@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_a_proof_spells_out_what_the_tables_know(game: str, size: str) -> None:
    """Move by move, and as short as can be, without a search."""
    for number, position in enumerate(some_positions(game, size, examples(12))):
        built(position)
        true = checks.run(position, "retrograde")
        assert true.outcome is not None
        report, kept = searched(position, PROVERS[number % 4], tables=True)
        for found, what in ((report, kept), (true, None)):
            proof = ProofWork(position, found, what, 1_000_000).run_here().proof()
            verdict = check(proof)
            assert verdict.holds, (position.text, verdict.faults)
            assert proof.outcome == true.outcome
            if true.outcome != "draw":
                (part,) = proof.parts
                assert (part.plies, part.shortest) == (true.distance, True), (position.text, found.algorithm)


def test_chess_endings_and_what_leads_to_them() -> None:
    """A pawn becomes a queen, and the table knows the rest; the proof goes on to the mate."""
    position = catalog.position("8/1P6/8/8/8/2K5/8/k7 w - - 0 1", "chess")
    built(catalog.position("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "chess"))
    for algorithm in ("pns", "dfpn"):
        report, kept = searched(position, algorithm, tables=True)
        assert (report.outcome, report.best_move, report.iterations) == ("first", "b7b8q", 1)
        part = won_part(ProofWork(position, report, kept).run_here().proof())
        assert (part.plies, part.shortest) == (3, True)


@pytest.mark.plain
def test_without_a_table_it_is_said_how_to_get_one() -> None:
    for algorithm in (*PROVERS, "best-first"):
        with pytest.raises(InputError, match="plybench retrograde build connect4 5x4 does it"):
            checks.run_with(catalog.position("1", "connect4", "5x4"), algorithm, {"tables": True}, iterations=1)
    three = catalog.position("startpos", "tictactoe", "4x4x3", {"players": "3"})
    for algorithm in ("maxn", "paranoid"):
        with pytest.raises(InputError, match="tables are made for two players"):
            checks.run_with(three, algorithm, {"tables": True}, depth=1)
