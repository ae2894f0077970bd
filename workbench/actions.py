"""Everything a person can do with a key: one list that feeds bindings, footer, command palette and the help screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from textual.binding import Binding
from textual.keys import Keys, format_key

from engines.contract import InputError, shown

MOST_IN_FOOTER = 7
TAKEN = {
    **dict.fromkeys(("up", "down", "left", "right"), "moves the cursor on the board"),
    "enter": "picks men up on the board",
    "ctrl+p": "opens the command palette",
}
"""Keys that no action can have, and why."""
MODIFIERS = ("ctrl+", "alt+", "shift+")
OTHER_NAMES = {"esc": "escape", "return": "enter", "del": "delete", "pgup": "pageup", "pgdn": "pagedown", " ": "space"}


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

    @property
    def keys(self) -> list[str]:
        """Each of its keys."""
        return self.key.split(",")


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
    Action("open", "o", "Open", "Browse the library, look into a file, or paste a position.", "Position", True),
    Action("note", "n", "Note", "Write something about this position.", "Session"),
    Action("sessions", "s", "Sessions", "Open, rename, duplicate, delete and export sessions.", "Session"),
    Action("line_forward", "full_stop", "Along the line", "Walk along the principal variation.", "Line", shown_key="."),
    Action("line_back", "comma", "Back the line", "Walk back along it.", "Line", shown_key=","),
    Action("line_leave", "escape", "Leave the line", "Back to the position that is analysed.", "Line"),
    Action("next_tab", "tab", "Next panel", "Show the next panel, where there is room for one only.", "Screen"),
    Action("help", "question_mark", "Help", "All keys and what they do.", "Screen", True, "?"),
    Action("quit", "ctrl+q", "Quit", "End Plybench; a search that runs is stopped.", "Screen"),
)


def remapped(keys: Mapping[str, Sequence[str]]) -> tuple[Action, ...]:
    """All actions, some of them with other keys than their own; an InputError if that cannot be."""
    known = [action.id for action in ACTIONS]
    for name in keys:
        if name not in known:
            raise InputError(f"There is no action {shown(name)}; there are {', '.join(known)}.")
    actions = tuple(_with_keys(action, keys[action.id]) if action.id in keys else action for action in ACTIONS)
    owners: dict[str, str] = {}
    for action in actions:
        for key in action.keys:
            if key in TAKEN:
                raise InputError(f"The key {key} cannot be given to {action.id}: it {TAKEN[key]}.")
            if owners.setdefault(key, action.id) != action.id:
                raise InputError(f"The key {shown(format_key(key))} is given to both {owners[key]} and {action.id}.")
    return actions


def _with_keys(action: Action, keys: Sequence[str]) -> Action:
    if not keys:
        raise InputError(f"The action {action.id} is left without a key.")
    return replace(action, key=",".join(dict.fromkeys(map(read_key, keys))), shown_key=None)


def read_key(text: str) -> str:
    """The name that Textual has for a key that a person wrote: `k`, `K`, `?`, `F5`, `Space`, `ctrl+k`."""
    name = text.strip() if len(text) > 1 else text
    if name.startswith("^") and len(name) == 2:
        name = f"ctrl+{name[1]}"
    if len(name) > 1:
        name = name.lower()
    lead = ""
    while modifier := next((modifier for modifier in MODIFIERS if name.startswith(modifier) and name != modifier), ""):
        lead, name = lead + modifier, name.removeprefix(modifier)
    name = OTHER_NAMES.get(name, name)
    if len(name) == 1 and name.isprintable():
        if lead == "shift+" and name.isalpha():
            return name.upper()
        name = "comma" if name == "," else next(iter(Binding.make_bindings([Binding(name, "")]))).key
    elif len(name) == 1 or (name not in {"space", *(key.value for key in Keys)} and len(format_key(name)) != 1):
        raise InputError(f"There is no key {shown(text)}; keys are written k, K, ?, f5, space, ctrl+k.")
    return lead + name


def bindings(keys: Mapping[str, Sequence[str]] | None = None) -> list[Binding]:
    """The bindings of all actions; `keys` gives some of them other keys than their own."""
    return [binding for action in remapped(keys or {}) for binding in bindings_of(action)]


def bindings_of(action: Action) -> list[Binding]:
    """One for each of its keys; the footer shows the first."""
    return [
        Binding(
            key,
            action.id,
            action.title,
            show=action.footer and number == 0,
            key_display=action.shown_key,
            tooltip=action.sentence,
            priority=action.id == "quit" and len(format_key(key)) > 1,  # a letter may be typed into a line
        )
        for number, key in enumerate(action.keys)
    ]


def key_name(action: Action) -> str:
    """The key as a person would write it."""
    if action.shown_key:
        return action.shown_key
    *modifiers, key = action.keys[0].split("+")
    sign = format_key(key)
    return "".join(f"{word}+" for word in modifiers).replace("ctrl+", "^") + (sign if len(sign) == 1 else key)


def key_of(name: str, actions: Sequence[Action] = ACTIONS) -> str:
    """The key of an action in a sentence: `Space`, `]`."""
    key = key_name(next(action for action in actions if action.id == name))
    return key[0].upper() + key[1:] if len(key) > 1 else key
