"""The ablation ladder: one switch after the other."""
