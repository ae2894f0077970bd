"""A value, a bound or an edge of a window in words, long or short. Values are the first player's, and wins are given by
ply."""

from __future__ import annotations

from engines.contract import Bound
from engines.game import Game, distance
from engines.rules import INFINITY, WIN_EDGE
from workbench.render.values import number_text, value_text

SIGNS: dict[Bound, str] = {"exact": "", "at most": "≤ ", "at least": "≥ "}


def is_won(value: int, game: Game) -> bool:
    """It is a win of either player, soon or late."""
    return game.has_winner and WIN_EDGE <= abs(value) < INFINITY


def short_value(value: int, game: Game) -> str:
    """A value for a column: a number, or who wins at which ply."""
    if abs(value) >= INFINITY:
        return edge_text(value, game)
    if is_won(value, game) and not distance(value):
        return f"{winner(value, game)} wins"
    return value_text(game.shown_value(value), game)


def edge_text(value: int, game: Game) -> str:
    """An edge of a window, very short: a number, infinite, or `+W5` for a win at ply 5 (`-W5`: the second player's). It is
    `+W` if the search did not tell quick wins from slow ones."""
    value = int(value)
    if abs(value) >= INFINITY:
        return "+∞" if value > 0 else "-∞"
    if is_won(value, game):
        return f"{'+' if value > 0 else '-'}W{distance(value) or ''}"
    return number_text(value / game.unit, game)


def value_words(value: int, game: Game) -> str:
    """A value in words."""
    return f"{winner(value, game)} wins{at_ply(value)}" if is_won(value, game) else edge_text(value, game)


def bounded(value: int, bound: Bound, game: Game) -> str:
    """What is known of a value, in words."""
    if bound == "exact":
        return value_words(value, game)
    if not is_won(value, game):
        return f"it is {bound} {edge_text(value, game)}"
    if (bound == "at least") == (value > 0):  # nothing is better than a win, so it is one, that soon or sooner
        return f"{winner(value, game)} wins{at_ply(value, 'by')}"
    return f"it is {bound} {as_edge(value, game)}"  # it may come later, or never


def as_edge(value: int, game: Game) -> str:
    """An edge of a window inside a sentence."""
    return f"a win for {winner(value, game)}{at_ply(value)}" if is_won(value, game) else edge_text(value, game)


def winner(value: int, game: Game) -> str:
    """Who wins by such a value."""
    return game.players[0 if value > 0 else 1]


def at_ply(value: int, word: str = "at") -> str:
    """When a win comes; nothing if the search did not tell quick wins from slow ones."""
    return f" {word} ply {distance(value)}" if distance(value) else ""
