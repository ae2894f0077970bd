"""What `go` asks for: the words of the command, and how long to think when there is a clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engines.contract import MAX_DEPTH, shown

NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft")
FLAGS = ("infinite", "ponder")
LARGEST_NUMBER = 2**53

MOVES_TO_GO = 30
"""The moves that are assumed to be left in a game without a time control to reach."""
INCREMENT_SHARE = 0.75
"""How much of an increment is counted on; the rest is saved for later."""
NEW_DEPTH_SHARE = 0.55
"""When so much of the time for this move is used, another depth would hardly be finished: none is started."""
STRETCH = 3.0
"""A depth that was started may take up to this multiple of the time planned for the move."""
MOST_OF_THE_CLOCK = 0.5
LAST_MOVE_SHARE = 0.9
"""No move takes more of the clock than this; the last one before new time comes may take nearly all."""
SHORTEST = 0.001


@dataclass
class Go:
    """The words behind `go`, read."""

    numbers: dict[str, int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    moves: list[str] = field(default_factory=list)
    """Behind `searchmoves`; whether they are legal is for the position to say."""
    complaints: list[str] = field(default_factory=list)

    @property
    def waits(self) -> bool:
        """The answer must not come before it is asked for."""
        return bool(self.flags)

    @property
    def depth(self) -> int | None:
        """How deep to search: what was said, or as deep as the longest mate that was asked for goes."""
        depths = []
        if "depth" in self.numbers:
            depths.append(self.numbers["depth"])
        if "mate" in self.numbers:
            depths.append(2 * self.numbers["mate"])
        if self.complaints and not (self.numbers or self.flags):
            depths.append(1)  # what was asked for is unknown: answer at once rather than never
        return min(max(1, min(depths)), MAX_DEPTH) if depths else None

    @property
    def nodes(self) -> int | None:
        """How many nodes to search."""
        return max(1, self.numbers["nodes"]) if "nodes" in self.numbers else None


@dataclass(frozen=True)
class Budget:
    """Seconds for one move, from the moment it was asked for."""

    soft: float
    """Seconds after which no new depth is started."""
    hard: float
    """Seconds after which it ends, whatever it is doing."""


def read_go(words: Sequence[str]) -> Go:
    """Read the words behind `go`. What cannot be used is left out, with a complaint."""
    found, i = Go(), 0
    while i < len(words):
        word = words[i]
        i += 1
        if word in FLAGS:
            found.flags.add(word)
        elif word in NUMBERS:
            text = words[i] if i < len(words) else ""
            i += 1
            number = read_number(text)
            if number is None:
                found.complaints.append(f"{word} needs a whole number, not {shown(text)}; it is ignored.")
            else:
                found.numbers[word] = number
        elif word == "searchmoves":
            while i < len(words) and words[i] not in (*NUMBERS, *FLAGS):
                found.moves.append(words[i])
                i += 1
        else:
            found.complaints.append(f"go does not know {shown(word)}; it is ignored.")
    return found


def read_number(text: str) -> int | None:
    """A whole number of sensible size, or None. A clock may be below zero."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        return None
    return max(-LARGEST_NUMBER, min(int(text), LARGEST_NUMBER))


def budget(asked: Go, first_to_move: bool, overhead: float) -> Budget | None:
    """How long to think; None if no time was given. `overhead` is the seconds that are lost on the way to the clock."""
    times = []
    if "movetime" in asked.numbers:
        given = max(asked.numbers["movetime"] / 1000, 0.0)
        all_of_it = max(given - overhead, given / 2, SHORTEST)
        times.append(Budget(all_of_it, all_of_it))
    clock = asked.numbers.get("wtime" if first_to_move else "btime")
    if clock is not None:
        increment = max(asked.numbers.get("winc" if first_to_move else "binc", 0) / 1000, 0.0)
        times.append(_on_the_clock(max(clock / 1000, 0.0), increment, asked.numbers.get("movestogo", 0), overhead))
    return min(times, key=lambda one: one.hard, default=None)


def _on_the_clock(clock: float, increment: float, moves_to_go: int, overhead: float) -> Budget:
    """A share of what there will be for all moves to go, less what is lost with each; and never so much that the clock could
    run out."""
    moves = min(moves_to_go, MOVES_TO_GO) if moves_to_go > 0 else MOVES_TO_GO
    most = max(clock - overhead, clock / 10) * (LAST_MOVE_SHARE if moves == 1 else MOST_OF_THE_CLOCK)
    total = clock + INCREMENT_SHARE * increment * (moves - 1) - overhead * (moves + 1)
    meant = min(max(total / moves, SHORTEST), most)
    return Budget(max(NEW_DEPTH_SHARE * meant, SHORTEST), max(min(STRETCH * meant, most), SHORTEST))
