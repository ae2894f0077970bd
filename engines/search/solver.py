"""Solver (null windows: Pearl 1980; zugzwang in Connect 4: Allis 1988; score by score: Pons 2015)

**Idea.** Do not ask what a position is worth; ask if it is worth more than some limit. Such a question has two answers, so
its search cuts more than any other. A few questions close in on the value: is it a win? Is it a win in 12 plies? In 10?
And a game knows things about itself that no search needs to find out again.

**In short.**

    until the least and the most it can be worth are the same:
        ask, about some value between them:
            exceeds(position, value):
                the game or the table knows? that is the answer
                for each sensible move:
                    not exceeds(position behind it, -value)?
                        then yes, and store that
                no, and store that

What the games know. *Connect 4:* an open threat must be answered; no stone goes under a threat; wins too early or too late
for the question are none; and whoever answers every stone in its own column gets every second cell, from the top, so much
is decided by zugzwang long before the board is full. *Breakthrough:* a pawn one step from the goal must be captured, and a
pawn that nobody can stop any more wins the race if it is ahead.

**Cost.** Connect 4 is solved from the empty board in under a minute, Breakthrough on 5x5 and 6x4 too. The table never lies:
an entry identifies its position completely.

**Watch.** The answer is a proof, for the side to move, with the number of plies; there is no evaluation and no horizon. A
depth limits what is looked for to wins and losses within so many plies. Other moves than the best are only known to be no
better, unless `all_moves` is on.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from engines.algorithm import Algorithm
from engines.contract import Bound, Parameter
from engines.parts.solving.bounds import new_table
from engines.parts.solving.questions import (
    MOVE,
    POINTS,
    SideBoards,
    dated,
    extent,
    looked_up,
    move_value,
    new_solver_stack,
    played,
    plies,
    prove,
    question,
    question_behind,
    seen,
    table_counters,
    tries,
    wins_at_once,
)
from engines.rules import ONGOING, State, play, result, turn
from engines.run.result import DepthResult, MoveResult, SearchResult
from engines.run.run import Run
from engines.run.work import END, Work, entered
from engines.tape.tape import CUT, EXPANDED, NOBODY, TABLE, TERMINAL, AnyTape, NoTape, enter, leave


@dataclass
class BoundedMove:
    """A move, the position behind it, and the least and the most the move can be worth to the side that makes it."""

    move: int
    state: State
    sides: SideBoards
    low: int
    high: int
    is_end: bool
    nodes: int = 0


class Solver:
    """What all questions of one search share: the game's knowledge and the table."""

    def __init__(self, run: Run) -> None:
        self.position = run.position
        self.rules = run.rules
        self.game: Any = run.position.game.knowledge()
        megabytes = int(run.parameters["table"])
        self.table = new_table(megabytes if run.memory.most is None else min(megabytes, run.memory.most))
        run.prefault(self.table)
        self.stack = new_solver_stack(self.table)

    def extent(self, state: State) -> tuple[int, int]:
        """The least and the most that a position can be worth at all."""
        low, high = extent(self.game, seen(self.game, state))
        return int(low), int(high)

    def options(self, state: State) -> list[BoundedMove]:
        """All moves of a position, the most promising first."""
        whose = int(turn(self.rules, state))
        count = int(tries(self.game, seen(self.game, state), self.extent(state)[1], self.stack.moves[0]))
        best = [int(played(self.game, int(move) & MOVE, whose)) for move in self.stack.moves[0, :count]]
        legal = self.position.game.legal_moves(state)
        return [self._option(move, state) for move in sorted(legal, key=lambda move: [*best, move].index(move))]

    def _option(self, move: int, before: State) -> BoundedMove:
        state = play(self.rules, before, move)
        sides, ended = seen(self.game, state), int(result(self.rules, state))
        if ended != ONGOING:
            value = self.extent(before)[1] if ended else 0
            return BoundedMove(move, state, sides, value, value, is_end=True)
        low, high = self.extent(state)
        if wins_at_once(self.game, sides):
            low = high
        return BoundedMove(
            move, state, sides, int(move_value(self.game, high)), int(move_value(self.game, low)), is_end=False
        )

    def consult(self, option: BoundedMove) -> None:
        """Note with a move what the table knows of the position behind it."""
        if not option.is_end and option.low < option.high:
            low, high = looked_up(self.game, self.stack, self.table, option.sides)
            option.low = max(option.low, int(move_value(self.game, high)))
            option.high = min(option.high, int(move_value(self.game, low)))


class Choice:
    """A position whose moves are asked about one by one from Python, so that what is found out about each is known."""

    def __init__(self, solver: Solver, state: State, work: Work, tape: AnyTape) -> None:
        self.solver, self.work, self.tape = solver, work, tape
        self.sides: SideBoards = seen(solver.game, state)
        self.whose = int(turn(solver.rules, state))
        self.options = solver.options(state)

    @property
    def low(self) -> int:
        """The least the position is worth."""
        return max(option.low for option in self.options)

    @property
    def high(self) -> int:
        """The most it is worth."""
        return max(option.high for option in self.options)

    def dated(self, value: int) -> int:
        """A value as all searches write it."""
        return int(dated(self.solver.game, self.sides, value, 0))

    def ask(self, value: int, options: list[BoundedMove] | None = None) -> None:
        """Is one of the moves (or of these moves) worth more than this? Returns without an answer if the work is stopped."""
        work, tape, game = self.work, self.tape, self.solver.game
        node = enter(tape, NOBODY, END, self.whose, 0, self.dated(value), self.dated(value + 1))
        if not entered(work, 0):
            return
        best, decider, kind = -POINTS - 1, NOBODY, EXPANDED
        options = self.options if options is None else options
        for option in options:
            self.solver.consult(option)
        for option in sorted(options, key=lambda option: option.low <= value):
            start = int(work.nodes)
            child = enter(tape, node, option.move, -self.whose, 0, -self.dated(value + 1), -self.dated(value))
            if option.low > value or option.high <= value:
                if not entered(work, 1):
                    return
                worth = option.low if option.low > value else option.high
                work.leaves += 1
                leave(tape, child, TERMINAL if option.is_end else TABLE, -self.dated(worth), NOBODY)
            else:
                stack, table, its_ask = self.solver.stack, self.solver.table, question_behind(game, value)
                answer = prove(game, tape, work, stack, table, option.sides, its_ask, -self.whose, child)
                if work.stopped:
                    return
                worth = int(move_value(game, answer))
                if worth > value:
                    option.low = worth
                else:
                    option.high = worth
            option.nodes += int(work.nodes) - start
            if worth > best:
                best, decider = worth, child
            if worth > value:
                work.cutoffs += 1
                kind = CUT
                break
        leave(tape, node, kind, self.dated(best), decider)

    def settle(self, low: int, high: int, options: list[BoundedMove] | None = None) -> None:
        """Ask until it is known which value from `low` to `high`, the least and the most it can be, is the true one."""
        among = self.options if options is None else options
        while not self.work.stopped:
            low = max(low, *(option.low for option in among))
            high = min(high, max(option.high for option in among))
            if low >= high:
                return
            self.ask(int(question(self.solver.game, low, high)), options)

    def best(self) -> BoundedMove | None:
        """The first move that is known to be worth what the position is worth; None if no value is known."""
        return next((option for option in self.options if option.low == self.high), None)


def search(run: Run) -> SearchResult:
    """Close in on the value; then find the line, and the other moves' values if they are wanted."""
    began = perf_counter()
    solver = Solver(run)
    root = Choice(solver, run.position.state, run.work, run.tape)
    if run.limit.depth is None:
        root.settle(-POINTS, POINTS)
    else:
        settle_within(root, run.limit.depth)
    if not run.work.nodes and not run.work.stopped:
        root.ask(root.low - 1)  # no question was open: all moves end the game at once, or allow it
    if root.low == root.high and run.parameters["all_moves"]:
        for option in root.options:
            root.settle(-POINTS, POINTS, [option])
    found = DepthResult(depth=0, nodes=int(run.work.nodes), leaves=int(run.work.leaves))
    found.root_moves = described(root, run)
    result = SearchResult(best=found, depths=run.depths, stopped_by="request")
    conclude(run, root, result)
    found.seconds = perf_counter() - began
    found.table = result.table = table_counters(solver.stack, solver.table)
    if found.value is not None and not run.work.stopped:
        run.depths.append(found)
    return result


def settle_within(root: Choice, depth: int) -> None:
    """Find out whether the position is won or lost within so many plies, and if it is, its value."""
    low, high = root.low, root.high
    game = root.solver.game
    quick_win = next((value for value in range(1, high + 1) if plies(game, root.sides, value) <= depth), high + 1)
    quick_loss = next((value for value in range(-1, low - 1, -1) if plies(game, root.sides, value) <= depth), low - 1)
    if quick_win <= high and not root.work.stopped:
        root.ask(quick_win - 1)
    if root.low < quick_win and quick_loss >= low and not root.work.stopped:
        root.ask(quick_loss)
    if root.low >= quick_win or root.high <= quick_loss:
        root.settle(-POINTS, POINTS)


def conclude(run: Run, root: Choice, found: SearchResult) -> None:
    """Say what is proven: the value and the line; or only who wins, if the search was stopped before it knew how soon."""
    low, high, best = root.low, root.high, found.best
    if low == high:
        best.value, best.exact = root.dated(low), True
        found.stopped_by = "request" if run.work.stopped else "solved"
        best.line, best.cut_short, found.distance_nodes = line_from(run, root, low)
        best.depth = len(best.line)
        for row in best.root_moves:
            row.line = best.line if [row.move] == best.line[:1] else []
    elif low > 0 or high < 0:
        best.value, best.exact, found.knows_distance = root.dated(low if low > 0 else high), True, False
        best.line = [option.move for option in root.options if option.low > 0][:1]
        best.cut_short = True
    elif not run.work.stopped:
        best.value, best.depth, found.stopped_by = 0, run.limit.depth or 0, "depth"


def described(root: Choice, run: Run) -> list[MoveResult]:
    """What is known of each move, in the game's own order."""
    rows = {}
    for option in root.options:
        bound: Bound = "exact" if option.low == option.high else "at least" if option.low > 0 else "at most"
        value = option.low if option.low > 0 else option.high
        rows[option.move] = MoveResult(option.move, root.dated(value), bound, option.nodes)
    return [rows[move] for move in run.position.game.legal_moves(run.position.state)]


def line_from(run: Run, root: Choice, value: int) -> tuple[list[int], bool, int]:
    """Best play to the end of the game, whether the search was stopped before that, and how many nodes it took to find:
    along the line the same questions are asked again, and the table knows most of the answers."""
    with run.aside() as work:
        moves = _best_play(root, value, work)
    return moves, bool(work.stopped), int(work.nodes)


def _best_play(root: Choice, value: int, work: Work) -> list[int]:
    """The moves of that line, as far as the work is not stopped."""
    solver, choice, moves = root.solver, root, list[int]()
    while True:
        option = choice.best()
        if option is None and not work.stopped:
            choice.ask(value - 1)
            option = choice.best() or next((option for option in choice.options if option.low == value), None)
        if option is None:
            break
        moves.append(option.move)
        if option.is_end:
            break
        value = next(behind for behind in range(-POINTS, POINTS + 1) if move_value(solver.game, behind) == value)
        choice = Choice(solver, option.state, work, NoTape())
    return moves


ALGORITHM = Algorithm(
    id="solver",
    name="Solver",
    year=2015,
    summary="proves the exact value with a game's own knowledge",
    family="proof",
    steps={
        "root": "ask, about some value",
        "entered": "exceeds(position, value):",
        "leaf": "the game or the table knows?",
        "returned": "not exceeds(position behind it",
        "raised": "then yes, and store that",
        "cut": "then yes, and store that",
        "left": "no, and store that",
    },
    needs=("alternating", "knowledge"),
    search=search,
    ends_by_itself=True,
    parameters=(
        Parameter(
            name="table", default=256, low=1, high=65536, sentence="The size of the table of positions, in megabytes."
        ),
        Parameter(
            name="all_moves",
            default=False,
            sentence="Find the exact value of every move. Off: of all but the best, only that they are no better.",
        ),
    ),
    asks_questions=True,
    asks_rules_first=True,
)
