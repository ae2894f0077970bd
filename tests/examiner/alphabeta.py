"""Checks the sentences about nodes of minimax, alpha-beta and its relatives, and best-first minimax."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engines.tape.recording import Recording
from tests.examiner.family import because_faults, counted, faults_of, window_faults
from tests.examiner.grammar import MOVE, Rule, read_number, read_value, value_words
from tests.examiner.judge import Judge
from tests.examiner.model import Node
from tests.examiner.oracles import captures
from tests.naive import games as naive


def _with(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a value that is reached with a named move, the best of so many."""
    yield from counted(judge, node, found["count"])
    yield from judge.is_best(node, found["move"])
    yield from judge.told(node, found["value"])


def _with_any(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a bound that holds for all of so many moves, and the reason why it is not good enough."""
    yield from counted(judge, node, found["count"])
    yield from judge.told(node, found["value"])
    claim = read_value(found["value"], judge.players)
    for child in node.counting:
        yield from claim.faults(child.name, *judge.known(child))
    yield from because_faults(judge, node, found["because"], "alpha" if node.turn > 0 else "beta")
    if found.groupdict().get("again"):
        yield from _again(judge, node)


def _better(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.above is not None:
        yield "it is no root"
    chosen = judge.child(node, found["move"])
    if chosen is None:
        yield f"{found['move']} was not searched"
    else:
        yield from judge.told(chosen, found["value"])
    yield from judge.told(node, found["value"])
    if not (node.value >= node.high if node.turn > 0 else node.value <= node.low):
        yield "the value was asked for"
    if found["again"]:
        yield from _again(judge, node)


def _again(judge: Judge, node: Node) -> Iterator[str]:
    later = [other for other in judge.nodes if other.above is None and other.row > node.row]
    if not later or later[0].depth != node.depth:
        yield "this depth was not searched once more"
    elif (later[0].low, later[0].high) == (node.low, node.high):
        yield "the window is the same"


def _cut(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    chosen = judge.child(node, found["move"])
    if chosen is None:
        yield f"{found['move']} was not searched"
    else:
        yield from judge.told(chosen, found["value"])
    yield from judge.told(node, found["value"])
    yield from because_faults(judge, node, found["because"], "beta" if node.turn > 0 else "alpha")
    yield from counted(judge, node, found["count"])


# The other kinds of nodes.


def _over(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    result = node.oracle.result()
    if result is None:
        yield "the game goes on"
    elif found["draw"]:
        if result != 0 or not judge.recording.position.game.has_winner:
            yield "it is no draw"
    elif found["winner"]:
        if result != (naive.WIN if found["winner"] == judge.players[0] else -naive.WIN):
            yield "somebody else has won"
    elif read_number(found["gain"])[0] != judge.shown(result, node):
        yield f"it pays {float(result)}"
    if found["how"] and "checkmate" in found["how"] and not node.oracle.board.is_checkmate():
        yield "it is no checkmate"


def _horizon(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.depth > 0 and not judge.recording.algorithm.expands:
        yield "it is not at the horizon"
    if node.oracle is None:
        return
    if node.oracle.result() is not None:
        yield "the game is over"
    scored = judge.shown(node.oracle.evaluate(), node)
    if scored != node.value:
        yield f"the evaluation is {float(scored)}"
    yield from judge.told(node, found["value"])
    if found.groupdict().get("because"):
        if not judge.stands(node):
            yield "captures are never looked at"
        yield from because_faults(judge, node, found["because"], "beta" if node.turn > 0 else "alpha")


def _table(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.children:
        yield "it was searched"
    yield from judge.told(node, found["value"])


def _quiet(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check a node at which captures, or all answers to a threat, were played out."""
    told, first = found.groupdict(), node.turn > 0
    yield from _looked_at(judge, node, found)
    yield from judge.told(node, found["value"])
    if told.get("move"):
        chosen = judge.child(node, told["move"])
        if chosen is None:
            yield f"{told['move']} was not searched"
        else:
            yield from judge.told(chosen, found["value"])
            if "is best" in found[0]:
                yield from judge.is_best(node, told["move"])
    if "does best without one" in found[0]:
        standing = judge.shown(node.oracle.evaluate(), node)
        if standing != node.value:
            yield f"it stands at {float(standing)}"
        for child in node.counting:
            if max(edge if first else -edge for edge in judge.known(child)) > (standing if first else -standing):
                yield f"{child.name} may be better"
    if told.get("because"):
        enough = "cut: after" in found[0]
        yield from because_faults(judge, node, told["because"], "beta" if enough == first else "alpha")


def _looked_at(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    """Check how many moves of which kind there are, and how many were searched."""
    threat, everything = judge.answers_threat(node), captures(node.oracle)
    assert everything is not None
    if found["what"].startswith("capture"):
        if threat:
            yield "there is a threat, and all moves count"
        if any(child.move not in everything for child in node.children):
            yield "a move was looked at that is no capture"
    else:
        everything = node.oracle.moves()
        if not threat:
            yield "there is no threat"
    if found["what"].endswith("s") != (int(found["all"]) != 1):
        yield "one is singular"
    if int(found["all"]) != len(everything):
        yield f"there are {len(everything)} {found['what']}"
    if int(found["some"]) != node.looked_at:
        yield f"{node.looked_at} were looked at"
    if found["mover"] != judge.players[0 if node.turn > 0 else 1]:
        yield "somebody else moves"


def _pruned(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    yield from judge.told(node, found["value"])
    said, trials = found[0], [child for child in node.children if child.move in ("pass", "trial")]
    first = node.turn > 0
    if "passes" in said:
        if not trials or trials[-1].move != "pass" or not judge.parameters.get("null_move"):
            yield "nobody passed"
        else:
            yield from judge.told(trials[-1], found["value"])
    elif "was so far outside" in said:
        if not trials or trials[-1].move != "trial" or not judge.parameters.get("probcut"):
            yield "there was no such search"
        elif trials[-1].depth != int(found["depth"]):
            yield f"it was {trials[-1].depth} plies deep"
    elif "cannot make up" in said:
        if not judge.parameters.get("futility") or len(trials) == len(node.children):
            yield "no move was left out"
        if not (node.value <= node.low if first else node.value >= node.high):
            yield "it is good enough"
    mover = re.search(r"(?:even if |: )(.+?)(?: passes|'s remaining quiet)", said)
    if mover and mover[1] != judge.players[0 if first else 1]:
        yield "somebody else moves"


def _first_try(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    yield from judge.told(node, found["value"])
    assert node.above is not None
    again = [one for one in node.above.children if one.move == node.move and one.row > node.row]
    if not again:
        yield "it was not searched again"
    elif not (again[0].high - again[0].low > node.high - node.low or again[0].depth > node.depth):
        yield "the second time was no wider and no deeper"


def _trial(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    text, told = found["value"], found.groupdict()
    yield from judge.told(node, text[0].lower() + text[1:] if text.startswith("It is") else text)
    assert node.above is not None
    if told.get("passer"):
        if node.move != "pass" or told["passer"] != judge.players[0 if node.above.turn > 0 else 1]:
            yield "nobody passed"
    elif node.move != "trial" or int(told["depth"]) != node.depth:
        yield "it is another depth"


def _unfinished(judge: Judge, node: Node, found: re.Match[str]) -> Iterator[str]:
    if node.kind != "open":
        yield "it was finished"


def rules(judge: Judge) -> list[Rule]:
    """The patterns of all sentences of this family, with their checks."""
    value = rf"(?P<value>{value_words(judge.players)})"
    move, mover = rf"(?P<move>{MOVE})", f"(?P<mover>{'|'.join(map(re.escape, judge.players[:2]))})"
    again = r"(?P<again> So this depth was searched once more, with another window\.)?"
    because, count = r"(?P<because>.+?)", r"(?P<count>.+?)"
    looked = r"(?P<some>\d+) of (?P<all>\d+) (?P<what>captures?|moves?) looked at"
    lost = r"(?:; the others lose material|; they lose material|; it loses material)?"
    narrow = "with a narrow window or less depth"
    threat = rf"{mover} has to answer a threat, so every move counts"
    return [
        (rf"With {move}, better than what was asked for: {value}\. This is a bound, not the value\.{again}", _better),
        (rf"With {move}, {count}: {value}\.", _with),
        (rf"With {count} {value}\. This is a bound, not the value: {because}\.{again}", _with_any),
        (rf"Not good enough: with {count} {value}, and {because}\.", _with_any),
        (rf"Cut: after {move} {value}, and {because}; {count}\.", _cut),
        (r"The game is over: (?:(?P<draw>a draw)|(?P<winner>.+) has won|.+ gets (?P<gain>.+?))(?P<how> \(.+\))?\.", _over),
        (rf"Scored at the horizon: {value}\.", _horizon),
        (rf"Scored at the horizon, and captures were not looked at: {value}, and {because}\.", _horizon),
        (rf"The table knew: {value}\.", _table),
        (rf"Captures were played out: {mover} does best without one: {value}; {looked}, and none is better{lost}\.", _quiet),
        (rf"Captures were played out: {move} is best for {mover}: {value}; {looked}{lost}\.", _quiet),
        (rf"{threat}: {move} is best: {value}; {looked}\.", _quiet),
        (rf"Captures were played out for {mover}, and cut: after {move} {value}, and {because}; {looked}\.", _quiet),
        (rf"{threat}, and it was cut: after {move} {value}, and {because}; {looked}\.", _quiet),
        (
            rf"Captures were played out, and {mover} has nothing good enough: {value}, and {because}; {looked}{lost}\.",
            _quiet,
        ),
        (rf"{threat}, and nothing is good enough: {value}, and {because}; {looked}\.", _quiet),
        (rf"Given up: {mover}'s remaining quiet moves cannot make up for what is missing; {value}\.", _pruned),
        (rf"Given up: even if {mover} passes, {value}\. The guess is that a move does no worse\.", _pruned),
        (
            rf"Given up: a search of (?P<depth>\d+) pl(?:y|ies) was so far outside the window that it decided; {value}\.",
            _pruned,
        ),
        (rf"Only a first try, {narrow}: {value}\. That was too good, so it was searched again\.", _first_try),
        (rf"Only a trial: the same position at depth (?P<depth>-?\d+); {value}\.", _trial),
        (rf"Only a trial: what if (?P<passer>.+) passed\? (?i:{value})\.", _trial),
        (r"Not finished: the search was stopped here\.", _unfinished),
    ]


def faults(recording: Recording, oracle: Any) -> Iterator[tuple[int, str, str]]:
    """Yield every false sentence of a recording: the node, the sentence, and what is wrong with it."""
    judge = Judge(recording, oracle)
    yield from faults_of(recording, judge, rules(judge), window_faults)
