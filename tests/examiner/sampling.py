"""Checks the sentences about nodes of Monte Carlo search, UCT and PPA.

Numbers of games, sums and moves come from the tape. Which positions are equal, which games are over and which moves are
legal come from the naive rules. What is proven, and which move comes next, is computed here from these alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engines.position import Position
from engines.tape.recording import Recording
from tests.examiner.grammar import ONES
from tests.examiner.oracles import Roll, spoken
from tests.naive import games as naive
from tests.naive import uct as naive_uct
from workbench.recordings.why.nodes import window_text, window_words
from workbench.recordings.why.reasons import why

MILLION = 1_000_000
NEAR = 3 / MILLION
"""Means are stored in millionths: those closer than this cannot be told apart."""
MOVE = r"(?:move )?\S+"
SAID = re.compile(
    r"(?:Tree (?P<tree>\d+) of (?P<trees>\d+): )?"
    r"(?P<games>[\d,]+) games? through it(?:, (?P<all>[\d,]+) counting all ways to this position)?, "
    r"(?:(?P<share>[\d.]+)% for (?P<who>.+?)|(?P<gain>[+-]?[\d.]+) on average)\."
    r"(?: Proven: (?:(?P<draw>a draw)|(?P<winner>.+?) wins); games that come here go no further\.)?"
    r"(?P<nature> What happens next is drawn by its probability\.)?"
    r"(?P<elsewhere> What follows is shown where the search first came to this position\.)?"
    rf"(?: Visited most: (?:(?P<number>\d+) moves|(?P<most>{MOVE}(?:(?:, | and ){MOVE})*?)), (?P<visits>[\d,]+) games?"
    r"(?P<each> each)?\.)?"
    rf"(?: Next it tries (?:one of (?P<untried>\d+) moves that it has not tried|(?P<last>{MOVE}), "
    r"the only move that it has not tried)\.)?"
    rf"(?: Next it looks at (?P<next>{MOVE}): mean (?P<mean>[\d.]+) \+ exploration (?P<exploration>[\d.]+) = "
    r"(?P<sum>[\d.]+), (?:the only move that is weighed|the largest of (?P<weighed>\d+) moves)"
    r"(?:, (?P<settled>\d+) (?:is|are) proven)?\.)?"
    rf"(?: Next it takes (?P<taken>{MOVE}), which is proven by another way: .+? wins\.| Next it takes (?P<drawn>{MOVE}), "
    r"which is proven by another way: a draw\.)?"
    r"(?: (?P<waiting>\d+) moves? (?:is|are) not tried yet: widening allows (?P<room>\d+)\.)?"
)


@dataclass
class Spot:
    """A node that was sampled."""

    row: int
    above: Spot | None
    name: str
    oracle: Any
    games: int
    mean: float
    """The mean result for the first player."""
    nature: bool
    children: list[Spot] = field(default_factory=list)
    visits: int = 0
    """Visits by all paths to the position."""
    proven: float | None = None
    """The first player's proven result, from the finished games below; None if nothing is proven."""

    @property
    def sign(self) -> int:
        """1 if the first player moves, -1 if the second does."""
        return (1 if self.oracle.red_moves else -1) if isinstance(self.oracle, Roll) else int(self.oracle.turn())

    def for_mover(self, spot: Spot) -> float:
        """The mean of a child from the view of the player who moves here."""
        return spot.mean if self.sign > 0 else 1.0 - spot.mean


class Sampler:
    """All sampled nodes of a recording."""

    def __init__(self, recording: Recording, oracle: Any) -> None:
        self.recording, self.game = recording, recording.position.game
        self.parameters = recording.report.parameters
        self.players = self.game.players
        self.spots: list[Spot] = []
        self.merges = bool(self.parameters.get("transpositions")) and not isinstance(oracle, naive.Tree)
        engines: list[Position] = []
        for row in range(len(recording)):
            above = self.spots[recording.parent[row]] if recording.parent[row] >= 0 else None
            engine, here, name = recording.position, oracle, ""
            if above is not None:
                engine = engines[above.row]
                text = engine.game.move_text(engine.state, int(recording.move[row]))
                name, here, engine = (
                    spoken(above.oracle, text),
                    above.oracle.play(text),
                    engine.play(int(recording.move[row])),
                )
            engines.append(engine)
            nature = isinstance(here, Roll) and not here.die and not here.winner()
            spot = Spot(row, above, name, here, int(recording.alpha[row]), int(recording.value[row]) / MILLION, nature)
            if nature and above is not None and above.nature:
                raise AssertionError("nature moves twice")
            self.spots.append(spot)
            if above is not None:
                above.children.append(spot)
        ways = self._gather()
        while sum(self._prove(spot, ways[spot.row]) for spot in reversed(self.spots)):
            pass  # what is proven on one path to a position holds on all, and may prove more above

    def _gather(self) -> dict[int, list[Spot]]:
        """All nodes of the same position in the same tree, by the row of each."""
        same: dict[Any, list[Spot]] = {}
        for spot in self.spots:
            root = spot
            while root.above is not None:
                root = root.above
            key = (root.row, spot.oracle) if self.merges else spot.row
            same.setdefault(key, []).append(spot)
        for ways in same.values():
            for spot in ways:
                spot.visits = sum(way.games for way in ways)
        return {spot.row: ways for ways in same.values() for spot in ways}

    def _prove(self, spot: Spot, ways: list[Spot]) -> bool:
        """Prove what follows for a position. Returns whether that is new."""
        if spot.proven is not None or not self.parameters.get("proofs") or not self.game.has_winner:
            return False
        proven = self._following(spot)
        for way in ways:
            way.proven = proven
        return proven is not None

    def _following(self, spot: Spot) -> float | None:
        """The first player's proven result that follows from the children; None if nothing does."""
        if (over := result_of(spot.oracle)) is not None and spot.above is not None:
            return over
        known = [child.proven for child in spot.children]
        best = 1.0 if spot.sign > 0 else 0.0
        everything = len(known) == len(spot.oracle.moves()) and None not in known
        if spot.nature:
            return known[0] if everything and len(set(known)) == 1 else None
        if best in known:
            return best
        return max((one for one in known if one is not None), key=lambda one: one * spot.sign) if everything else None


def result_of(oracle: Any) -> float | None:
    """The value of a finished game for the first player; None if it goes on."""
    if isinstance(oracle, Roll):
        return {"red": 1.0, "blue": 0.0, "": None}[oracle.winner()]
    return None if oracle.result() is None else naive_uct.worth(oracle)


def number(text: str) -> int:
    return int(text.replace(",", ""))


def head_faults(judge: Sampler, spot: Spot, found: re.Match[str]) -> Iterator[str]:
    """Check the number of games and their mean result."""
    roots = [one for one in judge.spots if one.above is None]
    if found["tree"] and (roots.index(spot) + 1, len(roots)) != (int(found["tree"]), int(found["trees"])):
        yield "it is another tree"
    if number(found["games"]) != spot.games or number(found["all"] or found["games"]) != spot.visits:
        yield f"{spot.games} games, {spot.visits} counting all ways"
    if found["share"]:
        mine = spot.nature or spot.sign > 0
        over = result_of(spot.oracle) is not None
        if not over and found["who"] != judge.players[0 if mine else 1]:
            yield "somebody else moves"
        share = spot.mean if found["who"] == judge.players[0] else 1 - spot.mean
        if abs(float(found["share"]) - 100 * share) > 0.0501:
            yield f"the share is {share}"
        if not judge.game.has_winner:
            yield "nobody wins here"
    elif abs(float(found["gain"]) - judge.game.shown_mean(spot.mean)) > 0.0051:
        yield f"the mean is {judge.game.shown_mean(spot.mean)}"
    if bool(found["nature"]) != (spot.nature and spot.proven is None) and not judge.merges:
        yield "nature moves, or does not"


def proof_faults(judge: Sampler, spot: Spot, found: re.Match[str]) -> Iterator[str]:
    """Check what is said to be proven: it must follow, and where every position occurs once, nothing that follows may be
    missing."""
    said = 0.5 if found["draw"] else None if not found["winner"] else float(found["winner"] == judge.players[0])
    if not judge.merges and said != spot.proven and int(judge.parameters.get("threads", 1)) == 1:
        yield f"{spot.proven} is proven"
    if judge.merges and said is not None and spot.proven not in (None, said):
        yield f"{spot.proven} is proven"
    if said is not None and found["next"]:
        yield "nothing comes next where all is proven"


def most_faults(spot: Spot, found: re.Match[str]) -> Iterator[str]:
    """Check which moves are said to be visited most."""
    if not found["visits"]:
        return
    most = max(child.games for child in spot.children)
    names = [child.name for child in spot.children if child.games == most]
    if number(found["visits"]) != most or (found["each"] is None) != (len(names) == 1):
        yield f"{names} were visited most, {most} times"
    if found["number"]:
        if int(found["number"]) != len(names):
            yield f"{len(names)} were visited most"
    elif sorted(name.removeprefix("move ") for name in re.split(", | and ", found["most"])) != sorted(names):
        yield f"{names} were visited most"


def next_faults(judge: Sampler, spot: Spot, found: re.Match[str]) -> Iterator[str]:
    """Check which move is said to come next, by the formula and by what was tried."""
    legal = [spoken(spot.oracle, move) for move in spot.oracle.moves()]
    tried, widening = [child.name for child in spot.children], float(judge.parameters.get("widening", 0.0))
    room = max(1, math.floor(widening * math.sqrt(spot.visits))) if widening else len(legal)
    open_ = [child for child in spot.children if child.proven is None]
    if found["untried"] or found["last"]:
        left = [name for name in legal if name not in tried]
        if number(found["untried"] or "1") != len(left) or (found["last"] or left[0]).removeprefix("move ") not in left:
            yield f"{left} are untried"
        if len(tried) >= min(room, len(legal)) and open_:
            yield f"no more than {room} may be tried"
    if found["waiting"]:
        if (number(found["waiting"]), int(found["room"])) != (len(legal) - len(tried), room) or len(tried) < room:
            yield f"{len(legal) - len(tried)} wait, and {room} may be tried"
    elif found["next"] and len(tried) < len(legal):
        yield "moves that wait are not told"
    if not found["next"]:
        return
    chosen = [child for child in spot.children if child.name == found["next"].removeprefix("move ")]
    if not chosen:
        yield f"{found['next']} was never tried"
        return
    k, log = float(judge.parameters["k"]), math.log(spot.visits)
    sums = {child.row: spot.for_mover(child) + k * math.sqrt(log / child.games) for child in spot.children}
    mean, exploration = spot.for_mover(chosen[0]), k * math.sqrt(log / chosen[0].games)
    told = [(found["mean"], mean), (found["exploration"], exploration), (found["sum"], mean + exploration)]
    for text, true in told:
        if abs(float(text) - true) > 0.000502:
            yield f"{text} is {true}"
    if any(sums[child.row] > sums[chosen[0].row] + NEAR for child in open_):
        yield "another sum is larger"
    if not judge.merges:
        if chosen[0].proven is not None:
            yield "its result is proven"
        if int(found["weighed"] or 1) != len(open_) or int(found["settled"] or 0) != len(tried) - len(open_):
            yield f"{len(open_)} of {len(tried)} are open"


def faults(recording: Recording, oracle: Any) -> Iterator[tuple[int, str, str]]:
    """Yield every false sentence of a recording: the node, the sentence, and what is wrong with it."""
    judge = Sampler(recording, oracle)
    for spot in judge.spots:
        said = why(recording, spot.row)
        found = SAID.fullmatch(said)
        if found is None:
            yield spot.row, said, "nothing is known of such a sentence"
            continue
        for words in (said, window_text(recording, spot.row), window_words(recording, spot.row)):
            if slip := ONES.search(words):
                yield spot.row, words, f"{slip[0]} is wrong"
        parts = (head_faults(judge, spot, found), proof_faults(judge, spot, found), most_faults(spot, found))
        for part in (*parts, next_faults(judge, spot, found)):
            for fault in part:
                yield spot.row, said, fault
        for words in (window_text(recording, spot.row), window_words(recording, spot.row)):
            told = re.search(r"([\d,]+) games?\b", words)
            if told is None or number(told[1]) != spot.games:
                yield spot.row, words, f"{spot.games} games"


def next_at_root(oracle: Any, iterations: int, seed: int, k: float, player: Any) -> str:
    """The move that a naive UCT makes first in its next iteration."""
    before, after = (naive_uct.uct(oracle, count, seed, k, player()) for count in (iterations, iterations + 1))
    (move,) = (
        name
        for name, child in after.children.items()
        if child.visits > (before.children[name].visits if name in before.children else 0)
    )
    return move
