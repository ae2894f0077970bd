"""The panel of the evaluation: every term for every player, and what it adds."""

from __future__ import annotations

import math

from rich.text import Text

from engines.contract import Evaluation
from engines.game import Game
from workbench.render.style import BAD, DIM, GOOD, STRONG, coloured
from workbench.render.values import (
    number_text,
)

NAMES, COUNTS, VALUES = 20, 7, 8
"""The width of the names of terms, with a blank, and those of the numbers."""
LEAST_BAR = 3


def evaluation_panel(found: Evaluation, game: Game, width: int) -> Text:
    """Every term for both sides, its contribution, and a bar around zero."""
    most = max((abs(term.value) for term in found.terms), default=0) or 1
    counts, values = COUNTS, VALUES
    half = max(0, (width - NAMES - 2 * counts - values - 2) // 2)
    if half < LEAST_BAR:  # no bars
        counts, values, half = COUNTS - 1, VALUES - 1, 0
    text = Text(no_wrap=True)
    if found.values:
        return evaluation_of_all(found, game)
    names = [player[:6] if number < game.player_count else "" for number, player in enumerate(game.players)]
    text.append(f"{'term':<{NAMES}}{names[0]:>{counts}}{names[1]:>{counts}}{'value':>{values}}", DIM)
    for term in found.terms:
        second = f"{term.second:g}" if game.player_count > 1 else ""
        text.append(f"\n{term.name:<{NAMES}}{term.first:>{counts}g}{second:>{counts}}")
        text.append(f"{term.value:>+{values}.4g}" if term.value else f"{'0':>{values}}", coloured(term.value))
        if not half:
            continue
        filled = math.ceil(abs(term.value) / most * half) if term.value else 0
        text.append(" " * (1 + half - (filled if term.value < 0 else 0)))
        text.append("█" * filled if term.value < 0 else "", BAD)
        text.append("│", DIM)
        text.append("█" * filled if term.value > 0 else "", GOOD)
    text.append(f"\n{'sum':<{NAMES + 2 * counts}}", STRONG)
    text.append(f"{number_text(found.value, game):>{values}}", f"bold {coloured(found.value)}")
    return text


def evaluation_of_all(found: Evaluation, game: Game) -> Text:
    """Every term for each of several players, and the totals."""
    text = Text(no_wrap=True)
    text.append(f"{'term':<{NAMES}}{''.join(f'{name[:6]:>8}' for name in game.players)}", DIM)
    for term in found.terms:
        text.append(f"\n{term.name:<{NAMES}}{''.join(f'{count:>8g}' for count in term.values)}")
    text.append(f"\n{'sum':<{NAMES}}", STRONG)
    for value in found.values:
        text.append(f"{number_text(value, game):>8}", f"bold {coloured(value)}")
    return text
