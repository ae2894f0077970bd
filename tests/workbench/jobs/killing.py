"""Long jobs that are killed, workers and all, and go on."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

from tests.workbench.terminal import alive, descendants

PATIENCE = 600.0


class KilledJob:
    """A command with a journal that is started again and again, and killed each time somewhere else."""

    def __init__(self, command: Sequence[str], journal: Path, seed: int) -> None:
        self.command = [sys.executable, "-m", "workbench.cli", *command, "--json", "--journal", str(journal)]
        self.journal, self.chance = journal, Random(seed)
        self.kills = 0

    def run(self) -> Any:
        """What it says if it is left alone."""
        done = subprocess.run(self.command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    def kill(self) -> bool:
        """Start it, and kill it a few pieces later: some of its workers first, or it alone, or all at once. False if it was
        through before. Every line that was in the journal is still there."""
        before = self._noted()
        process = subprocess.Popen(  # what it says at its end is more than a pipe holds that nobody reads
            self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        family = set[int]()
        try:
            goal, give_up = len(before) + self.chance.randrange(4), monotonic() + PATIENCE
            while process.poll() is None and len(self._noted()) < goal:
                assert monotonic() < give_up, "nothing is noted any more"
                sleep(0.01)
            sleep(self.chance.uniform(0, 0.2))
            family = set(descendants(process.pid))
            for _ in range(self.chance.randrange(3) if family else 0):
                end(self.chance.choice(sorted(family)))
                sleep(self.chance.uniform(0, 0.5))
                family |= set(descendants(process.pid))
            through = process.poll() is not None
            if self.chance.random() < 0.5:
                process.kill()
            else:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            _, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            process.wait()
        assert errors == ""
        assert self._noted()[: len(before)] == before
        give_up = monotonic() + PATIENCE
        while left := [pid for pid in family if alive(pid)]:
            assert monotonic() < give_up, f"left behind: {left}"
            sleep(0.02)
        self.kills += not through
        return not through

    def _noted(self) -> list[bytes]:
        """The whole lines of the journal."""
        return self.journal.read_bytes().split(b"\n")[:-1] if self.journal.exists() else []


def end(pid: int) -> None:
    """Kill a process, if it is still there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
