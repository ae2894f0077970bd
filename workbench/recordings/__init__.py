"""Recorded searches in words, and ways through them."""
