"""Games of k in a row: what Connect 4 and tic-tac-toe share."""
