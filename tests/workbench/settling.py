"""Waiting until the app has drawn what it knows: no test waits by the clock alone; and somebody at its keyboard."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from textual.pilot import Pilot
from textual.widgets import Static

from workbench.app.app import PlybenchApp
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.compare import CompareScreen

PATIENCE = 60.0
DRAWS = 2
"""The first may find panels that have no size yet."""


async def begun(pilot: Pilot[None]) -> None:
    """Until the first screen with everything on it is there."""
    give_up = monotonic() + PATIENCE
    while not isinstance(pilot.app.screen, AnalyseScreen):
        assert monotonic() < give_up, "the app did not begin"
        await pilot.pause(0.02)
    await settled(pilot)


async def settled(pilot: Pilot[None]) -> None:
    """Until a screen that draws by the clock has been drawn from beginning to end after now; others draw at once. Waiting
    for the clock would teach nothing, so it is drawn here."""
    await pilot.pause(0.01)
    give_up = monotonic() + PATIENCE
    draws = 0
    while isinstance(screen := pilot.app.screen, AnalyseScreen | CompareScreen) and draws < DRAWS:
        assert monotonic() < give_up, "the screen is not drawn any more"
        before = screen.drawn
        screen.tick()
        draws += screen.drawn > before
        await pilot.pause(0.01)
    await pilot.pause(0.01)


class AtTheKeys:
    """Somebody at the keyboard of an app in a test."""

    def __init__(self, app: PlybenchApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause(0.05)

    async def until(self, holds: Callable[[], bool]) -> None:
        give_up = monotonic() + 120
        while not holds():
            assert monotonic() < give_up
            await self.pilot.pause(0.05)

    def text(self, id: str) -> str:
        """What a part of the screen says."""
        return str(self.app.screen.query_one(f"#{id}", Static).render())
