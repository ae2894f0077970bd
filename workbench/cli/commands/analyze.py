"""`plybench analyze`, `eval`, `perft`, `ablate` and `tape`: commands about one position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engines.contract import InputError, Limit, shown
from workbench.cli.commands.proof import write_proof
from workbench.cli.console import (
    INTERRUPTED,
    emit,
    errors,
    fields,
    read_assignments,
    read_position,
    run,
    tell,
)
from workbench.cli.options import POSITION_HELP, json_option, limit_options, position_options

if TYPE_CHECKING:
    from rich.console import RenderableType

    from engines.position import Position
    from positions.references import References
    from workbench.sessions.comparison_types import Truth


@click.command(epilog=POSITION_HELP)
@position_options
@click.option(
    "--algorithm",
    default="alphabeta",
    show_default=True,
    help="The algorithm that searches (plybench algorithms lists them).",
)
@click.option("--depth", type=int, help="Search this many plies deep.")
@click.option("--nodes", type=int, help="Search at most this many nodes.")
@click.option("--iterations", type=int, help="At most this many iterations, for algorithms that sample.")
@click.option("--seconds", type=float, help="Search for at most this many seconds.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of algorithms that use chance.")
@click.option("--tape", "tape_file", type=click.Path(dir_okay=False, path_type=Path), help="Record every node in a file.")
@click.option("--tape-nodes", type=click.IntRange(1, 200_000_000), help="Record at most this many nodes.")
@click.option("--proof", "proof_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the proof to a file.")
@click.option("--proof-nodes", type=click.IntRange(1, 100_000_000), help="The proof may have at most this many positions.")
@click.option("--shortest", is_flag=True, help="Look for the shortest proof, however long that takes; Ctrl-C ends it.")
@click.option(
    "--truth", "wants_truth", is_flag=True, help="Also say what the position is truly worth, where that can be known."
)
@click.option("--truth-nodes", type=click.IntRange(1), help="At most this many nodes for each proof of the truth.")
@json_option
def analyze(
    position: str,
    game: str | None,
    size: str | None,
    settings: tuple[str, ...],
    algorithm: str,
    depth: int | None,
    nodes: int | None,
    iterations: int | None,
    seconds: float | None,
    seed: int,
    tape_file: Path | None,
    tape_nodes: int | None,
    proof_file: Path | None,
    proof_nodes: int | None,
    shortest: bool,
    wants_truth: bool,
    truth_nodes: int | None,
    json: bool,
) -> int:
    """Search a position and report what was found."""
    from engines import catalog
    from engines.run.memory import Memory
    from engines.run.search import Search
    from engines.storage.files import check_writable
    from engines.tape.recording import Recording
    from engines.tape.tape import DEFAULT_CAPACITY, new_tape
    from workbench.jobs.compile import is_missing
    from workbench.jobs.compile_times import expected, remember
    from workbench.settings import references_for

    chosen = catalog.algorithm(algorithm)
    limit = Limit(depth=depth, nodes=nodes, iterations=iterations, seconds=seconds)
    if proof_file is None and (shortest or proof_nodes is not None):
        raise InputError("--shortest and --proof-nodes are about the proof that --proof FILE writes.")
    for file in (tape_file, proof_file):
        if file is not None:
            check_writable(file)
    where, rest = read_position(position, game, size, settings, algorithm)
    known = references_for(where)
    parameters = catalog.read_settings(chosen.parameters, rest, where.game.id)
    tape = new_tape(tape_nodes or DEFAULT_CAPACITY) if tape_file is not None else None
    search = Search(where, chosen, limit, parameters, seed, tape, Memory(prefault=True))
    is_new = is_missing(algorithm, where.game, recorded=tape is not None)
    usual = f"{expected(algorithm, where.game.id):.0f} s"
    interrupted = run(search, f"compiling {algorithm} for {where.game.title}, once: about {usual}" if is_new else algorithm)
    report = search.report()
    if is_new and tape is None:
        remember(algorithm, where.game.id, report.compile_seconds)
    truth: dict[str, Truth | None] = {}
    if wants_truth and not interrupted:
        from workbench.proofs.truth import find_truth

        truth["truth"], interrupted = find_truth(where, [report], truth_nodes, run)

    def view() -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        from workbench.proofs.truth import sentence
        from workbench.render import search as render

        words = [Text(sentence(found, report.best_move, where)) for found in truth.values()]
        return Group(render.report(report, where), *references_view(known, where), *words)

    emit({**fields(report), **references_document(known), **truth}, view, json)
    if tape_file is not None and tape is not None:
        with errors().status("Writing the tape ..."):
            Recording.of(tape, report, chosen.view).save(tape_file)
    if proof_file is not None and not interrupted:
        interrupted = write_proof(search, report, proof_file, proof_nodes, shortest)
    return INTERRUPTED if interrupted else 0


@click.command(name="eval", epilog=POSITION_HELP)
@position_options
@json_option
def evaluate(position: str, game: str | None, size: str | None, settings: tuple[str, ...], json: bool) -> None:
    """Evaluate a position without searching, term by term."""
    from workbench.settings import references_for

    where, _ = read_position(position, game, size, settings)
    known = references_for(where)
    found = where.game.evaluation(where.state)

    def view() -> RenderableType:
        from rich.console import Group

        from workbench.render import search as render

        return Group(render.evaluation(found, where), *references_view(known, where))

    document = {"game": where.game.id, "size": where.game.size, "position": where.text, **fields(found)}
    emit({**document, **references_document(known)}, view, json)


@click.command(epilog=POSITION_HELP)
@position_options
@click.option("--depth", type=int, help="Count the games of this many plies.")
@json_option
def perft(
    position: str, game: str | None, size: str | None, settings: tuple[str, ...], depth: int | None, json: bool
) -> int:
    """Count the games of a given length from a position: the check of a game's rules."""
    from engines.perft import Perft

    where, _ = read_position(position, game, size, settings)
    count = Perft(where, where.game.depth_from(where.state) if depth is None else depth)
    interrupted = run(count, f"perft {count.depth}")
    found = count.report()

    def view() -> RenderableType:
        from workbench.render import search as render

        return render.perft(found, where)

    emit(found, view, json)
    return INTERRUPTED if interrupted else 0


@click.command(epilog=POSITION_HELP + " The name of an EPD or FEN file alone stands for all its positions.")
@position_options
@click.option("--algorithm", default="deepening", show_default=True, help="The algorithm whose switches are tried.")
@limit_options
@json_option
def ablate(
    position: str,
    game: str | None,
    size: str | None,
    settings: tuple[str, ...],
    algorithm: str,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    json: bool,
) -> int:
    """Switch on the table, move ordering, quiescence and so on, one after another, and see what each of them saves."""
    from workbench.ablation.ladder import Ablate
    from workbench.ablation.view import table
    from workbench.input.position_lists import chosen_positions

    limit = Limit(depth=depth, nodes=nodes, seconds=seconds)
    chosen = chosen_positions(
        position,
        game,
        read_assignments(settings),
        algorithm,
        lambda: read_position(position, game, size, settings, algorithm),
        with_games=False,
    )
    if not chosen.positions:
        raise InputError(chosen.skipped or f"The game is over in every position of {shown(position, 80)}.")
    tell(chosen.skipped)
    where = [one for _, one in chosen.positions]
    work = Ablate(chosen.source, where, algorithm, limit, chosen.settings)
    interrupted = work.climb(run)
    emit(work.report(), lambda: table(work.report(), where), json)
    return INTERRUPTED if interrupted else 0


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def tape(file: Path, json: bool) -> None:
    """Summarise a recorded search ply by ply."""
    from engines.tape.recording import Recording

    recording = Recording.load(file)

    def document() -> dict[str, object]:
        counts = {"nodes": recording.nodes, "recorded": len(recording), "faults": recording.faults()}
        return {**counts, "plies": recording.by_ply(), "report": recording.report}

    def view() -> RenderableType:
        from workbench.render import search as render

        return render.tape(recording)

    emit(document, view, json)


def references_document(known: References | None) -> dict[str, References]:
    """The entry of a JSON document with what opening books and endgame tables know of a position; empty if they were not
    asked."""
    return {} if known is None else {"references": known}


def references_view(known: References | None, where: Position) -> list[RenderableType]:
    """What opening books and endgame tables know of a position, as terminal output; empty if they know nothing."""
    if known is None:
        return []
    from workbench.render.references import references

    view = references(known, lambda move: where.game.pretty_line(where.state, (move,))[0])
    return [] if view is None else [view]
