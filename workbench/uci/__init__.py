"""Plybench as a chess engine for programs that speak UCI."""
