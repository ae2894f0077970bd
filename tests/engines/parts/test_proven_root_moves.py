"""What is said of the other moves where one of them is proven to win."""

from __future__ import annotations

from random import Random

import pytest

from engines import catalog
from tests.engines import checks

BEHIND_THE_HORIZON = {"connect4": "7x6", "breakthrough": "5x4"}


@pytest.mark.parametrize("algorithm", ["deepening", "pvs", "mtdf"])
@pytest.mark.parametrize("game", BEHIND_THE_HORIZON)
def test_bounds_of_other_moves_hold_for_the_whole_game(algorithm: str, game: str) -> None:
    """`at most` in a report that proves a win is compared with what the solver proves of each move."""
    chance, looked_at = Random(3), 0
    for _ in range(60):
        position = catalog.position("startpos", game, BEHIND_THE_HORIZON[game])
        while len(position.played) < 14 and not position.is_over:
            position = position.play(chance.choice(position.game.legal_moves(position.state)))
        if position.is_over:
            continue
        report = checks.run_with(position, algorithm, {"table": 1}, depth=6, nodes=2**40)
        if not report.exact or report.outcome != ("first" if position.turn > 0 else "second"):
            continue
        for row in report.root_moves:
            after = position.play(position.game.read_move(position.state, row.move))
            if after.is_over or row.value is None:
                continue
            true = checks.run_with(after, "solver", {"table": 1}).value
            assert true is not None
            behind = true if abs(true) < 5e5 else true - 1 if true > 0 else true + 1  # a ply more to the end
            if row.bound == "at most":
                assert behind * position.turn <= row.value * position.turn, (position.text, row)
                looked_at += 1
    assert looked_at > 10
