"""A finished tape: every node of a search, with fast queries, and its file format.

All values and windows here are from the first player's side, whatever side the search itself thought from.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import IO, Annotated, Any

import msgspec
import numpy as np
from msgspec import Struct

from engines import catalog
from engines.algorithm import Algorithm, View
from engines.compiled.kernel import kernel
from engines.contract import InputError, Report, Setting, shown
from engines.notation import read_coalition
from engines.position import Position
from engines.rules import INFINITY, MEAN, SUM, WIN, play
from engines.rules_chance import reach
from engines.storage.files import write_safely
from engines.storage.npz import Archive, ArchiveError, NoArchiveError, open_archive
from engines.tape.checks import CHECK, check_columns, check_moves, check_size, checksum
from engines.tape.replay import replay_means, replay_vectors
from engines.tape.report_checks import check_report, read_parameters
from engines.tape.tape import ASIDE, BILLIONTHS, COLUMNS, CUT, EXPANDED, KINDS, MORE, NOBODY, NUMBERED, OPEN, SAMPLED, Tape

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

    def __init__(self, report: Report, nodes: int, columns: Mapping[str, Column], fineness: float | None = None) -> None:
        self.report = report
        self.fineness = fineness
        """In how many steps to 1 finer values are written; the game's own number if nothing is said."""
        self.nodes = nodes
        """How many nodes the search entered; more than `len(self)` if the tape was full."""
        self.parent, self.move, self.turn, self.ply = (columns[name] for name in ("parent", "move", "turn", "ply"))
        self.depth, self.alpha, self.beta = (columns[name] for name in ("depth", "alpha", "beta"))
        self.value, self.kind, self.decider = (columns[name] for name in ("value", "kind", "decider"))
        self.more: Column | None = columns.get("more")
        """How likely each node was, in billionths, and what the players behind the first get there; None if neither is
        known."""

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
        if (more := tape.more[:size]).any():
            columns["more"] = more.copy()
        if view == "mover":
            second = columns["turn"] < 0
            columns["value"][second] *= -1
            alpha, beta = columns["alpha"].copy(), columns["beta"].copy()
            columns["alpha"][second], columns["beta"][second] = -beta[second], -alpha[second]
        return cls(report, entered, columns)

    @property
    def complete(self) -> bool:
        """Whether every node that was entered is on the tape."""
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
        return catalog.restore(self.report.position, self.report.game, self.report.size, self.report.options)

    @cached_property
    def algorithm(self) -> Algorithm:
        """The algorithm that searched."""
        return catalog.algorithm(self.report.algorithm)

    @cached_property
    def parameters(self) -> dict[str, Setting]:
        """All parameters of the search; one that there was not when it was recorded has its default."""
        return read_parameters(self.report)

    @cached_property
    def step(self) -> float:
        """What a value of 1 is on the tape, in units of the kernels: less than 1 where values are finer."""
        return 1.0 / self._steps if self.algorithm.expects or self.algorithm.vectors else 1.0

    @property
    def _steps(self) -> float:
        return self.position.game.fineness if self.fineness is None else self.fineness

    @property
    def is_proof(self) -> bool:
        """Whether this is a proof written out, and not the search that found it."""
        return len(self) > 0 and self.algorithm.proves and self.kind[0] != NUMBERED and self.alpha[0] > -INFINITY

    def question(self, root: int) -> tuple[str, bool]:
        """The question that a part of a proof answers, and whether the answer is yes."""
        game, edge = self.position.game, int(self.alpha[root])
        target = WIN if game.has_winner and edge == 0 else edge + 1
        return game.question(target), int(self.value[root]) > edge

    def likelihood(self, node: int) -> float | None:
        """How probable it is to come to a node from the one above; None if nature has nothing to do with it."""
        above = int(self.parent[node])
        if above == NOBODY or self.turn[above] != 0 or self.more is None:
            return self._likelihood_by_rules(node, above)
        return int(self.more[node, 0]) / BILLIONTHS or self._likelihood_by_rules(node, above)

    def _likelihood_by_rules(self, node: int, above: int) -> float | None:
        """The probability by the rules, for a tape that does not hold it."""
        if above == NOBODY or self.turn[above] != 0:
            return None
        state = self.position.state
        for step in self.path(above)[1:]:
            state = play(self.position.game.rules, state, int(self.move[step]))
        return self.position.game.likelihood(state, int(self.move[node]))

    def values(self, node: int) -> tuple[float, ...]:
        """What each player gets at a node, in units of the kernels; empty if the search did not weigh that."""
        count = self.position.game.player_count
        if not self.report.values or not self.algorithm.vectors:
            return ()
        others = [0] * (count - 1) if self.more is None else self.more[node, 1:count]
        return tuple(int(value) * self.step for value in (self.value[node], *others))

    def replayed(self) -> Column:
        """Every node's value worked out anew from the leaves' values alone: MAX takes the largest, MIN the smallest."""
        values = self.value.astype(np.int64)
        if self._has_sides:
            self._replay_means(values)
            return values
        replay_values(self.parent, self.turn, self.kind, values, np.zeros(len(self), np.bool_))
        if (self.kind == SAMPLED).any():
            self._replay_samples(values)
        return values

    @property
    def _has_sides(self) -> bool:
        """One value at each node, with nature or with more players than two."""
        return self.algorithm.expects or (self.algorithm.vectors and not self.report.values)

    def _replay_means(self, values: Column) -> None:
        game = self.position.game
        side = np.sign(self.turn)
        if game.player_count > 2:  # then the others of the first player's side want what it wants
            sides = read_coalition(self.report.parameters, game) or 1 << self.position.mover
            for player in range(1, game.player_count):
                side[self.turn == -player] = 1 if (sides >> player & 1) == (sides & 1) else -1
        likely = np.zeros(len(self)) if self.more is None else self.more[:, 0].astype(float)
        ends = np.array(reach(game.rules), float) / self.step
        replay_means(self.parent, side, self.kind, values, likely, np.zeros((len(self), 5)), ends)

    def _vector_faults(self) -> int:
        """Nodes whose values do not follow from their children's."""
        count, more = self.position.game.player_count, self.more
        values = np.zeros((len(self), count))
        values[:, 0] = self.value
        likely = np.zeros(len(self))
        if more is not None:
            values[:, 1:], likely = more[:, 1:count], more[:, 0].astype(float)
        if len(self) and int(self.turn.min()) <= -count:  # there is no such player: the file was changed
            return len(self)
        team = read_coalition(self.report.parameters, self.position.game)
        scratch = np.zeros((len(self), 2)), np.zeros((len(self), count))
        return int(replay_vectors(self.parent, self.turn, self.kind, self.decider, values, likely, team, *scratch))

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
        if self.algorithm.vectors and self.report.values:
            return self._vector_faults()
        return int(np.count_nonzero((self.replayed() != self.value) & (self.kind != OPEN)))

    def by_ply(self) -> list[PlyRow]:
        """What happened at each ply."""
        starts, order, _ = self._index
        children = np.diff(starts)[1:]
        inner = (self.kind == EXPANDED) | (self.kind == CUT)
        first = np.full(len(self), NOBODY, np.int64)
        first[children > 0] = order[starts[1:-1][children > 0]]
        plies, kinds = int(self.ply.max(initial=0)) + 1, len(KINDS)
        ended = np.bincount(self.ply.astype(np.int64) * kinds + self.kind, minlength=plies * kinds).reshape(plies, kinds)
        decided_first = np.bincount(self.ply[(self.kind == CUT) & (self.decider == first)], minlength=plies)
        parents, grown = np.bincount(self.ply[inner], minlength=plies), np.bincount(self.ply[inner], children[inner], plies)
        return [
            PlyRow(
                ply=ply,
                nodes=int(ended[ply].sum()),
                first_move_cuts=int(decided_first[ply]),
                branching=float(grown[ply] / parents[ply]) if parents[ply] else None,
                **{kind: int(ended[ply, number]) for number, kind in enumerate(KINDS)},
            )
            for ply in range(plies)
        ]

    def save(self, path: Path) -> None:
        """Write the tape to a file; an older file of that name is only replaced when the new one is whole."""
        said = {"format": FORMAT, "sealed": True, "fineness": self._steps, "nodes": self.nodes, "report": self.report}
        header = msgspec.json.encode(said)
        columns = {name: getattr(self, name) for name in COLUMNS}
        if self.more is not None:
            columns["more"] = self.more
        columns[CHECK] = np.frombuffer(checksum(header, columns), np.uint8)
        with write_safely(path) as file, quick_zip(file) as archive:
            for name, column in {"header": np.frombuffer(header, np.uint8), **columns}.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                    np.lib.format.write_array(entry, column, allow_pickle=False)

    @classmethod
    def load(cls, path: Path) -> Recording:
        """Read a tape from a file; an InputError if it is not one."""
        name = shown(str(path))
        try:
            with path.open("rb") as file:
                header, columns = _read(open_archive(file), name)
        except FileNotFoundError:
            raise InputError(f"There is no file {name}.") from None
        except OSError as error:
            raise InputError(f"{name} cannot be read: {error.strerror or error}.") from None
        except NoArchiveError:
            raise InputError(f"{name} is not a tape of Plybench.") from None
        except ArchiveError as error:
            raise InputError(f"{name} is not a tape of Plybench, or a damaged one: {error}.") from None
        found = cls(header.report, header.nodes, columns, header.fineness)
        if header.fineness is None:
            found.fineness = found.position.game.fineness_before
        return found


def _read(archive: Archive, name: str) -> tuple[_TapeHeader, dict[str, Column]]:
    """What a tape says of itself, and its columns, all checked; an ArchiveError if something is wrong with them."""
    written = archive.read("header", np.uint8).tobytes()
    try:
        version = msgspec.json.decode(written, type=_Format).format
        header = msgspec.json.decode(written, type=_TapeHeader) if version == FORMAT else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ArchiveError(f"what it says of the search cannot be read ({shown(str(error), 80)})") from None
    if header is None:
        raise InputError(f"{name} was recorded by another version of Plybench.")
    columns = {"parent": archive.read("parent", COLUMNS["parent"], rows=header.report.tape_nodes)}
    rows = len(columns["parent"])
    columns |= {column: archive.read(column, kind, rows=rows) for column, kind in COLUMNS.items() if column != "parent"}
    if "more" in archive:
        columns["more"] = archive.read("more", np.int32, MORE, rows)
    sealed = CHECK in archive
    if header.sealed and not sealed:
        raise ArchiveError("its checksum is missing")
    if sealed and archive.read(CHECK, np.uint8).tobytes() != checksum(written, columns):
        raise ArchiveError("its checksum is wrong")
    check_columns(columns)
    try:
        position = check_report(header.report)
    except InputError as error:
        raise ArchiveError(str(error).rstrip(".")) from None
    check_size(header.report, header.nodes, len(columns["parent"]))
    if not sealed:  # it is from before tapes had checksums: then each move is looked at
        check_moves(columns, position)
    return header, columns


def quick_zip(file: IO[bytes]) -> zipfile.ZipFile:
    """An archive for `numpy.load`, packed quickly rather than tightly: a person is waiting."""
    return zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1)


class _Format(Struct, frozen=True):
    format: str


class _TapeHeader(Struct, frozen=True):
    nodes: int
    report: Report
    sealed: bool = False
    """It has a checksum. The first tapes had none."""
    fineness: Annotated[float, msgspec.Meta(gt=0, le=1e12)] | None = None
    """In how many steps to 1 finer values are written. The first tapes did not say."""


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
