"""Makes the pictures of the app for the documentation: `python docs/tools/app_pictures.py` (needs Chromium)."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engines import catalog
from engines.contract import Limit
from positions import library
from workbench.app.app import PlybenchApp
from workbench.app.dialogs.waiting import WaitingDialog
from workbench.app.screens.compare import CompareScreen
from workbench.app.screens.horizon import HorizonScreen
from workbench.app.screens.job_screen import LiveScreen
from workbench.app.screens.match import MatchScreen
from workbench.app.screens.play import PlayScreen
from workbench.app.screens.review import ReviewScreen
from workbench.app.screens.tune import TuneScreen
from workbench.app.themes import DARK, LIGHT
from workbench.comparison.lane_specs import read_lanes

PICTURES = Path(__file__).parents[1] / "pictures"
OPERA = (
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5 Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 "
    "Bxd7 Nxd7 Qb8 Nxb8 Rd8"
)
"""Morphy's game at the opera, 1858."""
TEN_PLIES, EIGHT_PLIES, FIVE_PLIES = Limit(depth=10), Limit(depth=8), Limit(depth=5)
PIXELS_PER_COLUMN, PIXELS_PER_LINE, EDGE = 12.2, 24.4, 60


async def choose_lanes(app: PlybenchApp, lanes: str) -> None:
    """Other lanes on the Compare screen: `a,b,c` and then settings."""
    screen, (names, *settings) = app.screen, lanes.split()
    assert isinstance(screen, CompareScreen)
    screen.desk.comparison.change(read_lanes(names, settings, app.desk.position.game.id)[0])
    await screen.replace_cards()


def compares(app: PlybenchApp) -> bool:
    """Lanes run, the truth is looked for, a story of the horizon is told, a game is played or analysed, a dialog waits."""
    if isinstance(app.screen, WaitingDialog):
        return True
    if isinstance(app.screen, HorizonScreen):
        return app.screen.desk.busy
    if isinstance(app.screen, PlayScreen):
        return app.screen.playing.asked or app.screen.playing.thinking
    if isinstance(app.screen, ReviewScreen):
        return app.screen.work.running
    if isinstance(app.screen, LiveScreen):
        return app.screen.work.busy
    return isinstance(app.screen, CompareScreen) and (app.screen.desk.busy or app.screen.desk.looks_for_truth)


async def picture(
    name: str,
    size: tuple[int, int],
    keys: str,
    entry: str,
    theme: str,
    algorithm: str = "deepening",
    limit: Limit = TEN_PLIES,
    lanes: str = "",
    moves: str = "",
    deed: Callable[[Any], None] | None = None,
) -> None:
    """Press keys, waiting for every search to end, and take a PNG; `moves` are of a game of chess in place of the entry,
    and `deed` is done to the screen that the first key opens."""
    found = library.get(entry)
    where = catalog.position(f"startpos moves {moves}", "chess") if moves else found.position()
    app = PlybenchApp(where, "" if moves else found.title, theme)
    app.desk.algorithm = algorithm
    app.desk.limits[found.game, algorithm] = limit
    async with app.run_test(size=size) as pilot:
        await pilot.pause(0.5)
        if deed is not None:
            await pilot.press(keys.split()[0])
            await pilot.pause(0.5)
            deed(app.screen)
            keys = keys.partition(" ")[2]
        for key in keys.split():
            await pilot.press(key)
            await pilot.pause(0.3)
            if key == "C" and lanes:
                await choose_lanes(app, lanes)
            while app.desk.busy or compares(app):
                await pilot.pause(0.1)
        await pilot.pause(0.5)
        drawing = app.export_screenshot()
    chromium = shutil.which("chromium") or shutil.which("google-chrome") or sys.exit("Chromium is needed.")
    pixels = f"{round(size[0] * PIXELS_PER_COLUMN) + 18},{round(size[1] * PIXELS_PER_LINE) + EDGE}"
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.svg")
        page.write_text(drawing, encoding="utf-8")
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking"]
        command = [chromium, *flags, f"--user-data-dir={folder}", f"--window-size={pixels}"]
        subprocess.run([*command, f"--screenshot={PICTURES / name}.png", page.as_uri()], check=True, capture_output=True)


async def games() -> None:
    """A game that is played, and one that is analysed."""
    opening = "e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 d5 exd5"
    for size in ((80, 24), (160, 50)):
        across = f"{size[0]}x{size[1]}"
        await picture(f"app-play-{across}", size, "P enter h", "chess/kiwipete", DARK.name, moves=f"{opening} Na5")
        await picture(f"app-review-{across}", size, "R home n n n", "chess/kiwipete", DARK.name, moves=OPERA)


async def match_picture(size: tuple[int, int]) -> None:
    """Three depths of alpha-beta and weights that were tuned; on a small screen two of them with a test."""

    def agree(screen: MatchScreen) -> None:
        small = size[0] < 120
        players = "tuned=alphabeta:weights=genetic alphabeta"
        screen.work.agree(f"games {400 if small else 60}, depth 4, seed 1" + (", sprt 0:60" if small else ""))
        screen.work.choose(players if small else f"{players} shallow=alphabeta:depth=2 uct:iterations=500")

    name = f"app-match-{size[0]}x{size[1]}"
    await picture(name, size, "M space", "connect4/start", DARK.name, "alphabeta", deed=agree)


async def tune_picture(size: tuple[int, int]) -> None:
    """The course's genetic algorithm."""

    def agree(screen: TuneScreen) -> None:
        screen.work.agree("generations 60, seed 3")

    await picture(f"app-tune-{size[0]}x{size[1]}", size, "T space", "connect4/start", DARK.name, "alphabeta", deed=agree)


async def watched() -> None:
    """Searches that are watched: at the first cut, in the middle of a game that UCT plays, and at the last layer."""
    searches = {
        "watch-alphabeta": ("tree/textbook", "W n", "alphabeta", Limit(depth=2)),
        "watch-uct": ("connect4/two-ways", "W pagedown pagedown pagedown n right right", "uct", Limit(iterations=200)),
        "watch-tictactoe": ("tictactoe/start", "W n n n n n n", "alphabeta", Limit(depth=3)),
    }
    for name, (entry, keys, algorithm, limit) in searches.items():
        await picture(f"app-{name}", (160, 50), f"space {keys}", entry, DARK.name, algorithm, limit)


async def main() -> None:
    """All pictures."""
    with tempfile.TemporaryDirectory() as data:
        os.environ["PLYBENCH_DATA"] = data
        for theme, word in ((DARK.name, "dark"), (LIGHT.name, "light")):
            for size in ((80, 24), (120, 36), (160, 50)):
                await picture(f"app-{size[0]}x{size[1]}-{word}", size, "space", "chess/kiwipete", theme)
        await picture("app-tree", (160, 50), "space t n", "breakthrough/course-6x4", DARK.name, "alphabeta", FIVE_PLIES)
        await picture("app-connect4", (120, 36), "space", "connect4/ending-12", DARK.name, "alphabeta", EIGHT_PLIES)
        moves = "m B x a 6 enter m b x c 3 enter b m e x d 5 enter b tab tab space L"
        await picture("app-variations", (120, 36), moves, "chess/kiwipete", DARK.name, limit=EIGHT_PLIES)
        six = "minimax,alphabeta,deepening,deepening,mtdf,random 4:table=0"
        await picture(
            "app-compare", (160, 50), "C space", "connect4/ending-12", DARK.name, "alphabeta", EIGHT_PLIES, lanes=six
        )
        await picture("app-horizon", (160, 50), "H down down", "chess/kiwipete", DARK.name)
        sampled = {
            "uct": ("breakthrough/course-6x4", "space", Limit(iterations=20_000)),
            "iteration": ("breakthrough/course-6x4", "space n", Limit(iterations=1_000)),
            "ppa": ("breakthrough/misere-8x8", "space", Limit(iterations=20_000)),
            "nested": ("samegame/full-size", "space", Limit(seconds=10)),
            "nrpa": ("morpion/disjoint", "space", Limit(seconds=10)),
        }
        for name, (entry, keys, limit) in sampled.items():
            for size in ((80, 24), (160, 50)):
                algorithm = "uct" if name == "iteration" else name
                await picture(f"app-{name}-{size[0]}x{size[1]}", size, keys, entry, DARK.name, algorithm, limit)
        for size in ((80, 24), (160, 50)):
            shape = f"{size[0]}x{size[1]}"
            await picture(f"app-attractor-{shape}", size, "space", "graph/roundabout", DARK.name, "attractor", Limit())
        chance = {
            "einstein": ("einstein/start", "m 3 enter space", "star2", Limit(depth=3)),
            "three": ("tictactoe/three-players", "m b 3 enter m c 2 enter space", "maxn", Limit(depth=3)),
            "chance": ("tree/star2", "space t n", "star2", Limit(depth=2)),
        }
        for name, (entry, keys, algorithm, limit) in chance.items():
            for size in ((80, 24), (160, 50)):
                await picture(f"app-{name}-{size[0]}x{size[1]}", size, keys, entry, DARK.name, algorithm, limit)
        proofs = {
            "pns": ("breakthrough/course-6x4", "space", Limit(iterations=100_000)),
            "dfpn": ("breakthrough/course-6x4", "space Q right down right", Limit(iterations=100_000)),
        }
        for name, (entry, keys, limit) in proofs.items():
            for size in ((80, 24), (160, 50)):
                await picture(f"app-{name}-{size[0]}x{size[1]}", size, keys, entry, DARK.name, name, limit)
        for size in ((80, 24), (160, 50)):
            await match_picture(size)
            await tune_picture(size)
        await picture("app-start-160x50", (160, 50), "f2 down down down down", "chess/start", DARK.name)
        await picture("app-algorithm", (120, 36), "a", "chess/kiwipete", DARK.name)
        await games()
        await watched()


if __name__ == "__main__":
    asyncio.run(main())
