"""Builds the report of a search: in notation, and from the first player's side."""

from __future__ import annotations

from collections.abc import Sequence

from engines.algorithm import Algorithm
from engines.contract import Answer, Bound, Counters, DepthRow, LevelRow, NodeRow, Outcome, Report, RootMove, StoppedBy
from engines.game import distance
from engines.rules import INFINITE, MEAN, WIN_EDGE, lean, reward
from engines.rules_chance import stake
from engines.run.intervals import student, wilson
from engines.run.result import DepthResult, MoveResult, NodeResult, SearchResult
from engines.run.run import Run
from engines.tape.tape import Tape

CERTAIN = 1.0 - 1e-9
"""What a game of chance comes to, from -1 to 1, if it is won for certain."""
PROVEN: dict[int, Outcome] = {1: "first", -1: "second", 2: "draw"}
"""Proven results of moves that were sampled, in words."""
OTHER_WAY: dict[Bound, Bound] = {"exact": "exact", "at most": "at least", "at least": "at most"}
"""A bound for one player, seen from the other's side."""


class Reporter:
    """Turns the results of one search, in kernel units, into depth rows and a report."""

    def __init__(self, run: Run, algorithm: Algorithm) -> None:
        self.run, self.algorithm, self.position = run, algorithm, run.position
        # Now, before anybody waits for the report: the notation of a large tree takes a while to write.
        self.position_text = run.position.text

    def report(
        self,
        found: SearchResult,
        counted: Counters,
        seed: int,
        seconds: float,
        compile_seconds: float,
        requested_by: StoppedBy | None,
    ) -> Report:
        """All that was found and counted, when the search has ended."""
        position, game, best = self.position, self.position.game, found.best
        over = found.stopped_by == "game over"
        exact = best.exact and (self.algorithm.judges or over)
        value = self._believed(best)
        outcome, plies = self._decided(best.value, found.knows_distance or over) if exact else (None, None)
        iterates, sampled, sign = self.algorithm.iterates, self.algorithm.samples, position.turn
        return Report(
            game=game.id,
            size=game.size,
            options=game.options,
            position=self.position_text,
            algorithm=self.algorithm.id,
            parameters=dict(self.run.parameters),
            limit=self.run.limit,
            seed=seed,
            value=value,
            exact=exact,
            outcome=outcome,
            distance=plies,
            best_move=game.move_text(position.state, best.line[0]) if best.line else None,
            pv=game.line_text(position.state, best.line),
            pv_cut_short=best.cut_short,
            depth=found.depths[-1].depth if found.depths else 0,
            nodes=counted.nodes,
            leaves=counted.leaves,
            evaluations=counted.evaluations,
            cutoffs=counted.cutoffs,
            first_move_cutoffs=counted.first_move_cutoffs,
            selective_depth=counted.selective_depth,
            distance_nodes=found.distance_nodes,
            line_nodes=found.line_nodes,
            seconds=seconds,
            compile_seconds=compile_seconds,
            nodes_per_second=(counted.nodes + found.distance_nodes + found.line_nodes) / seconds if seconds > 0 else 0.0,
            iterations=counted.iterations if iterates else None,
            playouts=counted.playouts if sampled else None,
            std_error=self._error(best.error),
            interval=self._interval(best.value, best.samples, best.error),
            values=self._values(best.values),
            spread=self._deviation(best.spread),
            chance_nodes=counted.chance_nodes,
            tree_nodes=counted.tree_nodes if self.algorithm.means or self.algorithm.expands else None,
            tree_depths=found.tree_depths,
            playout_plies=found.playout_plies,
            by_thread=found.by_thread,
            levels=tuple(
                LevelRow(
                    level=row.level, searches=row.searches, mean=row.mean * sign / game.unit, best=self._value(row.best)
                )
                for row in found.levels
            ),
            proof=finite(best.proof),
            disproof=finite(best.disproof),
            answers=tuple(Answer(question=game.question(row.target), yes=row.yes, nodes=row.nodes) for row in found.answers),
            regions=tuple(self._node_row(row) for row in found.regions),
            caution=found.caution or self._guessed(exact, counted, best.depth),
            stopped_by=found.stopped_by if found.stopped_by != "request" else requested_by or "nodes",
            table=found.table,
            depths=tuple(self.depth_row(row) for row in found.depths if row.value is not None),
            root_moves=tuple(self.root_move(row) for row in best.root_moves),
            tape_nodes=self._on_tape(counted.nodes),
        )

    def _guessed(self, exact: bool, counted: Counters, depth: int) -> str:
        """The caution that positions without an evaluation were taken for 0."""
        if exact or not self.algorithm.judges or self.algorithm.means or not counted.evaluations:
            return ""
        plies = None if self.algorithm.iterates else depth
        return self.position.game.without_evaluation(self.position.state, plies)

    def _on_tape(self, nodes: int) -> int | None:
        """How many nodes are on the tape. A node refused by a stop was not searched; a recorded proof may have more nodes
        than the search."""
        if not isinstance(self.run.tape, Tape):
            return None
        return int(self.run.tape.size[0]) if self.algorithm.proves else min(int(self.run.tape.size[0]), nodes)

    def _believed(self, row: DepthResult) -> float | None:
        """The value of a row as it is shown. While a question is open it is which way the proof numbers lean, from -1 to
        1."""
        if row.proof is not None and row.disproof is not None and not row.exact:
            return round(lean(row.proof, row.disproof), 6)
        return None if row.value is None else self._value(row.value)

    def _value(self, value: float) -> float:
        """A value for the side to move, as it is shown."""
        game, sign = self.position.game, self.position.turn
        if self.algorithm.expects or self.algorithm.vectors:
            return self._payoff(sign * value)
        if not self.algorithm.means:
            return game.shown_value(sign * int(value))
        if self.position.is_over:
            return game.shown_mean(float(reward(game.rules, sign * value)))
        return round(game.shown_mean((value if sign > 0 else MEAN - value) / MEAN), 6)

    def _payoff(self, value: float) -> float:
        """An expectation for the first player, or one player's value, as it is shown; of a finished game its result."""
        game = self.position.game
        if self.position.is_over and (self.algorithm.expects or game.has_chance):
            value = float(stake(game.rules, int(value)))
        return round(game.shown_payoff(value), 12) + 0.0

    def _values(self, values: Sequence[float]) -> tuple[float, ...]:
        """What each player gets."""
        return tuple(self._payoff(value) for value in values)

    def _deviation(self, spread: float | None) -> float | None:
        """A standard deviation on the scale of shown values."""
        return None if spread is None else round(abs(self.position.game.shown_payoff(spread)), 12)

    def _error(self, error: float | None) -> float | None:
        """A standard error on the scale of shown values."""
        game = self.position.game
        return None if error is None else round(error * (game.shown_mean(1.0) - game.shown_mean(0.0)), 6)

    def _interval(self, value: float | None, count: int | None, error: float | None) -> tuple[float, float] | None:
        """Where the true mean of so many results is with a confidence of 95 %, for the first player."""
        if value is None or not count or not self.algorithm.means:
            return None
        mean, bounded = value / MEAN, self.position.game.means_are_bounded
        found = wilson(mean, count) if bounded else student(mean, count, error)
        if found is None:
            return None
        low, high = sorted(self._value(round(end * MEAN)) for end in found)
        return low, high

    def _decided(self, value: float | None, knows_distance: bool) -> tuple[Outcome | None, int | None]:
        """Who wins by an exact value for the side to move, and in how many plies."""
        game, sign = self.position.game, self.position.turn
        if value is None or not game.has_winner or game.player_count > 2:
            return None, None
        if game.has_chance and not self.position.is_over and not self.algorithm.means:
            sure = abs(self._value(value)) > CERTAIN
            return ("first" if sign * value > 0 else "second") if sure else None, None
        if self.algorithm.means and not self.position.is_over:
            first = self._value(value)
            return ("first" if first > 0 else "second" if first < 0 else "draw"), None
        value = round(value) * sign
        return game.outcome(value), distance(value) if abs(value) >= WIN_EDGE and knows_distance else None

    def depth_row(self, row: DepthResult) -> DepthRow:
        state, game = self.position.state, self.position.game
        value = self._believed(row)
        assert value is not None
        pv = game.line_text(state, row.line)
        return DepthRow(
            depth=row.depth,
            value=value,
            best_move=pv[0] if pv else None,
            pv=pv,
            nodes=row.nodes,
            leaves=row.leaves,
            seconds=row.seconds,
            table=row.table,
            pv_cut_short=row.cut_short,
            iterations=row.iterations,
            std_error=self._error(row.error),
            interval=self._interval(row.value, row.samples, row.error),
            proof=finite(row.proof),
            disproof=finite(row.disproof),
            question=None if row.target is None else game.question(row.target),
            values=self._values(row.values),
            spread=self._deviation(row.spread),
            counted=row.counted,
        )

    def _node_row(self, row: NodeResult) -> NodeRow:
        game = self.position.game
        state = self.position.state._replace(node=row.node)
        return NodeRow(
            node=game.node_name(row.node),
            owner="first" if row.owner > 0 else "second",
            layer=row.layer,
            value=None if row.value is None else game.shown_value(row.value),
            winner=None if row.value is None else game.outcome(row.value),
            move=None if row.move is None else game.move_text(state, row.move),
        )

    def root_move(self, row: MoveResult) -> RootMove:
        game, sign = self.position.game, self.position.turn
        bound = row.bound if sign > 0 else OTHER_WAY[row.bound]
        value = self._value(row.value)
        if row.proof is not None and row.disproof is not None:
            value = round(lean(row.proof, row.disproof), 6)
        return RootMove(
            move=game.move_text(self.position.state, row.move),
            value=value,
            bound=bound,
            nodes=row.nodes,
            visits=row.visits,
            std_error=self._error(row.error),
            interval=self._interval(row.value, row.visits, row.error),
            proven=PROVEN.get(row.proven),
            proof=finite(row.proof),
            disproof=finite(row.disproof),
            values=self._values(row.values),
            spread=self._deviation(row.spread),
            likelihood=game.likelihood(self.position.state, row.move),
            pv=game.line_text(self.position.state, row.line) if row.bound == "exact" else (),
            pv_cut_short=row.cut_short and row.bound == "exact",
        )


def finite(number: int | None) -> int | None:
    """A proof number, or None if it is infinite."""
    return None if number is None or number >= INFINITE else number
