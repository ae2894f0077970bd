"""State of the Analyse screen: session, algorithm, running search, beliefs by depth.

No screen is known here. A screen asks the desk to do things, and twenty times a second for one frozen view, which it draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engines import catalog
from engines.contract import DEPTH_BY_DEPTH, MAX_DEPTH, Glance, InputError, Limit, Setting, listed
from engines.parts.sampling.driver import Sampler
from engines.position import Position
from engines.run.checkpoints import next_checkpoint
from engines.run.memory import Memory
from engines.run.resume import Resumable
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.report_checks import read_parameters
from engines.tape.tape import Tape, new_tape
from positions import library
from workbench.analysis.iteration import Iteration, grown_anew, next_iteration
from workbench.analysis.search_state import EXPANSIONS, SearchState, no_tape
from workbench.analysis.view_state import AnalysisView, CompilingView
from workbench.jobs.compile import Compiling, is_missing
from workbench.jobs.compile_process import InterpretedSearch
from workbench.sessions.checks import is_known
from workbench.sessions.model import Session, Study
from workbench.sessions.types import KeptSearch

if TYPE_CHECKING:
    from workbench.proofs.job import ProofWork

WELCOME = "chess/immortal"
RECORDED_ITERATIONS = 2_000
WATCHED_SECONDS = 2.0
REGROWN_SECONDS = 0.2
TAPE_NODES = 2_000_000


class Desk(SearchState):
    """State of the Analyse screen: session, algorithm, running search, beliefs by depth."""

    def __init__(self, position: Position | None = None, title: str = "", session: Session | None = None) -> None:
        entry = library.get(WELCOME)
        title = title or (entry.title if position is None and session is None else "")
        super().__init__(session or Session.new(title or "untitled", position or entry.position(), title))
        self.recorded: Callable[[Study, KeptSearch, Recording], None] = lambda study, kept, recording: None
        """Called when a search has been recorded and kept: its tape may be written."""
        self.read_tape: Callable[[KeptSearch], Recording] = no_tape
        """Reads the tape that a kept search names; an InputError if that cannot be read."""
        self.search: Search | None = None
        self.recording: Recording | None = None
        self.compiling: Compiling | None = None
        self._compilers: list[Compiling] = []
        """Those whose search has begun, and which go on with what the tree screen needs."""
        self._memory = Memory(prefault=True)
        self._tape: Tape | None = None
        self._holding = False
        self._waiting: Limit | None = None
        self._goal: int | None = None
        """The depth to go to, one search a depth, where the algorithm has no memory of the depth before."""
        self._held_goal: int | None = None
        """The goal while it is held."""
        self._stepped = False
        self._taken = True
        """What the last search found has been taken over."""
        self._problem = ""
        """What went wrong in it."""
        self.resume()

    # Choices.

    def choose(self, algorithm: str, parameters: Mapping[str, Setting], limit: Limit) -> None:
        """Choose an algorithm, its parameters and its limit."""
        found = catalog.algorithm(algorithm)
        if reason := catalog.misfit(found, self.position):
            raise InputError(reason)
        catalog.check_limit(found, limit)
        self.stop()
        defaults = catalog.read_settings(found.parameters, {}, self.position.game.id)
        self.algorithm = algorithm
        self.settings[algorithm] = {name: value for name, value in parameters.items() if defaults.get(name) != value}
        self.limits[self.position.game.id, algorithm] = limit
        self._forget()
        self.recall()

    # The position.

    def open(self, session: Session) -> None:
        """Open another session."""
        self.stop()
        self.session = session
        self.resume()

    def resume(self) -> None:
        """Continue where the session was left, with the algorithm of the last search of this study."""
        self.fit()
        searches = self.session.study.searches
        if searches and is_known(searches[-1].report):
            report = searches[-1].report
            if not catalog.misfit(catalog.algorithm(report.algorithm), self.session.study.position()):
                self.algorithm, self.settings[report.algorithm] = report.algorithm, read_parameters(report)
        self.arrive()

    def arrive(self) -> None:
        """Show what is known of the session's current position, after it has changed."""
        self.position = self.session.study.position()
        self._forget()
        self.recall()

    def _forget(self) -> None:
        self.forget_beliefs()
        self.recording, self._memory, self._tape = None, Memory(prefault=True), None
        self.search = None  # its result was taken over, and belongs to another position or algorithm

    # Searching.

    @property
    def busy(self) -> bool:
        """Whether a search is running, or code is being compiled for one."""
        running = self.search is not None and self.search.running and not self.search.waiting
        return self.compiling is not None or running or self._goal is not None

    @property
    def taken(self) -> bool:
        """Whether the result of the last search has been taken over; `look` does that after a search has ended."""
        return self._taken

    @property
    def held(self) -> bool:
        """Whether a search is on hold after a depth that it has finished."""
        return not self.busy and (self._held_goal is not None or (self.search is not None and self.search.waiting))

    @property
    def holding(self) -> bool:
        """Whether the search goes on hold after the current depth."""
        return self._holding and self.busy

    def run(self) -> None:
        """Search to the limit, from the beginning."""
        self.stop()
        self._forget()
        limit = self.limit
        if limit.nodes is None and limit.seconds is None and limit.iterations is None:
            limit = replace(limit, nodes=DEPTH_BY_DEPTH)
        self._stepped = False
        self._begin(limit)

    def run_to_iterations(self, iterations: int) -> None:
        """Continue the tree to a total number of iterations. If that number has been reached before, show its result."""
        self.stop()
        self.shown = None
        if iterations <= self.iterations:
            seen = [at for at, belief in self.beliefs.items() if (belief.row.iterations or 0) >= iterations]
            self.shown = min(seen) if min(seen) < max(self.beliefs) else None
            return
        self._stepped = False
        self._tape = self.recording = None
        self._begin(Limit(iterations=iterations))

    def watch(self) -> Iteration:
        """Run the next iteration, and return what it did phase by phase. Raises InputError if there is none."""
        if not catalog.algorithm(self.algorithm).watchable:
            others = [name for name in catalog.ALGORITHMS if catalog.algorithm(name).watchable]
            raise InputError(f"{self.algorithm} has no iterations to watch; {listed(others)} have.")
        if self.position.is_over:
            raise InputError("The game is over; there is nothing to sample.")
        if self.busy:
            raise InputError("The search is running; stop it first, then watch an iteration.")
        if self._is_missing:
            self.run_to_iterations(self.iterations + 1)
            raise InputError("The search has to be compiled first, once; then an iteration can be watched.")
        found = next_iteration(self.position, self._grown())
        if found is None:
            raise InputError("The result is proven; there is nothing left to sample.")
        self.run_to_iterations(found.number)
        if self.search is not None:
            self.search.join(WATCHED_SECONDS)
        self.poll()
        return found

    def _grown(self) -> Resumable[Sampler]:
        """The search tree so far. It is grown again if its report comes from a session, and created if there is none."""
        known = self.iterations
        kept = self._memory.kept
        if kept is None or not isinstance(kept.grown, Sampler) or int(kept.work["iterations"]) != known:
            if sum(belief.row.seconds for belief in self.beliefs.values()) > REGROWN_SECONDS:  # nobody waits that long
                self._begin(Limit(iterations=known))
                raise InputError(
                    "A session does not keep the tree: it has to be grown again, then an iteration can be watched."
                )
            how = (catalog.algorithm(self.algorithm), self.parameters, self.seed)
            self._memory = grown_anew(self.position, *how, iterations=known)
            kept = self._memory.kept
        assert kept is not None
        return kept

    def step(self) -> None:
        """Show the next depth: one that is known, or, if there is none, search exactly one depth further."""
        if self.busy:
            return
        if self.shown is not None:
            deeper = [depth for depth in self.beliefs if depth > self.shown]
            self.shown = min(deeper) if len(deeper) > 1 else None
            return
        if self.iterates:
            self.run_to_iterations(next_checkpoint(self.iterations))
        else:
            self.run_to(min(self.known + 1, MAX_DEPTH))

    def run_to(self, depth: int) -> None:
        """Search from what is known until this depth is finished, and hold there. If the depth is known already, show it."""
        known = self.known
        if depth <= known:
            self.stop()
            self.shown = min(at for at in self.beliefs if at >= depth)
            self.shown = None if self.shown == known else self.shown
            return
        self.shown = None
        if self.search is not None and self.search.running and self._reaches(self.search, depth):
            self._holding = False
            self.search.hold(depth)
            return
        self.stop()
        limit = Limit(depth=depth)
        catalog.check_limit(catalog.algorithm(self.algorithm), limit)
        self._stepped = self._memory.table is not None
        self._tape = self.recording = None
        if self.algorithm_deepens:
            self._begin(limit)
        else:
            self._begin(Limit(depth=known + 1))
            self._goal = depth

    def _reaches(self, search: Search, depth: int) -> bool:
        """Whether a search that runs or is on hold will come to this depth."""
        last = search.run.limit.depth
        return search.position is self.position and self._tape is None and (last is None or last >= depth)

    def hold(self) -> None:
        """Hold the search after the current depth. Raises InputError if there is nothing to hold."""
        if self._goal is not None:
            self._held_goal, self._goal = self._goal, None
        elif self.search is None or not self.search.running:
            raise InputError("No search is running that could be paused.")
        elif not self.search.algorithm.compiled:
            raise InputError(f"{self.algorithm} searches in another program, which cannot be paused.")
        else:
            self.search.hold()
        self._holding = True

    def go_on(self) -> None:
        """Continue a search that is on hold."""
        self._holding, self.shown = False, None
        if self._held_goal is not None and self.search is not None and self.search.running:
            self._goal, self._held_goal = self._held_goal, None
        elif self._held_goal is not None:
            self.run_to(self._held_goal)
        elif self.search is not None:
            self.search.go_on()

    def step_back(self) -> None:
        """Show the result one depth earlier."""
        if self.busy:
            return
        now = self.shown if self.shown is not None else max(self.beliefs, default=0)
        earlier = [depth for depth in self.beliefs if depth < now]
        if earlier:
            self.shown = max(earlier)

    def record(self, depth: int) -> None:
        """Repeat the search to a depth, and record every node for the Tree screen."""
        if not catalog.algorithm(self.algorithm).records:
            raise InputError(f"{self.algorithm} keeps no tree, so there is nothing to browse.")
        self.stop()
        self._memory = Memory(prefault=True)
        self._stepped = False
        self.recording = None
        self._tape = new_tape(TAPE_NODES)
        usually = EXPANSIONS if self.proves else RECORDED_ITERATIONS
        iterations = self.iterations or min(usually, self.limit.iterations or usually)
        self._begin(Limit(iterations=iterations) if self.iterates else Limit(depth=depth))

    def proof_work(self) -> ProofWork:
        """The work that makes the proof of what the last search has proven. Raises InputError if nothing is proven."""
        from workbench.proofs.job import ProofWork

        if self.report is None:
            raise InputError("Nothing has been searched yet.")
        return ProofWork(self.position, self.report, self._memory.kept)

    def stop(self) -> None:
        """Stop everything that runs and wait until it has ended, which takes a moment."""
        self._waiting = self._goal = self._held_goal = None
        self._holding = False
        compiling, self.compiling = self.compiling, None
        if compiling is not None:
            compiling.stop()
        if self.search is not None and not self._taken:  # it runs, or has just ended and was not polled since
            self.search.stop()
            self.search.join(2)
            self._take()

    def _begin(self, limit: Limit) -> None:
        if self._is_missing and not self.position.is_over:
            self._compile(limit)
            return
        self.search = Search(
            self.position,
            catalog.algorithm(self.algorithm),
            limit,
            self.parameters,
            self.seed,
            tape=self._tape,
            memory=self._memory,
        ).start()
        self._taken = False
        self.rate_anew()

    def _compile(self, limit: Limit) -> None:
        """Have a child process fill the cache; `poll` begins the search when it is done. Meanwhile another one searches."""
        game = self.position.game
        task = None
        if self._tape is None:
            task = InterpretedSearch(
                position=self.position.text,
                size=game.size,
                options=dict(game.options),
                parameters=self.parameters,
                limit=limit,
                seed=self.seed,
            )
        self.compiling = Compiling(f"{self.algorithm} for {game.title}", self.algorithm, game.id, task)
        self._waiting = limit
        self.rate_anew()

    # Polling.

    def look(self) -> AnalysisView:
        """Poll the search, and return the state as one frozen view. Raises InputError if something went wrong."""
        return self.view(self.poll())

    def view(self, glance: Glance | None = None) -> AnalysisView:
        """The state as it is, without polling; `glance` is the result of the last poll."""
        study = self.session.study
        return AnalysisView(
            position=self.position,
            title=self.title,
            note=study.note_here,
            game=self.game_view(),
            study_number=self.session.at,
            study_count=len(self.session.studies),
            algorithm=self.algorithm,
            parameters=self.parameters,
            limit=self.limit,
            beliefs=dict(self.beliefs),
            shown=self.shown,
            report=self.report,
            glance=glance,
            rates=tuple(self.rates),
            compiling=CompilingView.of(self.compiling) if self.compiling is not None else None,
            compiled=self.compiled,
            busy=self.busy,
            held=self.held,
            holding=self.holding,
            taken=self.taken,
        )

    def poll(self) -> Glance | None:
        """Poll the search: record its results so far and return its state. None if there is no search yet."""
        if self.compiling is not None:
            self._see_whether_it_is_compiled(self.compiling)
        if self.compiling is not None:
            if self.compiling.glance is not None:
                self.note(self.compiling.glance, interpreted=True)
            return self.compiling.glance
        if self.search is None or self.search.position is not self.position:
            return None
        glance = self.search.glance()
        self.note(glance)
        if not glance.running and not self._taken:
            self._take()
            self._go_further()
        if self._problem:
            problem, self._problem = self._problem, ""
            raise InputError(problem)
        return glance

    def _go_further(self) -> None:
        """Search the next depth on the way to the requested one."""
        known, goal = self.known, self._goal or self._held_goal
        if goal is None:
            return
        if self.report is None or self._problem or self.report.stopped_by != "depth" or known >= goal:
            self._goal = self._held_goal = None
        elif self._goal is not None:
            self._begin(Limit(depth=known + 1))

    def _see_whether_it_is_compiled(self, compiling: Compiling) -> None:
        """Begin the search as soon as its code is there; the child goes on with what the tree screen needs."""
        if not self._is_missing or compiling.ended:
            compiling.stop_searching()
            limit, self.compiling, self._waiting = self._waiting, None, None
            if self._is_missing:
                self._goal = self._held_goal = None
                compiling.stop()
                raise InputError(f"Compiling {self.algorithm} failed; plybench warm shows why.")
            self._compilers.append(compiling)
            self.compiled = compiling.seconds
            if limit is not None:
                self.rates = []
                self._begin(limit)

    @property
    def _is_missing(self) -> bool:
        """Whether the next search has to be compiled before it can run."""
        return is_missing(self.algorithm, self.position.game, recorded=self._tape is not None)

    def _take(self) -> None:
        """Take over the result of a search that has ended, or its error, which `poll` then raises."""
        assert self.search is not None
        self._taken = True
        self.note(self.search.glance())
        try:
            report = self.search.report()
        except InputError as error:
            self._problem = str(error)
            return
        self.believe(report)
        recording = None
        if self._tape is not None:
            self.recording = recording = Recording.of(self._tape, report, self.search.algorithm.view)
            self._tape = None
        if report.value is not None and report.stopped_by != "game over":
            study = self.session.study
            kept = study.add(report, stepped=self._stepped)
            self.changed()
            if recording is not None:
                self.recorded(study, kept, recording)

    def close(self) -> None:
        """Stop everything, because the app ends."""
        self.stop()
        for compiling in self._compilers:
            compiling.stop()
