"""`plybench play`, `levels` and `review`: a game in the terminal, the levels of play, and the analysis of a finished
game."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engines.contract import InputError, Limit, as_json, shown
from workbench.cli.options import POSITION_HELP, ascii_option, json_option

if TYPE_CHECKING:
    from rich.console import Console

    from engines.position import Position
    from workbench.play.seats import Seats, SeatWishes
    from workbench.sessions.model import Session

LONGEST_LINE = 10_000


@click.command(epilog=POSITION_HELP)
@click.argument("position", default="startpos")
@click.option("--game", metavar="GAME", help="The game (plybench games lists them).")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game or the algorithm.")
@click.option("--level", type=int, help="Play against this level (plybench levels GAME lists them).")
@click.option("--algorithm", help="Play against this algorithm instead.")
@click.option("--first", metavar="WHO", help="Who plays first: you, level:3, or an algorithm, deepening:depth=6.")
@click.option("--second", metavar="WHO", help="Who plays second.")
@click.option("--side", default="first", show_default=True, help="The side that you play, if you name one opponent.")
@click.option("--depth", type=int, help="The algorithm searches this many plies deep.")
@click.option("--nodes", type=int, help="It searches at most this many nodes for a move.")
@click.option("--iterations", type=int, help="At most this many iterations, for algorithms that sample.")
@click.option("--seconds", type=float, help="It searches for at most this many seconds for a move.")
@click.option("--clock", default="", metavar="M+S", help="Minutes for each side, and seconds for each move: 5+3.")
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="The seed of a level's mistakes: the same seed, the same mistakes.",
)
@click.option("--save", "target", type=click.Path(dir_okay=False, path_type=Path), help="Write the game to a file too.")
@click.option("--resume", metavar="SESSION", help="Go on with the game of a session.")
@ascii_option
@json_option
def play(
    position: str,
    game: str | None,
    size: str | None,
    settings: tuple[str, ...],
    level: int | None,
    algorithm: str | None,
    first: str | None,
    second: str | None,
    side: str,
    depth: int | None,
    nodes: int | None,
    iterations: int | None,
    seconds: float | None,
    clock: str,
    seed: int,
    target: Path | None,
    resume: str | None,
    json: bool,
) -> int:
    """Play a game: against a level or an algorithm, against another person, or watch two algorithms play.

    A line that you type is a move, or hint, back, moves, board, game, resign, save FILE, quit. Every move is kept in a
    session at once; Ctrl-C and the end of the input leave the game, and --resume goes on with it."""
    from workbench.cli.console import INTERRUPTED, errors, output
    from workbench.cli.play_prompt import Conversation
    from workbench.cli.progress import wait_for
    from workbench.play.export import check_target, document, write_game
    from workbench.play.live_game import LiveGame
    from workbench.play.seats import SeatWishes, opponents
    from workbench.sessions import store as sessions
    from workbench.sessions.model import Session
    from workbench.sessions.play_types import read_clock

    if resume is not None:
        path = sessions.find(resume)
        session = sessions.read(path)
        played = [number for number, study in enumerate(session.studies) if study.record is not None]
        if not played:
            raise InputError(f"The session {shown(session.name)} has no game that is being played.")
        session.at = session.at if session.at in played else played[-1]
    else:
        limit = Limit(depth=depth, nodes=nodes, iterations=iterations, seconds=seconds)
        wishes = SeatWishes(first=first, second=second, level=level, algorithm=algorithm, side=side, limit=limit)
        where, players = start_of_game(position, game, size, settings, wishes)
        time = read_clock(clock)
        title = " ".join(word for word in (where.game.title, "against", opponents(players)) if word)
        session = Session.new(sessions.free_name(title), where)
        LiveGame.begin(session.study, players, time, seed)
    if target is not None:
        check_target(target, session.study)
    playing = LiveGame(session.study)
    if resume is None:
        path = sessions.create(session)
    playing.changed = lambda: sessions.write(session.saved(), path)
    screen = errors() if json else output()
    conversation = Conversation(playing, session, screen, asking(screen), lambda work, what: wait_for(work, what, errors()))
    over = conversation.hold()
    playing.changed()
    if target is not None:
        write_game(playing, session, target)
    if json:
        click.echo(as_json(document(playing, session)))
    else:
        farewell(session, over, screen)
    return INTERRUPTED if conversation.interrupted else 0


def start_of_game(
    text: str, game: str | None, size: str | None, settings: tuple[str, ...], wishes: SeatWishes
) -> tuple[Position, Seats]:
    """The position to play from, and the players."""
    from workbench.cli.console import read_position

    if game is None and text == "startpos":
        game = "connect4"
    where, rest = read_position(text, game, size, settings, wishes.settings_of)
    if where.is_over:
        raise InputError("The game is over in this position; there is nothing to play.")
    return where, wishes.seats(where, rest)


def asking(screen: Console) -> Callable[[str], str]:
    """A function that reads a line: with a prompt and a line editor at a terminal, without them from a pipe."""
    from rich.text import Text

    if sys.stdin is None:
        raise InputError("Moves are read from standard input, but that is closed.")
    at_terminal = sys.stdin.isatty()

    def ask(prompt: str) -> str:
        if at_terminal:
            return screen.input(Text(prompt, "bold"))
        line = sys.stdin.readline(LONGEST_LINE)
        if not line:
            raise EOFError
        screen.print(Text(prompt + line.strip()))
        return line

    return ask


def farewell(session: Session, over: bool, screen: Console) -> None:
    """Print where the game is saved, and which commands continue it."""
    from rich.text import Text

    name = shlex.quote(session.name)
    what = f"plybench review {name} analyses it." if over else f"plybench play --resume {name} goes on with it."
    screen.print(Text(f"The game is kept in the session {session.name}. {what}", "dim"))


@click.command()
@click.argument("game", required=False)
@json_option
def levels(game: str | None, json: bool) -> None:
    """List the levels that one can play against, from beginner to full strength."""
    from workbench.cli.console import emit
    from workbench.play.levels import ladders
    from workbench.play.view import levels_table

    by_game = ladders(game)
    rows = [{"game": name, "level": one.number, "words": one.words} for name, ladder in by_game.items() for one in ladder]
    emit(rows, lambda: levels_table(by_game), json)


@click.command(epilog=POSITION_HELP)
@click.argument("target", metavar="FILE|POSITION|SESSION")
@click.option("--game", metavar="GAME", help="The game (plybench games lists them).")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game.")
@click.option("--nodes", type=click.IntRange(100), help="Search every position with this many nodes.  [default: 100000]")
@click.option(
    "--truth-nodes", type=click.IntRange(0), help="Spend at most this many nodes on proving each position; 0: none."
)
@click.option(
    "--effects", type=click.IntRange(0), help="Look for horizon effects in at most this many places.  [default: 3]"
)
@ascii_option
@json_option
def review(
    target: str,
    game: str | None,
    size: str | None,
    settings: tuple[str, ...],
    nodes: int | None,
    truth_nodes: int | None,
    effects: int | None,
    json: bool,
) -> int:
    """Analyse a game: its value after each move, every mistake with what was better and what it cost, horizon effects.

    The game is a position with its moves, a game in a file (games.pgn#3, match.jsonl#2), or the game of a session. Where the
    truth can be known it decides what is a mistake. Ctrl-C prints what is known by then."""
    from workbench.cli.console import INTERRUPTED, emit, fields
    from workbench.cli.progress import run_interruptible, share_bar
    from workbench.review import job as reviews
    from workbench.review import view as show_review

    where, ending = finished_game(target, game, size, settings)
    with share_bar("Analysing") as move:
        reviewer = reviews.Reviewer(
            where,
            nodes,
            truth_nodes,
            reviews.EFFECTS if effects is None else effects,
            run_interruptible,
            lambda so_far: move(completed=so_far.share),
        )
        found = reviewer.review()
    document = {**fields(found), "ending": ending or None}
    emit(document, lambda: show_review.review(found, where, ending), json)
    return 0 if found.complete else INTERRUPTED


def finished_game(target: str, game: str | None, size: str | None, settings: tuple[str, ...]) -> tuple[Position, str]:
    """The game that the user named, as the position at its end, and how it ended if that is known."""
    from workbench.cli.console import read_position
    from workbench.render.report_text import how_it_ended
    from workbench.review.sources import game_in_match, game_in_session

    finished = game_in_match(target) or (game_in_session(target) if game is None else None)
    if finished is not None:
        return finished
    where, _ = read_position(target, game, size, settings)
    return where, how_it_ended(where)
