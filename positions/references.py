"""What opening books and endgame tables know of a chess position.

All of them may be absent. A file that is missing, damaged or unreadable gives a sentence in `notes`, never an error.
"""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from msgspec import Struct

from engines.contract import InputError, Outcome, shown

if TYPE_CHECKING:
    import chess

    from positions.endgames import Gaviota, Syzygy, TablebaseVerdict

Kind = Literal["book", "syzygy", "gaviota"]
Result = TypeVar("Result")
MOST_MEN = 7
"""No table has more."""


class BookMove(Struct, frozen=True, kw_only=True):
    """A move of an opening book."""

    move: str
    weight: int
    share: float
    """Of the weights of all moves, from 0 to 1."""


class TableVerdict(Struct, frozen=True, kw_only=True):
    """What an endgame table knows."""

    source: Literal["syzygy", "gaviota"]
    outcome: Outcome
    distance: int | None
    """Plies to mate with best play on both sides; only Gaviota's tables know."""
    dtz: int | None
    """Plies to the next capture, pawn move or mate of the side that wins (or one more); only Syzygy's tables know."""
    best: tuple[str, ...]
    """The moves that keep the outcome and, where there is a distance, are quickest or resist longest."""


class References(Struct, frozen=True, kw_only=True):
    """What books and tables know of a position."""

    book: tuple[BookMove, ...] = ()
    """The heaviest first."""
    table: TableVerdict | None = None
    notes: tuple[str, ...] = ()
    """What could not be read, and what limits the verdict: sentences."""


class Holding(Struct, frozen=True, kw_only=True):
    """What a book or directories have."""

    count: int
    """Entries of the book, or tables (of materials, such as KQ against K)."""
    notes: tuple[str, ...] = ()


def look_up(
    fen: str, book: str = "", syzygy: Sequence[str] = (), gaviota: Sequence[str] = (), *, chess960: bool = False
) -> References:
    """What a book and the tables in some directories know of one position."""
    with ReferenceSources(book, syzygy, gaviota) as sources:
        return sources.look_up(fen, chess960=chess960)


def san(fen: str, move: str) -> str:
    """A move as people write it: `e1g1` is O-O."""
    import chess

    board = chess.Board(fen)
    return board.san(board.parse_uci(move))


class ReferenceSources:
    """A book and tables for many positions: tables are opened when one is first needed, and closed with this object.

    A directory may also hold its tables one level down, as Syzygy's `3-4-5` and Debian's `gaviotatb/gtb4` are.
    """

    def __init__(self, book: str = "", syzygy: Sequence[str] = (), gaviota: Sequence[str] = ()) -> None:
        self.book, self.syzygy, self.gaviota = book, tuple(syzygy), tuple(gaviota)
        self._opened = contextlib.ExitStack()
        self._gaviota: tuple[Gaviota, list[str]] | None = None
        self._syzygy: tuple[Syzygy, list[str]] | None = None

    def __enter__(self) -> ReferenceSources:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all files. The object may still be used, and opens them again."""
        self._gaviota = self._syzygy = None
        self._opened.close()

    def look_up(self, fen: str, *, chess960: bool = False) -> References:
        """What is known of a position: nothing where the game is over. With `chess960`, castling is written as the king
        taking its own rook."""
        board = read_board(fen)
        if board is None or not any(board.legal_moves):
            return References()
        notes: list[str] = []
        book = noting(notes, lambda: self._book_moves(board, chess960)) or ()
        table = self._verdict(board, notes)
        return References(book=book, table=table, notes=tuple(dict.fromkeys(notes)))

    def holdings(self) -> dict[Kind, Holding]:
        """How much there is of each kind."""
        from positions import polyglot

        notes: list[str] = []
        entries = noting(notes, lambda: polyglot.size(self.book)) if self.book else 0
        syzygy, syzygy_notes = self._syzygy_tables()
        gaviota, gaviota_notes = self._gaviota_tables()
        return {
            "book": Holding(count=entries or 0, notes=tuple(notes)),
            "syzygy": Holding(count=len(syzygy), notes=tuple(syzygy_notes)),
            "gaviota": Holding(count=len(gaviota), notes=tuple(gaviota_notes)),
        }

    def _book_moves(self, board: chess.Board, chess960: bool) -> tuple[BookMove, ...]:
        from positions import polyglot

        if not self.book or board.chess960:  # Polyglot's keys have no room for rooks that start elsewhere
            return ()
        weights = polyglot.weights(self.book, board)
        total = sum(weights.values()) or 1
        return tuple(
            BookMove(move=board.uci(move, chess960=chess960), weight=weight, share=weight / total)
            for move, weight in weights.items()
        )

    def _verdict(self, board: chess.Board, notes: list[str]) -> TableVerdict | None:
        """What the tables know. Where both do, Gaviota's distance is worth more, but Syzygy's know the fifty-move rule."""
        if board.castling_rights or board.occupied.bit_count() > MOST_MEN or not (self.syzygy or self.gaviota):
            notes += [note for path in (*self.syzygy, *self.gaviota) if (note := missing_directory(path))]
            return None
        from positions import endgames

        syzygy, syzygy_notes = self._syzygy_tables()
        gaviota, gaviota_notes = self._gaviota_tables()
        notes += syzygy_notes + gaviota_notes
        ruled = noting(notes, lambda: endgames.by_syzygy(syzygy, board))
        timed = noting(notes, lambda: endgames.by_gaviota(gaviota, board))
        if ruled and (timed is None or not ruled.judged.sign):
            notes += ruled.notes
            return verdict("syzygy", board, ruled, None, ruled.judged.plies)
        if timed is None:
            return None
        notes += timed.notes
        if ruled and ruled.judged.sign != timed.judged.sign:
            notes.append("The Gaviota and the Syzygy tables contradict each other about this position.")
            return None
        return verdict("gaviota", board, timed, timed.judged.plies, ruled.judged.plies if ruled else None)

    def _gaviota_tables(self) -> tuple[Gaviota, list[str]]:
        from positions.endgames import Gaviota

        if self._gaviota is None:
            tables = Gaviota()
            self._opened.callback(tables.close)
            self._gaviota = tables, add_directories(tables.add, self.gaviota, "Gaviota tables (*.gtb.cp4)")
        return self._gaviota

    def _syzygy_tables(self) -> tuple[Syzygy, list[str]]:
        from positions.endgames import Syzygy

        if self._syzygy is None:
            tables = Syzygy()
            self._opened.callback(tables.close)
            self._syzygy = tables, add_directories(tables.add, self.syzygy, "Syzygy tables (*.rtbw)")
        return self._syzygy


def read_board(fen: str) -> chess.Board | None:
    """The board of a FEN, with only those castling rights that it can have; None if books and tables cannot have it."""
    import chess

    try:
        board = chess.Board(fen, chess960=True)
    except ValueError:
        raise InputError(f"{shown(fen, 100)} is not a position in FEN.") from None
    board.castling_rights = board.clean_castling_rights()
    board.chess960 = board.has_chess960_castling_rights()
    status = board.status()
    if status & chess.STATUS_INVALID_EP_SQUARE:
        board.ep_square = None
    impossible = chess.STATUS_NO_WHITE_KING | chess.STATUS_NO_BLACK_KING | chess.STATUS_TOO_MANY_KINGS
    impossible |= chess.STATUS_PAWNS_ON_BACKRANK | chess.STATUS_OPPOSITE_CHECK
    return None if status & impossible else board


def verdict(
    source: Literal["syzygy", "gaviota"], board: chess.Board, found: TablebaseVerdict, distance: int | None, dtz: int | None
) -> TableVerdict:
    """What a table says for the side to move, with the winner's name."""
    sign = found.judged.sign if board.turn else -found.judged.sign
    outcome: Outcome = "draw" if not sign else "first" if sign > 0 else "second"
    return TableVerdict(
        source=source, outcome=outcome, distance=distance, dtz=dtz, best=tuple(move.uci() for move in found.best)
    )


def noting(notes: list[str], work: Callable[[], Result]) -> Result | None:
    """The result of `work`; if it fails, None and a note that says why."""
    try:
        return work()
    except InputError as error:
        notes.append(str(error))
        return None


def add_directories(add: Callable[[Path], int], directories: Sequence[str], what: str) -> list[str]:
    """Add the tables of some directories and of those in them; the notes say where there are none."""
    notes = []
    for name in directories:
        if note := missing_directory(name):
            notes.append(note)
            continue
        try:
            places = [Path(name), *sorted(path for path in Path(name).iterdir() if path.is_dir())]
            if not sum(map(add, places)):
                notes.append(f"There are no {what} in {shown(name, 200)}.")
        except OSError as error:
            notes.append(f"The directory {shown(name, 200)} cannot be read: {error.strerror}.")
    return notes


def missing_directory(name: str) -> str | None:
    """A sentence if there is no such directory."""
    try:
        found = Path(name).stat()
    except FileNotFoundError:
        return f"The directory {shown(name, 200)} does not exist."
    except (OSError, ValueError) as error:
        return f"The directory {shown(name, 200)} cannot be read: {getattr(error, 'strerror', error)}."
    return None if stat.S_ISDIR(found.st_mode) else f"{shown(name, 200)} is not a directory."
