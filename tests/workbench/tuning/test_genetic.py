"""The genetic algorithm: each of its steps by the course's text, the whole of it, its test, and weights with names."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path

import pytest

from engines import catalog
from engines.contract import InputError
from tests.workbench.conftest import Plybench
from workbench.jobs.journal import Journal
from workbench.jobs.workers import GivenExecutor
from workbench.play.game_loop import play_game
from workbench.tuning.duels import DuelResult, Duels, player_of
from workbench.tuning.genetic import (
    AcceptanceTest,
    Coding,
    Tuning,
    crossed,
    everybody,
    first_genomes,
    fitness,
    next_genomes,
    selected,
    worth,
)
from workbench.tuning.job import TuningJob
from workbench.tuning.types import Generation, TuneTerms, Weights

COURSE, GENETIC = (1, 10, 100), (15, 244, 953)


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))


@pytest.fixture
def two() -> Iterator[GivenExecutor]:
    with ThreadPoolExecutor(2) as executor:
        yield GivenExecutor(executor, 2)


def small(**terms: float) -> Tuning:
    wanted = TuneTerms(**{"population": 6, "generations": 4, "depth": 2, "seed": 1, **terms})  # type: ignore[arg-type]
    return Tuning(catalog.position("startpos", "connect4", "5x4"), wanted)


def done(tuning: Tuning, path: Path, workers: GivenExecutor, most: int | None = None) -> list[Generation]:
    with Journal(path, tuning.head) as journal:
        tuning.resume(journal)
        for one in tuning.run(journal, workers):
            if one is not None and one.number == most:
                break
    return tuning.generations


# The steps.


def test_a_genome_is_three_times_ten_bits() -> None:
    coding = Coding(COURSE, 10)
    assert coding.genes == 30
    assert coding.weights(0b0000001111_0011110100_1110111001) == GENETIC
    assert coding.genome(GENETIC) == 0b0000001111_0011110100_1110111001
    assert coding.weights(2**30 - 1) == (1023, 1023, 1023)
    chance = random.Random(1)
    for _ in range(100):
        genome = chance.getrandbits(30)
        assert coding.genome(coding.weights(genome)) == genome
        a, b, c = coding.increasing(chance)
        assert 0 <= a < b < c <= 1023


def test_weights_keep_their_signs_and_large_ones_are_left_alone() -> None:
    coding = Coding((20000, 900, -50), 10)
    assert coding.genes == 20
    assert coding.weights(2**20 - 1) == (20000, 1023, -1023)
    with pytest.raises(InputError, match="None of the weights"):
        Coding((20000,), 10)


def test_what_a_game_is_worth() -> None:
    """g = 1 - (E - 1) / 20 for E rounds: a win in the fourth round, by either side; a loss in the last; a draw."""
    assert worth(DuelResult(1, 7), 0) == pytest.approx(1 + 17 / 20)
    assert worth(DuelResult(-1, 8), 1) == pytest.approx(1 + 17 / 20)
    assert worth(DuelResult(1, 7), 1) == pytest.approx(1 - 17 / 20)
    assert worth(DuelResult(1, 41), 0) == pytest.approx(1)
    assert worth(DuelResult(0, 42), 0) == worth(DuelResult(0, 42), 1) == 1


def test_fitness_is_the_mean_of_all_games_with_both_sides() -> None:
    duels = Duels(catalog.position("startpos", "connect4"), 1)
    population: list[Weights] = [(1, 2, 3), (4, 5, 6), (7, 8, 9)]
    first = [DuelResult(1, 7), DuelResult(0, 42), DuelResult(-1, 8)]
    results = dict(zip(permutations(population, 2), [*first, *[DuelResult(0, 42)] * 3], strict=True))
    duels.known.update(results)
    g = 17 / 20
    assert fitness(population, duels) == pytest.approx(((1 + g + 1 + 1 + g + 1) / 4, (1 - g + 1 - g + 1 + 1) / 4, 1.0))
    assert len(everybody(population)) == 6


def test_roulette_draws_by_fitness_and_keeps_the_best() -> None:
    chance = random.Random(2)
    counts = {1: 0, 2: 0, 3: 0}
    for _ in range(2000):
        first, *others = selected([1, 2, 3], [1.0, 2.0, 1.0], chance)
        assert first == 2
        for one in others:
            counts[one] += 1
    assert counts[2] == pytest.approx(2000, abs=120)
    assert counts[1] == pytest.approx(1000, abs=100)


def test_children_have_the_head_of_one_and_the_tail_of_the_other() -> None:
    assert crossed(0b111111, 0b000000, 2) == (0b111100, 0b000011)
    assert crossed(0b101010, 0b101010, 3) == (0b101010, 0b101010)


def test_the_next_generation() -> None:
    """The best stays as it is; without pairing and mutation all others are there already; with them bits turn over as
    often as is said."""
    chance = random.Random(3)
    genomes = [chance.getrandbits(30) for _ in range(16)]
    worths = [1.0] * 15 + [1.5]
    for number in range(2, 30):
        quiet = next_genomes(genomes, worths, 30, TuneTerms(pairing=0, mutation=0), number)
        assert quiet[0] == genomes[-1]
        assert set(quiet) <= set(genomes)
        noisy = next_genomes(genomes, worths, 30, TuneTerms(), number)
        assert noisy[0] == genomes[-1]
    turned = changed = 0
    for number in range(200):
        same = next_genomes([0] * 16, worths, 30, TuneTerms(seed=number), 2)
        turned += sum(genome.bit_count() for genome in same[1:])
        couples = next_genomes([0] * 8 + [2**30 - 1] * 8, [1.0] * 16, 30, TuneTerms(mutation=0, seed=number), 2)
        assert couples[0] == 0
        assert {couples[1]} <= {0, 2**30 - 1}  # its couple has no children
        changed += sum(genome not in (0, 2**30 - 1) for genome in couples)
    assert turned / (200 * 15 * 30) == pytest.approx(0.05, abs=0.004)
    assert changed / (200 * 14) == pytest.approx(0.25, abs=0.04)  # half of the couples, of which half are different
    assert len(set(first_genomes(30, TuneTerms(seed=1)))) == 16


# The whole.


def test_a_run_is_the_same_with_any_workers_and_after_any_interruption(tmp_path: Path, two: GivenExecutor) -> None:
    whole = done(small(), tmp_path / "whole", two)
    assert [one.number for one in whole] == [1, 2, 3, 4]
    with ThreadPoolExecutor(1) as one_thread:
        assert done(small(), tmp_path / "one", GivenExecutor(one_thread)) == whole
    done(small(), tmp_path / "half", two, most=2)
    resumed = small()
    assert done(resumed, tmp_path / "half", two) == whole, "the number of games, too"
    assert resumed.resumed == 2
    assert done(small(seed=2), tmp_path / "other", two) != whole


def test_games_outlive_a_kill_in_the_middle_of_a_generation(tmp_path: Path, two: GivenExecutor) -> None:
    """Whatever line the journal ends at, nothing that it knows is played again, and the totals are the same."""
    whole = small()
    done(whole, tmp_path / "whole", two)
    lines = (tmp_path / "whole").read_bytes().splitlines(keepends=True)
    assert len(lines) > 10
    for end in range(1, len(lines), 3):
        (tmp_path / "half").write_bytes(b"".join(lines[:end]))
        resumed = small()
        assert done(resumed, tmp_path / "half", two) == whole.generations
        assert resumed.duels.known == whole.duels.known
        noted = sum(line.count(b"meetings") and len(json.loads(line[line.index(b"{") :])["results"]) for line in lines[:end])
        assert resumed.duels.played == len(whole.duels.known) - noted


def test_a_journal_that_was_removed_or_went_on_meanwhile(tmp_path: Path, two: GivenExecutor) -> None:
    """A screen has a tuning in its hands while somebody works with its journal at the command line."""
    kept, removed = small(), small()
    whole = done(small(), tmp_path / "whole", two)
    for mine in (kept, removed):
        done(mine, tmp_path / "journal", two, most=2)
    (tmp_path / "journal").unlink()
    assert done(removed, tmp_path / "journal", two) == whole
    assert done(kept, tmp_path / "journal", two) == whole
    assert done(small(), tmp_path / "journal", two) == whole


def test_slow_games_are_handed_over_one_by_one(two: GivenExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that is killed loses no game that was over for long: it hands over what it has, and others play the rest."""
    monkeypatch.setattr("workbench.tuning.duels.PATIENCE", 0.0)
    population: list[Weights] = [(1, 2, 3), (4, 5, 6), (7, 8, 9), (3, 2, 1), (9, 9, 9)]
    slow, kept = Duels(catalog.position("startpos", "connect4", "5x4"), 1), list[int]()
    assert list(slow.meet(everybody(population), two, lambda met: kept.append(len(met.results)))) == list(range(1, 21))
    assert kept == [1] * 20
    monkeypatch.undo()
    quick = Duels(slow.start, 1)
    assert len(list(quick.meet(everybody(population), two))) < 20
    assert quick.known == slow.known


def test_every_generation_is_what_it_says(tmp_path: Path, two: GivenExecutor) -> None:
    tuning = small()
    for one in done(tuning, tmp_path / "journal", two):
        population = list(one.weights)
        assert population == [tuning.coding.weights(genome) for genome in one.genomes]
        assert one.fitness == fitness(population, tuning.duels)
        assert one.fitness[one.best] == max(one.fitness)
        assert one.mean == pytest.approx(1.0)  # what one side gains the other loses
        assert 0 < one.diversity < 0.8
    assert all(
        after.genomes[0] == before.genomes[before.best]
        for before, after in zip(tuning.generations, tuning.generations[1:], strict=False)
    )


def test_games_of_weights_are_games_of_players(two: GivenExecutor) -> None:
    start = catalog.position("startpos", "connect4", "5x4")
    duels = Duels(start, 3)
    list(duels.meet([(COURSE, GENETIC), (GENETIC, COURSE)], two))
    for first, second in ((COURSE, GENETIC), (GENETIC, COURSE)):
        game = play_game((player_of(first, 3), player_of(second, 3)), start)
        assert game is not None
        found = duels.known[first, second]
        assert (found.plies, found.value) == (game.plies, {"first": 1, "draw": 0, "second": -1}[game.outcome])


def test_chess_is_tuned_by_searches(tmp_path: Path, two: GivenExecutor) -> None:
    """Its past matters, so no kernel plays its games."""
    start = catalog.position("7k/8/8/8/8/8/5Q2/7K w - - 98 80", "chess")
    tuning = Tuning(start, TuneTerms(population=4, generations=1, depth=1))
    assert tuning.coding.tuned == [1, 2, 3, 4, 5, 6, 7, 8]
    assert tuning.coding.weights(0)[0] == 20000
    (found,) = done(tuning, tmp_path / "journal", two)
    assert len(found.weights) == 4


# The course's test.


def test_the_acceptance_test(two: GivenExecutor) -> None:
    """At depth 2 with few draws: counted anew from the games."""
    duels = Duels(catalog.position("startpos", "connect4", "5x4"), 2)
    test = AcceptanceTest(duels, GENETIC, Coding(COURSE, 10), draws=10, seed=3)
    assert sum(test.run(two)) > 0
    verdict = test.verdict()
    assert (verdict.candidate, verdict.reference) == (GENETIC, COURSE)
    assert [trial.kind for trial in verdict.trials] == ["any", "increasing"]
    assert all(a < b < c for a, b, c in test.drawn["increasing"])
    for trial in verdict.trials:
        for weights, beaten in ((GENETIC, trial.candidate), (COURSE, trial.reference)):
            wins = [
                duels.known[weights, other].value - duels.known[other, weights].value > 0 for other in test.drawn[trial.kind]
            ]
            assert beaten == sum(wins)
    assert verdict.accepted == (
        duels.known[GENETIC, COURSE].value > duels.known[COURSE, GENETIC].value
        and all(trial.candidate > trial.reference for trial in verdict.trials)
    )


def test_weights_against_themselves_are_not_better(two: GivenExecutor) -> None:
    duels = Duels(catalog.position("startpos", "connect4", "5x4"), 2)
    test = AcceptanceTest(duels, COURSE, Coding(COURSE, 10), draws=3)
    list(test.run(two))
    assert not test.verdict().accepted


# The commands.


def test_tuned_weights_have_a_name_everywhere(plybench: Plybench) -> None:
    command = ("tune", "connect4", "--size", "5x4", "--population", "4", "--generations", "2", "--depth", "1", "--seed", "1")
    answer = plybench(*command, "--draws", "4", "--jobs", "1", "--save", "mine", "--json")
    assert (answer.code, answer.err) == (0, "")
    assert answer.json["preset"] == "mine"
    assert answer.json["complete"]
    assert len(answer.json["acceptance"]["trials"]) == 2
    text = ",".join(map(str, answer.json["best"]))
    rows = plybench("weights", "connect4", "--json").json
    assert {(row["name"], row["weights"]) for row in rows} == {
        ("course", "1,10,100"),
        ("genetic", "15,244,953"),
        ("mine", text),
    }
    evaluated = plybench("eval", "44", "--game", "connect4", "--set", "weights=mine", "--json").json
    assert [term["weight"] for term in evaluated["terms"]] == answer.json["best"]
    assert plybench("eval", "44", "--game", "connect4", "--set", "weights=nobody").code == 2
    assert plybench("weights", "connect4", "mine", "--delete").code == 0
    assert plybench("eval", "44", "--game", "connect4", "--set", "weights=mine").code == 2


def test_a_test_alone(plybench: Plybench) -> None:
    command = ("tune", "connect4", "--size", "5x4", "--depth", "1", "--draws", "5", "--jobs", "1", "--candidate", "genetic")
    answer = plybench(*command)
    assert answer.code == 0
    assert "lines with 3  953" in answer.out
    assert "accepted" in answer.out


def test_a_job_with_a_candidate_only_tests_it(two: GivenExecutor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    start = catalog.position("startpos", "connect4", "5x4")
    job = TuningJob(start, TuneTerms(depth=1, seed=2), COURSE, 5, candidate=GENETIC)
    monkeypatch.setattr(Tuning, "is_compiled", property(lambda tuning: False))
    steps: list[object] = []
    assert not job.run(two, lambda: steps.append(job.testing), lambda: steps.append("compiled"))
    assert steps[0] == "compiled", "no two workers compile the same code"
    assert steps[1] == (0, steps[-1][1])  # type: ignore[index]
    assert steps[-1] == (job.tuning.duels.played, job.tuning.duels.played)
    test = AcceptanceTest(Duels(start, 1), GENETIC, Coding(GENETIC, 10), COURSE, 5, 2)
    assert list(test.run(two))[-1] == job.tuning.duels.played
    assert job.acceptance == test.verdict()
    assert job.outcome().generations == ()
    assert not (tmp_path / "data" / "tuning").exists(), "no journal is kept"


def test_a_test_that_is_interrupted_has_no_verdict(two: GivenExecutor) -> None:
    job = TuningJob(catalog.position("startpos", "connect4", "5x4"), TuneTerms(depth=1), None, 5, candidate=GENETIC)

    def interrupt() -> None:
        raise KeyboardInterrupt

    assert job.run(two, interrupt)
    assert job.acceptance is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("tune", "tictactoe"), "no weights"),
        (("tune", "connect4", "--population", "3"), "population must be from 4"),
        (("tune", "connect4", "--mutation", "2"), "from 0 to 1"),
        (("tune", "connect4", "--candidate", "1,2"), "3 whole numbers"),
        (("tune", "connect4", "--candidate", "nobody"), "course and genetic"),
        (("tune", "tictactoe", "--candidate", "1"), "no weights"),
        (("tune", "connect4", "--candidate", "genetic", "--save", "mine"), "plybench weights"),
        (("tune", "connect4", "--candidate", "genetic", "--journal", "tuned.journal"), "a journal is kept of tuning alone"),
        (("tune", "connect4", "--save", "genetic"), "its own weights"),
        (("tune", "connect4", "--save", "1a"), "a letter"),
        (("tune", "nothing"), "connect4"),
        (("weights", "connect4", "mine", "1,2"), "3 whole numbers"),
        (("weights", "connect4", "mine"), "kept under"),
        (("weights", "tictactoe", "mine", "1"), "no weights"),
        (("weights", "--delete"), "--delete"),
    ],
)
def test_bad_input(plybench: Plybench, words: tuple[str, ...], says: str) -> None:
    answer = plybench(*words)
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err
    assert answer.err.count("\n") == 1
