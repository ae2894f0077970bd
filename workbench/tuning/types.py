"""The frozen types of tuning: its terms, a generation, and the result."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engines.contract import InputError, Setting

Weights = tuple[int, ...]

POPULATION, GENERATIONS, BITS, DEPTH = 16, 100, 10, 4
PAIRING, MUTATION = 0.5, 0.05
"""The course's probabilities: that a couple has children, and that a bit of a genome mutates."""
DRAWS = 250
"""The number of random genomes of each kind that a candidate plays against."""


def weights_text(weights: Sequence[int]) -> str:
    """Weights as text: `15,244,953`."""
    return ",".join(map(str, weights))


class TuneTerms(Struct, frozen=True, kw_only=True):
    """The parameters of the genetic algorithm."""

    population: int = POPULATION
    generations: int = GENERATIONS
    bits: int = BITS
    """The bits of each weight: with 10 it ranges from 0 to 1023."""
    pairing: float = PAIRING
    mutation: float = MUTATION
    depth: int = DEPTH
    """The search depth of both players."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name, low, high in (("population", 4, 200), ("generations", 1, 100_000), ("bits", 1, 16), ("depth", 1, 20)):
            if not low <= getattr(self, name) <= high:
                raise InputError(f"The {name} must be from {low} to {high:,}, not {getattr(self, name):,}.")
        for name in ("pairing", "mutation"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"The probability of {name} must be from 0 to 1, not {getattr(self, name):g}.")


class TuneHead(Struct, frozen=True, kw_only=True):
    """Everything that determines the result of tuning, written at the start of its journal."""

    format: str
    version: str
    game: str
    size: str
    options: dict[str, Setting]
    terms: TuneTerms


class Generation(Struct, frozen=True, kw_only=True):
    """A population with the fitness of each genome."""

    number: int
    """The number of the generation, counted from 1."""
    genomes: tuple[int, ...]
    """The genomes, as bits of whole numbers."""
    weights: tuple[Weights, ...]
    fitness: tuple[float, ...]
    """The mean worth of each genome's games: 1 + g for a win, 1 - g for a loss, 1 for a draw."""
    best: int
    """The index of the fittest."""
    mean: float
    distinct: int
    """The number of different genomes."""
    diversity: float
    """The mean share of bits in which two genomes differ: 0.5 for random genomes, 0 if all are equal."""
    games: int
    """The number of games that were new. Results of meetings in earlier generations are reused."""

    @property
    def best_weights(self) -> Weights:
        """The weights of the fittest."""
        return self.weights[self.best]


class Trial(Struct, frozen=True, kw_only=True):
    """The results of a candidate and of the reference against the same opponents."""

    kind: str
    draws: int
    candidate: int
    """How many opponents the candidate beats: it has more points in two games, one with each side."""
    reference: int
    candidate_points: float
    reference_points: float
    """The reference's points in all games."""

    @property
    def passed(self) -> bool:
        """Whether the candidate beats more opponents than the reference."""
        return self.candidate > self.reference


class Acceptance(Struct, frozen=True, kw_only=True):
    """The course's test: a candidate is accepted if it beats the reference, and beats more random genomes than the reference
    does, both among all genomes and among those whose weights increase."""

    candidate: Weights
    reference: Weights
    points: float
    """The candidate's points against the reference in two games."""
    trials: tuple[Trial, ...]
    accepted: bool
    depth: int
    seed: int


class TuneOutcome(Struct, frozen=True, kw_only=True):
    """The result of tuning so far."""

    game: str
    size: str
    options: dict[str, Setting]
    terms: TuneTerms
    done: int
    complete: bool
    resumed: int
    seconds: float
    best: Weights | None
    """The fittest weights of the last generation; None before the first."""
    best_fitness: float | None
    acceptance: Acceptance | None
    preset: str | None
    """The name under which the weights are kept; None if they are not."""
    generations: tuple[Generation, ...]
