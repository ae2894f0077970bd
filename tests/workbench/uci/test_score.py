"""What `plybench uci` says of a search is on the protocol's scale, and so."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import pytest

from engines import catalog
from engines.rules import INFINITY, ONGOING, WIN
from engines.run.result import DepthResult, MoveResult
from tests.workbench.uci.referee import faults
from tests.workbench.uci.talk import Talk, numbers, strings
from workbench.uci.score import KNOWN_WIN, MOST_BELIEVED, Score, hundredths_of, lines_of, mate_in, score_of, share_of

WON = "7k/8/8/8/8/8/1R6/R5K1 w - - 0 1"
"""Mate in two."""
LOST = "7k/R7/8/8/8/8/1R6/6K1 b - - 0 1"
"""Mated in one, whatever is played."""
AHEAD = "4k3/8/8/8/8/8/8/QQ2K3 {} - - 0 1"
PROVE = [name for name in catalog.compiled_algorithms_for("chess") if catalog.algorithm(name).proves]
MEANS = [name for name in catalog.compiled_algorithms_for("chess") if catalog.algorithm(name).means]
SAMPLE = [name for name in catalog.compiled_algorithms_for("chess") if not catalog.algorithm(name).judges]


@pytest.fixture(scope="module")
def shared() -> Iterator[Talk]:
    talk = Talk()
    talk.get_ready()
    yield talk
    talk.quit()


@pytest.fixture
def talk(shared: Talk) -> Talk:
    """An engine as new."""
    shared.say("stop", "setoption name MultiPV value 1", "setoption name UCI_ShowWDL value false", "ucinewgame")
    choose(shared, "alphabeta")
    return shared


def choose(talk: Talk, algorithm: str) -> list[str]:
    """Have an algorithm loaded; returns what was said meanwhile."""
    talk.say(f"setoption name Algorithm value {algorithm}", "isready")
    said = talk.until("readyok")
    while "Still compiling" in said[max(len(said) - 2, 0)]:
        talk.say("isready")
        said += talk.until("readyok")
    return said


# A position that is refused.


@pytest.mark.parametrize("refused", ["fen rubbish", "startpos moves e2e4 e2e4", "fen 8/8/8/8/8/8/8/8 w - - 0 1", ""])
@pytest.mark.parametrize("go", ["go depth 2", "go movetime 20", "go infinite"])
def test_no_move_for_a_position_that_is_refused(talk: Talk, refused: str, go: str) -> None:
    """The client has the position that was refused, so that any move of an older one may be illegal there."""
    talk.say("position startpos moves d2d4", f"position {refused}")
    lines = talk.ask(go, "stop")
    assert lines[-1] == "bestmove 0000"
    assert "There is no position to search" in strings(lines)[-1]
    assert talk.ask("position startpos moves d2d4 d7d5", "go depth 1")[-1] != "bestmove 0000", "a good one counts again"


def test_what_other_options_make_impossible_is_no_position_either(talk: Talk) -> None:
    """The rook to castle with stands on g1, which only Chess960 knows."""
    talk.say("setoption name UCI_Chess960 value true", "position fen 4k3/8/8/8/8/8/3PPPPP/3QBKR1 w G - 0 1")
    talk.say("setoption name UCI_Chess960 value false")
    answer = talk.ask("go depth 1")[-1]
    talk.say("setoption name UCI_Chess960 value false", "position startpos")
    assert answer.split()[0] == "bestmove", "a client waits for this"
    assert talk.ask("go depth 1")[-1].split()[1] != "0000"


# Scores.


@pytest.mark.parametrize("algorithm", PROVE)
def test_searches_that_prove_tell_wins_from_losses(talk: Talk, algorithm: str) -> None:
    assert not any("cannot be loaded" in text for text in strings(choose(talk, algorithm)))
    for fen, mate in ((WON, 2), (LOST, -1)):
        lines = talk.ask(f"position fen {fen}", "go nodes 100000")
        assert numbers(lines[-2])["mate"] == str(mate)
        assert not faults(chess.Board(fen), lines)


@pytest.mark.parametrize("algorithm", MEANS)
def test_means_have_a_sign_and_are_hundredths_of_a_pawn(talk: Talk, algorithm: str) -> None:
    assert not any("cannot be loaded" in text for text in strings(choose(talk, algorithm)))
    for side, sign in (("w", 1), ("b", -1)):
        lines = talk.ask(f"position fen {AHEAD.format(side)}", "go nodes 20000")
        assert 100 < sign * int(numbers(lines[-2])["cp"]) < 4000
        assert not faults(chess.Board(AHEAD.format(side)), lines)
    assert abs(int(numbers(talk.ask("position startpos", "go nodes 20000")[-2])["cp"])) < 200


@pytest.mark.parametrize("algorithm", SAMPLE)
def test_a_single_game_that_was_won_is_no_mate(talk: Talk, algorithm: str) -> None:
    choose(talk, algorithm)
    for fen in (LOST, AHEAD.format("w"), chess.STARTING_FEN):
        lines = talk.ask(f"position fen {fen}", "go nodes 3000")
        assert not any("mate" in line.split() for line in lines)
        assert not faults(chess.Board(fen), lines)


def test_shares_of_wins_draws_and_losses(talk: Talk) -> None:
    assert "wdl" not in talk.ask("position startpos", "go depth 1")[0]
    talk.say("setoption name UCI_ShowWDL value true")
    shares = []
    for fen in (WON, chess.STARTING_FEN, LOST):
        words = talk.ask(f"position fen {fen}", "go depth 3")[-2].split()
        shares.append(list(map(int, words[words.index("wdl") + 1 :][:3])))
    assert shares[0] == [1000, 0, 0]
    assert shares[2] == [0, 0, 1000]
    assert sum(shares[1]) == 1000
    assert min(shares[1]) > 100


@pytest.mark.parametrize("algorithm", PROVE)
def test_a_search_that_has_not_proven_anything_tells_no_shares(talk: Talk, algorithm: str) -> None:
    """It has no opinion: a quarter of wins would be made up."""
    choose(talk, algorithm)
    talk.say("setoption name UCI_ShowWDL value true", "setoption name MultiPV value 3")
    lines = [line for line in talk.ask("position startpos", "go nodes 2000") if " pv " in line]
    assert lines
    assert all(" score cp 0 " in line and " wdl " not in line for line in lines)
    best = [line for line in talk.ask(f"position fen {WON}", "go nodes 100000") if " multipv 1 " in line]
    assert " wdl 1000 0 0 " in best[-1]


def test_a_quick_win_is_told_though_it_was_not_looked_for(talk: Talk) -> None:
    """Without `quickest` the search only knows that it wins; what then makes sure of the distance is told too."""
    talk.say("setoption name quickest value false")
    lines = talk.ask(f"position fen {WON}", "go depth 5")
    talk.say("setoption name quickest value true")
    assert not faults(chess.Board(WON), lines)
    assert numbers(lines[-2])["mate"] == "2"


def test_lines_go_on_when_the_first_is_mate(talk: Talk) -> None:
    """One move mates, all others do not: they are searched as deep as was asked for."""
    for algorithm in ("alphabeta", "pvs"):
        choose(talk, algorithm)
        talk.say("setoption name MultiPV value 3")
        lines = talk.ask("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go depth 4")
        last = lines[-4:-1]
        assert [numbers(line)["multipv"] for line in last] == ["1", "2", "3"]
        assert "score mate 1 " in last[0]
        assert {numbers(line)["depth"] for line in last} == {"4"}, algorithm
        assert all(len(line.partition(" pv ")[2].split()) >= 4 for line in last[1:])
        assert lines[-1].split()[1] == "a1a8"


def test_the_moves_to_choose_from_bind_every_search(talk: Talk) -> None:
    for algorithm in ("uct", "pns", "best-first", "random", "nested"):
        choose(talk, algorithm)
        lines = talk.ask(f"position fen {WON}", "go nodes 2000 searchmoves g1f1 g1h1")
        assert {line.partition(" pv ")[2].split()[0] for line in lines if " pv " in line} <= {"g1f1", "g1h1"}, algorithm
        assert lines[-1].split()[1] in ("g1f1", "g1h1")
        assert not any("mate 2" in line for line in lines)


# The conversion, without an engine.


def test_a_share_and_its_hundredths() -> None:
    assert (hundredths_of(0.5), hundredths_of(0.75), hundredths_of(0.25)) == (0, 298, -298)
    for share in (0.01, 0.3, 0.5, 0.9, 0.999):
        assert share_of(hundredths_of(share)) == pytest.approx(share, abs=0.002)
    assert -MOST_BELIEVED < hundredths_of(0.0) < -3000 < 3000 < hundredths_of(1.0) < MOST_BELIEVED


@pytest.mark.parametrize("hundredths", [-15000, -900, -298, 0, 1, 120, 3000])
def test_shares_come_to_what_the_hundredths_let_one_expect(hundredths: int) -> None:
    won, drawn, lost = Score(hundredths).wdl
    assert won + drawn + lost == 1000
    assert min(won, drawn, lost) >= 0
    assert (won + drawn / 2) / 1000 == pytest.approx(share_of(hundredths), abs=0.002)


def test_mates_are_said_where_they_are_proven() -> None:
    chess_game, alphabeta = catalog.position("startpos", "chess").game, catalog.algorithm("alphabeta")
    assert score_of(WIN - 3, alphabeta, chess_game, proven=True).text() == "mate 2"
    assert score_of(4 - WIN, alphabeta, chess_game, proven=True).text() == "mate -2"
    assert score_of(WIN, alphabeta, chess_game, proven=True).text() == f"cp {KNOWN_WIN}", "nobody knows when"
    assert score_of(-WIN, alphabeta, chess_game, proven=True).text() == f"cp {-KNOWN_WIN}"
    seen = score_of(WIN - 3, alphabeta, chess_game, proven=False)
    assert (seen.mate, MOST_BELIEVED < seen.hundredths < KNOWN_WIN) == (None, True)
    assert score_of(10**8, alphabeta, chess_game, proven=False).hundredths == MOST_BELIEVED
    assert mate_in(1, won=True).mate == 1
    assert mate_in(2, won=False).mate == -1


@pytest.mark.parametrize("proven", [True, False])
@pytest.mark.parametrize("beyond", [WIN + 1, WIN + 7, INFINITY, ONGOING])
@pytest.mark.parametrize("algorithm", ["alphabeta", "pvs", "maxn", "best-first", "random"])
def test_no_value_is_told_as_more_than_a_win(algorithm: str, beyond: int, proven: bool) -> None:
    """Such as -INFINITY for a move that was never finished, which was told as cp -1000019000."""
    for sign in (1, -1):
        score = score_of(sign * beyond, catalog.algorithm(algorithm), catalog.position("startpos", "chess").game, proven)
        assert score.mate is None
        assert 0 < sign * score.hundredths <= KNOWN_WIN


def test_a_move_without_a_value_has_no_line() -> None:
    root, pvs = catalog.position("startpos", "chess"), catalog.algorithm("pvs")
    one, two, three = root.game.legal_moves(root.state)[:3]
    found = DepthResult(depth=3, value=50, line=[one], exact=False)
    values = {one: 50, two: -INFINITY, three: 30}
    found.root_moves = [MoveResult(move, value, "exact", 9) for move, value in values.items()]
    assert [line.moves for line in lines_of(found, pvs, root, (one, two, three), 3)] == [(one,), (three,)]


def test_a_bound_and_the_lines_behind_the_first() -> None:
    root, alphabeta = catalog.position("startpos", "chess"), catalog.algorithm("alphabeta")
    one, two, three, four = root.game.legal_moves(root.state)[:4]
    found = DepthResult(depth=3, value=50, line=[one], exact=False)
    found.root_moves = [
        MoveResult(one, 50, "at least", 9),
        MoveResult(two, 10, "exact", 9),
        MoveResult(three, 30, "exact", 9),
        MoveResult(four, 40, "at most", 9),
    ]
    lines = lines_of(found, alphabeta, root, (one, two, three, four), 3)
    assert [line.moves for line in lines] == [(one,), (three,), (two,)]
    assert lines[0].score.text(lines[0].bound).endswith(" lowerbound")
    assert [line.moves[0] for line in lines_of(found, alphabeta, root, (two, four), 3)] == [two]
