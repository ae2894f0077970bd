"""State of the Horizon screen: which example is shown, at which depth and with which search; and the thread that searches.

This module knows nothing of the screen, which is called back when there is more to draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engines import catalog
from engines.contract import DepthRow, InputError
from engines.position import Position
from positions.horizon import examples
from workbench.horizon.effect import ALGORITHM, LineMove, along, forcing_moves
from workbench.horizon.story import Story, investigating, telling
from workbench.horizon.view_state import HorizonEntry, HorizonView
from workbench.jobs.compile import Compiling, is_missing
from workbench.jobs.searches import RunSearch, SearchThread

PROGRESS_SECONDS = 0.5
"""Seconds between two reports of the compiler's progress."""
HERE = "Your position"
REFERENCE = "pvs"
"""The algorithm that the finder uses for the true values; it has to be compiled too."""


def stories(entry: HorizonEntry, run: RunSearch) -> Iterator[Story]:
    """Yield the story of an entry each time it has grown."""
    return telling(entry.example, run) if entry.example else investigating(entry.position, run)


class StoryThread(SearchThread):
    """Searches for the story of one entry in a thread, and passes on every new state of it. Once stopped it passes on
    nothing more."""

    def __init__(self, number: int, entry: HorizonEntry, seen: Callable[[int, Story | str], None]) -> None:
        """`seen` is called from this thread with the number of the entry and its story so far, or with a sentence on why
        there is none yet."""
        super().__init__("horizon")
        self.number, self.entry, self.seen = number, entry, seen
        self._thread.start()

    def work(self) -> None:
        """Compile what is missing, then search."""
        try:
            for family in (ALGORITHM,) if self.entry.example else (ALGORITHM, REFERENCE):
                self._compile(family)
                if self._stopping.is_set():
                    return
            for story in stories(self.entry, self.run):
                if self._stopping.is_set():
                    return
                self.seen(self.number, story)
        except InputError as error:
            self.seen(self.number, str(error))
        except Exception as error:  # noqa: BLE001 - said on the screen, where somebody waits for a story
            self.seen(self.number, f"The search ended with an error: {error!r}.")

    def _compile(self, family: str) -> None:
        """Compile missing code in a child process, so that the screen stays responsive."""
        game = self.entry.position.game
        if not is_missing(family, game):
            return
        title = self.entry.position.game.title
        compiling = Compiling(f"{family} for {title}", family, game.id, None)
        while not compiling.ended and is_missing(family, game):
            share = f"{100 * compiling.share:.0f} % of about {compiling.expected:.0f} s"
            self.seen(self.number, f"{family} is compiled for {title}, once: {share}.")
            if self._stopping.wait(PROGRESS_SECONDS):
                compiling.stop()


class HorizonDesk:
    """State of the Horizon screen: the chosen example, its story, and what is running."""

    def __init__(self, position: Position, title: str = "") -> None:
        self.entries = [HorizonEntry(one.title, None, one) for one in examples().values()]
        if not position.is_over and not catalog.misfit(catalog.algorithm(ALGORITHM), position):
            self.entries.insert(0, HorizonEntry(f"{HERE}: {title}" if title else HERE, position))
        self.number = 1 if self.has_own else 0
        self.stories: dict[int, Story] = {}
        self.problem = ""
        """A sentence shown in place of the story: why there is none, or what it waits for."""
        self.depth = self.entry.depth
        self.lane: int | None = None
        """The index of the search that is shown; None for the one that is fooled."""
        self.at: int | None = None
        """How many moves of the line the board shows; None for all."""
        self._kinds: dict[tuple[str, ...], list[LineMove]] = {}
        self._thread: StoryThread | None = None

    @property
    def has_own(self) -> bool:
        """Whether the first entry is the analysed position."""
        return self.entries[0].example is None

    @property
    def entry(self) -> HorizonEntry:
        """The entry that is chosen."""
        return self.entries[self.number]

    @property
    def story(self) -> Story | None:
        """The story so far; None if there is none yet."""
        return self.stories.get(self.number)

    @property
    def busy(self) -> bool:
        """Whether a search for the story is running."""
        return self._thread is not None and self._thread.running

    def look(self) -> HorizonView:
        """The state as one frozen view."""
        return HorizonView(
            entry=self.entry,
            number=self.number,
            story=self.story,
            problem=self.problem,
            busy=self.busy,
            depth=self.depth,
            curve=self.shown_lane,
            row=self.row,
            kinds=tuple(self.kinds()),
            delaying=self.postponing(),
            at=self.at,
            board=self.board,
        )

    # Choosing.

    def choose(self, number: int, seen: Callable[[int, Story | str], None]) -> None:
        """Choose another entry and start its story. `seen` is called from a thread whenever the story has grown."""
        self.number, self.depth, self.lane, self.at = number, self.entries[number].depth, None, None
        self.problem = ""
        self._kinds = {}
        self.stop()
        story = self.story
        if story is None or not story.complete:
            self._thread = StoryThread(number, self.entry, seen)
        elif story.depth is not None:
            self.depth = story.depth

    def take(self, number: int, story: Story | str) -> None:
        """Store a story that has grown, or the sentence on why there is none."""
        if isinstance(story, str):
            if number == self.number:
                self.problem = story
            return
        self.stories[number] = story
        if number == self.number:
            self.problem = ""
            if story.complete and story.depth is not None and self.entry.example is None:
                self.depth, self.lane, self.at = story.depth, None, None

    def stop(self) -> None:
        """Stop the search."""
        if self._thread is not None:
            self._thread.stop(wait=0)
            self._thread = None

    # Stepping.

    @property
    def shown_lane(self) -> int:
        """The index of the curve that is shown."""
        fooled = self.story.fooled if self.story else 0
        return fooled if self.lane is None else self.lane

    @property
    def row(self) -> DepthRow | None:
        """The result of the shown search at the shown depth; None if it is not known."""
        story = self.story
        if story is None or self.shown_lane >= len(story.curves):
            return None
        return story.curves[self.shown_lane].at(self.depth)

    def step(self, by: int) -> bool:
        """Go one depth deeper or back. Returns False if there is no such depth."""
        story = self.story
        if story is None or not 1 <= self.depth + by <= story.deepest:
            return False
        self.depth, self.at = self.depth + by, None
        return True

    def next_lane(self) -> None:
        """Show the next search."""
        if self.story and self.story.curves:
            self.lane, self.at = (self.shown_lane + 1) % len(self.story.curves), None

    def walk(self, by: int) -> None:
        """Move along the line by so many moves."""
        row = self.row
        if row is not None:
            now = len(row.pv) if self.at is None else self.at
            self.at = max(0, min(len(row.pv), now + by))

    @property
    def board(self) -> Position:
        """The position on the board: after the moves of the line that are shown."""
        row = self.row
        return self.entry.position if row is None else along(self.entry.position, row.pv[: self.at])[-1]

    # Delaying moves.

    def kinds(self) -> list[LineMove]:
        """The moves of the shown line, each with how it forces a reply."""
        row = self.row
        if row is None:
            return []
        if row.pv not in self._kinds:
            self._kinds[row.pv] = forcing_moves(self.entry.position, row.pv)
        return self._kinds[row.pv]

    def is_wrong(self, row: DepthRow | None) -> bool | None:
        """Whether a value contradicts the example's true value; None if that is not known."""
        return self.entry.is_wrong(row)

    def postponing(self) -> tuple[int, ...]:
        """The plies of the shown line with delaying moves. At the story's depth these are the story's. At other depths with
        a wrong value, they are the forcing moves of the side that is overrated."""
        story, row, example = self.story, self.row, self.entry.example
        if story is None or row is None:
            return ()
        if self.shown_lane == story.fooled and row.depth == story.depth:
            return story.delaying
        if example is None or not story.delaying or example.is_true(row.value):
            return ()
        side = -1 if example.at_least is not None and row.value < example.at_least else 1
        return tuple(ply for ply, move in enumerate(self.kinds()) if move.mover == side and move.kind)
