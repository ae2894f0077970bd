"""Two recorded searches of one position side by side: where they part, why, and where the one's extra nodes went."""
