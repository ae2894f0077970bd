"""The command inside a picture: read back exactly, and of a forged or damaged file nothing but a sentence."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import catalog
from engines.contract import InputError
from positions import library
from workbench.input.pictured import (
    COMMAND,
    PNG,
    Drawn,
    drawn_in,
    drawn_position,
    in_gif,
    in_png,
    meta_tag,
    pasted_drawing,
    read_command,
)

TREE = Drawn(position="((3 12) (2 4))", game="tree", algorithm="alphabeta", depth=2)


@pytest.mark.parametrize(
    "drawn",
    [
        TREE,
        Drawn(position="startpos", game="connect4", size="5x4", algorithm="uct", iterations=60, seed=7, step=12),
        Drawn(
            position="startpos", game="chess", algorithm="deepening", nodes=500, settings={"quiescence": "True"}, node="e4"
        ),
        Drawn(position="4k3/8/8/8/8/8/8/4K3 w - - 0 1", game="chess"),
        Drawn(position="startpos", game="tictactoe", algorithm="alphabeta", depth=3, is_plot=True),
    ],
)
def test_a_command_is_read_as_it_was_written(drawn: Drawn) -> None:
    assert read_command(drawn.command(), "x") == drawn
    assert pasted_drawing(drawn.command()) == drawn
    assert pasted_drawing(f"<svg><metadata>{drawn.command().replace('&', '&amp;')}</metadata></svg>") == drawn


@pytest.mark.parametrize("name", [name for name in library.entries() if name.endswith("/start")])
def test_every_game_can_be_named(name: str) -> None:
    position = library.entries()[name].position()
    found = read_command(drawn_position(position).command(), "x")
    assert found.read_position().text == position.text
    assert found.read_position().game.options == position.game.options


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("plybench draw", "damaged"),
        ("plybench draw 'unclosed", "damaged"),
        ("rm -rf / ; plybench draw", "damaged"),
        ("plybench draw startpos", "of which game"),
        ("plybench draw startpos --game chess", "what is searched"),
        ("plybench draw startpos --game chess --board --algorithm uct", "what is searched"),
        ("plybench draw startpos --game chess --algorithm alphabeta --depth", "damaged at '--depth'"),
        ("plybench draw startpos --game chess --algorithm alphabeta --depth 9999999", "--depth cannot be"),
        ("plybench draw startpos --game chess --algorithm alphabeta --depth -1", "--depth cannot be"),
        ("plybench draw startpos --game chess --algorithm alphabeta --tape /etc/passwd", "unknown, '--tape'"),
        ("plybench draw startpos --game ludo --algorithm alphabeta", "no game"),
        ("plybench draw startpos --game chess --algorithm magic", "no algorithm"),
        ("plybench draw nonsense --game chess --algorithm alphabeta", "x: "),
        ("plybench draw startpos --game chess --algorithm alphabeta --set colour=red", "no parameter"),
        ("plybench draw startpos --game chess --algorithm alphabeta --iterations 5", "no limit in iterations"),
        ("plybench draw startpos --game chess --algorithm nrpa --depth 1", "x: "),
    ],
)
def test_what_is_wrong_is_a_sentence(command: str, words: str) -> None:
    with pytest.raises(InputError, match=words.replace("(", r"\(")) as error:
        read_command(command, "x")
    assert str(error.value).endswith((".", "?"))


def test_no_program_is_ever_run_for_a_file(tmp_path: Path) -> None:
    target = tmp_path / "ran"
    for name in catalog.ALGORITHMS:
        if not catalog.algorithm(name).compiled:
            command = f"{COMMAND} startpos --game chess --algorithm {name} --depth 1 --set 'engine=touch {target}'"
            with pytest.raises(InputError, match="another program"):
                read_command(command, "x")
    assert not target.exists()


@pytest.mark.parametrize("name", ["x.svg", "x.tex", "x.dot", "x.html", "x.png", "x.gif"])
@pytest.mark.parametrize("content", [b"", b"<svg></svg>", PNG, b"GIF89a", bytes(500), PNG * 9])
def test_other_pictures_are_told_apart(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"holds no search|is damaged"):
        drawn_in(path)


def test_other_files_are_no_pictures(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(f"% {TREE.command()}")
    assert drawn_in(path) is None
    assert pasted_drawing("((3 12) (2 4))") is None
    assert pasted_drawing("<svg></svg>") is None


def pixels(form: str) -> bytes:
    import io

    from PIL import Image

    stream = io.BytesIO()
    Image.new("P", (4, 4)).save(stream, form)
    return stream.getvalue()


@pytest.mark.parametrize("letters", ["", "würfelt ∞"])
def test_long_commands_of_any_letters_are_kept_in_pixels(letters: str, tmp_path: Path) -> None:
    drawn = Drawn(position="((3 12) (2 4))", game="tree", algorithm="alphabeta", depth=2, node=f"{letters}{'1 ' * 300}1")
    for name, content in (
        ("x.png", in_png(pixels("PNG"), drawn.command())),
        ("x.gif", in_gif(pixels("GIF"), drawn.command())),
        ("x.html", f"<!doctype html><head>{meta_tag(drawn.command())}".encode()),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        assert drawn_in(path) == drawn


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_damaged_pictures_give_a_sentence(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    name, whole = data.draw(
        st.sampled_from(
            [
                ("x.png", in_png(pixels("PNG"), TREE.command())),
                ("x.gif", in_gif(pixels("GIF"), TREE.command())),
                ("x.svg", f"<svg><metadata>{TREE.command()}</metadata></svg>".encode()),
                ("x.tex", f"% {TREE.command()}\n".encode()),
            ]
        )
    )
    content = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("damaged") / name
    path.write_bytes(bytes(content[: data.draw(st.integers(0, len(content)))]))
    with contextlib.suppress(InputError):  # anything else would be a fault
        assert isinstance(drawn_in(path), Drawn)
