"""The panels of Watch: the drawing that suits a search, the algorithm's steps, its variables, and what happens."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from engines.algorithm import Algorithm
from workbench.render.style import plain_letters
from workbench.render.values import counted
from workbench.watch.layers.layer_trace import LayerMoment, LayerTrace
from workbench.watch.layers.view import GraphView
from workbench.watch.replay import Alone, Replay, WatchedSearch
from workbench.watch.steps import lines_of, step_line
from workbench.watch.trace import Moment, Node, Trace
from workbench.watch.view import ALONE, TreeView

NOW = "▸"
NARROW = 40
"""In fewer columns the lines of a card are not set in as far as there."""
DIM, NOW_STYLE, NAME = "dim", "bold reverse", "bold"


def view_of(
    trace: Trace, moment: Moment, width: int, height: int, is_missing: Callable[[Node], bool] | None = None
) -> TreeView | GraphView:
    """The drawing of a moment: a graph as a graph, everything else as a tree. `is_missing`: see `TreeView`."""
    if isinstance(trace, LayerTrace) and isinstance(moment, LayerMoment) and not trace.is_tree:
        return GraphView(trace, moment, width, height)
    return TreeView(trace, moment, width, height, is_missing)


def steps_panel(algorithm: Algorithm, moment: Moment, width: int, height: int) -> Text:
    """The steps of an algorithm as its card has them, the present one marked; as many lines around it as there is room."""
    now = step_line(algorithm, moment.steps())
    room = max(width - 2, 10)
    card = [closer(line) if room < NARROW else line for line in lines_of(algorithm)]
    lines = [(number, piece) for number, line in enumerate(card) for piece in wrapped(line, room)]
    marked = [place for place, (number, _) in enumerate(lines) if number == now]
    first = max(0, min((marked[0] if marked else 0) - height // 2, len(lines) - height))
    text = Text()
    for place in range(first, min(first + height, len(lines))):
        number, piece = lines[place]
        is_now = number == now
        text.append("\n" if place > first else "").append(f"{NOW if marked[:1] == [place] else ' '} ", NAME)
        text.append(piece.ljust(room) if is_now else piece, NOW_STYLE if is_now else "")
    return text


def closer(line: str) -> str:
    """A line of the card that begins half as far from the edge."""
    words = line.lstrip()
    return " " * ((len(line) - len(words)) // 2) + words


def wrapped(line: str, width: int) -> list[str]:
    """A line of the card in pieces that fit, those behind the first indented as far as its words."""
    indent = len(line) - len(line.lstrip())
    pieces: list[str] = []
    rest = line
    while len(rest) > width:
        at = rest.rfind(" ", indent + 1, width + 1)
        at = at if at > indent else width
        pieces.append(rest[:at].rstrip())
        rest = " " * (indent + 2) + rest[at:].lstrip()
    return [*pieces, rest]


def variables_panel(moment: Moment, width: int) -> Text:
    """The variables by name, as many beside each other as fit."""
    text, used = Text(), 0
    for name, value in moment.variables():
        length = len(name) + len(value) + 1
        if used and used + length + 3 > width:
            text.append("\n")
            used = 0
        elif used:
            text.append("   ")
            used += 3
        text.append(f"{name} ", DIM).append(value, NAME)
        used += length
    return text


PLAIN_SIGNS = str.maketrans({"△": "^", "▽": "v", "◇": "*", "○": "o", "━": "-", "┊": "|", "✂": "x", "╳": "x"})
PLAIN_SIGNS |= str.maketrans({"▤": "#", "⊘": "/", "★": "*", "■": "#", "✚": "!", "…": "..", "≥": ">=", "≤": "<="})


def marks_panel(replay: Replay, width: int) -> Text:
    """What the signs of the drawing mean, as many beside each other as fit."""
    text, used = Text(), 0
    marks = [*replay.first.trace.marks, *([("✚", "only this search comes here")] if replay.second is not None else [])]
    for sign, words in marks:
        sign = sign.translate(PLAIN_SIGNS) if plain_letters() else sign
        length = len(sign) + len(words) + 1
        gap = "" if not used else "\n" if used + length + 3 > width else "   "
        text.append(gap).append(sign).append(f" {words}", DIM)
        used = length if gap in ("", "\n") else used + length + 3
    return text


def status_line(replay: Replay, moment: Moment, second: Moment | None, what: str) -> Text:
    """What is watched, whether it plays, and how much has been visited; `what`: the position, in a word or two."""
    first = replay.first
    text = Text(" Watch ", NAME, no_wrap=True)
    text.append(first.name, "bold yellow").append(f" {what}")
    text.append(f"  {'▶' if replay.playing else '‖'} {replay.rate:g} a second", "bold green" if replay.playing else DIM)
    if replay.second is None or second is None:
        text.append(f"  {counted(first.trace.visited(moment.at), 'node')} visited", DIM)
    else:
        alone = replay.alone or Alone(None, None)
        text.append(f"  {visits(first, moment, alone.first)}, {visits(replay.second, second, alone.second)}", DIM)
    return text


def visits(watched: WatchedSearch, moment: Moment, alone: frozenset[Node] | None) -> str:
    """How many nodes a search has visited by now, how many in all, and how many of them the other search never visits."""
    trace = watched.trace
    only = "" if alone is None else f" ({ALONE}{len(alone):,})"
    return f"{watched.name} {trace.visited(moment.at):,} of {trace.visited(len(trace)):,}{only}"
