"""What is said of the nodes of recorded searches, against facts that can be checked by hand."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import ASIDE, CUT, EXPANDED, HORIZON, NOBODY, TABLE, TERMINAL, new_tape
from workbench.recordings.navigation import follow, next_cut, principal_leaf
from workbench.recordings.why.nodes import label, line_names, move_name, node_value, position_at, window_words
from workbench.recordings.why.reasons import why
from workbench.recordings.why.windows import source

TEXTBOOK = "((3 12 8) (2 4 6) (14 5 2))"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


def recorded(text: str, game: str, algorithm: str, depth: int, capacity: int = 100_000) -> Recording:
    tape, found = new_tape(capacity), catalog.algorithm(algorithm)
    report = Search(catalog.position(text, game), found, Limit(depth=depth), tape=tape).start().report()
    return Recording.of(tape, report, found.view)


def node_at(recording: Recording, line: str) -> int:
    node, problem = follow(recording, int(recording.roots()[-1]), line)
    assert problem is None
    return node


def test_the_textbook_tree() -> None:
    recording = recorded(TEXTBOOK, "tree", "alphabeta", 2)
    assert [" ".join(line_names(recording, int(node))) for node in np.flatnonzero(recording.kind == CUT)] == ["2", "3"]
    assert why(recording, node_at(recording, "2")) == (
        "Cut: after move 1 it is at most +2, and MAX can already get +3 with move 1 instead of move 2; "
        "2 of 3 moves not searched."
    )
    assert why(recording, node_at(recording, "3")).endswith("instead of move 3; no move was left anyway.")
    assert why(recording, node_at(recording, "1")) == "With move 1, the best of 3 moves: +3."
    assert why(recording, node_at(recording, "1 2")) == "The game is over: MAX gets +12 (a leaf)."
    row = label(recording, node_at(recording, "3 2"))
    assert (row.move, row.value, row.window, row.kind, row.size) == ("2", "+5", "[+3, +14]", "terminal", 1)
    assert label(recording, 0).window == "[-∞, +∞]"


def test_a_bound_may_come_from_far_above() -> None:
    """Russell and Norvig's deep cutoff: MAX has 5 at the root, so a MIN node three plies below is cut at 4."""
    recording = recorded("((5 6) (((4 8) (7 9)) 9))", "tree", "alphabeta", 4)
    node = node_at(recording, "2 1 1")
    assert recording.kind[node] == CUT
    found = source(recording, node, "alpha")
    assert (found.branch, found.earlier) == (node_at(recording, "2"), node_at(recording, "1"))
    assert "MAX can already get +5 with move 1 instead of move 2 at ply 1; 1 of 2 moves not searched" in why(recording, node)


def test_every_cut_of_connect_four_is_explained_by_a_move_that_is_better() -> None:
    recording = recorded("startpos", "connect4", "alphabeta", 4)
    cuts = np.flatnonzero(recording.kind == CUT)
    assert len(cuts) > 100
    for node in map(int, cuts):
        first = recording.turn[node] > 0
        branch, earlier = source(recording, node, "beta" if first else "alpha")
        assert branch in recording.path(node)
        assert recording.parent[earlier] == recording.parent[branch]
        assert earlier < branch
        value, better = recording.value[node], recording.value[earlier]
        assert value >= better if first else value <= better
        left = re.search(r"(\d+) of (\d+) moves not searched", why(recording, node))
        searched = len(recording.children(node))
        assert (int(left[2]) - int(left[1]) if left else 7) == searched


def test_every_node_of_every_kind_has_a_sentence() -> None:
    recording = recorded("4453", "connect4", "deepening", 4)
    assert {EXPANDED, CUT, HORIZON, TABLE} <= set(recording.kind.tolist())
    for node in range(len(recording)):
        said = why(recording, node)
        assert said[0].isupper()
        assert said.endswith(".")


def test_the_table_knew() -> None:
    recording = recorded("startpos", "connect4", "deepening", 4)
    hits = np.flatnonzero(recording.kind == TABLE)
    assert len(hits)
    for node in map(int, hits):
        value, low, high = (int(column[node]) for column in (recording.value, recording.alpha, recording.beta))
        bound = "it is at most " if value <= low else "it is at least " if value >= high else ""
        assert why(recording, node) == f"The table knew: {bound}{value:+d}.".replace("+0.", "0.")


def test_a_mate_in_one_and_what_it_cuts() -> None:
    recording = recorded(MATE_IN_ONE, "chess", "alphabeta", 2)
    mate = node_at(recording, "Ra8#")
    assert recording.kind[mate] == TERMINAL
    assert why(recording, mate) == "The game is over: White has won (checkmate)."
    assert label(recording, mate).value == "White in 1"
    last = node_at(recording, "Ke2")
    assert window_words(recording, last) == "more than a win for White at ply 1"
    assert "and White already wins at ply 1 with Ra8# instead of Ke2; 7 of 8 moves not searched" in why(recording, last)
    assert principal_leaf(recording) == mate


def test_the_horizon_is_scored() -> None:
    recording = recorded("startpos", "connect4", "alphabeta", 2)
    leaf = node_at(recording, "4 4")
    assert recording.kind[leaf] == HORIZON
    assert why(recording, leaf) == f"Scored at the horizon: {label(recording, leaf).value}."


def test_a_null_move_is_a_trial_and_its_board_is_the_others_to_move() -> None:
    recording = recorded("startpos", "chess", "alphabeta", 1)
    child = int(recording.children(0)[0])
    for column, value in ((recording.move, -2), (recording.turn, -1), (recording.kind, ASIDE)):
        column[child] = value
    assert move_name(recording, child) == "pass"
    assert why(recording, child).startswith("Only a trial: what if White passed?")
    passed = position_at(recording, child)
    assert passed.turn == -1
    assert passed.game.board_text(passed.state).startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b")


def test_what_a_full_tape_does_not_hold_is_not_counted() -> None:
    recording = recorded("startpos", "connect4", "alphabeta", 4, capacity=500)
    assert not recording.complete
    path = recording.path(len(recording) - 1)
    cut = [node for node in path if recording.kind[node] == CUT]
    assert all("what came next is not on the tape" in why(recording, node) for node in cut)
    assert all("searched of" not in why(recording, node) for node in path)


def test_a_typed_line_goes_as_far_as_it_can() -> None:
    recording = recorded("startpos", "connect4", "alphabeta", 4)
    assert follow(recording, 0, "44") == follow(recording, 0, "4 4") == (node_at(recording, "4 4"), None)
    node, problem = follow(recording, 0, "4 9")
    assert node == node_at(recording, "4")
    assert problem is not None
    assert "'9' is not a legal move here" in problem
    cut = next_cut(recording, 0, 1)
    line = " ".join(line_names(recording, cut))
    node, problem = follow(recording, 0, f"{line} 7")
    assert (node, problem) == (cut, f"The tape has no 7 after {line}: it was not searched there.")


def test_cuts_one_after_another() -> None:
    recording = recorded(TEXTBOOK, "tree", "alphabeta", 2)
    first = next_cut(recording, 0, 1)
    second = next_cut(recording, first, 1)
    assert [first, second] == np.flatnonzero(recording.kind == CUT).tolist()
    assert next_cut(recording, second, 1) == NOBODY
    assert next_cut(recording, second, -1) == first
    assert next_cut(recording, first, -1) == NOBODY


def test_a_bound_is_told_as_one_in_its_row() -> None:
    recording = recorded(TEXTBOOK, "tree", "alphabeta", 2)
    rows = [label(recording, node_at(recording, line)).value for line in ("1", "2", "3", "2 1")]
    assert rows == ["+3", "≤ +2", "≤ +2", "+2"]
    assert label(recording, 0).value == "+3"


def test_of_moves_with_bounds_alone_none_is_called_the_best() -> None:
    """MAX has 5 with the first move; behind the second, MIN holds each of MAX's moves to less, and no more is known."""
    recording = recorded("((5 6) (9 ((4 8) (2 9))))", "tree", "alphabeta", 4)
    said = why(recording, node_at(recording, "2 2"))
    assert said.startswith("Not good enough: with any of 2 moves it is at most +4, and MAX can already get +5")


def test_a_mean_is_told_only_where_it_is_known() -> None:
    recording = recorded("(A[0.5:(3 5) 0.5:(4 6)] B[0.25:(2 9) 0.25:(3 1) 0.5:(1 -8)])", "tree", "star1", 2)
    said = why(recording, node_at(recording, "B"))
    assert "is at most +1.25, and only more than +3.50 counts here" in said
    assert label(recording, node_at(recording, "B")).value == "≤ +1.25"
    assert "≤ +1" in said


def test_a_win_without_a_ply_is_told_without_one() -> None:
    recording = recorded("startpos moves b2 a1 b3 a2", "tictactoe", "alphabeta", 3)
    windows = {label(recording, node).window for node in range(len(recording))}
    assert any("W" in window for window in windows)
    assert not any("W0" in window for window in windows)


def test_in_check_all_evasions_were_looked_at() -> None:
    """White's rook takes and gives check; Black's king has moves, none of which takes anything."""
    tape, found = new_tape(100_000), catalog.algorithm("deepening")
    position = catalog.position("3r2k1/8/8/8/8/8/8/3R2K1 w - - 0 1", "chess")
    report = Search(position, found, Limit(depth=1), {"check_extension": False}, tape=tape).start().report()
    recording = Recording.of(tape, report, found.view)
    said = why(recording, node_at(recording, "Rxd8+"))
    assert said.startswith("Black has to answer a threat, so every move counts")
    assert "3 moves looked at" in said


@pytest.mark.plain
@pytest.mark.parametrize(
    ("algorithm", "said"),
    [
        ("maxn", "With c1, the only move for Z: Z wins at ply 1."),
        ("paranoid", "With c1, the only move for Z: X's side loses at ply 1."),
        ("random", "With c1, the only move: X loses at ply 1."),
    ],
)
def test_who_wins_of_three(algorithm: str, said: str) -> None:
    recording = recorded("XOX/OXO/ZZ.", "tictactoe", algorithm, 1)
    assert [why(recording, node) for node in range(2)] == [said, "The game is over: Z has won (three in a row)."]


@pytest.mark.plain
def test_of_a_cut_node_of_maxn_only_the_mover_s_value_is_known() -> None:
    tape, found = new_tape(100), catalog.algorithm("maxn")
    position = catalog.position("(<5 3 1> (<1 8 0> <4 1 1>))", "tree")
    report = Search(position, found, Limit(depth=2), {"pruning": True}, tape=tape).start().report()
    recording = Recording.of(tape, report, found.view)
    assert [node_value(recording, node) for node in range(4)] == ["<+5 +3 +1>", "<+5 +3 +1>", "P2 ≥ +8", "<+1 +8 0>"]
