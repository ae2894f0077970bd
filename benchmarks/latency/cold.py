"""What a new machine costs: CPU seconds from an empty cache of compiled code to the first number of a search.

With `PLYBENCH_BEFORE=DIRECTORY`, another clone with a `.venv` of its own, each row has the ratio to that clone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.rows import Row, Target

GAMES = {"chess": "Chess", "connect4": "Connect 4", "breakthrough": "Breakthrough"}
HALF = 0.5
"""What the commit before compiled functions were linked (4026d21) took, times this."""
FIRST_NUMBER = """
import resource, sys
from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
position = catalog.position("startpos", sys.argv[1])
Search(position, catalog.algorithm("deepening"), Limit(depth=2)).start().report()
used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(sum(one.ru_utime + one.ru_stime for one in used))
"""
ROOT = Path(__file__).parents[2]


def measure(quick: bool) -> Iterator[Row]:
    """One row for each game: the least of several runs, in turn with the other clone's."""
    before = os.environ.get("PLYBENCH_BEFORE")
    for game, title in GAMES.items():
        ours, theirs = [], []
        for _ in range(1 if quick else 3):
            ours.append(cold_seconds(game, ROOT, Path(sys.executable)))
            if before:
                theirs.append(cold_seconds(game, Path(before), Path(before) / ".venv/bin/python"))
        ratio = min(ours) / min(theirs) if theirs else None
        yield Row(
            task=f"the first number of deepening on {title}, nothing compiled: CPU time",
            ours=min(ours),
            unit="s",
            peer=f"the clone {before}" if before else None,
            theirs=min(theirs, default=None),
            result=min(ours) if ratio is None else ratio,
            result_unit="s" if ratio is None else "x",
            target=None if ratio is None else Target(below=HALF),
        )


def cold_seconds(game: str, clone: Path, python: Path) -> float:
    """The CPU seconds of a process that finds nothing compiled."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"PLYBENCH_CACHE": cache, "PYTHONPATH": str(clone)}
        command = [str(python), "-c", FIRST_NUMBER, game]
        done = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])
