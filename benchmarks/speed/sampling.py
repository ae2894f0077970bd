"""UCT compared with OpenSpiel's MCTSBot, which is C++; random games compared with plain C; and two threads compared with
one.

OpenSpiel's results range from -1 to 1 and ours from 0 to 1, so that its exploration constant is twice ours for the same
search.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

import pyspiel

from benchmarks import ours
from benchmarks.peers import openspiel
from benchmarks.rows import Row, Target, not_measured, times_faster
from benchmarks.timing import best_in_turn
from engines import catalog
from engines.contract import Limit, Report, Setting
from engines.position import Position
from engines.run.search import Search

SIMULATIONS = 20_000
K = 0.4
PEER_GAMES = {"connect4": ("connect_four", 8.0), "breakthrough": ("breakthrough", 12.0)}
"""OpenSpiel's name of the game, and the target: how many times as fast Plybench has to be."""
PLAYOUTS = 2_000_000
LEAST_PLAYOUTS = 3_000_000.0
TIMES_ONE = 1.6
PARALLEL_SIMULATIONS = 1_000_000

C_SOURCE = r"""
/* Random games of Connect 4 from the empty board: bitboards, xorshift64, the n-th open column in one step where that is. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

static int won(uint64_t b) {
    uint64_t y = b & (b >> 1), z = b & (b >> 7), v = b & (b >> 8), w = b & (b >> 6);
    return ((y & (y >> 2)) | (z & (z >> 14)) | (v & (v >> 16)) | (w & (w >> 12))) != 0;
}

int main(int count, char **words) {
    uint64_t bottom = 0, cells = 0, x = 88172645463325252ull;
    long games = atol(words[1]), total = 0;
    (void)count;
    for (int i = 0; i < 7; i++) { bottom |= 1ull << (7 * i); cells |= 63ull << (7 * i); }
    for (long game = 0; game < games; game++) {
        uint64_t mine = 0, theirs = 0;
        for (int side = 1;; side = -side) {
            uint64_t open = ((mine | theirs) + bottom) & cells;
            if (!open) break;
            x ^= x << 13; x ^= x >> 7; x ^= x << 17;
            uint64_t n = ((x >> 33) * (uint64_t)__builtin_popcountll(open)) >> 31;
#ifdef __BMI2__
            mine |= _pdep_u64(1ull << n, open);
#else
            while (n--) open &= open - 1;
            mine |= open & -open;
#endif
            if (won(mine)) { total += side; break; }
            uint64_t other = theirs; theirs = mine; mine = other;
        }
    }
    printf("%ld\n", total);
    return 0;
}
"""


def measure(quick: bool) -> Iterator[Row]:
    """Measure simulations per second, playouts per second, and the gain from a second thread."""
    for game in PEER_GAMES:
        yield simulations(game, 2 if quick else 6)
    yield playouts(200_000 if quick else PLAYOUTS, 2 if quick else 5)
    for game in ("breakthrough", "connect4"):
        for parallel in ("root", "tree"):
            yield two_threads(game, parallel, PARALLEL_SIMULATIONS // (10 if quick else 1), 1 if quick else 6)


def search(where: Position, count: int, **parameters: Setting) -> Report:
    """A UCT search of a position in this thread."""
    return Search(where, catalog.algorithm("uct"), Limit(iterations=count), {"k": K, **parameters}).run_here().report()


def simulations(game: str, rounds: int) -> Row:
    """Compare a whole search, with its results at checkpoints, with a whole step of the bot."""
    name, times = PEER_GAMES[game]
    where, state = ours.position(game), openspiel.start(name)
    search(where, 10)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(state.get_game(), evaluator, 2 * K, SIMULATIONS, 1000, False, 1, False)
    our_time, spiel_time = best_in_turn(rounds, partial(search, where, SIMULATIONS), partial(bot.step, state))
    return times_faster(
        f"{where.game.title} UCT from the start, {SIMULATIONS:,} simulations",
        "playouts/s",
        SIMULATIONS / our_time,
        "OpenSpiel's MCTSBot (C++)",
        SIMULATIONS / spiel_time,
        times,
        "one rollout a simulation, no solver",
    )


def playouts(count: int, rounds: int) -> Row:
    """Random games of Connect 4 alone, compared with a C program that is compiled here if there is a compiler."""
    where = ours.position("connect4")
    ours.run_playouts(where, 10)
    (our_time,) = best_in_turn(rounds, partial(ours.run_playouts, where, count))
    theirs = in_c(count, rounds)
    return Row(
        task="Connect 4 bare random playouts from the start",
        ours=count / our_time,
        unit="playouts/s",
        peer="plain C, -O3 -march=native" if theirs else None,
        theirs=theirs,
        result=count / our_time,
        result_unit="playouts/s",
        target=Target(at_least=LEAST_PLAYOUTS),
        note=f"{count / our_time / theirs:.2f} times plain C" if theirs else "there is no C compiler here",
    )


def in_c(count: int, rounds: int) -> float | None:
    """Playouts per second of the C program above; None if it cannot be compiled."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as directory:
        source, program = Path(directory) / "playouts.c", Path(directory) / "playouts"
        source.write_text(C_SOURCE)
        made = subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], capture_output=True, check=False)
        if made.returncode:
            return None
        best = 0.0
        for _ in range(rounds):
            before = os.times()
            subprocess.run([program, str(count)], capture_output=True, check=True)
            after = os.times()
            best = max(best, count / (after.children_user - before.children_user + 1e-9))
        return best


def two_threads(game: str, parallel: str, count: int, rounds: int) -> Row:
    """Simulations per second of wall-clock time, with two threads and with one. Both cores must be free."""
    where = ours.position(game)
    task = f"{where.game.title} UCT with two threads, {parallel} parallel"
    if (os.cpu_count() or 1) < 2:
        return not_measured(task, "playouts/s", Target(at_least=TIMES_ONE), "skipped: there is only one core")
    usual: dict[str, Setting] = {"memory": 512}
    both: dict[str, Setting] = {**usual, "parallel": parallel, "threads": 2}
    rates: dict[str, float] = {"one": 0.0, "two": 0.0}
    for _ in range(rounds):
        for name, parameters in (("one", usual), ("two", both)):
            search(where, 100, **parameters)
            began = perf_counter()
            search(where, count, **parameters)
            rates[name] = max(rates[name], count / (perf_counter() - began))
    needed = TIMES_ONE if game == "breakthrough" else None
    note = f"needs a quiet machine; load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return times_faster(task, "playouts/s", rates["two"], "the same with one thread", rates["one"], needed, note)
