"""One `go` of the UCI engine under way: searches in a thread of its own, tells what it finds, and answers with a move.

The thread that reads commands only sets flags here. A search is watched from outside, so that an answer comes in time even
where the search itself is still loading its compiled code.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from time import perf_counter

from engines.algorithm import Algorithm, FoundDepth
from engines.contract import MAX_DEPTH, Bound, InputError, Limit, Report, Setting
from engines.game import SHOWN_WIN, Game, Position, distance
from engines.parts.table import Memory
from engines.perft import Perft
from engines.rules import WIN_EDGE, State
from engines.runner import Background, Search
from workbench.uci_go import Budget, Go

POLL, QUICK_POLL = 0.004, 0.001
"""Seconds between two looks at a search, and when there is no time to lose."""
GRACE, PATIENCE = 0.01, 0.02
"""A search that has to end may take so many seconds to finish a first depth, and so many to end then; after that the answer
is given without it."""
FOREVER = 1e6
"""A limit in seconds that makes a search go depth by depth; the real one is watched here."""
WITHOUT_A_LIMIT = 1.0
"""Seconds for an algorithm that has no limit of the kind that was asked for."""
LIVE_SECONDS = 1.0
"""Without a new depth, counters are told so often."""

BOUNDS: Mapping[Bound, str] = {"exact": "", "at least": " lowerbound", "at most": " upperbound"}

Say = Callable[[str], None]


@dataclass(frozen=True)
class Task:
    """What one `go` works on."""

    position: Position
    algorithm: Algorithm
    parameters: Mapping[str, Setting]
    asked: Go
    budget: Budget | None
    lines: int = 1
    memory: Memory | None = None
    """What is kept from search to search."""


@dataclass(frozen=True)
class Line:
    """A line of play from the root, and what is known of its value for the side to move."""

    value: float
    moves: Sequence[int]
    bound: Bound = "exact"


class Thinking:
    """One search for a move: told to stop, it answers at once; not told, when it is done or its time is up."""

    def __init__(self, task: Task, ready: threading.Event, say: Say) -> None:
        self.task = task
        self._say = say
        self._ready = ready
        self._began = perf_counter()
        self._told = threading.Event()
        self._answered = False
        self._soft = self._hard = float("inf")
        self._earlier_nodes = 0
        self._shown_at = self._began
        self._best: tuple[str, ...] = ()
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
        self._told.set()

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
        legal = self._root_moves(position)
        texts = [position.game.move_text(position.state, move) for move in legal]
        try:
            root = without_draw(position)
            if not legal or root is None:
                self._say(f"info depth 0 score {'cp 0' if position.result == 0 or legal else 'mate 0'}")
            elif self._wait_until_ready():
                self._search(root, legal)
        except InputError as error:
            self._say(f"info string {error}")
        except Exception as error:  # noqa: BLE001 - a game goes on, whatever a search does: there is a move to fall back on
            self._say(f"info string The search failed: {type(error).__name__}: {' '.join(str(error).split())}")
        while self._waits and not self._told.wait(POLL):
            pass
        self._answered = True  # before it is said: whoever hears it may ask for the next move at once
        if "perft" in self.task.asked.numbers:
            return
        best = self._best if self._best and self._best[0] in texts else tuple(texts[:1])
        ponder = f" ponder {best[1]}" if len(best) > 1 else ""
        self._say(f"bestmove {best[0] if best else '(none)'}{ponder}")

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
        return self._told.is_set() or perf_counter() >= self._hard

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
        if self.task.lines > 1 and "multipv" not in self.task.parameters and "depth" in algorithm.limits:
            self._line_by_line(root, legal, limit)
        else:
            self._all_at_once(root, len(legal), limit)

    def _all_at_once(self, root: Position, choices: int, limit: Limit) -> None:
        """One search, told depth by depth."""
        search, told = self._new_search(root, limit), 0

        def tell() -> None:
            nonlocal told
            while told < len(search.run.depths):
                found = search.run.depths[told]
                told += 1
                nodes = sum(row.nodes for row in search.run.depths[:told])
                self._tell(root, self._numbers(search, nodes), found, lines_of(found, self.task.lines))
                if self._is_enough(found.value, choices):
                    search.stop()

        if self._finished(search, tell):
            report = search.report()
            self._best = report.pv or self._best
            if not told and report.value is not None:
                score, numbers = score_of_report(report, root.turn), self._numbers(search, report.nodes)
                self._say(f"info depth {report.depth} score {score} {numbers} pv {' '.join(report.pv)}")

    def _line_by_line(self, root: Position, legal: list[int], limit: Limit) -> None:
        """Several best lines from an algorithm that finds one: at each depth, search again without the moves found."""
        wanted = min(self.task.lines, len(legal))
        for depth in range(1, (limit.depth or MAX_DEPTH) + 1):
            found: list[FoundDepth] = []
            for _ in range(wanted):
                nodes = None if limit.nodes is None else limit.nodes - self._earlier_nodes
                if nodes is not None and nodes < 1:
                    return
                taken = [row.line[0] for row in found]
                left = only(root, [move for move in legal if move not in taken])
                search = self._new_search(left, Limit(depth=depth, nodes=nodes))
                if not self._finished(search, lambda: None) or not search.run.depths:
                    return
                self._best = self._best or search.report().pv
                self._earlier_nodes += search.counters().nodes
                if search.run.depths[-1].depth < depth:
                    return
                found.append(search.run.depths[-1])
            found.sort(key=lambda row: -(row.value or 0))
            self._tell(root, self._numbers(search, 0), found[0], [lines_of(row, 1)[0] for row in found])
            if self._is_enough(found[0].value, len(legal)) or all(row.exact for row in found):
                return

    def _new_search(self, root: Position, limit: Limit) -> Search:
        task = self.task
        return Search(root, task.algorithm, limit, task.parameters, memory=task.memory)

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
                work.stop("request" if self._told.is_set() else "seconds")
                ended = work.join(PATIENCE)
                tell()
                return ended
            if not ended and isinstance(work, Search) and perf_counter() - self._shown_at > LIVE_SECONDS:
                self._shown_at = perf_counter()
                self._say(f"info depth {max(work.run.depth, 1)} {self._numbers(work, work.counters().nodes)}")
        return True

    def _is_enough(self, value: float | None, choices: int) -> bool:
        """What is known now will do: there is no time for another depth, nothing to choose, or the mate is found."""
        mate = self.task.asked.numbers.get("mate")
        if mate is not None and value is not None and abs(value) >= WIN_EDGE and (distance(int(value)) + 1) // 2 <= mate:
            return True
        on_clock = self._hard < float("inf") and "movetime" not in self.task.asked.numbers
        return perf_counter() >= self._soft or (on_clock and choices == 1)

    def _tell(self, root: Position, numbers: str, found: FoundDepth, lines: Iterable[Line]) -> None:
        """A finished depth, a line for each line of play that is known."""
        game, table = root.game, found.table
        full = f" hashfull {1000 * table.filled // table.entries}" if table is not None and table.entries else ""
        self._shown_at = perf_counter()
        for number, line in enumerate(lines, 1):
            pv = game.line_text(root.state, line.moves)
            score = f"score {score_text(int(line.value), game)}{BOUNDS[line.bound]}"
            self._say(
                " ".join(
                    [f"info depth {found.depth} multipv {number} {score} {numbers}{full}", *(["pv", *pv] if pv else [])]
                )
            )
            if number == 1 and pv:
                self._best = pv

    def _numbers(self, search: Search, nodes: int) -> str:
        """The counters: of the searches before this one, and of so many nodes of this one."""
        elapsed, nodes = perf_counter() - self._began, self._earlier_nodes + nodes
        speed = round(nodes / max(elapsed, 1e-3))
        return f"seldepth {search.counters().selective_depth} nodes {nodes} nps {speed} time {round(elapsed * 1000)}"

    def _count(self, root: Position, depth: int) -> None:
        """`go perft`: how many games of so many plies there are behind each move."""
        count, told = Perft(root, min(max(depth, 0), MAX_DEPTH)), 0

        def tell() -> None:
            nonlocal told
            for move, leaves in list(count.divide.items())[told:]:
                told += 1
                self._say(f"{move}: {leaves}")

        if self._finished(count, tell):
            found = count.report()
            self._answered = True
            self._say(f"Nodes searched: {found.leaves}" + ("" if found.complete else " (it was stopped)"))


def lines_of(found: FoundDepth, count: int) -> list[Line]:
    """The best lines of a finished depth: the principal variation, and then the next best moves whose value is known."""
    if found.value is None:
        return []
    first = found.line[0] if found.line else None
    bounds: dict[int | None, Bound] = {row.move: row.bound for row in found.root_moves}
    others = [row for row in found.root_moves if row.bound == "exact" and row.move != first]
    others.sort(key=lambda row: -row.value)
    rest = [Line(row.value, getattr(row, "line", None) or [row.move]) for row in others]
    return [Line(found.value, found.line, bounds.get(first, "exact")), *rest][:count]


def score_text(value: int, game: Game) -> str:
    """A value for the side to move as UCI writes it: hundredths of a pawn, or moves to mate, below zero for being mated."""
    if abs(value) < WIN_EDGE:
        return f"cp {round(value * 100 / game.unit)}"
    moves = (distance(int(value)) + 1) // 2
    return f"mate {moves if value > 0 else -moves}"


def score_of_report(report: Report, turn: int) -> str:
    """The same from a report, which is written for people and for the first player."""
    value = (report.value or 0.0) * turn
    if abs(value) > SHOWN_WIN / 2:
        moves = round(SHOWN_WIN - abs(value) + 1) // 2
        return f"mate {moves if value > 0 else -moves}"
    return f"cp {round(value * 100)}"


def without_draw(position: Position) -> Position | None:
    """The position, to be played on although a draw could be claimed by its history; None if it is over even without."""
    if not position.is_over:
        return position
    fresh = Position(position.game, position.state)
    return None if fresh.is_over else fresh


def only(position: Position, moves: Sequence[int]) -> Position:
    """The position with nothing but these moves to choose from; behind them everything is as it was."""
    game, root, every = copy(position.game), position.state, position.game.legal_moves

    def legal_moves(state: State) -> list[int]:
        return [move for move in every(state) if state != root or move in moves]

    vars(game)["legal_moves"] = legal_moves
    return Position(game, position.start, position.played)
