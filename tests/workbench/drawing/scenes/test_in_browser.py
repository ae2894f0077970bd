"""Pictures in a real browser: no error, nothing asked for elsewhere, and words that have the room they were given."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.workbench.app.test_browser import browser
from tests.workbench.drawing.scenes.samples import SAMPLES, drawn_sample
from workbench.drawing.scenes.scene import Rectangle
from workbench.drawing.scenes.stage import Stage
from workbench.drawing.scenes.svg import THEMES, svg_of

__all__ = ["browser"]
BOXES = """() => [...document.querySelectorAll("text")].map(one => {
    const box = one.getBBox();
    return [box.x, box.y + box.height * 0.2, box.x + box.width, box.y + box.height * 0.8];
})"""


@pytest.mark.parametrize("name", SAMPLES)
def test_words_do_not_overlap_where_they_are_really_drawn(name: str, browser: Browser, tmp_path: Path) -> None:
    trace, _ = drawn_sample(name)
    stage = Stage(trace, name)
    page = browser.new_page()
    problems: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    for theme, at in zip(THEMES, (len(trace), len(trace) // 2), strict=True):
        scene, path = stage.scene(at), tmp_path / f"{theme}.svg"
        path.write_text(svg_of(scene, theme))
        page.goto(path.as_uri())
        boxes = [Rectangle(*box) for box in page.evaluate(BOXES)]
        assert len(boxes) == len(scene.labels)
        for number, box in enumerate(boxes):
            assert -1 <= box.left <= box.right <= scene.width + 1, scene.labels[number]
            for other in range(number):
                assert not box.overlaps(boxes[other]), (scene.labels[number], scene.labels[other])
    page.close()
    assert not problems
    assert all(url.startswith(tmp_path.as_uri()) for url in asked)
