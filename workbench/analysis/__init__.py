"""The Analyse screen without its widgets: its state, and what its panels say."""
