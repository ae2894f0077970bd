"""The review of a game: the value of every position, the mistakes, the better moves, and the reasons.

Every position is searched with the same number of nodes, and as for a hint (`workbench.play.hints`): the better move that is
named is the one that a hint would have proposed. What came later counts as well: a position is worth at least what the move
that was played there led to. A move that looks bad is compared with the better one by searches of the same size after both.
Where the truth can be known it decides (`workbench.proofs.truth`), and at the worst moves the finder looks for horizon
effects that may explain them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engines import catalog
from engines.contract import InputError, Outcome, Report, Setting
from engines.game import SHOWN_WIN, Game, margins
from engines.position import Position
from engines.run.memory import Memory
from engines.run.search import Search
from workbench.horizon.finder import Finder, Finding
from workbench.jobs.searches import RunSearch, SearchInterrupted, SearchThread, run_to_end
from workbench.play.game_loop import forget
from workbench.play.hints import ALGORITHM, NODES, checked, reviewer_of
from workbench.proofs.truth import POINTS, TruthFinder, given_away, outcome_text, regret_of
from workbench.render.values import is_forever, value_text
from workbench.sessions.comparison_types import MoveTruth, Truth

EFFECTS = 3
"""The number of the worst moves at which horizon effects are looked for."""
GIVE_UP = 2
"""After this many failures in a row the truth is no longer looked for, because earlier positions are harder."""
STEEPNESS = 0.368
"""The steepness of the logistic curve from margins (pawns in chess) to chances of winning, fitted to many games of chess."""
INACCURACY, MISTAKE, BLUNDER = 0.05, 0.10, 0.15
"""What a move of each class costs at least, in points of the game (a win is 1), by the chances before and after it."""

Verdict = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
MARKS: dict[Verdict, str] = {"best": "", "good": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}


class ReviewedMove(Struct, frozen=True, kw_only=True):
    """A move of the game with its verdict."""

    ply: int
    """The ply, counted from 1."""
    side: int
    """0 for the first player, 1 for the second."""
    move: str
    value: float
    """The value of the position after the move, for the first player."""
    better: str | None = None
    """The better move, if this one is a mistake; otherwise None."""
    better_value: float | None = None
    line: tuple[str, ...] = ()
    """The continuation after the better move."""
    cost: float = 0.0
    """The cost in points of the game: by the truth where it is known, otherwise by the chances."""
    verdict: Verdict = "best"
    truth: MoveTruth | None = None
    """The truth of the move, where it is known."""
    effect: Finding | None = None
    """A horizon effect in the position before it."""
    words: str = ""
    """A sentence on what was wrong with it; empty if nothing was."""


class Review(Struct, frozen=True, kw_only=True):
    """The review of a game, or of the part that is done."""

    game: str
    size: str
    options: dict[str, Setting]
    position: str
    """The notation of the game's end, with all its moves."""
    nodes: int
    """The nodes searched for each position."""
    values: tuple[float | None, ...]
    """The value of each position, beginning before the first move, by its search and by what came later; None for those not
    known yet."""
    chances: tuple[float | None, ...]
    """The values as chances from -1 (the second player wins) to 1 (the first player wins)."""
    outcomes: tuple[Outcome | None, ...]
    """The winner from each position, where that is proven."""
    moves: tuple[ReviewedMove, ...]
    """The moves that have a verdict."""
    share: float = 1.0
    """The share of the work that is done, from 0 to 1."""

    @property
    def complete(self) -> bool:
        """Whether all work is done."""
        return self.share >= 1

    @property
    def mistakes(self) -> list[ReviewedMove]:
        """The moves that were mistakes of any kind, in the order of the game."""
        return [row for row in self.moves if row.verdict in ("inaccuracy", "mistake", "blunder")]

    def at(self, ply: int) -> ReviewedMove | None:
        """The move at a ply; None if it has no verdict yet."""
        return next((row for row in self.moves if row.ply == ply), None)

    def count(self, side: int, verdict: Verdict) -> int:
        """How many moves of a side have this verdict."""
        return sum(row.side == side and row.verdict == verdict for row in self.moves)


def chance(value: float, game: Game) -> float:
    """The chance for a value, both for the first player: from -1 (the second player wins) to 1 (the first player wins)."""
    return 2 / (1 + math.exp(-STEEPNESS * margins(value, game))) - 1


def steady(report: Report, game: Game) -> float | None:
    """A value that depends less on which side moves last in the search: the mean of the last two depths, unless one is a
    win. None if the report has no value."""
    if report.value is None or report.exact or len(report.depths) < 2:
        return report.value
    last, before = report.depths[-1].value, report.depths[-2].value
    if game.has_winner and max(abs(last), abs(before), abs(report.value)) > SHOWN_WIN / 2:
        return report.value
    decimals = len(str(game.unit)) - 1
    return round((last + before) / 2, decimals)


def one_ply_earlier(value: float, game: Game) -> float:
    """The value of a position for a move that leads from it to one of this value: a win in 3 plies is one in 4."""
    if game.has_winner and SHOWN_WIN / 2 < abs(value) < SHOWN_WIN and not is_forever(value):
        return value - math.copysign(1.0, value)
    return value


class Reviewer:
    """Reviews one game."""

    def __init__(
        self,
        position: Position,
        nodes: int | None = None,
        truth_nodes: int | None = None,
        effects: int = EFFECTS,
        run: RunSearch = run_to_end,
        seen: Callable[[Review], None] = lambda review: None,
    ) -> None:
        """`seen` is called with the review whenever it has grown. If `run` reports an interrupt, the review ends with what
        is known by then."""
        if not position.played:
            raise InputError("The game has no moves to analyse.")
        if reason := catalog.misfit(catalog.algorithm(ALGORITHM), Position(position.game, position.start)):
            raise InputError(reason)
        self.places = [Position(position.game, position.start)]
        for move in position.played:
            self.places.append(self.places[-1].play(move))
        self.game = position.game
        self.moves = self.game.line_text(position.start, position.played)
        if truth_nodes is None:
            truth_nodes = self.game.review_nodes
        self.nodes = NODES if nodes is None else nodes
        self.truth_nodes, self.effects, self.run, self.seen = truth_nodes, effects, run, seen
        self.player = reviewer_of(self.game, self.nodes)
        count = len(self.places)
        self.reports: list[Report | None] = [None] * count
        self.truths: list[Truth | None] = [None] * count
        self.values: list[float | None] = [None] * count
        """The value of each position for the first player, as far as it is known."""
        self.rows: dict[int, ReviewedMove] = {}
        self._memory = Memory()
        self._telling = TruthFinder(truth_nodes, self._prove)
        self._done = 0

    def review(self) -> Review:
        """Run the whole review."""
        try:
            self._search_all()
            self._find_truths()
            for ply in range(len(self.moves), 0, -1):
                self.rows[ply] = self._judged(ply)
                self._tell()
            self._find_effects()
        except SearchInterrupted:
            return self.so_far()
        return replace(self.so_far(), share=1.0)

    def so_far(self) -> Review:
        """The result so far."""
        total = 2 * len(self.places) + 1
        return Review(
            game=self.game.id,
            size=self.game.size,
            options=dict(self.game.options),
            position=self.places[-1].text,
            nodes=self.nodes,
            values=tuple(self.values),
            chances=tuple(self._chance(at) for at in range(len(self.places))),
            outcomes=tuple(truth.outcome if truth else None for truth in self.truths),
            moves=tuple(row for _, row in sorted(self.rows.items())),
            share=min(0.99, self._done / total),
        )

    def _tell(self) -> None:
        self._done += 1
        self.seen(self.so_far())

    def _value(self, at: int) -> float | None:
        """The value of a position for the first player: the true one where it is known, otherwise that of its search, or
        that of the next position if the move which was played turned out to be better. None if nothing is known."""
        truth, report, turn = self.truths[at], self.reports[at], self.places[at].turn
        if truth is not None:
            return truth.value
        found = steady(report, self.game) if report is not None else None
        later = self.values[at + 1] if at + 1 < len(self.values) else None
        if found is None or later is None:
            return found
        later = one_ply_earlier(later, self.game)
        return later if turn * later > turn * found else found

    def _chance(self, at: int) -> float | None:
        truth, value = self.truths[at], self.values[at]
        if truth is not None and truth.outcome is not None:
            return 2 * POINTS[truth.outcome] - 1
        return None if value is None else chance(value, self.game)

    # Step 1: search every position, the last one first.

    def _searched(self, place: Position, memory: Memory | None = None) -> Report:
        search = self.player.search(place, memory=memory)
        if self.run(search, "position"):
            raise SearchInterrupted
        return search.report()

    def _prove(self, search: Search) -> bool:
        if self.run(search, "truth"):
            raise SearchInterrupted
        return False

    def _search_all(self) -> None:
        for at in range(len(self.places) - 1, -1, -1):
            forget(self._memory)  # a hint for this position knows nothing of the others
            self.reports[at] = report = self._searched(self.places[at], self._memory)
            if report.exact and report.value is not None and report.outcome is not None:
                self.truths[at] = Truth(
                    source=f"proven by {ALGORITHM}",
                    outcome=report.outcome,
                    distance=report.distance,
                    value=report.value,
                    nodes=report.nodes,
                )
            self.values[at] = self._value(at)
            self._tell()

    # Step 2: find the truth.

    def _find_truths(self) -> None:
        failures = 0
        for at in range(len(self.places) - 1, -1, -1):
            if self.truths[at] is None and failures < GIVE_UP and self.truth_nodes:
                self.truths[at] = self._telling.of(self.places[at])
                failures = 0 if self.truths[at] is not None else failures + 1
            self.values[at] = self._value(at)

    # Step 3: judge every move.

    def _judged(self, ply: int) -> ReviewedMove:
        before = self.places[ply - 1]
        move, turn = self.moves[ply - 1], before.turn
        report = self.reports[ply - 1]
        assert report is not None
        value = self.values[ply] or 0.0
        row = ReviewedMove(ply=ply, side=0 if turn > 0 else 1, move=move, value=value)
        known, reached = self.truths[ply - 1], self.truths[ply]
        if known is not None and reached is not None:
            truth = regret_of(move, known, reached, turn)
            row = replace(row, truth=truth)
            if truth.outcome is not None:
                return self._judged_by_truth(row, known, truth) if truth.regret > 0 else self._fine(row, report)
        if report.best_move in (None, move) or len(before.game.legal_moves(before.state)) == 1:
            return self._fine(row, report)
        if turn * (self._points(ply - 1) - self._points(ply)) < INACCURACY:
            return self._fine(row, report)
        hinted = checked(before, report, self._telling).best_move
        if hinted in (None, move):
            return replace(row, verdict="best")
        assert hinted is not None
        better = self._searched(before.play(before.game.read_move(before.state, hinted)))
        worth = steady(better, self.game)
        if worth is None:
            return self._fine(row, report)
        cost = turn * (self._worth(worth) - self._points(ply))
        return self._bad(row, cost, hinted, worth, (hinted, *better.pv))

    def _points(self, at: int) -> float:
        """The points that the first player can expect in a position."""
        found = self._chance(at)
        return 0.5 if found is None else (found + 1) / 2

    def _worth(self, value: float) -> float:
        return (chance(value, self.game) + 1) / 2

    def _fine(self, row: ReviewedMove, report: Report) -> ReviewedMove:
        return replace(row, verdict="best" if report.best_move == row.move else "good")

    def _judged_by_truth(self, row: ReviewedMove, known: Truth, truth: MoveTruth) -> ReviewedMove:
        """The verdict on a move that gave away a win or a draw, with a move that would not have."""
        before, report = self.places[row.ply - 1], self.reports[row.ply - 1]
        assert report is not None
        hinted = checked(before, report, self._telling)
        better, line = hinted.best_move, hinted.pv
        behind = better and self._telling.of(before.play(before.game.read_move(before.state, better)))
        if not behind or behind.outcome != known.outcome or better == row.move:
            better, line = None, ()  # nothing is certain to have been right
        row = replace(row, better=better, better_value=known.value, line=line, cost=truth.regret)
        row = replace(row, verdict="blunder" if truth.regret >= 1 or known.outcome != "draw" else "mistake")
        return replace(row, words=self._in_words(row))

    def _bad(self, row: ReviewedMove, cost: float, better: str, value: float, line: Sequence[str]) -> ReviewedMove:
        if cost < INACCURACY:
            return replace(row, verdict="good", cost=max(0.0, cost))
        verdict: Verdict = "blunder" if cost >= BLUNDER else "mistake" if cost >= MISTAKE else "inaccuracy"
        row = replace(row, better=better, better_value=value, line=tuple(line), cost=cost, verdict=verdict)
        return replace(row, words=self._in_words(row))

    def _in_words(self, row: ReviewedMove) -> str:
        before = self.places[row.ply - 1]
        game = before.game
        better = game.pretty_line(before.state, (row.better,))[0] if row.better else ""
        if row.truth is not None and row.truth.regret > 0 and row.truth.outcome is not None:
            known, reached = self.truths[row.ply - 1], self.truths[row.ply]
            assert known is not None
            assert reached is not None
            was, now = outcome_text(known, game.players), outcome_text(reached, game.players)
            said = f"Gives away {given_away(row.truth)}: it was {was}, and is {now}."
            return f"{said} {better} was right." if better else said
        assert row.better_value is not None
        worth = value_text(row.better_value, game)
        return f"{better} was better: {worth} instead of {value_text(row.value, game)}."

    # Step 4: look for horizon effects.

    def _find_effects(self) -> None:
        finder = Finder(run=lambda search, what: self.run(search, "horizon"))
        worst = sorted((row for row in self.rows.values() if MARKS[row.verdict]), key=lambda row: (-row.cost, row.ply))
        for row in worst[: self.effects]:
            found = finder.find(self.places[row.ply - 1])
            if found.flagged and found.worst is not None:
                self.rows[row.ply] = replace(row, effect=found.worst)
            self.seen(self.so_far())


class ReviewJob(SearchThread):
    """Reviews a game in a background thread; a screen polls it."""

    def __init__(self, position: Position, nodes: int | None = None) -> None:
        super().__init__("review")
        self.result: Review | None = None
        """The result so far; None before there is any."""
        self._reviewer = Reviewer(position, nodes, run=self.run, seen=self._seen)
        self._thread.start()

    def work(self) -> None:
        """Review the whole game."""
        self.result = self._reviewer.review()

    def _seen(self, review: Review) -> None:
        self.result = review


def effect_words(row: ReviewedMove, before: Position) -> str:
    """What the finder says of the position before a move; empty if it found nothing."""
    effect = row.effect
    if effect is None:
        return ""
    line = " ".join(before.game.pretty_line(before.state, effect.line))
    who = before.game.players[0 if effect.side > 0 else 1]
    believed, true = value_text(effect.value, before.game), value_text(effect.true_value, before.game)
    said = f"A horizon effect: at depth {effect.depth} a search believes {believed} by {line}; the truth is {true}."
    return f"{said} {who} only postpones." if effect.delaying else said
