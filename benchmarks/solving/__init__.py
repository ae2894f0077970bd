"""How long positions and whole games take to be solved, forwards by proof and backwards from the end."""
