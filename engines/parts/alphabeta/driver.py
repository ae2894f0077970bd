"""The drivers of the alpha-beta family: depth by depth, with windows, from the root.

The root's moves are searched one by one from Python, so that each one's value, line and share of the work are known. What
differs between the members is only how the window is chosen: alpha-beta takes what the moves before have left open, PVS
asks of every move but the first whether it is better at all, and MTD(f) asks only that, of the whole position, until the
answers meet.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Literal

import msgspec
import numpy as np

from engines.contract import MAX_DEPTH, Bound, StoppedBy
from engines.parts.alphabeta.ordering import ORDERINGS, SearchContext, new_search_context
from engines.parts.alphabeta.parameters import REPLACEMENTS, UNSAFE
from engines.parts.alphabeta.principal_variation import SPARE, Variation, VariationExtender
from engines.parts.alphabeta.transposition_table import COLUMNS, FILLS, NO_MOVE, ROWS, Table, kept_table
from engines.rules import INFINITY, WIN, WIN_EDGE, Rules, State, evaluate, play, turn, worth
from engines.run.result import DepthResult, MoveResult, SearchResult
from engines.run.run import Run
from engines.run.work import END, Work, counters, entered, left_of, left_open, line, new_work, since, take_away
from engines.tape.tape import ASIDE, EXPANDED, HORIZON, NOBODY, AnyTape, NoTape, enter, leave

Style = Literal["window", "scout", "zero window"]
"""How a depth is searched: with windows around the last value, the same with scouts (PVS), or zero windows only (MTD(f))."""
Descend = Callable[..., int]
"""The kernel that searches one position."""

WINDOW = 4
"""The first window around the last value is a pawn, or unit, divided by this to either side."""
STEADY_DEPTH = 3
"""The last value is not trusted for a window before this depth."""
ASSURANCE = 1_000_000
"""Verifying a win may take so many nodes, plus twice those of the search."""


@dataclass
class SearchedMove:
    """A root move, with its value and line at the depth being searched."""

    move: int
    after: State
    whose: int
    value: int = -INFINITY
    bound: Bound = "exact"
    nodes: int = 0
    line: list[int] = field(default_factory=list)
    left: int | None = None
    """How much depth was left where the line ends; None if that is a leaf."""

    @property
    def cut_short(self) -> bool:
        """Whether the line ends before the leaf that has the value."""
        return self.left is not None or self.bound != "exact"


def deepen_until_done(run: Run, descend: Descend, style: Style) -> SearchResult:
    """Search depth by depth until the limit, or until nothing is left to find."""
    table = kept_table(run.memory, int(run.parameters["table"]))
    if table is not None and not table.touched:
        run.prefault(table.words)
        table.touched = True
    last = run.limit.depth
    if last is None:
        by_budget = run.limit.nodes is not None or run.limit.seconds is not None
        last = MAX_DEPTH if by_budget else run.position.game.depth_from(run.position.state)
    main = Root(run, descend, style, run.rules, run.work, run.tape, table)
    with HelperThreads(run, descend, style, table, last) as helpers:
        main.helpers = helpers.roots
        found = _deepen(run, main, last)
    found.distance_nodes, found.line_nodes = main.proof_nodes, main.walker.nodes
    if table is not None:
        stats = main.context.stats + helpers.stats
        found.table = table.counters(stats)
        table.filled = found.table.filled
    return found


def _deepen(run: Run, main: Root, last: int) -> SearchResult:
    done = run.depths
    if last == 0:
        done.append(main.judge())
        return SearchResult(best=done[-1], depths=done, stopped_by="depth")
    for depth in range(1, last + 1):
        now = main.search(depth)
        if run.work.stopped:
            if not done or (now.value is not None and now.root_moves and _improves(now, done[-1])):
                return SearchResult(best=now, depths=done, stopped_by="request")
            return SearchResult(best=done[-1], depths=done, stopped_by="request")
        done.append(now)
        if now.exact:
            break
    stopped_by: StoppedBy = "solved" if done[-1].exact else "depth"
    return SearchResult(best=done[-1], depths=done, stopped_by=stopped_by)


def _improves(now: DepthResult, before: DepthResult) -> bool:
    """Whether an unfinished depth still counts: the move that was best before has been searched, and a later one is
    better."""
    return bool(now.line and before.line and now.line[0] != before.line[0] and now.root_moves[0].move == before.line[0])


class Root:
    """The root of one thread's search, and the order of its moves."""

    def __init__(
        self, run: Run, descend: Descend, style: Style, rules: Rules, work: Work, tape: AnyTape, table: Table | None
    ) -> None:
        self.run, self.descend, self.style = run, descend, style
        self.rules, self.work, self.tape, self.table = rules, work, tape, table
        self.context = new_search_context(table)
        self.margin = run.position.game.margin
        set_switches(self.context, run.parameters, style, self.margin)
        self.multipv = int(run.parameters.get("multipv", 1))
        self.value = self.proof_nodes = 0
        self.leads = True
        """Whether this is the main thread's root, which reports. Helpers only fill the transposition table."""
        self.helpers: list[Root] = []
        """The roots of the helper threads."""
        self.walker = VariationExtender(run, descend, rules, tape, table)
        state = run.position.state
        legal = run.position.game.legal_moves(state)
        if run.parameters["ordering"] != "none":
            legal.sort(key=lambda move: -int(worth(rules, state, move)))
        self.moves = []
        for move in legal:
            after = play(rules, state, move)
            self.moves.append(SearchedMove(move, after, int(turn(rules, after))))

    def judge(self) -> DepthResult:
        """Depth 0: the static evaluation of the root."""
        entered(self.work, 0)
        node = enter(self.tape, NOBODY, END, self.run.position.turn, 0, -INFINITY, INFINITY)
        value = int(evaluate(self.rules, self.run.position.state))
        self.work.leaves += 1
        self.work.evaluations += 1
        leave(self.tape, node, HORIZON, value, NOBODY)
        return DepthResult(depth=0, value=value, nodes=1, leaves=1)

    def search(self, depth: int) -> DepthResult:
        """Search one depth, with as many windows as it takes."""
        work, began = self.work, perf_counter()
        before, stats, counted = _counts(work), self.context.stats.copy(), counters(work)
        self.context.deepest = 2 * depth + 8
        self.run.depth, self.run.root_done, self.run.root_count = depth, 0, len(self.moves)
        for row in self.moves:
            row.nodes, row.line, row.left = 0, [], None
        (self._close_in if self.style == "zero window" else self._aspire)(depth)
        found = DepthResult(depth=depth)
        known = [row for row in self.moves if row.line]
        best = max(known, key=lambda row: (row.bound != "at most", row.value), default=None)
        if best is not None and (not work.stopped or best.bound != "at most"):
            found.value, self.value = best.value, best.value
            if not work.stopped:
                self.moves.sort(key=lambda row: (row is best, _measured(row), row.nodes), reverse=True)
        now = _counts(work)
        found.nodes, found.leaves = now[0] - before[0], now[1] - before[1]
        found.counted = since(counted, counters(work))
        if self.leads and found.value is not None and not work.stopped:
            sure = now[2] == before[2]
            seen = self.is_safe and WIN - abs(found.value) <= depth  # no quicker win can have been overlooked
            found.exact = sure or (abs(found.value) >= WIN_EDGE and (seen or self._verified(found)))
        if found.value is not None:
            shown = best if best is not None and work.stopped else self.moves[0]
            self._follow_lines(found.nodes)
            found.line, found.cut_short = shown.line, shown.cut_short
        if found.exact and found.value is not None and found.value >= WIN_EDGE and now[2] != before[2]:
            self._claim_only_what_is_proven(int(found.value))
        found.root_moves = [
            MoveResult(row.move, row.value, row.bound, row.nodes, row.line, cut_short=row.cut_short)
            for row in self.moves
            if row.line  # else it was not finished once at this depth, and has no value of it
        ]
        if self.table is not None:
            filled = self.table.filled_with(sum(int(root.context.stats[:, FILLS].sum()) for root in (self, *self.helpers)))
            found.table = msgspec.structs.replace(self.table.counters(self.context.stats - stats), filled=filled)
        found.seconds = perf_counter() - began
        return found

    def _claim_only_what_is_proven(self, win: int) -> None:
        """The search ends with a proven win. Upper bounds of other moves hold for this depth only; all that is proven of
        them is that they win no sooner."""
        for row in self.moves:
            if row.bound == "at most" and row.value < win and abs(row.value) < WIN_EDGE:
                row.value = win

    @property
    def is_safe(self) -> bool:
        """Whether no switch is on that may change a value."""
        return not any(self.run.parameters[name] for name in UNSAFE)

    def _aspire(self, depth: int) -> None:
        """Alpha-beta or PVS with an aspiration window around the last value, widened until it neither fails high nor fails
        low."""
        low, high, step = -INFINITY, INFINITY, max(self.margin // WINDOW, 1)
        wanted = self.run.parameters.get("aspiration") and self.multipv == 1
        if wanted and depth > STEADY_DEPTH and abs(self.value) < WIN_EDGE:
            low, high = self.value - step, self.value + step
        while True:
            value = self._pass_over(depth, low, high)
            if self.work.stopped or low < value < high:
                return
            step *= 4
            if value <= low:
                low = value - step if abs(value) < WIN_EDGE and step < 64 * self.margin else -INFINITY
            else:
                high = value + step if abs(value) < WIN_EDGE and step < 64 * self.margin else INFINITY

    def _close_in(self, depth: int) -> None:
        """MTD(f): zero-window searches until the lower and the upper bound meet."""
        low, high, guess, best = -INFINITY, INFINITY, self.value, self.moves[0]
        while low < high:
            edge = guess + 1 if guess == low else guess
            guess = self._pass_over(depth, edge - 1, edge)
            if self.work.stopped:
                return
            if guess < edge:
                high = guess
            else:
                low = guess
                best = next(row for row in self.moves if row.bound == "at least" and row.value == guess)
        for row in self.moves:
            if row is best:
                row.value, row.bound = guess, "exact"
                row.line, row.left = [row.move], depth - 1  # no question had a window in which a line is the value's
            elif row.bound == "at least":
                row.value, row.bound = guess, "at most"

    def _pass_over(self, depth: int, low: int, high: int) -> int:
        """Search all root moves once with this window; returns the best value, as exact as the window allows."""
        work, tape, position = self.work, self.tape, self.run.position
        node = enter(tape, NOBODY, END, position.turn, depth, low, high)
        if not entered(work, 0):
            return 0
        best, decider, alpha = -INFINITY, NOBODY, low
        values: list[int] = []
        self.run.root_done = 0
        for number, row in enumerate(self.moves):
            start = int(work.nodes)
            floor = alpha
            asks = self.style == "scout" and number >= self.multipv and high - floor > 1
            value, child = self._value_of(row, depth, floor, floor + 1 if asks else high, node)
            if asks and not work.stopped and floor < value < high:
                leave(tape, child, ASIDE, -value, NOBODY)
                value, child = self._value_of(row, depth, floor, high, node)
            row.nodes += int(work.nodes) - start
            if work.stopped:
                return 0
            self.run.root_done += 1
            row.value = value
            row.bound = "at most" if value <= floor else "at least" if value >= high else "exact"
            if value > floor or not row.line:
                row.line, row.left = [row.move, *line(work, 1)], left_open(work, 1)
            values.append(value)
            if value > best:
                best, decider = value, child
            if len(values) >= self.multipv:
                alpha = max(low, sorted(values)[-self.multipv])
            if best >= high:
                break
        leave(tape, node, EXPANDED, best, decider)
        return best

    def _value_of(self, row: SearchedMove, depth: int, low: int, high: int, node: int) -> tuple[int, int]:
        child = int(enter(self.tape, node, row.move, row.whose, depth - 1, -high, -low))
        value = -int(
            self.descend(
                self.rules, self.tape, self.work, self.context, row.after, depth - 1, -high, -low, 1, child, NO_MOVE
            )
        )
        return value, child

    def _follow_lines(self, nodes: int) -> None:
        """Follow lines to their leaves: the best one's, and those of as many more moves as were asked for. `nodes`: what the
        search took. One that was stopped is not asked again."""
        if not self.leads:
            return
        measured = [row for row in self.moves if row.line and row.bound == "exact"]
        for place, row in enumerate(measured):
            known = Variation(row.line, row.left)
            if self.work.stopped or place >= self.multipv:
                whole = self.walker.as_the_table_has_it(known)
            else:
                whole = self.walker.to_leaf(known, row.value, self.context, 2 * nodes + SPARE)
            row.line, row.left = whole.moves, whole.left

    def _verified(self, found: DepthResult) -> bool:
        """Verify a win that was found with unsafe switches on, or behind the horizon, by a safe search to just that depth.
        If it is won, that search has the quickest win, and its line. Its nodes count apart, but within the limit, and never
        more than half of what is left: if that is not enough, nothing is claimed, and the search goes on."""
        value = int(found.value or 0)
        depth = WIN - abs(value)
        if depth > MAX_DEPTH:
            return False
        with self.run.aside(min(2 * int(self.work.nodes) + ASSURANCE, left_of(self.work) // 2)) as work:
            won = self._won_safely(found, value, depth, work)
        self.proof_nodes += int(work.nodes)
        return won

    def _won_safely(self, found: DepthResult, value: int, depth: int, work: Work) -> bool:
        """The safe search. Everything else of this root stays as it was, unless the win is sure."""
        context, mine, tape = self.context, self.work, self.tape
        self.work, self.tape, self.context = work, NoTape(), new_search_context(None)
        set_switches(self.context, {**dict(self.run.parameters), **dict.fromkeys(UNSAFE, 0)}, "window", self.margin)
        self.context.quiescence = self.context.check_extension = self.context.singular_extension = 0
        self.context.killers[:] = context.killers
        self.context.history[:] = context.history
        rows = [(row.value, row.bound, row.line, row.left, row.nodes) for row in self.moves]
        for row in self.moves:
            row.line = []
        low, high = (value - 1, INFINITY) if value > 0 else (-INFINITY, value + 1)
        true = self._pass_over(depth, low, high)
        won = not work.stopped and low < true < high
        for row, (kept, bound, moves, left, count) in zip(self.moves, rows, strict=True):
            row.nodes = count
            if not won:
                row.value, row.bound, row.line, row.left = kept, bound, moves, left
        if won:
            best = next(row for row in self.moves if row.value == true and row.bound == "exact")
            found.value = true
            self.moves.sort(key=lambda row: row is not best)
        self.context, self.tape, self.work = context, tape, mine
        return won


def set_switches(context: SearchContext, parameters: Any, style: Style, margin: int) -> None:
    """Write the parameters into the record that the kernel reads."""
    context.replacement = REPLACEMENTS.index(str(parameters["replacement"]))
    context.ordering = ORDERINGS.index(str(parameters["ordering"]))
    context.pvs = int(style == "scout")
    context.pawn = margin
    for name, column in SWITCHES.items():
        setattr(context, column, int(parameters[name]))


SWITCHES = {
    "quiescence": "quiescence",
    "null_move": "null_move",
    "check_extension": "check_extension",
    "singular_extension": "singular_extension",
    "late_move_reductions": "reductions",
    "futility": "futility",
    "beam": "beam",
    "probcut": "probcut",
}


def _measured(row: SearchedMove) -> int:
    return row.value if row.bound == "exact" else -WIN


def _counts(work: Work) -> tuple[int, int, int]:
    return int(work.nodes), int(work.leaves), int(work.evaluations) + int(work.guesses)


class HelperThreads:
    """Helper threads (lazy SMP): they search the same position and share the transposition table, through which the main
    thread profits."""

    def __init__(self, run: Run, descend: Descend, style: Style, table: Table | None, last: int) -> None:
        count = int(run.parameters["threads"]) - 1 if table is not None else 0
        self.run = run
        self.pool = np.zeros(1, np.int64)
        """The shared pool: how many nodes no thread has taken yet."""
        self.roots: list[Root] = []
        """The roots of the helper threads, added as each starts."""
        self.works = [new_work(seed=number + 1) for number in range(count)]
        self.threads = [
            threading.Thread(target=self._work, args=(descend, style, table, last, number), daemon=True)
            for number in range(count)
        ]

    def _work(self, descend: Descend, style: Style, table: Table | None, last: int, number: int) -> None:
        rules = self.run.new_rules()
        shadow = Run(self.run.position, self.run.limit, self.run.parameters, self.works[number], NoTape())
        root = Root(shadow, descend, style, rules, self.works[number], NoTape(), table)
        root.leads = False
        self.roots.append(root)
        root.moves = root.moves[number + 1 :] + root.moves[: number + 1]
        depth = 1 + number % 2
        while depth <= last and not self.works[number].stopped:
            root.search(depth)
            self.run.depths.wait_while_held()
            depth += 1

    @property
    def stats(self) -> Any:
        """The table counters of all helper threads, added up."""
        return sum((root.context.stats for root in self.roots), np.zeros((ROWS, COLUMNS), np.int64))

    def __enter__(self) -> HelperThreads:
        if self.threads and self.run.limit.nodes is not None:
            mine, left = self.run.work, left_of(self.run.work)
            share = left - left // (len(self.threads) + 1) * len(self.threads)  # what reports must not come away empty
            self.pool[0] = left - share
            for work, at_once in ((mine, share), *((work, 0) for work in self.works)):
                work.pool = self.pool.ctypes.data
                self.run.allow(work, int(work.nodes) + at_once)
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        mine = self.run.work
        for work in self.works:
            take_away(work)
        for thread in self.threads:
            thread.join()
        left, mine.pool = left_of(mine), 0
        for work in self.works:
            for name in ("nodes", "leaves", "evaluations", "cutoffs", "first_move_cutoffs"):
                mine[name] += work[name]
        if self.threads:
            self.run.allow(mine, int(mine.nodes) + left)
