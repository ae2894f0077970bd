"""What a session becomes for others: other programs read it back, and what a person wrote is never markup."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser
from xml.etree import ElementTree

import chess
import chess.pgn
import pytest
from msgspec.structs import replace

from engines import catalog
from engines.contract import InputError
from engines.games.chess.fen import read_epd
from positions import pgn
from tests.workbench.session_samples import italian, random_study, report
from workbench.drawing.plot import line_picture
from workbench.export.blocks import Block, Heading, Note, Paragraph, Sheet, html, markdown
from workbench.export.session import COLUMNS, export
from workbench.sessions.model import Session, StudyNode, now
from workbench.sessions.text import moves_text, numbered_path

EVIL = "<script>alert('1')</script> & \"quoted\" | *stars* } ]]>"


class Tags(HTMLParser):
    """The tags of a page in order; every one that opens has to be closed."""

    VOID = ("meta", "br")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def evil() -> Session:
    """A session whose every text is dangerous."""
    session = italian()
    session.rename(EVIL)
    study = session.study
    study.note = f"{EVIL}\n1. not a list"
    study.node.note = EVIL
    study.write_note(0, EVIL)
    study.searches[1] = replace(study.searches[1], version=EVIL)
    return session


def mixed() -> Session:
    """A session with a study of each game."""
    session = Session.new("mixed", catalog.position("startpos", "chess"))
    session.studies = [random_study(game, seed) for seed, game in enumerate(catalog.GAMES)]
    return session


def test_a_study_is_called_what_was_opened() -> None:
    session = italian()
    assert "## 1. Chess\n" in export(session, "md")
    session.study.title = "Giuoco <piano>"
    assert "## 1. Chess: Giuoco" in export(session, "md")
    assert "<h2>1. Chess: Giuoco &lt;piano&gt;</h2>" in export(session, "html")


def test_moves_are_written_with_numbers_and_variations() -> None:
    study = italian().study
    assert moves_text(study) == "1. e4 e5 2. Nf3 (2. f4) 2... Nc6 3. Bc4 Bc5 {the old way} (3... Nf6)"
    assert numbered_path(study, study.path) == "1. e4 e5 2. Nf3"
    assert numbered_path(study, ()) == "the start"


def test_moves_of_a_position_that_was_set_up_keep_its_numbers() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"
    session = Session.new("late", catalog.position(f"{fen} moves e8e7 e2e4", "chess"))
    assert moves_text(session.study) == "40... Ke7 41. e4"


def test_variations_may_be_nested_as_deep_as_they_like() -> None:
    study = Session.new("deep", catalog.position("startpos", "chess")).study
    node, board = study.root, chess.Board()
    for _ in range(400):  # every move is a variation of another one
        legal = sorted(move.uci() for move in board.legal_moves)
        node.children = [StudyNode(legal[1]), StudyNode(legal[0])]
        board.push_uci(legal[0])
        if board.legal_moves.count() < 2:
            break
        node = node.children[1]
    depth = moves_text(study).count("(")
    assert depth > 50
    session = Session("deep", now(), now(), [study])
    assert export(session, "pgn").count("(") == depth


# Chess for other programs.


def test_a_pgn_is_read_by_python_chess_and_by_plybench() -> None:
    text = export(italian(), "pgn")
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert game.errors == []
    assert game.headers["Event"] == italian().name
    bishop = list(game.mainline())[4]
    score = bishop.eval()
    assert score is not None
    assert score.white().score() == 35
    assert "depth 3" in bishop.comment
    assert "as expected )" in bishop.comment
    assert [child.move.uci() for child in bishop.variations] == ["f8c5", "g8f6"]
    assert pgn.position_text(text, 1, None, ((3, 2),)) == "startpos moves e2e4 e7e5 f2f4"


def test_a_mate_is_an_evaluation_too() -> None:
    session = italian()
    for value, outcome in ((999_997.0, "first"), (-999_996.0, "second")):
        proven = replace(report(value=value), outcome=outcome, distance=round(1_000_000 - abs(value)), exact=True)
        session.study.add(proven)
    text = " ".join(export(session, "pgn").split())
    assert "[%eval #2]" in text
    assert "[%eval #-2]" in text
    lines = export(session, "epd").splitlines()
    assert "ce -32764;" in lines[2]  # Black moves, White mates
    assert "dm" not in lines[2]
    assert "ce 32763; dm 2;" in lines[3]


def test_every_text_in_a_pgn_comes_back() -> None:
    game = chess.pgn.read_game(io.StringIO(export(evil(), "pgn")))
    assert game is not None
    assert game.errors == []
    assert [entry.event for entry in pgn.read_games(export(evil(), "pgn"))] == [EVIL]


def test_chess_studies_of_a_session_are_games_and_others_are_left_out() -> None:
    session = mixed()
    session.studies.append(random_study("chess", 99))
    text = export(session, "pgn")
    rounds = []
    stream = io.StringIO(text)
    while game := chess.pgn.read_game(stream):
        assert game.errors == []
        rounds.append(game.headers["Round"])
    assert rounds == ["1", str(len(catalog.GAMES) + 1)]
    session.studies = session.studies[1:5]
    for to in ("pgn", "epd"):
        with pytest.raises(InputError, match="for chess"):
            export(session, to)


def test_an_epd_has_what_was_found_for_the_side_to_move() -> None:
    first, second = export(italian(), "epd").splitlines()
    board, operations = read_epd(first)
    assert board.turn == chess.BLACK
    assert operations["bm"] == ("f8c5",)
    assert (operations["ce"], operations["acd"], operations["acn"]) == (-35, 3, 27000)
    assert "pv Bc5;" in first
    assert read_epd(second)[1]["ce"] == -120
    assert "w KQkq" in second


def test_a_line_that_cannot_be_played_is_a_sentence_or_shown_as_it_stands() -> None:
    session = italian()
    session.study.add(report(best="a1a8"))
    with pytest.raises(InputError, match="Search 3 of study 1"):
        export(session, "epd")
    assert "a1a8" in export(session, "md")


# Reports.


@pytest.mark.parametrize("to", ["md", "html", "csv"])
def test_every_game_has_a_report(to: str) -> None:
    text = export(mixed(), to)
    if to != "csv":
        for game in catalog.GAMES:
            assert catalog.game(game).title in text


def test_what_a_person_wrote_is_never_markup() -> None:
    page = export(evil(), "html")
    tags = Tags(page)
    assert "script" not in tags.seen
    assert {"table", "svg", "title", "desc", "blockquote", "polyline"} <= set(tags.seen)
    assert tags.text.count(EVIL) >= 4
    text = export(evil(), "md")
    assert "<script" not in text.replace("\\<", "")
    assert "\n> 1\\. not a list" in text


def test_a_page_has_the_board_the_terms_and_the_depths() -> None:
    page = export(italian(), "html")
    assert "8 r . b q k b n r\n7 p p p p . p p p" in page, "the board in letters is what the picture says"
    assert page.count("<g transform") == 3 * 32, "three boards with all men"
    assert "<td>mobility</td>" in page
    assert "Bc5 is best, worth +0.35 at depth 3." in page
    assert page.count("<svg") == 3 + 2, "boards, and a plot for each search"


def test_a_plot_is_a_picture_with_every_depth() -> None:
    points = ((1, 0.5, "+0.50"), (2, -0.25, "-0.25"), (3, 999_995.0, "White in 5"))
    picture = ElementTree.fromstring(line_picture("a < b", "depth", points, 500_000).file())
    dots = [part for part in picture if part.tag.endswith("}g")]
    circles = [dot[0] for dot in dots]
    assert [dot[1].text for dot in dots] == ["depth 1: +0.50", "depth 2: -0.25", "depth 3: White in 5"]
    heights = [float(circle.attrib["cy"]) for circle in circles]
    assert heights[0] < heights[1]
    assert heights[2] == heights[0], "a win stands at the edge"
    assert circles[2].attrib["fill"] == "none"


@pytest.mark.parametrize("points", [((4, 0.0, "0"),), ((1, 7.0, "+7"), (60, 7.0, "+7")), ((2, 1e6, "first in 0"),)])
def test_a_plot_of_anything_is_a_picture(points: tuple[tuple[int, float, str], ...]) -> None:
    picture = line_picture("p", "depth", points, 500_000).file()
    assert "nan" not in picture.replace("dominant", "")
    ElementTree.fromstring(picture)


def test_blocks_in_markdown_and_html() -> None:
    blocks: list[Block] = [Heading(2, "a_b"), Paragraph("# no"), Note("x\n- y"), Sheet(("n>", "t"), (("1", "a|b"),))]
    assert markdown(blocks) == "## a\\_b\n\n\\# no\n\n> x\\\n> \\- y\n\n| n | t |\n| ---: | --- |\n| 1 | a\\|b |\n"
    assert '<td class="number">1</td><td>a|b</td>' in html(blocks, "t")


def test_a_table_has_a_row_for_each_depth() -> None:
    rows = list(csv.DictReader(io.StringIO(export(italian(), "csv"))))
    assert tuple(rows[0]) == COLUMNS
    assert [(row["search"], row["depth"], row["nodes"]) for row in rows] == [
        ("1", "1", "30"),
        ("1", "2", "900"),
        ("1", "3", "27000"),
        ("2", "1", "30"),
        ("2", "2", "900"),
    ]
    assert [row["last"] for row in rows] == ["no", "no", "yes", "no", "yes"]
    assert float(rows[2]["value"]) == 0.35


def test_another_format_is_refused() -> None:
    with pytest.raises(InputError, match="md, html, pgn, epd, csv"):
        export(italian(), "docx")
