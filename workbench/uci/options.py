"""The options of the UCI engine, made from what the game of chess and the algorithms declare about themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engines import catalog
from engines.contract import InputError, Parameter, Setting, instead, shown
from engines.rules import MAX_MOVES

GAME = "chess"
"""What UCI is spoken for."""
STANDARD = {
    "table": "Hash",
    "threads": "Threads",
    "multipv": "MultiPV",
    "evaluation": "Evaluation",
    "chess960": "UCI_Chess960",
}
"""What UCI calls parameters that Plybench has under another name. All others keep theirs."""
PLAYS_WITH: dict[str, Setting] = {"evaluation": "tapered"}
"""Where an engine that plays wants another default than a person who studies: Shannon's brings the queen out early."""
SMALLEST, LARGEST = -(2**31), 2**31 - 1
"""Where a declaration has no limit but UCI wants one."""

ALGORITHM = "Algorithm"
OVERHEAD = "Move Overhead"
PONDER = "Ponder"
WDL = "UCI_ShowWDL"
CLEAR = "Clear Hash"
HARMLESS = (PONDER, OVERHEAD, WDL, "MultiPV", "Threads")
"""Options that change no value: what was found before they were set still holds."""
EXPECTED = (
    Parameter(name="table", default=16, low=1, high=65536, sentence="Megabytes for a table."),
    Parameter(name="threads", default=1, low=1, high=64, sentence="How many threads search."),
    Parameter(name="multipv", default=1, low=1, high=MAX_MOVES, sentence="How many best lines to show."),
)
"""What every GUI expects, also where no algorithm declares it."""


@dataclass(frozen=True)
class UciOption:
    """A UCI option. Its parameter says what may stand there."""

    name: str
    parameter: Parameter
    default: Setting

    def declaration(self) -> str:
        """The line that tells a GUI of it."""
        kind, parameter = "string", self.parameter
        default = str(self.default)
        extra = ""
        if isinstance(self.default, bool):
            kind, default = "check", default.lower()
        elif isinstance(self.default, int):
            low = SMALLEST if parameter.low is None else int(parameter.low)
            high = LARGEST if parameter.high is None else int(parameter.high)
            kind, extra = "spin", f" min {low} max {high}"
        elif parameter.choices:
            kind, extra = "combo", "".join(f" var {choice}" for choice in parameter.choices)
        return f"option name {self.name} type {kind} default {default or '<empty>'}{extra}"

    def read(self, text: str) -> Setting:
        """The value that a GUI sent; an InputError if it cannot be."""
        wanted = "" if text == "<empty>" else text
        lower = {choice.lower(): choice for choice in self.parameter.choices}
        try:
            return self.parameter.read(lower.get(wanted.lower(), wanted))
        except InputError as error:
            raise InputError(str(error).replace(self.parameter.name, self.name, 1)) from None


class UciOptions:
    """All options with their values now."""

    def __init__(self, algorithm: str) -> None:
        fitting = catalog.compiled_algorithms_for(GAME)
        if algorithm not in fitting:
            catalog.algorithm(algorithm)  # says so if there is none of that name
            raise InputError(f"{algorithm} does not play chess; {', '.join(fitting)} do.")
        own = (
            Parameter(name=ALGORITHM, default=algorithm, choices=tuple(fitting), sentence="How to search."),
            Parameter(name=PONDER, default=False, sentence="Whether the GUI may let it think on the opponent's time."),
            Parameter(name=WDL, default=False, sentence="Also give the shares of wins, draws and losses."),
            Parameter(name=OVERHEAD, default=50, low=0, high=5000, sentence="Milliseconds lost on the way to the clock."),
        )
        self._all: dict[str, UciOption] = {}
        self._add(own)
        self._add(catalog.game(GAME).parameters)
        for name in dict.fromkeys([algorithm, *fitting]):
            self._add(catalog.algorithm(name).parameters)
        self._add(EXPECTED)
        self._values: dict[str, Setting] = {}

    def _add(self, parameters: Iterable[Parameter]) -> None:
        for parameter in parameters:
            name = STANDARD.get(parameter.name, parameter.name)
            self._all.setdefault(name.lower(), UciOption(name, parameter, default(parameter)))

    def declarations(self) -> list[str]:
        """The lines that tell a GUI of all options."""
        return [*(option.declaration() for option in self._all.values()), f"option name {CLEAR} type button"]

    def set(self, name: str, text: str) -> str:
        """Set an option. Returns its name as it is declared; an InputError if there is none or the value cannot be."""
        key = " ".join(name.lower().split())
        if key not in self._all:
            raise InputError(f"There is no option {shown(name)}.{instead(name, [one.name for one in self._all.values()])}")
        option = self._all[key]
        self._values[key] = option.read(text)
        return option.name

    def value(self, name: str) -> Setting:
        """The value of an option by its UCI name."""
        key = name.lower()
        return self._values.get(key, self._all[key].default)

    @property
    def algorithm(self) -> str:
        """The id of the chosen algorithm."""
        return str(self.value(ALGORITHM))

    def game_settings(self) -> dict[str, str]:
        """What was chosen for the game, as the user would type it."""
        return {parameter.name: str(self._chosen(parameter)) for parameter in catalog.game(GAME).parameters}

    def parameters(self) -> Mapping[str, Setting]:
        """What was chosen for the parameters of the chosen algorithm; where nothing was, its own default counts."""
        declared = catalog.algorithm(self.algorithm).parameters
        return {parameter.name: self._chosen(parameter) for parameter in declared}

    def _chosen(self, parameter: Parameter) -> Setting:
        key = STANDARD.get(parameter.name, parameter.name).lower()
        if key not in self._values:
            return default(parameter)
        try:
            return parameter.read(str(self._values[key]))
        except InputError:  # another algorithm's parameter of that name takes other values
            return default(parameter)


def default(parameter: Parameter) -> Setting:
    """The value of a parameter that is not set."""
    return PLAYS_WITH.get(parameter.name, catalog.default_in(parameter, GAME))
