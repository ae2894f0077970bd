"""`plybench compare` and `compare-suite`: several algorithms with one budget, on one position or on many; and what
recorded searches tell of their nodes: `diff` and `profile`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.options import POSITION_HELP, ascii_option, json_option, limit_options, options, position_options

if TYPE_CHECKING:
    from workbench.comparison.suite import ComparisonSuite
    from workbench.jobs.journal import Journal
    from workbench.jobs.workers import Workers
    from workbench.sessions.comparison_types import SuiteHead

budget_options = options(
    click.option("--depth", type=int, help="Search this many plies deep in each lane."),
    click.option("--nodes", type=int, help="At most this many nodes for each lane."),
    click.option("--evaluations", type=int, help="At most about this many evaluated positions for each lane."),
    click.option("--iterations", type=int, help="At most this many iterations for each lane that samples."),
    click.option("--seconds", type=float, help="At most this many seconds for each lane."),
)
lane_options = options(
    click.option("--algorithms", required=True, metavar="A,B,...", help="The lanes; NAME=A gives one a name."),
    budget_options,
    click.option("--seed", type=int, default=0, show_default=True, help="The seed of algorithms that use chance."),
)
truth_options = options(
    click.option(
        "--truth/--no-truth",
        "wants_truth",
        default=True,
        show_default=True,
        help="Say what the position is truly worth, if that can be known.",
    ),
    click.option("--truth-nodes", type=click.IntRange(1), help="At most this many nodes for each proof of the truth."),
)
DISAGREED = 1
SUFFIX = ".tape"
"""How the name of a recorded search ends."""
"""The exit code if exact algorithms contradict each other."""
LANES_HELP = """A lane's own parameter is set with --set LANE:NAME=VALUE, where LANE is its number or its name:
--algorithms deepening,deepening --set 2:table=0. Without a lane it applies to all that have it. Lanes may also differ in
what positions are worth to them: --set 2:weights=15,244,953, --set 2:evaluation=tapered."""


@click.command(epilog=f"{POSITION_HELP} {LANES_HELP}")
@position_options
@lane_options
@truth_options
@click.option(
    "--together/--one-by-one",
    "together",
    default=None,
    help="Run the lanes at the same time or one after another; the number of cores decides if not given.",
)
@click.option("--session", metavar="NAME", help="Also add it to the session of this name.")
@json_option
def compare(
    position: str,
    game: str | None,
    size: str | None,
    settings: tuple[str, ...],
    algorithms: str,
    depth: int | None,
    nodes: int | None,
    evaluations: int | None,
    iterations: int | None,
    seconds: float | None,
    seed: int,
    wants_truth: bool,
    truth_nodes: int | None,
    together: bool | None,
    session: str | None,
    json: bool,
) -> int:
    """Run several algorithms on one position with one budget, side by side, and say where they differ."""
    from workbench.cli.console import INTERRUPTED, emit, errors, fail, read_position, run
    from workbench.cli.lanes_progress import wait_for_lanes
    from workbench.comparison.job import ComparisonJob
    from workbench.comparison.lane_specs import read_lanes, settings_of_game
    from workbench.comparison.lanes import Comparison
    from workbench.comparison.view import table
    from workbench.sessions.comparison_types import LaneBudget

    budget = LaneBudget(depth=depth, nodes=nodes, evaluations=evaluations, iterations=iterations, seconds=seconds)
    rest = settings_of_game(algorithms, settings)
    where, _ = read_position(position, game, size, rest)
    lanes, _ = read_lanes(algorithms, settings, where.game.id, seed)
    job = ComparisonJob(Comparison(where, lanes, budget, together))
    result = job.run(lambda comparison: wait_for_lanes(comparison, errors()), run, wants_truth, truth_nodes)
    if session is not None:
        from workbench.sessions.store import keep_in

        keep_in(session, where, lambda kept: kept.study_of(where).keep_comparison(result))
    emit(result, lambda: table(result, where), json)
    if not result.agreement.agrees:
        return DISAGREED
    if job.problems:
        fail(job.problems)
    return INTERRUPTED if job.interrupted else 0


@click.command(name="compare-suite", epilog=LANES_HELP)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", metavar="GAME", help="The game that the positions belong to, if the file does not say.")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--set", "settings", metavar="[LANE:]NAME=VALUE", multiple=True, help="A parameter of game or algorithm.")
@click.option("--limit", "most", type=click.IntRange(1), help="Take only the first N positions.")
@lane_options
@truth_options
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file to keep progress in, so that the suite can continue after a stop.",
)
@click.option(
    "-o",
    "--output",
    "files",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    help="Write the results to a file.",
)
@click.option("--session", metavar="NAME", help="Also add it to the session of this name.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="Search this many positions at once, each in a process; times then mean less.",
)
@click.option("--cluster", metavar="ADDRESS", help="Use the workers of a Dask scheduler.")
@json_option
def compare_suite(
    file: Path,
    game: str | None,
    size: str | None,
    settings: tuple[str, ...],
    most: int | None,
    algorithms: str,
    depth: int | None,
    nodes: int | None,
    evaluations: int | None,
    iterations: int | None,
    seconds: float | None,
    seed: int,
    wants_truth: bool,
    truth_nodes: int | None,
    journal: Path | None,
    files: tuple[Path, ...],
    session: str | None,
    jobs: int | None,
    cluster: str | None,
    json: bool,
) -> int:
    """Run several algorithms on all positions of a file, and say how each did.

    A line of the file is a position, or an EPD (bm and am say what is right), or a Connect 4 position with its score.
    Where the file does not say, the truth decides, or failing that the lane that looked deepest. The same command
    goes on where it was killed or interrupted. Output files end in .csv, .md or .html.
    """
    from engines.storage.files import check_writable
    from workbench.cli.console import INTERRUPTED, emit, read_assignments, tell, write_file
    from workbench.comparison.lane_specs import read_lanes, settings_of_game
    from workbench.comparison.suite import ComparisonSuite, read_cases
    from workbench.export import suite as export_suite
    from workbench.export import view as show_session
    from workbench.jobs.journal import taken_up
    from workbench.jobs.workers import opened, workers
    from workbench.proofs.truth import NODES
    from workbench.sessions.comparison_types import LaneBudget

    for path in files:
        export_suite.format_of(path)
        check_writable(path)
    budget = LaneBudget(depth=depth, nodes=nodes, evaluations=evaluations, iterations=iterations, seconds=seconds)
    rest = settings_of_game(algorithms, settings)
    name, cases = read_cases(file, game, size, read_assignments(rest), most, tell)
    lanes, _ = read_lanes(algorithms, settings, name, seed)
    suite = ComparisonSuite(file, cases, lanes, budget, (truth_nodes or NODES) if wants_truth else None)
    with taken_up(suite, "comparisons", journal, lambda: suite.is_complete, ".jsonl") as kept:
        if jobs is None and cluster is None:
            interrupted = watch_suite(suite, kept)
        else:
            with opened(workers(jobs, cluster)) as pool:
                interrupted = watch_suite(suite, kept, pool)
        outcome = suite.outcome()
        for path in files:
            write_file(path, export_suite.write(outcome, export_suite.format_of(path)))
        if session is not None:
            from workbench.sessions.store import keep_in

            keep_in(session, suite.cases[0].position, lambda kept: kept.keep_suite(outcome))
    emit(outcome, lambda: show_session.suite(outcome), json)
    if outcome.errors:
        return DISAGREED
    return INTERRUPTED if interrupted else 0


def watch_suite(suite: ComparisonSuite, journal: Journal[SuiteHead], workers: Workers | None = None) -> bool:
    """Run a suite with a progress bar, one search after another or on workers. Returns True if the user interrupted it."""
    from engines.run.search import Search
    from workbench.cli.progress import counting_bar, run_interruptible

    interrupted = False

    def run(search: Search) -> bool:
        nonlocal interrupted
        interrupted = interrupted or run_interruptible(search)
        return interrupted

    with counting_bar("Comparing", suite.searches, len(suite.cells)) as move:
        try:
            for cell in suite.run(journal, run) if workers is None else suite.run_on(journal, workers):
                move(advance=1, description=f"Comparing {suite.cases[cell.position - 1].id}"[:40])
        except KeyboardInterrupt:
            interrupted = True
    return interrupted


@click.command()
@click.argument("first", type=click.Path(path_type=Path), metavar="A.tape")
@click.argument("second", type=click.Path(path_type=Path), metavar="B.tape")
@click.option(
    "--parts",
    type=click.IntRange(1, 1000),
    default=100,
    show_default=True,
    help="Name at most so many subtrees: with fewer, larger ones are named.",
)
@ascii_option
@json_option
def diff(first: Path, second: Path, parts: int, json: bool) -> None:
    """Compare two recorded searches of one position: where they part, why, and where the extra nodes went.

    The tapes are written by plybench analyze POSITION --tape FILE."""
    from engines.tape.recording import Recording
    from workbench.cli.console import emit
    from workbench.difference import view
    from workbench.difference.job import difference_of

    recording = Recording.load(first)
    found = difference_of(recording, Recording.load(second), (str(first), str(second)), parts)
    emit(found, lambda: view.difference(found, recording.position.game), json)


@click.command(epilog=POSITION_HELP)
@position_options
@click.option("--algorithm", default="deepening", show_default=True, help="The algorithm that searches a position.")
@limit_options
@click.option("--line", default="", metavar="MOVES", help="Show the subtrees below these moves, in the largest pass.")
@json_option
def profile(
    position: str,
    game: str | None,
    size: str | None,
    settings: tuple[str, ...],
    algorithm: str,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    line: str,
    json: bool,
) -> None:
    """Show where the nodes of a search went: by subtree, cause, depth and ply.

    POSITION may be a tape, FILE.tape (plybench analyze --tape writes it); any other position is searched first."""
    from engines import catalog
    from engines.contract import Limit
    from engines.tape.recording import Recording
    from workbench.cli.console import emit, read_position
    from workbench.profile import view
    from workbench.profile.counts import profile_of
    from workbench.watch.record import recorded

    if position.endswith(SUFFIX):
        recording = Recording.load(Path(position))
    else:
        where, given = read_position(position, game, size, settings, algorithm)
        found = catalog.algorithm(algorithm)
        limit = Limit(depth=depth, nodes=nodes, seconds=seconds)
        if limit == Limit():
            limit = Limit(depth=where.game.depth_from(where.state))
        parameters = catalog.read_settings(found.parameters, given, where.game.id)
        recording = recorded(where, found, parameters, limit)
    told = profile_of(recording, line)
    emit(told, lambda: view.profile(told), json)
