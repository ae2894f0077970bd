"""What a screen draws into a file: the search that it shows, recorded once more where that is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from engines.algorithm import Algorithm
from engines.contract import Limit, Report, Setting
from engines.position import Position
from engines.tape.recording import Recording
from workbench.drawing.scenes.choice import node_at, title_of
from workbench.drawing.scenes.files import Progress, form_of, picture_bytes, said_of, write_picture
from workbench.drawing.scenes.stage import Stage
from workbench.input.pictured import Drawn, drawn_of
from workbench.watch.open import trace_of
from workbench.watch.record import traced
from workbench.watch.trace import Trace


class Subject(NamedTuple):
    """A search that is laid out, and the moment that is drawn of it."""

    stage: Stage
    at: int
    drawn: Drawn


Stopped = Callable[[], bool]
Maker = Callable[[Stopped], Subject]
"""Lays a search out, which may take a while: it may have to be carried out once more."""


def of_moment(trace: Trace, report: Report, position: Position, at: int) -> Maker:
    """A search that is being watched, at a moment."""
    return lambda stopped: Subject(Stage(trace, title_of(report, position)), at, drawn_of(report, step=at))


def of_recording(report: Report, recording: Recording, position: Position, path: str) -> Maker:
    """A recorded search at its end, below the node that moves lead to."""

    def make(stopped: Stopped) -> Subject:
        trace = trace_of(report, recording, stopped)
        top = node_at(trace, path) if path else None
        return Subject(Stage(trace, title_of(report, position), top), len(trace), drawn_of(report, path))

    return make


def of_search(
    position: Position, algorithm: Algorithm, parameters: Mapping[str, Setting], limit: Limit, seed: int = 0
) -> Maker:
    """A search that is carried out for it, at its end."""

    def make(stopped: Stopped) -> Subject:
        trace, report, _ = traced(position, algorithm, parameters, limit, seed, stopped)
        return Subject(Stage(trace, title_of(report, position)), len(trace), drawn_of(report))

    return make


def write(path: Path, make: Maker, theme: str, stopped: Stopped, progress: Progress) -> str:
    """Draw a subject into a file; what was drawn, in a sentence. Raises InputError if that is not possible."""
    form = form_of(path)
    subject = make(stopped)
    write_picture(path, picture_bytes(subject.stage, subject.at, form, subject.drawn, theme, progress))
    return f"{subject.stage.what}, {said_of(subject.stage, subject.at, form, subject.drawn).rstrip('.')}"
