"""The dialog that starts a game: which game, from which position, who plays each side, and with which clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select, Static

from engines import catalog
from engines.contract import InputError, Limit
from engines.position import Position
from workbench.app.dialogs.dialog import Dialog
from workbench.app.keys import bindings
from workbench.app.widgets.line import LineInput
from workbench.comparison.desk import read_budget
from workbench.play.levels import levels, why_not_played
from workbench.play.players import Player
from workbench.play.seats import read_seat, usual_level
from workbench.sessions.play_types import YOU, Clock, read_clock

START, HERE = "start", "here"


@dataclass(frozen=True)
class NewGame:
    """What the user chose for the new game."""

    position: Position
    players: tuple[Player | None, Player | None]
    clock: Clock | None


def playable() -> list[str]:
    """The names of the games in which two players move in turn."""
    return [name for name in catalog.GAMES if why_not_played(catalog.position("startpos", name).game) is None]


def seats_at(position: Position) -> list[tuple[str, str]]:
    """Who can play from a position: a person, the levels of the game, and every algorithm that fits. Pairs of a title and
    the text that names the player."""
    rows = [("you", YOU), *((f"level {one.number} of {one.count}", one.title) for one in levels(position.game))]
    fitting = [name for name in catalog.ALGORITHMS if not catalog.misfit(catalog.algorithm(name), position)]
    return [*rows, *((name, name) for name in fitting)]


def seat_words(text: str, position: Position) -> str:
    """A description of the player that a text names."""
    if text == YOU:
        return ""
    if text.startswith("level:"):
        return next((one.words for one in levels(position.game) if one.title == text), "")
    return f"{text}: {catalog.algorithm(text).summary}."


class NewGameDialog(Dialog[NewGame | None]):
    """A form for a new game; Enter on its button starts it."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("newgame")
    place = "newgame"

    def __init__(self, here: Position, last: tuple[str, str] | None = None, clock: str = "") -> None:
        """`last`: the texts that name the players of the previous game."""
        super().__init__()
        self.here = here
        self.games = playable()
        fits = here.game.id in self.games
        self.game = here.game.id if fits else "connect4"
        self._last, self._clock = last, clock

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large newgame") as box:
            box.border_title = "A new game"
            hint = "{take} begins, Tab goes through the form, {cancel} cancels"
            box.border_subtitle = self.with_keys(hint)
            with VerticalScroll(id="form", can_focus=False):
                names = [(catalog.game(name).title, name) for name in self.games]
                yield self._row("Game", Select(names, value=self.game, allow_blank=False, compact=True, id="new-game"))
                yield self._row("Size", LineInput(self._usual_size(), id="new-size"), "if the game has sizes")
                starts = [("the start of the game", START), ("the position on the board", HERE)]
                chosen = HERE if self.here.played or self.here.text != "startpos" else START
                begin = chosen if self.here.game.id == self.game and not self.here.is_over else START
                yield self._row("From", Select(starts, value=begin, allow_blank=False, compact=True, id="new-from"))
                for number in (0, 1):
                    yield self._row(self._side(number), self._seat(number))
                yield self._row("Limit", LineInput("", id="new-limit"), "for algorithms: depth 8, nodes 200k")
                yield self._row("Clock", LineInput(self._clock, id="new-clock"), "minutes + seconds a move: 5+3")
                yield Static(id="new-words")
                yield Button("Begin", variant="primary", id="new-begin")
            yield Label("", id="problem", markup=False)

    def on_mount(self) -> None:
        """Focus the button, so that Enter starts the game at once."""
        self.query_one("#new-begin", Button).focus()
        self._describe()

    def _usual_size(self) -> str:
        return self.here.game.size if self.here.game.id == self.game else catalog.game(self.game).default_size

    def _first(self) -> Position:
        return catalog.position("startpos", self.game)

    def _side(self, number: int) -> str:
        return catalog.game(self.game).players[number].capitalize()

    def _usual(self, number: int) -> str:
        known = [text for _, text in seats_at(self._first())]
        if self._last is not None and self._last[number] in known:
            return self._last[number]
        return YOU if number == 0 else usual_level(self._first()).title

    def _seat(self, number: int) -> Widget:
        rows = seats_at(self._first())
        return Select(rows, value=self._usual(number), allow_blank=False, compact=True, id=f"new-seat-{number}")

    @staticmethod
    def _row(name: str, field: Widget, said: str = "") -> Widget:
        label = Label(name, classes="name", id=f"{field.id}-name")
        return Horizontal(label, field, Label(said, classes="said"), classes="row")

    def on_select_changed(self, event: Select.Changed) -> None:
        """Update the levels when another game is chosen, and the descriptions when another player is."""
        self.call_later(self._describe)
        if event.select.id != "new-game" or event.value == self.game or event.select.is_blank():
            return
        self.game, self._last = str(event.value), None
        for number in (0, 1):
            for seat in self.query(f"#new-seat-{number}").results(Select):
                seat.set_options(seats_at(self._first()))
                seat.value = self._usual(number)
            for label in self.query(f"#new-seat-{number}-name").results(Label):
                label.update(self._side(number))
        for size in self.query("#new-size").results(Input):
            size.value = self._usual_size()
        for begin in self.query("#new-from").results(Select):
            begin.value = START

    def _describe(self) -> None:
        """Show the descriptions of both players."""
        said = [seat_words(self._chosen(f"new-seat-{number}"), self._first()) for number in (0, 1)]
        self.query_one("#new-words", Static).update(Text("\n".join(dict.fromkeys(filter(None, said)))))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Start the game."""
        self.action_take()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Start the game when Enter is pressed in a field."""
        self.action_take()

    def action_take(self) -> None:
        """Start the game after all pending messages: a list may be changing at this moment."""
        self.call_later(self._take)

    def _take(self) -> None:
        """Read the form and close the dialog. If a value is not valid, show below the form what is wrong."""
        try:
            chosen = self._read()
        except InputError as error:
            self.query_one("#problem", Label).update(str(error))
            return
        self.dismiss(chosen)

    def _read(self) -> NewGame:
        text = self._typed("new-limit")
        limit = Limit()
        if text:
            budget = read_budget(text)
            if budget.evaluations is not None:
                raise InputError("A limit is in depth, nodes, iterations or seconds.")
            limit = Limit(depth=budget.depth, nodes=budget.nodes, iterations=budget.iterations, seconds=budget.seconds)
        position = self._position()
        seats = [read_seat(self._chosen(f"new-seat-{number}"), self.game, limit) for number in (0, 1)]
        for player in seats:
            if player is not None:
                player.check(position)
        return NewGame(position, (seats[0], seats[1]), read_clock(self._typed("new-clock")))

    def _position(self) -> Position:
        if self._chosen("new-from") == HERE:
            if self.here.game.id != self.game:
                raise InputError(f"The position on the board is from {self.here.game.title}.")
            if self.here.is_over:
                raise InputError("The game is over in the position on the board.")
            return self.here
        size = self._typed("new-size") if catalog.game(self.game).default_size else ""
        options = self.here.game.options if self.here.game.id == self.game else {}
        return catalog.restore("startpos", self.game, size, options)

    def _typed(self, id: str) -> str:
        return self.query_one(f"#{id}", Input).value.strip()

    def _chosen(self, id: str) -> str:
        found = self.query_one(f"#{id}", Select)
        return YOU if found.is_blank() else str(found.value)
