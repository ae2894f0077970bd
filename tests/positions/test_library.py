"""The library says true things: every fact in it that a search can check is checked."""

from __future__ import annotations

import pytest

from engines import catalog
from engines.contract import InputError, Limit
from engines.run.search import Search
from positions import library

ENTRIES = list(library.entries().values())
FEWEST = {
    "connect4": 12,
    "breakthrough": 8,
    "tictactoe": 8,
    "tree": 8,
    "graph": 7,
    "samegame": 6,
    "morpion": 3,
    "einstein": 6,
}


def test_every_game_has_positions() -> None:
    for game, fewest in FEWEST.items():
        assert sum(entry.game == game for entry in ENTRIES) >= fewest


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_notation_is_read_and_written_back(entry: library.Entry) -> None:
    position = entry.position()
    options = {name: str(value) for name, value in position.game.options.items()}
    again = catalog.position(position.text, entry.game, position.game.size or None, options)
    assert again.text == position.text
    assert again.state == position.state
    assert entry.known.endswith(".")
    assert entry.title
    assert entry.tags


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.depth], ids=lambda entry: entry.id)
@pytest.mark.parametrize("algorithm", ["alphabeta", "minimax"])
def test_what_is_known_is_true(entry: library.Entry, algorithm: str) -> None:
    position, method = entry.position(), catalog.algorithm(algorithm)
    if catalog.misfit(method, position) or (algorithm == "minimax" and (entry.depth or 0) > 9):
        method = catalog.algorithm("minimax" if algorithm == "alphabeta" else "alphabeta")
    if catalog.misfit(method, position):
        method = catalog.algorithm("star2" if algorithm == "alphabeta" else "expectiminimax")
    report = Search(position, method, Limit(depth=entry.depth)).start().report()
    assert report.exact
    assert (report.outcome, report.distance) == (entry.outcome, entry.distance)
    if entry.value is not None:
        assert report.value == pytest.approx(entry.value, abs=1e-9)
    if entry.best:
        assert report.best_move in entry.best
        assert {row.move for row in report.root_moves if row.value == report.value and row.bound == "exact"} <= set(
            entry.best
        )


def test_groups_begin_with_what_is_worth_seeing_and_end_with_tests_of_move_generators() -> None:
    listed = [entry.group for entry in library.search(())]
    assert list(dict.fromkeys(listed)) == list(library.GROUPS), "every group has positions, and they stand together"
    assert len(listed) == len(ENTRIES)
    assert {entry.game for entry in ENTRIES} == {entry.game for entry in ENTRIES if entry.group == "Worth seeing"}
    assert listed[0] == "Worth seeing"
    assert library.get("chess/kiwipete").group == listed[-1] == "Tests of move generators"
    assert library.get("chess/start").group == library.get("connect4/start").group == "Start positions, small boards"


def test_what_is_known_of_a_position_is_found_by_its_title() -> None:
    start, empty = library.get("chess/start"), library.get("connect4/start")
    assert library.known_of(start.title, start.position()) == start.known
    assert library.known_of(empty.title, empty.position()) == empty.known
    assert library.known_of(start.title, library.get("chess/kiwipete").position()) == "", "another position"
    assert library.known_of("Mine", start.position()) == ""


def test_unknown_id_suggests_a_close_one() -> None:
    with pytest.raises(InputError, match=r"Did you mean breakthrough/course-6x4\?"):
        library.get("breakthrough/course6x4")


def test_search_needs_all_words() -> None:
    assert [entry.id for entry in library.search(["seven", "nodes"])] == ["tree/horizon"]
    assert library.search(["no", "such", "thing", "zzz"]) == []
