"""A line of moves as people write it: `1. e4 e5 2. Nf3`, `e4 e5 Nf3`, `1.e2-e4 {best by test} e7-e5!`.

Only the moves of the main line count here; `positions.pgn` reads games with all that is in them.
"""

from __future__ import annotations

import re

from engines.games.chess.fen import MARKS
from engines.notation import without_numbers

_MOVE = r"(?:[NBRQKP]?[a-h]?[1-8]?[-x:]?[a-h][1-8](?:=?\(?[NBRQnbrq]\)?)?|O-O(?:-O)?|0-0(?:-0)?)[+#!?\u203c\u2047-\u2049]*"
_FIRST = re.compile(rf"(?:1\s*(?:[.…]+\s*|\s)(?:[.…]+\s*)?)?{_MOVE}(?=[\s;{{(]|$)|1\s*[.…]")
_ASIDE = re.compile(r"\{[^}]*\}|;[^\n]*|\$[0-9]+|(?<!\S)[.…]+(?!\S)")
_RESULTS = ("1-0", "0-1", "1/2-1/2", "1/2", "*")


def looks_like_line(text: str) -> bool:
    """It starts as a line of moves does, not as a position."""
    return _FIRST.match(text) is not None


def words_of_line(text: str) -> list[str]:
    """The moves of the main line: comments, variations, marks, numbers and the result are left out."""
    text = _ASIDE.sub(" ", text)
    while text != (text := re.sub(r"\([^()]*\)", " ", text)):
        pass
    words = without_numbers(text.split())
    return [word for word in words if word not in _RESULTS and word.strip(MARKS) and not re.fullmatch("[1-9][0-9]*", word)]
