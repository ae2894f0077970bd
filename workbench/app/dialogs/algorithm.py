"""The dialog for choosing an algorithm, its parameters and the limit. The form is built from the declared parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Button, Checkbox, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from engines import catalog
from engines.algorithm import FAMILIES
from engines.contract import InputError, Limit, Parameter, Setting
from engines.position import Position
from workbench.app.dialogs.dialog import Dialog
from workbench.app.keys import bindings
from workbench.app.widgets.line import LineInput
from workbench.app.widgets.options import MarkedCheckbox, SafeOptionList

LIMITS = (
    Parameter(name="depth", default=0, sentence="Plies; empty for no such limit."),
    Parameter(name="nodes", default=0, sentence="Positions entered."),
    Parameter(name="iterations", default=0, sentence="Playouts or expansions."),
    Parameter(name="seconds", default=0.0, sentence="Time."),
)
ROOMY = 110
"""From this width of the terminal on, explanations stand beside the fields."""
PROPOSED, UNFIT = "\N{BLACK DIAMOND}", "\N{MULTIPLICATION SIGN}"
"""The marks of the algorithm that suits the game best, and of those that cannot search the position."""


@dataclass(frozen=True)
class ChosenAlgorithm:
    """The algorithm, parameters and limit that the user chose."""

    algorithm: str
    parameters: dict[str, Setting]
    limit: Limit


class Choosing(Protocol):
    """What an algorithm is chosen for: the Analyse screen, or a lane of a comparison."""

    @property
    def position(self) -> Position:
        """The position to be searched."""

    @property
    def algorithm(self) -> str:
        """The name of the algorithm in use."""

    @property
    def settings(self) -> Mapping[str, Mapping[str, Setting]]:
        """The chosen values of parameters, by algorithm and parameter."""

    def limit_for(self, algorithm: str) -> Limit | None:
        """The limit that is set for an algorithm now; None if it has none of its own."""


class AlgorithmDialog(Dialog[ChosenAlgorithm | None]):
    """A list of the algorithms that can search the position, and a form for the highlighted one."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("algorithm")
    place = "algorithm"

    def __init__(self, desk: Choosing) -> None:
        super().__init__()
        self.desk = desk
        self.misfits = {name: catalog.misfit(catalog.algorithm(name), desk.position) for name in catalog.ALGORITHMS}
        """Why an algorithm cannot search the position; None if it can."""
        self.proposed = catalog.proposed(desk.position)
        self.algorithm = desk.algorithm

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large") as box:
            box.border_title = f"Algorithm for {self.desk.position.game.title}"
            hint = "Enter or {take} accepts, Tab goes to the form, {cancel} cancels"
            box.border_subtitle = self.with_keys(hint)
            with Horizontal(id="choice"):
                yield SafeOptionList(*self._options(), id="algorithms")
                yield VerticalScroll(id="form")
            yield Label("", id="problem", markup=False)

    def _options(self) -> Iterator[Option]:
        """The algorithms by family, those that can search the position first; the headings cannot be chosen."""
        fitting = [name for name, misfit in self.misfits.items() if not misfit]
        for family, title in FAMILIES.items():
            names = [name for name in fitting if catalog.algorithm(name).family == family]
            if names:
                yield Option(Text(title, "bold underline"), disabled=True)
                yield from map(self._option, names)
        rest = [name for name, misfit in self.misfits.items() if misfit]
        if rest:
            yield Option(Text("Not for this position", "bold underline"), disabled=True)
            yield from map(self._option, rest)

    def _option(self, name: str) -> Option:
        year, fits = catalog.algorithm(name).year, not self.misfits[name]
        mark = PROPOSED if name == self.proposed else " " if fits else UNFIT
        style = "bold" if fits else "dim"
        return Option(Text.assemble(f"{mark} ", (f"{name:<15}", style), (str(year or ""), "dim")), id=name)

    def on_mount(self) -> None:
        """Highlight the algorithm in use."""
        options = self.query_one("#algorithms", OptionList)
        options.highlighted = options.get_option_index(self.algorithm)
        options.focus()

    def on_resize(self) -> None:
        """Where there is room, explain each parameter beside its field instead of below it."""
        self.set_class(self.app.size.width >= ROOMY, "roomy")

    async def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the form of the highlighted algorithm."""
        self.algorithm = event.option_id or self.algorithm
        form = self.query_one("#form", VerticalScroll)
        async with self.batch():  # keeps the dialog from being removed meanwhile
            await form.remove_children()
            await form.mount_all(self._form())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Accept the form when Enter is pressed on the list."""
        self.algorithm = event.option_id or self.algorithm
        self.action_take()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Accept the form."""
        self.action_take()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Accept the form when Enter is pressed in one of its fields."""
        self.action_take()

    def _form(self) -> list[Widget]:
        found, game = catalog.algorithm(self.algorithm), self.desk.position.game.id
        widgets: list[Widget] = [
            Static(Text.assemble((found.name, "bold"), f": {found.summary}"), classes="summary"),
        ]
        if misfit := self.misfits[self.algorithm]:
            widgets.append(Static(Text(misfit), classes="misfit"))
            return widgets
        if self.algorithm == self.proposed:
            widgets.append(Static(Text(f"{PROPOSED} Proposed for {self.desk.position.game.title}.", "bold")))
        elif shortcoming := catalog.shortcoming(found, self.desk.position):
            widgets.append(Static(Text(shortcoming)))
        limit = self.desk.limit_for(self.algorithm)
        if limit is not None:
            widgets.append(Static(Text("Limit: whichever is reached first", "bold"), classes="heading"))
        for parameter in LIMITS:
            if limit is not None and parameter.name in found.limits:
                now = getattr(limit, parameter.name)
                widgets.append(
                    self._row(parameter, LineInput("" if now is None else f"{now:g}", id=f"limit-{parameter.name}"))
                )
        if found.parameters:
            widgets.append(Static(Text("Parameters", "bold"), classes="heading"))
        chosen = self.desk.settings.get(self.algorithm, {})
        for parameter in found.parameters:
            value = chosen.get(parameter.name, catalog.default_in(parameter, game))
            widgets.append(self._row(parameter, self._field(parameter, value)))
        widgets.append(Button("Accept", variant="primary"))
        return widgets

    @staticmethod
    def _field(parameter: Parameter, value: Setting) -> Widget:
        if isinstance(parameter.default, bool):
            return MarkedCheckbox("", bool(value), id=f"set-{parameter.name}")
        if parameter.choices:
            options = [(choice, choice) for choice in parameter.choices]
            return Select(options, value=str(value), allow_blank=False, compact=True, id=f"set-{parameter.name}")
        return LineInput(str(value), id=f"set-{parameter.name}")

    @staticmethod
    def _row(parameter: Parameter, field: Widget) -> Widget:
        span = ""
        if parameter.low is not None and parameter.high is not None:
            span = f" ({parameter.low:g} to {parameter.high:g})"
        pair = Horizontal(Label(parameter.name, classes="name"), field, classes="pair")
        return Vertical(pair, Label(f"{parameter.sentence}{span}", classes="said"), classes="row")

    def action_take(self) -> None:
        """Accept the form after all pending messages: the form of the highlighted algorithm may not be built yet."""
        self.call_later(self._take)

    def _take(self) -> None:
        """Read the form and close the dialog. If a value is not valid, show below the form what is wrong."""
        if misfit := self.misfits[self.algorithm]:
            self.query_one("#problem", Label).update(misfit)
            return
        try:
            chosen = ChosenAlgorithm(self.algorithm, self._parameters(), self._limit())
            catalog.check_limit(catalog.algorithm(self.algorithm), chosen.limit)
        except InputError as error:
            self.query_one("#problem", Label).update(str(error))
            return
        self.dismiss(chosen)

    def _parameters(self) -> dict[str, Setting]:
        found: dict[str, Setting] = {}
        for parameter in catalog.algorithm(self.algorithm).parameters:
            for field in self.query(f"#set-{parameter.name}"):
                if isinstance(field, Checkbox):
                    found[parameter.name] = field.value
                elif isinstance(field, Select):
                    if not field.is_blank():  # a select is blank until it is fully built
                        found[parameter.name] = parameter.read(str(field.value))
                elif isinstance(field, Input):
                    found[parameter.name] = parameter.read(field.value.strip())
        return found

    def _limit(self) -> Limit:
        given: dict[str, int | float] = {}
        for parameter in LIMITS:
            for field in self.query(f"#limit-{parameter.name}").results(Input):
                text = field.value.strip().replace(",", "")
                if text:
                    value = parameter.read(text)
                    assert isinstance(value, int | float)
                    given[parameter.name] = value
        if not given:
            return Limit(depth=self.desk.position.game.depth_from(self.desk.position.state))
        return Limit(**given)  # type: ignore[arg-type]
