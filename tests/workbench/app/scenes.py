"""Every screen and dialog of the app, as scenes that a test can look at: what is opened, and which keys are pressed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import monotonic

from textual.pilot import Pilot

from engines.contract import Limit
from positions import library
from tests.workbench.settling import settled
from workbench.app.app import PlybenchApp
from workbench.app.dialogs.waiting import WaitingDialog
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.compare import CompareScreen
from workbench.app.screens.horizon import HorizonScreen
from workbench.app.screens.job_screen import LiveScreen
from workbench.app.screens.play import PlayScreen
from workbench.app.screens.review import ReviewScreen
from workbench.app.screens.start import StartScreen
from workbench.app.themes import DARK

PATIENCE = 120.0
DEPTH_3, DEPTH_5 = Limit(depth=3), Limit(depth=5)
ITALIAN = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 f3g5 d7d5 e4d5 f6d5"


@dataclass(frozen=True)
class Scene:
    """A position, the search that is chosen for it, and keys to press; after each of them all work is waited for."""

    entry: str = "chess/immortal"
    keys: str = ""
    algorithm: str = "deepening"
    limit: Limit = DEPTH_5
    moves: str = ""
    starts: bool = False


SCENES = {
    "start": Scene(starts=True),
    "analyse": Scene(),
    "analyse-done": Scene(keys="space"),
    "analyse-kiwipete": Scene("chess/kiwipete", "space", limit=Limit(depth=6)),
    "analyse-tabs": Scene("chess/kiwipete", "space tab", limit=Limit(depth=6)),
    "analyse-tabs-2": Scene("chess/kiwipete", "space tab tab", limit=Limit(depth=6)),
    "analyse-tabs-3": Scene("chess/kiwipete", "space tab tab tab", limit=Limit(depth=6)),
    "analyse-looking-back": Scene(keys="space [ ["),
    "analyse-line": Scene(keys="space . ."),
    "analyse-root-move": Scene("connect4/two-ways", "space } }"),
    "analyse-notes": Scene("breakthrough/start", "space L"),
    "tree-typed": Scene("tree/textbook", "space", "alphabeta", DEPTH_3),
    "attractor": Scene("graph/roundabout", "space", "attractor", Limit()),
    "uct": Scene("connect4/two-ways", "space", "uct", Limit(iterations=2_000)),
    "uct-iteration": Scene("connect4/two-ways", "space n", "uct", Limit(iterations=500)),
    "nrpa": Scene("morpion/short-game", "space", "nrpa", Limit(iterations=20)),
    "nested": Scene("samegame/ten-by-ten", "space", "nested", Limit(iterations=1)),
    "pns": Scene("breakthrough/course-6x4", "space", "pns", Limit(iterations=20_000)),
    "einstein": Scene("einstein/start", "space", "star2", DEPTH_3),
    "three-players": Scene("tictactoe/three-players", "space", "maxn", DEPTH_3),
    "proof": Scene("breakthrough/course-6x4", "space Q right down right", "dfpn", Limit(iterations=100_000)),
    "tree": Scene("breakthrough/course-6x4", "space t n", "alphabeta", DEPTH_5),
    "tree-plies": Scene("breakthrough/course-6x4", "space t n tab", "alphabeta", DEPTH_5),
    "tree-pns": Scene("breakthrough/course-6x4", "space t right down", "pns", Limit(iterations=2_000)),
    "watch": Scene("tree/textbook", "space W n n", "alphabeta", DEPTH_3),
    "watch-end": Scene("tree/textbook", "space W end", "alphabeta", DEPTH_3),
    "watch-uct": Scene("connect4/two-ways", "space W n n n right right", "uct", Limit(iterations=200)),
    "watch-pns": Scene("breakthrough/course-6x4", "space W n n n n", "pns", Limit(iterations=200)),
    "watch-graph": Scene("graph/roundabout", "space W n n", "attractor", Limit()),
    "watch-chance": Scene("tree/chance", "space W n n n", "expectiminimax", DEPTH_3),
    "watch-players": Scene("tictactoe/kingmaker", "space W n n n", "maxn", DEPTH_3),
    "watch-board": Scene("connect4/ending-12", "space W n n tab", "alphabeta", DEPTH_3),
    "watch-beside": Scene("tree/textbook", "space W +", "alphabeta", DEPTH_3),
    "watch-two": Scene("tree/textbook", "space W + down ctrl+s n n n", "alphabeta", DEPTH_3),
    "watch-event": Scene("tree/textbook", "space W g", "alphabeta", DEPTH_3),
    "watch-card": Scene("tree/textbook", "space W i", "alphabeta", DEPTH_3),
    "compare": Scene("connect4/ending-12", "C space", limit=DEPTH_5),
    "compare-tab": Scene("connect4/ending-12", "C space tab", limit=DEPTH_5),
    "compare-new": Scene("chess/immortal", "C"),
    "horizon": Scene(keys="H down"),
    "horizon-tab": Scene(keys="H down tab"),
    "play": Scene("connect4/start", "P enter"),
    "play-chess": Scene("chess/start", "P enter", moves=ITALIAN),
    "play-new": Scene("connect4/start", "P"),
    "review": Scene("breakthrough/course-6x4", "R home n n"),
    "match": Scene("connect4/start", "M"),
    "match-players": Scene("connect4/start", "M a"),
    "match-terms": Scene("connect4/start", "M l"),
    "tune": Scene("breakthrough/start", "T"),
    "tune-terms": Scene("breakthrough/start", "T l"),
    "open": Scene(keys="o"),
    "algorithm": Scene(keys="a"),
    "algorithm-uct": Scene("connect4/start", "a", "uct"),
    "help": Scene(keys="question_mark"),
    "card": Scene(keys="i"),
    "depth": Scene(keys="g"),
    "note": Scene(keys="w"),
    "move": Scene(keys="m"),
    "jump": Scene("breakthrough/course-6x4", "j"),
    "setup": Scene(keys="e"),
    "setup-connect4": Scene("connect4/two-ways", "e"),
    "sessions": Scene(keys="S"),
    "palette": Scene(keys="ctrl+p"),
    "lane": Scene("connect4/start", "C a"),
    "budget": Scene("connect4/start", "C l"),
}
OPENING = ("watch", "second")
"""Groups of the workers that make what the Watch screen shows."""
NAMES = {"+": "plus", "[": "left_square_bracket", "]": "right_square_bracket", "}": "right_curly_bracket", ".": "full_stop"}


def staged(scene: Scene, theme: str = "") -> PlybenchApp:
    """The app that shows a scene, before any key is pressed."""
    found = library.get(scene.entry)
    where = found.position()
    for move in scene.moves.split():
        where = where.play(where.game.read_move(where.state, move))
    theme = theme or DARK.name
    if scene.starts:
        return PlybenchApp(starts=True, theme=theme)
    app = PlybenchApp(where, found.title, theme)
    app.desk.algorithm = scene.algorithm
    app.desk.limits[found.game, scene.algorithm] = scene.limit
    return app


def is_busy(app: PlybenchApp) -> bool:
    """Whether something on the screen is still going to change by itself."""
    screen = app.screen
    if isinstance(screen, WaitingDialog) or any(worker.is_running and worker.group in OPENING for worker in app.workers):
        return True
    if isinstance(screen, HorizonScreen):
        return screen.desk.busy
    if isinstance(screen, PlayScreen):
        return screen.playing.asked or screen.playing.thinking
    if isinstance(screen, ReviewScreen):
        return screen.work.running
    if isinstance(screen, LiveScreen):
        return screen.work.busy
    if isinstance(screen, CompareScreen):
        return screen.desk.busy or screen.desk.looks_for_truth
    return app.desk.busy


async def perform(scene: Scene, app: PlybenchApp, pilot: Pilot[None]) -> None:
    """Press the keys of a scene, and wait after each until all is drawn."""
    expected = StartScreen if scene.starts else AnalyseScreen
    give_up = monotonic() + PATIENCE
    while not isinstance(app.screen, expected):
        assert monotonic() < give_up, "the app did not begin"
        await pilot.pause(0.02)
    await settled(pilot)
    for key in scene.keys.split():
        await pilot.press(NAMES.get(key, key))
        await settled(pilot)
        await asyncio.sleep(0.05)
        while is_busy(app):
            assert monotonic() < give_up, f"{key} never ends"
            await pilot.pause(0.02)
        await settled(pilot)
