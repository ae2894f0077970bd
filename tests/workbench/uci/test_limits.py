"""`plybench uci` keeps a limit of nodes for the whole of a `go`: searches, lines, and the proof of a mate. It tells what was
spent."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import chess
import pytest

from engines import catalog
from engines.compiled import records
from engines.run import work
from tests.thorough import LONG
from tests.workbench.uci.referee import faults
from tests.workbench.uci.talk import READY, Talk, numbers, strings
from workbench.proofs.job import ProofWork
from workbench.uci import thinking as uci_search
from workbench.uci.engine import Engine

OVER = 1000
"""A limit may be gone over by so many nodes."""
ALGORITHMS = catalog.compiled_algorithms_for("chess")
PROVE = [name for name in ALGORITHMS if catalog.algorithm(name).proves]
HUNT = "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 7 11"
"""A king is driven over the whole board: df-pn knows soon that it is mate, and to know how soon takes millions of nodes."""
ROOK_LIFT = "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1"
"""WAC.004: mate in two."""
CHASED = "r3q2r/2p1k1p1/p5p1/1p2Nb2/1P2nB2/P7/2PNQbPP/R2R3K b - - 0 1"
"""WAC.285: mate in four."""
LOST = "7k/R7/8/8/8/8/1R6/6K1 b - - 0 1"
"""Mated in one, whatever is played."""
POSITIONS = (HUNT, ROOK_LIFT, CHASED, LOST, chess.STARTING_FEN)
LIMITS = (1, 300, 3000, 20_000) if LONG else (300, 3000)


class Desk:
    """An engine in this process, and all that it searches with."""

    def __init__(self) -> None:
        self.said: queue.Queue[str] = queue.Queue()
        self.engine = Engine("alphabeta", self.said.put)
        self.records: list[Any] = []

    def choose(self, algorithm: str, lines: int = 1) -> None:
        """An engine as new."""
        self.tell(f"setoption name Algorithm value {algorithm}", f"setoption name MultiPV value {lines}", "ucinewgame")
        while self.engine.is_loading:
            self.tell("isready")
            self.until("readyok")
        while not self.said.empty():
            assert "cannot be loaded" not in self.said.get()

    def tell(self, *lines: str) -> None:
        for line in lines:
            assert self.engine.obey(line)

    def until(self, start: str) -> list[str]:
        lines: list[str] = []
        while not lines or not lines[-1].startswith(start):
            lines.append(self.said.get(timeout=READY))
        return lines

    def go(self, fen: str, words: str) -> list[str]:
        """Everything that is answered; nothing of earlier searches is kept."""
        self.records.clear()
        self.tell("ucinewgame", f"position fen {fen}", f"go {words}")
        return self.until("bestmove")

    @property
    def spent(self) -> int:
        """The nodes on every work record that was made since the last `go`, whatever it was made for."""
        return sum(int(record.nodes) for record in self.records)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk()

    def noted(kind: Any) -> Any:
        desk.records.append(records.new_record(kind))
        return desk.records[-1]

    monkeypatch.setattr(work, "new_record", noted)
    return desk


def told(lines: list[str]) -> list[int]:
    """The nodes of all info lines that have them."""
    return [int(numbers(line)["nodes"]) for line in lines if " nodes " in line]


def score(line: str) -> list[str]:
    words = line.split()
    return words[words.index("score") + 1 :][:2]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("lines", [1, 3])
def test_a_limit_of_nodes_holds_for_all_that_is_searched(desk: Desk, algorithm: str, lines: int) -> None:
    desk.choose(algorithm, lines)
    for fen in POSITIONS:
        for limit in LIMITS:
            said = desk.go(fen, f"nodes {limit}")
            where = f"{algorithm}, {lines} lines, {limit} nodes, {fen}"
            assert desk.spent <= limit + OVER, where
            assert told(said)[-1] == desk.spent, f"{where}: what was spent is told before the answer"
            assert told(said) == sorted(told(said)), where
            assert not strings(said), where
            assert not faults(chess.Board(fen), said), where


@pytest.mark.parametrize("algorithm", ["pvs", "deepening", "mtdf"])
@pytest.mark.parametrize("fen", [ROOK_LIFT, CHASED])
def test_three_lines_share_one_limit(desk: Desk, algorithm: str, fen: str) -> None:
    """What made sure of a mate, and what followed lines to their leaves, is as much a part of it as the searches."""
    desk.choose(algorithm, 3)
    said = desk.go(fen, "nodes 100000")
    assert desk.spent <= 100_000 + OVER
    assert told(said)[-1] == desk.spent
    assert not faults(chess.Board(fen), said)


@pytest.mark.parametrize("algorithm", ["alphabeta", "pvs", "mtdf"])
def test_a_limit_too_small_for_three_lines_gives_one(desk: Desk, algorithm: str) -> None:
    """What was found first is told and played, not the first legal move."""
    desk.choose(algorithm, 3)
    said = desk.go(ROOK_LIFT, "nodes 3000")
    assert any(" multipv 1 " in line for line in said)
    if algorithm != "alphabeta":  # they see the mate by captures and checks
        assert said[-1].split()[1] == "h6h7"


@pytest.mark.parametrize("algorithm", PROVE)
@pytest.mark.parametrize("fen", [HUNT, CHASED])
def test_the_proof_of_a_mate_is_within_the_limit(desk: Desk, algorithm: str, fen: str) -> None:
    """Df-pn spent 740 nodes of 3,000, and the proof then two millions more."""
    desk.choose(algorithm)
    for limit in (3000, 100_000):
        said = desk.go(fen, f"nodes {limit}")
        assert desk.spent <= limit + OVER
        assert score(said[-2])[0] == "mate" or score(said[-2]) in (["cp", "0"], ["cp", "20000"])
        assert not faults(chess.Board(fen), said)


@pytest.mark.parametrize("algorithm", PROVE)
def test_a_mate_is_counted_if_the_limit_allows_it(desk: Desk, algorithm: str) -> None:
    """The proof has what the search left. If that does not tell how far the win is, it is a win, and a line is known."""
    desk.choose(algorithm)
    kinds = []
    for limit in (200, 400, 800, 1600, 100_000):
        said = desk.go(ROOK_LIFT, f"nodes {limit}")
        kinds.append(" ".join(score(said[-2])))
        assert desk.spent <= limit + OVER
        assert not faults(chess.Board(ROOK_LIFT), said)
    assert set(kinds) <= {"cp 0", "cp 20000", "mate 2", "mate 3", "mate 4", "mate 5"}
    assert kinds[-1] == "mate 2"


def begun(monkeypatch: pytest.MonkeyPatch) -> queue.Queue[ProofWork]:
    """The proofs that are begun from now on."""
    proofs: queue.Queue[ProofWork] = queue.Queue()

    class Noted(ProofWork):
        def start(self) -> Noted:
            proofs.put(self)
            return super().start()

    monkeypatch.setattr(uci_search, "ProofWork", Noted)
    return proofs


def test_a_stop_ends_the_proof_at_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.choose("dfpn")
    proofs = begun(monkeypatch)
    desk.tell("ucinewgame", f"position fen {HUNT}", "go infinite")
    making = proofs.get(timeout=READY)
    assert making.running
    began = perf_counter()
    desk.tell("stop")
    said = desk.until("bestmove")
    assert perf_counter() - began < 0.5
    assert making.join(1)
    assert score(said[-2])[0] == "mate" or score(said[-2]) == ["cp", "20000"]
    assert not faults(chess.Board(HUNT), said)


def test_a_deadline_ends_the_proof_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.choose("dfpn")
    proofs = begun(monkeypatch)
    began = perf_counter()
    said = desk.go(HUNT, "movetime 400")
    assert perf_counter() - began < 1.0
    assert proofs.get(timeout=1).join(1)
    assert not faults(chess.Board(HUNT), said)


@pytest.fixture
def cold(tmp_path: Path) -> Iterator[Callable[..., Talk]]:
    """An engine with nothing compiled."""
    talks: list[Talk] = []

    def start(*options: str) -> Talk:
        talks.append(Talk(*options, PLYBENCH_CACHE=str(tmp_path / "cache"), NUMBA_DISABLE_JIT="0"))
        return talks[-1]

    yield start
    for talk in talks:
        talk.quit()


@pytest.mark.skipif(not LONG, reason="it compiles for half a minute; with PLYBENCH_LONG=1")
@pytest.mark.parametrize("algorithm", ["uct", "dfpn"])
def test_a_cold_cache_is_filled_when_the_algorithm_is_chosen(cold: Callable[..., Talk], algorithm: str) -> None:
    """It has no limit of depth, and is loaded all the same: the answer is a search's, not the first legal move."""
    talk = cold("--algorithm", "random")
    talk.say(f"setoption name Algorithm value {algorithm}", f"position fen {ROOK_LIFT}", "go nodes 20000")
    said = talk.until("bestmove", 280)
    assert f"Compiling {algorithm}, once; this takes a while." in strings(said)
    assert not any("not compiled yet" in text or "cannot be loaded" in text for text in strings(said))
    assert 100 < told(said)[-1] <= 20_000 + OVER
    assert score(said[-2]) == ["mate", "2"] or algorithm == "uct"
    assert said[-1].split()[1] == said[-2].partition(" pv ")[2].split()[0]
    assert not faults(chess.Board(ROOK_LIFT), said)
