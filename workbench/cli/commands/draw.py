"""`plybench draw`: a search, or a position alone, as a picture in a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from engines import catalog
from engines.contract import InputError, Limit, Report
from workbench.cli.console import INTERRUPTED, errors, read_position, run
from workbench.cli.options import POSITION_HELP, position_options

if TYPE_CHECKING:
    from engines.position import Position
    from engines.tape.recording import Recording
    from workbench.input.recognise import Recognised


@click.command(epilog=POSITION_HELP + " A tape, or a picture that Plybench drew, stands for its search.")
@position_options
@click.option("--algorithm", help="The algorithm whose search is drawn; without it, one that suits the game.")
@click.option("--depth", type=int, help="Search this many plies deep.")
@click.option("--nodes", type=int, help="Search at most this many nodes.")
@click.option("--iterations", type=int, help="At most this many iterations, for algorithms that sample.")
@click.option("--seed", type=int, help="The seed of algorithms that use chance.  [default: 0]")
@click.option("--node", metavar="MOVES", help='Draw the tree below the node that these moves lead to, such as "2 1".')
@click.option("--step", type=click.IntRange(0), metavar="K", help="Draw the moment after K events; without it, the end.")
@click.option("--board", is_flag=True, help="Draw the position alone: its board, or the tree as it was typed.")
@click.option("--plot", is_flag=True, help="Draw the value by depth, not the tree.")
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True, help="The colours.")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file. Its ending says the form: .svg, .png, .gif (a film), .tex (TikZ), .dot (Graphviz), .html (a player).",
)
def draw(
    position: str,
    game: str | None,
    size: str | None,
    settings: tuple[str, ...],
    algorithm: str | None,
    depth: int | None,
    nodes: int | None,
    iterations: int | None,
    seed: int | None,
    node: str | None,
    step: int | None,
    board: bool,
    plot: bool,
    theme: str,
    output: Path,
) -> int:
    """Draw a search as a picture: its tree with values and windows, what was cut, and the best line."""
    from engines.storage.files import check_writable
    from workbench.drawing.board import board_picture
    from workbench.drawing.plot import value_picture
    from workbench.drawing.scenes.choice import node_at, title_of
    from workbench.drawing.scenes.files import FLAT, FORMS, board_bytes, form_of, picture_bytes, said_of, write_picture
    from workbench.drawing.scenes.stage import Stage
    from workbench.drawing.tree import tree_picture
    from workbench.input.pictured import drawn_of, drawn_position
    from workbench.render.values import counted
    from workbench.watch.open import trace_of

    given = [one for one in (algorithm, depth, nodes, iterations, seed, node, step) if one is not None]
    if board and (plot or given):
        raise InputError("--board draws the position alone, without a search.")
    if plot and (node or step is not None):
        raise InputError("--plot draws the whole search, without --node and --step.")
    form = form_of(output, FLAT if board or plot else tuple(FORMS))
    check_writable(output)
    limit = Limit(depth=depth, nodes=nodes, iterations=iterations)
    asked = _asked(position, game, size, settings, algorithm, limit, seed)
    if board:
        picture = board_picture(asked.position) or tree_picture(asked.position)
        if picture is None:
            raise InputError(f"{asked.position.game.title} has no board of squares, and this is no small tree.")
        write_picture(output, board_bytes(picture, output.suffix.lower(), drawn_position(asked.position)))
        click.echo(f"Drawn: {output}.")
        return 0
    report, recording = _searched(asked)
    if report is None:
        return INTERRUPTED
    if plot:
        values = value_picture(report, asked.position, f"{title_of(report, asked.position)}: value by {{stage}}")
        if values is None:
            raise InputError(f"{report.algorithm} has no values at several depths here, so there is nothing to plot.")
        write_picture(output, board_bytes(values, output.suffix.lower(), replace(drawn_of(report), is_plot=True)))
        click.echo(f"Drawn: {output}.")
        return 0
    trace = trace_of(report, recording)
    node, step = node or asked.node, asked.step if step is None else step
    if step is not None and step > len(trace):
        raise InputError(f"The search has {counted(len(trace), 'event')}; --step cannot be {step:,}.")
    stage = Stage(trace, title_of(report, asked.position), node_at(trace, node) if node else None)
    drawn = drawn_of(report, node, step)
    at = len(trace) if step is None else step
    with errors().status("Drawing ...") as status:
        content = picture_bytes(
            stage, at, form, drawn, theme, lambda done, count: status.update(f"Drawing ... {done:,} of {count:,}")
        )
    write_picture(output, content)
    click.echo(f"Drawn: {output}, {said_of(stage, at, form, drawn).rstrip('.')}.")
    return 0


@dataclass(frozen=True)
class Asked:
    """A search that is to be drawn."""

    position: Position
    algorithm: str | None
    limit: Limit
    settings: Mapping[str, str]
    seed: int
    recording: Recording | None = None
    """It has been searched already, and is read off a tape."""
    node: str = ""
    step: int | None = None


def _asked(
    position: str,
    game: str | None,
    size: str | None,
    settings: tuple[str, ...],
    algorithm: str | None,
    limit: Limit,
    seed: int | None,
) -> Asked:
    """What the command's argument and options ask for: a tape, a picture's search, or a position's."""
    from engines.tape.recording import Recording
    from workbench.input import files, recognise
    from workbench.sessions.text import position_of

    at = files.named(position)
    whole = recognise.own_file(at[0]) if at is not None else None
    if whole is not None and at is not None and game not in (None, whole.position.game.id):
        raise InputError(f"{at[0].name} is of {whole.position.game.id}, not of {game}.")
    if whole is not None and at is not None and _is_tape(whole):
        if algorithm or settings or size or seed is not None or limit != Limit():
            raise InputError("A tape has been searched already: no option can change that; name its position instead.")
        recording = Recording.load(at[0])
        return Asked(position_of(recording.report), recording.report.algorithm, Limit(), {}, 0, recording)
    drawn = whole.drawn if whole is not None else None
    if drawn is None or not drawn.algorithm or algorithm not in (None, drawn.algorithm) or settings or size:
        where, rest = read_position(position, game, size, settings, algorithm)
        return Asked(where, algorithm, limit, rest, seed or 0)
    limit = limit if limit != Limit() else drawn.limit
    of_algorithm = catalog.split_settings(drawn.settings, drawn.game, drawn.algorithm)[1]
    seed = drawn.seed if seed is None else seed
    where = drawn.read_position()
    return Asked(where, drawn.algorithm, limit, of_algorithm, seed, node=drawn.node, step=drawn.step)


def _is_tape(whole: Recognised) -> bool:
    """Whether a file holds one recorded search."""
    return whole.session is not None and (whole.file, whole.portable, whole.drawn) == (None, None, None)


def _searched(asked: Asked) -> tuple[Report | None, Recording | None]:
    """The report of the search, and its recording where it is read off one; no report if the user interrupted it."""
    from engines.run.search import Search
    from engines.tape.recording import Recording
    from engines.tape.tape import new_tape
    from workbench.drawing.scenes.choice import chosen_search
    from workbench.jobs.compile import is_missing
    from workbench.watch.kinds import needs_recording
    from workbench.watch.record import MOST_NODES

    if asked.recording is not None:
        return asked.recording.report, asked.recording
    choice = chosen_search(asked.position, asked.algorithm, asked.limit)
    if choice.sentence:
        click.echo(choice.sentence)
    algorithm = catalog.algorithm(choice.algorithm)
    parameters = catalog.read_settings(algorithm.parameters, asked.settings, asked.position.game.id)
    tape = new_tape(MOST_NODES) if needs_recording(algorithm) else None
    search = Search(asked.position, algorithm, choice.limit, parameters, asked.seed, tape)
    is_new = is_missing(algorithm.id, asked.position.game, recorded=tape is not None)
    if run(search, f"compiling {algorithm.id} for {asked.position.game.title}, once" if is_new else algorithm.id):
        return None, None
    report = search.report()
    return report, Recording.of(tape, report, algorithm.view) if tape is not None else None
