"""Lines of moves as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from engines.position import Position


def pretty(position: Position, line: Sequence[str]) -> str:
    """A line as people read it."""
    return " ".join(position.game.pretty_line(position.state, line))


def numbered_line(position: Position, line: Sequence[str]) -> list[str]:
    """A line's moves as people read them, with move numbers where the game has them."""
    moves = list(position.game.pretty_line(position.state, line))
    if not position.game.numbers_moves_in_pairs:
        return moves
    ply = len(position.played) + (0 if (position.turn > 0) == (len(position.played) % 2 == 0) else 1)
    texts: list[str] = []
    for move in moves:
        lead = f"{ply // 2 + 1}." if ply % 2 == 0 else f"{ply // 2 + 1}..." if not texts else ""
        texts.append(lead + move)
        ply += 1
    return texts
