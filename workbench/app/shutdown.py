"""How the app ends when nobody quits it: a signal, or a terminal that goes away.

Told to end (SIGTERM, SIGHUP) it ends as by its own key: the session is saved, the search and all child processes are ended,
the terminal is what it was. If that takes too long, or if the terminal is gone so that drawing may wait for it forever, a
thread does what matters, and the process ends at once.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Self

from workbench.jobs.crash_log import log_file, note

if TYPE_CHECKING:
    from workbench.app.app import PlybenchApp

PATIENCE = 4.0
"""Seconds for ending in the usual way, and as many for the other one."""
SHOW_CURSOR = b"\x1b[<u\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?2004l\x1b[?1004l\x1b[?7h\x1b[?1049l\x1b[?25h"
"""Gives a terminal back: no mouse reports, no pastes in brackets, the screen as it was before, a cursor."""


class Ending:
    """Looks after the end of an app while that runs."""

    def __init__(self, app: PlybenchApp) -> None:
        self.code = 0
        """The exit code: 128 and the number of the signal that ended it."""
        self._app = app
        self._over = False
        self._modes: list[object] | None = None

    def __enter__(self) -> Self:
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._told)
        self._remember_terminal()
        if hasattr(select, "poll"):
            threading.Thread(target=self._watch, name="terminal", daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over = True

    def _told(self, number: int, frame: FrameType | None) -> None:
        """A signal came."""
        if self.code:
            return
        self.code = 128 + number
        loop = self._app._loop
        if loop is None or not loop.is_running():
            sys.exit(self.code)  # it has not begun
        later = threading.Timer(PATIENCE, self._leave)
        later.daemon = True
        later.start()
        loop.call_soon_threadsafe(self._app.exit)

    def _watch(self) -> None:
        """Wait until the terminal, or the browser's end of the pipe, is gone."""
        watched = select.poll()
        for stream in (sys.__stdin__, sys.__stdout__):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                watched.register(stream.fileno(), 0)  # type: ignore[union-attr]
        with contextlib.suppress(OSError):
            for _, what in watched.poll():
                if what & (select.POLLHUP | select.POLLERR) and not self._over:
                    self.code = 128 + signal.SIGHUP
                    self._leave(terminal=False)

    def _leave(self, terminal: bool = True) -> None:
        """Do what matters and end the process, in a background thread. Nothing may keep it: not a lock that the app holds,
        not a disk that does not answer."""
        if self._over:
            return
        last = threading.Timer(PATIENCE, os._exit, [self.code])
        last.daemon = True
        last.start()
        try:
            self._app.put_everything_away()
        except Exception as error:  # noqa: BLE001 - nobody is there to be told, and it ends whatever happens
            with contextlib.suppress(OSError):
                note(error, log_file())
        if terminal:
            self._restore_terminal()
        os._exit(self.code)

    def _remember_terminal(self) -> None:
        with contextlib.suppress(Exception):
            import termios

            self._modes = termios.tcgetattr(0)

    def _restore_terminal(self) -> None:
        with contextlib.suppress(Exception):
            import termios

            if self._modes is not None:
                termios.tcsetattr(0, termios.TCSANOW, self._modes)  # type: ignore[arg-type]
                os.write(2, SHOW_CURSOR)
