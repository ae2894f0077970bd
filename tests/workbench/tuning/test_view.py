"""What the Tune screen and the command say of tuning."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from rich.console import Console

from engines import catalog
from workbench.tuning.genetic import Coding, Tuning, measured
from workbench.tuning.types import Acceptance, TuneOutcome, TuneTerms
from workbench.tuning.view import acceptance_table, best_weights, status_line, tuning_view

CODING = Coding((1, 10, 100), 10)
GENOMES = (CODING.genome((15, 244, 953)), CODING.genome((1, 2, 3)))


@pytest.fixture
def outcome() -> TuneOutcome:
    tuning = Tuning(catalog.position("startpos", "connect4"), TuneTerms(generations=1, population=4))
    tuning.generations = [measured(1, GENOMES, [CODING.weights(one) for one in GENOMES], (1.5, 0.5), CODING, 2)]
    return tuning.outcome()


def shown(what: object) -> str:
    console = Console(width=200)
    with console.capture() as captured:
        console.print(what)
    return captured.get()


def test_a_genome_is_written_bit_by_bit() -> None:
    assert CODING.bits_text(GENOMES[0]) == "0000001111 0011110100 1110111001"


def test_the_line_of_the_status(outcome: TuneOutcome) -> None:
    assert status_line(outcome, "Connect 4 7x6", (3, 9), (2, 5), False).plain == " Tune  Connect 4 7x6  generation 1/1"
    assert status_line(outcome, "Connect 4 7x6", (3, 9), (2, 5), True).plain.endswith("1/1  testing 2/5 games")
    before = replace(outcome, done=0, complete=False)
    assert status_line(before, "Connect 4 7x6", (3, 9), (0, 0), True).plain.endswith("generation 0/1  3/9 games")
    assert status_line(before, "Connect 4 7x6", (0, 0), (0, 0), True).plain.endswith("generation 0/1")


def test_the_best_weights(outcome: TuneOutcome) -> None:
    rows = ["lines with 1   15", "lines with 2  244", "lines with 3  953"]
    lines = [line.strip() for line in shown(best_weights(outcome, CODING)).rstrip().splitlines()]
    assert lines == ["The best weights, with fitness 1.5000:", *rows]
    assert "0000001111 0011110100 1110111001" in shown(best_weights(outcome, CODING, with_bits=True))
    assert "kept as mine" in shown(best_weights(replace(outcome, preset="mine"), CODING))
    before = replace(outcome, best=None, best_fitness=None, generations=())
    assert "lines with 2   10" in shown(best_weights(before, CODING))
    test = Acceptance(
        candidate=(15, 244, 953), reference=(1, 10, 100), points=1.5, trials=(), accepted=True, depth=4, seed=0
    )
    table = shown(acceptance_table(test, "connect4"))
    assert "lines with 3  953" in table
    assert "lines with 3  100" in table
    lines = shown(best_weights(replace(outcome, acceptance=test), CODING)).splitlines()
    assert lines[4].startswith(" the course's test: accepted, 1.5:0.5")


def test_weights_are_a_list_of_terms_on_the_command_line(outcome: TuneOutcome) -> None:
    lines = [line.strip() for line in shown(tuning_view(outcome)).splitlines()]
    assert {"lines with 1   15", "lines with 2  244", "lines with 3  953"} <= set(lines)
