"""The marks on the board: the last move, the best move and its reply, and the share of work and the value of each root
move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engines.contract import Bound, RootMove
from engines.game import SHOWN_WIN, Game
from engines.notation import Square
from engines.position import Position
from workbench.analysis.view_state import AnalysisView
from workbench.render.style import plain_letters
from workbench.render.values import bound_text, is_vector, number_text, winner_of

Overlay = Literal["most", "all", "none"]
OVERLAYS: dict[Overlay, str] = {"most": "", "all": "all moves' values", "none": "without labels"}
"""The caption in the board's frame for each overlay."""
MOST_MOVES = 8
LEAST_SHARE = 0.01
"""The overlay `most` shows at most `MOST_MOVES` moves, each with at least this share of the work."""


@dataclass(frozen=True)
class MoveNote:
    """The result of a search for a root move."""

    squares: tuple[Square, ...]
    share: float
    """The share of the nodes of all moves."""
    value: float
    bound: Bound
    is_best: bool = False
    is_large: bool = True
    """Whether it is one of the moves that took most of the work."""
    label: str = ""
    """The text in place of the value, where every player has one: the mover's own value, or who wins."""


@dataclass(frozen=True)
class Marks:
    """The marks on the board."""

    last: tuple[Square, ...] = ()
    best: tuple[Square, ...] = ()
    reply: tuple[Square, ...] = ()
    moves: tuple[MoveNote, ...] = ()
    """The moves whose share and value are written on their target squares."""


def along(position: Position, line: Sequence[str]) -> Position:
    """The position at the end of a line."""
    for move in line:
        position = position.play(position.game.read_move(position.state, move))
    return position


def last_squares(position: Position) -> tuple[Square, ...]:
    """The squares of the last move."""
    return position.game.move_squares(position.back().state, position.played[-1]) if position.played else ()


def marks_of(view: AnalysisView, overlay: Overlay) -> Marks:
    """The marks for the last move, the best move, the reply to it, and the root moves."""
    position, belief, game = view.position, view.belief, view.position.game
    if belief is None or game.grid(position.state) is None:
        return Marks(last=last_squares(position))
    moves = belief.row.pv[:2]
    best = game.read_move(position.state, moves[0]) if moves else None
    reply: tuple[Square, ...] = ()
    if best is not None and len(moves) > 1:
        after = position.play(best)
        reply = game.move_squares(after.state, game.read_move(after.state, moves[1]))
    return Marks(
        last=last_squares(position),
        best=game.move_squares(position.state, best) if best is not None else (),
        reply=reply,
        moves=() if overlay == "none" else noted_moves(view, everything=overlay == "all"),
    )


def noted_moves(view: AnalysisView, everything: bool) -> tuple[MoveNote, ...]:
    """Every root move of the shown depth, the one that took most of the work first."""
    position, belief, game = view.position, view.belief, view.position.game
    if belief is None:
        return ()
    total = sum(row.nodes for row in belief.root_moves) or 1
    rows = sorted(belief.root_moves, key=lambda row: -row.nodes)
    squares = {row.move: game.move_squares(position.state, game.read_move(position.state, row.move)) for row in rows}
    return tuple(
        MoveNote(
            squares=squares[row.move],
            share=row.nodes / total,
            value=position.turn * row.values[position.mover] if is_vector(row.values) else row.value,
            label=label_of(row, position) if is_vector(row.values) else "",
            bound=row.bound,
            is_best=row.move == belief.row.best_move,
            is_large=everything or (number < MOST_MOVES and row.nodes / total >= LEAST_SHARE),
        )
        for number, row in enumerate(rows)
        if squares[row.move]  # a roll of a die has no square
    )


def label_of(row: RootMove, position: Position) -> str:
    """The mover's own value of a move, or who wins in how many plies."""
    winner = winner_of(row.values, position.game)
    if winner is not None:
        return f"{position.game.players[winner]}#{SHOWN_WIN - row.values[winner]:.0f}"
    return number_text(row.values[position.mover], position.game)


def noted_at(notes: Sequence[MoveNote], square: Square, picked: Square | None, turn: int) -> list[MoveNote]:
    """The moves to a square, the best one first; only those of the picked man, if there is one."""
    there = [
        note
        for note in notes
        if note.squares[-1:] == (square,) and (note.squares[0] == picked if picked is not None else note.is_large)
    ]
    return sorted(there, key=lambda note: (note.is_best, note.bound == "exact", turn * note.value, note.share), reverse=True)


def value_in_width(note: MoveNote, game: Game, width: int) -> str:
    """A value in at most `width` characters, as exact as they allow; empty if they allow none."""
    if note.label:
        return note.label if len(note.label) <= width else ""
    sign = {"exact": "", "at most": "≤", "at least": "≥"}[note.bound]
    if plain_letters():
        sign = sign.replace("≤", "<").replace("≥", ">")
    value = note.value
    if game.has_winner and abs(value) > SHOWN_WIN / 2:
        texts = [f"{'+' if value > 0 else '-'}#{SHOWN_WIN - abs(value):.0f}"]
    elif game.player_count == 1:
        texts = [f"{value:.0f}", f"{value / 1000:.1f}k", f"{value / 1000:.0f}k"]
    elif game.unit > 1 or (value != round(value) and abs(value) < 1):  # without its zero where there is no room
        two, one = f"{value:+.2f}", f"{value:+.1f}"
        texts = [two, without_zero(two), one, without_zero(one), f"{value:+.0f}"]
    else:
        texts = [f"{value:+g}", f"{value:+.0f}", f"{value / 1000:+.1f}k", f"{value / 1000:+.0f}k"]
    if sign:  # then a plus can go where there is no room for it
        texts = [form for text in texts for form in (text, text.removeprefix("+"))]
    return next((sign + text for text in texts if len(sign + text) <= width), "")


def without_zero(text: str) -> str:
    """A number below 1 without its leading zero: `+.05`."""
    return text[0] + text[2:] if text[1:3] == "0." else text


# Texts below the board.


def marked_text(view: AnalysisView) -> str:
    """A sentence on what the marks on the board mean."""
    belief = view.belief
    if view.position.by_chance:
        grid = view.position.game.grid(view.position.state)
        return "a click rolls the die" if grid is not None and grid.beside else "chance decides next"
    if belief is None or not belief.row.pv:
        return "move: arrows, Enter, mouse"
    line = view.position.game.pretty_line(view.position.state, belief.row.pv[:2])
    then = "then" if view.position.game.player_count == 1 else "reply"
    return f"◆ best {line[0]}" + (f"  ▪ {then} {line[1]}" if len(line) > 1 else "")


def pointed_text(view: AnalysisView, square: Square, picked: Square | None, width: int) -> str:
    """The root moves to the square at the cursor, as many as there is room for; empty if there are none."""
    position, belief, game = view.position, view.belief, view.position.game
    if belief is None:
        return ""
    total = sum(row.nodes for row in belief.root_moves) or 1
    text = ""
    for row in sorted(belief.root_moves, key=lambda row: (row.move != belief.row.best_move, -row.nodes)):
        squares = game.move_squares(position.state, game.read_move(position.state, row.move))
        if squares[-1:] != (square,) or (picked is not None and picked not in (squares[0], square)):
            continue
        name = game.pretty_line(position.state, (row.move,))[0]
        more = f"{name} {bound_text(row, game)} {100 * row.nodes / total:.1f}%"
        if text and len(text) + len(more) + 3 > width:
            return f"{text} …"
        text = f"{text}, {more}" if text else more
    return text
