"""The folders show the architecture, and each is small enough to be seen at a glance."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from benchmarks.__main__ import MEASUREMENTS
from engines import catalog

ROOT = Path(__file__).parent.parent
PACKAGES = ("engines", "positions", "workbench")
PRODUCT = (*PACKAGES, "benchmarks")
BOTTOM = {"settings", "version"}
"""The only modules of the workbench outside its packages; every package may import them."""
MOST_MODULES = 14
MOST_LINES = 450
CATALOGUE = "engines/search"
"""The folder exempt from the size limit: it has one algorithm per file, and grows with the algorithms."""


def folders(*packages: str) -> Iterator[Path]:
    """Yield all folders that contain Python files."""
    for package in packages:
        for folder in (ROOT / package, *(ROOT / package).rglob("*")):
            if folder.is_dir() and any(folder.glob("*.py")):
                yield folder


def modules(folder: Path) -> set[str]:
    """The names of the Python files in a folder, without `__init__.py`."""
    return {path.stem for path in folder.glob("*.py")} - {"__init__"}


def name(path: Path) -> str:
    """A path relative to the project's root, with slashes."""
    return path.relative_to(ROOT).as_posix()


def test_the_workbench_is_rooms_and_not_modules() -> None:
    assert modules(ROOT / "workbench") == BOTTOM


def test_no_folder_has_too_many_modules() -> None:
    counts = {name(folder): len(modules(folder)) for folder in folders(*PRODUCT, "tests")}
    many = {folder: count for folder, count in counts.items() if count > MOST_MODULES}
    assert set(many) <= {CATALOGUE}, many


def test_the_folder_of_algorithms_has_nothing_but_algorithms() -> None:
    found = modules(ROOT / CATALOGUE)
    assert found == {algorithm.replace("-", "_") for algorithm in catalog.ALGORITHMS}


def test_measurements_are_in_the_packages_that_the_table_names() -> None:
    files = {called: ROOT / "benchmarks" / package / f"{called}.py" for called, (package, _) in MEASUREMENTS.items()}
    assert [called for called, path in files.items() if not path.is_file()] == []


def test_no_file_is_too_long() -> None:
    lines = {
        name(path): len(path.read_text().splitlines()) for package in PRODUCT for path in (ROOT / package).rglob("*.py")
    }
    assert {path: count for path, count in lines.items() if count > MOST_LINES} == {}


def test_tests_mirror_the_rooms() -> None:
    """Each folder of tests is named after the package or module that its tests are about."""
    strangers = []
    for folder in folders(*(f"tests/{package}" for package in PACKAGES)):
        room = ROOT / folder.relative_to(ROOT / "tests")
        if not (room.is_dir() or room.with_suffix(".py").is_file()):
            strangers.append(name(folder))
    assert strangers == []


def test_every_room_has_tests() -> None:
    rooms = {folder.name for folder in (ROOT / "workbench").iterdir() if (folder / "__init__.py").is_file()}
    tested = {folder.name for folder in folders("tests/workbench") if any(folder.glob("test_*.py"))}
    assert rooms - tested == set()


def test_no_two_classes_have_one_name() -> None:
    """Class names are unique, including those of nested classes such as the messages of widgets."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for package in PRODUCT:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(name(path))
    assert {called: where for called, where in places.items() if len(where) > 1} == {}
