"""How many nodes, playouts or leaves a second: kernels beside those of other programs, and beside themselves."""
