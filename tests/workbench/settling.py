"""Waiting until the app has drawn what it knows: no test waits by the clock alone."""

from __future__ import annotations

from time import monotonic

from textual.pilot import Pilot

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
