"""`plybench retrograde`: tables are built, listed, checked, used and deleted; graphs are read from files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import catalog
from engines.solved import registry, store
from tests.workbench.conftest import Plybench
from workbench.proofs.truth import truth_of


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data directory of its own."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    yield tmp_path / "data"
    registry.close_tables()


def test_a_table_is_built_used_and_deleted(plybench: Plybench, data: Path) -> None:
    built = plybench("retrograde", "build", "connect4", "3x3", "--json").json
    assert built["built"] == ["connect4-3x3"]
    facts = built["tables"][0]["facts"]
    assert facts["won"] + facts["drawn"] + facts["lost"] + facts["over"] == facts["positions"] == sum(facts["by_ply"])
    assert plybench("retrograde", "build", "connect4", "3x3", "--json").json["built"] == []
    assert plybench("retrograde", "build", "connect4", "3x3", "--again", "--json").json["built"] == ["connect4-3x3"]
    assert "connect4-3x3" in plybench("retrograde", "list").out
    assert plybench("retrograde", "show", "connect4-3x3").code == 0
    found = plybench("analyze", "12", "--game", "connect4", "--size", "3x3", "--algorithm", "retrograde", "--json").json
    assert found["exact"]
    position = catalog.position("12", "connect4", "3x3")
    truth = truth_of(position, [found["best_move"]])
    assert truth is not None
    assert truth.source == "the table connect4-3x3"
    assert (truth.outcome, truth.distance) == (found["outcome"], found["distance"])
    assert truth.moves[0].regret == 0
    assert plybench("retrograde", "delete", "connect4-3x3").code == 0
    assert plybench("retrograde", "list", "--json").json["tables"] == []


def test_options_make_tables_of_their_own(plybench: Plybench) -> None:
    built = plybench("retrograde", "build", "breakthrough", "4x2", "--set", "misere=true", "--threads", "1", "--json").json
    assert built["built"] == ["breakthrough-4x2-misere"]
    assert built["tables"][0]["facts"]["threads"] == 1
    assert not registry.is_there("breakthrough-4x2")


def test_damage_is_found(plybench: Plybench) -> None:
    plybench("retrograde", "build", "tictactoe", "2x2")
    path = store.path_of("tictactoe-2x2x2")
    content = bytearray(path.read_bytes())
    content[-2] ^= 1
    path.write_bytes(content)
    registry.close_tables()
    checked = plybench("retrograde", "check", "--json")
    assert checked.code == 1
    assert "damaged" in checked.json[0]["error"]
    assert "damaged" in plybench("retrograde", "check").out


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("build", "chess"), "which ending"),
        (("build", "KXK"), "written like KQK"),
        (("build", "KQRBK"), "at most 4 men"),
        (("build", "KNK"), "nobody can mate"),
        (("build", "connect4", "7x6"), "too many positions"),
        (("build", "tree"), "no tables are made for"),
        (("build", "connect4", "3x3", "--threads", "0"), "from 1 to 64"),
        (("build", "nothing"), "no game 'nothing'"),
        (("show", "nothing"), "no table 'nothing'"),
    ],
)
def test_bad_input(plybench: Plybench, command: tuple[str, ...], said: str) -> None:
    found = plybench("retrograde", *command)
    assert found.code == 2
    assert said in found.err


GRAPH = """# a roundabout
start = "A"
targets = ["T"]

[nodes]
A = {owner = "max", to = ["B", "C"]}
B = {owner = "min", to = ["A", "T"]}
C = {owner = "J2", to = ["T"]}
T = {}
"""


def test_a_graph_in_a_file(plybench: Plybench, tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_text(GRAPH)
    for game in ((), ("--game", "graph")):
        found = plybench("analyze", str(file), *game, "--algorithm", "attractor", "--json").json
        assert (found["outcome"], found["distance"], found["best_move"]) == ("first", 2, "C")
        assert {row["node"]: row["layer"] for row in found["regions"]} == {"A": 2, "B": 3, "C": 1, "T": 0}
    said = plybench("analyze", "graph/for-ever", "--algorithm", "attractor", "--truth").out
    assert "play goes on for ever" in " ".join(said.split())
    assert json.loads(plybench("positions", "graph/for-ever", "--json").out)["outcome"] == "second"
