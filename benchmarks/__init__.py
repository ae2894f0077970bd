"""Plybench measured against other programs: `python -m benchmarks` prints a table of ratios.

Each measurement is a module with a function `measure(quick)` that yields rows. Both sides of a row are timed in turn, on the
same machine in the same minute, so read the ratios and not the absolute figures. Compile time is never included.

Measurements are in packages by what they measure: `speed`, `latency`, `solving` and `strength`. The other programs are
called from `peers`, Plybench's own kernels from `ours`; the list of measurements is in `__main__`.
"""
