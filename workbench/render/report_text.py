"""What a search has found, in words: plain text for terminal, app and exported reports alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from engines import catalog
from engines.contract import DepthRow, LevelRow, Outcome, Report, RootMove, Term
from engines.game import Game
from engines.position import Position
from engines.rules_chance import MOST_PLAYERS, gains
from workbench.render.values import (
    counted,
    interval_words,
    is_decided,
    is_forever,
    is_vector,
    number_text,
    plies,
    row_value_text,
    value_text,
    vector_words,
    winner_of,
)

STOPPED = {
    "depth": "the depth was reached",
    "nodes": "the nodes were used up",
    "iterations": "the iterations were used up",
    "seconds": "the time was up",
    "memory": "the memory was full",
    "request": "it was interrupted",
    "solved": "the value is proven",
    "table": "the table was read",
    "game over": "the game is over",
}


def why_ended(report: Report) -> str:
    """Why a search ended. Where a win is proven, nobody looked further into the other moves."""
    opinions = [row for row in report.root_moves if row.bound == "exact" and not is_decided(row.value)]
    won = report.stopped_by == "solved" and is_decided(report.value)
    others = f"; other moves are as depth {report.depth} sees them" if won and report.evaluations and opinions else ""
    return f"{STOPPED[report.stopped_by]}{others}"


def stage(row: DepthRow) -> str:
    """How far a search had come: `depth 7`, `1,000 iterations`, or `1,000 expansions` of one that proves."""
    if row.iterations is None:
        return f"depth {row.depth}"
    what = "iteration" if row.question is None else "expansion"
    return f"{row.iterations:,} {what}{'' if row.iterations == 1 else 's'}"


def proof_number(number: int | None) -> str:
    """A proof or disproof number, `∞` for one that is infinite."""
    return "∞" if number is None else f"{number:,}"


def numbers_text(row: DepthRow | RootMove | Report) -> str:
    """Proof and disproof number."""
    return f"{proof_number(row.proof)} / {proof_number(row.disproof)}"


def level_cells(row: LevelRow, game: Game) -> tuple[str, str, str, str]:
    """A level of a nested search: its number, its searches, and the mean and the best of their games."""
    mean = "" if game.has_winner else f"{row.mean:.1f}"
    return str(row.level or "games"), f"{row.searches:,}", mean, value_text(row.best, game)


def evaluation_titles(game: Game) -> tuple[str, ...]:
    """The columns of a table of the evaluation; `>` is at the end of those that stand to the right."""
    return ("term", *(f"{player}>" for player in game.players[: game.player_count]), "weight>", "value>")


def term_cells(term: Term, game: Game) -> tuple[str, ...]:
    """A term of the evaluation: what it counts for each player, its weight, and what it adds."""
    counts = term.values or (term.first, term.second)[: game.player_count]
    return (term.name, *(f"{count:g}" for count in counts), f"{term.weight:g}", number_text(term.value, game))


def has_numbers(row: DepthRow | RootMove | Report) -> bool:
    """Whether a row comes from a proof search and has proof numbers."""
    return row.proof is not None or row.disproof is not None


def sentence(report: Report, position: Position) -> str:
    """In words, what the search believes, and what it does not take into account."""
    return f"{believed(report, position)} {report.caution}".rstrip()


def believed(report: Report, position: Position) -> str:
    """In words, what the search believes."""
    game = position.game
    if report.value is None:
        return nothing_found(report)
    value = number_text(report.value, game)
    if report.stopped_by == "game over":
        return ended(report.outcome, value, position, report.values)
    if is_vector(report.values):
        best = f"; {report.best_move} is best for {game.players[position.mover]}" if report.best_move else ""
        until = "" if report.exact else f" at depth {report.depth}"
        return f"{vector_words(report.values, game).rstrip('.')}{until}{best}."
    if game.has_chance and not report.best_move and report.iterations is None and position.by_chance:
        until = "" if report.exact else f" at depth {report.depth}"
        return f"Before {game.nature} has decided, it is worth {row_value_text(report, game)} on average{until}."
    if report.outcome in ("first", "second"):
        winner = game.players[0 if report.outcome == "first" else 1]
        when = f" in {plies(report.distance)}" if report.distance is not None else ""
        if is_forever(report.value):
            when = f": {game.players[0 if report.outcome == 'second' else 1]} never gets to a target, play goes on for ever"
        return f"{winner} wins{when}; best is {report.best_move}."
    if report.outcome == "draw":
        return f"With best play it is a draw; {report.best_move} holds it."
    if catalog.algorithm(report.algorithm).scores:
        what = "The best game found" if game.player_count == 1 else "The game that it plays"
        after = counted(report.iterations, "iteration")
        return f"{what} begins with {report.best_move} and comes to {value_text(report.value, game)}, after {after}."
    if not catalog.algorithm(report.algorithm).judges:
        return f"A random game began with {report.best_move}; its result was {value_text(report.value, game)}."
    if game.player_count > 2 and report.best_move:
        until = "" if report.exact else f" at depth {report.depth}"
        return f"{report.best_move} is best: {row_value_text(report, game)} for {game.players[0]}'s side{until}."
    if report.exact:
        gain = f"{row_value_text(report, game)} on average" if report.spread else value
        return f"{game.players[0]} gets {gain}; best is {report.best_move}."
    if catalog.algorithm(report.algorithm).proves:
        return unproven(report)
    if report.best_move is None and not position.by_chance:
        if catalog.algorithm(report.algorithm).samples:
            after = counted(report.iterations, "iteration")
            return f"No move has been tried yet; the position is worth {value}{interval_words(report, game)} after {after}."
        return f"The evaluation says {value}."
    if catalog.algorithm(report.algorithm).expands:
        after = counted(report.iterations, "expansion")
        return f"{report.best_move} is best, worth {value_text(report.value, game)} after {after}."
    if report.iterations is not None:
        between, after = interval_words(report, game), counted(report.iterations, "iteration")
        if position.by_chance:
            return f"Before {game.nature} has decided, it is worth {value}{between}, after {after}."
        visits = report.root_moves[0].visits if report.root_moves else None
        games = "the mean of its games" if visits is None else f"the mean of {visits:,} games" if visits > 1 else "one game"
        return f"{report.best_move} is best, worth {value}{between}: {games}, of {after}."
    if not report.depth:
        finished = f"of {len(report.root_moves)} finished at depth {report.limit.depth}" if report.limit.depth else "so far"
        return f"{report.best_move} is best {finished}, worth {row_value_text(report, game)}; others were not reached."
    return f"{report.best_move} is best, worth {row_value_text(report, game)} at depth {report.depth}."


def nothing_found(report: Report) -> str:
    """What to do about a search that was stopped before it knew anything."""
    limit, algorithm = report.limit, catalog.algorithm(report.algorithm)
    if "table" in algorithm.needs and report.stopped_by == "depth":
        return f"The table has no result within {plies(limit.depth or 0)}; without --depth it shows what it has."
    if "knowledge" in algorithm.needs:
        return "It was stopped before anything was proven; it needs more time, or a position nearer to the end."
    if limit.depth is not None and limit.seconds is None and limit.nodes is None:
        return "It was stopped before its first move was finished; with --seconds it goes depth by depth and has an answer."
    return "It was stopped before its first move was finished; it needs more time or more nodes."


def unproven(report: Report) -> str:
    """What a search that proves has to say where something is open."""
    known = "".join(f"{one.question} {'Yes' if one.yes else 'No'}. " for one in report.answers)
    asked = report.depths[-1].question if report.depths else "The question"
    after = counted(report.iterations, "expansion")
    return f"{known}{asked} Still open: proof / disproof {numbers_text(report)}, after {after}."


def ended(outcome: str | None, value: str, position: Position, values: Sequence[float] = ()) -> str:
    """How a finished game ended."""
    why = position.game.ending(position)
    how = f" ({why})" if why else ""
    if is_vector(values):
        winner = winner_of(values, position.game)
        each = vector_words(values, position.game).rstrip(".") if any(values) else "a draw"
        return f"The game is over: {each if winner is None else f'{position.game.players[winner]} has won'}{how}."
    if outcome == "draw":
        return f"The game is over: a draw{how}."
    first, second = position.game.players[:2]
    if outcome is None:
        return f"The game is over: {value if position.game.player_count == 1 else f'{first} gets {value}'}{how}."
    return f"The game is over: {first if outcome == 'first' else second} has won{how}."


def how_it_ended(position: Position) -> str:
    """Who has won, or what was got, and why if the game says so: `White wins, checkmate`. Empty while the game goes on."""
    if not position.is_over:
        return ""
    return ", ".join(filter(None, (_result(position), position.game.ending(position))))


def _result(position: Position) -> str:
    game, worth = position.game, int(position.result) * position.turn
    if game.player_count == 1:
        return game.standing(position)
    if game.player_count > 2:
        paid = np.zeros(MOST_PLAYERS)
        gains(game.rules, position.state, 0, paid)
        values = [game.shown_payoff(value) for value in paid[: game.player_count]]
        winner = winner_of(values, game)
        if winner is None:
            return vector_words(values, game).rstrip(".") if any(values) else "draw"
        return f"{game.players[winner]} wins"
    outcome = game.outcome(worth)
    if outcome is None:
        return f"{game.players[0]} gets {game.shown_value(worth):g}"
    return result_words(position, outcome)


def result_words(position: Position, outcome: Outcome) -> str:
    """Who has won, in words."""
    return "draw" if outcome == "draw" else f"{position.game.players[0 if outcome == 'first' else 1]} wins"


def line_text(line: Sequence[str], cut_short: bool) -> str:
    """A line of play; dots say that the search went on, but the table did not keep the moves."""
    return " ".join(line) + (" …" if cut_short else "")


def for_screen(found: Report, position: Position) -> Report:
    """The report with its moves as people like to read them."""

    def pretty(line: tuple[str, ...]) -> tuple[str, ...]:
        return position.game.pretty_line(position.state, line)

    def first(move: str | None) -> str | None:
        return move and pretty((move,))[0]

    return replace(
        found,
        best_move=first(found.best_move),
        pv=pretty(found.pv),
        depths=tuple(replace(row, best_move=first(row.best_move), pv=pretty(row.pv)) for row in found.depths),
        root_moves=tuple(replace(row, move=pretty((row.move,))[0], pv=pretty(row.pv)) for row in found.root_moves),
    )


def tree_text(found: Report) -> str:
    """How large a tree has become: one that is sampled lists all moves of a node, and visits one at a time."""
    deep, listed = f"{plies(found.selective_depth)} deep", found.tree_nodes or 0
    if not found.tree_depths:
        return f"{counted(listed, 'node')}, {deep}"
    trees = f" in {count} trees" if (count := tree_count(found)) > 1 else ""
    return f"{counted(sum(found.tree_depths), 'node')} visited of {listed:,} listed{trees}, {deep}"


def tree_count(found: Report) -> int:
    """How many trees were grown beside each other."""
    return int(found.parameters.get("threads", 1)) if found.parameters.get("parallel") == "root" else 1


def tape_text(nodes: int, found: Report) -> str:
    """What is on a tape: nodes, each once; but all ways to a position, and several trees put together."""
    if found.parameters.get("transpositions"):
        return f"{counted(nodes, 'way')} to positions"
    return f"{counted(nodes, 'node')}{', all trees combined' if tree_count(found) > 1 else ''}"


def interval_text(row: RootMove, game: Game) -> str:
    """Where the true mean of a move is, or that its result is proven."""
    if row.proven is not None:
        return "proven: " + ("a draw" if row.proven == "draw" else f"{game.players[row.proven == 'second']} wins")
    if row.interval is None:
        return ""
    return " and ".join(value_text(end, game) for end in row.interval)


MOST_PLIES = 10


def plies_text(counts: Sequence[int]) -> str:
    """How many nodes there are at each ply, from the root down; of many plies the first ones."""
    more = " ..." if len(counts) > MOST_PLIES else ""
    return " ".join(f"{count:,}" for count in counts[:MOST_PLIES]) + more
