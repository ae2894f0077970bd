"""Df-pn: depth-first proof-number search (Nagai, 1999)

**Idea.** Proof-number search without a tree. The most proving node usually stays below the same child for long; so stay
there, and come back only when another child has become better. Each position is searched with two limits, one for its proof
number and one for its disproof number; as soon as one is reached, somewhere else is more promising. A table keeps the
numbers of positions, and may forget them: then they are found again.

**In short.** *Near* is the number of whoever moves, the least of the children's; *far* is their sum.

    search(position, near limit, far limit):
        look up all children in the table
        until near >= its limit or far >= its limit:
            best = the child with the least near number; second = the next
            search(best, near limit: just above second's, at most its own,
                         far limit:  its own, less what the others have)
        put both numbers into the table

**Cost.** The nodes of proof-number search, some more than once, in any amount of memory. `epsilon` lets a child go further
than the second best by this part of its number: less going to and fro, at the price of some nodes (Pawlewicz and Lew, 2006).

**Watch.** A position that can be reached in several ways is counted once for each way, so that sums grow too large; with
`weak` only the largest of the children's numbers counts, and one for each other open child (Ueda and others, 2008). Where a
repetition ends a game, what was found on one way need not hold on another: such results are never put into the table. On a
graph with targets play may go round: a position that is on the way already counts as play that never ends, and what rests on
that is put down for this way alone. To show that a target can never be reached may take as many entries as there are ways.
Positions that are mirror images of each other share an entry. With `knowledge` the games' own rules for races, threats and
zugzwang end the search of a position early, and with `tables` so do tables of solved positions; the proof that is written
down spells them out, move by move.
"""

from __future__ import annotations

from engines.algorithm import TABLES, Algorithm
from engines.contract import Parameter
from engines.parts.proof.driver import prove
from engines.parts.proof.prover import Prover, at_a_return
from engines.parts.proof.table_prover import TableProver
from engines.run.result import SearchResult
from engines.run.run import Run

TABLE = Parameter(
    name="table", default=256, low=1, high=65_536, sentence="The size of the table of positions, in megabytes."
)
KNOWLEDGE = Parameter(
    name="knowledge", default=True, sentence="Use what the game knows about its own values (Connect 4, Breakthrough)."
)


def new_prover(run: Run) -> Prover:
    """A table, and how to go by it."""
    return TableProver(run, both=False, epsilon=float(run.parameters["epsilon"]), weak=bool(run.parameters["weak"]))


def search(run: Run) -> SearchResult:
    """Search with open limits until everything is answered."""
    return prove(run, "dfpn", new_prover, at_a_return)


ALGORITHM = Algorithm(
    id="dfpn",
    name="Df-pn",
    year=1999,
    summary="depth-first proof-number search, with a table in place of the tree",
    family="proof",
    needs=("opponent", "decided"),
    search=search,
    limits=("iterations", "nodes", "seconds"),
    parameters=(
        TABLE,
        Parameter(
            name="epsilon",
            default=0.25,
            low=0.0,
            high=10.0,
            sentence="How much further a child may be searched than the second best, as a share of its number.",
        ),
        Parameter(
            name="weak", default=True, sentence="Of the far numbers, count only the largest, and one for each of the others."
        ),
        Parameter(
            name="mobility", default=True, sentence="Begin a new position with the number of its moves, instead of 1."
        ),
        KNOWLEDGE,
        TABLES,
    ),
    steps={
        "asked": "search(position, near",
        "root": "search(position, near",
        "answered": "put both numbers",
        "entered": "search(best, near",
        "expanded": "look up all children",
        "selected": "best = the child",
        "returned": "until near >= its limit",
        "left": "put both numbers",
    },
    view="first",
    expands=True,
    proves=True,
)
