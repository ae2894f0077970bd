"""Two recordings laid on each other: which nodes stand at the same place. (The naive twin of whole differences is in
`tests/workbench/difference/test_twin.py`.)"""

from __future__ import annotations

import pytest

from engines import catalog
from engines.contract import Limit
from engines.tape.alignment import ONLY_FIRST, ONLY_SECOND, ORDER, aligned, paired_roots, position_keys
from engines.tape.tape import NOBODY
from tests.engines.tape.test_events import TEXTBOOK, recorded

pytestmark = pytest.mark.plain


def test_alpha_beta_lies_within_minimax() -> None:
    whole, part = (recorded(TEXTBOOK, "tree", name, Limit(depth=2)) for name in ("minimax", "alphabeta"))
    found = aligned(whole, part)
    assert (found.other != NOBODY).all(), "minimax has every node of alpha-beta"
    lone = [whole.line(node) for node in range(len(whole)) if found.partner[node] == NOBODY]
    assert lone == [("2", "2"), ("2", "3")]
    (place,) = found.marks.nonzero()[0].tolist()
    assert (whole.line(place), found.marks[place]) == (("2",), ONLY_FIRST)
    assert [whole.line(node) for node in range(len(whole)) if found.above[node] == place] == [("2", "1")]


def test_the_other_way_round() -> None:
    whole, part = (recorded(TEXTBOOK, "tree", name, Limit(depth=2)) for name in ("minimax", "alphabeta"))
    found = aligned(part, whole)
    assert (found.partner != NOBODY).all()
    assert set(found.marks.tolist()) == {0, ONLY_SECOND}


def test_other_orders_are_noted() -> None:
    first = recorded(TEXTBOOK, "tree", "minimax", Limit(depth=2))
    second = recorded(TEXTBOOK, "tree", "minimax", Limit(depth=2))
    one, two = second.children(int(second.children(0)[0]))[:2].tolist()
    second.move[one], second.move[two] = second.move[two], second.move[one]
    found = aligned(first, second)
    assert found.marks.tolist().count(ORDER) == 1
    assert (int(found.partner[one]), int(found.partner[two])) == (two, one)


def test_passes_over_the_root_are_paired_by_depth() -> None:
    deep, flat = (recorded("startpos", "tictactoe", "deepening", Limit(depth=depth, nodes=2**40)) for depth in (3, 2))
    assert [int(deep.depth[root]) for root in deep.roots()] == [1, 2, 3]
    assert paired_roots(deep, flat) == list(zip(deep.roots()[:2].tolist(), flat.roots().tolist(), strict=True))
    alone = recorded("startpos", "tictactoe", "alphabeta", Limit(depth=3))
    assert paired_roots(alone, recorded("startpos", "tictactoe", "alphabeta", Limit(depth=2))) == [(0, 0)]


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "breakthrough"])
def test_keys_are_those_of_the_positions(game: str) -> None:
    from engines.rules import key

    recording = recorded("startpos", game, "alphabeta", Limit(depth=2))
    keys, position = position_keys(recording), catalog.position("startpos", game)
    assert keys is not None
    for node in range(0, len(recording), 5):
        here = position
        for move in (int(recording.move[step]) for step in recording.path(node)[1:]):
            here = here.play(move)
        assert int(keys[node]) == int(key(here.game.rules, here.state))
