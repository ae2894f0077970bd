"""Whatever a person or a file gives: one clear sentence, exit code 2, nothing else."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines import catalog, warm
from tests.workbench.conftest import Answer, Plybench

START = ("analyze", "startpos", "--game", "connect4")
BAD = [
    (("analyze", "startpos", "--game", "checkers"), "`plybench games` lists all"),
    ((*START, "--algorithm", "alfabeta"), "Did you mean alphabeta?"),
    (("analyze", "startpos"), "--game"),
    (("analyze",), "POSITION"),
    (("analyze", "48", "--game", "connect4"), "'8'"),
    (("analyze", "4444444", "--game", "connect4"), "Move 7"),
    (("analyze", "X../.../OX.", "--game", "connect4"), "hangs in the air"),
    (("analyze", "XXXX/OOO.", "--game", "connect4"), "hangs in the air"),
    (("analyze", "startpos moves 3 9", "--game", "connect4"), "Move 2"),
    (("analyze", "45454544", "--game", "connect4"), "after the end of the game"),
    (("analyze", "XX./.../...", "--game", "tictactoe"), "2 X and 0 O"),
    (("analyze", "XXX/OOO/...", "--game", "tictactoe"), "already"),
    (("analyze", "XX/.../...", "--game", "tictactoe"), "Row 2"),
    (("analyze", "startpos moves a1 a1", "--game", "tictactoe"), "not a legal move"),
    (("analyze", "8/8 w", "--game", "breakthrough"), "rows"),
    (("analyze", "8/8/8/8/8/8/8/8 w", "--game", "breakthrough"), "no pawn"),
    (("analyze", "w7/8/8/8/8/8/8/7b w", "--game", "breakthrough"), "last row"),
    (("analyze", "w7/8/8/8/8/8/8/8 w", "--game", "breakthrough"), "moved since"),
    (("analyze", "8/8/8/8/8/8/8/8", "--game", "breakthrough"), "side to move"),
    (("analyze", "startpos moves a2a5", "--game", "breakthrough"), "not a legal move"),
    (("analyze", "((3 12", "--game", "tree"), "2 brackets are not closed"),
    (("analyze", "(3 12))", "--game", "tree"), "character 7"),
    (("analyze", "(3 ())", "--game", "tree"), "empty"),
    (("analyze", "(3 x)", "--game", "tree"), "without a number"),
    (("analyze", "(3 1e99)", "--game", "tree"), "neither a number nor a name"),
    (("analyze", "(3 999999999)", "--game", "tree"), "100,000"),
    (("analyze", "[0.5:1 0.5:2]", "--game", "tree"), "no chance"),
    (("analyze", "(max(1 2) 3)", "--game", "tree"), "moves twice in a row"),
    (("analyze", "max:min(1 2)", "--game", "tree"), "neither a number nor a name"),
    ((*START, "--iterations", "5"), "no limit in iterations"),
    (("analyze", "startpos", "--game", "tictactoe", "--size", "3"), "COLUMNSxROWSxSTONES"),
    (("analyze", "X O/.X./..O", "--game", "tictactoe"), "' '"),
    (("analyze", "(1 2)", "--game", "tree", "--size", "3x3"), "no sizes"),
    ((*START, "--depth", "-1"), "0 to 240"),
    ((*START, "--depth", "241"), "0 to 240"),
    ((*START, "--depth", "deep"), "integer"),
    ((*START, "--nodes", "0"), "at least 1"),
    ((*START, "--seconds", "nan"), "seconds"),
    ((*START, "--seconds", "-3"), "seconds"),
    ((*START, "--size", "99x99"), "99 columns"),
    ((*START, "--size", "8x8"), "does not fit"),
    ((*START, "--size", "seven"), "written COLUMNSxROWS"),
    (("analyze", "startpos", "--game", "breakthrough", "--size", "9x9"), "9 rows"),
    (("analyze", "startpos", "--game", "tictactoe", "--size", "9x9x5"), "does not fit"),
    ((*START, "--set", "quickest"), "NAME=VALUE"),
    ((*START, "--set", "speed=9"), "no parameter 'speed'"),
    ((*START, "--set", "k=99"), "2 to 7"),
    ((*START, "--set", "quickest=maybe"), "true or false"),
    ((*START, "--set", "weights=1,2"), "3 whole numbers"),
    ((*START, "--tape", "/nowhere/at/all.tape"), "cannot be written"),
    ((*START, "--tape", "/dev/null"), "is not a file"),
    (("analyze", "tictactoe"), "startpos --game tictactoe"),
    (("analyze", "connect4/startt"), "Did you mean connect4/start?"),
    (("analyze", "connect4/start", "--game", "tree"), "is a position of connect4"),
    (("perft", "startpos", "--game", "connect4", "--depth", "-1"), "0 to 240"),
    (("eval", "nonsense", "--game", "breakthrough"), "Row 1"),
    (("games", "go"), "no game 'go'"),
    (("algorithms", "magic"), "no algorithm 'magic'"),
    (("tape", "no-such-file"), "no file"),
    (("tape", "."), "cannot be read"),
    (("fly",), "no command 'fly'"),
    (("analyse",), "Did you mean analyze?"),
    (("session", "lst"), "Did you mean list?"),
    ((*START, "--algoritm", "pvs"), "Did you mean --algorithm?"),
    (("algorithms", "AlphaBeta"), "Did you mean alphabeta?"),
    (("analyze", "einstein/start", "--algorithm", "alphabeta"), "star2 can search it, and so can"),
    (("warm", "--processes", "0"), "0"),
]


def assert_one_sentence(answer: Answer) -> None:
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("plybench: ")
    assert answer.err.count("\n") == 1
    assert answer.err.endswith((".\n", "?\n"))
    assert len(answer.err) < 400


@pytest.mark.parametrize(("command", "hint"), BAD, ids=lambda value: " ".join(value) if isinstance(value, tuple) else "")
def test_one_sentence_that_helps(plybench: Plybench, command: tuple[str, ...], hint: str) -> None:
    answer = plybench(*command)
    assert_one_sentence(answer)
    assert hint in answer.err


@pytest.mark.parametrize("game", catalog.GAMES)
@pytest.mark.parametrize("letters", ["()[]<>.:-0123456789 wbXO/\n", "".join(map(chr, range(32, 600)))])
def test_a_million_characters_of_noise(plybench: Plybench, monkeypatch: pytest.MonkeyPatch, game: str, letters: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(noise(letters))))
    assert_one_sentence(plybench("analyze", "-", "--game", game))


def test_a_million_characters_through_a_pipe() -> None:
    command = [sys.executable, "-m", "workbench.cli", "analyze", "-", "--game", "chess"]
    done = subprocess.run(command, input=noise("wbXO/ "), capture_output=True, timeout=60, check=False)
    assert_one_sentence(Answer(done.returncode, done.stdout.decode(), done.stderr.decode()))


@cache
def noise(letters: str) -> bytes:
    """A million characters of some kinds."""
    return "".join(random.Random(5).choices(letters, k=1_000_000)).encode()


def test_a_file_that_is_not_a_tape(plybench: Plybench, tmp_path: Path) -> None:
    for number, content in enumerate([b"", b"hello", b"PK\x03\x04" + bytes(100), bytes(range(256)) * 40]):
        file = tmp_path / f"{number}.tape"
        file.write_bytes(content)
        assert_one_sentence(plybench("tape", str(file)))


def test_a_damaged_tape(plybench: Plybench, tmp_path: Path) -> None:
    file = tmp_path / "good.tape"
    assert plybench("analyze", "tree/textbook", "--tape", str(file), "--json").code == 0
    content = file.read_bytes()
    chance = random.Random(1)
    for _ in range(60):
        broken = bytearray(content)
        broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
        damaged = tmp_path / "damaged.tape"
        damaged.write_bytes(broken)
        answer = plybench("tape", str(damaged))
        if answer.code:
            assert_one_sentence(answer)
        cut = tmp_path / "cut.tape"
        cut.write_bytes(content[: chance.randrange(len(content))])
        assert_one_sentence(plybench("tape", str(cut)))


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=30), game=st.sampled_from(catalog.GAMES))
def test_any_text_is_a_position_or_one_sentence(plybench: Plybench, text: str, game: str) -> None:
    answer = plybench("eval", "--game", game, "--json", "--", text)
    if answer.code:
        assert_one_sentence(answer)


@pytest.mark.skipif(not Path("/bin/false").exists(), reason="needs a program that fails")
def test_a_compiler_that_fails(plybench: Plybench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "missing", lambda: warm.parts()[:1])
    monkeypatch.setattr(sys, "executable", "/bin/false")
    answer = plybench("warm")
    assert_one_sentence(answer)
    assert "Compiling minimax failed" in answer.err


def analyze_with(**environment: str) -> Answer:
    command = [sys.executable, "-m", "workbench.cli", "analyze", "tree/textbook", "--json"]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    return Answer(done.returncode, done.stdout, done.stderr)


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    """Somebody asked for it: say so. Nobody did: search all the same."""
    (tmp_path / "file").touch()
    answer = analyze_with(PLYBENCH_CACHE=str(tmp_path / "file" / "cache"))
    assert_one_sentence(answer)
    assert "PLYBENCH_CACHE" in answer.err
    answer = analyze_with(PLYBENCH_CACHE="", XDG_CACHE_HOME=str(tmp_path / "file"), HOME=str(tmp_path / "file"))
    assert answer.json["value"] == 3


def test_nowhere_to_write_or_read() -> None:
    """A full disk, no standard input, a terminal without Unicode."""
    run = [sys.executable, "-m", "workbench.cli"]
    if Path("/dev/full").exists():
        with Path("/dev/full").open("w") as full:
            done = subprocess.run([*run, "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert_one_sentence(Answer(done.returncode, "", done.stderr))
    closed = subprocess.run(
        ["sh", "-c", f"{' '.join(run)} eval - --game tree <&-"], capture_output=True, text=True, check=False
    )
    assert_one_sentence(Answer(closed.returncode, closed.stdout, closed.stderr))
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*run, "eval", "tree/textbook"], env=ascii_only, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
