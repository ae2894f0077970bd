"""Ends the app in order when it is not the user who quits: after a signal, or when the terminal disappears.

On SIGTERM and SIGHUP the app ends as it does by its own key: the session is saved, searches and child processes are stopped,
and the terminal is restored. If that takes too long, or if the terminal is gone and drawing may block forever, a background
thread saves and stops everything, and the process exits at once.
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
"""Seconds for ending in the usual way, and again for the background thread's way."""
RESTORE_TERMINAL = b"\x1b[<u\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?2004l\x1b[?1004l\x1b[?7h\x1b[?1049l\x1b[?25h"
"""Restores a terminal: no mouse reports, no bracketed paste, the normal screen buffer, a visible cursor."""


class Ending:
    """A context manager that handles signals and the loss of the terminal while an app runs."""

    def __init__(self, app: PlybenchApp) -> None:
        self.code = 0
        """The exit code: 128 plus the number of the signal that ended the app; 0 if none did."""
        self._app = app
        self._over = False
        self._modes: list[object] | None = None

    def __enter__(self) -> Self:
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._on_signal)
        self._remember_terminal()
        if hasattr(select, "poll"):
            threading.Thread(target=self._watch, name="terminal", daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over = True

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal: ask the app to exit, and force it after `PATIENCE` seconds."""
        if self.code:
            return
        self.code = 128 + number
        loop = self._app._loop
        if loop is None or not loop.is_running():
            sys.exit(self.code)  # the app has not started
        later = threading.Timer(PATIENCE, self._leave)
        later.daemon = True
        later.start()
        loop.call_soon_threadsafe(self._app.exit)

    def _watch(self) -> None:
        """Wait until the terminal, or the pipe to the browser, is closed."""
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
        """Save, stop everything and end the process, from a background thread. A second timer ends it if a lock that the app
        holds or a disk that does not answer blocks this."""
        if self._over:
            return
        last = threading.Timer(PATIENCE, os._exit, [self.code])
        last.daemon = True
        last.start()
        try:
            self._app.put_everything_away()
        except Exception as error:  # noqa: BLE001 - nowhere to report it, and the process must end in any case
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
                os.write(2, RESTORE_TERMINAL)
