"""Worker processes: what they answer, what they raise, what is lost with one of them, and that none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import CancelledError, Future
from time import sleep
from typing import Any

import pytest

from engines.contract import InputError
from tests.workbench.terminal import alive, until
from workbench.jobs.pool import Pool, WorkerLost


class Unpicklable(Exception):
    """One whose parts do not make another one."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one + other)


def double(number: int) -> int:
    print("nothing that is printed is an answer", flush=True)
    return 2 * number


def fail(kind: str) -> None:
    raise InputError("It is not so.") if kind == "input" else Unpicklable("one", "other")


def die(signal_number: int) -> None:
    os.kill(os.getpid(), signal_number)


def test_answers_failures_and_losses() -> None:
    with Pool(1) as pool:
        assert pool.processes == []
        assert pool.submit(double, 21).result() == 42
        (pid,) = pool.processes
        assert pool.submit(len, [1] * 1_000_000).result() == 1_000_000
        with pytest.raises(FileNotFoundError):
            pool.submit(os.stat, "/no such file").result()
        with pytest.raises(InputError, match="It is not so"):
            pool.submit(fail, "input").result()
        with pytest.raises(RuntimeError, match="Unpicklable: oneother"):
            pool.submit(fail, "other").result()
        with pytest.raises(TypeError, match="pickle"):
            pool.submit(Future[int]).result()
        assert pool.processes == [pid], "none of that is the end of a worker"
        lost, next_one = pool.submit(die, signal.SIGKILL), pool.submit(double, 4)
        with pytest.raises(WorkerLost):
            lost.result()
        assert next_one.result() == 8
        assert pool.processes != [pid]
        left = pool.processes
    assert not any(map(alive, left))
    with pytest.raises(RuntimeError, match="has ended"):
        pool.submit(double, 1)


def test_the_end_does_not_wait_for_what_is_being_done() -> None:
    pool = Pool(2)
    running: list[Future[Any]] = [pool.submit(sleep, 600) for _ in range(2)]
    waiting = pool.submit(double, 1)
    until(lambda: len(pool.processes) == 2, "both run")
    left = pool.processes
    pool.shutdown()
    assert not any(map(alive, left))
    for future in running:
        with pytest.raises((WorkerLost, CancelledError)):
            future.result(0)
    with pytest.raises(CancelledError):
        waiting.result(0)


PARENT = """
import time
from workbench.jobs.pool import Pool

pool = Pool(2)
for _ in range(2):
    pool.submit(time.sleep, 600)
while len(pool.processes) < 2:
    time.sleep(0.01)
print(*pool.processes, flush=True)
time.sleep({seconds})
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, None])
def test_no_worker_outlives_whoever_started_it(how: signal.Signals | None) -> None:
    """However that one ends, though it does not shut them down, and though they are at something."""
    words = [sys.executable, "-c", PARENT.format(seconds=600 if how else 0)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        workers = [int(word) for word in parent.stdout.readline().split()]
        assert len(workers) == 2
        if how is not None:
            parent.send_signal(how)
        assert parent.wait(60) == (-how if how else 0)
    until(lambda: not any(map(alive, workers)), "the workers end")
