"""A board as a picture: the squares, men and lines that a game declares in its `Grid`.

Men whose letters python-chess has a picture of are drawn by it, others as discs with their letter, in a colour of their
player's; so nobody has to tell two colours apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from engines.game import Game
from engines.notation import Grid
from engines.position import Position
from workbench.drawing.picture import Picture, circle, line, number, rect, text
from workbench.render.report_text import how_it_ended

SQUARE = 40.0
EDGE = 22.0
"""The margin with the names of rows and columns."""
LARGEST = 480.0
"""Pixels: a larger board has smaller squares."""
LIGHT, DARK, PLAIN = "#f0d9b5", "#b58863", "#e8edf2"
LETTER = (10.0, 16.0)
"""How wide and how high a letter beside the board is."""
INK, PAPER = "#16191d", "#ffffff"
NAMED = {"White": "#ffffff", "Black": "#2b2f36", "Red": "#d1495b", "Blue": "#2a6f97"}
"""The colours of players that are called after one."""
PLAYERS = ("#e69f00", "#56b4e9", "#009e73")
"""The others, the first player's first: told apart by everybody."""
COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#cc79a7", "#d55e00", "#9aa5b1")
"""Of letters that have a colour each."""


def board_picture(position: Position) -> Picture | None:
    """The board of a position; None if its game has none of squares."""
    game = position.game
    grid = game.grid(position.state)
    if grid is None or not grid.letters:
        return None
    rows, columns = len(grid.letters), max(map(len, grid.letters))
    side = side_of(grid)
    width, height = columns * side + 2 * EDGE, rows * side + 2 * EDGE
    wide = max((len(row) for row in grid.beside), default=0) * LETTER[0]
    title = " ".join(word for word in (game.title, game.size) if word)
    standing = how_it_ended(position) or game.standing(position)
    shapes = tuple(_shapes(game, grid, side, columns))
    return Picture(width + wide, height, f"{title}: {standing}", game.diagram(position.state), shapes)


def side_of(grid: Grid) -> float:
    """How wide and high a square is drawn."""
    return min(SQUARE, LARGEST / max(len(grid.letters), *map(len, grid.letters)))


def _shapes(game: Game, grid: Grid, side: float, columns: int) -> Iterator[str]:
    rows = len(grid.letters)
    if not grid.lined:
        yield from _squares(grid, side)
        yield rect(EDGE, EDGE, columns * side, rows * side, "none", 'stroke="currentColor" stroke-opacity="0.5"')
    yield from _names(grid, side, columns)
    yield from _links(grid, side)
    for row, letters in enumerate(grid.letters):
        for column, letter in enumerate(letters):
            x, y = EDGE + (column + 0.5) * side, EDGE + (row + 0.5) * side
            place = (row + grid.top, column + grid.left)
            if letter != ".":
                yield _man(game, grid, letter, x, y, side, grid.labels.get(place, ""))
            elif place in grid.open:
                yield circle(x, y, side * 0.12, "none", "currentColor")
    yield from _beside(grid, EDGE + rows * side / 2, 2 * EDGE + columns * side)


def _squares(grid: Grid, side: float) -> Iterator[str]:
    for row, letters in enumerate(grid.letters):
        for column in range(len(letters)):
            x, y = EDGE + column * side, EDGE + row * side
            if grid.checkered:
                yield rect(x, y, side, side, DARK if (row + column) % 2 else LIGHT)
            else:
                yield rect(x, y, side, side, PLAIN, 'stroke="#b8c2cc"')


def _names(grid: Grid, side: float, columns: int) -> Iterator[str]:
    size = min(13.0, side * 0.6)
    for row, name in enumerate(grid.row_names):
        if name:
            yield text(EDGE / 2, EDGE + (row + 0.5) * side, name, size)
    for column, name in enumerate(grid.column_names[:columns]):
        yield text(EDGE + (column + 0.5) * side, EDGE * 1.5 + len(grid.letters) * side, name, size)


def _links(grid: Grid, side: float) -> Iterator[str]:
    for squares in sorted(grid.links):
        (row, column), (to_row, to_column) = squares[0], squares[-1]
        x, y = EDGE + (column - grid.left + 0.5) * side, EDGE + (row - grid.top + 0.5) * side
        to_x, to_y = EDGE + (to_column - grid.left + 0.5) * side, EDGE + (to_row - grid.top + 0.5) * side
        yield line(x, y, to_x, to_y, width=1.5)


def _beside(grid: Grid, middle: float, x: float) -> Iterator[str]:
    """What lies beside the board, letter under letter."""
    if grid.beside:
        yield '<g font-family="monospace" xml:space="preserve">'
        for number_of, said in enumerate(grid.beside):
            y = middle + (number_of - (len(grid.beside) - 1) / 2) * LETTER[1]
            yield text(x, y, said.replace(" ", "\u00a0"), LETTER[1], "start")
        yield "</g>"


def _man(game: Game, grid: Grid, letter: str, x: float, y: float, side: float, label: str) -> str:
    if grid.lined:
        dot = circle(x, y, side * (0.36 if label else 0.2), PAPER if label else "currentColor", "currentColor")
        return dot + (text(x, y, label, side * 0.38, fill=INK) if label else "")
    if grid.coloured:
        place = ord(letter.upper()) - ord("A") if letter.isalpha() else int(letter) if letter.isdecimal() else 0
        tile = rect(x - side / 2, y - side / 2, side, side, COLOURS[place % len(COLOURS)], 'stroke="#00000033"')
        return tile + text(x, y, letter, side * 0.45, fill=INK)
    player = next((number_of for number_of, letters in enumerate(game.marks) if letter in letters), 0)
    if len(game.marks[player]) > 1 and all(map(chess_man, game.marks[player])):
        drawn = chess_man(letter)
        scale = side / 45
        return f'<g transform="translate({number(x - side / 2)} {number(y - side / 2)}) scale({scale:.3f})">{drawn}</g>'
    fill = NAMED.get(game.players[player], PLAYERS[player % len(PLAYERS)])
    disc = circle(x, y, side * 0.4, fill, INK, 1.5)
    ink = PAPER if fill in ("#2b2f36", "#d1495b", "#2a6f97") else INK
    said = "" if game.players[player] in ("White", "Black") else _stone(game, player, letter)
    return disc + (text(x, y, said, side * 0.45, fill=ink, bold=True) if said else "")


def _stone(game: Game, player: int, letter: str) -> str:
    """What stands on a stone: its letter, or its number where stones are numbered."""
    letters = game.marks[player]
    return letter if len(letters) == 1 else str(letters.index(letter) + 1)


@cache
def chess_man(letter: str) -> str:
    """The picture of a chess man, 45 units wide; empty if the letter is none."""
    import chess.svg

    return re.sub(r' (id|class)="[^"]*"', "", chess.svg.PIECES.get(letter, ""))
