"""The colours of men, squares and marks. Every man is to be told from the square it stands on, by everybody.

White and Black stand on squares that are as far from white as from black, of two hues. Men of all other colours stand on
pale squares, in strong colours that colour-blind people tell apart too.
"""

from __future__ import annotations

from engines.game import Game

LEAST = 4.5
"""The least contrast of what is to be read, by WCAG."""
OF_WORDS = {"White": "#ffffff", "Black": "#000000", "Red": "#b8000f", "Blue": "#0b3fc4"}
"""The colours of players who have the name of a colour."""
OF_OTHERS = ("#0a3d91", "#9c2f00", "#1a1a1a")
"""The colours of the first, second and third player in other games: blue, brown and black."""
ON_MEN = "#ffffff"
"""The numbers on stones."""
OF_LETTERS = {
    "A": ("#e69f00", "#000000"),
    "B": ("#56b4e9", "#000000"),
    "C": ("#009e73", "#000000"),
    "D": ("#f0e442", "#000000"),
    "E": ("#0072b2", "#ffffff"),
    "F": ("#d55e00", "#000000"),
    "G": ("#cc79a7", "#000000"),
}
"""The square and the letter where every letter has a colour of its own, in a palette that is safe for colour-blind users."""
ANSI_OF_WORDS = {"Red": "bold red", "Blue": "bold blue"}
ANSI_OF_OTHERS = ("bold yellow", "bold cyan", "bold magenta")
"""The colours in a terminal whose background is not known: white or black men might not be seen on it."""


def stands_on_pale(game: Game) -> bool:
    """Whether the squares of a game are the pale ones."""
    return game.players[:2] != ("White", "Black")


def ink(letter: str, game: Game) -> str:
    """The colour of a man; empty where the letter is nobody's."""
    return _of_owner(letter, game, OF_WORDS, OF_OTHERS)


def ansi_ink(letter: str, game: Game) -> str:
    """The style of a man's letter in a terminal; empty where the letter is nobody's."""
    return _of_owner(letter, game, ANSI_OF_WORDS, ANSI_OF_OTHERS)


def _of_owner(letter: str, game: Game, of_words: dict[str, str], of_others: tuple[str, ...]) -> str:
    for player, letters, other in zip(game.players, game.marks, of_others, strict=False):
        if letter in letters:
            return of_words.get(player, other)
    return ""


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by the formula of WCAG: from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """How bright a colour such as `#a0b0c0` is: from 0 to 1."""
    red, green, blue = (linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(part: float) -> float:
    """The light of a part of an sRGB colour."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
