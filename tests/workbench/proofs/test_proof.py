"""Proofs and mistakes on the command line and in the app."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engines import catalog
from engines.contract import InputError, Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import CUT, EXPANDED, TERMINAL, new_tape
from positions import library
from tests.naive import games as naive
from tests.workbench.conftest import Plybench
from workbench.analysis.desk import Desk
from workbench.analysis.panels.counters import counter_cells
from workbench.analysis.panels.depths import depths_panel
from workbench.analysis.panels.root_moves import root_moves_panel
from workbench.analysis.panels.search import beliefs_text
from workbench.proofs.mistakes import judged
from workbench.recordings.why.nodes import window_text
from workbench.recordings.why.reasons import why

EXERCISE = "breakthrough/course-6x4"


@pytest.mark.parametrize("algorithm", ["pns", "dfpn"])
def test_a_proof_is_written_checked_and_shown(plybench: Plybench, tmp_path: Path, algorithm: str) -> None:
    path = tmp_path / "exercise.proof"
    report = plybench("analyze", EXERCISE, "--algorithm", algorithm, "--proof", str(path), "--json").json
    assert (report["outcome"], report["stopped_by"], report["disproof"]) == ("second", "solved", 0)
    assert [(row["question"], row["yes"]) for row in report["answers"]] == [("Does White win?", False)]
    found = plybench("proof", str(path), "--json").json
    assert (found["outcome"], found["holds"], found["faults"], found["made_by"]) == ("second", True, [], algorithm)
    assert found["checked"] == found["positions"] == found["parts"][0]["positions"]
    assert len(found["parts"][0]["line"]) == found["parts"][0]["plies"] == 5
    assert found["parts"][0]["shortest"]
    shown = plybench("proof", str(path), "--depth", "1").out
    assert "Does White win? No" in shown
    assert "at most 5 plies, and a search found no shorter way" in " ".join(shown.split())
    assert "The proof holds" in shown
    assert "It was not checked" in plybench("proof", str(path), "--unchecked").out


def test_the_shortest_proof_by_a_search_and_by_a_table(plybench: Plybench, tmp_path: Path) -> None:
    """The same number of plies, whoever finds it; and of what only a search to the end could tell, a sentence."""
    where, path = ("startpos", "--game", "breakthrough", "--size", "4x3"), str(tmp_path / "a.proof")
    told = plybench("analyze", *where, "--algorithm", "retrograde", "--proof", path, "--json").json
    by_table = plybench("proof", path, "--json").json
    plybench("analyze", *where, "--algorithm", "dfpn", "--proof", path, "--shortest", "--json")
    by_search = plybench("proof", path, "--json").json
    for found in (by_table, by_search):
        assert (found["holds"], found["outcome"]) == (True, told["outcome"])
        assert (found["parts"][0]["plies"], found["parts"][0]["shortest"]) == (told["distance"], True)
    assert by_table["positions"] < by_search["positions"] * 3
    chance = plybench("analyze", "[1/2:3 1/2:5]", "--game", "tree", "--algorithm", "expectiminimax", "--proof", path)
    assert (chance.code, "There is no proof of it to write" in chance.err) == (2, True)


def test_bad_proofs_are_sentences(plybench: Plybench, tmp_path: Path) -> None:
    open_question = ("analyze", "startpos", "--game", "connect4", "--algorithm", "pns", "--iterations", "5")
    answer = plybench(*open_question, "--proof", str(tmp_path / "none.proof"))
    assert answer.code == 2
    assert "Nothing is proven" in answer.err
    too_many = plybench("analyze", EXERCISE, "--algorithm", "dfpn", "--proof", str(tmp_path / "x"), "--proof-nodes", "3")
    assert (too_many.code, "more than 3 positions" in too_many.err) == (2, True)
    for name in ("none", "x"):
        assert plybench("proof", str(tmp_path / name)).code == 2
    assert plybench("mistakes", "startpos", "--game", "samegame").code == 2


@pytest.mark.parametrize(("game", "size"), [("breakthrough", "4x3"), ("connect4", "4x3"), ("tictactoe", "3x3x3")])
def test_mistakes_are_those_that_the_whole_tree_knows(game: str, size: str) -> None:
    numbers = [int(part) for part in size.split("x")]
    starts: dict[str, naive.Naive] = {
        "breakthrough": naive.Breakthrough.start(numbers[0], numbers[1], False),
        "connect4": naive.Connect4.start(numbers[0], numbers[1]),
        "tictactoe": naive.TicTacToe.start(),
    }
    solved: dict[naive.Naive, naive.Value] = {}
    random = Random(5)
    for _ in range(4):
        position, oracle = catalog.position("startpos", game, size), starts[game]
        truths = [naive.solve(oracle, solved)]
        while not position.is_over:
            move = random.choice(position.game.legal_moves(position.state))
            oracle = oracle.play(position.game.move_text(position.state, move))
            position = position.play(move)
            truths.append(naive.solve(oracle, solved))
        names = ["draw" if not naive.is_win(one) else "first" if one > 0 else "second" for one in truths]
        found = judged(position, megabytes=1)
        assert [row.outcome for row in found.plies] == names
        changes = [ply for ply in range(1, len(names)) if names[ply] != names[ply - 1]]
        assert [row.ply for row in found.losing] == changes


def test_mistakes_of_a_short_game(plybench: Plybench) -> None:
    found = plybench("mistakes", "1213", "--game", "connect4", "--size", "4x4", "--json").json
    assert [row["ply"] for row in found["plies"]] == [0, 1, 2, 3, 4]
    assert {row["outcome"] for row in found["plies"]} <= {"first", "second", "draw"}
    assert "losing move" in plybench("mistakes", "startpos moves a1 b1 a2 c1", "--game", "tictactoe").out


def exercise(algorithm: str) -> Desk:
    desk = Desk(library.get(EXERCISE).position())
    desk.choose(algorithm, {}, Limit(iterations=5000))
    return desk


def finished(desk: Desk) -> None:
    """Wait until what runs has been taken over."""
    while desk.busy or not desk.taken:
        if desk.search is not None:
            desk.search.join(5)
        desk.look()


@pytest.mark.parametrize("algorithm", ["pns", "dfpn", "best-first"])
def test_stepping_by_expansions(algorithm: str) -> None:
    desk = exercise(algorithm)
    for steps in range(1, 5):
        desk.step()
        finished(desk)
        assert desk.iterations == steps
        assert sorted(desk.beliefs) == list(range(1, steps + 1))
    desk.step_back()
    assert desk.shown == 3
    names = [cell.name for cell in counter_cells(desk.view())]
    assert ("proof" in names) == (algorithm != "best-first")
    assert ("frontier" in names) == (algorithm == "best-first")
    assert max(map(len, depths_panel(desk.view(), 0, 20).plain.split("\n"))) <= 60
    assert root_moves_panel(desk.view(), 70, 10).plain
    assert ("Does White win?" in beliefs_text(desk.view()).plain) == (algorithm != "best-first")
    desk.shown = None
    desk.run()
    finished(desk)
    assert desk.report is not None
    assert desk.report.outcome == "second"
    assert "Black wins" in beliefs_text(desk.view()).plain
    desk.record(0)
    finished(desk)
    assert desk.recording is not None
    assert desk.recording.faults() == 0
    assert why(desk.recording, 0)


def test_reasons_in_a_tree_of_numbers_and_in_a_proof() -> None:
    position, tape = library.get(EXERCISE).position(), new_tape(20_000)
    report = Search(position, catalog.algorithm("pns"), Limit(iterations=30), tape=tape).run_here().report()
    recording = Recording.of(tape, report, "first")
    assert "Black needs one good move: the disproof number" in why(recording, 0)
    assert window_text(recording, 0) == f"{report.proof} / {report.disproof}"
    assert any("Not expanded yet" in why(recording, node) for node in range(len(recording)))
    tape = new_tape(20_000)
    report = Search(position, catalog.algorithm("dfpn"), Limit(iterations=1000), tape=tape).run_here().report()
    proof = Recording.of(tape, report, "first")
    assert set(proof.kind) >= {CUT, EXPANDED, TERMINAL}
    assert why(proof, 0) == "Black needs one good move, and has it with b4b3: Black wins at ply 5."


def test_a_search_without_a_tree_cannot_be_recorded_as_a_proof() -> None:
    with pytest.raises(InputError, match="no limit in depth"):
        Search(library.get(EXERCISE).position(), catalog.algorithm("pns"), Limit(depth=3))


@pytest.mark.parametrize("algorithm", ["pns", "pn2", "dfpn", "pds"])
def test_a_proof_that_goes_round_is_written_checked_and_shown(plybench: Plybench, tmp_path: Path, algorithm: str) -> None:
    path, tape = tmp_path / "round.proof", tmp_path / "round.tape"
    files = ("--proof", str(path), "--tape", str(tape))
    report = plybench("analyze", "graph/for-ever", "--algorithm", algorithm, *files, "--json").json
    assert (report["outcome"], report["stopped_by"], report["pv"]) == ("second", "solved", ["B", "A"])
    found = plybench("proof", str(path), "--json").json
    assert (found["outcome"], found["holds"], found["parts"][0]["plies"]) == ("second", True, None)
    shown = plybench("proof", str(path), "--depth", "9").out
    assert "may go on for ever" in shown
    assert shown.count("back to where it was") == 2
    assert "every value follows from its children" in plybench("tape", str(tape)).out
    drawn = plybench("analyze", "graph/both-want", "--algorithm", algorithm, "--proof", str(path), "--json").json
    assert plybench("proof", str(path), "--json").json["holds"]
    assert drawn["outcome"] == library.get("graph/both-want").outcome


def test_mistakes_of_a_game_that_went_round() -> None:
    """At C it is a mistake to let MAX go on to D; at D, not to go to the target."""
    position = library.get("graph/for-ever").position()
    for name in ("B", "A", "C", "D", "C", "A", "B"):
        position = position.play(position.game.read_move(position.state, name))
    found = judged(position, megabytes=1)
    assert [row.outcome for row in found.plies] == ["second"] * 4 + ["first"] + ["second"] * 3
    assert [row.ply for row in found.losing] == [4, 5]
