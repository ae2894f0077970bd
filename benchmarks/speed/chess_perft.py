"""Perft on chess, in leaves per second. All programs count the moves of the last ply without playing them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from time import thread_time

import chess

from benchmarks import ours
from benchmarks.peers import chess_libraries, stockfish
from benchmarks.rows import Row, times_faster
from benchmarks.timing import OnClock, best_in_turn

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
START_LEAVES = (1, 20, 400, 8_902, 197_281, 4_865_609, 119_060_324)
KIWIPETE_LEAVES = (1, 48, 2_039, 97_862, 4_085_603, 193_690_690)
POSITIONS = {"start position": (chess.STARTING_FEN, START_LEAVES), "Kiwipete": (KIWIPETE, KIWIPETE_LEAVES)}
"""Positions with the published counts of each depth. Plybench and Stockfish count to the last, the others one or two plies
less."""
TIMES_STOCKFISH, TIMES_RUST, TIMES_PYTHON = 0.5, 2.0, 100.0


class Count(OnClock[None]):
    """One program counts to a depth; each count must be the known one."""

    def __init__(
        self,
        name: str,
        known: tuple[int, ...],
        depth: int,
        perft: Callable[[], int],
        clock: Callable[[], float] = thread_time,
    ) -> None:
        super().__init__(self.count, clock)
        self.name = name if depth == len(known) - 1 else f"{name}, depth {depth}"
        self.leaves = known[depth]
        self.perft = perft

    def count(self) -> None:
        """Count once."""
        if (found := self.perft()) != self.leaves:
            raise AssertionError(f"{self.name} counts {found} leaves instead of {self.leaves}.")


def measure(quick: bool) -> Iterator[Row]:
    """Yield three rows for each position."""
    for name, (fen, known) in POSITIONS.items():
        with ExitStack() as stack:
            path = stockfish.find()
            engine = stack.enter_context(stockfish.Stockfish(path)) if path else None
            yield from compare(name, fen, known, engine, rounds=2 if quick else 6)


def compare(name: str, fen: str, known: tuple[int, ...], engine: stockfish.Stockfish | None, rounds: int) -> Iterator[Row]:
    """Let all programs count in turn, and yield a row for each peer."""
    depth, where, board = len(known) - 1, ours.position("chess", fen), chess.Board(fen)
    our_count = Count("Plybench", known, depth, lambda: ours.run_perft(where, depth))
    peers = {
        Count("rust-chess from Python", known, depth - 1, lambda: chess_libraries.rust_perft(fen, depth - 1)): TIMES_RUST,
        Count("python-chess", known, depth - 2, lambda: chess_libraries.python_perft(board, depth - 2)): TIMES_PYTHON,
    }
    if engine is not None:
        engine.set_up(fen)
        its_count = Count(engine.name, known, depth, lambda: engine.perft(depth), engine.clock)
        peers = {its_count: TIMES_STOCKFISH, **peers}
    ours.run_perft(where, 2)  # compiles
    our_time, *times = best_in_turn(rounds, our_count, *peers)
    task, rate, note = f"chess perft, {name}, depth {depth}", known[depth] / our_time, f"{known[depth]:,} leaves"
    if engine is None:
        yield times_faster(task, "leaves/s", rate, stockfish.NAME, None, TIMES_STOCKFISH, note)
    for (peer, at_least), seconds in zip(peers.items(), times, strict=True):
        yield times_faster(task, "leaves/s", rate, peer.name, peer.leaves / seconds, at_least, note)
