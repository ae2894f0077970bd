"""Graphs that are solved from their ends backwards: the events, layer by layer, and the graph as it is drawn."""
