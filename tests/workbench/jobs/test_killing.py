"""Long jobs that are killed many times, with their workers: the totals are those of a job that was left alone.

With PLYBENCH_LONG=1 each job a hundred times; else one of them a few times.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("needs /proc", allow_module_level=True)

from tests.thorough import LONG
from tests.workbench.jobs.killing import KilledJob
from tests.workbench.timeless import timeless

KILLS = 100 if LONG else 2
A_JOB = 25
"""So many kills one job gets; then it is left alone, and another is begun."""
JOBS = {
    "tune": "tune connect4 --size 6x5 --population 8 --generations 10 --depth 4 --draws 20 --jobs 2 --seed {seed}",
    "match": "match alphabeta alphabeta:depth=5 random --game connect4 --depth 4 --games 40 --jobs 2 --seed {seed}",
    "suite": "suite {positions} --algorithm alphabeta --nodes 200000 --jobs 2",
    "compare-suite": "compare-suite {positions} --algorithms alphabeta,random,minimax --nodes 40000 --jobs 2 --seed {seed}",
}
SCORES = Path(__file__).parents[2] / "engines" / "games" / "connect4_scores.txt"


@pytest.mark.timeout(4 * 3600)
@pytest.mark.parametrize("name", list(JOBS) if LONG else ["tune"])
def test_a_job_that_is_killed_comes_to_the_same_totals(name: str, tmp_path: Path) -> None:
    kills = seed = 0
    while kills < KILLS:
        seed += 1
        positions = tmp_path / f"{seed}.txt"
        positions.write_text("\n".join(SCORES.read_text().splitlines()[30 * seed % 450 :][:30]))
        command = JOBS[name].format(seed=seed, positions=positions).split()
        wanted = KilledJob(command, tmp_path / f"whole {seed}", seed).run()  # first: then nobody is killed while he compiles
        job = KilledJob(command, tmp_path / f"killed {seed}", seed)
        while job.kills < min(A_JOB, KILLS - kills) and job.kill():
            pass
        kills += job.kills
        found = job.run()
        assert timeless(found) == timeless(wanted)
        assert found["complete"]
        assert wanted["resumed"] == 0
