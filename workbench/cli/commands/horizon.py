"""`plybench horizon`: examples of the horizon effect, explained with real searches, and a finder of others."""

from __future__ import annotations

import click

from engines.contract import InputError
from workbench.cli.options import POSITION_HELP, ascii_option, json_option

game_option = click.option(
    "--game", metavar="GAME", help="The game that the position belongs to (plybench games lists them)."
)
size_option = click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
set_option = click.option(
    "--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game or the algorithm."
)


class WithDefault(click.Group):
    """A click group that passes arguments which are not a command to `show`."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in ("-h", "--help")):
            args = ["show", *args]
        return super().parse_args(context, args)


@click.group(name="horizon", cls=WithDefault)
def group() -> None:
    """The horizon effect: `horizon` lists examples, `horizon ID` explains one, `horizon find FILE` looks for others."""


@group.command(epilog=POSITION_HELP)
@click.argument("position", required=False)
@game_option
@size_option
@set_option
@click.option("--depth", type=click.IntRange(1, 20), help="Look this many plies deep.")
@ascii_option
@json_option
def show(
    position: str | None, game: str | None, size: str | None, settings: tuple[str, ...], depth: int | None, json: bool
) -> int:
    """List the examples; explain one; or look into any position.

    The value at every depth with plain alpha-beta and with each remedy, the line at the fooled depth with the moves that
    only postpone, the position after them, and the truth."""
    from positions import horizon as examples
    from workbench.cli.console import INTERRUPTED, emit, read_position, run
    from workbench.horizon import story as horizon_story
    from workbench.horizon import view as show_horizon
    from workbench.horizon.finder import DEPTH

    if position is None:
        everything = list(examples.examples().values())
        emit(everything, lambda: show_horizon.listing(everything), json)
        return 0
    example = examples.examples().get(position.removeprefix("horizon/"))
    if example is not None:
        where = example.position()
        story = horizon_story.tell(example, run)
    else:
        if game is None and position.replace("-", "").isalnum() and "/" not in position:
            examples.get(position)  # raises an error that suggests the closest id
        where, _ = read_position(position, game, size, settings)
        if where.is_over:
            raise InputError("The game is over in this position; there is nothing to search.")
        story = horizon_story.investigate(where, run, depth or DEPTH)

    def document() -> dict[str, object]:
        after = horizon_story.position_after(where, story.row.pv).text if story.row is not None else None
        return {"example": example, "position": where.text, "story": story, "after": after}

    emit(document, lambda: show_horizon.story_group(story, where), json)
    return 0 if story.complete else INTERRUPTED


@group.command(epilog=POSITION_HELP + " The name of a file alone stands for all its positions, of all games of a PGN.")
@click.argument("target", metavar="FILE|POSITION")
@game_option
@size_option
@set_option
@click.option("--algorithm", default="deepening", show_default=True, help="The algorithm whose searches are watched.")
@click.option("--depth", type=click.IntRange(1, 20), help="Watch this many depths.  [default: 5]")
@click.option("--limit", "most", type=click.IntRange(1), help="Take only the first N positions.")
@click.option("--all", "everything", is_flag=True, help="Also list depths that were merely improved upon.")
@json_option
def find(
    target: str,
    game: str | None,
    size: str | None,
    settings: tuple[str, ...],
    algorithm: str,
    depth: int | None,
    most: int | None,
    everything: bool,
    json: bool,
) -> int:
    """Look for depths at which a search is wrong because moves that only postpone push a loss out of sight.

    The search that is watched has quiescence on and everything else off; --set changes that: --set quiescence=off,
    --set check_extension=on. Ctrl-C prints what was found by then."""
    from workbench.cli.console import INTERRUPTED, emit, read_assignments, read_position, tell
    from workbench.cli.progress import counting_bar, run_interruptible
    from workbench.horizon import view as show_horizon
    from workbench.horizon.effect import check_family
    from workbench.horizon.job import FinderJob
    from workbench.input.position_lists import chosen_positions

    check_family(algorithm)  # before a long file is read
    chosen = chosen_positions(
        target,
        game,
        read_assignments(settings),
        algorithm,
        lambda: read_position(target, game, size, settings, algorithm),
    )
    tell(chosen.skipped)
    job = FinderJob(target, chosen.positions, chosen.settings, algorithm, depth, most)
    with counting_bar("Searching", len(job.positions)) as move:
        job.run(
            run_interruptible,
            on_begin=lambda name: move(description=f"Searching {name}" if name else "Searching"),
            on_change=lambda: move(advance=1),
        )
    complete = not job.interrupted
    emit(
        lambda: job.document(everything),
        lambda: show_horizon.findings(job.findings, job.by_notation, everything, complete),
        json,
    )
    return 0 if complete else INTERRUPTED
