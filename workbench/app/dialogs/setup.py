"""The dialog that sets up a position: men on squares, the side to move, and the other fields of the game's notation.

The game's own reader decides whether the result is a position, and says what is wrong if it is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Checkbox, Input, Label, Static

from engines.contract import InputError
from engines.position import Position
from workbench.analysis.board_setup import EMPTY, BoardSetup, like, standing
from workbench.app.dialogs.dialog import Dialog
from workbench.app.dialogs.open import OpenedPosition
from workbench.app.keys import bindings
from workbench.app.widgets.line import LineInput
from workbench.app.widgets.options import MarkedCheckbox
from workbench.app.widgets.setup_board import PiecePalette, SetupBoard

TITLE = "set up by hand"
SIDE_WIDTH = 34
FRAME_WIDTH, FRAME_HEIGHT = 4, 6
"""Columns and lines that the board cannot use: the borders, and the lines below it."""
SIDE_HEIGHT = 13
CASTLES = ("O-O", "O-O-O")


class PositionDialog(Dialog[OpenedPosition | None]):
    """A dialog in which a position is set up; it closes with the position, if that is legal."""

    CSS_PATH = "../styles/setup.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("setup")
    place = "setup"

    def __init__(self, position: Position) -> None:
        super().__init__()
        self._before = position
        self.legal: Position | None = None
        """The position that is set up; None if it is not legal."""

    def judge(self, read: Callable[[], Position], doubt: Callable[[], str | None] = lambda: None) -> None:
        """Read the position that is set up, and show whether it is legal. Only if it is, `doubt` is asked what is odd about
        it."""
        verdict = self.query_one("#verdict", Static)
        odd = None
        try:
            self.legal = read()
        except InputError as error:
            self.legal = None
            verdict.update(Text(str(error)))
        else:
            odd = doubt()
            verdict.update(Text(odd or f"legal: {standing(self.legal)}"))
        verdict.set_class(self.legal is None or odd is not None, "wrong")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Accept the position when Enter is pressed in a field."""
        self.action_take()

    def action_take(self) -> None:
        """Close with the position, if it is legal."""
        if self.legal is None:
            self.app.bell()
            return
        self.dismiss(OpenedPosition(self.legal, TITLE))


class SetupDialog(PositionDialog):
    """A board on which every square can be changed."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.setup = BoardSetup.of(position)

    def compose(self) -> ComposeResult:
        setup, game = self.setup, self._before.game
        with Vertical(classes="dialog setup") as box:
            box.border_title = f"Set up a position: {game.title}"
            hint = "Enter puts and removes, {take} accepts, {cancel} cancels"
            box.border_subtitle = self.with_keys(hint)
            with Horizontal(id="setup-body"):
                yield SetupBoard(self._before, setup, id="setup-board")
                with Vertical(id="setup-side"):
                    yield PiecePalette(game, setup.men[0][0], id="palette")
                    if setup.has_side:
                        yield Button("", id="turn", compact=True)
                    if setup.castling:
                        for side, name in enumerate(game.players):
                            with Horizontal(classes="setup-row"):
                                yield Label(f"{name} ")
                                for number in (2 * side, 2 * side + 1):
                                    has = bool(setup.castling[number])
                                    yield MarkedCheckbox(CASTLES[number % 2], has, id=f"right-{number}", compact=True)
                        with Horizontal(classes="setup-row"):
                            yield Label("en passant ")
                            yield LineInput(
                                setup.en_passant, placeholder="none", max_length=2, id="en-passant", compact=True
                            )
                    if game.has_chance:
                        with Horizontal(classes="setup-row"):
                            yield Label(f"{game.nature} ")
                            yield LineInput(setup.die, placeholder="to be rolled", max_length=3, id="die", compact=True)
                    with Horizontal(classes="setup-row", id="setup-buttons"):
                        yield Button(self.with_keys("{clear} Clear"), id="clear", compact=True)
                        yield Button(self.with_keys("{start} Start position"), id="start", compact=True)
                    yield Button("Accept", id="take", variant="primary", compact=True)
                    yield Static(self._help(), id="setup-help")
            yield Static(id="notation")
            yield Static(id="verdict")

    def _help(self) -> Text:
        letters = "".join(self.setup.men)
        return Text(f"{letters} choose a man. Delete removes one. Tab goes on to the fields.", "dim")

    def on_mount(self) -> None:
        """Focus the board."""
        self.query_one(SetupBoard).focus()
        self._fit(self.app.size.width, self.app.size.height)
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the board to the new size."""
        self._fit(event.size.width, event.size.height)

    def _fit(self, width: int, height: int) -> None:
        columns = len(self.setup.grid.column_names)
        stacked = 2 * columns + 3 + SIDE_WIDTH + FRAME_WIDTH > width
        self.set_class(stacked, "stacked")
        room = (
            (width - FRAME_WIDTH, height - FRAME_HEIGHT - SIDE_HEIGHT)
            if stacked
            else (width - FRAME_WIDTH - SIDE_WIDTH, height - FRAME_HEIGHT)
        )
        self.query_one(SetupBoard).fit(*room)

    # Changing.

    def _change(self, setup: BoardSetup) -> None:
        """Take over a changed setup: draw it, and check whether it is a position."""
        self.setup = setup
        self._show()

    def _show(self) -> None:
        setup = self.setup
        self.query_one(SetupBoard).draw(setup)
        self.query_one("#notation", Static).update(Text(setup.text, "bold"))
        for button in self.query("#turn").results(Button):
            mover = setup.game.players[0 if setup.turn > 0 else 1]
            button.label = self.with_keys(f"{{turn}} {mover} to move")
        self.judge(setup.position, lambda: setup.doubt)
        self.query_one("#take", Button).disabled = self.legal is None

    def _fields(self) -> None:
        """Update the fields from the setup."""
        with self.prevent(Checkbox.Changed, Input.Changed):
            for number, letter in enumerate(self.setup.castling):
                self.query_one(f"#right-{number}", Checkbox).value = bool(letter)
            for field in self.query("#en-passant").results(Input):
                field.value = self.setup.en_passant
            for field in self.query("#die").results(Input):
                field.value = self.setup.die

    def on_setup_board_touched(self, event: SetupBoard.Touched) -> None:
        """Put the chosen man on the square; remove it if it already stands there."""
        chosen = self.query_one(PiecePalette).letter
        there = self.setup.at(event.square)
        self._change(self.setup.put(event.square, EMPTY if event.remove or there == chosen else chosen))

    def on_key(self, event: events.Key) -> None:
        """Choose a man by its letter."""
        men = "".join(self.setup.men)
        letter = event.character or ""
        if men.isupper():
            letter = letter.upper()
        if letter and letter in men:
            event.stop()
            self.query_one(PiecePalette).choose(letter)

    def on_piece_palette_piece_chosen(self, event: PiecePalette.PieceChosen) -> None:
        """Choose the man that was clicked."""
        self.query_one(PiecePalette).choose(event.letter)
        self.query_one(SetupBoard).focus()

    def on_checkbox_changed(self, event: Checkbox.Changed) -> None:
        """Change a castling right."""
        self._change(self.setup.with_right(int((event.checkbox.id or "").removeprefix("right-")), event.value))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Change the en passant square, or the number on the die."""
        typed = "".join(event.value.split()).replace("-", "")
        self._change(replace(self.setup, die=typed) if event.input.id == "die" else replace(self.setup, en_passant=typed))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Perform the action of the button."""
        {"turn": self.action_turn, "clear": self.action_clear, "start": self.action_start, "take": self.action_take}[
            event.button.id or "take"
        ]()

    def action_turn(self) -> None:
        """Give the move to the other side."""
        if self.setup.has_side:
            self._change(self.setup.turned())

    def action_clear(self) -> None:
        """Clear the board."""
        self._change(self.setup.cleared())
        self._fields()

    def action_start(self) -> None:
        """Set up the game's starting position."""
        self._change(self.setup.at_start())
        self._fields()


class TextDialog(PositionDialog):
    """Edits a position that is not made of men on squares, such as a typed tree, as text beside its diagram."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.legal = position

    def compose(self) -> ComposeResult:
        game = self._before.game
        whole = game.is_typed_by_hand
        text = game.board_text(self._before.start if whole else self._before.state)
        with Vertical(classes="dialog large") as box:
            box.border_title = f"Edit the {game.id}" if whole else f"Edit the position: {game.title}"
            box.border_subtitle = self.with_keys("Enter accepts, {cancel} cancels")
            yield LineInput(text, id="notation", select_on_focus=False)
            yield Static(id="verdict")
            with VerticalScroll(id="drawing", can_focus=False):
                drawn = self._before.start if whole else self._before.state
                yield Static(game.diagram(drawn), id="tree-drawing", markup=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Read the text, and draw it if it is a position."""
        self.judge(lambda: like(self._before.game, event.value.strip()))
        if self.legal is not None:
            self.query_one("#tree-drawing", Static).update(Text(self.legal.game.diagram(self.legal.state)))


def setup_dialog(position: Position) -> Dialog[OpenedPosition | None]:
    """The dialog that suits the game: a board, or a text field."""
    return SetupDialog(position) if any(position.game.marks) else TextDialog(position)
