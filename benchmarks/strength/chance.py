"""Games with chance: what Star1 and Star2 save, and how well expectiminimax and UCT play EinStein würfelt nicht!

The savings are counted in leaves over positions of random games, so that they are the same on every machine. Moves are drawn
with fixed seeds; the players alternate in playing Red, and two games each have the same set-up.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from benchmarks.rows import Row, Target
from engines import catalog
from engines.contract import Limit, Report
from engines.position import Position
from engines.run.intervals import wilson
from engines.run.search import Search

GAMES, QUICK_GAMES = 100, 10
POSITIONS, QUICK_POSITIONS = 30, 6
DEPTHS = (1, 2, 3, 4)
SIMULATIONS = 2_000
MATCHES = (
    ("expectiminimax", Limit(depth=2), "random", Limit(depth=1), Target(at_least=90.0)),
    ("uct", Limit(iterations=SIMULATIONS), "random", Limit(depth=1), Target(at_least=90.0)),
    ("uct", Limit(iterations=SIMULATIONS), "expectiminimax", Limit(depth=2), Target(at_least=40.0)),
)
"""The players, and the share of games in percent that the first should win. UCT with so many simulations sees further than
two moves of each side, but its playouts are random: it is expected to be no weaker than a search to depth 2."""


def measure(quick: bool) -> Iterator[Row]:
    """The share of leaves that are left by depth; then shares of games won, each with its 95 % Wilson interval."""
    places = positions(QUICK_POSITIONS if quick else POSITIONS)
    for depth in DEPTHS[: 3 if quick else 4]:
        counts = dict.fromkeys(("expectiminimax", "star1", "star2"), 0)
        for place in places:
            for name in counts:
                counts[name] += run(place, name, Limit(depth=depth), 0).leaves
        whole = counts["expectiminimax"]
        for name in ("star1", "star2"):
            yield Row(
                task=f"{name} on EinStein to depth {depth}, {len(places)} positions: leaves of expectiminimax's",
                ours=100 * counts[name] / whole,
                unit="%",
                result=100 * counts[name] / whole,
                result_unit="%",
                target=Target(below=100.0) if depth > 1 else None,
                note=f"{counts[name]:,} of {whole:,}; {100 - 100 * counts[name] / whole:.1f} % saved",
            )
    games = QUICK_GAMES if quick else GAMES
    for first, limit, second, other, target in MATCHES:
        won = sum(play_game((first, limit), (second, other), number) for number in range(games))
        low, high = wilson(won / games, games)
        how = f"{limit.iterations:,} simulations" if limit.iterations else f"depth {limit.depth}"
        against = "random" if second == "random" else f"{second} to depth {other.depth}"
        yield Row(
            task=f"{first} with {how} against {against}, EinStein, {games} games",
            ours=100 * won / games,
            unit="%",
            result=100 * won / games,
            result_unit="%",
            target=None if quick else target,
            note=f"95 % interval {100 * low:.1f} to {100 * high:.1f} %",
        )


def positions(count: int) -> list[Position]:
    """Positions of random games with the die rolled, from the opening to the end."""
    found: list[Position] = []
    for number in range(count):
        random, position = Random(number), catalog.position(f"deal {number}", "einstein")
        for _ in range(1 + 2 * random.randint(0, 12)):
            after = position.play(random.choice(position.game.legal_moves(position.state)))
            if after.is_over:
                break
            position = after
        found.append(position if not position.by_chance else position.play(random.randint(1, 6)))
    return found


def play_game(one: tuple[str, Limit], other: tuple[str, Limit], number: int) -> int:
    """Play a game; returns 1 if the first player of the two wins, who has Red in even games."""
    dice, where = Random(number), catalog.position(f"deal {number // 2}", "einstein")
    sides = {1: one, -1: other} if number % 2 == 0 else {1: other, -1: one}
    while not where.is_over:
        if where.by_chance:
            where = where.play(dice.randint(1, 6))
            continue
        name, limit = sides[where.turn]
        best = run(where, name, limit, 1000 * number + len(where.played)).best_move
        assert best is not None
        where = where.play(where.game.read_move(where.state, best))
    return int(sides[1 if where.result * where.turn > 0 else -1] is one)


def run(where: Position, name: str, limit: Limit, seed: int) -> Report:
    """Run one search and return its report."""
    return Search(where, catalog.algorithm(name), limit, seed=seed).run_here().report()
