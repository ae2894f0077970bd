"""The positions that can come from one, as a graph: what works backwards from the ends of a game is seen on it."""

from __future__ import annotations

from engines.contract import InputError
from engines.games.graph import LONGEST_NAME, GraphGame, GraphNode, quoted
from engines.position import Position

MOST_POSITIONS = 6_000
"""All of tic-tac-toe has 5,478."""


class PositionGraph(GraphGame):
    """A game from a position on, as a graph. Positions that several ways lead to are one node."""

    def __init__(self, start: Position) -> None:
        self.positions, self.leads = reachable(start)
        self.names = names_of(self.positions)
        super().__init__("", {}, self._written())
        self.has_winner, self.endless = True, 0  # even where every game ends in a draw
        self.players = start.game.players[:2]  # type: ignore[assignment]

    def _written(self) -> str:
        """The graph in its notation: won positions are the winner's targets."""
        names, rows = [quoted(name) for name in self.names], []
        targets: dict[int, list[str]] = {1: [], -1: []}
        for name, position, leads in zip(names, self.positions, self.leads, strict=True):
            owner, to = "max" if position.turn > 0 else "min", ", ".join(names[number] for number in leads)
            rows.append(f'{name} = {{owner = "{owner}", to = [{to}]}}' if leads else f"{name} = {{}}")
            if position.is_over and position.result:
                targets[position.turn if position.result > 0 else -position.turn].append(name)
        wanted = ", ".join(f"{player} = [{', '.join(targets[side])}]" for player, side in (("max", 1), ("min", -1)))
        return f"graph = {{start = {names[0]}, targets = {{{wanted}}}, nodes = {{{', '.join(rows)}}}}}"

    def _worth(self, node: GraphNode) -> int:
        """A game that nobody has won is nobody's, also where only one of them could win."""
        return super()._worth(node) if node.target_of else 0

    def ending(self, position: Position) -> str | None:
        """How the game of a node ended."""
        return position.game.ending(position)


def reachable(start: Position) -> tuple[list[Position], list[list[int]]]:
    """All positions that can come, those of fewer moves first, and for each the numbers of those that its moves lead to; an
    InputError if there are too many."""
    numbers, found, leads = {board_of(start): 0}, [start], list[list[int]]()
    for position in found:  # grows while it is walked
        to: dict[int, None] = {}
        for move in () if position.is_over else position.game.legal_moves(position.state):
            after = position.play(move)
            number = numbers.setdefault(board_of(after), len(found))
            if number == len(found):
                found.append(after)
            to[number] = None
        leads.append(list(to))
        if len(found) > MOST_POSITIONS:
            said = f"More than {MOST_POSITIONS:,} positions can come from here, too many to be watched"
            raise InputError(f"{said}; a position nearer to the end of the game has fewer.")
    return found, leads


def board_of(position: Position) -> str:
    """What tells a position from others, however it came about."""
    return position.game.board_text(position.state)


def names_of(positions: list[Position]) -> list[str]:
    """What the nodes are called: the moves of the shortest way there, or a number where they are too long."""
    start, found = positions[0], ["start"]
    for number, position in enumerate(positions[1:], 1):
        name = "-".join(start.game.line_text(start.state, position.played[len(start.played) :]))
        found.append(name if len(name) <= LONGEST_NAME and not any(map(str.isspace, name)) else f"#{number}")
    return found
