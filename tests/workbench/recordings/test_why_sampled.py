"""Sentences about sampled nodes, examined: 0 of them false."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.examiner import sampling
from tests.examiner.oracles import Roll
from tests.examiner.searches import board_case
from tests.naive import games as naive
from tests.naive import uct as naive_uct
from tests.thorough import LONG
from workbench.recordings.why.reasons import why

SEARCHES = 1000 if LONG else 60
GAMES = ("tictactoe", "connect4", "breakthrough", "tree", "einstein")


def random_search(number: int) -> tuple[Recording, Any]:
    """Any algorithm that samples, with any parameters, on any position."""
    random = Random(number)
    game = random.choice(GAMES)
    if game == "einstein":
        position = catalog.position("startpos", game)
        oracle: Any = Roll.read(position.game.board_text(position.state))
        oracle = Roll(oracle.stones, oracle.red_moves, oracle.die)
        for _ in range(random.randint(0, 12)):
            move = random.choice(oracle.moves())
            if oracle.play(move).winner():
                break
            position, oracle = position.play(position.game.read_move(position.state, move)), oracle.play(move)
    else:
        case = board_case(game, random)
        position, oracle = case.position, case.oracle
    algorithm = random.choice(["uct"] * 6 + ["monte-carlo", "ppa"])
    found = catalog.algorithm(algorithm)
    if catalog.misfit(found, position):
        found = catalog.algorithm("uct")
    parameters: dict[str, Any] = {"memory": 1}
    if found.id != "monte-carlo":
        parameters |= {"k": random.choice([0.0, 0.4, 1.5, 5.0]), "proofs": random.random() < 0.5}
    if found.id == "uct":
        parameters |= {
            "widening": random.choice([0.0, 0.0, 0.5, 1.0, 2.0]),
            "batch": random.choice([1, 1, 3]),
            "transpositions": random.random() < 0.3,
        }
        if random.random() < 0.3:
            parameters |= {"threads": 2, "parallel": random.choice(["root", "leaf", "tree"])}
    tape, limit = new_tape(5000), Limit(iterations=random.choice([1, 2, 7, 40, 150]))
    report = Search(position, found, limit, parameters, random.randint(0, 99), tape=tape).start().report()
    return Recording.of(tape, report, found.view), oracle


@pytest.mark.plain
def test_nothing_false_is_said_of_nodes_that_were_sampled() -> None:
    wrong = []
    for number in range(SEARCHES):
        recording, oracle = random_search(number)
        told = (recording.report.game, recording.report.position, recording.report.parameters)
        wrong += [(number, told, *fault) for fault in sampling.faults(recording, oracle)]
    assert not wrong, "\n".join(map(str, wrong[:5])) + f"\n{len(wrong)} in all"


@pytest.mark.plain
def test_the_examiner_finds_what_is_false(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence that leaves out widening, as one did, and others that are a little wrong."""
    position, oracle = catalog.position("startpos", "connect4", "5x4"), naive.Connect4.start(5, 4)
    tape, found = new_tape(500), catalog.algorithm("uct")
    search = Search(position, found, Limit(iterations=40), {"widening": 0.5}, tape=tape)
    recording = Recording.of(tape, search.start().report(), "first")
    assert not list(sampling.faults(recording, oracle))
    said = why(recording, 0)
    assert "widening allows" in said
    untrue = [
        re.sub(r" Next it looks at .*", " Next it tries one of 2 moves that it has not tried.", said),
        re.sub(r"exploration 0", "exploration 1", said),
        re.sub(r"allows \d+", "allows 99", said),
        re.sub(r"^\d+ games", "41 games", said),
        re.sub(r"most: move \d", "most: move 9", said),
        said.replace("exploration", "doubt"),
    ]
    for sentence in untrue:
        assert sentence != said
        monkeypatch.setattr(sampling, "why", lambda recording, row, it=sentence: it if row == 0 else why(recording, row))
        assert list(sampling.faults(recording, oracle)), sentence


@pytest.mark.plain
@pytest.mark.parametrize("game", ["tictactoe", "connect4", "breakthrough"])
def test_the_next_move_is_the_one_that_a_naive_twin_makes(game: str) -> None:
    for number in range(SEARCHES // 10):
        random = Random(number)
        case = board_case(game, random)
        moves = len(case.oracle.moves())
        count, k = moves + 1 + random.randint(0, 40), random.choice([0.2, 0.4, 1.0])
        tape, found = new_tape(500), catalog.algorithm("uct")
        report = Search(case.position, found, Limit(iterations=count), {"k": k}, number, tape=tape).start().report()
        said = why(Recording.of(tape, report, "first"), 0)
        told = re.search(r"Next it looks at (?:move )?(\S+):", said)
        assert told is not None, said
        assert told[1] == sampling.next_at_root(case.oracle, count, number, k, lambda: naive_uct.play_out)
