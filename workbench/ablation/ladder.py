"""`plybench ablate`: search with all switches off, then turn them on one after the other, and measure what each saves or
changes.

The ladder below is data: the switches, the order in which they are turned on, and what a game must provide for one to have
an effect. A switch that the algorithm does not declare, or that the game provides nothing for, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from engines import catalog, rules
from engines.algorithm import Algorithm
from engines.compiled.generic import Generic
from engines.contract import InputError, Limit, Report, Setting
from engines.game import Game
from engines.position import Position
from engines.run.search import Search


class Rung(NamedTuple):
    """A switch: the parameter, its value when on (None for the default), and the function that the game must have
    registered."""

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
"""The name of the first step, with every switch off."""


class AblationStep(Struct, frozen=True, kw_only=True):
    """One step of the ladder: the searches of all positions with one more switch on."""

    switch: str
    setting: Setting | None
    nodes: int
    seconds: float
    value: float | None
    """The value found; None if there are several positions."""
    best_move: str | None
    depth: float
    """The last completed depth; the mean if there are several positions."""
    saved: float | None
    """The nodes of the step before divided by those of this one, so below 1 if there are more. None at the first step."""
    saved_seconds: float | None
    """The same ratio for the time."""
    changed_values: int
    changed_moves: int
    """The number of positions in which the best move differs from that of the step before."""


class Ablation(Struct, frozen=True, kw_only=True):
    """The whole ladder."""

    position: str
    """The notation of the position, or the name of the file."""
    positions: int
    game: str
    algorithm: str
    limit: Limit
    complete: bool
    """False if the user interrupted the run: then the last steps are missing."""
    steps: tuple[AblationStep, ...]


def ladder(algorithm: Algorithm, game: Game) -> list[Rung]:
    """The switches that this algorithm declares and that have an effect in this game, in the order in which they are turned
    on."""
    declared = {parameter.name for parameter in algorithm.parameters}
    kind = type(game.rules)
    return [
        rung for rung in LADDER if rung.parameter in declared and (rung.asks is None or kind in rung.asks.implementations)
    ]


def stages(algorithm: Algorithm, game: Game, given: Mapping[str, Setting]) -> Iterator[tuple[Rung, dict[str, Setting]]]:
    """Yield the switch and all parameters of every step. The user's own settings in `given` are kept; for a switch among
    them, they are its value when on."""
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
    """A run of the ladder on some positions of one game."""

    def __init__(
        self, name: str, positions: Sequence[Position], algorithm: str, limit: Limit, settings: Mapping[str, str]
    ) -> None:
        self.name, self.positions, self.algorithm = name, positions, catalog.algorithm(algorithm)
        self.game = positions[0].game
        self.limit = limit if limit != Limit() else Limit(depth=self.game.depth_from(positions[0].state))
        declared = {parameter.name: parameter for parameter in self.algorithm.parameters}
        given = {name: declared[name].read(text) for name, text in settings.items()}
        self.stages = list(stages(self.algorithm, self.game, given))
        self.steps: list[AblationStep] = []

    def climb(self, run: Callable[[Search, str], bool]) -> bool:
        """Run all steps. `run` runs a search and returns whether the user interrupted it; if so this ends early and returns
        True."""
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
        """The result so far."""
        return Ablation(
            position=self.name,
            positions=len(self.positions),
            game=self.game.id,
            algorithm=self.algorithm.id,
            limit=self.limit,
            complete=len(self.steps) == len(self.stages),
            steps=tuple(self.steps),
        )


def step(rung: Rung, now: Sequence[Report], before: Sequence[Report], last: AblationStep | None) -> AblationStep:
    """Sum up the searches of a step and compare them with those of the step before."""
    nodes, seconds = sum(report.nodes for report in now), sum(report.seconds for report in now)
    pairs = list(zip(now, before, strict=False))
    return AblationStep(
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
