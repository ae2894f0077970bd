"""The real app in a terminal of its own, as a process that can be killed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

PATIENCE = 30.0
COMPLAINTS = re.compile(rb"Traceback|Error|Exception|Fatal")


class Terminal:
    """A pseudo terminal with the app in it; everything that it draws is collected."""

    def __init__(
        self, data: Path, *args: str, cache: Path | None = None, size: tuple[int, int, int, int] = (36, 120, 0, 0)
    ) -> None:
        """`cache`: compile, into this directory; else everything runs without the compiler. `size`: lines and columns, and
        the width and the height in pixels."""
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size))
        self.modes = termios.tcgetattr(slave)
        self.slave = slave
        compiler = {"NUMBA_DISABLE_JIT": "1"} if cache is None else {"PLYBENCH_CACHE": str(cache), "NUMBA_DISABLE_JIT": ""}
        own = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}  # of whoever tests
        environment = {**own, "PLYBENCH_DATA": str(data), "TERM": "xterm-256color", **compiler}
        self.app = subprocess.Popen(
            [sys.executable, "-m", "workbench.cli", *args],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        self.seen = b""
        self._closed = False
        self.family: set[int] = set()
        """Every process that was seen below the app."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *error: Any) -> None:
        self.app.kill()
        self.app.wait()
        self.close()

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            while not self._closed:
                if select.select([self.master], [], [], 0.02)[0]:
                    self.seen += os.read(self.master, 65536)

    def press(self, keys: str, drawn: str = "") -> None:
        """Type, and wait until something is drawn."""
        before = len(self.seen)
        os.write(self.master, keys.encode())
        self.until(lambda: drawn.encode() in self.seen[before:], f"{drawn} was not drawn")

    def write_note(self, text: str) -> None:
        """Write a note on the position, in place of the one before, which is selected when the dialog opens."""
        self.press("w", drawn="A note on")
        self.press(text + "\r", drawn=f"✎ {text}")

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait for something."""
        until(holds, lambda: f"{what}; the last words: {self.seen[-2000:]!r}")

    def until_drawn(self, text: str) -> None:
        """Wait until something is drawn."""
        self.until(lambda: text.encode() in self.seen, f"{text} was not drawn")

    def note_children(self) -> set[int]:
        """The processes below the app."""
        found = set(descendants(self.app.pid))
        self.family |= found
        return found

    def close(self) -> None:
        """Take the terminal away: nobody may be reading from it then, or it stays."""
        self._closed = True
        self._reader.join()
        for handle in (self.slave, self.master):
            with contextlib.suppress(OSError):
                os.close(handle)

    def ended(self, seconds: float = 15.0) -> int:
        """Wait for the end of the app and of all its children; gives the exit code."""
        code = self.app.wait(seconds)
        give_up = monotonic() + seconds
        while left := [pid for pid in self.family if alive(pid)]:
            assert monotonic() < give_up, f"left behind: {left}"
            sleep(0.02)
        return code

    def check_quiet(self) -> None:
        """Nothing that it drew was a complaint."""
        sleep(0.1)
        found = COMPLAINTS.search(self.seen)
        assert found is None, self.seen[max(0, found.start() - 500) :][:3000].decode(errors="replace")

    def check_given_back(self) -> None:
        """The terminal is what it was: its modes, the other screen left, the cursor shown, no mouse reports."""
        assert termios.tcgetattr(self.slave) == self.modes
        for end, begin in ((b"\x1b[?1049l", b"\x1b[?1049h"), (b"\x1b[?25h", b"\x1b[?25l"), (b"\x1b[?1003l", b"\x1b[?1003h")):
            assert self.seen.rfind(end) > self.seen.rfind(begin), end


def until(holds: Callable[[], object], what: str | Callable[[], str]) -> None:
    """Wait for something."""
    give_up = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < give_up, what if isinstance(what, str) else what()
        sleep(0.02)


def descendants(pid: int) -> Iterable[int]:
    """All processes below one; none where the system does not tell."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == pid:
                child = int(path.parent.name)
                yield child
                yield from descendants(child)


def alive(pid: int) -> bool:
    """Whether a process is there, and not only its exit code."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def send(terminal: Terminal, how: str) -> None:
    """End it: by a signal, or by taking the terminal away."""
    if how == "close":
        terminal.close()
    else:
        terminal.app.send_signal(signal.Signals[how])
