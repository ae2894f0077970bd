"""Compiled code: kernels and their cache, generic functions, records, bits, and what threads share."""
