"""How many moves there are at a node, and how many of them were searched, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.examiner.judge import Judge
from tests.examiner.model import Node

COUNTS = (
    (r"the only (?:move|outcome)|it was the only move", lambda found, node: (1, 1)),
    (r"(?:the best|any) of (\d+) moves", lambda found, node: (int(found[1]), int(found[1]))),
    (r"the only one searched of (\d+) (?:moves|outcomes)", lambda found, node: (int(found[1]), 1)),
    (r"(?:the best|any) of (\d+) searched of (\d+) moves", lambda found, node: (int(found[2]), int(found[1]))),
    (r"(\d+) of (\d+) moves not searched", lambda found, node: (int(found[2]), int(found[2]) - int(found[1]))),
    (r"no move was left anyway", lambda found, node: (node.looked_at, node.looked_at)),
)


def counted(judge: Judge, node: Node, text: str) -> Iterator[str]:
    """`the only move`, `the best of 3 moves`, `any of 3 searched of 5 moves`, `2 of 5 moves not searched`."""
    if text == "what came next is not on the tape":
        if judge.recording.complete:
            yield "everything is on the tape"
        return
    for pattern, read in COUNTS:
        if found := re.fullmatch(pattern, text):
            legal, searched = read(found, node)
            if legal != len(node.oracle.moves()):
                yield f"there are {len(node.oracle.moves())} moves, not {legal}"
            if searched != node.looked_at:
                yield f"{node.looked_at} moves were searched, not {searched}"
            return
    yield f"nothing is known of such a count: {text!r}"
