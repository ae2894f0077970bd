"""Random searches for the examiner: positions of games that have naive rules, with random switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import chess

from engines import catalog
from engines.contract import Limit, Setting
from engines.position import Position
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.examiner.oracles import Branch, ForThree, ForTwo, Roll
from tests.naive.chance import random_tree
from tests.naive.chess import Chess
from tests.naive.one_player import SameGame
from tests.strategies import some_case

ROOM = 20_000
"""The largest number of nodes on a tape."""


@dataclass(frozen=True)
class Case:
    """A position, and its counterpart of the naive rules."""

    position: Position
    oracle: Any


def recorded(
    position: Position, algorithm: str, parameters: Mapping[str, Setting], seed: int = 0, **limit: int
) -> Recording:
    """Search a position and record every node."""
    tape, found = new_tape(ROOM), catalog.algorithm(algorithm)
    report = Search(position, found, Limit(**limit), parameters, seed, tape=tape).start().report()
    return Recording.of(tape, report, found.view)


def board_case(game: str, random: Random) -> Case:
    """A typed tree without chance, or a small board in the middle of a game."""
    while True:
        case = some_case(game, "small", True, random.randint)
        if case.oracle.result() is None:
            return Case(case.position(), case.oracle)


def chess_case(random: Random) -> Case:
    """Kings and a few men, with captures for both sides."""
    while True:
        board = chess.Board(None)
        squares = random.sample(range(64), random.randint(3, 6))
        board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
        for square in squares[2:]:
            kind = random.choice([chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN])
            board.set_piece_at(square, chess.Piece(kind, random.random() < 0.5))
        board.turn = random.random() < 0.5
        oracle = Chess(board)
        if board.is_valid() and oracle.result() is None:
            return Case(catalog.position(board.fen(), "chess", None, {"evaluation": "shannon"}), oracle)


SWITCHES = ("aspiration", "quiescence", "null_move", "check_extension", "singular_extension", "late_move_reductions",
            "futility", "probcut")  # fmt: skip


def switches(algorithm: str, random: Random) -> dict[str, Setting]:
    """Random parameters of the alpha-beta family. One search in three has no switch that changes what is searched."""
    names = {parameter.name for parameter in catalog.algorithm(algorithm).parameters}
    chosen: dict[str, Setting] = {}
    plain = random.random() < 1 / 3
    for name in SWITCHES:
        if name in names:
            chosen[name] = name == "aspiration" and random.random() < 0.7 if plain else random.random() < 0.4
    if "table" in names:
        chosen["table"] = random.choice([0, 1])
        chosen["ordering"] = random.choice(["none", "full"])
        chosen["beam"] = 0 if plain or random.random() < 0.7 else random.randint(1, 4)
    if "multipv" in names and random.random() < 0.2:
        chosen["multipv"] = 2
    return chosen


def chance_case(game: str, random: Random) -> Case:
    """A typed tree with chance, or EinStein würfelt nicht! with few stones."""
    if game == "tree":
        root = random_tree(random.randint)
        return Case(catalog.position(root.text(0, 2, several=False), "tree"), Branch(root))
    while True:
        squares = random.sample(range(25), random.randint(2, 4))
        letters = ["A", "a", *random.sample("BCbc", len(squares) - 2)]
        rows = [["."] * 5 for _ in range(5)]
        for letter, square in zip(letters, squares, strict=True):
            rows[square // 5][square % 5] = letter
        die = random.choice(["", " 1", " 2", " 3"])
        text = f"{'/'.join(map(''.join, rows))} {random.choice('rb')}{die}"
        oracle = Roll.read(text)
        oracle = Roll(oracle.stones, oracle.red_moves, oracle.die)
        if not oracle.winner():
            return Case(catalog.position(text, "einstein"), oracle)


def company_case(game: str, random: Random) -> Case:
    """A game for two, three or four players: a typed tree in which every player has values, or a board for three or two."""
    if game == "tree":
        players = random.randint(2, 4)
        root = random_tree(random.randint, players, several=True)
        return Case(catalog.position(root.text(0, players, several=True), "tree"), Branch(root))
    if game != "three":
        case = board_case(game, random)
        return Case(case.position, ForTwo(case.oracle))
    width, height = random.choice([(3, 3), (4, 3), (3, 4)])
    position = catalog.position("startpos", "tictactoe", f"{width}x{height}x3", {"players": "3"})
    oracle = ForThree(("." * width,) * height, 3)
    for _ in range(random.randint(2, width * height - 1)):
        move = random.choice(oracle.moves())
        if not oracle.play(move).moves():
            break
        position, oracle = position.play(position.game.read_move(position.state, move)), oracle.play(move)
    return Case(position, oracle)


def solver_case(game: str, random: Random) -> Case:
    """A position of a game that has its own solver, close enough to the end to be solved naively."""
    while True:
        case = some_case(game, "small", True, random.randint)
        board = case.oracle.text().split()[0]
        if game == "connect4":
            affordable = board.count(".") <= 12
        else:
            affordable = sum(letter in "wb" for letter in board) <= (10 if board.count("/") == 3 else 7)
        if not affordable or case.oracle.result() is not None:
            continue
        at_once = any(case.oracle.play(move).result() for move in case.oracle.moves())
        if not at_once or random.random() < 0.1:  # with a win at once there is little to solve
            position = case.position()
            if position.game.lacks("knowledge", position.state) is None:
                return Case(position, case.oracle)


def one_game_case(game: str, random: Random) -> Case:
    """Any game that has naive rules: with one player, two or more, with or without chance."""
    if game in ("three", "several"):
        return company_case("tree" if game == "several" else game, random)
    if game in ("chance", "einstein"):
        return chance_case("tree" if game == "chance" else game, random)
    if game != "samegame":
        return board_case(game, random)
    rows = ["".join(random.choice("ABC") for _ in range(5)) for _ in range(4)]
    oracle = SameGame.read(rows)
    return (
        Case(catalog.position(oracle.text(), "samegame", "5x4"), oracle) if oracle.moves() else one_game_case(game, random)
    )
