"""Checks the sentences about nodes of searches for any number of players: max^n, in which every player has a value, and
paranoid search, in which a team plays against the rest.

Leaves are worth what the naive rules pay or evaluate, and everything above follows from them by the definitions, with bounds
for what was left out. Moves, windows and kinds of nodes come from the tape.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any

from engines.rules import INFINITY
from engines.tape.recording import Recording
from tests.examiner.family import counted, faults_of
from tests.examiner.grammar import NUMBER, Claim, Rule, read_bound, read_number
from tests.examiner.judge import Judge, Range
from tests.examiner.model import Node, Number
from tests.examiner.oracles import Branch
from tests.naive.games import SHOWN_WIN, WIN

Vector = tuple[Fraction, ...]
ROUNDING = Fraction(1, 10**5)
"""The tolerance for values on a tape, which are rounded, and for their means."""
SIGNS = {"≤ ": "at most", "≥ ": "at least"}


class Company(Judge):
    """Knows the value of each player, in the units of the game; sentences contain the displayed values."""

    @cached_property
    def count(self) -> int:
        return int(self.recording.position.game.player_count)

    @cached_property
    def team(self) -> tuple[int, ...]:
        """The players of the team, as the parameter names them. By default, in paranoid search, the player to move, or the
        first player at a chance node."""
        names = [name for name in str(self.parameters.get("coalition", "")).split("+") if name]
        found = tuple(sorted(int(name) - 1 for name in names))
        return found or ((max(0, self.nodes[0].oracle.mover()),) if self.is_paranoid else ())

    @property
    def is_paranoid(self) -> bool:
        return self.recording.report.algorithm == "paranoid"

    def wanted(self, values: Vector, player: int) -> Fraction:
        """What a player maximises."""
        return sum((values[one] for one in (self.team if player in self.team else (player,))), Fraction(0))

    def shown_value(self, value: Number) -> Number:
        """The displayed value of a player or a side. A win or a loss may be shared, and is shown with its ply."""
        if math.isinf(value):
            return value
        value = Fraction(value)
        if isinstance(self.oracle, Branch) or 4 * abs(value) < WIN:
            return value / int(self.oracle.unit)
        plies = WIN - abs(value) if 4 * abs(value) > 3 * WIN else WIN - 2 * abs(value)
        return (SHOWN_WIN - plies) * (1 if value > 0 else -1)

    @cached_property
    def half_plies(self) -> Fraction:
        """The tolerance for the ply of a win: a tape in whole steps rounds half a win, so that the ply may be one off."""
        return Fraction(1 if self.count == 3 and self.recording.step == 1 and not isinstance(self.oracle, Branch) else 0)

    # Max^n.

    @cached_property
    def vectors(self) -> dict[int, Vector]:
        return {}

    def vector(self, node: Node) -> Vector:
        """Each player's value, from the leaves below; for a node that was cut, with the best move that was searched."""
        if node.row not in self.vectors:
            self.vectors[node.row] = self._vector(node)
        return self.vectors[node.row]

    def _vector(self, node: Node) -> Vector:
        if not node.children:
            return tuple(node.oracle.payoffs(self.count, node.ply))
        chances = node.oracle.chances()
        if chances is not None:
            by_move = {child.move: self.vector(child) for child in node.children}
            ranked = list(zip(chances, (by_move[move] for move in node.oracle.moves()), strict=True))
            return tuple(sum((share * one[i] for share, one in ranked), Fraction(0)) for i in range(self.count))
        mover = node.oracle.mover()
        best = max(self.wanted(self.vector(child), mover) for child in self.whole(node))
        ties = [child for child in self.whole(node) if self.wanted(self.vector(child), mover) >= best - ROUNDING]
        return self.vector(node.decider if node.decider in ties else ties[0])

    def whole(self, node: Node) -> list[Node]:
        """The children that were not cut. Of the others it is only known that they are no better."""
        return [child for child in node.counting if child.kind != "cut"]

    @cached_property
    def limits(self) -> tuple[Fraction, Vector]:
        """The largest sum of all values anywhere, and the least value of each player."""
        if not isinstance(self.oracle, Branch):
            return Fraction(0), (Fraction(-WIN) / (2 if self.count == 3 else 1),) * self.count
        found, nodes = [], [self.oracle.node]
        while nodes:
            node = nodes.pop()
            found.append(Branch(node).payoffs(self.count, 0))
            nodes += [below for _, below in node.branches]
        return max(map(sum, found)), tuple(min(values[i] for values in found) for i in range(self.count))  # type: ignore

    def left_for(self, node: Node, rival: int) -> Fraction:
        """The most that is left for a rival if the player to move has this much."""
        total, least = self.limits
        mover = node.oracle.mover()
        sides = [self.team if one in self.team else (one,) for one in (mover, rival)]
        others = [one for one in range(self.count) if one not in sides[0] and one not in sides[1]]
        return total - self.wanted(self.vector(node), mover) - sum((least[one] for one in others), Fraction(0))

    # Paranoid search.

    @property
    def sign(self) -> int:
        """The sign that turns the team's value into that of the first player's side."""
        return 1 if 0 in self.team else -1

    def wants_more(self, node: Node) -> bool:
        return (node.oracle.mover() in self.team) == (0 in self.team)

    def window(self, node: Node) -> Range:
        """The window on the tape, in the units of the game."""
        tape = self.recording
        edges = (int(tape.alpha[node.row]), int(tape.beta[node.row]))
        scale = Fraction(tape.step).limit_denominator(10**9) / (1 if not isinstance(self.oracle, Branch) else self.unit)
        low, high = (math.copysign(math.inf, edge) if abs(edge) >= INFINITY else edge * scale for edge in edges)
        return low, high

    @cached_property
    def unit(self) -> int:
        """The steps of a tape per unit: numbers of typed trees are stored in steps of their last digit."""
        return int(self.recording.position.game.unit)

    def _known(self, node: Node) -> Range:
        if not node.children:
            value = self.sign * self.wanted(node.oracle.payoffs(self.count, node.ply), self.team[0])
            return (-math.inf, math.inf) if node.kind == "open" else (value, value)
        chances, by_move = node.oracle.chances(), {child.move: self.known(child) for child in node.counting}
        if chances is not None:
            shares = list(zip(chances, (by_move[move] for move in node.oracle.moves()), strict=True))
            low, high = (sum((share * Fraction(one[i]) for share, one in shares), Fraction(0)) for i in (0, 1))
            return low, high
        ranges: list[Range] = list(by_move.values())
        if len(ranges) < len(node.oracle.moves()):
            ranges.append((-math.inf, math.inf))
        choose = max if self.wants_more(node) else min
        return choose(low for low, _ in ranges), choose(high for _, high in ranges)

    def true(self, node: Node) -> Number:
        """The value of the first player's side by exhaustive search."""
        return self.sign * self._sure(node.oracle, node.depth, node.ply)

    def _sure(self, oracle: Any, depth: int, ply: int) -> Fraction:
        """The value that the team can guarantee."""
        key = oracle if not isinstance(oracle, Branch) else id(oracle.node), depth, ply
        if key not in self.true_values:
            self.true_values[key] = self._worth(oracle, depth, ply)
        return Fraction(self.true_values[key])

    def _worth(self, oracle: Any, depth: int, ply: int) -> Fraction:
        chances = oracle.chances()
        if not oracle.moves() or (depth == 0 and chances is None):
            return self.wanted(oracle.payoffs(self.count, ply), self.team[0])
        below = [self._sure(oracle.play(move), depth - (chances is None), ply + 1) for move in oracle.moves()]
        if chances is not None:
            return sum((share * value for share, value in zip(chances, below, strict=True)), Fraction(0))
        return max(below) if oracle.mover() in self.team else min(below)

    def valued(self, node: Node, claim: Claim) -> Iterator[str]:
        """Yield what is wrong with a displayed value that a sentence gives for a node."""
        slack = Fraction(claim.slack) + ROUNDING
        if abs(float(claim.value)) > SHOWN_WIN / 2:
            slack += self.half_plies
        claim = Claim(claim.bound, claim.value, slack)
        low, high = map(self.shown_value, self.known(node))
        yield from claim.faults("by the leaves it", low, high)
        true = self.shown_value(self.true(node))
        yield from claim.faults("in truth it", true, true)


# Texts.


def side_of(judge: Company) -> str:
    """The name of the first player's side."""
    if judge.count == 2:
        return judge.players[0]
    alone = judge.team == (0,) or (0 not in judge.team and len(judge.team) == judge.count - 1)
    return judge.players[0] if alone else f"{judge.players[0]}'s side"


def read_one(judge: Company, text: str) -> tuple[Number, Number]:
    """Read a value of the first player's side: a number, or who wins at which ply. Returns the value and its rounding."""
    found = re.fullmatch(
        r"(?:(?P<wins>.+) wins|(?P<loses>.+) loses|(?P<what>a win|a loss) for (?P<who>.+)) at ply (\d+)", text
    )
    if found is None:
        return read_number(text)
    value = SHOWN_WIN - int(found[5])
    side, other = side_of(judge), (judge.players[1] if judge.count == 2 else "")
    if found["wins"]:
        return {side: value, other: -value}[found["wins"]], 0
    if found["loses"]:
        return {side: -value}[found["loses"]], 0
    return {("a win", side): value, ("a loss", side): -value, ("a win", other): -value}[found["what"], found["who"]], 0


def vector_faults(judge: Company, node: Node, text: str) -> Iterator[str]:
    """Yield what is wrong with a text that gives the values of all players."""
    true = [judge.shown_value(value) for value in judge.vector(node)]
    if found := re.fullmatch(r"(.+?) (?:wins at ply|in) (\d+)", text):
        if true[judge.players.index(found[1])] != SHOWN_WIN - int(found[2]):
            yield f"it is {list(map(float, true))}"
        return
    told = [read_number(one) for one in text.strip("<>").split()]
    if len(told) != judge.count:
        yield f"there are {judge.count} players"
    for (value, slack), one in zip(told, true, strict=False):
        if abs(float(value - one)) > Fraction(slack) + ROUNDING:
            yield f"it is {list(map(float, true))}"
            return


def _mover(judge: Company, node: Node, name: str) -> Iterator[str]:
    if name != judge.players[node.oracle.mover()]:
        yield "somebody else moves"


def _over(judge: Company, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.oracle.moves():
        yield "the game goes on"
        return
    paid = [judge.shown_value(value) for value in node.oracle.payoffs(judge.count, node.ply)]
    if found["draw"] and any(paid):
        yield f"it is no draw: {list(map(float, paid))}"
    if found["winner"] and paid[judge.players.index(found["winner"])] != SHOWN_WIN - node.ply:
        yield "somebody else has won"
    for name, number in re.findall(rf"(\S+) (?:gets )?({NUMBER})", found["each"] or ""):
        value, slack = read_number(number)
        if abs(float(value - paid[judge.players.index(name)])) > slack:
            yield f"{name} gets {float(paid[judge.players.index(name)])}"
    told = len(re.findall(NUMBER, re.sub(r"\bP\d", "", found["each"] or "")))
    if found["each"] and told != (1 if "gets" in found["each"] else judge.count):
        yield "somebody is forgotten"


def _horizon(judge: Company, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.depth != 0 or node.children or not node.oracle.moves() or node.oracle.chances() is not None:
        yield "it is not at the horizon"
    yield from told(judge, node, found["value"])


def told(judge: Company, node: Node, text: str, bound: str = "exact") -> Iterator[str]:
    """Yield what is wrong with the value of a node, of one side or of all players."""
    if judge.is_paranoid:
        value, slack = read_one(judge, text)
        yield from judge.valued(node, Claim(read_bound(bound, "0").bound, value, slack))
    else:
        yield from vector_faults(judge, node, text)


def _mean(judge: Company, node: Node, found: re.Match[str]) -> Iterator[str]:
    chances, moves = node.oracle.chances(), node.oracle.moves()
    if chances is None or int(found["count"]) != len(moves) or node.looked_at != len(moves):
        yield "there are other outcomes"
        return
    parts = re.findall(rf"(?:move )?(\S+) p=(\S+): (([≤≥] )?(?:<[^>]*>|{NUMBER}))", found["parts"])
    more = re.search(r" and (\d+) more$", found["parts"])
    if len(parts) + (int(more[1]) if more else 0) != len(moves):
        yield "some outcomes are forgotten"
    for (name, share, text, sign), child in zip(parts, node.children, strict=False):
        if name != child.name or abs(Fraction(share) - chances[moves.index(child.move)]) > Fraction(1, 1000):
            yield f"{name} is not what is likely"
        yield from told(judge, child, text.removeprefix(sign), SIGNS.get(sign, "exact"))
    yield from told(judge, node, found["value"], found.groupdict().get("bound") or "exact")
    if found.groupdict().get("edge"):
        yield from _beyond(judge, node, found)


def _with(judge: Company, node: Node, found: re.Match[str]) -> Iterator[str]:
    yield from counted(judge, node, found["count"])
    yield from _mover(judge, node, found["mover"])
    yield from told(judge, node, found["value"])
    chosen = judge.child(node, found["move"])
    if chosen is None:
        yield f"{found['move']} was not searched"
    elif judge.is_paranoid:
        sign = 1 if judge.wants_more(node) else -1
        least = min(sign * edge for edge in judge.known(chosen))
        if any(
            max(sign * edge for edge in judge.known(other)) > least + ROUNDING
            for other in node.counting
            if other is not chosen
        ):
            yield "another may be better"
    else:
        mover = node.oracle.mover()
        has = judge.wanted(judge.vector(chosen), mover)
        for other in node.counting:
            gets = judge.left_for(other, mover) if other.kind == "cut" else judge.wanted(judge.vector(other), mover)
            if gets > has + ROUNDING:
                yield f"{other.name} may be better"


def _with_any(judge: Company, node: Node, found: re.Match[str]) -> Iterator[str]:
    yield from counted(judge, node, found["count"])
    for one in (node, *node.counting):
        yield from told(judge, one, found["value"], found["bound"])
    yield from _beyond(judge, node, found)


def _cut(judge: Company, node: Node, found: re.Match[str]) -> Iterator[str]:
    yield from counted(judge, node, found["count"])
    chosen = judge.child(node, found["move"])
    if chosen is None:
        yield f"{found['move']} was not searched"
    else:
        yield from told(judge, chosen, found["value"], found["bound"])
    yield from told(judge, node, found["value"], found["bound"])
    yield from _beyond(judge, node, found)


def _beyond(judge: Company, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a sentence that only values above (or below) a limit count: the limit is the window's, and the value is beyond
    it."""
    low, high = judge.window(node)
    more = found["which"] == "more"
    value, _ = read_one(judge, found["edge"])
    yield from _same_edge(judge, found["edge"], low if more else high)
    known = judge.known(node)
    beyond = known[1] <= low + ROUNDING if more else known[0] >= high - ROUNDING
    if not beyond and abs(float(value)) < SHOWN_WIN / 2:
        yield "the value is inside the window"
    if more != (found["bound"] == "at most"):
        yield "it is the other side of the window"


def _same_edge(judge: Company, text: str, edge: Number) -> Iterator[str]:
    value, slack = read_one(judge, text)
    true = judge.shown_value(edge)
    if value != true and not abs(float(value - true)) <= float(slack) + float(ROUNDING):
        yield f"the edge is {float(true)}"


def _too_much(judge: Company, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a cutoff of max^n: the player who moved before will not choose this node."""
    yield from counted(judge, node, found["count"])
    yield from _mover(judge, node, found["mover"])
    assert node.above is not None
    yield from _mover(judge, node.above, found["rival"])
    chosen, mover, rival = judge.child(node, found["move"]), node.oracle.mover(), node.above.oracle.mover()
    if chosen is None or judge.wanted(judge.vector(chosen), mover) < judge.wanted(judge.vector(node), mover) - ROUNDING:
        yield f"{found['move']} is not so good"
    earlier = [one for one in judge.whole(node.above) if one.row < node.row]
    has = max((judge.wanted(judge.vector(one), rival) for one in earlier), default=None)
    if has is None or judge.left_for(node, rival) > has + ROUNDING:
        yield f"{found['rival']} has less elsewhere"


def _unfinished(judge: Company, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.kind != "open":
        yield "it was finished"


def rules(judge: Company) -> list[Rule]:
    """The patterns of all sentences of these searches, with their checks."""
    names = "|".join(map(re.escape, judge.players))
    at_ply = rf"(?:(?:{names})(?:'s side)? (?:wins|loses)|a (?:win|loss) for (?:{names})(?:'s side)?) at ply \d+"
    value, move, count = rf"(?P<value><[^>]*>|{at_ply}|{NUMBER})", r"(?P<move>(?:move )?\S+)", "(?P<count>.+?)"
    mover, bound = f"(?P<mover>{names})", "(?P<bound>at least|at most)"
    beyond = rf"only (?P<which>more|less) than (?P<edge>{at_ply}|{NUMBER}) counts here"
    outcomes = r"The mean of (?P<count>\d+) outcomes? \((?P<parts>.+)\)"
    each = rf"(?P<each>(?:{names}) gets (?:{NUMBER})|(?:{names}) (?:{NUMBER})(?:, (?:{names}) (?:{NUMBER}))*)"
    return [
        (rf"The game is over: (?:(?P<draw>a draw)|(?P<winner>{names}) has won|{each})(?: \(.+\))?\.", _over),
        (rf"Scored at the horizon: {value}\.", _horizon),
        (rf"{outcomes}: {value}\.", _mean),
        (rf"{outcomes} is {bound} {value}, and {beyond}\.", _mean),
        (rf"With {move}, {count} for {mover}: {value}\.", _with),
        (rf"With {count} it is {bound} {value}, and {beyond}\.", _with_any),
        (rf"Cut: after {move} it is {bound} {value}, and {beyond}; {count}\.", _cut),
        (rf"After {move} it is {bound} {value}, and {beyond}; {count}\.", _cut),
        (
            rf"Cut: with {move} {mover} has so much that too little is left for (?P<rival>{names}), who has found no less "
            rf"elsewhere; {count}\.",
            _too_much,
        ),
        (r"Not finished: the search was stopped here\.", _unfinished),
    ]


def faults(recording: Recording, oracle: Any) -> Iterator[tuple[int, str, str]]:
    """Yield every false sentence of a recording: the node, the sentence, and what is wrong with it."""
    judge = Company(recording, oracle)
    yield from faults_of(recording, judge, rules(judge), _window, _shown)


def _window(judge: Company, node: Node, words: str) -> Iterator[str]:
    if not judge.is_paranoid:
        if words != "none: every player looks at values of their own":
            yield "max^n has no windows"
        return
    low, high = judge.window(node)
    found = re.fullmatch(r"open: every value counts|less than (.+)|more than (.+)|(.+?) to (.+)", words)
    if found is None:
        yield "nothing is known of such a window"
        return
    texts = (found[2] or found[3] or "-∞", found[1] or found[4] or "+∞")
    for text, edge in zip(texts, (low, high), strict=True):
        yield from _same_edge(judge, text, edge)


def _shown(judge: Company, node: Node, text: str) -> Iterator[str]:
    """Yield what is wrong with the value in a node's row."""
    if not text:
        if node.kind != "open":
            yield "something is known of it"
    elif judge.is_paranoid:
        yield from _one_shown(judge, node, text)
    elif node.kind == "cut":
        yield from _partly_shown(judge, node, text)
    else:
        yield from vector_faults(judge, node, text)


def in_sentences(judge: Company, text: str) -> str:
    """The short value of one side in the form that sentences use: `won in 2`, `X in 2`. Rounded, a win at ply 1 may be `won
    wins`."""
    who = {"won": f"{side_of(judge)} wins", "lost": f"{side_of(judge)} loses"}
    found = re.fullmatch(r"(\S+) in (\d+)", text.replace(" wins", " in 0"))
    return f"{who.get(found[1], f'{found[1]} wins')} at ply {found[2]}" if found else text


def _one_shown(judge: Company, node: Node, text: str) -> Iterator[str]:
    bound = SIGNS.get(text[:2], "exact")
    yield from told(judge, node, in_sentences(judge, text[2:] if bound != "exact" else text), bound)


def _partly_shown(judge: Company, node: Node, text: str) -> Iterator[str]:
    """Check the row of a max^n node that was cut: what the player to move gets at least, alone or with a team."""
    mover = node.oracle.mover()
    gets = judge.shown_value(judge.wanted(judge.vector(node), mover))
    held = judge.team if mover in judge.team else (mover,)
    name, sign, number = re.fullmatch(r"(?:(\S+) )?([≤≥]) (.+)", text).groups()  # type: ignore[union-attr]
    if name is None:  # in a game in which one player wins what the other loses
        if (sign == "≥") != (mover == 0):
            yield "it is the other bound"
        gets = gets if mover == 0 else -gets
    elif name != "+".join(judge.players[one] for one in held) or sign != "≥":
        yield "somebody else moves"
    if found := re.fullmatch(r"(\S+) in (\d+)", number.replace(" wins", " in 0")):
        ply = SHOWN_WIN - int(found[2])
        value: Number = ply if found[1] in ("won", judge.players[0]) else -ply
        slack: Number = judge.half_plies
    else:
        value, slack = read_number(number)
    if abs(float(value - gets)) > Fraction(slack) + ROUNDING:
        yield f"it gets {float(gets)}"
