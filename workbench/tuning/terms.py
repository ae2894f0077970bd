"""Reads the terms of tuning from one line of text. `TuneTerms` itself checks their ranges."""

from __future__ import annotations

from msgspec.structs import replace

from engines.contract import InputError, shown
from workbench.tuning.types import TuneTerms

NUMBERS = ("population", "generations", "bits", "depth", "seed")
SHARES = ("pairing", "mutation")
EXAMPLES = "population 16, generations 100, depth 4, seed 1, pairing 0.5, mutation 0.05, bits 10"


def split_terms(text: str) -> dict[str, str]:
    """The terms in a line, by name: `depth 4, seed 1` has `depth` and `seed`. Raises InputError for what is no term; the
    values are not checked."""
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = part.partition(" ")
        if name not in (*NUMBERS, *SHARES):
            raise InputError(f"{shown(part)} is not a term of tuning; terms are, for example, {EXAMPLES}.")
        found[name] = value.strip()
    return found


def read_term(name: str, text: str) -> TuneTerms:
    """The usual terms with one of them as the user typed it. Raises InputError if it is not valid."""
    try:
        value = int(text) if name in NUMBERS else float(text)
    except ValueError:
        kind = "a whole number" if name in NUMBERS else "a number"
        raise InputError(f"The term {name} is {kind}, not {shown(text)}.") from None
    return replace(TuneTerms(seed=1), **{name: value})


def read_terms(text: str) -> TuneTerms:
    """The terms in a line that the user typed."""
    terms = TuneTerms(seed=1)
    for name, value in split_terms(text).items():
        terms = replace(terms, **{name: getattr(read_term(name, value), name)})
    return terms


def typed_terms(terms: TuneTerms) -> str:
    """Terms as text that `read_terms` reads."""
    return ", ".join(f"{name} {getattr(terms, name):g}" for name in (*NUMBERS, *SHARES))
