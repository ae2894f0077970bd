"""A search as it happened, event by event: what the drawn tree, the algorithm and the sentence beside it say at each."""
