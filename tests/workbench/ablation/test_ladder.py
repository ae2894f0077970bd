"""`plybench ablate`: one switch after the other, each keeping those before it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from engines import catalog
from engines.contract import Limit, Report
from tests.engines import checks
from tests.workbench.conftest import Plybench
from workbench.ablation import ladder as ablate
from workbench.ablation import view

MIDDLEGAME = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
deepening = pytest.mark.skipif("deepening" not in catalog.ALGORITHMS, reason="there are no switches without deepening")


def switches(game: str, algorithm: str = "deepening") -> list[str]:
    where = catalog.position("startpos", game)
    found = ablate.stages(catalog.algorithm(algorithm), where.game, {})
    return [rung.parameter if isinstance(rung.setting, bool) else f"{rung.parameter} {rung.setting}" for rung, _ in found]


@deepening
def test_a_game_has_the_switches_it_knows_something_for() -> None:
    ordering = ["ordering captures", "ordering killers", "ordering full"]
    assert switches("chess")[1:] == [
        "table 64",
        *ordering,
        "aspiration",
        "quiescence",
        "null_move",
        "check_extension",
        "singular_extension",
        "late_move_reductions",
        "futility",
    ]
    assert not {"null_move", "check_extension"} & set(switches("tree"))
    assert "aspiration" not in switches("chess", "mtdf")


@deepening
def test_every_step_keeps_the_switches_before_it() -> None:
    where = catalog.position("startpos", "chess")
    stages = list(ablate.stages(catalog.algorithm("deepening"), where.game, {"table": 8, "threads": 2}))
    first = stages[0][1]
    assert {first[name] for name in ("quiescence", "null_move", "aspiration", "futility", "probcut")} == {False}
    assert (first["table"], first["ordering"], first["beam"], first["threads"]) == (0, "none", 0, 2)
    assert stages[1][1]["table"] == 8
    for (_, before), (rung, after) in pairwise(stages):
        assert {name for name in after if after[name] != before[name]} == {rung.parameter}


@deepening
def test_the_ladder_in_connect4(plybench: Plybench) -> None:
    answer = plybench("ablate", "4444", "--game", "connect4", "--depth", "7", "--json")
    assert (answer.code, answer.err) == (0, "")
    found = answer.json
    assert {"position", "game", "steps"} <= set(found)
    assert (found["game"], found["position"], found["complete"], found["limit"]["depth"]) == ("connect4", "4444", True, 7)
    steps = {f"{row['switch']} {row['setting']}": row for row in found["steps"]}
    for row in found["steps"]:
        assert {"switch", "nodes", "seconds", "value", "best_move", "depth", "saved"} <= set(row)
    nothing, table = found["steps"][:2]
    assert (nothing["switch"], nothing["saved"], table["switch"]) == ("nothing", None, "table")
    assert table["nodes"] < nothing["nodes"]
    assert table["saved"] == pytest.approx(nothing["nodes"] / table["nodes"], abs=1e-3)
    assert (table["value"], table["changed_values"]) == (nothing["value"], 0), "a table changes no value"
    assert steps["ordering full"]["value"] == nothing["value"]
    plain = plybench("analyze", "4444", "--game", "connect4", "--depth", "7", "--json").json
    assert plain["value"] == nothing["value"]


@deepening
def test_for_people(plybench: Plybench) -> None:
    out = plybench("ablate", "4444", "--game", "connect4", "--depth", "6").out
    assert "deepening on 4444, depth 6" in out
    for word in ("nothing", "table 64", "÷", "Each step keeps"):
        assert word in out


@deepening
def test_a_file_is_added_up(plybench: Plybench, tmp_path: Path) -> None:
    file = tmp_path / "two.epd"
    file.write_text(f"{MIDDLEGAME}\n6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;\n")
    found = plybench("ablate", str(file), "--depth", "2", "--json").json
    single = plybench("ablate", MIDDLEGAME, "--game", "chess", "--depth", "2", "--json").json
    assert (found["position"], found["positions"], found["game"]) == (str(file), 2, "chess")
    assert found["steps"][0]["nodes"] > single["steps"][0]["nodes"]
    assert found["steps"][0]["value"] is None
    assert "2 positions" in plybench("ablate", str(file), "--depth", "1").out


def test_what_cannot_be(plybench: Plybench, tmp_path: Path) -> None:
    bad = tmp_path / "bad.epd"
    bad.write_text("rubbish\n")
    for command, hint in [
        (("ablate", "startpos", "--game", "connect4", "--algorithm", "alphabeta"), "alphabeta has no switches"),
        (("ablate", str(bad), "--algorithm", "alphabeta"), "1 of 1 lines skipped; line 1: The board has 8 rows"),
        (("ablate", "no-such.epd", "--algorithm", "alphabeta"), "There is no file"),
        (("ablate", "startpos", "--algorithm", "alphabeta"), "--game"),
    ]:
        answer = plybench(*command)
        assert (answer.code, answer.err.count("\n")) == (2, 1)
        assert hint in answer.err


def report(value: float, move: str, nodes: int) -> Report:
    """A canned report: a real one with other numbers."""
    import msgspec

    real = checks.run(catalog.position("startpos", "tictactoe"), "alphabeta", depth=1)
    return msgspec.structs.replace(real, value=value, best_move=move, nodes=nodes, seconds=nodes / 1000)


def test_steps_are_compared_with_the_one_before() -> None:
    first = ablate.step(ablate.Rung("nothing", None), [report(0, "a1", 800)], [], None)
    before = [report(0, "a1", 800)]
    second = ablate.step(ablate.Rung("table", 8), [report(1, "a1", 100)], before, first)
    assert (first.saved, first.changed_values) == (None, 0)
    assert (second.saved, second.saved_seconds, second.changed_values, second.changed_moves) == (8, 8, 1, 0)
    assert view.bar(second.saved).plain == "███"
    assert view.bar(0.25).plain == "░░"
    assert view.bar(1.0).plain == ""
    assert (view.factor(8), view.factor(0.5), view.factor(1)) == ("÷8.00", "×2.00", "same")
    found = ablate.Ablation(
        position="startpos", positions=1, game="tictactoe", algorithm="x", limit=Limit(depth=1), complete=False, steps=()
    )
    assert view.table(found, [catalog.position("startpos", "tictactoe")])
