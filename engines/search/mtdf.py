"""MTD(f) (Plaat, Schaeffer, Pijls and De Bruin, 1996)

**Idea.** A search with an empty window answers only "at least this much, or less?", but it is the cheapest search there
is. Ask it again and again, each time at the value that came out last, and the answers close in on the true value. The
table remembers what the questions have in common, so that asking again costs little.

**In short.**

    value(position, depth), with a first guess f from the depth before:
        low <- minus infinity, high <- plus infinity
        while low < high:
            edge <- f + 1 if f = low, else f
            f <- alphabeta(position, depth, edge - 1, edge)
            if f < edge: high <- f, else low <- f
        return f

**Cost.** Usually somewhat fewer nodes than alpha-beta; many more if the evaluation has fine steps and the guess is bad. It
lives off its table: without one (`table=0`) every question starts from nothing.

**Watch.** Root moves are only known as bounds, and the line is asked for afterwards. The same value as alpha-beta.
"""

from __future__ import annotations

from engines.algorithm import Algorithm
from engines.parts.alphabeta.driver import deepen_until_done
from engines.parts.alphabeta.parameters import deepening_parameters
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.search.deepening import deepen


def search(run: Run) -> SearchResult:
    """Deepen until the limit, by questions alone."""
    return deepen_until_done(run, deepen, "zero window")


ALGORITHM = Algorithm(
    id="mtdf",
    name="MTD(f)",
    year=1996,
    summary="nothing but null windows, closing in on the value from both sides",
    family="alpha-beta",
    inside="deepening",
    steps={
        "root": "f <- alphabeta(position, depth, edge - 1, edge)",
        "left root": "if f < edge: high <- f",
    },
    needs=("alternating",),
    search=search,
    reaches_deep=True,
    large=True,
    parameters=tuple(parameter for parameter in deepening_parameters() if parameter.name not in ("aspiration", "multipv")),
    exact_value="minimax",
)
