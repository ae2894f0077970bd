"""Compiles the code of a search in a child process, while another child runs the search without the compiler, so that there
is something to see at once."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterable
from time import perf_counter, sleep

import msgspec

from engines import catalog, duel
from engines.compiled.kernel import is_compiled, jit_enabled
from engines.contract import Glance
from engines.game import Game
from engines.run.search import compiled_name
from workbench.jobs import compile_process as child
from workbench.jobs.compile_process import CompileTask, InterpretedSearch
from workbench.jobs.compile_times import expected, remember

POLL_SECONDS = 0.1


def is_missing(algorithm: str, game: Game, recorded: bool = False) -> bool:
    """Whether a search has to be compiled before it can run. A search that records its nodes has separate code."""
    compiles = jit_enabled() and catalog.algorithm(algorithm).compiled
    return compiles and not is_compiled(compiled_name(algorithm, game.code, recorded))


def is_duel_missing(game: Game) -> bool:
    """Whether games between evaluations have to be compiled before they can be played inside a kernel."""
    return duel.can_duel(type(game)) and jit_enabled() and not is_compiled(duel.compiled_name(game.id))


def missing_code(algorithms: Iterable[str], game: Game) -> list[str]:
    """The algorithms that have to be compiled before they can run, each once."""
    return [name for name in dict.fromkeys(algorithms) if is_missing(name, game)]


def compile_first(algorithm: str, game: Game, stopped: Callable[[], bool], recorded: bool = False) -> None:
    """Wait until a search is compiled, if it is not, or until `stopped` returns True. Called in a background thread."""
    if not is_missing(algorithm, game, recorded):
        return
    compiling = Compiling(f"{algorithm} for {game.title}", algorithm, game.id, None)
    while is_missing(algorithm, game, recorded) and not compiling.ended and not stopped():
        sleep(POLL_SECONDS)
    compiling.stop()


class Compiling:
    """The child processes that run until a search is compiled. Both end when this is stopped, and when the app is killed."""

    def __init__(self, what: str, algorithm: str, game: str, task: InterpretedSearch | None) -> None:
        """`task`: the search to run meanwhile; None for none."""
        self.what = what
        self.expected = expected(algorithm, game)
        """How many seconds it should take."""
        self.glance: Glance | None = None
        """What the search without the compiler has found."""
        self._algorithm, self._game = algorithm, game
        self._began: float = perf_counter()
        self._compiler = child.start(CompileTask(algorithm=algorithm, game=game))
        threading.Thread(target=self._wait, daemon=True).start()
        self._searcher = child.start(CompileTask(algorithm=algorithm, game=game, search=task)) if task is not None else None
        if self._searcher is not None:
            threading.Thread(target=self._read, args=[self._searcher], daemon=True).start()

    @property
    def share(self) -> float:
        """The estimated share that is done, always below 1."""
        return min(0.97, self.seconds / self.expected)

    @property
    def seconds(self) -> float:
        """The seconds so far."""
        return perf_counter() - self._began

    @property
    def ended(self) -> bool:
        """Whether the compiler has ended."""
        return self._compiler.returncode is not None

    def stop(self) -> None:
        """End both child processes."""
        child.end(self._compiler)
        self.stop_searching()

    def stop_searching(self) -> None:
        """End the interpreted search, because the compiled one takes over. The compiler goes on with what the Tree screen
        needs."""
        searcher, self._searcher = self._searcher, None
        if searcher is not None:
            child.end(searcher)

    def _wait(self) -> None:
        """Wait until the compiler has ended, and clean up. The search is compiled some time before: what else belongs to it
        comes later."""
        name = compiled_name(self._algorithm, self._game, recorded=False)
        known = is_compiled(name)
        while self._compiler.poll() is None:
            if not known and is_compiled(name):
                known = True
                remember(self._algorithm, self._game, self.seconds)
            sleep(POLL_SECONDS)
        assert self._compiler.stdin is not None
        self._compiler.stdin.close()

    def _read(self, searcher: subprocess.Popen[bytes]) -> None:
        assert searcher.stdout is not None
        try:
            for line in searcher.stdout:
                self.glance = msgspec.json.decode(line, type=Glance)
        except (ValueError, OSError):  # the process was ended in the middle of a line
            return
