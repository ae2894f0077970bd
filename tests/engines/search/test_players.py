"""Max^n and paranoid search: minimax with two players, their definitions with three, and coalitions."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import catalog
from engines.contract import InputError, Limit
from engines.position import Position
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import CUT, EXPANDED, NOBODY, new_tape
from tests.engines import checks
from tests.naive.chance import maxn, paranoid, random_tree, wanted, worth_to_all
from tests.strategies import sample
from tests.thorough import LONG, examples

THREE = {"players": "3"}


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "values"),
    [
        # Russell and Norvig: three players, A, B and C.
        ("(((<1 2 6> <4 2 3>) (<6 1 2> <7 4 1>)) ((<5 1 1> <1 5 2>) (<7 7 1> <5 4 5>)))", (1, 2, 6)),
        ("(<1 5 5> <1 0 0>)", (1, 5, 5)),  # of equal moves the first
        ("(p3(<1 2 3> <3 2 1>) [<1 1 1> <3 3 3>])", (2, 2, 2)),
        ("(<3 -3> (<5 1> <2 2>))", (3, -3)),
        ("(3 (5 2))", (3, -3)),
    ],
)
def test_textbook_vectors(text: str, values: tuple[float, ...]) -> None:
    report = checks.run(catalog.position(text, "tree"), "maxn")
    assert (report.values, report.value, report.exact) == (values, values[0], True)


@pytest.mark.plain
def test_ties_against_the_root() -> None:
    position = catalog.position("((<5 1 0> <2 1 9>) <3 0 0>)", "tree")
    assert checks.run(position, "maxn").values == (5, 1, 0)
    report = checks.run_with(position, "maxn", {"ties": "against"})
    assert (report.values, report.best_move) == ((3, 0, 0), "2")


@pytest.mark.parametrize("game", ["tictactoe", "tree", "connect4", "breakthrough"])
def test_with_two_players_both_are_minimax(game: str) -> None:
    """The same value, move and line; max^n looks at the same nodes, and with pruning at no more."""
    for number, case in enumerate(sample(game, 400 if LONG else examples(60))):
        position, depth = case.board(), number % 4 + 1
        expected = checks.run(position, "minimax", depth=depth)
        for name in ("maxn", "paranoid"):
            found = checks.run(position, name, depth=depth)
            assert (found.value, found.pv, found.outcome, found.distance) == (
                expected.value,
                expected.pv,
                expected.outcome,
                expected.distance,
            ), (name, case)
            assert found.nodes <= expected.nodes
            assert name != "maxn" or found.nodes == expected.nodes
        pruned = checks.run_with(position, "maxn", {"pruning": True}, depth=depth)
        assert (pruned.value, pruned.pv) == (expected.value, expected.pv)
        assert pruned.nodes <= expected.nodes


def three(random: Random, size: str = "3x3x3", most: int = 7) -> Position:
    """A board for three after some moves."""
    position = catalog.position("startpos", "tictactoe", size, THREE)
    for _ in range(random.randint(0, most)):
        after = position.play(random.choice(position.game.legal_moves(position.state)))
        if after.is_over:
            break
        position = after
    return position


def test_the_definition_holds_at_every_node_of_recorded_searches() -> None:
    """200 searches for three players, each node on the tape: leaves are worth what an oracle says to each, and whoever moves
    has the first of the children that are best for that player."""
    random, searches, found = Random(3), 0, catalog.algorithm("maxn")
    while searches < 200:
        position = three(random, random.choice(["3x3x3", "4x3x3"]))
        if len(position.game.legal_moves(position.state)) > 8:
            continue
        tape = new_tape(5000)
        report = Search(position, found, Limit(depth=random.randint(1, 2)), tape=tape).run_here().report()
        recording = Recording.of(tape, report, found.view)
        assert recording.faults() == 0
        check_definition(recording)
        searches += 1


def check_definition(recording: Recording) -> None:
    """Every node has what the definition says."""
    game, k = recording.position.game, int(recording.position.game.rules.data.k)
    start = recording.position.mover
    for node in range(len(recording)):
        values = recording.values(node)
        children = [int(child) for child in recording.children(node)]
        mover = (start + int(recording.ply[node])) % 3
        assert recording.turn[node] == (1 if mover == 0 else -mover)
        if not children:
            place = recording.position
            for step in recording.path(node)[1:]:
                place = place.play(int(recording.move[step]))
            expected = worth_to_all(game.board_text(place.state), k, int(recording.ply[node]))
            assert values == pytest.approx(expected, abs=1), place.text
            continue
        assert recording.kind[node] == EXPANDED
        best = max(recording.values(child)[mover] for child in children)
        first = next(child for child in children if recording.values(child)[mover] == best)
        assert (values, int(recording.decider[node])) == (recording.values(first), first)


@settings(max_examples=examples(60))
@given(st.data(), st.integers(2, 4), st.integers(1, 6))
def test_random_vector_trees(data: st.DataObject, players: int, depth: int) -> None:
    check_vectors(data.draw(st.integers(0, 10**6)), players, depth)


def test_many_random_vector_trees() -> None:
    for seed in range(3000 if LONG else examples(200)):
        check_vectors(seed, seed % 3 + 2, seed % 6 + 1)


@pytest.mark.plain
def test_random_vector_trees_without_the_compiler() -> None:
    for seed in range(40):
        check_vectors(seed, seed % 3 + 2, seed % 4 + 1)


def check_vectors(seed: int, players: int, depth: int) -> None:
    """Max^n, with pruning and with a coalition, and paranoid search, as defined; the last is never above the first."""
    random = Random(seed)
    tree = random_tree(random.randint, players, several=True)
    position = catalog.position(tree.text(0, players, several=True), "tree")
    expected = maxn(tree, depth, players)
    found = checks.run(position, "maxn", depth=depth)
    assert found.values == pytest.approx(tuple(map(float, expected.values)), abs=1e-9), position.text
    assert found.leaves == expected.leaves
    pruned = checks.run_with(position, "maxn", {"pruning": True}, depth=depth)
    assert pruned.values == pytest.approx(found.values, abs=1e-9), position.text
    assert pruned.leaves <= found.leaves
    if tree.mover >= 0:
        sure = paranoid(tree, depth, players, (tree.mover,))
        careful = checks.run(position, "paranoid", depth=depth)
        sign = 1 if tree.mover == 0 else -1
        assert careful.value == pytest.approx(sign * float(sure), abs=1e-9), position.text
        assert sure <= expected.values[tree.mover], position.text
    if players > 2:
        team = tuple(sorted(random.sample(range(players), 2)))
        name = "+".join(str(player + 1) for player in team)
        together = maxn(tree, depth, players, team)
        joined = checks.run_with(position, "maxn", {"coalition": name}, depth=depth)
        assert joined.values == pytest.approx(tuple(map(float, together.values)), abs=1e-9), position.text
        allied = checks.run_with(position, "paranoid", {"coalition": name}, depth=depth)
        sure = paranoid(tree, depth, players, team)
        assert allied.value == pytest.approx((1 if 0 in team else -1) * float(sure), abs=1e-9), position.text
        assert sure <= wanted(together.values, team[0], team)


def test_paranoid_is_never_above_maxn_on_boards_for_three() -> None:
    """Whoever moves: what one is sure of against all is no more than what one gets if all look after themselves."""
    random = Random(4)
    for _ in range(400 if LONG else examples(60)):
        position = three(random, "4x3x3")
        depth = random.randint(1, 3)
        player, sign = position.mover, 1 if position.mover == 0 else -1
        careful = checks.run(position, "paranoid", depth=depth).value
        assert careful is not None
        assert sign * careful <= checks.run(position, "maxn", depth=depth).values[player]


@pytest.mark.parametrize("parameters", [{"pruning": True}, {"coalition": "X+Z"}, {"ties": "against"}])
def test_recorded_with_parameters(parameters: dict[str, str | bool]) -> None:
    random, cuts = Random(5), 0
    for name in ("maxn", "paranoid"):
        found = catalog.algorithm(name)
        chosen = {key: value for key, value in parameters.items() if key in [one.name for one in found.parameters]}
        for _ in range(20):
            tape = new_tape(20_000)
            report = Search(three(random), found, Limit(depth=3), chosen, tape=tape).run_here().report()
            recording = Recording.of(tape, report, found.view)
            assert recording.faults() == 0
            cuts += int((recording.kind == CUT).sum())
            assert recording.decider[0] != NOBODY
    assert cuts


@pytest.mark.plain
def test_three_players_on_a_board() -> None:
    position = catalog.position("XX./OO./ZZ.", "tictactoe")
    assert (position.mover, position.turn, position.game.options["players"]) == (0, 1, 3)
    report = checks.run(position, "maxn", depth=3)
    assert (report.best_move, report.values) == ("c3", (999_999, -999_999, -999_999))
    assert report.outcome is None  # others might play differently
    lost = checks.run(position.play(2), "maxn")
    assert (lost.stopped_by, lost.values) == ("game over", (1_000_000, -1_000_000, -1_000_000))
    checks.reads_back(position)
    checks.reads_back(position.play(2))
    allied = checks.run_with(catalog.position("XX./OO./Z..", "tictactoe"), "paranoid", {"coalition": "X+Z"}, depth=4)
    assert (allied.pv, allied.value) == (("c2", "c3"), 999_998)  # Z stops O, and X wins for both


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("XX./XOZ/...", "3 X and 1 O and 1 Z"),
        ("XXX/OOO/ZZ.", "X has 3 in a row"),
        ("XQ./.../..Z", "'Q'"),
    ],
)
def test_bad_boards_for_three(text: str, named: str) -> None:
    with pytest.raises(InputError) as error:
        catalog.position(text, "tictactoe")
    assert named in str(error.value)
    assert checks.is_sentence(str(error.value))


@pytest.mark.plain
@pytest.mark.parametrize(("name", "said"), [("X+Q", "'Q'"), ("1+2+3", "nobody is left"), ("7", "'7'")])
def test_bad_coalitions(name: str, said: str) -> None:
    position = catalog.position("startpos", "tictactoe", "3x3x3", THREE)
    with pytest.raises(InputError) as error:
        checks.run_with(position, "paranoid", {"coalition": name}, depth=1)
    assert said in str(error.value)
    assert checks.is_sentence(str(error.value))


@pytest.mark.plain
def test_others_refuse_three_players() -> None:
    position = catalog.position("startpos", "tictactoe", None, THREE)
    fits = [name for name in catalog.ALGORITHMS if catalog.misfit(catalog.algorithm(name), position) is None]
    assert fits == ["maxn", "paranoid", "random"]
