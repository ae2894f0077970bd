"""A stop is followed at once, by every algorithm on every game.

What is measured is the processor time of the search's own thread between the stop and its end: on a busy machine, where a
thread has to wait for its turn, the clock on the wall says nothing about the search.
"""

from __future__ import annotations

import threading
import time
from statistics import median

import pytest

from benchmarks.latency.stopping import DEPTHS, ENDLESS, MILLISECONDS, USUAL_DEPTH, large_position
from engines import catalog
from engines.compiled.kernel import jit_enabled
from engines.contract import Limit
from engines.run.search import Search
from tests.thorough import LONG

HEAD_START, TIMES = 0.25, 3
SLOW = (("morpion", "nested"), ("morpion", "nrpa"), ("samegame", "nested"), ("connect4", "uct"))
"""Lines of hundreds of moves, and states that are arrays: where most is left to do after a stop."""
ALL = [(game, algorithm) for game in catalog.GAMES for algorithm in catalog.compiled_algorithms_for(game)]


def milliseconds_after_stop(game: str, algorithm: str) -> float | None:
    """What a search still computes after it was told to stop; None if it was done before."""
    where, found = large_position(game), catalog.algorithm(algorithm)
    if catalog.misfit(found, where):
        return None
    Search(where, found, found.trial).start().report()  # compiles
    endless = Limit(depth=DEPTHS.get(game, USUAL_DEPTH)) if "depth" in found.limits else Limit(iterations=ENDLESS)
    search, ended, go = Search(where, found, endless), list[float](), threading.Event()

    def run() -> None:
        search.run_here().finish()
        ended.append(time.thread_time())
        go.wait()  # the clock of a thread that has ended cannot be read

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert thread.ident is not None
    clock = time.pthread_getcpuclockid(thread.ident)
    deadline = time.perf_counter() + HEAD_START
    while time.perf_counter() < deadline and not ended:
        time.sleep(0.005)
    was_done = bool(ended)
    stopped = time.clock_gettime(clock)
    search.stop()
    while not ended:
        time.sleep(0.002)
    go.set()
    thread.join()
    return None if was_done else 1000 * (ended[0] - stopped)


@pytest.mark.skipif(not jit_enabled(), reason="it is about compiled code")
@pytest.mark.parametrize(("game", "algorithm"), ALL if LONG else SLOW)
def test_a_stop_is_followed_at_once(game: str, algorithm: str) -> None:
    times = [found for _ in range(TIMES) if (found := milliseconds_after_stop(game, algorithm)) is not None]
    assert not times or median(times) < MILLISECONDS
