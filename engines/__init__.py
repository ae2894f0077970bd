"""Games and search. Nothing in here knows about a terminal: no textual, no rich, no workbench."""
