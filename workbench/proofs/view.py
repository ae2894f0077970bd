"""Proofs and mistakes as text, for terminal and app, and as JSON."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from engines.game import FOREVER
from engines.position import Position
from engines.proofs.checker import ProofCheck
from engines.proofs.document import AnswerProof, Proof
from workbench.proofs.mistakes import Mistakes
from workbench.render.board import board
from workbench.render.tables import sheet
from workbench.render.values import counted, plies

MOST_BRANCHES = 200
"""The most moves of a proof that are drawn."""


def document(found: Proof, verdict: ProofCheck | None) -> dict[str, Any]:
    """A proof as a JSON document: its claim, its size, its longest lines, and the result of the check."""
    position = found.position
    return {
        "game": position.game.id,
        "size": position.game.size,
        "position": position.text,
        "made_by": found.made_by,
        "outcome": found.outcome,
        "value": position.game.shown_value(found.result) if found.outcome is None else None,
        "positions": len(found),
        "parts": [
            {
                "question": position.game.question(part.target),
                "answer": "yes" if part.yes else "no",
                "positions": len(part),
                "plies": part.plies,
                "shortest": part.shortest,
                "line": longest_line(found, part),
            }
            for part in found.parts
        ],
        "checked": None if verdict is None else verdict.positions,
        "holds": None if verdict is None else verdict.holds,
        "faults": [] if verdict is None else verdict.faults,
    }


def summary(found: Proof, verdict: ProofCheck | None, depth: int) -> Group:
    """The claim of a proof, its first plies, and whether it holds."""
    position, game = found.position, found.position.game
    parts: list[RenderableType] = [board(position)]
    for part in found.parts:
        answer = "Yes" if part.yes else "No"
        length = "may go on for ever" if part.plies is None else f"at most {plies(part.plies)}"
        if part.shortest:
            length += ", and a search found no shorter way"
        size = f"{len(part):,} position{'' if len(part) == 1 else 's'}, {length}"
        tree = Tree(Text.assemble((f"{game.question(part.target)} {answer}", "bold"), (f"  {size}", "dim")))
        grow(tree, found, part, depth)
        parts.append(tree)
        line = game.pretty_line(position.state, longest_line(found, part))
        parts.append(Text.assemble(("longest line  ", "dim"), " ".join(line)))
    parts.append(Text(found.sentence(), style="bold"))
    if verdict is None:
        parts.append(Text("It was not checked.", style="dim"))
    elif verdict.holds:
        parts.append(
            Text(f"The proof holds, by the rules alone: {counted(verdict.positions, 'position')} checked.", "bold green")
        )
    else:
        parts += [Text(fault, style="red") for fault in verdict.faults]
        parts.append(Text("This is not a proof.", style="bold red"))
    return Group(*parts)


def proof_words(found: Proof) -> Text:
    """The claim of a valid proof and its size, in a few words."""
    lengths = [part.plies for part in found.parts]
    longest = None if None in lengths else max((length for length in lengths if length is not None), default=0)
    text = Text.assemble((found.sentence(), "bold"), f" {len(found):,} position{'' if len(found) == 1 else 's'}, ")
    text.append("play may go on for ever" if longest is None else f"at most {plies(longest)}")
    if found.parts and all(part.shortest for part in found.parts):
        text.append(", and a search found no shorter way")
    return text.append(". ").append("It holds: all were checked by the rules alone.", "bold green")


def longest_line(found: Proof, part: AnswerProof) -> tuple[str, ...]:
    """The moves of the longest line of a part, as far as they are legal: a proof that was not checked may contain
    anything."""
    position, moves = found.position, list[int]()
    for move in part.line():
        if position.is_over or move not in position.game.legal_moves(position.state):
            break
        moves.append(move)
        position = position.play(move)
    return position.game.line_text(found.position.state, moves)


def grow(tree: Tree, found: Proof, part: AnswerProof, depth: int) -> None:
    """Draw the first plies of a part."""
    drawn = 0
    todo = [(tree, part.root, found.position, 0)]
    for branch, node, position, ply in todo:  # the list grows during the loop
        if ply >= depth or position.is_over:
            continue
        legal = position.game.legal_moves(position.state)
        for move, child in part.edges(node):
            if move not in legal:
                continue
            drawn += 1
            if drawn > MOST_BRANCHES:
                return
            game = position.game
            after, left = position.play(move), int(part.heights[child])
            ahead = "for ever" if left == FOREVER else f"{left} more" if left else ""
            name = game.pretty_line(position.state, (game.move_text(position.state, move),))[0]
            mine = position.turn == part.prover
            told = "the game is over" if after.is_over else "back to where it was" if child >= node else ahead
            label = Text.assemble((name, "bold green" if mine else ""), (f"  {told}", "dim"))
            below = branch.add(label)
            if child < node:
                todo.append((below, child, after, ply + 1))


def mistakes(found: Mistakes, position: Position) -> Group:
    """The game ply by ply, and the moves that gave something away."""
    game = position.game
    table = sheet("ply>", "move", "by", "then wins", "", "nodes>")
    names = {"first": game.players[0], "second": game.players[1], "draw": "draw", None: "not known"}
    turns, place = [], position
    while place.played:
        place = place.back()
        turns.append(place.turn)
    turns.reverse()
    moves = game.pretty_line(position.start, tuple(row.move for row in found.plies if row.move))
    for row in found.plies:
        by = game.players[0 if turns[row.ply - 1] > 0 else 1] if row.ply else ""
        wins = names[row.outcome] if row.value is None else f"{row.value:g}"
        mark = Text("the losing move" if row.regret == 1 else f"gives away {row.regret:g}", "bold red") if row.loses else ""
        table.add_row(str(row.ply), moves[row.ply - 1] if row.ply else "start", by, wins, mark, f"{row.nodes:,}")
    return Group(board(position), table, Text(_claim_text(found, moves, turns, game.players), style="bold"))


def _claim_text(found: Mistakes, moves: tuple[str, ...], turns: list[int], players: tuple[str, ...]) -> str:
    """A sentence on which moves gave something away."""
    losing = found.losing
    if not losing:
        unknown = sum(row.outcome is None and row.value is None for row in found.plies)
        return (
            f"No move is known to be a mistake; nothing is known about {counted(unknown, 'position')}."
            if unknown
            else "Nobody made a mistake."
        )
    told = []
    for row in losing:
        who = players[0 if turns[row.ply - 1] > 0 else 1]
        told.append(f"{moves[row.ply - 1]} ({who}, ply {row.ply})")
    many = "move was" if len(told) == 1 else "moves were"
    return f"The losing {many} {', '.join(told)}."
