"""What `plybench` without arguments prints where there is no screen: a board, and commands to try."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from positions import library
from workbench.render.board import board

TO_TRY = (
    ("Who wins this position?", "plybench analyze breakthrough/course-6x4 --depth 5"),
    ("Search a chess position for three seconds", "plybench analyze chess/immortal --algorithm pvs --seconds 3"),
    ("Search a tree you type", 'plybench analyze "((3 12 8) (2 4 6) (14 5 2))" --game tree'),
    ("See an evaluation term by term", "plybench eval chess/course-example"),
    ("Read how an algorithm works", "plybench algorithms alphabeta"),
    ("See what there is", "plybench games, plybench algorithms, plybench positions"),
    ("Compile everything now, not on first use", "plybench warm"),
    ("All commands and options", "plybench --help"),
)


def welcome() -> Group:
    """A position worth a look, and commands to try on it."""
    entry = library.get("breakthrough/course-6x4")
    lines = []
    for meaning, command in TO_TRY:
        lines += [Text(meaning, style="dim"), Text(f"  {command}", style="bold")]
    title = Text("Plybench: a microscope for game-tree search", style="bold")
    return Group(title, board(entry.position()), *lines)
