"""An examiner for the explanations of recorded searches: it reads what the workbench says of each node and checks it.

It shares no code with `workbench.recordings.why`. From a tape it takes what the search did: moves, windows, values and kinds
of nodes. What is true it works out by itself: the rules come from the naive games in `tests`, the value of a position from
an exhaustive search, and what a search can know of a node from the leaves below it alone, with bounds for what it left out.

`model.py` has the tree and its positions, `oracles.py` the naive rules with one interface, `grammar.py` the words for values
and moves, `family.py` the loop over nodes and what the families share, `searches.py` random searches. Each family of
searches has a module with its sentences: patterns, and what must hold where a sentence of that form appears. A sentence that
matches no pattern is a fault too.
"""
