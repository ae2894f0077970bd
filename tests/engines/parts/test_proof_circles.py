"""Proof searches on graphs where play can go round: beside the definition, with every proof checked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from engines import catalog
from engines.compiled.bits import EMPTY
from engines.compiled.kernel import jit_enabled
from engines.contract import InputError, Limit
from engines.parts.proof.maker import make_proof
from engines.parts.proof.numbers import proof_key
from engines.parts.proof.table import PLACE, ProofTable, probe_numbers, unpacked
from engines.parts.proof.table_prover import TableProver
from engines.position import Position
from engines.proofs.checker import check
from engines.proofs.document import AnswerProof, Proof
from engines.rules import WIN
from engines.run.memory import Memory
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.engines import checks
from tests.engines.parts.proving import PROVERS, proven
from tests.naive.graphs import NaiveGraph, random_graph, roundabout
from tests.thorough import LONG, examples

OUTCOMES = {1: "first", 0: "draw", -1: "second"}
AROUND = """graph = {start = "A", targets = ["T"], nodes = {A = {owner = "max", to = ["B", "C"]}, \
B = {owner = "min", to = ["A", "C"]}, C = {owner = "max", to = ["A", "B"]}, T = {}}}"""
"""Nobody ever gets to T."""


def circles(seed: str) -> Iterator[tuple[NaiveGraph, Position]]:
    """Random graphs with targets, of one player or of both, and circles; on most of them it is hard to get anywhere."""
    random = Random(seed)
    while True:
        both = random.random() < 0.5
        hard = random.random() < 0.7
        graph = roundabout(random.randint, both) if hard else random_graph(random.randint, "both" if both else "one")
        position = catalog.position(graph.text(0), "graph")
        if not position.is_over and position.lacks("ends"):
            yield graph, position


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", PROVERS)
def test_on_graphs_with_circles_it_agrees_with_the_definition_and_every_proof_holds(algorithm: str) -> None:
    for graph, position in islice(circles("every prover"), 2000 if LONG else examples(300) if jit_enabled() else 40):
        true = graph.outcome(0)
        report, proof = proven(position, algorithm)
        assert report.outcome == OUTCOMES[true] == checks.run(position, "attractor").outcome, (position.text, algorithm)
        verdict = check(proof)
        assert verdict.holds, (position.text, algorithm, verdict.faults)
        assert verdict.positions == len(proof) == sum(len(dict(proof.walk(part))) for part in proof.parts)
        for part in proof.parts:
            assert len(part.line()) <= len(part)
            assert (part.plies is None) == part.goes_round or part.plies == len(part.line())
        nodes = [int(name[1:]) for name in report.pv]
        assert len(set(nodes)) >= len(nodes) - 1  # once round, and no further
        assert nodes
        right = nodes if true else nodes[:1]  # what the other side does, once a draw is held, is not looked at
        assert all(graph.outcome(node) == true for node in right), (position.text, algorithm, report.pv)
        for row in report.root_moves:
            assert row.proven in (None, OUTCOMES[graph.outcome(int(row.move[1:]))]), (position.text, algorithm, row.move)


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", ["dfpn", "pds"])
def test_what_the_table_says_of_a_position_holds_on_every_way_there(algorithm: str) -> None:
    """What is solved only on one way, as that goes round, never stands under the position's own name."""
    found = 0
    for graph, position in islice(circles("tables"), examples(300) if jit_enabled() else 30):
        memory = Memory(most=1)
        proven(position, algorithm, memory)
        prover, rules = checks.grown_by(memory).prover, position.game.rules
        assert isinstance(prover, TableProver)
        for question in prover.asked:
            for node in range(len(graph.edges)):
                state = type(position.state)(node)
                entry = probe_numbers(question, proof_key(rules, state) ^ question.salt)
                if entry == EMPTY:
                    continue
                proof, disproof, _ = unpacked(entry)
                if proof == 0 or disproof == 0:
                    found += 1
                    assert (graph.outcome(node) * WIN >= int(question.target)) == (proof == 0), (position.text, node)
    assert found > 30


@pytest.mark.parametrize(
    ("algorithm", "parameters"),
    [
        ("pns", {"threads": 2, "job": 5}),
        ("pns", {"spread": 2}),
        ("pn2", {"share": 0.1}),
        ("dfpn", {"weak": False, "epsilon": 0.0, "mobility": False}),
    ],
)
def test_circles_in_other_ways_to_search(algorithm: str, parameters: dict[str, Any]) -> None:
    for graph, position in islice(circles("other ways"), examples(60)):
        report, proof = proven(position, algorithm, **parameters)
        assert report.outcome == OUTCOMES[graph.outcome(0)], position.text
        assert check(proof).holds


@pytest.mark.parametrize("algorithm", PROVERS)
def test_circles_with_a_table_that_forgets_and_in_small_steps(algorithm: str) -> None:
    """Also where the proof cannot be read from what is left, and the side that wants to get somewhere must not go round."""
    for graph, position in islice(circles("forgetting"), examples(60)):
        memory = Memory(most=1)
        memory.proofs = ProofTable(1)
        memory.proofs.words = memory.proofs.words[:PLACE]
        for limit in (1, 2, 5):
            Search(position, catalog.algorithm(algorithm), Limit(iterations=limit), {}, 3, memory=memory).run_here()
        report, proof = proven(position, algorithm, memory)
        assert report.outcome == OUTCOMES[graph.outcome(0)], position.text
        assert check(proof).holds


@pytest.mark.parametrize("algorithm", PROVERS)
def test_a_way_out_of_a_large_maze(algorithm: str) -> None:
    """One player alone, at a corner of a square of fields; the way out is at the other corner."""
    wide = 6
    edges = [
        [y * wide + x for x, y in ((at % wide + 1, at // wide), (at % wide - 1, at // wide)) if 0 <= x < wide]
        + [one for one in (at - wide, at + wide) if 0 <= one < wide * wide]
        for at in range(wide * wide)
    ]
    edges[-1].append(wide * wide)
    count = wide * wide + 1
    graph = NaiveGraph([1] * count, [*edges, []], [0] * (count - 1) + [1], [0] * count)
    report, proof = proven(catalog.position(graph.text(0), "graph"), algorithm)
    assert report.outcome == "first"
    assert check(proof).holds
    (part,) = proof.parts
    assert not part.goes_round
    assert part.plies is not None
    assert part.plies >= 2 * wide - 1


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", PROVERS)
def test_circles_on_tape(algorithm: str) -> None:
    for _, position in islice(circles("tapes"), examples(40) if jit_enabled() else 10):
        for iterations in (2, 10_000):
            tape = new_tape(20_000)
            report = checks.run(position, algorithm, tape=tape, iterations=iterations)
            recording = Recording.of(tape, report, "first")
            assert 0 < len(recording) < 10_000
            assert recording.faults() == 0, position.text


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", PROVERS)
def test_circles_without_targets_are_refused(algorithm: str) -> None:
    position = catalog.position('nodes = {A = {owner = "max", to = ["A", "B"]}, B = {gain = 1}}', "graph")
    with pytest.raises(InputError, match="gains and no targets, and goes round in circles through A") as caught:
        Search(position, catalog.algorithm(algorithm))
    assert checks.is_sentence(str(caught.value))


@pytest.mark.plain
def test_going_round_proves_something_only_for_the_side_that_it_suits(tmp_path: Path) -> None:
    """The same circle, told with every claim about every side's targets: the checker believes it where the rules do."""
    report, proof = proven(catalog.position(AROUND, "graph"), "dfpn")
    (part,) = proof.parts
    assert (report.outcome, part.goes_round, part.plies, check(proof).holds) == ("second", True, None, True)
    proof.save(tmp_path / "around.proof")
    assert check(Proof.load(tmp_path / "around.proof")).holds
    # Every node is the prover's: it goes from A to B and from B to A.
    starts, moves, children = np.array([0, 1, 2]), np.array([0, 0]), np.array([1, 0])
    for owner, prover in (("max", 1), ("min", -1)):
        for targets, endless in (('max = ["T"]', -1), ('min = ["T"]', 1), ('max = ["T"], min = ["U"]', 0)):
            nodes = f'A = {{owner = "{owner}", to = ["B"]}}, B = {{owner = "{owner}", to = ["A"]}}, T = {{}}, U = {{}}'
            position = catalog.position(f'graph = {{start = "A", targets = {{{targets}}}, nodes = {{{nodes}}}}}', "graph")
            for target in position.game.results[1:]:
                for result in position.game.results:
                    given = AnswerProof(target, prover > 0, starts, moves, children)
                    believed = (endless * WIN >= target) == (prover > 0)
                    faults = " ".join(check(Proof(position, result, [given], "nobody")).faults)
                    assert ("it goes in a circle" in faults) == (not believed), (owner, targets, target)
            assert check(make_proof(position, endless * WIN, "nobody")).holds
    bad = Proof(
        proof.position, proof.result, [AnswerProof(part.target, part.yes, part.starts, part.moves, part.children + 9)], ""
    )
    assert "leads nowhere" in " ".join(check(bad).faults)


def some_strategy(random: Random, position: Position, target: int, yes: bool) -> tuple[AnswerProof, bool, bool]:
    """A part in which the prover plays anything; whether it goes round somewhere, and whether it ends badly somewhere."""
    numbers: dict[Any, int] = {}
    rows: list[list[tuple[int, Any]]] = []
    way: list[Any] = []
    round_somewhere = badly = False

    def visit(at: Position) -> None:
        nonlocal round_somewhere, badly
        way.append(at.state)
        chosen = []
        if at.is_over:
            badly = badly or (at.turn * at.result >= target) != yes
        else:
            chosen = at.game.legal_moves(at.state)
            if at.turn == (1 if yes else -1):
                chosen = [random.choice(chosen)]
        for move in chosen:
            after = at.play(move)
            if after.state in way:
                round_somewhere = True
            elif after.state not in numbers:
                visit(after)
        numbers[way.pop()] = len(rows)
        rows.append([(move, at.play(move).state) for move in chosen])

    visit(position)
    edges = [(move, numbers[state]) for row in rows for move, state in row]
    starts = np.cumsum([0, *map(len, rows)])
    moves, children = (np.array([edge[side] for edge in edges], np.int64) for side in (0, 1))
    return AnswerProof(target, yes, starts, moves, children), round_somewhere, badly


@pytest.mark.plain
def test_the_checker_tells_strategies_that_win_from_others() -> None:
    """Whatever the prover plays is a proof if it never ends badly, and never goes round where that is not good enough."""
    random, counted = Random(8), {True: 0, False: 0}
    for graph, position in islice(circles("strategies"), examples(300) if jit_enabled() else 60):
        true = graph.outcome(0) * WIN
        for target in position.game.results[1:]:
            for yes in (True, False):
                part, goes_round, badly = some_strategy(random, position, target, yes)
                assert position.game.endless is not None
                good = not badly and (not goes_round or (position.game.endless * WIN >= target) == yes)
                assert not good or (true >= target) == yes
                assert part.goes_round == goes_round
                faults = [fault for fault in check(Proof(position, true, [part], "")).faults if "not proven" not in fault]
                assert good == (not faults), (position.text, target, yes, faults)
                counted[good] += goes_round
    assert min(counted.values()) >= 5
