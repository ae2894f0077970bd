"""How the nodes at each ply ended, as stacked bars."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.widgets import Static

from engines.tape.recording import PlyRow
from engines.tape.tape import CUT, EXPANDED, TABLE, TERMINAL
from workbench.recordings.why.nodes import PROOF_KINDS

PARTS = (
    ("█", "expanded", ("expanded",)),
    ("▓", "cut", ("cut",)),
    ("░", "scored", ("terminal", "horizon", "quiet")),
    ("+", "table", ("table",)),
    ("▒", "sampled", ("sampled",)),
    ("░", "numbered", ("numbered",)),
    ("-", "given up", ("pruned", "aside", "open")),
)
"""Mark, name, and the kinds of nodes that it counts. The marks differ, so that no colour is needed."""
IN_A_PROOF = {
    "expanded": PROOF_KINDS[EXPANDED],
    "cut": PROOF_KINDS[CUT],
    "scored": PROOF_KINDS[TERMINAL],
    "table": PROOF_KINDS[TABLE],
}
"""The names of the parts in a proof."""
NARROWEST = 8


class PlyBars(Static):
    """A bar for each ply: the shares of its nodes that were expanded, cut, scored, known from a table or given up."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__("Counting ...", id=id)
        self.plies: Sequence[PlyRow] = ()
        self.proof = False

    def take(self, rows: Sequence[PlyRow], proof: bool = False) -> None:
        """Show the rows of a search or of a proof."""
        self.plies, self.proof = rows, proof
        self._draw()

    def on_resize(self) -> None:
        """Fit the bars to the new width."""
        self._draw()

    def _draw(self) -> None:
        if self.plies:
            self.update(bars(self.plies, self.size.width, self.proof))


def bars(rows: Sequence[PlyRow], width: int, proof: bool = False) -> Text:
    """A legend, then a line for each ply: its number, its nodes, the share of them that were cut, and its bar."""
    numbers = max(len("nodes"), *(len(f"{row.nodes:,}") for row in rows))
    head = f"ply {'nodes':>{numbers}}  {'one' if proof else 'cut'} "
    room = max(width - len(head), NARROWEST)
    seen = [part for part in PARTS if any(_count(row, part[2]) for row in rows)]
    lines = [
        Text("  ".join(f"{mark} {IN_A_PROOF.get(name, name) if proof else name}" for mark, name, _ in seen), style="dim"),
        Text(head, style="dim"),
    ]
    for row in rows:
        share = f"{row.cut / row.nodes:.0%}" if row.nodes and row.cut else ""
        counts = [_count(row, kinds) for _, _, kinds in seen]
        marks = "".join(part[0] * length for part, length in zip(seen, lengths(counts, room), strict=True))
        lines.append(Text(f"{row.ply:>3} {row.nodes:>{numbers},} {share:>4} {marks}"))
    return Text("\n", no_wrap=True, overflow="crop").join(lines)


def lengths(counts: Sequence[int], room: int) -> list[int]:
    """Whole lengths in proportion to the counts that add up to `room`. Every count above 0 gets at least one."""
    total = sum(counts)
    if not total:
        return [0] * len(counts)
    found = [max(count * room // total, 1) if count else 0 for count in counts]
    largest = max(range(len(counts)), key=lambda i: counts[i])
    found[largest] += room - sum(found)
    return found


def _count(row: PlyRow, kinds: Sequence[str]) -> int:
    return sum(getattr(row, kind) for kind in kinds)
