"""`plybench session`: what was saved is listed, shown, run again and exported; what is wrong is one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from engines import catalog
from engines.contract import Limit, Report
from engines.run.search import Search
from tests.workbench.conftest import Answer, Plybench
from tests.workbench.session_samples import italian, report
from workbench.sessions import store as sessions
from workbench.sessions.model import Session
from workbench.sessions.verify import differences, why_skipped


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A data directory of the test's own."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def search(text: str, game: str, algorithm: str, limit: Limit, seed: int = 0) -> Report:
    return Search(catalog.position(text, game), catalog.algorithm(algorithm), limit, seed=seed).start().report()


def searched() -> Session:
    """A session with searches that really ran, on a board so small that plain Python does."""
    session = Session.new("small games", catalog.position("startpos moves b2 a1", "tictactoe"))
    start = session.study.position().text
    session.study.add(search(start, "tictactoe", "alphabeta", Limit(depth=3)))
    session.study.add(search(start, "tictactoe", "deepening", Limit(nodes=60)))
    session.study.add(search(start, "tictactoe", "random", Limit(depth=4), seed=11))
    session.study.add(search(start, "tictactoe", "alphabeta", Limit(depth=2, seconds=9.0)))
    return session


def one_sentence(answer: Answer) -> bool:
    return answer.code == 2 and answer.out == "" and answer.err.startswith("plybench: ") and answer.err.count("\n") == 1


def test_no_sessions(plybench: Plybench, data: Path) -> None:
    assert "no sessions yet" in plybench("session", "list").out
    assert plybench("session", "list", "--json").json == []
    assert not data.exists()


def test_sessions_are_listed(plybench: Plybench) -> None:
    sessions.create(italian())
    broken = sessions.create(Session.new("broken", catalog.position("startpos", "tictactoe")))
    broken.write_bytes(b"{")
    out = plybench("session", "list").out
    assert "Italian" in out
    assert "damaged" in " ".join(out.split())
    rows = {row["name"]: row for row in plybench("session", "list", "--json").json}
    assert rows[italian().name]["games"] == ["chess"]
    assert rows[italian().name]["searches"] == 2
    assert "damaged" in rows["broken"]["error"]


def test_a_session_is_shown_by_name_and_by_file(plybench: Plybench) -> None:
    path = sessions.create(italian())
    answer = plybench("session", "show", italian().name, "--ascii")
    assert answer.code == 0
    assert "7 p p p p . p p p" in answer.out
    assert "1. e4 e5 2. Nf3 (2. f4) 2... Nc6" in " ".join(answer.out.split())
    assert plybench("session", "show", str(path), "--ascii").out == answer.out
    document = plybench("session", "show", str(path), "--json").json
    assert document["studies"][0]["searches"][0]["report"]["nodes"] == 27000


def test_searches_come_out_the_same_again(plybench: Plybench) -> None:
    sessions.create(searched())
    answer = plybench("session", "verify", "small games", "--json")
    found = answer.json
    assert answer.code == 0
    assert (found["same"], found["different"], found["skipped"], found["complete"]) == (3, 0, 1, True)
    assert [check["status"] for check in found["checks"]] == ["same", "same", "same", "skipped"]
    assert found["checks"][3]["reason"] == "its limit was in seconds"
    text = plybench("session", "verify", "small games")
    assert text.code == 0
    assert "3 the same, 0 different, 1 skipped." in text.out


@pytest.mark.parametrize("field", ["nodes", "leaves", "value", "best_move", "seed"])
def test_a_number_that_was_changed_is_found(plybench: Plybench, field: str) -> None:
    session = searched()
    kept = session.study.searches[2]
    changed = {"nodes": kept.report.nodes + 1, "leaves": 99, "value": -5.0, "best_move": "c3", "seed": 12}[field]
    session.study.searches[2] = replace(kept, report=replace(kept.report, **{field: changed}))
    assert kept.report != session.study.searches[2].report
    sessions.create(session)
    answer = plybench("session", "verify", "small games", "--json")
    assert answer.code == 1
    checks = answer.json["checks"]
    assert [check["status"] for check in checks] == ["same", "same", "different", "skipped"]
    fields = [one["field"] for one in checks[2]["differences"]]
    assert fields == [field] if field != "seed" else fields
    text = plybench("session", "verify", "small games")
    assert text.code == 1
    assert "1 different" in text.out


def test_differences_are_found_at_any_depth_and_times_are_none() -> None:
    old = report()
    row = replace(old.depths[1], nodes=901, seconds=99.0)
    new = replace(old, seconds=1.0, nodes_per_second=2.0, compile_seconds=3.0, depths=(old.depths[0], row, old.depths[2]))
    assert [(one.field, one.kept, one.found) for one in differences(old, new)] == [("depths[1].nodes", 900, 901)]
    assert [one.field for one in differences(old, replace(old, depths=()))] == ["depths"]
    assert old.table is not None
    filled = replace(old, table=replace(old.table, filled=1))
    assert [one.field for one in differences(old, filled)] == ["table.filled"]


def test_what_need_not_come_out_the_same_is_not_run_again() -> None:
    assert why_skipped(report()) == ""
    assert "step before" in why_skipped(report(), stepped=True)
    assert why_skipped(replace(report(), table=None), stepped=True) == ""
    assert "seconds" in why_skipped(replace(report(), limit=Limit(seconds=1.0)))
    assert "stopped" in why_skipped(replace(report(), stopped_by="request"))
    assert "threads" in why_skipped(replace(report(), parameters={"threads": 2}))
    assert "another program" in why_skipped(replace(report(), algorithm="uci"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"algorithm": "magic"}, "no algorithm 'magic'"),
        ({"position": "nonsense"}, "nonsense"),
        ({"game": "checkers"}, "checkers"),
        ({"parameters": {"speed": 9}}, "no parameter speed"),
        ({"parameters": {"table": -1}}, "table must be from"),
        ({"limit": Limit(iterations=5)}, "no limit in iterations"),
    ],
)
def test_a_search_that_cannot_be_run_is_said_to_be_one(plybench: Plybench, change: dict[str, object], said: str) -> None:
    session = Session.new("odd", catalog.position("startpos", "chess"))
    session.study.add(replace(report(), **change))
    sessions.create(session)
    answer = plybench("session", "verify", "odd", "--json")
    assert answer.code == 1
    assert answer.json["impossible"] == 1
    assert said in answer.json["checks"][0]["reason"]
    assert plybench("session", "show", "odd").code == 0
    assert plybench("session", "export", "odd", "--to", "html").code == 0


def test_what_is_interrupted_does_not_hold(plybench: Plybench, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions.create(searched())
    join = Search.join

    def interrupted(self: Search, seconds: float | None = None) -> bool:
        monkeypatch.setattr(Search, "join", join)
        raise KeyboardInterrupt

    monkeypatch.setattr(Search, "join", interrupted)
    answer = plybench("session", "verify", "small games", "--json")
    assert answer.code == 130
    assert answer.json["complete"] is False
    assert answer.json["checks"] == []


@pytest.mark.parametrize("to", ["md", "html", "pgn", "epd", "csv"])
def test_a_session_is_exported(plybench: Plybench, tmp_path: Path, to: str) -> None:
    sessions.create(italian())
    file = tmp_path / f"out.{to}"
    answer = plybench("session", "export", italian().name, "--to", to, "-o", str(file))
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    printed, written = plybench("session", "export", italian().name, "--to", to).out, file.read_text(encoding="utf-8")
    if to == "md":  # what is printed has no folder for pictures
        assert "](<out.pictures/001.svg>)" in written
        assert printed.split("```")[0] == written.split("![")[0]
    else:
        assert printed == written


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("show", "nothing"), "no session 'nothing'"),
        (("verify", "/"), "no session '/'"),
        (("export", "broken", "--to", "md"), "damaged"),
        (("export", "small", "--to", "docx"), "docx"),
        (("export", "small"), "--to"),
        (("export", "small", "--to", "pgn"), "for chess"),
        (("export", "small", "--to", "md", "-o", "/nowhere/x.md"), "cannot be written"),
        (("show", "newer"), "newer Plybench"),
        (("show",), "FILE|NAME"),
        (("shuffle",), "shuffle"),
    ],
)
def test_bad_input_is_one_sentence(plybench: Plybench, args: tuple[str, ...], said: str) -> None:
    for name in ("small", "broken", "newer"):
        path = sessions.create(Session.new(name, catalog.position("startpos", "tictactoe")))
        if name == "broken":
            path.write_bytes(path.read_bytes()[:-50])
        elif name == "newer":
            path.write_bytes(path.read_bytes().replace(b"session 1", b"session 7"))
    answer = plybench("session", *args)
    assert one_sentence(answer), answer
    assert said in answer.err
