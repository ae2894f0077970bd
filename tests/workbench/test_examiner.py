"""The examiner reads every sentence of random recorded searches: none is false, and none is of a form it does not know."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from tests.examiner import alphabeta, chance, proofs
from tests.examiner.searches import board_case, chance_case, chess_case, recorded, switches
from tests.thorough import LONG

SEARCHES = 1000 if LONG else 24
"""Of each family."""
DEPTHS = {"tree": 5, "connect4": 4, "tictactoe": 4, "breakthrough": 4, "chess": 2}
ALPHA_BETA = ("minimax", "negamax", "alphabeta", "deepening", "pvs", "mtdf", "beam", "probcut")
PROOFS = ("pns", "pn2", "dfpn", "pds")
CHANCE = ("expectiminimax", "star1", "star2")
LARGEST = 3000
"""Larger trees say nothing more, and take long."""


def none(faults: Iterator[tuple[int, str, str]], about: object) -> None:
    """No sentence is false."""
    for row, said, fault in faults:
        pytest.fail(f"{about}, node {row}: {said!r}: {fault}")


def test_the_alpha_beta_family() -> None:
    random = Random("alpha-beta")
    for number in range(SEARCHES):
        game, algorithm = list(DEPTHS)[number % len(DEPTHS)], random.choice(ALPHA_BETA)
        if game == "chess" and (not LONG or number > SEARCHES // 4):  # its naive rules are slow
            game = "breakthrough"
        case = chess_case(random) if game == "chess" else board_case(game, random)
        parameters, depth = switches(algorithm, random), random.randint(1, DEPTHS[game])
        if algorithm in ALPHA_BETA[3:] and game != "chess":
            depth += random.randint(0, 2)
        recording = recorded(case.position, algorithm, parameters, depth=depth)
        if len(recording) <= LARGEST:
            none(alphabeta.faults(recording, case.oracle), (case.position.text, algorithm, parameters, depth))


def test_the_family_with_chance() -> None:
    random = Random("chance")
    for number in range(SEARCHES):
        game, algorithm = "einstein" if number % 5 == 4 else "tree", CHANCE[number % len(CHANCE)]
        case, depth = chance_case(game, random), random.randint(1, 6) if game == "tree" else 1
        recording = recorded(case.position, algorithm, {}, depth=depth)
        if len(recording) <= LARGEST:
            none(chance.faults(recording, case.oracle), (case.position.text, algorithm, depth))


def test_proof_searches_and_their_proofs() -> None:
    random = Random("proofs")
    for number in range(SEARCHES):
        game, algorithm = ("tictactoe", "tree")[number % 2], random.choice(PROOFS)
        case = board_case(game, random)
        parameters = {"mobility": random.random() < 0.5, "spread": random.choice((0, 2))} if algorithm == "pns" else {}
        recording = recorded(case.position, algorithm, parameters, nodes=random.choice((20, 100, 400, 1000)))
        if len(recording) <= LARGEST:
            none(proofs.faults(recording, case.oracle), (case.position.text, algorithm, parameters))


def test_best_first() -> None:
    random = Random("best-first")
    for number in range(SEARCHES):
        case = board_case(("tictactoe", "tree")[number % 2], random)
        recording = recorded(case.position, "best-first", {}, iterations=random.choice((1, 5, 20, 100)))
        if len(recording) <= LARGEST:
            none(alphabeta.faults(recording, case.oracle), case.position.text)
