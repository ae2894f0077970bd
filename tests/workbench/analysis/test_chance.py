"""Chance and more players as a person sees them: forms of values, reasons, rolls, stepping, the tree, the truth."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engines import catalog
from engines.contract import Limit, RootMove
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import KINDS, new_tape
from positions import library
from tests.engines import checks
from tests.workbench.settling import begun, settled
from workbench.analysis.desk import Desk
from workbench.app.app import PlybenchApp
from workbench.app.screens.tree import TreeScreen
from workbench.export.session import to_markdown
from workbench.proofs.truth import truth_of
from workbench.recordings.why.nodes import label
from workbench.recordings.why.reasons import why
from workbench.render import report_text
from workbench.render.values import bound_text, likelihood_text, row_value_text, value_text, vector_text

AIMA = "(A[0.9:20 0.1:30] B[0.9:1 0.1:400])"
THREE = "(((<1 2 6> <4 2 3>) (<6 1 2> <7 4 1>)) ((<5 1 1> <1 5 2>) (<7 7 1> <5 4 5>)))"


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test touches anybody's sessions."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))


@pytest.mark.plain
def test_values_have_their_own_form() -> None:
    tree = catalog.position(AIMA, "tree")
    assert row_value_text(checks.run(tree, "star1"), tree.game) == "+40.90 σ120"
    vectors = catalog.position(THREE, "tree")
    report = checks.run(vectors, "maxn")
    assert row_value_text(report, vectors.game) == "<+1 +2 +6>"
    assert report_text.sentence(report, vectors) == "P1 +1, P2 +2, P3 +6; 1 is best for P1."
    board = catalog.position("XX./OO./ZZ.", "tictactoe")
    assert vector_text((-999_998, 999_998, -999_998), board.game) == "O in 2"
    assert value_text(-999_998, board.game) == "lost in 2"
    no_better = RootMove(move="c1", value=1, bound="at most", nodes=1, values=(1, 2, 3))
    assert bound_text(no_better, board.game) == "no better"
    assert [likelihood_text(share) for share in (0.5, 1 / 6, 0.25, 2 / 3, 1.0, 0.123456)] == [
        "0.5",
        "1/6",
        "0.25",
        "2/3",
        "1",
        "0.123",
    ]


@pytest.mark.plain
def test_sentences_about_chance() -> None:
    start = catalog.position("startpos", "einstein")
    said = report_text.sentence(checks.run(start, "star2", depth=1), start)
    assert said.startswith("Before the die has decided, it is worth ")
    sampled = report_text.sentence(checks.run(start, "uct", iterations=20), start)
    assert "(95 % between " in sampled
    tree = catalog.position(AIMA, "tree")
    assert report_text.sentence(checks.run(tree, "expectiminimax"), tree).endswith("on average; best is B.")
    kingmaker = library.get("tictactoe/kingmaker").position()
    report = checks.run_with(kingmaker, "paranoid", {"coalition": "X+Z"}, depth=3)
    assert report_text.sentence(report, kingmaker) == "c2 is best: won in 2 for X's side at depth 3."


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "game", "algorithm", "depth"),
    [
        ("(A[0.5:(3 5) 0.5:(4 6)] B[0.25:(2 9) 0.25:(3 1) 0.5:(1 8)])", "tree", "star2", 2),
        ("(A[0.5:(3 5) 0.5:(4 6)] B[0.25:(2 9) 0.25:(3 1) 0.5:(1 8)])", "tree", "star1", 2),
        ("startpos moves 3", "einstein", "star1", 2),
        (THREE, "tree", "maxn", 3),
        ("XX./OO./Z..", "tictactoe", "maxn", 3),
        ("XX./OO./Z..", "tictactoe", "paranoid", 3),
        ("([0.5:<1 2> 0.5:<3 4>] <2 2>)", "tree", "paranoid", 2),
    ],
)
def test_every_node_has_a_reason(text: str, game: str, algorithm: str, depth: int) -> None:
    position, found, tape = catalog.position(text, game), catalog.algorithm(algorithm), new_tape(5000)
    parameters = {"pruning": True} if algorithm == "maxn" else {}
    report = Search(position, found, Limit(depth=depth), parameters, tape=tape).run_here().report()
    recording = Recording.of(tape, report, found.view)
    for node in range(min(len(recording), 300)):
        reason = why(recording, node)
        assert reason.endswith("."), (KINDS[recording.kind[node]], reason)
        assert label(recording, node).move
        if node and recording.turn[recording.parent[node]] == 0:
            assert " p=" in label(recording, node).move


@pytest.mark.plain
def test_a_tape_with_chance_and_vectors_is_saved_and_read(tmp_path: Path) -> None:
    for text, algorithm in (("([0.5:<1 2 3> 0.5:<3 4 5>] <2 2 2>)", "maxn"), (AIMA, "star2")):
        position, found, tape = catalog.position(text, "tree"), catalog.algorithm(algorithm), new_tape(100)
        report = Search(position, found, tape=tape).run_here().report()
        recording = Recording.of(tape, report, found.view)
        recording.save(tmp_path / "search.tape")
        again = Recording.load(tmp_path / "search.tape")
        assert again.faults() == 0
        assert [again.values(node) for node in range(len(again))] == [recording.values(node) for node in range(len(again))]
        assert [again.likelihood(node) for node in range(len(again))] == [
            recording.likelihood(node) for node in range(len(again))
        ]


@pytest.mark.plain
def test_the_truth_about_chance() -> None:
    truth = truth_of(catalog.position(AIMA, "tree"), ["A"])
    assert truth is not None
    assert truth.value == pytest.approx(40.9)
    assert truth_of(catalog.position(THREE, "tree"), ["1"]) is None
    assert truth_of(catalog.position("startpos", "einstein"), []) is None


@pytest.mark.plain
def test_reports_that_are_exported_have_the_forms() -> None:
    desk = Desk(catalog.position(THREE, "tree"))
    assert desk.algorithm == "maxn"
    desk.run()
    assert desk.search is not None
    desk.search.join(30)
    desk.look()
    assert "<+1 +2 +6\\>" in to_markdown(desk.session)


async def pressed(pilot: Pilot[None], *keys: str) -> None:
    """Press keys one after the other, and wait for what each of them starts."""
    app = pilot.app
    assert isinstance(app, PlybenchApp)
    for key in keys:
        await pilot.press(key)
        await settled(pilot)
        while app.desk.busy:
            await settled(pilot)
        await settled(pilot)


def test_rolls_and_steps_in_the_app() -> None:
    asyncio.run(rolls_and_steps())


async def rolls_and_steps() -> None:
    """The die is rolled with a key, the search steps depth by depth, and the history has the roll."""
    app = PlybenchApp(catalog.position("...../..A../...../..a../..... r", "einstein"))
    async with app.run_test(size=(80, 24)) as pilot:
        await begun(pilot)
        await pressed(pilot, "right_square_bracket", "right_square_bracket")
        assert app.desk.algorithm == "star2"
        assert sorted(app.desk.beliefs) == [1, 2]
        assert app.desk.belief is not None
        assert app.desk.belief.row.best_move is None
        await pressed(pilot, "percent_sign")
        assert not app.desk.position.by_chance
        assert app.desk.position.text.split()[-1] in "123456"
        await pressed(pilot, "percent_sign", "right_square_bracket", "left_square_bracket")
        assert len(app.desk.position.played) == 1
        await pressed(pilot, "t")
        assert isinstance(app.screen, TreeScreen)


@pytest.mark.plain
@pytest.mark.parametrize("name", ["tree/coins", "tree/three-players", "tictactoe/kingmaker"])
def test_typed_chance_and_three_players_can_be_stepped(name: str) -> None:
    """One depth more, one back, and the recorded tree of it."""
    desk = Desk(library.get(name).position())
    for _ in range(2):
        desk.step()
        wait_for(desk)
    assert sorted(desk.beliefs) == [1, 2]
    desk.step_back()
    assert desk.shown == 1
    desk.step()
    desk.record(2)
    wait_for(desk)
    assert desk.recording is not None
    assert desk.recording.faults() == 0


def wait_for(desk: Desk) -> None:
    """Until the search has ended and is looked at."""
    while desk.busy or not desk.taken:
        assert desk.search is not None
        desk.search.join(10)
        desk.look()
