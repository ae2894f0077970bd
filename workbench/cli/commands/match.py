"""`plybench match`, a match between players with the statistics of its results; and `plybench experiment`, the course's
measurement in one command."""

from __future__ import annotations

from pathlib import Path

import click

from workbench.cli.options import json_option, options
from workbench.matches.bounds import LARGEST_ERROR, LONGEST_GAME, SMALLEST_ERROR

PLIES_RANGE = click.IntRange(1, LONGEST_GAME)
ERROR_RANGE = click.FloatRange(SMALLEST_ERROR, LARGEST_ERROR)

PLAYERS_HELP = """A player is ALGORITHM:NAME=VALUE:..., with a limit, parameters or weights of its own, and a name before it
if need be: deepening uct:iterations=5000 tuned=alphabeta:depth=4:weights=15,244,953."""
OPENINGS_HELP = "random, random:PLIES, library, start, or a file of positions or games."
DRAWN_AT_TWICE_A_SECOND = 2
DIFFERED = 1
"""The exit code of the experiment if the algorithms played different games."""

worker_options = options(
    click.option("--jobs", type=click.IntRange(1, 256), help="How many processes play; one for each core if not given."),
    click.option(
        "--cluster", metavar="ADDRESS", help="Use the workers of a Dask scheduler (pip install plybench[cluster])."
    ),
)


@click.command(epilog=PLAYERS_HELP)
@click.argument("players", nargs=-1, required=True)
@click.option("--game", metavar="GAME", required=True, help="The game that they play (plybench games lists them).")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game or of all players.")
@click.option(
    "--games", "games", type=int, default=100, show_default=True, help="How many games each pair of players plays."
)
@click.option("--depth", type=int, help="Search this many plies deep for each move.")
@click.option("--nodes", type=int, help="At most this many nodes for each move.")
@click.option("--iterations", type=int, help="At most this many iterations for each move, for algorithms that sample.")
@click.option("--seconds", type=float, help="At most this many seconds for each move.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="The seed of openings and chance: the same seed, the same match."
)
@click.option("--gauntlet", is_flag=True, help="The first contestant meets all others, who do not meet each other.")
@click.option("--openings", default="random", show_default=True, help=OPENINGS_HELP)
@click.option("--position", default="startpos", show_default=True, help="Where random openings begin.")
@click.option("--sprt", metavar="ELO0:ELO1", help="Stop once a sequential test (SPRT) has decided between the two.")
@click.option(
    "--alpha", type=ERROR_RANGE, default=0.05, show_default=True, help="How often the test may wrongly accept ELO1."
)
@click.option(
    "--beta", type=ERROR_RANGE, default=0.05, show_default=True, help="How often the test may wrongly accept ELO0."
)
@click.option(
    "--adjudicate",
    type=click.Choice(["none", "proof", "table", "both"]),
    default="none",
    show_default=True,
    help="End a game once a player has proven the result, or once a table or a short independent proof knows it.",
)
@click.option("--plies", type=PLIES_RANGE, default=600, show_default=True, help="A game that is longer than this is a draw.")
@worker_options
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file to keep finished games in, so that the match can continue after a stop.",
)
@click.option(
    "-o",
    "--output",
    "files",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    help="Write the games to a file: .jsonl or .pgn.",
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
    from engines.contract import Limit
    from engines.storage.files import check_writable
    from workbench.cli.console import INTERRUPTED, emit, output, read_assignments, read_position, tell
    from workbench.cli.progress import LiveView
    from workbench.jobs.workers import opened, workers
    from workbench.matches.job import MatchJob
    from workbench.matches.terms import make_terms
    from workbench.matches.view import match_table, place_text, running_table
    from workbench.play import game_files
    from workbench.play.players import read_players

    for path in files:
        game_files.check_name(path, game)
        check_writable(path)
    limit = Limit(depth=depth, nodes=nodes, iterations=iterations, seconds=seconds)
    sides, for_game = read_players(players, game, limit, read_assignments(settings))
    start, _ = read_position(position, game, size, tuple(f"{name}={value}" for name, value in for_game.items()))
    terms = make_terms(games, seed, gauntlet, adjudicate, plies, sprt, alpha, beta)
    job = MatchJob(sides, start, terms, openings, journal, files)
    tell(job.match.openings.skipped)
    live = LiveView(lambda: running_table(job.match.outcome()), DRAWN_AT_TWICE_A_SECOND)
    with opened(workers(jobs, cluster)) as pool, live:
        interrupted = job.run(pool, live.update, live.during("compiling {}, once", job.match.compile))
    outcome = job.match.outcome()
    emit(outcome, lambda: match_table(outcome), json)
    if not json:
        output().print(place_text(job.place), style="dim", markup=False, soft_wrap=True)
    return INTERRUPTED if interrupted else 0


@click.command()
@click.option("--game", metavar="GAME", default="connect4", show_default=True, help="The game that is played.")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game.")
@click.option(
    "--algorithms", default="minimax,alphabeta", show_default=True, help="The algorithms to compare, separated by commas."
)
@click.option(
    "--games",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    help="How many random games to compare them in.",
)
@click.option("--depth", type=click.IntRange(1, 200), default=4, show_default=True, help="Look this many plies ahead.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the random players.")
@json_option
def experiment(
    game: str, size: str | None, settings: tuple[str, ...], algorithms: str, games: int, depth: int, seed: int, json: bool
) -> int:
    """The course's experiment: minimax and alpha-beta against 100 players who move at random. Both play the same games;
    alpha-beta looks at fewer nodes."""
    from workbench.cli.console import INTERRUPTED, emit, read_position
    from workbench.cli.progress import counting_bar, move_along
    from workbench.matches.experiment import ExperimentRun
    from workbench.matches.view import experiment_table

    start, _ = read_position("startpos", game, size, settings)
    course = ExperimentRun(start, [name.strip() for name in algorithms.split(",") if name.strip()], games, depth, seed)
    interrupted = move_along(counting_bar("Playing", games), ({"completed": done} for done in course.run()))
    outcome = course.outcome()
    emit(outcome, lambda: experiment_table(outcome), json)
    if interrupted:
        return INTERRUPTED
    return 0 if outcome.identical else DIFFERED
