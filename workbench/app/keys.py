"""The keys of all actions: as Textual bindings, as text for the user, and as changed by the user's settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from textual.binding import Binding, BindingType
from textual.keys import Keys as KeyNames
from textual.keys import format_key

from engines.contract import InputError, instead, shown
from workbench.app.actions import ACTIONS, Action
from workbench.app.places import DIALOG, EVERYWHERE, PLACES, START, places_of

FURTHER = (
    *("compare", "horizon", "play", "sessions", "start_page", "proof", "edit", "card"),
    *("watch.write", "watch.card", "tree.watch", "tree.write"),
    *("compare.change", "compare.write", "compare.difference", "compare.card", "horizon.write", "play.save", "play.flip"),
)
"""The actions that a footer shows where there is room for more than it always shows, the most useful first."""
MODIFIERS = ("ctrl+", "alt+", "shift+")
OTHER_NAMES = {"esc": "escape", "return": "enter", "del": "delete", "pgup": "pageup", "pgdn": "pagedown", " ": "space"}


@dataclass(frozen=True)
class Keys:
    """All actions with their keys, as the user's settings have them."""

    actions: tuple[Action, ...] = ACTIONS

    def at(self, place: str) -> list[Action]:
        """The actions of a place, its own ones first."""
        return [action for one in places_of(place) for action in self.actions if action.place == one]

    def key(self, name: str) -> str:
        """The key of an action as it is written in a sentence: `Space`, `]`."""
        return spoken(next(action for action in self.actions if action.name == name))

    def said(self, place: str, sentence: str) -> str:
        """Replace the names of actions in braces by their keys, for the actions of a place."""
        return sentence.format_map({action.id: spoken(action) for action in reversed(self.at(place))})

    @property
    def keymap(self) -> dict[str, str]:
        """The keymap for Textual: changed keys by the id of the binding."""
        own = {action.name: action.keys for action in ACTIONS}
        return {action.name: ",".join(action.keys) for action in self.actions if action.keys != own[action.name]}


@runtime_checkable
class HasKeys(Protocol):
    """An app that holds the keys in use."""

    keys: Keys


def keys_of(app: object) -> Keys:
    """The keys that an app uses."""
    return app.keys if isinstance(app, HasKeys) else Keys()


def bindings(place: str) -> list[BindingType]:
    """The bindings of a screen, with the default keys of its actions. The app's keymap replaces those that the user
    changed."""
    return [
        Binding(
            key,
            action.call,
            action.title,
            show=(action.footer or action.name in FURTHER)
            and number == 0
            and not (action.place == EVERYWHERE and DIALOG in places_of(place)),
            tooltip=action.sentence,
            priority=action.priority,
            id=action.name,
            group=Binding.Group(action.shares, compact=True) if action.shares else None,
        )
        for action in Keys().at(place)
        for number, key in enumerate(action.keys)
        if action.id != "quit" or place == EVERYWHERE
    ]


def _in_footer(action: Action, place: str) -> bool:
    """Whether the footer of a place shows an action, if there is room for it."""
    is_general = action.place == EVERYWHERE and DIALOG in places_of(place)
    leads_here = action.name == "start_page" and place == START
    return (action.footer or action.name in FURTHER) and not is_general and not leads_here


# Changed keys.


def remapped(given: Mapping[str, Sequence[str]]) -> Keys:
    """All actions, some with other keys than their default ones. Raises InputError if the given keys are not possible."""
    known = [action.name for action in ACTIONS]
    for name in given:
        if name not in known:
            place = name.rpartition(".")[0]
            beside = [other for other in known if other.rpartition(".")[0] == place] or known
            raise InputError(f"There is no action {shown(name)}.{instead(name, beside)}")
    keys = Keys(tuple(_with_keys(action, given[action.name]) if action.name in given else action for action in ACTIONS))
    for place in PLACES:
        _check(place, keys.at(place))
    return keys


def _with_keys(action: Action, keys: Sequence[str]) -> Action:
    if not keys:
        raise InputError(f"The action {action.name} is left without a key.")
    return replace(action, other_keys=",".join(dict.fromkeys(map(read_key, keys))))


def _check(place: str, actions: Sequence[Action]) -> None:
    """Raise InputError if a key has two meanings in a place."""
    owners: dict[str, Action] = {}
    taken = {key: why for one in places_of(place) for key, why in PLACES[one].taken.items()}
    for action in actions:
        for key in action.keys:
            other = owners.setdefault(key, action)
            if other is not action:
                raise InputError(f"The key {shown(format_key(key))} is given to both {other.name} and {action.name}.")
            if key in taken:
                raise InputError(f"The key {key} cannot be given to {action.name}: it {taken[key]}.")
            typed = PLACES[place].typed and action.place != EVERYWHERE
            if is_typed(key) and (typed or action.priority):
                raise InputError(
                    f"The key {shown(format_key(key))} cannot be given to {action.name}, which has to work while you type; "
                    "keys such as f5 and ctrl+k can."
                )


def is_typed(key: str) -> bool:
    """Whether the key types a character."""
    return key == "space" or ("+" not in key and len(format_key(key)) == 1 and key not in BARE)


BARE = {"up", "down", "left", "right", "enter", "tab", "backspace", "delete", "escape"}
"""Keys that are always written by name, because Textual displays some of them as symbols."""


def read_key(text: str) -> str:
    """Textual's name of a key as the user writes it: `k`, `K`, `?`, `F5`, `Space`, `ctrl+k`."""
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
    elif len(name) == 1 or (name not in {"space", *(key.value for key in KeyNames)} and len(format_key(name)) != 1):
        raise InputError(f"There is no key {shown(text)}; keys are written k, K, ?, f5, space, ctrl+k.")
    return lead + name


# Keys as text.


def key_names(action: Action) -> list[str]:
    """The keys of an action as the user would write them."""
    return [_name(key) for key in action.keys]


def key_name(action: Action) -> str:
    """The first key of an action as the user would write it."""
    return key_names(action)[0]


def _name(written: str) -> str:
    *modifiers, key = written.split("+")
    sign = key if key in BARE else format_key(key)
    return "".join(f"{word}+" for word in modifiers).replace("ctrl+", "^") + (sign if len(sign) == 1 else key)


def spoken(action: Action) -> str:
    """The key of an action as it is written in a sentence: `Space`, `]`."""
    key = key_name(action)
    return key[0].upper() + key[1:] if len(key) > 1 else key
