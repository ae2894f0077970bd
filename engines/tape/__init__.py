"""The tape: every node of a search, recorded, checked, and asked about."""
