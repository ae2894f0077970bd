"""The cache of compiled code: a damaged file is compiled again, never loaded, and nobody else can put one there."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from engines.compiled import kernel
from engines.compiled.cache_files import CodeFiles, is_private, make_private, sealed, unsealed
from engines.contract import InputError
from tests.damage.bounds import frugal
from tests.damage.files import damaged
from tests.mutation import is_sentence
from tests.thorough import LONG

ROOT = Path(kernel.__file__).parents[2]
MUTATIONS = 100_000 if LONG else 900
SYSTEM_HAS_OWNERS = pytest.mark.skipif(sys.platform == "win32", reason="files have no such owners here")


@pytest.mark.plain
def test_a_file_is_what_was_written_or_nothing() -> None:
    content = pickle.dumps({"code": bytes(range(256)) * 3, "types": ("int64", "float64")})
    whole = sealed("double.1.nbc", content)
    assert unsealed("double.1.nbc", whole) == content
    assert unsealed("double.2.nbc", whole) is None, "another file was put in its place"
    refused = 0
    for data in damaged([whole], MUTATIONS):
        found = unsealed("double.1.nbc", data)
        assert found is None or data == whole
        refused += found is None
    assert refused > 0.9 * MUTATIONS


def files(directory: Path, stamp: object = 1) -> CodeFiles:
    return CodeFiles(directory, "double", stamp, pickle.dumps)


@pytest.mark.plain
def test_code_comes_back_for_the_types_it_was_compiled_for(tmp_path: Path) -> None:
    files(tmp_path).save("int64", "code for integers")
    files(tmp_path).save("float64", "code for floats")
    assert [files(tmp_path).load(key) for key in ("int64", "float64", "bool")] == [
        "code for integers",
        "code for floats",
        None,
    ]
    files(tmp_path).save("int64", "newer code")
    assert files(tmp_path).load("int64") == "newer code"
    assert files(tmp_path, stamp=2).load("int64") is None, "the source is another"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["double.1.nbc", "double.2.nbc", "double.nbi"]


@pytest.mark.plain
def test_files_that_do_not_belong_together(tmp_path: Path) -> None:
    """An index was lost, another one made, and its writer killed before the code was there: the old code stays in a file
    that the new index gives to other types."""
    files(tmp_path).save("int64", "code for integers")
    (tmp_path / "double.nbi").unlink()
    old = (tmp_path / "double.1.nbc").read_bytes()
    files(tmp_path).save("float64", "code for floats")
    (tmp_path / "double.1.nbc").write_bytes(old)
    assert files(tmp_path).load("float64") is None


@pytest.mark.plain
def test_no_damage_gives_other_code(tmp_path: Path) -> None:
    wanted = {"int64": "code for integers", "float64": "code for floats"}
    for key, code in wanted.items():
        files(tmp_path).save(key, code)
    for path in sorted(tmp_path.iterdir()):
        whole = path.read_bytes()
        for data in damaged([whole], MUTATIONS // 3):
            path.write_bytes(data)
            with frugal():
                assert all(files(tmp_path).load(key) in (None, code) for key, code in wanted.items())
        path.write_bytes(whole)
    assert all(files(tmp_path).load(key) == code for key, code in wanted.items())
    for path in tmp_path.iterdir():
        path.write_bytes(b"")
    for key, code in wanted.items():
        files(tmp_path).save(key, code)
        assert files(tmp_path).load(key) == code


PROGRAM = """
from engines.compiled.kernel import kernel

@kernel
def double(number):
    return number * 2

@kernel
def triple(number):
    return number * 3

print(double(21), triple(14), *(sum(one.dispatcher.stats.cache_misses.values()) for one in (double, triple)))
"""


def run(program: Path, cache: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(program)],
        env=os.environ | {"PYTHONPATH": str(ROOT), "PLYBENCH_CACHE": str(cache), "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def test_damaged_code_is_compiled_again(tmp_path: Path) -> None:
    """Files cut off, zeroed, of another function or with a bit turned over would crash the process that loads them."""
    program, cache = tmp_path / "program.py", tmp_path / "cache"
    program.write_text(PROGRAM)
    assert run(program, cache) == ["42", "42", "1", "1"]
    found = {path: path.read_bytes() for path in sorted(cache.rglob("*.nb?"))}
    assert len(found) == 8, "for each function a piece and a program, and an index for either"
    codes = [path for path in found if path.suffix == ".nbc"]
    for number in range(40 if LONG else 2):
        for path, data in zip(found, damaged(list(found.values()), len(found), seed=number), strict=True):
            path.write_bytes(data)
        if number % 2:  # the functions change places
            for one, other in zip(codes, codes[2:] + codes[:2], strict=True):
                one.write_bytes(found[other])
        assert run(program, cache)[:2] == ["42", "42"]
    assert run(program, cache) == ["42", "42", "0", "0"], "what was damaged is whole again"


@SYSTEM_HAS_OWNERS
@pytest.mark.plain
def test_others_cannot_write_where_code_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.umask(0)
    try:
        make_private(tmp_path / "own")
    finally:
        os.umask(before)
    assert (tmp_path / "own").stat().st_mode & 0o777 == 0o700
    (tmp_path / "own" / "kept").touch()
    make_private(tmp_path / "own")
    assert (tmp_path / "own" / "kept").exists()
    for mode in (0o720, 0o702, 0o777):
        (tmp_path / "own" / "planted").touch()
        (tmp_path / "own").chmod(mode)
        assert not is_private(tmp_path / "own")
        make_private(tmp_path / "own")
        assert not list((tmp_path / "own").iterdir()), "nobody knows who wrote what was there"
        assert is_private(tmp_path / "own")
    monkeypatch.setattr("os.geteuid", lambda: os.getuid() + 1)
    assert not is_private(tmp_path / "own"), "it belongs to somebody else"


@SYSTEM_HAS_OWNERS
@pytest.mark.plain
def test_a_directory_of_everybody_is_refused_or_made_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv("PLYBENCH_CACHE", str(shared))
    with pytest.raises(InputError, match="others can write to it") as told:
        kernel.cache_root.__wrapped__()
    assert is_sentence(str(told.value))
    monkeypatch.setenv("PLYBENCH_CACHE", str(tmp_path / "new" / "cache"))
    assert kernel.cache_root.__wrapped__().stat().st_mode & 0o777 == 0o700
    monkeypatch.delenv("PLYBENCH_CACHE")
    monkeypatch.setattr(kernel, "_user_cache", lambda: tmp_path)
    usual = tmp_path / "plybench" / "kernels"
    usual.mkdir(parents=True)
    usual.chmod(0o775)
    assert kernel.cache_root.__wrapped__() == usual
    assert is_private(usual)
    monkeypatch.setattr("os.geteuid", lambda: os.getuid() + 1)
    monkeypatch.setattr("pathlib.Path.chmod", refuse)
    assert kernel.cache_root.__wrapped__() != usual


def refuse(path: Path, mode: int) -> None:
    raise PermissionError(1, "Operation not permitted")
