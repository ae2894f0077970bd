"""Opens the search that a picture shows: it is chosen in Analyse, carried out once more, and watched at the same event."""

from __future__ import annotations

from textual.worker import get_current_worker

from engines import catalog
from engines.contract import InputError
from workbench.app.screens.analyse import AnalyseScreen
from workbench.app.screens.watch import WatchScreen
from workbench.input.pictured import Drawn
from workbench.watch.record import traced


def show_drawn(screen: AnalyseScreen, drawn: Drawn) -> None:
    """Choose the search in Analyse, whose board has its position already, and watch it as soon as it is there."""
    if not drawn.algorithm:
        return
    desk = screen.desk
    algorithm, parameters = catalog.algorithm(drawn.algorithm), drawn.parameters()
    try:
        desk.choose(algorithm.id, parameters, drawn.limit)
    except InputError as error:
        screen.notify(str(error), severity="warning", timeout=8, markup=False)
        return
    desk.seed = drawn.seed
    position = desk.position

    def search() -> None:
        worker = get_current_worker()
        try:
            trace, report, recording = traced(
                position, algorithm, parameters, drawn.limit, drawn.seed, lambda: worker.is_cancelled
            )
        except InputError as error:
            screen.app.call_from_thread(screen.notify, str(error), severity="warning", timeout=8, markup=False)
            return
        if not worker.is_cancelled:
            watch = WatchScreen(trace, report, recording)
            watch.replay.go_to(len(trace) if drawn.step is None else drawn.step)
            screen.app.call_from_thread(show, watch)

    def show(watch: WatchScreen) -> None:
        if screen.is_current and desk.position is position:
            screen.app.push_screen(watch)

    screen.notify("The search of the picture is carried out once more.", markup=False)
    screen.run_worker(search, thread=True, exclusive=True, group="watch")
