"""What runs without a terminal loads none: neither the app nor the packages that draw and parse commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
WITH_TEXT = {"app", "cli", "render"}
"""The rooms that make text or draw it."""
MAKES_TEXT = {"view", "panels"}
"""And the modules that do, in every other room."""
TERMINAL = ("click", "rich", "textual", "workbench.app", "workbench.cli")
JOBS = (
    *("workbench.matches.job", "workbench.matches.match", "workbench.matches.experiment"),
    *("workbench.tuning.job", "workbench.tuning.genetic", "workbench.tuning.duels"),
    *("workbench.suites.job", "workbench.comparison.job", "workbench.comparison.suite", "workbench.review.job"),
    *("workbench.comparison.lanes", "workbench.horizon.job"),
    *("workbench.proofs.job", "workbench.horizon.finder", "workbench.horizon.effect"),
)
"""What runs when a capability is asked for by a command."""

LOADED = """
import importlib, sys
forbidden = {forbidden!r}
for name in {names!r}:
    importlib.import_module(name)
    loaded = [one for one in forbidden if one in sys.modules]
    if loaded:
        sys.exit(f"{{name}} loads {{', '.join(loaded)}}")
"""

MATCH = """
import sys
from workbench.cli.main import cli
cli.main({arguments!r}, standalone_mode=False)
print([name for name in {forbidden!r} if name in sys.modules], file=sys.stderr)
"""


def rooms() -> list[str]:
    """The rooms of the workbench that make no text."""
    found = {folder.name for folder in (ROOT / "workbench").iterdir() if (folder / "__init__.py").is_file()}
    return sorted(found - WITH_TEXT)


def modules(room: str) -> list[str]:
    """The modules of a room that make no text."""
    paths = sorted((ROOT / "workbench" / room).rglob("*.py"))
    parts = [path.relative_to(ROOT).with_suffix("").parts for path in paths if path.stem != "__init__"]
    return [".".join(names) for names in parts if not MAKES_TEXT & set(names)]


def run(program: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in an interpreter that has loaded nothing yet."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1", "PLYBENCH_DATA": str(home / "data")}
    return subprocess.run([sys.executable, "-c", program], cwd=home, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("room", rooms())
def test_a_room_loads_no_terminal(room: str, tmp_path: Path) -> None:
    done = run(LOADED.format(forbidden=TERMINAL, names=modules(room)), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_jobs_load_no_screen_and_no_state_of_one(tmp_path: Path) -> None:
    """A command needs nothing of what only the Analyse screen does."""
    done = run(LOADED.format(forbidden=(*TERMINAL, "workbench.analysis.desk"), names=JOBS), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_match_by_command_loads_no_screen_and_no_state_of_one(tmp_path: Path) -> None:
    arguments = ["match", "--game", "tictactoe", "random", "alphabeta:depth=2", "--games", "2", "--jobs", "1", "--json"]
    forbidden = ("textual", "workbench.app", "workbench.analysis")
    done = run(MATCH.format(arguments=arguments, forbidden=forbidden), tmp_path)
    assert done.returncode == 0, done.stderr
    assert '"games"' in done.stdout
    assert done.stderr.splitlines()[-1] == "[]"
