"""`plybench ablate`: everything off, then one switch after the other on, and what each one saves or changes.

The ladder below is data: which switches there are, in which order they go on, and what a game must know for one to do
anything. A switch that the algorithm does not declare, or that the game knows nothing for, is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from rich.console import Group, RenderableType
from rich.text import Text

from engines import catalog, rules
from engines.algorithm import Algorithm
from engines.contract import InputError, Limit, Report, Setting, shown
from engines.game import Game, Position
from engines.generic import Generic
from engines.runner import Search
from positions import files
from workbench import show
from workbench.forms import counted, value_text
from workbench.show_suite import limit_text


class Rung(NamedTuple):
    """A switch: the parameter, what it is set to (None: to its default), and what the game must have registered."""

    parameter: str
    setting: Setting | None = True
    asks: Generic | None = None


OFF: Mapping[str, Setting] = {
    "table": 0,
    "ordering": "none",
    "aspiration": False,
    "quiescence": False,
    "null_move": False,
    "check_extension": False,
    "singular_extension": False,
    "late_move_reductions": False,
    "futility": False,
    "beam": 0,
    "probcut": False,
}
LADDER = (
    Rung("table", None, rules.key),
    Rung("ordering", "captures", rules.worth),
    Rung("ordering", "killers"),
    Rung("ordering", "full", rules.key),
    Rung("aspiration"),
    Rung("quiescence", True, rules.captures),
    Rung("null_move", True, rules.may_pass),
    Rung("check_extension", True, rules.threatened),
    Rung("singular_extension", True, rules.key),
    Rung("late_move_reductions"),
    Rung("futility"),
)
NOTHING = "nothing"
"""The first step: every switch off."""
WIDEST_BAR = 8
"""One block for each halving; a bar this long is 256 times fewer nodes."""


class Step(Struct, frozen=True, kw_only=True):
    """A step of the ladder: all searches with one more switch on."""

    switch: str
    setting: Setting | None
    nodes: int
    seconds: float
    value: float | None
    """None if there are several positions."""
    best_move: str | None
    depth: float
    """The last depth that was finished; of several positions the mean."""
    saved: float | None
    """How many times fewer nodes than the step before: below 1 they are more. None at the first step."""
    saved_seconds: float | None
    """The same for the time."""
    changed_values: int
    changed_moves: int
    """In how many positions it says something else than the step before."""


class Ablation(Struct, frozen=True, kw_only=True):
    """The whole ladder."""

    position: str
    """Its notation, or the name of the file."""
    positions: int
    game: str
    algorithm: str
    limit: Limit
    complete: bool
    """False if it was interrupted: then the last steps are missing."""
    steps: tuple[Step, ...]


def ladder(algorithm: Algorithm, game: Game) -> list[Rung]:
    """The switches that this algorithm has and that mean something in this game, in the order in which they go on."""
    declared = {parameter.name for parameter in algorithm.parameters}
    kind = type(game.rules)
    return [
        rung for rung in LADDER if rung.parameter in declared and (rung.asks is None or kind in rung.asks.implementations)
    ]


def stages(algorithm: Algorithm, game: Game, given: Mapping[str, Setting]) -> Iterator[tuple[Rung, dict[str, Setting]]]:
    """Every step's switch and all parameters. `given` is what a person set: it stays, and says what "on" means."""
    found = ladder(algorithm, game)
    if not found:
        raise InputError(f"{algorithm.id} has no switches to turn on and off on {game.id}; deepening has.")
    defaults = catalog.read_settings(algorithm.parameters, {}, game.id)
    off = {name: setting for name, setting in OFF.items() if name in defaults}
    climbing = {rung.parameter for rung in found}
    now = {**defaults, **off, **{name: setting for name, setting in given.items() if name not in climbing}}
    yield Rung(NOTHING, None), dict(now)
    for rung in found:
        on = defaults[rung.parameter] if rung.setting is None else rung.setting
        if rung.setting is None or isinstance(rung.setting, bool):
            on = given.get(rung.parameter, on)
        now[rung.parameter] = on
        yield rung._replace(setting=on), dict(now)


class Ablate:
    """The ladder for some positions of one game."""

    def __init__(
        self, name: str, positions: Sequence[Position], algorithm: str, limit: Limit, settings: Mapping[str, str]
    ) -> None:
        self.name, self.positions, self.algorithm = name, positions, catalog.algorithm(algorithm)
        self.game = positions[0].game
        self.limit = limit if limit != Limit() else Limit(depth=self.game.depth_from(positions[0].state))
        declared = {parameter.name: parameter for parameter in self.algorithm.parameters}
        given = {name: declared[name].read(text) for name, text in settings.items()}
        self.stages = list(stages(self.algorithm, self.game, given))
        self.steps: list[Step] = []

    def climb(self, run: Callable[[Search, str], bool]) -> bool:
        """Take all steps. `run` runs a search and says whether a person interrupted it; then it ends, and says so too."""
        before: list[Report] = []
        for number, (rung, parameters) in enumerate(self.stages, 1):
            now = []
            for position in self.positions:
                search = Search(position, self.algorithm, self.limit, parameters)
                if run(search, f"{number}/{len(self.stages)} {rung.parameter}"):
                    return True
                now.append(search.report())
            self.steps.append(step(rung, now, before, self.steps[-1] if self.steps else None))
            before = now
        return False

    def report(self) -> Ablation:
        """What is known by now."""
        return Ablation(
            position=self.name,
            positions=len(self.positions),
            game=self.game.id,
            algorithm=self.algorithm.id,
            limit=self.limit,
            complete=len(self.steps) == len(self.stages),
            steps=tuple(self.steps),
        )


def step(rung: Rung, now: Sequence[Report], before: Sequence[Report], last: Step | None) -> Step:
    """Add the searches of a step up, and compare them with those of the step before."""
    nodes, seconds = sum(report.nodes for report in now), sum(report.seconds for report in now)
    pairs = list(zip(now, before, strict=False))
    return Step(
        switch=rung.parameter,
        setting=rung.setting,
        nodes=nodes,
        seconds=seconds,
        value=now[0].value if len(now) == 1 else None,
        best_move=now[0].best_move if len(now) == 1 else None,
        depth=round(sum(report.depth for report in now) / len(now), 2),
        saved=None if last is None else round(last.nodes / max(nodes, 1), 4),
        saved_seconds=None if last is None else round(last.seconds / max(seconds, 1e-9), 4),
        changed_values=sum(one.value != other.value for one, other in pairs),
        changed_moves=sum(one.best_move != other.best_move for one, other in pairs),
    )


def is_list(name: str) -> bool:
    """The text is the name of a file with a position on each line."""
    return files.is_named(name) and not name.lower().endswith(".pgn")


def positions_in(
    name: str, settings: Mapping[str, str], tell: Callable[[str], None] = lambda sentence: None
) -> list[Position]:
    """All positions of an EPD or FEN file in which the game is not over; `tell` is told which lines cannot be read."""
    found, count = [], 0
    problems: list[tuple[int, str]] = []
    for item in files.listing(Path(name)):
        count += 1
        if "error" in item.details:
            problems.append((int(str(item.details["line"])), str(item.details["error"])))
            continue
        position = catalog.position(str(item.details["position"]), "chess", settings=settings)
        if not position.is_over:
            found.append(position)
    said = files.skipped(problems, count)
    if not found:
        raise InputError(said or f"The game is over in every position of {shown(name, 80)}.")
    tell(said)
    return found


# For people.


def table(found: Ablation, positions: Sequence[Position]) -> Group:
    """The ladder as a table: a block for each time that a switch halves the nodes."""
    game, state = positions[0].game, positions[0].state
    many = found.positions > 1
    with_depth = len({row.depth for row in found.steps}) > 1
    says = ["changed"] if many else ["value>", "best"]
    sheet = show.sheet("switch on", *(["depth>"] if with_depth else []), "nodes>", "time>", *says, "saved>", "…")
    for row in found.steps:
        name = row.switch if isinstance(row.setting, bool) or row.setting is None else f"{row.switch} {row.setting}"
        cells: list[RenderableType] = [name, *([f"{row.depth:g}"] if with_depth else [])]
        cells += [f"{row.nodes:,}", show.duration(row.seconds)]
        if many:
            cells.append(changes(row))
        else:
            value = "" if row.value is None else value_text(row.value, game)
            move = game.pretty_line(state, (row.best_move,))[0] if row.best_move else ""
            cells += [marked(value, row.changed_values), marked(move, row.changed_moves)]
        sheet.add_row(*cells, factor(row.saved), bar(row.saved))
    what = counted(found.positions, "position") if many else found.position
    title = Text(f"{found.algorithm} on {what}, {limit_text(found.limit)}", style="bold")
    notes = ["Each step keeps the switches above it. ÷2 █ is half the nodes of the step before, ×2 ░ twice as many."]
    if any(row.changed_values or row.changed_moves for row in found.steps):
        notes.append("≠ is not what the step before said.")
    if not found.complete:
        notes.append("It was interrupted.")
    return Group(title, sheet, Text(" ".join(notes), style="dim"))


def factor(saved: float | None) -> str:
    """By what the nodes of the step before were divided, or multiplied."""
    if saved is None or saved <= 0:
        return ""
    if 0.995 < saved < 1.005:
        return "same"
    return f"÷{saved:.2f}" if saved > 1 else f"×{1 / saved:.2f}"


def bar(saved: float | None) -> Text:
    """A block for each halving, or doubling."""
    if saved is None or saved <= 0:
        return Text("")
    halvings = math.log2(saved)
    blocks = min(round(abs(halvings) * 2) / 2, WIDEST_BAR)
    full, half = int(blocks), blocks % 1 > 0
    if halvings > 0:
        return Text("█" * full + ("▌" if half else ""), style="green")
    return Text("░" * math.ceil(blocks), style="red")


def marked(text: str, changed: int) -> Text:
    """What a step says, marked if the step before said something else."""
    return Text.assemble(("≠ ", "bold yellow") if changed else "", (text, "bold yellow" if changed else ""))


def changes(row: Step) -> Text:
    """In how many positions a step says something else."""
    words = [(row.changed_values, "value"), (row.changed_moves, "move")]
    said = ", ".join(f"{count} {word}{'s' if count > 1 else ''}" for count, word in words if count)
    return marked(said, bool(said))
