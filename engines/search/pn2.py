"""PN2: two levels of proof-number search (Allis, 1994; Breuker, 1998)

**Idea.** Proof-number search ends when its memory is full. So do not keep everything: when the most proving node is found,
let a second proof-number search grow from it, as large as the first tree is by now, take over the numbers of its first
moves, and forget the rest. The first tree grows slowly and its numbers are far better than 1 and 1.

**In short.**

    until one number of the root is 0:
        walk down the first tree to the most proving node
        grow a second tree from there, with as many nodes as the first has
        keep the children of its root with their numbers, forget the rest
        work out the numbers of all nodes above, as PNS does

**Cost.** With room for n nodes it searches about n^2 / 2; it takes longer than PNS where PNS has room enough.

**Watch.** An iteration is one node of the first tree with its whole second search; `share` says how large that may be. What
the second search has proven is forgotten too: a proof that is written down is searched again there.
"""

from __future__ import annotations

from engines.algorithm import TABLES, Algorithm
from engines.contract import Parameter
from engines.parts.proof.driver import prove
from engines.parts.proof.prover import Prover
from engines.parts.proof.second_tree import LeafThreads, as_large
from engines.parts.proof.tree_prover import TreeProver
from engines.run.result import SearchResult
from engines.run.run import Run
from engines.search.pns import KNOWLEDGE, MEMORY, MOBILITY, megabytes_of


def new_prover(run: Run) -> Prover:
    """Half of the memory for each level."""
    half = megabytes_of(run) / 2
    jobs = LeafThreads(run, 1, half, 0, as_large(float(run.parameters["share"])))
    return TreeProver(run, 0, jobs, megabytes=half)


def search(run: Run) -> SearchResult:
    """Do one job after another until everything is answered."""
    return prove(run, "pn2", new_prover)


ALGORITHM = Algorithm(
    id="pn2",
    name="PN2",
    year=1994,
    summary="proof-number search whose leaves are judged by a second search",
    family="proof",
    needs=("opponent", "decided"),
    search=search,
    limits=("iterations", "nodes", "seconds"),
    parameters=(
        MEMORY,
        MOBILITY,
        KNOWLEDGE,
        TABLES,
        Parameter(
            name="share",
            default=1.0,
            low=0.01,
            high=10.0,
            sentence="The size of the second tree, as a share of the first one's.",
        ),
    ),
    steps={
        "asked": "until one number",
        "answered": "until one number",
        "selected": "walk down the first tree",
        "grown": "grow a second tree",
        "expanded": "keep the children",
        "updated": "work out the numbers",
    },
    view="first",
    expands=True,
    proves=True,
)
