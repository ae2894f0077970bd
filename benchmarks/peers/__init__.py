"""The other programs: each module calls or drives one kind of them, in the way that proved quickest."""
