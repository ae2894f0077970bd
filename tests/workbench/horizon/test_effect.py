"""The horizon effect: every curated example is what its story says, and the finder tells it from ordinary refinement."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from engines import catalog
from engines.contract import Limit
from engines.game import margins
from engines.position import Position
from engines.run.search import Search
from positions import horizon as examples
from positions.horizon import Example
from workbench.horizon import effect as horizon
from workbench.horizon.finder import Finder, PositionFindings
from workbench.horizon.story import check, fooled_configuration, investigate, lanes, tell
from workbench.jobs.searches import run_to_end

ALL = list(examples.examples().values())
CHESS = [example for example in ALL if example.game == "chess"]
MATERIAL = {"weights": "20000,900,500,300,100,0,0,0,0"}


def name(example: Example) -> str:
    return example.id


@pytest.mark.parametrize("example", ALL, ids=name)
def test_every_example_is_what_its_story_says(example: Example) -> None:
    """The fooled depth says so, the remedy says otherwise, and the reference agrees with the remedy."""
    found = check(example)
    assert found.problems == ()
    assert not example.is_true(found.fooled.value)
    assert example.is_true(found.remedied.value)
    assert example.is_true(found.reference.value)


@pytest.mark.parametrize("example", [example for example in ALL if example.game != "tree"], ids=name)
def test_delaying_moves_force_and_are_made_by_who_is_fooled(example: Example) -> None:
    moves = horizon.forcing_moves(example.position(), example.line)
    better = example.at_least is not None and example.believes < example.at_least
    side = -1 if better else 1
    for ply in example.delaying:
        assert moves[ply].kind
        assert moves[ply].mover == side


def test_there_are_enough_examples_of_every_kind() -> None:
    assert len(ALL) >= 15
    assert {example.game for example in ALL} == {"chess", "connect4", "breakthrough", "tree"}
    assert {example.remedy for example in ALL} >= {"quiescence", "check_extension", "plies"}
    assert 3 * sum(example.held_apart for example in CHESS) >= len(CHESS)
    for example in ALL:
        assert len(example.story) > 150
        assert example.story.endswith(".")
        assert example.delaying or example.kind != "delay"


@pytest.mark.skipif(not os.environ.get("PLYBENCH_LONG"), reason="a minute; with PLYBENCH_LONG=1")
@pytest.mark.parametrize("example", CHESS, ids=name)
def test_stockfish_agrees(example: Example) -> None:
    program = "/usr/games/stockfish" if Path("/usr/games/stockfish").exists() else shutil.which("stockfish")
    if program is None:
        pytest.skip("Stockfish is not installed")
    known = horizon.Configuration(name="Stockfish", parameters={"engine": program}, algorithm="uci")
    position, true = example.position(), check(example).reference.value
    if example.kind == "swing":  # what is wrong is the end of the line, whoever is better in the end
        position = horizon.along(position, example.line)[-1]
    value = horizon.searched(position, known, Limit(depth=20), run_to_end, "").value
    assert value is not None
    assert true is not None
    says, believes = margins(value, position.game), margins(example.believes, position.game)
    assert abs(says - margins(true, position.game)) < abs(says - believes)


def test_the_price_of_quiescence() -> None:
    """Two plies of the exploding position: some hundred nodes without it, a hundred thousand with it."""
    example = examples.get("explosion")
    found = check(example)
    assert found.fooled.nodes < 1_000
    assert found.remedied.nodes > 50_000


# Which moves force.


def kinds(fen: str, *line: str) -> list[str]:
    return [move.kind for move in horizon.forcing_moves(catalog.position(fen, "chess", None, MATERIAL), line)]


def test_kinds_of_forcing_moves() -> None:
    assert kinds("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "e8d7", "a8a1") == ["check", "", ""]
    assert kinds("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "e8d7") == ["capture", ""]
    assert kinds("4k3/3p4/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "e6d5") == ["exchange", "capture"]
    assert kinds("4k3/8/4p3/8/2B5/8/8/4K3 w - - 0 1", "c4d5", "e6d5") == ["sacrifice", "capture"]
    assert kinds("4k3/8/8/3q4/8/8/4P3/4K2N w - - 0 1", "e2e4", "d5a5") == ["threat", "check"]
    assert kinds("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "e8e7") == ["", ""]


def test_threats_on_other_boards() -> None:
    position = catalog.position("445", "connect4")
    assert [move.kind for move in horizon.forcing_moves(position, ("5", "6", "7"))] == ["", "threat", ""]
    position = catalog.position("8/8/3w4/8/8/4b3/8/8 w", "breakthrough")
    assert [move.kind for move in horizon.forcing_moves(position, ("d6d7", "e3e2"))] == ["threat", "threat"]


# The finder.


def found_in(example: Example) -> PositionFindings:
    depth = max(example.depth, 3)
    return Finder(fooled_configuration(example).parameters, depth).find(example.position(), example.id)


@pytest.mark.parametrize("which", ["doomed-knight", "rook-thrown", "pawns"])
def test_the_finder_finds_depth_and_remedy(which: str) -> None:
    example = examples.get(which)
    finding = next(finding for finding in found_in(example).findings if finding.depth == example.depth)
    assert finding.kind == ("exchange" if example.kind == "swing" else "horizon")
    assert finding.remedy == example.remedy
    assert finding.line == example.line
    assert set(example.delaying) <= set(finding.delaying)
    assert finding.size >= 2


def chess(fen: str) -> Position:
    return catalog.position(fen, "chess", None, MATERIAL)


def test_refinement_is_no_horizon_effect() -> None:
    """A mate that is too far away is refinement: nobody postpones anything."""
    found = Finder(depth=2).find(chess("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1"))
    assert not found.flagged
    fork = Finder({**horizon.PLAIN}, 2).find(chess("4k3/8/8/3p4/8/2N5/8/4K2R w K - 0 1"))
    assert not [finding for finding in fork.findings if finding.kind == "horizon"]


def test_a_quiet_position_has_nothing() -> None:
    found = Finder(depth=3).find(catalog.position("startpos", "chess"))
    assert found.findings == ()
    assert found.worst is None


def test_a_finished_game_has_nothing() -> None:
    over = catalog.position("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "chess")
    assert Finder().find(over).findings == ()


# Stories.


def test_a_story_has_all_configurations_and_the_fooled_one() -> None:
    example = examples.get("doomed-knight")
    story = tell(example)
    assert story.complete
    assert story.row is not None
    assert (story.row.value, story.row.pv) == (example.believes, example.line)
    assert [curve.configuration.name for curve in story.curves] == [
        "plain",
        "quiescence",
        "check extension",
        "singular extension",
        "all of them",
    ]
    remedied = story.curves[1].at(example.depth)
    assert remedied is not None
    assert remedied.value == example.remedied


@pytest.mark.parametrize("example", ALL, ids=name)
def test_lanes_hold_the_fooled_and_the_remedied_search(example: Example) -> None:
    chosen, fooled = lanes(example, example.position().game)
    assert chosen[fooled].parameters == fooled_configuration(example).parameters
    assert len({tuple(sorted(one.parameters.items())) for one in chosen}) == len(chosen) <= 6


def test_any_position_can_be_asked() -> None:
    story = investigate(examples.get("saavedra").position(), depth=3)
    assert story.depth is not None
    assert "only postpone" in story.text
    assert story.row is not None
    quiet = investigate(catalog.position("startpos", "connect4"), depth=2)
    assert quiet.depth is None
    assert "No horizon effect" in quiet.title


def test_an_interrupt_keeps_what_there_is() -> None:
    asked = []

    def second_is_interrupted(search: Search, what: str) -> bool:
        asked.append(what)
        if len(asked) > 1:
            return True
        return run_to_end(search, what)

    story = tell(examples.get("doomed-knight"), second_is_interrupted)
    assert not story.complete
    assert len(story.curves) == 1


@pytest.mark.parametrize("example", [example for example in ALL if example.remedy == "plies"], ids=name)
def test_where_only_more_plies_help_no_switch_does(example: Example) -> None:
    """A remedy that is told to be more plies is told because nothing cheaper sees it."""
    position = example.position()
    for lane in lanes(example, position.game)[0]:
        base = fooled_configuration(example).parameters
        if sum(lane.parameters[name] != base[name] for name in base) != 1:
            continue  # a remedy is a single switch
        algorithm = catalog.algorithm("deepening")
        search = Search(position, algorithm, Limit(depth=example.depth, nodes=2**40), lane.parameters)
        value = search.run_here().report().value
        assert value is not None
        assert not example.is_true(value), lane.name
