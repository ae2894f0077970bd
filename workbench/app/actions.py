"""The list of everything a key can do, and on which screen: it feeds bindings, footers, the command palette and the help.

`workbench.app.keys` turns it into Textual bindings and applies the keys that the user's settings give instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MOST_IN_FOOTER = 7

BOARD = {
    **dict.fromkeys(("up", "down", "left", "right"), "moves the cursor on the board"),
    "enter": "picks men up on the board",
}
LIST = {**dict.fromkeys(("up", "down", "pageup", "pagedown", "home", "end"), "moves in the list"), "enter": "takes a row"}
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
    """Further rows of the help: pairs of a key or mark, and its meaning."""


EVERYWHERE, ANALYSE, TREE, DIALOG = "everywhere", "analyse", "tree", "dialog"
COMPARE, HORIZON = "compare", "horizon"
PLAY, REVIEW = "play", "review"
MATCH, TUNE = "match", "tune"
PLACES = {
    ANALYSE: Place(
        "Analyse",
        EVERYWHERE,
        taken=BOARD,
        also=(
            ("arrows", "Move the cursor on the board. Enter picks a man up and puts it down; so does the mouse."),
            ("◇ ◆", "Marks on the board: the best move, from and to.   ▫ ▪  The reply to it.   ◦ •  The last move."),
            ("○", "Where a man that is picked up can go."),
            ("2×17%", "Two moves to that square took 17 % of the nodes.   ▁▂▃▅█  The same as a column, on small squares."),
            ("≤+0.3", "The better one is worth that, for the first player; or no more.   +#5  A win in 5 plies."),
            ("6/25", "Depth 6 is reached, and single lines were followed to ply 25."),
            (
                "91 %",
                "First move: so many cutoffs came with the first move that was tried; ordering is what raises it.",
            ),
            ("σ0.62", "The spread of a mean: the standard deviation of what the game comes to.   1/6  A probability."),
            ("<+2 -1 -1>", "A value for each player, where there are more than two."),
            ("hits", "So many looks into the table found the position, searched as deep as was asked. Not every hit cuts."),
            ("ebf", "Effective branching factor: the nodes of a depth by those of the depth before; also: branching."),
        ),
    ),
    TREE: Place(
        "The tree of a search",
        EVERYWHERE,
        taken=LIST | {"left": "folds a node", "right": "unfolds a node", "space": "folds and unfolds"},
        also=(
            ("arrows", "Go up and down, unfold and fold. Enter and Space do both; so does the mouse."),
            ("home", "To the first depth: the next cut from there is the first of the search."),
            ("cut", "A move was good enough to leave the others out.   table  The table knew the answer."),
            ("horizon", "The evaluation judged; quiet: after captures.   aside  A trial beside the tree, such as a pass."),
        ),
    ),
    COMPARE: Place(
        "Compare",
        EVERYWHERE,
        also=(("≠", "Not what lane 1 says: its value, its move, or the ply at which the lines part."),),
    ),
    MATCH: Place(
        "Match",
        EVERYWHERE,
        also=(
            ("superior", "How likely it is that the player is the stronger one, by the pairs of games."),
            ("0 ½ 1 1½ 2", "Pairs of games from one opening, by the points made in both."),
            ("◆", "Where the sequential test stands, between its two ends."),
        ),
    ),
    TUNE: Place(
        "Tune",
        EVERYWHERE,
        also=(
            ("fitness", "The mean of all games of a genome: 1 + g for a win, 1 - g for a loss, and quick wins count more."),
            ("diversity", "The share of bits in which two genomes differ: 0.5 is chance, 0 all alike."),
        ),
    ),
    HORIZON: Place(
        "The horizon effect",
        EVERYWHERE,
        taken=LIST,
        also=(
            ("arrows", "Choose an example. Enter opens it in Analyse."),
            ("↷ ▸", "A move that only postpones; the depth at which the search is fooled."),
        ),
    ),
    PLAY: Place(
        "Play",
        EVERYWHERE,
        taken=BOARD,
        also=(
            ("arrows", "Move the cursor on the board. Enter picks a man up and puts it down; so does the mouse."),
            ("◇ ◆", "The move of a hint, from and to.   ◦ •  The last move."),
        ),
    ),
    REVIEW: Place(
        "The review of a game",
        EVERYWHERE,
        taken=LIST,
        also=(
            ("arrows", "Go through the game. Enter opens the position in Analyse."),
            (
                "?! ? ??",
                "An inaccuracy, a mistake, a blunder: 5, 10 or 15 % of a game given away.   ■  The value is proven.",
            ),
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
    "newgame": Place("A new game", DIALOG, typed=True, taken=LIST, also=(("enter", "Opens a list, and takes a row."),)),
    "algorithm": Place("Choose an algorithm", DIALOG, typed=True, taken=LIST, also=(("enter", "Takes it."),)),
    "sessions": Place("Sessions", DIALOG, taken={key: why for key, why in LIST.items() if key != "enter"}),
    "file": Place("Choose a file", DIALOG, taken=LIST | {"space": "opens a directory"}),
    "question": Place("Questions", DIALOG, typed=True, taken=LIST),
    "waiting": Place("Waiting for a proof", DIALOG),
    "reading": Place("Cards and help", DIALOG, taken=LIST),
    "iteration": Place("One iteration", DIALOG, taken={key: why for key, why in LIST.items() if key != "enter"}),
    DIALOG: Place("All dialogs", EVERYWHERE),
    EVERYWHERE: Place(
        "Everywhere",
        taken={"ctrl+p": "opens the command palette", "f1": "opens the help", "ctrl+c": "copies"},
        also=(("f1", "Help, wherever one types as well."), ("^p", "The command palette: every action by its name.")),
    ),
}


@dataclass(frozen=True)
class Action:
    """Something a key does. The screen's method `action_<id>` performs it, or the Textual action in `does` if there is
    one."""

    id: str
    key: str
    """Textual's name of the key; several are separated by commas."""
    title: str
    """A short title for the footer."""
    sentence: str
    group: str = ""
    """The heading under which the help lists it."""
    footer: bool = False
    place: str = ANALYSE
    does: str = ""
    shares: str = ""
    """A title under which the footer shows it together with its neighbours that have the same one."""
    priority: bool = False
    """Whether its key works even while another widget, such as a text field, has the focus."""

    @property
    def name(self) -> str:
        """The unique name that the settings use for it."""
        return self.id if self.place in (ANALYSE, EVERYWHERE) else f"{self.place}.{self.id}"

    @property
    def keys(self) -> list[str]:
        """Its keys, by Textual's names."""
        return self.key.split(",")

    @property
    def call(self) -> str:
        """The action that Textual runs."""
        return self.does or self.id


ACTIONS = (
    Action("run", "space", "Run/stop", "Search to the limit; stop a search that runs.", "Search", True),
    Action("deeper", "right_square_bracket", "Deeper", "Search exactly one depth more, and wait.", "Search", True),
    Action("shallower", "left_square_bracket", "Back", "See what was believed one depth earlier.", "Search", True),
    Action("algorithm", "a", "Algorithm", "Choose the algorithm, its parameters and the limit.", "Search", True),
    Action("run_to", "g", "Run to", "Search to a depth that you type, from what is known already.", "Search"),
    Action("iteration", "y", "One iteration", "Watch the next iteration of UCT or PPA, phase by phase.", "Search"),
    Action("hold", "p", "Hold", "Finish the depth that is searched now, and wait; go on.", "Search"),
    Action("card", "i", "Card", "Read how the algorithm works.", "Search"),
    Action("compare", "c", "Compare", "Put several algorithms side by side on this position.", "Search"),
    Action("tree", "t", "Tree", "Record the search and browse its tree, node by node.", "Search", True),
    Action(
        "proof",
        "Q",
        "Proof",
        "Q.E.D.: have what is proven spelled out move by move, checked, and drawn as a tree.",
        "Search",
    ),
    Action("match", "M", "Match", "Have players play each other, and see who is stronger.", "Search"),
    Action("tune", "T", "Tune", "Look for better weights of the evaluation with a genetic algorithm.", "Search"),
    Action("horizon", "h", "Horizon", "See how searches are fooled by what comes after their last ply.", "Search"),
    Action("play", "P", "Play", "Play a game from here or from its start; go on with one.", "Game"),
    Action("review", "R", "Review", "Analyse the game that is on the board: its values and mistakes.", "Game"),
    Action("move", "m", "Move", "Type a move.", "Position"),
    Action("roll", "6", "Roll", "Let chance decide: roll the die, or draw what happens.", "Position"),
    Action("take_back", "b,backspace", "Take back", "Take the last move back.", "Position"),
    Action("replay", "f", "Forward", "One move on; where there are variations, choose which.", "Position"),
    Action("first", "home", "Start", "To the start of the game.", "Position"),
    Action("last", "end", "End", "To the end of the line.", "Position"),
    Action("other", "v", "Variation", "To the next variation in place of the last move.", "Position"),
    Action("cut", "d", "Delete", "Delete the last move and all that follow it.", "Position"),
    Action("undo", "u", "Undo", "Bring back what was deleted.", "Position"),
    Action("edit", "e", "Edit", "Set a position up: men on the board, who is to move.", "Position"),
    Action("flip", "x", "Flip", "Turn the board round.", "Position"),
    Action("root_moves", "l", "Labels", "Share and value of moves on the board: of most, of all, of none.", "Position"),
    Action("open", "o", "Open", "Browse the library, look into a file, or paste a position.", "Position", True),
    Action("note", "n", "Note", "Write something about this position.", "Session"),
    Action("positions", "w", "Positions", "To another position of this session.", "Session"),
    Action("sessions", "s", "Sessions", "Open, rename, duplicate, delete and export sessions.", "Session"),
    Action("line_forward", "full_stop", "Along the line", "Walk along the principal variation.", "Line"),
    Action("line_back", "comma", "Back the line", "Walk back along it.", "Line"),
    Action("line_leave", "escape", "Leave the line", "Back to the position that is analysed.", "Line"),
    Action("next_tab", "tab", "Next panel", "Show the next panel, where there is room for one only.", "Screen"),
    # Lanes side by side.
    Action("run", "space", "Run/stop", "Run all lanes to the budget; stop them.", "", True, COMPARE),
    Action("deeper", "right_square_bracket", "Deeper", "All lanes one depth more.", "", True, COMPARE, shares="Depth"),
    Action(
        "shallower", "left_square_bracket", "Back", "What all believed a depth earlier.", "", True, COMPARE, shares="Depth"
    ),
    Action("work", "w", "Equal work", "All lanes to twice the nodes, each from the beginning.", "", True, COMPARE),
    Action("choose_next", "right", "Next lane", "Choose the next lane; so does the mouse.", "", False, COMPARE, "choose(1)"),
    Action("choose_last", "left", "Last lane", "Choose the lane before.", "", False, COMPARE, "choose(-1)"),
    Action("add", "a", "Add", "One more lane: any algorithm, any settings.", "", True, COMPARE, shares="Lane"),
    Action(
        "change",
        "c,enter",
        "Change",
        "Another algorithm or other settings.",
        "",
        True,
        COMPARE,
        shares="Lane",
    ),
    Action("remove", "x,delete", "Remove", "Take the chosen lane away.", "", True, COMPARE, shares="Lane"),
    Action("budget", "l", "Budget", "What every lane may spend.", "", True, COMPARE),
    Action("order", "o", "Order", "Together, one after another, or as the cores suggest.", "", False, COMPARE),
    Action("card", "i", "Card", "Read how the lane's algorithm works.", "", False, COMPARE),
    Action("next_tab", "tab", "Next panel", "Show the next panel, where there is room for one only.", "", False, COMPARE),
    Action("leave", "escape", "Back", "Back to the analysis.", "", True, COMPARE),
    # Players against each other, and weights that compete.
    Action("run", "space", "Run/stop", "Play, or go on; stop, and lose nothing.", "", True, MATCH),
    Action("players", "p", "Players", "Who plays: ALGORITHM:NAME=VALUE:..., two or more.", "", True, MATCH),
    Action(
        "terms", "l", "Terms", "How many games, with which limit, from which openings, and when to stop.", "", True, MATCH
    ),
    Action("analyse", "o", "Analyse it", "Open the last game in Analyse.", "", True, MATCH),
    Action("leave", "escape", "Back", "Back to the analysis; a match that runs is stopped.", "", True, MATCH),
    Action("run", "space", "Run/stop", "Tune, or go on; stop, and lose nothing.", "", True, TUNE),
    Action("terms", "l", "Terms", "Population, generations, depth and chance.", "", True, TUNE),
    Action("keep", "k", "Keep", "Keep the best weights under a name.", "", True, TUNE),
    Action("leave", "escape", "Back", "Back to the analysis; what runs is stopped.", "", True, TUNE),
    # The tree of a recorded search.
    Action("next_cut", "n", "Next cut", "To the next cut in the order of the search.", "", True, TREE, "cut(1)", "Cuts"),
    Action("last_cut", "N", "Previous cut", "To the cut before.", "", True, TREE, "cut(-1)", "Cuts"),
    Action("principal", "p", "Best line", "To the end of the principal variation.", "", True, TREE, shares="Line"),
    Action("ask", "slash", "Go to", "Type a line to go to.", "", True, TREE, shares="Line"),
    Action("sort", "s", "Sort", "Children by order, by value, by size.", "", True, TREE),
    Action("back", "comma", "Back", "To the node that the search entered before.", "", True, TREE, "step(-1)", "Play"),
    Action("forward", "full_stop", "Forward", "To the node that it entered next.", "", True, TREE, "step(1)", "Play"),
    Action("plies", "b", "Plies", "On a small screen, the plies in place of the node.", "", True, TREE),
    Action("write", "w", "Write", "Write the proof to a file, which can be opened and checked again.", "", False, TREE),
    Action("leave", "escape", "Back", "Back to the analysis.", "", True, TREE),
    # The horizon effect.
    Action(
        "shallower", "left_square_bracket", "Back", "What was believed a depth earlier.", "", True, HORIZON, shares="Depth"
    ),
    Action("deeper", "right_square_bracket", "Deeper", "What is believed a depth later.", "", True, HORIZON, shares="Depth"),
    Action("search", "c", "Next search", "Look at the next of the searches.", "", True, HORIZON),
    Action("line_back", "comma", "Back the line", "Take a move of the line back.", "", True, HORIZON, "walk(-1)", "Line"),
    Action("line_forward", "full_stop", "Along the line", "Play the line on.", "", True, HORIZON, "walk(1)", "Line"),
    Action("analyse", "o", "Analyse it", "Open the example in Analyse, with the search that is fooled.", "", True, HORIZON),
    Action("find", "f", "Find here", "Look for the effect in the position that is analysed.", "", True, HORIZON),
    Action("read", "space", "Story", "The whole story, where there is little room for it; and back.", "", False, HORIZON),
    Action("leave", "escape", "Back", "Back to the analysis.", "", True, HORIZON),
    # A game.
    Action("move", "m", "Move", "Type a move.", "", True, PLAY),
    Action("hint", "h", "Hint", "Ask what a strong player would do.", "", True, PLAY),
    Action("take_back", "b,backspace", "Take back", "Take the last move back, and the reply to it.", "", True, PLAY),
    Action("resign", "r", "Resign", "Give the game up.", "", True, PLAY),
    Action("pause", "space", "Pause", "Wait, with the clock too; go on.", "", False, PLAY),
    Action(
        "review", "v", "Review", "Analyse the game: its values by move, its mistakes.", "", True, PLAY, shares="Review, new"
    ),
    Action("new", "n", "New game", "Begin another game.", "", True, PLAY, shares="Review, new"),
    Action("save", "s", "Save", "Write the game to a file: PGN, notation, or JSON.", "", False, PLAY),
    Action("flip", "x", "Flip", "Turn the board round.", "", False, PLAY),
    Action("leave", "escape", "Back", "Back to the analysis; the game waits.", "", True, PLAY),
    # The review of a game.
    Action("next", "n", "Next mistake", "To the next mistake.", "", True, REVIEW, "mistake(1)", "Mistakes"),
    Action("last", "N", "Previous", "To the mistake before.", "", True, REVIEW, "mistake(-1)", "Mistakes"),
    Action("analyse", "o", "Analyse it", "Open the position in Analyse; of a mistake, the one before it.", "", True, REVIEW),
    Action("leave", "escape", "Back", "Back.", "", True, REVIEW),
    # Dialogs.
    Action("take", "ctrl+s", "Begin", "Begin the game, with the form as it is.", "", True, "newgame", priority=True),
    Action("browse", "ctrl+f", "Choose a file", "Look for a file.", "", True, "open", priority=True),
    Action("take", "ctrl+s", "Take it", "Take the position.", "", True, "setup", priority=True),
    Action("turn", "t", "Side to move", "The other side is to move.", "", True, "setup"),
    Action("clear", "c", "Clear", "An empty board.", "", True, "setup"),
    Action("start", "s", "Start position", "The start of a game.", "", True, "setup"),
    Action("take", "ctrl+s", "Take it", "Take it, with the form as it is.", "", True, "algorithm", priority=True),
    Action("open", "enter", "Open", "Open the session.", "", True, "sessions"),
    Action("new", "n", "New", "Begin another session with the position on the board.", "", True, "sessions"),
    Action("rename", "r", "Rename", "Give it another name.", "", True, "sessions"),
    Action("duplicate", "d", "Duplicate", "Make a copy.", "", True, "sessions"),
    Action("delete", "x,delete", "Delete", "Delete it.", "", True, "sessions", shares="Delete, undo"),
    Action("undo", "u", "Undo", "Bring back what was deleted last.", "", True, "sessions", shares="Delete, undo"),
    Action("export", "e", "Export", "As one file to hand over, Markdown, HTML, PGN, EPD or CSV.", "", True, "sessions"),
    Action("up", "backspace", "Directory above", "The directory above.", "", True, "file"),
    Action("close", "q,i", "Close", "Close it.", "", False, "reading", "dismiss(None)"),
    Action("next", "y,space,enter", "Next", "Make the next iteration.", "", True, "iteration"),
    Action("cancel", "escape", "Cancel", "Leave, and change nothing.", "", True, DIALOG, "dismiss(None)", priority=True),
    # Everywhere.
    Action("help", "question_mark", "Help", "All keys and what they do.", "", True, EVERYWHERE, "app.help"),
    Action(
        "quit",
        "ctrl+q",
        "Quit",
        "End Plybench; a search that runs is stopped.",
        place=EVERYWHERE,
        does="app.quit",
        priority=True,
    ),
)


def places_of(place: str) -> list[str]:
    """A place and the places whose actions also apply there, innermost first."""
    return [place, *places_of(PLACES[place].within)] if place else []
