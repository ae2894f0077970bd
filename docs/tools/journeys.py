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
            ("engines.catalog.algorithm", "loads the one module of the algorithm"),
            ("workbench.cli.console.read_position", "library id, file or notation becomes a Position"),
            ("workbench.input.recognise", "if the text is no library position: which file, game or notation it is"),
            ("engines.catalog.position", "the notation becomes a Position"),
            ("engines.run.search.Search", "made: checks that algorithm, position and limit fit"),
            ("workbench.cli.console.run", "starts it, shows a live line, hears Ctrl-C"),
            ("engines.run.search.Search.do", "in a thread: compile or load code, clock, stop"),
            ("engines.search.alphabeta.search", "the algorithm: gives its kernel to the code that searches the root"),
            (
                "engines.run.fixed_depth.fixed_depth",
                "root moves one by one; depth by depth with a limit in nodes or seconds",
            ),
            ("engines.search.alphabeta.alphabeta", "the kernel: everything below a root move"),
            ("engines.run.report.Reporter", "kernel values become a frozen Report"),
            ("workbench.cli.console.emit", "prints the JSON document, or what the view makes of it"),
            ("workbench.render.search.report", "the view: the report as tables, for a person"),
        ),
    ),
    Journey(
        "B: Space in the app, from the key to the counters",
        "#b5482f",
        (
            ("workbench.app.actions", "the registry: Space is the action `run`"),
            ("workbench.app.keys.bindings", "the bindings of the screen are made from it"),
            ("workbench.app.screens.analyse.AnalyseScreen.action_run", "start, stop or go on"),
            ("workbench.analysis.desk.Desk.run", "forgets the last search, takes the limit"),
            ("workbench.analysis.desk.Desk._begin", "is the code compiled? Then step 11, else step 6"),
            ("workbench.analysis.desk.Desk._compile", "describes the search for a child process, and keeps the limit"),
            ("workbench.jobs.compile.Compiling", "starts two child processes; one compiles the search"),
            (
                "workbench.jobs.compile_process._search",
                "the other searches without the compiler, and writes ten Glances a second as JSON",
            ),
            ("workbench.jobs.compile.Compiling._read", "a thread keeps the child's last glance"),
            (
                "workbench.analysis.desk.Desk._see_whether_it_is_compiled",
                "once the code is there: ends the interpreting child, calls `_begin` again",
            ),
            ("engines.run.search.Search", "the compiled search, in a thread of its own"),
            ("engines.run.search.Search.do", "in its thread: loads the code with a trial search, starts the clock"),
            ("engines.search.deepening.search", "the algorithm: gives its kernel to the code that runs the depths"),
            ("engines.parts.alphabeta.driver.deepen_until_done", "the driver: one depth after another"),
            ("engines.parts.alphabeta.driver.Root.search", "one depth: windows (`_aspire`), root moves (`_pass_over`)"),
            ("engines.search.deepening.deepen", "the kernel: everything below a root move"),
            ("engines.run.work.entered", "each node is counted in the shared work record"),
            ("workbench.app.screens.analyse.AnalyseScreen.tick", "meanwhile, 20 times a second, in the app's thread"),
            ("workbench.analysis.desk.Desk.look", "polls, and hands out one frozen view"),
            ("workbench.analysis.desk.Desk.poll", "calls step 10; while compiling the child's last glance, else step 21"),
            ("engines.run.search.Search.glance", "a copy of counters, depths and root moves"),
            ("workbench.analysis.search_state.SearchState.note", "finished depths become beliefs"),
            ("workbench.app.screens.analyse_parts.panels.PanelDrawing.draw", "draws only what has changed"),
            ("workbench.analysis.panels.status.status_text", "the status line, which is drawn first"),
            (
                "workbench.analysis.panels.status.compiling_text",
                "while compiling: `0 s of about 30 s`, the first number on a fresh clone",
            ),
            (
                "workbench.app.screens.analyse_parts.panels.PanelDrawing._draw_search",
                "the large value and the beliefs, then step 27",
            ),
            ("workbench.analysis.panels.counters.counter_cells", "the counters, a function of the view"),
        ),
    ),
    Journey(
        "C: `plybench match`, from the players to the table",
        "#3f8f4f",
        (
            ("workbench.cli.commands.match.match", "reads players and terms"),
            ("workbench.play.players.read_players", "`uct:iterations=500` becomes a Player"),
            ("workbench.matches.terms.make_terms", "games, seed, adjudication and test become frozen Terms"),
            ("workbench.matches.job.MatchJob", "the match without a screen, for the command and the screen"),
            ("workbench.matches.match.Match", "the plan: who meets whom, from which opening"),
            ("workbench.play.openings.read_openings", "where the games begin"),
            ("workbench.matches.job.MatchJob.run", "steps 8 to 14; then writes the games into files"),
            ("workbench.jobs.journal.Journal", "games of an interrupted run are taken over"),
            ("workbench.matches.match.Match.uncompiled", "the algorithms that have to be compiled first"),
            ("workbench.matches.match.Match.compile", "compiles each of them once, before a worker needs it"),
            ("workbench.matches.match.Match.run", "calls `results`, and writes each game to the journal"),
            ("workbench.jobs.workers.results", "hands games to processes or a cluster"),
            ("workbench.matches.match.play_task", "in a worker: one game"),
            ("workbench.play.game_loop.play_game", "move after move, each by a Search"),
            ("workbench.matches.statistics", "Elo with interval, likelihood, sequential test"),
            ("workbench.cli.console.emit", "prints the JSON document, or what the view makes of it"),
            (
                "workbench.matches.view.match_table",
                "the table in the terminal; the Match screen's `live_table` has the same parts",
            ),
        ),
    ),
)
