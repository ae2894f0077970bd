"""Damaged files of every kind: each is refused with a sentence, or means what it says; nothing breaks, and nothing is slow.

With PLYBENCH_LONG=1 a hundred thousand of each kind; else a part of them, the same ones in every run.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import resource
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import process_time

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from engines import catalog
from engines.contract import InputError, Limit
from engines.proofs.checker import check as check_proof
from engines.proofs.document import AnswerProof, Proof
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from positions import files
from tests.damage.files import damaged
from tests.mutation import is_sentence
from tests.thorough import LONG
from tests.workbench.conftest import Plybench
from tests.workbench.session_samples import full, italian, report
from workbench import settings
from workbench.analysis.desk import Desk
from workbench.cli.console import console
from workbench.export import view as show_session
from workbench.export.session import FORMATS, export
from workbench.proofs import view as show_proof
from workbench.recordings.why import nodes
from workbench.recordings.why.reasons import why
from workbench.render import search as render
from workbench.sessions import codec as session_file
from workbench.sessions.model import Session
from workbench.sessions.types import SavedSession
from workbench.tuning import named_weights as presets

MUTATIONS = 100_000
MOST_SECONDS, MOST_BYTES = 2.0, 200_000_000
"""What one file may take to be read, and to be refused."""
KEPT = Path(tempfile.gettempdir()) / f"plybench-damaged-{os.getpid()}"
pytestmark = pytest.mark.timeout(3600)  # a hundred thousand of each, with PLYBENCH_LONG
Reader = Callable[[bytes], object]
"""Reads a file and does with it what Plybench does; an InputError if it is refused."""


def check_all(read: Reader, originals: Sequence[bytes], few: int) -> int:
    """Read damaged files, as many in an ordinary run as `few`; gives how many were refused. What is done with a file behind
    its reading may take longer if the damage made it larger, as where a study stands there fifty times."""
    usual = max(map(len, originals))
    for original in originals:
        read(original)
    for game in catalog.GAMES:  # a game that nobody has asked for before has its code loaded, which is not reading
        catalog.position("startpos", game).is_over  # noqa: B018
    refused = 0
    for number, data in enumerate(damaged(originals, MUTATIONS if LONG else few)):
        largest, began = new_peak(), process_time()
        said = refusal(partial(read, data), number, data)
        refused += bool(said)
        assert process_time() - began < MOST_SECONDS * max(1, len(data) / usual), (number, process_time() - began)
        assert peak() < largest + MOST_BYTES, number
    return refused


def refusal(read: Callable[[], object], number: int = 0, data: bytes = b"") -> str:
    """The sentence with which something is refused; empty if it is not. Whatever else happens is a fault, and is kept."""
    said = ""
    try:
        read()
    except InputError as error:
        said = str(error)
    except BaseException:
        KEPT.write_bytes(data)
        print(f"File {number} is kept in {KEPT}.")
        raise
    assert not said or is_sentence(said), (number, said)
    return said


def new_peak() -> int:
    """Bytes that this process has now, and forget that it had more: to make a damaged file takes memory too."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return peak()


def peak() -> int:
    """Bytes that this process has had at most, since that was forgotten where it can be."""
    with contextlib.suppress(OSError):
        found = re.search(r"^VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text(), re.M)
        if found is not None:
            return int(found[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


# Sessions.


def read_session(data: bytes) -> Session:
    """A session, shown and exported in every way; it is what its file says."""
    began = process_time()
    session = session_file.read(data, "damaged")
    assert process_time() - began < MOST_SECONDS
    said = msgspec.json.decode(data, type=SavedSession)
    kept = session.saved()
    assert (kept.suites, kept.at, kept.created, kept.changed) == (said.suites, said.at, said.created, said.changed)
    for mine, theirs in zip(kept.studies, said.studies, strict=True):
        assert (mine.searches, mine.comparisons, mine.record) == (theirs.searches, theirs.comparisons, theirs.record)
        assert (mine.note, mine.ply, len(mine.lines)) == (theirs.note, theirs.ply, len(theirs.lines))
        assert mine.path.split() == theirs.path.split()
    assert session_file.read(session_file.text_of(kept), "again").saved() == kept
    console(file=io.StringIO(), width=100).print(show_session.session(session))
    for to in FORMATS:
        refusal(partial(export, session, to))
    return session


def test_damaged_sessions_are_refused_or_can_be_shown_and_exported() -> None:
    originals = [session_file.text_of(session.saved()) for session in (full(), italian())]
    count = MUTATIONS if LONG else 300
    assert count / 4 < check_all(read_session, originals, 300) < count


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where the user's files are."""
    monkeypatch.setenv("PLYBENCH_DATA", str(tmp_path))
    monkeypatch.setenv("PLYBENCH_CONFIG", str(tmp_path))
    return tmp_path


# Tapes and proofs.


@pytest.fixture(scope="module")
def tapes(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Recorded searches: each as it is written, and as it was before tapes had a checksum."""
    file, found = tmp_path_factory.mktemp("tapes") / "whole.tape", []
    for game, algorithm, limit in (
        ("tictactoe", "alphabeta", Limit(depth=3)),
        ("tictactoe", "uct", Limit(iterations=60)),
        ("tree", "star1", Limit(depth=4)),
    ):
        text = "(A[0.5:(3 5) 0.5:(4 6)] B[0.25:(2 9) 0.75:(3 1)])" if game == "tree" else "startpos moves b2 a1"
        kind, tape = catalog.algorithm(algorithm), new_tape(2_000)
        search = Search(catalog.position(text, game), kind, limit, tape=tape)
        search.run_here().finish()
        Recording.of(tape, search.report(), kind.view).save(file)
        found += [file.read_bytes(), without_checksum(file.read_bytes())]
    return found


SEALED = b'"sealed":true,'


def without_checksum(data: bytes) -> bytes:
    """A tape of an earlier version."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as less:
        for entry in whole.infolist():
            if entry.filename != "check.npy":
                less.writestr(entry.filename, whole.read(entry).replace(SEALED, b" " * len(SEALED)))
    return out.getvalue()


def test_damaged_tapes_are_refused_or_can_be_walked_over(tapes: list[bytes], tmp_path: Path) -> None:
    file = tmp_path / "damaged.tape"

    def read(data: bytes) -> None:
        file.write_bytes(data)
        recording = Recording.load(file)
        recording.faults()
        console(file=io.StringIO(), width=100).print(render.tape(recording))
        for node in range(len(recording)):
            nodes.label(recording, node)
        for node in range(0, len(recording), 7):
            why(recording, node)

    assert check_all(read, tapes, 500) > (MUTATIONS if LONG else 500) / 4


def test_a_tape_that_was_changed_is_refused_however_well_it_is_packed(tapes: list[bytes], tmp_path: Path) -> None:
    """One number changed, and the archive made anew around it: its own checks hold."""
    file = tmp_path / "changed.tape"
    with zipfile.ZipFile(io.BytesIO(tapes[0])) as whole:
        members = {entry.filename: whole.read(entry) for entry in whole.infolist()}
    for name in members:
        changed = {**members, name: members[name][:-1] + bytes([members[name][-1] ^ 1])}
        with zipfile.ZipFile(file, "w") as archive:
            for member, content in changed.items():
                archive.writestr(member, content)
        with pytest.raises(InputError, match="damaged one"):
            Recording.load(file)


def test_a_tape_whose_checksum_was_lost_is_refused(tapes: list[bytes], tmp_path: Path) -> None:
    file = tmp_path / "lost.tape"
    with zipfile.ZipFile(io.BytesIO(tapes[0])) as whole, zipfile.ZipFile(file, "w") as less:
        for entry in whole.infolist():
            if entry.filename != "check.npy":
                less.writestr(entry.filename, whole.read(entry))
    with pytest.raises(InputError, match="its checksum is missing"):
        Recording.load(file)


def test_a_node_that_no_game_came_through_is_refused(tapes: list[bytes], tmp_path: Path) -> None:
    file = tmp_path / "none.tape"
    for data in tapes[3:4]:
        file.write_bytes(data)
        found = Recording.load(file)
        with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(file, "w") as less:
            for entry in whole.infolist():
                content = whole.read(entry)
                if entry.filename == "alpha.npy":
                    content = content[: -found.alpha.nbytes] + bytes(found.alpha.nbytes)
                less.writestr(entry.filename, content)
        with pytest.raises(InputError, match="sampled by no game"):
            Recording.load(file)


def test_a_small_file_that_unpacks_to_much_is_refused_at_once(tapes: list[bytes], tmp_path: Path) -> None:
    file = tmp_path / "bomb.tape"
    with zipfile.ZipFile(io.BytesIO(tapes[0])) as whole:
        members = {entry.filename: whole.read(entry) for entry in whole.infolist()}
    header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (30000000,)}".ljust(117) + b"\n"
    bomb = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(120_000_000)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for member, content in {**members, "move.npy": bomb}.items():
            archive.writestr(member, content)
    began, largest = process_time(), peak()
    for load in (Recording.load, Proof.load):
        with pytest.raises(InputError, match="is not a"):
            load(file)
    assert process_time() - began < 1
    assert peak() - largest < 20_000_000


def test_damaged_proofs_are_refused_or_can_be_checked(tmp_path: Path) -> None:
    file = tmp_path / "damaged.proof"
    position = catalog.position("((3 5) (2 9))", "tree")
    part = AnswerProof(3, True, np.array([0, 0, 0, 2, 3]), np.array([0, 1, 0]), np.array([0, 1, 2]))
    Proof(position, 3, [part], "by hand").save(file)

    def read(data: bytes) -> None:
        file.write_bytes(data)
        found = Proof.load(file)
        verdict = check_proof(found)
        show_proof.document(found, verdict)
        if verdict.holds:
            console(file=io.StringIO(), width=100).print(show_proof.summary(found, verdict, 3))

    check_all(read, [file.read_bytes()], 300)


# Weights and settings.

WEIGHTS = b"""{
  "format": "plybench weights 1",
  "weights": {
    "connect4": {"mine": "15,244,953", "other": "-1,20,300"},
    "einstein": {"fast": "10,1,0"}
  }
}
"""
SETTINGS = b"""# where things are
book = "books/gm.bin"
syzygy = ["/tables/one", "~/two"]
gaviota = []

[keys]
run = "r"
take_back = ["z", "backspace"]
[keys.tree]
down = "j"
"""


def test_damaged_weights_are_refused_or_are_weights(home: Path) -> None:
    def read(data: bytes) -> None:
        presets.path().write_bytes(data)
        found = presets.read()
        assert found == msgspec.json.decode(data, type=presets.NamedWeightsFile)
        for game, named in found.weights.items():
            if game in catalog.GAMES:
                for weights in named.values():
                    catalog.position("startpos", game, settings={"weights": weights})
        presets.listing()

    assert check_all(read, [WEIGHTS], 1_000) > (MUTATIONS if LONG else 1_000) / 4


def test_damaged_settings_are_refused_or_are_settings(home: Path) -> None:
    def read(data: bytes) -> None:
        settings.settings_path().write_bytes(data)
        settings.read_settings()
        settings.read_keys()
        settings.report()
        settings.write_setting("book", "/else/where")
        assert settings.read_settings().book == "/else/where"

    assert check_all(read, [SETTINGS], 500) > (MUTATIONS if LONG else 500) / 8


# Graphs, PGN and EPD.

GRAPHS = (
    b'start = "A"\ntargets = ["T"]\n[nodes]\nA = {owner = "max", to = ["B", "C"]}\nB = {owner = "min", to = ["A", "T"]}\n'
    b'C = {owner = "min", to = ["T"], value = 2.5}\nT = {}\n',
    b'graph = {nodes = {A = {owner = "J1", to = ["B", "C"]}, B = {gain = 3}, C = {owner = 2, to = ["B"], value = -1}}}',
)
PGN = b"""[Event "Rated"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 {[%clk 0:05:00] best} e5 2. Nf3 (2. f4 exf4 $1) 2... Nc6 3. Bb5 a6 1-0

[Event "Other"]
[SetUp "1"]
[FEN "8/8/8/8/8/4k3/4p3/4K3 w - - 12 80"]

80. -- *
"""
EPD = b"""r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - bm Nb5; id "WAC.1"; acd 12; ce 35;
8/8/8/3k4/8/8/8/KR6 w - - dm 14; c0 "a comment; with a semicolon";
"""


def test_damaged_graphs_are_refused_or_can_be_played() -> None:
    def read(data: bytes) -> None:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = data.decode("latin-1")
        position = catalog.position(text, "graph")
        again = catalog.position(position.text, "graph")
        assert again.text == position.text
        assert again.game.line_choices(again.state) == position.game.line_choices(position.state)
        for name in ("attractor", "alphabeta"):
            catalog.misfit(catalog.algorithm(name), position)
        position.game.diagram(position.state)
        position.game.evaluation(position.state)

    assert check_all(read, GRAPHS, 1_500) > (MUTATIONS if LONG else 1_500) / 4


@pytest.mark.parametrize(("original", "suffix"), [(PGN, ".pgn"), (EPD, ".epd")])
def test_damaged_files_of_chess_are_refused_or_can_be_listed(original: bytes, suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"damaged{suffix}"

    def read(data: bytes) -> None:
        file.write_bytes(data)
        for item in files.listing(str(file)):
            refusal(partial(files.find, f"{file}#{item.number}"))

    check_all(read, [original], 500)


# What was seen to go wrong, one by one.


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"judged": [{"right": true', '"judged": [{"right": true,"by": "x","regret": null}, {"right": true', "judgements"),
        ('"lane": 2', '"lane": 1', "in their order"),
        ('"done": 2', '"done": 1', "says that it has 1 of 2"),
        ('"nodes": 30,', '"nodes": 9223372036854775808,', "Expected `int` <="),
        ('"nodes": 30,', '"nodes": -1,', "Expected `int` >= 0"),
        ('"seconds": 0.25', '"seconds": 1e300', "Expected `float` <="),
        ('"best_move": "f8c5"', '"best_move": "f8c4"', "'f8c4' is not a legal move"),
        ('"pv": ["f8c5"]', '"pv": ["f8c5", "f8c5"]', "'f8c5' is not a legal move"),
        ('"searches":', '"seerches":', "unknown field `seerches`"),
        ('"clock": "5+3"', '"clock": "5+x"', "A clock is written"),
        ('"created": "20', '"created": "00', "from the year 26"),
        ('"chess960": false', '"chess690": false', "no option 'chess690'"),
    ],
)
def test_what_does_not_hold_together_is_said(old: str, new: str, said: str) -> None:
    text = session_file.text_of(full().saved()).decode()
    assert old in text
    with pytest.raises(InputError, match=re.escape(said)) as error:
        session_file.read(text.replace(old, new, 1).encode(), "full")
    assert is_sentence(str(error.value))


def test_a_search_with_impossible_settings_is_shown_and_not_gone_on_with() -> None:
    """Another version of Plybench may have them; no form of the app can show them, and no search can have them."""
    session = italian()
    study = session.study
    for parameters in ({"table": 10**9}, {"replacement": "whatever"}, {"speed": 9}):
        study.add(replace(report(study.position().text, best="b8c6"), parameters={**report().parameters, **parameters}))
        again = session_file.read(session_file.text_of(session.saved()), "odd")
        assert Desk(session=again).parameters == Desk().parameters
        assert "deepening" in export(again, "md")


def test_a_file_of_settings_or_weights_says_what_is_wrong(home: Path) -> None:
    for text, said in (
        ("book = " + "9" * 5_000, "digits"),
        ("book = 0x" + "f" * 5_000, "bits"),
        ('book = "a\\u0000"', "NUL"),
    ):
        settings.settings_path().write_text(text)
        with pytest.raises(InputError, match=said):
            settings.read_settings()
    for data, said in ((b'{"format": "\xff"}', "not a file of weights"), (WEIGHTS.replace(b"953", b"95x"), "whole numbers")):
        presets.path().write_bytes(data)
        with pytest.raises(InputError, match=said):
            presets.kept_weights("connect4")


@pytest.mark.parametrize("number", ["9" * 5_000, "0x" + "f" * 5_000, "1e999999999", "1e-999999999", "nan", "inf", "1.2345"])
def test_a_graph_pays_numbers_only(number: str) -> None:
    with pytest.raises(InputError) as error:
        catalog.position(f'graph = {{nodes = {{A = {{to = ["B"]}}, B = {{gain = {number}}}}}}}', "graph")
    assert is_sentence(str(error.value))
    for wrong in ('start = ["A"]', 'nodes = {A = {to = [["A"]]}}'):
        with pytest.raises(InputError):
            catalog.position(f"graph = {{{wrong}, nodes = {{A = {{}}}}}}", "graph")


def test_what_no_argument_can_have_is_one_sentence(plybench: Plybench) -> None:
    for command in (
        ("suite", "a\0b"),
        ("analyze", "\0"),
        ("tape", "\0"),
        ("session", "export", "x", "--to", "md", "-o", "\0"),
    ):
        answer = plybench(*command)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith("plybench: There is a NUL character in ")
        assert answer.err.count("\n") == 1


def test_that_no_position_was_found_is_no_result(plybench: Plybench) -> None:
    assert plybench("positions", "zzzz", "--json").json == []
    for words in (("zzzz",), ("--", "zzzz", "--json")):
        answer = plybench("positions", *words)
        assert (answer.code, answer.out, answer.err) == (0, "", "No position in the library has all these words.\n")
