"""Strings that are ids of games or algorithms, or look like them, outside their own files: each with its reason."""

from __future__ import annotations

from collections.abc import Mapping

OTHER_WORDS: Mapping[str, Mapping[str, str]] = {
    "engines/algorithm.py": {
        "NEEDS": "what an algorithm needs of a position: graph, uci",
        "exact_value": "the kind of a value: minimax",
    },
    "engines/game.py": {"need": "what an algorithm needs of a position: graph, uci"},
    "engines/games/tree/game.py": {"need": "what an algorithm needs of a position: graph"},
    "engines/parts/alphabeta/driver.py": {"SWITCHES": "parameters of alpha-beta: beam, probcut"},
    "engines/parts/alphabeta/ordering.py": {"SEARCH_CONTEXT": "parameters of alpha-beta, and whether PVS searches"},
    "engines/parts/alphabeta/parameters.py": {
        "UNSAFE": "parameters of alpha-beta: beam, probcut",
        "name": "the declarations of these parameters",
    },
    "engines/parts/external/uci_process.py": {"say": "the command of UCI that begins a conversation"},
    "engines/parts/sampling/threads.py": {
        "PARALLEL": "how threads work together: on one tree",
        "parallel": "how threads work together: on one tree",
    },
    "engines/run/resume.py": {"CARRIED": "a field of the work record, the state of random numbers"},
    "engines/run/work.py": {"WORK": "a field of the work record, the state of random numbers"},
    "engines/search": {
        "exact_value": "the kind of a value: minimax",
        "inside": "the algorithm that it is built on, whose card goes on where its own ends",
        "needs": "what an algorithm needs of a position: graph",
    },
    "positions/pgn_tree.py": {"STANDARD": "what PGN files call the usual rules: chess, normal"},
    "workbench/ablation/ladder.py": {"OFF": "parameters of alpha-beta: beam, probcut"},
    "workbench/analysis/view_state.py": {"needs": "what an algorithm needs of a position: graph"},
    "workbench/app/actions.py": {"Action": "the key that opens the tree of a search"},
    "workbench/app/places.py": {"EVERYWHERE": "the screens, of which one is the tree"},
    "workbench/app/verbs.py": {"VERBS": "what the key is called that opens the tree of a search"},
    "workbench/cli/commands/retrograde.py": {"name": "the name of the command"},
    "workbench/app/forms/match_terms.py": {"RANDOM": "openings that are drawn at random"},
    "workbench/matches": {"openings": "openings that are drawn at random"},
    "workbench/play": {"word": "openings that are drawn at random"},
    "workbench/proofs": {"switch": "a parameter of alpha-beta: beam"},
    "workbench/render/report_rows.py": {"CounterName": "what is counted: the nodes of the tree"},
    "workbench/tuning": {"name": "weights that are drawn at random"},
    "workbench/uci/engine.py": {"_commands": "a command of UCI"},
    "workbench/uci/thinking.py": {"name": "the name of a thread"},
}
"""Words that only look like ids: the file or the folder, the place in it (`Module.place`), and what they mean there. They
may be compared."""
CHOICES: Mapping[str, Mapping[str, str]] = {
    "engines/catalog.py": {"GAMES": "the list of all games", "ALGORITHMS": "the list of all algorithms"},
    "engines/game_facts.py": {"first_choices": "what is proposed for a game"},
    "engines/games": {"first_choices": "what is proposed for a game"},
    "workbench/analysis/search_state.py": {"algorithm": "what searches until somebody chooses"},
    "workbench/app/dialogs/new_game.py": {"game": "what is played if the game on the board cannot be"},
    "workbench/cli/commands/play.py": {"game": "what is played if nobody says"},
    "workbench/comparison": {"USUAL": "what is compared if nobody says"},
    "workbench/horizon": {
        "REFERENCE": "what looks deeper than the search that is examined",
        "ALGORITHM": "the search that is examined",
        "algorithm": "what looks deeper than the search that is examined",
    },
    "workbench/matches": {
        "USUAL": "who plays if nobody says",
        "ALGORITHMS": "the players of the course's experiment",
        "name": "the player of the course's experiment that moves at random",
        "algorithm": "the player of the course's experiment that moves at random",
    },
    "workbench/play": {"ALGORITHM": "what levels search with, and what they do where there is chance"},
    "workbench/proofs": {
        "BY": "what proofs are made with",
        "PROVER": "what finds mistakes in games that end",
        "DEEPENING": "what finds the truth where the prover of the game cannot",
        "TABLES": "what looks the truth up",
    },
    "workbench/start": {
        "algorithm": "what shows a purpose of the start page best",
        "lanes": "what is compared for a purpose of the start page",
    },
    "workbench/tuning": {
        "compile": "the search of `engines.duel`",
        "algorithm": "the search of `engines.duel`, where its games are played again",
    },
    "workbench/uci": {
        "BEST_FIRST": "what an engine plays with if nobody says",
        "GAME": "what UCI is spoken for",
    },
}
"""Which algorithm or game is taken for a purpose: the file or the folder, the place in it, and the purpose. These are handed
to the catalogue and never compared."""
