"""PDS: proof-number and disproof-number search (Nagai, 1998)

**Idea.** The elder sister of df-pn: depth first, with a table, and with limits for both numbers. But the limits are finite
everywhere, even at the root, and a position is searched until *both* numbers have reached them. Then one of them is raised
by one, the one that looks nearer to its goal, and everything begins anew: an iterative deepening in two numbers at once.

**In short.**

    limits of the root: 1 and 1
    until it is solved:
        search(root), then raise the limit of the smaller number by 1
    search(position, near limit, far limit):
        look up all children in the table
        until near >= its limit *and* far >= its limit:
            best = the child with the least near number, of equals the least far
            raise its far limit by 1 if far is too small here and looks easier,
            else its near limit, and search it
        put both numbers into the table

**Cost.** More repeated work than df-pn, which replaced it; but it does not commit itself to the proof or to the disproof.

**Watch.** It came after PN* (Seo, 1995), the first proof-number search to go depth first with a table in place of the tree,
which raises the limit of the proof number alone. What `dfpn` says of its table, of repetition and of
knowledge holds here too.
"""

from __future__ import annotations

from engines.algorithm import TABLES, Algorithm
from engines.parts.proof.driver import prove
from engines.parts.proof.prover import Prover, at_a_return
from engines.parts.proof.table_prover import TableProver
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.search.dfpn import TABLE
from engines.search.pns import KNOWLEDGE, MOBILITY


def new_prover(run: Run) -> Prover:
    """A table, and limits for both numbers."""
    return TableProver(run, both=True, epsilon=0.0, weak=False)


def search(run: Run) -> SearchResult:
    """Raise the limits until everything is answered."""
    return prove(run, "pds", new_prover, at_a_return)


ALGORITHM = Algorithm(
    id="pds",
    name="PDS",
    year=1998,
    summary="depth-first proof search that raises both limits step by step",
    family="proof",
    needs=("opponent", "decided"),
    search=search,
    limits=("iterations", "nodes", "seconds"),
    parameters=(TABLE, MOBILITY, KNOWLEDGE, TABLES),
    steps={
        "asked": "search(root), then",
        "root": "search(root), then",
        "answered": "put both numbers",
        "entered": "else its near limit, and search it",
        "expanded": "look up all children",
        "selected": "best = the child",
        "returned": "until near >= its limit",
        "left": "put both numbers",
    },
    view="first",
    expands=True,
    proves=True,
)
