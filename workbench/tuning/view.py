"""Tuning as text, for the command and the Tune screen: the status, the best weights, the course of the fitness, the
population, and the acceptance test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from workbench.render.values import counted, duration, weight_lines
from workbench.tuning.named_weights import Preset
from workbench.tuning.types import Acceptance, Generation, TuneOutcome, Weights

if TYPE_CHECKING:
    from workbench.tuning.genetic import Coding

COLUMNS = "▁▂▃▄▅▆▇█"
WIDTH = 60
FEW_TERMS = 3
"""The most weights of a list that stand one below the other."""
SHOWN = 8


def spark(values: Sequence[float], width: int = WIDTH) -> str:
    """Numbers as a row of columns, the largest at full height. With too many numbers, each column is a mean of several."""
    if not values:
        return ""
    size = -(-len(values) // width)
    means = [sum(some) / len(some) for some in (values[place : place + size] for place in range(0, len(values), size))]
    low, high = min(means), max(means)
    span = (high - low) or 1.0
    return "".join(COLUMNS[min(7, int((one - low) / span * 8))] for one in means)


def fitness_lines(generations: Sequence[Generation], width: int = WIDTH) -> Text:
    """Best fitness and diversity by generation."""
    text = Text()
    rows = (
        ("best fitness", [one.fitness[one.best] for one in generations]),
        ("diversity", [one.diversity for one in generations]),
    )
    for name, values in rows:
        text.append(f"{name:<13}", style="dim")
        text.append(spark(values, width))
        text.append(f"  {values[0]:.3f} to {values[-1]:.3f}\n" if values else "\n", style="dim")
    text.rstrip()
    return text


def population_table(generation: Generation, most: int | None = SHOWN) -> Table:
    """The genomes, fittest first, with their weights in the order of the terms; equal ones are listed once."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("fitness", justify="right", min_width=len("fitness"))
    table.add_column("weights", no_wrap=True)
    table.add_column("times", justify="right", min_width=len("times"))
    rows = ranked(generation)[:most]
    digits = [max(len(str(weights[place])) for weights, _, _ in rows) for place in range(len(generation.best_weights))]
    for weights, fitness, times in rows:
        best = weights == generation.best_weights
        columns = "  ".join(f"{weight:>{width}}" for weight, width in zip(weights, digits, strict=True))
        table.add_row(f"{fitness:.4f}", Text(columns, style="bold" if best else ""), str(times))
    return table


def ranked(generation: Generation) -> list[tuple[Weights, float, int]]:
    """The different weights of a generation with their fitness and their number, fittest first."""
    found: dict[Weights, list[float]] = {}
    for weights, fitness in zip(generation.weights, generation.fitness, strict=True):
        found.setdefault(weights, []).append(fitness)
    return sorted(((weights, max(some), len(some)) for weights, some in found.items()), key=lambda row: -row[1])


def acceptance_table(acceptance: Acceptance, game: str) -> RenderableType:
    """The result of the acceptance test of weights of a game as a table."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("the course's test", no_wrap=True)
    for name in ("the candidate", "the reference", ""):
        table.add_column(name, justify="right", no_wrap=True)
    lists = [[Text(line) for line in weight_lines(game, one)] for one in (acceptance.candidate, acceptance.reference)]
    for one, other in zip(*lists, strict=True):
        table.add_row("", one, other, "")
    table.add_row("against each other", f"{acceptance.points:g}", f"{2 - acceptance.points:g}", _mark(acceptance.points > 1))
    for trial in acceptance.trials:
        name = f"beaten, of {trial.draws} {'random' if trial.kind == 'any' else 'increasing random'}"
        table.add_row(name, str(trial.candidate), str(trial.reference), _mark(trial.passed))
    verdict = Text(
        "accepted" if acceptance.accepted else "not accepted", style="bold green" if acceptance.accepted else "bold red"
    )
    how = Text(f" (two games for each pair, depth {acceptance.depth}, seed {acceptance.seed})", style="dim")
    return Group(table, Text.assemble(verdict, how))


def acceptance_line(acceptance: Acceptance) -> Text:
    """The result of the acceptance test on one line."""
    verdict = ("accepted", "bold green") if acceptance.accepted else ("not accepted", "bold red")
    text = Text.assemble(" the course's test: ", verdict, f", {acceptance.points:g}:{2 - acceptance.points:g}")
    for trial in acceptance.trials:
        name = "random" if trial.kind == "any" else "increasing"
        text.append(f", of {trial.draws} {name} {trial.candidate}:{trial.reference}", style="dim")
    return text


def named_weights_table(presets: Sequence[Preset]) -> Table:
    """The table of named weights."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("game", "name", "weights"):
        table.add_column(column)
    for one in presets:
        table.add_row(one.game, one.name, "\n".join(weight_lines(one.game, one.weights.split(","))))
    return table


def _mark(passed: bool) -> Text:
    return Text("✓", style="green") if passed else Text("✗", style="red")


def tuning_view(outcome: TuneOutcome, doing: tuple[int, int] = (0, 0), most: int | None = SHOWN) -> RenderableType:
    """The whole result."""
    parts: list[RenderableType] = [status(outcome, doing)]
    if outcome.generations:
        parts += [fitness_lines(outcome.generations), population_table(outcome.generations[-1], most)]
    if outcome.acceptance is not None:
        parts.append(acceptance_table(outcome.acceptance, outcome.game))
    if outcome.preset:
        parts.append(Text(f"Kept as {outcome.preset}: --set weights={outcome.preset}", style="bold"))
    return Group(*parts)


def status(outcome: TuneOutcome, doing: tuple[int, int] = (0, 0)) -> Text:
    """The status: which generation, and how far it is."""
    text = Text(f"Generation {outcome.done} of {outcome.terms.generations}", style="bold")
    if not outcome.complete and doing[1]:
        text.append(f", {doing[0]} of {counted(doing[1], 'game')} of the next", style="not bold")
    if outcome.best is not None and outcome.best_fitness is not None:
        text.append(f"; the best has fitness {outcome.best_fitness:.4f}")
        text.append("".join(f"\n  {line}" for line in weight_lines(outcome.game, outcome.best)), style="not bold")
    played = sum(one.games for one in outcome.generations)
    text.append(
        f"\n{outcome.game}, population {outcome.terms.population}, depth {outcome.terms.depth}, seed {outcome.terms.seed}; "
        f"{counted(played, 'game')} in {duration(outcome.seconds)}",
        style="dim not bold",
    )
    if outcome.resumed:
        text.append(f"; {counted(outcome.resumed, 'generation')} of them from the journal", style="dim not bold")
    return text


def status_line(outcome: TuneOutcome, title: str, doing: tuple[int, int], testing: tuple[int, int], busy: bool) -> Text:
    """The status on one line, for the top of a screen: which generation of the game with this title, and how many games of
    the next one or of the acceptance test are done."""
    text = Text.assemble((" Tune ", "bold"), f" {title}  generation {outcome.done}/{outcome.terms.generations}")
    if busy and outcome.complete:
        text.append("  testing {}/{} games".format(*testing), style="dim")
    elif busy and doing[1]:
        text.append("  {}/{} games".format(*doing), style="dim")
    return text


def best_weights(outcome: TuneOutcome, coding: Coding, with_bits: bool = False) -> RenderableType:
    """The best weights with their fitness, and the result of their acceptance test. `with_bits` also shows the genome bit by
    bit. Before the first generation, the game's own weights."""
    if outcome.best is None or outcome.best_fitness is None:
        return Group(Text(" The game's own weights:", style="dim"), weights_list(outcome.game, coding.usual, "dim"))
    line = Text.assemble(" The best weights", f", with fitness {outcome.best_fitness:.4f}:")
    if with_bits:
        last = outcome.generations[-1]
        line.append(f"  {coding.bits_text(last.genomes[last.best])}", style="dim")
    if outcome.preset:
        line.append(f"  kept as {outcome.preset}", style="green")
    parts: list[RenderableType] = [line, weights_list(outcome.game, outcome.best, "bold")]
    return Group(*parts, *([] if outcome.acceptance is None else [acceptance_line(outcome.acceptance)]))


def weights_list(game: str, weights: Weights, style: str) -> RenderableType:
    """The terms of a game with their weights, each on a line; lines stand side by side where there are many."""
    lines = [Text(line, style=style, no_wrap=True) for line in weight_lines(game, weights)]
    across = Columns(lines, padding=(0, 3), column_first=True)
    return Padding(Group(*lines) if len(lines) <= FEW_TERMS else across, (0, 0, 0, 2))
