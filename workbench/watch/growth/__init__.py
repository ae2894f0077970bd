"""Searches that do not go depth first: trees that grow iteration by iteration, told in the true order of what happened."""
