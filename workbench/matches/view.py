"""Matches as text, for the command and the Match screen: the status, the table of players, the meetings, and the sequential
test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from workbench.matches.experiment import Experiment
from workbench.matches.statistics import Rating, Strength, Tally
from workbench.matches.types import Encounter, MatchOutcome, Progress, Standing
from workbench.play.game_loop import PlayedGame
from workbench.play.players import Player
from workbench.render.values import counted, duration, weight_lines

BAR = 40
LATEST = 8
WEIGHTS = "weights="
COURSE_RATIO = 2.85
"""The course's ratio of times: 0.57 s a game for minimax, 0.20 s for alpha-beta."""


Part = Literal["standings", "test", "meetings", "efforts"]
PRINTED: tuple[Part, ...] = ("standings", "efforts", "meetings", "test")
"""The parts of a result that is printed."""
LOW_SCREEN: tuple[Part, ...] = ("standings", "test", "meetings")
SCREEN: tuple[Part, ...] = (*LOW_SCREEN, "efforts")
"""The parts on a screen, which may have no room for what comes last."""


def elo_text(value: float) -> str:
    """An Elo difference as text: `+35`, `-7`, or infinite."""
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    return f"{value:+.0f}" if abs(value) >= 0.5 else "0"


def strength_text(strength: Strength | None) -> str:
    """An Elo difference with its interval: `+35 (+12 to +60)`."""
    return "" if strength is None else f"{elo_text(strength.elo)} ({elo_text(strength.low)} to {elo_text(strength.high)})"


def rating_text(rating: Rating | None) -> str:
    """A rating with its error: `+35 ± 24`."""
    return "" if rating is None else f"{elo_text(rating.elo)} ± {rating.error:.0f}"


def percent(share: float | None) -> str:
    """A share in percent, such as `62.5 %`. It never reads 100 or 0 for a share that is only close to it."""
    if share is None:
        return ""
    if 0 < share < 1:
        share = min(max(share, 0.001), 0.999)
    return f"{100 * share:.1f} %"


def won_drawn_lost(tally: Tally) -> str:
    """Wins, draws and losses: `12 3 5`."""
    return f"{tally.wins} {tally.draws} {tally.losses}"


def pairs_text(tally: Tally) -> str:
    """The numbers of pairs by their points: `1 0 5 2 9`."""
    return " ".join(map(str, tally.pairs)) if sum(tally.pairs) else ""


def match_table(
    outcome: MatchOutcome, parts: Sequence[Part] = PRINTED, bar: int = BAR, last: RenderableType | None = None
) -> RenderableType:
    """The result of a match: some of its parts in this order, and the last lines, which are the summary if no others are
    given. `bar` is the width of the test's bar in cells."""
    drawn: dict[Part, list[RenderableType]] = {
        "standings": [standings_table(outcome.standings)],
        "efforts": [efforts_table(outcome.standings, outcome.game)],
        "meetings": meetings(outcome),
        "test": [] if outcome.sprt is None else [sprt_line(outcome.sprt, bar)],
    }
    return Group(*(one for part in parts for one in drawn[part]), summary(outcome) if last is None else last)


def running_table(outcome: MatchOutcome) -> RenderableType:
    """The result of a running match, with its last games."""
    return Group(match_table(outcome), Text(), latest_games(outcome.games))


def status_line(outcome: MatchOutcome | None, title: str, games: int) -> Text:
    """The status on one line, for the top of a screen: the game with this title, and how many games are done. Before the
    first, how many there will be."""
    done = f"{outcome.done}/{counted(outcome.total, 'game')}" if outcome else counted(games, "game")
    text = Text.assemble((" Match ", "bold"), f" {title}  ", done)
    if outcome is not None and outcome.complete:
        text.append("  done", style="bold green")
    return text


def terms_and_place(outcome: MatchOutcome, terms: str, place: str) -> Text:
    """The terms, the results by side, and where the games are if the match is over; empty otherwise."""
    lines = [f"{terms}; {by_side(outcome)}", *([place_text(place)] if place else [])]
    return Text("\n".join(lines), style="dim")


def meetings(outcome: MatchOutcome) -> list[RenderableType]:
    """The table of meetings if there are more than two players; for two, their pairs of games if there are any."""
    if len(outcome.standings) > 2:
        return [encounters_table(outcome.encounters)]
    one = outcome.encounters[0]
    if not sum(one.tally.pairs):
        return []
    return [Text(f"Pairs with 0 ½ 1 1½ 2 points for {one.players[0]}: {pairs_text(one.tally)}", style="dim")]


def place_text(place: object) -> str:
    """A sentence on where the games are."""
    return f"The games are in {place}"


def players_list(players: Sequence[Player], game: str) -> list[RenderableType]:
    """The list of contestants before the first game."""
    found = list[RenderableType]()
    for number, player in enumerate(players, 1):
        head, *weights = described(player.title, game)
        found.append(Text(f"{number}  {player.name}", style="bold").append(f"  {head}", style="dim not bold"))
        found += [Text(f"     {line}", style="dim") for line in weights]
    return found


def described(title: str, game: str) -> list[str]:
    """A contestant line by line: what is typed for it, and each weight that it has of its own, with the name of its term."""
    head, *words = title.split(":")
    weights = [word.removeprefix(WEIGHTS) for word in words if word.startswith(WEIGHTS)]
    rest = ":".join([head, *(word for word in words if not word.startswith(WEIGHTS))])
    return [rest, *(line for text in weights for line in weight_lines(game, text.split(",")))]


def standings_table(standings: Sequence[Standing]) -> Table:
    """The table of contestants, best first."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    many = len(standings) > 2
    table.add_column("contestant", no_wrap=True)
    for name in ("points", "+ = -", "score", "rating" if many else "Elo (95 %)", "superior"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in standings:
        tally = one.tally
        table.add_row(
            Text(one.name, style="bold"),
            f"{tally.points:g}/{tally.games}",
            won_drawn_lost(tally),
            percent(one.score),
            rating_text(one.rating) if many else strength_text(one.strength),
            percent(one.strength.superiority) if one.strength else "",
        )
    return table


def efforts_table(standings: Sequence[Standing], game: str) -> Table:
    """The table of what each contestant is, and what its moves cost."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", style="dim")
    for name in ("depth", "nodes/move", "time/move"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("contestant", overflow="fold")
    for one in standings:
        table.add_row(
            f"{one.mean_depth:.1f}",
            f"{one.nodes_per_move:,.0f}",
            duration(one.seconds_per_move),
            contestant(one, game),
        )
    return table


def contestant(one: Standing, game: str) -> str:
    """A contestant with the name that it goes by, and its own weights line by line."""
    head, *weights = described(one.title, game)
    named = head if one.name == one.title.partition(":")[0] else f"{one.name} = {head}"
    return "\n".join([named, *(f"  {line}" for line in weights)])


def encounters_table(encounters: Sequence[Encounter]) -> Table:
    """The table of meetings."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("who met whom", "+ = -", "score", "Elo (95 %)", "0 ½ 1 1½ 2"):
        table.add_column(name, justify="left" if name[0] == "w" else "right", no_wrap=True)
    for one in encounters:
        table.add_row(
            f"{one.players[0]} - {one.players[1]}",
            won_drawn_lost(one.tally),
            percent(one.tally.score),
            strength_text(one.strength),
            pairs_text(one.tally),
        )
    return table


def sprt_line(progress: Progress, width: int = BAR) -> Text:
    """The log-likelihood ratio as a bar between its two bounds, and what it means."""
    span = progress.upper - progress.lower
    place = min(width - 1, max(0, int((progress.ratio - progress.lower) / span * width)))
    zero = min(width - 1, int(-progress.lower / span * width))
    cells = ["─"] * width
    for cell in range(min(zero, place), max(zero, place) + 1):
        cells[cell] = "━"
    cells[zero] = "┼"
    cells[place] = "◆"
    colour = {None: "bold yellow", 0: "bold red", 1: "bold green"}[progress.verdict]
    text = Text.assemble(f"{progress.lower:+.2f} ", ("".join(cells), colour), f" {progress.upper:+.2f}")
    text.append(f"\nratio {progress.ratio:+.2f} after {counted(progress.games, 'game')}: ", style="")
    test = progress.test
    says = {
        None: f"not decided between {elo_text(test.elo0)} and {elo_text(test.elo1)} Elo",
        0: f"{elo_text(test.elo0)} Elo is accepted, not {elo_text(test.elo1)}",
        1: f"{elo_text(test.elo1)} Elo is accepted, not {elo_text(test.elo0)}",
    }[progress.verdict]
    return text.append(says, style=colour)


def summary(outcome: MatchOutcome) -> Text:
    """How many games were played, who won them, and what limits their evidence."""
    text = Text(f"{outcome.done:,} of {counted(outcome.total, 'game')}", style="bold")
    if not outcome.complete:
        text.append("; interrupted: the same command goes on")
    elif outcome.sprt is not None and outcome.sprt.verdict is not None and outcome.done < outcome.total:
        text.append("; ended by the test")
    text.append(f"\n{by_side(outcome)}")
    if outcome.adjudicated:
        text.append(f"; {outcome.adjudicated} ended early")
    if outcome.distinct < outcome.done:
        text.append(f"\n{counted(outcome.distinct, 'different game')}")
        if outcome.evidence < outcome.done:
            again = counted(outcome.done - outcome.evidence, "game")
            text.append(f"; {again} of deterministic players, the same as earlier ones, are left out of the")
            text.append(" intervals: more openings would say more")
    text.append(f"\n{counted(outcome.openings, 'opening')}, seed {outcome.terms.seed}", style="dim not bold")
    if not outcome.repeatable:
        text.append(", not repeatable: a limit is in seconds, or threads share a search", style="dim not bold")
    if outcome.resumed:
        text.append(f"; {counted(outcome.resumed, 'game')} of them from the journal", style="dim not bold")
    return text


def by_side(outcome: MatchOutcome) -> str:
    """The results by the side to move first."""
    return f"{outcome.first_wins} won by the first player, {outcome.draws} drawn, {outcome.second_wins} by the second"


def latest_games(games: Sequence[PlayedGame], count: int = LATEST) -> Text:
    """The last games, one on each line."""
    signs = {"first": "1-0", "second": "0-1", "draw": "½-½"}
    text = Text(no_wrap=True, overflow="ellipsis")
    for game in list(games)[-count:]:
        text.append(f"{game.number:>5}  {game.players[0]} - {game.players[1]}  ", style="dim")
        text.append(signs[game.outcome], style="bold")
        text.append(f"  {counted(game.plies, 'ply')}, {game.ending}\n", style="dim")
    text.rstrip()
    return text


def experiment_table(outcome: Experiment) -> RenderableType:
    """The result of the course's experiment, and what it shows."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("algorithm")
    for name in ("won", "drawn", "lost", "nodes", "nodes/move", "time/game", "time"):
        table.add_column(name, justify="right")
    for one in outcome.sides:
        numbers = [one.wins, one.draws, one.losses]
        table.add_row(
            Text(one.algorithm, style="bold"),
            *map(str, numbers),
            f"{one.nodes:,}",
            f"{one.nodes / max(1, one.moves):,.0f}",
            duration(one.seconds_per_game),
            duration(one.seconds),
        )
    same = (
        "All games are the same, move by move"
        if outcome.identical
        else f"Only {counted(outcome.same_games, 'game')} the same, move by move"
    )
    lines = [Text(f"{same}: {outcome.games} of {outcome.game} at depth {outcome.depth}, seed {outcome.seed}.", style="bold")]
    first, last = outcome.sides[0].algorithm, outcome.sides[-1].algorithm
    if outcome.node_ratio is not None and outcome.time_ratio is not None:
        nodes, time = f"{outcome.node_ratio:.2f} times fewer nodes", f"{outcome.time_ratio:.2f} times less time"
        lines.append(Text(f"{last} looks at {nodes} than {first}, in {time}"))
        lines[-1].append(f" (the course: {COURSE_RATIO} times less time).", style="dim")
        if outcome.time_ratio < outcome.node_ratio / 2:
            said = "Searches this short spend most of their time on starting; deeper, time follows nodes (--depth 6)."
            lines.append(Text(said, style="dim"))
    return Group(table, *lines)
