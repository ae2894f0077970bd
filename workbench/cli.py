"""The command line: everything Plybench does without a screen.

With `--json` exactly one JSON document goes to standard output. Progress and complaints go to standard error. Bad input is
one sentence and exit code 2; an interrupted command prints what it has and exits with 130.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from engines import presets
from engines.contract import InputError, Limit, as_json, shown
from workbench import (
    cli_compare,
    cli_experiment,
    cli_horizon,
    cli_match,
    cli_play,
    cli_proof,
    cli_retrograde,
    cli_session,
    cli_suite,
    cli_tune,
)
from workbench.cli_options import POSITION_HELP, ascii_option, json_option, limit_options, position_options

if TYPE_CHECKING:
    from rich.console import Console

    from engines.game import Position
    from positions.library import Entry
    from positions.references import References
    from workbench.compare_types import Truth
    from workbench.recognise import Recognised

BAD_INPUT, INTERRUPTED = 2, 130
LONGEST_INPUT = 2_000_000


class Commands(click.Group):
    """All commands. What no argument of a program can have is refused here, once for all of them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for argument in args:
            if "\0" in argument:  # whoever calls this in a program can write it, and no system has such a file
                raise InputError(f"There is a NUL character in {shown(argument)}, which no argument can have.")
        return super().parse_args(ctx, args)


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="plybench", message="plybench %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """A microscope for game-tree search: run any search algorithm on a position and see what it did."""
    presets.add_source(kept_weights)
    if context.invoked_subcommand is not None:
        return
    if has_screen():
        open_app()
    else:
        from workbench.welcome import welcome

        output().print(welcome())


cli.add_command(cli_session.group)
cli.add_command(cli_compare.compare)
cli.add_command(cli_compare.compare_suite)
cli.add_command(cli_suite.suite)
cli.add_command(cli_horizon.group)
cli.add_command(cli_retrograde.group)
cli.add_command(cli_match.match)
cli.add_command(cli_experiment.experiment)
cli.add_command(cli_play.play)
cli.add_command(cli_play.levels)
cli.add_command(cli_tune.tune)
cli.add_command(cli_tune.weights)
cli.add_command(cli_proof.proof)
cli.add_command(cli_proof.mistakes)
cli.add_command(cli_play.review)


@cli.command(name="open", epilog=POSITION_HELP)
@position_options
def open_position(position: str, game: str | None, size: str | None, settings: tuple[str, ...]) -> None:
    """Open the app with a position, a game with its variations, a session, a tape or a proof."""
    from workbench import recognise

    entry = library_position(position, game)
    whole = recognise.whole_file(position, game) if entry is None else None
    if whole is None:
        where, _ = read_position(position, game, size, settings)
        whole = recognise.Recognised(where, entry.title if entry else "")
    if not has_screen():
        raise InputError("The app needs a terminal: standard input and output must not be redirected.")
    open_app(whole)


@cli.command(epilog=POSITION_HELP)
@position_options
@click.option("--algorithm", default="alphabeta", show_default=True, help="How to search (plybench algorithms lists them).")
@click.option("--depth", type=int, help="Search so many plies deep.")
@click.option("--nodes", type=int, help="Search at most so many nodes.")
@click.option("--iterations", type=int, help="At most so many iterations, for algorithms that have them.")
@click.option("--seconds", type=float, help="Search at most so long.")
@click.option("--seed", type=int, default=0, show_default=True, help="For algorithms that use chance.")
@click.option("--tape", "tape_file", type=click.Path(dir_okay=False, path_type=Path), help="Record every node in a file.")
@click.option("--tape-nodes", type=click.IntRange(1, 200_000_000), help="Room for so many nodes on the tape.")
@click.option("--proof", "proof_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the proof to a file.")
@click.option("--proof-nodes", type=click.IntRange(1, 100_000_000), help="At most so many positions of it.")
@click.option("--shortest", is_flag=True, help="Look for the shortest proof, however long that takes; Ctrl-C ends it.")
@click.option("--truth", "wants_truth", is_flag=True, help="Also say what is true, where that can be known.")
@click.option("--truth-nodes", type=click.IntRange(1), help="At most so many nodes for each proof of it.")
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
    from engines.kernel import is_compiled
    from engines.parts.table import Memory
    from engines.parts.tape import DEFAULT_CAPACITY, new_tape
    from engines.recording import Recording
    from engines.runner import Search, compiled_name
    from engines.storage import check_writable
    from workbench.settings import known_of

    found_algorithm = catalog.algorithm(algorithm)
    limit = Limit(depth=depth, nodes=nodes, iterations=iterations, seconds=seconds)
    if proof_file is None and (shortest or proof_nodes is not None):
        raise InputError("--shortest and --proof-nodes are about the proof that --proof FILE writes.")
    for file in (tape_file, proof_file):
        if file is not None:
            check_writable(file)
    where, rest = read_position(position, game, size, settings, algorithm)
    known = known_of(where)
    parameters = catalog.read_settings(found_algorithm.parameters, rest, where.game.id)
    tape = new_tape(tape_nodes or DEFAULT_CAPACITY) if tape_file is not None else None
    search = Search(where, found_algorithm, limit, parameters, seed, tape, Memory(at_hand=True))
    compiled = is_compiled(compiled_name(algorithm, where.game.code, tape is not None))
    interrupted = run(search, algorithm if compiled else f"compiling {algorithm}, once")
    report = search.report()
    truth: dict[str, Truth | None] = {}
    if wants_truth and not interrupted:
        truth["truth"], interrupted = cli_compare.find_truth(where, [report], truth_nodes)
    if json:
        click.echo(as_json({**fields(report), **({} if known is None else {"references": known}), **truth}))
    else:
        from workbench import show

        output().print(show.report(report, where))
        print_known(known, where)
        for found in truth.values():
            from workbench.truth import sentence

            output().print(sentence(found, report.best_move, where), markup=False)
    if tape_file is not None and tape is not None:
        with errors().status("Writing the tape ..."):
            Recording.of(tape, report, found_algorithm.view).save(tape_file)
    if proof_file is not None and not interrupted:
        interrupted = cli_proof.write_proof(search, report, proof_file, proof_nodes, shortest)
    return INTERRUPTED if interrupted else 0


@cli.command(name="eval", epilog=POSITION_HELP)
@position_options
@json_option
def evaluate(position: str, game: str | None, size: str | None, settings: tuple[str, ...], json: bool) -> None:
    """Evaluate a position without searching, term by term."""
    from workbench.settings import known_of

    where, _ = read_position(position, game, size, settings)
    known = known_of(where)
    found = where.game.evaluation(where.state)
    if json:
        document = {"game": where.game.id, "size": where.game.size, "position": where.text, **fields(found)}
        click.echo(as_json({**document, **({} if known is None else {"references": known})}))
    else:
        from workbench import show

        output().print(show.evaluation(found, where))
        print_known(known, where)


@cli.command(epilog=POSITION_HELP)
@position_options
@click.option("--depth", type=int, help="Count games of so many plies.")
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
    if json:
        click.echo(as_json(found))
    else:
        from workbench import show

        output().print(show.perft(found, where))
    return INTERRUPTED if interrupted else 0


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def tape(file: Path, json: bool) -> None:
    """Summarise a recorded search ply by ply."""
    from engines.recording import Recording

    recording = Recording.load(file)
    if json:
        document = {"nodes": recording.nodes, "recorded": len(recording), "faults": recording.faults()}
        click.echo(as_json({**document, "plies": recording.by_ply(), "report": recording.report}))
    else:
        from workbench import show

        output().print(show.tape(recording))


@cli.command()
@click.argument("name", required=False)
@json_option
def games(name: str | None, json: bool) -> None:
    """List the games, or show one."""
    from engines import catalog

    found = [catalog.game(one) for one in ([name] if name else catalog.GAMES)]
    if json:
        rows = [
            {
                "id": game.id,
                "title": game.title,
                "sentence": game.sentence,
                "default_size": game.default_size or None,
                "default_depth": game.default_depth if game.default_size else None,
                "players": game.players,
                "terms": game.term_names,
                "parameters": game.parameters,
                "algorithms": catalog.fitting(game.id),
            }
            for game in found
        ]
        click.echo(as_json(rows[0] if name else rows))
    else:
        from workbench import show

        output().print(show.game(name) if name else show.games())


@cli.command()
@click.argument("name", required=False)
@json_option
def algorithms(name: str | None, json: bool) -> None:
    """List the algorithms, or show the card of one."""
    from engines import catalog

    found = [catalog.algorithm(one) for one in ([name] if name else catalog.ALGORITHMS)]
    if json:
        rows = [
            {
                "id": algorithm.id,
                "name": algorithm.name,
                "year": algorithm.year,
                "summary": algorithm.summary,
                "needs": algorithm.needs,
                "limits": algorithm.limits,
                "parameters": algorithm.parameters,
                "games": [game for game in catalog.GAMES if algorithm.id in catalog.fitting(game)],
                "card": catalog.card(algorithm.id),
            }
            for algorithm in found
        ]
        click.echo(as_json(rows[0] if name else rows))
    else:
        from workbench import show

        output().print(show.algorithm(name) if name else show.algorithms())


@cli.command()
@click.argument("words", nargs=-1)
@click.option("--game", metavar="GAME", help="Only positions of this game.")
@ascii_option
@json_option
def positions(words: tuple[str, ...], game: str | None, json: bool) -> None:
    """List the positions of the library, those with certain words, or show one by its id; or list what a PGN, EPD or FEN
    file holds."""
    from engines import catalog
    from positions import files, library

    if game is not None:
        catalog.game(game)
    if len(words) == 1 and files.is_named(words[0]):
        items = files.listing(words[0])
        if json:
            echo_list(items)
        else:
            from workbench import show

            output().print(show.file_items(items, words[0]))
        return
    one = library.entries().get(words[0]) if len(words) == 1 else None
    found = [one] if one else library.search(words, game)
    if json:
        rows = [{"game": entry.game, **fields(entry)} for entry in found]
        click.echo(as_json(rows[0] if one else rows))
    else:
        from workbench import show

        place = output() if found else errors()  # that there is none is no result
        place.print(show.library_entry(one) if one else show.library(found))


@cli.command()
@click.argument("name", required=False)
@click.argument("value", required=False)
@click.option("--default", "default", is_flag=True, help="Forget what was set, and look at the usual places again.")
@json_option
def settings(name: str | None, value: str | None, default: bool, json: bool) -> None:
    """Show where books and tables are, or set it: plybench settings book FILE. An empty value switches one off."""
    from workbench import settings as own

    if default and (name is None or value is not None):
        raise InputError("--default goes with the name of one setting and nothing else.")
    if default or value is not None:
        own.write_setting(name or "", None if default else value)
    found = own.report(name)
    if json:
        click.echo(as_json(found))
    else:
        from workbench import show_references

        output().print(show_references.settings(found))


@cli.command()
@click.option("--processes", type=click.IntRange(1, 64), help="Compile in so many processes at once.")
def warm(processes: int | None) -> None:
    """Compile everything ahead of time, so that no search has to wait for it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from engines.warm import CompileError, missing
    from engines.warm import warm as compile_missing

    waiting = missing()
    if not waiting:
        click.echo("Everything is compiled already.", err=True)
        return
    bars = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*bars, console=errors(), transient=True, disable=not errors().is_terminal) as progress:
        task = progress.add_task("Compiling", total=len(waiting))
        seconds = 0.0
        try:
            for compiled in compile_missing(processes):
                seconds += compiled.seconds
                progress.update(task, advance=1, description=f"Compiled {compiled.part.name}")
        except CompileError as error:
            raise click.ClickException(str(error)) from None
    click.echo(f"Compiled {len(waiting)} kernels ({seconds:.0f} s of work).", err=True)


@cli.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any that is free.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other machines in as well.")
@click.option("--browser/--no-browser", default=True, help="Open the page at once, if somebody sits at this terminal.")
def serve(port: int, host: str, browser: bool) -> None:
    """Show the app in a browser (needs the extra: pip install plybench[serve]). Each page is an app of its own.

    The address has a random token: whoever knows it can use Plybench, and your files, as you can; others are refused."""
    from workbench.serve import AppServer, is_local, listen, open_browser

    server = AppServer(listen(host, port), host)
    if not is_local(host):
        click.echo("Whoever on the network sees the address can use Plybench on this machine, and its files.", err=True)

    def ready() -> None:
        click.echo(f"Plybench is at {server.address} ; Ctrl-C ends it.", err=True)
        if browser and sys.stderr.isatty():
            open_browser(server.address)

    server.run(ready)


@cli.command()
@click.option("--algorithm", help="How to search at first; a GUI may choose another one.")
def uci(algorithm: str | None) -> None:
    """Be a chess engine for programs that speak UCI."""
    from workbench.uci import serve

    serve(algorithm)


@cli.command(epilog=POSITION_HELP + " The name of an EPD or FEN file alone stands for all its positions.")
@position_options
@click.option("--algorithm", default="deepening", show_default=True, help="Whose switches.")
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
    """Switch table, ordering, quiescence and so on on one by one, and see what each one saves."""
    from engines import catalog
    from workbench.ablate import Ablate, is_list, positions_in, table

    limit = Limit(depth=depth, nodes=nodes, seconds=seconds)
    if game in (None, "chess") and is_list(position):
        for_game, rest = catalog.split_settings(read_assignments(settings), "chess", algorithm)
        where = positions_in(position, for_game, cli_horizon.tell)
    else:
        one, rest = read_position(position, game, size, settings, algorithm)
        where, position = [one], one.text
    work = Ablate(position, where, algorithm, limit, rest)
    interrupted = work.climb(run)
    if json:
        click.echo(as_json(work.report()))
    else:
        output().print(table(work.report(), where))
    return INTERRUPTED if interrupted else 0


def kept_weights(game: str) -> Mapping[str, str]:
    """The weights that a person has kept under a name."""
    from workbench.presets import kept

    return kept(game)


def read_position(
    text: str, game: str | None, size: str | None, settings: tuple[str, ...], algorithm: str | None = None
) -> tuple[Position, dict[str, str]]:
    """The position that a person asked for, and those of the settings that are the algorithm's. Which game it is of is found
    out if nobody says."""
    from engines import catalog
    from workbench import recognise

    if game is not None:
        catalog.game(game)
    given = read_assignments(settings)
    entry = library_position(text, game)
    if entry is not None:
        game, size, text = entry.game, size or entry.size, entry.notation
        given = {name: str(value) for name, value in entry.settings.items()} | given
    elif (found := recognise.named(text, game)) is not None:
        for remark in found.remarks:
            cli_horizon.tell(remark)
        options = {name: str(value) for name, value in found.options.items()}
        game, text, size, given = found.game, found.text, size or found.size or None, options | given
    elif text == "-":
        text = standard_input()
    if game in (None, "chess") and (pasted := recognise.pasted_game(text)) is not None:
        game, text = "chess", pasted
    if game is None:
        game, size = recognise.game_of(text.strip(), size)
    for_game, for_algorithm = catalog.split_settings(given, game, algorithm)
    return catalog.position(text.strip(), game, size, for_game), for_algorithm


def standard_input() -> str:
    """What is piped in."""
    if sys.stdin is None:
        raise InputError("The position is to be read from standard input, but that is closed.")
    return sys.stdin.buffer.read(LONGEST_INPUT + 1)[: LONGEST_INPUT + 1].decode(errors="replace")


def library_position(text: str, game: str | None) -> Entry | None:
    """The library's position with this id, or None if the text is a notation."""
    from engines import catalog
    from positions import library

    entry = library.entries().get(text)
    if entry is None:
        if game is None and "/" in text and text.partition("/")[0] in catalog.GAMES:
            library.get(text)  # says which id is close
        return None
    if game not in (None, entry.game):
        raise InputError(f"{entry.id} is a position of {entry.game}, not of {game}.")
    return entry


def read_assignments(settings: tuple[str, ...]) -> dict[str, str]:
    """What was given with `--set NAME=VALUE`."""
    given: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise InputError(f"A setting is written NAME=VALUE, not {shown(setting)}.")
        given[name.strip()] = value.strip()
    return given


def has_screen() -> bool:
    """Somebody sits at a terminal, or at a browser that `plybench serve` shows one in."""
    if os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver"):
        return True
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def open_app(found: Recognised | None = None) -> None:
    """Run the app until it is left."""
    from workbench.app import PlybenchApp
    from workbench.ending import Ending

    if found is None:
        app = PlybenchApp(goes_on=True)
    else:
        app = PlybenchApp(
            found.position,
            found.title,
            session=found.as_session(),
            path=found.file,
            proof=found.proof,
            remarks=found.remarks,
        )
    with Ending(app) as ending:
        app.run()
    if app.fault:
        click.echo(f"plybench: {app.fault} {app.last_word or 'The session is saved.'}", err=True)
    elif app.last_word:
        raise InputError(app.last_word)
    if ending.code or app.return_code:
        sys.exit(ending.code or app.return_code)


def run(work: Any, what: str) -> bool:
    """Run work in the background with a live line on standard error; True if a person interrupted it."""
    from workbench.watch import wait_for

    return wait_for(work.start(), what, errors())


def print_known(known: References | None, where: Position) -> None:
    """Say what books and tables know of a position, if anything."""
    if known is None:
        return
    from workbench.show_references import references

    view = references(known, lambda move: where.game.pretty_line(where.state, (move,))[0])
    if view is not None:
        output().print(view)


def echo_list(rows: Iterable[Any]) -> None:
    """Print a JSON list row by row: it may be too long to be kept in memory."""
    before = "["
    for row in rows:
        click.echo(f"{before}\n{as_json(row).rstrip()}", nl=False)
        before = ","
    click.echo("[]" if before == "[" else "\n]")


def fields(struct: Any) -> dict[str, Any]:
    """A contract type as a mapping."""
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def console(**options: Any) -> Console:
    """A terminal that shows texts as they are: what a person or a file calls something is no markup."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, **options)


def output() -> Console:
    """Standard output, with colours and tables where it is a terminal."""
    return console(soft_wrap=False)


def errors() -> Console:
    """Standard error."""
    return console(stderr=True)


def fail(message: str) -> NoReturn:
    """Say in one sentence what is wrong, and end."""
    text = " ".join(message.split())
    click.echo(f"plybench: {text if text.endswith(('.', '?', '!')) else text + '.'}", err=True)
    sys.exit(BAD_INPUT)


def main() -> NoReturn:
    """Run the command that a person typed."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows only ASCII shows a question mark
    try:
        code = cli.main(prog_name="plybench", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        fail(str(error))
    except click.ClickException as error:
        fail(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # whoever read our output has had enough: `plybench positions | head -3`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        fail(f"Something could not be read or written: {error.strerror or error}")
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
