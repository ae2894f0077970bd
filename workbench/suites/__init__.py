"""An algorithm on all positions of a file."""
