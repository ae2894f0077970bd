"""Chess: rules and evaluation at native speed, with python-chess at the border to people and files."""

from engines.games.chess import ending, knowledge, making, movegen, shannon, tapered
from engines.games.chess.game import ChessGame

GAME = ChessGame

__all__ = ["GAME", "ChessGame", "ending", "knowledge", "making", "movegen", "shannon", "tapered"]
