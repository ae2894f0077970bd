"""A game of a PGN as a study, and back: tags, comments, marks and variations are kept, so that nothing is lost on the way.

What cannot be searched, a variation with a null move or moves after the end of a game, is kept as text beside the moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import chess
import chess.pgn

from engines import catalog
from engines.contract import InputError
from engines.games.chess.border import board_of
from engines.games.chess.fen import read_fen, write_fen
from engines.position import Position
from engines.rules import State, play
from positions.pgn_text import unescaped
from positions.pgn_tree import GameTree, PgnNode
from workbench.sessions.model import LONGEST_LINE, LONGEST_NAME, Study, StudyNode


def study_at(tree: GameTree, moves: Sequence[str]) -> Study:
    """The study of a game, at the place to which these moves lead, as far as they can be played."""
    study = study_of(tree)
    for move in moves:
        here = study.position()
        try:
            study.go([*study.path, here.game.move_text(here.state, here.game.read_move(here.state, move))])
        except InputError:
            break
    return study


def study_of(tree: GameTree) -> Study:
    """The study of a game, at its start."""
    start = catalog.position(write_fen(tree.start), catalog.pgn_game())
    study = Study.of(start, title_of(tree))
    study.tags, study.note = dict(tree.tags), tree.root.comment
    if tree.result and study.tags.get("Result", "*") == "*":
        study.tags["Result"] = tree.result
    Fill(start).fill(study.root, tree)
    return study


def title_of(tree: GameTree) -> str:
    """Who played it; empty if that is not known."""
    names = [unescaped(tree.tags.get(name, "?")) for name in ("White", "Black")]
    return " - ".join(names)[:LONGEST_NAME] if any(name not in ("", "?") for name in names) else ""


class Fill:
    """Puts the moves of a game into a study."""

    def __init__(self, start: Position) -> None:
        self.game, self.start = start.game, start

    def fill(self, root: StudyNode, tree: GameTree) -> None:
        """All that follows the start."""
        waiting: list[tuple[PgnNode, StudyNode, State, int]] = [(tree.root, root, self.start.state, 0)]
        while waiting:
            found, node, state, ply = waiting.pop()
            aside: list[tuple[int, str]] = []
            for place, choice in enumerate(found.choices):
                child = self.child(node, state, choice.move) if ply < LONGEST_LINE else None
                if child is None:
                    aside.append((place, movetext(board_of(self.game, state), choice)))
                    continue
                child.note, child.before, child.nags = choice.comment, choice.before, tuple(choice.nags)
                after = play(self.game.rules, state, self.game.read_move(state, choice.move))
                waiting.append((choice, child, after, ply + 1))
            node.aside = tuple(aside)

    def child(self, node: StudyNode, state: State, move: str) -> StudyNode | None:
        """The node of a move, which is new; None if it cannot be played here, or is there already."""
        try:
            text = self.game.move_text(state, self.game.read_move(state, move))
        except (InputError, AssertionError):
            return None
        if node.child(text) is not None:
            return None
        node.children.append(StudyNode(text))
        return node.children[-1]


def movetext(board: chess.Board, choice: PgnNode) -> str:
    """A variation as text, from a position on."""
    game = chess.pgn.Game()
    game.setup(board)
    _graft(game, [choice])
    first = game.variations[0]
    game.comment, first.starting_comment = first.starting_comment, ""
    return game.accept(Exporter(columns=None, headers=False)).removesuffix("*").strip()


def _graft(under: chess.pgn.GameNode, choices: list[PgnNode]) -> None:
    waiting = [(under, choice) for choice in reversed(choices)]
    while waiting:
        parent, choice = waiting.pop()
        node = parent.add_variation(
            chess.Move.from_uci(choice.move), comment=choice.comment, starting_comment=choice.before, nags=choice.nags
        )
        waiting += [(node, other) for other in reversed(choice.choices)]


def put_aside(under: chess.pgn.GameNode, place: int, text: str) -> None:
    """Write a variation that was kept as text among those of a node, at its place."""
    from positions import pgn

    board = under.board()
    try:
        tree = pgn.read_tree(f'[FEN "{board.fen()}"]\n\n{text} *')
    except InputError:  # the file was edited, and this is no legal variation: it is left out
        return
    if tree.root.choices:
        first = tree.root.choices[0]
        first.before = tree.root.comment
        _graft(under, [first])
        under.variations.insert(place, under.variations.pop())


class Exporter(chess.pgn.StringExporter):
    """Writes comments as they are: python-chess would trim them."""

    def visit_comment(self, comment: str) -> None:
        self.write_token("{ " + comment.replace("}", "") + " } ")
        self.force_movenumber = True


def headers(tags: Mapping[str, str], start: chess.Board) -> dict[str, str]:
    """The tags that a game was read with, as far as they are true of its start."""
    found = {name: " ".join(value.splitlines()) for name, value in tags.items() if chess.pgn.TAG_NAME_REGEX.match(name)}
    if "FEN" in found and not _is_start(unescaped(found["FEN"]), start):
        found = {name: value for name, value in found.items() if name not in ("FEN", "SetUp")}
    return found


def _is_start(fen: str, start: chess.Board) -> bool:
    try:
        return write_fen(read_fen(fen)) == write_fen(start)
    except InputError:
        return False
