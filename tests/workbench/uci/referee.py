"""Whether what a UCI engine says is so, by python-chess's rules alone."""

from __future__ import annotations

import logging

import chess

KNOWN_WIN = 20_000
SURE_MOVES = 1
"""Mates in so many moves are looked for by trying everything."""


class Hearing(logging.Handler):
    """Hears what python-chess's engine module logs: every line of the engine, and every warning about the protocol."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.warnings: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.levelno >= logging.WARNING:
            self.warnings.append(text)
        elif ": >> " in text:
            self.lines.append(text.partition(": >> ")[2])


def is_over(board: chess.Board) -> bool:
    """Nobody would play on: the game is over, or a draw could be claimed."""
    return board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()


def forces_mate(board: chess.Board, moves: int) -> bool:
    """The side to move can give mate in so many moves, whatever the other side does."""
    for move in list(board.legal_moves):
        board.push(move)
        won = board.is_checkmate() or (moves > 1 and not is_over(board) and is_mated(board, moves - 1))
        board.pop()
        if won:
            return True
    return False


def is_mated(board: chess.Board, moves: int) -> bool:
    """The side to move is given mate in so many moves, whatever it does."""
    for move in list(board.legal_moves):
        board.push(move)
        lost = not is_over(board) and forces_mate(board, moves)
        board.pop()
        if not lost:
            return False
    return True


def faults(board: chess.Board, lines: list[str]) -> list[str]:
    """What is wrong in the answer to one `go` in a position that is not over."""
    found: list[str] = []
    last: list[str] = []
    for line in lines:
        words = line.split()
        if words[0] != "info" or "string" in words:
            continue
        named = {name: words[words.index(name) + 1] for name in ("depth", "seldepth", "multipv", "nodes") if name in words}
        if int(named["depth"]) < 1 or int(named["seldepth"]) < int(named["depth"]):
            found.append(f"depths: {line}")
        if "pv" not in words:
            continue
        pv = words[words.index("pv") + 1 :]
        found += [f"{fault}: {line}" for fault in [*line_faults(board, pv), *score_faults(board, words, pv)]]
        if named.get("multipv", "1") == "1":
            last = pv
    answers = [line.split() for line in lines if line.startswith("bestmove")]
    if len(answers) != 1:
        return [*found, f"{len(answers)} answers"]
    answer = answers[0]
    if chess.Move.from_uci(answer[1]) not in board.legal_moves:
        found.append(f"illegal: {answer}")
    if last and answer[1] != last[0]:
        found.append(f"the answer is {answer[1]}, but the last line was {' '.join(last)}")
    if len(answer) > 2 and answer[2:] != ["ponder", *last[1:2]]:
        found.append(f"{' '.join(answer)} after the line {' '.join(last)}")
    return found


def line_faults(board: chess.Board, pv: list[str]) -> list[str]:
    """A line is legal, and ends where the game does."""
    after, claimable = board.copy(), is_over(board)
    if not pv:
        return ["an empty line"]
    for text in pv:
        if after.is_game_over() or (is_over(after) and not claimable):
            return ["the line goes on after the end"]
        move = chess.Move.from_uci(text)
        if move not in after.legal_moves:
            return [f"{text} is illegal"]
        after.push(move)
    return []


def score_faults(board: chess.Board, words: list[str], pv: list[str]) -> list[str]:
    """A mate is one, in so many moves, and its line leads to it; a win of unknown length is told as a large number."""
    kind, number = words[words.index("score") + 1 :][:2]
    moves = int(number)
    if "wdl" in words and sum(map(int, words[words.index("wdl") + 1 :][:3])) != 1000:
        return ["shares that are not 1000 together"]
    if kind == "cp":
        return ["hundredths beyond a known win"] if abs(moves) > KNOWN_WIN else []
    if "lowerbound" in words or "upperbound" in words:
        return []
    if moves == 0:
        return ["mate in 0 before a move"]
    after = board.copy()
    for text in pv:
        after.push_uci(text)
    if not after.is_checkmate() or len(pv) != (2 * moves - 1 if moves > 0 else -2 * moves):
        return ["the line does not lead to this mate"]
    if abs(moves) > SURE_MOVES:
        return []
    return [] if (forces_mate if moves > 0 else is_mated)(board.copy(), abs(moves)) else ["no such mate"]
