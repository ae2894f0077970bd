"""One iteration in words: the path down with both terms of the formula, the new node, the playout, and the updates."""

from __future__ import annotations

from textwrap import wrap

from rich.text import Text

from workbench.analysis.iteration import Added, Iteration, Step
from workbench.render.values import counted, likelihood_text

DIM, STRONG = "dim", "bold"
OPTION_WIDTH = len(" mean 0.000 + exploration 0.000 = 0.000")
MOST_OPTIONS, FEW_OPTIONS = 5, 2
"""The number of weighed moves that are shown, the chosen one first; and the number where there is little room."""
TALL = 40
"""The rows of a screen that has room for everything."""
WIDEST_LINE = 48
MOST_STEPS = 8
"""The most steps that are shown; of a longer path those in the middle are left out."""


def iteration_text(iteration: Iteration, width: int, height: int = TALL) -> Text:
    """All four phases of an iteration, in lines of at most `width` columns, for a screen of `height` rows."""
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
                text.append(f"  … {counted(left_out, 'move')} more …\n", DIM)
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
    """How the path is selected."""
    if not iteration.steps:
        return "The root is new: there is nothing to choose yet."
    limit = ", as many as widening allows" if iteration.widens else ""
    proven = " A move whose result is proven is passed over." if iteration.proves else ""
    return (
        "Take the largest sum of a move's mean, from 0 to 1 for the side that moves, and its exploration, "
        f"{iteration.k:g} × √(ln visits of the node / visits of the move); before that, moves without a game{limit}.{proven}"
    )


def add_step(text: Text, step: Step, ply: int, width: int, options: int) -> None:
    """Append one move of the path: the alternatives that were weighed, or that it is new."""
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
        known = f" is proven by another way: {step.proven}"
        waiting = f"{rest} more {'waits' if rest == 1 else 'wait'}" if rest else "it was the last"
        text.append(f"{known if step.proven else f' was never tried; {waiting}'}\n", DIM)
        return
    for number, option in enumerate(step.options[:options]):
        text.append(lead if number == 0 else " " * len(lead), DIM)
        text.append(f"{option.move:<6}", STRONG if number == 0 else "")
        text.append(f" mean {option.mean:.3f} + exploration {option.exploration:.3f} = ")
        text.append(f"{option.promise:.3f}", STRONG if number == 0 else "")
        games = f"  ({option.games:,} of {step.visits:,} visits)" if number == 0 else f"  ({option.games:,})"
        left = len(step.options) - options
        if number == options - 1 and left > 0:
            games += f" … {left} more, none larger"
        if len(lead) + max(6, len(option.move)) + OPTION_WIDTH + len(games) <= width:
            text.append(games, DIM)
        text.append("\n")
    if passed_over := passed_over_words(step):
        text.append(" " * len(lead) + passed_over + "\n", DIM)


def passed_over_words(step: Step) -> str:
    """What was not weighed, and why; empty if everything was."""
    proven = f"{step.settled} {'is' if step.settled == 1 else 'are'} proven" if step.settled else ""
    moves = "1 move was" if step.untried == 1 else f"{step.untried} moves were"
    untried = f"{moves} never tried: widening allows {step.room}" if step.untried else ""
    return "; ".join(words for words in (proven, untried) if words)


def expansion_words(iteration: Iteration) -> str:
    """What was added to the tree."""
    if not iteration.steps:
        return "The root is the first node of the tree."
    last = iteration.steps[-1]
    line = " ".join(step.move for step in iteration.steps)
    if iteration.closed:
        return f"Nothing is added after {line}: {iteration.closed}."
    listed = f"The {last.listed} moves of the node above" if last.listed > 1 else "The only move of the node above"
    grew = f" {listed} {'were' if last.listed > 1 else 'was'} listed first." if last.listed else ""
    where = "The node after" if len(iteration.steps) == 1 else "The node at the end of"
    return f"{where} {line} is new.{grew} The tree has {iteration.visited:,} visited nodes now."


def playout_words(iteration: Iteration) -> str:
    """The playout in words."""
    if not iteration.playout:
        return f"None is needed: {iteration.ending}."
    moves = " ".join(iteration.playout)
    if iteration.samples > 1:
        return f"{moves} ({iteration.ending}). This is the first game of {iteration.samples:,}."
    plies = f"{len(iteration.playout)} {'move' if len(iteration.playout) == 1 else 'moves'}"
    return f"{moves} ({plies}): {iteration.ending}."


def backing_words(iteration: Iteration) -> str:
    """The update of every node on the path."""
    games = "one visit" if iteration.samples == 1 else f"{iteration.samples:,} visits"
    worths = (iteration.total, iteration.samples - iteration.total)
    each = " and ".join(f"{worth:,.4g} for {player}" for worth, player in zip(worths, iteration.players, strict=False))
    chosen = ", for the side that chose it" if len(iteration.players) > 1 else ""
    return f"Every node on the way gets {games} more, and the result is added to its sum{chosen}: {each}."


def added_line(row: Added, width: int) -> Text:
    """The line of one node: its visits and its mean before and after."""
    visits = f"{row.visits[0]:,} → {row.visits[1]:,} visits"
    before = "–" if row.means[0] is None else f"{row.means[0]:.3f}"
    numbers = f"{visits}, {row.side}'s mean {before} → {row.means[1]:.3f}"
    room = min(WIDEST_LINE, max(8, width - len(numbers) - 6))
    line = row.line if len(row.line) <= room else "… " + row.line[-(room - 2) :].partition(" ")[2]
    text = Text(f"  {line:<{room}}  ")
    text.append(numbers, DIM)
    if row.proven:
        text.append(f"\n    proven: {row.proven}", STRONG)
    text.append("\n")
    return text
