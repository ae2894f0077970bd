"""Writes the tables of keys in docs/app.md from the list of actions: `python docs/tools/keys.py`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from workbench.app.actions import ACTIONS, Action  # noqa: E402 - the script is run from anywhere
from workbench.app.keys import spoken  # noqa: E402
from workbench.app.places import PLACES  # noqa: E402

PAGE = ROOT / "docs/app.md"
BEGIN, END = "<!-- keys: begin -->\n", "<!-- keys: end -->\n"


def main() -> None:
    """Write the tables into the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + tables() + END + rest.partition(END)[2], encoding="utf-8")


def tables() -> str:
    """A table for each screen and dialog: its keys, what they do, and what the help says of its marks."""
    parts = []
    for id, place in PLACES.items():
        rows = [(keys_of(action), action.sentence) for action in ACTIONS if action.place == id]
        rows += [(f"`{named(key)}`", meaning) for key, meaning in place.also]
        if rows:
            parts.append(f"### {place.title}\n\n{table(rows)}\n")
    return "\n".join(parts) + "\n"


def keys_of(action: Action) -> str:
    """All keys of an action, as people write them."""
    return " ".join(f"`{named(spoken(replace(action, other_keys=key)))}`" for key in action.keys)


def named(key: str) -> str:
    """A key of the help as these pages write it, such as Ctrl-Q for ^q; a mark as it is."""
    if key.startswith("^"):
        return f"Ctrl-{key[1:].upper()}"
    return key.capitalize() if key in ("arrows", "enter", "home", "f1") else key


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Rows as a table of Markdown."""
    cells = (f"| {key} | {what} |".replace("\\", "\\\\") for key, what in rows)
    return "\n".join(["| key | |", "|---|---|", *cells])


if __name__ == "__main__":
    main()
