"""The form for the terms of a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engines.contract import InputError
from workbench.app.forms.form import FormField, Values
from workbench.matches.terms import EXAMPLES, GAMES, make_terms, read_sprt, read_whole, split_terms
from workbench.play.game_loop import MOST_PLIES
from workbench.play.players import LIMITS, read_limit

RANDOM, LIBRARY, START, FILE = "random", "library", "start", "file"
OPENINGS = (
    ("random moves", RANDOM),
    ("positions from the library", LIBRARY),
    ("the start of the game", START),
    ("a file", FILE),
)
STYLES = (("everyone against everyone", ""), ("the first against the others", "gauntlet"))
ENDINGS = (
    ("never", "none"),
    ("when a player proves it", "proof"),
    ("when a table knows it", "table"),
    ("in either case", "both"),
)
LIMIT_HINTS = {
    "depth": "plies a move, if not set for a player",
    "nodes": "positions a move",
    "iterations": "playouts a move, for UCT and the like",
    "seconds": "a move; then games cannot be repeated",
}


class MatchTermsForm:
    """How many games, with which limit, from which openings, and when to stop."""

    title = "The terms of the match"
    hint = EXAMPLES
    classes = "terms"

    def rows(self) -> Sequence[Sequence[FormField]]:
        """The fields, row by row."""
        limits = [(FormField(name, name.capitalize(), LIMIT_HINTS[name], check=_limit(name)),) for name in LIMITS]
        return (
            (FormField("games", "Games", "between any two contestants", check=_games),),
            *limits,
            (
                FormField("openings", "Openings", choices=OPENINGS),
                FormField("detail", "", "how many, or which file", check=_detail, width="wide"),
            ),
            (FormField("gauntlet", "Who meets whom", choices=STYLES),),
            (FormField("adjudicate", "Ended early", choices=ENDINGS),),
            (FormField("sprt", "Test", "two Elo values, 0:20; ends when decided", check=_sprt),),
            (FormField("plies", "Longest game", "plies after which a game is drawn", check=_plies),),
            (FormField("seed", "Seed", "the same seed gives the same games", check=_seed),),
        )

    def values(self, text: str) -> Values:
        """What the fields hold if the line has this text."""
        found = split_terms(text)
        kind, detail = _opening_fields(found.get("openings", RANDOM))
        return {
            "games": found.get("games", str(GAMES)),
            **{name: found.get(name, "") for name in LIMITS},
            "openings": kind,
            "detail": detail,
            "gauntlet": "gauntlet" if "gauntlet" in found else "",
            "adjudicate": found.get("adjudicate", "none"),
            "sprt": found.get("sprt", ""),
            "plies": found.get("plies", str(MOST_PLIES)),
            "seed": found.get("seed", "1"),
        }

    def text(self, values: Mapping[str, str]) -> str:
        """The line for what the fields hold."""
        given = {name: values[name] for name in ("games", *LIMITS, "seed")}
        given["openings"] = _openings_text(values["openings"], values["detail"])
        given["sprt"] = values["sprt"]
        given["adjudicate"] = "" if values["adjudicate"] == "none" else values["adjudicate"]
        given["plies"] = "" if values["plies"] == str(MOST_PLIES) else values["plies"]
        words = [f"{name} {value}" for name, value in given.items() if value]
        return ", ".join([*words, *([values["gauntlet"]] if values["gauntlet"] else [])])


def _opening_fields(text: str) -> tuple[str, str]:
    """The kind of openings, and what else there is to say of them."""
    word, _, rest = text.partition(":")
    if word == RANDOM:
        return RANDOM, rest
    return (text, "") if text in (LIBRARY, START) else (FILE, text)


def _openings_text(kind: str, detail: str) -> str:
    """Openings as they are typed."""
    if kind == RANDOM:
        return f"{RANDOM}:{detail}" if detail else RANDOM
    return detail or FILE if kind == FILE else kind


def _games(values: Values) -> None:
    make_terms(read_whole("games", values["games"]), 1)


def _plies(values: Values) -> None:
    make_terms(GAMES, 1, plies=read_whole("plies", values["plies"]))


def _seed(values: Values) -> None:
    read_whole("seed", values["seed"])


def _sprt(values: Values) -> None:
    if values["sprt"]:
        read_sprt(values["sprt"])


def _detail(values: Values) -> None:
    kind, detail = values["openings"], values["detail"]
    if kind == FILE and not detail:
        raise InputError("Which file?")
    if kind == RANDOM and detail:
        read_whole("random moves", detail)


def _limit(name: str) -> Callable[[Values], None]:
    """A check of a limit; empty is none."""

    def check(values: Values) -> None:
        if values[name]:
            read_limit({name: values[name]})

    return check
