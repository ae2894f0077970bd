"""Texts with slips in them, the same ones in every run: typing errors, and accidents to files."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from engines.contract import InputError

Read = TypeVar("Read")
Source = TypeVar("Source")

ODD = "²٣½０\x00\x1b\t\n ./-:;,()[]{}%$\"'\\+_#*~12345678900wbkqKQRNPax=eéİ♔\u00a0\u2028"
"""Characters of chess notations, and some that only look like them."""


def slips(texts: Sequence[str], count: int, seed: int = 1) -> Iterator[str]:
    """Yield so many texts with one to three slips each."""
    chance = random.Random(seed)
    for number in range(count):
        text = texts[number % len(texts)]
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            text = chance.choice((_leave_out, _put_in, _replace, _swap, _double, _words, _words, _cut))(text, chance)
        yield text


def _leave_out(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text) + 1)
    return text[:place] + text[place + chance.randint(1, 3) :]


def _put_in(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text) + 1)
    return text[:place] + chance.choice(ODD) + text[place:]


def _replace(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text) + 1)
    return text[:place] + chance.choice(ODD + text) + text[place + 1 :]


def _swap(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text) + 1)
    return text[:place] + text[place : place + 2][::-1] + text[place + 2 :]


def _double(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text) + 1)
    return text[: place + chance.randint(1, 8)] + text[place:]


def _words(text: str, chance: random.Random) -> str:
    """Delete, repeat, swap or replace a word."""
    words = text.split(" ")
    place, other = chance.randrange(len(words)), chance.randrange(len(words))
    match chance.randrange(4):
        case 0:
            del words[place]
        case 1:
            words.insert(place, words[other])
        case 2:
            words[place], words[other] = words[other], words[place]
        case _:
            words[place] = chance.choice(
                ["", "-", "w", "b", "KQkq", "HAha", "e3", "d6", "0", "99999999999", "½", "Nf3", "O-O"]
            )
    return " ".join(words)


def _cut(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text) + 1)]


def is_sentence(message: str) -> bool:
    """Whether a message can be shown to a user: one line, not too long, that ends like a sentence."""
    return message.endswith((".", "?")) and message.isprintable() and 15 <= len(message) < 300


def attempt(read: Callable[[Source], Read], text: Source) -> tuple[Read | None, str]:
    """The result of reading and an empty text, or None and the error's sentence. Exceptions other than InputError fail the
    test."""
    try:
        return read(text), ""
    except InputError as error:
        message = str(error)
    assert is_sentence(message), (message, text)
    return None, message
