"""Proof-number search (Allis, 1994)

**Idea.** Do not ask what a position is worth but one question with two answers: does the first player win? Then count what
is missing. A position's *proof number* is the least number of open positions that must all turn out well for a yes, its
*disproof number* the same for a no. Where these numbers are small there is little left to do: the search always expands the
position that takes part in both, the *most proving node*.

**In short.** Where the first player moves (OR) one good move is enough; where the second moves (AND) all must be good.

    OR:   proof = the least of the children's,  disproof = the sum of theirs
    AND:  proof = the sum of the children's,    disproof = the least of theirs
    won for the first player: 0 and infinite;  not won: infinite and 0;
    open: 1 and 1

    until one number of the root is 0:
        walk down: at OR to the child with the least proof number,
                   at AND to the child with the least disproof number
        expand it, and work out the numbers of all nodes above

Many texts, the course's too, test for the proof number at both kinds of node: at AND it has to be the *disproof* number, or
the walk ends at a node that is not the most proving one.

**Cost.** One expansion for each iteration, memory for every position. It finds narrow wins, where one side has few replies,
far sooner than any search by depth, and is lost in quiet positions, where all numbers are alike.

**Watch.** It proves and has no opinion: while the question is open, the value only says which way the numbers lean. With
draws it takes two questions: does the first player win? Does he at least draw? A typed tree takes as many as it takes to
close in on its value. With `mobility` a new position begins with the number of its moves instead of 1. `spread` takes at
random one of the children whose number is at most that much above the least (randomised PNS), and `threads` share the tree:
each takes a leaf, grows a tree of `job` nodes from it, and brings back its first moves; meanwhile the others avoid the leaf.
When the memory is full, what is below solved positions is given up; when that does not help, the search ends. On a graph
with targets play may go round: a position that is on the way already counts as play that never ends. Every way is a branch
of its own then, and there may be very many; `attractor` looks at each edge once.
"""

from __future__ import annotations

from engines.algorithm import TABLES, Algorithm
from engines.contract import Parameter
from engines.parts.proof.driver import prove
from engines.parts.proof.prover import Prover
from engines.parts.proof.second_tree import LeafThreads
from engines.parts.proof.tree_prover import TreeProver
from engines.run.result import SearchResult
from engines.run.run import Run

KNOWLEDGE = Parameter(
    name="knowledge", default=False, sentence="Use what the game knows about its own values (Connect 4, Breakthrough)."
)
MOBILITY = Parameter(
    name="mobility", default=False, sentence="Begin a new position with the number of its moves, instead of 1."
)
MEMORY = Parameter(
    name="memory",
    default=256,
    low=1,
    high=65_536,
    sentence="The memory for the tree, in megabytes; the search ends when it is full and nothing can be given up.",
)


def megabytes_of(run: Run) -> int:
    """The memory that the tree may take."""
    chosen = int(run.parameters["memory"])
    return chosen if run.memory.most is None else min(chosen, run.memory.most)


def new_prover(run: Run) -> Prover:
    """A tree, and the threads that do jobs for it if there are several."""
    threads, spread, memory = int(run.parameters["threads"]), int(run.parameters["spread"]), megabytes_of(run)
    if threads == 1:
        return TreeProver(run, spread, megabytes=memory)
    job = int(run.parameters["job"])
    jobs = LeafThreads(run, threads, memory / 8, spread, lambda tree: job)
    return TreeProver(run, spread, jobs, megabytes=memory * 7 / 8)


def search(run: Run) -> SearchResult:
    """Expand the most proving node until everything is answered."""
    return prove(run, "pns", new_prover)


ALGORITHM = Algorithm(
    id="pns",
    name="Proof-number search",
    year=1994,
    summary="proves who wins by expanding where the least is left to prove",
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
            name="spread",
            default=0,
            low=0,
            high=1000,
            sentence="Treat children whose number is at most this much above the least as equally good.",
        ),
        Parameter(name="threads", default=1, low=1, high=64, sentence="How many threads search."),
        Parameter(
            name="job",
            default=500,
            low=2,
            high=1_000_000,
            sentence="How many nodes a job has, where there are several threads.",
        ),
    ),
    steps={
        "asked": "until one number",
        "answered": "until one number",
        "selected or": "walk down: at OR",
        "selected and": "at AND to the child",
        "expanded": "expand it, and",
        "updated or": "OR:   proof",
        "updated and": "AND:  proof",
    },
    view="first",
    expands=True,
    proves=True,
    variant=lambda parameters: "jobs" if int(parameters["threads"]) > 1 else "",
    variants=({"threads": 2},),
)
