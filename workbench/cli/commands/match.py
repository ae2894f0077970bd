"""`plybench match`: players against each other, with what the results say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.options import json_option, options

if TYPE_CHECKING:
    from workbench.jobs.journal import Journal
    from workbench.jobs.workers import Workers
    from workbench.matches.match import Match
    from workbench.matches.statistics import Sprt
    from workbench.matches.types import MatchHead

PLAYERS_HELP = """A player is ALGORITHM:NAME=VALUE:..., with a limit, parameters or weights of its own, and a name before it
if need be: deepening uct:iterations=5000 tuned=alphabeta:depth=4:weights=15,244,953."""
OPENINGS_HELP = "random, random:PLIES, library, start, or a file of positions or games."
DRAWN_AT_TWICE_A_SECOND = 2

worker_options = options(
    click.option("--jobs", type=click.IntRange(1, 256), help="So many processes; else one for each core."),
    click.option(
        "--cluster", metavar="ADDRESS", help="Use the workers of a Dask scheduler (pip install plybench[cluster])."
    ),
)


@click.command(epilog=PLAYERS_HELP)
@click.argument("players", nargs=-1, required=True)
@click.option("--game", metavar="GAME", required=True, help="What they play (plybench games lists them).")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game or of all players.")
@click.option("--games", "games", type=int, default=100, show_default=True, help="Games of any two who meet.")
@click.option("--depth", type=int, help="A move is searched so many plies deep.")
@click.option("--nodes", type=int, help="At most so many nodes a move.")
@click.option("--iterations", type=int, help="At most so many iterations a move, for algorithms that have them.")
@click.option("--seconds", type=float, help="At most so long a move.")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides openings and chance.")
@click.option("--gauntlet", is_flag=True, help="The first player meets all others, and they not each other.")
@click.option("--openings", default="random", show_default=True, help=OPENINGS_HELP)
@click.option("--position", default="startpos", show_default=True, help="Where random openings begin.")
@click.option("--sprt", metavar="ELO0:ELO1", help="Stop when a sequential test knows which it is.")
@click.option("--alpha", type=click.FloatRange(0.0001, 0.4), default=0.05, show_default=True, help="Its first error.")
@click.option("--beta", type=click.FloatRange(0.0001, 0.4), default=0.05, show_default=True, help="Its second error.")
@click.option(
    "--adjudicate",
    type=click.Choice(["none", "proof", "table", "both"]),
    default="none",
    show_default=True,
    help="End a game when a player has proven the result, or when tables (or a short proof by somebody else) know it.",
)
@click.option("--plies", type=click.IntRange(1, 10_000), default=600, show_default=True, help="A longer game is drawn.")
@worker_options
@click.option("--journal", type=click.Path(dir_okay=False, path_type=Path), help="Where games are noted, and kept.")
@click.option(
    "-o", "--output", "files", type=click.Path(dir_okay=False, path_type=Path), multiple=True, help="Games: .jsonl or .pgn."
)
@json_option
def match(
    players: tuple[str, ...],
    game: str,
    size: str | None,
    settings: tuple[str, ...],
    games: int,
    depth: int | None,
    nodes: int | None,
    iterations: int | None,
    seconds: float | None,
    seed: int,
    gauntlet: bool,
    openings: str,
    position: str,
    sprt: str | None,
    alpha: float,
    beta: float,
    adjudicate: str,
    plies: int,
    jobs: int | None,
    cluster: str | None,
    journal: Path | None,
    files: tuple[Path, ...],
    json: bool,
) -> int:
    """Have players play each other, from each opening once with each side, and say who is stronger and how sure that is.

    Every game is kept. The same command goes on where it was killed or interrupted, and comes to the same totals.
    """
    from typing import cast

    from engines.contract import Limit, as_json
    from engines.storage.files import check_writable, data_directory
    from workbench.cli.console import INTERRUPTED, output, read_assignments, read_position, tell
    from workbench.jobs.journal import Journal, fingerprint
    from workbench.jobs.workers import opened, workers
    from workbench.matches.match import Match
    from workbench.matches.types import Terms
    from workbench.matches.view import match_table
    from workbench.play import game_files
    from workbench.play.game_loop import Adjudication
    from workbench.play.players import read_players

    for path in files:
        game_files.check_name(path, game)
        check_writable(path)
    limit = Limit(depth=depth, nodes=nodes, iterations=iterations, seconds=seconds)
    found_players, for_game = read_players(players, game, limit, read_assignments(settings))
    start, _ = read_position(position, game, size, tuple(f"{name}={value}" for name, value in for_game.items()))
    terms = Terms(
        games=games,
        seed=seed,
        style="gauntlet" if gauntlet else "round robin",
        adjudicate=cast(Adjudication, adjudicate),
        most_plies=plies,
        sprt=None if sprt is None else read_test(sprt, alpha, beta),
    )
    wanted = Match(found_players, start, terms, openings)
    tell(wanted.openings.skipped)
    folder = data_directory() / "matches"
    with Journal(journal or folder / f"{fingerprint(wanted.head)}.journal", wanted.head) as kept:
        wanted.resume(kept)
        with opened(workers(jobs, cluster)) as found_workers:
            interrupted = watch_match(wanted, kept, found_workers)
        found = wanted.outcome()
        event = " - ".join(player.name for player in found_players)
        for path in files:
            game_files.write_games(found.games, path, event)
        if found.complete and journal is None:
            place = game_files.keep_games(found.games, folder, f"{game} {event}", event) if not files else files[0]
            kept.remove()
        else:
            place = kept.path
    if json:
        click.echo(as_json(found))
    else:
        output().print(match_table(found))
        output().print(f"The games are in {place}", style="dim", markup=False, soft_wrap=True)
    return INTERRUPTED if interrupted else 0


def read_test(text: str, alpha: float, beta: float) -> Sprt:
    """The two hypotheses that a person typed."""
    from engines.contract import InputError, shown
    from workbench.matches.statistics import Sprt

    parts = text.split(":")
    try:
        low, high = (float(part) for part in parts)
    except ValueError:
        raise InputError(f"A test is written ELO0:ELO1, such as 0:10, not {shown(text)}.") from None
    if not -2000 <= low < high <= 2000:
        raise InputError(f"The second Elo of a test is larger than the first, both within 2000, not {shown(text)}.")
    return Sprt(elo0=low, elo1=high, alpha=alpha, beta=beta)


def watch_match(match: Match, journal: Journal[MatchHead], workers: Workers) -> bool:
    """Play with a live table on standard error, where that is a terminal; True if a person interrupted it."""
    from contextlib import nullcontext
    from time import monotonic

    from rich.console import Group
    from rich.live import Live
    from rich.text import Text

    from workbench.cli.console import errors
    from workbench.matches.view import latest_games, match_table

    terminal = errors()

    def view() -> Group:
        found = match.outcome()
        return Group(match_table(found), Text(), latest_games(found.games))

    live = Live(console=terminal, transient=True, auto_refresh=False) if terminal.is_terminal else nullcontext()
    try:
        if not match.is_complete:
            for name in match.uncompiled():
                with terminal.status(f"compiling {name}, once"):
                    match.compile(name)
        with live:
            last = 0.0
            for _ in match.run(journal, workers):
                if isinstance(live, Live) and monotonic() - last > 1 / DRAWN_AT_TWICE_A_SECOND:
                    live.update(view(), refresh=True)
                    last = monotonic()
    except KeyboardInterrupt:
        return True
    return False
