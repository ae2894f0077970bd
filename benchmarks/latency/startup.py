"""How long a new process takes for a search with compiled code, beyond the time for importing numba."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter

from benchmarks.rows import Row, Target

SECONDS_MORE = 1.0
IMPORT_NUMBA = [sys.executable, "-c", "import numba"]
ANALYZE = [sys.executable, "-c", "from workbench.cli.main import main; main()", "analyze", "startpos"]
ANALYZE += ["--game", "connect4", "--algorithm", "alphabeta", "--depth", "4", "--json"]
SEARCH = """
from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
position = catalog.position("startpos", "connect4")
print(Search(position, catalog.algorithm("alphabeta"), Limit(depth=4)).start().report())
"""


def measure(quick: bool) -> Iterator[Row]:
    """Wall-clock time as a user experiences it: the best of several runs, in turn."""
    has_cli = importlib.util.find_spec("workbench.cli") is not None
    command = ANALYZE if has_cli else [sys.executable, "-c", SEARCH]
    seconds(command)  # fills the cache
    runs = [(seconds(command), seconds(IMPORT_NUMBA)) for _ in range(2 if quick else 6)]
    our_time, numba_time = (min(times) for times in zip(*runs, strict=True))
    yield Row(
        task=f"start-up of {'plybench analyze' if has_cli else 'a cached search'} in a new process",
        ours=our_time,
        unit="s",
        peer='python -c "import numba"',
        theirs=numba_time,
        result=our_time - numba_time,
        result_unit="s more",
        target=Target(below=SECONDS_MORE),
    )


def seconds(command: list[str]) -> float:
    """The seconds that a command takes. Raises an error if it fails or prints no result."""
    began = perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    took = perf_counter() - began
    if done.returncode or (command is not IMPORT_NUMBA and "nodes" not in done.stdout):
        raise RuntimeError(f"{' '.join(command[:4])} ... failed: {done.stderr.strip()[-500:] or done.stdout[-500:]}")
    return took
