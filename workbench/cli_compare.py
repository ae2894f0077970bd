"""`plybench compare`: several algorithms on one position and one budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from workbench.cli_options import POSITION_HELP, json_option, options, position_options

if TYPE_CHECKING:
    from engines.contract import Report
    from engines.game import Position
    from workbench.compare_types import Truth

budget_options = options(
    click.option("--depth", type=int, help="Every lane so many plies deep."),
    click.option("--nodes", type=int, help="At most so many nodes each."),
    click.option("--evaluations", type=int, help="At most about so many evaluated positions each."),
    click.option("--iterations", type=int, help="At most so many iterations each, for algorithms that have them."),
    click.option("--seconds", type=float, help="At most so long each."),
)
lane_options = options(
    click.option("--algorithms", required=True, metavar="A,B,...", help="The lanes; NAME=A gives one a name."),
    budget_options,
    click.option("--seed", type=int, default=0, show_default=True, help="For algorithms that use chance."),
)
truth_options = options(
    click.option("--truth/--no-truth", "wants_truth", default=True, show_default=True, help="Say what is true, if known."),
    click.option("--truth-nodes", type=click.IntRange(1), help="At most so many nodes for each proof."),
)
DISAGREED = 1
"""The exit code if exact algorithms contradict each other."""
LANES_HELP = """A lane's own parameter is set with --set LANE:NAME=VALUE, where LANE is its number or its name:
--algorithms deepening,deepening --set 2:table=0. Without a lane it is for all that have it."""


@click.command(epilog=f"{POSITION_HELP} {LANES_HELP}")
@position_options
@lane_options
@truth_options
@click.option("--together/--one-by-one", "together", default=None, help="How the lanes run; else the cores decide.")
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
    json: bool,
) -> int:
    """Run several algorithms on one position with one budget, side by side, and say where they differ."""
    from engines.contract import as_json
    from workbench.cli import INTERRUPTED, errors, fail, output, read_position
    from workbench.compare import Comparison, read_lanes
    from workbench.compare_types import Budget
    from workbench.compared import compared
    from workbench.watch_lanes import wait_for_lanes

    budget = Budget(depth=depth, nodes=nodes, evaluations=evaluations, iterations=iterations, seconds=seconds)
    _, rest = read_lanes(algorithms, settings, "chess", seed)  # which of the settings are the game's
    where, _ = read_position(position, game, size, rest)
    lanes, _ = read_lanes(algorithms, settings, where.game.id, seed)
    comparison = Comparison(where, lanes, budget, together)
    interrupted = wait_for_lanes(comparison, errors())
    reports = [lane.report for lane in comparison.lanes]
    truth = find_truth(where, reports, truth_nodes) if wants_truth and not interrupted else None
    found = compared(comparison, truth, complete=not interrupted)
    if json:
        click.echo(as_json(found))
    else:
        from workbench.show_compare import table

        output().print(table(found, where))
    if not found.agreement.agrees:
        return DISAGREED
    problems = [lane.problem for lane in comparison.lanes if lane.problem]
    if problems:
        fail(" ".join(problems))
    return INTERRUPTED if interrupted else 0


def find_truth(where: Position, reports: Sequence[Report | None], nodes: int | None) -> Truth | None:
    """What is true of a position and of the moves that searches prefer, with a live line while it is found out."""
    from engines.runner import Search
    from workbench.cli import errors
    from workbench.truth import NODES, from_reports, truth_of
    from workbench.watch import wait_for

    def run(search: Search) -> bool:
        return wait_for(search.start(), f"truth by {search.algorithm.id}", errors())

    moves = [report.best_move for report in reports if report is not None]
    return truth_of(where, moves, nodes or NODES, run) or from_reports(reports, moves)
