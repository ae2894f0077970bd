"""Sentences and figures that were once not so."""

from __future__ import annotations

import io
from pathlib import Path

import chess
import pytest

from engines import catalog
from engines.contract import DEPTH_BY_DEPTH, Limit, Report
from engines.game import SHOWN_WIN
from engines.run.memory import Memory
from engines.run.search import Search
from engines.solved import chess_endings as endings
from tests.workbench.conftest import Plybench
from workbench.analysis.panels import search as panels
from workbench.app.places import ANALYSE, PLACES
from workbench.cli.console import console
from workbench.export.view import verification
from workbench.render.report_text import nothing_found, sentence, tree_text, why_ended
from workbench.render.values import counted, limit_text
from workbench.sessions.comparison_types import remarks_text
from workbench.sessions.model import now
from workbench.sessions.types import KeptSearch
from workbench.sessions.verify import Check, FieldDifference, Verification, check


def report(game: str, text: str, algorithm: str, limit: Limit) -> Report:
    return Search(catalog.position(text, game), catalog.algorithm(algorithm), limit).run_here().report()


def test_a_table_says_what_it_does_not_count(plybench: Plybench) -> None:
    """With 95 quiet plies behind it, the rook does not mate in time: the fifty moves are a draw."""
    text = "8/8/8/3k4/8/8/8/KR6 w - - 95 90"
    answer = plybench("analyze", text, "--game", "chess", "--algorithm", "retrograde")
    words = " ".join(answer.out.split())
    assert "knows nothing of the fifty-move rule: the last 95 plies" in words
    assert "after 5 more it is a draw" in words
    assert "proven" not in words
    fresh = plybench("analyze", text.replace("95 90", "0 1"), "--game", "chess", "--algorithm", "retrograde")
    assert "fifty" not in fresh.out


def test_mates_and_stalemates_of_a_table(plybench: Plybench) -> None:
    """Counted once more with python-chess, for all places of the kings that the table tells apart."""
    plybench("retrograde", "build", "KQK")
    facts = plybench("retrograde", "show", "KQK", "--json").json["facts"]
    rules = catalog.position("startpos", "chess").game.rules
    mates = stalemates = 0
    for white, black in endings._kings(rules, 0).tolist():
        for queen in set(range(64)) - {white, black}:
            board = chess.Board(None)
            board.turn = chess.BLACK
            for square, symbol in ((white, "K"), (black, "k"), (queen, "Q")):
                board.set_piece_at(square, chess.Piece.from_symbol(symbol))
            if not any(board.legal_moves):
                mates += board.is_check()
                stalemates += not board.is_check()
    assert (facts["mates"], facts["stalemates"]) == (mates, stalemates)
    assert facts["mates"] + facts["stalemates"] == facts["over"]
    assert facts["over"] + facts["won"] + facts["drawn"] + facts["lost"] == facts["positions"]


def test_nobody_is_advised_to_do_what_he_did(plybench: Plybench) -> None:
    solver = report("connect4", "startpos", "solver", Limit(nodes=1000))
    assert solver.value is None
    assert "--seconds" not in nothing_found(solver)
    answer = plybench("analyze", "startpos", "--game", "connect4", "--algorithm", "solver", "--seconds", "0.2")
    assert "--seconds" not in answer.out


def test_a_limit_that_nobody_gave_is_not_told() -> None:
    found = report("tree", "((3 12 8) (2 4 6) (14 5 2))", "alphabeta", Limit(depth=2, nodes=DEPTH_BY_DEPTH))
    assert limit_text(found.limit) == "depth 2"
    asked = report("tree", "((3 12) (2 4))", "alphabeta", Limit(depth=2, nodes=50))
    assert limit_text(asked.limit) == "depth 2, 50 nodes"
    assert limit_text(Limit(), "to the end") == "to the end"


@pytest.mark.parametrize(("value", "figures"), [(SHOWN_WIN - 1.0, "+#1"), (5.0 - SHOWN_WIN, "-#5"), (0.35, "+0.35")])
def test_a_win_in_large_figures_is_no_bare_number(value: float, figures: str) -> None:
    assert panels.big_value(value, catalog.position("startpos", "chess").game) == figures


def test_one_is_singular() -> None:
    assert [counted(number, "ply") for number in (0, 1, 2, 1000)] == ["0 plies", "1 ply", "2 plies", "1,000 plies"]
    won = report("connect4", "112233", "alphabeta", Limit(depth=1))
    assert panels.proven(won) == "Proven: X wins in 1 ply."
    once = report("connect4", "112233", "uct", Limit(iterations=1))
    assert tree_text(once) == "1 node visited of 1 listed, 0 plies deep"
    assert sentence(once, catalog.position("112233", "connect4")).startswith(
        "No move has been tried yet; the position is worth"
    )


def test_stepping_one_iteration_at_a_time_is_no_difference(tmp_path: Path) -> None:
    """A search that was stepped has more checkpoints than one that runs through; what it found is the same."""
    position, algorithm, memory = catalog.position("44", "connect4"), catalog.algorithm("uct"), Memory()
    for iterations in (1, 2, 3, 4, 5, 30, 31, 32, 33):
        found = Search(position, algorithm, Limit(iterations=iterations), seed=7, memory=memory).run_here().report()
    through = Search(position, algorithm, Limit(iterations=33), seed=7).run_here().report()
    assert found.depth > through.depth, "it has come to more checkpoints"
    kept = KeptSearch(when=now(), version="test", report=found, stepped=False)
    checked = check(1, 1, kept, lambda search, what: not search.run_here(), tmp_path / "session")
    assert checked is not None
    assert checked.status == "same", checked.differences


GRAPH = (
    'graph = {start = "A", nodes = {A = {owner = "max", to = ["B", "C"]}, B = {owner = "min", to = ["X", "Y"]}, '
    'C = {owner = "min", to = ["Y"], value = 4}, X = {gain = 3}, Y = {gain = 7}}}'
)


@pytest.mark.parametrize(("game", "text"), [("graph", GRAPH), ("tree", "(B(3 7) 4(7 9))")])
def test_a_node_that_nobody_has_valued_is_told(game: str, text: str) -> None:
    """At depth 1 the search stops at B, whose worth nobody has said; at depth 2 it needs no evaluation."""
    shallow, whole = (report(game, text, "minimax", Limit(depth=depth)) for depth in (1, 2))
    assert "no value of" in shallow.caution
    assert "B" in shallow.caution
    assert sentence(shallow, catalog.position(text, game)).endswith(shallow.caution)
    assert whole.caution == ""


def test_what_a_value_leaves_out_is_told_of_lanes_too() -> None:
    shallow = report("graph", GRAPH, "minimax", Limit(depth=1))
    whole = report("graph", GRAPH, "minimax", Limit(depth=2))
    assert remarks_text([("a", shallow), ("b", whole), ("c", shallow), ("d", None)]) == f"a, c: {shallow.caution}"


def test_only_nodes_where_the_search_stopped_are_told() -> None:
    """B has no value, and lies behind what a search of one ply sees."""
    far = "(A:1(B(3 7) 4) C:2(6 7))"
    assert report("tree", far, "minimax", Limit(depth=1)).caution == ""
    assert "(B)" in report("tree", far, "minimax", Limit(depth=2)).caution


def test_what_is_not_proven_beside_a_proven_win_is_told() -> None:
    lines = Search(catalog.position("4455", "connect4"), catalog.algorithm("deepening"), Limit(depth=8), {"multipv": 3})
    assert why_ended(lines.run_here().report()) == "the value is proven; other moves are as depth 3 sees them"
    assert why_ended(report("connect4", "112233", "deepening", Limit(depth=1))) == "the value is proven"


def test_a_move_that_was_interrupted_has_no_value() -> None:
    """Of kiwipete's moves two are finished with three lines in 500 nodes; a third one was begun."""
    for multipv, nodes in ((4, 500), (1, 20)):
        search = Search(
            catalog.position(KIWIPETE, "chess"), catalog.algorithm("deepening"), Limit(nodes=nodes), {"multipv": multipv}
        )
        assert all(abs(row.value) < 100 for row in search.run_here().report().root_moves)


def test_a_table_that_sees_too_far_says_nothing() -> None:
    found = report("chess", "8/8/8/3k4/8/8/8/KR6 w - - 0 1", "retrograde", Limit(depth=2))
    assert (found.value, found.pv, found.root_moves, found.distance_nodes) == (None, (), (), 0)
    assert nothing_found(found) == "The table has no result within 2 plies; without --depth it shows what it has."


KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"


def test_differences_are_told_in_words() -> None:
    """Neither dictionaries nor lists as Python writes them."""
    kept = {"depth": 3, "value": 1.5, "pv": ["a1", "b2"], "table": None, "depths": [{"nodes": 3}, {"nodes": 4}]}
    one = Check(
        study=1,
        search=1,
        game="tictactoe",
        algorithm="uct",
        position="startpos",
        status="different",
        differences=(
            FieldDifference(field="best", kept=kept, found=None),
            FieldDifference(field="pv", kept=["a1", "b2"], found=[]),
        ),
    )
    verified = Verification(
        session="mine", file="mine.json", complete=True, same=0, different=1, impossible=0, skipped=0, checks=(one,)
    )
    out = console(file=io.StringIO(), width=160)
    out.print(verification(verified))
    said = out.file.getvalue()  # type: ignore[attr-defined]
    assert "depth 3, value 1.5, pv a1 b2, depths 2 entries" in said
    assert not set("{}[]'") & set(said)


def test_a_hit_is_not_explained_as_an_answer() -> None:
    """A hit found the position, searched deep enough; whether that answers depends on the window."""
    (explained,) = (text for name, text in PLACES[ANALYSE].also if name == "hits")
    assert explained.endswith("Not every hit cuts.")
