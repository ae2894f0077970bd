"""External engines that speak UCI: started once, reused for the next search, and always ended.

An engine that has ended a search in good order waits in `_idle` for the next one with the same command and options. One that
does not answer in time is killed. Whatever still runs when Python ends is told to quit, and then killed.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import shlex
import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from engines.contract import EngineFailed, InputError, shown

ELSEWHERE = ("/usr/games", "/usr/local/games", "/usr/local/bin", "/opt/homebrew/bin")
"""Where engines are searched for besides PATH."""
START_SECONDS = 15.0
"""An engine that is not ready after this many seconds does not speak UCI. (Some read large files first.)"""
POLL = 0.005
GOODBYE = 0.3

Key = tuple[str, str]
_idle: dict[Key, list[External]] = {}
_alive: set[External] = set()
_lock = threading.Lock()


class External:
    """A running engine. Its lines are read by a thread of its own, so that nothing here waits longer than it wants to."""

    def __init__(self, command: str, options: str) -> None:
        self.key: Key = (command, options)
        words = find(command)
        self.name = Path(words[0]).name
        try:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
                bufsize=1,
                start_new_session=True,  # Ctrl-C is for Plybench, which stops the search itself
            )
        except OSError as error:
            raise InputError(f"The engine {shown(command)} cannot be started: {error.strerror}.") from None
        self.lines = queue.SimpleQueue[str | None]()
        self.chess960 = False
        with _lock:
            _alive.add(self)
        self._reader = threading.Thread(target=self._read, name=f"reads {self.name}", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError):  # closed meanwhile
            for line in self.process.stdout:
                self.lines.put(line.strip())
        self.lines.put(None)

    def say(self, line: str) -> None:
        """Send one line."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise self.gone() from None

    def hear(self, seconds: float) -> str | None:
        """The next line, or None if none comes within the timeout; `EngineFailed` if the engine has ended."""
        try:
            line = self.lines.get(timeout=seconds) if seconds > 0 else self.lines.get_nowait()
        except queue.Empty:
            return None
        if line is None:
            raise self.gone()
        return line

    def gone(self) -> EngineFailed:
        """The error to raise for an engine that has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GOODBYE)
        return EngineFailed(f"The engine {shown(self.name)} ended unexpectedly (exit code {self.process.returncode}).")

    def hear_until(self, word: str, is_stopped: Callable[[], bool]) -> list[str] | None:
        """All lines up to the one that starts with a word; None if it was stopped meanwhile."""
        heard: list[str] = []
        end = monotonic() + START_SECONDS
        while not is_stopped():
            line = self.hear(POLL)
            if line is not None:
                heard.append(line)
                if line.split()[:1] == [word]:
                    return heard
            elif monotonic() > end:
                raise InputError(f"The engine {shown(self.name)} does not speak UCI: it did not say {word}.")
        return None

    def introduce(self, is_stopped: Callable[[], bool]) -> bool:
        """The UCI handshake and `setoption`; False if it was stopped meanwhile."""
        self.say("uci")
        heard = self.hear_until("uciok", is_stopped)
        if heard is None:
            return False
        declared = {}
        for line in heard:
            if line.startswith("option name "):
                name = line.removeprefix("option name ").split(" type ")[0].strip()
                declared[name.lower()] = name
        self.chess960 = "uci_chess960" in declared
        for name, value in read_options(self.key[1]).items():
            if name.lower() not in declared:
                raise InputError(f"The engine {shown(self.name)} has no option {shown(name)}.")
            self.say(f"setoption name {declared[name.lower()]}" + (f" value {value}" if value else ""))
        return self.is_ready(is_stopped)

    def is_ready(self, is_stopped: Callable[[], bool]) -> bool:
        """Wait until it is ready; False if it was stopped meanwhile."""
        self.say("isready")
        return self.hear_until("readyok", is_stopped) is not None

    def end(self) -> None:
        """Send `quit`, or kill the process; afterwards it has ended."""
        with _lock:
            _alive.discard(self)
        with contextlib.suppress(InputError):
            self.say("quit")
        try:
            self.process.wait(GOODBYE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join(GOODBYE)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError, ValueError):
                    stream.close()


def find(command: str) -> list[str]:
    """The words of a command, with the program's whole path; an InputError if there is none."""
    try:
        words = shlex.split(command)
    except ValueError:
        raise InputError(f"The engine is a program or a command line, not {shown(command)}.") from None
    if not words:
        raise InputError("The engine is empty; it is a program or a command line.")
    program = shutil.which(words[0]) or shutil.which(words[0], path=os.pathsep.join(ELSEWHERE))
    if program is None:
        raise InputError(f"There is no engine {shown(words[0])}: it is neither in PATH nor in {ELSEWHERE[0]}.")
    return [program, *words[1:]]


def is_there(command: str) -> bool:
    """The program of a command is installed."""
    try:
        return bool(find(command))
    except InputError:
        return False


def read_options(text: str) -> dict[str, str]:
    """`Hash=64;Threads=1` as names and values."""
    found = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, equals, value = part.partition("=")
        if not equals or not name.strip() or "\n" in part:
            raise InputError(f"Options of an engine are written NAME=VALUE;NAME=VALUE, not {shown(text)}.")
        found[name.strip()] = value.strip()
    return found


def borrow(command: str, options: str, is_stopped: Callable[[], bool]) -> External | None:
    """An engine that is ready for a new game: an idle one, or a new one; None if it was stopped meanwhile."""
    read_options(options)
    with _lock:
        waiting = _idle.get((command, options), [])
        kept = waiting.pop() if waiting else None
    if kept is not None and kept.process.poll() is not None:
        kept.end()
        kept = None
    engine = kept or External(command, options)
    try:
        ready = engine.introduce(is_stopped) if kept is None else engine.is_ready(is_stopped)
    except InputError:
        engine.end()
        raise
    if not ready:
        engine.end()
    return engine if ready else None


def give_back(engine: External) -> None:
    """Keep an engine for the next search."""
    with _lock:
        _idle.setdefault(engine.key, []).append(engine)


@atexit.register
def end_all() -> None:
    """End every engine that still runs."""
    with _lock:
        engines = list(_alive)
        _idle.clear()
    for engine in engines:
        engine.end()
