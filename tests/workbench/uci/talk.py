"""A conversation with the UCI engine through pipes."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from time import perf_counter

COMMAND = [sys.executable, "-m", "workbench.cli", "uci", "--algorithm", "alphabeta"]
READY = 120.0
"""Seconds that compiling may take if nobody has done it before."""


class Talk:
    """A conversation with the engine, in this environment and what is added to it."""

    def __init__(self, *options: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | environment,
        )
        self.heard: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.heard.put(line.rstrip("\n"))

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def until(self, start: str, seconds: float = 60.0) -> list[str]:
        """Everything up to the next line that starts so."""
        lines: list[str] = []
        end = perf_counter() + seconds
        while not lines or not lines[-1].startswith(start):
            lines.append(self.heard.get(timeout=max(end - perf_counter(), 0.001)))
        return lines

    def ask(self, *lines: str) -> list[str]:
        """Everything that is answered to a `go`."""
        self.say(*lines)
        return self.until("bestmove")

    def get_ready(self) -> None:
        """Wait until it is compiled; it says readyok sooner."""
        for _ in range(int(READY)):
            self.say("position startpos", "go depth 1")
            if self.until("bestmove", READY)[0].startswith("info depth 1"):
                return

    def quit(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self.say("quit")
        assert self.process.wait(10) == 0
        self.reader.join(5)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        assert self.process.stderr.read() == ""
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def strings(lines: list[str]) -> list[str]:
    return [line.removeprefix("info string ") for line in lines if line.startswith("info string")]


def numbers(line: str) -> dict[str, str]:
    """The words of an info line: each name with what follows it."""
    words = line.split()
    return {name: words[words.index(name) + 1] for name in words[1:-1] if not name.lstrip("-").isdigit()}
