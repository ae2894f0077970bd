"""UCI chess engines, driven by python-chess's engine client: Plybench itself, GNU Chess and Sunfish."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

from chess.engine import SimpleEngine
from msgspec import Struct

from engines.parts.external import uci_process as external

START_SECONDS = 30.0
"""Seconds within which an engine must be ready."""
PATIENCE = 5.0
"""Seconds beyond its time limit after which an engine without an answer is ended."""


class Program(Struct, frozen=True, kw_only=True):
    """An engine that can be started."""

    name: str
    command: tuple[str, ...]
    options: Mapping[str, str | int | bool]

    def is_installed(self) -> bool:
        """Whether it is installed."""
        return external.is_there(shlex.join(self.command))

    def start(self) -> SimpleEngine:
        """Start the engine and return it when it is ready. As a context manager it ends the process."""
        engine = SimpleEngine.popen_uci(external.find(shlex.join(self.command)), timeout=START_SECONDS)
        engine.configure(dict(self.options))
        engine.ping()
        return engine

    def full_name(self) -> str:
        """The name that the engine reports."""
        with self.start() as engine:
            return engine.id.get("name", self.name)


PLYBENCH = Program(
    name="Plybench", command=(sys.executable, "-c", "from workbench.cli.main import main; main()", "uci"), options={}
)
GNU_CHESS = Program(name="GNU Chess", command=("gnuchess", "--uci"), options={"OwnBook": False, "Hash": 64})
"""GNU Chess, with a hash table as large as Plybench's and without its opening book."""
SUNFISH = Program(
    name="Sunfish",
    command=(str(Path(__file__).parent.parent.parent / ".venv-sunfish" / "bin" / "sunfish-uci"),),
    options={},
)
"""Sunfish from PyPI, in its own environment, which `make bench` creates for the long measurements."""


@contextmanager
def given_up_after(seconds: float, engine: SimpleEngine) -> Iterator[None]:
    """End the engine if the block takes longer than so many seconds and `PATIENCE`."""
    timer = Timer(seconds + PATIENCE, engine.close)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
