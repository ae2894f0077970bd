"""Files written by version 0.1, and its output for them. `tests/fixtures/README.md` tells how they were made."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

FIXTURES = Path(__file__).parent / "fixtures" / "v0_1"
TIMES = ("seconds", "mean_seconds", "seconds_per_move", "seconds_per_game", "compile_seconds", "saved_seconds")
RATES = ("nodes_per_second", "time_ratio")
DIGITS = 12
"""Numbers with a fraction are compared in so many digits: linear algebra rounds the last ones as the processor suggests."""
OF_THE_RUN = {*TIMES, *RATES, "directory", "resumed"}
"""Fields that differ between any two runs: times and rates, directories, and how much came from a journal."""
FOR_PEOPLE = {"sentence", "summary", "ending", "card", "known", "story"}
"""Fields of plain English, which may be put better."""
REWORDED = {
    "What a probe is good for": "What a probe tells",
    "The knight is lost; a pawn that is thrown in on the way is lost besides.": (
        "The knight is lost; a pawn thrown in on the way is lost as well."
    ),
}
"""Plain English in other fields, and what it says today."""


def said(name: str) -> Any:
    """The output of version 0.1, read from a fixture."""
    return json.loads(gzip.decompress((FIXTURES / f"{name}.json.gz").read_bytes()))


def names(folder: str, suffix: str) -> list[str]:
    """The files of one kind, as paths relative to the fixtures' folder."""
    found = sorted(path.relative_to(FIXTURES).as_posix() for path in (FIXTURES / folder).glob(f"*{suffix}"))
    assert found, f"no {suffix} in {folder}"
    return found


def copied(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
    """A copy of all fixtures that a test may change. It becomes the current directory, as when the files were written."""
    place = shutil.copytree(FIXTURES, folder / "v0_1")
    monkeypatch.chdir(place)
    monkeypatch.setenv("PLYBENCH_DATA", str(folder / "data"))
    return place


def of_then(document: Any, then: Any) -> Any:
    """A document without the fields that an older one does not have, and without those for people."""
    if isinstance(document, dict) and isinstance(then, dict):
        return {name: of_then(value, then[name]) for name, value in document.items() if name in then.keys() - FOR_PEOPLE}
    if isinstance(document, list) and isinstance(then, list) and len(document) == len(then):
        return [of_then(value, old) for value, old in zip(document, then, strict=True)]
    return REWORDED.get(document, document) if isinstance(document, str) else document


def settled(document: Any) -> Any:
    """A document without the fields that differ between any two runs; of a file's path only the name is kept, and of a
    number with a fraction its first digits."""
    if isinstance(document, dict):
        return {
            name: Path(value).name if name == "file" and isinstance(value, str) else settled(value)
            for name, value in document.items()
            if name not in OF_THE_RUN
        }
    if isinstance(document, list):
        return [settled(value) for value in document]
    return float(f"{document:.{DIGITS}g}") if isinstance(document, float) else document
