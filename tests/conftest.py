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

os.environ.setdefault("TEXTUAL_FPS", "10")  # nobody watches: six times fewer pictures between two steps of a story

if "PLYBENCH_DATA" not in os.environ:  # tables that tests build are not the user's
    os.environ["PLYBENCH_DATA"] = tempfile.mkdtemp(prefix="plybench-tests-")
    atexit.register(shutil.rmtree, os.environ["PLYBENCH_DATA"], ignore_errors=True)

background.NICENESS = os.getpriority(os.PRIO_PROCESS, 0) if hasattr(os, "getpriority") else 0
"""A search gives way to the screen that shows it; beside other tests on a busy machine it would not get on at all."""

gc.set_threshold(50_000, 20, 100)  # a screen makes many objects: a fifth of the time went into looking for cycles

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # behind `&` in a script: programs started here would inherit it
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
    """Where everything was run, by whoever shares it out, and has passed, that is noted."""
    config, chosen = session.config, session.config.option
    usual = "" if jit_enabled() else "plain"
    some = (
        chosen.keyword or chosen.markexpr != usual or chosen.collectonly or chosen.deselect or getattr(chosen, "lf", False)
    )
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not some
    if everything and exitstatus == 0 and not hasattr(config, "workerinput"):
        note_passed()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say so where a part is all that was done."""
    if passed_before():
        said = "all of them passed before, and nothing that they test has changed since (PLYBENCH_LONG=1 takes all)"
        terminalreporter.write_line(f"A part of the random examples: {said}.")
