"""The examiner reads every sentence of random recorded searches: none is false, and none is of a form it does not know."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from engines.contract import Setting
from engines.tape.recording import Recording
from tests.examiner import alphabeta, chance, company, family, one_game, proofs, solving
from tests.examiner.oracles import Roll
from tests.examiner.searches import (
    Case,
    board_case,
    chance_case,
    chess_case,
    company_case,
    one_game_case,
    recorded,
    solver_case,
    switches,
)
from tests.naive.games import Naive, Value
from tests.thorough import LONG
from workbench.recordings.why.reasons import why

SEARCHES = 1000 if LONG else 24
"""Of each family."""
DEPTHS = {"tree": 5, "connect4": 4, "tictactoe": 4, "breakthrough": 4, "chess": 2}
ALPHA_BETA = ("minimax", "negamax", "alphabeta", "deepening", "pvs", "mtdf", "beam", "probcut")
PROOFS = ("pns", "pn2", "dfpn", "pds")
CHANCE = ("expectiminimax", "star1", "star2")
COMPANY = {"tree": 6, "three": 3, "tictactoe": 3, "connect4": 3}
"""Games of any number of players, and how deep they are searched."""
ONE_GAME = ("tree", "three", "connect4", "tictactoe", "breakthrough", "einstein", "chance", "several", "samegame")
LARGEST = 3000
"""Larger trees say nothing more, and take long."""
Faults = Iterator[tuple[int, str, str]]


class Sample(NamedTuple):
    """A recorded search, what is false in it, found when it is asked for, and what to say of it then."""

    recording: Recording
    faults: Faults
    about: object


def examine(name: str, sample: Callable[[int, Random], Sample]) -> None:
    """No sentence is false in so many searches. One whose tree is too large does not count: another takes its place."""
    random, examined = Random(name), 0
    while examined < SEARCHES:
        recording, faults, about = sample(examined, random)
        if len(recording) <= LARGEST:
            none(faults, about)
            examined += 1


def none(faults: Faults, about: object) -> None:
    """No sentence is false."""
    for row, said, fault in faults:
        pytest.fail(f"{about}, node {row}: {said!r}: {fault}")


def test_the_alpha_beta_family() -> None:
    def sample(number: int, random: Random) -> Sample:
        game, algorithm = list(DEPTHS)[number % len(DEPTHS)], random.choice(ALPHA_BETA)
        if game == "chess" and (not LONG or number > SEARCHES // 4):  # its naive rules are slow
            game = "breakthrough"
        case = chess_case(random) if game == "chess" else board_case(game, random)
        parameters, depth = switches(algorithm, random), random.randint(1, DEPTHS[game])
        if algorithm in ALPHA_BETA[3:] and game != "chess":
            depth += random.randint(0, 2)
        recording = recorded(case.position, algorithm, parameters, depth=depth)
        about = (case.position.text, algorithm, parameters, depth)
        return Sample(recording, alphabeta.faults(recording, case.oracle), about)

    examine("alpha-beta", sample)


def test_the_family_with_chance() -> None:
    def sample(number: int, random: Random) -> Sample:
        game, algorithm = "einstein" if number % 5 == 4 else "tree", CHANCE[number % len(CHANCE)]
        case, depth = chance_case(game, random), random.randint(1, 6) if game == "tree" else 1
        recording = recorded(case.position, algorithm, {}, depth=depth)
        return Sample(recording, chance.faults(recording, case.oracle), (case.position.text, algorithm, depth))

    examine("chance", sample)


def test_proof_searches_and_their_proofs() -> None:
    def sample(number: int, random: Random) -> Sample:
        game, algorithm = ("tictactoe", "tree")[number % 2], random.choice(PROOFS)
        case = board_case(game, random)
        parameters = {"mobility": random.random() < 0.5, "spread": random.choice((0, 2))} if algorithm == "pns" else {}
        recording = recorded(case.position, algorithm, parameters, nodes=random.choice((20, 100, 400, 1000)))
        return Sample(recording, proofs.faults(recording, case.oracle), (case.position.text, algorithm, parameters))

    examine("proofs", sample)


def test_best_first() -> None:
    def sample(number: int, random: Random) -> Sample:
        case = board_case(("tictactoe", "tree")[number % 2], random)
        recording = recorded(case.position, "best-first", {}, iterations=random.choice((1, 5, 20, 100)))
        return Sample(recording, alphabeta.faults(recording, case.oracle), case.position.text)

    examine("best-first", sample)


def test_the_solver() -> None:
    solved: dict[Naive, Value] = {}

    def sample(number: int, random: Random) -> Sample:
        case = solver_case(("connect4", "breakthrough")[number % 2], random)
        parameters: dict[str, Setting] = {"table": 1, "all_moves": random.random() < 0.4}
        limit = random.choice(({}, {}, {"depth": 3}, {"depth": 6}, {"nodes": 20}))
        recording = recorded(case.position, "solver", parameters, **limit)
        return Sample(recording, solving.faults(recording, case.oracle, solved), (case.position.text, parameters, limit))

    examine("solver", sample)


def in_company(algorithm: str, number: int, random: Random) -> Sample:
    """A search for any number of players; half of those with more than two have a coalition."""
    game = list(COMPANY)[number % len(COMPANY)]
    case, depth = company_case(game, random), random.randint(1, COMPANY[game])
    parameters: dict[str, Setting] = {}
    if algorithm == "maxn":
        parameters = {"pruning": random.random() < 0.6, "ties": random.choice(("first", "against"))}
    count = case.position.game.player_count
    if count > 2 and random.random() < 0.5:
        members = random.sample(range(1, count + 1), random.randint(1, count - 1))
        parameters["coalition"] = "+".join(map(str, sorted(members)))
    recording = recorded(case.position, algorithm, parameters, depth=depth)
    return Sample(recording, company.faults(recording, case.oracle), (case.position.text, algorithm, parameters, depth))


@pytest.mark.parametrize("algorithm", ["maxn", "paranoid"])
def test_any_number_of_players(algorithm: str) -> None:
    examine(algorithm, lambda number, random: in_company(algorithm, number, random))


def test_one_random_game() -> None:
    def sample(number: int, random: Random) -> Sample:
        case = one_game_case(ONE_GAME[number % len(ONE_GAME)], random)
        limit = {} if isinstance(case.oracle, Roll) or random.random() < 0.5 else {"depth": random.randint(1, 6)}
        recording = recorded(case.position, "random", {}, seed=number, **limit)
        return Sample(recording, one_game.faults(recording, case.oracle), (case.position.text, number, limit))

    examine("random", sample)


def changed(said: str) -> list[str]:
    """The same sentence with each of its numbers a little different, and with another player in it."""
    found = [
        f"{said[: one.start()]}{int(one[0]) + 1}{said[one.end() :]}" for one in re.finditer(r"(?<![\d.])\d+(?=[ ;:])", said)
    ]
    others = [said.replace("X", "O"), said.replace("Red", "Blue"), said.replace("White", "Black")]
    return [*found, *(other for other in others if other != said)]


@pytest.mark.parametrize(
    ("module", "algorithm", "case"),
    [
        (company, "maxn", lambda: company_case("three", Random(2))),
        (company, "paranoid", lambda: company_case("three", Random(2))),
        (one_game, "random", lambda: one_game_case("three", Random(2))),
        (solving, "solver", lambda: solver_case("breakthrough", Random(2))),
    ],
)
def test_the_examiner_finds_what_is_false(
    module: ModuleType, algorithm: str, case: Callable[[], Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    position, oracle = case().position, case().oracle
    recording = recorded(position, algorithm, {}, depth=3)
    more: tuple[Any, ...] = ({},) if module is solving else ()
    assert not list(module.faults(recording, oracle, *more))
    tampered = [(row, other) for row in range(min(8, len(recording))) for other in changed(why(recording, row))]
    assert tampered
    for place, sentence in tampered:
        monkeypatch.setattr(
            family, "why", lambda recording, row, at=place, it=sentence: it if row == at else why(recording, row)
        )
        assert list(module.faults(recording, oracle, *more)), sentence
