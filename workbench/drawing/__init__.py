"""Boards, plots and trees as pictures (SVG): for reports, without a screen."""
