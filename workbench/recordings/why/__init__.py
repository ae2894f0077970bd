"""Sentences that explain why a recorded node ended as it did."""
