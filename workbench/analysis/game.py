"""The game of the current study: its moves, its variations, and the other positions of the session."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from engines.contract import InputError
from engines.position import Position
from workbench.analysis.game_text import GameView, game_view
from workbench.sessions.model import Path, Session, Study, StudyNode


@dataclass(frozen=True)
class CutOut:
    """A variation that was deleted, and its place."""

    study: Study
    path: Path
    node: StudyNode
    number: int


class GameDesk(ABC):
    """A session and its current position."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.position = session.study.position()
        self.changed: Callable[[], None] = lambda: None
        """Called after everything that changes the session."""
        self._cut_out: list[CutOut] = []
        self._view: GameView | None = None
        """The moves of the game as they were shown last, and what they were made of."""
        self._view_of: Hashable = None
        self.fit_remark = ""
        """What is to be said about the algorithm, now that the game has changed; empty if it suits it."""

    @property
    def title(self) -> str:
        """The title of the opened position; empty if it has none."""
        return self.session.study.title

    def game_view(self) -> GameView:
        """The moves of the game around the position. The same object is returned until something in it changes."""
        study = self.session.study
        seen = (id(study), id(self.position), study.ply, tuple(study.line), study.note_here, study.root.size)
        if self._view is None or self._view_of != seen:
            self._view, self._view_of = game_view(study), seen
        return self._view

    @abstractmethod
    def stop(self) -> None:
        """Stop everything that runs, because the position is about to change."""

    @abstractmethod
    def fit(self) -> str:
        """Choose an algorithm that can search the current game, which may have changed. Returns what to say about it."""

    @abstractmethod
    def resume(self) -> None:
        """Restore the state of a study that was left before."""

    @abstractmethod
    def arrive(self) -> None:
        """React to a change of the position."""

    def load(self, position: Position, title: str = "", study: Study | None = None) -> None:
        """Open a position: as a new study of the session, or as a given study, such as a game with variations."""
        self.stop()
        untouched = (
            len(self.session.studies) == 1 and not self.session.study.searches and not self.session.study.root.children
        )
        self.session.put(study or Study.of(position, title))
        if untouched:
            self.session.remove(0)
        self.fit_remark = self.fit()
        self.arrive()
        self.changed()

    def play(self, move: int) -> None:
        """Play a legal move, along an existing variation or into a new one."""
        self.stop()
        self.session.study.play(self.position.game.move_text(self.position.state, move))
        self.arrive()
        self.changed()

    def play_text(self, text: str) -> None:
        """Play a move that the user wrote. Raises InputError if it is not legal."""
        if self.position.is_over:
            raise InputError("The game is over; there is no move to play.")
        self.play(self.position.game.read_move(self.position.state, text))

    def roll(self) -> str:
        """Play a random chance move by its probabilities, and return its name. Raises InputError if no chance move is
        due."""
        position, game = self.position, self.position.game
        if not position.by_chance:
            raise InputError(
                "There is nothing to roll here: it is a player's move." if not position.is_over else "The game is over."
            )
        moves = game.legal_moves(position.state)
        (move,) = random.choices(moves, [game.likelihood(position.state, move) or 0.0 for move in moves])
        text = game.move_text(position.state, move)
        self.play(move)
        return text

    def back(self) -> bool:
        """Take the last move back. Returns False if there is none."""
        self.stop()
        if not self.session.study.back():
            return False
        self.arrive()
        self.changed()
        return True

    def forward(self) -> bool:
        """Play the move again that was taken back last. Returns False if there is none."""
        self.stop()
        if not self.session.study.forward():
            return False
        self.arrive()
        self.changed()
        return True

    def go(self, path: Sequence[str]) -> None:
        """Go to a place of the study. Raises InputError if it does not exist."""
        self.stop()
        self.session.study.go(path)
        self.arrive()
        self.changed()

    def other(self) -> bool:
        """Go to the next alternative to the last move. Returns False if there is none."""
        study = self.session.study
        beside = study.node_at(study.path[:-1]).children if study.path else []
        if len(beside) < 2:
            return False
        number = beside.index(study.node)
        self.go((*study.path[:-1], beside[(number + 1) % len(beside)].move))
        return True

    def cut(self) -> int:
        """Delete the last move and everything after it. Returns the number of deleted moves. This can be undone."""
        study = self.session.study
        if not study.path:
            raise InputError("This is the start of the game; there is no move to delete.")
        self.stop()
        path, node = study.path, study.node
        self._cut_out.append(CutOut(study, path, node, study.node_at(path[:-1]).children.index(node)))
        study.cut(path)
        self.arrive()
        self.changed()
        return node.size

    def undo_cut(self) -> bool:
        """Restore what was deleted last. Returns False if there is nothing, or if the session has changed."""
        while self._cut_out:
            gone = self._cut_out.pop()
            if gone.study in self.session.studies:
                self.stop()
                self.session.at = self.session.studies.index(gone.study)
                gone.study.put_back(gone.path, gone.node, gone.number)
                self.fit()
                self.arrive()
                self.changed()
                return True
        return False

    def turn_to(self, number: int) -> None:
        """Go to another position of the session, to the place where it was left."""
        self.stop()
        self.session.at = number
        self.resume()
        self.changed()

    def write_note(self, text: str) -> None:
        """Write a note on the position."""
        self.session.study.write_note_here(text)
        self.changed()
