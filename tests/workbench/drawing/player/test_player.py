"""The page in a real browser: what somebody sees there, and what slider, keys and mouse do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from time import monotonic, sleep

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.workbench.browsers import opened_browser
from tests.workbench.drawing.player.test_frames import COURSE, ROUNDABOUT
from workbench.drawing.player.page import page_of
from workbench.input.pictured import drawn_of
from workbench.recordings.why.values import short_value
from workbench.watch.open import trace_of
from workbench.watch.trace import Trace, Unsearched

CHESS = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
KINDS = {
    "course": (COURSE, "tree", None, "alphabeta", Limit(depth=3)),
    "chance": ("(A[0.5:(2 4) 0.5:(7 5)] B[0.5:(6 0) 0.5:(5 -2)])", "tree", None, "expectiminimax", Limit(depth=4)),
    "three": ("((<6 1 1> <1 5 5>) (<4 3 3> <2 4 2>))", "tree", None, "maxn", Limit(depth=2)),
    "tictactoe": ("startpos", "tictactoe", None, "alphabeta", Limit(depth=3)),
    "uct": ("startpos", "connect4", None, "uct", Limit(iterations=60)),
    "pns": ("startpos", "breakthrough", "4x3", "pns", Limit(iterations=40)),
    "graph": (ROUNDABOUT, "graph", None, "attractor", Limit()),
    "chess": (CHESS, "chess", None, "alphabeta", Limit(depth=1)),
    "passes": (COURSE, "tree", None, "mtdf", Limit(depth=3)),
}
PATIENCE = 30.0
SEEN = "() => document.querySelector('main').outerHTML + document.querySelector('footer').outerHTML"
NODES = """() => [...document.querySelectorAll('.node')].map(node => {
    const box = node.querySelector('.pill').getBoundingClientRect();
    return [box.left, box.top, box.right, box.bottom];
})"""


@cache
def searched(kind: str) -> tuple[Trace, Recording | None, str]:
    """The trace of a search, its recording, and its page."""
    text, game, size, name, limit = KINDS[kind]
    algorithm = catalog.algorithm(name)
    tape = new_tape(100_000) if algorithm.records and not algorithm.iterates else None
    report = Search(catalog.position(text, game, size), algorithm, limit, tape=tape).run_here().report()
    recording = Recording.of(tape, report, algorithm.view) if tape is not None else None
    trace = trace_of(report, recording)
    return trace, recording, page_of(trace, f"{name} on {game}", drawn_of(report))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from opened_browser()


class Reader:
    """Somebody who looks at a page, and what the page has complained about or asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.asked: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._requested)

    def _said(self, message: ConsoleMessage) -> None:
        self.complaints.append(message.text)

    def _requested(self, request: Request) -> None:
        self.asked.append(request.url)

    @property
    def event(self) -> int:
        """The number of the event that is shown."""
        return int(self.page.input_value("#number").replace(",", ""))

    def text(self, place: str) -> str:
        return self.page.inner_text(place)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


Visit = Callable[..., Reader]


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Iterator[Visit]:
    """Opens the page of a kind of search from its file; in the end nothing has been complained about or asked for."""
    readers: list[Reader] = []

    def opened(kind: str, width: int = 1280, height: int = 800, scheme: str = "light", hash: str = "") -> Reader:
        path = tmp_path / f"{kind}.html"
        path.write_text(searched(kind)[2], encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        page = context.new_page()
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # light or dark
        reader = Reader(page)
        readers.append(reader)
        page.goto(f"{path.as_uri()}{hash}")
        return reader

    yield opened
    for reader in readers:
        assert reader.complaints == []
        assert [url for url in reader.asked if not url.startswith(f"{tmp_path.as_uri()}/")] == []
        reader.page.context.close()


def drawn(reader: Reader, node: int) -> str:
    """What is written in a drawn node, by its number in the page."""
    return reader.page.text_content(f'[data-node="{node}"] .value') or ""


@pytest.mark.parametrize("kind", KINDS)
def test_in_the_end_the_root_has_the_value_of_the_search(kind: str, visit: Visit) -> None:
    trace, recording, _ = searched(kind)
    reader = visit(kind)
    assert reader.event == 0
    slider = reader.page.locator("#slider")
    slider.evaluate("slider => { slider.value = slider.max; slider.dispatchEvent(new Event('input')); }")
    assert reader.event == len(trace)
    last = trace.moment(len(trace))
    root = trace.start.state.node if kind == "graph" else last.path[0]  # type: ignore[attr-defined]
    said = last.look(root).value
    assert reader.text("#sentence") == last.sentence()
    if kind == "graph":
        assert drawn(reader, root) == said
        return
    assert reader.text("#root") in (f"root {said}", f"root {last.look(root).detail}")
    if recording is not None and kind != "three":
        value = short_value(int(recording.value[root]), recording.position.game)
        assert said.lstrip("+≤≥") == value.replace(" ", "").lstrip("+") or catalog.algorithm(KINDS[kind][3]).expects


@pytest.mark.parametrize("kind", KINDS)
def test_going_back_shows_the_same_again(kind: str, visit: Visit) -> None:
    reader = visit(kind)
    states = []
    reader.page.evaluate("player.say('')")
    count = min(24, len(searched(kind)[0]))
    for _ in range(count):
        states.append(reader.page.evaluate(SEEN))
        reader.press("ArrowRight")
    for state in reversed(states):
        reader.press("ArrowLeft")
        assert reader.page.evaluate(SEEN) == state
    assert len(set(states)) == count, "every event is seen"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_path_is_drawn_and_nodes_do_not_overlap(kind: str, width: int, height: int, visit: Visit) -> None:
    trace, _, _ = searched(kind)
    reader = visit(kind, width, height)
    for at in range(0, len(trace) + 1, max(1, len(trace) // 12)):
        reader.page.evaluate(f"player.go({at})")
        boxes = reader.page.evaluate(NODES)
        for number, (left, top, right, bottom) in enumerate(boxes):
            for other in boxes[number + 1 :]:
                assert left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1]
            assert kind == "graph" or (left >= 0 and right <= width), "nothing is cut off"
        if at and kind != "graph":
            assert reader.page.locator(".node.here").count() == 1
            here = trace.moment(at).look(trace.moment(at).here)
            assert (reader.page.text_content(".node.here .value") or "").startswith(here.value)
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_small_tree_stands_still(visit: Visit) -> None:
    reader = visit("course")
    places = set()
    for _ in range(len(searched("course")[0]) + 1):
        places.add(str(reader.page.evaluate(NODES)))
        reader.press("ArrowRight")
    assert len(places) == 1


def test_cuts_are_found(visit: Visit) -> None:
    trace, _, _ = searched("course")
    reader = visit("course")
    first = trace.next_of(("cut",), 0, 1)
    assert first is not None
    reader.press("n")
    assert reader.event == first
    assert reader.page.locator(".cut-sign:visible").count() == 1
    reader.press("n")
    second = reader.event
    assert second == trace.next_of(("cut",), first, 1)
    reader.press("n")
    assert reader.event == second
    assert reader.text("#said") == "There is no further cut here."
    reader.press("p")
    assert reader.event == first


def test_a_click_on_a_node_goes_to_where_the_search_comes_to_it(visit: Visit) -> None:
    trace, _, _ = searched("course")
    reader = visit("course")
    node = trace.children(trace.children(0)[1])[0]
    assert isinstance(node, int)
    number = reader.page.evaluate("name => player.replay.data.nodes.first.indexOf(name)", trace.moment_of(node))
    reader.page.locator(f'[data-node="{number}"] .pill').click()
    assert reader.event == trace.moment_of(node)
    assert reader.page.locator(f'[data-node="{number}"].here').count() == 1
    never = next(
        one for above in trace.children(trace.children(0)[0]) for one in trace.children(above) if isinstance(one, Unsearched)
    )
    assert never
    lost = reader.page.evaluate("player.replay.data.nodes.first.indexOf(-1)")
    reader.page.locator(f'[data-node="{lost}"] .pill').click()
    assert reader.text("#said") == "The search never comes to that node."
    reader.page.focus(f'[data-node="{number}"]')
    reader.press("Home", "Enter")
    assert reader.event == trace.moment_of(node)


def test_it_plays_by_itself(visit: Visit) -> None:
    reader = visit("course")
    reader.press("+", "+", "+", "+")
    assert reader.text("#speed") == "100 a second"
    reader.press("Space")
    give_up = monotonic() + PATIENCE
    while reader.page.evaluate("player.playing"):
        assert monotonic() < give_up
        sleep(0.02)
    assert reader.event == len(searched("course")[0])
    reader.press("Space", "-")
    reader.press("Space")
    assert not reader.page.evaluate("player.playing")
    assert reader.text("#speed") == "25 a second"


def test_an_event_is_typed_or_stands_in_the_address(visit: Visit) -> None:
    reader = visit("course", hash="#17")
    assert reader.event == 17
    reader.page.fill("#number", "23")
    reader.press("Enter")
    assert reader.event == 23
    assert reader.text("#sentence") == searched("course")[0].moment(23).sentence()
    reader.page.fill("#number", "x")
    reader.press("Enter")
    assert reader.event == 23
    assert reader.text("#said").startswith("Type the number")


def test_light_dark_and_large(visit: Visit) -> None:
    def ground(reader: Reader) -> str:
        return str(reader.page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light, dark = visit("course"), visit("course", scheme="dark")
    was = ground(light)
    assert was != ground(dark)
    light.press("d")
    assert ground(light) == ground(dark)
    dark.page.click("#theme")
    assert ground(dark) == was
    before = light.page.locator("#sentence").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    light.page.click("#large")
    assert light.page.get_attribute("#large", "aria-pressed") == "true"
    assert light.page.locator("#sentence").evaluate("one => parseFloat(getComputedStyle(one).fontSize)") > 1.2 * before


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read_on_their_ground(scheme: str, visit: Visit) -> None:
    """The contrast of all colours of words with those of the grounds that they stand on, by WCAG's formula."""
    reader = visit("course", scheme=scheme)
    pairs = [
        ("ink", "ground"), ("ink", "panel"), ("faint", "ground"), ("faint", "panel"), ("ink", "node"), ("ink", "open"),
        ("ink", "best-soft"), ("faint", "open"), ("now-ink", "now"), ("cut", "panel"), ("ink", "now-soft"),
    ]  # fmt: skip
    for words, ground in pairs:
        one, other = (luminance(reader, name) for name in (words, ground))
        assert (max(one, other) + 0.05) / (min(one, other) + 0.05) >= 4.5, f"{words} on {ground}"


def luminance(reader: Reader, name: str) -> float:
    colour = reader.page.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('--{name}')").strip()
    parts = [int(part, 16) / 255 for part in re.findall("[0-9a-f]{2}", colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_help_opens_and_closes(visit: Visit) -> None:
    reader = visit("course")
    reader.press("?")
    assert "plybench draw" in reader.text("#help-page")
    reader.page.click("#close")
    assert not reader.page.is_visible("#help-page")
    reader.press("ArrowRight")
    assert reader.event == 1


def test_everything_has_a_name(visit: Visit) -> None:
    reader = visit("tictactoe", hash="#90")
    for button in reader.page.locator("button:visible").all():
        assert button.inner_text().strip() or button.get_attribute("aria-label")
    for node in reader.page.locator("#tree [data-node]").all():
        assert node.get_attribute("aria-label")
    assert reader.page.get_attribute("#sentence", "aria-live") == "polite"
    assert reader.page.get_attribute("#slider", "aria-valuetext") == f"Event 90 of {len(searched('tictactoe')[0])}"
    assert "to move" in reader.text("#board-words")
    assert reader.page.locator("#board .last").count() == 1
    reader.press("Tab")
    assert reader.page.evaluate("document.activeElement.className") == "skip"
