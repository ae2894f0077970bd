"""A match from start to end without a screen: compile, resume from the journal, play, and write the games.

The command `match` and the Match screen both use this; they differ only in how they show the result so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from engines.position import Position
from engines.storage.files import data_directory
from workbench.jobs.journal import taken_up
from workbench.jobs.workers import Workers
from workbench.matches.match import Match
from workbench.matches.types import Terms
from workbench.play import game_files
from workbench.play.players import Player

FOLDER = "matches"
"""The folder in the data directory for journals and for the games of finished matches."""


class MatchJob:
    """A match, its journal, and the files to which its games are written."""

    def __init__(
        self,
        players: Sequence[Player],
        start: Position,
        terms: Terms,
        openings: str = "random",
        journal: Path | None = None,
        files: Sequence[Path] = (),
    ) -> None:
        """A `journal` given by the caller is kept when the match is complete; a default one is replaced by the file of the
        games."""
        self.match = Match(players, start, terms, openings)
        self.files = tuple(files)
        self.folder = data_directory() / FOLDER
        self.journal = journal
        self.place: Path | None = None
        """Where the games are; None until `run` has ended."""

    @property
    def event(self) -> str:
        """The name of the event in game files: who plays whom."""
        return " - ".join(player.name for player in self.match.players)

    def run(
        self,
        workers: Workers,
        on_change: Callable[[], object] = lambda: None,
        compile: Callable[[str], object] | None = None,
    ) -> bool:
        """Play the games that are missing. Returns True if the user interrupted it with Ctrl-C. `on_change` is called in
        this thread whenever the result has changed. `compile` compiles an algorithm whose code is missing; without it, that
        happens in this process."""
        match, interrupted = self.match, False
        with taken_up(match, FOLDER, self.journal, lambda: match.is_complete) as journal:
            on_change()
            try:
                for name in () if match.is_complete else match.uncompiled():
                    (compile or match.compile)(name)
                for _ in match.run(journal, workers):
                    on_change()
            except KeyboardInterrupt:
                interrupted = True
            games = match.counted()
            for path in self.files:
                game_files.write_games(games, path, self.event)
            self.place = journal.path
            if match.is_complete and self.journal is None:
                name = f"{match.start.game.id} {self.event}"
                self.place = self.files[0] if self.files else game_files.keep_games(games, self.folder, name, self.event)
        on_change()
        return interrupted
