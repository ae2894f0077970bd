"""The page: one file with the data, the style and the script in it, which asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from engines.algorithm import Algorithm
from engines.position import Position
from workbench.drawing.player.excerpt import MOST_EVENTS, Excerpt, excerpt
from workbench.drawing.player.frames import SHAPES, Frames, Progress
from workbench.watch.replay import FORWARD, SPEEDS, USUAL_SPEED
from workbench.watch.trace import Trace

SCRIPTS = ("replay.js", "tree.js", "graph.js", "draw.js", "board.js", "page.js")


@dataclass(frozen=True)
class PageTexts:
    """What stands on the page besides the search."""

    title: str
    """The search in a few words."""
    about: str
    """The game, how deep, and what came out."""
    command: str = ""
    """What made the page, to be typed again; empty if it is not known."""
    meta: str = ""
    """Lines of HTML for the head of the page, such as those that tell which search it is."""


@dataclass(frozen=True)
class PlayerPage:
    """A page, and which events it has."""

    html: str
    part: Excerpt


def player_page(
    trace: Trace,
    algorithm: Algorithm,
    texts: PageTexts,
    around: int | None = None,
    most: int = MOST_EVENTS,
    progress: Progress = lambda done, total: None,
) -> PlayerPage:
    """The page that plays a trace back: all of it, or the part around an event that has room in a file."""
    part = excerpt(len(trace), around, most)
    data = Frames(trace, algorithm, part).written(progress)
    data |= _facts(trace, part)
    style, script = _source("page.css"), "\n".join(map(_source, SCRIPTS))
    made = f"<p>{escape(texts.about)}.</p>"
    if texts.command:
        made += f"<p>This command writes it again:</p><pre>{escape(texts.command)}</pre>"
    if not part.is_whole:
        made += f"<p>{escape(part.words())}</p>"
    sources = f"script-src {_hash(script)}; style-src {_hash(style)}"
    filled = {
        "policy": f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'",
        "meta": texts.meta,
        "title": escape(texts.title),
        "heading": escape(texts.title),
        "about": escape(texts.about),
        "algorithm": escape(algorithm.name),
        "made": made,
        "style": style,
        "script": script,
        "data": in_script(data),
    }
    return PlayerPage(_filled(_source("page.html"), filled), part)


def in_script(data: Any) -> str:
    """Data as JSON that may stand inside a script element: no text in it can end that, or begin another one."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _facts(trace: Trace, part: Excerpt) -> dict[str, Any]:
    """What the page knows of the search besides its frames."""
    kinds = trace.landmarks
    landmarks = []
    at = trace.next_of(kinds, part.first, 1)
    while at is not None and at <= part.last:
        landmarks.append(at - part.first)
        at = trace.next_of(kinds, at, 1)
    return {
        "first": part.first,
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
    position: Position = trace.position(trace.moment(0).here)
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
