"""`plybench uci`: a conversation through pipes, and a well-known GUI library on the other side."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from time import perf_counter, sleep

import chess
import chess.engine
import pytest

from tests.workbench.uci.talk import COMMAND, READY, Talk, numbers, strings
from workbench.uci.go import Budget, Go, budget, read_go

STOCKFISH = shutil.which("stockfish", path="/usr/games:/usr/local/bin:/usr/bin")
MATE_IN_TWO = "6k1/5ppp/8/8/8/8/1R6/R5K1 w - - 0 1"
FRITZ_TRAP = "position startpos moves f2f3 e7e5 g2g4 d8h4"


@pytest.fixture(scope="module")
def shared() -> Iterator[Talk]:
    talk = Talk()
    talk.get_ready()
    yield talk
    talk.quit()


@pytest.fixture
def talk(shared: Talk) -> Talk:
    """An engine as new."""
    shared.say("stop", "setoption name MultiPV value 1", "setoption name UCI_Chess960 value false", "ucinewgame", "isready")
    shared.until("readyok")
    shared.say("position startpos")
    return shared


def test_it_introduces_itself(talk: Talk) -> None:
    talk.say("uci")
    lines = talk.until("uciok")
    assert lines[0].startswith("id name Plybench ")
    assert lines[1].startswith("id author ")
    options = {line.split(" type ")[0].removeprefix("option name "): line.split(" type ")[1] for line in lines[2:-1]}
    assert options["Algorithm"].startswith("combo default alphabeta var minimax var negamax var alphabeta")
    assert options["Hash"].startswith("spin default ")
    assert options["Threads"].startswith("spin default 1 min 1 max ")
    assert options["MultiPV"].startswith("spin default 1 min 1 max ")
    assert options["Evaluation"] == "combo default tapered var shannon var tapered"
    assert options["UCI_Chess960"] == "check default false"
    assert options["quickest"] == "check default true", "what the algorithm declares"
    assert options["Clear Hash"] == "button"
    assert {"Ponder", "Move Overhead"} <= set(options)


def test_info_lines_have_what_a_gui_shows(talk: Talk) -> None:
    *infos, best = talk.ask("position startpos moves e2e4", "go depth 3")
    assert len(infos) == 3
    for depth, line in enumerate(infos, 1):
        found = numbers(line)
        assert {"depth", "seldepth", "multipv", "score", "nodes", "nps", "time", "pv"} <= set(found)
        assert (int(found["depth"]), found["multipv"], found["score"]) == (depth, "1", "cp")
    nodes = [int(numbers(line)["nodes"]) for line in infos]
    assert nodes == sorted(nodes)
    pv = infos[-1].partition(" pv ")[2].split()
    assert best.split() == ["bestmove", pv[0], "ponder", pv[1]]
    board = chess.Board()
    for move in ("e2e4", *pv):
        board.push_uci(move)


def test_values_are_for_the_side_to_move(talk: Talk) -> None:
    for side, sign in (("w", 1), ("b", -1)):
        lines = talk.ask(f"position fen 4k3/8/8/8/8/8/8/QQ2K3 {side} - - 0 1", "go depth 1")
        assert sign * int(numbers(lines[-2])["cp"]) > 0


def test_mates_are_counted_in_moves(talk: Talk) -> None:
    lines = talk.ask("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go depth 3")
    assert "score mate 1 " in lines[-2]
    assert lines[-1].split()[1] == "a1a8"
    lines = talk.ask("position fen 7k/8/8/8/8/8/1R6/R5K1 w - - 0 1", "go mate 2")
    assert "score mate 2 " in lines[-2]
    lines = talk.ask("position fen 7k/R7/8/8/8/8/1R6/6K1 b - - 0 1", "go depth 4")
    assert "score mate -1 " in lines[-2]


def test_a_finished_game_has_no_move(talk: Talk) -> None:
    assert talk.ask(FRITZ_TRAP, "go depth 3") == ["info depth 0 score mate 0", "bestmove (none)"]
    stalemate = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    assert talk.ask(stalemate, "go depth 3") == ["info depth 0 score cp 0", "bestmove (none)"]


def test_a_draw_that_nobody_claims_is_played_on(talk: Talk) -> None:
    shuffle = "g1f3 g8f6 f3g1 f6g8 " * 2
    best = talk.ask(f"position startpos moves {shuffle}", "go depth 2")[-1]
    assert chess.Move.from_uci(best.split()[1]) in chess.Board().legal_moves
    fifty = "position fen 4k3/8/8/8/8/8/R7/4K3 w - - 100 90"
    assert chess.Move.from_uci(talk.ask(fifty, "go depth 2")[-1].split()[1]) in chess.Board(fifty[13:]).legal_moves


def test_history_reaches_the_search(talk: Talk) -> None:
    """Black is lost, but may repeat for the third time: Kh8 is worth a draw to White's queen ending, with history only."""
    start = "6k1/8/6K1/8/8/8/8/5Q2 w - - 0 1"
    moves = "f1f2 g8h8 f2f1 h8g8 f1f2 g8h8 f2f1"
    with_history = talk.ask(f"position fen {start} moves {moves}", "go depth 1")[-2]
    without = talk.ask("position fen 7k/8/6K1/8/8/8/8/5Q2 b - - 7 4", "go depth 1")[-2]
    assert "score cp 0" in with_history, "h8g8 comes to the start for the third time"
    assert int(numbers(without)["cp"]) < -500


def test_several_best_lines(talk: Talk) -> None:
    talk.say("setoption name MultiPV value 3")
    lines = talk.ask("position startpos", "go depth 2")
    last = lines[-4:-1]
    assert [numbers(line)["multipv"] for line in last] == ["1", "2", "3"]
    values = [int(numbers(line)["cp"]) for line in last]
    assert values == sorted(values, reverse=True)
    assert len({numbers(line)["pv"] for line in last}) == 3
    talk.say("setoption name MultiPV value 248")
    assert len({numbers(line)["pv"] for line in talk.ask("go depth 1")[:-1]}) == 20, "as many as there are moves"


def test_only_these_moves(talk: Talk) -> None:
    lines = talk.ask("position startpos", "go depth 2 searchmoves a2a3 h2h3")
    assert lines[-1].split()[1] in ("a2a3", "h2h3")
    assert all(numbers(line)["pv"] in ("a2a3", "h2h3") for line in lines[:-1])
    lines = talk.ask("go searchmoves a2a5 e2e4 depth 1")
    assert "'a2a5' is not a legal move here" in strings(lines)[0]
    assert lines[-1] == "bestmove e2e4"


@pytest.mark.parametrize("how", ["infinite", "ponder wtime 1000 btime 1000", "ponder infinite", ""])
def test_stop_is_answered_at_once(talk: Talk, how: str) -> None:
    talk.say("position startpos", f"go {how}")
    sleep(0.1)
    talk.say("isready")
    talk.until("readyok", 1)
    told = perf_counter()
    assert talk.ask("stop")[-1].startswith("bestmove ")
    assert perf_counter() - told < 0.5, "50 ms, and something for a busy machine; the benchmark is strict"


def test_stop_right_behind_go(talk: Talk) -> None:
    for _ in range(20):
        best = talk.ask("position startpos", "go infinite", "stop")[-1].split()[1]
        assert chess.Move.from_uci(best) in chess.Board().legal_moves


def test_an_infinite_search_waits_even_if_there_is_nothing_left_to_find(talk: Talk) -> None:
    talk.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go infinite")
    sleep(0.3)
    talk.say("isready")
    assert not any(line.startswith("bestmove") for line in talk.until("readyok"))
    assert talk.ask("stop")[-1].startswith("bestmove a1a8")


def test_ponderhit_starts_the_clock(talk: Talk) -> None:
    talk.say("position startpos moves e2e4 e7e5", "go ponder wtime 3000 btime 3000")
    sleep(0.5)
    talk.say("isready")
    assert not any(line.startswith("bestmove") for line in talk.until("readyok"))
    told = perf_counter()
    talk.ask("ponderhit")
    assert perf_counter() - told < 1


def test_limits_are_kept(talk: Talk) -> None:
    talk.say("position startpos")
    assert int(numbers(talk.ask("go nodes 500")[-2])["nodes"]) <= 500
    assert talk.ask("go nodes 1")[-1].startswith("bestmove ")
    began = perf_counter()
    talk.ask("go movetime 300")
    assert 0.2 < perf_counter() - began < 1.5
    began = perf_counter()
    talk.ask("go wtime 0 btime 0")
    assert perf_counter() - began < 1.0


def test_perft(talk: Talk) -> None:
    talk.say("position startpos", "go perft 3")
    *moves, total = talk.until("Nodes searched", READY)
    assert total == "Nodes searched: 8902"
    assert (len(moves), "e2e4: 600" in moves) == (20, True)


def test_the_board_is_shown(talk: Talk) -> None:
    talk.say("position startpos moves e2e4", "d")
    lines = talk.until("Legal moves")
    assert lines[4] == "4 . . . . P . . ."
    assert lines[-2] == "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


BAD = [
    ("fly me to the moon", "is not a command"),
    ("position fen rubbish", "The board has 8 rows"),
    ("position startpos moves e2e4 e7e5 e1e3", "Move 3"),
    ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
    ("position", "startpos"),
    ("position e2e4", "startpos"),
    ("setoption name Speed value 9", "There is no option 'Speed'"),
    ("setoption name Hash value much", "Hash is a whole number, not 'much'"),
    ("setoption name Hash value -4", "Hash must be from"),
    ("setoption name Evaluation value guess", "Choose from shannon and tapered"),
    ("setoption Hash 4", "setoption name NAME value VALUE"),
    ("\x00\x01\xff", "is not a command"),
    ("position fen " + "q" * 30000 + " w - - 0 1", "at most 20,000 characters"),
]


@pytest.mark.parametrize(("line", "hint"), BAD, ids=[line[:30] for line, _ in BAD])
def test_bad_input_is_one_sentence_and_changes_nothing(talk: Talk, line: str, hint: str) -> None:
    talk.say("position startpos moves d2d4", line, "d")
    lines = talk.until("Legal moves")
    assert hint in strings(lines)[0]
    assert len(strings(lines)) == 1
    assert "3P4" in lines[-2]


def test_bad_limits_still_give_a_move(talk: Talk) -> None:
    for words in ("depth deep", "movetime", "depth -3", "nodes 0", "movetime -5", "wtime x btime y", "depth 99999 nodes 10"):
        assert talk.ask("position startpos", f"go {words}")[-1].startswith("bestmove "), words


def test_words_before_a_command_are_skipped(talk: Talk) -> None:
    talk.say("joho isready")
    assert strings(talk.until("readyok"))


def test_a_second_go_is_refused(talk: Talk) -> None:
    talk.say("position startpos", "go infinite", "go depth 1")
    assert "under way" in talk.until("info string")[-1]
    assert sum(line.startswith("bestmove") for line in talk.ask("stop")) == 1


def test_options_may_be_set_behind_the_position(talk: Talk) -> None:
    talk.say("position fen 4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1")
    tapered = talk.ask("go depth 1")[-2]
    talk.say("setoption name Evaluation value SHANNON")
    shannon = talk.ask("go depth 1")[-2]
    talk.say("setoption name evaluation value tapered")
    assert numbers(shannon)["cp"] != numbers(tapered)["cp"]
    assert numbers(talk.ask("go depth 1")[-2])["cp"] == numbers(tapered)["cp"]


def test_another_algorithm(talk: Talk) -> None:
    talk.say("setoption name Algorithm value random", "isready")
    talk.until("readyok", READY)
    best = talk.ask("position startpos", "go movetime 100")[-1].split()[1]
    assert chess.Move.from_uci(best) in chess.Board().legal_moves
    talk.say("setoption name Algorithm value alphabeta")


def test_the_end_of_the_input_ends_it() -> None:
    done = subprocess.run(COMMAND, input="uci\n", capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "uciok" in done.stdout


def test_an_algorithm_there_is_not() -> None:
    done = subprocess.run([*COMMAND[:-1], "alfabeta"], input="", capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 2
    assert "Did you mean alphabeta?" in done.stderr


# A GUI library on the other side.


@pytest.fixture(scope="module")
def engine(shared: Talk) -> Iterator[chess.engine.SimpleEngine]:
    """The engine, driven by python-chess. `shared` has seen to it that everything is compiled."""
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=30) as engine:
        yield engine


def is_legal(board: chess.Board, move: chess.Move | None) -> bool:
    return move is not None and board.is_legal(move)


def test_python_chess_plays(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("7k/8/8/8/8/8/1R6/R5K1 w - - 0 1")
    while not board.is_game_over():
        board.push(engine.play(board, chess.engine.Limit(depth=3), game="mate").move or chess.Move.null())
    assert board.is_checkmate()
    assert len(board.move_stack) == 3


@pytest.mark.parametrize("limit", [{"time": 0.1}, {"nodes": 300}, {"mate": 1}, {"white_clock": 1.0, "black_clock": 1.0}])
def test_python_chess_limits(engine: chess.engine.SimpleEngine, limit: dict[str, float]) -> None:
    result = engine.play(chess.Board(), chess.engine.Limit(**limit), info=chess.engine.INFO_ALL)  # type: ignore[arg-type]
    assert is_legal(chess.Board(), result.move)


def test_python_chess_analyses(engine: chess.engine.SimpleEngine) -> None:
    lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=2), multipv=4)
    assert len({line["pv"][0] for line in lines}) == 4
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 4:
                break
        analysis.stop()
        assert is_legal(chess.Board(), analysis.wait().move)
    mated = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), chess.engine.Limit(depth=2))
    assert mated["score"].relative == chess.engine.Mate(1)


def test_python_chess_sets_options(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"Hash": 32, "quickest": False, "Move Overhead": 10, "Clear Hash": None})
    engine.configure({"quickest": True, "Move Overhead": 50})
    with pytest.raises(chess.engine.EngineError):
        engine.configure({"Speed": 9})


def test_python_chess_castles_in_chess960(engine: chess.engine.SimpleEngine) -> None:
    """With the rook on g1 castling is the one good move; it is written as the king taking the rook."""
    board = chess.Board("4k3/8/8/8/8/8/3PPPPP/3QBKR1 w G - 0 1", chess960=True)
    only = chess.Move.from_uci("f1g1")
    result = engine.play(board, chess.engine.Limit(depth=2), root_moves=[only])
    assert result.move == only
    board.push(only)
    assert is_legal(board, engine.play(board, chess.engine.Limit(depth=2)).move)


def play_on_the_clock(white: chess.engine.SimpleEngine, black: chess.engine.SimpleEngine, clock: float, plies: int) -> None:
    """A game, or the beginning of one, in which nobody may run out of time."""
    board, clocks, increment = chess.Board(), {chess.WHITE: clock, chess.BLACK: clock}, 0.05
    while not board.is_game_over() and board.ply() < plies:
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK], white_inc=increment, black_inc=increment
        )
        began = perf_counter()
        move = (white if board.turn else black).play(board, limit, game=id(board)).move
        clocks[board.turn] -= perf_counter() - began
        assert clocks[board.turn] > 0, f"out of time at {board.fen()}"
        clocks[board.turn] += increment
        assert move is not None
        board.push(move)


def test_never_out_of_time(engine: chess.engine.SimpleEngine) -> None:
    play_on_the_clock(engine, engine, clock=2.0, plies=60)


@pytest.mark.skipif(STOCKFISH is None, reason="Stockfish is not installed")
def test_a_game_with_stockfish(engine: chess.engine.SimpleEngine) -> None:
    with chess.engine.SimpleEngine.popen_uci([str(STOCKFISH)]) as stockfish:
        play_on_the_clock(engine, stockfish, clock=1.0, plies=20)


# The clock, without an engine.


def on_clock(text: str, overhead: float = 0.05) -> Budget:
    found = budget(read_go(text.split()), True, overhead)
    assert found is not None
    return found


@pytest.mark.parametrize("clock", [0, 1, 10, 49, 50, 51, 100, 1000, 60_000, 10_000_000])
@pytest.mark.parametrize("rest", ["", "winc 1000", "winc 100000", "movestogo 1", "movestogo 2", "movestogo 40 winc 50"])
def test_a_budget_never_uses_up_the_clock(clock: int, rest: str) -> None:
    found = on_clock(f"wtime {clock} btime 5 {rest}")
    assert 0 < found.soft <= found.hard
    assert found.hard < max(clock / 1000, 0.002)
    if clock > 500:
        assert found.hard < clock / 1000 - 0.05


def test_a_budget_is_a_share_of_the_clock() -> None:
    minute = on_clock("wtime 60000 btime 1")
    assert 0.5 < minute.soft < 2 < minute.hard < 10
    assert on_clock("wtime 60000 movestogo 2").soft > minute.soft
    assert on_clock("wtime 60000 winc 5000").soft > minute.soft
    assert on_clock("movetime 1000") == Budget(0.95, 0.95)
    assert budget(Go(), True, 0.05) is None
    assert budget(read_go(["btime", "5"]), True, 0.05) is None


def test_go_is_read_word_by_word() -> None:
    asked = read_go(["searchmoves", "e2e4", "d2d4", "wtime", "-5", "infinite", "depth", "300", "frog", "nodes"])
    assert asked.moves == ["e2e4", "d2d4"]
    assert asked.numbers == {"wtime": -5, "depth": 300}
    assert (asked.waits, asked.depth, len(asked.complaints)) == (True, 240, 2)
    assert read_go(["mate", "3"]).depth == 6
