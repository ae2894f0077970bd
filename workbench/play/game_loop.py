"""Games between two players: the loop that plays one, and what is kept of it.

A game is reproducible: the same players, opening and seed give the same moves, if no limit is in seconds.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from engines.contract import InputError, Outcome, Setting
from engines.game import Game
from engines.position import Position
from engines.run.memory import Memory
from workbench.play.players import Player, seed_of
from workbench.render.report_text import how_it_ended, result_words
from workbench.render.values import counted

MOST_PLIES = 600
"""A game this long is drawn, by default: not all games come to an end by themselves."""
TABLE_NODES = 100_000
"""The nodes of an independent proof, where there are no tables to ask."""

COUNTS = {1: "one player", 3: "three players"}
Adjudication = Literal["none", "proof", "table", "both"]
"""What may end a game early: a player's own proof, tables (or a short independent proof), or both."""


class Effort(Struct, frozen=True, kw_only=True):
    """What a player spent on one game."""

    moves: int = 0
    nodes: int = 0
    depth: int = 0
    """The sum of the depths that its searches reached."""
    seconds: float = 0.0

    def __add__(self, other: Effort) -> Effort:
        names = self.__struct_fields__
        return Effort(**{name: getattr(self, name) + getattr(other, name) for name in names})


class PlayedGame(Struct, frozen=True, kw_only=True):
    """A game that is over."""

    number: int = 1
    """The number of the game in its match, counted from 1."""
    game: str
    size: str
    options: dict[str, Setting]
    players: tuple[str, str]
    """The first player's name, and the second's."""
    opening: str
    """The starting position, with the moves that led to it."""
    moves: tuple[str, ...]
    """The moves that the players made."""
    values: tuple[float | None, ...] = ()
    """The value of each move's search, for the first player; None where there is none."""
    outcome: Outcome
    ending: str
    """How it ended, in words."""
    adjudicated: bool = False
    """Whether it was ended before the rules ended it."""
    seed: int = 0
    efforts: tuple[Effort, Effort] = (Effort(), Effort())

    @property
    def plies(self) -> int:
        """The number of moves made."""
        return len(self.moves)

    def score(self, side: int) -> float:
        """The points of the first player (0) or the second (1): 1, 0.5 or 0."""
        return 0.5 if self.outcome == "draw" else float((self.outcome == "first") == (side == 0))


def check_game(game: Game) -> None:
    """Raise InputError if it is not a game for two with a winner. There may be dice."""
    if game.player_count != 2 or not game.has_winner:
        why = "nobody wins" if game.player_count == 2 else f"{game.title} has {COUNTS[game.player_count]}"
        raise InputError(f"A match needs two players, one of whom wins, but {why}.")


def play_game(
    players: tuple[Player, Player],
    opening: Position,
    seed: int = 0,
    number: int = 1,
    adjudicate: Adjudication = "none",
    most_plies: int = MOST_PLIES,
    watch: Callable[[Position], bool] | None = None,
    memories: tuple[Memory, Memory] | None = None,
) -> PlayedGame | None:
    """Play a game to its end. `watch` sees every position and says whether to go on; None if it says no.

    What each player keeps from move to move is new, or `memories` made as good as new: that is quicker.
    """
    position, moves, values = opening, list[str](), list[float | None]()
    memories, efforts = memories or (Memory(), Memory()), [Effort(), Effort()]
    for memory in memories:
        forget(memory)
    outcome, ending, adjudicated = None, "", False
    while outcome is None:
        if watch is not None and not watch(position):
            return None
        if position.is_over:
            outcome = position.game.outcome(position.result * position.turn)
            assert outcome is not None, "a game for one player is not a match"
            ending = how_it_ended(position)
            continue
        if len(moves) >= most_plies:
            outcome, ending, adjudicated = "draw", f"drawn after {counted(most_plies, 'ply')}", True
            continue
        if position.by_chance:
            move = happening(position, seed_of(seed, len(moves)))
            moves.append(position.game.move_text(position.state, move))
            values.append(None)
            position = position.play(move)
            continue
        side = 0 if position.turn > 0 else 1
        player = players[side]
        try:
            choice = player.move(position, seed_of(seed, len(moves)), memories[side])
        except InputError as error:
            if not efforts[side].moves:
                raise  # it cannot play at all
            outcome, ending, adjudicated = ("second" if side == 0 else "first"), f"{player.name}: {error}", True
            continue
        report = choice.report
        efforts[side] += Effort(moves=1, nodes=report.all_nodes, depth=report.depth, seconds=report.seconds)
        moves.append(position.game.move_text(position.state, choice.move))
        values.append(report.value)
        position = position.play(choice.move)
        if position.is_over:
            continue
        if adjudicate in ("proof", "both") and report.exact and report.outcome is not None:
            outcome, adjudicated = report.outcome, True
            ending = f"{result_words(position, outcome)}, proven by {player.name}"
        elif adjudicate in ("table", "both") and (known := _known(position)) is not None:
            outcome, adjudicated = known[0], True
            ending = f"{result_words(position, outcome)}, by {known[1]}"
    game = opening.game
    return PlayedGame(
        number=number,
        game=game.id,
        size=game.size,
        options=game.options,
        players=(players[0].name, players[1].name),
        opening=opening.text,
        moves=tuple(moves),
        values=tuple(values),
        outcome=outcome,
        ending=ending,
        adjudicated=adjudicated,
        seed=seed,
        efforts=(efforts[0], efforts[1]),
    )


def happening(position: Position, seed: int) -> int:
    """A random chance move by its probabilities; the same for the same seed."""
    game, state = position.game, position.state
    legal = game.legal_moves(state)
    return random.Random(seed).choices(legal, [game.likelihood(state, move) or 0.0 for move in legal])[0]


def forget(memory: Memory) -> None:
    """Reset a memory without allocating another one, which the system would provide page by page."""
    memory.kept = None
    if memory.table is not None:
        memory.table.clear()


def _known(position: Position) -> tuple[Outcome, str] | None:
    """Who wins, and the source of that, if tables or a short proof know it; otherwise None."""
    from workbench.proofs.truth import truth_of

    truth = truth_of(position, nodes=TABLE_NODES)
    return None if truth is None or truth.outcome is None else (truth.outcome, truth.source)
