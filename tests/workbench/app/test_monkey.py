"""Random keys, clicks and sizes: whatever is pressed, nothing breaks, nothing piles up, and no process is left behind.

With PLYBENCH_LONG=1 twenty thousand events, five thousand for each seed; a line on standard output says how memory went.
The events come as a terminal sends them: the next one does not wait until the last one is dealt with.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import os
import pkgutil
import sys
from collections import Counter
from pathlib import Path
from random import Random
from time import monotonic

import pytest
from textual._xterm_parser import XTermParser
from textual.events import Key, Resize
from textual.geometry import Size
from textual.message import Message
from textual.pilot import Pilot
from textual.screen import Screen

import workbench
from engines import catalog
from engines.contract import Limit
from tests.workbench.settling import PATIENCE, begun
from tests.workbench.terminal import alive, descendants, until
from workbench.app.actions import ACTIONS
from workbench.app.app import PlybenchApp
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.tree import TreeScreen
from workbench.app.widgets.base_screen import BaseScreen
from workbench.app.widgets.palette import SafeCommandPalette
from workbench.sessions import store as sessions

LONG = bool(os.environ.get("PLYBENCH_LONG"))
SEEDS, EVENTS = (4, 5_000) if LONG else (1, 60)
MOST_GROWTH = 150_000_000
"""Bytes that the second half of a long run, which goes through the same seasons as the first, may take on top of that: the
compiled code of every search stays loaded once it was used, and all seasons have not met all of them. A leak goes on."""
KEYS = [
    *[key for action in ACTIONS if action.id != "quit" for key in action.keys],
    *["up", "down", "left", "right", "enter", "enter", "escape", "escape", "tab", "shift+tab", "home", "end"],
    *["pageup", "pagedown", "delete", "ctrl+s", "slash", "d", "r", "u", "4", "3", "N", "p", "s", "w", "left_parenthesis"],
    *["ctrl+p", "ctrl+home", "ctrl+end", "shift+left", "ctrl+a", "plus", "minus", "0", "é", "f1", "shift+right"],
]
SIGNS = {"slash": "/", "left_parenthesis": "(", "plus": "+", "minus": "-", "question_mark": "?", "space": " "}
FAMILY_EVENTS = 10
"""So many events are between two looks at the processes that the app has started."""
SIZES = [(80, 24), (120, 36), (160, 50), (200, 60), (40, 12), (20, 5), (1, 1), (300, 9), (7, 90)]


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_monkey_breaks_nothing(seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PLYBENCH_CONFIG", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    family = Family()
    taken = asyncio.run(monkey(Random(seed), EVENTS, family))
    family.look()
    until(lambda: not family.left(), lambda: f"left behind: {family.left()}")
    assert all(not row.error for row in sessions.listing()), "every session can be read"
    if LONG:
        assert max(taken) - max(taken[: len(taken) // 2]) < MOST_GROWTH, taken


class Family:
    """Every process that was seen below this one, each with the moment of its birth: a number may be given again. Those that
    were there before are not the app's."""

    def __init__(self) -> None:
        self._before = set(descendants(os.getpid()))
        self.seen: dict[int, str] = {}

    def look(self) -> None:
        """See who is there."""
        self.seen |= {pid: born(pid) for pid in descendants(os.getpid()) if pid not in self._before}

    def left(self) -> dict[int, str]:
        """Those that still run, and what each is: also where nobody is above them any more."""
        return {pid: command(pid) for pid, birth in self.seen.items() if birth and born(pid) == birth and alive(pid)}


def born(pid: int) -> str:
    """When a process was started, as the system counts; empty if it is gone, or where the system does not tell."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


def command(pid: int) -> str:
    """What was typed to start a process."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    return ""


async def monkey(random: Random, events: int, family: Family) -> list[int]:
    """Do so many things, in seasons long enough to get deep into something: keys, the mouse, sizes, and the tree screen.
    Gives the memory taken after each twentieth part of a long run; a failure says what was done last."""
    done, taken, began = list[str](), list[int](), monotonic()
    seen = Counter[str]()
    try:
        while len(done) < events:  # it may find the way out
            await one_app(random, events, done, taken, seen, family)
    except BaseException:
        print(f"\nafter {len(done)} events: {' '.join(done[-60:])}")
        raise
    megabytes = " ".join(f"{size / 1e6:.0f}" for size in taken)
    met = f"seen: {dict(seen)}; {len(family.seen)} processes"
    print(f"\n{events} events in {monotonic() - began:.0f} s; MB: {megabytes}; {met}")
    return taken


async def one_app(
    random: Random, events: int, done: list[str], taken: list[int], seen: Counter[str], family: Family
) -> None:
    """Go on in a fresh app until all is done, or until it ends."""
    app = PlybenchApp(goes_on=True)
    async with app.run_test(size=(120, 36)) as pilot:
        await begun(pilot)
        while len(done) < events and not app._exit:
            number = len(done)
            season = number * 8 // events % 4
            app.desk.limits[app.desk.position.game.id, app.desk.algorithm] = Limit(depth=3)
            if season == 3 and not isinstance(app.screen, TreeScreen) and random.random() < 0.1:
                done.append("to the tree")
                await pilot.press("escape", "escape", "escape", "t")
            else:
                done.append(await once(pilot, random, season))
            if app._exception is not None or app._exit:
                break  # what went wrong is raised on the way out
            if random.random() < 0.3:
                await pilot._wait_for_screen()
            await asyncio.sleep(0.02 if random.random() < 0.1 else 0)
            if app._exit:
                break
            assert any(isinstance(screen, AnalyseScreen) for screen in app.screen_stack), "it is always there"
            seen[type(app.screen).__name__] += 1
            if number % FAMILY_EVENTS == 0:
                family.look()
            if LONG and number % max(1, events // 20) == 0:
                gc.collect()  # but never gc.get_objects: a tuple that another thread is making would not survive it
                taken.append(memory())
                print(f"{number} events, {monotonic():.0f} s, {taken[-1] / 1e6:.0f} MB", flush=True)
        if app._exception is None:
            app.exit()  # as a person quits: what is still on its way means nothing then


async def once(pilot: Pilot[None], random: Random, season: int) -> str:
    """One event; says which."""
    chance = random.random()
    if chance < (0.3 if season == 2 else 0.03):
        size = random.choice(SIZES) if random.random() < 0.5 else (random.randint(1, 250), random.randint(1, 80))
        assert pilot.app._driver is not None
        pilot.app._driver._size = size
        send(pilot, Resize(Size(*size), Size(*size)))
        return f"resize{size}"
    if chance < (0.7 if season == 1 else 0.13):
        return with_the_mouse(pilot, random)
    key = random.choice(KEYS)
    send(pilot, Key(key, SIGNS.get(key, key if len(key) == 1 else None)))
    return key


def with_the_mouse(pilot: Pilot[None], random: Random) -> str:
    """Click, double click, turn the wheel, hover or drag, in the words of a terminal."""
    size = pilot.app.size
    places = [(random.randint(1, max(1, size.width)), random.randint(1, max(1, size.height))) for _ in range(2)]
    (x, y), (to_x, to_y) = places
    press, release, move = f"\x1b[<0;{x};{y}M", f"\x1b[<0;{x};{y}m", f"\x1b[<35;{x};{y}M"
    kinds = {
        "click": move + press + release,
        "double": move + (press + release) * 2,
        "right": move + f"\x1b[<2;{x};{y}M\x1b[<2;{x};{y}m",
        "hover": move,
        "up": f"\x1b[<64;{x};{y}M" * random.randint(1, 5),
        "down": f"\x1b[<65;{x};{y}M" * random.randint(1, 5),
        "drag": f"{move}{press}\x1b[<32;{to_x};{to_y}M\x1b[<0;{to_x};{to_y}m",
    }
    kind = random.choice(list(kinds))
    for message in XTermParser().feed(kinds[kind]):
        send(pilot, message)
    return f"{kind}{places[0]}"


def send(pilot: Pilot[None], message: Message) -> None:
    """What the terminal says."""
    driver = pilot.app._driver
    assert driver is not None
    driver.process_message(message)


def memory() -> int:
    """Bytes that this process takes now; 0 where the system does not say."""
    if sys.platform != "linux":
        return 0
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_processes_that_the_app_has_started_end_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever plays a match, or compiles for it, when somebody quits."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    family = Family()

    async def story() -> None:
        app = PlybenchApp(catalog.position("startpos", "connect4"))
        async with app.run_test(size=(120, 36)) as pilot:
            await begun(pilot)
            await pilot.press("M", "space")
            give_up = monotonic() + PATIENCE
            while not family.seen:
                assert monotonic() < give_up, "the match has started no process"
                await pilot.pause(0.02)
                family.look()
            app.exit()

    asyncio.run(story())
    family.look()
    until(lambda: not family.left(), lambda: f"left behind: {family.left()}")


def test_a_size_that_is_out_of_date_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Else two changes of size that wait at once have each other announced again, for ever."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    laid_out: list[Size | None] = []
    layout = Screen._refresh_layout

    def noted(self: Screen[object], size: Size | None = None, scroll: bool = False) -> None:
        laid_out.append(size)
        layout(self, size, scroll)

    async def story() -> None:
        app = PlybenchApp()
        async with app.run_test(size=(118, 47)) as pilot:
            await begun(pilot)
            await pilot.press("a")
            monkeypatch.setattr(Screen, "_refresh_layout", noted)
            for screen in app.screen_stack[1:]:
                screen.post_message(Resize(Size(300, 9), Size(300, 9)))
            await pilot.pause(0.3)
            await pilot.resize_terminal(100, 30)
            give_up = monotonic() + PATIENCE
            while Size(100, 30) not in laid_out:  # sizes are not taken up at once: the next one may come soon
                assert monotonic() < give_up, "the new size was not taken up"
                await pilot.pause(0.02)

    asyncio.run(story())
    assert Size(300, 9) not in laid_out


def test_a_screen_that_is_left_twice_answers_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What was chosen in the palette, or in a list, may still be on its way when the help comes on top of the screen: that
    is no answer of the screen; what leaves it when it is on top again is."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))

    async def story() -> None:
        app = PlybenchApp()
        async with app.run_test(size=(120, 36)) as pilot:
            await begun(pilot)
            for key, late in (("T", "leave"), ("H", "analyse")):
                await pilot.press(key)
                opened = app.screen
                assert not isinstance(opened, AnalyseScreen)
                await pilot.press("f1")
                app.call_later(opened.run_action, late)
                await pilot.press("escape")
                assert app.screen is opened
                await pilot.press("escape")
                assert isinstance(app.screen, AnalyseScreen)

    asyncio.run(story())


def test_every_screen_answers_once() -> None:
    """By the same rule: each is one of ours."""
    for module in pkgutil.walk_packages(workbench.__path__, "workbench."):
        if module.name.startswith(("workbench.app.screens", "workbench.app.dialogs", "workbench.app.forms")):
            importlib.import_module(module.name)
    kinds, found = list[type]([Screen]), set[type]()
    while kinds:
        below = list[type](kinds.pop().__subclasses__())
        found.update(kind for kind in below if kind.__module__.startswith("workbench."))
        kinds += below
    assert len(found) > 10
    assert [kind for kind in found if not issubclass(kind, BaseScreen | SafeCommandPalette)] == []
