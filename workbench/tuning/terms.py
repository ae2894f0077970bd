"""Reads the terms of tuning from one line of text. `TuneTerms` itself checks their ranges."""

from __future__ import annotations

from msgspec.structs import replace

from engines.contract import InputError, shown
from workbench.tuning.types import TuneTerms

NUMBERS = ("population", "generations", "bits", "depth", "seed")
SHARES = ("pairing", "mutation")
EXAMPLES = "population 16, generations 100, depth 4, seed 1, pairing 0.5, mutation 0.05, bits 10"


def read_terms(text: str) -> TuneTerms:
    """The terms in a line that the user typed."""
    terms = TuneTerms(seed=1)
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = part.partition(" ")
        try:
            if name in NUMBERS:
                terms = replace(terms, **{name: int(value)})
            elif name in SHARES:
                terms = replace(terms, **{name: float(value)})
            else:
                raise ValueError
        except InputError:
            raise
        except ValueError:
            raise InputError(f"{shown(part)} is no term of tuning; terms are such as {EXAMPLES}.") from None
    return terms


def typed_terms(terms: TuneTerms) -> str:
    """Terms as text that `read_terms` reads."""
    return ", ".join(f"{name} {getattr(terms, name):g}" for name in (*NUMBERS, *SHARES))
