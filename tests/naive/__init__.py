"""The independent oracles: rules, evaluations and searches once more, as plainly as can be."""
