"""Writes into README.md how many games and algorithms there are: `python docs/tools/counts.py`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from engines import catalog  # noqa: E402 - the script is run from anywhere

PAGE = ROOT / "README.md"
COUNTS = re.compile(r"\S+ games, \S+ algorithms")
WORDS = {8: "eight", 9: "nine", 10: "ten", 11: "eleven", 12: "twelve"}
"""Small numbers are written as words."""


def main() -> None:
    """Write the numbers into the page."""
    PAGE.write_text(counted(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def counted(text: str) -> str:
    """A text with the numbers of games and algorithms as they are now."""
    games, algorithms = len(catalog.GAMES), len(catalog.ALGORITHMS)
    return COUNTS.sub(f"{WORDS.get(games, games)} games, {algorithms} algorithms", text)


if __name__ == "__main__":
    main()
