"""Values in their own form: one for each player, `<+2 -1 -1>`; and means with their spread, `+0.35 σ0.62`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol

from engines import catalog
from engines.contract import Limit, RootMove
from engines.game import FOREVER, SHOWN_WIN, Game

PLURALS = {"ply": "plies", "search": "searches", "entry": "entries"}


def counted(number: int | None, what: str) -> str:
    """A number of things, in words: `1 ply`, `12,000 nodes`."""
    return f"{number or 0:,} {what if number == 1 else PLURALS.get(what, what + 's')}"


class Valued(Protocol):
    """A depth, a move, a lane or a whole search: something that has a value."""

    @property
    def value(self) -> float | None: ...
    @property
    def values(self) -> tuple[float, ...]: ...
    @property
    def spread(self) -> float | None: ...


def number_text(value: float, game: Game) -> str:
    """A number with as many decimals as the game's unit has, and its sign; a mean that lies between has two."""
    decimals = len(str(game.unit)) - 1
    if abs(value - round(value, decimals)) > 1e-9:
        decimals = max(decimals, 2)
    sign = "+" if game.player_count > 1 else ""  # a score is no advantage of anybody's
    return f"{value:{sign}.{decimals}f}" if value else "0"


def value_text(value: float, game: Game) -> str:
    """A value for the first player: a number with its sign, or who wins in how many plies. With more than two players
    a value alone is that of the first one's side, which wins or loses."""
    if game.has_winner and abs(value) > SHOWN_WIN / 2:
        winner = game.players[0] if value > 0 else game.players[1]
        if game.player_count > 2:
            winner = "won" if value > 0 else "lost"
        if is_forever(value):
            return f"{winner} for ever"
        return f"{winner} in {SHOWN_WIN - abs(value):.0f}" if abs(value) < SHOWN_WIN else f"{winner} wins"
    return number_text(value, game)


def is_forever(value: float) -> bool:
    """Whether the value is a win or loss by endless play."""
    return abs(value) == SHOWN_WIN - FOREVER


def is_decided(value: float | None) -> bool:
    """Whether the value is a win or a loss."""
    return value is not None and abs(value) >= SHOWN_WIN / 2


def is_vector(values: Sequence[float]) -> bool:
    """The values say more than the first one does: one player does not just lose what the other wins."""
    return len(values) > 2 or (len(values) == 2 and values[0] != -values[1])


def winner_of(values: Sequence[float], game: Game) -> int | None:
    """The player who wins by these values, if one does."""
    if not game.has_winner or max(values) < SHOWN_WIN / 2:
        return None
    return max(range(len(values)), key=lambda player: values[player])


def vector_text(values: Sequence[float], game: Game) -> str:
    """What each player gets; or who wins, in how many plies."""
    winner = winner_of(values, game)
    if winner is not None:
        return f"{game.players[winner]} in {SHOWN_WIN - values[winner]:.0f}"
    return f"<{' '.join(number_text(value, game) for value in values)}>"


def row_value_text(row: Valued, game: Game) -> str:
    """The value of a depth, a move or a whole search: one for each player, where there is; a mean with its spread."""
    if row.value is None:
        return "-"
    if is_vector(row.values):
        return vector_text(row.values, game)
    return value_text(row.value, game) + spread_text(row)


def spread_text(row: Valued) -> str:
    """The spread behind a mean; nothing where there is none, or nothing is left to chance."""
    return f" σ{row.spread:.{2 if row.spread < 100 else 0}f}" if row.spread and row.spread > 1e-6 else ""


class Sampled(Protocol):
    """The same, where the value is a mean of samples."""

    @property
    def value(self) -> float | None: ...
    @property
    def std_error(self) -> float | None: ...
    @property
    def interval(self) -> tuple[float, float] | None: ...


NORMAL = 1.96
"""How many standard errors to each side hold 95 %."""


def reach_of(row: Sampled) -> float | None:
    """The true mean is at most so far from the value, with a confidence of 95 %: to the farther end of its interval, which
    is not empty where few samples were all alike. None if nothing is known of it."""
    if row.value is None:
        return None
    if row.interval is None:  # as in sessions that are older than the interval
        return NORMAL * row.std_error if row.std_error else None
    return max(row.value - row.interval[0], row.interval[1] - row.value)


def interval_words(row: Sampled, game: Game) -> str:
    """` (95 % between +0.57 and +1)`, behind a mean; empty if nothing is known of it."""
    if row.interval is None:
        return ""
    low, high = (number_text(round(end, 2), game) for end in row.interval)
    return f" (95 % between {low} and {high})"


def bound_text(row: RootMove, game: Game) -> str:
    """The value of a root move, or what is known of it: no more, no less, a win within some plies, or in some at best."""
    if row.bound == "exact":
        return row_value_text(row, game)
    if is_vector(row.values):
        return "no better"
    if not game.has_winner or abs(row.value) < SHOWN_WIN / 2:
        return ("≤ " if row.bound == "at most" else "≥ ") + number_text(row.value, game)
    winner = game.players[0 if row.value > 0 else 1]
    if game.player_count > 2:
        winner = "won" if row.value > 0 else "lost"
    plies_away = SHOWN_WIN - abs(row.value)
    if (row.bound == "at least") == (row.value > 0):
        return f"{winner} within {plies_away:.0f}"
    return f"{winner} in {plies_away:.0f} at best" if plies_away > 1 else "no better"


def likelihood_text(likelihood: float | None) -> str:
    """How probable something is: a short decimal, else a simple fraction, else a decimal that is cut off."""
    if likelihood is None:
        return ""
    decimal = f"{likelihood:.3f}".rstrip("0").rstrip(".")
    if abs(float(decimal) - likelihood) < 1e-6:
        return decimal
    simple = Fraction(likelihood).limit_denominator(36)
    return f"{simple.numerator}/{simple.denominator}" if abs(float(simple) - likelihood) < 1e-6 else decimal


def vector_words(values: Sequence[float], game: Game) -> str:
    """Values of all players in a sentence."""
    winner = winner_of(values, game)
    if winner is not None:
        plies = SHOWN_WIN - values[winner]
        return f"{game.players[winner]} wins in {plies:.0f} {'ply' if plies == 1 else 'plies'}."
    each = ", ".join(f"{name} {number_text(value, game)}" for name, value in zip(game.players, values, strict=False))
    return f"{each}."


def is_win(value: float, game: Game) -> bool:
    """Whether the value says who wins, not by how much a position is better."""
    return game.has_winner and abs(value) > SHOWN_WIN / 2


def opinion(value: float, game: Game) -> str:
    """A value in words."""
    if is_win(value, game) and game.player_count > 2:
        plies = SHOWN_WIN - abs(value)
        return (
            f"{game.players[0]}'s side {'wins' if value > 0 else 'loses'} in {plies:.0f} {'ply' if plies == 1 else 'plies'}."
        )
    if is_win(value, game):
        plies = SHOWN_WIN - abs(value)
        if not plies:
            return f"{game.players[0 if value > 0 else 1]} wins."
        if is_forever(value):
            return f"{game.players[0 if value > 0 else 1]} wins: play goes on for ever, and no target is reached."
        return f"{game.players[0 if value > 0 else 1]} wins in {plies:.0f} {'ply' if plies == 1 else 'plies'}."
    if game.player_count == 1:
        return f"It scores {number_text(value, game)}."
    notice = game.margin / game.unit
    if abs(value) < notice / 2:
        return "About even."
    better = game.players[0 if value > 0 else 1]
    how = "slightly better" if abs(value) < 2 * notice else "better" if abs(value) < 6 * notice else "much better"
    return f"{better} is {how}."


def in_short(name: str, number: float) -> str:
    """One limit of a search in words: `depth 8`, `12,000 nodes`, `2.5 s`."""
    if name == "depth":
        return f"depth {number}"
    return f"{number:g} s" if name == "seconds" else counted(int(number), name.removesuffix("s"))


def limit_text(
    limit: Limit, none: str = "none", write: Callable[[str, float], str] = in_short, evaluations: int | None = None
) -> str:
    """When a search has to end, in words; `none` if nothing but its own end stops it. `write` puts one of its limits into
    words; that in `evaluations` is kept by those who run a search, not by the search itself."""
    given = {
        "depth": limit.depth,
        "nodes": limit.given_nodes,
        "iterations": limit.iterations,
        "seconds": limit.seconds,
        "evaluations": evaluations,
    }
    return ", ".join(write(name, number) for name, number in given.items() if number is not None) or none


def duration(seconds: float) -> str:
    """A time, short ones in milliseconds."""
    return f"{seconds:,.3f} s" if seconds >= 0.1 else f"{seconds * 1000:.1f} ms"


def plies(count: int) -> str:
    """A number of plies."""
    return f"{count} {'ply' if count == 1 else 'plies'}"


def weight_lines(game: str, weights: Sequence[object]) -> list[str]:
    """Weights of a game as a list: on each line the name of a term and its weight, in two columns."""
    names = catalog.game(game).term_names
    if len(names) != len(weights):
        names = tuple(f"term {number}" for number in range(1, len(weights) + 1))
    across, digits = max(map(len, names), default=0), max((len(str(weight)) for weight in weights), default=0)
    return [f"{name:<{across}}  {weight:>{digits}}" for name, weight in zip(names, weights, strict=True)]
