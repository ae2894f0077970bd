"""Iterative deepening (alpha-beta with everything that engines add to it; the parts date from 1956 to the 1990s)

**Idea.** Search to depth 1, then 2, then 3. Each depth costs a few times the one before, so the shallow ones are cheap; and
what they find out makes the next one quicker: the best move of each position, kept in a *transposition table*, is tried
first, and the better the order, the more alpha-beta cuts. Whenever time is up, the last finished depth is the answer.

**In short.**

    for depth = 1, 2, 3 ... until the limit:
        value <- alphabeta(position, depth), with these switches:
        table                 no position is searched twice
        ordering              table move, captures, moves good elsewhere
        aspiration            a narrow window around the last value
        quiescence+           captures are played out at the horizon
        null_move*            a side that could even pass does well enough
        check_extension+      a check is searched a ply deeper
        singular_extension+   so is a move that the table calls the best,
                              if it is far better than all others
        late_move_reductions* late moves are searched less deep first
        futility*             quiet moves do not save a lost position
        beam*                 only a few moves are looked at
        probcut*              a shallow search decides if it is far off
    (+ looks further than the depth, * looks at less: unsafe;
     either may change the value)

**Cost.** With a good order about the square root of minimax's nodes, for the same value as long as neither kind of marked
switch is on. With them the value is no longer minimax's at that depth: it comes from a tree that is deeper in some places
(+), or has holes (*), which lets it go deeper for the same nodes.

**Watch.** Every switch can be turned on and off by itself: `plybench ablate` shows what each one buys. The table is used
only for exactly the depth asked for, so that by itself it changes no value, unless values depend on the way a position was
reached (repetition). With marked switches on, what the table has kept, and the order of moves, decide what is extended,
reduced or pruned, and so may change the value; `singular_extension` needs the table's move and does nothing without a table.
A win that is seen behind the horizon, or with an unsafe switch on, is checked by a search without marked switches before it
is called proven.
"""

from __future__ import annotations

from engines.algorithm import Algorithm
from engines.compiled.kernel import int64, kernel
from engines.parts.alphabeta.driver import deepen_until_done
from engines.parts.alphabeta.ordering import NONE, SearchContext, next_move, note_cutoff_move, score_moves
from engines.parts.alphabeta.parameters import deepening_parameters
from engines.parts.alphabeta.principal_variation import FOLLOW
from engines.parts.alphabeta.transposition_table import (
    EXACT,
    EXACT_CUTS,
    HITS,
    LOWER,
    LOWER_CUTS,
    NO_MOVE,
    UPPER,
    UPPER_CUTS,
    entry_bound,
    entry_depth,
    entry_move,
    entry_proven,
    entry_value,
    probe,
    store,
)
from engines.rules import (
    INFINITY,
    LOUD,
    ONGOING,
    WIN_EDGE,
    Rules,
    State,
    captures,
    delayed,
    evaluate,
    key,
    may_pass,
    moves,
    passed,
    play,
    result,
    threatened,
    turn,
    worth,
)
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.work import PLIES, Work, entered, keep_line, open_line
from engines.tape.tape import ASIDE, CUT, EXPANDED, HORIZON, NOBODY, PRUNED, QUIET, TABLE, TERMINAL, AnyTape, enter, leave

LAST_PLY = PLIES - 2
PASS = -2
"""The move of a side that makes none."""
AFTER_PASS = NO_MOVE - 1
"""Instead of a move to leave out: the other side has just passed, so this one does not."""
NULL_DEPTH, NULL_REDUCTION = 3, 3
SINGULAR_DEPTH, SINGULAR_REACH = 6, 3
LATE_DEPTH, LATE_MOVE, VERY_LATE_MOVE = 3, 3, 10
FUTILE_DEPTH = 2
PROBCUT_DEPTH, PROBCUT_REDUCTION = 5, 4


@kernel
def quiesce(
    game: Rules, tape: AnyTape, work: Work, context: SearchContext, state: State, alpha: int, beta: int, ply: int, node: int
) -> int:
    """The value of `state` once captures are played out: the side to move may stand as it is, or take. Under a threat it may
    not stand, and every move is looked at, within reason."""
    if not entered(work, ply):
        return int64(0)
    value = result(game, state)
    if value != ONGOING:
        value = delayed(value, ply)
        work.leaves += 1
        leave(tape, node, TERMINAL, value, NOBODY)
        return value
    best, decider, first_alpha = int64(-INFINITY), int64(NOBODY), alpha
    danger = ply < context.deepest and threatened(game, state)
    legal = work.moves[ply]
    if danger and ply < LAST_PLY:
        count = moves(game, state, legal)
    else:
        best = evaluate(game, state)
        work.evaluations += 1
        count = captures(game, state, legal) if best < beta and ply < LAST_PLY else int64(0)
        alpha = max(alpha, best)
    if count == 0:
        work.leaves += 1
        leave(tape, node, HORIZON, best, NOBODY)
        return best
    side = 0 if turn(game, state) > 0 else 1
    score_moves(game, context, state, legal, count, NO_MOVE, ply, side)
    for i in range(count):
        move = next_move(context, legal, i, count, ply)
        if not danger and worth(game, state, move) < 0:
            continue  # it loses material: standing is better
        after = play(game, state, move)
        child = enter(tape, node, move, turn(game, after), 0, -beta, -alpha)
        value = -quiesce(game, tape, work, context, after, -beta, -alpha, ply + 1, child)
        if work.stopped:
            return int64(0)
        if value > best:
            best, decider = value, child
            if value > alpha:
                alpha = value
                keep_line(work, ply, move)
        if alpha >= beta:
            work.cutoffs += 1
            work.first_move_cutoffs += i == 0
            break
    if best <= first_alpha:
        open_line(work, ply, 0)
    leave(tape, node, QUIET, best, decider)
    return best


@kernel
def deepen(
    game: Rules,
    tape: AnyTape,
    work: Work,
    context: SearchContext,
    state: State,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    node: int,
    skip: int,
) -> int:
    """The value of `state` for the side to move: exact if inside (alpha, beta), at most that if it is no more than alpha, at
    least that if it is no less than beta. `skip` is a move to leave out, `FOLLOW`, `AFTER_PASS`, or `NO_MOVE`."""
    if depth <= 0 and context.quiescence != 0:
        return quiesce(game, tape, work, context, state, alpha, beta, ply, node)
    if not entered(work, ply):
        return int64(0)

    # Step 1: a finished game is worth its result.
    value = result(game, state)
    if value != ONGOING:
        value = delayed(value, ply)
        work.leaves += 1
        leave(tape, node, TERMINAL, value, NOBODY)
        return value

    # Step 2: at the horizon the evaluation has to do.
    if depth <= 0 or ply >= LAST_PLY:
        value = evaluate(game, state)
        work.leaves += 1
        work.evaluations += 1
        leave(tape, node, HORIZON, value, NOBODY)
        return value

    # Step 3: the table may know the value, or at least the best move.
    position_key, known, reach = key(game, state), int64(NO_MOVE), int64(-INFINITY)
    with_table = context.table != 0 and position_key != 0 and skip >= FOLLOW
    if with_table:
        entry = probe(context, position_key, depth)
        if entry != 0:
            known, bound, value = entry_move(entry), entry_bound(entry), entry_value(entry, ply)
            if entry_depth(entry) == depth and skip != FOLLOW:
                context.stats[depth, HITS] += 1
                if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                    column = EXACT_CUTS if bound == EXACT else LOWER_CUTS if bound == LOWER else UPPER_CUTS
                    context.stats[depth, column] += 1
                    if not entry_proven(entry):
                        work.guesses += 1
                    open_line(work, ply, depth)
                    leave(tape, node, TABLE, value, NOBODY)
                    return value
            if bound != UPPER and entry_depth(entry) >= depth - SINGULAR_REACH and abs(value) < WIN_EDGE:
                reach = value
    assumed = work.evaluations + work.guesses
    any_move, no_pass = int64(NO_MOVE), int64(AFTER_PASS)  # bare constants would compile this kernel once for each

    # Step 4: what can be said without looking at the moves. None of it is a proof.
    danger, static = False, int64(0)
    if context.null_move != 0 or context.futility != 0 or context.reductions != 0:
        danger = threatened(game, state)
    if (context.null_move != 0 or context.futility != 0) and not danger:
        static = evaluate(game, state)
    sane = abs(beta) < WIN_EDGE and abs(alpha) < WIN_EDGE
    if (
        context.null_move != 0
        and not danger
        and depth >= NULL_DEPTH
        and skip == NO_MOVE
        and abs(beta) < WIN_EDGE
        and static >= beta
        and may_pass(game, state)
    ):
        after = passed(game, state)
        child = enter(tape, node, PASS, turn(game, after), depth - 1 - NULL_REDUCTION, -beta, 1 - beta)
        value = -deepen(
            game, tape, work, context, after, depth - 1 - NULL_REDUCTION, -beta, 1 - beta, ply + 1, child, no_pass
        )
        if work.stopped:
            return int64(0)
        leave(tape, child, ASIDE, -value, NOBODY)
        if value >= beta:
            work.guesses += 1
            value = min(value, WIN_EDGE - 1)
            open_line(work, ply, depth)
            leave(tape, node, PRUNED, value, NOBODY)
            return value
    if context.probcut != 0 and depth >= PROBCUT_DEPTH and skip == NO_MOVE and sane:
        for above in range(2):
            edge = beta + context.pawn * 3 // 2 if above == 0 else alpha - context.pawn * 3 // 2 + 1
            child = enter(tape, node, PASS, turn(game, state), depth - PROBCUT_REDUCTION, edge - 1, edge)
            value = deepen(game, tape, work, context, state, depth - PROBCUT_REDUCTION, edge - 1, edge, ply, child, no_pass)
            if work.stopped:
                return int64(0)
            leave(tape, child, ASIDE, value, NOBODY)
            if (above == 0 and value >= edge) or (above == 1 and value < edge):
                work.guesses += 1
                value = beta if above == 0 else alpha
                open_line(work, ply, depth)
                leave(tape, node, PRUNED, value, NOBODY)
                return value

    # Step 5: is the known move much better than all others? Then it deserves a deeper look.
    longer = int64(0)
    wanted = context.singular_extension != 0 and depth >= SINGULAR_DEPTH and skip in (NO_MOVE, FOLLOW)
    if wanted and reach > -WIN_EDGE and ply < context.deepest:
        edge = reach - context.pawn // 2
        child = enter(tape, node, PASS, turn(game, state), depth // 2, edge - 1, edge)
        value = deepen(game, tape, work, context, state, depth // 2, edge - 1, edge, ply, child, known)
        if work.stopped:
            return int64(0)
        leave(tape, child, ASIDE, value, NOBODY)
        if value < edge:
            longer = int64(1)

    # Step 6: the moves, the most promising first.
    best, best_move, decider, kind = int64(-INFINITY), int64(NO_MOVE), int64(NOBODY), int64(EXPANDED)
    first_alpha, searched, side = alpha, 0, 0 if turn(game, state) > 0 else 1
    legal = work.moves[ply]
    count = moves(game, state, legal)
    score_moves(game, context, state, legal, count, known, ply, side)
    for i in range(count):
        move = next_move(context, legal, i, count, ply)
        if move == skip:
            continue
        if context.beam > 0 and searched >= context.beam:
            work.guesses += 1
            break
        after = play(game, state, move)
        extra = int64(0)
        if context.check_extension != 0 and ply < context.deepest and threatened(game, after):
            extra = int64(1)
        elif move == known:
            extra = longer
        quiet = (context.futility != 0 or context.reductions != 0) and extra == 0 and worth(game, state, move) < LOUD

        # Step 7: a quiet move near the horizon does not make up for this much.
        if quiet and context.futility != 0 and depth <= FUTILE_DEPTH and not danger and searched > 0 and sane:
            ceiling = static + context.pawn * (1 + depth)
            if ceiling <= alpha:
                work.guesses += 1
                if ceiling > best:
                    best, kind = ceiling, int64(PRUNED)
                continue

        # Step 8: search it: late moves less deep, all but the first with a window that only asks "better or not?"
        less = int64(0)
        if quiet and context.reductions != 0 and depth >= LATE_DEPTH and searched >= LATE_MOVE and not danger:
            less = int64(2) if searched >= VERY_LATE_MOVE and depth > LATE_DEPTH + 1 else int64(1)
        doubtful = searched > 0 and (context.pvs != 0 or less > 0) and beta - alpha > 1
        low = -alpha - 1 if doubtful else -beta
        child = enter(tape, node, move, turn(game, after), depth - 1 + extra - less, low, -alpha)
        if doubtful or less > 0:
            value = -deepen(
                game, tape, work, context, after, depth - 1 + extra - less, low, -alpha, ply + 1, child, any_move
            )
            if less > 0:
                work.guesses += 1
            if not work.stopped and value > alpha and (less > 0 or value < beta):
                leave(tape, child, ASIDE, -value, NOBODY)
                child = enter(tape, node, move, turn(game, after), depth - 1 + extra, -beta, -alpha)
                value = -deepen(game, tape, work, context, after, depth - 1 + extra, -beta, -alpha, ply + 1, child, any_move)
        else:
            value = -deepen(game, tape, work, context, after, depth - 1 + extra, -beta, -alpha, ply + 1, child, any_move)
        if work.stopped:
            return int64(0)
        searched += 1
        if value > best:
            best, best_move, decider, kind = value, move, child, int64(EXPANDED)
            if value > alpha:
                alpha = value
                keep_line(work, ply, move)
        if alpha >= beta:
            kind = int64(CUT)
            work.cutoffs += 1
            work.first_move_cutoffs += searched == 1
            if context.ordering != NONE and 0 <= worth(game, state, move) < LOUD:
                note_cutoff_move(context, move, depth, ply, side)
            break

    # Step 9: write down what was found. Of a node where no move was good enough there is no line.
    if best <= first_alpha:
        open_line(work, ply, depth)
    if with_table:
        bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
        proven = work.evaluations + work.guesses == assumed
        store(context, position_key, best, best_move, depth, bound, proven, ply)
    leave(tape, node, kind, best, decider)
    return best


def search(run: Run) -> SearchResult:
    """Deepen until the limit."""
    return deepen_until_done(run, deepen, "window")


ALGORITHM = Algorithm(
    id="deepening",
    name="Iterative deepening",
    year=1975,
    summary="depth by depth, with table, move ordering, quiescence, extensions and prunings to switch on and off",
    family="alpha-beta",
    inside="alphabeta",
    steps={
        "root": "for depth = 1, 2, 3",
        "table": "table                 no",
        "quiet": "quiescence+",
        "pass": "null_move*",
        "trial": "late_move_reductions*",
        "pruned": "futility*",
        "same": "probcut*",
    },
    needs=("alternating",),
    search=search,
    reaches_deep=True,
    large=True,
    parameters=deepening_parameters(),
    exact_value="minimax",
)
