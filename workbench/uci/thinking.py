"""One `go` of the UCI engine under way: searches in a background thread, tells what it finds, and answers with a move.

The thread that reads commands only sets flags here. A search is watched from outside, so that an answer comes in time even
where the search itself is still loading its compiled code.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from time import perf_counter

from engines.algorithm import Algorithm
from engines.contract import MAX_DEPTH, InputError, Limit, Setting
from engines.game import distance
from engines.perft import Perft
from engines.position import Position
from engines.rules import WIN_EDGE, State
from engines.run.background import Background
from engines.run.memory import Memory
from engines.run.result import DepthResult
from engines.run.search import Search
from engines.run.work import UNLIMITED
from workbench.proofs.job import ProofWork
from workbench.uci.go import Budget, Go
from workbench.uci.score import ScoredLine, lines_of, mate_in, order

POLL, QUICK_POLL = 0.004, 0.001
"""Seconds between two looks at a search, and when there is no time to lose."""
GRACE, PATIENCE, MORE_PATIENCE = 0.01, 0.02, 0.04
"""A search that has to end may take so many seconds to finish a first depth, and so many to end then, or so many if it has
said nothing yet; after that the answer is given without it."""
FOREVER = 1e6
"""A limit in seconds that makes a search go depth by depth; the real one is watched here."""
WITHOUT_A_LIMIT = 1.0
"""Seconds for an algorithm that has no limit of the kind that was asked for."""
LIVE_SECONDS = 1.0
"""Seconds between two reports of the counters while no new depth is complete."""
PROOF_SECONDS, PROOF_POSITIONS = 1.0, 50_000
"""What a proof may take that tells how far a proven win is: so many seconds where a clock runs. Where nodes are limited, it
has what the search has left of them."""
PATIENT_PROOF_SECONDS = 20.0
"""And where none does, so that what is said does not depend on how busy the machine is."""
NO_MOVE = "0000"
"""The answer where there is no position to move in."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class GoTask:
    """What one `go` works on."""

    position: Position | None
    """None: the last one was refused, and whatever were played would be a move of another position."""
    algorithm: Algorithm
    parameters: Mapping[str, Setting]
    asked: Go
    budget: Budget | None
    lines: int = 1
    memory: Memory | None = None
    """What is kept from search to search."""
    shows_wdl: bool = False


class Thinking:
    """One search for a move. It answers at once when told to stop, otherwise when it is done or its time is up."""

    def __init__(self, task: GoTask, ready: threading.Event, say: Say) -> None:
        self.task = task
        self._say = say
        self._ready = ready
        self._began = perf_counter()
        self._stop_requested = threading.Event()
        self._answered = False
        self._soft = self._hard = float("inf")
        self._spent = self._reported_nodes = 0
        """The nodes of all that has ended: searches, and what was done behind them; and how many were reported last."""
        self._last: Search | None = None
        """The last search that was begun."""
        self._shown_at = self._began
        self._best: tuple[str, ...] = ()
        """The best line as it was reported last. Its first move is the answer."""
        self._reported_lines: tuple[int, Sequence[ScoredLine]] | None = None
        """The depth that was reported last, and its lines."""
        self._waits = task.asked.waits
        if not self._waits:
            self._start_clock()
        self._thread = threading.Thread(target=self._think, name="uci", daemon=True)

    # For the thread that reads commands.

    def start(self) -> Thinking:
        """Begin. Returns at once."""
        self._thread.start()
        return self

    @property
    def running(self) -> bool:
        """The answer has not been given yet."""
        return not self._answered

    def stop(self) -> None:
        """Answer now."""
        self._waits = False
        self._stop_requested.set()

    def ponderhit(self) -> None:
        """The opponent has played the expected move: from now on the clock runs."""
        if "infinite" not in self.task.asked.flags:
            self._start_clock()
            self._waits = False

    def join(self, seconds: float | None = None) -> None:
        """Wait until the answer is given."""
        self._thread.join(seconds)

    # In the thread of its own.

    def _start_clock(self) -> None:
        budget = self.task.budget
        if budget is not None:
            now = perf_counter()
            self._soft, self._hard = now + budget.soft, now + budget.hard

    def _think(self) -> None:
        position = self.task.position
        legal = [] if position is None else self._root_moves(position)
        try:
            if position is not None:
                self._look_for_move(position, legal)
        except InputError as error:
            self._say(f"info string {error}")
        except Exception as error:  # noqa: BLE001 - a game goes on, whatever a search does: there is a move to fall back on
            self._say(f"info string The search failed: {type(error).__name__}: {' '.join(str(error).split())}")
        while self._waits and not self._stop_requested.wait(POLL):
            pass
        self._answered = True  # set before the answer is sent, because the client may ask for the next move at once
        if "perft" in self.task.asked.numbers:
            return
        if position is None:
            self._say(f"bestmove {NO_MOVE}")
            return
        best = self._best or position.game.line_text(position.state, legal[:1])
        ponder = f" ponder {best[1]}" if len(best) > 1 else ""
        self._say(f"bestmove {best[0] if best else '(none)'}{ponder}")

    def _look_for_move(self, position: Position, legal: list[int]) -> None:
        root = without_draw(position)
        if not legal or root is None:
            self._say(f"info depth 0 score {'cp 0' if position.result == 0 or legal else 'mate 0'}")
        elif self._wait_until_ready():
            self._search(root, legal)

    def _root_moves(self, position: Position) -> list[int]:
        """The moves to choose from: those that were asked for, if any of them is legal, else all."""
        legal, wanted = position.game.legal_moves(position.state), []
        for text in self.task.asked.moves if legal else []:
            try:
                wanted.append(position.game.read_move(position.state, text))
            except InputError as error:
                self._say(f"info string searchmoves: {error}")
        return [move for move in legal if move in wanted] or legal

    def _wait_until_ready(self) -> bool:
        """Wait for the compiled code; False if there is no time left to search."""
        while not self._ready.wait(POLL):
            if self._is_over():
                self._say("info string The search is not compiled yet, so this is just a legal move.")
                return False
        return True

    def _is_over(self) -> bool:
        return self._stop_requested.is_set() or perf_counter() >= self._hard

    def _search(self, root: Position, legal: list[int]) -> None:
        asked, algorithm = self.task.asked, self.task.algorithm
        if "perft" in asked.numbers:
            self._count(root, asked.numbers["perft"])
            return
        limits = {"depth": asked.depth, "nodes": asked.nodes, "seconds": FOREVER}
        lost = [name for name, limit in limits.items() if limit is not None and name not in algorithm.limits]
        if lost and self.task.budget is None and not self._waits:
            self._say(f"info string {algorithm.id} has no limit in {lost[0]}; it thinks for {WITHOUT_A_LIMIT:g} s.")
            self._hard = self._began + WITHOUT_A_LIMIT
        limit = Limit(**{name: limit for name, limit in limits.items() if name not in lost})  # type: ignore[arg-type]
        if len(legal) < len(root.game.legal_moves(root.state)):
            root = only(root, legal)
        by_itself = self.task.lines == 1 or "multipv" in self.task.parameters or "depth" not in algorithm.limits
        first = self._all_at_once(root, legal, limit) if by_itself else DepthResult(depth=0)
        if self.task.lines > 1 and "depth" in algorithm.limits and (not by_itself or first.exact):
            self._line_by_line(root, legal, limit, first)
        self._tell_sum(root)

    def _all_at_once(self, root: Position, legal: list[int], limit: Limit) -> DepthResult:
        """One search that is reported depth by depth. Returns the last result."""
        search, reported = self._new_search(root, limit, self.task.parameters), 0

        def tell() -> None:
            nonlocal reported
            while reported < len(search.run.depths):
                found = search.run.depths[reported]
                reported += 1
                nodes = sum(row.nodes for row in search.run.depths[:reported])
                self._tell(root, search, nodes, found.depth, self._lines(root, found, legal))
                if self._is_enough(found.value, len(legal)):
                    search.stop()

        if not self._searched(search, tell):
            return DepthResult(depth=0)
        assert search.found is not None
        best = search.found.best
        lines = self._lines(root, best, legal)
        if lines and self.task.algorithm.proves and (proven := self._proven_line(search, limit, legal)):
            lines[0] = proven
        if lines and (self._reported_lines is None or lines[0] != self._reported_lines[1][0]):
            # A depth that was not finished had a better move, or what made sure of a win found how quick it is.
            self._tell(root, search, 0, best.depth, lines)
        return best

    def _lines(self, root: Position, found: DepthResult, legal: list[int]) -> list[ScoredLine]:
        return lines_of(found, self.task.algorithm, root, legal, self.task.lines)

    def _line_by_line(self, root: Position, legal: list[int], limit: Limit, first: DepthResult) -> None:
        """Several best lines from an algorithm that finds one: at each depth, search again without the moves found. A line
        whose end is known stays as it is, and so does `first` if it is one."""
        wanted, settled = min(self.task.lines, len(legal)), [first] if first.exact and first.line else []
        depth = first.depth
        while len(settled) < wanted and depth < (limit.depth or MAX_DEPTH):
            depth, found = depth + 1, list(settled)
            while len(found) < wanted and (row := self._next_line(root, legal, limit, depth, found)) is not None:
                found.append(row)
            new = found[len(settled) :]
            if new and self._last is not None:
                lines = [self._lines(root, row, row.line[:1])[0] for row in found]
                lines.sort(key=lambda line: -order(line.score))
                self._tell(root, self._last, 0, depth, lines)
            if len(found) < wanted or self._is_enough(found[0].value, len(legal)):
                return
            settled += [row for row in new if row.exact]

    def _next_line(
        self, root: Position, legal: list[int], limit: Limit, depth: int, found: Sequence[DepthResult]
    ) -> DepthResult | None:
        """The best line of this depth that begins with none of the moves found; None if it could not be searched to its end.
        The very first line may be one of a search that was not finished: any is better than none."""
        nodes = self._left(limit)
        if nodes < 1 or (found and self._is_over()):
            return None
        before = [row.line[0] for row in found]
        left = only(root, [move for move in legal if move not in before])
        parameters = {name: 1 if name == "multipv" else value for name, value in self.task.parameters.items()}
        search = self._new_search(left, Limit(depth=depth, nodes=None if limit.nodes is None else nodes), parameters)
        if not self._searched(search, lambda: None):
            return None
        assert search.found is not None
        row, depths = search.found.best, search.run.depths
        finished = bool(depths) and (depths[-1].depth == depth or depths[-1].exact)
        if finished:
            row = depths[-1]
        wanted = finished or not (found or self._best)
        return row if wanted and row.line and row.value is not None else None

    def _left(self, limit: Limit) -> int:
        """How many nodes may still be spent."""
        return UNLIMITED if limit.nodes is None else limit.nodes - self._spent

    def _proven_line(self, search: Search, limit: Limit, legal: list[int]) -> ScoredLine | None:
        """The line of a proven win with the moves to its end, if the proof can be written down in time, and with the nodes
        that are left. A search that proves knows who wins, but not when."""
        root, report, asked, left = search.position, search.report(), self.task.position, self._left(limit)
        if report.outcome in (None, "draw") or asked is None or len(legal) < len(asked.game.legal_moves(root.state)):
            return None
        if left < 1 or self._is_over():
            return None
        making = ProofWork(root, report, search.run.memory.kept, min(PROOF_POSITIONS, left), nodes=left)
        ended = self._written(making)
        self._spent += making.counters().nodes
        if not ended:
            return None
        try:
            part = making.proof().parts[0]
        except InputError:  # it was stopped, or is too large to be written down
            return None
        if part.plies is None:
            return None
        won = (report.outcome == "first") == (root.turn > 0)
        return ScoredLine(mate_in(part.plies, won), tuple(part.line()))

    def _written(self, making: ProofWork) -> bool:
        """Have a proof written down, as far as there is time; False if it had to be left behind."""
        making.start()
        end = perf_counter() + (PROOF_SECONDS if self._hard < float("inf") else PATIENT_PROOF_SECONDS)
        while not making.join(POLL):
            if self._is_over() or perf_counter() >= end:
                making.stop()
                return making.join(PATIENCE)
        return True

    def _new_search(self, root: Position, limit: Limit, parameters: Mapping[str, Setting]) -> Search:
        self._last = Search(root, self.task.algorithm, limit, parameters, memory=self.task.memory)
        return self._last

    def _searched(self, search: Search, tell: Callable[[], None]) -> bool:
        """Run a search; False if it had to be left behind. What it took, with all that was searched behind it, is spent."""
        ended = self._finished(search, tell)
        self._spent += search.report().all_nodes if ended else taken(search)
        return ended

    def _finished(self, work: Background, tell: Callable[[], None]) -> bool:
        """Run it and tell what is new; False if it had to be left behind, because it would not end in time."""
        work.start()
        ended = False
        while not ended:
            ended = work.join(POLL)
            tell()
            if not ended and self._is_over():
                end = perf_counter() + GRACE
                while not (ended or self._best) and perf_counter() < end:
                    ended = work.join(QUICK_POLL)
                    tell()
                if ended:
                    return True
                work.stop("request" if self._stop_requested.is_set() else "seconds")
                ended = work.join(PATIENCE if self._best else MORE_PATIENCE)
                tell()
                return ended
            if not ended and isinstance(work, Search) and perf_counter() - self._shown_at > LIVE_SECONDS:
                self._shown_at = perf_counter()
                self._tell_counters(work, taken(work))
        return True

    def _is_enough(self, value: float | None, choices: int) -> bool:
        """What is known now will do: there is no time for another depth, nothing to choose, or the mate is found."""
        mate = self.task.asked.numbers.get("mate")
        if mate is not None and value is not None and abs(value) >= WIN_EDGE and (distance(int(value)) + 1) // 2 <= mate:
            return True
        on_clock = self._hard < float("inf") and "movetime" not in self.task.asked.numbers
        return perf_counter() >= self._soft or (on_clock and choices == 1)

    def _tell(self, root: Position, search: Search, nodes: int, depth: int, lines: Sequence[ScoredLine]) -> None:
        """Report the result at a depth, or after so many nodes, with one line of output for each line of play."""
        table, algorithm = search.run.depths[-1].table if search.run.depths else None, self.task.algorithm
        full = f" hashfull {1000 * table.filled // table.entries}" if table is not None and table.entries else ""
        self._shown_at = perf_counter()
        for number, line in enumerate(lines, 1):
            if "depth" not in algorithm.limits:  # it counts iterations: what it knows reaches as far as its line
                depth = len(line.moves)
            depth = max(depth, 1) if algorithm.judges else 1
            score = line.score.text(line.bound, self.task.shows_wdl)
            pv = root.game.line_text(root.state, until_over(root, line.moves))
            numbers = self._numbers(search, nodes, depth)
            self._say(f"info depth {depth} multipv {number} score {score} {numbers}{full} pv {' '.join(pv)}")
            if number == 1:
                self._best, self._reported_lines = pv, (depth, lines)

    def _tell_counters(self, search: Search, nodes: int) -> None:
        """How far it is, where no line of play is new."""
        depth = max(search.run.depth, 1) if "depth" in self.task.algorithm.limits else max(len(self._best), 1)
        self._say(f"info depth {depth} {self._numbers(search, nodes, depth)}")

    def _tell_sum(self, root: Position) -> None:
        """Report the result once more before the answer, if more nodes were searched than have been reported."""
        if self._last is None or self._spent <= self._reported_nodes:
            return
        if self._reported_lines is not None:
            self._tell(root, self._last, 0, *self._reported_lines)
        else:
            self._tell_counters(self._last, 0)

    def _numbers(self, search: Search, nodes: int, depth: int) -> str:
        """The counters: those of the earlier searches plus `nodes` of this one; never less than was reported before."""
        elapsed, nodes = perf_counter() - self._began, max(self._spent + nodes, self._reported_nodes)
        self._reported_nodes = nodes
        speed, deepest = round(nodes / max(elapsed, 1e-3)), max(search.counters().selective_depth, depth)
        return f"seldepth {deepest} nodes {nodes} nps {speed} time {round(elapsed * 1000)}"

    def _count(self, root: Position, depth: int) -> None:
        """Answer `go perft`: the number of games of so many plies after each move."""
        count, reported = Perft(root, min(max(depth, 0), MAX_DEPTH)), 0

        def tell() -> None:
            nonlocal reported
            for move, leaves in list(count.divide.items())[reported:]:
                reported += 1
                self._say(f"{move}: {leaves}")

        if self._finished(count, tell):
            found = count.report()
            self._answered = True
            self._say(f"Nodes searched: {found.leaves}" + ("" if found.complete else " (it was stopped)"))


def taken(search: Search) -> int:
    """What a search that is under way has taken of its limit: its own nodes, and those of one that it has begun aside."""
    aside = search.run.work
    return search.counters().nodes + (0 if aside is search.work else int(aside.nodes))


def without_draw(position: Position) -> Position | None:
    """The position, to be played on although a draw could be claimed by its history; None if it is over even without."""
    if not position.is_over:
        return position
    fresh = Position(position.game, position.state)
    return None if fresh.is_over else fresh


def until_over(root: Position, line: Sequence[int]) -> list[int]:
    """A line as far as the game goes: what is read from a table may go on after a draw by repetition."""
    moves: list[int] = []
    for move in line:
        if root.is_over:
            break
        moves.append(move)
        root = root.play(move)
    return moves


def only(position: Position, moves: Sequence[int]) -> Position:
    """The position with nothing but these moves to choose from; behind them everything is as it was."""
    game, root, every = copy(position.game), position.state, position.game.legal_moves

    def legal_moves(state: State) -> list[int]:
        return [move for move in every(state) if state != root or move in moves]

    vars(game)["legal_moves"] = legal_moves
    return Position(game, position.start, position.played)
