"""The form for the terms of tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from workbench.app.forms.form import FormField, Values
from workbench.tuning.terms import NUMBERS, SHARES, read_term, read_terms, split_terms

HINTS = {
    "population": "genomes in a generation, 4 to 200",
    "generations": "how many until it ends",
    "bits": "for each weight: 10 means 0 to 1023",
    "depth": "plies that both players search, 1 to 20",
    "seed": "the same seed gives the same weights",
    "pairing": "chance that a couple has children, 0 to 1",
    "mutation": "chance that a bit changes, 0 to 1",
}


class TuneTermsForm:
    """Population, generations, depth and chance."""

    title = "The terms of tuning"
    hint = ""
    classes = "terms"

    def rows(self) -> Sequence[Sequence[FormField]]:
        """The fields, one on each row."""
        return [
            (FormField(name, name.capitalize(), HINTS[name], check=partial(_check, name)),) for name in (*NUMBERS, *SHARES)
        ]

    def values(self, text: str) -> Values:
        """What the fields hold if the line has this text."""
        usual = read_terms("")
        return {name: f"{getattr(usual, name):g}" for name in HINTS} | split_terms(text)

    def text(self, values: Mapping[str, str]) -> str:
        """The line for what the fields hold."""
        return ", ".join(f"{name} {values[name]}" for name in (*NUMBERS, *SHARES) if values[name])


def _check(name: str, values: Values) -> None:
    read_term(name, values[name])
