"""A dialog with a form that can also be typed on one line: each field has its error beside it, and nothing typed is lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select

from engines.contract import InputError
from workbench.app.dialogs.dialog import Dialog
from workbench.app.keys import bindings
from workbench.app.widgets.line import LineInput

TYPED = "typed"
"""The name of the line that has the whole form as text."""
LEFT = "You left the form like this; it is not accepted yet."

Values = dict[str, str]
"""What the fields of a form hold, by their names."""


@dataclass(frozen=True)
class FormField:
    """A field of a form."""

    name: str
    label: str
    hint: str = ""
    choices: Sequence[tuple[str, str]] = ()
    """What can be picked, as pairs of a title and a value; empty if the user types here."""
    check: Callable[[Values], object] | None = None
    """Raises InputError if what the field holds, among all values, is not valid."""
    width: Literal["", "narrow", "wide"] = ""
    """Where a row has a wide field, hints are in the fields, and an error stands below."""
    button: str = ""
    """The title of a button behind the field that helps to fill it in; empty if there is none."""


class LineForm(Protocol):
    """A form that is a line of text as well."""

    title: str
    hint: str
    """An example of the line for those who type it; empty if the line itself is one."""
    classes: str
    """Classes of the dialog for its style."""

    def rows(self) -> Sequence[Sequence[FormField]]:
        """The fields, row by row."""

    def values(self, text: str) -> Values:
        """What the fields hold if the line has this text. Raises InputError if a part of it belongs to no field."""

    def text(self, values: Mapping[str, str]) -> str:
        """The line for what the fields hold."""


class FormDialog(Dialog[bool | None]):
    """Shows a form, and calls `accept` with its line; closes with True once that raises no InputError."""

    CSS_PATH = "../styles/forms.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("form")
    place = "form"

    def __init__(self, form: LineForm, text: str, accept: Callable[[str], object], draft: Values) -> None:
        """`draft`: what the user left in the form without taking it; empty if nothing. It is kept up to date."""
        super().__init__()
        self.form, self.accept, self.draft = form, accept, draft
        self.fields = {field.name: field for row in form.rows() for field in row}
        self._start: Values = {**form.values(text), TYPED: text, **draft}
        self._seen: Values = {name: self._start.get(name, "") for name in self.fields}
        self._line = self._start[TYPED]
        """The fields and the line as they were when they last agreed; Textual reports changes that are none."""

    def compose(self) -> ComposeResult:
        with Vertical(classes=f"dialog form {self.form.classes}") as box:
            box.border_title = self.form.title
            box.border_subtitle = self.with_keys("{take} accepts, Tab goes through the form, {cancel} leaves it")
            with VerticalScroll(id="fields", can_focus=False):
                for row in self.form.rows():
                    yield from self._row(row)
                line = f"Or typed on one line, such as {self.form.hint}:" if self.form.hint else "Or typed on one line:"
                yield Label(line, classes="hint", markup=False)
                yield LineInput(self._start[TYPED], id=TYPED)
                yield Label("", id=f"error-{TYPED}", classes="wrong", markup=False)
            yield Label(LEFT if self.draft else "", id="problem", markup=False)
            yield Button("Accept", variant="primary", compact=True, id="take")

    def _row(self, row: Sequence[FormField]) -> ComposeResult:
        widgets: list[Widget] = [Label(row[0].label, classes="name", markup=False)]
        for field in row:
            widgets.append(self._widget(field))
            if field.button:
                widgets.append(Button(field.button, compact=True, id=f"help-{field.name}"))
        said = Label(hint_of(row), id=f"error-{row[0].name}", classes="said", markup=False)
        if is_wide(row):
            yield Horizontal(*widgets, classes="row")
            said.display = False
            yield said
        else:
            yield Horizontal(*widgets, said, classes="row")

    def _widget(self, field: FormField) -> Widget:
        value, classes = self._start.get(field.name, ""), field.width
        if not field.choices:
            return LineInput(value, placeholder=field.hint if field.width else "", id=f"field-{field.name}", classes=classes)
        choices = [(title, name) for title, name in field.choices]
        if value not in [name for _, name in choices]:
            choices.append((value, value))
        return Select(choices, value=value, allow_blank=False, compact=True, id=f"field-{field.name}", classes=classes)

    # What the fields hold.

    def values(self) -> Values:
        """What the fields hold now."""
        found: Values = {}
        for name in self.fields:
            widget = self.query_one(f"#field-{name}")
            if isinstance(widget, Input):
                found[name] = widget.value.strip()
            elif isinstance(widget, Select):  # a select is blank until it is fully built
                found[name] = self._start.get(name, "") if widget.is_blank() else str(widget.value)
        return found

    def fill(self, values: Mapping[str, str]) -> None:
        """Put values into the fields, without taking them for changes of the user."""
        with self.prevent(Input.Changed, Select.Changed):
            for name, value in values.items():
                widget = self.query_one(f"#field-{name}")
                if isinstance(widget, Input):
                    widget.value = value
                elif isinstance(widget, Select):
                    known = list(self.fields[name].choices)
                    if value not in [one for _, one in known]:
                        known.append((value, value))
                        widget.set_options(known)
                    widget.value = value

    def on_input_changed(self, event: Input.Changed) -> None:
        """Keep the fields and the line the same, and remember both."""
        event.stop()
        if event.input.id == TYPED:
            if event.value != self._line:
                self._read_line()
        elif self.values() != self._seen:
            self._changed()

    def on_select_changed(self, event: Select.Changed) -> None:
        """The same for what is picked."""
        event.stop()
        if event.select.is_mounted and not event.select.is_blank() and self.values() != self._seen:
            self._changed()

    def on_mount(self) -> None:
        """Begin in the first field."""
        self.query_one(f"#error-{TYPED}").display = False
        self.query_one("#problem").display = bool(self.draft)
        self.query_one("#fields").query("Input, Select").first().focus()

    def _changed(self) -> None:
        """Write the line after a field has changed."""
        self._seen = self.values()
        line = self.form.text(self._seen)
        with self.prevent(Input.Changed):
            self.query_one(f"#{TYPED}", Input).value = line
        self._say({})
        self._keep(line)

    def _read_line(self) -> None:
        """Fill the fields after the line has changed. If it cannot be read, the fields stay."""
        line = self.query_one(f"#{TYPED}", Input).value
        try:
            self.fill(self.form.values(line))
        except InputError as error:
            self._say({TYPED: str(error)})
        else:
            self._seen = self.values()
            self._say({})
        self._keep(line)

    def _keep(self, line: str) -> None:
        """Remember what the form holds, should the user leave it."""
        self._line = line
        self.draft.clear()
        self.draft.update({**self._seen, TYPED: line})

    # Taking it.

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Take the form, or help with a field."""
        name = event.button.id or ""
        if name.startswith("help-"):
            self.help_with(name.removeprefix("help-"))
        else:
            self.action_take()

    def help_with(self, name: str) -> None:
        """Help to fill in a field whose button was pressed. A form that has such fields has its own version."""

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the form when Enter is pressed in a field."""
        self.action_take()

    def action_take(self) -> None:
        """Take the form after all pending messages: a list may be changing at this moment."""
        self.call_later(self._take)

    def _take(self) -> None:
        line = self.query_one(f"#{TYPED}", Input).value
        problems = self._problems(line)
        if not problems:
            try:
                self.accept(line)
            except InputError as error:
                problems = {"": str(error)}
        if problems:
            self._say(problems)
            at = next(iter(problems))
            self.query_one(f"#{at if at == TYPED else f'field-{at}'}" if at else f"#{TYPED}").focus()
            return
        self.draft.clear()
        self.dismiss(True)

    def _problems(self, line: str) -> Values:
        """What is wrong, by the name of the field."""
        try:
            self.form.values(line)
        except InputError as error:
            return {TYPED: str(error)}
        found: Values = {}
        values = self.values()
        for name in values:
            check = self.fields[name].check
            try:
                if check is not None:
                    check(values)
            except InputError as error:
                found[name] = str(error)
        return found

    def _say(self, problems: Mapping[str, str]) -> None:
        """Show each problem beside its field, and the hints where there is none."""
        for row in self.form.rows():
            wrong = [problems[field.name] for field in row if field.name in problems]
            label = self.query_one(f"#error-{row[0].name}", Label)
            label.update(" ".join(wrong) or hint_of(row))
            label.set_class(bool(wrong), "wrong")
            label.display = bool(wrong) or not is_wide(row)
        for id, name in ((f"error-{TYPED}", TYPED), ("problem", "")):
            label = self.query_one(f"#{id}", Label)
            label.update(problems.get(name, ""))
            label.display = name in problems


def is_wide(row: Sequence[FormField]) -> bool:
    """Whether a row has no room for a hint behind it."""
    return any(field.width == "wide" for field in row)


def hint_of(row: Sequence[FormField]) -> str:
    """The hint behind a row: that of its last field."""
    return "" if is_wide(row) else row[-1].hint
