"""A proof: for each question that matters, what one side plays so that the other, whatever it does, never gets its way.

A proof of one answer is a graph of positions. Where the side moves whose answer it is (the prover), one move leads on; where
the other moves, every legal one does; it ends where the game is over and the answer holds. Positions that are reached in
several ways are there once, and each comes behind all that follow it: so nothing goes in a circle. Only where the rules say
that play which never ends is the prover's may a move lead back, to a position that comes later or is the same.
`engines.proofs.checker` verifies all of that, and knows nothing but the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from engines import catalog
from engines.contract import InputError, Outcome, Setting, shown
from engines.game import FOREVER
from engines.position import Position
from engines.rules import WIN, WIN_EDGE, delayed
from engines.run.work import END
from engines.storage.files import write_safely
from engines.storage.npz import ArchiveError, NoArchiveError, open_archive
from engines.tape.recording import quick_zip
from engines.tape.tape import CUT, EXPANDED, NOBODY, TABLE, TERMINAL, AnyTape, enter, leave

FORMAT = "plybench proof 1"
COLUMNS = ("starts", "moves", "children")
NOW_AND_THEN = 1000
"""Positions written between two checks for a stop."""
LARGEST_MOVE = 2**31 - 1
"""No game writes its moves as larger numbers."""
Column = np.ndarray[Any, Any]


@dataclass(frozen=True)
class AnswerProof:
    """The proof of one answer. Row n of `starts` is where the moves of position n begin; row n + 1 is where they end."""

    target: int
    """The question: does the first player get at least this?"""
    yes: bool
    starts: Column
    moves: Column
    children: Column
    shortest: bool = False
    """A search has found that there is no way to win in fewer plies. That is not part of what is proven."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def root(self) -> int:
        """The position that it is about comes last."""
        return len(self) - 1

    @property
    def prover(self) -> int:
        """Whose answer it is: 1 the first player's, -1 the second's."""
        return 1 if self.yes else -1

    def edges(self, node: int) -> list[tuple[int, int]]:
        """The moves of a position and where they lead."""
        span = slice(int(self.starts[node]), int(self.starts[node + 1]))
        return [(int(move), int(child)) for move, child in zip(self.moves[span], self.children[span], strict=True)]

    @cached_property
    def goes_round(self) -> bool:
        """Whether a move leads back to an earlier position."""
        owners = np.repeat(np.arange(len(self)), np.diff(self.starts))
        return bool((self.children >= owners).any())

    @cached_property
    def heights(self) -> Column:
        """How many plies each position is from the end, if the other side holds out as long as it can; `FOREVER` if it may
        never come."""
        heights = np.zeros(len(self), np.int32)
        for node in range(len(self)):
            behind = self.children[self.starts[node] : self.starts[node + 1]]
            if (behind >= node).any():
                heights[node] = FOREVER
            elif len(behind):
                heights[node] = min(FOREVER, 1 + int(heights[behind].max()))
        return heights

    @property
    def plies(self) -> int | None:
        """How many plies the whole takes at most; None if it may go on for ever."""
        height = int(self.heights[self.root])
        return height if height < FOREVER else None

    def line(self) -> list[int]:
        """The longest line: the prover's moves, and those with which the other side holds out longest; once round, where it
        goes on for ever."""
        node, line, seen = self.root, [], set[int]()
        while node not in seen and (edges := self.edges(node)):
            seen.add(node)
            move, node = max(edges, key=lambda edge: int(self.heights[edge[1]]))
            line.append(move)
        return line


class Proof:
    """Who wins from a position, or what the first player gets, with a proof of every answer that it takes."""

    def __init__(self, position: Position, result: int, parts: Sequence[AnswerProof], made_by: str) -> None:
        self.position = position
        self.result = result
        """What the first player gets."""
        self.parts = tuple(parts)
        self.made_by = made_by

    @property
    def outcome(self) -> Outcome | None:
        """Who wins; None if the game pays a gain."""
        return self.position.game.outcome(self.result)

    def sentence(self) -> str:
        """What is proven, in words."""
        game = self.position.game
        if self.outcome == "draw":
            return "It is a draw."
        if self.outcome is not None:
            return f"{game.players[0 if self.outcome == 'first' else 1]} wins."
        return f"{game.players[0]} gets {self.result / game.unit:g}."

    def __len__(self) -> int:
        return sum(len(part) for part in self.parts)

    # Walking.

    def walk(self, part: AnswerProof) -> Iterator[tuple[int, Position]]:
        """Every position of a part once, each before those that follow it."""
        seen = np.zeros(len(part), np.bool_)
        stack = [(part.root, self.position)]
        while stack:
            node, position = stack.pop()
            if seen[node]:
                continue
            seen[node] = True
            yield node, position
            stack.extend((child, position.play(move)) for move, child in part.edges(node))

    # Its file.

    def save(self, path: Path) -> None:
        """Write it to a file; an older file of that name is only replaced when the new one is whole."""
        game = self.position.game
        header = _ProofHeader(
            format=FORMAT,
            game=game.id,
            size=game.size,
            options=dict(game.options),
            position=self.position.text,
            result=self.result,
            made_by=self.made_by,
            parts=tuple(_PartHeader(target=part.target, yes=part.yes, shortest=part.shortest) for part in self.parts),
        )
        with write_safely(path) as file, quick_zip(file) as archive:
            columns = {"header": np.frombuffer(msgspec.json.encode(header), np.uint8)}
            for number, part in enumerate(self.parts):
                columns |= {f"{name}{number}": getattr(part, name) for name in COLUMNS}
            for name, column in columns.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                    np.lib.format.write_array(entry, column, allow_pickle=False)

    @classmethod
    def load(cls, path: Path) -> Proof:
        """Read it from a file; an InputError if there is none in it. What it says is not checked here."""
        try:
            with path.open("rb") as file:
                archive = open_archive(file)
                header = msgspec.json.decode(archive.read("header", np.uint8).tobytes(), type=_ProofHeader)
                parts = []
                for number, one in enumerate(header.parts):
                    columns = {name: archive.read(f"{name}{number}", np.int64) for name in COLUMNS}
                    parts.append(AnswerProof(one.target, one.yes, **columns, shortest=one.shortest))
        except FileNotFoundError:
            raise InputError(f"There is no file {shown(str(path))}.") from None
        except OSError as error:
            raise InputError(f"{shown(str(path))} cannot be read: {error.strerror or error}.") from None
        except NoArchiveError:
            raise InputError(f"{shown(str(path))} is not a proof of Plybench.") from None
        except (ArchiveError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise InputError(f"{shown(str(path))} is not a proof of Plybench, or a damaged one.") from None
        if header.format != FORMAT or abs(header.result) > WIN or not all(_sound(part) for part in parts):
            raise InputError(f"{shown(str(path))} is not a proof of Plybench, or a damaged one.")
        position = catalog.restore(header.position, header.game, header.size, header.options)
        return cls(position, header.result, parts, header.made_by)


class _PartHeader(Struct, frozen=True):
    target: int
    yes: bool
    shortest: bool = False


class _ProofHeader(Struct, frozen=True):
    format: str
    game: str
    size: str
    options: dict[str, Setting]
    position: str
    result: int
    made_by: str
    parts: tuple[_PartHeader, ...]


def _sound(part: AnswerProof) -> bool:
    """Whether the columns fit together and all indices are in range."""
    starts, moves, children = part.starts, part.moves, part.children
    if (
        starts.ndim != 1
        or moves.ndim != 1
        or children.ndim != 1
        or abs(part.target) > WIN
        or len(starts) < 2
        or starts[0] != 0
        or starts[-1] != len(moves)
        or len(moves) != len(children)
    ):
        return False
    if (np.diff(starts) < 0).any():
        return False
    return bool(((children >= 0) & (children < len(part))).all() and ((moves >= 0) & (moves <= LARGEST_MOVE)).all())


# As a tape, for the tree screen.


def write_proof(proof: Proof, tape: AnyTape, most: int, go_on: Callable[[], None] = lambda: None) -> None:
    """Write a proof on a tape as a search that asked one question would have: where the prover moves, one move was enough;
    where the other moves, none was good enough. A position that came before is not written out again. `go_on` is called now
    and then, and may raise what ends it."""
    for part in proof.parts:
        values = part_values(proof, part, go_on)
        edge = 0 if part.target >= WIN_EDGE else part.target - 1
        written = np.zeros(len(part), np.bool_)
        root = enter(tape, NOBODY, END, proof.position.turn, 0, edge, edge + 1)
        stack = [(part.root, root, proof.position, 0)]
        while stack:
            node, row, position, ply = stack.pop()
            if node % NOW_AND_THEN == 0:
                go_on()
            value = later(int(values[node]), ply)
            edges = part.edges(node)
            if not edges:
                leave(tape, row, TERMINAL, value, NOBODY)
                continue
            if written[node] or int(tape.size[0]) >= most:
                leave(tape, row, TABLE, value, NOBODY)
                continue
            written[node] = True
            decider, below = NOBODY, []
            for move, child in edges:
                after = position.play(move)
                at = enter(tape, row, move, after.turn, 0, edge, edge + 1)
                below.append((child, at, after, ply + 1))
                if decider == NOBODY and later(int(values[child]), ply + 1) == value:
                    decider = at
            leave(tape, row, CUT if position.turn == part.prover else EXPANDED, value, decider)
            stack.extend(reversed(below))


def part_values(proof: Proof, part: AnswerProof, go_on: Callable[[], None] = lambda: None) -> Column:
    """What each position is worth to the first player by this proof, a win less the plies to it. What may go on for ever is
    taken to do so until it is seen that nobody would: pass by pass, where anything goes round."""
    values = np.full(len(part), (proof.position.game.endless or 0) * (WIN - FOREVER), np.int64)
    places = dict(proof.walk(part))
    for _ in range(len(part) if part.goes_round else 1):
        before = values.copy()
        for node in range(len(part)):
            if node % NOW_AND_THEN == 0:
                go_on()
            position = places.get(node)
            if position is None:
                continue
            behind = [later(int(values[child]), 1) for _, child in part.edges(node)]
            if behind:
                values[node] = max(behind) if position.turn > 0 else min(behind)
            else:
                values[node] = position.turn * position.result
        if (values == before).all():
            break
    return values


def later(value: int, plies: int) -> int:
    """A value seen from so many plies before; what goes on for ever is as far away from everywhere."""
    return value if abs(value) == WIN - FOREVER else int(delayed(value, plies))
