"""Stockfish's side of a comparison: a process that is started beforehand and used over a pipe.

Debian's Stockfish is preferred, since the targets refer to it; any other on the path is used instead.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

DEBIAN = Path("/usr/games/stockfish")
NAME = "Stockfish"
"""The name to print where it is not installed."""


def find() -> str | None:
    """The path of Stockfish; None if it is not installed."""
    return str(DEBIAN) if DEBIAN.exists() else shutil.which("stockfish")


class Stockfish:
    """A running Stockfish with one thread; a context manager that ends it."""

    def __init__(self, path: str) -> None:
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        names = [line for line in self.ask("uci", "uciok") if line.startswith("id name ")]
        self.name = names[0].removeprefix("id name ")
        self.set("Threads", "1")

    def __enter__(self) -> Stockfish:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.process.kill()
        self.process.communicate()

    def say(self, command: str) -> None:
        """Send a command that has no answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{command}\n")

    def ask(self, command: str, last: str) -> list[str]:
        """Send a command and return the lines of the answer, up to one that starts with `last`."""
        assert self.process.stdout is not None
        self.say(command)
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip())
            if line.startswith(last):
                return lines
        raise RuntimeError(f"Stockfish ended at {command!r}.")

    def set(self, option: str, value: str) -> None:
        """Set one of its options."""
        self.say(f"setoption name {option} value {value}")

    def set_up(self, fen: str) -> None:
        """Set a position, with an empty hash table, and wait until the engine is ready."""
        self.say("ucinewgame")
        self.say(f"position fen {fen}")
        self.ask("isready", "readyok")

    def clock(self) -> float:
        """The processor time of all its threads in seconds; wall-clock time on systems other than Linux."""
        if sys.platform == "linux":
            return time.clock_gettime((~self.process.pid << 3) | 2)  # as clock_getcpuclockid(3) computes it
        return time.perf_counter()

    def perft(self, depth: int) -> int:
        """The number of games of so many plies from here. The last ply is counted without being played."""
        return int(self.ask(f"go perft {depth}", "Nodes searched")[-1].split()[-1])

    def search(self, nodes: int) -> tuple[int, int]:
        """Search about so many nodes. Returns their number, and the nodes per second that the engine reports."""
        *_, report, _ = self.ask(f"go nodes {nodes}", "bestmove")
        words = report.split()
        return int(words[words.index("nodes") + 1]), int(words[words.index("nps") + 1])
