"""The Monte Carlo family: playouts, policies, trees that grow by sampling, and their drivers."""
