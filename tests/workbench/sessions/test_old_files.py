"""Sessions, tapes, proofs, settings and weights of version 0.1 open, and say what they said then."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from engines.proofs.checker import check
from engines.proofs.document import Proof
from engines.tape.recording import Recording
from tests.old_files import FIXTURES, copied, names, said
from tests.workbench.conftest import Plybench
from workbench.app.keys import remapped
from workbench.recordings.why.nodes import label
from workbench.recordings.why.reasons import why
from workbench.sessions import codec, store, tapes
from workbench.settings import read_keys, read_settings, settings_path
from workbench.tuning import named_weights

pytestmark = pytest.mark.plain

SESSIONS = names("sessions", ".plybench.json")
TAPES = names("sessions/tapes", ".tape")
PROOFS = names("proofs", ".proof")
HOW_IT_ENDED = re.compile(r" \([^()]*\)\.$")
"""What version 0.1 did not say yet of a game that is over."""


@pytest.fixture(autouse=True)
def files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A copy of the files of version 0.1."""
    return copied(monkeypatch, tmp_path)


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_opens_whole_and_is_written_as_it_was(name: str, files: Path) -> None:
    session = store.read(files / name)
    assert store.summary(files / name).error == ""
    assert codec.read(codec.text_of(session.saved()), name).saved() == session.saved()
    assert codec.text_of(session.saved()) == (FIXTURES / name).read_bytes()


@pytest.mark.parametrize("name", SESSIONS)
def test_its_searches_come_out_the_same_again(plybench: Plybench, name: str) -> None:
    answer = plybench("session", "verify", name, "--json")
    assert answer.code == 0, answer.out + answer.err
    found = answer.json
    kept = sum(len(study.searches) for study in store.read(Path(name)).studies)
    assert (found["different"], found["impossible"], found["skipped"]) == (0, 0, 0)
    assert found["same"] >= kept
    assert all(row["tape"] == "" for row in found["checks"])


def test_a_session_has_what_was_put_into_it(files: Path) -> None:
    session = store.read(files / "sessions/two-players.plybench.json")
    first, chess = session.studies[0], next(study for study in session.studies if study.tags)
    assert first.note == "What the start is about: “é”, a \u2028 line, and 100 %."
    assert first.node_at(("b2", "a1", "c3")).note == "the main line"
    assert first.node_at(("b2", "a1", "a3")).note == "a variation"
    assert first.path == ("b2", "a1")
    assert chess.node.before == "before it"
    assert (chess.node.nags, chess.node.note, chess.tags["White"]) == ((1,), "the usual", "One")
    compared = store.read(files / "sessions/compared.plybench.json")
    assert sum(len(study.comparisons) for study in compared.studies) == 1
    assert len(compared.suites) == 1
    played = store.read(files / "sessions/Tic-tac-toe-against-alphabeta-and-random.plybench.json")
    assert played.study.record is not None
    assert played.study.record.players == ("alphabeta:depth=2", "random:nodes=200000")


@pytest.mark.parametrize("name", TAPES)
def test_a_tape_opens_and_its_nodes_are_explained_as_they_were(name: str, files: Path) -> None:
    old = said("words")["tapes"][name.removeprefix("sessions/")]
    recording = Recording.load(files / name)
    assert (len(recording), recording.faults()) == (old["nodes"], old["faults"])
    for node, then in old["words"].items():
        found = [HOW_IT_ENDED.sub(".", why(recording, int(node))), *map(str, label(recording, int(node)))]
        then = [HOW_IT_ENDED.sub(".", then[0]), *then[1:]]
        was = [now if word == "numbered" and now in ("OR", "AND") else word for now, word in zip(found, then, strict=True)]
        assert found == was, f"node {node}"


def test_every_tape_belongs_to_a_kept_search(files: Path) -> None:
    found = set()
    for name in SESSIONS:
        for study in store.read(files / name).studies:
            for kept in study.searches:
                if kept.tape is not None:
                    assert tapes.problem(kept, files / name) == ""
                    found.add(f"sessions/{kept.tape}")
    assert found == set(TAPES)


@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_is_accepted(name: str, files: Path) -> None:
    proof = Proof.load(files / name)
    verdict = check(proof)
    assert verdict.holds
    assert verdict.faults == ()


def test_settings_give_the_same_keys_and_places(files: Path) -> None:
    settings_path().parent.mkdir(parents=True)
    shutil.copy(files / "config/settings.toml", settings_path())
    then = said("words")["settings"]
    assert remapped(read_keys()).keymap == then["keymap"]
    assert then["keymap"], "no key was changed"
    found = read_settings()
    assert (found.book, list(found.syzygy)) == (then["book"], then["syzygy"])


def test_named_weights_mean_the_same(plybench: Plybench, files: Path) -> None:
    named_weights.path().parent.mkdir(parents=True)
    shutil.copy(files / "config/weights.json", named_weights.path())
    assert plybench("weights", "connect4", "--json").json == said("words")["settings"]["weights"]
    worth = ("eval", "--game", "connect4", "4453", "--json", "--set")
    assert plybench(*worth, "weights=mine").json == plybench(*worth, "weights=1,20,300").json
