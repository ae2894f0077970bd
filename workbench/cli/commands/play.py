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
    from rich.console import Console, RenderableType

    from engines.position import Position
    from workbench.play.live_game import LiveGame
    from workbench.play.players import Player
    from workbench.sessions.model import Session

LONGEST_LINE = 10_000
NAMES = {"first": 0, "white": 0, "x": 0, "second": 1, "black": 1, "o": 1}


@click.command(epilog=POSITION_HELP)
@click.argument("position", default="startpos")
@click.option("--game", metavar="GAME", help="Which game (plybench games lists them).")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game or the algorithm.")
@click.option("--level", type=int, help="Play against this level (plybench levels GAME lists them).")
@click.option("--algorithm", help="Play against this algorithm instead.")
@click.option("--first", metavar="WHO", help="Who plays first: you, level:3, or an algorithm, deepening:depth=6.")
@click.option("--second", metavar="WHO", help="Who plays second.")
@click.option("--side", default="first", show_default=True, help="Which side you play, if you name one opponent.")
@click.option("--depth", type=int, help="The algorithm searches so many plies deep.")
@click.option("--nodes", type=int, help="It searches at most so many nodes for a move.")
@click.option("--iterations", type=int, help="At most so many iterations, for algorithms that have them.")
@click.option("--seconds", type=float, help="It searches at most so long for a move.")
@click.option("--clock", default="", metavar="M+S", help="Minutes for each side, and seconds for each move: 5+3.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed: the same mistakes of a level.")
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
    session at once; Ctrl-C and the end of the input leave, and --resume goes on."""
    from workbench.cli.console import INTERRUPTED, errors, output
    from workbench.cli.play_prompt import Conversation
    from workbench.cli.progress import wait_for
    from workbench.play.export import check_target, write_game
    from workbench.play.live_game import LiveGame
    from workbench.sessions import store as sessions
    from workbench.sessions.model import Session
    from workbench.sessions.play_types import read_clock

    if resume is not None:
        path = sessions.find(resume)
        session = sessions.read(path)
        played = [number for number, study in enumerate(session.studies) if study.record is not None]
        if not played:
            raise InputError(f"The session {shown(session.name)} has no game that is played.")
        session.at = session.at if session.at in played else played[-1]
    else:
        limit = Limit(depth=depth, nodes=nodes, iterations=iterations, seconds=seconds)
        where, players = seats(position, game, size, settings, (first, second), side, level, algorithm, limit)
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
        click.echo(as_json(summary(playing, session)))
    else:
        farewell(session, over, screen)
    return INTERRUPTED if conversation.interrupted else 0


def seats(
    text: str,
    game: str | None,
    size: str | None,
    settings: tuple[str, ...],
    named: tuple[str | None, str | None],
    side: str,
    level: int | None,
    algorithm: str | None,
    limit: Limit,
) -> tuple[Position, tuple[Player | None, Player | None]]:
    """The position to play from, and the players; None for a side that the user plays, which is the default."""
    from workbench.cli.console import read_position
    from workbench.play.live_game import read_seat, usual_level
    from workbench.sessions.play_types import YOU

    if level is not None and algorithm is not None:
        raise InputError("An opponent is a level or an algorithm, not both.")
    if level is not None and limit != Limit():
        raise InputError("A level has its own limit; --algorithm takes others.")
    if game is None and text == "startpos":
        game = "connect4"
    others = [name for name in (*named, algorithm) if name not in (None, YOU)]
    heads = [str(name).partition(":")[0].rpartition("=")[2] for name in others]
    of = heads[0] if len(heads) == 1 and heads[0] != "level" and not heads[0].isdecimal() else None
    where, rest = read_position(text, game, size, settings, of)
    if where.is_over:
        raise InputError("The game is over in this position; there is nothing to play.")
    opponent = f"level:{level}" if level is not None else algorithm
    if opponent is not None and rest:
        opponent = ":".join([opponent, *(f"{name}={value}" for name, value in rest.items())])
    if opponent is None and named == (None, None):
        opponent = usual_level(where).title
    texts = list(named)
    if opponent is not None:
        yours = _side(side, where)
        if texts[1 - yours] is not None:
            raise InputError("Two opponents are named for one side: --first or --second, and --level or --algorithm.")
        texts[1 - yours] = opponent
    players = tuple(read_seat(one or YOU, where.game.id, limit) for one in texts)
    return where, (players[0], players[1])


def _side(text: str, position: Position) -> int:
    """The side that the user wants to play: 0 for the first, 1 for the second."""
    names = {**NAMES, **{name.lower(): number for number, name in enumerate(position.game.players)}}
    if text.lower() not in names:
        first, second = position.game.players
        raise InputError(f"A side is {first} (first) or {second} (second), not {shown(text)}.")
    return names[text.lower()]


def opponents(players: tuple[Player | None, Player | None]) -> str:
    """The names of the players, for the title of a session."""
    names = [player.name for player in players if player is not None]
    return " and ".join(names) if names else "a person"


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


def summary(playing: LiveGame, session: Session) -> dict[str, object]:
    """The current state of the game as a JSON document."""
    game = playing.position.game
    return {
        "session": session.name,
        "game": game.id,
        "size": game.size,
        "players": (playing.name(0), playing.name(1)),
        "position": playing.position.text,
        "moves": playing.study.path,
        "over": playing.over,
        "outcome": playing.outcome,
        "ending": playing.ending,
        "clock": playing.record.clock or None,
        "left": playing.record.left,
    }


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
    from engines import catalog
    from workbench.cli.console import emit
    from workbench.play.levels import Level, why_not_played
    from workbench.play.levels import levels as levels_of

    found: dict[str, tuple[Level, ...]] = {}
    for name in [game] if game else catalog.GAMES:
        kind = catalog.position("startpos", name).game
        if game or why_not_played(kind) is None:
            found[name] = levels_of(kind)

    def view() -> RenderableType:
        from rich.table import Table

        table = Table("game", "level", "what it sees, and which mistakes it makes", box=None, header_style="dim")
        for name, ladder in found.items():
            for one in ladder:
                table.add_row(name if one.number == 1 else "", str(one.number), one.words)
        return table

    rows = [{"game": name, "level": one.number, "words": one.words} for name, ladder in found.items() for one in ladder]
    emit(rows, view, json)


@click.command(epilog=POSITION_HELP)
@click.argument("target", metavar="FILE|POSITION|SESSION")
@click.option("--game", metavar="GAME", help="Which game it is (plybench games lists them).")
@click.option("--size", metavar="AxB", help="The size of the board, where the game has sizes.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the game.")
@click.option("--nodes", type=click.IntRange(100), help="Search every position with so many nodes.  [default: 100000]")
@click.option("--truth-nodes", type=click.IntRange(0), help="So many for a proof of each; 0: none.")
@click.option("--effects", type=click.IntRange(0), help="Look for horizon effects in so many places.  [default: 3]")
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
    """Analyse a game: what it was worth by move, every mistake with what was better and what it cost, horizon effects.

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
    """The game that the user named, as the position at its end, and how it ended if the source says so."""
    from workbench.cli.console import read_position
    from workbench.play.game_loop import how_it_ended
    from workbench.sessions import store as sessions

    name, mark, number = target.rpartition("#")
    path = Path(name if mark and number.isdecimal() else target)
    if path.suffix.lower() == ".jsonl":
        return _in_match(path, int(number) if mark and number.isdecimal() else 1)
    if game is None and any(row.name.casefold() == target.casefold() for row in sessions.listing()):
        study = sessions.read(sessions.find(target)).study
        where, record = study.position(), study.record
        if record is not None and record.outcome is not None:
            return where, record.ending
    else:
        where, _ = read_position(target, game, size, settings)
    outcome = where.game.outcome(where.result * where.turn) if where.is_over else None
    return where, how_it_ended(where, outcome) if outcome else ""


def _in_match(path: Path, number: int) -> tuple[Position, str]:
    from workbench.play.game_files import positions_of, read_games
    from workbench.render.values import counted

    games = read_games(path)
    if not 1 <= number <= len(games):
        raise InputError(f"{shown(str(path), 80)} has {counted(len(games), 'game')}, not {number}.")
    return positions_of(games[number - 1])[-1], games[number - 1].ending
