"""Tuning weights with a genetic algorithm, as the course has it.

A genome is the weights as bits. In every generation each genome plays each other one, once with each side. A win is worth
1 + g, a loss 1 - g and a draw 1, with g = 1 - (E - 1)/20 for a game of E rounds (both sides move once in a round), so that a
quick win counts more. The mean of a genome's games is its fitness. Then the next generation is made:

1. **Selection.** The fittest comes first, as it is. All other places are drawn by roulette: the chance of a genome is its
   share of all fitness.
2. **Reproduction.** Neighbours are couples, (1, 2), (3, 4) and so on. A couple has children with probability 0.5: both
   genomes are cut at the same place, and their tails change places. Not so the couple of the fittest.
3. **Mutation.** Each bit turns over with probability 0.05; none of the fittest.

Games are deterministic, so two who have met before need not play again. Chance hangs on the seed and the number of the
generation alone: tuning that was interrupted goes on to the same end.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, permutations
from time import perf_counter

import msgspec.structs

from engines import catalog
from engines.contract import InputError
from engines.duel import Ring
from engines.notation import read_weights
from engines.position import Position
from workbench.jobs.compile import is_duel_missing
from workbench.jobs.journal import Journal
from workbench.jobs.workers import Workers
from workbench.play.players import seed_of
from workbench.tuning.duels import DuelResult, Duels, Meeting, PlayedDuels, both_sides, usual_weights
from workbench.tuning.types import (
    DRAWS,
    Acceptance,
    Generation,
    Trial,
    TuneHead,
    TuneOutcome,
    TuneTerms,
    Weights,
    weights_text,
)
from workbench.version import version

FORMAT = "plybench tuning 1"
ROUNDS = 20
"""The number of rounds in which g falls from 1 to 0."""


class Coding:
    """How weights are encoded as bits: each with the same number of bits, and with the sign of the game's default. Weights
    too large for that, such as the king's in chess, are not tuned."""

    def __init__(self, usual: Sequence[int], bits: int) -> None:
        self.usual, self.bits = tuple(usual), bits
        self.tuned = [place for place, weight in enumerate(usual) if abs(weight) < 2**bits]
        if not self.tuned:
            raise InputError(f"None of the weights {weights_text(usual)} fits {bits} bits.")
        self.genes = bits * len(self.tuned)

    def weights(self, genome: int) -> Weights:
        """The weights of a genome. The first weight has the highest bits."""
        found = list(self.usual)
        for number, place in enumerate(reversed(self.tuned)):
            value = (genome >> (number * self.bits)) & (2**self.bits - 1)
            found[place] = -value if self.usual[place] < 0 else value
        return tuple(found)

    def bits_text(self, genome: int) -> str:
        """A genome bit by bit, with a space between weights."""
        text = f"{genome:0{self.genes}b}"
        return " ".join(text[place : place + self.bits] for place in range(0, len(text), self.bits))

    def genome(self, weights: Sequence[int]) -> int:
        """The genome of weights."""
        found = 0
        for place in self.tuned:
            if abs(weights[place]) >= 2**self.bits:
                raise InputError(f"The weight {weights[place]} does not fit {self.bits} bits.")
            found = (found << self.bits) | abs(weights[place])
        return found

    def increasing(self, chance: random.Random) -> Weights:
        """Random weights whose absolute values increase."""
        values = sorted(chance.sample(range(2**self.bits), len(self.tuned)))
        found = list(self.usual)
        for place, value in zip(self.tuned, values, strict=True):
            found[place] = -value if self.usual[place] < 0 else value
        return tuple(found)


# The steps of the genetic algorithm.


def worth(result: DuelResult, side: int) -> float:
    """What a game is worth to the first player (side 0) or the second (side 1)."""
    rounds = (result.plies + 1) // 2
    g = 1 - (rounds - 1) / ROUNDS
    return 1 + g * result.value * (1 if side == 0 else -1)


def fitness(population: Sequence[Weights], duels: Duels) -> tuple[float, ...]:
    """The mean worth of each genome's games against all others. All results must be known."""
    totals = [0.0] * len(population)
    for one, other in permutations(range(len(population)), 2):
        result = duels.known[population[one], population[other]]
        totals[one] += worth(result, 0)
        totals[other] += worth(result, 1)
    return tuple(total / (2 * (len(population) - 1)) for total in totals)


def everybody(population: Sequence[Weights]) -> list[Meeting]:
    """All meetings of everybody with everybody else, with both sides."""
    return [(population[one], population[other]) for one, other in permutations(range(len(population)), 2)]


def selected(genomes: Sequence[int], worths: Sequence[float], chance: random.Random) -> list[int]:
    """The fittest genome, and then as many as are missing, drawn by roulette."""
    best = genomes[fittest(worths)]
    shares = worths if sum(worths) > 0 else [1.0] * len(worths)
    return [best, *chance.choices(genomes, shares, k=len(genomes) - 1)]


def fittest(worths: Sequence[float]) -> int:
    """The index of the largest fitness; the first of equal ones."""
    return max(range(len(worths)), key=lambda place: worths[place])


def crossed(one: int, other: int, cut: int) -> tuple[int, int]:
    """The children of two genomes, with the lowest `cut` bits exchanged."""
    tail = (1 << cut) - 1
    return (one & ~tail) | (other & tail), (other & ~tail) | (one & tail)


def next_genomes(genomes: Sequence[int], worths: Sequence[float], genes: int, terms: TuneTerms, number: int) -> list[int]:
    """The genomes of generation `number`, made from those of the generation before."""
    chance = random.Random(seed_of(terms.seed, number))
    found = selected(genomes, worths, chance)
    for place in range(2, len(found) - 1, 2):
        if chance.random() < terms.pairing:
            found[place], found[place + 1] = crossed(found[place], found[place + 1], chance.randrange(1, genes))
    for place in range(1, len(found)):
        for gene in range(genes):
            if chance.random() < terms.mutation:
                found[place] ^= 1 << gene
    return found


def first_genomes(genes: int, terms: TuneTerms) -> list[int]:
    """The random genomes of the first generation."""
    chance = random.Random(seed_of(terms.seed, 1))
    return [chance.getrandbits(genes) for _ in range(terms.population)]


class Tuning:
    """A run of the genetic algorithm: the game, the terms, and the generations so far."""

    def __init__(self, start: Position, terms: TuneTerms) -> None:
        self.start, self.terms = start, terms
        self.duels = Duels(start, terms.depth)
        self.usual: Weights = usual_weights(start)
        self.coding = Coding(self.usual, terms.bits)
        self.generations: list[Generation] = []
        self._met: set[Meeting] = set()
        """The meetings of all generations so far."""
        self.resumed = 0
        self.doing = (0, 0)
        """For the current generation, how many games are done, of how many."""
        self.seconds = 0.0

    @property
    def head(self) -> TuneHead:
        """Everything that determines the result, written at the start of the journal."""
        game = self.start.game
        return TuneHead(
            format=FORMAT, version=version(), game=game.id, size=game.size, options=game.options, terms=self.terms
        )

    @property
    def is_complete(self) -> bool:
        """Whether all generations are complete."""
        return len(self.generations) >= self.terms.generations

    @property
    def is_compiled(self) -> bool:
        """Whether the code that plays the games is compiled."""
        return not is_duel_missing(self.start.game)

    def compile(self) -> None:
        """Compile the code in this process, so that no two workers do it at the same time."""
        Ring(self.start, 1).play(self.usual, self.usual)

    def resume(self, journal: Journal[TuneHead]) -> None:
        """Take over the generations and games that a journal contains, and add to it the generations that it lacks."""
        noted = 0
        for line, piece in journal.pieces(Generation, PlayedDuels):
            if isinstance(piece, Generation):
                noted += 1
                agrees = self._agrees(piece, noted)
            else:
                agrees = isinstance(piece, PlayedDuels) and self.duels.take(piece)
            if not agrees:
                raise journal.damage(line)
        for generation in self.generations[noted:]:
            journal.add(generation)
        self.resumed = len(self.generations)

    def run(self, journal: Journal[TuneHead], workers: Workers) -> Iterator[Generation | None]:
        """Make and measure the generations that are missing. Yields each of them, and None whenever some of its games are
        done."""
        began = perf_counter()
        while not self.is_complete:
            number, genomes = len(self.generations) + 1, self._next()
            population = [self.coding.weights(genome) for genome in genomes]
            meetings = everybody(population)
            missing = len(self.duels.missing(meetings))
            self.doing = (0, missing)
            for done in self.duels.meet(meetings, workers, journal.add):
                self.doing = (done, missing)
                self.seconds = perf_counter() - began
                yield None
            if self.duels.missing(meetings):
                return  # the workers were stopped
            generation = measured(
                number, genomes, population, fitness(population, self.duels), self.coding, self._new(meetings)
            )
            journal.add(generation)
            self._take(generation)
            self.seconds = perf_counter() - began
            yield generation

    def _agrees(self, generation: Generation, number: int) -> bool:
        """Whether a generation from the journal is right: its genomes follow from the generation before, and its numbers
        from its games. If it is the next generation it is taken over."""
        known = number <= len(self.generations)
        genomes = list(self.generations[number - 1].genomes) if known else self._next()
        if number > self.terms.generations or list(generation.genomes) != genomes or len(generation.fitness) != len(genomes):
            return False
        population, worths = [self.coding.weights(genome) for genome in genomes], generation.fitness
        if known or not self.duels.missing(everybody(population)):
            worths = self.generations[number - 1].fitness if known else fitness(population, self.duels)
        if generation != measured(number, genomes, population, worths, self.coding, generation.games):
            return False
        if not known:
            self._take(generation)
        return True

    def _take(self, generation: Generation) -> None:
        """Append a generation. Its number of new games depends only on the generations before, and not on the games that had
        to be repeated after an interruption."""
        meetings = everybody(generation.weights)
        self.generations.append(msgspec.structs.replace(generation, games=self._new(meetings)))
        self._met.update(meetings)

    def _new(self, meetings: Iterable[Meeting]) -> int:
        """How many of the meetings occurred in no earlier generation."""
        return len(set(meetings) - self._met)

    def _next(self) -> list[int]:
        if not self.generations:
            return first_genomes(self.coding.genes, self.terms)
        last = self.generations[-1]
        return next_genomes(last.genomes, last.fitness, self.coding.genes, self.terms, last.number + 1)

    @property
    def best(self) -> Weights | None:
        """The fittest weights of the last generation; None before the first."""
        return self.generations[-1].best_weights if self.generations else None

    def outcome(self, acceptance: Acceptance | None = None, preset: str | None = None) -> TuneOutcome:
        """The result so far."""
        game, last = self.start.game, self.generations[-1] if self.generations else None
        return TuneOutcome(
            game=game.id,
            size=game.size,
            options=game.options,
            terms=self.terms,
            done=len(self.generations),
            complete=self.is_complete,
            resumed=self.resumed,
            seconds=self.seconds,
            best=self.best,
            best_fitness=last.fitness[last.best] if last else None,
            acceptance=acceptance,
            preset=preset,
            generations=tuple(self.generations),
        )


def measured(
    number: int,
    genomes: Sequence[int],
    population: Sequence[Weights],
    worths: Sequence[float],
    coding: Coding,
    games: int,
) -> Generation:
    """A generation with its statistics."""
    apart = [(one ^ other).bit_count() for one, other in combinations(genomes, 2)]
    return Generation(
        number=number,
        genomes=tuple(genomes),
        weights=tuple(population),
        fitness=tuple(worths),
        best=fittest(worths),
        mean=sum(worths) / len(worths),
        distinct=len(set(genomes)),
        diversity=sum(apart) / (len(apart) * coding.genes),
        games=games,
    )


def read_named_weights(text: str, start: Position) -> Weights:
    """The weights that a text stands for: numbers, or the name of kept weights."""
    wanted = [parameter for parameter in start.game.parameters if parameter.name == catalog.WEIGHTS]
    count = len(usual_weights(start))
    read = catalog.read_settings(wanted, {catalog.WEIGHTS: text}, start.game.id)
    return read_weights(str(read[catalog.WEIGHTS]), count)


# The acceptance test of the course.


class AcceptanceTest:
    """Tests whether weights are better than the reference: they beat it, and they beat more random weights than it does."""

    def __init__(
        self,
        duels: Duels,
        candidate: Weights,
        coding: Coding,
        reference: Weights | None = None,
        draws: int = DRAWS,
        seed: int = 0,
    ) -> None:
        self.duels, self.candidate, self.seed = duels, candidate, seed
        self.reference = coding.usual if reference is None else reference
        chance = random.Random(seed_of(seed, -1))
        self.drawn: dict[str, list[Weights]] = {
            "any": [coding.weights(chance.getrandbits(coding.genes)) for _ in range(draws)],
            "increasing": [coding.increasing(chance) for _ in range(draws)],
        }
        self.meetings = both_sides(candidate, self.reference)
        for others in self.drawn.values():
            for other in others:
                self.meetings += both_sides(candidate, other) + both_sides(self.reference, other)

    def run(self, workers: Workers, keep: Callable[[PlayedDuels], None] = lambda met: None) -> Iterator[int]:
        """Play the games and yield how many are done. `keep` is called with the results before that."""
        yield from self.duels.meet(self.meetings, workers, keep)

    def verdict(self) -> Acceptance:
        """The verdict. All games must have been played."""
        points = self.duels.points(self.candidate, self.reference)
        trials = tuple(self._trial(kind, others) for kind, others in self.drawn.items())
        return Acceptance(
            candidate=self.candidate,
            reference=self.reference,
            points=points,
            trials=trials,
            accepted=points > 1 and all(trial.passed for trial in trials),
            depth=self.duels.depth,
            seed=self.seed,
        )

    def _trial(self, kind: str, others: Sequence[Weights]) -> Trial:
        mine = [self.duels.points(self.candidate, other) for other in others]
        theirs = [self.duels.points(self.reference, other) for other in others]
        return Trial(
            kind=kind,
            draws=len(others),
            candidate=sum(one > 1 for one in mine),
            reference=sum(one > 1 for one in theirs),
            candidate_points=sum(mine),
            reference_points=sum(theirs),
        )
