"""Random commands with random arguments: each ends as the command line promises, with a result or with one sentence.

The commands and their options are click's own declaration, so a new one is tried without being named here. With
PLYBENCH_LONG=1 five thousand of them, on all games and with all algorithms; else a part, the same ones in every run.
"""

from __future__ import annotations

import io
import json
import os
import random
import shlex
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import NoReturn

import click
import numpy as np
import pytest

from engines import catalog
from engines.contract import Limit
from engines.proofs.document import AnswerProof, Proof
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from positions import horizon, library
from tests.damage.files import NUMBERS, TEXTS, damaged
from tests.thorough import LONG
from tests.workbench.conftest import Answer, Plybench
from tests.workbench.session_samples import full
from tests.workbench.sessions.test_damaged import EPD, GRAPHS, PGN, SETTINGS, WEIGHTS
from workbench.cli.console import INTERRUPTED
from workbench.cli.main import cli
from workbench.jobs.workers import GivenExecutor, Workers
from workbench.sessions import codec as session_file
from workbench.sessions import store as sessions

COMMANDS_TRIED = 5_000 if LONG else 300
LEFT_OUT = ("serve", "open", "warm", "uci")
"""They wait for somebody, or take minutes."""
NEVER = ("--cluster",)
"""A scheduler that is not there is waited for."""
SECONDS = 3.0 if LONG else 1.0
"""Who is at it for so long is interrupted, as a person does it,"""
MOST_SECONDS = 30.0
"""and has to be at an end soon: the compiler, or a machine with other things to do, may take a while."""
PERIOD = 50
"""After so many commands the user's files are new."""
SMALL = {
    "--nodes": "200",
    "--depth": "2",
    "--games": "2",
    "--limit": "2",
    "--population": "4",
    "--generations": "1",
    "--draws": "2",
    "--plies": "12",
    "--effects": "1",
    "--truth-nodes": "100",
    "--tape-nodes": "1000",
    "--table": "1",
    "--jobs": "1",
    "--threads": "1",
}
"""Limits that are given wherever a command has them, so that it takes no time."""
GAMES = catalog.GAMES if LONG else ["tictactoe", "connect4", "tree"]
ALGORITHMS = catalog.ALGORITHMS if LONG else ["alphabeta", "minimax", "random", "uct"]
PLACES = [one.id for one in library.entries().values() if LONG or (one.game in GAMES and one.game != "connect4")]
ITALIAN = full().name
BOARDS = [name for name in PLACES if not name.startswith("tree/")]
NOTATIONS = ("startpos", "startpos moves b2 a1", "4444", "44", "(3 (1 2) 4)", "X../.O./...", "-")
FILES = ("games.pgn", "games.pgn#1", "games.pgn#2/3", "suite.epd", "suite.epd#2", "44.txt", "graph.toml", "full.plybench")
DAMAGED = ("damaged.1", "damaged.2")
MORE_FILES = (
    "search.tape",
    "tree.proof",
    "weights.json",
    "empty",
    "binary",
    "folder",
    "missing",
    "nowhere/at/all",
    *DAMAGED,
)
WRITTEN = ("out.csv", "out.jsonl", "out.pgn", "out.json", "out.tape", "out.proof", "out.md", "out", "folder", "nowhere/out")
NAMES = ("book", "syzygy", "mine", "genetic", "KQK", "tictactoe-3x3x3", "3x3x3", "all", *list(horizon.examples())[:2])
WORDS = {
    "--game": GAMES,
    "--size": ("5x4", "3x3x3", "4x4", "7x6", "2x2x2"),
    "--algorithm": ALGORITHMS,
    "--algorithms": (
        "alphabeta,minimax",
        "minimax,alphabeta",
        "alphabeta,random",
        "alphabeta",
        "a=alphabeta:quickest=true,uct",
    ),
    "--iterations": ("20", "1"),
    "--evaluations": ("100", "1"),
    "--proof-nodes": ("500", "1"),
    "--openings": ("random", "random:1", "start", "library", *FILES),
    "--position": NOTATIONS,
    "--sprt": ("0:10", "5:0", "0:nan"),
    "--clock": ("1+0", "0+1", "5"),
    "--level": ("1", "99"),
    "--side": ("first", "second", "x"),
    "--first": ("you", "level:1", "random", "alphabeta:depth=1"),
    "--second": ("you", "random", "level:99"),
    "--seconds": ("0.05", "1"),
    "--candidate": ("1,20,300", "mine"),
    "--reference": ("1,20,300", "mine"),
    "--resume": ("full.plybench", ITALIAN),
    "--session": ("full.plybench", "new one"),
    "--to": ("md", "html", "pgn", "epd", "csv"),
    "--adjudicate": ("proof", "table", "both"),
    "position": (*PLACES, *NOTATIONS, *FILES),
    "target": (*PLACES, *NOTATIONS, *FILES),
    "game": GAMES,
    "players": ("alphabeta", "random", "a=alphabeta:depth=1", "uct:iterations=10", "level:1"),
    "session": ("full.plybench", ITALIAN, "damaged.1"),
    "file": (*FILES, *MORE_FILES),
    "words": ("mate", *PLACES, *FILES),
    "what": ("3x3x3", "KQK", "2x2x2"),
    "compare position": BOARDS,
    "review target": (*BOARDS, "games.pgn#1", "games.pgn"),
    "suite file": ("suite.epd", "44.txt", "damaged.1"),
    "compare-suite file": ("suite.epd", "44.txt", "damaged.1"),
    "tape file": ("search.tape", *DAMAGED, *FILES),
    "proof file": ("tree.proof", *DAMAGED, *FILES),
    "algorithms name": ALGORITHMS,
    "games name": GAMES,
    "settings name": ("book", "syzygy", "gaviota"),
    "tune game": ("connect4", "breakthrough"),
    "weights weights": ("1,20,300", "1,2"),
}
"""What makes sense for an option, or for an argument by its name: that of one command, or of all."""
ASSIGNED = (
    "weights=1,2,3",
    "quickest=true",
    "k=3",
    "table=1",
    "misere=true",
    "quiescence=off",
    "exploration=1.5",
    "tables=true",
)
TYPED = (
    b"",
    b"b2\na1\nhint\nback\nmoves\nresign\n",
    b"quit\n",
    b"\xff\xfe\x00",
    b"(3 (1 2) 4)",
    b"save out.pgn\nboard\ngame\n" * 3,
)
"""What somebody pipes in."""


def commands(group: click.Group, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands with the words that call them."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*before, name))
        elif name not in LEFT_OUT:
            yield (*before, name), command


COMMANDS = list(commands(cli))


class Typed:
    """What a person types at random."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.wants_json = False
        """The answer has to be JSON: the option is there, and was not taken for something else."""
        self.words = self._typed()

    def _typed(self) -> list[str]:
        chance = self.chance
        name, command = chance.choice(COMMANDS)
        parts = list[list[str]]()
        for parameter in command.params:
            parts += self._parameter(parameter, name[-1])
        if chance.random() < 0.3:
            chance.shuffle(parts)
        words = [*name, *(word for part in parts for word in part)]
        self.wants_json = ["--json"] in parts
        if chance.random() < 0.08:
            self._slip(words)
            self.wants_json = False
        return words

    def _parameter(self, parameter: click.Parameter, command: str) -> list[list[str]]:
        """Nothing, or an argument or option with its values, each with the words that belong together."""
        chance = self.chance
        if isinstance(parameter, click.Argument):
            wanted = chance.random() < (0.97 if parameter.required else 0.6)
            count = chance.choice((1, 2, 2, 2, 3)) if parameter.nargs == -1 else 1
            return [[self._value(parameter, command)] for _ in range(count)] if wanted else []
        assert isinstance(parameter, click.Option)
        name = parameter.opts[-1]
        if name in NEVER:
            return []
        if name in SMALL:
            return [[name, chance.choice(NUMBERS) if chance.random() < 0.02 else SMALL[name]]]
        if chance.random() > (0.97 if parameter.required else 0.5 if name == "--json" else 0.08):
            return []
        if parameter.is_flag:
            return [[chance.choice((*parameter.opts, *parameter.secondary_opts))]]
        return [[name, self._value(parameter, command)] for _ in range(chance.choice((1, 2)) if parameter.multiple else 1)]

    def _value(self, parameter: click.Parameter, command: str) -> str:
        """What makes sense there, more often than not."""
        chance = self.chance
        name = parameter.opts[-1]
        if chance.random() < 0.08:
            return chance.choice((*TEXTS, *NUMBERS, *FILES, *MORE_FILES, *PLACES))
        if name == "--set":
            return self._assignment()
        for known in (f"{command} {name}", name):
            if known in WORDS:
                return chance.choice(WORDS[known])
        if isinstance(parameter.type, click.Path):
            return chance.choice(WRITTEN)
        if isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType):
            return chance.choice(NUMBERS)
        return chance.choice((*NAMES, *GAMES, *ALGORITHMS))

    def _assignment(self) -> str:
        chance = self.chance
        if chance.random() < 0.4:
            return chance.choice(ASSIGNED)
        one = catalog.algorithm(chance.choice(ALGORITHMS)) if chance.random() < 0.5 else catalog.game(chance.choice(GAMES))
        names = [parameter.name for parameter in one.parameters] or ["weights"]
        return f"{chance.choice(names)}={chance.choice((*NUMBERS, *TEXTS, 'true', 'off', '1', '3'))}"

    def _slip(self, words: list[str]) -> None:
        """A word left out, doubled, put in, or in another's place."""
        chance = self.chance
        place, other = chance.randrange(len(words)), chance.randrange(len(words))
        match chance.randrange(5):
            case 0:
                del words[place]
            case 1:
                words.insert(other, words[place])
            case 2:
                words.insert(
                    place, chance.choice(("-h", "--help", "--version", "--", "--no-such", "-x", "--nodes=", "--json=1"))
                )
            case 3:
                words[place] = chance.choice(TEXTS)
            case _:
                words[place], words[other] = words[other], words[place]


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files that there are."""
    tape, kind = new_tape(2_000), catalog.algorithm("alphabeta")
    search = Search(catalog.position("startpos moves b2 a1", "tictactoe"), kind, Limit(depth=2), tape=tape)
    search.run_here().finish()
    file = tmp_path_factory.mktemp("tape") / "search.tape"
    Recording.of(tape, search.report(), kind.view).save(file)
    part = AnswerProof(3, True, np.array([0, 0, 0, 2, 3]), np.array([0, 1, 0]), np.array([0, 1, 2]))
    proof = file.with_name("tree.proof")
    Proof(catalog.position("((3 5) (2 9))", "tree"), 3, [part], "by hand").save(proof)
    whole = {
        "games.pgn": PGN,
        "suite.epd": EPD,
        "44.txt": b"44\n45\nnonsense\n4444 1\n",
        "graph.toml": GRAPHS[0],
        "full.plybench": session_file.text_of(full().saved()),
        "search.tape": file.read_bytes(),
        "tree.proof": proof.read_bytes(),
        "weights.json": WEIGHTS,
        "settings.toml": SETTINGS,
    }
    return {**whole, "empty": b"", "binary": random.Random(1).randbytes(3_000)}


class Limited:
    """Interrupts what takes too long, as a person does with Ctrl-C; and says whether it had to."""

    def __init__(self) -> None:
        self.interrupted = False
        self._runs = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """While somebody is at something."""
        self.interrupted, before = False, signal.signal(signal.SIGINT, self._heard)
        timer = threading.Timer(SECONDS, self._interrupt)
        timer.daemon = True
        timer.start()
        self._runs = True
        try:
            yield
        finally:
            self._runs = False
            timer.cancel()
            timer.join()
            signal.signal(signal.SIGINT, before)

    def _interrupt(self) -> None:
        self.interrupted = True
        os.kill(os.getpid(), signal.SIGINT)

    def _heard(self, *signal: object) -> None:
        if self._runs or not self.interrupted:  # it may come a moment too late, when nobody is at it any more
            raise KeyboardInterrupt


@pytest.fixture
def workers_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Games are played in a thread of this process: to start others takes longer than all the rest."""
    with ThreadPoolExecutor(1) as executor:

        def given(jobs: int | None, cluster: str | None) -> Workers:
            return GivenExecutor(executor)

        monkeypatch.setattr("workbench.jobs.workers.workers", given)
        yield


def no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def check(answer: Answer, typed: Typed, interrupted: bool) -> None:
    """It has ended as every command does."""
    assert answer.code in (0, 1, 2) or (answer.code == INTERRUPTED and interrupted)
    assert "Traceback" not in answer.out + answer.err
    if answer.code == 2:
        *before, said = answer.err.splitlines() or [""]
        assert said.startswith("plybench: "), answer.err
        assert said.endswith((".", "?", "!")), answer.err
        assert said.isprintable(), answer.err
        assert not any(line.startswith("plybench: ") for line in before), answer.err
    if answer.code == 1:  # something does not hold, and that is what comes out
        assert (answer.out + answer.err).strip()
    if typed.wants_json and answer.out:
        json.loads(answer.out, parse_constant=no_constant)


@pytest.mark.timeout(3 * 3600)
@pytest.mark.usefixtures("workers_here")
def test_random_commands_end_with_a_result_or_with_a_sentence(
    plybench: Plybench, contents: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PLYBENCH_PIECES", "")  # --ascii changes it
    limited, codes, chance = Limited(), Counter[int](), random.Random(3)
    harm = damaged(list(contents.values()), 2 * COMMANDS_TRIED)
    slowest: list[tuple[float, str]] = []
    for number in range(COMMANDS_TRIED):
        here = tmp_path / f"{number // PERIOD}" / "some" / "where"
        monkeypatch.setenv("PLYBENCH_DATA", str(here / "data"))
        monkeypatch.setenv("PLYBENCH_CONFIG", str(here / "config"))
        (here / "folder").mkdir(parents=True, exist_ok=True)
        monkeypatch.chdir(here)
        sessions.directory().mkdir(parents=True, exist_ok=True)
        (sessions.directory() / "italian.plybench.json").write_bytes(contents["full.plybench"])
        typed = Typed(chance)
        for name, data in contents.items():
            Path(name).write_bytes(data)
        for name in {word for word in typed.words if word in DAMAGED}:
            Path(name).write_bytes(next(harm))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(chance.choice(TYPED)), errors="replace"))
        began = monotonic()
        try:
            with limited.watched():
                answer = plybench(*typed.words)
            check(answer, typed, limited.interrupted)
            assert monotonic() - began < MOST_SECONDS
        except BaseException:
            print(f"Command {number} in {here}: plybench {shlex.join(typed.words)}")
            raise
        codes[answer.code] += 1
        slowest = sorted([*slowest, (monotonic() - began, shlex.join(typed.words)[:200])])[-8:]
    print(f"\nHow they ended: {dict(codes)}", *(f"{seconds:.1f} s: {words}" for seconds, words in slowest), sep="\n")
    assert min(codes[0], codes[2]) > COMMANDS_TRIED / 5
