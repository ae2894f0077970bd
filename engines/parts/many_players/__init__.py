"""The family of searches for any number of players."""
