"""External engine (any program that speaks UCI, the Universal Chess Interface of Huber and Meyer-Kahlen, 2000)

**Idea.** A strong engine as one more lane: it gets the position with its history and the limit, and what it says about its
search is shown like that of any other algorithm. `engine` is the program, `options` what to set before it starts.

**In short.**

    start the program once: uci, setoption ..., isready
    position fen ... moves ...
    go depth N | nodes N | infinite
    read its info lines until bestmove; send stop when time is up

**Cost.** Whatever the program does. It searches in a process of its own, with its own table and threads.

**Watch.** Everything it reports is its own claim: a mate it announces is not proven here. Its nodes are counted its own way,
its depth is a number that it prunes and extends from, and a value of 1.00 means what its authors made it mean.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from time import perf_counter

from engines.algorithm import Algorithm
from engines.contract import EngineFailed, InputError, Parameter, StoppedBy, shown
from engines.parts.external.uci_process import POLL, External, borrow, give_back
from engines.position import Position
from engines.rules import WIN, State, play
from engines.run.result import DepthResult, MoveResult, SearchResult
from engines.run.run import Run

STOP_SECONDS = 0.03
"""Seconds after which an engine that a person told to stop, and that has not answered, is left alone."""
LATE_SECONDS = 1.0
"""One whose time is up may take longer: nobody sits and waits, and its answer counts."""
LINE_SECONDS = 0.01
"""Seconds that may be spent, once a person has stopped the search, on reading lines whose end nobody has read yet."""


@dataclass
class DepthInfo:
    """What the engine said last about one depth, and what it has cost by then."""

    found: DepthResult
    texts: list[str]
    nodes: int = 0
    seconds: float = 0.0


@dataclass
class Talk:
    """A search of the engine under way."""

    run: Run
    rows: list[DepthInfo] = field(default_factory=list)
    began: float = field(default_factory=perf_counter)
    bounded: DepthResult | None = None
    """The last value that was only a bound: some engines never say more."""

    def __post_init__(self) -> None:
        game, state = self.run.position.game, self.run.position.state
        self.root = {game.move_text(state, move): move for move in game.legal_moves(state)}
        self._after: dict[tuple[str, ...], tuple[int, State]] = {}

    def take(self, line: str) -> None:
        """Understand one `info` line."""
        words = line.split()
        if "string" in words:
            words = words[: words.index("string")]
        numbers = {name: _number(value) for name, value in pairwise(words)}
        work = self.run.work
        work.nodes = max(int(work.nodes), numbers.get("nodes") or 0)
        work.selective_depth = max(int(work.selective_depth), numbers.get("seldepth") or 0)
        depth = numbers.get("depth")
        if depth is None or "score" not in words or "pv" not in words or (numbers.get("multipv") or 1) != 1:
            return
        texts = words[words.index("pv") + 1 :]
        value = self._value(numbers.get("cp"), numbers.get("mate"))
        if value is None or not texts:
            return
        self.run.depth = depth
        first = self._first(texts[0])
        row = DepthResult(depth=depth, value=value, line=[first], cut_short=len(texts) > 1)
        if "lowerbound" in words or "upperbound" in words:
            row.root_moves = [MoveResult(first, value, "at least" if "lowerbound" in words else "at most", int(work.nodes))]
            row.nodes, row.seconds = int(work.nodes), perf_counter() - self.began
            self.bounded = row
            return
        if self.rows and self.rows[-1].found.depth == depth:
            self.rows.pop()
            self.run.depths.pop()
        before = self.rows[-1] if self.rows else DepthInfo(row, [])
        now = DepthInfo(row, texts, int(work.nodes), perf_counter() - self.began)
        row.nodes, row.seconds = now.nodes - before.nodes, now.seconds - before.seconds
        row.root_moves = [MoveResult(first, value, "exact", row.nodes)]
        self.rows.append(now)
        self.run.depths.append(row)

    def _value(self, hundredths: int | None, mate: int | None) -> int | None:
        """A score for the side to move in units of the kernels; mates are counted in plies there, in moves here."""
        if mate is not None:
            return WIN - (2 * mate - 1) if mate > 0 else 2 * -mate - WIN
        return None if hundredths is None else round(hundredths * self.run.position.game.unit / 100)

    def _first(self, text: str) -> int:
        if text not in self.root:
            raise EngineFailed(f"The engine plays {shown(text)}, which is not legal here.")
        return self.root[text]

    def read_line(self, row: DepthInfo) -> None:
        """Read the rest of a depth's line, which takes a while: it was only noted when it came."""
        game, state = self.run.position.game, self.run.position.state
        moves: list[int] = []
        for number in range(1, len(row.texts) + 1):
            way = tuple(row.texts[:number])
            if way not in self._after:
                try:
                    move = game.read_move(state, way[-1])
                except InputError:  # engines' lines may go on after a draw, or be damaged
                    break
                self._after[way] = move, play(game.rules, state, move)
            move, state = self._after[way]
            moves.append(move)
        row.found.line, row.found.cut_short = moves or row.found.line, False
        row.texts = []

    def read_lines(self, seconds: float) -> None:
        """Read as many lines as there is time for, the last one first."""
        end = perf_counter() + seconds
        for row in reversed(self.rows):
            if row.texts and perf_counter() < end:
                self.read_line(row)


def search(run: Run) -> SearchResult:
    """Let the engine search, and listen."""

    def is_stopped() -> bool:
        return bool(run.work.budget == 0)

    nothing = SearchResult(best=DepthResult(depth=0), depths=run.depths, stopped_by="request")
    if is_stopped():
        return nothing
    engine = borrow(str(run.parameters["engine"]), str(run.parameters["options"]), is_stopped)
    if engine is None:
        return nothing
    try:
        found, in_order = _listen(run, engine)
    except BaseException:
        engine.end()
        raise
    if in_order:
        give_back(engine)
    else:
        engine.end()
    return found


def _listen(run: Run, engine: External) -> tuple[SearchResult, bool]:
    """The search itself; and whether the engine ended it in good order."""
    if engine.chess960:
        engine.say(f"setoption name UCI_Chess960 value {str(bool(run.position.game.options.get('chess960'))).lower()}")
    engine.say("ucinewgame")
    engine.say(position_line(run.position))
    engine.say(go_line(run))
    talk, told, best, patience = Talk(run), float("inf"), None, STOP_SECONDS
    while best is None and perf_counter() - told < patience:
        line = engine.hear(POLL)
        if line is not None and line.startswith("info "):
            talk.take(line)
        elif line is not None and line.startswith("bestmove"):
            best = [*line.split(), "(none)"][1]
        elif line is None:
            talk.read_lines(POLL)
        if told == float("inf") and run.work.budget == 0:
            told = perf_counter()
            if run.limit.seconds is not None and told - talk.began >= run.limit.seconds - POLL:
                patience = LATE_SECONDS
            engine.say("stop")
    in_a_hurry = told < float("inf") and patience == STOP_SECONDS
    talk.read_lines(LINE_SECONDS if in_a_hurry else LATE_SECONDS)
    return _found(run, talk, best, told < float("inf")), best is not None


def _found(run: Run, talk: Talk, best: str | None, was_told: bool) -> SearchResult:
    if not run.depths and talk.bounded is not None:
        run.depths.append(talk.bounded)
    last = run.depths[-1] if run.depths else DepthResult(depth=0)
    if best is not None and best not in ("(none)", "0000") and (not last.line or last.line[0] != talk.root.get(best)):
        last = replace(last, line=[talk._first(best)], root_moves=[], cut_short=True)
    reached = run.limit.nodes is None or last.depth == run.limit.depth
    stopped_by: StoppedBy = "depth" if reached and not was_told else "request"
    return SearchResult(best=last, depths=run.depths, stopped_by=stopped_by)


def position_line(position: Position) -> str:
    """The position with its history, as UCI has it."""
    game = position.game
    played = " ".join(game.line_text(position.start, position.played))
    return f"position fen {game.board_text(position.start)}" + (f" moves {played}" if played else "")


def go_line(run: Run) -> str:
    """The limit, as UCI has it. A limit in seconds is kept from outside, like that of any other search."""
    depth, nodes = run.limit.depth, run.limit.nodes
    if depth is None and nodes is None and run.limit.seconds is None:
        depth = run.position.game.depth_from(run.position.state)
    words = ["go"]
    if depth is not None:
        words += ["depth", str(max(depth, 1))]
    if nodes is not None:
        words += ["nodes", str(nodes)]
    return " ".join(words if len(words) > 1 else ["go", "infinite"])


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


ALGORITHM = Algorithm(
    id="uci",
    name="External engine",
    year=2000,
    summary="any program that speaks UCI, such as Stockfish",
    needs=("uci",),
    search=search,
    compiled=False,
    records=False,
    parameters=(
        Parameter(name="engine", default="stockfish", sentence="The program, or a command line that starts it."),
        Parameter(name="options", default="", sentence="What to set before it starts: Hash=64;Threads=1."),
    ),
)
