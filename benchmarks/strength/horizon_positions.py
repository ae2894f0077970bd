"""Quiet and tactical chess positions for the horizon finder, the same ones in every run.

Quiet positions come from games that Plybench plays against itself from random openings. A position is quiet if nobody is in
check, a deep search prefers a quiet move, and its value agrees with that of a quiescence search. Stockfish is used if it is
installed, else Plybench's own search. Tactical positions are those of the library that are neither perft positions nor
examples of the horizon effect.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from benchmarks.peers import stockfish
from benchmarks.peers.stockfish import Stockfish
from engines import catalog
from engines.contract import Limit
from engines.game import margins
from engines.position import Position
from engines.rules import threatened
from engines.run.search import Search
from positions import library
from workbench.horizon.effect import PLAIN, is_capture

SEED = 1973
"""The year in which Hans Berliner described the horizon effect."""
RANDOM_PLIES = (6, 10)
MOVE_NODES = 4_000
"""The nodes for each move of a game."""
FROM_PLY, TO_PLY, EVERY = 14, 70, 4
STILL = 0.6
"""By how many pawns a deep search may differ from a quiescence search."""
ASKED_NODES = 60_000
LEFT_OUT = ("perft", "horizon", "start")


def quiet_positions(count: int) -> Iterator[Position]:
    """Yield so many quiet positions."""
    path = stockfish.find()
    engine = Stockfish(path) if path else None
    try:
        numbers, found = random.Random(SEED), 0
        while found < count:
            for position in game(numbers):
                if is_quiet(position, engine):
                    found += 1
                    yield position
                if found == count:
                    return
    finally:
        if engine is not None:
            engine.__exit__(None, None, None)


def game(numbers: random.Random) -> Iterator[Position]:
    """Yield some positions of a game that Plybench plays against itself."""
    position = catalog.position("startpos", "chess")
    for _ in range(numbers.randint(*RANDOM_PLIES)):
        if not position.is_over:
            position = position.play(numbers.choice(position.game.legal_moves(position.state)))
    first = FROM_PLY + numbers.randrange(EVERY)
    while not position.is_over and len(position.played) < TO_PLY:
        if len(position.played) >= first and (len(position.played) - first) % EVERY == 0:
            yield catalog.position(position.game.board_text(position.state), "chess")
        search = Search(position, catalog.algorithm("pvs"), Limit(nodes=MOVE_NODES), {"table": 1}).start()
        best = search.report().best_move
        if best is None:
            return
        position = position.play(position.game.read_move(position.state, best))


def is_quiet(position: Position, engine: Stockfish | None) -> bool:
    """Whether a position is quiet."""
    if position.is_over or threatened(position.game.rules, position.state):
        return False
    best, value = asked(position, engine)
    if best is None or is_capture(position, best):
        return False
    after = position.play(position.game.read_move(position.state, best))
    if threatened(position.game.rules, after.state):
        return False
    standing = {**PLAIN, "quiescence": True, "table": 1}
    calm = Search(position, catalog.algorithm("deepening"), Limit(depth=1), standing).start().report().value or 0.0
    if engine is not None:  # its evaluation has its own scale, so it gives both values
        return abs(asked(position, engine, ASKED_NODES // 30)[1] - value) < STILL
    return abs(margins(calm, position.game) - value) < STILL


def asked(position: Position, engine: Stockfish | None, nodes: int = ASKED_NODES) -> tuple[str | None, float]:
    """The best move and its value in pawns for White, by Stockfish or by Plybench's own search."""
    if engine is None:
        report = Search(position, catalog.algorithm("pvs"), Limit(nodes=5 * nodes), {"table": 16}).start().report()
        return report.best_move, margins(report.value or 0.0, position.game)
    engine.set_up(position.game.board_text(position.state))
    lines = engine.ask(f"go nodes {nodes}", "bestmove")
    scores = [match for line in lines if (match := re.search(r" score (cp|mate) (-?\d+)", line))]
    kind, number = scores[-1].groups() if scores else ("cp", "0")
    value = int(number) / 100 if kind == "cp" else 20.0 * (1 if int(number) > 0 else -1)
    return lines[-1].split()[1], position.turn * max(-20.0, min(20.0, value))


def tactical_positions(count: int) -> list[Position]:
    """At most so many tactical positions of the library."""
    entries = [entry for entry in library.entries().values() if entry.game == "chess"]
    chosen = [entry for entry in entries if not set(entry.tags) & set(LEFT_OUT)]
    found = [entry.position() for entry in chosen]
    return [position for position in found if not position.is_over][:count]
