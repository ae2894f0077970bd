"""What each key means: one thing, on every screen where it works. The actions of `workbench.app.actions` name a verb, and
get its keys."""

from __future__ import annotations

from typing import NamedTuple


class Verb(NamedTuple):
    """What a key does, wherever it works."""

    keys: str
    """Textual's names of its keys, separated by commas."""
    meaning: str


VERBS = {
    "run": Verb("space", "Starts, stops and goes on."),
    "shallower": Verb("left_square_bracket", "A depth less."),
    "deeper": Verb("right_square_bracket", "A depth more."),
    "step on": Verb("full_stop", "A step on: along a line, or in the order of a search."),
    "step back": Verb("comma", "A step back."),
    "next": Verb("n", "The next one: iteration, cut, mistake, search."),
    "previous": Verb("N", "The one before."),
    "take back": Verb("b,backspace", "Back where one came from: the position before a move, the directory above."),
    "forward": Verb("f", "One move forward again."),
    "start": Verb("home", "The start: of a game, of a search."),
    "end": Verb("end", "The end: of a line, of a search."),
    "best line": Verb("greater_than_sign", "The end of the best line."),
    "other": Verb("v", "The other one in its place: a variation, the side to move."),
    "left": Verb("left", "To the left."),
    "right": Verb("right", "To the right."),
    "panel": Verb("tab", "The next panel, where there is no room for all."),
    "move below": Verb("right_curly_bracket", "The next root move on the board."),
    "move above": Verb("left_curly_bracket", "The root move before."),
    "page down": Verb("pagedown", "A page down."),
    "page up": Verb("pageup", "A page up."),
    "go to": Verb("g", "Goes to a depth or along a line that you type."),
    "jump": Verb("j", "Jumps to another position of the session."),
    "open": Verb("o", "Opens a position in Analyse."),
    "edit": Verb("e", "Edits a position, or a name."),
    "move": Verb("m", "A move that you type."),
    "roll": Verb("percent_sign", "Lets chance decide, such as a die."),
    "hint": Verb("h", "A hint."),
    "give up": Verb("r", "Gives the game up."),
    "add": Verb("plus", "One more: a lane, a game, a session."),
    "delete": Verb("d,delete", "Deletes: moves, a lane, a session."),
    "duplicate": Verb("D", "Makes a copy."),
    "undo": Verb("u", "Brings back what was deleted."),
    "clear": Verb("c", "Takes all men off the board."),
    "flip": Verb("x", "Turns the board round."),
    "labels": Verb("L", "What the board shows about the moves."),
    "algorithm": Verb("a", "The algorithm of a search, of a lane or of a player."),
    "limits": Verb("l", "How much: a budget, limits, the terms of a match."),
    "equal": Verb("equals_sign", "Equal work for all."),
    "hold": Verb("p", "Pauses after the depth."),
    "sums": Verb("number_sign", "Adds up all depths, or counts one alone."),
    "order": Verb("s", "Sorts: another order."),
    "find": Verb("slash", "Finds examples here."),
    "card": Verb("i", "Information on an algorithm."),
    "faster": Verb("up", "Plays faster."),
    "slower": Verb("down", "Plays slower."),
    "tree": Verb("t", "The tree of the search."),
    "keep": Verb("k", "Keeps a result under a name."),
    "write": Verb("w", "Writes a note, or a file."),
    "browse": Verb("ctrl+f", "Looks for a file."),
    "accept": Verb("ctrl+s", "Accepts a form or a position as it is."),
    "enter": Verb("enter", "Accepts what is chosen."),
    "leave": Verb("escape", "Back."),
    "close": Verb("q", "Closes what one reads."),
    "compare": Verb("C", "Opens Compare."),
    "difference": Verb("V", "Opens Difference: one search versus another."),
    "horizon": Verb("H", "Opens Horizon."),
    "match": Verb("M", "Opens Match."),
    "play": Verb("P", "Opens Play."),
    "proof": Verb("Q", "Opens the proof: Q.E.D."),
    "review": Verb("R", "Opens the review of a game."),
    "sessions": Verb("S", "Opens the sessions."),
    "tune": Verb("T", "Opens Tune."),
    "watch": Verb("W", "Opens Watch."),
    "number": Verb("1,2,3,4,5,6,7,8,9,0", "The one with that number on the start page."),
    "start page": Verb("f2", "Opens the start page."),
    "help": Verb("question_mark", "Opens the help."),
    "quit": Verb("ctrl+q", "Ends Plybench."),
}
"""A small letter acts on what is on the screen; most capital letters open another screen."""
