"""The forms of a picture: each is what other programs read, shows what the scene shows, and can be opened again."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engines.contract import InputError
from engines.tape.report_checks import read_parameters
from tests.workbench.drawing.scenes.samples import SAMPLES, drawn_sample
from workbench.drawing.scenes.choice import node_at, title_of
from workbench.drawing.scenes.dot import dot_of, quoted
from workbench.drawing.scenes.files import FORMS, form_of, frames_of, picture_bytes, write_picture
from workbench.drawing.scenes.stage import Stage
from workbench.drawing.scenes.svg import THEMES, svg_of
from workbench.drawing.scenes.tikz import tex_text, tikz_of
from workbench.input.pictured import drawn_in, drawn_of
from workbench.input.recognise import own_file

SVG = "{http://www.w3.org/2000/svg}"
LONG = bool(os.environ.get("PLYBENCH_LONG"))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", SAMPLES)
def test_svg_has_every_label_and_asks_for_nothing(name: str, theme: str) -> None:
    trace, _ = drawn_sample(name)
    scene = Stage(trace, name).scene(len(trace))
    text = svg_of(scene, theme, "plybench draw")
    root = ElementTree.fromstring(text)
    assert [part.text for part in root.iter(f"{SVG}text")] == [label.text for label in scene.labels]
    assert root.findtext(f"{SVG}metadata") == "plybench draw"
    assert root.findtext(f"{SVG}title") == scene.title
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|href|url\(|<script|@import", text)
    assert "font-family=" in text


@pytest.mark.parametrize("name", SAMPLES)
def test_dot_has_every_node_and_edge(name: str) -> None:
    trace, _ = drawn_sample(name)
    scene = Stage(trace, name).scene(len(trace))
    text = dot_of(scene, "light", "plybench draw")
    assert text.startswith("// plybench draw\ndigraph search {")
    assert len(re.findall(r"^  \".*\" \[label=", text, re.MULTILINE)) == len(scene.nodes)
    assert text.count(" -> ") >= len(scene.edges)
    for node in scene.nodes:
        assert node.value in text
    if shutil.which("dot") is None:
        assert not LONG, "the long tests need Graphviz"
        pytest.skip("Graphviz is not installed.")
    done = subprocess.run(["dot", "-Tsvg"], input=text.encode(), capture_output=True, check=True, timeout=120)
    assert b"<svg" in done.stdout
    assert not done.stderr


@pytest.mark.parametrize("name", SAMPLES)
def test_tikz_is_one_picture_with_every_label(name: str, tmp_path: Path) -> None:
    trace, _ = drawn_sample(name)
    scene = Stage(trace, name).scene(len(trace))
    text = tikz_of(scene, "light", "plybench draw")
    assert text.startswith("% plybench draw\n")
    assert re.findall(r"\\usepackage(?:\[.*?\])?{(.*?)}", text) == ["tikz"]
    assert text.count(r"\node[") == len(scene.labels)
    for label in scene.labels:
        assert f"{{{tex_text(label.text)}}};" in text
    assert not re.search(r"[^\x00-\x7fÀ-ÿ]", text)
    if not LONG:
        return
    if shutil.which("pdflatex") is None:
        pytest.skip("LaTeX is not installed.")
    (tmp_path / "picture.tex").write_text(text)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "picture.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    assert b"(1 page" in done.stdout


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SAMPLES)
def test_every_form_is_opened_as_the_same_search(name: str, form: str, tmp_path: Path) -> None:
    trace, report = drawn_sample(name)
    step = min(7, len(trace))
    drawn = drawn_of(report, step=step)
    stage, path = Stage(trace, name), tmp_path / f"picture{form}"
    write_picture(path, picture_bytes(stage, step if form != ".gif" else 2, form, drawn, "dark"))
    found = drawn_in(path)
    assert found == drawn
    assert found is not None
    assert found.read_position().text == report.position
    assert found.parameters() == read_parameters(report)
    whole = own_file(path)
    assert whole is not None
    assert whole.drawn == drawn
    assert whole.position.text == report.position


def test_png_and_gif_are_what_they_say(tmp_path: Path) -> None:
    from PIL import Image

    trace, report = drawn_sample("alphabeta")
    stage, drawn = Stage(trace, "alphabeta"), drawn_of(report)
    scene = stage.scene(len(trace))
    png = Image.open(io.BytesIO(picture_bytes(stage, len(trace), ".png", drawn)))
    assert png.size == (round(scene.width * 2), round(scene.height * 2))
    assert png.info["plybench"] == drawn.command()
    assert len(png.convert("RGB").getcolors(1 << 24) or ()) > 20
    seen: list[tuple[int, int]] = []
    content = picture_bytes(stage, 5, ".gif", drawn, "dark", lambda done, count: seen.append((done, count)))
    gif = Image.open(io.BytesIO(content))
    assert getattr(gif, "n_frames", 1) == 6
    assert seen == [(number, 6) for number in range(1, 7)]
    assert gif.info["comment"] == drawn.command().encode()
    assert gif.info.get("loop") == 0


def test_without_the_extra_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    trace, report = drawn_sample("alphabeta")
    stage, drawn = Stage(trace), drawn_of(report)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(InputError, match=r"pip install plybench\[images\]"):
        picture_bytes(stage, 1, ".png", drawn)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(InputError, match=r"A GIF needs the extra"):
        picture_bytes(stage, 1, ".gif", drawn)
    assert picture_bytes(stage, 1, ".svg", drawn)


@pytest.mark.parametrize("name", ["picture", "picture.bmp", "picture.svg.txt"])
def test_the_ending_says_the_form(name: str) -> None:
    with pytest.raises(InputError, match="ending of the name"):
        form_of(Path(name))
    assert form_of(Path("PICTURE.SVG")) == ".svg"


def test_a_long_film_leaves_events_out() -> None:
    assert frames_of(5) == [0, 1, 2, 3, 4, 5]
    frames = frames_of(10_000, 100)
    assert (frames[0], frames[-1], len(frames)) == (0, 10_000, 100)


def test_a_node_is_found_by_its_moves() -> None:
    trace, report = drawn_sample("alphabeta")
    assert trace.move(node_at(trace, "1 2")) == "2"
    assert node_at(trace, "1,2") == node_at(trace, " 1  2 ")
    with pytest.raises(InputError, match=r"no move '3' at place 2 .* there it has 1 and 2"):
        node_at(trace, "1 3")
    with pytest.raises(InputError, match="no moves below it"):
        node_at(trace, "1 1 1 1")
    with pytest.raises(InputError, match="drawn as a whole"):
        node_at(drawn_sample("layers")[0], "B")
    assert title_of(report, trace.position(0)) == "alphabeta on Typed tree, depth 3"


def test_signs_in_words_are_escaped() -> None:
    assert quoted('a "b" \\', "c") == '"a \\"b\\" \\\\\\nc"'
    assert tex_text("50 % of a_b {x} ♘f3 ≤ ⚀1 é") == (r"50 \% of a\_b \{x\} Nf3 \ensuremath{\leq} 1 é")
