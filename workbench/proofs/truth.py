"""The truth of a position, where it can be known, and what a move gives away.

A table of the solved game is asked first, if one was built. Otherwise Connect 4 and Breakthrough are solved as far as a
budget reaches, tic-tac-toe and typed trees are searched to the end, graphs are solved backwards from their targets, and
chess is looked up in endgame tables. The budget is in nodes, so that the answer is the same every time.
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
from workbench.jobs.searches import RunSearch, run_to_end
from workbench.sessions.comparison_types import MoveTruth, Truth

NODES = 5_000_000
"""The default budget for one position, in nodes: seconds at most. Connect 4 with 12 stones takes thousands."""
DEEPENING = "deepening"
"""The algorithm that searches where the game has no prover of its own."""
TABLES = "retrograde"
MEGABYTES = 32
"""The size of a proof's table. A small one is quicker to create, and does not fill up within the budget."""
POINTS = {"first": 1.0, "draw": 0.5, "second": 0.0}
"""The points of an outcome for the first player."""

Run = Callable[[Search], bool]
"""Runs a search to its end. Returns True if the user interrupted it."""


def truth_of(
    position: Position, moves: Iterable[str | None] = (), nodes: int = NODES, run: Run | None = None
) -> Truth | None:
    """The truth of a position and of some of its moves; None if it cannot be known, or not within so many nodes."""
    finder = TruthFinder(nodes, run or _to_the_end)
    found = finder.of(position)
    if found is None or position.is_over:
        return found
    judged = []
    for text in dict.fromkeys(move for move in moves if move is not None):
        after = position.play(position.game.read_move(position.state, text))
        behind = finder.of(after)
        if behind is not None:
            judged.append(regret_of(text, found, behind, position.turn))
    return replace(found, nodes=finder.spent, moves=tuple(judged))


def find_truth(
    position: Position, reports: Sequence[Report | None], nodes: int | None = None, run: RunSearch = run_to_end
) -> tuple[Truth | None, bool]:
    """Find the truth of a position and of the moves that searches of it prefer: from tables or by solving, with at most so
    many nodes for each proof, otherwise as one of the searches has proven it itself.

    Returns the truth, None if it cannot be known, and whether the user interrupted the work.
    """
    interrupted = False

    def run_for_truth(search: Search) -> bool:
        nonlocal interrupted
        stopped = run(search, f"truth by {search.algorithm.id}")
        interrupted = interrupted or stopped
        return stopped

    moves = [report.best_move for report in reports if report is not None]
    truth = truth_of(position, moves, nodes or NODES, run_for_truth) or from_reports(reports, moves)
    return truth, interrupted


def from_reports(reports: Sequence[Report | None], moves: Iterable[str | None] = ()) -> Truth | None:
    """The truth that searches have proven themselves: from the first report that is a proof, with the moves whose values it
    knows exactly. None if no report is a proof."""
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
    """The truth of a move, from the truths before it and after it (`behind`). `turn` is the side that made it, `along` the
    plies between the two."""
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
    """A value as it is displayed: for a win, it depends on the plies to the end."""
    if outcome is None or outcome == "draw" or distance is None:
        return value
    return float(SHOWN_WIN - distance) * (1 if outcome == "first" else -1)


class TruthFinder:
    """Finds the truth of positions by rules, tables or solvers, and counts the nodes this takes."""

    def __init__(self, nodes: int, run: Run) -> None:
        self.nodes, self.run, self.spent = nodes, run, 0

    def of(self, position: Position) -> Truth | None:
        """The truth of one position; None if it cannot be known."""
        game = position.game
        if position.lacks("sides"):
            return None  # what is best for one of several players does not settle what the others do
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
        """Whether a table has been built that contains the position and all its moves."""
        if position.game.table_name(position.state) is None:
            return False
        from engines.solved.registry import is_there, names_for

        return all(is_there(name) for name in names_for(position))

    def _walked(self, position: Position) -> Truth:
        """The truth of a typed tree, computed from its leaves upwards; a player may move several times in a row."""
        game, rules = position.game, position.game.rules
        waiting: list[tuple[State, list[float]]] = [(position.state, [])]  # a node, and the values of its children
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
        from workbench.settings import references_for

        known = references_for(position)
        if known is None or known.table is None:
            return None
        found = known.table
        value = shown_value(found.outcome, found.distance, POINTS_SHOWN[found.outcome])
        return Truth(source=found.source, outcome=found.outcome, distance=found.distance, value=value, nodes=0)


POINTS_SHOWN = {"first": float(SHOWN_WIN), "draw": 0.0, "second": float(-SHOWN_WIN)}


def _to_the_end(search: Search) -> bool:
    search.start().join()
    return False


# Texts.


def known_by(source: str) -> str:
    """Where a truth is from, as the end of a sentence: `by the table KQvK`, `proven by dfpn`."""
    return source if source.startswith("proven ") else f"by {source}"


def sentence(truth: Truth | None, move: str | None, position: Position) -> str:
    """A sentence on what is true, and on what a move gives away."""
    if truth is None:
        return "The truth could not be found: no table has it, and no proof was found within the budget."
    said = f"The truth, {known_by(truth.source)}: {outcome_text(truth, position.game.players)}"
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
    """Who wins and in how many plies, or the gain."""
    if truth.outcome is None:
        return f"{truth.value:g}"
    if truth.outcome == "draw":
        return "draw"
    winner = players[0 if truth.outcome == "first" else 1]
    return winner if truth.distance is None else f"{winner} in {truth.distance}"


def regret_text(found: MoveTruth | None) -> str:
    """What a move gives away, in few characters: `none`, `2 plies`, `½`, `1`, or a gain; empty if it is not known."""
    if found is None:
        return ""
    if not found.regret:
        if found.plies:
            return f"{found.plies} {'ply' if found.plies == 1 else 'plies'}"
        return "none" if found.plies == 0 or found.outcome is None else "none in points"
    return "½" if found.regret == 0.5 and found.outcome is not None else f"{found.regret:g}"
