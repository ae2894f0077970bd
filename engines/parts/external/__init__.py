"""Other programs that search."""
