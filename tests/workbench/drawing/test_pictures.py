"""Boards, plots and trees as pictures: good SVG, with a title and a description, for every game."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from engines import catalog
from positions import library
from tests.workbench.session_samples import italian
from workbench.drawing.board import board_picture
from workbench.drawing.picture import Picture
from workbench.drawing.plot import bar_picture, line_picture, short
from workbench.drawing.tree import tree_picture
from workbench.export.session import export, write

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: Picture) -> ElementTree.Element:
    """The picture as another program reads it: a title, a description, and nothing outside of its surface."""
    root = ElementTree.fromstring(picture.file())
    assert root.findtext(f"{SVG}title") == picture.title
    assert root.find(f"{SVG}desc") is not None
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    for part in root.iter():
        for name, most in (("x", width), ("cx", width), ("x2", width), ("y", height), ("cy", height), ("y2", height)):
            assert -0.1 <= float(part.attrib.get(name, 0)) <= most + 0.1, part.attrib
    return root


def texts(root: ElementTree.Element) -> list[str]:
    return [part.text or "" for part in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", [name for name in library.entries() if name.endswith(("/start", "/kiwipete"))])
def test_every_game_has_a_picture_or_none(name: str) -> None:
    entry = library.entries()[name]
    position = entry.position()
    picture = board_picture(position)
    assert (picture is None) == (position.game.grid(position.state) is None)
    if picture is not None:
        root = parsed(picture)
        assert position.game.title in picture.title
        assert set(position.game.grid(position.state).column_names) - {""} <= set(texts(root))  # type: ignore[union-attr]


def test_men_are_drawn() -> None:
    chess = parsed(board_picture(catalog.position("startpos", "chess")))  # type: ignore[arg-type]
    assert len([part for part in chess if part.tag == f"{SVG}g"]) == 32
    drop = parsed(board_picture(catalog.position("4453", "connect4")))  # type: ignore[arg-type]
    assert [part.text for part in drop.iter(f"{SVG}text") if part.text in ("X", "O")].count("X") == 2
    einstein = parsed(board_picture(catalog.position("startpos", "einstein")))  # type: ignore[arg-type]
    assert sorted(said for said in texts(einstein) if said.isdecimal())[-2:] == ["6", "6"]


def test_how_a_game_ended_stands_in_the_title() -> None:
    picture = board_picture(catalog.position("startpos moves f2f3 e7e5 g2g4 d8h4", "chess"))
    assert picture is not None
    assert picture.title.endswith("Black wins, checkmate")


def test_a_tree_has_its_leaves() -> None:
    position = catalog.position("((3 12 8) (2 4 6) (14 5 2))", "tree")
    picture = tree_picture(position)
    assert picture is not None
    root = parsed(picture)
    assert {"3", "12", "8", "2", "4", "6", "14", "5"} <= set(texts(root))
    assert len(list(root.iter(f"{SVG}polygon"))) == 4
    assert tree_picture(catalog.position("startpos", "chess")) is None


def test_numbers_at_the_edge() -> None:
    assert [short(value) for value in (0, 0.25, 12_000, 1.5e6, -3e9)] == ["0", "0.25", "12 k", "1.5 M", "-3 G"]
    close = line_picture("p", "depth", ((1, 100.0, "a"), (2, 1.0, "b")))
    assert {"0", "100"} <= set(texts(parsed(close)))
    bars = parsed(bar_picture("b", (("alphabeta", 120.0, "120"), ("minimax " * 20, 900.0, "900"))))
    assert len(list(bars.iter(f"{SVG}rect"))) == 3


def test_any_text_is_good_xml() -> None:
    root = ElementTree.fromstring(Picture(10, 10, "a < b & \x00 \ud800", '"]]>', ()).file())
    assert root.findtext(f"{SVG}title") == "a < b &  "


def test_a_report_in_markdown_has_its_pictures_beside_it(tmp_path: Path) -> None:
    write(italian(), "md", tmp_path / "report.md")
    text = (tmp_path / "report.md").read_text()
    pictures = sorted(path.name for path in (tmp_path / "report.pictures").iterdir())
    assert pictures
    for name in pictures:
        assert f"](<report.pictures/{name}>)" in text
        ElementTree.parse(tmp_path / "report.pictures" / name)
    assert "![Chess: White to move]" in text or "![Chess: Black to move]" in text
    assert "8 r . b q k b n r" in export(italian(), "md"), "without a file the board is drawn in letters"
