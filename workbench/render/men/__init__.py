"""The men on a board: their large pictures, and the colours of players and squares."""
