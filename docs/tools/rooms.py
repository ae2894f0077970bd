"""Draws the rooms and the journeys through them for docs/architecture.md: `python docs/tools/rooms.py`.

The rooms come from the import contracts in pyproject.toml, so that the drawing shows what is enforced.
"""

from __future__ import annotations

import sys
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from docs.tools.journeys import JOURNEYS, Journey  # noqa: E402 - the script is run from anywhere
from docs.tools.room_words import WORDS  # noqa: E402

DRAWING = ROOT / "docs/pictures/rooms.svg"
PAGE = ROOT / "docs/architecture.md"
BEGIN, END = "<!-- rooms: begin -->\n", "<!-- rooms: end -->\n"
WIDTH, ROW, TOP, GAP, HALF = 1376, 28, 76, 24, 664
STEP = 36
FONT = "Helvetica, Arial, sans-serif"


def main() -> None:
    """Write the drawing, and the same in words into the page."""
    DRAWING.write_text(drawing(), encoding="utf-8")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + words() + END + rest.partition(END)[2], encoding="utf-8")


def layers(house: str) -> list[list[str]]:
    """The rooms of a package from top to bottom; those on one level know nothing of each other."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    (found,) = (one["layers"] for one in contracts if one["type"] == "layers" and one.get("containers") == [house])
    return [[room.strip().strip("()") for room in level.replace("|", ":").split(":")] for level in found]


def visits(house: str, room: str) -> list[tuple[str, str]]:
    """The steps of the journeys that are made in a room: colour and label."""
    found = []
    for journey in JOURNEYS:
        for number, (name, _) in enumerate(journey.steps, 1):
            if name.split(".")[:2] == [house, room]:
                found.append((journey.colour, f"{journey.title[0]}{number}"))
    return found


def drawing() -> str:
    """The picture: two houses of rooms, with the steps that are made in each, and the journeys below."""
    houses = {"workbench": 16, "engines": 16 + HALF + GAP}
    tallest = max(len(layers(house)) for house in houses)
    below = TOP + tallest * ROW + 60
    height = below + 34 + max(len(journey.steps) for journey in JOURNEYS) * STEP + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="{FONT}">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        text(16, 28, "The rooms of Plybench, and three journeys through them", 20, bold=True),
    ]
    for house, left in houses.items():
        parts += draw_house(house, left)
    line = TOP + tallest * ROW + 20
    parts.append(
        text(16, line, "positions lies between the two: the library, PGN, EPD and FEN files, books, endgame tables.", 13)
    )
    parts.append(
        text(16, line + 18, "A room imports only rooms below it, the workbench the engines, never the other way round.", 13)
    )
    third = (WIDTH - 32) // 3
    for place, journey in enumerate(JOURNEYS):
        parts += draw_journey(journey, 16 + place * third, below + 20)
    return "\n".join([*parts, "</svg>"]) + "\n"


def draw_house(house: str, left: int) -> list[str]:
    """A package: a row for each layer, from top to bottom."""
    parts = [text(left, TOP - 14, f"{house}/", 15, bold=True)]
    for number, level in enumerate(layers(house)):
        width = HALF / len(level)
        for place, room in enumerate(level):
            x, y = left + place * width, TOP + number * ROW
            parts.append(
                f'<rect x="{x:g}" y="{y}" width="{width - 4:g}" height="{ROW - 4}" rx="4" fill="#f3f1ea" stroke="#b8b2a0"/>'
            )
            parts.append(text(x + 8, y + 16, room, 13, bold=True))
            stamps = visits(house, room)
            indent = 112 if len(level) == 1 else 20 + 7.5 * len(room)
            free = width - indent - 8 - 30 * len(stamps)
            words = WORDS[house].get(room, "")
            most = int(free / 5.3)
            if most > 12:
                parts.append(
                    text(x + indent, y + 16, words if len(words) <= most else words[: most - 1] + "…", 11, "#555555")
                )
            for back, (colour, label) in enumerate(reversed(stamps)):
                at = x + width - 22 - 30 * back
                parts.append(f'<rect x="{at - 14:g}" y="{y + 4}" width="28" height="{ROW - 12}" rx="8" fill="{colour}"/>')
                parts.append(text(at, y + 16, label, 11, "#ffffff", bold=True, middle=True))
    return parts


def draw_journey(journey: Journey, left: int, top: int) -> list[str]:
    """A column: its title, and what is called in order."""
    parts = [text(left, top, journey.title.replace("`", ""), 13, journey.colour, bold=True)]
    for number, (name, what) in enumerate(journey.steps, 1):
        y = top + 24 + (number - 1) * STEP
        parts.append(f'<circle cx="{left + 10}" cy="{y}" r="10" fill="{journey.colour}"/>')
        parts.append(text(left + 10, y + 4, str(number), 11, "#ffffff", bold=True, middle=True))
        if number < len(journey.steps):
            parts.append(f'<path d="M{left + 10} {y + 10} v{STEP - 20}" stroke="{journey.colour}" stroke-width="2"/>')
        parts.append(text(left + 28, y, name, 11.5, bold=True))
        parts.append(text(left + 28, y + 14, what.replace("`", ""), 11, "#555555"))
    return parts


def text(
    x: float, y: float, words: str, size: float, colour: str = "#222222", bold: bool = False, middle: bool = False
) -> str:
    """A line of text."""
    more = (' font-weight="bold"' if bold else "") + (' text-anchor="middle"' if middle else "")
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}"{more}>{escape(words)}</text>'


def words() -> str:
    """The same without a picture: rooms from top to bottom, and the journeys step by step."""
    parts = []
    for house in ("workbench", "engines"):
        parts.append(f"### The rooms of `{house}/`, from top to bottom\n\n```text\n")
        for level in layers(house):
            for place, room in enumerate(level):
                parts.append(f"{'│ ' if place else '  '}{room:<15} {WORDS[house].get(room, '')}\n")
        parts.append("```\n\nRooms marked │ stand beside the one above them, and neither imports the other.\n\n")
    for journey in JOURNEYS:
        parts.append(f"### {journey.title}\n\n")
        parts += [f"{number}. `{name}`: {what}.\n" for number, (name, what) in enumerate(journey.steps, 1)]
        parts.append("\n")
    return "".join(parts)


if __name__ == "__main__":
    main()
