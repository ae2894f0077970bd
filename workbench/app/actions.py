"""The list of everything a key can do, and on which screen: it feeds bindings, footers, the command palette and the help.

Its keys come from `workbench.app.verbs`, so that each means one thing everywhere. `workbench.app.keys` turns it into Textual
bindings and applies the keys that the user's settings give instead.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.app.places import (
    ANALYSE,
    COMPARE,
    DIALOG,
    DIFFERENCE,
    EVERYWHERE,
    HORIZON,
    MATCH,
    PLAY,
    REVIEW,
    START,
    TREE,
    TUNE,
    WATCH,
)
from workbench.app.verbs import VERBS
from workbench.start.purposes import PURPOSES, Purpose

MOST_IN_FOOTER = 9


@dataclass(frozen=True)
class Action:
    """Something a key does. The screen's method `action_<id>` performs it, or the Textual action in `does` if there is
    one."""

    id: str
    verb: str
    """The name of its verb in `workbench.app.verbs`, whose keys it has; several are separated by commas."""
    title: str
    """A short title for the footer and the command palette."""
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
    other_keys: str = ""
    """The keys that the user's settings give it, separated by commas; empty if it has those of its verb."""

    @property
    def name(self) -> str:
        """The unique name that the settings use for it."""
        return self.id if self.place in (ANALYSE, EVERYWHERE) else f"{self.place}.{self.id}"

    @property
    def keys(self) -> list[str]:
        """Its keys, by Textual's names."""
        own = ",".join(VERBS[verb].keys for verb in self.verb.split(","))
        return (self.other_keys or own).split(",")

    @property
    def call(self) -> str:
        """The action that Textual runs."""
        return self.does or self.id


def _leading(one: Purpose) -> Action:
    """The action of the start page that leads to a purpose. Its key is the verb's that it stands for, or a number."""
    verb = next((name for name, verb in VERBS.items() if verb.keys == one.key), "number")
    numbered = one.key if verb == "number" else ""
    return Action(one.id, verb, one.title, f"{one.title}.", place=START, does=f"lead('{one.id}')", other_keys=numbered)


ACTIONS = (
    Action("run", "run", "Run/stop", "Search to the limit; stop a search that runs.", "Search", True),
    Action("shallower", "shallower", "Shallower", "What was believed one depth earlier.", "Search", True, shares="Depth"),
    Action("deeper", "deeper", "Deeper", "Search exactly one depth more, and wait.", "Search", True, shares="Depth"),
    Action("algorithm", "algorithm", "Algorithm", "Choose the algorithm, its parameters and the limit.", "Search", True),
    Action("run_to", "go to", "Go to depth", "Search to a depth that you type, from what is known already.", "Search"),
    Action("iteration", "next", "Next iteration", "Watch the next iteration of UCT or PPA, phase by phase.", "Search"),
    Action("hold", "hold", "Pause", "Finish the depth that is searched now, and wait; go on.", "Search"),
    Action("sums", "sums", "Add up", "Counters of all depths together, or of one alone; so does a click on them.", "Search"),
    Action("card", "card", "Card", "Read how the algorithm works.", "Search"),
    Action("tree", "tree", "Tree", "Record the search and browse its tree, node by node.", "Search", True),
    Action("watch", "watch", "Watch", "Watch the search event by event, with its tree drawn.", "Search", True),
    Action("compare", "compare", "Compare", "Put several algorithms side by side on this position.", "Screens"),
    Action("horizon", "horizon", "Horizon", "See how searches are fooled by what comes after their last ply.", "Screens"),
    Action("match", "match", "Match", "Have algorithms play each other, and see who is stronger.", "Screens"),
    Action("play", "play", "Play", "Play a game from here or from its start; go on with one.", "Screens"),
    Action(
        "proof",
        "proof",
        "Proof",
        "Q.E.D.: have what is proven spelled out move by move, checked, and drawn as a tree.",
        "Screens",
    ),
    Action("review", "review", "Review", "Analyse the game that is on the board: its values and mistakes.", "Screens"),
    Action("sessions", "sessions", "Sessions", "Open, rename, duplicate, delete and export sessions.", "Screens"),
    Action("tune", "tune", "Tune", "Look for better weights of the evaluation with a genetic algorithm.", "Screens"),
    Action("open", "open", "Open", "Browse the library, look into a file, or paste a position.", "Position", True),
    Action("move", "move", "Move", "Type a move.", "Position"),
    Action("roll", "roll", "Roll", "Let chance decide: roll the die, or draw what happens.", "Position"),
    Action("take_back", "take back", "Take back", "Take the last move back.", "Position"),
    Action("replay", "forward", "Forward", "One move on; where there are variations, choose which.", "Position"),
    Action("first", "start", "Start", "To the start of the game.", "Position"),
    Action("last", "end", "End", "To the end of the line.", "Position"),
    Action("other", "other", "Variation", "To the next variation in place of the last move.", "Position"),
    Action("cut", "delete", "Delete", "Delete the last move and all that follow it.", "Position"),
    Action("undo", "undo", "Undo", "Bring back what was deleted.", "Position"),
    Action("edit", "edit", "Edit", "Set a position up: men on the board, who is to move.", "Position"),
    Action("flip", "flip", "Flip", "Turn the board round.", "Position"),
    Action("root_moves", "labels", "Labels", "Share and value of moves on the board: of most, of all, of none.", "Position"),
    Action("note", "write", "Note", "Write something about this position.", "Session"),
    Action("positions", "jump", "Other position", "Jump to another position of this session.", "Session"),
    Action("line_forward", "step on", "Along the line", "Walk along the principal variation.", "Line"),
    Action("line_back", "step back", "Back along the line", "Walk back along it.", "Line"),
    Action("line_leave", "leave", "Leave the line", "Back to the position that is analysed.", "Line"),
    Action("next_move", "move below", "Next move", "Show the next root move and its line on the board.", "Root moves"),
    Action(
        "last_move",
        "move above",
        "Previous move",
        "Show the root move above, and its line.",
        "Root moves",
        does="next_move(-1)",
    ),
    Action("moves_down", "page down", "More moves", "Scroll the root moves down.", "Root moves", does="page_moves(1)"),
    Action("moves_up", "page up", "Earlier moves", "Scroll the root moves up.", "Root moves", does="page_moves(-1)"),
    Action("sort_moves", "order", "Sort", "Root moves best first, by value, by share, as searched, by name.", "Root moves"),
    Action("next_tab", "panel", "Next panel", "Show the next panel, where there is room for one only.", "Screen"),
    # Lanes side by side.
    Action("run", "run", "Run/stop", "Run all lanes to the budget; stop them.", "", True, COMPARE),
    Action("shallower", "shallower", "Shallower", "What all believed a depth earlier.", "", True, COMPARE, shares="Depth"),
    Action("deeper", "deeper", "Deeper", "All lanes one depth more.", "", True, COMPARE, shares="Depth"),
    Action("work", "equal", "Equal work", "All lanes to twice the nodes, each from the beginning.", "", True, COMPARE),
    Action("add", "add", "Add lane", "One more lane: any algorithm, any settings.", "", True, COMPARE),
    Action("budget", "limits", "Budget", "What every lane may spend.", "", True, COMPARE),
    Action(
        "change", "algorithm,enter", "Change lane", "Another algorithm or other settings for this lane.", "", False, COMPARE
    ),
    Action("remove", "delete", "Remove lane", "Take the chosen lane away.", "", False, COMPARE),
    Action("choose_next", "right", "Next lane", "Choose the next lane; so does the mouse.", "", False, COMPARE, "choose(1)"),
    Action("choose_last", "left", "Last lane", "Choose the lane before.", "", False, COMPARE, "choose(-1)"),
    Action(
        "difference",
        "difference",
        "Difference",
        "Record lane 1 and the chosen lane again, and see node by node where they part.",
        "",
        False,
        COMPARE,
    ),
    Action("order", "order", "Order", "Together, one after another, or as the cores suggest.", "", False, COMPARE),
    Action("card", "card", "Card", "Read how the lane's algorithm works.", "", False, COMPARE),
    Action("write", "write", "Draw", "Draw the search of the chosen lane into a file.", "", False, COMPARE),
    Action("next_tab", "panel", "Next panel", "Show the next panel, where there is room for one only.", "", False, COMPARE),
    Action("leave", "leave", "Back", "Back to the analysis.", "", True, COMPARE),
    # Two of them node by node.
    Action(
        "into",
        "right",
        "Into it",
        "The subtrees within the chosen one.",
        "",
        True,
        DIFFERENCE,
        shares="Within",
        priority=True,
    ),
    Action(
        "out",
        "left",
        "Out of it",
        "Back to the list that this one lies within.",
        "",
        True,
        DIFFERENCE,
        shares="Within",
        priority=True,
    ),
    Action("tree", "tree", "Tree", "The tree of the search, opened there; so does Enter.", "", True, DIFFERENCE),
    Action("watch", "watch", "Watch", "Watch the search from there on, with its tree drawn.", "", True, DIFFERENCE),
    Action("other", "other", "A or B", "Open the trees of the other search.", "", True, DIFFERENCE),
    Action("panel", "panel", "Panel", "On a small screen, both searches, the reasons and the depths.", "", True, DIFFERENCE),
    Action("leave", "leave", "Back", "Back to where you were.", "", True, DIFFERENCE),
    # Players against each other, and weights that compete.
    Action("run", "run", "Run/stop", "Play, or go on; stop, and lose nothing.", "", True, MATCH),
    Action("players", "algorithm", "Contestants", "Who takes part: algorithms and levels, two or more.", "", True, MATCH),
    Action(
        "terms",
        "limits",
        "Terms",
        "How many games, with which limit, from which openings, and when to stop.",
        "",
        True,
        MATCH,
    ),
    Action("analyse", "open", "Open last game", "Open the last game in Analyse.", "", True, MATCH),
    Action("leave", "leave", "Back", "Back to the analysis; a match that runs is stopped.", "", True, MATCH),
    Action("run", "run", "Run/stop", "Tune, or go on; stop, and lose nothing.", "", True, TUNE),
    Action("terms", "limits", "Terms", "Population, generations, depth and chance.", "", True, TUNE),
    Action("keep", "keep", "Keep weights", "Keep the best weights under a name.", "", True, TUNE),
    Action("leave", "leave", "Back", "Back to the analysis; what runs is stopped.", "", True, TUNE),
    # The tree of a recorded search.
    Action("next_cut", "next", "Next cut", "To the next cut in the order of the search.", "", True, TREE, "cut(1)", "Cuts"),
    Action("last_cut", "previous", "Previous cut", "To the cut before.", "", True, TREE, "cut(-1)", "Cuts"),
    Action("principal", "best line", "Best line", "To the end of the principal variation.", "", True, TREE),
    Action("ask", "go to", "Go to", "Type a line to go to.", "", True, TREE),
    Action("sort", "order", "Sort", "Children by order, by value, by size.", "", True, TREE),
    Action(
        "back", "step back", "Step back", "To the node that the search entered before.", "", True, TREE, "step(-1)", "Step"
    ),
    Action("forward", "step on", "Step on", "To the node that it entered next.", "", True, TREE, "step(1)", "Step"),
    Action("plies", "panel", "Plies", "On a small screen, the plies in place of the node.", "", True, TREE),
    Action("write", "write", "Write", "Draw the tree below this node into a file; write a proof to one.", "", False, TREE),
    Action("leave", "leave", "Back", "Back to the analysis.", "", True, TREE),
    Action("watch", "watch", "Watch", "Watch the search from this node on, with its tree drawn.", "", False, TREE),
    # A search event by event.
    Action("run", "run", "Play/stop", "Let the search play by itself; stop it.", "", True, WATCH),
    Action("back", "left,step back", "Back", "One event back.", "", True, WATCH, "step(-1)", "Step"),
    Action("forward", "right,step on", "On", "One event on.", "", True, WATCH, "step(1)", "Step"),
    Action(
        "next", "next", "Next event", "To the next cut, iteration, expansion or layer.", "", True, WATCH, "jump(1)", "Jump"
    ),
    Action("last", "previous", "Previous event", "To the one before.", "", True, WATCH, "jump(-1)", "Jump"),
    Action("ask", "go to", "Go to", "Type the number of an event to go to.", "", True, WATCH),
    Action("add", "add", "Add", "Watch another algorithm beside this one, on the same tree.", "", True, WATCH),
    Action("remove", "delete", "Remove it", "Take the second search away.", "", False, WATCH),
    Action("first", "start", "Start", "Before the first event.", "", False, WATCH),
    Action("final", "end", "End", "To the last event.", "", False, WATCH),
    Action("page_on", "page down", "Far on", "A tenth of the search on.", "", False, WATCH, "page(1)"),
    Action("page_back", "page up", "Far back", "A tenth of the search back.", "", False, WATCH, "page(-1)"),
    Action("faster", "faster", "Faster", "Play more events a second.", "", False, WATCH, "speed(1)"),
    Action("slower", "slower", "Slower", "Play fewer events a second.", "", False, WATCH, "speed(-1)"),
    Action("tree", "tree", "Tree", "This node in the tree that folds, with all its numbers.", "", True, WATCH),
    Action(
        "write",
        "write",
        "Draw",
        "Draw this event into a file: SVG, PNG, GIF (a film), TikZ, DOT.",
        "",
        False,
        WATCH,
    ),
    Action("card", "card", "Card", "Read how the algorithm works.", "", False, WATCH),
    Action("panel", "panel", "Panel", "On a small screen, the algorithm's steps or the board.", "", False, WATCH),
    Action("leave", "leave", "Leave", "Back to where you were.", "", True, WATCH),
    # The horizon effect.
    Action("shallower", "shallower", "Shallower", "What was believed a depth earlier.", "", True, HORIZON, shares="Depth"),
    Action("deeper", "deeper", "Deeper", "What is believed a depth later.", "", True, HORIZON, shares="Depth"),
    Action("search", "next", "Next search", "Look at the next of the searches.", "", True, HORIZON),
    Action(
        "line_back",
        "step back",
        "Back along the line",
        "Take a move of the line back.",
        "",
        True,
        HORIZON,
        "walk(-1)",
        "Line",
    ),
    Action("line_forward", "step on", "Along the line", "Play the line on.", "", True, HORIZON, "walk(1)", "Line"),
    Action("analyse", "open", "Analyse", "Open the example in Analyse, with the search that is fooled.", "", True, HORIZON),
    Action("find", "find", "Find here", "Look for the effect in the position that is analysed.", "", True, HORIZON),
    Action("read", "panel", "Story", "The whole story, where there is little room for it; and back.", "", False, HORIZON),
    Action("write", "write", "Draw", "Draw the search that is shown into a file.", "", False, HORIZON),
    Action("leave", "leave", "Back", "Back to the analysis.", "", True, HORIZON),
    # A game.
    Action("move", "move", "Move", "Type a move.", "", True, PLAY),
    Action("hint", "hint", "Hint", "Ask what a strong player would do.", "", True, PLAY),
    Action("take_back", "take back", "Take back", "Take the last move back, and the reply to it.", "", True, PLAY),
    Action("resign", "give up", "Resign", "Give the game up.", "", True, PLAY),
    Action("review", "review", "Review", "Analyse the game: its values by move, its mistakes.", "", True, PLAY),
    Action("new", "add", "New game", "Begin another game.", "", True, PLAY),
    Action("pause", "run", "Pause", "Pause the game and its clock; go on.", "", False, PLAY),
    Action("save", "write", "Save", "Write the game to a file: PGN, notation, or JSON.", "", False, PLAY),
    Action("flip", "flip", "Flip", "Turn the board round.", "", False, PLAY),
    Action("leave", "leave", "Back", "Back to the analysis; the game waits.", "", True, PLAY),
    # The review of a game.
    Action("next", "next", "Next mistake", "To the next mistake.", "", True, REVIEW, "mistake(1)", "Mistakes"),
    Action("last", "previous", "Previous mistake", "To the mistake before.", "", True, REVIEW, "mistake(-1)", "Mistakes"),
    Action("analyse", "open", "Analyse", "Open the position in Analyse; of a mistake, the one before it.", "", True, REVIEW),
    Action("leave", "leave", "Back", "Back.", "", True, REVIEW),
    # Dialogs.
    Action("take", "accept", "Begin", "Begin the game, with the form as it is.", "", True, "newgame", priority=True),
    Action("browse", "browse", "Choose a file", "Look for a file.", "", True, "open", priority=True),
    Action("take", "accept", "Accept", "Accept the position.", "", True, "setup", priority=True),
    Action("turn", "other", "Other side moves", "The other side is to move.", "", True, "setup"),
    Action("clear", "clear", "Clear", "An empty board.", "", True, "setup"),
    Action("start", "start", "Start position", "The start of a game.", "", True, "setup"),
    Action("take", "accept", "Accept", "Accept it, with the form as it is.", "", True, "algorithm", priority=True),
    Action("take", "accept", "Accept", "Accept the form as it is.", "", True, "form", priority=True),
    Action("open", "enter", "Open", "Open the session.", "", True, "sessions"),
    Action("new", "add", "New", "Begin another session with the position on the board.", "", True, "sessions"),
    Action("rename", "edit", "Rename", "Give it another name.", "", True, "sessions"),
    Action("duplicate", "duplicate", "Duplicate", "Make a copy.", "", True, "sessions"),
    Action("delete", "delete", "Delete", "Delete it.", "", True, "sessions"),
    Action("undo", "undo", "Undo", "Bring back what was deleted last.", "", True, "sessions"),
    Action("export", "write", "Export", "As one file to hand over, Markdown, HTML, PGN, EPD or CSV.", "", True, "sessions"),
    Action("up", "take back", "Directory above", "The directory above.", "", True, "file"),
    Action("close", "close,card", "Close", "Close it.", "", False, "reading", "dismiss(None)"),
    Action("next", "next,run,enter", "Next", "Make the next iteration.", "", True, "iteration"),
    Action("cancel", "leave", "Cancel", "Leave, and change nothing.", "", True, DIALOG, "dismiss(None)", priority=True),
    # The start page.
    *map(_leading, PURPOSES),
    Action("leave", "leave", "Analyse", "On to Analyse, or back to where you were.", "", True, START),
    # Everywhere.
    Action("help", "help", "Help", "All keys and what they do.", "", True, EVERYWHERE, "app.help"),
    Action(
        "start_page",
        "start page",
        "Start page",
        "What there is to do, with one key for each.",
        place=EVERYWHERE,
        does="app.start_page",
        priority=True,
    ),
    Action(
        "quit",
        "quit",
        "Quit",
        "End Plybench; a search that runs is stopped.",
        place=EVERYWHERE,
        does="app.quit",
        priority=True,
    ),
)
