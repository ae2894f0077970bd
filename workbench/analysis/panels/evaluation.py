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

NAMES = 20
"""The width of the names of terms, with a blank."""


def evaluation_panel(found: Evaluation, game: Game, width: int) -> Text:
    """Every term for both sides, its contribution, and a bar around zero."""
    most = max((abs(term.value) for term in found.terms), default=0) or 1
    half = max(0, (width - NAMES - 24) // 2)
    text = Text(no_wrap=True)
    if found.values:
        return evaluation_of_all(found, game)
    names = [player[:6] if number < game.player_count else "" for number, player in enumerate(game.players)]
    text.append(f"{'term':<{NAMES}}{names[0]:>7}{names[1]:>7}{'value':>8}", DIM)
    for term in found.terms:
        second = f"{term.second:g}" if game.player_count > 1 else ""
        text.append(f"\n{term.name:<{NAMES}}{term.first:>7g}{second:>7}")
        text.append(f"{term.value:>+8.4g} " if term.value else f"{'0':>8} ", coloured(term.value))
        filled = math.ceil(abs(term.value) / most * half) if term.value else 0
        text.append(" " * (half - filled if term.value < 0 else half), "")
        text.append("█" * filled if term.value < 0 else "", BAD)
        text.append("│", DIM)
        text.append("█" * filled if term.value > 0 else "", GOOD)
    text.append(f"\n{'sum':<{NAMES + 14}}", STRONG)
    text.append(f"{number_text(found.value, game):>8}", f"bold {coloured(found.value)}")
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
