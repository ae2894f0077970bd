"""What the start page offers: purposes, each with a position, an algorithm and a place to go to."""
