"""Saves an open session automatically: soon after each change, in a background thread, and repeatedly until it succeeds."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from msgspec.structs import replace

from engines.contract import InputError, shown
from workbench.sessions import store as sessions
from workbench.sessions.model import Session, now
from workbench.sessions.types import SavedSession


class Autosave:
    """The saving of one open session.

    `touch` is called after every change, from the thread that changes the session; everything slow happens in another one.
    `tell` is called from that other thread with a sentence when saving fails, or when the session went to another file,
    and with an empty text when a failure is over. It must not wait for anything: posting a message is right. What could not
    be saved stays and is tried again.
    """

    QUIET = 0.2
    """A save follows the last change after this many seconds ..."""
    LONGEST = 0.35
    """... but no later than so many after the first that is not saved. A change that comes while another is being written
    waits for that, too: with time for both, on a busy machine, nothing is lost that is older than a second."""
    RETRY = 3.0

    def __init__(self, session: Session, path: Path, tell: Callable[[str], None] = lambda sentence: None) -> None:
        self.session = session
        self.path = path
        """Where it is saved."""
        self.failure = ""
        """What is wrong with the disk; empty if all is well."""
        self._tell = tell
        self._state = threading.Condition()
        self._writing = threading.Lock()
        self._waiting: SavedSession | None = None
        """What is to be saved; guarded by `_state`, as are the times."""
        self._first = self._last = self._not_before = 0.0
        self._news: list[str] = []
        """What is to be told."""
        self._closed = False
        self._kept_version = False
        self._mark = _mark(path)
        self._thread = threading.Thread(target=self._run, name="autosave", daemon=True)
        self._thread.start()

    @property
    def saved(self) -> bool:
        """Whether everything is on the disk."""
        return self._waiting is None and not self._writing.locked()

    def touch(self) -> None:
        """The session has changed: save it soon. Returns at once."""
        self.session.changed = now()
        frozen = self.session.saved()
        with self._state:
            self._last = monotonic()
            if self._waiting is None:
                self._first = self._last
            self._waiting = frozen
            self._state.notify_all()

    def flush(self) -> None:
        """Save what is not saved yet, now; an InputError if that fails."""
        self._save()

    def rename(self, name: str) -> None:
        """Give the session another name and save it in a file of that name, now."""
        self.touch()
        self.flush()  # under the old name: if another program wrote the file, theirs stays and ours goes aside
        old = self.session.name
        self.session.rename(name)
        try:
            with self._writing:
                self.path = sessions.move(self.session, self.path)
                self._mark = _mark(self.path)
        except InputError:
            self.session.rename(old)
            raise

    def close(self) -> None:
        """Save at once and stop. An InputError if it cannot be saved: then it is still open, and may be closed again."""
        self._save()
        with self._state:
            self._closed = True
            self._state.notify_all()
        self._thread.join(1)

    def _run(self) -> None:
        while self._wait():
            with self._state:
                news, self._news = self._news, []
            for sentence in news:
                self._tell(sentence)
            if self._due() <= monotonic():
                with contextlib.suppress(InputError):  # the user is told, and it is tried again
                    self._save()

    def _wait(self) -> bool:
        """Wait until a save is due or there is something to tell; False when it is closed."""
        with self._state:
            while not self._closed:
                left = self._due() - monotonic()
                if self._news or left <= 0:
                    return True
                self._state.wait(min(left, threading.TIMEOUT_MAX))
            return False

    def _due(self) -> float:
        if self._waiting is None:
            return float("inf")
        return max(min(self._last + self.QUIET, self._first + self.LONGEST), self._not_before)

    def _save(self) -> None:
        """Write what waits, if anything does. If that fails it waits on, unless there is something newer by then."""
        with self._writing:
            with self._state:
                frozen, self._waiting = self._waiting, None
            if frozen is None:
                return
            try:
                self._write(frozen)
            except InputError as error:
                with self._state:
                    self._waiting = self._waiting or frozen
                    self._not_before = monotonic() + self.RETRY
                self._note(str(error))
                raise
            self._note("")

    def _write(self, frozen: SavedSession) -> None:
        mark = _mark(self.path)
        if mark is not None and mark != self._mark:
            frozen = self._step_aside(frozen)
        if not self._kept_version:
            sessions.keep_version(self.path)
            self._kept_version = True
        sessions.write(frozen, self.path)
        self._mark = _mark(self.path)

    def _step_aside(self, frozen: SavedSession) -> SavedSession:
        """Another program has written the file meanwhile: leave its version alone, and go on under another name."""
        theirs, name = frozen.name, sessions.free_name(frozen.name)
        self.session.rename(name)
        self.path = sessions.free_path(self.path.parent, name)
        self._hand_over(f"{shown(theirs)} was changed by another program; this session goes on as {shown(name)}.")
        return replace(frozen, name=name)

    def _note(self, failure: str) -> None:
        if failure != self.failure:
            self.failure = failure
            self._hand_over(failure)

    def _hand_over(self, sentence: str) -> None:
        """Leave a sentence to the saving thread: the caller may hold up the thread that shows sentences."""
        with self._state:
            self._news.append(sentence)
            self._state.notify_all()


def _mark(path: Path) -> tuple[int, int, int] | None:
    """A stamp that changes whenever the file is written; None if it does not exist."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
