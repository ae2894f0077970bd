"""What terminal and app say of a story: composed once, laid out twice."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from rich.console import Console

from positions import horizon as examples
from tests.workbench.horizon.test_screen import desk_of, number_of
from workbench.horizon import panels
from workbench.horizon.desk import HorizonDesk
from workbench.horizon.rows import SEEN_BY, TRUE, line_words, signed_value, value_table
from workbench.horizon.view import story_group

KNIGHT = examples.get("doomed-knight")


@pytest.fixture(scope="module")
def desk() -> HorizonDesk:
    return desk_of(number_of("doomed-knight"))


def test_only_moves_that_delay_are_marked_and_say_how() -> None:
    words = line_words(("d4+", "Kxd4", "Nc2+"), ("sacrifice", "capture", "check"), (0, 2))
    assert [(word.text, word.delays, word.kind) for word in words] == [
        ("d4+↷", True, "sacrifice"),
        ("Kxd4", False, ""),
        ("Nc2+↷", True, "check"),
    ]
    assert line_words((), (), ()) == []


def test_a_win_has_its_plies_and_the_sign_of_who_wins() -> None:
    position = KNIGHT.position()
    assert signed_value(4.0, position) == "+4.00"
    assert (signed_value(999_995.0, position), signed_value(-999_995.0, position)) == ("+#5", "-#5")


def test_values_by_depth_are_the_same_in_terminal_and_app(desk: HorizonDesk) -> None:
    view = desk.look()
    assert view.story is not None
    table = value_table(view.story, view.entry.position, view.entry.is_wrong)
    assert table.names[table.fooled] == "plain"
    assert [depth for depth, _ in table.rows] == list(range(1, KNIGHT.deepest + 1))
    fooled = [(depth, cell.text, cell.wrong) for depth, cells in table.rows for cell in cells if cell.fooled]
    assert fooled == [(3, "+4.00", True)]
    assert not table.has_wins
    console = Console(width=120, highlight=False, markup=False)
    with console.capture() as capture:
        console.print(story_group(view.story, view.entry.position))
    printed, shown = capture.get(), panels.values_text(view, 70).plain
    for _, cells in table.rows:
        for cell in cells:
            assert cell.text in printed
            assert cell.text in shown
    story = panels.story_text(view).plain
    for sentence in (f"{TRUE}{view.story.truth}", f"{SEEN_BY}{view.story.remedy}."):
        assert sentence in printed
        assert sentence in story


def test_the_view_is_of_one_moment(desk: HorizonDesk) -> None:
    view = desk.look()
    assert (view.depth, view.curve, view.at, view.delaying) == (3, 0, None, (0, 2))
    assert view.row is not None
    assert len(view.kinds) == len(view.row.pv)
    assert (view.entry.is_wrong(view.row), view.entry.is_wrong(None)) == (True, None)
    desk.step(1)
    desk.walk(-1)
    after = desk.look()
    assert (view.depth, view.at, after.depth) == (3, None, 4)
    assert after.at is not None
    assert "at depth 3 believes +4.00, wrong" in panels.belief_text(view).plain
    with pytest.raises(FrozenInstanceError):
        view.depth = 5  # type: ignore[misc]
    desk.step(-1)
