"""Plybench as a chess engine for any program that speaks UCI.

Commands are read here, in the main thread, which never waits for a search. `readyok` comes when the chosen algorithm is
compiled and loaded, or after a few seconds if that takes longer: a GUI would give the engine up. Bad input is answered with
an `info string` and otherwise ignored, as the protocol asks.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version

from engines import catalog
from engines.algorithm import Algorithm
from engines.contract import InputError, Limit, Setting, shown
from engines.position import Position
from engines.run.memory import Memory
from engines.run.search import Search
from workbench.jobs.compile import is_missing
from workbench.proofs.job import ProofWork
from workbench.uci import options as uci_options
from workbench.uci.go import budget, read_go
from workbench.uci.options import GAME, UciOptions
from workbench.uci.thinking import GoTask, Thinking

BEST_FIRST = ("pvs", "deepening", "alphabeta")
"""Algorithms that play well, the best first."""
LONGEST_WAIT = 6.0
"""Seconds after which `readyok` is sent at the latest."""
LONGEST_LINE = 1_000_000
MATE_IN_TWO, ENOUGH_TO_PROVE = "7k/8/8/8/8/8/1R6/R5K1 w - - 0 1", 2000
"""Searched once, and forgotten, to have the code in memory; and the expansions that prove it."""
GOODBYE = 0.5
"""When it has to quit, a search may take so long to end."""


class Engine:
    """The engine's side of the conversation: takes commands, says lines."""

    def __init__(self, algorithm: str, write: Callable[[str], None]) -> None:
        self.options = UciOptions(algorithm)
        self._write = write
        self._lock = threading.Lock()
        self._debug = False
        self._position = catalog.position("startpos", GAME)
        self._notation = "startpos", ""
        self._moves: list[str] = []
        self._refusal: str | None = None
        """Why the last `position` was refused, if it was. What it was before is not what the client has."""
        self._thinking: Thinking | None = None
        self._memory = Memory()
        self._ready: dict[str, threading.Event] = {}
        self._commands: dict[str, Callable[[str], None]] = {
            "uci": self._uci,
            "debug": self._set_debug,
            "isready": self._is_ready,
            "setoption": self._set_option,
            "ucinewgame": self._new_game,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "d": self._show,
        }

    def say(self, line: str) -> None:
        """Send one line to the GUI; lines of several threads never mix."""
        with self._lock:
            self._write(line)

    @property
    def is_loading(self) -> bool:
        """Whether code is being compiled or loaded in the background."""
        return not all(ready.is_set() for ready in self._ready.values())

    def talk(self, lines: Iterable[str]) -> None:
        """Answer commands until `quit` or the end of the input."""
        self._get_ready()
        for line in lines:
            if not self.obey(line):
                break
        if self._thinking is not None:
            self._thinking.stop()
            self._thinking.join(GOODBYE)

    def obey(self, line: str) -> bool:
        """Do what one line says; False if that was `quit`. Words before a command are not understood, and skipped."""
        words = line.split()
        known = next((i for i, word in enumerate(words) if word == "quit" or word in self._commands), len(words))
        if known:
            self._tell(f"{shown(' '.join(words[:known]))} is not a command of UCI, so it is ignored.")
        if known == len(words):
            return True
        if words[known] == "quit":
            return False
        try:
            self._commands[words[known]](" ".join(words[known + 1 :]))
        except InputError as error:
            self._tell(str(error))
        return True

    def _tell(self, text: str) -> None:
        self.say(f"info string {' '.join(text.split())}")

    # Getting to know each other.

    def _uci(self, rest: str) -> None:
        self.say(f"id name Plybench {version('plybench')}")
        self.say("id author the Plybench authors")
        for line in self.options.declarations():
            self.say(line)
        self.say("uciok")

    def _set_debug(self, rest: str) -> None:
        self._debug = rest != "off"

    def _is_ready(self, rest: str) -> None:
        ready = self._get_ready()
        if ready.is_set() or self._is_thinking():
            self.say("readyok")
        else:
            threading.Thread(target=self._say_when_ready, args=[ready], daemon=True).start()

    def _say_when_ready(self, ready: threading.Event) -> None:
        if not ready.wait(LONGEST_WAIT):
            self._tell("Still compiling; until that is done, every move will just be a legal one.")
        self.say("readyok")

    def _get_ready(self) -> threading.Event:
        """Have the chosen algorithm compiled and loaded, in the background, and whatever else its parameters need."""
        algorithm, parameters = catalog.algorithm(self.options.algorithm), self.options.parameters()
        name = algorithm.id + algorithm.variant(parameters)
        if name not in self._ready:
            self._ready[name] = threading.Event()
            threading.Thread(target=self._load, args=[algorithm, parameters, self._ready[name]], daemon=True).start()
        return self._ready[name]

    def _load(self, algorithm: Algorithm, parameters: Mapping[str, Setting], ready: threading.Event) -> None:
        root, memory = catalog.position(MATE_IN_TWO, GAME), Memory(most=1)
        if is_missing(algorithm.id, root.game):
            self._tell(f"Compiling {algorithm.id}, once; this takes a while.")
        try:
            limit = Limit(iterations=ENOUGH_TO_PROVE) if algorithm.proves else algorithm.trial
            report = Search(root, algorithm, limit, parameters, memory=memory).start().report()
            if algorithm.proves and report.exact:  # it takes a proof to tell how far a win is: that code is needed too
                ProofWork(root, report, memory.kept).run_here().proof()
        except Exception as error:  # noqa: BLE001 - the search itself will say so, too
            self._tell(f"{algorithm.id} cannot be loaded: {error}")
        ready.set()

    def _set_option(self, rest: str) -> None:
        match = re.fullmatch(r"name\s+(?P<name>.+?)(?:\s+value(?:\s+(?P<value>.*))?)?", rest)
        if match is None:
            raise InputError(f"An option is set with setoption name NAME value VALUE, not with {shown(rest)}.")
        if match["name"].lower() == uci_options.CLEAR.lower():
            self._forget()
            return
        name = self.options.set(match["name"], match["value"] or "")
        self._get_ready()
        if name not in uci_options.HARMLESS:
            self._memory = Memory()  # what it holds was found with other options

    # The game.

    def _new_game(self, rest: str) -> None:
        self._forget()

    def _forget(self) -> None:
        """Drop what was kept from earlier searches."""
        if self._is_thinking():
            raise InputError("A search is under way; stop it first.")
        self._memory = Memory()

    def _set_position(self, rest: str) -> None:
        """Read a position. After one that is refused there is none: a move of an older one would be wrong for the client."""
        try:
            self._read_position(rest)
            self._refusal = None
        except InputError as error:
            self._refusal = str(error)
            raise

    def _read_position(self, rest: str) -> None:
        """Read a position; one that continues the last one is read on from there."""
        text = re.sub(r"^fen\s+", "", rest)
        board, _, moves_text = re.sub(r"\s+moves$", " moves ", text).partition(" moves ")
        if not board or (board != "startpos" and text == rest):
            raise InputError(f"A position is written startpos or fen FEN, then moves; not {shown(rest)}.")
        moves, settings = moves_text.split(), self.options.game_settings()
        notation = board, str(sorted(settings.items()))
        if notation == self._notation and moves[: len(self._moves)] == self._moves:
            position, known = self._position, len(self._moves)
        else:
            position, known = catalog.position(board, GAME, settings=settings), 0
        for number, move in enumerate(moves[known:], known + 1):
            position = played(position, number, move)
        self._position, self._notation, self._moves = position, notation, moves

    def _show(self, rest: str) -> None:
        game, position = self._position.game, self._position
        if self._refusal is not None:
            self.say("The last position was refused. This is the one before it:")
        self.say(game.diagram(position.state))
        self.say(f"Fen: {game.board_text(position.state)}")
        self.say(f"Legal moves: {' '.join(game.line_choices(position.state))}")
        if position.is_over:
            self.say(f"Over: {game.ending(position)}")

    # Searching.

    def _go(self, rest: str) -> None:
        if self._is_thinking():
            raise InputError("A search is under way already; stop it first.")
        asked = read_go(rest.split())
        for complaint in asked.complaints:
            self._tell(complaint)
        options = self.options
        overhead = float(options.value(uci_options.OVERHEAD)) / 1000
        position = self._to_search()
        task = GoTask(
            position=position,
            algorithm=catalog.algorithm(options.algorithm),
            parameters=options.parameters(),
            asked=asked,
            budget=budget(asked, self._position.turn > 0, overhead),
            lines=int(options.value("MultiPV")),
            memory=self._memory,
            shows_wdl=bool(options.value(uci_options.WDL)),
        )
        if self._debug and task.budget is not None:
            self._tell(f"No new depth after {task.budget.soft:.3f} s, the end after {task.budget.hard:.3f} s.")
        self._thinking = Thinking(task, self._get_ready(), self.say).start()

    def _to_search(self) -> Position | None:
        """The position to search; None if there is none, after the reason was reported."""
        if self._refusal is None:
            try:
                return self._with_options()
            except InputError as error:  # with other options it was one
                self._refusal = str(error)
        self._tell(f"There is no position to search. {self._refusal}")
        return None

    def _with_options(self) -> Position:
        """The position in a game with the options as they are now: a GUI may set them after the position."""
        settings = self.options.game_settings()
        now = str(sorted(settings.items()))
        if self._notation[1] != now:
            board = self._notation[0]
            position = catalog.position(board, GAME, settings=settings)
            self._position = Position(position.game, position.start, self._position.played)
            self._notation = board, now
        return self._position

    def _is_thinking(self) -> bool:
        return self._thinking is not None and self._thinking.running

    def _stop(self, rest: str) -> None:
        if self._thinking is not None:
            self._thinking.stop()

    def _ponderhit(self, rest: str) -> None:
        if self._thinking is not None:
            self._thinking.ponderhit()


def played(position: Position, number: int, text: str) -> Position:
    """The position after one more move."""
    try:
        return position.play(position.game.read_move(position.state, text))
    except InputError as error:
        raise InputError(f"Move {number}: {error}") from None


def input_lines() -> Iterator[str]:
    """What a GUI sends, line by line, whatever bytes it is made of."""
    while line := sys.stdin.buffer.readline(LONGEST_LINE):
        yield line.decode(errors="replace")


def serve(algorithm: str | None) -> None:
    """Be a UCI engine on standard input and output until the end. Without an algorithm it takes the best there is."""
    if algorithm is None:
        algorithm = next(name for name in BEST_FIRST if name in catalog.ALGORITHMS)

    def write(line: str) -> None:
        try:
            print(line, flush=True)
        except (BrokenPipeError, ValueError):  # the reader is gone: the end of the input will follow
            return

    engine = Engine(algorithm, write)
    engine.talk(input_lines())
    if engine.is_loading:  # the compiler cannot be stopped, and crashes if Python ends around it
        os._exit(0)
