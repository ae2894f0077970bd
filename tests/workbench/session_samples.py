"""Sessions for tests: random ones by the dozen, and one with canned searches, made without the compiler."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime

from engines import catalog
from engines.contract import DepthRow, Limit, Report, RootMove, TableCounters
from workbench.session import Session, Study

ITALIAN = "startpos moves e2e4 e7e5 g1f3 b8c6 f1c4"
WHEN = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
Pick = Callable[[int, int], int]


def report(position: str = ITALIAN, game: str = "chess", best: str = "f8c5", value: float = 0.35, depths: int = 3) -> Report:
    """What a search to some depth might say."""
    options = catalog.position(position, game).game.options
    table = TableCounters(
        size=1 << 20, probes=9000, hits=100, cutoffs=90, stores=800, overwrites=7, collisions=3, filled=700, entries=65536
    )
    rows = tuple(
        DepthRow(
            depth=depth,
            value=value - 0.1 * (depths - depth),
            best_move=best,
            pv=(best,),
            nodes=30**depth,
            leaves=25**depth,
            seconds=0.001 * 20**depth,
            table=table,
        )
        for depth in range(1, depths + 1)
    )
    return Report(
        game=game,
        size=catalog.position(position, game).game.size,
        options=options,
        position=position,
        algorithm="deepening",
        parameters=catalog.read_settings(catalog.algorithm("deepening").parameters, {}, game),
        limit=Limit(depth=depths),
        seed=0,
        value=value,
        exact=False,
        outcome=None,
        distance=None,
        best_move=best,
        pv=(best,),
        pv_cut_short=False,
        depth=depths,
        nodes=30**depths,
        leaves=25**depths,
        evaluations=25**depths,
        cutoffs=500,
        first_move_cutoffs=450,
        selective_depth=depths + 4,
        distance_nodes=0,
        seconds=0.25,
        compile_seconds=0.0,
        nodes_per_second=108_000.0,
        stopped_by="depth",
        table=table,
        depths=rows,
        root_moves=(RootMove(move=best, value=value, bound="exact", nodes=30**depths, pv=(best,)),),
        tape_nodes=None,
    )


def italian() -> Session:
    """A chess session with variations, notes and two searches."""
    session = Session.new("Italian <b>game</b> & more", catalog.position(ITALIAN, "chess"))
    study = session.study
    study.note = "Why is it called *quiet*?"
    study.add(report())
    study.write_note(0, "as expected } <script>alert(1)</script>")
    study.play("Bc5")
    study.node.note = "the old way"
    study.back()
    study.play("Nf6")
    study.add(report(study.position().text, best="f3g5", value=-1.2, depths=2))
    study.go(("e2e4", "e7e5"))
    study.play("f2f4")
    study.go(("e2e4", "e7e5", "g1f3"))
    return session


def wander(study: Study, steps: int, pick: Pick) -> None:
    """Play, go back and forward, write and cut, at random."""
    for step in range(steps):
        choice = pick(0, 9)
        if choice < 6:
            position = study.position()
            legal = position.game.line_choices(position.state)
            if legal:
                study.play(legal[pick(0, len(legal) - 1)])
        elif choice == 6:
            for _ in range(pick(1, 4)):
                study.back()
        elif choice == 7:
            study.forward()
        elif choice == 8:
            study.node.note = f"note {step} “é” \u2028 \x07 \U0001f600"[: pick(0, 30)]
        elif study.path and pick(0, 3) == 0:
            study.cut(study.path)


def random_study(game: str, seed: int, steps: int = 40) -> Study:
    """A study of a game after random wandering, the same one every time."""
    study = Study.of(catalog.position("startpos", game))
    wander(study, steps, random.Random(seed).randint)
    return study
