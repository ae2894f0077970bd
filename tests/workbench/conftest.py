"""Runs the command line inside the test's own process."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from workbench.cli import main


@dataclass
class Answer:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)


class Plybench(Protocol):
    """`plybench("analyze", "startpos", ...)`."""

    def __call__(self, *args: str) -> Answer: ...


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads the settings of whoever runs it."""
    monkeypatch.setenv("PLYBENCH_CONFIG", str(tmp_path / "config"))


@pytest.fixture
def plybench(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Plybench:
    """The command line as a function, without the settings of whoever runs the tests."""
    monkeypatch.setenv("PLYBENCH_CONFIG", str(tmp_path / "config"))
    for name in ("BOOK", "SYZYGY", "GAVIOTA", "PIECES"):
        monkeypatch.delenv(f"PLYBENCH_{name}", raising=False)

    def run(*args: str) -> Answer:
        monkeypatch.setattr(sys, "argv", ["plybench", *args])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Answer(ended.value.code, out, err)

    return run
