"""Reads and checks the terms of a match, for the command line and the app alike."""

from __future__ import annotations

from typing import cast, get_args

from engines.contract import InputError, Limit, shown
from workbench.matches.bounds import LARGEST_ELO, LARGEST_ERROR, SMALLEST_ERROR
from workbench.matches.statistics import ALPHA, BETA, Sprt
from workbench.matches.types import Terms
from workbench.play.game_loop import MOST_PLIES, Adjudication
from workbench.play.players import LIMITS, read_limit

GAMES = 40
"""The default number of games for a match in the app."""
EXAMPLES = "games 100, depth 4, nodes 5000, seed 1, openings random:4, sprt 0:20, adjudicate proof, gauntlet"
NUMBERS = ("games", "seed", "plies")
NAMES = (*NUMBERS, *LIMITS, "openings", "sprt", "adjudicate", "gauntlet")


def make_terms(
    games: int,
    seed: int,
    gauntlet: bool = False,
    adjudicate: str = "none",
    plies: int = MOST_PLIES,
    sprt: str | None = None,
    alpha: float = ALPHA,
    beta: float = BETA,
) -> Terms:
    """The terms for the user's options. Raises InputError if they are not possible. `sprt` is text: ELO0:ELO1."""
    if adjudicate not in get_args(Adjudication):
        raise InputError(f"A game is ended early by {', '.join(get_args(Adjudication))}, not by {shown(adjudicate)}.")
    return Terms(
        games=games,
        seed=seed,
        style="gauntlet" if gauntlet else "round robin",
        adjudicate=cast(Adjudication, adjudicate),
        most_plies=plies,
        sprt=None if sprt is None else read_sprt(sprt, alpha, beta),
    )


def read_sprt(text: str, alpha: float = ALPHA, beta: float = BETA) -> Sprt:
    """The sequential test for the two hypotheses in the text ELO0:ELO1."""
    try:
        low, high = (float(part) for part in text.split(":"))
    except ValueError:
        raise InputError(f"A test is written ELO0:ELO1, such as 0:10, not {shown(text)}.") from None
    if not -LARGEST_ELO <= low < high <= LARGEST_ELO:
        raise InputError(
            f"The second Elo of a test must be larger than the first, both within {LARGEST_ELO}, not {shown(text)}."
        )
    for error in (alpha, beta):
        if not SMALLEST_ERROR <= error <= LARGEST_ERROR:
            raise InputError(f"An error of a test must be from {SMALLEST_ERROR:g} to {LARGEST_ERROR:g}, not {error:g}.")
    return Sprt(elo0=low, elo1=high, alpha=alpha, beta=beta)


def split_terms(text: str) -> dict[str, str]:
    """The terms in a line, by name: `games 100, depth 4` has `games` and `depth`. Raises InputError for what is no term;
    the values are not checked."""
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = part.partition(" ")
        name, value = name.lower(), value.strip()
        if name not in NAMES or (name == "gauntlet" and value):
            raise InputError(f"{shown(part)} is not a term of a match; terms are, for example, {EXAMPLES}.")
        found[name] = value
    return found


def read_terms(text: str) -> tuple[Terms, Limit, str]:
    """Read terms typed on one line, such as `games 100, depth 4, seed 1`. Returns the terms, the limit of all players that
    have none of their own, and the openings."""
    found = split_terms(text)
    for name, value in found.items():
        if name != "gauntlet" and not value:
            raise InputError(f"{shown(name)} is not a term of a match; terms are, for example, {EXAMPLES}.")
    numbers = {"games": GAMES, "seed": 1, "plies": MOST_PLIES}
    numbers |= {name: read_whole(name, found[name]) for name in NUMBERS if name in found}
    terms = make_terms(
        numbers["games"],
        numbers["seed"],
        "gauntlet" in found,
        found.get("adjudicate", "none"),
        numbers["plies"],
        found.get("sprt"),
    )
    openings = "random"
    if "openings" in found:
        openings = found["openings"]
    return terms, read_limit({name: found[name] for name in LIMITS if name in found}), openings


def read_whole(name: str, text: str) -> int:
    """The whole number of a term."""
    try:
        return int(text)
    except ValueError:
        raise InputError(f"The number of {name} is a whole number, not {shown(text)}.") from None


def typed_terms(terms: Terms, limit: Limit, openings: str) -> str:
    """Terms as text that `read_terms` reads."""
    words = [f"games {terms.games}"]
    given = {name: getattr(limit, name) for name in LIMITS}
    words += [f"{name} {value:g}" for name, value in given.items() if value is not None]
    words += [f"seed {terms.seed}", f"openings {openings}"]
    if terms.sprt is not None:
        words.append(f"sprt {terms.sprt.elo0:g}:{terms.sprt.elo1:g}")
    if terms.adjudicate != "none":
        words.append(f"adjudicate {terms.adjudicate}")
    if terms.style == "gauntlet":
        words.append("gauntlet")
    if terms.most_plies != MOST_PLIES:
        words.append(f"plies {terms.most_plies}")
    return ", ".join(words)
