"""The text of a game around the current place: its moves so far, their continuation, and variations. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Literal

from positions import library
from workbench.render.lines import numbered_line
from workbench.sessions.model import Path, Study, StudyNode

HINT = ("The moves that you make appear here.", "Others in their place become variations.")
Kind = Literal["played", "here", "ahead", "branch", "plain", "main", "variation"]


@dataclass(frozen=True)
class Word:
    """A word on a line, and the place in the study that a click on it leads to."""

    text: str
    kind: Kind
    path: Path | None = None


@dataclass(frozen=True)
class GameView:
    """The moves around the current place of a study, before they are wrapped to a width."""

    line: tuple[Word, ...]
    """The start and every move of the line through the current place."""
    choices: tuple[tuple[Word, ...], ...]
    """A row for each move that goes on from here, if there is more than one."""
    has_moves: bool
    about: str = ""
    """What the library says about the position at the start."""


def game_view(study: Study) -> GameView:
    """The view of a study as it is now."""
    has_moves = study.root.children != []
    about = "" if has_moves else library.known_of(study.title, study.first_position())
    return GameView(tuple(_words(study)), tuple(map(tuple, _choices(study))), has_moves, about)


def game_lines(game: GameView, width: int, height: int) -> list[list[Word]]:
    """The line through the current place, wrapped; below it, where there is a choice, the moves that go on from here."""
    choices = list(map(list, game.choices))
    fits = max(0, min(len(choices), height - 1))
    rows = choices if fits == len(choices) else [*choices[: max(0, fits - 1)], _more(choices, max(0, fits - 1))]
    lines = _wrapped(game.line, width)
    room = max(1, height - len(rows))
    here = next((number for number, line in enumerate(lines) if any(word.kind == "here" for word in line)), 0)
    first = max(0, min(here - room // 2, len(lines) - room))
    if not game.has_moves:
        rows = [[Word(line, "plain")] for line in told(game.about, width, height - 1)]
    return [*lines[first : first + room], *rows]


def told(about: str, width: int, height: int, hint: Sequence[str] = HINT) -> list[str]:
    """The lines of a game without moves: what is known of its position, and a hint, as far as whole sentences fit."""
    lines: list[str] = []
    for sentences in (re.split(r"(?<=\.) (?=[A-Z])", about) if about else [], *((sentence,) for sentence in hint)):
        before, said = list(lines), ""
        for sentence in sentences:
            said = f"{said} {sentence}".strip()
            longer = [*before, *wrap(said, max(width, 10), break_on_hyphens=False)]
            if len(longer) > height:
                return lines
            lines = longer
    return lines


def continuation(study: Study) -> list[str]:
    """The continuation from the current place: the moves that were visited last, then main moves."""
    moves = list(study.line[study.ply :])
    node = study.node_at([*study.path, *moves])
    while node.children:
        node = node.children[0]
        moves.append(node.move)
    return moves


def _words(study: Study) -> list[Word]:
    """The start, every move of the line, and the number of alternatives to it."""
    whole = [*study.path, *continuation(study)]
    names = numbered_line(study.first_position(), whole)
    words = [Word("start", "here" if study.ply == 0 else "played", ())]
    node = study.root
    for ply, (move, name) in enumerate(zip(whole, names, strict=True), 1):
        beside, path = len(node.children) - 1, tuple(whole[:ply])
        child = node.child(move)
        assert child is not None
        node = child
        words.append(Word(name, "here" if ply == study.ply else "played" if ply < study.ply else "ahead", path))
        if node.note:
            words.append(Word("✎", "branch", path))
        if beside:
            words.append(Word(f"(+{beside})", "branch", path[:-1]))
    return words


def _wrapped(words: Sequence[Word], width: int) -> list[list[Word]]:
    lines: list[list[Word]] = [[]]
    used = 0
    for word in words:
        if lines[-1] and used + len(word.text) > width:
            lines.append([])
            used = 0
        lines[-1] += [word, Word(" ", "plain")]
        used += len(word.text) + 1
    return lines


def _choices(study: Study) -> list[list[Word]]:
    """A row for each move that goes on from here, if there is more than one."""
    children = study.node.children
    if len(children) < 2:
        return []
    position, ahead = study.position(), study.line[study.ply : study.ply + 1] or [children[0].move]
    rows = []
    for number, child in enumerate(children):
        sign = "▸ " if child.move in ahead else "  "
        path = (*study.path, child.move)
        name = numbered_line(position, (child.move,))[0]
        rows.append(
            [Word(f"{sign}{name:<10}", "variation" if number else "main", path), Word(what_it_is(child, number), "plain")]
        )
    return rows


def _more(choices: Sequence[object], shown: int) -> list[Word]:
    return [Word(f"  +{len(choices) - shown} more moves from here", "plain")]


def what_it_is(child: StudyNode, number: int) -> str:
    """Whether a continuation is the main line or a variation, and how long it is."""
    plies = 1
    while child.children:
        child = child.children[0]
        plies += 1
    return f"{'variation' if number else 'main line'}, {plies} {'ply' if plies == 1 else 'plies'}"
