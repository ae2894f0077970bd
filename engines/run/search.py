"""Runs a search in a background thread: live counters, a deadline, a way to stop it, and a report at the end."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter

import numpy as np

from engines import catalog
from engines.algorithm import Algorithm
from engines.compiled.kernel import jit_enabled, note_compiled
from engines.contract import (
    Counters,
    DepthRow,
    Glance,
    InputError,
    Limit,
    Report,
    RootMove,
    Setting,
    StoppedBy,
)
from engines.position import Position
from engines.rules import INFINITY, play
from engines.rules_chance import gains, side
from engines.run.background import Background
from engines.run.memory import Memory
from engines.run.report import Reporter
from engines.run.result import DepthResult, SearchResult
from engines.run.run import FinishedDepths, Run, clock_runs
from engines.run.work import END, counters, line, new_work, take_away, total
from engines.tape.tape import NOBODY, TERMINAL, AnyTape, NoTape, Tape, enter, leave, new_tape

_ready: set[str] = set()
"""The searches whose compiled code this process has in memory."""
HELD_SECONDS = 0.1
"""Seconds between two checks of the clock of a search that is held."""
LINE_SHOWN = 12
"""How many moves of the line that is being looked at are shown while a search runs."""


class Search(Background):
    """One run of an algorithm on a position under a limit, and its report."""

    def __init__(
        self,
        position: Position,
        algorithm: Algorithm,
        limit: Limit | None = None,
        parameters: Mapping[str, Setting] | None = None,
        seed: int = 0,
        tape: Tape | None = None,
        memory: Memory | None = None,
    ) -> None:
        if reason := catalog.misfit(algorithm, position):
            raise InputError(reason)
        catalog.check_limit(algorithm, limit or Limit())
        if tape is not None and not algorithm.records:
            raise InputError(f"{algorithm.id} keeps no tree, so there is nothing to record.")
        super().__init__(f"search-{algorithm.id}", new_work(seed))
        self.position = position
        self.algorithm = algorithm
        self.seed = seed
        defaults = catalog.read_settings(algorithm.parameters, {}, position.game.id)
        if unknown := set(parameters or {}) - set(defaults):
            raise InputError(f"{algorithm.id} has no parameter {', '.join(sorted(unknown))}.")
        self.run = Run(
            position=position,
            limit=limit or Limit(),
            parameters={**defaults, **(parameters or {})},
            work=self.work,
            tape=NoTape() if tape is None else tape,
            view=algorithm.view,
            memory=memory or Memory(),
        )
        if self.run.limit.nodes is not None:
            self.work.budget = self.run.limit.nodes
        self._reporter = Reporter(self.run, algorithm)
        self.found: SearchResult | None = None
        """The result in kernel terms, once the search has ended."""
        self._report: Report | None = None
        self._took: float | None = 0.0
        """Seconds of search time while the clock stands still: 0 until the compiled code is loaded; None while the search
        runs; at last the whole time."""
        self._glanced: list[tuple[DepthResult, DepthRow]] = []
        self._root_moves: tuple[RootMove, ...] = ()

    def stop(self, why: StoppedBy = "request") -> None:
        self.run.stop_requested = True
        super().stop(why)
        take_away(self.run.work)  # a second search, such as the one for the quickest win, has its own record
        for work in self.run.helpers:
            take_away(work)
        self.run.depths.hold(None)

    def hold(self, depth: int = 0) -> None:
        """Make the search wait as soon as this depth, or a later one, is finished. Waiting does not count against the
        limit."""
        self.run.depths.hold(depth)

    def go_on(self) -> None:
        """Let a held search go on."""
        self.run.depths.hold(None)

    @property
    def waiting(self) -> bool:
        """Whether the search is held and waits after a finished depth."""
        return self.run.depths.waits

    def elapsed(self) -> float:
        """Seconds of search time, without those in which code was loaded or the search was held."""
        took = self._took
        return took if took is not None else perf_counter() - self._began - self.run.depths.seconds_waited()

    def counters(self) -> Counters:
        """The counters of all its threads so far, added up."""
        return total(self.by_thread()) if self.run.helpers else super().counters()

    def by_thread(self) -> tuple[Counters, ...]:
        """The counters of each thread so far."""
        return tuple(counters(work) for work in (self.work, *self.run.helpers))

    @property
    def tape(self) -> AnyTape:
        """What the search is recorded on."""
        return self.run.tape

    def report(self) -> Report:
        """Wait for the end and return the result."""
        self.finish()
        assert self._report is not None
        return self._report

    def do(self) -> None:
        """Search until the limit or the stop. Compiling, or loading what is compiled, is not part of the search's time."""
        compile_seconds = self._get_ready()
        self._began, self._took = perf_counter(), None
        ended = threading.Event()
        self.run.hold_clock = self._hold_clock
        if self.run.limit.seconds is not None:
            threading.Thread(target=self._keep_time, args=(self.run.limit.seconds, ended), daemon=True).start()
        try:
            found = _game_over(self.run) if self.position.is_over else self.algorithm.search(self.run)
        finally:
            self._took = self.elapsed()
            # This breaks the reference cycle, so that the memory of a finished search is freed at once.
            self.run.hold_clock = clock_runs
            ended.set()
        self.found = found
        seconds = self._took + self.run.earlier_seconds
        self._report = self._reporter.report(found, self.counters(), self.seed, seconds, compile_seconds, self.stopped_by)

    def _hold_clock(self, held: bool) -> None:
        """What comes before the first node, such as taking memory, is no part of the search's time."""
        self._began, self._took = perf_counter(), 0.0 if held else None

    def _keep_time(self, seconds: float, ended: threading.Event) -> None:
        """Stop the search after so many seconds; those in which it is held do not count."""
        while (left := seconds - self.elapsed()) > 0:
            if ended.wait(max(left, HELD_SECONDS) if self.waiting else left):
                return
        self.stop("seconds")

    def glance(self) -> Glance:
        """A snapshot of the running search, cheap enough for 20 calls a second. To be called from one thread only."""
        found = [row for row in list(self.run.depths) if row.value is not None]
        same = 0
        while same < min(len(found), len(self._glanced)) and self._glanced[same][0] is found[same]:
            same += 1
        if same < len(found):
            self._glanced[same:] = [(row, self._reporter.depth_row(row)) for row in found[same:]]
            self._root_moves = tuple(self._reporter.root_move(row) for row in found[-1].root_moves)
        return Glance(
            counters=self.counters(),
            seconds=self.elapsed(),
            running=self.running,
            depth=self.run.depth,
            root_done=self.run.root_done,
            root_count=self.run.root_count,
            depths=tuple(row for _, row in self._glanced),
            root_moves=self._root_moves,
            by_thread=self.by_thread() if self.run.helpers else (),
            line=self._line_now() if self.algorithm.expands and self.running else (),
        )

    def _line_now(self) -> tuple[str, ...]:
        """The line being examined now. The search overwrites it while it is read, so only its legal beginning is
        returned."""
        game, state, texts = self.position.game, self.position.state, []
        for move in line(self.work)[:LINE_SHOWN]:
            if move not in game.legal_moves(state):
                break
            texts.append(game.move_text(state, move))
            state = play(game.rules, state, move)
        return tuple(texts)

    def _get_ready(self) -> float:
        """Load the compiled code: search the position once, two plies deep, and discard the result. Returns the seconds that
        took."""
        name = compiled_name(self.algorithm.id, self.position.game.code, isinstance(self.tape, Tape))
        variant = self.algorithm.variant(self.run.parameters) + ("-visits" if isinstance(self.run.visits, Tape) else "")
        if not jit_enabled() or name + variant in _ready or self.position.is_over:
            return 0.0
        began = perf_counter()
        tape = new_tape(1) if isinstance(self.tape, Tape) else NoTape()
        trial = replace(
            self.run,
            limit=self.algorithm.trial,
            work=new_work(),
            tape=tape,
            depths=FinishedDepths(),
            memory=Memory(most=1),
            helpers=[],
            rehearsal=True,
            watcher=None,
            visits=new_tape(1) if isinstance(self.run.visits, Tape) else NoTape(),
        )
        self.algorithm.search(trial)
        if not variant:
            note_compiled(name)
        _ready.add(name + variant)
        return perf_counter() - began


def compiled_name(algorithm: str, game: str, recorded: bool) -> str:
    """The name under which the cache notes that the code of a search is compiled."""
    return f"{algorithm}-{game}-{'tape' if recorded else 'plain'}"


def _game_over(run: Run) -> SearchResult:
    """The result of a search of a position where the game is over."""
    run.work.nodes = run.work.leaves = 1
    value, whose, game = run.position.result, run.position.turn, run.position.game
    over_by = whose if game.player_count <= 2 else int(side(run.rules, run.position.state))
    node = enter(run.tape, NOBODY, END, over_by, 0, -INFINITY, INFINITY)
    leave(run.tape, node, TERMINAL, whose * value if run.view == "first" else value, NOBODY)
    end = DepthResult(depth=0, value=value, exact=True, nodes=1, leaves=1)
    if game.player_count > 1:
        values = np.zeros(game.player_count)
        gains(run.rules, run.position.state, 0, values)
        end.values = tuple(map(float, values)) if game.player_count > 2 else ()
    return SearchResult(best=end, depths=[], stopped_by="game over")
