"""The texts of the Play screen: the players, the thoughts of the one to move, the clocks, the end."""

from __future__ import annotations

from rich.text import Text

from engines.contract import Glance, Report
from engines.game import Game
from workbench.play.hints import Advice
from workbench.play.levels import Level
from workbench.play.live_game import LiveGame
from workbench.render.lines import numbered_line, pretty
from workbench.render.report_text import stage
from workbench.render.style import CHANGED, DIM, STRONG, short_number
from workbench.render.values import opinion, value_text

SOON = 30.0
"""A clock with fewer seconds than this is highlighted."""


def status(playing: LiveGame) -> Text:
    """The status line at the top."""
    position = playing.position
    game = position.game
    text = Text(" Play ", "bold", no_wrap=True, overflow="ellipsis")
    text.append(" ".join(word for word in (game.title, game.size) if word), STRONG)
    names = f"  {game.players[0]}: {playing.name(0)}   {game.players[1]}: {playing.name(1)}  "
    text.append(names, DIM)
    if playing.over:
        text.append(f"■ {playing.ending}", CHANGED)
    elif playing.paused:
        text.append("‖ waits", CHANGED)
    elif playing.mover is None:
        text.append(f"▸ {game.players[playing.side]} to move", "bold green")
    else:
        text.append(f"● {playing.name(playing.side)} thinks", "bold green")
    return text


def players(playing: LiveGame, glance: Glance | None, width: int) -> Text:
    """Both sides, whose turn it is, their clocks, and the result of each one's search."""
    text = Text(no_wrap=True, overflow="ellipsis")
    game = playing.position.game
    for side in (1, 0):  # the first player is below, as on the board
        moves = not playing.over and side == playing.side
        left = playing.left(side)
        clock = "" if left is None else clock_text(left)
        head = f"{'▸' if moves else ' '} {game.players[side]:<6} {playing.name(side)}"
        text.append(head[: width - len(clock) - 1].ljust(width - len(clock)), STRONG if moves else "")
        hurry = left is not None and left < SOON
        text.append(clock, "bold red" if hurry and moves else STRONG)
        text.append("\n  ")
        text.append(_thought(playing, side, glance if moves else None), DIM)
        text.append("\n")
    text.rstrip()
    return text


def _thought(playing: LiveGame, side: int, glance: Glance | None) -> str:
    player = playing.players[side]
    if player is None:
        return "" if playing.over or side != playing.side else "it is your move"
    if side == playing.side and playing.compiling is not None:
        done = playing.compiling
        return f"compiling, once: {done.seconds:.0f} s of about {done.expected:.0f} s"
    game = playing.position.game
    if glance is not None and glance.running:
        nodes = f"{short_number(glance.counters.nodes)} nodes"
        if not glance.depths:
            return f"thinks: {nodes}"
        row = glance.depths[-1]
        line = pretty(playing.position, row.pv[:3])
        return f"thinks: {stage(row)}, {nodes}, {value_text(row.value, game)}, {line}"
    return _said(playing.thought[side], game)


def _said(report: Report | None, game: Game) -> str:
    """The result of a search, if it gives one; otherwise empty."""
    if report is None:
        return ""
    nodes = f"{short_number(report.nodes)} nodes"
    if report.value is None or not report.depths:
        return f"looked at {nodes}"
    return f"thought {value_text(report.value, game)} at {stage(report.depths[-1])}, {nodes}"


def advice(playing: LiveGame, keys: str) -> Text:
    """The requested hint, the end of the game, or what can be done; `keys` says with which keys."""
    if playing.over:
        return Text.assemble((f"The game is over: {playing.ending}.", STRONG), f" {keys}")
    if playing.asked:
        return Text("Asking a strong player ...", DIM)
    if playing.advice is not None and playing.advice.position.text == playing.position.text:
        return Text.assemble(("Hint: ", CHANGED), hint_text(playing.advice))
    words = [f"Level {one.number} of {one.count}. {one.words}" for one in playing.players if isinstance(one, Level)]
    return Text(" ".join(dict.fromkeys(words)) or keys, DIM)


def hint_text(advice: Advice) -> str:
    """The hint as a sentence: the move and its value."""
    report, position = advice.report, advice.position
    if report.best_move is None or report.value is None:
        return "Nothing was found in time."
    line = " ".join(numbered_line(position, report.pv[:6]))
    return f"{pretty(position, (report.best_move,))}: {opinion(report.value, position.game)} {line}"


def clock_text(seconds: float) -> str:
    """The time left: 4:59, with tenths if there is little."""
    if seconds < 10:
        return f"0:{seconds:04.1f}"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
