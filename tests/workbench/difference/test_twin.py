"""Differences of random pairs of searches are those that a naive twin finds, to the node."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract import Setting
from engines.tape.recording import Recording
from tests.examiner.searches import board_case, chess_case, recorded, switches
from tests.naive.difference import NaiveDifference
from tests.naive.difference import Path as Place
from tests.thorough import examples
from workbench.difference.job import Comparing
from workbench.difference.types import Difference, Part

FAMILY = ("deepening", "deepening", "deepening", "alphabeta", "pvs", "mtdf", "beam", "probcut", "minimax", "negamax")
DEPTHS = {"tree": 5, "connect4": 5, "tictactoe": 5, "breakthrough": 4, "chess": 3}
LARGEST = 2_500
GAMES = list(DEPTHS)


def pair(game: str, random: Random) -> tuple[Recording, Recording]:
    """Two searches of a random position: in one switch, in some, in depth, in algorithm, or in nothing; some are stopped."""
    case = chess_case(random) if game == "chess" else board_case(game, random)
    algorithm, depth = random.choice(FAMILY), random.randint(1, DEPTHS[game])
    parameters = switches(algorithm, random)
    first = recorded(case.position, algorithm, parameters, depth=depth)
    way = random.choice(("one switch", "switches", "depth", "algorithm", "stopped", "nothing"))
    if way == "one switch" and (own := [name for name, value in parameters.items() if isinstance(value, bool)]):
        name = random.choice(own)
        parameters = {**parameters, name: not parameters[name]}
    elif way == "switches":
        parameters = switches(algorithm, random)
    elif way == "depth":
        depth = max(1, depth + random.choice((-2, -1, 1)))
    elif way == "algorithm":
        algorithm = random.choice(FAMILY)
        parameters = switches(algorithm, random)
    limit: dict[str, int] = {"depth": depth}
    if way == "stopped" and len(first) > 2:
        limit["nodes"] = random.randint(1, len(first) - 1)
    return first, recorded(case.position, algorithm, parameters, **limit)


@pytest.mark.parametrize("game", GAMES)
def test_it_is_what_the_naive_twin_finds(game: str) -> None:
    @settings(max_examples=examples(60), deadline=None, derandomize=True, database=None)
    @given(st.randoms(use_true_random=False), st.sampled_from((1, 2, 5, 100)))
    def check(random: Random, most: int) -> None:
        first, second = pair(game, random)
        if max(len(first), len(second)) <= LARGEST:
            agree(first, second, most)

    check()


def agree(first: Recording, second: Recording, most: int = 100) -> None:
    """The difference is the twin's in everything."""
    naive, comparing = NaiveDifference(first, second), Comparing(first, second)
    found = comparing.difference(most)
    spots = {(node.row, naive.second[path].row) for path, node in naive.first.items() if path in naive.second}
    both = comparing.both
    assert {(row, int(twin)) for row, twin in enumerate(both.partner) if twin >= 0} == spots
    assert {(int(twin), row) for row, twin in enumerate(both.other) if twin >= 0} == spots
    assert set(both.parting.tolist()) == {naive.first[path].row for path in naive.parting}
    assert found.difference == naive.total == len(second) - len(first)
    agree_on_parts(naive, found, most)
    assert {row.reason: row.difference for row in found.reasons} == naive.by_reason()
    assert sum(row.difference for row in found.reasons) == found.difference
    assert sum(row.second_nodes - row.first_nodes for row in found.depths) == found.difference
    begins = None if found.begins is None else (found.begins.first_node, found.begins.second_node)
    assert begins == naive.begins()
    assert found.same == (begins is None)
    agree_on_positions(naive, found)


def path_of(naive: NaiveDifference, part: Part) -> Place:
    """The path of a part, told by its nodes; they have to be at the same place."""
    nodes = (part.top.first_node, part.top.second_node)
    places = [
        next(path for path, node in known.items() if node.row == row)
        for known, row in zip((naive.first, naive.second), nodes, strict=True)
        if row is not None
    ]
    assert len(set(places)) == 1
    return places[0]


def agree_on_parts(naive: NaiveDifference, found: Difference, most: int) -> None:
    candidates, needed, held = naive.fewest(most)
    parts = found.parts
    paths = [path_of(naive, part) for part in parts.subtrees]
    assert len(set(paths)) == len(paths) == needed
    assert set(paths) <= candidates
    for path, part in zip(paths, parts.subtrees, strict=True):
        assert not any(path[:end] in paths for end in range(1, len(path))), "they are disjoint"
        inside = [sum(place[: len(path)] == path for place in known) for known in (naive.first, naive.second)]
        assert [part.first_nodes, part.second_nodes] == inside
        assert part.difference == inside[1] - inside[0] == naive.sizes[path]
        assert part.top.sentence.endswith(".")
    assert sum(part.difference for part in parts.subtrees) == parts.held
    assert parts.held + parts.others_more - parts.others_less == parts.difference == found.difference
    if found.difference:
        assert abs(parts.held) == held
        assert 10 * parts.held * (1 if found.difference > 0 else -1) >= 9 * abs(found.difference)


def agree_on_positions(naive: NaiveDifference, found: Difference) -> None:
    if found.positions is None:
        return
    first, second = naive.positions()
    counts = found.positions
    common = first.keys() & second.keys()
    assert (counts.first, counts.second, counts.common) == (len(first), len(second), len(common))
    assert counts.first_common_nodes == sum(first[one] for one in common)
    assert counts.second_common_nodes == sum(second[one] for one in common)
    assert counts.first_only_nodes + counts.first_common_nodes == first.total()
    assert counts.second_only_nodes + counts.second_common_nodes == second.total()


@pytest.mark.parametrize("game", GAMES)
def test_within_a_part_the_sums_are_right_again(game: str) -> None:
    random = Random(game)
    for _ in range(examples(24)):
        first, second = pair(game, random)
        if max(len(first), len(second)) > LARGEST:
            continue
        comparing = Comparing(first, second)
        spots = comparing.both.cover(None, 3).spots
        for _ in range(12):
            if not spots:
                break
            spot = spots.pop(0)
            inner = comparing.parts(spot)
            assert inner.held + inner.others_more - inner.others_less == inner.difference or -1 in spot
            if -1 not in spot:
                assert inner.difference == comparing.both.gain(spot)
            spots += comparing.both.cover(spot, 100).spots


def test_a_search_with_itself(tmp_path: Path) -> None:
    random = Random(1)
    for game in GAMES:
        case = chess_case(random) if game == "chess" else board_case(game, random)
        parameters: dict[str, Setting] = {"table": 1}
        first = recorded(case.position, "deepening", parameters, depth=3)
        first.save(tmp_path / "a.tape")
        for again in (recorded(case.position, "deepening", parameters, depth=3), Recording.load(tmp_path / "a.tape")):
            found = Comparing(first, again).difference()
            assert found.same
            assert (found.difference, found.begins, found.parts.subtrees, found.reasons) == (0, None, (), ())
