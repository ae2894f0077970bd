"""Chess endings with three and four men, solved from the mates backwards; distances are plies to mate.

Pass after pass over all positions that are not decided: one is won in n plies if a move leads to one that is lost in n - 1,
and lost in n if all moves lead to positions that are won, the last of them in n - 1. What is left when nothing more is found
is drawn. Captures and promotions lead into tables that are made first. The moves are those of the rules; the fifty moves and
repetition do not count, as in other tables of this kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from engines.compiled.bits import EMPTY, bit, popcount
from engines.compiled.kernel import helper, int64, kernel
from engines.contract import InputError, shown
from engines.game import Game
from engines.games.chess.attacks import attackers
from engines.games.chess.ending import is_dead
from engines.games.chess.ending_index import COUNT_BITS, MOST_MEN, STRENGTH, byte_of, place_of, stronger_first
from engines.games.chess.movegen import in_check
from engines.games.chess.state import HOME_ROWS, PAWN, QUEEN, ROOK, Chess, Men
from engines.position import Position
from engines.rules import INFINITY, moves, play
from engines.rules_solved import DRAW, LONGEST, LOSS, NOTHING, VICTORY, as_code, as_value, behind, byte_at
from engines.run.work import Work
from engines.solved.built_table import Arrays, BuiltTable, room
from engines.solved.maker import TableMaker
from engines.solved.threads import WorkerThreads, number

LETTERS = "PNBRQ"
"""The men other than kings, in the order of their numbers."""
DEAD = ("KK", "KBK", "KNK")
"""Endings in which nobody can mate: there are no tables of them."""
PART = 1 << 16


@helper
def position_at(place: int, kings: Any, men: Any) -> Men:
    """The position of a place in a table; squares may be taken twice. `men`: kind and side of each man but the kings."""
    time = (place & 1) << 16
    place >>= 1
    white = black = pawns = knights = diagonal = straight = EMPTY
    for i in range(men.shape[0] - 1, -1, -1):
        square, man = bit(place & 63), men[i, 0]
        place >>= 6
        if men[i, 1] == 0:
            white |= square
        else:
            black |= square
        if man == PAWN:
            pawns |= square
        elif man == 1:
            knights |= square
        if man in (2, QUEEN):
            diagonal |= square
        if man in (ROOK, QUEEN):
            straight |= square
    white |= bit(kings[place, 0])
    black |= bit(kings[place, 1])
    return Men(white, black, pawns, knights, diagonal, straight, EMPTY, EMPTY, time)


@helper
def is_legal(game: Chess, state: Men, men: int, pawns: int, king: int, mover: bool) -> bool:
    """All men have squares of their own, no pawn stands on a last row, and the side that has moved is not in check."""
    occupied = state.white | state.black
    if popcount(occupied) != men or state.white & state.black != EMPTY or popcount(state.pawns) != pawns:
        return False
    if state.pawns & HOME_ROWS != EMPTY:
        return False
    return attackers(game, state, king, occupied, mover) == EMPTY


@kernel
def begin(game: Chess, work: Work, kings: Any, men: Any, first: int, last: int, values: Any) -> int:
    """Mark the legal ones of some places as drawn so far, and the mates as lost. Returns how many stalemates there are."""
    pawns, stalemates = 0, int64(0)
    for i in range(men.shape[0]):
        pawns += men[i, 0] == PAWN
    for place in range(first, last):
        if work.nodes >= work.budget:
            work.stopped = 1
            return stalemates
        work.nodes += 1
        state, white = position_at(place, kings, men), place & 1 == 0
        king = kings[place >> (1 + 6 * men.shape[0]), 1 if white else 0]
        if is_legal(game, state, men.shape[0] + 2, pawns, king, white):
            values[place] = DRAW
            if moves(game, state, work.moves[0]) == 0:
                if in_check(game, state):
                    values[place] = LOSS
                else:
                    stalemates += 1
    return stalemates


@helper
def byte_behind(game: Chess, table: int, own: int, men: int, pawns: int, after: Men) -> int:
    """What is known by now of the position behind a move, if nobody can capture en passant there. `own`: where the bytes of
    the table are that is being made."""
    if popcount(after.white | after.black) == men and popcount(after.pawns) == pawns:
        return byte_at(own, place_of(game, after, men))
    if is_dead(after):
        return int64(DRAW)
    return byte_of(game, table, after)


@kernel
def advance(
    game: Chess, work: Work, kings: Any, men: Any, table: int, own: int, plies: int, first: int, last: int, values: Any
) -> int:
    """Find those of some places that are decided in exactly so many plies, and return how many there are: won if the number
    is odd, lost if it is even."""
    legal, replies, count, decided = work.moves[0], work.moves[1], men.shape[0] + 2, int64(0)
    for place in range(first, last):
        if values[place] != DRAW:
            continue
        if work.nodes >= work.budget:
            work.stopped = 1
            return decided
        work.nodes += 1
        state = position_at(place, kings, men)
        pawns, longest, found = popcount(state.pawns), int64(-1), int64(NOTHING)
        for i in range(moves(game, state, legal)):
            after = play(game, state, legal[i])
            if after.rights == EMPTY:
                byte = byte_behind(game, table, own, count, pawns, after)
            else:  # a pawn may be captured en passant, which no table has: look at the answers
                best = int64(-INFINITY)
                for j in range(moves(game, after, replies)):
                    answer = byte_behind(game, table, own, count, pawns, play(game, after, replies[j]))
                    best = max(best, behind(as_value(answer)))
                byte = as_code(best)
            if plies & 1:
                if byte == LOSS + 2 * (plies - 1):
                    found = int64(VICTORY + 2 * plies)
                    break
            elif byte < VICTORY or byte & 1 == 0:
                longest = int64(-1)
                break
            else:
                longest = max(longest, (byte - VICTORY) >> 1)
        if plies & 1 == 0 and longest == plies - 1:
            found = int64(LOSS + 2 * plies)
        if found != NOTHING:
            values[place] = found
            decided += 1
    return decided


# Which endings there are.


def normal_name(text: str) -> str:
    """The name of an ending as it is kept: the stronger side first, the strongest men first. An InputError if it is none."""
    sides = text.strip().upper().replace("V", "").split("K")
    known = len(sides) == 3 and not sides[0] and all(letter in LETTERS for side in sides for letter in side)
    if not known or len(text.strip()) > 12:
        raise InputError(f"An ending is written like KQK or KRKP, not {shown(text)}.")
    return stronger_first(*sides[1:])


def all_names() -> list[str]:
    """Every ending with three or four men that can be won, the quickest to make first."""
    found = [
        f"K{''.join(first)}K{''.join(second)}"
        for men in range(1, MOST_MEN - 1)
        for other in range(men // 2 + 1)
        for first in combinations_with_replacement(STRENGTH, men - other)
        for second in combinations_with_replacement(STRENGTH, other)
    ]
    names = {normal_name(name) for name in found} - set(DEAD)
    return sorted(names, key=lambda name: (len(name), name.count("P"), [("K" + STRENGTH).index(man) for man in name]))


def needed(name: str) -> list[str]:
    """The endings that a capture or a promotion leads to from this one, those first that others need."""
    found: list[str] = []
    _, first, second = name.split("K")
    for side, other in ((first, second), (second, first)):
        for i, man in enumerate(side):
            rest = side[:i] + side[i + 1 :]
            becomes = [rest, *((rest + letter) for letter in STRENGTH[:-1] if man == "P")]
            for men in becomes:
                one = normal_name(f"K{men}K{other}")
                if one not in DEAD and one != name and one not in found:
                    found += [sub for sub in needed(one) if sub not in found]
                    found.append(one)
    return found


def can_come(name: str, state: Men) -> bool:
    """Captures and promotions may lead from a position to this ending."""
    white, black = (_counts(state, men) for men in (state.white, state.black))
    _, first, second = name.split("K")
    return any(_fits(one, white) and _fits(other, black) for one, other in ((first, second), (second, first)))


def _counts(state: Men, men: Any) -> dict[str, int]:
    queens = state.diagonal & state.straight
    boards = (queens, state.straight & ~queens, state.diagonal & ~queens, state.knights, state.pawns)
    return {letter: popcount(men & found) for letter, found in zip(STRENGTH, boards, strict=True)}


def _fits(side: str, there: dict[str, int]) -> bool:
    """What is missing is made of pawns."""
    made = sum(max(0, side.count(letter) - there[letter]) for letter in STRENGTH[:-1])
    return made + side.count("P") <= there["P"]


def signature_of(name: str) -> int:
    """The signature of an ending's men (see `engines.games.chess.ending_index`)."""
    _, first, second = name.split("K")
    found = 0
    for side in (second, first):
        for letter in LETTERS:
            found = (found << COUNT_BITS) | side.count(letter)
    return found


def men_of(name: str) -> Any:
    """Kind and side of each man but the kings, in the order of the table."""
    _, first, second = name.split("K")
    return np.array([(LETTERS.index(man), side) for side, men in enumerate((first, second)) for man in men], np.int64)


def solve(game: Game, name: str, known: Arrays, workers: WorkerThreads) -> BuiltTable:
    """The table of an ending; `known` has the bytes of all those that it needs."""
    rules, men = game.rules, men_of(name)
    kings = _kings(rules, int("P" in name))
    values = room((len(kings) * 2 * 64 ** len(men),), np.uint8)
    table = describe(known)
    own, where = int(values.ctypes.data), int(table.ctypes.data)
    parts = [(first, min(first + PART, len(values))) for first in range(0, len(values), PART)]
    workers.stage, workers.steps = f"{name}: legal positions and mates", 0
    stalemates = np.zeros(len(workers.works), np.int64)

    def first_pass(work: Work, part: tuple[int, int]) -> None:
        stalemates[number(workers, work)] += begin(rules, work, kings, men, *part, values)

    workers.share(parts, first_pass)
    furthest = max((_longest(array) for array in known.values()), default=0)
    plies, last = 0, 0
    while plies <= max(last, furthest) + 1:
        plies += 1
        if plies > LONGEST:
            raise InputError(f"{name} has mates in more than {LONGEST} plies, which a table cannot hold.")
        workers.stage = f"{name}: {'won' if plies & 1 else 'lost'} in {plies}"
        decided = np.zeros(len(workers.works), np.int64)

        def one_pass(work: Work, part: tuple[int, int], plies: int = plies, decided: Any = decided) -> None:
            decided[number(workers, work)] += advance(rules, work, kings, men, where, own, plies, *part, values)

        workers.share(parts, one_pass)
        if decided.sum():
            last = plies
    by_byte = np.bincount(values, minlength=256)
    by_byte[NOTHING] = 0
    count = int(by_byte.sum())
    mates, stale = int(by_byte[LOSS]), int(stalemates.sum())
    return BuiltTable({"values": values}, count, mates + stale, count, by_byte, stalemates=stale)


def _longest(values: Any) -> int:
    return max(0, (int(values.max()) - LOSS) >> 1)


def _kings(rules: Chess, kind: int) -> Any:
    """The squares of the kings at each of their standard places."""
    pairs, turns = rules.tables.king_pairs[kind], rules.tables.king_turns[kind]
    kings = np.zeros((int(pairs.max()) + 1, 2), np.int64)
    for white, black in np.argwhere((pairs >= 0) & (turns == 0)):
        kings[pairs[white, black]] = white, black
    return kings


def describe(known: Arrays) -> Any:
    """The words by which a kernel finds the tables: their number, then the signature of each and where its bytes are."""
    words = [word for name, values in known.items() for word in (signature_of(name), int(values.ctypes.data))]
    return np.array([len(known), *words], np.int64)


PREFIX = "chess-"
"""What the names of the tables begin with, before the men of the ending."""
QUICK_MEN = 3
"""Endings with no more men are solved within seconds."""


class EndingTables(TableMaker):
    """Tables of chess endings, one for each set of men."""

    def solve(self, game: Game, name: str, known: Mapping[str, Arrays], workers: WorkerThreads) -> BuiltTable:
        return solve(game, name.removeprefix(PREFIX), _values(known), workers)

    def describe(self, tables: Mapping[str, Arrays]) -> Any:
        return describe(_values(tables))

    def needed(self, name: str) -> list[str]:
        return [f"{PREFIX}{one}" for one in needed(name.removeprefix(PREFIX))]

    def is_quick(self, name: str) -> bool:
        return len(name.removeprefix(PREFIX)) <= QUICK_MEN

    def reachable(self, position: Position) -> list[str]:
        return [f"{PREFIX}{name}" for name in all_names() if can_come(name, position.state)]

    def nothing_built(self, game: Game, names: list[str]) -> str:
        return "No table of a chess ending that could come up here is built; plybench retrograde build KQK is."

    def how_to_build(self, game: Game, name: str) -> str:
        return f"plybench retrograde build {game.id} {name.removeprefix(PREFIX)}"


def _values(tables: Mapping[str, Arrays]) -> Arrays:
    """The bytes of tables, by the men of the ending."""
    return {name.removeprefix(PREFIX): arrays["values"] for name, arrays in tables.items()}


MAKER = EndingTables()
