"""Run and print measurements: those named on the command line, else all that are not long, or all with `PLYBENCH_LONG=1` in
the environment.

Exit code 0: all targets are met; 1: one is missed; 2: one was not measured, or a peer is not installed.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
from time import perf_counter

import msgspec
from rich.console import Console

from benchmarks.printing import as_line, show, summary
from benchmarks.rows import Row

MEASUREMENTS = {
    "alphabeta": ("speed", "alpha-beta on Connect 4"),
    "tictactoe": ("speed", "the whole tree of tic-tac-toe"),
    "playouts": ("speed", "random playouts"),
    "oneplayer": ("strength", "games of one player"),
    "sampling": ("speed", "UCT, playouts and threads"),
    "chance": ("strength", "games with chance"),
    "chess_perft": ("speed", "perft on chess"),
    "chess_search": ("speed", "alpha-beta on chess"),
    "two_threads": ("speed", "two threads on chess"),
    "solver": ("solving", "positions solved"),
    "proofs": ("solving", "proof searches"),
    "stopping": ("latency", "stop latency"),
    "tape_cost": ("speed", "what the tape calls cost"),
    "startup": ("latency", "start-up"),
    "cold": ("latency", "the first search on a new machine"),
    "app": ("latency", "the app"),
    "watch": ("latency", "Watch"),
    "difference": ("latency", "the difference of two searches"),
    "ppa": ("strength", "PPA against UCT"),
    "whole_games": ("solving", "whole games solved"),
    "retrograde": ("solving", "whole games solved backwards"),
    "horizon": ("strength", "the horizon finder"),
    "levels": ("strength", "the levels"),
    "wac": ("strength", "Win at Chess"),
    "matches": ("strength", "games against other engines"),
}
"""The modules that measure, in the order of the table: the package of each, and what it measures."""
LONG = ("ppa", "whole_games", "retrograde", "horizon", "wac", "matches", "levels")
"""The measurements that take many minutes."""
PEERS = ("pyspiel", "open_spiel", "easyAI", "rust_chess")
"""Packages that `make bench` installs. Stockfish is not a Python package: a row says so where it is missing."""


def main() -> int:
    """Run the requested measurements and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Plybench beside its peers.")
    parser.add_argument("--json", action="store_true", help="print the rows as one JSON document and nothing else")
    parser.add_argument("--quick", action="store_true", help="a shorter run with rougher figures")
    parser.add_argument("names", nargs="*", type=known, metavar="NAME", help=f"only these: {', '.join(MEASUREMENTS)}")
    parser.add_argument("--only", type=known, action="append", default=[], metavar="NAME", help="the same as NAME")
    asked = parser.parse_args()
    if missing := [name for name in PEERS if importlib.util.find_spec(name) is None]:
        print(f"Not installed: {', '.join(missing)}. `make bench` installs the peers.", file=sys.stderr)
        return 2
    warn_of_load()
    console = Console()
    by_line = not asked.json and not console.is_terminal
    rows: list[Row] = []
    for name in [*asked.names, *asked.only] or usual():
        began = perf_counter()
        package, subject = MEASUREMENTS[name]
        print(f"Measuring {subject} ...", end="", file=sys.stderr, flush=True)
        new = list(importlib.import_module(f"benchmarks.{package}.{name}").measure(asked.quick))
        print(f" {perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
        if by_line:
            print("\n".join(as_line(row) for row in new), flush=True)
        rows += new
    if asked.json:
        print(msgspec.json.format(msgspec.json.encode([row.as_json() for row in rows]), indent=2).decode())
    elif by_line:
        print(summary(rows))
    else:
        show(rows, console)
    if any(row.met is False for row in rows):
        return 1
    return 2 if any(row.is_open for row in rows) else 0


def known(name: str) -> str:
    """Return the name if there is a measurement of that name; raise ArgumentTypeError otherwise."""
    if name not in MEASUREMENTS:
        raise argparse.ArgumentTypeError(f"there is no measurement {name!r}; there are {', '.join(MEASUREMENTS)}")
    return name


def usual() -> list[str]:
    """The measurements that run by default."""
    return [name for name in MEASUREMENTS if name not in LONG or os.environ.get("PLYBENCH_LONG")]


def warn_of_load() -> None:
    """Warn if other programs keep the processors busy, because stopping and start-up are measured in wall-clock time."""
    cores = os.cpu_count() or 1
    if hasattr(os, "getloadavg") and (load := os.getloadavg()[0]) > cores / 2:
        print(f"Something else is running here (load {load:.1f} on {cores} cores); latencies will suffer.", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
