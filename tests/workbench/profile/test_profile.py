"""Profiles of random searches of the whole alpha-beta family add up to the nodes, and a naive walk counts the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from engines import catalog
from engines.contract import InputError, Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.examiner.searches import board_case, chess_case, recorded, switches
from tests.naive.difference import Node, roots_of
from tests.thorough import examples
from tests.workbench.conftest import Plybench
from workbench.profile.counts import profile_of
from workbench.profile.types import CAUSES, Flame

FAMILY = [
    name
    for name in catalog.ALGORITHMS
    if catalog.algorithm(name).family == "alpha-beta" and not catalog.algorithm(name).iterates
]
GAMES = ("tree", "connect4", "tictactoe", "breakthrough", "chess")


def naive_causes(recording: Recording) -> Counter[str]:
    """The nodes by cause, walked one after another."""
    found: Counter[str] = Counter()
    quiet = bool(recording.report.parameters.get("quiescence"))
    extends = any(recording.report.parameters.get(name) for name in ("check_extension", "singular_extension"))

    def visit(node: Node, cause: str) -> None:
        found[cause] += 1
        before: Node | None = None
        for child in node.below:
            begins = "main"
            if child.told["move"] < 0:
                begins = "trial" if child.told["turn"] == node.told["turn"] else "pass"
            elif child.is_trial:
                begins = "first try"
            elif before is not None and before.is_trial and before.told["move"] == child.told["move"]:
                begins = "research"
            elif quiet and node.told["depth"] <= 0:
                begins = "quiescence"
            elif extends and child.told["depth"] >= node.told["depth"]:
                begins = "extension"
            before = child
            visit(child, begins if cause == "main" else cause)

    depths: set[int] = set()
    for root in roots_of(recording):
        visit(root, "again" if root.told["depth"] in depths else "main")
        depths.add(root.told["depth"])
    return found


def adds_up(flame: Flame) -> bool:
    """A subtree is its top, the subtrees below that are told of, and the others."""
    whole = 1 + sum(below.nodes for below in flame.below) + flame.other_nodes
    return whole == flame.nodes and all(map(adds_up, flame.below))


def check(recording: Recording) -> None:
    found = profile_of(recording)
    assert sum(row.nodes for row in found.causes) == len(recording) == found.recorded
    assert sum(row.nodes for row in found.depths) == len(recording)
    assert sum(row.nodes for row in found.plies) == len(recording)
    assert sum(flame.nodes for flame in found.flames) == len(recording)
    assert all(map(adds_up, found.flames))
    assert {row.cause: row.nodes for row in found.causes} == naive_causes(recording)
    assert {row.cause for row in found.causes} <= set(CAUSES)


@pytest.mark.parametrize("algorithm", FAMILY)
def test_all_parts_add_up(algorithm: str) -> None:
    random = Random(algorithm)
    for number in range(examples(25)):
        game = GAMES[number % len(GAMES)]
        case = chess_case(random) if game == "chess" else board_case(game, random)
        depth = random.randint(1, 3 if game == "chess" else 4)
        limit = {"nodes": random.randint(1, 300)} if random.random() < 0.2 else {}
        check(recorded(case.position, algorithm, switches(algorithm, random), depth=depth, **limit))


def test_a_tape_that_was_full() -> None:
    algorithm, tape = catalog.algorithm("alphabeta"), new_tape(100)
    search = Search(catalog.position("startpos", "connect4"), algorithm, Limit(depth=4), tape=tape)
    recording = Recording.of(tape, search.run_here().report(), algorithm.view)
    assert (profile_of(recording).recorded, profile_of(recording).nodes > 100) == (100, True)
    check(recording)


def test_below_a_line() -> None:
    recording = recorded(catalog.position("startpos", "tictactoe"), "minimax", {}, depth=3)
    found = profile_of(recording, "b2 a1")
    assert found.line == ("b2", "a1")
    (top,) = found.flames
    assert (top.move, top.nodes, len(top.below)) == ("a1", 8, 7)
    with pytest.raises(InputError, match="not a legal move here"):
        profile_of(recording, "z9")


def test_the_command(plybench: Plybench, tmp_path: Path) -> None:
    path = str(tmp_path / "search.tape")
    recorded(catalog.position("startpos", "tictactoe"), "alphabeta", {}, depth=4).save(Path(path))
    out = plybench("profile", path).out
    assert "alphabeta: " in out
    assert "the tree itself" in out
    document = plybench("profile", path, "--json").json
    assert sum(row["nodes"] for row in document["causes"]) == document["recorded"] == document["nodes"]
    recorded(catalog.position("startpos", "tictactoe"), "uct", {}, iterations=20).save(Path(path))
    answer = plybench("profile", path)
    assert (answer.code, "uct does not search depth first" in answer.err) == (2, True)
    assert plybench("profile", str(tmp_path / "none.tape")).code == 2


def test_a_position_is_searched_first(plybench: Plybench) -> None:
    found = plybench("profile", "startpos", "--game", "tictactoe", "--algorithm", "pvs", "--depth", "3", "--json").json
    assert (found["algorithm"], found["game"]) == ("pvs", "tictactoe")
    assert sum(row["nodes"] for row in found["depths"]) == found["nodes"]
