"""A finished tape: what every node of a search did, with fast questions about it, and its file.

All values and windows here are from the first player's side, whatever side the search itself thought from.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np
from msgspec import Struct

from engines import catalog
from engines.algorithm import View
from engines.contract import InputError, Report, shown
from engines.game import Position
from engines.kernel import kernel
from engines.parts.sample_tree import MEAN, SUM
from engines.parts.tape import ASIDE, COLUMNS, CUT, EXPANDED, KINDS, NOBODY, OPEN, SAMPLED, Tape
from engines.storage import write_safely

FORMAT = "plybench tape 2"
Column = np.ndarray[Any, Any]


class PlyRow(Struct, frozen=True, kw_only=True):
    """What happened at one ply of a recorded search."""

    ply: int
    nodes: int
    expanded: int
    cut: int
    terminal: int
    horizon: int
    table: int
    quiet: int
    pruned: int
    aside: int
    sampled: int
    numbered: int
    open: int
    first_move_cuts: int
    """Cut nodes whose very first move was enough."""
    branching: float | None
    """Children looked at, for each node that was expanded or cut."""


class Recording:
    """The nodes of a search as columns; row 0 is the root, and a parent always comes before its children."""

    def __init__(self, report: Report, nodes: int, columns: Mapping[str, Column]) -> None:
        self.report = report
        self.nodes = nodes
        """How many nodes the search entered; more than `len(self)` if the tape was full."""
        self.parent, self.move, self.turn, self.ply = (columns[name] for name in ("parent", "move", "turn", "ply"))
        self.depth, self.alpha, self.beta = (columns[name] for name in ("depth", "alpha", "beta"))
        self.value, self.kind, self.decider = (columns[name] for name in ("value", "kind", "decider"))

    def __len__(self) -> int:
        return len(self.parent)

    @classmethod
    def of(cls, tape: Tape, report: Report, view: View) -> Recording:
        """What is on a tape, its values turned to the first player's side."""
        entered = int(tape.size[1])
        if not catalog.algorithm(
            report.algorithm
        ).proves:  # else it may be a proof, spelled out further than the search went
            entered = min(entered, report.nodes)  # a node that the stop refused is on the tape, but was not searched
        size = min(int(tape.size[0]), entered)
        columns = {name: getattr(tape, name)[:size].copy() for name in COLUMNS}
        if view == "mover":
            second = columns["turn"] < 0
            columns["value"][second] *= -1
            alpha, beta = columns["alpha"].copy(), columns["beta"].copy()
            columns["alpha"][second], columns["beta"][second] = -beta[second], -alpha[second]
        return cls(report, entered, columns)

    @property
    def complete(self) -> bool:
        """Every node that was entered is here."""
        return self.nodes == len(self)

    @cached_property
    def _index(self) -> tuple[Column, Column, Column]:
        starts = np.zeros(len(self) + 2, np.int64)
        order, sizes = np.zeros(len(self), np.int32), np.ones(len(self), np.int32)
        index_nodes(self.parent, starts, order, sizes)
        return starts, order, sizes

    def children(self, node: int) -> Column:
        """The children of a node, in the order in which they were searched."""
        starts, order, _ = self._index
        return order[starts[node + 1] : starts[node + 2]]

    def roots(self) -> Column:
        """The nodes without a parent: one for each depth that was searched."""
        starts, order, _ = self._index
        return order[starts[0] : starts[1]]

    def subtree_size(self, node: int) -> int:
        """How many nodes are below a node, itself included."""
        return int(self._index[2][node])

    def path(self, node: int) -> list[int]:
        """The nodes from the root down to this one."""
        path = [node]
        while self.parent[path[-1]] != NOBODY:
            path.append(int(self.parent[path[-1]]))
        return path[::-1]

    def line(self, node: int) -> tuple[str, ...]:
        """The moves from the root to a node, in notation."""
        moves = [int(self.move[step]) for step in self.path(node)[1:]]
        return self.position.game.line_text(self.position.state, moves)

    @cached_property
    def position(self) -> Position:
        """The position that was searched."""
        options = {name: str(value) for name, value in self.report.options.items()}
        return catalog.position(self.report.position, self.report.game, self.report.size or None, options)

    def replayed(self) -> Column:
        """Every node's value worked out anew from the leaves' values alone: MAX takes the largest, MIN the smallest."""
        values = self.value.astype(np.int64)
        replay_values(self.parent, self.turn, self.kind, values, np.zeros(len(self), np.bool_))
        if (self.kind == SAMPLED).any():
            self._replay_samples(values)
        return values

    def _replay_samples(self, values: Column) -> None:
        """A mean is that of a node's own samples and of its children's, as near as the rounding of what is written."""
        below = self.parent != NOBODY
        seen = np.bincount(self.parent[below], self.alpha[below].astype(float) * self.value[below], minlength=len(self))
        visits = np.maximum(self.alpha, 1)
        means = (seen + self.beta * (MEAN / SUM)) / visits
        wrong = (self.kind == SAMPLED) & (np.abs(means - self.value) > 2 + MEAN / SUM / visits)
        values[wrong] = np.round(means[wrong])

    def faults(self) -> int | None:
        """How many finished nodes have a value that does not follow from their children: 0, unless something is wrong.
        None if the tape was full: nodes whose children did not fit cannot be checked."""
        if not self.complete:
            return None
        return int(np.count_nonzero((self.replayed() != self.value) & (self.kind != OPEN)))

    def by_ply(self) -> list[PlyRow]:
        """What happened at each ply."""
        starts, order, _ = self._index
        children = np.diff(starts)[1:]
        inner = (self.kind == EXPANDED) | (self.kind == CUT)
        first = np.full(len(self), NOBODY, np.int64)
        first[children > 0] = order[starts[1:-1][children > 0]]
        rows = []
        for ply in range(int(self.ply.max(initial=0)) + 1):
            here = self.ply == ply
            count = {kind: int(np.count_nonzero(here & (self.kind == number))) for number, kind in enumerate(KINDS)}
            decided_first = here & (self.kind == CUT) & (self.decider == first)
            grown = children[here & inner]
            rows.append(
                PlyRow(
                    ply=ply,
                    nodes=int(np.count_nonzero(here)),
                    first_move_cuts=int(np.count_nonzero(decided_first)),
                    branching=float(grown.mean()) if len(grown) else None,
                    **count,
                )
            )
        return rows

    def save(self, path: Path) -> None:
        """Write the tape to a file; an older file of that name is only replaced when the new one is whole."""
        header = msgspec.json.encode({"format": FORMAT, "nodes": self.nodes, "report": self.report})
        columns = {name: getattr(self, name) for name in COLUMNS}
        with write_safely(path) as file, quick_zip(file) as archive:
            for name, column in {"header": np.frombuffer(header, np.uint8), **columns}.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                    np.lib.format.write_array(entry, column, allow_pickle=False)

    @classmethod
    def load(cls, path: Path) -> Recording:
        """Read a tape from a file; an InputError if it is not one."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
                written = data["header"].tobytes()
                if msgspec.json.decode(written, type=_Format).format != FORMAT:
                    raise InputError(f"{shown(str(path))} was recorded by another version of Plybench.")
                header = msgspec.json.decode(written, type=_Header)
                columns = {name: data[name].astype(kind, casting="safe") for name, kind in COLUMNS.items()}
        except InputError:
            raise
        except FileNotFoundError:
            raise InputError(f"There is no file {shown(str(path))}.") from None
        except OSError as error:
            raise InputError(f"{shown(str(path))} cannot be read: {error.strerror or error}.") from None
        except Exception:  # noqa: BLE001 - zip, zlib, numpy and JSON each raise what they like at a damaged file
            raise InputError(f"{shown(str(path))} is not a tape of Plybench.") from None
        if not _sound(columns):
            raise InputError(f"{shown(str(path))} is not a tape of Plybench, or a damaged one.")
        return cls(header.report, header.nodes, columns)


def quick_zip(file: IO[bytes]) -> zipfile.ZipFile:
    """An archive for `numpy.load`, packed quickly rather than tightly: a person is waiting."""
    return zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1)


def _sound(columns: Mapping[str, Column]) -> bool:
    """The columns are of one length and point only to where there is something: safe to hand to compiled code."""
    parent, decider, kind = columns["parent"], columns["decider"], columns["kind"]
    if any(column.shape != (len(parent),) for column in columns.values()):
        return False
    rows = np.arange(len(parent))
    pointing = (parent >= NOBODY) & (parent < rows) & (decider >= NOBODY) & (decider < len(rows))
    return bool((pointing & (kind >= OPEN) & (kind < len(KINDS)) & (columns["ply"] >= 0)).all())


class _Format(Struct, frozen=True):
    format: str


class _Header(Struct, frozen=True):
    nodes: int
    report: Report


@kernel
def index_nodes(parent: Any, starts: Any, order: Any, sizes: Any) -> None:
    """Sort the nodes by parent (a counting sort: row p + 1 of `starts` is where p's children begin, row 0 the roots'), and
    add up each node's subtree."""
    for node in range(len(parent)):
        starts[parent[node] + 2] += 1
    for row in range(1, len(starts)):
        starts[row] += starts[row - 1]
    for node in range(len(parent)):
        row = parent[node] + 1
        order[starts[row]] = node
        starts[row] += 1
    for row in range(len(starts) - 1, 0, -1):
        starts[row] = starts[row - 1]
    starts[0] = 0
    for node in range(len(parent) - 1, -1, -1):
        if parent[node] != NOBODY:
            sizes[parent[node]] += sizes[node]


@kernel
def replay_values(parent: Any, turn: Any, kind: Any, values: Any, known: Any) -> None:
    """Overwrite the value of every inner node with the best of its children's for the side that moves there. What the table,
    the evaluation or a pruning rule said of a node stands as it was written, and trials set aside do not count. `known` is
    scratch, one for each node."""
    for node in range(len(parent) - 1, -1, -1):
        above = parent[node]
        if above == NOBODY or kind[node] == OPEN or kind[node] == ASIDE:
            continue
        if kind[above] != EXPANDED and kind[above] != CUT:
            continue
        if not known[above]:
            values[above] = values[node]
            known[above] = True
        elif turn[above] > 0:
            values[above] = max(values[above], values[node])
        else:
            values[above] = min(values[above], values[node])
