"""Tables of games that are solved as a whole, from their ends backwards."""
