"""Plybench beside its peers, measured in one run: `python -m benchmarks` prints a table of ratios.

Each measurement is a module with a function `measure(quick)` that yields rows. Both sides of a row are timed in turn, on the
same machine in the same minute, so read the ratios and not the figures. Compiling is never part of a figure.

Measurements are in packages by what they ask: `speed`, `latency`, `solving` and `strength`. What calls or drives the other
programs is in `peers`, Plybench's own side in `ours`; the table of measurements is in `__main__`.
"""
