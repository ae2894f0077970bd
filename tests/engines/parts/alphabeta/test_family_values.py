"""The alpha-beta family: every way to the same value, with a line and root moves that are so."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from engines import catalog
from engines.parts.alphabeta.ordering import new_search_context
from engines.position import Position
from engines.rules import INFINITY
from engines.run.work import new_work
from engines.search.deepening import deepen
from engines.tape.tape import NOBODY, NoTape
from tests.engines.parts.alphabeta.family import (
    CERTAIN,
    FAMILY,
    PLAIN,
    THOROUGH,
    TWO_PLAYERS,
    Settings,
    check_line,
    check_moves,
    check_table,
    deep_enough,
    end_of,
    look,
    moves_here,
    some_positions,
)
from tests.thorough import examples


def ways() -> list[tuple[str, Settings]]:
    """The three searches, with and without table and ordering."""
    return [
        (name, {**PLAIN, "table": table, "ordering": ordering})
        for name, table, ordering in product(FAMILY, (0, 1), ("none", "full"))
    ]


def some_ways(count: int, seed: str) -> list[tuple[str, Settings]]:
    """So many of them, with what else changes no value chosen at random."""
    random = Random(seed)
    found = random.sample(ways(), count)
    for _, settings in found:
        settings["aspiration"] = random.random() < 0.7
        settings["replacement"] = random.choice(("both", "always", "deeper"))
        if settings["ordering"] == "full":
            settings["ordering"] = random.choice(("full", "full", "killers", "captures"))
    return found


def agree(position: Position, depth: int, seed: str, count: int = 4, moves_too: bool = True) -> None:
    """The value of alpha-beta at this depth by some ways, with a line and root moves that are so."""
    expected = look(position, "alphabeta", depth=depth)
    for name, settings in some_ways(count, seed):
        report = look(position, name, settings, depth=depth)
        said = f"{name} {settings} to depth {depth} on {position.text}"
        assert report.value == expected.value, said
        check_table(report.table, int(settings["table"]))
        check_line(position, report, said)
        if settings["table"] == 0 and name != "mtdf" and position.game.id != "chess":
            assert not report.pv_cut_short, said  # in chess a line may end where a position comes again
        if moves_too:
            check_moves(position, report, said)


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_every_safe_way_gives_the_value_of_alphabeta(game: str, part: int) -> None:
    for number, position in enumerate(some_positions(game, 300)[: examples(300)]):
        if number % 2 == part:
            depth = deep_enough(position, number)
            cheap = moves_here(position) ** depth < 30_000 and (game != "chess" or number % 4 < 2)
            some = len(ways()) if THOROUGH else 2 if game == "chess" else 1 + number % 2
            agree(position, depth, f"{game} {number}", some, moves_too=cheap)
            if (cheap and number % 3 == 0) or THOROUGH:
                assert look(position, "minimax", depth=depth).value == look(position, "alphabeta", depth=depth).value


@pytest.mark.plain
@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_the_same_without_the_compiler(game: str) -> None:
    positions = some_positions(game, 300)[1::7] if game != "chess" else some_positions(game, 300)[:3]
    for number, position in enumerate(positions):
        depth = min(deep_enough(position, number), 1 if game == "chess" else 4)
        if moves_here(position) ** depth < 700:
            agree(position, depth, f"plain {number}", count=3)


def random_tree(random: Random, levels: int) -> str:
    """A tree of whole numbers, many of them equal, every branch to the end or shorter."""
    if levels == 0 or random.random() < 0.05:
        return str(random.randint(-9, 9))
    number = random.choice(("", str(random.randint(-9, 9))))
    return f"{number}({' '.join(random_tree(random, levels - 1) for _ in range(random.randint(1, 4)))})"


def test_random_trees_at_every_depth() -> None:
    """All twelve ways, from one ply to the whole tree."""
    random = Random(3)
    for number in range(16):
        text = f"({random_tree(random, 5)} {random_tree(random, 6)} {random_tree(random, 4)})"
        position = catalog.position(text, "tree")
        for depth in (1 + number % 4, 5, 8):
            agree(position, depth, text, count=12 if number % 4 == 0 else 4)
        assert look(position, "mtdf", PLAIN, depth=8).exact


@pytest.mark.plain
@pytest.mark.parametrize("game", ["connect4", "breakthrough"])
def test_a_move_left_out_is_left_out(game: str) -> None:
    """What singular extensions ask: the value without one move is that of the best of the others."""
    for position in [position for position in some_positions(game, 300)[::9] if 1 < moves_here(position) < 9]:
        rules = position.game.rules_for(position)
        rows = look(position, "minimax", depth=2).root_moves
        values = {position.game.read_move(position.state, row.move): position.turn * row.value for row in rows}
        for skip in values:
            expected = max(value for move, value in values.items() if move != skip)
            window = (-INFINITY, INFINITY)
            found = deepen(
                rules, NoTape(), new_work(), new_search_context(None), position.state, 2, *window, 0, NOBODY, skip
            )
            assert position.game.shown_value(int(found)) == expected, (position.text, skip)


EXTENDED = [
    {**CERTAIN, "quiescence": quiescence, "check_extension": check}
    for quiescence, check in ((True, False), (False, True), (True, True))
]


@pytest.mark.parametrize("game", ["chess", "breakthrough"])
def test_with_quiescence_and_extensions_the_three_still_agree(game: str) -> None:
    changed = 0
    normal = [position for position in some_positions(game, 300) if not position.game.options.get("misere")]
    for number, position in enumerate(normal[:: 5 if game == "chess" else 3]):
        depth = 1 + number % (3 if moves_here(position) > 12 or game == "chess" else 5)
        settings = EXTENDED[number % 3]
        values = {
            (name, table, ordering): look(
                position, name, {**settings, "table": table, "ordering": ordering}, depth=depth
            ).value
            for name, table, ordering in [(name, table, "full") for name in FAMILY for table in (0, 1)]
            + [("deepening", 1, "captures")]
        }
        assert len(set(values.values())) == 1, (position.text, depth, settings, values)
        changed += look(position, "alphabeta", depth=depth).value not in values.values()
    assert changed > 10


@pytest.mark.parametrize("game", TWO_PLAYERS)
def test_the_best_three_moves(game: str) -> None:
    for number, position in enumerate(some_positions(game, 300)[1::6]):
        depth = min(deep_enough(position, number), 2 if game == "chess" else 5)
        name: str = FAMILY[number % 2]
        settings: Settings = {**PLAIN, "multipv": 3, "table": number // 2 % 2, "ordering": ("full", "none")[number // 4 % 2]}
        report = look(position, name, settings, depth=depth)
        if report.depth < 1:
            continue
        said = f"{name} {settings} on {position.text}"
        true = {row.move: row.value for row in look(position, "minimax", depth=report.depth).root_moves}
        wanted = sorted(true.values(), key=lambda value: -position.turn * value)[:3]
        first = report.root_moves[:3]
        assert [row.value for row in first] == wanted, said
        assert all(row.bound == "exact" for row in first), said
        assert len({row.move for row in first}) == len(first) == min(3, len(true)), said
        check_moves(position, report, said)
        for row in first:
            assert row.pv[0] == row.move
            value, over = end_of(position, row.pv)
            if len(row.pv) == report.depth or over:
                assert position.game.shown_value(position.turn * value) == row.value, said
