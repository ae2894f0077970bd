"""Max^n (Luckhardt and Irani, 1986; shallow pruning by Korf, 1991)

**Idea.** With three players there is no opposite of "good for me". So a position has a value for *each* player, and whoever
moves takes the move whose own number is largest. The others' numbers come with it.

**In short.**

    values(position, depth):
        if the game is over: return what it pays to each player
        if depth is 0: return the evaluation of each player
        if nature moves:
            return the mean of values(after outcome, depth), for each player
        look at values(after move, depth - 1) for every move
        return those with the largest number for whoever moves

**Cost.** b^d as minimax, and it cannot be cut like alpha-beta: what a player does deep below may matter to everybody above.
Only *shallow* pruning is safe (`pruning`): if all values together come to no more than a known total, and nobody gets less
than a known least, then a player who has found much for himself leaves little for the one who moved before; as soon as that
is no more than the one before has elsewhere, the rest need not be looked at.

**Watch.** *Ties.* If two moves are equally good for whoever moves, they may be very different for the others, and the value
of the root depends on which is taken. Here it is the first in the game's own order (`ties=first`), or the one that leaves
least to whoever moves at the root (`against`, a careful guess). It is an equilibrium: nobody can do better alone, if all
others play as it says. That is no proof of a win, as others may play differently: nothing is claimed to be proven with three
players. With two players who win what the other loses, it is minimax. Players in a `coalition` each take what
is best for them together.
"""

from __future__ import annotations

from typing import Any

from engines.algorithm import TABLES, Algorithm
from engines.compiled.kernel import helper, int64, kernel
from engines.contract import MAX_DEPTH, Parameter
from engines.parts.many_players.driver import COALITION, Teams, entered_open, is_with, leave_with, sides_of, wanted, weigh
from engines.rules import ONGOING, Rules, State, moves, play, result
from engines.rules_chance import by_chance, gains, judgements, likelihood, mover, unsettled
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.run.work import Work, entered, keep_line
from engines.tape.tape import CUT, EXPANDED, HORIZON, NOBODY, TERMINAL, AnyTape, note_likelihood

NO_ONE = -1


@kernel
def maxn(
    game: Rules,
    tape: AnyTape,
    work: Work,
    sides: Teams,
    state: State,
    depth: int,
    ply: int,
    node: int,
    rival: int,
    has: float,
) -> int:
    """Write what `state` is worth to each player into `work.vectors[ply]`. `rival` is who moved before and has `has`
    elsewhere: where less is left for that player, the values are not exact, but that is so. Returns 0."""
    if not entered(work, ply):
        return int64(0)
    values = work.vectors[ply]

    # Step 1: a finished game is worth to each player what it pays.
    if result(game, state) != ONGOING:
        gains(game, state, ply, values)
        work.leaves += 1
        leave_with(tape, work, sides, ply, node, TERMINAL, NOBODY)
        return int64(0)

    # Step 2: at the horizon the evaluation has to do.
    if (depth == 0 and not unsettled(game, state)) or ply >= MAX_DEPTH:
        judgements(game, state, values)
        work.leaves += 1
        work.evaluations += 1
        leave_with(tape, work, sides, ply, node, HORIZON, NOBODY)
        return int64(0)

    legal, decider, kind = work.moves[ply], int64(NOBODY), int64(EXPANDED)
    count, below = moves(game, state, legal), work.vectors[ply + 1]

    # Step 3: nature moves, and the mean of everything counts, for each player.
    if by_chance(game, state):
        work.chance_nodes += 1
        for player in range(sides.players):
            values[player] = 0.0
        for i in range(count):
            likely, after = likelihood(game, state, legal[i]), play(game, state, legal[i])
            child = entered_open(game, tape, after, legal[i], depth, node)
            note_likelihood(tape, child, likely)
            maxn(game, tape, work, sides, after, depth, ply + 1, child, int64(NO_ONE), 0.0)
            if work.stopped:
                return int64(0)
            for player in range(sides.players):
                values[player] += likely * below[player]
        leave_with(tape, work, sides, ply, node, EXPANDED, NOBODY)
        return int64(0)

    # Step 4: whoever moves takes the move with the largest value of their own.
    who = mover(game, state)
    for i in range(count):
        after = play(game, state, legal[i])
        child = entered_open(game, tape, after, legal[i], depth - 1, node)
        mine = wanted(sides, values, who) if i > 0 else 0.0
        maxn(game, tape, work, sides, after, depth - 1, ply + 1, child, who if i > 0 else int64(NO_ONE), mine)
        if work.stopped:
            return int64(0)
        if i == 0 or prefers(sides, below, values, who):
            for player in range(sides.players):
                values[player] = below[player]
            decider = child
            keep_line(work, ply, legal[i])

        # Step 5: if too little is left for whoever moved before, they will not come here.
        if sides.prune and rival != NO_ONE and i < count - 1 and leaves_too_little(sides, values, who, rival, has):
            kind = int64(CUT)
            work.cutoffs += 1
            work.first_move_cutoffs += i == 0
            break
    leave_with(tape, work, sides, ply, node, kind, decider)
    return int64(0)


@helper
def prefers(sides: Teams, values: Any, best: Any, who: int) -> bool:
    """Whoever moves takes these values and not the best so far. The rule for ties: the first stays, unless they shall be
    broken against the root, and these leave less to it."""
    mine, theirs = wanted(sides, values, who), wanted(sides, best, who)
    if mine != theirs or not sides.against or is_with(sides, who, sides.root):
        return mine > theirs
    return wanted(sides, values, sides.root) < wanted(sides, best, sides.root)


@helper
def leaves_too_little(sides: Teams, values: Any, who: int, rival: int, has: float) -> bool:
    """What is left for `rival`, if `who` gets at least this and nobody less than the least, is no more than `rival` has."""
    if is_with(sides, who, rival):
        return False
    left = sides.total - wanted(sides, values, who)
    for other in range(sides.players):
        if not is_with(sides, other, who) and not is_with(sides, other, rival):
            left -= sides.least[other]
    return left < has if sides.against else left <= has


def search(run: Run) -> SearchResult:
    """Search every root move."""
    sides = sides_of(run)

    def after(state: State, depth: int, node: int, best: tuple[float, ...] | None) -> None:
        rival = NO_ONE if best is None else sides.root
        has = 0.0 if best is None else float(wanted(sides, best, sides.root))
        maxn(run.rules, run.tape, run.work, sides, state, depth, 1, node, rival, has)

    return weigh(run, sides, after, lambda values, best: bool(prefers(sides, values, best, sides.root)))


ALGORITHM = Algorithm(
    id="maxn",
    name="Max^n",
    year=1986,
    summary="a value for each player; whoever moves takes the largest of their own",
    family="company",
    steps={
        "entered": "values(position, depth):",
        "terminal": "if the game is over",
        "horizon": "if depth is 0",
        "outcome": "if nature moves:",
        "chance": "return the mean of values",
        "mean": "return the mean of values",
        "returned": "look at values(after move",
        "left": "return those with the largest",
    },
    needs=("company",),
    search=search,
    parameters=(
        Parameter(
            name="pruning", default=False, sentence="Shallow pruning: leave out what the player before will not allow."
        ),
        Parameter(
            name="ties",
            default="first",
            choices=("first", "against"),
            sentence="Of equally good moves, take the first, or the one that is worst for the root player.",
        ),
        COALITION,
        TABLES,
    ),
    view="first",
    vectors=True,
)
