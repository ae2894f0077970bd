"""Reading TOML from untrusted sources, with every fault reported in a sentence."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

LONGEST_NUMBER = 63
"""Bits of a whole number, its sign aside: TOML has no larger ones."""


class TomlError(ValueError):
    """It is not good TOML; the message says why, and can stand behind a colon."""


def read_toml(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """What a text says; a TomlError if it is not good TOML."""
    try:
        found = tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        said = " ".join(str(error).split())
        raise TomlError("".join(letter if letter.isprintable() else "?" for letter in said).rstrip(".")[:160]) from None
    except RecursionError:
        raise TomlError("its brackets are nested too deeply") from None
    except (ValueError, ArithmeticError):  # Python reads no number of thousands of digits, no exponent of twenty
        raise TomlError("a number in it has too many digits") from None
    waiting: list[Any] = [found]
    for value in waiting:  # grows while it is walked
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:
            raise TomlError(f"a whole number in it does not fit into {LONGEST_NUMBER + 1} bits")
    return found
