"""The responsiveness of the app while two searches run on two cores: its first paint, its updates per second, and its
reaction to a key."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from time import perf_counter

from benchmarks.rows import Row, Target
from engines import catalog
from engines.contract import Limit
from engines.run.search import Search

FIRST_PAINT = 1.5
UPDATES = 15.0
KEY_MILLISECONDS = 100.0
SIZE = (120, 36)
EMPTY = "from textual.app import App\nclass Empty(App[None]): pass\napp = Empty()"
OURS = "from workbench.app.app import PlybenchApp\napp = PlybenchApp(goes_on=True)"
PAINT = """
import sys, time
began = float(sys.argv[1])
{app}
draw = app._display
def drawn(screen, update):
    draw(screen, update)
    if update is not None and not app.was_drawn:
        app.was_drawn = True
        print(time.time() - began, "numba" in sys.modules)
        app.exit()
app.was_drawn = False
app._display = drawn
app.run(headless=True, size=(120, 36))
"""
"""A program that prints the time of the first paint. Textual has no public interface for that."""


def measure(quick: bool) -> Iterator[Row]:
    """Measure first paint, updates and keys."""
    with tempfile.TemporaryDirectory() as data:
        os.environ["PLYBENCH_DATA"] = data
        yield first_paint(3 if quick else 8)
        updates, worst, median = asyncio.run(live(2.0 if quick else 6.0))
        lanes = asyncio.run(six_lanes(2.0 if quick else 6.0, None))
        together = asyncio.run(six_lanes(2.0 if quick else 6.0, True))
    yield Row(
        task="the app with two searches: updates a second",
        ours=updates,
        unit="/s",
        result=updates,
        result_unit="/s",
        target=Target(at_least=UPDATES),
    )
    yield Row(
        task="the app with two searches: from a key to what it does",
        ours=worst,
        unit="ms",
        result=worst,
        result_unit="ms",
        target=Target(below=KEY_MILLISECONDS),
        note=f"the worst; half of them within {median:.0f} ms",
    )
    yield Row(
        task="six lanes at 160x50: updates a second",
        ours=lanes,
        unit="/s",
        result=lanes,
        result_unit="/s",
        target=Target(at_least=UPDATES),
        note=f"all at once on {os.cpu_count()} cores, which the app does only if it is told to: {together:.0f}/s",
    )


def first_paint(times: int) -> Row:
    """The time from the start of the process to the first screen, compared with an empty app: the best of several runs, in
    turn."""
    runs = [(painted(OURS), painted(EMPTY)) for _ in range(times)]
    ours, empty = (min(seconds for seconds, _ in kind) for kind in zip(*runs, strict=True))
    with_numba = any(numba for (_, numba), _ in runs)
    return Row(
        task="first screen of the app",
        ours=ours,
        unit="s",
        peer="an empty Textual app",
        theirs=empty,
        result=ours / empty,
        result_unit="x",
        target=Target(below=FIRST_PAINT if not with_numba else 0.0),
        note="numba is imported before it" if with_numba else "without numba",
    )


def painted(app: str) -> tuple[float, bool]:
    """Seconds to the first screen, and whether numba was imported by then."""
    import time

    command = [sys.executable, "-c", PAINT.format(app=app), str(time.time())]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, numba = done.stdout.split()[-2:]
    return float(seconds), numba == "True"


async def live(seconds: float) -> tuple[float, float, float]:
    """Updates per second, and the worst and the median milliseconds from a key to its effect."""
    from workbench.app.app import PlybenchApp
    from workbench.app.screens.analyse import AnalyseScreen

    other = Search(catalog.position("startpos", "connect4"), catalog.algorithm("alphabeta"), Limit(depth=40))
    app = PlybenchApp()
    app.desk.limits["chess", "deepening"] = Limit(depth=60)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(0.5)
        screen = app.screen
        assert isinstance(screen, AnalyseScreen)
        await pilot.press("space")
        while not app.desk.beliefs:
            await pilot.pause(0.1)
        other.start()
        drawn = screen.drawn
        began = perf_counter()
        waits = []
        while perf_counter() - began < seconds:
            await asyncio.sleep(0.15)
            before, pressed = screen.flipped, perf_counter()
            app.simulate_key("x")
            while screen.flipped == before:
                await asyncio.sleep(0.001)
            waits.append(1000 * (perf_counter() - pressed))
        updates = (screen.drawn - drawn) / (perf_counter() - began)
        other.stop()
        app.desk.stop()
    return updates, max(waits), sorted(waits)[len(waits) // 2]


async def six_lanes(seconds: float, together: bool | None) -> float:
    """Updates per second of the Compare screen while six lanes run: together, or as the number of cores suggests."""
    from workbench.app.app import PlybenchApp
    from workbench.app.screens.compare import CompareScreen
    from workbench.comparison.lane_specs import read_lanes
    from workbench.sessions.comparison_types import LaneBudget

    app = PlybenchApp()
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause(0.5)
        await pilot.press("C")
        await pilot.pause(0.5)
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        specs, _ = read_lanes("deepening,pvs,mtdf,alphabeta,negamax,minimax", (), "chess")
        screen.desk.comparison.change(specs, LaneBudget(seconds=1.0 if together is None else 600.0))
        screen.desk.comparison.asked = together
        await screen.replace_cards()
        await pilot.press("space")
        while not any(lane.rows for lane in screen.desk.comparison.lanes):
            await pilot.pause(0.1)
        drawn, began = screen.drawn, perf_counter()
        await asyncio.sleep(seconds)
        updates = (screen.drawn - drawn) / (perf_counter() - began)
        screen.desk.close()
    return updates
