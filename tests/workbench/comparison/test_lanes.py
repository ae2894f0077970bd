"""`plybench compare`: lanes on one position and one budget, where they differ, and whether they agree that have to."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from time import sleep

import pytest
from msgspec.structs import replace

from engines import catalog
from engines.contract import DepthRow, InputError, Report
from tests.engines import checks
from tests.naive import games as naive
from tests.strategies import sample
from tests.workbench.conftest import Plybench
from workbench.comparison import lane_specs as compare
from workbench.comparison.agreement import agreement, difference, first_differing_ply, value_kind
from workbench.comparison.lane_specs import read_lanes, spec, spec_of
from workbench.comparison.lanes import Comparison
from workbench.comparison.result import compared
from workbench.sessions import store as sessions
from workbench.sessions.comparison_types import LaneBelief, LaneBudget, LaneSpec, Truth, proving_text


def finished(comparison: Comparison) -> Comparison:
    """All lanes to the end."""
    while not comparison.wait(0.05):
        pass
    return comparison


def lanes_of(text: str, *settings: str, game: str = "connect4") -> tuple[LaneSpec, ...]:
    return read_lanes(text, settings, game)[0]


# The command.


def test_exact_algorithms_agree_with_fewer_and_fewer_nodes(plybench: Plybench) -> None:
    names = "minimax,negamax,alphabeta,deepening"
    answer = plybench(
        "compare", "startpos", "--game", "connect4", "--algorithms", names, "--depth", "6", "--truth-nodes", "9", "--json"
    )
    assert (answer.code, answer.err) == (0, "")
    found = answer.json
    assert [report["algorithm"] for report in found["reports"]] == names.split(",")
    assert len({report["value"] for report in found["reports"]}) == 1
    nodes = [report["nodes"] for report in found["reports"]]
    assert nodes[0] == nodes[1]
    assert nodes[1] > nodes[2] > nodes[3]
    assert (found["agreement"]["agrees"], found["agreement"]["lanes"]) == (True, names.split(","))
    assert found["mode"] in ("together", "one after another")
    alone = plybench("analyze", "startpos", "--game", "connect4", "--algorithm", "alphabeta", "--depth", "6", "--json").json
    same = {name: found["reports"][2][name] for name in ("value", "pv", "nodes", "leaves", "evaluations", "depths")}
    for row in (*same["depths"], *alone["depths"]):
        row["seconds"] = 0
    assert same == {name: alone[name] for name in same}, "a lane is a search like any other"


@pytest.mark.parametrize("game", ["connect4", "tictactoe"])
def test_lanes_say_what_the_oracle_says(game: str) -> None:
    """Each lane's value is that of naive minimax at the same depth, on random positions."""
    cases = [case for case in sample(game, 30, "small") if not case.position().is_over][:5]
    lanes = lanes_of("minimax,negamax,alphabeta,deepening,pvs,mtdf", "quiescence=false", game=game)
    for case in cases:
        comparison = Comparison(case.position(), lanes, LaneBudget(depth=3))
        comparison.run()
        found = compared(finished(comparison))
        expected = naive.shown(case.oracle, naive.minimax(case.oracle, 3).value)
        assert [report and report.value for report in found.reports] == [expected] * len(lanes), case
        assert found.agreement.agrees
        assert set(found.agreement.lanes) <= {lane.name for lane in lanes}
        assert not any(row.differs and row.differs.says for row in found.lanes)


def test_the_same_algorithm_twice_with_one_switch_changed(plybench: Plybench) -> None:
    command = ("compare", "4453", "--game", "connect4", "--algorithms", "deepening,bare=deepening", "--depth", "6")
    found = plybench(*command, "--set", "bare:table=0", "--set", "ordering=none", "--json").json
    first, second = found["reports"]
    assert (first["parameters"]["table"], second["parameters"]["table"]) == (64, 0)
    assert (first["parameters"]["ordering"], second["parameters"]["ordering"]) == ("none", "none")
    assert [lane["name"] for lane in found["lanes"]] == ["deepening", "bare"]
    assert found["lanes"][1]["changed"] == {"table": 0, "ordering": "none"}
    assert first["value"] == second["value"]
    assert first["nodes"] < second["nodes"]


def test_into_a_session(plybench: Plybench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    for text in ("4453", "445", "4453"):
        command = ("compare", text, "--game", "connect4", "--algorithms", "alphabeta,minimax", "--depth", "2")
        assert plybench(*command, "--no-truth", "--session", "mine").code == 0
    (row,) = sessions.listing()
    kept = sessions.read(row.path)
    assert row.name == "mine"
    assert [len(study.comparisons) for study in kept.studies] == [3], "445 is on the way to 4453"
    assert [one.compared.position for one in kept.study.comparisons] == ["4453", "445", "4453"]
    command = ("compare", "startpos", "--game", "tictactoe", "--algorithms", "alphabeta,minimax", "--depth", "1")
    plybench(*command, "--no-truth", "--session", "mine")
    assert [study.game for study in sessions.read(row.path).studies] == ["connect4", "tictactoe"]


def test_for_people(plybench: Plybench) -> None:
    command = ("compare", "44455554221", "--game", "connect4", "--algorithms", "alphabeta,random,solver", "--nodes", "3000")
    out = " ".join(plybench(*command, "--seed", "3").out.split())
    for word in ("lane", "evals", "regret", "per s", "3,000 nodes", "The lanes ran", "The truth, by"):
        assert word in out


@pytest.mark.parametrize(
    ("command", "hint"),
    [
        ("--algorithms minimax", "2 to 6 lanes, not 1"),
        ("--algorithms a,b", "no algorithm 'a'"),
        ("--algorithms minimax,negamax,minimax,negamax,minimax,negamax,minimax", "not 7"),
        ("--algorithms deepening,pvs --set 3:table=1", "There is no lane '3'. Choose from deepening, pvs, 1 and 2."),
        ("--algorithms deepening,pvs --set 1:tabel=1", "deepening has no parameter 'tabel'"),
        ("--algorithms deepening,pvs --set tabel=1", "connect4 has no parameter 'tabel'"),
        ("--algorithms deepening,pvs --set 1:table", "LANE:NAME=VALUE"),
        ("--algorithms deepening,pvs --set 1:table=many", "whole number"),
        ("--algorithms deepening,uci", "they do not play Connect 4"),
        ("--algorithms deepening,pvs --iterations 5", "no limit in iterations"),
        ("--algorithms deepening,pvs --evaluations 0", "limit in evaluations"),
        ("--algorithms deepening,pvs --depth -1", "depth is a whole number"),
    ],
)
def test_what_cannot_be(plybench: Plybench, command: str, hint: str) -> None:
    answer = plybench("compare", "startpos", "--game", "connect4", *command.split())
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert hint in answer.err


def test_an_engine_that_is_not_there_leaves_the_others_their_say(plybench: Plybench) -> None:
    command = ("compare", "startpos", "--game", "chess", "--algorithms", "alphabeta,uci", "--depth", "1", "--json")
    answer = plybench(*command, "--set", "uci:engine=no-such-engine")
    assert answer.code == 2
    assert "There is no engine 'no-such-engine'" in answer.err
    assert answer.json["reports"][0]["value"] is not None
    assert answer.json["reports"][1] is None


def test_an_interrupt_prints_what_there_is(plybench: Plybench, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait_until_it_believes_something(comparison: Comparison, seconds: float) -> bool:
        while not comparison.lanes[0].rows:
            comparison.look()
        raise KeyboardInterrupt

    monkeypatch.setattr(Comparison, "wait", wait_until_it_believes_something)
    command = ("compare", "startpos", "--game", "connect4", "--algorithms", "alphabeta,minimax", "--seconds", "300")
    answer = plybench(*command, "--one-by-one", "--json")
    assert (answer.code, answer.err) == (130, "")
    found = answer.json
    assert (found["complete"], found["reports"][0]["stopped_by"]) == (False, "request")
    assert found["reports"][0]["value"] is not None
    assert (found["reports"][1], found["lanes"][1]["ended_by"]) == (None, "not reached")
    assert "It was interrupted." in " ".join(plybench(*command, "--one-by-one").out.split())


# Budgets, order, steps.


def test_a_budget_in_evaluations_is_kept_about() -> None:
    where = catalog.position("startpos", "connect4")
    comparison = Comparison(where, lanes_of("minimax,alphabeta"), LaneBudget(evaluations=200_000), together=False)
    comparison.run()
    found = compared(finished(comparison))
    for row in found.lanes:
        assert row.ended_by == "evaluations"
        assert row.work is not None
        assert row.work.evaluations is not None
        assert row.work.evaluations >= 200_000
    assert found.budget.text == "200,000 evaluations"


def test_lanes_run_together_if_there_are_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    two = lanes_of("alphabeta,minimax")
    monkeypatch.setattr(compare, "cores", lambda: 2)
    assert compare.mode_for(two)[0] == "together"
    assert compare.mode_for(lanes_of("alphabeta,minimax,negamax"))[0] == "one after another"
    assert compare.mode_for(lanes_of("alphabeta,deepening", "threads=2"))[0] == "one after another"
    assert compare.mode_for(two, together=False) == ("one after another", "as was asked for")


def test_one_after_another_never_runs_two() -> None:
    where = catalog.position("startpos", "connect4")
    comparison = Comparison(where, lanes_of("minimax,minimax,minimax"), LaneBudget(depth=6), together=False)
    comparison.run()
    while comparison.busy:
        sleep(0.002)
        comparison.look()
        assert sum(lane.search is not None and lane.search.running for lane in comparison.lanes) <= 1
    assert all(lane.report is not None for lane in comparison.lanes)


def test_stepping_by_depth_and_back() -> None:
    where = catalog.position("4453", "connect4")
    comparison = Comparison(where, lanes_of("minimax,deepening"), LaneBudget(depth=9))
    assert not comparison.step_back()
    for depth in (1, 2, 3):
        comparison.step_depth()
        finished(comparison)
        for lane in comparison.lanes:
            assert sorted(lane.rows) == list(range(1, depth + 1))
            assert lane.belief().depth == depth
            assert lane.rows[depth].value == checks.run(where, "minimax", depth=depth).value
    assert comparison.step_back()
    assert (comparison.shown, comparison.lanes[0].belief(2).depth) == (2, 2)
    assert comparison.step_back()
    assert not comparison.step_back()
    comparison.step_depth()
    assert comparison.shown == 2
    comparison.step_depth()
    known, running = comparison.shown is None, comparison.busy
    assert (known, running) == (True, False), "what is known is not searched again"


def test_stepping_by_equal_work() -> None:
    where = catalog.position("startpos", "connect4")
    comparison = Comparison(where, lanes_of("alphabeta,mtdf"))
    for work in (1000, 2000, 4000):
        comparison.step_work()
        finished(comparison)
        for lane in comparison.lanes:
            assert lane.report is not None
            assert (lane.report.all_nodes, lane.report.stopped_by) == (work, "nodes")
            assert lane.report.value == checks.run(where, lane.spec.algorithm, nodes=work).value
    assert [nodes for nodes, _ in comparison.lanes[1].by_work()] == [1000, 2000, 4000]


def test_lanes_can_be_changed() -> None:
    where = catalog.position("4453", "connect4")
    comparison = Comparison(where, lanes_of("alphabeta,minimax"), LaneBudget(depth=3))
    comparison.run()
    kept = finished(comparison).lanes[1].report
    comparison.change([comparison.lanes[1].spec, spec("pvs", {"table": "0"}, "connect4")])
    assert comparison.lanes[0].report is kept
    assert comparison.lanes[1].report is None
    with pytest.raises(InputError, match="no limit in iterations"):
        comparison.change([lane.spec for lane in comparison.lanes], LaneBudget(iterations=3))
    assert comparison.lanes[0].report is kept
    comparison.change([lane.spec for lane in comparison.lanes], LaneBudget(depth=4))
    assert comparison.lanes[0].report is None


def test_by_work_adds_the_depths_up() -> None:
    where = catalog.position("4453", "connect4")
    comparison = Comparison(where, lanes_of("alphabeta,deepening"), LaneBudget(depth=5), by_depth=True)
    comparison.run()
    finished(comparison)
    for lane in comparison.lanes:
        assert lane.report is not None
        assert sorted(lane.rows) == [1, 2, 3, 4, 5]
        assert lane.by_work()[-1][0] == lane.report.nodes
        assert all(before < after for (before, _), (after, _) in pairwise(lane.by_work()))


# Differences and agreement.


def test_nodes_that_found_the_quickest_win_are_said(plybench: Plybench) -> None:
    wins = "breakthrough/course-6x4 --depth 5 --algorithms deepening,alphabeta"
    found = plybench("compare", *wins.split(), "--json").json
    nodes = found["reports"][0]["distance_nodes"]
    assert nodes > 0
    said = " ".join(plybench("compare", *wins.split()).out.split())
    assert f"The nodes include those that found the quickest win: {nodes:,} of deepening" in said
    assert proving_text([("one", None)]) == ""


def test_where_lines_part() -> None:
    assert first_differing_ply("abc", "abd") == 3
    assert first_differing_ply("abc", "xbc") == 1
    assert first_differing_ply("abc", "ab") is None
    assert first_differing_ply("", "ab") is None


def test_differences_from_the_first_lane() -> None:
    first = LaneBelief(value=1.5, best_move="a", pv=("a", "b", "c"))
    assert not difference(first, first).any
    assert not difference(first, LaneBelief()).any, "who has not said anything does not differ"
    other = difference(first, LaneBelief(value=1.25, best_move="a", pv=("a", "b", "d")))
    assert (other.value, other.says, other.move, other.ply) == (-0.25, True, False, 3)
    assert difference(first, LaneBelief(value=1.5, best_move="b", pv=("b",))).move


def test_which_algorithms_have_to_agree() -> None:
    def kind(algorithm: str, game: str = "connect4", **parameters: int) -> str | None:
        return value_kind(algorithm, spec_of(algorithm, parameters, game).parameters, game)

    assert {kind(name) for name in ("minimax", "negamax", "alphabeta", "deepening", "pvs", "mtdf")} == {"minimax"}
    assert {kind(name) for name in ("random", "solver", "beam", "probcut")} == {None}
    assert kind("deepening", null_move=True) is None
    assert kind("deepening", threads=2) is None
    assert kind("deepening", quiescence=True) == "quiescence"
    assert kind("alphabeta", "chess") == "minimax"
    bare = {"null_move": False, "check_extension": False, "late_move_reductions": False, "futility": False}
    assert kind("pvs", "chess", **bare) is None, "a table may know a draw by repetition of another way"
    assert kind("pvs", "chess", **bare, table=0) == "quiescence"


def canned(algorithm: str, *values: float, **changes: object) -> Report:
    """A real report with other values at depths 1, 2, ..."""
    report = checks.run(catalog.position("startpos", "tictactoe"), algorithm, depth=1)
    rows = [
        DepthRow(depth=depth, value=value, best_move=None, pv=(), nodes=1, leaves=1, seconds=0)
        for depth, value in enumerate(values, 1)
    ]
    return replace(report, depths=tuple(rows), value=values[-1], **changes)


def test_a_disagreement_of_exact_algorithms_is_an_error_of_the_program() -> None:
    names = ["one", "two", "three"]
    alike = [canned("minimax", 1, 2), canned("alphabeta", 1, 2), canned("random", 7, 8)]
    good = agreement(names, alike)
    assert (good.agrees, good.lanes, good.depths, good.errors) == (True, ("one", "two"), (1, 2), ())
    bad = agreement(names, [alike[0], canned("alphabeta", 1, 3), alike[2]])
    assert not bad.agrees
    assert "At depth 2 one says +2, two says +3" in bad.errors[0]
    assert bad.sentence.startswith("PROGRAM ERROR")
    assert agreement(names, [alike[0], None, alike[2]]).agrees
    assert agreement(names, [canned("minimax", 1), canned("alphabeta", 1, 3), None]).agrees, "depth 2 has only one"


def test_proofs_may_not_contradict_each_other() -> None:
    won = canned("minimax", 1, exact=True, outcome="first", distance=3)
    assert agreement(["a", "b"], [won, won]).agrees
    lost = canned("random", 1, exact=True, outcome="second", distance=3)
    assert not agreement(["a", "b"], [won, lost]).agrees
    drawn = canned("random", 1, exact=True, outcome="draw", distance=None)
    assert not agreement(["a", "b"], [won, drawn]).agrees
    slower = canned("random", 1, exact=True, outcome="first", distance=5)
    assert not agreement(["a", "b"], [won, slower]).agrees
    unknown = canned("random", 1, exact=True, outcome="first", distance=None)
    assert agreement(["a", "b"], [won, unknown]).agrees
    truth = Truth(source="solver", outcome="draw", distance=None, value=0, nodes=1)
    assert "the truth (solver)" in agreement(["a"], [won], truth).errors[0]


def test_an_error_of_the_program_has_its_own_exit_code(plybench: Plybench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.comparison.agreement.CHANGING", ())  # as if a beam of one move were exact
    command = ("compare", "4453", "--game", "connect4", "--algorithms", "deepening,deepening", "--depth", "3")
    answer = plybench(*command, "--set", "2:beam=1")
    assert answer.code == 1
    assert "PROGRAM ERROR" in answer.out


def test_lanes_may_differ_in_what_positions_are_worth(plybench: Plybench) -> None:
    """Each lane says what a search with its weights alone says, and different weights are no disagreement."""
    command = ("compare", "44", "--game", "connect4", "--algorithms", "a=alphabeta,b=alphabeta", "--depth", "3", "--json")
    answer = plybench(*command, "--set", "b:weights=15,244,953")
    assert answer.code == 0, answer.err
    values = [report["value"] for report in answer.json["reports"]]
    alone = []
    for weights in ("1,10,100", "15,244,953"):
        single = ("analyze", "44", "--game", "connect4", "--algorithm", "alphabeta", "--depth", "3", "--json")
        alone.append(plybench(*single, "--set", f"weights={weights}").json["value"])
    assert values == alone
    assert values[0] != values[1]
    assert answer.json["agreement"]["agrees"]
    assert answer.json["lanes"][1]["changed"] == {"weights": "15,244,953"}
    chess = ("compare", "chess/kiwipete", "--algorithms", "minimax,minimax", "--depth", "1", "--set", "2:evaluation=tapered")
    found = plybench(*chess, "--json").json
    assert found["reports"][1]["options"]["evaluation"] == "tapered"
    assert found["reports"][0]["options"]["evaluation"] == "shannon"
    bad = plybench(*command, "--set", "b:evaluation=tapered")
    assert bad.code == 2
    assert (
        "alphabeta has no parameter 'evaluation' in connect4. Choose from quickest, backwards, tables and weights."
        in bad.err
    )


@pytest.mark.plain
@pytest.mark.parametrize("together", [True, False])
def test_a_lane_begins_while_the_code_of_another_is_compiled(together: bool) -> None:
    """What is ready runs to its end; what is not waits, and the comparison goes on until it has run too."""
    where = catalog.position("44", "connect4")
    comparison = Comparison(where, lanes_of("minimax,alphabeta"), LaneBudget(depth=2), together=together)
    comparison.not_ready = frozenset({"minimax"})
    comparison.run()
    waits, runs = comparison.lanes
    assert runs.search is not None
    runs.search.join(60)
    for _ in range(3):
        assert not comparison.wait(0.01), "one lane still waits"
    assert runs.report is not None
    assert waits.report is None
    assert not waits.running
    comparison.not_ready = frozenset()
    finished(comparison)
    assert waits.report is not None
    assert waits.report.value == runs.report.value
