"""The proof-number family: numbers, trees, tables, drivers, and the maker of proofs."""
