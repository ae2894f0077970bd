"""Runs every algorithm on every game it fits, recorded and not, and says what it found and what was compiled for it.

`python -m tests.engines.compiled.everything` prints that as JSON. Tests start it in processes of their own.
"""

from __future__ import annotations

import json
import pkgutil
import tempfile
from importlib import import_module
from typing import Any

import pytest

import engines
from engines import catalog, duel
from engines.compiled.kernel import Helper, Kernel
from engines.contract import Setting
from engines.parts.sampling.playout import playouts
from engines.perft import Perft
from engines.position import Position
from engines.proofs.document import Proof
from engines.run.memory import Memory
from engines.run.search import Search
from engines.run.work import new_work
from engines.solved.registry import close_tables
from engines.tape.alignment import aligned, can_be_aligned, position_keys
from engines.tape.events import events_of
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from engines.warm import make_small_table, with_tables
from tests.engines import checks
from workbench.proofs.job import ProofWork

OTHERS: dict[str, list[tuple[str, str | None, dict[str, str]]]] = {
    "connect4": [("1212", "4x4", {"k": "3", "weights": "15,244,953"}), ("X./XO", None, {})],
    "breakthrough": [("startpos moves a2a3", "5x3", {"misere": "true"}), ("b1b/b2/3/w1w b", None, {})],
    "tictactoe": [
        ("startpos moves a1 b2", "4x4x4", {}),
        ("startpos", None, {"players": "3"}),
        ("XOZ/X../...", None, {}),
        ("X./O.", None, {}),
    ],
    "einstein": [
        ("startpos moves a5", None, {"setup": "free"}),
        ("deal 7 moves 3", None, {"weights": "10,1,0"}),
        ("A..../...../..b../...../....a b 6", None, {}),
    ],
    "samegame": [("deal 3", "5x4", {"colours": "3", "penalty": "true"}), ("ABCA/BBCA/CABB/ACCB", None, {})],
    "morpion": [
        ("startpos moves o11-o15 r11-r15", "5T", {}),
        (
            "startpos moves r11-r15 n12-r12 o12-o16 u14-u18 p12-l16 l15-p15 q15-u15 o18-o22 r11-n15 n21-r21 l18-p18 l17-p21 "
            "r18-r22 u17-q21 l14-l18 n18-r22 s18-o22 r18-v18 q12-u16",
            None,
            {},
        ),
    ],
    "graph": [
        (
            'graph = {nodes = {A = {owner = "min", to = ["B", "C"]}, B = {gain = 1.5}, C = {owner = "max", to = ["B"]}}}',
            None,
            {},
        ),
        (
            'graph = {targets = {min = ["B"]}, nodes = {A = {owner = 1, to = ["B", "C"]}, B = {}, '
            'C = {owner = 2, to = ["A"]}}} moves C',
            None,
            {},
        ),
    ],
    "tree": [
        ("min(2.5(1 2) (3 4.25)) moves 1", None, {}),
        ("([0.25:(1 2) 0.75:3] 1)", None, {}),
        ("((<1 2 6> <4 2 3>) [1/3:<6 1 2> 2/3:<7 4 1>])", None, {}),
        ("A(B:1 2)", None, {}),
    ],
}
"""Other sizes, options and notations, which must need no other code."""


LARGEST_TABLE = 10_000
"""Larger games are not solved as a whole here: that takes seconds."""


def positions(game: str) -> list[Position]:
    """The start of a game, the position after its first move, and others."""
    start = catalog.position("startpos", game)
    after = start.play(start.game.legal_moves(start.state)[0])
    return [start, after, *(catalog.position(text, game, size, options) for text, size, options in OTHERS.get(game, []))]


def kernels() -> dict[str, Kernel[..., Any]]:
    """Every compiled function of `engines` that Python may call."""
    found = {}
    for module in pkgutil.walk_packages(engines.__path__, "engines."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, Kernel) and not isinstance(value, Helper):
                found[f"{value.__module__}.{value.py_func.__name__}"] = value
    return found


def run_everything(few: bool = False) -> dict[str, Any]:
    """A report for every search, and other kernels' results; with `few`, on the last position of each game only."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as data, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYBENCH_DATA", data)  # tables are built anew, here as anywhere
        close_tables()
        run_searches(found, few)
        close_tables()
    found["a proof from a tree"] = len(a_proof())
    return found


def a_proof() -> Proof:
    """Two in a row, and it is X's move: proven by a search that keeps a tree."""
    position, memory = catalog.position("XX./OO./...", "tictactoe"), Memory()
    report = Search(position, catalog.algorithm("pns"), memory=memory).start().report()
    return ProofWork(position, report, memory.kept, 1000).start().proof()


def run_searches(found: dict[str, Any], few: bool) -> None:
    """Add what everything gives."""
    for game in catalog.GAMES:
        if game in with_tables() and not few:
            make_small_table(game)
        places = positions(game)
        last = len(places) - 1
        for number, position in list(enumerate(places))[last if few else 0 :]:
            for algorithm in catalog.compiled_algorithms_for(game):
                if catalog.misfit(catalog.algorithm(algorithm), position):
                    continue
                found_by = catalog.algorithm(algorithm)
                if algorithm == "retrograde" and position.game.table_bytes("") > LARGEST_TABLE:
                    continue
                recorded = found_by.records and (number in (0, 1, last) or position.game.player_count > 2)
                for tape in (None, new_tape(5000))[: 1 + recorded]:
                    search = Search(position, found_by, found_by.trial, seed=1, tape=tape)
                    report = search.start().report()
                    found[f"{algorithm} {game} {number} {tape is not None}"] = checks.without_times(report)
                    if tape is not None:
                        recording = Recording.of(tape, report, catalog.algorithm(algorithm).view)
                        found[f"faults {algorithm} {game} {number}"] = [recording.faults(), recording.subtree_size(0)]
                        if not found_by.iterates:
                            found[f"events {algorithm} {game} {number}"] = len(events_of(recording, True))
                        if can_be_aligned(found_by):
                            keys = position_keys(recording)
                            found[f"keys {algorithm} {game} {number}"] = 0 if keys is None else len(keys)
                            aligned(recording, recording)
                for parameters in found_by.variants if number == 0 else ():
                    report = Search(position, found_by, found_by.trial, parameters, seed=1).start().report()
                    races = "threads" in parameters and "parallel" not in parameters  # who comes first is chance
                    found[f"{algorithm} {game} {parameters}"] = report.position if races else checks.without_times(report)
                has_threads = any(parameter.name == "parallel" for parameter in found_by.parameters)
                if has_threads and number == 0:  # trees apart are put together on the tape
                    chosen: dict[str, Setting] = {"threads": 2, "parallel": "root"}
                    search = Search(position, found_by, found_by.trial, chosen, seed=1, tape=new_tape(5000))
                    found[f"{algorithm} {game} {chosen}"] = checks.without_times(search.start().report())
            if game in duel.games() and not position.is_over:
                weights = position.game.rules.data.weights
                found[f"duel {game} {number}"] = duel.Ring(position, 2, 12).play(weights, weights[::-1]).moves
            found[f"perft {game} {number}"] = Perft(position, 2).start().report().leaves
            found[f"playouts {game} {number}"] = int(playouts(position.game.rules, new_work(3), position.state, 20))


def specialisations() -> dict[str, list[list[str]]]:
    """For each kernel and each of its signatures, the classes in it: of games, tapes, trees, players."""
    return {
        name: [
            sorted(part.instance_class.__name__ for part in signature if hasattr(part, "instance_class"))
            for dispatcher in kernel.dispatchers
            for signature in dispatcher.signatures
        ]
        for name, kernel in kernels().items()
    }


def compiled_here() -> list[str]:
    """The kernels that were not found in the cache."""
    missed = {name: [one.stats.cache_misses for one in kernel.dispatchers] for name, kernel in kernels().items()}
    return [name for name, counts in missed.items() if any(sum(one.values()) for one in counts)]


def main() -> None:
    found = run_everything()
    print(json.dumps({"found": found, "specialisations": specialisations(), "compiled": compiled_here()}))


if __name__ == "__main__":
    main()
