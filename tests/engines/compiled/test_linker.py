"""Pieces of compiled code and the programs made of them: nothing is compiled twice, and what is kept on disk still fits."""

from __future__ import annotations

from pathlib import Path

from tests.engines.compiled.test_kernels import python

RULES = """
from typing import NamedTuple
import numpy as np
from engines.compiled.bits import U, highest, lowest, nth, popcount, times, upper_product, upside_down
from engines.compiled.generic import generic
from engines.compiled.kernel import helper, int64, kernel, routine

class Game(NamedTuple):
    size: int

class Other(NamedTuple):
    size: int

@generic
def doubled(game, number):
    "Twice as much."

@doubled.register(Game)
def twice(game, number):
    return plus(number, number)

@doubled.register(Other)
def other(game, number):
    return plus(number, 1)

@helper
def plus(a, b):
    return int64(a + b)

@kernel
def first(game, number):
    return doubled(game, number) + plus(number, 1) + plus(2, 3) + (1 if number in (3, 5) else 0)

@kernel
def second(game, number):
    return 100 * plus(number, 1) + doubled(game, 7)

@kernel
def count_down(game, number):
    return doubled(game, number) + (count_down(game, number - 1) if number > 0 else int64(0))

record = np.array([(5,)], [("wide", np.int64)])[0]

@helper
def read(record):
    return int64(record.wide)

@helper
def between(record):
    return read(record) + 1

@kernel
def third(record):
    return between(record)

@kernel
def fourth(record):
    return 2 * read(record)

@kernel
def fifth(record):
    return 3 * between(record)

@routine
def far(number):
    return int64(number + 1)

@helper
def near(number):
    return far(number) + 1

@kernel
def sixth(number):
    return near(number)

@kernel
def seventh(number):
    return 2 * far(number)

@kernel
def eighth(number):
    return 3 * near(number)

@kernel
def of_bits(board):
    return (popcount(board), lowest(board), highest(board), nth(board, 1), int64(upside_down(board) >> U(56)),
            int64(times(board, U(3))), int64(upper_product(board, U(1) << U(62))))
"""
USE = """
import numba
from rules import *
game, found = Game(1), []
for call in {calls}:
    found.append(eval(call))
print(found, len(plus.pieces(False).overloads), sum(plus.pieces(False).stats.cache_misses.values()), sep="|")
"""


OTHER_TYPES = "[numba.types.UniTuple(numba.types.int64, size) for size in range(2, 300)] and 0"
"""numba numbers all types of a process."""


def use(folder: Path, *calls: str) -> list[str]:
    (folder / "rules.py").write_text(RULES)
    (folder / "use.py").write_text(USE.format(calls=list(calls)))
    return python(str(folder / "use.py"), PLYBENCH_CACHE=str(folder / "cache")).strip().split("|")


def test_a_function_is_compiled_once_for_variables_and_constants(tmp_path: Path) -> None:
    assert use(tmp_path, "first(game, 3)") == ["[16]", "1", "1"]


def test_another_process_makes_programs_of_the_pieces_that_it_finds(tmp_path: Path) -> None:
    assert use(tmp_path, "first(game, 3)", "first(Other(1), 3)") == ["[16, 14]", "1", "1"]
    assert use(tmp_path, "second(game, 2)", "count_down(game, 3)") == ["[314, 12]", "1", "0"]
    assert use(tmp_path, "first(game, 3)", "second(game, 2)", "count_down(game, 3)") == ["[16, 314, 12]", "0", "0"]


def test_a_piece_that_another_process_compiled_anew_still_fits(tmp_path: Path) -> None:
    """Two processes that compile at once replace each other's pieces."""
    assert use(tmp_path, "first(game, 3)") == ["[16]", "1", "1"]
    replaced = [path for path in (tmp_path / "cache").rglob("*plus*") if path.is_file()]
    assert replaced
    for path in replaced:
        path.unlink()
    assert use(tmp_path, "of_bits(U(4))[0]", "count_down(game, 3)") == ["[1, 12]", "1", "1"]
    assert use(tmp_path, "first(game, 3)", "second(game, 2)") == ["[16, 314]", "1", "0"]


def test_a_piece_for_a_record_fits_that_of_another_process_with_other_types(tmp_path: Path) -> None:
    assert use(tmp_path, "third(record)")[0] == "[6]"
    replaced = [path for path in (tmp_path / "cache").rglob("*read*") if path.is_file()]
    assert replaced
    for path in replaced:
        path.unlink()
    assert use(tmp_path, OTHER_TYPES, "fourth(record)")[0] == "[0, 10]"
    assert use(tmp_path, "fifth(record)", "fourth(record)", "third(record)")[0] == "[18, 10, 6]"


def test_a_piece_is_the_same_whoever_asks_for_it_first(tmp_path: Path) -> None:
    """numba lets a function inherit options of the one that it is compiled for, such as to be copied into its callers."""
    assert use(tmp_path, "sixth(1)")[0] == "[3]"
    replaced = [path for path in (tmp_path / "cache").rglob("*far*") if path.is_file()]
    assert replaced
    for path in replaced:
        path.unlink()
    assert use(tmp_path, "seventh(1)")[0] == "[4]"
    assert use(tmp_path, "eighth(1)")[0] == "[9]"


def test_instructions_do_what_they_do_in_python(tmp_path: Path) -> None:
    calls = [
        "tuple(map(int, of_bits(U(0x8000000000000014))))",
        "of_bits.py_func(U(0x14))",
        "tuple(map(int, of_bits(U(0x14))))",
    ]
    (found, _, _) = use(tmp_path, *calls)
    compiled, plain, small = eval(found, {"np": __import__("numpy")})
    assert compiled[:5] == (3, 2, 63, 4, 0x14)
    assert compiled[6] == 0x2000000000000005
    assert plain == small
