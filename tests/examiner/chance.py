"""Checks the sentences about nodes of searches with chance: expectiminimax, Star1, Star2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from engines.tape.recording import Recording
from tests.examiner.family import counted, faults_of
from tests.examiner.grammar import NUMBER, Claim, Rule, read_bound, read_number
from tests.examiner.judge import Judge, Range
from tests.examiner.model import Node, Number
from tests.examiner.oracles import Branch
from tests.naive.chance import maxn

ROUNDING = Fraction(1, 10**5)
"""The tolerance for values on a tape, which are rounded, and for their means."""
OUTCOME = r"(?:move )?\S+(?: p=\S+)?"


class ChanceJudge(Judge):
    """Knows what can be known of a search with chance nodes."""

    @property
    def reach(self) -> Range:
        """The smallest and the largest possible value."""
        return self.nodes[0].low, self.nodes[0].high

    def _known(self, node: Node) -> Range:
        if node.kind in ("terminal", "horizon"):
            return node.value, node.value
        least, most = self.reach
        if node.kind in ("open", "pruned"):
            return least, most
        chances = node.oracle.chances()
        by_move = {child.move: self.known(child) for child in node.counting}
        if chances is not None:
            ranges = [by_move.get(move, (least, most)) for move in node.oracle.moves()]
            low = sum(share * Fraction(one) for share, (one, _) in zip(chances, ranges, strict=True))
            high = sum(share * Fraction(one) for share, (_, one) in zip(chances, ranges, strict=True))
            return Fraction(low), Fraction(high)
        ranges = list(by_move.values()) + [(least, most)] * (len(by_move) < len(node.oracle.moves()))
        choose = max if node.turn > 0 else min
        return choose(one for one, _ in ranges), choose(one for _, one in ranges)

    def true(self, node: Node) -> Number | None:
        if not isinstance(node.oracle, Branch):
            return None
        return maxn(node.oracle.node, node.depth).values[0]

    def valued(self, node: Node, claim: Claim) -> Iterator[str]:
        yield from super().valued(node, Claim(claim.bound, claim.value, Fraction(claim.slack) + ROUNDING))


def _over(judge: ChanceJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.oracle.moves():
        yield "the game goes on"
    elif isinstance(node.oracle, Branch):
        if read_number(found["gain"] or "")[0] != judge.true(node):
            yield f"it pays {judge.true(node)}"
    elif found["winner"] != {"red": judge.players[0], "blue": judge.players[1]}[node.oracle.winner()]:
        yield "somebody else has won"


def _horizon(judge: ChanceJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.depth != 0 or node.children:
        yield "it is not at the horizon"
    if bool(found["waits"]) != (node.oracle.chances() is not None):
        yield "it is not that what is decided next"
    yield from judge.valued(node, read_bound("exact", found["value"]))


def _mean(judge: ChanceJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check the mean of all outcomes, some of which are named."""
    if int(found["count"]) != len(node.oracle.moves()) or node.looked_at != len(node.oracle.moves()):
        yield f"of {len(node.oracle.moves())} outcomes {node.looked_at} were looked at"
    told = re.findall(rf"({OUTCOME}): ([≤≥] )?({NUMBER})", found["parts"])
    more = re.search(r" and (\d+) more$", found["parts"])
    if len(told) + (int(more[1]) if more else 0) != int(found["count"]):
        yield "some outcomes are forgotten"
    for (name, sign, number), child in zip(told, node.children, strict=False):
        move, _, share = name.partition(" p=")
        if move != child.name or abs(Fraction(share) - _share(child)) > Fraction(1, 1000):
            yield f"{name} is not what is likely"
        yield from judge.valued(child, read_bound({"≤ ": "at most", "≥ ": "at least"}.get(sign, "exact"), number))
    yield from judge.valued(node, read_bound(found.groupdict().get("bound") or "exact", found["value"]))
    if found.groupdict().get("edge"):
        yield from _beyond(judge, node, found)


def _share(node: Node) -> Fraction:
    assert node.above is not None
    return Fraction(node.above.oracle.chances()[node.above.oracle.moves().index(node.move)])


def _beyond(judge: ChanceJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a sentence that only values above (or below) a limit count: the limit is the window's, and the value is beyond
    it."""
    edge = node.low if found["which"] == "more" else node.high
    value, slack = read_number(found["edge"])
    if abs(float(value - edge)) > float(slack) + float(ROUNDING):
        yield f"the edge is {float(edge)}"
    if not (node.value <= edge if found["which"] == "more" else node.value >= edge):
        yield "the value is inside the window"
    if (found["which"] == "more") != (found["bound"] == "at most"):
        yield "it is the other side of the window"


def _cut_mean(judge: ChanceJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    yield from judge.valued(node, read_bound(found["bound"], found["value"]))
    yield from _beyond(judge, node, found)
    if int(found["all"] or 1) != len(node.oracle.moves()) or int(found["some"] or 1) != node.looked_at:
        yield f"{node.looked_at} of {len(node.oracle.moves())} outcomes were looked at"
    tried = [child for child in node.children if child.children and child.oracle.chances() is None]
    partly = sum(len(child.children) == 1 < len(child.oracle.moves()) for child in tried)
    if int(found["partly"] or 0) != partly:
        yield f"of {partly} only the first move was looked at"
    if (found["rest"] == "best") != (found["bound"] == "at most"):
        yield "it is the other end"
    if found["move"] and (judge.child(node, found["move"].partition(" p=")[0]) is None):
        yield f"{found['move']} was not looked at"


def _with(judge: ChanceJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    yield from counted(judge, node, found["count"])
    yield from judge.is_best(node, found["move"])
    yield from _mover(judge, node, found)
    yield from judge.valued(node, read_bound("exact", found["value"]))


def _mover(judge: ChanceJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    if found["mover"] != judge.players[0 if node.turn > 0 else 1]:
        yield "somebody else moves"


def _with_any(judge: ChanceJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    yield from counted(judge, node, found["count"])
    claim = read_bound(found["bound"], found["value"])
    yield from judge.valued(node, claim)
    for child in node.counting:
        yield from judge.valued(child, claim)
    yield from _beyond(judge, node, found)


def _cut(judge: ChanceJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    yield from counted(judge, node, found["count"])
    claim, chosen = read_bound(found["bound"], found["value"]), judge.child(node, found["move"])
    yield from judge.valued(node, claim)
    yield from judge.valued(chosen, claim) if chosen is not None else iter((f"{found['move']} was not searched",))
    yield from _beyond(judge, node, found)


def _tried(judge: ChanceJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a node at which only the first move was searched."""
    yield from counted(judge, node, found["count"])
    if node.looked_at != 1:
        yield f"{node.looked_at} moves were looked at"
    chosen = judge.child(node, found["move"])
    claim = read_bound(found["bound"] or "exact", found["value"])
    yield from judge.valued(chosen, claim) if chosen is not None else iter((f"{found['move']} was not searched",))


def _empty(judge: ChanceJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a node whose window was empty, so that no value could matter."""
    value, slack = read_number(found["value"])
    end = judge.reach[1 if found["which"] == "more" else 0]
    if node.children or abs(float(value - end)) > float(slack) + float(ROUNDING):
        yield "something would have counted"
    if not node.low >= node.high:
        yield "the window is not empty"


def _unfinished(judge: ChanceJudge, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.kind != "open":
        yield "it was finished"


def rules(judge: ChanceJudge) -> list[Rule]:
    """The patterns of all sentences of this family, with their checks."""
    value, move, count = rf"(?P<value>{NUMBER})", r"(?P<move>(?:move )?\S+)", "(?P<count>.+?)"
    mover = f"(?P<mover>{'|'.join(map(re.escape, judge.players[:2]))})"
    bound, beyond = "(?P<bound>at least|at most)", rf"only (?P<which>more|less) than (?P<edge>{NUMBER}) counts here"
    left = "even if all that is left comes to the (?P<rest>best|worst) there is"
    partly = r"(?:, of (?P<partly>\d+) only the first move was)?"
    outcomes = r"The mean of (?P<count>\d+) outcomes? \((?P<parts>.+)\)"
    return [
        (r"The game is over: (?:(?P<winner>.+) has won|.+ gets (?P<gain>.+?))(?: \(.+\))?\.", _over),
        (rf"Scored at the horizon(?P<waits>, before it is decided what happens)?: {value}\.", _horizon),
        (rf"{outcomes}: {value}\.", _mean),
        (rf"{outcomes} is {bound} {value}, and {beyond}\.", _mean),
        (
            rf"Cut: (?:after (?P<move>{OUTCOME}) )?the mean is {bound} {value} {left}, and {beyond}; "
            rf"(?:the only outcome was|(?P<some>\d+) of (?P<all>\d+) outcomes were) looked at{partly}\.",
            _cut_mean,
        ),
        (rf"With {move}, {count} for {mover}: {value}\.", _with),
        (rf"With {count} it is {bound} {value}, and {beyond}\.", _with_any),
        (rf"Cut: after {move} it is {bound} {value}, and {beyond}; {count}\.", _cut),
        (rf"After {move} it is {bound} {value}, and {beyond}; {count}\.", _cut),
        (
            rf"Not looked at: only (?P<which>more|less) than {value} would count here, and nothing is worth (?P=which)\.",
            _empty,
        ),
        (
            rf"Only the first move was looked at: after {move} it is (?:{bound} )?{value}"
            rf"(?P<unknown>, and nothing is known of the others)?; {count}\.",
            _tried,
        ),
        (r"Not finished: the search was stopped here\.", _unfinished),
    ]


def faults(recording: Recording, oracle: Any) -> Iterator[tuple[int, str, str]]:
    """Yield every false sentence of a recording: the node, the sentence, and what is wrong with it."""
    judge = ChanceJudge(recording, oracle)
    yield from faults_of(recording, judge, rules(judge), _window, shown_faults)


def _window(judge: Judge, node: Node, words: str) -> Iterator[str]:
    edges = words.split(" to ")
    for text, edge in zip(edges, (node.low, node.high), strict=True):
        value, slack = read_number(text)
        if abs(float(value - edge)) > float(slack) + float(ROUNDING):
            yield f"the window is {float(node.low)} to {float(node.high)}"


def shown_faults(judge: Judge, node: Node, text: str) -> Iterator[str]:
    """Yield what is wrong with the value in a node's row: a number or a bound, or empty where nothing is known."""
    if not text:
        return
    found = re.fullmatch(rf"([≤≥] )?({NUMBER})", text)
    if found is None:
        yield "nothing is known of such a value"
        return
    yield from judge.valued(node, read_bound({"≤ ": "at most", "≥ ": "at least"}.get(found[1], "exact"), found[2]))
