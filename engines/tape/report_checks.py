"""Whether a report that was read from a file holds together: of a position that can be read, with moves that are legal.

The types of `engines.contract` say what each number may be; here is what they cannot say. Whoever has a report that was
checked can show it, and go on from it, without asking again.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines import catalog
from engines.contract import InputError, Report, Setting, shown
from engines.position import Position
from engines.rules import State, play

LONGEST_LINE = 3_000
"""Plies; a longer line has no notation that can be read back."""


def check_report(report: Report) -> Position:
    """The position that was searched; an InputError if this Plybench could not have made such a report of it."""
    position = searched_position(report)
    read_parameters(report)
    check_found(report, position)
    return position


def searched_position(report: Report) -> Position:
    """The position that was searched; an InputError if it cannot be read."""
    declared = {parameter.name for parameter in catalog.game(report.game).parameters}
    if unknown := set(report.options) - declared:
        raise InputError(f"{report.game} has no option {shown(min(unknown))}.")
    return catalog.restore(report.position, report.game, report.size, report.options)


def read_parameters(report: Report) -> dict[str, Setting]:
    """Every parameter of the search with its value; an InputError if the algorithm is not known, or has others."""
    algorithm = catalog.algorithm(report.algorithm)
    given = catalog.as_typed(report.parameters)
    if unknown := set(given) - {parameter.name for parameter in algorithm.parameters}:
        raise InputError(f"{algorithm.id} has no parameter {', '.join(sorted(unknown))}.")
    return catalog.read_settings(algorithm.parameters, given, report.game)


def check_found(report: Report, position: Position) -> None:
    """An InputError if a move or a line is not legal in the position, or if there are values for other players."""
    players = position.game.player_count
    lines = LineChecker(position)
    lines.check("the best move", report.best_move)
    lines.check("the line", None, report.pv)
    for row in report.depths:
        lines.check(f"the line of depth {row.depth}", row.best_move, row.pv)
    if len({row.depth for row in report.depths}) != len(report.depths):
        raise InputError("a depth occurs twice.")
    for move in report.root_moves:
        lines.check(f"the line of {shown(move.move)}", move.move, move.pv)
    if len({row.move for row in report.root_moves}) != len(report.root_moves):
        raise InputError("a move occurs twice.")
    for values in (report.values, *(row.values for row in report.depths), *(row.values for row in report.root_moves)):
        if values and len(values) != players:
            raise InputError(f"there are values for {len(values)} players, not for {players}.")


class LineChecker:
    """Lines from one position, the beginnings that they share played only once."""

    def __init__(self, position: Position) -> None:
        self.game = position.game
        self._states: dict[tuple[str, ...], State] = {(): position.state}

    def check(self, what: str, move: str | None, line: Sequence[str] = ()) -> None:
        """An InputError if the move, or one of the line, is not legal where it is played."""
        if len(line) > LONGEST_LINE:
            raise InputError(f"{what} has {len(line):,} moves; a line has at most {LONGEST_LINE:,}.")
        for moves in (() if move is None else (move,)), tuple(line):
            state = self._states[()]
            for ply, text in enumerate(moves, 1):
                done = moves[:ply]
                if done not in self._states:
                    found = self.game.read_move(state, text)
                    if self.game.move_text(state, found) != text:
                        raise InputError(f"{shown(text)} in {what} is not how a move is written.")
                    self._states[done] = play(self.game.rules, state, found)
                state = self._states[done]
