"""Compiled code: one specialisation for each game and tape, right from the cache too, and none before it is needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import engines
from engines import catalog
from engines.compiled import kernel
from engines.warm import parts
from tests.copies import kept_copy
from tests.engines.compiled.everything import kernels

ROOT = Path(engines.__file__).parents[1]


def python(*args: str, cwd: Path = ROOT, **environment: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, *args],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(cwd)} | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def fresh() -> dict[str, Any]:
    """What everything gives in a fresh process that finds all of it compiled; what is missing, another compiles before."""
    found: dict[str, Any] = json.loads(python("-m", "tests.engines.compiled.everything"))
    if not found["compiled"]:
        return found
    second: dict[str, Any] = json.loads(python("-m", "tests.engines.compiled.everything"))
    for name, report in found["found"].items():
        assert second["found"][name] == report, name
    return second


INNER = (
    "engines.search.deepening.quiesce",
    "engines.search.nested.nested",
    "engines.parts.sampling.tree.best_child",
    "engines.parts.proof.depth_first.explore",
    "engines.run.work.given_more",
)
"""Kernels that only other kernels call: where those come from the cache, these come with them."""


def test_a_process_finds_everything_in_the_cache(fresh: dict[str, Any]) -> None:
    assert fresh["compiled"] == []


def test_every_kernel_has_one_signature_for_each_game_and_tape(fresh: dict[str, Any]) -> None:
    """A second one would be the sign of a constant's own type, and would crash when it is loaded from the cache."""
    for name, combinations in fresh["specialisations"].items():
        assert combinations or name in INNER, f"{name} is called by nothing here"
        found = ["+".join(classes) for classes in combinations]
        assert len(found) == len(set(found)), name


def test_the_searches_have_all_combinations(fresh: dict[str, Any]) -> None:
    found = fresh["specialisations"]
    codes = [(game, options) for game in catalog.GAMES for options in ({}, *catalog.game(game).variants)]
    for name, kernel_name in (("minimax", "minimax"), ("random", "random_game")):
        kinds = {  # trees and graphs share one
            type(catalog.position("startpos", game, settings=options).game.rules)
            for game, options in codes
            if name in catalog.compiled_algorithms_for(game, options)
        }
        assert len(found[f"engines.search.{name}.{kernel_name}"]) == 2 * len(kinds)
    assert len(found) == len(kernels()) >= 6
    assert all(kernel.is_compiled(part.name) for part in parts())


def test_without_the_compiler_the_reports_are_the_same(fresh: dict[str, Any]) -> None:
    plain = json.loads(python("-W", "error", "-c", PLAIN, NUMBA_DISABLE_JIT="1"))
    assert len(plain) > 50
    for name, found in plain.items():
        assert fresh["found"][name] == found, name


PLAIN = (
    "import json; from tests.engines.compiled.everything import run_everything; print(json.dumps(run_everything(few=True)))"
)

IMPORT_ALL = """
import importlib, pkgutil, sys
for package in {packages}:
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
        if module.name != "engines.compiled.linker":  # numba's side of kernels, imported when the first one is called
            importlib.import_module(module.name)
from engines import catalog
for name in catalog.GAMES:
    catalog.position("startpos", name).text
for name in catalog.ALGORITHMS:
    catalog.card(name)
print(*[name for name in {unwanted} if name in sys.modules])
"""


@pytest.mark.plain
def test_importing_does_not_import_numba() -> None:
    code = IMPORT_ALL.format(packages=["engines"], unwanted=["numba", "llvmlite"])
    assert python("-c", code).split() == []


@pytest.mark.plain
def test_engines_and_positions_work_without_a_terminal() -> None:
    code = IMPORT_ALL.format(packages=["engines", "positions"], unwanted=["textual", "rich", "click", "workbench"])
    assert python("-c", code).split() == []


VALUE = """
from engines import catalog
from engines.contract import Limit
from engines.run.search import Search
search = Search(catalog.position("startpos", "connect4", "4x4"), catalog.algorithm("negamax"), Limit(depth=1))
print(search.start().report().value)
"""


def test_an_edited_game_is_noticed(pytestconfig: pytest.Config) -> None:
    """The search itself is unchanged; a function that it calls, in another file, is not.

    Twice there and back: the first time the code is compiled, then both versions are in the cache.
    """
    text = (ROOT / "engines/games/connect4/game.py").read_text()
    edited = text.replace("return first1, second1, ", "return first1 * 7, second1, ")
    assert edited != text
    for source, value in ((text, 3), (edited, 21), (text, 3)):  # a corner stone has three open lines
        copy = kept_copy(pytestconfig, "edited", ["engines"], {"engines/games/connect4/game.py": source})
        assert float(python("-c", VALUE, cwd=copy, PLYBENCH_CACHE=str(copy / "cache"))) == value
    assert len([path for path in (copy / "cache").iterdir() if path.is_dir()]) >= 2


AT_ONCE = """
import sys, threading
import numpy as np
from engines import catalog
from engines.compiled import kernel
from engines.rules import moves

@kernel.kernel
def count_moves(game, state, out):
    return moves(game, state, out)

positions = [catalog.position("startpos", game) for game in sys.argv[1:]]
found = [0] * len(positions)

def count(i):
    found[i] = count_moves(positions[i].game.rules, positions[i].state, np.zeros(248, np.int64))

threads = [threading.Thread(target=count, args=(i,)) for i in range(len(positions))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*found)
"""
MOVES = {"tree": "3", "tictactoe": "9"}


def test_processes_and_threads_that_compile_at_once_do_not_mix_up_games(tmp_path: Path) -> None:
    """All write the same kernel's entries into one new cache; a later process must run the right one for each game.

    In each process there are lanes: each of their threads is the first to need the same kernel.
    """
    program, cache = tmp_path / "at_once.py", str(tmp_path / "cache")
    program.write_text(AT_ONCE)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PLYBENCH_CACHE": cache}
    orders = (["tree", "tictactoe", "tree", "tictactoe"], ["tictactoe", "tree", "tictactoe", "tree"])
    children = [
        subprocess.Popen(
            [sys.executable, str(program), *games], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        for games in orders
    ]
    for games, child in zip(orders, children, strict=True):
        assert child.communicate(timeout=200)[0].split() == [MOVES[game] for game in games]
    later = [*orders[0], *orders[1]]
    assert python(str(program), *later, PLYBENCH_CACHE=cache).split() == [MOVES[game] for game in later]


WRITE_ONE = """
import contextlib, fcntl
from engines.compiled import kernel

@kernel.kernel
def double(number):
    return number * 2

writing, locked_out = kernel._one_writer, []

@contextlib.contextmanager
def watched():
    with writing(), (kernel.cache_directory() / "lock").open() as other:
        try:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            locked_out.append(other)
        yield

kernel._one_writer = watched
print(double(21), len(locked_out))
"""


def test_nobody_else_writes_to_the_cache_meanwhile(tmp_path: Path) -> None:
    """The mix-up above needs bad luck with the time, so this asks directly: is the cache locked while it is written?"""
    (tmp_path / "one.py").write_text(WRITE_ONE)
    assert python(str(tmp_path / "one.py"), PLYBENCH_CACHE=str(tmp_path / "cache")).split() == ["42", "2"], (
        "once for the piece, once for the program"
    )


@pytest.mark.plain
def test_old_caches_are_removed_but_none_in_use(tmp_path: Path) -> None:
    now = time.time()
    ages = {"current": 0, "recent": 60, "hour": 3000, "day": 90_000, "week": 700_000, "month": 2_700_000}
    for name, age in ages.items():
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (now - age, now - age))
    kernel._remove_old_caches(tmp_path / "current")
    assert {path.name for path in tmp_path.iterdir()} == {"current", "recent", "hour", "day"}
