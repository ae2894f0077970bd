"""Runs a search in a thread of its own: live counters, a deadline, a stop slot, and a report at the end."""

from __future__ import annotations

import contextlib
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Self

import numpy as np

from engines import catalog
from engines.algorithm import Algorithm, Finished, Found, FoundDepth, FoundMove, FoundNode, Run, clock_runs
from engines.contract import (
    Answer,
    Bound,
    Counters,
    DepthRow,
    Glance,
    InputError,
    LevelRow,
    Limit,
    NodeRow,
    Outcome,
    Report,
    RootMove,
    Setting,
    StoppedBy,
)
from engines.game import Position, distance
from engines.intervals import student, wilson
from engines.kernel import jit_enabled, note_compiled
from engines.parts.playout import reward
from engines.parts.proof_numbers import INFINITE, lean
from engines.parts.sample_tree import MEAN
from engines.parts.table import Memory
from engines.parts.tape import NOBODY, TERMINAL, AnyTape, NoTape, Tape, enter, leave, new_tape
from engines.parts.work import END, Work, counters, line, new_work, take_away, total
from engines.rules import INFINITY, WIN_EDGE, play
from engines.stakes import gains, side, stake

_ready: set[str] = set()
"""The searches whose compiled code this process has in memory."""
HELD_SECONDS = 0.1
"""How often the clock of a search that is held is looked at."""
LINE_SHOWN = 12
"""So many moves of the line that is looked at now are shown while a search runs."""
NICENESS = 10
"""Search threads give way to the screen: without this, two searches on two cores starve it."""


class Background(ABC):
    """Compiled work in a thread of its own: start it, watch its counters, stop it, wait for it."""

    def __init__(self, name: str, work: Work) -> None:
        self.work = work
        self.told_by: StoppedBy | None = None
        """Who stopped it, if somebody did."""
        self.seconds = 0.0
        """How long the work itself took, once it has ended."""
        self._began = 0.0
        self._error: BaseException | None = None
        self._ended = threading.Event()  # not Thread.join: interrupted by Ctrl-C, it takes a running thread for ended
        self._name = name

    @abstractmethod
    def do(self) -> None:
        """The work. It runs in the thread and ends soon after the budget is taken away."""

    def start(self) -> Self:
        """Begin. Returns at once."""
        self._began = perf_counter()
        threading.Thread(target=self._run, name=self._name, daemon=True).start()
        return self

    def here(self) -> Self:
        """Do it now, in the thread of whoever asks: many small ones after another then spend no time on threads."""
        self._began = perf_counter()
        self._carry_out()
        return self

    def stop(self, why: StoppedBy = "request") -> None:
        """Take the budget away: the work ends at its next node."""
        if self.told_by is None:
            self.told_by = why
        take_away(self.work)

    @property
    def running(self) -> bool:
        """It has been started and has not ended."""
        return self._began > 0 and not self._ended.is_set()

    def elapsed(self) -> float:
        """Seconds since the start; the whole time once it has ended."""
        return perf_counter() - self._began if self.running else self.seconds

    def counters(self) -> Counters:
        """What it has counted by now; may be read from any thread at any time."""
        return counters(self.work)

    def join(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most so long; True if it has ended."""
        return self._ended.wait(seconds)

    def finish(self) -> None:
        """Wait for the end. What went wrong in the thread is raised here."""
        self._ended.wait()
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        _be_nice()
        self._carry_out()

    def _carry_out(self) -> None:
        try:
            self.do()
        except BaseException as error:  # noqa: BLE001 - handed over to whoever waits: see finish
            self._error = error
        self.seconds = perf_counter() - self._began
        self._ended.set()


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
        self._position_text = position.text  # now, while nobody waits for the end: a large tree takes a while to write
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
        self.found: Found | None = None
        """What was found, in moves and values of the kernels, once it has ended."""
        self._report: Report | None = None
        self._took: float | None = 0.0
        """How long the search has taken, where that does not grow: 0 until its code is in memory; then None; at last all."""
        self._glanced: list[tuple[FoundDepth, DepthRow]] = []
        self._root_moves: tuple[RootMove, ...] = ()

    def stop(self, why: StoppedBy = "request") -> None:
        self.run.told = True
        super().stop(why)
        take_away(self.run.work)  # while the quickest win is looked for, the search works on a second record
        for work in self.run.helpers:
            take_away(work)
        self.run.depths.hold(None)

    def hold(self, depth: int = 0) -> None:
        """Wait as soon as this depth, or the first one after it, is finished. Waiting takes nothing of the limit."""
        self.run.depths.hold(depth)

    def go_on(self) -> None:
        """Wait no longer."""
        self.run.depths.hold(None)

    @property
    def waiting(self) -> bool:
        """It is held, and the depth that it was at is finished."""
        return self.run.depths.waits

    def elapsed(self) -> float:
        """Seconds that it has searched: neither those in which its code was loaded nor those in which it was held count."""
        took = self._took
        return took if took is not None else perf_counter() - self._began - self.run.depths.seconds_waited()

    def counters(self) -> Counters:
        """What all its threads have counted by now."""
        return total(self.by_thread()) if self.run.helpers else super().counters()

    def by_thread(self) -> tuple[Counters, ...]:
        """What each thread has counted by now."""
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
        found_out = threading.Event()
        self.run.hold_clock = self._hold_clock
        if self.run.limit.seconds is not None:
            threading.Thread(target=self._keep_time, args=(self.run.limit.seconds, found_out), daemon=True).start()
        try:
            found = _game_over(self.run) if self.position.is_over else self.algorithm.search(self.run)
        finally:
            self._took = self.elapsed()
            self.run.hold_clock = clock_runs  # no circle keeps the memory of a search that nobody needs any more
            found_out.set()
        self.found = found
        self._report = self._as_report(found, self._took + self.run.earlier_seconds, compile_seconds)

    def _hold_clock(self, held: bool) -> None:
        """What comes before the first node, such as taking memory, is no part of the search's time."""
        self._began, self._took = perf_counter(), 0.0 if held else None

    def _keep_time(self, seconds: float, found_out: threading.Event) -> None:
        """Stop the search after so many seconds; those in which it is held do not count."""
        while (left := seconds - self.elapsed()) > 0:
            if found_out.wait(max(left, HELD_SECONDS) if self.waiting else left):
                return
        self.stop("seconds")

    def glance(self) -> Glance:
        """What it has done and found by now; cheap enough for 20 times a second. To be asked from one thread only."""
        found = [row for row in list(self.run.depths) if row.value is not None]
        same = 0
        while same < min(len(found), len(self._glanced)) and self._glanced[same][0] is found[same]:
            same += 1
        if same < len(found):
            self._glanced[same:] = [(row, self._depth_row(row)) for row in found[same:]]
            self._root_moves = tuple(self._root_move(row) for row in found[-1].root_moves)
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
        """The line that is looked at now. The search writes it while it is read, so only what is legal of it counts."""
        game, state, texts = self.position.game, self.position.state, []
        for move in line(self.work)[:LINE_SHOWN]:
            if move not in game.legal_moves(state):
                break
            texts.append(game.move_text(state, move))
            state = play(game.rules, state, move)
        return tuple(texts)

    def _get_ready(self) -> float:
        """Have the compiled code in memory: search the position once, two plies deep, and forget it. Returns seconds."""
        name = compiled_name(self.algorithm.id, self.position.game.code, isinstance(self.tape, Tape))
        variant = self.algorithm.variant(self.run.parameters)
        if not jit_enabled() or name + variant in _ready or self.position.is_over:
            return 0.0
        began = perf_counter()
        tape = new_tape(1) if isinstance(self.tape, Tape) else NoTape()
        trial = replace(
            self.run,
            limit=self.algorithm.trial,
            work=new_work(),
            tape=tape,
            depths=Finished(),
            memory=Memory(most=1),
            helpers=[],
            rehearsal=True,
        )
        self.algorithm.search(trial)
        if not variant:
            note_compiled(name)
        _ready.add(name + variant)
        return perf_counter() - began

    def _as_report(self, found: Found, seconds: float, compile_seconds: float) -> Report:
        """Say in notation, and from the first player's side, what was found."""
        position, game, best = self.position, self.position.game, found.best
        counted = self.counters()
        over = found.stopped_by == "game over"
        exact = best.exact and (self.algorithm.judges or over)
        value = self._believed(best)
        outcome, plies = self._decided(best.value, found.knows_distance or over) if exact else (None, None)
        iterates, sampled, sign = self.algorithm.iterates, self.algorithm.samples, position.turn
        return Report(
            game=game.id,
            size=game.size,
            options=game.options,
            position=self._position_text,
            algorithm=self.algorithm.id,
            parameters=dict(self.run.parameters),
            limit=self.run.limit,
            seed=self.seed,
            value=value,
            exact=exact,
            outcome=outcome,
            distance=plies,
            best_move=game.move_text(position.state, best.line[0]) if best.line else None,
            pv=game.line_text(position.state, best.line),
            pv_cut_short=best.cut_short,
            depth=found.depths[-1].depth if found.depths else 0,
            nodes=counted.nodes,
            leaves=counted.leaves,
            evaluations=counted.evaluations,
            cutoffs=counted.cutoffs,
            first_move_cutoffs=counted.first_move_cutoffs,
            selective_depth=counted.selective_depth,
            distance_nodes=found.distance_nodes,
            line_nodes=found.line_nodes,
            seconds=seconds,
            compile_seconds=compile_seconds,
            nodes_per_second=(counted.nodes + found.distance_nodes + found.line_nodes) / seconds if seconds > 0 else 0.0,
            iterations=counted.iterations if iterates else None,
            playouts=counted.playouts if sampled else None,
            std_error=self._spread(best.error),
            interval=self._interval(best.value, best.samples, best.error),
            values=self._values(best.values),
            spread=self._width(best.spread),
            chance_nodes=counted.chance_nodes,
            tree_nodes=counted.tree_nodes if self.algorithm.means or self.algorithm.expands else None,
            tree_depths=found.tree_depths,
            playout_plies=found.playout_plies,
            by_thread=found.by_thread,
            levels=tuple(
                LevelRow(
                    level=row.level, searches=row.searches, mean=row.mean * sign / game.unit, best=self._value(row.best)
                )
                for row in found.levels
            ),
            proof=finite(best.proof),
            disproof=finite(best.disproof),
            answers=tuple(Answer(question=game.question(row.target), yes=row.yes, nodes=row.nodes) for row in found.answers),
            regions=tuple(self._node_row(row) for row in found.regions),
            caution=found.caution or self._guessed(exact, counted, best.depth),
            stopped_by=self._reason(found),
            table=found.table,
            depths=tuple(self._depth_row(row) for row in found.depths if row.value is not None),
            root_moves=tuple(self._root_move(row) for row in best.root_moves),
            tape_nodes=self._on_tape(counted.nodes),
        )

    def _guessed(self, exact: bool, counted: Counters, depth: int) -> str:
        """What was taken for 0 as nobody has said what it is worth."""
        if exact or not self.algorithm.judges or self.algorithm.means or not counted.evaluations:
            return ""
        plies = None if self.algorithm.iterates else depth
        return self.position.game.without_evaluation(self.position.state, plies)

    def _on_tape(self, nodes: int) -> int | None:
        """How many nodes are on the tape. One that the stop refused was not searched; a proof is spelled out further."""
        if not isinstance(self.tape, Tape):
            return None
        return int(self.tape.size[0]) if self.algorithm.proves else min(int(self.tape.size[0]), nodes)

    def _believed(self, row: FoundDepth) -> float | None:
        """The value of a row as people see it. Of a question that is open, which way its numbers lean, from -1 to 1."""
        if row.proof is not None and row.disproof is not None and not row.exact:
            return round(lean(row.proof, row.disproof), 6)
        return None if row.value is None else self._value(row.value)

    def _value(self, value: float) -> float:
        """A value for the side to move as people see it."""
        game, sign = self.position.game, self.position.turn
        if self.algorithm.expects or self.algorithm.vectors:
            return self._payoff(sign * value)
        if not self.algorithm.means:
            return game.shown_value(sign * int(value))
        if self.position.is_over:
            return game.shown_mean(float(reward(game.rules, sign * value)))
        return round(game.shown_mean((value if sign > 0 else MEAN - value) / MEAN), 6)

    def _payoff(self, value: float) -> float:
        """An expectation for the first player, or one player's value, as people see it; of a finished game its result."""
        game = self.position.game
        if self.position.is_over and (self.algorithm.expects or game.has_chance):
            value = float(stake(game.rules, int(value)))
        return round(game.shown_payoff(value), 12) + 0.0

    def _values(self, values: Sequence[float]) -> tuple[float, ...]:
        """What each player gets."""
        return tuple(self._payoff(value) for value in values)

    def _width(self, spread: float | None) -> float | None:
        """A standard deviation on the scale of the values that people see."""
        return None if spread is None else round(abs(self.position.game.shown_payoff(spread)), 12)

    def _spread(self, error: float | None) -> float | None:
        """A standard error on the scale of the values that people see."""
        game = self.position.game
        return None if error is None else round(error * (game.shown_mean(1.0) - game.shown_mean(0.0)), 6)

    def _interval(self, value: float | None, count: int | None, error: float | None) -> tuple[float, float] | None:
        """Where the true mean of so many results is with a confidence of 95 %, for the first player."""
        if value is None or not count or not self.algorithm.means:
            return None
        mean, bounded = value / MEAN, self.position.game.means_are_bounded
        found = wilson(mean, count) if bounded else student(mean, count, error)
        if found is None:
            return None
        low, high = sorted(self._value(round(end * MEAN)) for end in found)
        return low, high

    def _decided(self, value: float | None, knows_distance: bool) -> tuple[Outcome | None, int | None]:
        """Who wins by an exact value for the side to move, and in how many plies."""
        game, sign = self.position.game, self.position.turn
        if value is None or not game.has_winner or game.player_count > 2:
            return None, None
        if game.has_chance and not self.position.is_over and not self.algorithm.means:
            sure = abs(self._value(value)) > CERTAIN
            return ("first" if sign * value > 0 else "second") if sure else None, None
        if self.algorithm.means and not self.position.is_over:
            first = self._value(value)
            return ("first" if first > 0 else "second" if first < 0 else "draw"), None
        value = round(value) * sign
        return game.outcome(value), distance(value) if abs(value) >= WIN_EDGE and knows_distance else None

    def _reason(self, found: Found) -> StoppedBy:
        """Why it ended: if it was stopped, who told it, else the node limit."""
        if found.stopped_by != "request":
            return found.stopped_by
        return self.told_by or "nodes"

    def _depth_row(self, row: FoundDepth) -> DepthRow:
        state, game = self.position.state, self.position.game
        value = self._believed(row)
        assert value is not None
        pv = game.line_text(state, row.line)
        return DepthRow(
            depth=row.depth,
            value=value,
            best_move=pv[0] if pv else None,
            pv=pv,
            nodes=row.nodes,
            leaves=row.leaves,
            seconds=row.seconds,
            table=row.table,
            pv_cut_short=row.cut_short,
            iterations=row.iterations,
            std_error=self._spread(row.error),
            interval=self._interval(row.value, row.samples, row.error),
            proof=finite(row.proof),
            disproof=finite(row.disproof),
            question=None if row.target is None else game.question(row.target),
            values=self._values(row.values),
            spread=self._width(row.spread),
            counted=row.counted,
        )

    def _node_row(self, row: FoundNode) -> NodeRow:
        game = self.position.game
        state = self.position.state._replace(node=row.node)
        return NodeRow(
            node=game.node_name(row.node),
            owner="first" if row.owner > 0 else "second",
            layer=row.layer,
            value=None if row.value is None else game.shown_value(row.value),
            winner=None if row.value is None else game.outcome(row.value),
            move=None if row.move is None else game.move_text(state, row.move),
        )

    def _root_move(self, row: FoundMove) -> RootMove:
        game, sign = self.position.game, self.position.turn
        bound = row.bound if sign > 0 else OTHER_WAY[row.bound]
        value = self._value(row.value)
        if row.proof is not None and row.disproof is not None:
            value = round(lean(row.proof, row.disproof), 6)
        return RootMove(
            move=game.move_text(self.position.state, row.move),
            value=value,
            bound=bound,
            nodes=row.nodes,
            visits=row.visits,
            std_error=self._spread(row.error),
            interval=self._interval(row.value, row.visits, row.error),
            proven=PROVEN.get(row.proven),
            proof=finite(row.proof),
            disproof=finite(row.disproof),
            values=self._values(row.values),
            spread=self._width(row.spread),
            likelihood=game.likelihood(self.position.state, row.move),
            pv=game.line_text(self.position.state, row.line) if row.bound == "exact" else (),
            pv_cut_short=row.cut_short and row.bound == "exact",
        )


CERTAIN = 1.0 - 1e-9
"""What a game of chance comes to, from -1 to 1, if it is won for certain."""
PROVEN: dict[int, Outcome] = {1: "first", -1: "second", 2: "draw"}
"""Proven results of moves that were sampled, in words."""
OTHER_WAY: dict[Bound, Bound] = {"exact": "exact", "at most": "at least", "at least": "at most"}
"""A bound for one player, seen from the other's side."""


def finite(number: int | None) -> int | None:
    """A proof number, if it is one and not infinite."""
    return None if number is None or number >= INFINITE else number


def compiled_name(algorithm: str, game: str, recorded: bool) -> str:
    """What the compiled form of a search is called in the notes of the cache."""
    return f"{algorithm}-{game}-{'tape' if recorded else 'plain'}"


def _game_over(run: Run) -> Found:
    """What there is to say about a position without moves."""
    run.work.nodes = run.work.leaves = 1
    value, whose, game = run.position.result, run.position.turn, run.position.game
    over_by = whose if game.player_count <= 2 else int(side(run.rules, run.position.state))
    node = enter(run.tape, NOBODY, END, over_by, 0, -INFINITY, INFINITY)
    leave(run.tape, node, TERMINAL, whose * value if run.view == "first" else value, NOBODY)
    end = FoundDepth(depth=0, value=value, exact=True, nodes=1, leaves=1)
    if game.player_count > 1:
        values = np.zeros(game.player_count)
        gains(run.rules, run.position.state, 0, values)
        end.values = tuple(map(float, values)) if game.player_count > 2 else ()
    return Found(best=end, depths=[], stopped_by="game over")


def _be_nice() -> None:
    """Lower the priority of this thread, where the system can do that for a thread alone."""
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # no thread priorities here: the search runs at the usual one
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
