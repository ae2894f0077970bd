"""No screen and no dialog cuts a name or a number, in terminals of four sizes: a test reads the cells that are drawn."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.workbench.app.cells import defects_of
from tests.workbench.app.scenes import SCENES, perform, staged
from tests.workbench.settling import settled

SIZES = ((80, 24), (120, 36), (160, 50), (220, 60))


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test touches anybody's sessions."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))


@pytest.mark.parametrize("name", SCENES)
def test_nothing_is_cut(name: str) -> None:
    asyncio.run(look(name))


async def look(name: str) -> None:
    """Open a scene, and look for what is cut at every size."""
    scene, found = SCENES[name], []
    app = staged(scene)
    async with app.run_test(size=SIZES[0]) as pilot:
        await perform(scene, app, pilot)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await settled(pilot)
            await settled(pilot)
            found += [f"{size[0]}x{size[1]} {defect}" for defect in defects_of(app.screen)]
    assert not found, "\n".join(found)
