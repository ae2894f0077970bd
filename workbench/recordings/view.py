"""A recorded node as text."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from engines.tape.recording import Recording
from workbench.recordings.why.nodes import kind_name, line_names, mover_name, node_value, window_words
from workbench.render.values import likelihood_text, plies


def node_facts(recording: Recording, node: int) -> Table:
    """A table of what is known of a node, without the reason for its value."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    line = " ".join(line_names(recording, node))
    table.add_row("line", Text(line or "the root", style="bold"))
    table.add_row("value", Text(node_value(recording, node) or "none yet", style="bold"))
    if not recording.is_proof:
        table.add_row("window", window_words(recording, node))
    mover = mover_name(recording, node)
    left = int(recording.depth[node])
    rest = f", {plies(left)} to go" if left > 0 else ""
    table.add_row("kind", f"{kind_name(recording, int(recording.kind[node]))}, {mover} to move{rest}")
    likely = recording.likelihood(node)
    if likely is not None:
        table.add_row("chance", likelihood_text(likely))
    table.add_row("nodes", f"{recording.subtree_size(node):,} from here on")
    return table
