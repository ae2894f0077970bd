"""Alpha-beta on chess, in nodes per second, compared with Stockfish's search with its classical evaluation.

The two trees have nothing in common: ours is plain alpha-beta to a fixed depth, with moves in the order of generation;
Stockfish's has a hash table, move ordering and a quiescence search, and its nodes pay for them. This compares the cost of a
node, and not its use.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from statistics import harmonic_mean

import chess

from benchmarks import ours
from benchmarks.peers import stockfish
from benchmarks.printing import figure
from benchmarks.rows import Row, times_faster
from benchmarks.speed.chess_perft import KIWIPETE
from benchmarks.timing import OnClock, best_in_turn

POSITIONS = {
    "start": (chess.STARTING_FEN, 6),
    "Kiwipete": (KIWIPETE, 6),
    "Bratko-Kopec 3": ("2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1", 6),
    "Bratko-Kopec 11": ("2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1", 6),
    "rook endgame": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 9),
}
"""Positions, and how deep Plybench searches each."""
STOCKFISH_NODES = 1_000_000
EVALUATIONS = {"shannon": 1.0, "tapered": None}
"""The target for each evaluation, as a multiple of Stockfish's nodes per second; None for no target."""


def measure(quick: bool) -> Iterator[Row]:
    """A row for each evaluation over all positions, which are weighted as if they had equally many nodes."""
    with ExitStack() as stack:
        path = stockfish.find()
        engine = stack.enter_context(stockfish.Stockfish(path)) if path else None
        if engine is not None:
            engine.set("Use NNUE", "false")
        yield from compare(engine, rounds=1 if quick else 3)


def compare(engine: stockfish.Stockfish | None, rounds: int) -> Iterator[Row]:
    """Run both evaluations and Stockfish in turn on each position."""
    rates: dict[str, list[float]] = {evaluation: [] for evaluation in EVALUATIONS}
    its_rates, its_reports = [], []
    for fen, depth in POSITIONS.values():
        searches = [
            partial(ours.run_alphabeta, ours.position("chess", fen, {"evaluation": evaluation}), depth)
            for evaluation in EVALUATIONS
        ]
        its_search = [] if engine is None else [StockfishSearch(engine, fen)]
        nodes = [int(search()[1].nodes) for search in searches]
        times = best_in_turn(rounds, *searches, *its_search)
        for evaluation, count, seconds in zip(EVALUATIONS, nodes, times, strict=False):
            rates[evaluation].append(count / seconds)
        for search in its_search:
            its_rates.append(search.nodes / times[-1])
            its_reports.append(search.reported)
    its_own = figure(harmonic_mean(its_reports), "nodes/s") if its_reports else ""
    for evaluation, at_least in EVALUATIONS.items():
        task, rate = f"chess alpha-beta, {evaluation}, {len(POSITIONS)} positions", harmonic_mean(rates[evaluation])
        if engine is None:
            yield times_faster(task, "nodes/s", rate, stockfish.NAME, None, at_least)
            continue
        ratios = [mine / its for mine, its in zip(rates[evaluation], its_rates, strict=True)]
        note = f"{min(ratios):.1f} to {max(ratios):.1f} x by position; by its own clock it does {its_own}"
        peer = f"{engine.name}, classical evaluation"
        yield times_faster(task, "nodes/s", rate, peer, harmonic_mean(its_rates), at_least, note)


class StockfishSearch(OnClock[None]):
    """Searches of a position by Stockfish, each with an empty hash table, so that the tree is the same every time."""

    def __init__(self, engine: stockfish.Stockfish, fen: str) -> None:
        super().__init__(self.search, engine.clock, lambda: engine.set_up(fen))
        self.engine = engine
        self.nodes = 0
        self.reported = 0
        """The highest nodes per second that it has reported, in wall-clock time."""

    def search(self) -> None:
        """Search once."""
        self.nodes, reported = self.engine.search(STOCKFISH_NODES)
        self.reported = max(self.reported, reported)
