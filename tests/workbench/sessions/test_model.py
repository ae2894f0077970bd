"""A session is what was done in it: moves, variations, places, notes and searches come back from its text as they were."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engines import catalog
from engines.contract import InputError
from tests import strategies
from tests.mutation import attempt, is_sentence
from tests.workbench.session_samples import ITALIAN, italian, report, wander
from workbench.sessions import codec as session_file
from workbench.sessions.model import LONGEST_LINE, Session, Study, StudyNode, now


def again(session: Session) -> Session:
    return session_file.read(session_file.text_of(session.saved()), "test")


def place(study: Study) -> str:
    return " ".join(study.path)


def all_nodes(root: StudyNode) -> int:
    return 1 + sum(map(all_nodes, root.children))


def test_a_study_is_at_the_end_of_the_position_it_is_made_of() -> None:
    study = Study.of(catalog.position(ITALIAN, "chess"))
    assert study.start == "startpos"
    assert place(study) == "e2e4 e7e5 g1f3 b8c6 f1c4"
    assert study.position().text == ITALIAN


def test_playing_follows_a_move_that_is_there_and_adds_one_that_is_not() -> None:
    study = Study.of(catalog.position(ITALIAN, "chess"))
    study.go(())
    study.play("e4")
    assert all_nodes(study.root) == 6
    study.play("c5")
    assert all_nodes(study.root) == 7
    assert [child.move for child in study.node_at(("e2e4",)).children] == ["e7e5", "c7c5"]
    with pytest.raises(InputError, match="not a legal move"):
        study.play("e4")
    assert place(study) == "e2e4 c7c5"


def test_forward_goes_along_the_line_last_walked_and_then_the_main_one() -> None:
    study = Study.of(catalog.position(ITALIAN, "chess"))
    study.go(("e2e4",))
    study.play("c7c5")
    study.play("g1f3")
    while study.back():
        pass
    assert [study.forward() for _ in range(4)] == [True, True, True, False]
    assert place(study) == "e2e4 c7c5 g1f3"
    study.go(("e2e4", "e7e5"))
    while study.forward():
        pass
    assert study.position().text == ITALIAN
    assert not study.forward()


def test_going_back_to_a_place_on_the_line_keeps_the_rest_of_it() -> None:
    study = Study.of(catalog.position(ITALIAN, "chess"))
    study.go(("e2e4",))
    assert study.forward()
    assert place(study) == "e2e4 e7e5"
    study.back()
    study.play("e5")
    assert study.forward()
    assert place(study) == "e2e4 e7e5 g1f3"


def test_what_is_cut_is_gone_and_the_place_goes_before_it() -> None:
    study = italian().study
    study.go(("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6"))
    assert study.cut(("e2e4", "e7e5", "g1f3")).move == "g1f3"
    assert place(study) == "e2e4 e7e5"
    assert study.forward()
    assert place(study) == "e2e4 e7e5 f2f4"
    with pytest.raises(InputError, match="no line that goes on with 'g1f3'"):
        study.go(("e2e4", "e7e5", "g1f3"))
    with pytest.raises(InputError, match="start"):
        study.cut(())


def test_a_promoted_variation_is_the_main_line() -> None:
    study = italian().study
    study.promote(("e2e4", "e7e5", "f2f4"))
    study.go(("e2e4", "e7e5"))
    assert [child.move for child in study.node.children] == ["f2f4", "g1f3"]


def test_a_report_says_where_in_the_study_it_belongs() -> None:
    study = italian().study
    places = [study.path_of(kept.position) for kept in study.searches]
    assert places == [("e2e4", "e7e5", "g1f3", "b8c6", "f1c4"), ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6")]
    assert study.path_of("startpos moves a2a4") is None
    assert study.path_of("8/8/8/8/8/8/8/8 w - - 0 1") is None


def test_a_session_has_a_current_study_and_at_least_one() -> None:
    session = italian()
    second = session.add(catalog.position("4453", "connect4"))
    assert session.study is second
    first = session.studies[0]
    assert session.remove(1) is second
    assert session.study is first
    with pytest.raises(InputError, match="at least one"):
        session.remove(0)


def test_names_are_one_line() -> None:
    session = italian()
    session.rename("  a\tb\n c\x07 ")
    assert session.name == "a b c"
    for name in ("", " \n", "\x1b", "x" * 121):
        with pytest.raises(InputError) as error:
            session.rename(name)
        assert is_sentence(str(error.value))
    assert session.name == "a b c"


@settings(max_examples=60)
@given(st.data())
def test_everything_comes_back(data: st.DataObject) -> None:
    def pick(low: int, high: int) -> int:
        return data.draw(st.integers(low, high))

    game = data.draw(st.sampled_from(strategies.GAMES))
    session = Session.new("random", data.draw(strategies.cases(game)).position())
    wander(session.study, 12, pick)
    session.study.note = data.draw(st.text(max_size=20))
    session.add(catalog.position("startpos", "chess"))
    wander(session.study, 6, pick)
    session.at = pick(0, 1)
    found = again(session)
    saved = session.saved()
    assert found.saved() == saved
    assert session_file.text_of(found.saved()) == session_file.text_of(saved)
    for old, new in zip(session.studies, found.studies, strict=True):
        assert new.position().text == old.position().text
        assert new.position().state == old.position().state
        assert new.path == old.path


def test_searches_come_back() -> None:
    session = italian()
    found = again(session)
    assert found.saved() == session.saved()
    assert found.study.searches[0].report == report()


def test_the_frozen_form_does_not_change_with_the_session() -> None:
    session = italian()
    frozen = session.saved()
    before = session_file.text_of(frozen)
    session.study.go(())
    session.study.play("d4")
    session.study.write_note(0, "other")
    session.study.options["chess960"] = True
    session.rename("other")
    assert session_file.text_of(frozen) == before


def test_a_file_from_before_positions_had_titles_is_read() -> None:
    session = italian()
    session.study.title = "The Italian\n game"
    content = session_file.text_of(session.saved()).decode()
    assert session_file.read(content.encode(), "new").study.title == "The Italian game", "it stands in one line"
    old = re.sub(r'"title": "[^"]*",\s*', "", content)
    assert "title" not in old
    found = session_file.read(old.encode(), "old")
    assert found.study.title == ""
    assert replace(found.saved().studies[0], title="The Italian\n game") == session.saved().studies[0]


def test_half_characters_of_a_terminal_are_saved_as_question_marks() -> None:
    session = italian()
    session.study.note = "caf\udce9"
    assert again(session).study.note == "caf?"


def test_a_person_can_read_the_file() -> None:
    lines = session_file.text_of(italian().saved()).decode().split("\n")
    assert lines[1] == '  "format": "plybench session 1",'
    assert lines[2].startswith('  "name": "Italian')
    assert any(line.strip().startswith('{"depth": 2, "value": ') for line in lines)
    assert '"lines": [' in "\n".join(lines)
    assert any(line.strip() == '{"leaves": 1, "after": 2, "moves": "f2f4"},' for line in lines)
    assert len(lines) < 130


def test_a_long_line_is_no_trouble_and_a_longer_one_is_refused() -> None:
    study = Study.of(catalog.position("startpos", "chess"))
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8")
    node = study.root
    for ply in range(LONGEST_LINE):
        node.children.append(StudyNode(shuffle[ply % 4]))
        node = node.children[0]
    session = Session("long", now(), now(), [study])
    found = again(session)
    assert found.saved() == session.saved()
    found.study.line = [shuffle[ply % 4] for ply in range(LONGEST_LINE)]
    found.study.ply = LONGEST_LINE
    with pytest.raises(InputError, match="3,000"):
        found.study.play("g1f3")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"plybench session 1"', '"plybench session 2"', "newer"),
        ('"plybench session 1"', '"plybench session"', "not a session"),
        ('"format"', '"shape"', "not a session"),
        ('"f2f4"', '"f2f5"', "Ply 3 of line 2"),
        ('"after": 2', '"after": 99', "Line 1 goes from ply 0 to 6"),
        ('"leaves": 1', '"leaves": 2', "no line 2"),
        ('"at": 0', '"at": 7', "number 7"),
        ('"at": 0', '"at": "x"', "Expected"),
        ('"start": "startpos"', '"start": "nowhere"', "study 1"),
        ('"game": "chess"', '"game": "chesz"', "chesz"),
        ('"path": "e2e4', '"path": "d2d4', "no line that goes on"),
        ('"ply": 3', '"ply": 33', "plies"),
        ('"depth": 2', '"depth": 2e', "malformed"),
        ('"limit": {"depth": 3', '"limit": {"depth": 333', "0 to 240"),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, said: str) -> None:
    text = session_file.text_of(italian().saved()).decode()
    assert old in text
    with pytest.raises(InputError, match=said) as error:
        session_file.read(text.replace(old, new, 1).encode(), "italian")
    assert "'italian'" in str(error.value)
    assert is_sentence(str(error.value))


def test_500_damaged_files_are_refused_with_a_sentence_or_read_as_they_stand() -> None:
    chance = random.Random(7)
    whole = session_file.text_of(italian().saved())
    refused = 0
    for _ in range(500):
        damaged = bytearray(whole)
        match chance.randrange(4):
            case 0:
                del damaged[chance.randrange(len(damaged)) :]
            case 1:
                start = chance.randrange(len(damaged))
                del damaged[start : start + chance.randint(1, 200)]
            case _:
                for _ in range(chance.choice((1, 1, 2, 8))):
                    damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        found, _ = attempt(lambda text: session_file.read(bytes.fromhex(text), "damaged"), damaged.hex())
        refused += found is None
        if found is not None:
            assert again(found).saved() == found.saved()
            assert found.study.position().text
    assert 100 < refused < 500


def test_deep_brackets_are_refused() -> None:
    text = b'{"format": "plybench session 1", "studies": ' + b"[" * 100_000
    with pytest.raises(InputError, match="damaged"):
        session_file.read(text, "deep")


def test_a_session_without_studies_is_refused() -> None:
    saved = italian().saved()
    with pytest.raises(InputError, match="no study"):
        session_file.session_of(type(saved)(format=saved.format, name="x", created=now(), changed=now(), studies=()))
