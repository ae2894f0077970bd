"""The `--json` documents of version 0.1: every command still prints all of one, key by key and value by value.

A document may have gained fields, and its sentences for people may be put better."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.old_files import copied, of_then, said, settled
from tests.workbench.conftest import Plybench

pytestmark = pytest.mark.plain

DOCUMENTS = said("documents")
REFERENCES = ("PLYBENCH_BOOK", "PLYBENCH_SYZYGY", "PLYBENCH_GAVIOTA")
"""Switched off: the machine that wrote the documents had no opening book and no endgame tables."""


@pytest.mark.parametrize("row", DOCUMENTS, ids=[shlex.join(row["args"])[:70] for row in DOCUMENTS])
def test_a_command_prints_the_same_document(
    plybench: Plybench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, row: dict[str, Any]
) -> None:
    copied(monkeypatch, tmp_path)
    for variable in REFERENCES:
        monkeypatch.setenv(variable, "")
    answer = plybench(*row["args"], "--json")
    assert answer.code in (0, 1), answer.err
    then = row["document"]
    assert settled(of_then(answer.json, then)) == settled(of_then(then, then))
