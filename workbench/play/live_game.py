"""A game in play: who is to move, what the player thinks, the clock, hints, moves taken back, and the end.

It works on a study of a session, so that nothing is lost: every move is in it at once, and moves that were taken back stay
as variations. No screen is known here: the app looks at a game twenty times a second, the terminal waits for it.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from msgspec.structs import replace

from engines import catalog
from engines.contract import Glance, InputError, Outcome, Report
from engines.position import Position
from engines.run.memory import Memory
from engines.run.search import Search
from workbench.jobs.compile import Compiling, is_missing
from workbench.play.game_loop import happening
from workbench.play.hints import Advice, HintJob
from workbench.play.levels import Level, why_not_played
from workbench.play.players import Player, seed_of
from workbench.play.seats import Seats, read_seat, seat_text
from workbench.render.report_text import how_it_ended, result_words
from workbench.sessions.model import Path, Study
from workbench.sessions.play_types import Clock, PlayRecord, read_clock

MOVES_LEFT = 25
"""An algorithm that plays on the clock divides its time by so many moves."""
HURRY = 0.15
"""When fewer seconds than this are left, it plays the best move found so far."""


class LiveGame:
    """One game, in play or over."""

    def __init__(
        self, study: Study, changed: Callable[[], None] = lambda: None, now: Callable[[], float] = monotonic
    ) -> None:
        if study.record is None:
            raise InputError("This position is not played as a game.")
        self.study, self.changed = study, changed
        position = study.position()
        game = position.game
        if reason := why_not_played(game):
            raise InputError(f"{reason}, so it is not played here.")
        first, second = (read_seat(text, game.id) for text in study.record.players)
        self.players: Seats = (first, second)
        for player in self.players:
            if player is not None and not position.is_over:
                player.check(position)
        self.clock: Clock | None = read_clock(study.record.clock)
        self.search: Search | None = None
        """The search for the move of whoever is to move, if that is a player."""
        self.compiling: Compiling | None = None
        self.paused = False
        """Whether the game is paused: nobody thinks, and no clock runs."""
        self.advice: Advice | None = None
        self.thought: tuple[Report | None, Report | None] = (None, None)
        """What each side's last search said, from its own point of view."""
        self._asked: HintJob | None = None
        self._memories = (Memory(), Memory())
        self._now = now
        self._since: float | None = None
        """When the clock of the side to move began to run."""

    @classmethod
    def begin(cls, study: Study, players: Seats, clock: Clock | None, seed: int = 0) -> None:
        """Start a game in a study."""
        study.record = PlayRecord(
            players=(seat_text(players[0]), seat_text(players[1])),
            clock=clock.text if clock else "",
            left=(clock.seconds, clock.seconds) if clock else None,
            seed=seed,
        )

    # State.

    @property
    def record(self) -> PlayRecord:
        """The players, and how the game ended."""
        assert self.study.record is not None
        return self.study.record

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.study.position()

    @property
    def side(self) -> int:
        """The side to move: 0 for the first player, 1 for the second."""
        return 0 if self.position.turn > 0 else 1

    @property
    def mover(self) -> Player | None:
        """The player to move; None for a person."""
        return self.players[self.side]

    @property
    def people(self) -> list[int]:
        """The sides that people play."""
        return [side for side, player in enumerate(self.players) if player is None]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.record.outcome is not None or self.position.is_over

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None while it goes on, and for games without winners."""
        if self.record.outcome is not None:
            return self.record.outcome
        position = self.position
        return position.game.outcome(position.result * position.turn) if position.is_over else None

    @property
    def ending(self) -> str:
        """How it ended, in words; empty while it goes on."""
        if self.record.outcome is not None:
            return self.record.ending
        return how_it_ended(self.position)

    def name(self, side: int) -> str:
        """The name of the player of a side."""
        player = self.players[side]
        if player is None:
            return "you" if len(self.people) == 1 else "a person"
        return player.name if isinstance(player, Level) else player.title

    def left(self, side: int) -> float | None:
        """The seconds that a side has left now; None without a clock."""
        if self.record.left is None:
            return None
        running = self._since is not None and side == self.side and not self.over
        return max(0.0, self.record.left[side] - (self._now() - self._since if running and self._since is not None else 0.0))

    # Moves and the end.

    def play(self, move: str) -> None:
        """Make a move. Raises InputError if it is not legal, or if the game is over."""
        if self.over:
            raise InputError("The game is over; there is no move to make.")
        self._stop_thinking()
        side = self.side
        position = self.position
        text = position.game.move_text(position.state, position.game.read_move(position.state, move))
        self.study.play(text)
        self.study.promote(self.study.path)
        if not position.by_chance:
            self._press_clock(side)
        self.advice = None
        self.changed()

    def take_back(self) -> int:
        """Go back to where a person was last to move. Returns the number of moves taken back."""
        if self.study.ply == 0:
            raise InputError("There is no move to take back.")
        self._stop_thinking()
        self.stop_hint()
        self._halt_clock()
        people, count = self.people, 0
        while self.study.ply and (count == 0 or self.position.by_chance or (people and self.side not in people)):
            self.study.back()
            count += 1
        self.study.record = replace(self.record, outcome=None, ending="")
        self.advice = None
        self.paused = not people
        self.changed()
        return count

    def roll(self) -> str:
        """Play the chance move by the seed of the game, and return its name."""
        position = self.position
        text = position.game.move_text(position.state, happening(position, seed_of(self.record.seed, self.study.ply)))
        self.play(text)
        return text

    def resign(self, side: int | None = None) -> None:
        """Resign the game for a side: by default the person's, or the side to move."""
        if self.over:
            raise InputError("The game is over already.")
        if side is None:
            side = self.people[0] if len(self.people) == 1 else self.side
        self.end("second" if side == 0 else "first", f"{self.position.game.players[side]} resigned")

    def end(self, outcome: Outcome, why: str) -> None:
        """End the game before its rules do."""
        self._stop_thinking()
        self.stop_hint()
        self._halt_clock()
        words = result_words(self.position, outcome)
        self.study.record = replace(self.record, outcome=outcome, ending=f"{words}, {why}")
        self.changed()

    def pause(self) -> None:
        """Stop thinking and the clocks until `go_on`."""
        self._stop_thinking()
        self._halt_clock()
        self.paused = True

    def go_on(self) -> None:
        """Continue a paused game."""
        self.paused = False

    def stop(self) -> None:
        """Stop everything that runs."""
        self._stop_thinking()
        self.stop_hint()
        self._halt_clock()

    # Thinking.

    @property
    def thinking(self) -> bool:
        """Whether a player is thinking about its move, or its code is being compiled."""
        return self.compiling is not None or self.search is not None

    def look(self) -> Glance | None:
        """See to it that the game goes on, and what the player who is to move has found by now.

        Starts its search, makes its move when that has ended, and ends the game when a clock has run out.
        """
        if self.over or self.paused:
            return None
        if self.position.by_chance:
            self.roll()
            return None
        if self._since is None:
            self._since = self._now()
        if (left := self.left(self.side)) is not None and left <= 0:
            side = self.side
            self.end("second" if side == 0 else "first", f"{self.position.game.players[side]}'s time is up")
            return None
        if self.mover is None:
            return None
        if self.search is None:
            self._begin_to_think()
        if self.search is None:
            return None
        if left is not None and left < HURRY:
            self.search.stop("seconds")
        glance = self.search.glance()
        if not glance.running:
            self._make_its_move()
        return glance

    def think(self, wait: Callable[[Search], bool]) -> bool:
        """Let the player who is to move find its move, and make it; True if the user interrupted it. For terminals."""
        if self._since is None:
            self._since = self._now()
        assert self.mover is not None
        self.search = self._search_for_it()
        self.search.start()
        if wait(self.search):
            self._stop_thinking()
            return True
        if (left := self.left(self.side)) is not None and left <= 0:
            self.look()
            return False
        self._make_its_move()
        return False

    def _search_for_it(self) -> Search:
        player, side = self.mover, self.side
        assert player is not None
        left = self.left(side)
        if left is not None and not isinstance(player, Level) and "seconds" in catalog.algorithm(player.algorithm).limits:
            bonus = self.clock.bonus if self.clock else 0.0
            given = max(0.02, min(left / 2, left / MOVES_LEFT + 0.8 * bonus))
            if player.limit.seconds is None or player.limit.seconds > given:
                player = replace(player, limit=replace(player.limit, seconds=given))
        return player.search(self.position, seed_of(self.record.seed, self.study.ply), self._memories[side])

    def _begin_to_think(self) -> None:
        """Start the search for the move; where its code is missing, have a child compile it first."""
        search = self._search_for_it()
        algorithm, game = search.algorithm.id, self.position.game
        if is_missing(algorithm, game):
            if self.compiling is None:
                self.compiling = Compiling(f"{algorithm} for {game.title}", algorithm, game.id, None)
            if not self.compiling.ended:
                self._since = self._now()  # compiling is not charged to the clock
                return
            self._stop_compiling()
            if is_missing(algorithm, game):
                self.paused = True
                raise InputError(f"Compiling {algorithm} failed; plybench warm shows why.")
        self._stop_compiling()
        self.search = search.start()

    def _make_its_move(self) -> None:
        search, player, side = self.search, self.mover, self.side
        assert search is not None
        assert player is not None
        self.search = None
        try:
            report = search.report()
        except InputError as error:
            self.end("second" if side == 0 else "first", f"{self.name(side)} cannot go on: {error}")
            return
        self.thought = (report, self.thought[1]) if side == 0 else (self.thought[0], report)
        choice = player.chosen(self.position, report, seed_of(self.record.seed, self.study.ply))
        self.play(self.position.game.move_text(self.position.state, choice.move))

    def _stop_thinking(self) -> None:
        self._stop_compiling()
        search, self.search = self.search, None
        if search is not None and search.running:
            search.stop()
            search.join(2)

    def _stop_compiling(self) -> None:
        compiling, self.compiling = self.compiling, None
        if compiling is not None:
            compiling.stop()

    # Hints.

    def ask_hint(self) -> HintJob:
        """Start looking for a hint; `look_for_hint` returns it when it is known."""
        position = self.position_to_advise()
        self.stop_hint()
        self._asked = HintJob(position)
        return self._asked

    def position_to_advise(self) -> Position:
        """The position that a hint is wanted for."""
        if self.over:
            raise InputError("The game is over; there is no hint to give.")
        return self.position

    @property
    def asked(self) -> bool:
        """Whether a hint is being looked for."""
        return self._asked is not None

    def look_for_hint(self) -> Advice | None:
        """The hint, once, as soon as it is known; otherwise None."""
        asked = self._asked
        if asked is None or asked.running:
            return None
        self._asked = None
        if asked.problem is not None:
            raise asked.problem
        self.advice = asked.advice
        return self.advice

    def stop_hint(self) -> None:
        """Cancel the search for a hint."""
        asked, self._asked = self._asked, None
        if asked is not None:
            asked.stop()

    # The clock.

    def _press_clock(self, side: int) -> None:
        """Stop the clock of a side after its move, and add the increment."""
        if self.record.left is not None and self.clock is not None:
            spent = self._now() - self._since if self._since is not None else 0.0
            times = list(self.record.left)
            times[side] = max(0.0, times[side] - spent) + self.clock.bonus
            self.study.record = replace(self.record, left=(times[0], times[1]))
        self._since = None

    def _halt_clock(self) -> None:
        """Stop the clocks, and subtract the time used so far."""
        if self.record.left is not None and self._since is not None and not self.over:
            times = list(self.record.left)
            times[self.side] = max(0.0, times[self.side] - (self._now() - self._since))
            self.study.record = replace(self.record, left=(times[0], times[1]))
        self._since = None


def last_place(study: Study) -> Path | None:
    """The place of the last move in a study of a game that is not over; None if the study is no such game."""
    if study.record is None or study.record.outcome is not None:
        return None
    place, node = list[str](), study.root
    while node.children:
        node = node.children[0]
        place.append(node.move)
    return None if study.position_at(place).is_over else tuple(place)
