"""Chess for people: FEN, EPD, moves in algebraic or coordinate notation, diagrams. python-chess reads and writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from engines.compiled.bits import EMPTY, popcount
from engines.contract import Evaluation, InputError, Parameter, Setting, Term, shown
from engines.game import Game
from engines.games.chess import shannon, tapered
from engines.games.chess.attacks import new_path, tables
from engines.games.chess.ending import is_dead, why_over
from engines.games.chess.ending_index import MOST_MEN, ending_name
from engines.games.chess.levels import LADDER
from engines.games.chess.state import HISTORY, HOME_ROWS, Chess, Men, clock, plies
from engines.notation import Grid, Square, read_weights, split_moves
from engines.position import Position
from engines.rules import State, packed, play

if TYPE_CHECKING:
    import chess


ROWS = re.compile(r"\s*[KQRBNPkqrbnp1-8]+(?:/[KQRBNPkqrbnp1-8]+){7}(?:\s|$)")
"""The rows of a FEN."""
FIRST_NUMBER = re.compile(r"\s*1\s*[.…]")
"""The number before the first move of a game."""


class ChessGame(Game):
    """Chess, and Chess960 where the castling rights ask for it."""

    id = "chess"
    title = "Chess"
    sentence = "The whole game: castling, en passant, promotion, fifty moves, repetition; from any FEN, Chess960 too."
    players = ("White", "Black")
    has_engines = has_pgn = has_references = True
    numbers_moves_in_pairs = True
    tables_by_ending = True
    suite_algorithms = ("deepening", "alphabeta")
    suite_seconds = 1.0
    remembers = True
    default_depth = 4
    ladder = LADDER
    best_options: ClassVar[Mapping[str, Setting]] = {"evaluation": "tapered"}
    plain_mistake = 0.9  # a man lost is lost at once, too
    margin_name = "pawn"
    threat_name = "check"
    preferred: ClassVar[Mapping[str, Setting]] = {
        "quiescence": True,
        "null_move": True,
        "check_extension": True,
        "late_move_reductions": True,
        "futility": True,
        "playout_depth": 24,
        "level": 1,
    }
    usual_depths = (10, 4)
    compile_seconds = (6.0, 10.0)
    table_maker = "chess_endings"
    smallest_table = ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", None)
    side_letters = ("w", "b")
    has_castling = True
    unit = margin = 100
    marks = ("KQRBNP", "kqrbnp")
    figures: ClassVar[Mapping[str, str]] = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))
    term_names: tuple[str, ...] = shannon.TERMS
    parameters = (
        Parameter(
            name="evaluation",
            judges=True,
            default="shannon",
            choices=("shannon", "tapered"),
            sentence="Shannon's (material, weak pawns and mobility), or what every man is worth on its square.",
        ),
        Parameter(
            name="weights",
            judges=True,
            default=shannon.WEIGHTS,
            sentence="Shannon's weights in hundredths of a pawn: king, queen, rook, bishop or knight, pawn, doubled, "
            "blocked and isolated pawn, move.",
        ),
        Parameter(
            name="doubled",
            judges=True,
            default="extra",
            choices=("extra", "every"),
            sentence="Which doubled pawns Shannon's evaluation counts: those beyond the first on a file, or all.",
        ),
        Parameter(name="chess960", default=False, sentence="Castling is written as the king taking its own rook."),
    )

    def __init__(self, size: str, options: Mapping[str, Setting]) -> None:
        super().__init__(size, options)
        self.chess960 = bool(options["chess960"])
        self.tapered = options["evaluation"] == "tapered"
        self.term_names = tapered.TERMS if self.tapered else shannon.TERMS
        self.data = packed(
            weights=read_weights(str(options["weights"]), len(shannon.TERMS)),
            every_doubled=int(options["doubled"] == "every"),
            tapered=int(self.tapered),
            tables=0,
            square_values=tapered.square_values(),
        )
        self.rules = Chess(self.data, tables(), new_path())

    # Reading.

    @classmethod
    def create(cls, text: str, size: str | None, options: Mapping[str, Setting]) -> Game:
        if text != "startpos" and read_position(text).chess960:
            options = {**options, "chess960": True}
        return cls("", options)

    @classmethod
    def is_meant_by(cls, text: str) -> bool:
        return bool(ROWS.match(text) or FIRST_NUMBER.match(text))

    @classmethod
    def full_moves_before(cls, text: str) -> int:
        fields = text.split()
        return int(fields[5]) - 1 if len(fields) == 6 and fields[5].isdecimal() else 0

    @classmethod
    def split(cls, text: str) -> tuple[str, list[str]]:
        from engines.games.chess.fen import looks_like_epd
        from engines.games.chess.line import looks_like_line, words_of_line

        if looks_like_epd(text):
            return text.strip(), []
        if looks_like_line(text.strip()):
            return "startpos", words_of_line(text)
        board, moves = split_moves(text)
        return board, words_of_line(" ".join(moves))

    @classmethod
    def doubt(cls, text: str) -> str | None:
        from engines.games.chess.fen import doubt

        return doubt(text)

    def start(self) -> State:
        import chess

        return self._state(chess.Board())

    def read_board(self, text: str) -> State:
        return self._state(read_position(text))

    def _state(self, board: chess.Board) -> Men:
        from engines.games.chess.border import from_board

        return from_board(self.rules, board)

    def read_move(self, state: State, text: str) -> int:
        """The legal move that a person wrote, `Nf3` or `g1f3`; an InputError if there is none."""
        from engines.games.chess.border import to_move

        wanted = read_move(self.board(state), text)
        for move in self.legal_moves(state):
            if wanted in (to_move(move, False), to_move(move, True)):
                return move
        raise AssertionError(f"python-chess takes {text} for a legal move, but Plybench does not")

    # Writing.

    def board(self, state: State) -> chess.Board:
        """A position for python-chess, without its history."""
        from engines.games.chess.border import to_board

        return to_board(state, self.chess960)

    def board_text(self, state: State) -> str:
        from engines.games.chess.fen import write_fen

        return write_fen(self.board(state))

    def diagram(self, state: State) -> str:
        board = self.board(state)
        rows = [f"{8 - number} {row}" for number, row in enumerate(str(board).split("\n"))]
        return "\n".join([*rows, "  a b c d e f g h"])

    def grid(self, state: State) -> Grid:
        rows = tuple(row.replace(" ", "") for row in str(self.board(state)).split("\n"))
        return Grid(rows, tuple("87654321"), tuple("abcdefgh"))

    def move_squares(self, state: State, move: int) -> tuple[Square, ...]:
        from engines.games.chess.border import to_move

        found = to_move(move, False)
        return tuple((7 - square // 8, square % 8) for square in (found.from_square, found.to_square))

    def move_text(self, state: State, move: int) -> str:
        from engines.games.chess.border import to_move

        return to_move(move, self.chess960).uci()

    def pretty_line(self, state: State, line: Sequence[str]) -> tuple[str, ...]:
        board, texts = self.board(state), []
        for text in line:
            move = board.parse_uci(text)
            texts.append(board.san(move))
            board.push(move)
        return tuple(texts)

    # What is known without searching.

    def rules_for(self, position: Position) -> Chess:
        """The rules with the keys of the positions before, as far back as they can come again."""
        rules = Chess(self.data, self.rules.tables, new_path())
        now = plies(position.state)
        rules.path.root = now
        rules.path.first = max(now - min(clock(position.state), len(position.played), HISTORY // 2), 0)
        state = position.start
        for move in (*position.played, None):
            if plies(state) >= rules.path.first:
                rules.path.keys[plies(state) % HISTORY] = state.key
            if move is not None:
                state = play(self.rules, state, move)
        return rules

    def table_name(self, state: State) -> str | None:
        men = int(popcount(state.white | state.black))
        return f"chess-{ending_name(state)}" if 3 <= men <= MOST_MEN and not self.lacks("table", state) else None

    def table_bytes(self, name: str) -> int:
        return 2 * (1806 if "P" in name else 462) * 64 ** (len(name.removeprefix("chess-")) - 2)

    def lacks(self, need: str, state: State) -> str | None:
        if need != "table":
            return super().lacks(need, state)
        if popcount(state.white | state.black) > MOST_MEN:
            return f"tables have at most {MOST_MEN} men"
        if state.rights & HOME_ROWS != EMPTY:
            return "tables do not have castling"
        return "nobody can mate any more" if is_dead(state) else None

    def timeless(self, state: State) -> State:
        return state._replace(time=plies(state) << 16)

    def past_that_matters(self, state: State) -> str:
        quiet = int(clock(state))
        last = (
            "the last ply was neither a capture nor a pawn move"
            if quiet == 1
            else (f"the last {quiet} plies were neither captures nor pawn moves")
        )
        return (
            f"The table counts plies to mate and knows nothing of the fifty-move rule: {last}, and after {100 - quiet} more "
            "it is a draw."
        )

    def ending(self, position: Position) -> str | None:
        return why_over(self.rules_for(position), position.state)

    def evaluation(self, state: State) -> Evaluation:
        if not self.tapered:
            return super().evaluation(state)
        values = [int(value) / self.unit for value in tapered.tapered_terms(self.rules, state)]
        rows = tuple(
            Term(name=name, first=first, second=second, weight=1.0, value=round(first - second, 2))
            for name, first, second in zip(tapered.TERMS, values[::2], values[1::2], strict=True)
        )
        return Evaluation(value=round(sum(row.value for row in rows), 2), terms=rows)


def read_position(text: str) -> chess.Board:
    """The board that a FEN or an EPD stands for."""
    from engines.games.chess.fen import looks_like_epd, read_epd, read_fen

    return read_epd(text)[0] if looks_like_epd(text) else read_fen(text)


def read_move(board: chess.Board, text: str) -> chess.Move:
    """A move in coordinate (`e2e4`, `e2-e4`) or algebraic notation (`Nf3`, `exd5`, `O-O`), perhaps with marks."""
    import chess

    from engines.games.chess.fen import MARKS

    wanted = text.strip().rstrip(MARKS)
    readings: tuple[tuple[Callable[[str], chess.Move], str], ...] = (
        (board.parse_uci, wanted),
        (board.parse_uci, wanted.replace("-", "").lower()),
        (board.parse_san, wanted),
    )
    for read, form in readings:
        try:
            if move := read(form):  # a null move is none
                return move
        except chess.AmbiguousMoveError:
            raise InputError(f"{shown(text)} may be more than one move here; say where the man comes from.") from None
        except ValueError:
            continue
    legal = [board.san(move) for move in board.legal_moves]
    listed = " ".join(legal) if len(legal) <= 40 else f"{len(legal)} moves, such as " + " ".join(legal[:8])
    raise InputError(f"{shown(text)} is not a legal move here; legal are {listed}.")
