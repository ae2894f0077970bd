"""The root moves: the best one stands first, every one can be reached, and the panel says so."""

from __future__ import annotations

from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engines import catalog
from engines.contract import InputError, Limit, Report, RootMove
from engines.position import Position
from engines.rules import ONGOING
from engines.run.search import Search
from positions import library
from tests.engines import checks
from workbench.analysis.panels.root_moves import root_moves_panel
from workbench.analysis.view_state import AnalysisView, Belief
from workbench.render.lines import pretty
from workbench.render.root_order import in_order, worth

GOLDEN = 300
"""So many positions in all, over all games."""
PAIRS = [(game, name) for game in catalog.GAMES for name in catalog.ALGORITHMS if catalog.algorithm(name).compiled]


@cache
def positions_of(game: str) -> tuple[Position, ...]:
    """The golden positions of a game: random games from all its library positions, each of them drawn as often."""
    random, found = Random(f"root moves of {game}"), list[Position]()
    starts = [entry.position() for entry in library.entries().values() if entry.game == game]
    wanted = -(-GOLDEN // len(catalog.GAMES))
    while len(found) < wanted:
        position = starts[len(found) % len(starts)]
        for _ in range(random.randrange(12)):
            if position.is_over:
                break
            after = position.play(random.choice(position.game.legal_moves(position.state)))
            if after.is_over:
                break
            position = after
        if not position.is_over:
            found.append(position)
    return tuple(found)


def searched(position: Position, algorithm: str, number: int) -> Report:
    """A search with a tiny limit; every other one stops somewhere in the middle of a depth."""
    found = catalog.algorithm(algorithm)
    if found.iterates:
        limit = Limit(iterations=40)
    elif "nodes" in found.limits and (number % 2 or found.ends_by_itself):
        limit = Limit(nodes=150 + 37 * (number % 11))
    else:
        limit = Limit(depth=2)
    memory = checks.small_memory(algorithm)
    return Search(position, found, limit, seed=number, memory=memory).run_here().report()


def wins_at_once(position: Position, move: str) -> bool:
    """Whether a move ends the game with the mover as the winner."""
    after = position.play(position.game.read_move(position.state, move))
    return after.is_over and after.result != ONGOING and after.result * after.turn * position.turn > 0


@pytest.mark.parametrize(("game", "algorithm"), PAIRS)
def test_the_first_row_is_the_best_move(game: str, algorithm: str) -> None:
    found = catalog.algorithm(algorithm)
    for number, position in enumerate(positions_of(game)):
        if catalog.misfit(found, position):
            continue
        try:
            report = searched(position, algorithm, number)
        except InputError:
            if not found.looks_up:
                raise
            continue  # a table that takes more than a moment to be built
        if not report.depths or report.best_move is None:
            continue
        belief = Belief.last_of(report)
        rows = in_order(belief.root_moves, belief.row.best_move, position)
        if not found.judges and not rows:  # one random game, which says nothing about moves
            assert "says nothing" in root_moves_panel(view_of(position, report), 76, 4).plain
            continue
        assert rows, (position.text, "no root moves")
        assert rows[0].move == report.best_move, (position.text, rows)
        assert sorted(row.move for row in rows) == sorted({row.move for row in report.root_moves})
        panel = root_moves_panel(view_of(position, report), 76, 4).plain
        assert panel.split("\n")[0].split()[1] == pretty(position, (report.best_move,)).split()[0], panel
        for row in rows[1:]:
            assert not is_better(row, rows[0], position, report), (position.text, row, rows[0])


def is_better(row: RootMove, best: RootMove, position: Position, report: Report) -> bool:
    """Whether a move is known to be better than the one that stands first."""
    won = "first" if position.turn > 0 else "second"
    if position.game.player_count == 2 and row.proven == won:
        return best.proven != won
    if catalog.algorithm(report.algorithm).iterates or not catalog.algorithm(report.algorithm).judges:
        return False  # games are counted, and numbers of proofs compared
    two = position.game.has_winner and position.game.player_count == 2 and not position.by_chance
    if two and report.depth > 0 and wins_at_once(position, row.move) and not wins_at_once(position, best.move):
        return True
    return row.bound == "exact" and best.bound == "exact" and worth(row, position) > worth(best, position) + 1e-9


def view_of(position: Position, report: Report) -> AnalysisView:
    """What the panel needs of a view."""
    view: Any = SimpleNamespace(
        position=position, belief=Belief.last_of(report), report=report, algorithm=report.algorithm, shown=None
    )
    return cast(AnalysisView, view)
