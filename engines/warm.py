"""Compiles every kernel ahead of time, in child processes, so that nobody waits for it later.

    python -m engines.warm alphabeta        compiles one family and prints a line for each part that is ready
    python -m engines.warm alphabeta chess  the same for one game

Each child compiles one family (an algorithm for all games, or perft), so that no two write the same cache entries.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np
from msgspec import Struct

from engines import catalog, duel
from engines.compiled.kernel import is_compiled, note_compiled
from engines.perft import Perft
from engines.rules import MAX_MOVES
from engines.run.background import NICENESS
from engines.run.search import Search, compiled_name
from engines.run.work import new_work
from engines.tape.alignment import aligned, can_be_aligned, position_keys
from engines.tape.events import events_of
from engines.tape.recording import Recording
from engines.tape.tape import new_tape

TABLES = "tables"
"""The family that solves whole games."""


class CompileUnit(Struct, frozen=True, kw_only=True):
    """One unit of compilation: an algorithm family for a game, with or without recording."""

    family: str
    game: str
    recorded: bool = False
    options: dict[str, str] = {}
    """Those of the game that need other code."""

    @property
    def name(self) -> str:
        """What the cache's notes call it."""
        code = catalog.position("startpos", self.game, settings=self.options).game.code
        whole = self.family in ("perft", TABLES)
        return f"{self.family}-{code}" if whole else compiled_name(self.family, code, self.recorded)


class Compiled(Struct, frozen=True, kw_only=True):
    """A unit has been compiled."""

    part: CompileUnit
    seconds: float


class CompileError(RuntimeError):
    """A child process could not compile its family; the message is its last word."""


def parts() -> list[CompileUnit]:
    """All there is to compile."""
    kinds = [(game, dict(options)) for game in catalog.GAMES for options in ({}, *catalog.game(game).variants)]
    searches = [
        CompileUnit(family=algorithm, game=game, recorded=recorded, options=options)
        for algorithm in catalog.ALGORITHMS
        for game, options in kinds
        if algorithm in catalog.compiled_algorithms_for(game, options)
        for recorded in ((False, True) if catalog.algorithm(algorithm).records else (False,))
    ]
    others = [CompileUnit(family="perft", game=game, options=options) for game, options in kinds]
    return searches + others + [CompileUnit(family=TABLES, game=game) for game in with_tables()]


def with_tables() -> list[str]:
    """The games that are kept in tables of solved positions."""
    return [game for game in catalog.GAMES if catalog.game(game).table_maker]


def missing() -> list[CompileUnit]:
    """What is not in the cache yet."""
    return [part for part in parts() if not is_compiled(part.name)]


def compile_part(part: CompileUnit) -> Compiled:
    """Compile a part by using it once, as small as can be."""
    began = perf_counter()
    position = catalog.position("startpos", part.game, settings=part.options)
    if part.family == TABLES:
        make_small_table(part.game)
    elif part.family == "perft":
        Perft(position, 2).start().finish()
    else:
        tape = new_tape(1000) if part.recorded else None
        algorithm = catalog.algorithm(part.family)
        search = Search(position, algorithm, algorithm.trial, tape=tape).start()
        report = search.report()
        if tape is not None:
            recording = Recording.of(tape, report, search.algorithm.view)
            recording.faults()  # what reads tapes is compiled too
            if not algorithm.iterates:
                events_of(recording, True)
            if can_be_aligned(algorithm):
                aligned(recording, recording)
                position_keys(recording)
        else:
            for parameters in algorithm.variants:
                Search(position, algorithm, algorithm.trial, parameters).start().finish()
            if algorithm.plays_duels and part.game in duel.games():
                duel.Ring(position, 1).play(*[position.game.rules.data.weights] * 2)
    return Compiled(part=part, seconds=perf_counter() - began)


def make_small_table(game: str) -> None:
    """Solve the smallest board of a game, or the smallest ending, and forget it."""
    from engines.search.retrograde import look_behind
    from engines.solved.registry import build_table
    from engines.solved.threads import WorkerThreads

    text, size = catalog.game(game).smallest_table
    position = catalog.position(text, game, size)
    name = position.game.table_name(position.state)
    assert name is not None
    build_table(position.game, name, WorkerThreads(new_work(), 1))
    look_behind(position.game.rules, new_work(), position.state, np.zeros(MAX_MOVES, np.int64))
    note_compiled(CompileUnit(family=TABLES, game=game).name)


def warm(processes: int | None = None) -> Iterator[Compiled]:
    """Compile what is missing, in so many child processes at once, and yield each part as it is ready.

    Families that share code stand side by side, and what two children compile at once they compile twice: so one takes from
    the front, the other from the back.
    """
    waiting = deque(dict.fromkeys(part.family for part in missing()))
    total = len(waiting)
    children: list[subprocess.Popen[str]] = []
    ready = queue.SimpleQueue[Compiled | BaseException | None]()

    def work(take: Callable[[], str]) -> None:
        try:
            while (family := _taken(take)) is not None:
                for compiled in _compile_family(family, children):
                    ready.put(compiled)
            ready.put(None)
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            ready.put(error)

    workers = min(total, processes or os.cpu_count() or 1)
    for number in range(workers):
        take = waiting.pop if number % 2 else waiting.popleft
        threading.Thread(target=work, args=(take,), daemon=True).start()
    try:
        while workers:
            compiled = ready.get()
            if compiled is None:
                workers -= 1
            elif isinstance(compiled, BaseException):
                raise compiled
            else:
                yield compiled
    finally:  # the caller may have stopped iterating
        waiting.clear()
        for child in children:
            child.kill()


def _taken(take: Callable[[], str]) -> str | None:
    """The next family; None if others have taken all."""
    try:
        return take()
    except IndexError:
        return None


def _compile_family(family: str, children: list[subprocess.Popen[str]]) -> Iterator[Compiled]:
    """Compile one family in a child process, which is put on the list of children."""
    by_name = {part.name: part for part in missing() if part.family == family}
    with (
        tempfile.TemporaryFile("w+") as complaints,
        subprocess.Popen(command(family), stdout=subprocess.PIPE, stderr=complaints, text=True) as child,
    ):
        children.append(child)
        assert child.stdout is not None
        for line in child.stdout:
            name, seconds = line.split()
            yield Compiled(part=by_name[name], seconds=float(seconds))
        if child.wait():
            complaints.seek(0)
            last = complaints.read().strip().splitlines()[-1:]
            raise CompileError(f"Compiling {family} failed: {last[0] if last else f'exit code {child.returncode}'}")


def command(family: str, game: str = "") -> list[str]:
    """What to run in a child process to compile a family, for one game or for all."""
    return [sys.executable, "-m", "engines.warm", family, *([game] if game else [])]


def main(family: str, game: str = "") -> None:
    """Compile all missing parts of one family, for one game or for all."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for part in missing():
        if part.family == family and game in ("", part.game):
            compiled = compile_part(part)
            print(part.name, f"{compiled.seconds:.2f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
