"""One iteration in words: the way down with both terms of the formula, the new node, the game, and what was added where."""

from __future__ import annotations

from textwrap import wrap

from rich.text import Text

from workbench.forms import likelihood_text
from workbench.one_iteration import Added, Iteration, Step

DIM, STRONG = "dim", "bold"
MOST_OPTIONS, FEW_OPTIONS = 5, 2
"""So many moves are shown of those that were weighed, the chosen one first; or few, where there is little room."""
TALL = 40
"""A screen of so many rows has room."""
WIDEST_LINE = 48
MOST_STEPS = 8
"""Of a longer way the steps in the middle are left out."""


def iteration_text(iteration: Iteration, width: int, height: int = TALL) -> Text:
    """All four phases, in lines of at most so many columns, on a screen of so many rows."""
    text = Text()
    options = MOST_OPTIONS if height >= TALL else FEW_OPTIONS

    def head(number: int, title: str, words: str) -> None:
        text.append(f"{number} {title}  ", STRONG)
        indent = len(title) + 4
        text.append(("\n" + " " * indent).join(wrap(words, max(20, width - indent))) + "\n")

    head(1, "Selection", selection_words(iteration))
    steps = list(iteration.steps)
    left_out = max(0, len(steps) - MOST_STEPS)
    for ply, step in enumerate(steps, 1):
        if left_out and MOST_STEPS // 2 < ply <= MOST_STEPS // 2 + left_out:
            if ply == MOST_STEPS // 2 + 1:
                text.append(f"  … {left_out} moves more …\n", DIM)
            continue
        add_step(text, step, ply, width, options)
    head(2, "Expansion", expansion_words(iteration))
    head(3, "Playout", playout_words(iteration))
    head(4, "Backing up", backing_words(iteration))
    for row in iteration.added[::-1]:
        text.append(added_line(row, width))
    text.rstrip()
    return text


def selection_words(iteration: Iteration) -> str:
    """How the way is chosen."""
    if not iteration.steps:
        return "The root is new: there is nothing to choose yet."
    return (
        "Take the largest sum of the share of games won and the doubt, "
        f"{iteration.k:g} × √(ln visits of the node / visits of the move); before that, moves without a game."
    )


def add_step(text: Text, step: Step, ply: int, width: int, options: int) -> None:
    """One move of the way: what was weighed, or that it is new."""
    lead = f"  {ply}. {step.side} "
    if step.likelihood is not None:
        text.append(lead, DIM)
        text.append(step.move, STRONG)
        text.append(f" was drawn, with a chance of {likelihood_text(step.likelihood)}\n", DIM)
        return
    if not step.options:
        text.append(lead, DIM)
        text.append(step.move, STRONG)
        rest = step.untried - 1
        text.append(f" was never tried; {f'{rest} more wait' if rest else 'it was the last'}\n", DIM)
        return
    for number, option in enumerate(step.options[:options]):
        text.append(lead if number == 0 else " " * len(lead), DIM)
        text.append(f"{option.move:<6}", STRONG if number == 0 else "")
        text.append(f" won {option.mean:.3f} + doubt {option.doubt:.3f} = ")
        text.append(f"{option.promise:.3f}", STRONG if number == 0 else "")
        games = f"  ({option.games:,} of {step.visits:,} visits)" if number == 0 else f"  ({option.games:,})"
        left = len(step.options) - options
        if number == options - 1 and left > 0:
            games += f" … {left} with less"
        if len(lead) + 39 + len(games) <= width:
            text.append(games, DIM)
        text.append("\n")


def expansion_words(iteration: Iteration) -> str:
    """What the tree grew by."""
    if not iteration.steps:
        return "The root is the first node of the tree."
    last = iteration.steps[-1]
    line = " ".join(step.move for step in iteration.steps)
    if iteration.closed:
        return f"Nothing is added after {line}: {iteration.closed}."
    grew = f" Its {iteration.new_nodes} moves were listed first." if iteration.new_nodes and last.listed else ""
    where = "The node after" if len(iteration.steps) == 1 else "The node at the end of"
    return f"{where} {line} is new.{grew} The tree has {iteration.tree_nodes:,} nodes now."


def playout_words(iteration: Iteration) -> str:
    """The random game."""
    if not iteration.playout:
        return f"None is needed: {iteration.ending}."
    moves = " ".join(iteration.playout)
    if iteration.samples > 1:
        share = f"the {iteration.samples} games come to {iteration.total:.3g} for {iteration.players[0]}"
        return f"{moves}. This is the first game of {iteration.samples}; {share}."
    plies = f"{len(iteration.playout)} {'move' if len(iteration.playout) == 1 else 'moves'}"
    return f"{moves} ({plies}): {iteration.ending}."


def backing_words(iteration: Iteration) -> str:
    """What every node on the way is told."""
    games = "one visit" if iteration.samples == 1 else f"{iteration.samples} visits"
    return (
        f"Every node on the way gets {games} more, and {iteration.total:.3g} to the sum of what {iteration.players[0]} won. "
        "The means are that player's."
    )


def added_line(row: Added, width: int) -> Text:
    """One node: visits and mean before and after."""
    visits = f"{row.visits[0]:,} → {row.visits[1]:,} visits"
    before = "–" if row.means[0] is None else f"{row.means[0]:.3f}"
    numbers = f"{visits}, mean {before} → {row.means[1]:.3f}"
    room = min(WIDEST_LINE, max(8, width - len(numbers) - 6))
    line = row.line if len(row.line) <= room else "… " + row.line[-(room - 2) :].partition(" ")[2]
    text = Text(f"  {line:<{room}}  ")
    text.append(numbers, DIM)
    if row.proven:
        text.append(f"\n    proven: {row.proven}", STRONG)
    text.append("\n")
    return text
