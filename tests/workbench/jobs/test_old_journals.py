"""Journals that version 0.1 left when it was killed: the same command goes on, to the totals that it would have come to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.old_files import FIXTURES, copied, of_then, settled
from tests.workbench.conftest import Plybench

pytestmark = pytest.mark.plain

TOTALS = json.loads((FIXTURES / "journals.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", TOTALS)
def test_a_journal_is_gone_on_with(plybench: Plybench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    journal, then = copied(monkeypatch, tmp_path) / "journals" / f"{name}.journal", TOTALS[name]
    known = journal.read_bytes().split(b"\n")[:-1]
    assert len(known) == then["lines"] < then["of"]
    answer = plybench(*then["args"], "--json", "--journal", str(journal))
    assert answer.code == 0, answer.err
    found = answer.json
    assert found["resumed"] > 0
    document = then["document"]
    assert settled(of_then(found, document)) == settled(of_then(document, document))
    lines = journal.read_bytes().split(b"\n")[:-1]
    assert lines[: len(known)] == known
    assert len(lines) > len(known), "how many games stand on one line depends on how quickly they were played"
