"""Principal variations: an examiner of its own plays every line by naive rules, and asks what its end is worth."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engines import catalog
from engines.contract import Limit, Report, Setting
from engines.position import Position
from engines.run.memory import Memory
from engines.run.search import Search
from tests.chess_games import Kind, some_boards
from tests.engines.parts.line_examiner import Examined, examine, examine_proof
from tests.naive import games as naive
from tests.naive.chess import Chess
from tests.strategies import sample
from tests.thorough import LONG, examples

GAMES = ["connect4", "tictactoe", "tree", "breakthrough", "chess"]
FAMILY = ("deepening", "pvs", "mtdf")
FIXED = ("minimax", "negamax", "alphabeta")
SAFE = ("aspiration", "quiescence", "check_extension")
UNSAFE = ("null_move", "late_move_reductions", "futility", "probcut")
KINDS: tuple[Kind, ...] = ("greedy", "random", "few men", "rare moves")
MOST_NODES = 30_000
"""A search that takes more is stopped: what it has finished is examined all the same."""


def chess_cases(count: int) -> Iterator[tuple[Position, naive.Naive]]:
    for kind in KINDS:
        for board in some_boards(kind, -(-count // len(KINDS)), seed=77):
            board.halfmove_clock = min(board.halfmove_clock, 60)
            position = catalog.position(board.fen(), "chess", None, {"chess960": str(board.chess960)})
            if not position.is_over:
                yield position, Chess(board)


def cases(game: str, count: int) -> list[tuple[Position, naive.Naive]]:
    """So many positions that are not over, each with its oracle."""
    if game == "chess":
        return list(chess_cases(count))
    return [(case.position(), case.oracle) for case in sample(game, count)]


def some_switches(random: Random, unsafe: bool) -> dict[str, Setting]:
    """Parameters of the family, at random."""
    chosen: dict[str, Setting] = {**dict.fromkeys(UNSAFE, False), "beam": 0}
    chosen.update({name: random.random() < 0.5 for name in (*SAFE, *(UNSAFE if unsafe else ()))})
    chosen["beam"] = random.choice((0, 0, 3)) if unsafe else 0
    chosen["singular_extension"] = random.random() < 0.3
    chosen["table"] = random.choice((0, 1, 1, 1))
    chosen["replacement"] = random.choice(("both", "always", "deeper"))
    chosen["ordering"] = random.choice(("none", "captures", "killers", "full"))
    chosen["multipv"] = random.choice((1, 1, 1, 3))
    return chosen


def found(position: Position, name: str, limit: Limit, chosen: dict[str, Setting]) -> Report:
    algorithm = catalog.algorithm(name)
    known = {parameter.name for parameter in algorithm.parameters}
    settings = {name: value for name, value in chosen.items() if name in known}
    return Search(position, algorithm, limit, settings, memory=Memory(most=1)).run_here().report()


def examined(game: str, count: int, names: tuple[str, ...], unsafe: bool) -> Examined:
    """What the examiner finds in searches of so many positions."""
    seen, random = Examined(), Random(f"{game} {unsafe}")
    for position, oracle in cases(game, count):
        name, chosen = random.choice(names), some_switches(random, unsafe)
        few = len(position.game.legal_moves(position.state)) <= 9
        depth = random.randint(1, 7 if few and game != "chess" else 4)
        report = found(position, name, Limit(depth=depth, nodes=MOST_NODES), chosen)
        said = f"{name} {chosen} to depth {depth} on {position.game.id} {position.game.size} {position.text}"
        examine(oracle, report, said, seen)
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_every_line_leads_to_a_leaf_with_the_value_shown(game: str) -> None:
    """Searches with switches that change no value: no line is cut short, but for one that the table and a draw by
    repetition, or extensions that depend on the table, contradict; those are few."""
    seen = examined(game, 2500 if LONG else examples(40 if game == "chess" else 120), FAMILY, unsafe=False)
    assert seen.lines >= (9000 if LONG else 15)
    assert not seen.faults, seen.faults[:3]
    assert seen.short <= seen.lines // 50, seen.short_by


@pytest.mark.parametrize("game", GAMES)
def test_lines_of_unsafe_searches_are_right_or_marked(game: str) -> None:
    seen = examined(game, 1000 if LONG else examples(24 if game == "chess" else 60), FAMILY, unsafe=True)
    assert not seen.faults, seen.faults[:3]


@pytest.mark.parametrize("game", GAMES)
def test_lines_of_textbook_searches(game: str) -> None:
    seen = examined(game, 500 if LONG else examples(8 if game == "chess" else 40), FIXED, unsafe=False)
    assert not seen.faults, seen.faults[:3]
    assert seen.short == 0


WANDERING = (
    "startpos moves d2d3 e5d4 d3c4 d5c4 e1d2 d4c3 b2c3 d6d5 c1b2 c5b4 d2e3 d5d4 b2b3 b4a3 d1d2 b5b4 c3b4"
)  # fmt: skip


@pytest.mark.plain
@pytest.mark.parametrize("name", FAMILY)
def test_a_line_does_not_end_where_the_table_answered(name: str) -> None:
    """The line of depth 4 ended at a pawn that could still be taken, worth +2.47 and not +1.05."""
    report = found(catalog.position(WANDERING, "breakthrough", "6x5"), name, Limit(depth=4), {})
    assert (report.value, report.pv_cut_short) == (1.05, False)
    assert report.pv == ("c4c3", "d2c3", "d4c3", "b4a5", "b6a5")
    assert report.line_nodes > 0


@pytest.mark.plain
def test_following_lines_leaves_the_search_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search counts, and its table holds, just what they did if no line had been followed."""
    position = catalog.position(WANDERING, "breakthrough", "6x5")

    def searched() -> tuple[Report, list[int]]:
        memory = Memory(most=1)
        report = Search(position, catalog.algorithm("mtdf"), Limit(depth=4), {}, memory=memory).run_here().report()
        assert memory.table is not None
        return report, memory.table.words.tolist()

    whole, words = searched()
    monkeypatch.setattr(
        "engines.parts.alphabeta.principal_variation.VariationExtender._followed", lambda self, line, *rest: line
    )
    without, same_words = searched()
    assert (whole.line_nodes > 0, whole.pv_cut_short) == (True, False)
    assert (without.line_nodes, without.pv_cut_short) == (0, True)
    assert whole.nodes == without.nodes
    assert whole.table == without.table
    assert [row.nodes for row in whole.depths] == [row.nodes for row in without.depths]
    assert words == same_words


@pytest.mark.parametrize("nodes", [50, 300, 900, 2000, 2850, 2890])
def test_what_lines_cost_is_within_the_limit(nodes: int) -> None:
    report = found(catalog.position(WANDERING, "breakthrough", "6x5"), "mtdf", Limit(nodes=nodes, depth=4), {})
    assert report.nodes + report.distance_nodes + report.line_nodes <= nodes


PROOFS: list[tuple[str, dict[str, Setting]]] = [
    ("pns", {}),
    ("pns", {"threads": 2, "job": 20}),
    ("pn2", {}),
    ("dfpn", {}),
    ("pds", {}),
]


@pytest.mark.plain
@pytest.mark.parametrize("game", ["connect4", "tictactoe"])
def test_the_line_of_a_proven_win_leads_to_its_end(game: str) -> None:
    """Second searches and threads forget what is below the positions that they solve: it is found again. Who only proves
    that a game is drawn has a line that is drawn, or says that it is cut short."""
    seen, wins = Examined(), 0
    for case in sample(game, 120 if LONG else examples(16), "tiny"):
        for name, chosen in PROOFS:
            report = found(case.position(), name, Limit(nodes=3000), chosen)
            examine_proof(case.oracle, report, f"{name} {chosen} on {case}", seen)
            wins += report.outcome in ("first", "second")
            assert report.outcome not in ("first", "second") or not report.pv_cut_short, (name, chosen, case)
            assert report.all_nodes <= 3000
    assert not seen.faults, seen.faults[:3]
    assert wins > 0
