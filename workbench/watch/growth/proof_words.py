"""Proof numbers in words: which number is the least of the children's, and which is their sum."""

from __future__ import annotations

from collections.abc import Sequence

from engines.rules import INFINITE


def number(value: int) -> str:
    """A proof or disproof number."""
    return "∞" if value >= INFINITE else f"{value:,}"


def pair(proof: int, disproof: int) -> str:
    """Both numbers, as they stand below a node."""
    return f"{number(proof)}/{number(disproof)}"


def change_words(name: str, before: int, now: int, where: str) -> str:
    """How a number of a node changes."""
    if before == now:
        return f"the {name} of {where} stays {number(now)}"
    return f"the {name} of {where} {'rises' if now > before else 'falls'} from {number(before)} to {number(now)}"


def capital(text: str) -> str:
    """A sentence begins with a large letter, but for a move, which is written as it is."""
    return f"{text[0].upper()}{text[1:]}" if text.startswith(("the ", "move ")) else text


def sum_words(numbers: Sequence[int], most: int = 6) -> str:
    """A sum of numbers: what is added up, if that is not too long."""
    if len(numbers) > most or len(numbers) < 2:
        return ""
    return " + ".join(map(number, numbers))
