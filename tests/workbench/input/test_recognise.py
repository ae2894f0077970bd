"""What a person pastes or names is recognised without being told which game it is of."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines import catalog
from engines.contract import InputError
from engines.games.breakthrough.game import BreakthroughGame
from engines.notation import CERTAIN, LIKELY, POSSIBLE
from positions import library
from tests.mutation import is_sentence
from tests.workbench.conftest import Plybench
from workbench.cli.console import read_position
from workbench.input import recognise
from workbench.sessions import store as sessions
from workbench.sessions.model import Session

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("text", "game", "notation"),
    [
        (KIWIPETE, "chess", KIWIPETE),
        (f'{KIWIPETE[:-4]} bm Bxa6; id "x";', "chess", KIWIPETE),
        ("1. e4 e5 2. Nf3", "chess", "startpos moves e2e4 e7e5 g1f3"),
        ("e2e4 e7e5", "chess", "startpos moves e2e4 e7e5"),
        ('[Event "x"]\n\n1. e4 (1. d4) e5 *', "chess", "startpos moves e2e4 e7e5"),
        ("4453", "connect4", "4453"),
        ("((3 12 8) (2 4 6))", "tree", "((3 12 8) (2 4 6))"),
        ("[0.5:3 0.5:1]", "tree", "[0.5:3 0.5:1]"),
        ("X.O/.X./..O", "tictactoe", None),
        ("bbbb/bbbb/4/4/wwww/wwww w", "breakthrough", "startpos"),
        ("2a3a", "breakthrough", "startpos moves a2a3"),
        ("2a3a-7a6a", "breakthrough", "startpos moves a2a3 a7a6"),
        ("2a3a-5a4a", "breakthrough", "startpos moves a2a3 a5a4"),
        ("2a3a-5a4a 2b3b-????", "breakthrough", "startpos moves a2a3 a5a4 b2b3"),
    ],
)
def test_notations(text: str, game: str, notation: str | None) -> None:
    found, _ = read_position(text, None, None, ())
    assert found.game.id == game
    assert notation is None or found.text == notation


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("startpos", "--game"),
        ("chess", "write startpos --game chess"),
        ("hello", "--game"),
        (KIWIPETE.replace("R3K2R", "R6R"), "White has 0 kings"),
        ("1. e4 e5 2. Ke3", "'Ke3' is not a legal move"),
        ("2a3a-5a3a", "--game breakthrough --size"),
        ("a2a3 a5a4", "--game"),  # a slip in a line of chess is no game of Breakthrough
    ],
)
def test_what_cannot_be_told(text: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        read_position(text, None, None, ())
    assert hint in str(caught.value)
    assert is_sentence(str(caught.value))


def test_the_board_of_a_line_of_breakthrough() -> None:
    """The usual one if the moves are legal there, else that of the course, or the one that is said."""
    for text, size, board in [
        ("2a3a-7a6a", None, "8x8"),
        ("2a3a-5a4a", None, "6x4"),
        ("2a3a-5a4a", "6x5", "6x5"),
        ("2a3a-4a3b", "5x5", "5x5"),
    ]:
        found, _ = read_position(text, None, size, ())
        assert (found.game.id, found.game.size) == ("breakthrough", board)
    with pytest.raises(InputError, match="'5a4a' is not a legal move"):
        read_position("2a3a-5a4a", None, "8x8", ())
    with pytest.raises(InputError, match="99 rows"):
        read_position("2a3a", None, "99x9", ())


@pytest.mark.parametrize("position", ["breakthrough/course-6x4", "chess/back-rank"])
def test_tapes_and_proofs(plybench: Plybench, tmp_path: Path, position: str) -> None:
    """Whatever they are called, without being told which game they are of."""
    tape, proof = tmp_path / "search", tmp_path / "what.bin"
    where = library.get(position).position()
    plybench("analyze", position, "--algorithm", "alphabeta", "--depth", "2", "--tape", str(tape), "--json")
    plybench("analyze", position, "--algorithm", "dfpn", "--proof", str(proof), "--json")
    for path in (tape, proof):
        found, _ = read_position(str(path), None, None, ())
        assert (found.game.id, found.game.size, found.text) == (where.game.id, where.game.size, where.text)
        with pytest.raises(InputError, match=f"is of {where.game.id}, not of tictactoe"):
            read_position(str(path), "tictactoe", None, ())
    whole = recognise.whole_file(str(tape), None)
    assert whole is not None
    session = whole.as_session()
    assert session is not None
    assert [search.report.algorithm for search in session.study.searches] == ["alphabeta"]
    assert whole.proof is None
    whole = recognise.whole_file(str(proof), None)
    assert whole is not None
    assert (whole.proof, whole.as_session()) == (proof, None)
    answer = plybench("eval", str(tape), "--json").json
    assert (answer["game"], answer["position"]) == (where.game.id, where.text)


def test_a_line_of_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "columns.txt"
    path.write_text("4453\n\n# a comment\n44539\n")
    with pytest.raises(InputError, match=r"^Line 4: '44539' has '9'"):
        read_position(f"{path}#2", None, None, ())


def test_files(tmp_path: Path) -> None:
    where = catalog.position("4453", "connect4")
    session = Session.new("Mine", where)
    path = tmp_path / "mine.plybench.json"
    sessions.write(session.saved(), path)
    (tmp_path / "game.pgn").write_text("1. e4 e5 (1... c5 {Sicilian}) 2. Nf3 *")
    (tmp_path / "columns.txt").write_text("4453\n445\n")
    assert read_position(str(path), None, None, ())[0].text == "4453"
    whole = recognise.whole_file(str(path), None)
    assert whole is not None
    assert whole.as_session() is not None
    assert whole.file == path
    assert read_position(str(tmp_path / "columns.txt#2"), None, None, ())[0].text == "445"
    game = recognise.whole_file(str(tmp_path / "game.pgn"), None)
    assert game is not None
    assert game.study is not None
    assert game.position.text == "startpos moves e2e4 e7e5 g1f3"
    assert game.study.node_at(["e2e4", "c7c5"]).note == "Sicilian"
    with pytest.raises(InputError, match="is of connect4, not of chess"):
        read_position(str(path), "chess", None, ())


@pytest.mark.plain
@pytest.mark.parametrize("text", ["4453", "X.O/.X./..O", "((3 12 8) (2 4 6))", KIWIPETE])
def test_a_game_is_recognised_by_what_it_says_itself(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = recognise.games_for(text)
    monkeypatch.setattr(BreakthroughGame, "resembles", lambda text: CERTAIN)
    assert recognise.games_for(text) == ["breakthrough"]
    monkeypatch.setattr(BreakthroughGame, "resembles", lambda text: LIKELY + 0.2)
    likely = [name for name in before if catalog.game(name).resembles(text) >= LIKELY]
    assert recognise.games_for(text) == ["breakthrough", *(name for name in likely if name != "breakthrough")]
    monkeypatch.setattr(BreakthroughGame, "resembles", lambda text: POSSIBLE)
    assert recognise.games_for(text) == before
