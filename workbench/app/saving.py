"""The part of the app that keeps sessions: which one is open, when it is saved, and the tapes beside it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from textual.app import App
from textual.message import Message

from engines.contract import InputError

if TYPE_CHECKING:
    from engines.position import Position
    from engines.tape.recording import Recording
    from workbench.analysis.desk import Desk
    from workbench.input.pictured import Drawn
    from workbench.sessions.autosave import Autosave
    from workbench.sessions.model import Session, Study
    from workbench.sessions.types import KeptSearch

TAPE_SECONDS = 5.0
"""How long closing a session waits for a tape that is still being written, in seconds."""


class SavingApp(App[None]):
    """An app with a session, which is saved by itself."""

    class Taped(Message):
        """Posted when a thread has finished writing a tape."""

    @dataclass
    class Notice(Message):
        """Posted by the thread that saves sessions: a sentence to show to the user."""

        sentence: str

    def __init__(
        self, position: Position | None, title: str, session: Session | None, path: Path | None, goes_on: bool
    ) -> None:
        """`goes_on`: open the session that was changed last."""
        super().__init__()
        self._position, self._title, self._session, self._path = position, title, session, path
        self._goes_on = goes_on
        self.autosave: Autosave | None = None
        """Saves the session; None until there is something to save."""
        self._writers: list[threading.Thread] = []
        self._written = SimpleQueue[tuple["Study", "KeptSearch", str]]()
        """Tapes that have been written but that their searches do not name yet: study, search and the name of the file."""
        self.last_word = ""
        """A sentence to print after the app has ended."""

    @cached_property
    def desk(self) -> Desk:
        """The state of the Analyse screen."""
        from workbench.analysis.desk import Desk

        if self._goes_on:
            self._find_last()
        desk = Desk(self._position, self._title, self._session)
        if self._session is not None and self._path is not None:
            self._save_to(self._session, self._path)
        return desk

    def _find_last(self) -> None:
        """Take up the session that was changed last, if it can be read."""
        from workbench.sessions import store as sessions

        for row in sessions.listing()[:1]:
            try:
                self._session, self._path = sessions.read(row.path), row.path
            except InputError as error:
                self.notify(str(error), severity="error", timeout=10)

    # Saving.

    def save(self) -> None:
        """Save the session soon, because it has changed. The first change gives the session its file."""
        from workbench.sessions import store as sessions

        try:
            if self.autosave is None:
                session = self.desk.session
                session.rename(sessions.free_name(session.name))
                self._save_to(session, sessions.create(session))
            assert self.autosave is not None
            self.autosave.touch()
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)

    def keep_tape(self, study: Study, kept: KeptSearch, recording: Recording) -> None:
        """Write the tape of a search beside the session in a thread; when that is done, store the file's name with the
        search."""
        if self.autosave is None:
            return
        path = self.autosave.path

        def write() -> None:
            from workbench.sessions import tapes

            try:
                self._written.put((study, kept, tapes.write(recording, path)))
            except InputError as error:
                self._tell(f"The tree is not kept in the session. {error}")
            else:
                self.post_message(self.Taped())

        self._writers = [thread for thread in self._writers if thread.is_alive()]
        self._writers.append(threading.Thread(target=write, name="tape", daemon=True))
        self._writers[-1].start()

    def read_tape(self, kept: KeptSearch) -> Recording:
        """Read the tape that a search of the session names. Raises InputError if it cannot be read."""
        from workbench.sessions import tapes

        if self.autosave is None:
            raise InputError("The session has no file yet.")
        return tapes.read(kept, self.autosave.path)

    def on_saving_app_taped(self) -> None:
        """Store the names of the tapes that have been written with their searches."""
        while not self._written.empty():
            study, kept, name = self._written.get()
            study.attach(kept, name)
            self.save()

    def _save_to(self, session: Session, path: Path) -> None:
        from workbench.sessions.autosave import Autosave

        self.autosave = Autosave(session, path, self._tell)

    def _tell(self, sentence: str) -> None:
        self.post_message(self.Notice(sentence))

    def on_saving_app_notice(self, event: Notice) -> None:
        """Show the sentence."""
        if event.sentence:
            self.notify(event.sentence, severity="error", timeout=10)

    def open_session(self, path: Path) -> None:
        """Switch to another session. Raises InputError if it cannot be read."""
        from workbench.sessions import store as sessions

        session = sessions.read(path)
        self.close_session()
        self._save_to(session, path)
        self.desk.open(session)

    def open_file(self, path: Path) -> None:
        """Open a session, which is taken in first if it is a portable one, or a tape. An InputError if it cannot be read."""
        from workbench.input import recognise

        found = recognise.own_file(path)
        if found is None:
            raise InputError(f"{path.name} is not a session any more.")
        if found.portable is not None:
            from workbench.portable import handover

            imported = handover.take_in(path)
            self.open_session(imported.file)
            self.notify(imported.sentence, timeout=10)
        elif found.file is not None:
            self.open_session(found.file)
        elif found.session is not None:
            self.close_session()
            self.desk.open(found.session)
        if found.drawn is not None:
            self.watch_drawn(found.drawn)

    def watch_drawn(self, drawn: Drawn) -> None:
        """Watch the search that a picture shows; its position is open."""

    def has_open(self, path: Path) -> bool:
        """Whether this session is open."""
        return self.autosave is not None and self.autosave.path == path

    def new_session(self) -> None:
        """Start another session with the position on the board."""
        self.begin_session(self.desk.position, self.desk.title)

    def begin_session(self, position: Position, title: str) -> None:
        """Start another session with a position. Raises InputError if the open one cannot be saved; it then stays open."""
        from workbench.sessions.model import Session

        if "desk" not in self.__dict__:
            self._goes_on = False  # nobody asked for the last session
        self.close_session()
        self.desk.open(Session.new(title or "untitled", position, title))

    def close_session(self) -> None:
        """Save what is not saved yet. Raises InputError if that fails; the session then stays open."""
        if self.autosave is not None:
            self.desk.stop()  # the result so far belongs to this session
            for writer in self._writers:
                writer.join(TAPE_SECONDS)
            self.on_saving_app_taped()
            self.autosave.close()
            self.autosave = None

    def put_everything_away(self) -> None:
        """Stop all searches and external programs, and save the session: quitting never waits for a search. If saving fails,
        `last_word` says why."""
        if "desk" in self.__dict__:
            from engines.parts.external.uci_process import end_all

            self.desk.close()
            end_all()
            try:
                self.close_session()
            except InputError as error:
                self.last_word = f"The last changes could not be saved. {error}"
