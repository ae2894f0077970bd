"""Waiting until the app has drawn what it knows: no test waits by the clock alone."""

from __future__ import annotations

from time import monotonic

from textual.pilot import Pilot

from workbench.screens.analyse import AnalyseScreen
from workbench.screens.compare import CompareScreen

PATIENCE = 60.0


async def begun(pilot: Pilot[None]) -> None:
    """Until the first screen with everything on it is there."""
    give_up = monotonic() + PATIENCE
    while not isinstance(pilot.app.screen, AnalyseScreen):
        assert monotonic() < give_up, "the app did not begin"
        await pilot.pause(0.02)
    await settled(pilot)


async def settled(pilot: Pilot[None]) -> None:
    """Until a screen that draws by the clock has been drawn from beginning to end after now; others draw at once."""
    await pilot.pause(0.02)
    screen, give_up = pilot.app.screen, monotonic() + PATIENCE
    if isinstance(screen, AnalyseScreen | CompareScreen):
        drawn = screen.drawn
        while screen.drawn < drawn + 2 and screen.is_current:
            assert monotonic() < give_up, "the screen is not drawn any more"
            await pilot.pause(0.02)
    await pilot.pause(0.05)
