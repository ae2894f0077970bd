"""Sessions for tests: random ones by the dozen, and one with canned searches, made without the compiler."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime

from msgspec.structs import replace

from engines import catalog
from engines.contract import DepthRow, Limit, Report, RootMove, TableCounters
from workbench.sessions.comparison_types import (
    Agreement,
    Compared,
    JudgedCell,
    LaneBudget,
    LaneDifference,
    LaneRow,
    LaneTotal,
    MoveTruth,
    SuiteCell,
    SuiteOutcome,
    SuiteRow,
    Truth,
    Work,
)
from workbench.sessions.model import Session, Study
from workbench.sessions.play_types import PlayRecord

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


def full() -> Session:
    """A session that has something of everything: searches, a comparison, a suite, and a game that is played."""
    session = italian()
    study = session.study
    study.keep_comparison(compared())
    study.record = PlayRecord(players=("you", "deepening depth=3"), clock="5+3", left=(240.5, 300.0), outcome="first")
    session.keep_suite(suite())
    three = session.add(catalog.position("startpos moves b2", "tictactoe"), "the middle")
    three.add(report("startpos moves b2", "tictactoe", best="a1", value=0.0, depths=4))
    session.add(catalog.position("(3 (1 2) 4)", "tree"))
    session.at = 0
    return session


def compared() -> Compared:
    """Two searches beside each other."""
    reports = report(), report(value=0.2)
    told = MoveTruth(move="f8c5", outcome="draw", distance=None, value=0.0, regret=0.0, plies=None)
    lanes = tuple(
        LaneRow(
            name=name,
            algorithm="deepening",
            changed={"table": 8} if name == "b" else {},
            ended_by="depth",
            work=Work(nodes=27_000, evaluations=15_625, playout_moves=None, seconds=0.25),
            differs=LaneDifference(value=-0.15, says=True) if name == "b" else None,
            truth=told,
        )
        for name in "ab"
    )
    agreed = Agreement(agrees=True, lanes=("b",), depths=(1, 2, 3), proofs=0, errors=(), sentence="They agree.")
    first = reports[0]
    return Compared(
        game=first.game,
        size=first.size,
        options=first.options,
        position=first.position,
        budget=LaneBudget(depth=3),
        mode="together",
        why="as was asked for",
        cores=2,
        complete=True,
        reports=reports,
        lanes=lanes,
        agreement=agreed,
        truth=Truth(source="syzygy", outcome="draw", distance=None, value=0.0, nodes=5, moves=(told,)),
    )


def suite() -> SuiteOutcome:
    """Two lanes on two positions."""
    total = LaneTotal(
        name="a", algorithm="deepening", changed={}, positions=2, judged=2, right=1, percent=50.0, regret=None, depth=3.0,
        nodes=54_000, mean_nodes=27_000.0, evaluations=31_250, seconds=0.5, mean_seconds=0.25, first_moves=2,
    )  # fmt: skip
    rows = tuple(
        SuiteRow(
            number=number,
            id=f"position {number}",
            position=ITALIAN,
            truth=None,
            cells=tuple(
                SuiteCell(
                    position=number, lane=lane, value=0.35, best_move="f8c5", depth=3, exact=False, outcome=None,
                    distance=None, nodes=27_000, evaluations=15_625, seconds=0.25, stopped_by="depth",
                    depths={1: 0.1, 2: 0.2, 3: 0.35},
                )
                for lane in (1, 2)
            ),
            judged=(JudgedCell(right=True, by="the file"), JudgedCell(right=False, by="the file", regret=0.5)),
        )
        for number in (1, 2)
    )  # fmt: skip
    return SuiteOutcome(
        file="some.epd", game="chess", size="", budget=LaneBudget(depth=3), truth_nodes=None, total=2, done=2, complete=True,
        resumed=0, lanes=(total, replace(total, name="b")), by={"the file": 2}, errors=(), rows=rows,
    )  # fmt: skip
