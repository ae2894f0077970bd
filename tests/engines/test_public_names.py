"""What the package `engines` offers to others, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import engines

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("name", engines.__all__)
def test_a_public_name_is_the_class_of_that_name(name: str) -> None:
    assert getattr(engines, name).__name__ == name
    assert name in dir(engines)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        getattr(engines, "Nonsense")  # noqa: B009 - mypy would refuse the plain form


def _loaded_by(statement: str) -> set[str]:
    """Which of the heavy packages a new process has loaded after a statement."""
    code = f"import sys; {statement}; print(*({{'numpy', 'numba'}} & set(sys.modules)))"
    return set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())


def test_importing_engines_alone_loads_neither_numpy_nor_numba() -> None:
    assert _loaded_by("import engines") == set()


def test_importing_the_public_names_does_not_load_numba() -> None:
    assert "numba" not in _loaded_by("from engines import InputError, Limit, Position, Report, Search")
