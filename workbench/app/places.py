"""The places of the app where keys work: its screens and dialogs, with what the help says of each beside its actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.difference.types import REASONS

BOARD = {
    **dict.fromkeys(("up", "down", "left", "right"), "moves the cursor on the board"),
    "enter": "picks men up on the board",
}
LIST = {**dict.fromkeys(("up", "down", "pageup", "pagedown", "home", "end"), "moves in the list"), "enter": "chooses a row"}
COLUMNS = dict.fromkeys("123456789", "drops a man into the column of that number")
COLUMNS_ROW = ("1 to 9", "Drop a man into the column of that number, in games in which men fall.")
ALSO_KEYS = {"arrows", "enter", "home", "escape", "f1", "^p", COLUMNS_ROW[0]}
MEN = "pnbrqkPNBRQKwxoXOzZACDEFadef"


@dataclass(frozen=True)
class Place:
    """A screen, a dialog, or a set of actions that several of them share."""

    title: str
    within: str = ""
    """The id of another place whose actions also apply here; empty if there is none."""
    typed: bool = False
    """Whether the user types text here: then no letter can be the key of an action."""
    taken: Mapping[str, str] = field(default_factory=dict)
    """Keys that no action can have here, each with the reason."""
    also: tuple[tuple[str, str], ...] = ()
    """Further rows of the help: pairs of a key or mark, and its meaning. Keys are those in `ALSO_KEYS`."""


EVERYWHERE, ANALYSE, TREE, DIALOG = "everywhere", "analyse", "tree", "dialog"
WATCH = "watch"
START = "start"
COMPARE, HORIZON = "compare", "horizon"
DIFFERENCE = "difference"
PLAY, REVIEW = "play", "review"
MATCH, TUNE = "match", "tune"
PLACES = {
    START: Place(
        "The start page", EVERYWHERE, taken=LIST, also=(("arrows", "Choose. Enter goes there; so does the mouse."),)
    ),
    ANALYSE: Place(
        "Analyse",
        EVERYWHERE,
        taken=BOARD | COLUMNS,
        also=(
            ("arrows", "Move the cursor on the board. Enter picks a man up and puts it down; so does the mouse."),
            COLUMNS_ROW,
            ("◇ ◆", "On the board: the best move, from and to."),
            ("▫ ▪", "The reply to it."),
            ("◦ •", "The last move."),
            ("○", "Where a man that is picked up can go."),
            ("2×17%", "Two moves to that square took 17 % of the nodes."),
            ("▁▂▃▅█", "The same as a column, on small squares."),
            ("≤+0.3", "The better of them is worth that to the first player, or with ≤ at most that."),
            ("+#5", "A win in 5 plies."),
            ("mouse", "A click on a row of Depths shows that depth; the wheel scrolls."),
            ("6/25", "Depth 6 is reached, and single lines were followed to ply 25."),
            (
                "91 %",
                "First move: the share of cutoffs by the first move that was tried; good ordering raises it.",
            ),
            ("σ0.62", "The spread of a mean: the standard deviation of what the game comes to."),
            ("1/6", "A probability."),
            ("<+2 -1 -1>", "A value for each player, where there are more than two."),
            ("hits", "The share of table look-ups that found the position, searched deep enough. Not every hit cuts."),
            ("ebf", "Effective branching factor, also branching: the nodes of a depth divided by those of the one before."),
        ),
    ),
    TREE: Place(
        "The tree of a search",
        EVERYWHERE,
        taken=LIST | {"left": "folds a node", "right": "unfolds a node", "space": "folds and unfolds"},
        also=(
            ("arrows", "Go up and down, unfold and fold. Enter and Space do both; so does the mouse."),
            ("home", "To the first depth: the next cut from there is the first of the search."),
            ("cut", "One move was good enough; the others were left out."),
            ("table", "The table knew the answer."),
            ("horizon", "Scored by the evaluation; quiet: after captures."),
            ("aside", "A trial search beside the tree, such as a pass."),
        ),
    ),
    WATCH: Place(
        "Watch",
        EVERYWHERE,
        also=(
            ("△ ▽ ○", "Who moves at a node: MAX, MIN, chance; ◇ is one of more players, a bare value a leaf."),
            ("━┃", "The best line so far."),
            ("✂ ╳", "The search stopped here, as a move was too good; what it left out is crossed."),
            ("┄┊", "Not searched yet, or never."),
            ("[3, +∞]", "The window: what lies outside of it does not matter any more."),
            ("≥3 ≤2", "A bound: to the first player the node is worth at least that, or at most that."),
            ("…23", "That many moves are folded; below it, how many nodes of the search they hold."),
            ("▤ ⊘ ?", "The table knew the value; given up without a look at the moves; only a trial."),
            ("✚", "Visited here, and not by the other search."),
            ("mouse", "A click on a node goes to where the search comes to it; the slider is dragged."),
        ),
    ),
    COMPARE: Place(
        "Compare",
        EVERYWHERE,
        also=(
            ("≠", "A move that is known to be worse than another lane's."),
            ("=", "A different move from lane 1's that is worth the same."),
            (
                "~",
                "Differs from lane 1, and which is better is not known: a value, a move, the ply where lines part.",
            ),
            ("x0.31", "How many times what lane 1 took: nodes, time."),
        ),
    ),
    DIFFERENCE: Place(
        "The difference of two searches",
        EVERYWHERE,
        taken=LIST,
        also=(
            ("arrows", "Choose a subtree; right and left go into it and out again. Enter opens the tree there."),
            ("A B", "The first search and the second one; a difference is what B has more, or with - less."),
            *((name, f"{words[0].upper()}{words[1:]}.") for name, words in REASONS.items()),
        ),
    ),
    MATCH: Place(
        "Match",
        EVERYWHERE,
        also=(
            ("superior", "How likely it is that the player is the stronger one, judged by the pairs of games."),
            ("0 ½ 1 1½ 2", "Pairs of games from one opening, by the points made in both."),
            ("◆", "Where the sequential test stands, between its two ends."),
        ),
    ),
    TUNE: Place(
        "Tune",
        EVERYWHERE,
        also=(
            ("fitness", "The mean of all games of a genome: 1 + g for a win, 1 - g for a loss, and quick wins count more."),
            ("diversity", "The share of bits in which two genomes differ: 0.5 if random, 0 if all are alike."),
        ),
    ),
    HORIZON: Place(
        "The horizon effect",
        EVERYWHERE,
        taken=LIST,
        also=(
            ("arrows", "Choose an example. Enter opens it in Analyse."),
            ("↷", "A move that only postpones."),
            ("▸", "The depth at which the search is fooled."),
        ),
    ),
    PLAY: Place(
        "Play",
        EVERYWHERE,
        taken=BOARD | COLUMNS,
        also=(
            ("arrows", "Move the cursor on the board. Enter picks a man up and puts it down; so does the mouse."),
            COLUMNS_ROW,
            ("◇ ◆", "The move of a hint, from and to."),
            ("◦ •", "The last move."),
        ),
    ),
    REVIEW: Place(
        "The review of a game",
        EVERYWHERE,
        taken=LIST,
        also=(
            ("arrows", "Go through the game. Enter opens the position in Analyse."),
            ("?! ? ??", "An inaccuracy, a mistake, a blunder: 5, 10 or 15 % of a game given away."),
            ("■", "The value is proven."),
        ),
    ),
    "open": Place("Open a position", DIALOG, typed=True, taken=LIST, also=(("arrows", "Choose. Enter opens it."),)),
    "setup": Place(
        "Set up a position",
        DIALOG,
        taken=BOARD
        | dict.fromkeys(MEN, "chooses a man")
        | dict.fromkeys(("delete", "backspace", "full_stop"), "removes a man")
        | {"space": "puts a man down"},
        also=(("arrows", "Move the cursor. Enter puts the man that its letter has chosen, Delete removes one."),),
    ),
    "newgame": Place("A new game", DIALOG, typed=True, taken=LIST, also=(("enter", "Opens a list, and chooses a row."),)),
    "form": Place(
        "Contestants and terms", DIALOG, typed=True, taken=LIST, also=(("enter", "Opens a list, or accepts the form."),)
    ),
    "algorithm": Place("Choose an algorithm", DIALOG, typed=True, taken=LIST, also=(("enter", "Accepts the choice."),)),
    "sessions": Place("Sessions", DIALOG, taken={key: why for key, why in LIST.items() if key != "enter"}),
    "file": Place("Choose a file", DIALOG, taken=LIST | {"space": "opens a directory"}),
    "question": Place("Questions", DIALOG, typed=True, taken=LIST, also=(("enter", "Accepts what is typed or chosen."),)),
    "waiting": Place("Waiting", DIALOG, also=(("escape", "Gives up what is waited for."),)),
    "reading": Place("Cards and help", DIALOG, taken=LIST),
    "iteration": Place("One iteration", DIALOG, taken={key: why for key, why in LIST.items() if key != "enter"}),
    DIALOG: Place("All dialogs", EVERYWHERE),
    EVERYWHERE: Place(
        "Everywhere",
        taken={"ctrl+p": "opens the command palette", "f1": "opens the help", "ctrl+c": "copies"},
        also=(("f1", "Help, wherever one types as well."), ("^p", "The command palette: every action by its name.")),
    ),
}


def places_of(place: str) -> list[str]:
    """A place and the places whose actions also apply there, innermost first."""
    return [place, *places_of(PLACES[place].within)] if place else []
