"""Proof search depth first: df-pn and PDS. Positions are not kept in a tree but in a table that may forget.

A search of a position is given two limits. It ends as soon as *either* number has reached its limit (df-pn) or *both* have
(PDS), and then somewhere else is a position that promises more. What is known of the children of the positions on the
current path is held in the `Question` record, so that it cannot be forgotten while it is needed.

Where play can go round, a position's numbers depend on which others are on the way: they are put down under a name for the
position and all of those, and so is a result that rests on going round above it. What holds on every way is put down under
the position's own name. A search that mixed the two would believe what is not so, or chase its own numbers for ever.
"""

from __future__ import annotations

from typing import Any

from engines.compiled.bits import EMPTY
from engines.compiled.kernel import helper, int64, kernel, routine
from engines.parts.proof.numbers import (
    NOTE_MOVES,
    NOTES,
    PLIES,
    ROUND,
    ProofKnowledge,
    Question,
    bounded,
    first_numbers,
    gone_round,
    in_time,
    named,
    set_out,
    verdict,
)
from engines.parts.proof.table import probe_numbers, store_numbers, unpacked
from engines.rules import INFINITE, LARGEST, Rules, State, moves, play, result, successors, turn
from engines.run.work import END, Work
from engines.tape.tape import ASIDE, NOBODY, NUMBERED, OPEN, TERMINAL, AnyTape, enter, leave

GROWTH = 1.25
"""The number of expansions between two notes of the root's numbers grows by this factor."""
FAR_AWAY, FORESEEN = 1 << 40, 6
"""More plies than any game has; and how long what a game foresees may take."""
DEEPEST = PLIES - 4
"""No position is searched this many plies from the root: there both proof and disproof are taken for impossible."""


@helper
def summed(question: Question, ply: int, count: int) -> int:
    """The far number of the position at a ply: the sum of its children's; or, where positions that are reached in several
    ways shall not count several times, the largest and one for each other child that is open."""
    far, total, largest, open_children = question.far[ply], int64(0), int64(0), int64(0)
    for i in range(count):
        if far[i] >= INFINITE:
            return int64(INFINITE)
        if far[i] > 0:
            total += far[i]
            largest = max(largest, int64(far[i]))
            open_children += 1
    if question.weak and open_children > 0:
        total = largest + open_children - 1
    return bounded(total)


@helper
def note_child(question: Question, ply: int, i: int, whose: int, proof: int, disproof: int, plies: int, past: int) -> None:
    """What is known of a child, as the side to move at its parent sees it."""
    question.near[ply, i] = proof if whose > 0 else disproof
    question.far[ply, i] = disproof if whose > 0 else proof
    question.plies[ply, i] = plies
    question.past[ply, i] = past


@helper
def furthest(one: int, other: int) -> int:
    """The dependency of a result that follows from two others: on the position that lies furthest back."""
    return max(one, other) if one == 0 or other == 0 else min(one, other)


@helper
def numbers_at(question: Question, ply: int) -> tuple[int, int]:
    """The near and far number of the position at a ply."""
    near, least = question.near[ply], int64(INFINITE)
    for i in range(question.counts[ply]):
        least = min(least, int64(near[i]))
    return least, summed(question, ply, question.counts[ply])


@helper
def on_this_way(question: Question, entry: Any, name: Any) -> Any:
    """What the table knows of a position that other ways lead to as well: its own entry, if it is solved there; else the one
    for this way, of which it is not told through which position a result goes round, so that it may be the root."""
    if entry != EMPTY:
        proof, disproof, _ = unpacked(entry)
        if proof == 0 or disproof == 0:
            return entry
    entry = probe_numbers(question, name)
    if entry != EMPTY:
        proof, disproof, _ = unpacked(entry)
        if proof == 0 or disproof == 0:
            question.tainted = int64(ROUND)
    return entry


@routine
def note_numbers(question: Question, work: Work, ply: int) -> None:
    """Note what the numbers of the root are now, while a position at a ply is searched that is looked at for the first time
    or again: those of the positions on the way are worked out from below, for a moment."""
    at = ply - 1
    near, far = int64(0), int64(0)
    while at >= 0:
        child = question.chosen[at]
        old_near, old_far = question.near[at, child], question.far[at, child]
        if at < ply - 1:
            if question.turns[at] != question.turns[at + 1]:
                near, far = far, near
            question.near[at, child], question.far[at, child] = near, far
        near, far = numbers_at(question, at)
        question.near[at, child], question.far[at, child] = old_near, old_far
        at -= 1
    if ply > 0 and question.notes < NOTES:
        note = question.note[question.notes]
        note[0], note[1], note[2] = work.iterations, work.nodes, work.leaves
        note[3], note[4] = (near, far) if question.turns[0] > 0 else (far, near)
        length = min(ply, int64(NOTE_MOVES))
        for i in range(length):
            question.note_line[question.notes, i] = work.line[0, i]
        question.note_line[question.notes, length] = END
        question.notes += 1
    question.next_note = max(work.iterations + 1, int64(work.iterations * GROWTH))


@kernel
def explore(
    game: Rules,
    knowledge: ProofKnowledge,
    work: Work,
    question: Question,
    visits: AnyTape,
    visit: int,
    state: State,
    ply: int,
    proof_limit: int,
    disproof_limit: int,
) -> int:
    """Search a position until its numbers reach the limits, or it is solved, or the search has to stop. What is known of it
    then is in `question.proof`, `disproof`, `distance` and `tainted`, where the caller has put what was known before.
    `visits`: where those who watch read what happened, each visit with its limits, and each child with the numbers that it
    was found with; `visit` is the row of this one."""
    # Step 1: one more expansion, or the end.
    if work.iterations >= question.last or work.nodes >= work.budget:
        question.halted = 1
        return int64(0)
    if work.iterations >= question.next_note:
        note_numbers(question, work, ply)
    work.iterations += 1
    work.selective_depth = max(work.selective_depth, ply)
    if question.remembers:
        result(game, state)  # notes the position as one on the way
    set_out(game, question, state, ply)
    whose, before = turn(game, state), work.nodes
    key = named(game, question, state, ply)
    near_limit, far_limit = (proof_limit, disproof_limit) if whose > 0 else (disproof_limit, proof_limit)

    # Step 2: look at all children; one that decides is enough.
    near, far, listed = question.near[ply], question.far[ply], work.moves[ply]
    count = moves(game, state, listed)
    known = int64(0)
    while known < count:
        if work.nodes >= work.budget:
            question.halted = 1
            return int64(0)
        work.nodes += 1
        child = play(game, state, listed[known])
        its_turn = turn(game, child)
        proof, disproof, plies = int64(INFINITE), int64(INFINITE), int64(0)
        answer = verdict(game, knowledge, question, child, its_turn)
        if question.within > 0:
            answer = in_time(question, answer, question.within - ply - 1)
        if answer == 0 and question.circles:
            answer = gone_round(game, question, child, ply)
        if answer != 0:
            work.leaves += 1
            plies = max(question.over - 1, int64(0))
            if answer > 0:
                proof = int64(0)
            else:
                disproof = int64(0)
        elif ply + 1 < DEEPEST:
            name = named(game, question, child, ply + 1)
            entry = probe_numbers(question, name)
            if question.circles:
                entry = on_this_way(question, entry, name ^ question.trail[ply + 1])
            if entry != EMPTY:
                proof, disproof, plies = unpacked(entry)
                question.cutoffs += proof == 0 or disproof == 0
            else:
                proof, disproof = first_numbers(game, question, child, its_turn)
        note_child(question, ply, known, whose, proof, disproof, plies, question.tainted)
        row = enter(visits, visit, listed[known], its_turn, 0, proof, disproof)
        leave(visits, row, TERMINAL if answer else ASIDE, 0, NOBODY)
        known += 1
        if near[known - 1] == 0:
            near[0], far[0] = near[known - 1], far[known - 1]
            question.plies[ply, 0], question.past[ply, 0] = plies, question.tainted
            listed[0], listed[known - 1] = listed[known - 1], listed[0]
            count = int64(1)

    # Step 3: go to the most promising child, again and again.
    floor = int64(0)
    question.turns[ply], question.counts[ply] = whose, count
    while True:
        # Step 3a: the position's own numbers, and the two best children.
        best, least, second = int64(0), int64(INFINITE) + 1, int64(INFINITE)
        for i in range(count):
            if near[i] < least:
                best, least, second = int64(i), int64(near[i]), min(second, least)
            elif near[i] < second:
                second = int64(near[i])
        total = summed(question, ply, count)
        if least == 0:
            total = int64(INFINITE)

        # Step 3b: that may be enough.
        solved = least == 0 or total == 0 or least >= INFINITE
        reached = (
            (least >= near_limit and total >= far_limit) if question.both else (least >= near_limit or total >= far_limit)
        )
        if solved or reached or question.halted:
            plies, past = int64(0), int64(0)
            if least == 0:
                plies, past = int64(question.plies[ply, best]) + 1, int64(question.past[ply, best])
            elif total == 0:
                least = int64(INFINITE)
                for i in range(count):
                    plies = max(plies, int64(question.plies[ply, i]) + 1)
                    past = furthest(past, int64(question.past[ply, i]))
            if past >= ROUND + ply:
                past = int64(0)  # it goes round below this position, or through it: that holds on every way here
            question.proof, question.disproof = (least, total) if whose > 0 else (total, least)
            question.distance, question.tainted = plies, past
            finish(visits, visit, question)
            if question.circles and (past > 0 or not solved):
                key ^= question.trail[ply]  # for this way alone
            elif past > 0:
                return int64(0)
            if not (least >= INFINITE and total >= INFINITE):
                store_numbers(question, key, question.proof, question.disproof, plies, work.nodes - before)
            return int64(0)

        # Step 3c: how far the child may go before another one promises more.
        if question.both:
            floor = max(floor, least)
            best = int64(-1)
            for i in range(count):
                if far[i] > 0 and near[i] < INFINITE:
                    its, other = max(int64(near[i]), floor), max(int64(near[best]), floor)
                    if best < 0 or its < other or (its == other and far[i] < far[best]):
                        best = int64(i)
            its_near, its_far = max(int64(near[best]), floor), int64(far[best])
            if far_limit > total and (its_far <= its_near or near_limit <= least):
                its_far += 1
            else:
                its_near += 1
        else:
            more = max(int64(1), int64(second * question.epsilon))
            its_near = min(near_limit, min(second + more, int64(INFINITE)))
            its_far = int64(INFINITE)
            if far_limit < INFINITE:
                if question.weak:
                    its_far = far_limit - (total - largest_far(question, ply, count))
                else:
                    its_far = far_limit - total + far[best]

        # Step 3d: search it, and note what came out.
        child = play(game, state, listed[best])
        work.line[0, ply], work.line[0, ply + 1] = listed[best], END
        question.chosen[ply] = best
        question.proof, question.disproof = (near[best], far[best]) if whose > 0 else (far[best], near[best])
        question.distance, question.tainted = int64(0), int64(0)
        its_proof, its_disproof = (its_near, its_far) if whose > 0 else (its_far, its_near)
        so_far = work.nodes
        below = enter(visits, visit, listed[best], turn(game, child), 0, its_proof, its_disproof)
        explore(game, knowledge, work, question, visits, below, child, ply + 1, its_proof, its_disproof)
        if ply == 0:
            question.shares[best] += work.nodes - so_far
        note_child(question, ply, best, whose, question.proof, question.disproof, question.distance, question.tainted)


@helper
def finish(visits: AnyTape, visit: int, question: Question) -> None:
    """A position is left, with the numbers that are known of it now: they stand in a row of their own, as its limits do."""
    row = enter(visits, visit, int64(END), 0, 0, question.proof, question.disproof)
    leave(visits, row, NUMBERED if question.halted == 0 else OPEN, 0, NOBODY)


@helper
def largest_far(question: Question, ply: int, count: int) -> int:
    """The largest far number of the open children."""
    largest = int64(0)
    for i in range(count):
        largest = max(largest, int64(question.far[ply, i]))
    return largest


@kernel
def deepen(game: Rules, knowledge: ProofKnowledge, work: Work, question: Question, visits: AnyTape, state: State) -> int:
    """Search the root until it is solved or the search has to stop: without limits, or (PDS) with ones that grow by one."""
    whose, zero, endless = turn(game, state), int64(0), int64(INFINITE)
    if not question.both:
        visit = enter(visits, int64(NOBODY), int64(END), whose, 0, endless, endless)
        return explore(game, knowledge, work, question, visits, visit, state, zero, endless, endless)
    proof_limit, disproof_limit = max(int64(question.proof), int64(1)), max(int64(question.disproof), int64(1))
    while not question.halted:
        visit = enter(visits, int64(NOBODY), int64(END), whose, 0, proof_limit, disproof_limit)
        explore(game, knowledge, work, question, visits, visit, state, zero, proof_limit, disproof_limit)
        proof, disproof = int64(question.proof), int64(question.disproof)
        if proof == 0 or disproof == 0 or (proof >= INFINITE and disproof >= INFINITE):
            break
        proof_limit, disproof_limit = min(proof, int64(LARGEST)), min(disproof, int64(LARGEST))
        if proof <= disproof:
            proof_limit += 1
        else:
            disproof_limit += 1
    return int64(0)


@kernel
def decisive(game: Rules, knowledge: ProofKnowledge, work: Work, question: Question, state: State) -> int:
    """The move with which the side to move has its way, as far as the rules and the table know, and soonest; `END` if they
    know of none."""
    whose, best, soonest = turn(game, state), int64(END), int64(FAR_AWAY)
    listed = work.moves[0]
    for i in range(moves(game, state, listed)):
        child = play(game, state, listed[i])
        plies = int64(FAR_AWAY)
        answer = verdict(game, knowledge, question, child, turn(game, child))
        if question.within > 0:
            answer = in_time(question, answer, question.within - 1)
        if answer * whose > 0:
            plies = question.over - 1 if question.over else int64(FORESEEN)
        elif answer == 0:
            entry = probe_numbers(question, named(game, question, child, int64(1)))
            if entry != EMPTY:
                proof, disproof, found = unpacked(entry)
                if (proof if whose > 0 else disproof) == 0:
                    plies = found
        if plies < soonest:
            best, soonest = int64(listed[i]), plies
    return best


@kernel
def known_below(
    game: Rules, knowledge: ProofKnowledge, work: Work, question: Question, state: State, trail: Any, known: Any
) -> int:
    """What the rules or the table know of the positions after each move; returns how many there are. A row of `known` for
    each: the move, both numbers, and 1 if anything is known. `trail` stands for the positions on the way, this one included,
    where that matters. Nobody searches here, so nothing is counted."""
    probes, hits, collisions = int64(question.probes), int64(question.hits), int64(question.collisions)
    listed = work.moves[0]
    count = successors(game, state, listed)
    for i in range(count):
        child = play(game, state, listed[i])
        whose = turn(game, child)
        answer = verdict(game, knowledge, question, child, whose)
        name = named(game, question, child, int64(1))
        entry = EMPTY if answer else probe_numbers(question, name)
        if question.circles and not answer:
            entry = on_this_way(question, entry, name ^ trail)
        if answer:
            proof, disproof = int64(0), int64(INFINITE)
            if answer < 0:
                proof, disproof = disproof, proof
        elif entry != EMPTY:
            proof, disproof, _ = unpacked(entry)
        else:
            proof, disproof = first_numbers(game, question, child, whose)
        known[i, 0], known[i, 1], known[i, 2] = listed[i], proof, disproof
        known[i, 3] = answer != 0 or entry != EMPTY
    question.probes, question.hits, question.collisions = probes, hits, collisions
    return int64(count)
