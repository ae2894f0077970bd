"""Chess engines that speak UCI, driven by python-chess's engine client: Plybench itself, GNU Chess and Sunfish."""

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
"""An engine that is not ready by then never will be."""
PATIENCE = 5.0
"""So many seconds after its time is up, an engine that has not answered is given up."""


class Program(Struct, frozen=True, kw_only=True):
    """An engine that can be started."""

    name: str
    command: tuple[str, ...]
    options: Mapping[str, str | int | bool]

    def is_installed(self) -> bool:
        """It can be started here."""
        return external.is_there(shlex.join(self.command))

    def start(self) -> SimpleEngine:
        """The engine, running and ready. Leaving the `with` ends it."""
        engine = SimpleEngine.popen_uci(external.find(shlex.join(self.command)), timeout=START_SECONDS)
        engine.configure(dict(self.options))
        engine.ping()
        return engine

    def full_name(self) -> str:
        """What it calls itself."""
        with self.start() as engine:
            return engine.id.get("name", self.name)


PLYBENCH = Program(
    name="Plybench", command=(sys.executable, "-c", "from workbench.cli.main import main; main()", "uci"), options={}
)
GNU_CHESS = Program(name="GNU Chess", command=("gnuchess", "--uci"), options={"OwnBook": False, "Hash": 64})
"""Debian's, or any other that is found. It has as large a table as Plybench, and as few openings."""
SUNFISH = Program(
    name="Sunfish",
    command=(str(Path(__file__).parent.parent.parent / ".venv-sunfish" / "bin" / "sunfish-uci"),),
    options={},
)
"""From PyPI, in an environment of its own, which `make bench` sets up for the long measurements."""


@contextmanager
def given_up_after(seconds: float, engine: SimpleEngine) -> Iterator[None]:
    """What is asked of the engine here must be answered within so many seconds and some patience, else it is ended."""
    timer = Timer(seconds + PATIENCE, engine.close)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
