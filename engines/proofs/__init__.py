"""Proofs as documents, and the checker that verifies them by the rules alone."""
