"""The `--json` documents of version 0.1: every command prints the same one, key by key and value by value."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.old_files import copied, said, settled
from tests.workbench.conftest import Plybench

pytestmark = pytest.mark.plain

DOCUMENTS = said("documents")


@pytest.mark.parametrize("row", DOCUMENTS, ids=[shlex.join(row["args"])[:70] for row in DOCUMENTS])
def test_a_command_prints_the_same_document(
    plybench: Plybench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, row: dict[str, Any]
) -> None:
    copied(monkeypatch, tmp_path)
    answer = plybench(*row["args"], "--json")
    assert answer.code in (0, 1), answer.err
    assert settled(answer.json) == settled(row["document"])
