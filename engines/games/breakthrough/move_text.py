"""Lines of moves of Breakthrough as courses print them: a move and the answer to it as one word, `2a3a-5a4a 2b3b-4a3b`."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MOVE = r"(?:[a-h][1-8][-x]?[a-h][1-8]|[1-8][a-h][-x]?[1-8][a-h])"
_PAIR = re.compile(rf"({_MOVE})-({_MOVE}|\?+)", re.IGNORECASE)
_LINE = re.compile(rf"(?:1\.\s*)?(?:{_MOVE}|{_PAIR.pattern})(?!\S)", re.IGNORECASE)


def is_line(text: str) -> bool:
    """It starts with a move, not with a board."""
    return _LINE.match(text.strip()) is not None


def in_pairs(words: Sequence[str]) -> list[str]:
    """The moves of words that may have two each. An answer `????` at the end is one that is asked for."""
    found: list[str] = []
    for word in words:
        pair = _PAIR.fullmatch(word)
        found += pair.groups() if pair else [word]
    return found[:-1] if found and not found[-1].strip("?") else found
