"""PGN: every game is found, every position in it can be chosen, and no move is passed over."""

from __future__ import annotations

import io
import logging
import random
import re
import time

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract import InputError
from positions.pgn import position_text, read_games, read_line, read_selector, read_tree
from tests.mutation import ODD, attempt, is_sentence, slips

OPERA = """[Event "Paris"]
[Site "Paris FRA"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy, Paul"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {This is a weak move already. --Fischer} 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
8. Nc3 c6 9. Bg5 b5 10. Nxb5! cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7
16. Qb8+!! Nxb8 17. Rd8# 1-0
"""
LINES = """[Event "Variations"]

1. e4 e5 (1... c5 2. Nf3 (2. c3 d5 $1 (2... Nf6)) 2... d6 3. d4) (1... e6 {French} 2. d4 d5) 2. Nf3 ; a comment (to the end
Nc6 3. Bb5 *
"""
SET_UP = """[Event "Ending"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 3 30"]

30. e4 Kd7 31. e5 1/2-1/2
"""
CHESS960 = """[Event "Chess960"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1"]

1. e4 e5 2. Bh5 Bh4 3. O-O-O 1/2-1/2
"""


@pytest.fixture(autouse=True, scope="module")
def _python_chess_is_silent() -> None:
    """Here it is the second opinion on texts that are wrong on purpose."""
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


def chosen(text: str, selector: str) -> str:
    game, variation, ply = read_selector(selector)
    return position_text(text, game, ply, variation)


def board_of(notation: str) -> chess.Board:
    """The position of a notation, every move of it legal."""
    start, _, moves = notation.partition(" moves ")
    board = chess.Board() if start == "startpos" else chess.Board(start)
    board.chess960 = board.has_chess960_castling_rights()
    for move in moves.split():
        board.push(board.parse_uci(move))
    assert board.is_valid()
    return board


def written(board: chess.Board, number: int, chance: random.Random) -> str:
    """A random game from a position on, as python-chess writes it, with comments and variations."""
    game = chess.pgn.Game.without_tag_roster()
    game.headers["Event"] = f"Random {number}"
    game.setup(board)
    node: chess.pgn.GameNode = game
    board = board.copy()
    for _ in range(chance.randint(0, 60)):
        moves = list(board.legal_moves)
        if not moves:
            break
        chance.shuffle(moves)
        following = node.add_variation(moves[0])
        if chance.random() < 0.1:
            following.comment = "A comment (with [brackets]; and {a brace, 1. e4"
        if len(moves) > 1 and chance.random() < 0.1:
            side = node.add_variation(moves[1], nags=[chess.pgn.NAG_MISTAKE])
            for reply in list(side.board().legal_moves)[:2]:
                side.add_variation(reply)
        node = following
        board.push(moves[0])
    return f"{game}\n\n"


# What is true of these games.


def test_the_opera_game() -> None:
    (entry,) = read_games(OPERA)
    assert (entry.white, entry.black) == ("Morphy, Paul", "Duke Karl / Count Isouard")
    assert (entry.number, entry.event, entry.date, entry.result) == (1, "Paris", "1858.??.??", "1-0")
    assert (entry.plies, entry.start) == (33, "startpos")
    end = board_of(position_text(OPERA))
    assert end.is_checkmate()
    assert end.board_fen() == "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5"
    assert position_text(OPERA, ply=0) == "startpos"
    assert position_text(OPERA, 1, 3) == "startpos moves e2e4 e7e5 g1f3"
    assert board_of(position_text(OPERA, 1, 23)).king(chess.WHITE) == chess.C1
    assert read_line(OPERA).moves[22] == "e1c1"


def test_many_games_in_one_text() -> None:
    text = OPERA + LINES + SET_UP + CHESS960 + "1. d4 d5\n2. c4 *\n1. Nf3 0-1 1. c4 e5\n\n1. f4 f5"
    entries = read_games(text)
    assert [entry.number for entry in entries] == list(range(1, 9))
    assert [entry.plies for entry in entries] == [33, 5, 3, 5, 3, 1, 2, 2]
    assert [entry.result for entry in entries] == ["1-0", "*", "1/2-1/2", "1/2-1/2", "*", "0-1", "*", "*"]
    assert entries[2].start == "4k3/8/8/8/8/8/4P3/4K3 w - - 3 30"
    assert chosen(text, "3") == "4k3/8/8/8/8/8/4P3/4K3 w - - 3 30 moves e2e4 e8d7 e4e5"
    assert chosen(text, "3/0") == "4k3/8/8/8/8/8/4P3/4K3 w - - 3 30"
    assert chosen(text, "6") == "startpos moves g1f3"
    assert chosen(text, "8") == "startpos moves f2f4 f7f5"
    with pytest.raises(InputError, match=r"There are 8 games in this file, not 9\."):
        chosen(text, "9")


def test_chess960_castles_onto_its_rook() -> None:
    assert position_text(CHESS960).endswith("w KQkq - 0 1 moves e2e4 e7e5 d1h5 d8h4 c1b1")
    assert board_of(position_text(CHESS960)).fen().split()[0].endswith("/N1KRBQRN")


@pytest.mark.parametrize(
    ("selector", "moves"),
    [
        ("1", "e4 e5 Nf3 Nc6 Bb5"),
        ("1/0", ""),
        ("1/1", "e4"),
        ("1/2.1", "e4 e5 Nf3 Nc6 Bb5"),
        ("1/2.1/2", "e4 e5 Nf3"),
        ("1/2.2", "e4 c5 Nf3 d6 d4"),
        ("1/2.2/0", "e4"),
        ("1/2.2/1", "e4 c5"),
        ("1/2.2/3", "e4 c5 Nf3 d6"),
        ("1/2.2/2.2", "e4 c5 c3 d5"),
        ("1/2.2/2.2/1", "e4 c5 c3"),
        ("1/2.2/2.2/2.2", "e4 c5 c3 Nf6"),
        ("1/2.3", "e4 e6 d4 d5"),
        ("1/2.3/2", "e4 e6 d4"),
    ],
)
def test_every_line_can_be_chosen(selector: str, moves: str) -> None:
    board = chess.Board()
    for move in moves.split():
        board.push_san(move)
    assert board_of(chosen(LINES, selector)).fen() == board.fen()


def test_games_that_python_chess_writes() -> None:
    chance = random.Random(7)
    boards = [chess.Board.from_chess960_pos(chance.randrange(960)) if i % 3 == 0 else chess.Board() for i in range(24)]
    texts = [written(board, number, chance) for number, board in enumerate(boards)]
    entries, variations = read_games("".join(texts)), 0
    for number, (text, entry) in enumerate(zip(texts, entries, strict=True), 1):
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None
        assert not game.errors
        assert (entry.number, entry.plies) == (number, game.end().ply() - game.ply())
        assert board_of(position_text("".join(texts), number)).fen() == game.end().board().fen()
        for node in game.mainline():
            parent = node.parent
            assert parent is not None
            for choice, other in list(enumerate(parent.variations, 1))[1:]:
                variations += 1
                notation = position_text(text, 1, 1, ((node.ply() - game.ply(), choice),))
                assert board_of(notation).fen() == other.board().fen()
    assert variations > 30


# How people and programs write it.


@pytest.mark.parametrize(
    "text",
    [
        "1.e4 e5 2.Nf3 Nc6",
        "1 e4 e5 2 Nf3 Nc6",
        "e4 e5 Nf3 Nc6",
        "1. e4 1... e5 2. Nf3 2... Nc6 *",
        "1. e4 ... e5 2. Nf3 … Nc6",
        "1. e2e4 e7e5 2. Ng1-f3 Nb8c6",
        "1. e4! e5?! 2. Nf3 $14 +- Nc6 = 1/2",
        "\ufeff1. e4 e5\r\n2. Nf3\r\nNc6",
        "1. e4 e5\n\n2. Nf3 {\n\n[x]} Nc6",
        "% escaped\n; comment\n1. e4 e5 ; 2. d4\n2. Nf3 Nc6 1-0 $1 1-0",
        '[Event "The "Big" one"] [Site "\\"x\\" {("]\n  [FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n\n'
        "1. e4 e5 2. Nf3 Nc6",
        '[Variant "Standard"]\n1. e4 e5 2. Nf3 Nc6',
        "1. e4 e5 (1... --) (1... Nf6 2. -- d5) 2. Nf3 Nc6",
    ],
)
def test_other_ways_to_write_the_same(text: str) -> None:
    assert position_text(text) == "startpos moves e2e4 e7e5 g1f3 b8c6"
    assert [entry.plies for entry in read_games(text)] == [4]


def test_numbers_of_a_game_that_was_set_up() -> None:
    for first in (1, 12, 30):
        moves = f"{first}. e4 Kd7 {first + 1}. e5"
        assert position_text(SET_UP.replace("30. e4 Kd7 31. e5", moves)).endswith("moves e2e4 e8d7 e4e5")


def test_tags_do_nothing_to_a_terminal() -> None:
    (entry,) = read_games('[White "\x1b[31mRed\x07"]\n[Black "a\tb"]\n\n1. e4')
    assert entry.white == "[31mRed"
    assert entry.black == "a b"


# What is wrong, and where.


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "no game"),
        (" \n ; nothing\n{}", "no game"),
        ("1. e4 e5 2. Qz9 Nc6", "Game 1: Move 2 of White: 'Qz9' is not a legal move"),
        ("1. e4 e5 2. Ke3", "Game 1: Move 2 of White: 'Ke3' is not a legal move"),
        ("1. e4 e5 2. Nf3 Nc6 3. Nc3 Nf6 4. Nb5 Nd4 5. Nd4", "Move 5 of White: 'Nd4' can be more than one move"),
        ("1. e4 -- 2. d4", "null move"),
        ("1. e4 e5 2. Bc4 a6 3. Qh5 a5 4. Qxf7# --", "Move 4 of Black: '--' is a null move"),
        ("1. e4 " + "(1. d4 " * 200, "nested more than 100 deep"),
        ("1. Nf3 Nf6 " + "Ng1 Ng8 Nf3 Nf6 " * 5000, "longer than 17,697 plies"),
        ("1. e4 e5 {never closed", "Game 1: A comment opens that is never closed, on line 1."),
        ("1. d4 *\n\n1. e4 {", "Game 2: A comment opens that is never closed, on line 3."),
        ("1. e4 e5\n[oops\n2. Nf3", "'[oops' stands between the moves"),
        ("1. e4 } e5", "'}' is not a legal move"),
        ("1. e4 e\x005", "'e?5' is not a legal move"),
        ('[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n\n1. Kd1', "The tag '[FEN"),
        ('[FEN "4k3/8/8/8/8/8/8/8 w K - 0 1"]\n\n1. Kd1', "FEN tag: White has 0 kings"),
        ('[Variant "Crazyhouse"]\n\n1. e4', "'Crazyhouse'; only chess and Chess960"),
        ('[Variant "wild/0"]\n\n1. e4', "'wild/0'; only chess and Chess960"),
    ],
)
def test_nothing_is_passed_over(text: str, hint: str) -> None:
    number = 2 if "Game 2" in hint else 1
    with pytest.raises(InputError, match=re.escape(hint)) as raised:
        position_text(text, number)
    assert is_sentence(str(raised.value))


@pytest.mark.parametrize(
    ("text", "moves", "hint"),
    [
        ("1. e4 e5 (1... c5 xyz", "e2e4 e7e5", "Move 2 of White: 'xyz' is not a legal move here, on line 1."),
        ("1. e4 e5\n(1... c5 2. Ke8) 2. Nf3", "e2e4 e7e5 g1f3", "'Ke8' is not a legal move here, on line 2."),
        ("1. e4 (1. d4", "e2e4", "A variation is not closed"),
        ("1. e4) e5", "e2e4 e7e5", "A bracket closes, but none is open, on line 1."),
        ("(1. e4)", "e2e4", "no move to replace, on line 1."),
        ("[oops\n\n1. e4", "e2e4", "'[oops' cannot be read as a tag, on line 1."),
        ("1. e4 (1. d4 {) *\n\n", "e2e4", "A comment opens that is never closed, on line 1."),
    ],
)
def test_what_is_wrong_beside_the_line_is_told(text: str, moves: str, hint: str) -> None:
    """The line that was asked for can be had, and nothing is passed over without a word."""
    assert position_text(text) == f"startpos moves {moves}"
    (remark, *_) = read_tree(text).remarks
    assert hint in remark
    assert is_sentence(remark)


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 3. Nf3",
        "7. e4 2. e5 2... Nf3",
        "1. e4 e5 2. Nf3\u203c",
        "1. e4! e5?? 2. Nf3!?\u2a72 N D",
        '[SetUp "1"]\n\n1. e4 e5 2. Nf3',
        '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0"]\n\ne4 e5 Nf3',
    ],
)
def test_slips_that_leave_no_doubt(text: str) -> None:
    """Wrong move numbers, marks in one character, a tag that comes twice: read as python-chess reads it."""
    tree = read_tree(text)
    assert position_text(text) == "startpos moves e2e4 e7e5 g1f3"
    assert tree.remarks == []
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    assert [move.uci() for move in theirs.mainline_moves()] == ["e2e4", "e7e5", "g1f3"]


@pytest.mark.parametrize(
    ("selector", "hint"),
    [
        ("0", "counted from 1"),
        ("2", "There is 1 game in this file, not 2."),
        ("1/6", "Game 1: The line has 5 plies, not 6."),
        ("1/2.2/6", "Game 1: The line has 4 plies, not 6."),
        ("1/2.4", "Game 1: Ply 2 of the line has 3 choices, not 4."),
        ("1/2.0", "Game 1: Ply 2 of the line has 3 choices, not 0."),
        ("1/3.2", "Game 1: Ply 3 of the line has 1 choice, not 2."),
        ("1/6.1", "Game 1: Ply 6 of the line has 0 choices, not 1."),
        ("1/9.1", "Game 1: The line has 5 plies, not 8."),
        ("1/0.1", "counted from 1"),
        *(
            (selector, "A place in a PGN is #GAME")
            for selector in ("", "x", "1/", "-1", "1.2", "1/2.", "1/2/3", "٣", "1" * 99)
        ),
    ],
)
def test_a_place_that_is_not_there(selector: str, hint: str) -> None:
    with pytest.raises(InputError, match=re.escape(hint)) as raised:
        chosen(LINES, selector)
    assert is_sentence(str(raised.value))


# Slips, and size.


def their_lines(text: str) -> list[list[str]] | None:
    """The main lines that python-chess reads; None if it has anything against one."""
    lines, handle = [], io.StringIO(text)
    try:
        while (game := chess.pgn.read_game(handle)) is not None:
            if game.errors or not game.board().is_valid():
                return None
            lines.append([move.uci() for move in game.mainline_moves()])
    except IndexError:  # brackets that are not closed are too much for it
        return None
    return lines


def test_a_thousand_pgns_with_slips() -> None:
    chance = random.Random(4)
    texts = [OPERA, LINES, SET_UP, CHESS960, OPERA + LINES, SET_UP + CHESS960]
    texts += [written(chess.Board(), number, chance) for number in range(10)]
    read = compared = 0
    for text in slips(texts, 1200):
        entries, _ = attempt(read_games, text)
        theirs = their_lines(text)
        ours = []
        for entry in entries or []:
            line, _ = attempt(lambda text, number=entry.number: read_line(text, number), text)  # type: ignore[misc]
            if line is not None:
                read += 1
                board_of(f"{line.start} moves {' '.join(line.moves)}")
                ours.append(list(line.moves))
        if theirs is not None and len(ours) == len(theirs) == len(entries or []):
            compared += 1
            assert ours == theirs, text
    assert read > 300
    assert compared > 200


@given(st.one_of(st.text(max_size=60), st.text(ODD, max_size=60), st.text('[FEN "] 1.e4e5()*{};\n', max_size=60)))
def test_any_text(text: str) -> None:
    attempt(read_games, text)
    notation, _ = attempt(position_text, text)
    if notation is not None:
        board_of(notation)


@pytest.mark.parametrize(
    "piece", ['] [a "x ', "\n", "( ", '\n[a "', "{} ", " ", "9", "1. e4 !", '"', "\\", "1.", "; ", "\n%", "*"]
)
def test_noise_is_read_in_no_time(piece: str) -> None:
    began = time.process_time()
    attempt(position_text, piece * (400_000 // len(piece)))
    assert time.process_time() - began < 3


def test_a_big_file_is_listed_quickly() -> None:
    text = OPERA * 2000
    began = time.process_time()
    assert [entry.number for entry in read_games(text)][-1] == 2000
    assert chosen(text, "2000/4") == "startpos moves e2e4 e7e5 g1f3 d7d6"
    assert time.process_time() - began < 5
