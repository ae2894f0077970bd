"""Makes the pictures of terminal output in the documentation: `python docs/tools/pictures.py` (needs Chromium)."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console, RenderableType
from rich.terminal_theme import MONOKAI
from rich.text import Text

from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from positions import library
from workbench.comparison import view as show_compare
from workbench.comparison.lane_specs import read_lanes
from workbench.comparison.lanes import Comparison
from workbench.comparison.result import compared
from workbench.proofs.truth import truth_of
from workbench.render import catalog as render_catalog
from workbench.render import search as render
from workbench.sessions.comparison_types import LaneBudget

PICTURES = Path(__file__).parents[1] / "pictures"
COLUMNS, PIXELS_PER_COLUMN, PIXELS_PER_LINE = 84, 8.43, 17
PAGE = """<html><head><style>
    body {{ background: {background}; color: {foreground}; margin: 12px; }}
    pre {{ font: 14px/17px 'DejaVu Sans Mono', monospace; margin: 0; }}
    {stylesheet}
</style></head><body><pre><code style="font-family: inherit">{code}</code></pre></body></html>"""


def picture(name: str, command: str, *parts: RenderableType) -> None:
    """A PNG of what a command prints."""
    console = Console(record=True, width=COLUMNS, highlight=False, force_terminal=True, file=sys.stderr)
    console.print(Text.assemble(("$ ", "dim"), (command, "bold")))
    for part in parts:
        console.print(part)
    html = console.export_html(theme=MONOKAI, code_format=PAGE, clear=False)
    lines = console.export_text().rstrip().count("\n") + 1
    size = f"{round(COLUMNS * PIXELS_PER_COLUMN) + 24},{lines * PIXELS_PER_LINE + 24}"
    chromium = shutil.which("chromium") or shutil.which("google-chrome") or sys.exit("Chromium is needed.")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text(html, encoding="utf-8")
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking"]
        command_line = [chromium, *flags, f"--user-data-dir={folder}", f"--window-size={size}"]
        command_line += [f"--screenshot={PICTURES / name}.png", page.as_uri()]
        subprocess.run(command_line, check=True, capture_output=True)


def main() -> None:
    """All pictures."""
    exercise = library.get("breakthrough/course-6x4").position()
    search = Search(exercise, catalog.algorithm("alphabeta"), Limit(depth=5)).start()
    picture("analyze", "plybench analyze breakthrough/course-6x4 --depth 5", render.report(search.report(), exercise))

    kiwipete = library.get("chess/kiwipete").position()
    search = Search(kiwipete, catalog.algorithm("pvs"), Limit(seconds=3)).start()
    picture(
        "depths", "plybench analyze chess/kiwipete --algorithm pvs --seconds 3", render.report(search.report(), kiwipete)
    )

    example = library.get("chess/course-example").position()
    evaluation = render.evaluation(example.game.evaluation(example.state), example)
    picture("eval", "plybench eval chess/course-example", evaluation)

    board = catalog.position("startpos", "tictactoe")
    search = Search(board, catalog.algorithm("alphabeta"), Limit(depth=9), tape=new_tape()).start()
    report = search.report()
    picture("tape", "plybench tape search.tape", render.tape(Recording.of(search.tape, report, "mover")))

    late = catalog.position("17516442226766", "connect4")
    lanes, _ = read_lanes("alphabeta,deepening,bare=deepening,random", ("bare:table=0",), "connect4")
    comparison = Comparison(late, lanes, LaneBudget(depth=9))
    comparison.run()
    while not comparison.wait(0.1):
        pass
    truth = truth_of(late, [lane.belief().best_move for lane in comparison.lanes])
    command = "plybench compare 17516442226766 --game connect4 --depth 9 \\\n"
    command += "    --algorithms alphabeta,deepening,bare=deepening,random --set bare:table=0"
    picture("compare", command, show_compare.table(compared(comparison, truth), late))

    picture("card", "plybench algorithms alphabeta", render_catalog.algorithm("alphabeta"))


if __name__ == "__main__":
    main()
