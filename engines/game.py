"""The Python side of a game: notation, diagrams, values as people see them.

A game's rules and evaluation are the generic functions of `engines.rules`. What people read and write, they read and write
through a `Game`: one game, at one size, with its options.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from engines.contract import Evaluation, InputError, Outcome, Parameter, Setting, Term, shown
from engines.game_facts import GameFacts
from engines.notation import COUNTS, Grid, Square, TextForm, split_moves, without_numbers
from engines.position import Position
from engines.rules import MAX_MOVES, WIN, WIN_EDGE, Rules, State, play, successors, terms
from engines.rules_chance import by_chance, likelihood

SHOWN_WIN = 1_000_000
"""What a win is worth in what people see, less the plies to it."""
FOREVER = 400_000
"""Where it is won to go on for ever, that is worth as much as a win so many plies away."""


class Game(TextForm, GameFacts, ABC):
    """One game at one size. `rules` is what its kernels take."""

    id: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    default_size: ClassVar[str] = ""
    """Empty if the game has no sizes."""
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    term_names: tuple[str, ...]
    marks: tuple[str, ...] = ("", "")
    """Which letters of a diagram are the first player's, which the second's, and so on."""
    figures: ClassVar[Mapping[str, str]] = {}
    """The pictures that stand for letters, where a screen has them."""
    players: tuple[str, ...] = ("first", "second")
    player_count: int = 2
    """1: a single player wants the largest score, and there is nobody else."""
    has_chance: ClassVar[bool] = False
    """Nature moves too (`engines.rules_chance`): values may be expectations."""
    nature: ClassVar[str] = "chance"
    """What moves where no player does."""
    touch_plays: ClassVar[bool] = False
    """A move is made by touching one of its squares (`touched_by`), not by picking up a man."""
    men_fall: ClassVar[bool] = False
    """A man put into a column falls as far as it can, so that the column alone says which move is meant."""
    has_winner: bool = True
    """A finished game is won, lost or drawn. False: it pays a gain."""
    means_are_bounded: ClassVar[bool] = True
    """Results that are sampled lie between 0 and 1 for certain. False: a score may be better than what counts as a win."""
    has_engines: ClassVar[bool] = False
    """There are programs that speak UCI and play it."""
    has_references: ClassVar[bool] = False
    """There are opening books and tables of endings by others for it (`positions.references`)."""
    tables_by_ending: ClassVar[bool] = False
    """Its tables of solved positions are not of the whole game but of endings, each named by its men."""
    suite_algorithms: ClassVar[tuple[str, ...]] = ()
    """The algorithms that solve test suites of it if nobody names one, the first that there is; empty if no suite has
    answers for it."""
    suite_seconds: ClassVar[float | None] = None
    """The time for each position of a test suite if nobody gives a limit; None: it is searched to the end of the game."""
    default_depth: ClassVar[int] = 6
    opening_plies: ClassVar[int] = 4
    """The random moves that make an opening: enough for many different games, too few to decide them."""
    remembers: ClassVar[bool] = False
    """What a position is worth may depend on the way to it, as where repetition counts."""
    code_bits: int = 16
    """A policy has 2 to this many places for the codes of moves (`engines.rules.move_code`)."""
    endless: int | None = None
    """Who wins a game that never ends: 1, -1, or 0 if that is a draw; None if none does, or nobody can tell."""
    results: tuple[int, ...] = (-WIN, 0, WIN)
    """All that a finished game can be worth to the first player, from the least to the most."""
    longest_text: ClassVar[int] = 20_000
    """A notation longer than this is not a position."""

    code: str = ""
    """What compiled code is called for it: its id, if options that make it another game do not say otherwise."""
    variants: ClassVar[tuple[Mapping[str, str], ...]] = ()
    """Options with which it needs other code."""

    rules: Rules
    unit: int = 1
    """How many units of the kernels make 1 of what is shown."""
    fineness: float = 1.0
    """On a tape, expectations and the values of several players are written in so many steps to 1 of a kernel's units."""
    fineness_before: float | None = None
    """The fineness on tapes of version 0.1, which do not contain it, if it was a different one."""
    margin: int = 1
    """What makes a noticeable difference in the evaluation, in units of the kernels."""

    def __init__(self, size: str, options: Mapping[str, Setting]) -> None:
        self.size = size
        self.options = dict(options)
        self.code = self.code or self.id

    # What each game writes for itself.

    @abstractmethod
    def start(self) -> State:
        """The position a game starts from."""

    @abstractmethod
    def read_board(self, text: str) -> State:
        """The position of a diagram, or an InputError that says what is wrong where."""

    @abstractmethod
    def board_text(self, state: State) -> str:
        """The diagram that `read_board` reads back, on one line."""

    @abstractmethod
    def diagram(self, state: State) -> str:
        """The board for people, in plain text with coordinates."""

    @abstractmethod
    def move_text(self, state: State, move: int) -> str:
        """A move in notation."""

    @classmethod
    def split(cls, text: str) -> tuple[str, list[str]]:
        """The position that a notation starts with, and the moves that it plays from there."""
        return split_moves(text)

    @classmethod
    def doubt(cls, text: str) -> str | None:
        """Why no game leads to the position of a notation that can be read, in a sentence; None if nothing speaks against
        it."""
        return None

    @classmethod
    def size_of(cls, text: str) -> str | None:
        """The size that a notation implies, or None if it implies none."""
        return None

    @classmethod
    def create(cls, text: str, size: str | None, options: Mapping[str, Setting]) -> Game:
        """The game that a notation, without its moves, is about."""
        return cls(size or cls.size_of(text) or cls.default_size, options)

    def read_move(self, state: State, text: str) -> int:
        """The legal move that a person wrote; an InputError if there is none."""
        wanted = self.normal_move(text)
        for move in self.legal_moves(state):
            if self.move_text(state, move) == wanted:
                return move
        raise InputError(f"{shown(text)} is not a legal move here; {self._choices(state)}.")

    def normal_move(self, text: str) -> str:
        """A move as people may write it, brought to the one form that `move_text` gives."""
        return text.strip().lower()

    def moves_in(self, words: Sequence[str]) -> list[str]:
        """The moves that are written one after the other: their numbers are no moves."""
        return without_numbers(words)

    def read_size(self, names: Sequence[str], allowed: Callable[[int], range]) -> tuple[int, ...]:
        """The numbers of the size, such as `7x6` or `3,3,3`; `allowed` tells for each place which may stand there."""
        form = "x".join(name.split()[0].upper() for name in names)
        parts = self.size.lower().replace(",", "x").split("x")
        if len(parts) != len(names) or not all(part.strip().isdecimal() and len(part) < 5 for part in parts):
            raise InputError(f"A size is written {form}, not {shown(self.size)}.")
        for name, part, span in zip(names, parts, map(allowed, range(len(names))), strict=True):
            if int(part) not in span:
                raise InputError(
                    f"The size {shown(self.size)} has {int(part)} {name}; {name} go from {span[0]} to {span[-1]}."
                )
        self.size = "x".join(str(int(part)) for part in parts)
        return tuple(int(part) for part in parts)

    def read(self, text: str) -> tuple[State, list[str]]:
        """The start and the moves, as text, that a notation without the word `moves` stands for."""
        return (self.start() if text == "startpos" else self.read_board(text)), []

    def position_text(self, start: State, played: Sequence[int]) -> str:
        """The notation of a position with its history, read back by `position`."""
        board = self.board_text(start)
        if board == self.board_text(self.start()):
            board = "startpos"
        return f"{board} moves {' '.join(self.line_text(start, played))}" if played else board

    # What all games share.

    def position(self, text: str) -> Position:
        """The position that a person wrote: a notation, then optionally `moves` and moves."""
        board, tail = self.split(text)
        if not board:
            what = "The position before 'moves'" if text.strip() else "The position"
            raise InputError(f"{what} is empty; write startpos for the start of a game.")
        start, written = self.read(board)
        state, played = start, []
        for number, move_text in enumerate([*written, *self.moves_in(tail)], 1):
            try:
                move = self.read_move(state, move_text)
            except InputError as error:
                if not self.legal_moves(state):
                    raise InputError(f"Move {number}, {shown(move_text)}, comes after the end of the game.") from None
                raise InputError(f"Move {number}: {error}") from None
            state = play(self.rules, state, move)
            played.append(move)
        return Position(self, start, tuple(played))

    def legal_moves(self, state: State) -> list[int]:
        """All legal moves, in the game's own order; none if the game is over."""
        out = np.zeros(MAX_MOVES, np.int64)
        count = successors(self.rules, state, out)
        return [int(move) for move in out[:count]]

    def rules_for(self, position: Position) -> Rules:
        """The rules for one search from a position. A game in which the past matters puts the position's history in."""
        return self.rules

    def grid(self, state: State) -> Grid | None:
        """The board as rows of letters, for a screen to draw; None if the game is not played on squares."""
        return None

    def move_squares(self, state: State, move: int) -> tuple[Square, ...]:
        """The squares of a move: where the man stands and where it goes, or where a new one is put."""
        return ()

    def touched_by(self, state: State, move: int) -> tuple[Square, ...]:
        """The squares of which one touch makes the move, where a touch does."""
        return self.move_squares(state, move)

    def standing(self, position: Position) -> str:
        """Who is to move; in a game of one player, the score so far."""
        return f"{self.nature} to move" if position.by_chance else f"{self.players[position.mover]} to move"

    def ending(self, position: Position) -> str | None:
        """Why a finished game ended, in a few words such as `checkmate`; None if there is nothing to add to who won."""
        return None

    def outcome(self, value: int) -> Outcome | None:
        """Who wins by an exact value for the first player; None if the game has no winners."""
        if not self.has_winner:
            return None
        return "first" if value >= WIN_EDGE else "second" if value <= -WIN_EDGE else "draw"

    def question(self, target: int) -> str:
        """The question whether the first player gets at least so much, in words."""
        if not self.has_winner:
            return f"Does {self.players[0]} get at least {target / self.unit:g}?"
        return f"Does {self.players[0]} win?" if target >= WIN_EDGE else f"Does {self.players[0]} at least draw?"

    def shown_value(self, value: int) -> float:
        """A value for the first player as people see it."""
        if self.has_winner and abs(value) >= WIN_EDGE:
            return float(SHOWN_WIN - distance(value)) * (1 if value > 0 else -1)
        return value / self.unit

    def shown_payoff(self, value: float) -> float:
        """An expectation, or one player's value, as people see it."""
        if self.has_winner and not self.has_chance:
            return self.shown_value(round(value))
        return value / self.unit

    def payoff_bounds(self) -> tuple[float, tuple[float, ...]]:
        """The most that the values of all players can come to together, and the least that each can get."""
        return 0.0, (-float(WIN),) * 2

    def likelihood(self, state: State, move: int) -> float | None:
        """How probable a move is, where nature makes it."""
        return float(likelihood(self.rules, state, move)) if by_chance(self.rules, state) else None

    def shown_mean(self, mean: float) -> float:
        """A mean of results for the first player, from 0 to 1, as people see it: from -1 (the second wins) to 1."""
        return 2.0 * mean - 1.0

    def evaluation(self, state: State) -> Evaluation:
        """The static evaluation, term by term, from the first player's side."""
        counts = [int(count) for count in terms(self.rules, state)]
        rows, total = [], 0
        for name, weight, first, second in zip(
            self.term_names, self.rules.data.weights, counts[::2], counts[1::2], strict=True
        ):
            worth = int(weight) * (first - second)
            total += worth
            rows.append(Term(name=name, first=first, second=second, weight=int(weight) / self.unit, value=worth / self.unit))
        return Evaluation(value=total / self.unit, terms=tuple(rows))

    def pretty_line(self, state: State, line: Sequence[str]) -> tuple[str, ...]:
        """A line of play in notation, as people like to read it on a screen."""
        return tuple(line)

    def line_text(self, state: State, line: Sequence[int]) -> tuple[str, ...]:
        """A line of play in notation."""
        texts = []
        for move in line:
            texts.append(self.move_text(state, move))
            state = play(self.rules, state, move)
        return tuple(texts)

    def plies_left(self, state: State) -> int | None:
        """How many plies can follow at most, where every one fills a place on the board; None if nothing bounds them."""
        return None

    def depth_from(self, state: State) -> int:
        """How deep to search if nobody says."""
        return self.default_depth

    def lacks(self, need: str, state: State) -> str | None:
        """Why this game from here on does not have what an algorithm needs; None if it has."""
        if need in ("alternating", "opponent", "alone"):  # none of them is meant for more players, or for chance
            for other in ("sides", "no chance"):
                if reason := self.lacks(other, state):
                    return reason
        if need in ("alternating", "opponent") and self.player_count == 1:
            return f"{self.title} has one player"
        if need == "company" and self.player_count == 1:
            return f"{self.title} has one player"
        if need == "alone" and self.player_count > 1:
            return f"{self.title} has {COUNTS[self.player_count]} players"
        if need == "sides" and self.player_count > 2:
            return f"{self.title} has {COUNTS[self.player_count]} players here"
        if need == "chance" and not self.has_chance:
            return f"{self.title} has none"
        if need == "no chance" and self.has_chance:
            return f"nature moves in {self.title}"
        if need == "knowledge":
            return f"{self.title} has none"
        if need == "graph":
            return f"{self.title} has too many positions to list"
        if need == "table" and self.table_name(state) is None:
            return f"no tables are made for {self.title}"
        return f"they do not play {self.title}" if need == "uci" and not self.has_engines else None

    def knowledge(self) -> Any:
        """What the game knows of its own values, for `engines.parts.solving.questions`. Asked only if nothing lacks."""
        raise NotImplementedError

    def table_name(self, state: State) -> str | None:
        """The name of the table that has this position when the game is solved as a whole; None if no such table is made."""
        return None

    def table_bytes(self, name: str) -> int:
        """About how much memory it takes to build a table."""
        return 0

    def table_options(self) -> dict[str, Setting]:
        """The options that make another table of it, where they are not the usual ones."""
        return {}

    def node_name(self, node: int) -> str:
        """What a node is called, in a game whose positions are the nodes of a graph."""
        return str(node)

    def timeless(self, state: State) -> State:
        """The position as a table sees it: as if it had no past."""
        return state

    def past_that_matters(self, state: State) -> str:
        """What a table that sees a position without its past leaves out of account, in a sentence."""
        return "The table knows nothing of what was played before."

    def without_evaluation(self, state: State, plies: int | None) -> str:
        """Which positions so many plies ahead, or anywhere ahead, have no evaluation, so that a search which stops there
        takes them for 0, in a sentence; empty if all have one."""
        return ""

    def _choices(self, state: State) -> str:
        names = self.line_choices(state)
        if len(names) <= 24:
            return "legal are " + " ".join(names)
        return f"there are {len(names)} legal moves, such as " + " ".join(names[:8])

    def with_options(self, options: Mapping[str, Setting]) -> Game:
        """The same game at the same size, with some other options."""
        return _with_options(type(self), self.size, tuple({**self.options, **options}.items()))

    def line_choices(self, state: State) -> list[str]:
        """The legal moves in notation."""
        return [self.move_text(state, move) for move in self.legal_moves(state)]


def distance(value: int) -> int:
    """Plies to the end of a won or lost game."""
    return WIN - abs(value)


@lru_cache(maxsize=64)
def _with_options(kind: type[Game], size: str, options: tuple[tuple[str, Setting], ...]) -> Game:
    """The game with these options."""
    return kind(size, dict(options))


CAP = 20
"""A win counts as so many margins when errors are measured."""


def margins(value: float, game: Game) -> float:
    """A value in margins of the game (pawns of chess), wins as large as they can be."""
    if game.has_winner and abs(value) > SHOWN_WIN / 2:
        return CAP if value > 0 else -CAP
    return max(-CAP, min(CAP, value * game.unit / game.margin))
