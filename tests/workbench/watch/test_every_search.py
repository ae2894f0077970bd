"""Every search that can be watched, on every game that it fits: its trace opens, and every event of it can be shown."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import catalog
from engines.contract import InputError, Limit
from engines.position import Position
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.engines import checks
from tests.engines.tape.test_events import assert_replays
from workbench.recordings.why.nodes import node_value
from workbench.watch.kinds import can_be_watched, needs_recording
from workbench.watch.open import trace_of
from workbench.watch.panels import view_of
from workbench.watch.steps import lines_of, step_line
from workbench.watch.tape_trace import TapeTrace
from workbench.watch.trace import Moment, Node, Trace

WATCHABLE = [
    name
    for name in catalog.ALGORITHMS
    if can_be_watched(catalog.algorithm(name)) and not catalog.algorithm(name).looks_up  # see `test_positions_trace`
]
PAIRS = [
    (game, name)
    for game in catalog.GAMES
    for name in WATCHABLE
    if not catalog.misfit(catalog.algorithm(name), catalog.position("startpos", game))
]
QUICK = [pair for pair in PAIRS if pair[0] in ("tictactoe", "connect4", "breakthrough", "einstein", "samegame")]
EVENTS = 60
"""So many events of each search are looked at, from its beginning to its end."""


def searched(position: Position, algorithm: str) -> tuple[Trace, Recording | None]:
    """The trace of a small search, and its recording if it has one."""
    found = catalog.algorithm(algorithm)
    tape = new_tape(50_000) if found.records else None
    limit = Limit(iterations=20) if found.iterates else Limit() if found.by_layers else Limit(depth=2)
    search = Search(position, found, limit, seed=3, tape=tape, memory=checks.small_memory(algorithm))
    report = search.run_here().report()
    recording = Recording.of(tape, report, found.view) if tape is not None else None
    return trace_of(report, recording), recording


@cache
def small(game: str, algorithm: str) -> Trace:
    return searched(catalog.position("startpos", game), algorithm)[0]


def moments(trace: Trace) -> list[Moment]:
    """Moments from the first event to the last."""
    return [trace.moment(at) for at in sorted({*range(1, len(trace) + 1, max(1, len(trace) // EVENTS)), len(trace)})]


def shown(trace: Trace, moment: Moment) -> tuple[object, ...]:
    """All that can be seen of a moment."""
    drawn = [str(line) for line in view_of(trace, moment, 78, 10).lines()]
    return moment.sentence(), moment.variables(), moment.steps(), moment.path, drawn


def test_whatever_keeps_a_tree_or_goes_through_layers_can_be_watched() -> None:
    left_out = {name for name in catalog.ALGORITHMS if name not in WATCHABLE}
    assert left_out == {name for name in catalog.ALGORITHMS if not catalog.algorithm(name).records} - {"attractor"}
    assert {name for _, name in PAIRS} == set(WATCHABLE), "each of them has a game"


@pytest.mark.parametrize(("game", "algorithm"), PAIRS)
def test_every_event_has_a_sentence_a_step_and_a_drawing(game: str, algorithm: str) -> None:
    trace, found = small(game, algorithm), catalog.algorithm(algorithm)
    assert len(trace) > 0
    for moment in moments(trace):
        assert moment.event is not None
        said = moment.sentence()
        assert said.endswith((".", "?")), said
        assert not {"None", "nan", ""} & set(said.split(" ")), said
        assert all(name and value for name, value in moment.variables()), moment.variables()
        lines = view_of(trace, moment, 78, 10).lines()
        assert [line.cell_len for line in lines] == [78] * 10
        if lines_of(found):
            assert step_line(found, moment.steps()) is not None, (moment.event, moment.steps())


@pytest.mark.parametrize(("game", "algorithm"), PAIRS)
def test_on_and_back_again_is_the_same(game: str, algorithm: str) -> None:
    trace = small(game, algorithm)
    for moment in moments(trace)[::6]:
        before = shown(trace, moment)
        shown(trace, trace.moment(len(trace) - moment.at))
        assert shown(trace, trace.moment(moment.at)) == before


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_random_positions_are_replayed(data: st.DataObject) -> None:
    game, algorithm = data.draw(st.sampled_from(QUICK))
    position = catalog.position("startpos", game)
    for choice in data.draw(st.lists(st.integers(0, 1_000), max_size=14)):
        moves = position.game.legal_moves(position.state)
        if position.is_over or not len(moves):
            break
        position = position.play(int(moves[choice % len(moves)]))
    if catalog.misfit(catalog.algorithm(algorithm), position):
        return
    if position.is_over:
        with pytest.raises(InputError, match="The game is over"):
            searched(position, algorithm)
        return
    trace, recording = searched(position, algorithm)
    if needs_recording(catalog.algorithm(algorithm)):
        assert recording is not None
        assert_replays(recording)
    assert_ends_as_recorded(trace, recording)
    at = data.draw(st.integers(0, len(trace)))
    steps = data.draw(st.integers(0, len(trace)))
    before = shown(trace, trace.moment(at))
    shown(trace, trace.moment(at + steps))
    assert shown(trace, trace.moment(min(at + steps, len(trace) + steps) - steps)) == before


def assert_ends_as_recorded(trace: Trace, recording: Recording | None) -> None:
    """In the end the drawn tree has the values of the tape."""
    end = trace.moment(len(trace))
    nodes: list[Node] = list(end.path)
    assert all(end.look(node).stage in ("open", "done") for node in nodes)
    if isinstance(trace, TapeTrace) and recording is not None:
        for node in range(min(len(recording), 100)):
            look = end.look(node)
            if look.stage == "done":
                assert look.value.replace(" ", "") == node_value(recording, node).replace(" ", "")
