"""The status lines of the Analyse screen: the position, what the search is doing, and the progress of the compiler."""

from __future__ import annotations

from rich.text import Text

from engines.contract import Glance
from workbench.analysis.view_state import AnalysisView, CompilingView
from workbench.render.report_text import stage
from workbench.render.style import CHANGED, DIM, STRONG, bar, short_number
from workbench.render.values import in_short, limit_text


def compiling_text(compiling: CompilingView, width: int) -> Text:
    """What is being compiled, the time so far and the expected time, and a bar where there is room."""
    late = compiling.seconds > compiling.expected
    text = Text(f" compiling {compiling.what}, once: ", "bold", no_wrap=True, overflow="ellipsis")
    text.append(f"{compiling.seconds:3.0f} s of about {compiling.expected:.0f} s", "bold")
    text.append(", longer than usual " if late else " ")
    room = width - text.cell_len - 1
    if room >= 10:
        text.append(bar(compiling.share, room), "yellow")
    return text


def status_text(view: AnalysisView, run: str = "Space", width: int = 1000) -> Text:
    """The line at the top: the position, and what the search is doing; `run` is a key. Where all of it does not fit on a
    line, the name of the program is left out, then who is to move; what is still too long takes a second line."""
    text = whole_status(view, run)
    if text.cell_len > width:
        text = whole_status(view, run, with_program=False)
    if text.cell_len > width:
        text = whole_status(view, run, with_program=False, with_mover=False)
    if view.note:
        text.append(f"  ✎ {view.note}", DIM)
    return text


def whole_status(view: AnalysisView, run: str, with_program: bool = True, with_mover: bool = True) -> Text:
    """The status line without the note."""
    position, game, glance = view.position, view.position.game, view.glance
    mover = "game over" if position.is_over else game.standing(position)
    text = Text()
    text.append(" Plybench " if with_program else " ", "bold")
    text.append(" ".join(word for word in (game.title, game.size) if word), STRONG)
    text.append(f" {view.title}" if view.title else "")
    text.append(f"  {mover}  " if with_mover else "  ", DIM)
    text.append(f"{view.algorithm} ", CHANGED)
    text.append(f"{short_limit(view)}  ", DIM)
    if view.compiling is not None:
        if glance is not None and glance.running:
            text.append(f"◌ {doing(view, glance)} without the compiler", "bold yellow")
        else:
            text.append(f"◌ compiling {view.compiling.what}, once ", "bold yellow")
    elif view.held and view.beliefs:  # a search that has just gone on hold was not polled yet
        text.append(f"‖ paused after {stage(view.beliefs[max(view.beliefs)].row)}; {run} goes on", CHANGED)
    elif view.holding:
        what = "the next checkpoint" if glance is None or view.iterates else f"depth {glance.depth}"
        text.append(f"● finishing {what}, then waiting", "bold green")
    elif glance is not None and glance.running:
        done = f" move {glance.root_done + 1} of {glance.root_count}" if glance.root_count else ""
        text.append(f"● {doing(view, glance)}{done}", "bold green")
    elif view.shown is not None:
        text.append(f"◂ looking back at {stage(view.beliefs[view.shown].row)}", CHANGED)
    elif view.report is not None:
        text.append("■ stopped" if view.report.stopped_by == "request" else f"■ {short_of(view)}done", STRONG)
    return text


def doing(view: AnalysisView, glance: Glance) -> str:
    """What the search is doing."""
    if view.iterates:
        return "sampling" if view.samples else "proving" if view.proves else "expanding"
    return f"searching depth {glance.depth}"


def short_of(view: AnalysisView) -> str:
    """Where a search ended that was asked for fewer plies than the limit shown beside it."""
    limit, known = view.limit.depth, view.known
    asked = view.report is not None and view.report.stopped_by == "depth" and not view.iterates
    return f"depth {known} " if asked and limit is not None and 0 < known < limit else ""


def short_limit(view: AnalysisView) -> str:
    """The limit of the search with abbreviated numbers, because the line has little room."""

    def write(name: str, number: float) -> str:
        if name in ("depth", "seconds"):
            return f"to depth {number}" if name == "depth" else in_short(name, number)
        expands = name == "iterations" and view.iterates and not view.samples
        counts = "expansions" if expands else name
        return f"{short_number(number)} {counts.removesuffix('s') if number == 1 else counts}"

    return limit_text(view.limit, "no limit", write)
