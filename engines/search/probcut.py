"""ProbCut (Buro 1995, for Othello)

**Idea.** A shallow search is a good forecast of a deep one. If it is so far above beta, or below alpha, that the deep one
will hardly come back into the window, believe it and save the deep one.

**In short.**

    value(position, depth, alpha, beta), depth large enough:
        v <- value(position, depth - 4, around beta + margin)
        if v >= beta + margin: return beta
        v <- value(position, depth - 4, around alpha - margin)
        if v <= alpha - margin: return alpha
        otherwise search as usual

**Cost.** Two shallow searches with null windows, against a deep one saved.

**Watch.** The margin is a bet: Buro's came from statistics, with a known chance of being wrong; here it is one and a half
times what the game calls a noticeable difference. Quiet games suit it, sharp ones do not. A value is called proven only
where no forecast was believed and nothing was estimated, or where a search without forecasts, made to check it, confirms a
win that was found.
"""

from __future__ import annotations

from engines.algorithm import Algorithm
from engines.parts.alphabeta.driver import deepen_until_done
from engines.parts.alphabeta.parameters import bare_parameters
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.search.deepening import deepen


def search(run: Run) -> SearchResult:
    """Deepen until the limit, with forecasts."""
    return deepen_until_done(run, deepen, "window")


ALGORITHM = Algorithm(
    id="probcut",
    name="ProbCut",
    year=1995,
    summary="alpha-beta that believes a shallow search whose value is far outside the window",
    family="alpha-beta",
    inside="alphabeta",
    steps={
        "entered": "value(position, depth, alpha, beta), depth large",
        "same": "v <- value(position, depth - 4, around beta",
        "left pruned": "if v >= beta + margin",
        "child": "otherwise search as usual",
    },
    needs=("alternating",),
    search=search,
    large=True,
    parameters=bare_parameters(probcut=True),
)
