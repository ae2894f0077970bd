"""The purposes of the start page: what one can do with Plybench, and what shows it best.

Nothing is imported here that takes time: the keys of the app are made from this list before its first screen is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from engines.contract import Limit, Setting

Lead = Literal["last", "watched", "analyse", "compare", "horizon", "play", "match", "tune", "open", "sessions"]
"""Where a purpose leads: to the last session, to a search that is recorded at once and watched, or to a screen or dialog."""


@dataclass(frozen=True)
class Purpose:
    """Something to do, with what it takes to do it at once."""

    id: str
    key: str
    """Textual's name of its key: a number, or the letter that means the same on other screens."""
    title: str
    sentences: str
    """Two plain sentences: what there is to see, and which key shows it. Names of actions in braces stand for keys."""
    leads_to: Lead
    group: str
    """The heading above it on the start page, if any."""
    position: str = ""
    """The id of a position in the library; empty if it needs none."""
    algorithm: str = ""
    parameters: Mapping[str, Setting] = field(default_factory=dict)
    limit: Limit | None = None
    """The limit of the search; None for the usual one."""
    lanes: tuple[str, ...] = ()
    """The algorithms to compare."""
    level: int = 0
    """The level to play against."""


GO_ON = "go_on"
"""The id of the purpose that is there only if a session is saved."""
WATCH, ANALYSE, PLAY, OWN = "Watch how it works", "Search", "Play", "Your own work"

PURPOSES = (
    Purpose(
        GO_ON,
        "0",
        "Go on where you were",
        "The session that you worked on last opens with its moves and results.",
        "last",
        "",
    ),
    Purpose(
        "watch_minimax",
        "1",
        "Watch minimax on a small tree",
        "Minimax looks at all nine leaves of a textbook tree. The arrow keys step through it; {run} plays it.",
        "watched",
        WATCH,
        position="tree/textbook",
        algorithm="minimax",
        limit=Limit(depth=2),
    ),
    Purpose(
        "watch_cuts",
        "2",
        "Watch alpha-beta leave things out",
        "Alpha-beta finds the same value with seven of the nine leaves. {next} goes to each cut and says why.",
        "watched",
        WATCH,
        position="tree/textbook",
        algorithm="alphabeta",
        limit=Limit(depth=2),
    ),
    Purpose(
        "watch_uct",
        "3",
        "Watch UCT grow a tree",
        "UCT plays random games and returns to the moves that did well. {next} goes to the next game; {run} plays them all.",
        "watched",
        WATCH,
        position="connect4/two-ways",
        algorithm="uct",
        limit=Limit(iterations=200),
    ),
    Purpose(
        "watch_horizon",
        "4",
        "See the horizon effect",
        "A search believes what it sees at its last ply, and is fooled. {deeper} and {shallower} step through the depths.",
        "horizon",
        WATCH,
    ),
    Purpose(
        "analyse_chess",
        "5",
        "Analyse a chess position",
        "The Immortal Game, before the move that wins. {run} searches depth by depth; {open} opens a position of your own.",
        "analyse",
        ANALYSE,
        position="chess/immortal",
        algorithm="deepening",
    ),
    Purpose(
        "compare",
        "6",
        "Compare algorithms",
        "Three searches solve the same Connect 4 ending side by side. {run} starts them and shows what each one spends.",
        "compare",
        ANALYSE,
        position="connect4/ending-12",
        lanes=("minimax", "alphabeta", "deepening"),
    ),
    Purpose(
        "prove",
        "7",
        "Prove who wins",
        "Proof-number search finds a win that nothing can stop. {run} searches, then {proof} shows the proof, checked.",
        "analyse",
        ANALYSE,
        position="breakthrough/course-6x4",
        algorithm="dfpn",
    ),
    Purpose(
        "solve_graph",
        "8",
        "Solve a game that may go in circles",
        "MAX wants to get to T, and MIN to keep it away. {run} finds all the nodes from which MAX can force it.",
        "analyse",
        ANALYSE,
        position="graph/roundabout",
        algorithm="attractor",
    ),
    Purpose(
        "play",
        "9",
        "Play Connect 4",
        "You begin, and a player of middling strength answers. {hint} gives a hint; {new} offers other games and players.",
        "play",
        PLAY,
        position="connect4/start",
        level=4,
    ),
    Purpose(
        "match",
        "M",
        "Let algorithms play a match",
        "Two players meet until it is clear which one is stronger. {players} names them, and {run} begins.",
        "match",
        PLAY,
        position="connect4/start",
    ),
    Purpose(
        "tune",
        "T",
        "Tune an evaluation",
        "A genetic algorithm looks for better weights by playing games. {run} begins, and {keep} keeps the best.",
        "tune",
        PLAY,
        position="breakthrough/start",
    ),
    Purpose(
        "open",
        "o",
        "Open a position or a file",
        "Paste a FEN or any other notation, name a file, or look through the library.",
        "open",
        OWN,
    ),
    Purpose(
        "sessions",
        "S",
        "My sessions",
        "All that you searched and played is kept. Open it, rename it, or export a report of it.",
        "sessions",
        OWN,
    ),
)


def purpose(id: str) -> Purpose:
    """The purpose with this id."""
    return next(one for one in PURPOSES if one.id == id)
