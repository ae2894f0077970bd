"""Three ways through the rooms: what is called, in order, from what a person does to what the person sees."""

from __future__ import annotations

from typing import NamedTuple


class Journey(NamedTuple):
    """A title, a colour, and the steps: what is called, and what happens there."""

    title: str
    colour: str
    steps: tuple[tuple[str, str], ...]


JOURNEYS = (
    Journey(
        "A: `plybench analyze`, from the command to the report",
        "#2f6fb5",
        (
            ("workbench.cli.commands.analyze.analyze", "reads options; limits become a frozen Limit"),
            ("workbench.cli.console.read_position", "library id, file or notation becomes a Position"),
            ("workbench.input.recognise", "finds out which game and which notation it is"),
            ("engines.catalog.algorithm", "loads the one module of the algorithm"),
            ("workbench.cli.console.run", "starts the search, shows a live line, hears Ctrl-C"),
            ("engines.run.search.Search", "a thread: compile or load code, clock, stop"),
            ("engines.search.alphabeta.search", "the algorithm; its kernel does the nodes"),
            ("engines.run.fixed_depth.fixed_depth", "root moves one by one, depth by depth"),
            ("engines.run.report.Reporter", "kernel values become a frozen Report"),
            ("workbench.render.search.report", "the report as tables, for a person"),
            ("workbench.cli.console.emit", "prints it, or the JSON document"),
        ),
    ),
    Journey(
        "B: Space in the app, from the key to the counters",
        "#b5482f",
        (
            ("workbench.app.actions", "the registry: Space is the action `run`"),
            ("workbench.app.screens.analyse.AnalyseScreen.action_run", "start, stop or go on"),
            ("workbench.analysis.desk.Desk.run", "forgets the last search, takes the limit"),
            ("workbench.jobs.compile.Compiling", "only if code is missing: a child compiles it"),
            ("engines.run.search.Search", "the search begins in its own thread"),
            ("engines.run.work.entered", "each node is counted in the shared work record"),
            ("workbench.app.screens.analyse.AnalyseScreen.tick", "20 times a second, in the app's thread"),
            ("workbench.analysis.desk.Desk.look", "polls the search; hands out one frozen view"),
            ("engines.run.search.Search.glance", "copies counters, depths and root moves"),
            ("workbench.app.screens.analyse_panels", "draws only what has changed"),
            ("workbench.analysis.panels.counters.counter_cells", "the counters, a function of the view"),
        ),
    ),
    Journey(
        "C: `plybench match`, from the players to the table",
        "#3f8f4f",
        (
            ("workbench.cli.commands.match.match", "reads players, terms and openings"),
            ("workbench.play.players.read_players", "`uct:iterations=500` becomes a Player"),
            ("workbench.play.openings", "where the games begin"),
            ("workbench.matches.job.MatchJob", "runs it headless, for the command and the screen"),
            ("workbench.matches.match.Match", "the plan: who meets whom, from which opening"),
            ("workbench.jobs.journal.Journal", "games of an interrupted run are taken over"),
            ("workbench.jobs.workers.results", "hands games to processes or a cluster"),
            ("workbench.matches.match.play_task", "in a worker: one game"),
            ("workbench.play.game_loop.play_game", "move after move, each by a Search"),
            ("workbench.matches.statistics", "Elo with interval, likelihood, sequential test"),
            ("workbench.matches.view.match_table", "the table, the same in terminal and app"),
        ),
    ),
)
