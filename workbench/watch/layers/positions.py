"""Retrograde analysis on the positions that can come from one, layer by layer."""

from __future__ import annotations

from engines.algorithm import Algorithm
from engines.games.reachable import PositionGraph
from engines.position import Position
from workbench.watch.layers.layer_trace import LayerTrace, LayerWords
from workbench.watch.trace import Node

WORDS = LayerWords(
    node="position",
    edge="move",
    decides="is to move",
    decider="to move",
    ends="where a player has won",
    no_ends="where a player has won",
    undecided="=",
    rest="from there nobody can force a win, so they are drawn",
)


class PositionsTrace(LayerTrace):
    """The layers of all positions that can come from one, from the ends of the game backwards."""

    words = WORDS

    def __init__(self, start: Position, algorithm: Algorithm) -> None:
        self.graph = PositionGraph(start)
        super().__init__(Position(self.graph, self.graph.start()), algorithm)

    def position(self, node: Node) -> Position:
        assert isinstance(node, int)
        return self.graph.positions[node]
