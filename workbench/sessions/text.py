"""A session as plain text: moves with their variations, and searches in a few words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engines import catalog
from engines.contract import InputError, Report
from engines.game import Game
from engines.position import Position
from engines.rules import State, play
from workbench.render import report_text
from workbench.sessions.model import Path, Study, StudyNode


@dataclass(frozen=True)
class _Step:
    """A node whose followers are still to be written; its state is the one after its move."""

    node: StudyNode
    state: State
    ply: int


@dataclass(frozen=True)
class _Move:
    """A move that is still to be written, played from a state, and whether what follows it comes at once."""

    node: StudyNode
    before: State
    ply: int
    go_on: bool


def moves_text(study: Study) -> str:
    """All moves of a study, numbered, with variations in brackets and notes in braces; empty if there are none."""
    start = study.first_position()
    game, first = start.game, first_half_move(study)
    words: list[str] = []
    numbered = True  # the next move is written with its number, whichever side plays it
    waiting: list[str | _Step | _Move] = [_Step(study.root, start.state, 0)]
    while waiting:  # what is to be written, last thing first: variations may be nested as deep as they like
        item = waiting.pop()
        if isinstance(item, str):
            words.append(item)
            numbered = True
        elif isinstance(item, _Move):
            words.append(number_before(first + item.ply, numbered) + readable_move(game, item.before, item.node.move))
            numbered = bool(item.node.note)
            if item.node.note:
                words.append("{" + " ".join(item.node.note.split()) + "}")
            if item.go_on:
                waiting.append(_after(game, item))
        elif item.node.children:
            main, *others = (_Move(child, item.state, item.ply, True) for child in item.node.children)
            waiting.append(_after(game, main))
            for other in reversed(others):
                waiting += [")", other, "("]
            waiting.append(_Move(main.node, main.before, main.ply, False))
    return re.sub(r"\( | \)", lambda bracket: bracket[0].strip(), " ".join(words))


def _after(game: Game, move: _Move) -> _Step:
    state = play(game.rules, move.before, game.read_move(move.before, move.node.move))
    return _Step(move.node, state, move.ply + 1)


def numbered_path(study: Study, path: Path) -> str:
    """The moves that lead to a place, numbered; `the start` if there are none."""
    start = study.first_position()
    first, state = first_half_move(study), start.state
    moves = readable_line(start.game, state, path)
    return " ".join(number_before(first + ply, ply == 0) + move for ply, move in enumerate(moves)) or "the start"


def place_text(study: Study, path: Path) -> str:
    """The last of the moves that lead to a place, with its number."""
    start = study.first_position()
    moves = readable_line(start.game, start.state, path)
    return number_before(first_half_move(study) + len(path) - 1, True) + moves[-1] if moves else "the start"


def first_half_move(study: Study) -> int:
    """How many half moves were played before the study starts, as far as its notation tells."""
    start = study.first_position()
    return 2 * start.game.full_moves_before(study.start) + (1 if start.turn < 0 else 0)


def number_before(half_move: int, numbered: bool) -> str:
    """The number that stands before a move: always the first player's, the second's where it has to be said."""
    if half_move % 2 == 0:
        return f"{half_move // 2 + 1}. "
    return f"{half_move // 2 + 1}... " if numbered else ""


def readable_move(game: Game, state: State, move: str) -> str:
    """A move as people like to read it."""
    return readable_line(game, state, (move,))[0]


def readable_line(game: Game, state: State, line: tuple[str, ...]) -> tuple[str, ...]:
    """A line as people like to read it; as it stands if it cannot be played."""
    try:
        return game.pretty_line(state, line)
    except ValueError:
        return line


def position_of(report: Report) -> Position:
    """The position that was searched."""
    return catalog.restore(report.position, report.game, report.size, report.options)


def for_people(report: Report, position: Position) -> Report:
    """The report with its moves as people like to read them; as it stands if they cannot be played."""
    try:
        return report_text.for_screen(report, position)
    except ValueError:
        return report


def sentence(report: Report, position: Position) -> str:
    """In words, what the search believes. The report is one for people."""
    try:
        return report_text.sentence(report, position)
    except InputError:  # an algorithm that is not there any more
        return f"{report.best_move or 'No move'} is best, worth {report.value}."


def settings_text(report: Report) -> str:
    """The parameters that are not the usual ones."""
    usual = {}
    if report.algorithm in catalog.ALGORITHMS:
        declared = catalog.algorithm(report.algorithm).parameters
        usual = {parameter.name: catalog.default_in(parameter, report.game) for parameter in declared}
    changed = {name: value for name, value in report.parameters.items() if name not in usual or value != usual[name]}
    return " ".join(f"{name}={str(value).lower()}" for name, value in changed.items())
