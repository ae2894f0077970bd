"""Forms that can also be typed on one line, such as the terms of a match."""
