"""Proof searches and best-first minimax: beside their naive twins, beside the truth, with every proof checked."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from engines import catalog
from engines.compiled.kernel import jit_enabled
from engines.contract import InputError, Limit, Report
from engines.parts.proof.maker import TooLarge, make_proof
from engines.parts.proof.table import LINE, PLACE, ProofTable
from engines.parts.proof.tree import PIECE, USED, ProofTree, collect, line_of, new_clearing, nodes_by_ply, root_children
from engines.position import Position
from engines.proofs.checker import check
from engines.proofs.document import AnswerProof, Proof, write_proof
from engines.rules import WIN
from engines.run.memory import Memory
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import NUMBERED, new_tape
from positions import library
from tests.engines import checks
from tests.engines.parts.proving import PROVERS, proven
from tests.naive import games as naive
from tests.naive import proof as naive_proof
from tests.strategies import GAMES, Case, sample
from tests.thorough import LONG, examples

MANY = 40 if jit_enabled() else 4


def holds(case: Case, report: Report, proof: Proof, true: naive.Value) -> None:
    """The answer is true, and so says the checker."""
    if catalog.game(case.game).has_winner:
        outcome = "draw" if not naive.is_win(true) else "first" if true > 0 else "second"
        assert report.outcome == outcome == proof.outcome, (case, report.algorithm)
    else:
        assert report.value == naive.shown(case.oracle, true), (case, report.algorithm)
    verdict = check(proof)
    assert verdict.holds, (case, report.algorithm, verdict.faults)
    assert verdict.positions == len(proof)


@pytest.mark.parametrize("game", [pytest.param(game, marks=[pytest.mark.plain] * (game != "connect4")) for game in GAMES])
def test_every_prover_agrees_with_the_truth_and_every_proof_holds(game: str) -> None:
    solved: dict[naive.Naive, naive.Value] = {}
    for number, case in enumerate(sample(game, 125 if LONG else examples(MANY // 2), "tiny")):
        true = naive.solve(case.oracle, solved)
        for algorithm in PROVERS if LONG or number % 4 == 0 else (PROVERS[number % 4],):
            report, proof = proven(case.board(), algorithm)
            holds(case, report, proof, true)
            moves_are_good(case, report, true, solved)


def moves_are_good(case: Case, report: Report, true: naive.Value, solved: dict[naive.Naive, naive.Value]) -> None:
    """The best move keeps what there is, also where both questions were needed; what is said of moves is true."""
    if not report.root_moves:
        return

    def outcome(value: naive.Value) -> str:
        return "draw" if not naive.is_win(value) else "first" if value > 0 else "second"

    after = {move: naive.solve(case.oracle.play(move), solved) for move in case.oracle.moves()}
    assert report.best_move is not None
    if not catalog.game(case.game).has_winner:
        assert after[report.best_move] == true, (case, report.algorithm)
        return
    assert outcome(after[report.best_move]) == outcome(true), (case, report.algorithm)
    for row in report.root_moves:
        assert row.proven in (None, outcome(after[row.move])), (case, report.algorithm, row.move)


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", PROVERS)
def test_the_only_move_that_holds_a_draw_is_found(algorithm: str) -> None:
    """A corner is answered in the middle; for the side that moves second it is the other question that tells."""
    report, proof = proven(catalog.position("startpos moves a1", "tictactoe"), algorithm)
    assert (report.outcome, report.best_move, proof.outcome) == ("draw", "b2", "draw")
    assert {row.move: row.proven for row in report.root_moves}["b2"] == "draw"
    assert all(row.proven in (None, "first") for row in report.root_moves if row.move != "b2")


@pytest.mark.plain
@pytest.mark.parametrize("game", GAMES)
def test_pns_counts_as_its_naive_twin(game: str) -> None:
    """The same numbers and nodes after every number of expansions: so the same node was the most proving one each time."""
    for case in sample(game, 12 if jit_enabled() else 4, "small"):
        position = case.board()
        target = position.game.results[-1 if position.game.has_winner else len(position.game.results) // 2]
        for expansions in (1, 2, 7, 30):
            report = checks.run(position, "pns", iterations=expansions)
            proof, disproof, nodes = naive_proof.proof_numbers(case.oracle, true_target(position, target), expansions)
            if math.isinf(proof) or math.isinf(disproof):
                assert report.answers or report.exact
                break
            assert (report.proof, report.disproof, report.nodes) == (proof, disproof, nodes), (case, expansions)


def true_target(position: Position, target: int) -> naive.Value:
    """What the oracle calls a target."""
    return target if position.game.has_winner else Fraction(target, position.game.unit)


@pytest.mark.plain
@pytest.mark.parametrize("game", GAMES)
def test_best_first_goes_where_its_naive_twin_goes(game: str) -> None:
    for case in sample(game, 12 if jit_enabled() else 4, "small"):
        position = case.board()
        for expansions in (1, 3, 20):
            report = checks.run(position, "best-first", iterations=expansions)
            value, settled, nodes = naive_proof.best_first(case.oracle, expansions)
            assert (report.exact, report.nodes) == (settled, nodes), (case, expansions)
            assert report.value == naive.shown(case.oracle, value)


@pytest.mark.parametrize("game", [pytest.param(game, marks=[pytest.mark.plain] * (game == "tree")) for game in GAMES])
def test_best_first_converges_to_the_minimax_value(game: str) -> None:
    solved: dict[naive.Naive, naive.Value] = {}
    for case in sample(game, 125 if LONG else examples(MANY // 2), "tiny"):
        true = naive.solve(case.oracle, solved)
        report = Search(case.board(), catalog.algorithm("best-first"), Limit(iterations=10**7)).run_here().report()
        assert (report.exact, report.stopped_by) == (True, "solved")
        if not naive.is_win(true):
            assert report.value == naive.shown(case.oracle, true), case
        else:
            assert report.outcome == ("first" if true > 0 else "second"), case


def test_best_first_beats_whoever_plays_at_random() -> None:
    """On both sides of the usual board, with 5,000 expansions a move."""
    random, best_first = Random("by chance"), catalog.algorithm("best-first")
    for number in range(100 if LONG else 2):
        position, side = catalog.position("startpos", "breakthrough"), 1 if number % 2 == 0 else -1
        while not position.is_over:
            move = random.choice(position.game.legal_moves(position.state))
            if position.turn == side:
                report = Search(position, best_first, Limit(iterations=5000), seed=number).run_here().report()
                assert report.best_move is not None
                move = position.game.read_move(position.state, report.best_move)
            position = position.play(move)
        assert position.turn * position.result == side * WIN, (number, position.text)


@pytest.mark.parametrize("algorithm", [*PROVERS, "best-first"])
def test_the_exercise(algorithm: str) -> None:
    report, proof = proven(library.get("breakthrough/course-6x4").position(), algorithm)
    assert (report.outcome, report.stopped_by) == ("second", "solved")
    assert check(proof).holds
    (part,) = proof.parts
    assert 5 <= int(part.heights[part.root]) <= 9
    assert len(part.line()) == int(part.heights[part.root])


@pytest.mark.parametrize("parameters", [{"threads": 2}, {"threads": 3, "job": 100}, {"spread": 2}, {"mobility": True}])
def test_ways_to_search_in_parallel_or_by_chance_come_to_the_same_answer(parameters: dict[str, Any]) -> None:
    four_by_three = catalog.position("startpos", "breakthrough", "4x3")
    for position in (library.get("breakthrough/course-6x4").position(), four_by_three):
        report, proof = proven(position, "pns", Memory(), **parameters)
        assert report.outcome == "second"
        assert check(proof).holds


@pytest.mark.parametrize("algorithm", ["dfpn", "pds"])
def test_a_table_that_forgets_nearly_everything_only_costs_time(algorithm: str) -> None:
    """A few places for all positions: the answers are still right, and the proof is found again."""
    boards = (("tictactoe", "3x3x3", "draw"), ("connect4", "4x3", "draw"), ("breakthrough", "4x4", "second"))
    for game, size, outcome in boards:
        memory = Memory()
        memory.proofs = ProofTable(1)
        memory.proofs.words = memory.proofs.words[: (8 if algorithm == "dfpn" else 100) * PLACE]
        report, proof = proven(catalog.position("startpos", game, size), algorithm, memory)
        assert report.outcome == outcome
        assert check(proof).holds
        assert report.table is not None
        assert report.table.overwrites > 0
    assert memory.proofs.words.ctypes.data % LINE == 0


@pytest.mark.parametrize("knowledge", [False, True])
@pytest.mark.parametrize("weak", [False, True])
def test_boards_that_are_solved(knowledge: bool, weak: bool) -> None:
    rows = [("breakthrough", "5x3", "second"), ("breakthrough", "6x2", "first"), ("connect4", "4x4", "draw")]
    for game, size, outcome in rows if knowledge else rows[:2]:
        report, _ = proven(catalog.position("startpos", game, size), "dfpn", effort=0, knowledge=knowledge, weak=weak)
        assert report.outcome == outcome
    misere = catalog.position("startpos", "breakthrough", "4x3", {"misere": "true"})
    report, proof = proven(misere, "dfpn", knowledge=knowledge, weak=weak)
    assert report.outcome == checks.run(misere, "alphabeta", depth=60).outcome
    assert check(proof).holds


MATES = [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "first"),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "first"),
    ("7k/8/5K2/8/8/8/8/6Q1 b - - 99 80", "draw"),
    ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", "draw"),
]
"""A mate in one; in two, by giving the rook; a win that comes too late for the fifty moves; a stalemate next."""


@pytest.mark.parametrize("algorithm", PROVERS)
def test_chess_with_its_history(algorithm: str) -> None:
    for fen, outcome in MATES[: 3 if algorithm != "pds" else 2]:
        position = catalog.position(fen, "chess")
        if position.is_over:
            continue
        report, proof = proven(position, algorithm)
        assert report.outcome == outcome, (fen, algorithm)
        assert check(proof).holds


def test_nothing_is_claimed_that_only_a_repetition_made() -> None:
    """With bare kings and a rook nobody is mated within a few expansions: no answer, and no draw that is none."""
    position = catalog.position("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", "chess")
    for algorithm in ("pns", "dfpn"):
        report = checks.run(position, algorithm, iterations=3000)
        assert report.outcome in (None, "first"), algorithm


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", [*PROVERS, "best-first"])
def test_it_goes_on_where_it_stopped(algorithm: str) -> None:
    position, memory = catalog.position("startpos", "tictactoe"), Memory(most=1)
    found = catalog.algorithm(algorithm)
    for limit in (1, 13, 60):
        report = Search(position, found, Limit(iterations=limit), {}, 5, memory=memory).run_here().report()
    whole = Search(position, found, Limit(iterations=60), {}, 5, memory=Memory(most=1)).run_here().report()
    rows = {"depths": (), "depth": 0}
    assert checks.without_times(report) | rows == checks.without_times(whole) | rows
    counted = [row.iterations or 0 for row in report.depths]
    assert counted == sorted(set(counted))


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", ["pns", "pn2", "best-first"])
def test_nodes_are_counted_at_their_plies(algorithm: str) -> None:
    """While the tree grows, in steps, and when it is cleared up: as whoever walks through it counts them."""
    memory, position = Memory(), catalog.position("startpos", "tictactoe", "4x4x3" if jit_enabled() else None)
    for iterations in (1, 7, 60, 300):
        search = Search(position, catalog.algorithm(algorithm), Limit(iterations=iterations), seed=1, memory=memory)
        report = search.run_here().report()
        grower: Any = checks.grown_by(memory)
        tree: ProofTree = getattr(grower, "prover", grower).tree
        assert report.tree_depths == walked(tree)
        assert sum(report.tree_depths) == int(tree.size[USED])
    if algorithm != "best-first":
        clearing = new_clearing(tree)
        while not collect(tree, *clearing, PIECE):
            pass
        assert nodes_by_ply(tree) == walked(tree)


@pytest.mark.plain
def test_making_room_can_be_stopped_and_gone_on_with() -> None:
    """Until it is through, the moves of the root and the best line can be read; in the end it is what it is in one go."""
    memory, position = Memory(), catalog.position("startpos", "tictactoe")
    Search(position, catalog.algorithm("pns"), Limit(iterations=100), memory=memory).run_here().finish()
    grower: Any = checks.grown_by(memory)
    tree: ProofTree = grower.prover.tree
    again = ProofTree(tree.nodes.copy(), tree.size.copy())
    known, line, pieces = root_children(tree), line_of(tree), 0
    clearing = new_clearing(tree)
    while not collect(tree, *clearing, 50):
        assert (root_children(tree), line_of(tree)) == (known, line)
        pieces += 1
    assert pieces > 5
    assert collect(again, *new_clearing(again), len(again.nodes))
    assert tree.size.tolist() == again.size.tolist()
    assert tree.nodes[: tree.size[USED]].tolist() == again.nodes[: again.size[USED]].tolist()


def walked(tree: ProofTree) -> tuple[int, ...]:
    counts, level = [], [0]
    while level:
        counts.append(len(level))
        rows = [tree.nodes[at] for at in level]
        level = [int(row["first"]) + i for row in rows for i in range(int(row["count"]))]
    return tuple(counts)


def test_a_full_tree_gives_up_what_it_does_not_need_and_then_ends() -> None:
    position = catalog.position("startpos", "tictactoe")
    report, proof = proven(position, "pns")  # in a single megabyte
    assert check(proof).holds
    large = catalog.position("startpos", "connect4")
    report = Search(large, catalog.algorithm("pns"), Limit(iterations=10**6), memory=Memory(most=1)).run_here().report()
    assert (report.stopped_by, report.exact) == ("memory", False)
    report = (
        Search(large, catalog.algorithm("best-first"), Limit(iterations=10**6), memory=Memory(most=1)).run_here().report()
    )
    assert report.stopped_by == "memory"


# Tapes.


@pytest.mark.plain
def test_the_tape_of_pns_has_the_numbers_of_every_node() -> None:
    tape = new_tape(20_000)
    report = checks.run(catalog.position("startpos", "tictactoe"), "pns", tape=tape, iterations=200)
    recording = Recording.of(tape, report, "first")
    assert recording.kind[0] == NUMBERED
    assert (int(recording.alpha[0]), int(recording.beta[0])) == (report.proof, report.disproof)
    for node in range(len(recording)):
        below = recording.children(node)
        if len(below):
            near, far = (recording.alpha, recording.beta) if recording.turn[node] > 0 else (recording.beta, recording.alpha)
            assert near[node] == near[below].min()
            assert far[node] == far[below].sum() or not far[node] < 2**28 - 1


@pytest.mark.plain
@pytest.mark.parametrize("game", ["breakthrough", "tictactoe"])
def test_the_tape_of_dfpn_is_its_proof(game: str) -> None:
    size = {"breakthrough": "4x3", "tictactoe": None}[game]
    tape = new_tape(60_000)
    position = catalog.position("startpos", game, size)
    report = checks.run(position, "dfpn", tape=tape, iterations=10**6)
    recording = Recording.of(tape, report, "first")
    assert report.exact
    assert report.tape_nodes == len(recording) > 10
    assert recording.faults() == 0
    assert len(recording.roots()) == (2 if report.outcome == "draw" else 1)


# The checker, and files.


def small_proof() -> Proof:
    return proven(library.get("breakthrough/course-6x4").position(), "dfpn")[1]


def changed(proof: Proof, **columns: Any) -> Proof:
    """The same proof with something else in one of its columns."""
    (part,) = proof.parts
    given = {name: columns.get(name, getattr(part, name)) for name in ("target", "yes", "starts", "moves", "children")}
    return Proof(proof.position, columns.get("result", proof.result), [AnswerProof(**given)], "nobody")


@pytest.mark.plain
def test_the_checker_finds_what_is_wrong() -> None:
    proof = small_proof()
    (part,) = proof.parts
    assert check(proof).holds
    assert not check(changed(proof, yes=True)).holds
    assert not check(changed(proof, result=WIN)).holds
    assert not check(Proof(proof.position, proof.result, [], "nobody")).holds
    elsewhere = Proof(catalog.position("startpos", "breakthrough", "6x4"), proof.result, proof.parts, "nobody")
    assert not check(elsewhere).holds
    random = np.random.default_rng(1)
    for _ in range(30):
        edge = int(random.integers(len(part.moves)))
        moves, children = part.moves.copy(), part.children.copy()
        moves[edge] = part.moves[edge - 1] if part.moves[edge - 1] != moves[edge] else 0
        assert not check(changed(proof, moves=moves)).holds
        owner = int(np.searchsorted(part.starts, edge, "right")) - 1
        others = [node for node in range(owner) if node != children[edge]]
        if others:
            children[edge] = others[int(random.integers(len(others)))]
            assert not check(changed(proof, children=children)).holds
    leaf = int(np.flatnonzero(np.diff(part.starts) > 1)[0])
    keep = np.ones(len(part.moves), bool)
    keep[int(part.starts[leaf])] = False
    starts = part.starts.copy()
    starts[leaf + 1 :] -= 1
    fewer = changed(proof, starts=starts, moves=part.moves[keep], children=part.children[keep])
    assert "not every move" in " ".join(check(fewer).faults)


@pytest.mark.plain
def test_a_proof_is_saved_and_read_back(tmp_path: Path) -> None:
    proof, path = small_proof(), tmp_path / "exercise.proof"
    proof.save(path)
    again = Proof.load(path)
    assert again.position.text == proof.position.text
    assert (again.result, again.made_by, len(again)) == (proof.result, "dfpn", len(proof))
    assert check(again).holds
    walked = dict(again.walk(again.parts[0]))
    assert len(walked) == len(again)
    damaged = path.read_bytes()
    for number, content in enumerate((b"", b"nothing", damaged[: len(damaged) // 2])):
        bad = tmp_path / f"{number}.proof"
        bad.write_bytes(content)
        with pytest.raises(InputError, match="not a proof"):
            Proof.load(bad)
    with pytest.raises(InputError, match="no file"):
        Proof.load(tmp_path / "none")


@pytest.mark.plain
def test_a_proof_that_is_too_large_says_so() -> None:
    with pytest.raises(TooLarge, match="more than 5 positions"):
        make_proof(library.get("breakthrough/course-6x4").position(), -WIN, "dfpn", most=5)
    tape = new_tape(40)
    write_proof(small_proof(), tape, 40)
    assert int(tape.size[0]) == 40


@pytest.mark.skipif(not LONG, reason="takes minutes")
@pytest.mark.parametrize(("game", "size"), [("breakthrough", "5x4"), ("connect4", "4x4"), ("connect4", "5x4")])
def test_larger_boards_agree_with_alphabeta(game: str, size: str) -> None:
    random, found = Random(7), 0
    while found < 60:
        position = catalog.position("startpos", game, size)
        for _ in range(random.randint(6, 14)):
            if position.is_over:
                break
            position = position.play(random.choice(position.game.legal_moves(position.state)))
        if position.is_over:
            continue
        found += 1
        true = checks.run(position, "deepening", depth=60)
        assert true.exact
        for algorithm in PROVERS:
            report, proof = proven(position, algorithm, Memory())
            assert report.outcome == true.outcome, (position.text, algorithm)
            assert check(proof).holds
