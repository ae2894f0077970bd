"""Every import contract of pyproject.toml holds, and breaks as soon as an import that it forbids is added.

The imports are written into a copy of the sources, which import-linter then checks like the sources themselves.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("engines", "positions", "workbench")
CONTRACTS: Mapping[str, Mapping[str, Any]] = {
    contract["id"]: contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
}


class Sample(NamedTuple):
    """A module, and an import that is forbidden in it."""

    path: str
    imported: str
    inside: bool = False
    """Whether the import is inside a function, where it happens only when that is called."""


SAMPLES: Mapping[str, tuple[Sample, ...]] = {
    "packages": (
        Sample("engines/perft.py", "positions.library"),
        Sample("engines/run/search.py", "workbench.settings"),
        Sample("positions/library.py", "workbench.version", inside=True),
    ),
    "workbench-rooms": (
        Sample("workbench/matches/match.py", "workbench.cli.console"),
        Sample("workbench/comparison/lanes.py", "workbench.app.keys"),
        Sample("workbench/jobs/workers.py", "workbench.comparison.lanes", inside=True),
        Sample("workbench/play/players.py", "workbench.analysis.desk"),
        Sample("workbench/settings.py", "workbench.render.values"),
        Sample("workbench/version.py", "workbench.settings", inside=True),
        Sample("workbench/no_room.py", "json"),
    ),
    "engine-rooms": (
        Sample("engines/parts/alphabeta/driver.py", "engines.search.negamax"),
        Sample("engines/tape/tape.py", "engines.run.memory", inside=True),
        Sample("engines/contract.py", "engines.game"),
        Sample("engines/duel.py", "engines.perft"),
        Sample("engines/no_room.py", "json"),
    ),
    "families": (
        Sample("engines/parts/proof/driver.py", "engines.parts.sampling.driver"),
        Sample("engines/parts/alphabeta/ordering.py", "engines.parts.expectation.driver", inside=True),
    ),
    "engines-headless": (
        Sample("engines/compiled/kernel.py", "rich.text"),
        Sample("engines/games/tree/game.py", "textual.app", inside=True),
        Sample("positions/library.py", "click"),
    ),
    "games": (
        Sample("engines/games/tree/game.py", "engines.search.uct", inside=True),
        Sample("engines/games/chess/knowledge.py", "engines.run.search"),
        Sample("engines/games/einstein/rules.py", "engines.catalog"),
    ),
    "run": (Sample("engines/run/search.py", "engines.parts.sampling.driver", inside=True),),
    "textual": (
        Sample("workbench/cli/console.py", "textual.app", inside=True),
        Sample("workbench/render/values.py", "textual.widgets"),
        Sample("workbench/cli/commands/app.py", "textual_serve.server", inside=True),
    ),
    "pictures": (
        Sample("workbench/drawing/man.py", "resvg_py"),
        Sample("workbench/app/widgets/board.py", "textual_image.widget", inside=True),
        Sample("workbench/export/session.py", "PIL.Image", inside=True),
    ),
    "click": (
        Sample("workbench/suites/job.py", "click"),
        Sample("workbench/app/app.py", "click", inside=True),
    ),
    "rich": (
        Sample("workbench/matches/match.py", "rich.table"),
        Sample("workbench/export/suite.py", "rich.text", inside=True),
        Sample("workbench/sessions/model.py", "rich"),
        Sample("workbench/analysis/view_state.py", "rich.text"),
    ),
    "numba": (
        Sample("workbench/tuning/genetic.py", "numba"),
        Sample("positions/library.py", "llvmlite.binding", inside=True),
    ),
}
UPWARD_IN_ANNOTATIONS = {
    ("engines.algorithm", "engines.run.result"),
    ("engines.algorithm", "engines.run.run"),
    ("engines.notation", "engines.game"),
    ("engines.position", "engines.game"),
}
"""What a lower module names in an annotation although it lies higher. The contracts leave such imports out."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources and the contracts that tests may change."""
    copy = tmp_path_factory.mktemp("contracts")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def broken(copy: Path, *limit: str) -> set[str]:
    """The names of the contracts that do not hold in a copy: of all, or of those given."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()", "--no-logo"]
    environment = {**os.environ, "PYTHONPATH": str(copy), "COLUMNS": "400", "NO_COLOR": "1"}
    done = subprocess.run([*command, *limit], cwd=copy, env=environment, capture_output=True, text=True)
    told = done.stdout.splitlines()
    found = {line.removesuffix("BROKEN").strip() for line in told if line.endswith("BROKEN")}
    held = [line for line in told if line.endswith("KEPT")]
    assert found or held, done.stdout + done.stderr
    assert done.returncode == (1 if found else 0), done.stdout + done.stderr
    return found


def test_every_contract_holds(copy: Path) -> None:
    assert broken(copy) == set()


def test_every_contract_says_why() -> None:
    """Each name contains the reason after a colon, where someone who breaks the contract reads it."""
    assert [contract["name"] for contract in CONTRACTS.values() if not contract["name"].partition(": ")[2]] == []


def test_no_sample_is_of_a_contract_that_is_gone() -> None:
    assert set(SAMPLES) - set(CONTRACTS) == set()


@pytest.mark.parametrize("contract", CONTRACTS)
def test_everything_that_a_contract_names_is_tried(contract: str) -> None:
    assert contract in SAMPLES, f"The contract {contract!r} has no sample of an import that it forbids: add one here."
    named = CONTRACTS[contract].get("forbidden_modules", CONTRACTS[contract].get("protected_modules", ()))
    tried = [sample.imported for sample in SAMPLES[contract]]
    assert [module for module in named if not any(f"{one}.".startswith(f"{module}.") for one in tried)] == []


@pytest.mark.parametrize(
    ("contract", "sample"),
    [pytest.param(name, one, id=f"{name}-{one.path}") for name, samples in SAMPLES.items() for one in samples],
)
def test_a_forbidden_import_breaks_its_contract(copy: Path, contract: str, sample: Sample) -> None:
    path = copy / sample.path
    before = path.read_text() if path.exists() else None
    added = f"def added():\n    import {sample.imported}\n" if sample.inside else f"import {sample.imported}\n"
    try:
        path.write_text(f"{before or ''}\n\n{added}")
        assert broken(copy, "--contract", contract) == {CONTRACTS[contract]["name"]}
    finally:
        if before is None:
            path.unlink()
        else:
            path.write_text(before)


def imports_for_annotations() -> set[tuple[str, str]]:
    """Modules, and what each imports under `if TYPE_CHECKING`."""
    found = set()
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                lines = [line for line in node.body if isinstance(line, ast.ImportFrom)]
                found |= {(module, line.module) for line in lines if line.module}
    return found


def height(module: str, contract: Mapping[str, Any]) -> int | None:
    """How far down among the layers of a contract a module lies, from 0; None if it is in none of them."""
    (container,) = contract.get("containers", [""])
    for place, layer in enumerate(contract["layers"]):
        names = [f"{container}.{name.strip()}".lstrip(".") for name in layer.split("|")]
        if any(f"{module}.".startswith(f"{name}.") for name in names):
            return place
    return None


def test_no_more_annotations_point_upwards() -> None:
    found = set()
    for contract in (contract for contract in CONTRACTS.values() if contract["type"] == "layers"):
        for module, imported in imports_for_annotations():
            low, high = height(module, contract), height(imported, contract)
            if low is not None and high is not None and high < low:
                found.add((module, imported))
    assert found == UPWARD_IN_ANNOTATIONS, "docs/architecture.md names these imports, which should get fewer"
