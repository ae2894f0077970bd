"""Drawing a board in the terminal."""

from __future__ import annotations

from rich.panel import Panel
from rich.text import Text

from engines.game import Game
from engines.position import Position
from workbench.render.men.colours import ansi_ink
from workbench.render.report_text import how_it_ended
from workbench.render.style import plain_letters


def board(position: Position) -> Panel:
    """The board with a title that says which game and whose turn."""
    game = position.game
    title = " ".join(word for word in (game.title, game.size) if word)
    mover = how_it_ended(position) or game.standing(position)
    *rows, last = game.diagram(position.state).split("\n")
    names = Text(last.ljust(max(len(title), len(mover)) + 2))  # the last row names the columns; title and mover have room
    picture = Text("\n", no_wrap=True).join([*(painted(row, game) for row in rows), names])
    return Panel(picture, title=title, subtitle=mover, expand=False)


def painted(row: str, game: Game) -> Text:
    """A row of a diagram: each player's men in a colour of their own, and as pictures where the game has them."""
    text = Text()
    for letter in row:
        text.append(letter if plain_letters() else game.figures.get(letter, letter), ansi_ink(letter, game))
    return text
