"""A small tree as a picture: triangles upwards where the first player moves, downwards where the second does, circles for
chance, and what is gained at the leaves."""

from __future__ import annotations

from dataclasses import dataclass, field

from engines.position import Position
from workbench.drawing.picture import Picture, circle, line, number, rect, text
from workbench.render.report_text import how_it_ended

MOST_NODES, MOST_PLIES = 150, 8
"""A larger tree has no room on a page."""
LEAF, LEVEL, SIZE = 44.0, 64.0, 13.0
FILLS = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7")


@dataclass
class _Node:
    position: Position
    x: float = 0.0
    depth: int = 0
    children: list[tuple[str, _Node]] = field(default_factory=list)


def tree_picture(position: Position) -> Picture | None:
    """The tree from a position on; None if its game is no written tree, or if it is too large to be drawn."""
    if not position.game.is_tree or position.is_over:
        return None
    root = _grown(position)
    if root is None:
        return None
    leaves = _placed(root)
    depth = max(node.depth for node in _all(root))
    game = position.game
    shapes = [shape for node in _all(root) for shape in (*_edges(node), *_mark(node))]
    about = f"{game.standing(position)}. {game.diagram(position.state)}"
    return Picture(max(leaves, 2) * LEAF, (depth + 1) * LEVEL, f"{game.title} as a tree", about, tuple(shapes))


def _grown(position: Position) -> _Node | None:
    root = _Node(position)
    waiting = [root]
    for count, node in enumerate(waiting, 1):  # grows while it is walked
        if count > MOST_NODES or node.depth > MOST_PLIES:
            return None
        here = node.position
        for move in [] if here.is_over else here.game.legal_moves(here.state):
            child = _Node(here.play(move), depth=node.depth + 1)
            node.children.append((here.game.move_text(here.state, move), child))
            waiting.append(child)
    return root


def _all(root: _Node) -> list[_Node]:
    found = [root]
    for node in found:  # grows while it is walked
        found += [child for _, child in node.children]
    return found


def _placed(root: _Node) -> int:
    """Put leaves side by side and every other node above the middle of its children; how many leaves there are."""
    leaves = 0

    def place(node: _Node) -> None:
        nonlocal leaves
        for _, child in node.children:
            place(child)
        if node.children:
            node.x = (node.children[0][1].x + node.children[-1][1].x) / 2
        else:
            node.x = (leaves + 0.5) * LEAF
            leaves += 1

    place(root)
    if leaves == 1:
        for node in _all(root):
            node.x = LEAF
    return leaves


def _y(node: _Node) -> float:
    return (node.depth + 0.5) * LEVEL


def _edges(node: _Node) -> list[str]:
    parts = []
    for move, child in node.children:
        parts.append(line(node.x, _y(node) + SIZE, child.x, _y(child) - SIZE))
        outside = child.x + 3 if child.x >= node.x else child.x - 3  # where no edge comes from
        parts.append(text(outside, _y(child) - SIZE - 6, move, 11, "start" if child.x >= node.x else "end"))
    return parts


def _mark(node: _Node) -> list[str]:
    here, x, y = node.position, node.x, _y(node)
    if not node.children:
        said = _gain(here)
        width = max(26.0, 8.0 * len(said) + 8)
        return [rect(x - width / 2, y - SIZE, width, 2 * SIZE, "none", 'stroke="currentColor"'), text(x, y, said)]
    if here.by_chance:
        return [circle(x, y, SIZE, "none", "currentColor", 1.5)]
    fill = FILLS[here.mover % len(FILLS)]
    up = -1 if here.mover == 0 else 1
    corners = ((x, y + up * SIZE), (x - SIZE, y - up * SIZE), (x + SIZE, y - up * SIZE))
    points = " ".join(f"{number(a)},{number(b)}" for a, b in corners)
    return [f'<polygon points="{points}" fill="{fill}" stroke="currentColor"/>']


def _gain(position: Position) -> str:
    """What the leaf pays."""
    if position.game.player_count > 2:
        return how_it_ended(position).rpartition(", ")[0]
    return f"{position.game.shown_value(position.result * position.turn):g}"
