"""The frozen types of tuning: what is looked for, what a generation was, and what came out. Pure data."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engines.contract import InputError, Setting

Weights = tuple[int, ...]

POPULATION, GENERATIONS, BITS, DEPTH = 16, 100, 10, 4
PAIRING, MUTATION = 0.5, 0.05
"""The course's: how likely a couple has children, and how likely each bit of a genome turns over."""
DRAWS = 250
"""So many random genomes of each kind a candidate is measured with."""


def weights_text(weights: Sequence[int]) -> str:
    """`15,244,953`."""
    return ",".join(map(str, weights))


class TuneTerms(Struct, frozen=True, kw_only=True):
    """How a genetic algorithm works."""

    population: int = POPULATION
    generations: int = GENERATIONS
    bits: int = BITS
    """Of each weight: with 10 it is from 0 to 1023."""
    pairing: float = PAIRING
    mutation: float = MUTATION
    depth: int = DEPTH
    """How far ahead both sides of a game look."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name, low, high in (("population", 4, 200), ("generations", 1, 100_000), ("bits", 1, 16), ("depth", 1, 20)):
            if not low <= getattr(self, name) <= high:
                raise InputError(f"The {name} is from {low} to {high:,}, not {getattr(self, name):,}.")
        for name in ("pairing", "mutation"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"The probability of {name} is from 0 to 1, not {getattr(self, name):g}.")


class TuneHead(Struct, frozen=True, kw_only=True):
    """Everything that decides how tuning comes out: its journal begins with it."""

    format: str
    version: str
    game: str
    size: str
    options: dict[str, Setting]
    terms: TuneTerms


class Generation(Struct, frozen=True, kw_only=True):
    """A population with what each genome is worth in it."""

    number: int
    """Counted from 1."""
    genomes: tuple[int, ...]
    """As bits."""
    weights: tuple[Weights, ...]
    fitness: tuple[float, ...]
    """The mean of a genome's games: 1 + g for a win, 1 - g for a loss, 1 for a draw."""
    best: int
    """The place of the fittest."""
    mean: float
    distinct: int
    """How many genomes are different from each other."""
    diversity: float
    """The share of bits in which two genomes differ, on average: 0.5 is chance, 0 all alike."""
    games: int
    """Those that were new: of two who have met in a generation before the result is known."""

    @property
    def best_weights(self) -> Weights:
        """The weights of the fittest."""
        return self.weights[self.best]


class Trial(Struct, frozen=True, kw_only=True):
    """How a candidate and the reference did against the same opponents."""

    kind: str
    draws: int
    candidate: int
    """So many the candidate beats: more points out of two games, one with each side."""
    reference: int
    candidate_points: float
    reference_points: float
    """Points of all games."""

    @property
    def passed(self) -> bool:
        """The candidate beats more."""
        return self.candidate > self.reference


class Acceptance(Struct, frozen=True, kw_only=True):
    """The course's test: a candidate is accepted if it beats the reference, and more random genomes than the reference
    does, both of any and of those whose weights increase."""

    candidate: Weights
    reference: Weights
    points: float
    """Of the candidate against the reference, out of two games."""
    trials: tuple[Trial, ...]
    accepted: bool
    depth: int
    seed: int


class TuneOutcome(Struct, frozen=True, kw_only=True):
    """The result so far."""

    game: str
    size: str
    options: dict[str, Setting]
    terms: TuneTerms
    done: int
    complete: bool
    resumed: int
    seconds: float
    best: Weights | None
    """Of the last generation."""
    best_fitness: float | None
    acceptance: Acceptance | None
    preset: str | None
    """The name under which the weights are kept."""
    generations: tuple[Generation, ...]
