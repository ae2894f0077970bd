"""Stockfish's side of a comparison: the program, started beforehand, and spoken to over a pipe.

Debian's comes first, since the targets are about it; any other that the shell finds will do.
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
"""What it is called where it is not installed."""


def find() -> str | None:
    """Where Stockfish is; None if it is not installed."""
    return str(DEBIAN) if DEBIAN.exists() else shutil.which("stockfish")


class Stockfish:
    """A running Stockfish, on one thread. Leaving the `with` ends it."""

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
        """Send a command that is not answered."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{command}\n")

    def ask(self, command: str, last: str) -> list[str]:
        """Send a command; the lines of the answer up to one that starts with `last`."""
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
        """Go to a position with an empty hash table, and be ready."""
        self.say("ucinewgame")
        self.say(f"position fen {fen}")
        self.ask("isready", "readyok")

    def clock(self) -> float:
        """The processor time of all its threads, in seconds. Where only Linux tells: the clock on the wall."""
        if sys.platform == "linux":
            return time.clock_gettime((~self.process.pid << 3) | 2)  # what clock_getcpuclockid(3) makes of a process
        return time.perf_counter()

    def perft(self, depth: int) -> int:
        """How many games of so many plies start here; the last ply is counted without being played."""
        return int(self.ask(f"go perft {depth}", "Nodes searched")[-1].split()[-1])

    def search(self, nodes: int) -> tuple[int, int]:
        """Search about so many nodes: how many they were, and how many a second by its own count."""
        *_, report, _ = self.ask(f"go nodes {nodes}", "bestmove")
        words = report.split()
        return int(words[words.index("nodes") + 1]), int(words[words.index("nps") + 1])
