"""Ablation: an algorithm's improvements are switched on one after the other, and the effect of each is measured."""
