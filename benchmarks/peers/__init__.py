"""Interfaces to the other programs, one module for each kind, in the way that proved quickest."""
