"""A proof in the app: made, checked, walked through, written to a file, opened again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from textual.widgets import Input, Label, Static

from engines import catalog
from engines.contract import InputError, Limit
from engines.proofs.document import AnswerProof, Proof
from engines.rules import WIN
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import CUT, EXPANDED, TABLE, TERMINAL, new_tape
from positions import library
from tests.mutation import is_sentence
from tests.workbench.app.test_app import SIZES, Person, own_data, tell
from tests.workbench.conftest import Plybench
from workbench.app.dialogs.typed import TypedDialog
from workbench.app.dialogs.waiting import WaitingDialog
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.tree import TreeScreen
from workbench.input.files import contents
from workbench.proofs.job import CheckedProof, ProofWork, recorded
from workbench.recordings.why.nodes import move_name
from workbench.recordings.why.reasons import why

__all__ = ["own_data"]
EXERCISE = "breakthrough/course-6x4"


def proof_of(text: str, game: str | None = None, size: str | None = None, algorithm: str = "dfpn") -> Proof:
    position = library.get(text).position() if game is None else catalog.position(text, game, size)
    report = Search(position, catalog.algorithm(algorithm)).run_here().report()
    return ProofWork(position, report, None).run_here().proof()


async def proven(person: Person, algorithm: str, limit: Limit) -> None:
    person.desk.choose(algorithm, {}, limit)
    await person.press("space")
    await person.wait()


async def shown(person: Person) -> TreeScreen:
    """Ask for the proof, and wait for it."""
    await person.press("Q")
    await person.until(lambda: isinstance(person.app.screen, TreeScreen))
    screen = person.app.screen
    assert isinstance(screen, TreeScreen)
    return screen


@pytest.mark.parametrize(("size", "algorithm"), [(SIZES[0], "deepening"), (SIZES[1], "pns"), (SIZES[2], "dfpn")])
def test_a_proof_is_shown_written_and_opened(size: tuple[int, int], algorithm: str, tmp_path: Path) -> None:
    limit = Limit(depth=8) if algorithm == "deepening" else Limit(iterations=10_000)

    async def story(person: Person) -> None:
        await proven(person, algorithm, limit)
        screen = await shown(person)
        words = str(screen.query_one("#proof-words", Static).render())
        assert "Black wins." in words
        assert "at most 5 plies, and a search found no shorter way" in words
        assert "It holds" in words
        assert "needs one good move, and has it with b4b3: Black wins at ply 5" in person.text("why")
        await person.press("down")
        assert "White has 6 moves, and each of them is answered" in person.text("why")
        await person.press("w")
        assert isinstance(person.app.screen, TypedDialog)
        await person.type("mine.proof")
        assert Proof.load(tmp_path / "mine.proof").outcome == "second"
        await person.press("escape")
        assert isinstance(person.app.screen, AnalyseScreen)
        await person.press("o")
        person.app.screen.query_one(Input).value = "mine.proof"
        await person.until(lambda: "a proof of 76 positions" in str(person.app.screen.query_one("#about", Static).render()))
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, TreeScreen))
        assert "Black wins." in str(person.app.screen.query_one("#proof-words", Static).render())
        await person.press("escape")
        assert person.desk.position.text == library.get(EXERCISE).position().text

    tell(story, library.get(EXERCISE).position(), size)


def test_where_there_is_nothing_it_is_said() -> None:
    async def story(person: Person) -> None:
        await person.press("Q")
        assert isinstance(person.app.screen, AnalyseScreen)
        assert any("Nothing is proven here yet. a offers dfpn" in said for said in notices(person))
        await proven(person, "pns", Limit(iterations=5))
        await person.press("Q")
        assert isinstance(person.app.screen, AnalyseScreen)
        assert len(notices(person)) == 2

    tell(story, library.get(EXERCISE).position())


def notices(person: Person) -> list[str]:
    return [notification.message for notification in person.app._notifications]


def test_a_game_that_can_only_end_in_one_way_needs_no_proof() -> None:
    async def story(person: Person) -> None:
        await proven(person, "alphabeta", Limit(depth=3))
        await person.press("Q")
        await person.until(lambda: bool(notices(person)))
        assert "there is nothing to prove" in notices(person)[0]

    tell(story, catalog.position("((3 3) (3 3))", "tree"))


def test_whoever_does_not_want_to_wait_gives_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(person: Person) -> None:
        await proven(person, "dfpn", Limit(iterations=100_000))
        await person.press("Q")
        dialog = person.app.screen
        assert isinstance(dialog, WaitingDialog)
        await person.press("Q", "o", "t")  # nothing else is begun meanwhile
        assert person.app.screen is dialog
        await person.until(lambda: not dialog.has_class("-unseen"))
        assert "Compiling dfpn for Breakthrough, once" in str(dialog.query_one("#hint", Label).render())
        await person.press("escape")
        assert isinstance(person.app.screen, AnalyseScreen)
        assert isinstance(dialog.work, CheckedProof)
        assert dialog.work.join(5)
        assert notices(person) == ["The proof was given up."]

    monkeypatch.setattr("workbench.proofs.job.compile_first", lambda algorithm, game, stopped: wait_for(stopped))
    tell(story, library.get(EXERCISE).position())


def wait_for(stopped: object) -> None:
    from time import sleep

    assert callable(stopped)
    while not stopped():
        sleep(0.01)


def test_files_that_are_no_proofs(tmp_path: Path) -> None:
    for number, content in enumerate((b"", b"PK\x03\x04", b"graph = 1", bytes(range(256)))):
        path = tmp_path / f"{number}.proof"
        path.write_bytes(content)
        with pytest.raises(InputError):
            contents(path, "", "chess")
    with pytest.raises(InputError):
        CheckedProof(tmp_path / "none.proof").run_here().finish()


def forgeries(proof: Proof) -> list[Proof]:
    """What looks like a proof and is none."""
    (part,) = proof.parts
    elsewhere = replace(part, children=np.full(len(part.children), part.root))
    illegal = [replace(part, moves=np.full(len(part.moves), move)) for move in (0, 99_999, 2**31 - 1)]
    parts: list[tuple[AnswerProof, ...]] = [(elsewhere,), *((one,) for one in illegal), ()]
    return [Proof(proof.position, proof.result, some, "nobody") for some in parts]


@pytest.mark.parametrize("name", [EXERCISE, "chess/back-rank", "connect4/ending-12"])
def test_forged_proofs_are_found_out(plybench: Plybench, tmp_path: Path, name: str) -> None:
    proof, path = proof_of(name), tmp_path / "forged.proof"
    if len(proof.parts) > 1:
        proof = Proof(proof.position, proof.result, proof.parts[:1], proof.made_by)
    for forged in forgeries(proof):
        forged.save(path)
        with pytest.raises(InputError, match="This is not a proof"):
            CheckedProof(path).run_here().finish()
        for options in ([], ["--json"]):
            assert plybench("proof", str(path), "--depth", "5", *options).code == 1
            assert plybench("proof", str(path), "--depth", "5", "--unchecked", *options).code == 0
    (part, *_) = proof.parts
    for bad in (
        {"moves": part.moves + 2**40},
        {"moves": -part.moves - 1},
        {"moves": np.stack([part.moves, part.moves])},
        {"children": np.stack([part.children, part.children])},
        {"target": -(2**63)},
    ):
        Proof(proof.position, proof.result, [replace(part, **bad)], "nobody").save(path)
        assert "damaged" in plybench("proof", str(path)).err


def test_a_forged_proof_is_not_shown(tmp_path: Path) -> None:
    forgeries(proof_of(EXERCISE))[1].save(tmp_path / "forged.proof")

    async def story(person: Person) -> None:
        await person.press("o")
        person.app.screen.query_one(Input).value = "forged.proof"
        await person.until(lambda: "a proof of" in str(person.app.screen.query_one("#about", Static).render()))
        await person.press("enter")
        await person.until(lambda: bool(notices(person)))
        assert "This is not a proof. At the root: a move is not legal." in notices(person)[0]
        assert isinstance(person.app.screen, AnalyseScreen)
        assert person.desk.position.text == library.get(EXERCISE).position().text

    tell(story, catalog.position("startpos", "connect4"))


def test_names_that_cannot_be_written_are_sentences() -> None:
    names = ("~nobody-of-this-name/x.proof", "x" * 300 + ".proof", "none/such/directory/x.proof", "/")

    async def story(person: Person) -> None:
        await proven(person, "dfpn", Limit(iterations=100_000))
        await shown(person)
        for number, name in enumerate(names, 1):
            await person.press("w")
            await person.type(name)
            assert isinstance(person.app.screen, TreeScreen)
            assert len(notices(person)) == number, name
        assert all(is_sentence(said) and ("written" in said or "not a file" in said) for said in notices(person))

    tell(story, library.get(EXERCISE).position())


def test_a_game_that_is_over_is_no_proof() -> None:
    position, tape = catalog.position("XXX/OO./...", "tictactoe"), new_tape(10)
    report = Search(position, catalog.algorithm("dfpn"), tape=tape).run_here().report()
    recording = Recording.of(tape, report, "first")
    assert not recording.is_proof
    assert "X" in why(recording, 0)


def test_every_node_of_a_proof_has_its_words() -> None:
    """Of a win, of a draw in two parts, of play that goes round, of a gain."""
    cases = [
        proof_of(EXERCISE),
        proof_of("startpos moves a1 b2 c3", "tictactoe"),
        proof_of("graph/for-ever"),
        proof_of("((3 12) (2 4) (14 5))", "tree"),
    ]
    said = set[str]()
    for proof in cases:
        recording = recorded(proof)
        assert recording.is_proof
        assert recording.complete
        assert recording.faults() == 0
        assert set(recording.kind) <= {CUT, EXPANDED, TABLE, TERMINAL}
        assert len(recording.roots()) == len(proof.parts)
        for root, part in zip(recording.roots(), proof.parts, strict=True):
            assert move_name(recording, int(root)).endswith("Yes" if part.yes else "No")
        said |= {why(recording, node) for node in range(len(recording))}
    assert any("has come up before" in words for words in said)
    assert any("go round for ever" in words for words in said)
    assert all(words.endswith(".") for words in said), said


def test_of_games_of_chance_there_is_no_proof() -> None:
    position = catalog.position("(A[0.9:20 0.1:30] B[0.9:1 0.1:400])", "tree")
    report = Search(position, catalog.algorithm("expectiminimax")).run_here().report()
    assert report.exact
    with pytest.raises(InputError, match="There is no proof of it to write: dfpn needs"):
        ProofWork(position, report, None)
    drawn = catalog.position("startpos", "tictactoe")
    with pytest.raises(InputError, match="Nothing is proven"):
        ProofWork(drawn, Search(drawn, catalog.algorithm("alphabeta"), Limit(depth=2)).run_here().report(), None)
    assert proof_of("startpos moves a1 b2 c3", "tictactoe", algorithm="retrograde").result in (0, WIN, -WIN)
