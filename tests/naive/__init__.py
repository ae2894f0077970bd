"""Independent oracles: rules, evaluations and searches written again in the simplest way, without code from `engines`."""
