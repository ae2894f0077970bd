"""What the lines above and below the panels say: what is on the desk, what it is doing, what is compiled."""

from __future__ import annotations

from rich.text import Text

from engines.contract import Glance
from workbench.compiling import Compiling
from workbench.desk import Desk
from workbench.show import stage
from workbench.strokes import CHANGED, DIM, STRONG, bar, short_number

SHORTEST_TITLE = 8


def compiling_text(compiling: Compiling, width: int) -> Text:
    """What is compiled, how long that has taken and should take, and a bar where there is room."""
    late = compiling.seconds > compiling.expected
    text = Text(f" compiling {compiling.what}, once: ", "bold", no_wrap=True, overflow="ellipsis")
    text.append(f"{compiling.seconds:3.0f} s of about {compiling.expected:.0f} s", "bold")
    text.append(", longer than usual " if late else " ")
    room = width - text.cell_len - 1
    if room >= 10:
        text.append(bar(compiling.share, room), "yellow")
    return text


def status_text(desk: Desk, glance: Glance | None, run: str = "Space", width: int = 1000) -> Text:
    """The line at the top: what is on the desk, and what it is doing; `run` is a key. Where all of it does not fit, who is
    to move is left out, and then a long name is cut short."""
    title = desk.title
    text = whole_status(desk, glance, run, title)
    if text.cell_len > width:
        text = whole_status(desk, glance, run, title, with_mover=False)
    room = len(title) - (text.cell_len - width)
    if SHORTEST_TITLE < room < len(title):
        text = whole_status(desk, glance, run, f"{title[: room - 1].rstrip()}…", with_mover=False)
    if desk.session.study.note_here:
        text.append(f"  ✎ {desk.session.study.note_here}", DIM)
    return text


def whole_status(desk: Desk, glance: Glance | None, run: str, title: str, with_mover: bool = True) -> Text:
    """That line, without the note."""
    position, game = desk.position, desk.position.game
    mover = "game over" if position.is_over else game.standing(position)
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(" Plybench ", "bold")
    text.append(" ".join(word for word in (game.title, game.size) if word), STRONG)
    text.append(f" {title}" if title else "")
    text.append(f"  {mover}  " if with_mover else "  ", DIM)
    text.append(f"{desk.algorithm} ", CHANGED)
    text.append(f"{limit_text(desk)}  ", DIM)
    if desk.compiling is not None:
        if glance is not None and glance.running:
            text.append(f"◌ {doing(desk, glance)} without the compiler", "bold yellow")
        else:
            text.append(f"◌ compiling {desk.compiling.what}, once ", "bold yellow")
    elif desk.held and desk.beliefs:  # a search that waits since a moment ago has not been looked at yet
        text.append(f"‖ held after {stage(desk.beliefs[max(desk.beliefs)].row)}; {run} goes on", CHANGED)
    elif desk.holding:
        what = "the next checkpoint" if glance is None or desk.iterates else f"depth {glance.depth}"
        text.append(f"● finishing {what}, then it waits", "bold green")
    elif glance is not None and glance.running:
        done = f" move {glance.root_done + 1} of {glance.root_count}" if glance.root_count else ""
        text.append(f"● {doing(desk, glance)}{done}", "bold green")
    elif desk.shown is not None:
        text.append(f"◂ looking back at {stage(desk.beliefs[desk.shown].row)}", CHANGED)
    elif desk.report is not None:
        text.append("■ stopped" if desk.report.stopped_by == "request" else f"■ {short_of(desk)}done", STRONG)
    return text


def doing(desk: Desk, glance: Glance) -> str:
    """What the search is at."""
    if desk.iterates:
        return "sampling" if desk.samples else "proving" if desk.proves else "expanding"
    return f"searching depth {glance.depth}"


def short_of(desk: Desk) -> str:
    """Where a search ended that was asked for fewer plies than the limit beside it says."""
    limit, known = desk.limit.depth, desk.known
    asked = desk.report is not None and desk.report.stopped_by == "depth" and not desk.iterates
    return f"depth {known} " if asked and limit is not None and 0 < known < limit else ""


def limit_text(desk: Desk) -> str:
    """The limit in words."""
    limit = desk.limit
    parts = []
    if limit.depth is not None:
        parts.append(f"to depth {limit.depth}")
    if limit.nodes is not None:
        parts.append(f"{short_number(limit.nodes)} nodes")
    if limit.iterations is not None:
        what = "expansions" if desk.iterates and not desk.samples else "iterations"
        parts.append(f"{short_number(limit.iterations)} {what}")
    if limit.seconds is not None:
        parts.append(f"{limit.seconds:g} s")
    return ", ".join(parts) or "no limit"
