"""Nodes, playouts or leaves per second: kernels compared with other programs, and with variants of themselves."""
