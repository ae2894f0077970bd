"""A game in the terminal: a board, a prompt, and the players. It also works in a pipe: one line in, one answer out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from engines.contract import InputError, shown
from engines.run.background import Background
from workbench.play.export import check_target, usual_file, write_game
from workbench.play.hints import advice_for
from workbench.play.levels import Level
from workbench.play.live_game import LiveGame
from workbench.play.panels import clock_text, hint_text
from workbench.render.board import board
from workbench.render.lines import numbered_line, pretty
from workbench.sessions.model import Session

WORDS = {
    "hint": "what a strong player would do",
    "back": "take your last move back",
    "moves": "the moves that can be made",
    "board": "the board once more",
    "game": "the moves so far",
    "resign": "give the game up",
    "save FILE": "write the game to a file",
    "quit": "leave; the game is kept, and --resume goes on with it",
}
SHORT = {"h": "hint", "?": "help", "b": "back", "undo": "back", "takeback": "back", "q": "quit", "exit": "quit"}
MOVES_SHOWN = 60

Wait = Callable[[Background, str], bool]
"""Waits for work to end. Returns True if the user interrupted it."""


class Conversation:
    """One game, from its current position to its end or until the user leaves."""

    def __init__(self, playing: LiveGame, session: Session, screen: Console, ask: Callable[[str], str], wait: Wait) -> None:
        self.playing, self.session, self.screen, self.ask, self.wait = playing, session, screen, ask, wait
        self.interrupted = False
        """Whether the user left with Ctrl-C."""
        self._deeds: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "hint": self._hint,
            "back": self._back,
            "moves": self._show_moves,
            "board": lambda rest: self._board(),
            "game": self._show_game,
            "resign": lambda rest: self.playing.resign(),
            "save": self._save,
        }

    def hold(self) -> bool:
        """Play until the game is over or the user leaves. Returns False if the user left."""
        self._introduce()
        try:
            while not self.playing.over:
                if self.playing.position.by_chance:
                    self._roll()
                elif self.playing.mover is not None:
                    self._its_move()
                elif not self._your_move():
                    break
        except KeyboardInterrupt:
            self.interrupted = True
        except EOFError:
            pass
        self.playing.stop()
        if not self.playing.over:
            return False
        self._say(f"The game is over: {self.playing.ending}.", "bold")
        return True

    # Output.

    def _say(self, text: str, style: str = "") -> None:
        self.screen.print(Text(text, style))

    def _introduce(self) -> None:
        game, playing = self.playing.position.game, self.playing
        names = [f"{game.players[side]}: {playing.name(side)}" for side in (0, 1)]
        self._say("  ".join([*names, *([f"clock {playing.record.clock}"] if playing.clock else [])]), "bold")
        for player in playing.players:
            if isinstance(player, Level):
                self._say(f"Level {player.number} of {player.count}. {player.words}")
        if playing.people:
            self._say("Type a move; help lists what else there is.", "dim")
        self._board()

    def _board(self) -> None:
        self.screen.print(board(self.playing.position))
        if self.playing.clock:
            names = self.playing.position.game.players
            times = [f"{names[side]} {clock_text(self.playing.left(side) or 0.0)}" for side in (0, 1)]
            self._say("   ".join(times), "dim")

    # Moves.

    def _roll(self) -> None:
        """Play the chance move."""
        self._say(f"{self.playing.position.game.nature}: {self.playing.roll()}", "dim")
        if not self.playing.over and self.playing.mover is None:
            self._board()

    def _its_move(self) -> None:
        playing = self.playing
        before, side = playing.position, playing.side
        name = playing.name(side)
        if playing.think(lambda search: self.wait(search, f"{name} thinks")):
            raise KeyboardInterrupt
        if len(playing.position.played) > len(before.played):
            move = numbered_line(before, playing.study.path[-1:])[0]
            self._say(f"{before.game.players[side]} ({name}) plays {move}", "bold yellow")
            if playing.over or (playing.people and not playing.position.by_chance):
                self._board()

    def _your_move(self) -> bool:
        """Ask for a move or a command. Returns False if the user leaves."""
        playing = self.playing
        playing.look()  # starts the clock
        if playing.over:
            return True
        line = self.ask(f"{playing.position.game.players[playing.side]} to move> ").strip()
        playing.look()
        if playing.over or not line:
            return True
        word, _, rest = line.partition(" ")
        word = SHORT.get(word.lower(), word.lower())
        legal = playing.position.game.line_choices(playing.position.state)
        try:
            if word == "quit" and word not in legal:
                return False
            if word in self._deeds and word not in legal:
                self._deeds[word](rest.strip())
            else:
                playing.play(line.removeprefix("move ").strip())
                if playing.mover is None or playing.over:
                    self._board()
        except InputError as error:
            self._say(f"{error} Type help for what else there is." if word not in self._deeds else str(error), "yellow")
        return True

    def _help(self, rest: str) -> None:
        for word, meaning in WORDS.items():
            self._say(f"  {word:<10} {meaning}")
        self._say(f"  {'a move':<10} as {' '.join(self._moves()[:4])}")

    def _moves(self) -> list[str]:
        position = self.playing.position
        choices = position.game.line_choices(position.state)
        return [pretty(position, (choice,)) for choice in choices]

    def _show_moves(self, rest: str) -> None:
        moves = self._moves()
        more = f" ... {len(moves)} in all" if len(moves) > MOVES_SHOWN else ""
        self._say(" ".join(moves[:MOVES_SHOWN]) + more)

    def _show_game(self, rest: str) -> None:
        study = self.playing.study
        self._say(" ".join(numbered_line(study.first_position(), study.path)) or "No move has been made.")

    def _hint(self, rest: str) -> None:
        advice = advice_for(self.playing.position_to_advise(), lambda search, what: self.wait(search.start(), what))
        if advice is None:
            raise KeyboardInterrupt
        self._say(hint_text(advice), "cyan")

    def _back(self, rest: str) -> None:
        count = self.playing.take_back()
        self._say(f"{count} move{' is' if count == 1 else 's are'} taken back.")
        self._board()

    def _save(self, rest: str) -> None:
        path = Path(rest) if rest else usual_file(self.playing.study, self.session.name)
        check_target(path, self.playing.study)
        write_game(self.playing, self.session, path)
        self._say(f"The game is in {shown(str(path), 100)}.")
