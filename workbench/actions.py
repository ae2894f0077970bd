"""Everything a person can do with a key: one list that feeds bindings, footer, command palette and the help screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.binding import Binding

from engines.contract import InputError, shown

MOST_IN_FOOTER = 7


@dataclass(frozen=True)
class Action:
    """Something to do: `action_<id>` of the screen does it."""

    id: str
    key: str
    """As Textual calls it; several with commas."""
    title: str
    """Short, for the footer."""
    sentence: str
    group: str
    footer: bool = False
    shown_key: str | None = None


ACTIONS = (
    Action("run", "space", "Run/stop", "Search to the limit; stop a search that runs.", "Search", True),
    Action("deeper", "right_square_bracket", "Deeper", "Search exactly one depth more, and wait.", "Search", True, "]"),
    Action("shallower", "left_square_bracket", "Back", "See what was believed one depth earlier.", "Search", True, "["),
    Action("algorithm", "a", "Algorithm", "Choose the algorithm, its parameters and the limit.", "Search", True),
    Action("card", "i", "Card", "Read how the algorithm works.", "Search"),
    Action("tree", "t", "Tree", "Record the search and browse its tree, node by node.", "Search", True),
    Action("move", "m", "Move", "Type a move.", "Position"),
    Action("take_back", "b,backspace", "Take back", "Take the last move back.", "Position"),
    Action("replay", "f", "Forward", "Play again what was taken back.", "Position"),
    Action("edit", "e", "Edit", "Set a position up: men on the board, who is to move.", "Position"),
    Action("flip", "x", "Flip", "Turn the board round.", "Position"),
    Action("open", "o", "Open", "Browse the library, or paste a position in any notation.", "Position", True),
    Action("note", "n", "Note", "Write something about this position.", "Session"),
    Action("sessions", "s", "Sessions", "Open, rename, duplicate, delete and export sessions.", "Session"),
    Action("line_forward", "full_stop", "Along the line", "Walk along the principal variation.", "Line", shown_key="."),
    Action("line_back", "comma", "Back the line", "Walk back along it.", "Line", shown_key=","),
    Action("line_leave", "escape", "Leave the line", "Back to the position that is analysed.", "Line"),
    Action("next_tab", "tab", "Next panel", "Show the next panel, where there is room for one only.", "Screen"),
    Action("help", "question_mark", "Help", "All keys and what they do.", "Screen", True, "?"),
    Action("quit", "ctrl+q", "Quit", "End Plybench; a search that runs is stopped.", "Screen"),
)


def bindings(keys: Mapping[str, str] | None = None) -> list[Binding]:
    """The bindings of all actions; `keys` gives some of them other keys than their own."""
    chosen = dict(keys or {})
    known = {action.id for action in ACTIONS}
    for name in chosen:
        if name not in known:
            raise InputError(f"There is no action {shown(name)}; there are {', '.join(sorted(known))}.")
    return [
        Binding(
            chosen.get(action.id, action.key),
            action.id,
            action.title,
            show=action.footer,
            key_display=None if action.id in chosen else action.shown_key,
            tooltip=action.sentence,
            priority=action.id == "quit",
        )
        for action in ACTIONS
    ]


def key_name(action: Action) -> str:
    """The key as a person would write it."""
    return action.shown_key or action.key.split(",")[0].replace("ctrl+", "^")
