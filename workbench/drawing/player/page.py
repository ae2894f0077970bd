"""The page: one file with the data, the style and the script in it, which asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from engines import catalog
from workbench.drawing.player.excerpt import MOST_EVENTS, Excerpt, excerpt
from workbench.drawing.player.frames import SHAPES, Frames, Progress
from workbench.input.pictured import Drawn, meta_tag
from workbench.watch.replay import FORWARD, SPEEDS, USUAL_SPEED
from workbench.watch.trace import Node, Trace

LONGEST = 120
"""Of a position no more letters are shown."""

SCRIPTS = ("replay.js", "tree.js", "graph.js", "draw.js", "board.js", "page.js")


def events_of(trace: Trace, drawn: Drawn, top: Node | None = None, most: int | None = None) -> Excerpt:
    """Which events a page has: if they are too many, those around the one where it begins."""
    return excerpt(len(trace), start_of(trace, drawn, top) or None, MOST_EVENTS if most is None else most)


def start_of(trace: Trace, drawn: Drawn, top: Node | None) -> int:
    """The event where a page begins: the one that was asked for, or the one at which the search comes to a node."""
    if drawn.step is not None:
        return drawn.step
    return trace.moment_of(top) if isinstance(top, int) else 0


def page_of(
    trace: Trace,
    what: str,
    drawn: Drawn,
    top: Node | None = None,
    theme: str = "light",
    progress: Progress = lambda done, total: None,
    most: int | None = None,
) -> str:
    """The page that plays a trace back: all of it, or the part around its first event that has room in a file. `what`: the
    algorithm and the position, for the title. A light page is dark where the reader's browser is."""
    algorithm, part = catalog.algorithm(drawn.algorithm), events_of(trace, drawn, top, most)
    data = Frames(trace, algorithm, part).written(progress)
    data |= _facts(trace, part, start_of(trace, drawn, top) - part.first)
    style, script = _source("page.css"), "\n".join(map(_source, SCRIPTS))
    sources = f"script-src {_hash(script)}; style-src {_hash(style)}"
    filled = {
        "policy": f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'",
        "theme": ' data-theme="dark"' if theme == "dark" else "",
        "meta": meta_tag(drawn.command()),
        "title": escape(what),
        "about": escape(_about(trace, drawn)),
        "algorithm": escape(algorithm.name),
        "command": escape(f"{drawn.command()} -o search.html"),
        "limited": escape(part.words()),
        "style": style,
        "script": script,
        "data": in_script(data),
    }
    return _filled(_source("page.html"), filled)


def _about(trace: Trace, drawn: Drawn) -> str:
    """The position that is searched, in a line."""
    position = trace.position(trace.moment(0).here)
    text = drawn.position if position.game.is_tree else f"{position.game.title}: {position.game.standing(position)}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def in_script(data: Any) -> str:
    """Data as JSON that may stand inside a script element: no text in it can end that, or begin another one."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _facts(trace: Trace, part: Excerpt, start: int) -> dict[str, Any]:
    """What the page knows of the search besides its frames."""
    kinds = trace.landmarks
    landmarks = []
    at = trace.next_of(kinds, part.first, 1)
    while at is not None and at <= part.last:
        landmarks.append(at - part.first)
        at = trace.next_of(kinds, at, 1)
    return {
        "first": part.first,
        "start": start,
        "total": part.total,
        "limited": part.words(),
        "landmarks": landmarks,
        "landmark": FORWARD.get(kinds[0], kinds[0]),
        "speeds": SPEEDS,
        "speed": USUAL_SPEED,
        "legend": _legend(trace),
    }


def _legend(trace: Trace) -> dict[str, str]:
    """What the shapes mean that occur in the game."""
    position = trace.position(trace.moment(0).here)
    game = position.game
    words = {"max": f"{game.players[0]} moves"}
    if game.player_count > 1:
        words["min"] = f"{game.players[1]} moves"
    if game.player_count > 2:
        words["other"] = f"{' or '.join(game.players[2:])} moves"
    if game.has_chance:
        words["chance"] = f"{game.nature} decides"
    words["leaf"] = "the play ends" if game.is_typed_by_hand and not game.is_tree else "a leaf"
    return {shape: words[shape] for shape in SHAPES if shape in words}


def _filled(page: str, parts: Mapping[str, str]) -> str:
    """The page with its parts, in which nothing is looked for any more."""
    pieces = page.split("{{")
    done = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        done += [parts[name], rest]
    return "".join(done)


def _hash(source: str) -> str:
    """What allows this very source in a policy, and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


@cache
def _source(name: str) -> str:
    return files("workbench.drawing.player").joinpath(name).read_text(encoding="utf-8")
