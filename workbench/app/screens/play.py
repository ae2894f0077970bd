"""The Play screen: a game against a level, an algorithm or a person, or between two algorithms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from engines.contract import InputError, shown
from engines.position import Position
from workbench.analysis.board_marks import Marks, last_squares
from workbench.analysis.desk import Desk
from workbench.analysis.game_text import game_lines, game_view
from workbench.app.dialogs.choice import ChoiceDialog
from workbench.app.dialogs.new_game import NewGame, NewGameDialog
from workbench.app.dialogs.typed import TypedDialog
from workbench.app.keys import bindings
from workbench.app.places import PLAY
from workbench.app.screens.analyse_parts.game_keys import column_move, is_column, moves_hint
from workbench.app.widgets.base_screen import BaseScreen, DrawnParts
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.game_moves import GameMoves
from workbench.app.widgets.keys_footer import KeysFooter
from workbench.input.files import expanded
from workbench.play import panels as play_panels
from workbench.play.export import check_target, usual_file, write_game
from workbench.play.live_game import LiveGame, last_place
from workbench.render.lines import pretty
from workbench.sessions.model import Path as Place

HERTZ = 10
NORMAL = 110
LEAST_BOARD, LEAST_BESIDE = 20, 34
"""The least columns of the board and of the panels beside it."""
BORDERS, BARS = 2, 2
"""What the border of a panel takes of its width and height, and the lines above and below the panels."""
LOOK_SECONDS = 0.6
"""The least time between the moves of two algorithms, in seconds, so that one can follow the game."""


class PlayScreen(BaseScreen, Screen[Place | None]):
    """A game being played. The result is the path of the position to analyse, or None if none was chosen."""

    CSS_PATH = "../styles/play.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NORMAL, "-normal")]  # noqa: RUF012 - Textual's own form
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLAY)
    place = PLAY

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.playing = LiveGame(desk.session.study, self._changed)
        self.flipped = self.playing.people == [1]
        self._drawn = DrawnParts()
        self._end_announced = self.playing.over
        self._not_before = 0.0
        """The time before which two algorithms make no further move."""

    # Layout.

    def compose(self) -> ComposeResult:
        yield Static(id="play-status")
        with Horizontal(id="play-body"):
            board = Vertical(BoardView(self.playing.position, id="board"), id="play-position", classes="panel")
            board.border_title = "Board"
            yield board
            with Vertical(id="play-right"):
                for name, title in (("play-players", "Players"), ("play-advice", "Now")):
                    box = Static(id=name, classes="panel")
                    box.border_title = title
                    yield box
                moves = GameMoves(id="play-game", classes="panel")
                moves.border_title = "Game"
                yield moves
        yield KeysFooter(show_command_palette=False)

    def on_mount(self) -> None:
        """Start polling the game."""
        self.query_one(BoardView).focus()
        self.set_interval(1 / HERTZ, self.tick)
        self.tick()

    def on_unmount(self) -> None:
        """Stop all searches when the screen is left."""
        self.playing.stop()

    def _changed(self) -> None:
        """Save the game after a change, and notify the Analyse screen's state."""
        self.desk.arrive()
        self.desk.changed()

    # Polling.

    def tick(self) -> None:
        """Let the game go on, and draw what has changed."""
        if not self.is_current:
            return
        playing, glance = self.playing, None
        try:
            if playing.people or monotonic() >= self._not_before:
                ply = playing.study.ply
                glance = playing.look()
                self._not_before = monotonic() + LOOK_SECONDS if playing.study.ply != ply else self._not_before
            playing.look_for_hint()
        except InputError as error:
            playing.pause()
            self.notify(str(error), severity="error", timeout=10)
        position = playing.position
        advice = playing.advice
        best: tuple[tuple[int, int], ...] = ()
        if advice is not None and advice.position.text == position.text and advice.report.best_move is not None:
            best = position.game.move_squares(
                position.state, position.game.read_move(position.state, advice.report.best_move)
            )
        board = self.query_one(BoardView)
        if board.flipped != self.flipped:
            board.flipped = self.flipped
            board.refresh()
        board.show(position, marks=Marks(last=last_squares(position), best=best))
        self._fit(board)
        self._draw("play-status", play_panels.status(playing))
        players = self.query_one("#play-players", Static)
        self._draw("play-players", play_panels.players(playing, glance, max(20, players.content_size.width)))
        keys = "{review} analyses it, {new} begins another game, {save} writes it to a file."
        if not playing.over:
            keys = "Move with arrows and Enter, the mouse, or {move} and typing. {hint} gives a hint."
        self._draw("play-advice", play_panels.advice(playing, self.with_keys(keys)))
        game = self.query_one(GameMoves)
        if self._drawn.is_new("game", (position.text, tuple(playing.study.line), playing.study.ply, game.size)):
            game.take(game_lines(game_view(playing.study), game.size.width, game.size.height))
        if playing.over and not self._end_announced:
            self.notify(
                self.with_keys(f"{playing.ending}. {{review}} analyses the game, {{new}} begins another."), timeout=8
            )
        self._end_announced = playing.over

    def on_resize(self) -> None:
        """Give the board the room it can use."""
        self._fit(self.query_one(BoardView))

    def _fit(self, board: BoardView) -> None:
        """Make the board as large as the screen allows; the panels beside it take what is left."""
        room = self.size - Size(BORDERS + LEAST_BESIDE, BORDERS + BARS)
        width = max(board.width_in(room), LEAST_BOARD) + BORDERS
        if self._drawn.is_new("fit", width):
            self.query_one("#play-position").styles.width = width

    def _draw(self, id: str, text: Text) -> None:
        widget = self.query_one(f"#{id}", Static)
        if self._drawn.is_new(id, (text.plain, tuple(text.spans), widget.size)):
            widget.update(text, layout=False)

    # Actions.

    def try_to(self, deed: Callable[[], object]) -> None:
        """Call a function, or show why it raised InputError; then draw what has changed."""
        super().try_to(deed)
        self.tick()

    def _is_yours(self) -> bool:
        """Whether a person is to move. If not, the reason is shown."""
        if self.playing.over:
            self.notify(self.with_keys("The game is over. {new} begins another, {take_back} takes the last move back."))
            return False
        if self.playing.mover is not None:
            self.notify(f"{self.playing.name(self.playing.side)} is to move.")
            return False
        return True

    def on_key(self, event: Key) -> None:
        """Drop a man into the column of a digit."""
        if is_column(self.playing.position, event.character):
            event.stop()
            if self._is_yours():
                self.try_to(lambda: self.playing.play(column_move(self.playing.position, str(event.character))))

    def on_board_view_played(self, event: BoardView.Played) -> None:
        """Play the move that was made on the board; ask which one if several are possible."""
        if not self._is_yours():
            return
        position = self.playing.position
        texts = [position.game.move_text(position.state, move) for move in event.moves]
        if len(texts) == 1:
            self.try_to(lambda: self.playing.play(texts[0]))
            return

        def chosen(number: int | None) -> None:
            if number is not None:
                self.try_to(lambda: self.playing.play(texts[number]))

        self.app.push_screen(ChoiceDialog("Which move?", [pretty(position, (text,)) for text in texts]), chosen)

    def action_move(self) -> None:
        """Ask for a move and play it."""
        if not self._is_yours():
            return
        position = self.playing.position
        choices = position.game.line_choices(position.state)
        moves = [(choice, pretty(position, (choice,))) for choice in choices]

        def typed(text: str | None) -> None:
            if text:
                self.try_to(lambda: self.playing.play(text))

        self.app.push_screen(TypedDialog("Your move", lambda text: moves_hint(moves, text)), typed)

    def action_hint(self) -> None:
        """Show what a strong player would do."""
        if self._is_yours():
            self.try_to(self.playing.ask_hint)

    def action_take_back(self) -> None:
        """Take back the last move and the reply to it."""
        self.try_to(self.playing.take_back)

    def action_resign(self) -> None:
        """Resign the game, after a confirmation."""
        if self.playing.over:
            self.try_to(self.playing.resign)
            return

        def chosen(number: int | None) -> None:
            if number == 1:
                self.try_to(self.playing.resign)

        self.app.push_screen(ChoiceDialog("Resign?", ["No, play on", "Yes, resign"]), chosen)

    def action_pause(self) -> None:
        """Pause or resume the game."""
        if self.playing.over:
            self._is_yours()
        elif self.playing.paused:
            self.playing.go_on()
        else:
            self.playing.pause()
        self.tick()

    def action_flip(self) -> None:
        """Turn the board around."""
        self.flipped = not self.flipped
        self.tick()

    def action_new(self) -> None:
        """Start another game."""
        self.playing.pause()
        record = self.playing.record
        start = self.playing.study.first_position()
        dialog = NewGameDialog(Position(start.game, start.game.start()), record.players, record.clock)
        self.app.push_screen(dialog, self._begin)

    def _begin(self, chosen: NewGame | None) -> None:
        if chosen is None:
            self.playing.go_on()
            return
        begin(self.desk, chosen)
        self.playing = LiveGame(self.desk.session.study, self._changed)
        self.flipped = self.playing.people == [1]
        self._end_announced = False
        self._drawn.forget()
        self.tick()

    def action_save(self) -> None:
        """Write the game to a file."""
        study, session = self.playing.study, self.desk.session

        def typed(text: str | None) -> None:
            if text:
                self.try_to(lambda: self._write(expanded(text)))

        hint = "It ends in .pgn for chess, .txt for plain notation, .jsonl as matches have it."
        self.app.push_screen(TypedDialog("Write the game to a file", hint, str(usual_file(study, session.name))), typed)

    def _write(self, path: Path) -> None:
        check_target(path, self.playing.study)
        write_game(self.playing, self.desk.session, path)
        self.notify(f"The game is in {shown(str(path), 80)}.")

    def action_review(self) -> None:
        """Review the game."""
        from workbench.app.screens.review import ReviewScreen

        if not self.playing.position.played:
            self.notify("No move has been made yet.")
            return
        self.playing.pause()

        def left(place: Place | None) -> None:
            if place is not None:
                self.dismiss(place)
            else:
                self.playing.go_on()

        self.try_to(lambda: self.app.push_screen(ReviewScreen(self.playing.position, self.playing.ending), left))

    def action_leave(self) -> None:
        """Return to the Analyse screen. The game can be continued later."""
        self.dismiss(None)


def begin(desk: Desk, chosen: NewGame) -> None:
    """Start a game as a new study of the session."""
    names = " - ".join("you" if player is None else player.name for player in chosen.players)
    desk.load(chosen.position, names)
    LiveGame.begin(desk.session.study, chosen.players, chosen.clock, seed=len(desk.session.studies))
    desk.changed()


def goes_on(desk: Desk) -> bool:
    """Whether the current study is a game that is not over. If so, go to its last move."""
    place = last_place(desk.session.study)
    if place is not None:
        desk.go(place)
    return place is not None
