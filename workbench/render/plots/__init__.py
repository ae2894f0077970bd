"""Plots made of characters: axes whose labels are whole, and lines in braille dots."""
