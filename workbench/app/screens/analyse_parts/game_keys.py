"""Actions of the Analyse screen that move through the game: moves, back and forward, variations, the principal variation."""

from __future__ import annotations

from collections.abc import Sequence

from textual.events import Key
from textual.screen import Screen

from engines.contract import InputError, shown
from engines.position import Position
from workbench.analysis.board_marks import along
from workbench.analysis.desk import Desk
from workbench.analysis.game_text import continuation, what_it_is
from workbench.analysis.panels.root_moves import root_moves_of
from workbench.app.dialogs.choice import ChoiceDialog
from workbench.app.dialogs.typed import TypedDialog
from workbench.app.places import ANALYSE
from workbench.app.widgets.base_screen import BaseScreen
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.game_moves import GameMoves, RootMoves
from workbench.render.lines import numbered_line, pretty

CHOICES_SHOWN, START_SHOWN = 12, 40


class GameKeysScreen(BaseScreen, Screen[None]):
    """A screen with a position from which the user can go to others."""

    place = ANALYSE

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self._at: int | None = None
        self.chosen = ""
        """The root move whose line is walked; empty for the best one."""

    @property
    def at(self) -> int | None:
        """How many moves of the line the board shows; None if it shows the analysed position itself."""
        return self._at

    @at.setter
    def at(self, plies: int | None) -> None:
        self._at = plies
        if plies is None:
            self.chosen = ""

    @property
    def walked(self) -> tuple[str, ...]:
        """The line that is walked: the principal variation, or the line of another root move that was chosen."""
        belief = self.desk.belief
        if belief is None:
            return ()
        row = next((row for row in belief.root_moves if row.move == self.chosen), None)
        return belief.row.pv if row is None else row.pv or (row.move,)

    @property
    def here(self) -> Position:
        """The position on the board: the one that is analysed, or one on the line."""
        return along(self.desk.position, self.walked[: self.at]) if self.at is not None else self.desk.position

    def hint_at(self, sentence: str) -> None:
        """Show a sentence in which actions in braces are replaced by their keys."""
        self.notify(self.with_keys(sentence))

    # Moves.

    def action_move(self) -> None:
        """Ask for a move and play it."""
        if self.desk.position.is_over:
            self.hint_at("The game is over; {take_back} takes the last move back.")
            return
        choices = self.desk.position.game.line_choices(self.desk.position.state)
        moves = [(choice, pretty(self.desk.position, (choice,))) for choice in choices]
        self.app.push_screen(TypedDialog("Your move", lambda typed: moves_hint(moves, typed)), self._typed)

    def _typed(self, text: str | None) -> None:
        if text:
            self.at = None
            self.try_to(lambda: self.desk.play_text(text))

    def action_roll(self) -> None:
        """Play a random chance move: roll the die."""
        self.at = None
        self.try_to(self.desk.roll)

    def on_key(self, event: Key) -> None:
        """Drop a man into the column of a digit that no other widget has taken."""
        if is_column(self.desk.position, event.character):
            event.stop()
            self.at = None
            self.try_to(lambda: self.desk.play_text(column_move(self.desk.position, str(event.character))))

    def on_board_view_rolled(self) -> None:
        """Roll the die that was clicked."""
        if self.at is None:
            self.action_roll()

    def on_board_view_played(self, event: BoardView.Played) -> None:
        """Play the move that was made on the board; ask which one if several are possible."""
        if self.at is not None:
            self.hint_at("The board shows the line; {line_leave} goes back to the position.")
            return
        position = self.desk.position
        if len(event.moves) == 1:
            self.try_to(lambda: self.desk.play(event.moves[0]))  # the position may have changed since the click
            return
        texts = [pretty(position, (position.game.move_text(position.state, move),)) for move in event.moves]

        def chosen(number: int | None) -> None:
            if number is not None:
                self.desk.play(event.moves[number])

        self.app.push_screen(ChoiceDialog("Which move?", texts), chosen)

    # Back and forward, and variations.

    def action_take_back(self) -> None:
        """Go back to the position before."""
        self.at = None
        if not self.desk.back():
            self.notify("There is no move to take back.")

    def action_replay(self) -> None:
        """Go forward again; where there are several continuations, ask which."""
        self.at = None
        study = self.desk.session.study
        children, position = study.node.children, self.desk.position
        if len(children) < 2:
            if not self.desk.forward():
                self.notify("The line ends here.")
            return
        ahead = continuation(study)[0]
        texts = [
            f"{numbered_line(position, (child.move,))[0]:<10} {what_it_is(child, number)}"
            for number, child in enumerate(children)
        ]

        def chosen(number: int | None) -> None:
            if number is not None:
                self.try_to(lambda: self.desk.go((*study.path, children[number].move)))

        at = [child.move for child in children].index(ahead)
        self.app.push_screen(ChoiceDialog("How does it go on?", texts, at), chosen)

    def action_other(self) -> None:
        """Go to the next variation in place of the last move."""
        self.at = None
        if not self.desk.other():
            self.hint_at("No other move was tried in place of the last one. {take_back} goes back to where there was one.")

    def action_first(self) -> None:
        """Go to the start of the game."""
        self.at = None
        self.desk.go(())

    def action_last(self) -> None:
        """Go to the end of the line."""
        self.at = None
        study = self.desk.session.study
        self.desk.go((*study.path, *continuation(study)))

    def on_game_moves_went(self, event: GameMoves.Went) -> None:
        """Go to the place in the game that was clicked."""
        self.at = None
        self.try_to(lambda: self.desk.go(event.path))

    def action_cut(self) -> None:
        """Delete the last move and what follows it."""
        self.at = None
        study = self.desk.session.study
        name = pretty(self.desk.position.back(), (study.node.move,)) if study.path else ""

        def cut() -> None:
            count = self.desk.cut()
            after = f" and the {count - 1} after it are" if count > 1 else " is"
            self.hint_at(f"{name}{after} deleted. {{undo}} brings it back.")

        self.try_to(cut)

    def action_undo(self) -> None:
        """Restore what was deleted last."""
        self.at = None
        if not self.desk.undo_cut():
            self.notify("Nothing was deleted here.")

    def action_positions(self) -> None:
        """Choose another position of the session."""
        studies = self.desk.session.studies
        if len(studies) == 1:
            self.hint_at("The session has this position only; {open} opens another.")
            return
        texts = []
        for study in studies:
            title, start = study.first_position().game.title, study.title or study.start[:START_SHOWN]
            moves, searches = study.root.size - 1, len(study.searches)
            made = f"{moves} move{'' if moves == 1 else 's'}, {searches} search{'' if searches == 1 else 'es'}"
            texts.append(f"{title}  {start}  {made}")

        def chosen(number: int | None) -> None:
            if number is not None:
                self.at = None
                self.desk.turn_to(number)

        self.app.push_screen(ChoiceDialog("Positions of this session", texts, self.desk.session.at), chosen)

    # The principal variation.

    def action_line_forward(self) -> None:
        """Go one move along the principal variation."""
        if self.desk.belief is None:
            self.hint_at("There is no line yet. {run} starts the search.")
            return
        self.at = min((self.at or 0) + 1, len(self.walked))

    def action_line_back(self) -> None:
        """Go one move back along the principal variation."""
        if self.at is not None:
            self.at = self.at - 1 if self.at > 1 else None

    def action_line_leave(self) -> None:
        """Return from the line to the analysed position."""
        self.at = None

    # The root moves.

    def action_next_move(self, step: int = 1) -> None:
        """Show the next root move of the list, and its line, on the board."""
        (moves,) = self.query(RootMoves)
        rows = [row.move for row in root_moves_of(self.desk.view(), moves.order)]
        if not rows:
            self.hint_at("No move has been searched yet. {run} starts the search.")
            return
        number = rows.index(self.chosen) + step if self.chosen in rows else 0 if step > 0 else len(rows) - 1
        self._show_move(rows[max(0, min(number, len(rows) - 1))])
        moves.show_row(max(0, min(number, len(rows) - 1)))

    def on_root_moves_picked(self, event: RootMoves.Picked) -> None:
        """Show the root move that was clicked, and its line, on the board; a second click goes back to the position."""
        (moves,) = self.query(RootMoves)
        move = root_moves_of(self.desk.view(), moves.order)[event.number].move
        if move == self.chosen:
            self.at = None
        else:
            self._show_move(move)

    def _show_move(self, move: str) -> None:
        self.chosen, self.at = move, 1

    def action_page_moves(self, pages: int) -> None:
        """Scroll the list of root moves."""
        for moves in self.query(RootMoves):
            moves.scroll_rows(pages * moves.height)

    def action_sort_moves(self) -> None:
        """List the root moves in another order."""
        for moves in self.query(RootMoves):
            moves.sort_next()


def is_column(position: Position, typed: str | None) -> bool:
    """Whether a typed character is meant as a column: a digit, in a game in which men fall."""
    return position.game.men_fall and typed is not None and typed in "123456789"


def column_move(position: Position, name: str) -> str:
    """The move into a column, given by its name. Raises InputError if there is no such column or no room in it."""
    grid = position.game.grid(position.state)
    names = grid.column_names if grid is not None else ()
    if name not in names:
        raise InputError(f"There is no column {name}; the columns are {' '.join(names)}.")
    if not position.is_over and name not in position.game.line_choices(position.state):
        raise InputError(f"Column {name} is full.")
    return name


def moves_hint(moves: Sequence[tuple[str, str]], typed: str) -> str:
    """The moves that begin with what was typed. `moves` holds each as it is written in full, and as people like to read
    it."""
    wanted = typed.strip()
    found = [pretty for full, pretty in moves if full.startswith(wanted.lower()) or pretty.startswith(wanted)]
    if not found:
        found = [pretty for _, pretty in moves if pretty.lower().startswith(wanted.lower())]
    if not found:
        return f"None of the {len(moves)} moves begins with {shown(wanted)}."
    return " ".join(found[:CHOICES_SHOWN]) + (f" ... {len(found)} in all" if len(found) > CHOICES_SHOWN else "")
