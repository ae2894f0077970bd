"""The form for the contestants of a match: an algorithm or a level for each, its settings, and a name of its own."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence

from engines import catalog
from engines.contract import InputError, Limit, Setting, shown
from engines.position import Position
from workbench.app.dialogs.algorithm import AlgorithmDialog, ChosenAlgorithm
from workbench.app.forms.form import FormDialog, FormField, Values
from workbench.play.levels import levels
from workbench.play.players import LIMITS, Player, read_player

FEWEST_ROWS = 6
NOBODY = ("nobody", "")


class ContestantsForm:
    """Who takes part: rows of an algorithm, its settings and a name, and empty rows for more."""

    title = "The contestants"
    hint = "deepening:depth=6 uct:iterations=2000 mine=alphabeta:weights=genetic level:3"
    classes = "contestants"

    def __init__(self, position: Position, count: int) -> None:
        """`count`: how many there are now."""
        self.position = position
        self.fitting = [name for name in catalog.ALGORITHMS if not catalog.misfit(catalog.algorithm(name), position)]
        self.count = max(FEWEST_ROWS, count + 1)

    def rows(self) -> Sequence[Sequence[FormField]]:
        """A row for each."""
        choices = [
            NOBODY,
            *((name, name) for name in self.fitting),
            *((f"level {one.number} of {one.count}", one.title) for one in levels(self.position.game)),
        ]
        return [
            (
                FormField(f"who-{number}", str(number), choices=choices),
                FormField(
                    f"settings-{number}", "", "depth=6 ...", check=self._check(number), width="wide", button="Settings"
                ),
                FormField(f"name-{number}", "", "name", width="narrow"),
            )
            for number in range(1, self.count + 1)
        ]

    def values(self, text: str) -> Values:
        """What the fields hold if the line has this text."""
        try:
            words = shlex.split(text)
        except ValueError:
            raise InputError(f"A quotation mark is missing in {shown(text, 80)}.") from None
        if len(words) > self.count:
            raise InputError(f"The form has room for {self.count}; accept these first, and it will have more.")
        found: Values = {}
        for number in range(1, self.count + 1):
            word = words[number - 1] if number <= len(words) else ""
            head, *settings = word.split(":")
            name, _, who = head.rpartition("=")
            if who == "level" and settings:
                who = f"level:{settings.pop(0)}"
            found |= {f"who-{number}": who, f"settings-{number}": " ".join(settings), f"name-{number}": name}
        return found

    def text(self, values: Mapping[str, str]) -> str:
        """The line for what the fields hold."""
        words = [self.word(values, number) for number in range(1, self.count + 1)]
        return shlex.join(word for word in words if word)

    @staticmethod
    def word(values: Mapping[str, str], number: int) -> str:
        """A contestant as it is typed; empty if there is none."""
        who, name = values[f"who-{number}"], values[f"name-{number}"]
        if not who:
            return ""
        return ":".join([f"{name}={who}" if name else who, *values[f"settings-{number}"].split()])

    def _check(self, number: int) -> Callable[[Values], None]:
        def check(values: Values) -> None:
            word = self.word(values, number)
            if word:
                read_player(word, self.position.game.id)

        return check


class ContestantChoice:
    """What the dialog for algorithms knows of a contestant (`Choosing`)."""

    def __init__(self, position: Position, player: Player) -> None:
        self.position, self.algorithm = position, player.algorithm
        self.settings: Mapping[str, Mapping[str, Setting]] = {player.algorithm: player.parameters}
        self._limit = player.limit

    def limit_for(self, algorithm: str) -> Limit | None:
        """Its own limit, if it is the algorithm that it has now."""
        return self._limit if algorithm == self.algorithm else Limit()


class ContestantsDialog(FormDialog):
    """The form, with the dialog of algorithms for the settings of each."""

    form: ContestantsForm

    def help_with(self, name: str) -> None:
        """Choose the algorithm of a contestant and its settings one by one."""
        number = int(name.rpartition("-")[2])
        position, values = self.form.position, self.values()
        who = values[f"who-{number}"]
        try:
            word = self.form.word(values, number) if who and not who.startswith("level") else self.form.fitting[0]
            player = read_player(word, position.game.id)
        except InputError:
            player = Player(name="", algorithm=who)

        def chosen(found: ChosenAlgorithm | None) -> None:
            if found is not None:
                self.fill({f"who-{number}": found.algorithm, f"settings-{number}": settings_text(found, player, position)})
                self._changed()

        self.app.push_screen(AlgorithmDialog(ContestantChoice(position, player)), chosen)


def settings_text(found: ChosenAlgorithm, player: Player, position: Position) -> str:
    """The settings that are not the usual ones, as they are typed; what the player makes of positions stays."""
    usual = catalog.read_settings(catalog.algorithm(found.algorithm).parameters, {}, position.game.id)
    given: dict[str, object] = {name: getattr(found.limit, name) for name in LIMITS}
    given |= {name: value for name, value in found.parameters.items() if value != usual[name]}
    given |= player.options
    return " ".join(f"{name}={str(value).lower()}" for name, value in given.items() if value is not None)
