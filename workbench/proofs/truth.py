"""What is true of a position, where that can be known, and what a move gives away.

A table of the solved game is asked first, where one was built. Else Connect 4 and Breakthrough are solved as far as a budget
reaches, tic-tac-toe and typed trees are searched to the end, graphs from their targets back, and chess is looked up in
endgame tables. The budget is in nodes, so that the answer is the same every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from engines import catalog
from engines.contract import MAX_DEPTH, Limit, Outcome, Report, Setting
from engines.game import FOREVER, SHOWN_WIN
from engines.parts.alphabeta.parameters import UNSAFE
from engines.position import Position
from engines.rules import State, play, result, turn
from engines.rules_chance import by_chance, likelihood
from engines.run.search import Search
from workbench.sessions.comparison_types import MoveTruth, Truth

NODES = 5_000_000
"""The budget for one position, by default: seconds at most. Connect 4 with 12 stones takes thousands."""
DEEPENING = "deepening"
"""What searches where the game's own prover cannot."""
TABLES = "retrograde"
MEGABYTES = 32
"""For the table of a proof: a small one is quicker to make, and within the budget it does not fill up."""
POINTS = {"first": 1.0, "draw": 0.5, "second": 0.0}
"""What an outcome is worth to the first player."""

Run = Callable[[Search], bool]
"""Runs a search to its end; True if the user interrupted it."""


def truth_of(
    position: Position, moves: Iterable[str | None] = (), nodes: int = NODES, run: Run | None = None
) -> Truth | None:
    """What is true of a position and of some of its moves; None if nobody can tell, or not within so many nodes."""
    telling = TruthFinder(nodes, run or _to_the_end)
    found = telling.of(position)
    if found is None or position.is_over:
        return found
    judged = []
    for text in dict.fromkeys(move for move in moves if move is not None):
        after = position.play(position.game.read_move(position.state, text))
        behind = telling.of(after)
        if behind is not None:
            judged.append(regret_of(text, found, behind, position.turn))
    return replace(found, nodes=telling.spent, moves=tuple(judged))


def from_reports(reports: Sequence[Report | None], moves: Iterable[str | None] = ()) -> Truth | None:
    """What searches have proven by themselves: the first that has, with the moves whose values it knows exactly."""
    proof = next((report for report in reports if report is not None and report.exact and report.value is not None), None)
    if proof is None or proof.value is None:
        return None
    found = Truth(
        source=f"proven by {proof.algorithm}",
        outcome=proof.outcome,
        distance=proof.distance,
        value=proof.value,
        nodes=0,
    )
    judged = [regret_of(move, found, found, 1, along=0) for move in moves if move is not None and move == proof.best_move]
    return replace(found, moves=tuple(judged[:1]))


def regret_of(move: str, before: Truth, behind: Truth, turn: int, along: int = 1) -> MoveTruth:
    """A move by what is true before and behind it; `turn` made it."""
    distance = None if behind.distance is None else behind.distance + along
    plies: int | None = None
    if before.outcome is None:
        regret = turn * (before.value - behind.value)
    else:
        regret = turn * (POINTS[before.outcome] - POINTS[behind.outcome or "draw"])
        if not regret:
            wins = (before.outcome == "first") == (turn > 0)
            if before.outcome == "draw":
                plies = 0
            elif distance is not None and before.distance is not None:
                plies = distance - before.distance if wins else before.distance - distance
    return MoveTruth(
        move=move,
        outcome=behind.outcome,
        distance=distance,
        value=shown_value(behind.outcome, distance, behind.value),
        regret=regret,
        plies=plies,
    )


def shown_value(outcome: Outcome | None, distance: int | None, value: float) -> float:
    """A value as people see it, of a win so many plies away."""
    if outcome is None or outcome == "draw" or distance is None:
        return value
    return float(SHOWN_WIN - distance) * (1 if outcome == "first" else -1)


class TruthFinder:
    """Finds the truth of several positions, by rules, tables or solvers, and counts the nodes it takes."""

    def __init__(self, nodes: int, run: Run) -> None:
        self.nodes, self.run, self.spent = nodes, run, 0

    def of(self, position: Position) -> Truth | None:
        """What is true of one position."""
        game = position.game
        if position.lacks("sides"):
            return None  # what others do is not settled by what is best for one
        if position.is_over:
            worth = position.result * position.turn
            outcome = game.outcome(worth)
            distance = 0 if outcome in ("first", "second") else None
            return Truth(source="the rules", outcome=outcome, distance=distance, value=game.shown_value(worth), nodes=0)
        if self._has_table(position):
            return self._proven(position, TABLES)
        if game.has_references:
            return self._looked_up(position)
        if game.is_tree:
            return self._walked(position)
        unfit = catalog.misfit(catalog.algorithm(game.prover), position)
        return self._proven(position, DEEPENING if unfit else game.prover)

    def _proven(self, position: Position, name: str) -> Truth | None:
        algorithm = catalog.algorithm(name)
        if catalog.misfit(algorithm, position):
            return None
        declared = {parameter.name for parameter in algorithm.parameters}
        parameters: dict[str, Setting] = {
            switch: 0 if switch == "beam" else False for switch in UNSAFE if switch in declared
        }
        if "table" in declared:
            parameters["table"] = MEGABYTES
        depth = None if algorithm.ends_by_itself else MAX_DEPTH
        search = Search(position, algorithm, Limit(depth=depth, nodes=self.nodes), parameters)
        if self.run(search):
            return None
        report = search.report()
        self.spent += report.all_nodes
        unsure = (
            report.distance is None
            and report.outcome in ("first", "second")
            and abs(report.value or 0.0) != SHOWN_WIN - FOREVER
        )
        if not report.exact or report.value is None or unsure:
            return None
        source = f"the table {position.game.table_name(position.state)}" if algorithm.looks_up else name
        return Truth(source=source, outcome=report.outcome, distance=report.distance, value=report.value, nodes=report.nodes)

    @staticmethod
    def _has_table(position: Position) -> bool:
        """A table has been built that knows the position and all its moves."""
        if position.game.table_name(position.state) is None:
            return False
        from engines.solved.registry import is_there, names_for

        return all(is_there(name) for name in names_for(position))

    def _walked(self, position: Position) -> Truth:
        """A typed tree, gone through from its leaves up: whoever moves, and however often in a row."""
        game, rules = position.game, position.game.rules
        waiting: list[tuple[State, list[float]]] = [(position.state, [])]  # a node, and what its children are worth
        while True:
            state, values = waiting[-1]
            moves = game.legal_moves(state)
            if len(values) < len(moves):
                waiting.append((play(rules, state, moves[len(values)]), []))
                continue
            whose = int(turn(rules, state))
            best: float = (
                max(values) if whose > 0 and values else min(values) if values else whose * int(result(rules, state))
            )
            if values and by_chance(rules, state):
                likely = [float(likelihood(rules, state, move)) for move in moves]
                best = sum(share * value for share, value in zip(likely, values, strict=True))
            waiting.pop()
            self.spent += 1
            if not waiting:
                return Truth(source="the tree", outcome=None, distance=None, value=game.shown_payoff(best), nodes=self.spent)
            waiting[-1][1].append(best)

    def _looked_up(self, position: Position) -> Truth | None:
        from workbench.settings import known_of

        known = known_of(position)
        if known is None or known.table is None:
            return None
        found = known.table
        value = shown_value(found.outcome, found.distance, POINTS_SHOWN[found.outcome])
        return Truth(source=found.source, outcome=found.outcome, distance=found.distance, value=value, nodes=0)


POINTS_SHOWN = {"first": float(SHOWN_WIN), "draw": 0.0, "second": float(-SHOWN_WIN)}


def _to_the_end(search: Search) -> bool:
    search.start().join()
    return False


# In words.


def sentence(truth: Truth | None, move: str | None, position: Position) -> str:
    """What is true, and what a move gives away."""
    if truth is None:
        return "The truth could not be found: no table has it, and no proof was done within the budget."
    said = f"True, by {truth.source}: {outcome_text(truth, position.game.players)}"
    found = truth.of(move)
    if move is None or found is None:
        return f"{said}."
    name = position.game.pretty_line(position.state, (move,))[0]
    return f"{said}; {name} gives away {given_away(found)}."


def given_away(found: MoveTruth) -> str:
    """What a move gives away, in words."""
    if found.regret:
        return f"{found.regret:g}" if found.outcome is None else "half a point" if found.regret == 0.5 else "a point"
    if found.plies:
        return f"{found.plies} {'ply' if found.plies == 1 else 'plies'}"
    return "nothing"


def outcome_text(truth: Truth | MoveTruth, players: tuple[str, ...]) -> str:
    """Who wins, and when; or the gain."""
    if truth.outcome is None:
        return f"{truth.value:g}"
    if truth.outcome == "draw":
        return "draw"
    winner = players[0 if truth.outcome == "first" else 1]
    return winner if truth.distance is None else f"{winner} in {truth.distance}"


def regret_text(found: MoveTruth | None) -> str:
    """What a move gives away, in few letters: `best`, `+2 plies`, `½`, `1`, or a gain; empty if it is not known."""
    if found is None:
        return ""
    if not found.regret:
        if found.plies:
            return f"{found.plies} {'ply' if found.plies == 1 else 'plies'}"
        return "none" if found.plies == 0 or found.outcome is None else "none in points"
    return "½" if found.regret == 0.5 and found.outcome is not None else f"{found.regret:g}"
