"""Random keys, clicks and sizes: whatever is pressed, nothing breaks. With PLYBENCH_LONG=1 twenty thousand of them."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random

import pytest

from engines.contract import Limit
from workbench import sessions
from workbench.actions import ACTIONS
from workbench.app import PlybenchApp

EVENTS = 20_000 if os.environ.get("PLYBENCH_LONG") else 80
KEYS = [
    *[key for action in ACTIONS if action.id != "quit" for key in action.key.split(",")],
    *["up", "down", "left", "right", "enter", "enter", "escape", "escape", "tab", "shift+tab", "home", "end"],
    *["pageup", "pagedown", "delete", "ctrl+s", "slash", "d", "r", "u", "4", "3", "N", "p", "s", "w", "left_parenthesis"],
]
SIZES = [(80, 24), (120, 36), (160, 50), (200, 60), (40, 12), (20, 5)]


@pytest.mark.timeout(3000)
@pytest.mark.parametrize("seed", range(1 if EVENTS < 1000 else 4))
def test_a_monkey_breaks_nothing(seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PLYBENCH_CONFIG", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    pressed = asyncio.run(monkey(Random(seed), EVENTS // (1 if EVENTS < 1000 else 4)))
    assert pressed
    assert all(not row.error for row in sessions.listing()), "every session can be read"


async def monkey(random: Random, events: int) -> list[str]:
    """Press so many; what was pressed last is in the failure."""
    app, pressed = PlybenchApp(), list[str]()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause(0.3)
        app.desk.limits["chess", "deepening"] = Limit(depth=4)
        for _ in range(events):
            if random.random() < 0.03:
                await pilot.resize_terminal(*random.choice(SIZES))
            elif random.random() < 0.1:
                width, height = app.size
                await pilot.click(offset=(random.randrange(width), random.randrange(height)))
            else:
                pressed.append(random.choice(KEYS))
                await pilot.press(pressed[-1])
            if random.random() < 0.2:
                await pilot.pause(0.02)
    return pressed
