"""Beam search (Lowerre 1976 for speech; forward pruning in games since Bernstein's chess program of 1958)

**Idea.** Do as people do: look at the few moves that seem best, and not at all at the rest. A tree of width w grows as w^d
instead of b^d, so it reaches much deeper.

**In short.**

    value(position, depth):
        order the moves by how promising they look
        return the best of -value(after move, depth - 1)
            over the first w of them

**Cost.** w^d without cuts; alpha-beta cuts within the beam as anywhere.

**Watch.** What is not in the beam does not exist: a quiet winning move, or the one defence, may lie outside, and nothing in
the value says so. It is called proven only where no move was left out and nothing was estimated, or where a search of
all moves, made to check it, confirms a win that was found. The width is the parameter `beam`; compare it with `deepening`,
whose switches it shares, to see what it loses.
"""

from __future__ import annotations

from engines.algorithm import Algorithm
from engines.parts.alphabeta.driver import deepen_until_done
from engines.parts.alphabeta.parameters import bare_parameters
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.search.deepening import deepen


def search(run: Run) -> SearchResult:
    """Deepen until the limit, in the beam."""
    return deepen_until_done(run, deepen, "window")


ALGORITHM = Algorithm(
    id="beam",
    name="Beam search",
    year=1976,
    summary="alpha-beta that looks at only a few promising moves of each position",
    family="alpha-beta",
    inside="alphabeta",
    steps={
        "entered": "order the moves by how promising",
        "returned": "return the best of -value",
        "left": "over the first w of them",
    },
    needs=("alternating",),
    search=search,
    large=True,
    parameters=bare_parameters(beam=5),
)
