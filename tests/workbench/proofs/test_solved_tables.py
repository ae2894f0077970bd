"""Tables of whole games by the names that people give them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.contract import InputError
from engines.solved import store
from workbench.proofs.solved_tables import endings_for, stored_table, table_path, tables_for


@pytest.fixture
def directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(store, "directory", lambda: tmp_path)
    return tmp_path


def test_a_board_has_one_table() -> None:
    game, names = tables_for("connect4", "4x4", {})
    assert (game.id, game.size, names) == ("connect4", "4x4", ["connect4-4x4"])


def test_an_ending_comes_after_those_that_it_turns_into() -> None:
    assert tables_for("KQK", None, {})[1] == tables_for("chess", "kqk", {})[1] == ["chess-KQK"]
    every = endings_for("all")
    assert len(set(every)) == len(every)
    for name in ("KPK", "KBNK"):
        needed = endings_for(name)
        assert needed[-1] == name
        assert set(needed) <= set(every)
    assert endings_for("KPK").index("KQK") < endings_for("KPK").index("KPK")


@pytest.mark.parametrize(
    ("name", "what", "says"),
    [
        ("chess", None, "which ending"),
        ("chess", "KBK", "nobody can mate"),
        ("chess", "KQRBK", "at most"),
        ("go", None, "go"),
    ],
)
def test_what_is_no_table(name: str, what: str | None, says: str) -> None:
    with pytest.raises(InputError, match=says):
        tables_for(name, what, {})


def test_a_file_is_found_by_its_name(directory: Path) -> None:
    with pytest.raises(InputError, match="None has been built yet"):
        table_path("KQK")
    path = directory / f"chess-KQK{store.SUFFIX}"
    path.write_bytes(b"no table")
    for name in ("KQK", "kqk", "chess-kqk", path.name):
        assert table_path(name) == path
    with pytest.raises(InputError, match="chess-kqk"):
        table_path("KRK")


def test_a_damaged_file_says_why(directory: Path) -> None:
    path = directory / f"chess-KQK{store.SUFFIX}"
    path.write_bytes(b"no table")
    table = stored_table(path)
    assert (table.file, table.bytes, table.facts) == (str(path), 8, None)
    assert table.error
