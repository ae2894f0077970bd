"""Principal variation search (Marsland and Campbell 1982; NegaScout, Reinefeld 1983)

**Idea.** If the first move tried is the best one, and with good ordering it mostly is, the others need not be measured: it
is enough to show that each is *not better*. That question has an empty window, `(alpha, alpha + 1)`, which cuts more
than any other. Only if the answer is a surprise is the move searched again with the open window.

**In short.**

    value(position, depth, alpha, beta):
        first move:   value <- -value(after, depth - 1, -beta, -alpha)
        other moves:  value <- -value(after, depth - 1, -alpha - 1, -alpha)
            if alpha < value < beta: again, with (-beta, -alpha)

**Cost.** With good ordering some ten per cent fewer nodes than alpha-beta; with bad ordering more, for the repeated
searches. The table makes those cheap.

**Watch.** The same value as alpha-beta. Everything else is as in `deepening`, whose switches it shares.
"""

from __future__ import annotations

from engines.algorithm import Algorithm
from engines.parts.alphabeta.driver import deepen_until_done
from engines.parts.alphabeta.parameters import deepening_parameters
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.search.deepening import deepen


def search(run: Run) -> SearchResult:
    """Deepen until the limit, with null windows for all but the first move."""
    return deepen_until_done(run, deepen, "scout")


ALGORITHM = Algorithm(
    id="pvs",
    name="Principal variation search",
    year=1982,
    summary="measures the first move and asks of the others only whether they are better",
    family="alpha-beta",
    inside="deepening",
    steps={
        "entered": "value(position, depth, alpha, beta):",
        "first child": "first move:",
        "later child": "other moves:",
        "again": "if alpha < value < beta: again",
    },
    needs=("alternating",),
    search=search,
    reaches_deep=True,
    large=True,
    parameters=deepening_parameters(),
    exact_value="minimax",
)
