from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import tempfile

import pytest
from hypothesis import HealthCheck, settings

from engines.compiled.kernel import jit_enabled
from engines.run import background
from tests.thorough import LONG, examples, note_passed, passed_before

os.environ.setdefault("TEXTUAL_FPS", "10")  # nobody watches: six times fewer frames between two steps of a test

if "PLYBENCH_DATA" not in os.environ:  # keeps tables that tests build apart from the user's
    os.environ["PLYBENCH_DATA"] = tempfile.mkdtemp(prefix="plybench-tests-")
    atexit.register(shutil.rmtree, os.environ["PLYBENCH_DATA"], ignore_errors=True)

background.NICENESS = os.getpriority(os.PRIO_PROCESS, 0) if hasattr(os, "getpriority") else 0
"""Searches normally run at a lower priority than the screen that shows them; beside other tests they would starve."""

gc.set_threshold(50_000, 20, 100)  # screens create many objects: the collector took a fifth of the time

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in a background job; child processes would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "same-every-time",
    derandomize=True,
    max_examples=100 if LONG else examples(50),
    deadline=None,  # the first example may compile a kernel
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
settings.load_profile("same-every-time")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Record that all tests have passed, if all were run. With several workers, only the controlling process does."""
    config, chosen = session.config, session.config.option
    usual = "" if jit_enabled() else "plain"
    some = (
        chosen.keyword or chosen.markexpr != usual or chosen.collectonly or chosen.deselect or getattr(chosen, "lf", False)
    )
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not some
    if everything and exitstatus == 0 and not hasattr(config, "workerinput"):
        note_passed()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report if only a part of the random examples was run."""
    if passed_before():
        said = "all of them passed before, and nothing that they test has changed since (PLYBENCH_LONG=1 takes all)"
        terminalreporter.write_line(f"A part of the random examples: {said}.")
