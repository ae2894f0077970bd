"""Retrograde analysis (Zermelo 1913, König 1927; Bellman 1965; Thompson's chess endings 1986)

**Idea.** Do not search from the position at hand: solve the whole game, from its ends backwards, once. Positions where the
game is over are known. A position is won if one move leads to a lost one, and lost if all moves lead to won ones; so what is
known spreads backwards, until nothing more is found. What is left is drawn. The table that remains answers every position
with its exact value and the number of plies to the end.

**In short.**

    mark every finished game with its result, distance 0
    repeat for n = 1, 2, 3 ... until nothing changes:
        won in n    if a move leads to one that is lost in n - 1
        lost in n   if all moves lead to won ones, the longest in n - 1
    everything else is a draw

Where no position can come twice, one pass is enough, if every position comes after all those that its moves lead to.
*Connect 4 and tic-tac-toe:* the positions that can be reached are found stone by stone, then solved from the full board
back. *Breakthrough:* all positions, ordered by the steps that White has left. *Chess endings* with three and four men can go
round in circles and are solved pass by pass, with the kings brought to a few standard places by turning and mirroring.

**Cost.** Every position of the game once or a few times, and a byte for each: 69,763,700 positions of Connect 4 on 5x5, a
few million for four chessmen. Nothing for each question after that. A board one row larger may not fit into any memory.

**Watch.** Every move has its exact value, not only the best. Small tables are built when they are first asked for, and kept
on the disk; larger ones by `plybench retrograde build`. Other searches use them with `tables=true`. Chess tables count plies
to mate and know nothing of the fifty moves: where these might come first, the value is not called proven. With a depth, only
wins and losses within so many plies are told.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from engines.algorithm import Algorithm
from engines.compiled.kernel import int64, kernel
from engines.contract import MAX_DEPTH, InputError, Parameter, StoppedBy
from engines.position import Position
from engines.rules import MAX_MOVES, ONGOING, WIN, WIN_EDGE, Rules, State, moves, play, result
from engines.rules_solved import behind
from engines.run.result import DepthResult, MoveResult, SearchResult
from engines.run.run import Run
from engines.run.work import Work
from engines.solved.registry import Build, SearchTables, how_to_build, is_quick, is_there, names_for, search_tables_for


@kernel
def look_behind(game: Rules, work: Work, state: State, values: Rules) -> int:
    """What each move is worth to the side that makes it, by the table; `ONGOING` if it does not know. The moves are in
    `work.moves[0]`. Returns how many there are, none if the work is stopped."""
    legal = work.moves[0]
    count = moves(game, state, legal)
    for i in range(count):
        if work.nodes >= work.budget:
            work.stopped = 1
            return int64(0)
        work.nodes += 1
        value = result(game, play(game, state, legal[i]))
        values[i] = behind(value) if value != ONGOING else int64(ONGOING)
    return count


class Reader:
    """Reads the table from one position on."""

    def __init__(self, tables: SearchTables, position: Position, work: Work) -> None:
        self.rules, self.game, self.work = tables.with_tables(position.game.rules_for(position)), position.game, work
        self._values = np.zeros(MAX_MOVES, np.int64)

    def moves(self, state: State) -> dict[int, int]:
        """Every move that the table knows, with its value for the side that makes it, in the game's own order."""
        count = int(look_behind(self.rules, self.work, state, self._values))
        pairs = zip(self.work.moves[0, :count].tolist(), self._values[:count].tolist(), strict=True)
        return {move: value for move, value in pairs if value != ONGOING}

    def line(self, state: State, most: int) -> list[int]:
        """Best play to the end; of a game that is drawn and can go round in circles the best move alone."""
        line: list[int] = []
        while len(line) < most and (found := self.moves(state)):
            best = max(found, key=lambda move: found[move])
            line.append(best)
            if not found[best] and self.game.remembers:
                break  # it could go on for ever
            state = play(self.rules, state, best)
            if result(self.game.rules, state) != ONGOING:
                break
        return line


def search(run: Run) -> SearchResult:
    """Look the position up; build the table first if it is a small one."""
    began, position, found = perf_counter(), run.position, DepthResult(depth=0)
    if run.rehearsal:
        look_behind(run.rules, run.work, position.state, np.zeros(MAX_MOVES, np.int64))
        return SearchResult(best=found, depths=run.depths, stopped_by="request")
    unknown = SearchResult(best=found, depths=run.depths, stopped_by="request")
    if not have_tables(run):
        return unknown
    reader, state = Reader(search_tables_for(position), position, run.work), position.state
    known = reader.moves(state)
    exact = len(known) == len(position.game.legal_moves(state))
    if not exact and not run.work.stopped:  # the fifty moves might come first
        state = position.game.timeless(state)
        known = reader.moves(state)
    if run.work.stopped:
        return unknown
    found.value = max(known.values())
    plies = WIN - abs(found.value) if abs(found.value) >= WIN_EDGE else 0
    with run.aside() as work:
        found.line = Reader(search_tables_for(position), position, work).line(state, plies or MAX_DEPTH)
    found.cut_short = bool(work.stopped)
    found.root_moves = [MoveResult(move, value, "exact", 1, [move]) for move, value in known.items()]
    found.root_moves.sort(key=lambda row: -row.value)
    found.exact, found.depth = exact, plies
    too_far = run.limit.depth is not None and plies > run.limit.depth
    if too_far:  # whoever asks for so many plies gets no answer from behind them
        found = DepthResult(depth=run.limit.depth or 0)
    run.work.leaves = len(known)
    found.nodes, found.leaves, found.seconds = int(run.work.nodes), int(run.work.leaves), perf_counter() - began
    run.depths.append(found)
    stopped_by: StoppedBy = "depth" if too_far else "solved" if exact else "table"
    caution = "" if exact else position.game.past_that_matters(position.state)
    return SearchResult(best=found, depths=run.depths, stopped_by=stopped_by, line_nodes=int(work.nodes), caution=caution)


def have_tables(run: Run) -> bool:
    """Build missing tables if that takes only seconds; False if it was stopped. An InputError if it would take longer."""
    names, game = names_for(run.position), run.position.game
    missing = [name for name in names if not is_there(name)]
    for name in missing:
        if not is_quick(game, name):
            raise InputError(f"The table {name} is not built yet; {how_to_build(game, name)} does it.")
    threads = 1 if run.limit.nodes is not None else int(run.parameters["threads"]) or None
    build = Build(game, missing, threads, run.work)
    run.helpers.extend(build.workers.helpers)
    build.do()
    return not build.stopped


ALGORITHM = Algorithm(
    id="retrograde",
    name="Retrograde analysis",
    year=1986,
    summary="the whole game solved backwards from its ends: every move looked up, exactly",
    family="whole",
    needs=("alternating", "table"),
    search=search,
    steps={
        "target": "mark every finished game",
        "layer": "repeat for n",
        "one edge": "if a move leads",
        "all edges": "if all moves lead",
        "ended": "everything else is a draw",
    },
    ends_by_itself=True,
    by_layers=True,
    records=False,
    parameters=(
        Parameter(
            name="threads", default=0, low=0, high=64, sentence="How many threads build tables; 0: one for each core."
        ),
    ),
)
