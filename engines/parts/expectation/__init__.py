"""The family of searches for expectations, where nature moves."""
