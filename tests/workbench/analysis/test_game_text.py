"""Variations: kept in the study, shown beside the board, walked by keys and by mouse, deleted and brought back."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from textual.widgets import Input, OptionList, TabbedContent

from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
from positions import library
from tests.workbench.analysis.test_hold import slowly
from tests.workbench.app.test_app import Person, own_data, tell
from tests.workbench.session_samples import report
from tests.workbench.settling import settled
from workbench.analysis.board_marks import MoveNote, noted_at, noted_moves, pointed_text, value_in_width
from workbench.analysis.desk import Desk
from workbench.analysis.game_text import game_lines, game_view, told
from workbench.app.dialogs.choice import ChoiceDialog
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.analyse_parts.game_keys import moves_hint
from workbench.app.widgets.board import BoardView
from workbench.app.widgets.game_moves import GameMoves
from workbench.sessions.model import Study

__all__ = ["own_data"]


def study(*lines: str) -> Study:
    """A chess game with variations, at the end of the last one."""
    made = Study.of(catalog.position("startpos", "chess"))
    for line in lines:
        made.go(())
        for move in line.split():
            made.play(move)
    return made


def place(person: Person) -> list[str]:
    return list(person.desk.session.study.path)


def text(made: Study, width: int = 60, height: int = 10) -> str:
    return "\n".join("".join(word.text for word in line).rstrip() for line in game_lines(game_view(made), width, height))


def test_what_is_known_of_a_position_stays_until_a_move_is_made() -> None:
    entry = library.get("chess/immortal")
    made = Study.of(entry.position(), entry.title)
    assert " ".join(text(made).split("\n")).startswith(f"start {entry.known} The moves that you make")
    assert text(made, 60, 4).endswith(text(made).split("\n")[3]), "whole sentences, or none of them"
    made.play("f5g7")
    assert "Anderssen" not in text(made)


@pytest.mark.parametrize("entry", library.entries().values(), ids=lambda entry: entry.id)
def test_every_text_has_room_in_a_small_terminal(entry: library.Entry) -> None:
    assert " ".join(told(entry.known, 38, 8, hint=())) == entry.known


def test_the_line_and_what_goes_on_from_here() -> None:
    made = study("e2e4 e7e5 g1f3 b8c6", "e2e4 c7c5", "e2e4 e7e5 f2f4")
    assert text(made) == "start 1.e4 e5 (+1) 2.f4 (+1)"
    made.go(("e2e4",))
    assert text(made).split("\n") == [
        "start 1.e4 e5 (+1) 2.f4 (+1)",
        "▸ 1...e5    main line, 3 plies",
        "  1...c5    variation, 1 ply",
    ]
    assert text(Study.of(catalog.position("startpos", "chess"))).startswith("start\nThe moves that you make")
    (here,) = [word for line in game_lines(game_view(made), 60, 10) for word in line if word.kind == "here"]
    assert (here.text, here.path) == ("1.e4", ("e2e4",))


def test_a_long_game_is_shown_where_one_is() -> None:
    made = study("g1f3 g8f6 f3g1 f6g8 " * 20)
    lines = text(made, 30, 4).split("\n")
    assert len(lines) == 4
    assert "40.Ng1 Ng8" in lines[-1]
    made.go(made.path[:2])
    assert text(made, 30, 4).startswith("start 1.Nf3 Nf6")
    for move in ("e7e5", "c7c5", "d7d5", "a7a6"):
        made.go(("g1f3",))
        made.play(move)
    made.go(("g1f3",))
    lines = text(made, 30, 4).split("\n")
    assert len(lines) == 4
    assert lines[-1] == "  +3 more moves from here"


def test_deleting_and_bringing_back_keeps_the_order() -> None:
    desk = Desk(catalog.position("startpos", "connect4"))
    for move in "435":
        desk.play_text(move)
        desk.back()
    desk.go(("3",))
    desk.play_text("3")
    desk.go(("3",))
    assert desk.cut() == 2
    root = desk.session.study.root
    assert ([node.move for node in root.children], desk.position.played) == (["4", "5"], ())
    assert desk.undo_cut()
    assert [node.move for node in root.children] == ["4", "3", "5"]
    assert desk.session.study.path == ("3",)
    assert [node.move for node in root.children[1].children] == ["3"]
    assert not desk.undo_cut()
    desk.cut()
    desk.play_text("3")  # and then it is played again
    assert desk.undo_cut()
    assert sorted(node.move for node in root.children) == ["3", "4", "5"]
    desk.load(catalog.position("startpos", "tictactoe"))
    desk.turn_to(0)
    assert desk.position.game.id == "connect4"


def test_another_position_of_the_session_is_as_it_was_left() -> None:
    desk = Desk(catalog.position("startpos", "connect4"), "The empty board")
    here: dict[str, Any] = {"game": "connect4", "size": "7x6", "position": desk.position.text, "algorithm": "negamax"}
    here |= {"parameters": {}, "options": {}}
    desk.session.study.add(replace(report(), **here))
    desk.load(catalog.position("startpos", "tictactoe"), "Noughts")
    desk.choose("minimax", {}, Limit(depth=2))
    assert (desk.title, desk.report) == ("Noughts", None)
    desk.turn_to(0)
    assert (desk.title, desk.algorithm) == ("The empty board", "negamax")
    assert desk.report is not None


def test_the_moves_that_are_offered_follow_what_is_typed() -> None:
    moves = [("g1f3", "Nf3"), ("g1h3", "Nh3"), ("b2b3", "b3"), ("c1b2", "Bb2"), ("e7e8q", "e8=Q")]
    assert moves_hint(moves, "") == "Nf3 Nh3 b3 Bb2 e8=Q"
    assert moves_hint(moves, "N") == moves_hint(moves, " g1") == moves_hint(moves, "n") == "Nf3 Nh3"
    assert moves_hint(moves, "b") == "b3", "a pawn, not a bishop"
    assert moves_hint(moves, "bb") == "Bb2"
    assert moves_hint(moves, "Q") == "None of the 5 moves begins with 'Q'."
    many = [(f"a{number}", f"a{number}") for number in range(20)]
    assert moves_hint(many, "a").endswith("... 20 in all")


def test_values_fit_their_squares() -> None:
    chess, four = catalog.position("startpos", "chess").game, catalog.position("startpos", "connect4").game
    note = MoveNote(((6, 4), (4, 4)), 0.4, -0.32, "exact")
    assert [value_in_width(note, chess, width) for width in (6, 4, 3, 2, 1)] == ["-0.32", "-.32", "-.3", "-0", ""]
    most = MoveNote(((6, 4), (4, 4)), 0.4, 1.6, "at most")
    assert [value_in_width(most, chess, width) for width in (6, 5, 4, 3)] == ["≤+1.60", "≤1.60", "≤1.6", "≤+2"]
    won = MoveNote(((5, 3),), 0.4, 1_000_000 - 7, "exact")
    assert [value_in_width(won, four, width) for width in (4, 3, 2)] == ["+#7", "+#7", ""]
    assert value_in_width(MoveNote(((5, 3),), 0.4, -1244, "at least"), four, 4) == "≥-1k"


def test_several_moves_to_one_square() -> None:
    desk = Desk(catalog.position("4k3/8/8/8/8/8/R6R/4K3 w - - 0 1", "chess"))
    desk.limits["chess", "deepening"] = Limit(depth=1)
    desk.report = report = Search(desk.position, catalog.algorithm("alphabeta"), Limit(depth=1)).start().report()
    desk.search = None
    desk.session.study.add(report)
    desk.algorithm = "alphabeta"
    desk.arrive()
    notes = noted_moves(desk.view(), everything=True)
    assert abs(sum(note.share for note in notes) - 1) < 1e-9
    d2 = (6, 3)
    both = noted_at(notes, d2, None, 1)
    assert {note.squares for note in both} >= {((6, 0), d2), ((6, 7), d2)}
    (one,) = noted_at(notes, d2, (6, 0), 1)
    assert one.squares == ((6, 0), d2), "of the man that is picked up"
    assert len(pointed_text(desk.view(), d2, None, 200).split(", ")) == len(both)


def test_variations_by_keys_and_by_mouse() -> None:
    """On a small screen, where the game has a tab of its own."""

    async def story(person: Person) -> None:
        screen = person.app.screen
        assert isinstance(screen, AnalyseScreen)
        screen.query_one(TabbedContent).active = "tab-game"
        for move in ("4", "4", "b", "3", "b", "5", "b"):
            if move == "b":
                await person.press("b")
            else:
                await person.press("m")
                await person.type(move)
        game = screen.query_one(GameMoves)
        assert person.desk.position.text.endswith("4")
        assert [line.split() for line in game.text.split("\n")[1:]] == [
            ["4", "main", "line,", "1", "ply"],
            ["3", "variation,", "1", "ply"],
            ["▸", "5", "variation,", "1", "ply"],
        ]
        await person.press("f")
        assert isinstance(person.app.screen, ChoiceDialog)
        assert person.app.screen.query_one(OptionList).highlighted == 2, "where it went last"
        await person.press("up", "enter")
        assert place(person) == ["4", "3"]
        await person.press("v")
        assert place(person) == ["4", "5"]
        await person.press("d")
        assert place(person) == ["4"]
        assert "5" not in game.text
        await person.press("u")
        assert place(person) == ["4", "5"]
        await person.press("home")
        assert place(person) == []
        await person.press("v")
        assert "No other move" in list(person.app._notifications)[-1].message
        await person.press("end")
        assert place(person) == ["4", "5"]
        person.app.clear_notifications()
        await settled(person.pilot)
        words, x = game.lines[0], 0
        for word in words:
            if word.path == ("4",):
                break
            x += len(word.text)
        await person.pilot.click(GameMoves, offset=(x + 1, 1))
        await settled(person.pilot)
        assert place(person) == ["4"], "a click on a move"
        await person.pilot.click(GameMoves, offset=(4, 3))
        await settled(person.pilot)
        assert place(person) == ["4", "3"], "a click on a variation"

    tell(story, catalog.position("startpos", "connect4"), size=(80, 24))


def test_run_to_a_depth_hold_and_root_moves_on_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(person: Person) -> None:
        screen = person.app.screen
        assert isinstance(screen, AnalyseScreen)
        await person.press("p")
        assert "No search is running" in list(person.app._notifications)[-1].message
        await person.press("g")
        person.app.screen.query_one(Input).value = "many"
        await person.press("enter")
        assert "whole number" in list(person.app._notifications)[-1].message
        await person.press("g")
        await person.type("3")
        await person.wait()
        assert sorted(person.desk.beliefs) == [1, 2, 3]
        board = screen.query_one(BoardView)
        drawn = "".join(board.render_line(y).text for y in range(board.size.height))
        assert "%" in drawn, "shares"
        assert "◆" in drawn
        await person.press("L", "L")
        assert screen.overlay == "none"
        drawn = "".join(board.render_line(y).text for y in range(board.size.height))
        assert "%" not in drawn
        person.desk.limits["tictactoe", person.desk.algorithm] = Limit(seconds=500)
        with monkeypatch.context() as patched:
            slowly(patched)
            await person.press("space")
        await person.until(lambda: person.desk.held)
        assert "paused after depth 1; Space goes on" in person.text("status")
        await person.press("left_square_bracket")
        assert "paused" in person.text("status"), "one may look back meanwhile, if there is something"
        await person.press("right_square_bracket")
        await person.until(lambda: person.desk.held and max(person.desk.beliefs) == 2)
        await person.press("space")
        assert not person.desk.held
        await person.press("b")
        assert not person.desk.busy

    tell(story, catalog.position("startpos", "tictactoe"), size=(160, 50))
