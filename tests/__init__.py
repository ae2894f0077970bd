"""Facts about games, searches and the workbench that can turn out false."""
