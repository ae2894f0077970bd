"""Sessions: positions with variations, the searches made of them, and notes; their files."""
