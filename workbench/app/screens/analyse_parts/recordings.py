"""Actions of the Analyse screen that show a recorded search: as a tree that folds, or event by event."""

from __future__ import annotations

from time import perf_counter

from textual import work

from engines import catalog
from engines.contract import InputError
from engines.tape.recording import Recording
from workbench.analysis.desk import Desk
from workbench.app.dialogs.waiting import WaitingDialog
from workbench.app.screens.analyse_parts.game_keys import GameKeysScreen
from workbench.render.values import counted
from workbench.sessions.types import KeptSearch
from workbench.watch.kinds import needs_recording

RECORDED_DEPTH = 4
"""The depth to which the tree is recorded if nothing has been searched yet."""


class RecordedSearch:
    """The search that a desk records: what a dialog says of it while it is waited for. The screen polls the desk."""

    def __init__(self, desk: Desk, what: str) -> None:
        self.desk, self.what = desk, what
        self._began = perf_counter()

    @property
    def running(self) -> bool:
        """Whether the search has not ended, or its result has not been taken over."""
        return self.desk.busy or not self.desk.taken

    def elapsed(self) -> float:
        """Seconds since it began."""
        return perf_counter() - self._began

    def says(self) -> str:
        """What is compiled, and how long that takes; then how many nodes are recorded."""
        if (compiling := self.desk.compiling) is not None:
            took, usual = round(compiling.seconds), round(compiling.expected)
            return f"Compiling {compiling.what}, recorded, once: {took} s of about {usual} s ..."
        nodes = self.desk.search.counters().nodes if self.desk.search is not None else 0
        return f"{self.what}: {counted(nodes, 'node')} ..."


class RecordingKeysScreen(GameKeysScreen):
    """A screen from which the recording of its search can be opened."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._watches = False
        """Whether a recording is watched event by event, and not shown as a tree that folds."""

    def action_tree(self) -> None:
        """Browse the tree of the search: read its tape if the session has one, else record the search."""
        self._watches = False
        self._open_recording()

    def action_watch(self) -> None:
        """Watch the search event by event: read its tape if the session has one, else record the search."""
        from workbench.app.screens.watch import open_watch

        self._watches = True
        report = self.desk.report
        if report is not None and not self.desk.busy and not needs_recording(catalog.algorithm(report.algorithm)):
            open_watch(self, report, self.desk.recording)
        elif not catalog.algorithm(self.desk.algorithm).records and report is None:
            self.hint_at("Search first: {run} does it; then it can be watched.")
        else:
            self._open_recording()

    def _open_recording(self) -> None:
        if self.desk.recording is not None:
            self._show_recording()
            return
        if self.desk.position.is_over:
            self.notify("The game is over; there is nothing to search.")
            return
        taped = self.desk.taped
        if taped is not None and not self.desk.busy:
            self._read_tape(taped)
        else:
            self._record()

    @work(thread=True, exclusive=True, group="tape")
    def _read_tape(self, kept: KeptSearch) -> None:
        """Read a tape that the session names, in a thread, for it may take a second. If it cannot be read, record the search
        again."""
        try:
            recording = self.desk.read_tape(kept)
        except InputError as error:
            sentence = f"{error} The search is recorded again."
            self.app.call_from_thread(self.notify, sentence, severity="warning", timeout=8, markup=False)
            self.app.call_from_thread(self._record)
            return
        self.app.call_from_thread(self._take_tape, kept, recording)

    def _take_tape(self, kept: KeptSearch, recording: Recording) -> None:
        """Browse a tape that was read, unless the user has gone elsewhere meanwhile."""
        if self.desk.taped is kept and self.app.screen is self:
            self.desk.recording = recording
            self._show_recording()

    def _record(self) -> None:
        self.record(self.desk.belief.row.depth if self.desk.belief else RECORDED_DEPTH)

    def record(self, depth: int, watches: bool | None = None) -> None:
        """Repeat the search with recording, then browse its tree, or watch it."""
        if watches is not None:
            self._watches = watches
        try:
            self.desk.record(depth)
        except InputError as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        again = "Sampling once more, recorded" if self.desk.samples else "Searching once more, recorded"
        what = again if self.desk.iterates else f"Recording a search to depth {depth}"
        self.app.push_screen(WaitingDialog("Recording", RecordedSearch(self.desk, what)), self._recorded)

    def _recorded(self, ended: bool | None) -> None:
        if ended:
            self._show_recording()
            return
        self.desk.stop()
        self.desk.recording = None  # a part of a search is not what was asked for
        self.notify("The recording was given up.")

    def _show_recording(self) -> None:
        from workbench.app.screens.tree import TreeScreen
        from workbench.app.screens.watch import open_watch

        recording = self.desk.recording
        if recording is not None and self._watches:
            open_watch(self, recording.report, recording)
        elif recording is not None:
            self.app.push_screen(TreeScreen(recording))
