"""How long it takes to solve positions and whole games, forwards by proof and backwards from the end."""
