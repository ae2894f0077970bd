"""Trees that grow, watched in the order in which they grew: exact at every event, and in the end the tree of the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import catalog
from engines.contract import InputError, Limit, Report, Setting
from engines.rules import INFINITE, MEAN
from engines.run.search import Search
from engines.tape.recording import Recording
from engines.tape.tape import new_tape
from tests.engines import checks
from tests.engines.tape.test_events import PAIRS, recorded
from workbench.watch.growth.best_first_trace import ValuedTrace
from workbench.watch.growth.open import grown
from workbench.watch.growth.proof_trace import ProofTrace, ProvingTrace
from workbench.watch.growth.rerun import MOST_ITERATIONS
from workbench.watch.growth.sampled_trace import SampledTrace
from workbench.watch.growth.trace import GrowthTrace
from workbench.watch.growth.visits_trace import VisitsTrace
from workbench.watch.trace import Look, Moment, Node
from workbench.watch.view import TreeView

GROWING = [(game, name) for game, name in PAIRS if catalog.algorithm(name).iterates]
SAMPLING = [(game, name) for game, name in GROWING if catalog.algorithm(name).samples]
EXPANDING = [(game, name) for game, name in GROWING if catalog.algorithm(name).expands]
COURSE = "(((4 8) (9 7)) ((2 -2) (5 6)))"
QUICK = ("tictactoe", "tree", "connect4", "graph")
LIMIT = Limit(iterations=60)


def with_tape(game: str, algorithm: str, parameters: Mapping[str, Setting] | None = None) -> Recording:
    found, tape = catalog.algorithm(algorithm), new_tape(20_000)
    memory = checks.small_memory(algorithm)
    search = Search(catalog.position("startpos", game), found, LIMIT, parameters, 3, tape=tape, memory=memory)
    return Recording.of(tape, search.run_here().report(), found.view)


def sampled(report: Report) -> SampledTrace:
    trace = grown(report)
    assert isinstance(trace, SampledTrace)
    return trace


def proving(report: Report) -> ProvingTrace:
    trace = grown(report)
    assert isinstance(trace, ProvingTrace)
    return trace


def line_to(recording: Recording, node: int) -> list[int]:
    return [int(recording.move[step]) for step in recording.path(node)[1:]]


def seen(moment: Moment, nodes: Sequence[Node]) -> tuple[Look, ...]:
    return tuple(moment.look(node) for node in nodes)


# In the end the tree is the one of the search.


def assert_sampled_as_recorded(recording: Recording) -> None:
    trace = sampled(recording.report)
    end = trace.moment(len(trace))
    assert len(trace.history.parent) == len(recording)
    for node in range(len(recording)):
        found = trace.find(line_to(recording, node))
        assert found is not None
        known = trace.seen(end, found)
        assert (known.games, round(MEAN * known.total / known.visits)) == (recording.alpha[node], recording.value[node])


@pytest.mark.parametrize(("game", "algorithm"), SAMPLING)
def test_in_the_end_visits_and_means_are_those_of_the_tape(game: str, algorithm: str) -> None:
    assert_sampled_as_recorded(with_tape(game, algorithm))


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("tictactoe", {"proofs": True}),
        ("connect4", {"batch": 3}),
        ("breakthrough", {"widening": 1.0}),
        ("connect4", {"playout_depth": 4}),
        ("tictactoe", {"proofs": True, "k": 0.0}),
        ("einstein", {"k": 1.0}),
    ],
)
def test_switches_of_uct_change_nothing_of_that(game: str, parameters: dict[str, Setting]) -> None:
    assert_sampled_as_recorded(with_tape(game, "uct", parameters))


def test_transpositions_share_what_is_known() -> None:
    report = checks.run_with(catalog.position("startpos", "tictactoe"), "uct", {"transpositions": True}, iterations=400)
    trace = sampled(report)
    end = trace.moment(len(trace))
    assert any(home != node for node, home in enumerate(trace.told.home)), "positions are met on two ways"
    for node in trace.history.children[0]:
        move = next(row for row in report.root_moves if row.move == trace.move(node))
        known = trace.seen(end, node)
        assert move.visits == known.games
        assert move.value == pytest.approx(trace.game.shown_mean(round(MEAN * known.total / known.visits) / MEAN))


@pytest.mark.parametrize(("game", "algorithm"), EXPANDING)
def test_in_the_end_numbers_and_values_are_those_of_the_search(game: str, algorithm: str) -> None:
    recording = with_tape(game, algorithm)
    report, trace = recording.report, grown(recording.report)
    end = trace.moment(len(trace))
    if isinstance(trace, ValuedTrace):
        assert len(trace.history.parent) == len(recording)
        for node in range(len(recording)):
            found = trace.find(line_to(recording, node))
            assert found is not None
            assert trace.known(end, found).value == recording.value[node]
        return
    assert isinstance(trace, ProvingTrace)
    root = trace.history.roots[-1]
    known = trace.numbers(end, root)
    said = tuple(INFINITE if number is None else number for number in (report.proof, report.disproof))
    assert (known.proof, known.disproof) == said
    if isinstance(trace, ProofTrace) and recording.complete:
        assert trace.size(root) == len(recording)
        for node in range(len(recording)):
            found = trace.find(line_to(recording, node), root)
            assert found is not None
            assert trace.numbers(end, found).what_counts == (recording.alpha[node], recording.beta[node])


@pytest.mark.parametrize(("game", "algorithm"), GROWING)
def test_the_search_that_is_watched_finds_the_same(game: str, algorithm: str) -> None:
    position, found = catalog.position("startpos", game), catalog.algorithm(algorithm)
    plain = Search(position, found, LIMIT, seed=5, memory=checks.small_memory(algorithm)).run_here().report()
    search = Search(position, found, LIMIT, seed=5, memory=checks.small_memory(algorithm))
    shown: list[int] = []
    search.run.watcher = lambda grown: shown.append(int(search.work.iterations))
    watched = search.run_here().report()
    assert (watched.value, watched.pv, watched.nodes, watched.root_moves) == (
        *(plain.value, plain.pv),
        *(plain.nodes, plain.root_moves),
    )
    assert shown == sorted(shown)


# What happens follows from what happened before.


@pytest.mark.parametrize(("game", "algorithm"), SAMPLING)
def test_visits_and_sums_follow_from_the_events(game: str, algorithm: str) -> None:
    trace = sampled(with_tape(game, algorithm).report)
    visits: dict[int, int] = {}
    sums: dict[int, float] = {}
    for number in range(len(trace)):
        event = trace.history.happening(number)
        if event.kind == "updated":
            visits[event.node] = visits.get(event.node, 0) + trace.told.how.batch
            worth = trace.told.iterations[trace.history.chapter(number)].worth
            sums[event.node] = sums.get(event.node, 0.0) + worth
        if event.kind == "selected" and event.child is not None and trace.told.chooses and trace.history.turn[event.node]:
            options = trace.options(trace.moment(number + 1), event.node)
            chosen = next(one for one in options if one.node == event.child)
            assert chosen.promise == max(one.promise for one in options)
    end = trace.moment(len(trace))
    for node in range(len(trace.history.parent)):
        assert trace.seen(end, node).games == visits[node]
        assert trace.seen(end, node).total == pytest.approx(sums[node])


@pytest.mark.parametrize(("game", "algorithm"), EXPANDING)
def test_each_update_follows_from_the_children(game: str, algorithm: str) -> None:
    trace = grown(with_tape(game, algorithm).report)
    for number in range(len(trace)):
        event, moment = trace.history.happening(number), trace.moment(number + 1)
        if isinstance(trace, VisitsTrace):
            if event.kind == "left":
                before, now = moment.before(event.node), moment.state(event.node)
                assert (before.proof, before.disproof) == (now.proof, now.disproof)
        elif event.kind == "updated":
            states = [moment.state(child) for child in moment.children(event.node)]
            if isinstance(trace, ProvingTrace):
                known = trace.numbers(moment, event.node)
                assert trace.near(event.node, known) == min(trace.near(event.node, one) for one in states)
                fars = [trace.far(event.node, one) for one in states]
                assert trace.far(event.node, known) == (INFINITE if INFINITE in fars else sum(fars))
            else:
                side = trace.history.turn[event.node]
                assert moment.state(event.node).value == side * max(side * one.value for one in states)


@pytest.mark.parametrize(("game", "algorithm"), GROWING)
def test_a_walk_goes_down_the_tree_step_by_step(game: str, algorithm: str) -> None:
    trace = grown(with_tape(game, algorithm).report)
    for number in range(len(trace)):
        event = trace.history.happening(number)
        if event.kind == "selected":
            home = trace.told.home[event.node] if isinstance(trace, SampledTrace) else event.node
            assert event.child in trace.history.children[home]
        assert trace.history.born[event.node] <= number


# Forward and back.


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_forward_and_back_is_the_identity(data: st.DataObject) -> None:
    game, algorithm = data.draw(st.sampled_from([pair for pair in GROWING if pair[0] in QUICK]))
    trace = grown(with_tape(game, algorithm).report)
    at = data.draw(st.integers(0, len(trace)))
    steps = data.draw(st.integers(0, len(trace) - at))
    nodes: list[Node] = list(range(min(80, len(trace.history.parent))))
    first = trace.moment(at)
    looks, said = seen(first, nodes), (first.sentence(), first.variables(), first.path, first.line)
    trace.moment(at + steps).sentence()
    again = trace.moment(at + steps - steps)
    assert (looks, said) == (seen(again, nodes), (again.sentence(), again.variables(), again.path, again.line))


@pytest.mark.parametrize("algorithm", ["uct", "pns", "best-first", "dfpn"])
def test_stepping_back_is_exact(algorithm: str) -> None:
    trace = grown(with_tape("tictactoe", algorithm).report)
    nodes: list[Node] = list(range(len(trace.history.parent)))
    forward = [seen(trace.moment(at), nodes) for at in range(0, len(trace) + 1, 5)]
    back = [seen(trace.moment(at), nodes) for at in reversed(range(0, len(trace) + 1, 5))]
    assert forward == back[::-1]
    assert len(set(forward)) > len(forward) / 2


@pytest.mark.parametrize(("game", "algorithm"), GROWING)
def test_the_path_is_always_drawn_and_nothing_overlaps(game: str, algorithm: str) -> None:
    trace = grown(with_tape(game, algorithm).report)
    for at in range(0, len(trace) + 1, max(1, len(trace) // 10)):
        moment = trace.moment(at)
        assert moment.sentence().endswith((".", "?"))
        assert moment.variables() or at == 0
        for width, height in ((44, 11), (78, 14), (150, 40)):
            view = TreeView(trace, moment, width, height)
            assert [line.cell_len for line in view.lines()] == [width] * height
            drawn = {spot.box.node for spot in view.spots}
            assert moment.here in drawn
            upto = moment.path[view.drawing.hidden : moment.path.index(moment.here) + 1]
            assert set(upto) <= drawn
            ends: dict[int, int] = {}
            for spot in sorted(view.spots, key=lambda one: (one.line, one.first)):
                assert spot.first >= ends.get(spot.line, -1), "two nodes share a column"
                assert spot.last <= width
                ends[spot.line] = spot.last


# Places.


@pytest.mark.parametrize("algorithm", ["uct", "ppa", "monte-carlo", "pns", "pn2", "dfpn", "pds", "best-first"])
def test_places_are_found(algorithm: str) -> None:
    trace = grown(with_tape("tictactoe", algorithm).report)
    kinds = trace.landmarks
    jumps, at = [], 0
    while (found := trace.next_of(kinds, at, 1)) is not None:
        jumps.append(found)
        at = found
    back = [len(trace) + 1]
    while (found := trace.next_of(kinds, back[-1], -1)) is not None:
        back.append(found)
    assert back[1:] == jumps[::-1]
    assert len(jumps) >= 50
    nodes = len(trace.history.parent)
    assert trace.visited(len(trace)) == nodes
    assert [trace.moment_of(node) for node in range(nodes)] == [trace.moment_of_visit(node + 1) for node in range(nodes)]
    assert all(trace.find([trace.history.moves[step] for step in trace.history.path(node)[1:]]) == node for node in range(9))


# What cannot be watched, and what not to its end.


def test_threads_have_no_order() -> None:
    report = checks.run_with(catalog.position("startpos", "tictactoe"), "uct", {"threads": 2}, iterations=100)
    with pytest.raises(InputError, match="2 threads searched at once, in no order"):
        grown(report)


def test_of_a_long_search_the_beginning_is_shown() -> None:
    report = checks.run_with(catalog.position("startpos", "tictactoe"), "uct", {}, iterations=MOST_ITERATIONS + 500)
    trace = sampled(report)
    assert trace.notice == "The first 2,000 of 2,500 iterations."
    end = trace.moment(len(trace))
    assert trace.seen(end, 0).games == MOST_ITERATIONS
    assert sampled(checks.run_with(catalog.position("startpos", "tictactoe"), "uct", {}, iterations=50)).notice == ""


def test_a_random_game_is_the_one_that_was_played() -> None:
    trace = sampled(with_tape("connect4", "uct").report)
    for number, iteration in enumerate(trace.told.iterations):
        at = next(
            at for at in range(trace.history.starts[number], len(trace)) if trace.history.happening(at).kind == "sampled"
        )
        said = trace.moment(at + 1).sentence()
        ends = {1.0: "X wins", 0.0: "O wins", 0.5: "a draw"}[iteration.worth]
        assert f"In the end: {ends}." in said


def test_what_a_policy_learns_is_told() -> None:
    trace = sampled(with_tape("breakthrough", "ppa").report)
    at = trace.next_of(["learned"], 0, 1)
    assert at is not None
    assert trace.moment(at).sentence().startswith(("White won, so the policy learns.", "Black won, so the policy learns."))


# Sentences, written out.


def sentences(game: str, text: str, algorithm: str, count: int) -> list[str]:
    trace = grown(recorded(text, game, algorithm, LIMIT).report)
    return [trace.moment(at).sentence() for at in range(1, count + 1)]


def test_the_sentences_of_a_proof() -> None:
    assert sentences("tree", COURSE, "pns", 17) == [
        "Does MAX get at least 6? The root begins with 1 and 1.",
        "The root is the most proving node, and is expanded. 2 moves: all begin with 1 and 1.",
        "The proof number of the root stays 1, the least of its children's; "
        "the disproof number rises from 1 to 2, the sum of its children's (1 + 1).",
        "MAX moves (OR): on to move 1: its proof number 1 is the least, as 2 have, of 2 moves.",
        "Move 1 is the most proving node, and is expanded. 2 moves: all begin with 1 and 1.",
        "The disproof number of move 1 stays 1, the least of its children's; "
        "the proof number rises from 1 to 2, the sum of its children's (1 + 1).",
        "The proof number of the root stays 1, the least of its children's; "
        "the disproof number stays 2, the sum of its children's (1 + 1).",
        "MAX moves (OR): on to move 2: its proof number 1 is the least, of 2 moves.",
        "Move 2 is the most proving node, and is expanded. 2 moves: all begin with 1 and 1.",
        "The disproof number of move 2 stays 1, the least of its children's; "
        "the proof number rises from 1 to 2, the sum of its children's (1 + 1).",
        "The proof number of the root rises from 1 to 2, the least of its children's; "
        "the disproof number stays 2, the sum of its children's (1 + 1).",
        "MAX moves (OR): on to move 1: its proof number 2 is the least, as 2 have, of 2 moves.",
        "MIN moves (AND): on to move 1: its disproof number 1 is the least, as 2 have, of 2 moves.",
        "Move 1 is the most proving node, and is expanded. 2 moves: 1 is a yes, 1 is a no.",
        "The proof number of move 1 falls from 1 to 0, the least of its children's; "
        "the disproof number rises from 1 to ∞, the sum of its children's (0 + ∞).",
        "The disproof number of move 1 stays 1, the least of its children's; "
        "the proof number falls from 2 to 1, the sum of its children's (0 + 1).",
        "The proof number of the root falls from 2 to 1, the least of its children's; "
        "the disproof number stays 2, the sum of its children's (1 + 1).",
    ]


def test_the_sentences_of_a_depth_first_proof() -> None:
    assert sentences("tree", COURSE, "dfpn", 11) == [
        "Does MAX get at least 6?",
        "The search begins at the root, and stays until it is solved.",
        "The root: 2 moves looked up (2 for the first time); that makes proof 2, disproof 2.",
        "MAX moves (OR): on to move 1: its proof number 2 is the least, as 2 have, of 2 moves.",
        "The search comes to move 1, and stays until the proof number is 3 or more, or it is solved.",
        "Move 1: 2 moves looked up (2 for the first time); that makes proof 2, disproof 2.",
        "MIN moves (AND): on to move 1: its disproof number 2 is the least, as 2 have, of 2 moves.",
        "The search comes to move 1, and stays until the proof number is 2 or more "
        "or the disproof number is 3 or more, or it is solved.",
        "Move 1: move 2 decides it.",
        "Move 1 is solved: its proof number is 0. Both go into the table.",
        "Move 1 comes back with 0 and ∞: the disproof number of move 1 stays 2; the proof number falls from 2 to 1. "
        "That is below the limits: it goes on here.",
    ]


def test_the_sentences_of_uct() -> None:
    trace = sampled(recorded(COURSE, "tree", "uct", LIMIT).report)
    told = [trace.moment(at).sentence() for at in range(1, len(trace) + 1)]
    assert told[0] == "The tree begins with its root."
    assert told[1].startswith("3 random moves from here: ")
    assert told[2].startswith("The root: visits 0 → 1, mean for MAX – → ")
    assert told[3].endswith(", which was never tried, 1 more waits. Its position joins the tree.")
    chosen = next(sentence for sentence in told if " is the largest of " in sentence)
    mover, _, rest = chosen.partition(" takes move ")
    mean, exploration, total = (float(rest.split(words)[1].split()[0]) for words in ("its mean ", " + exploration ", " = "))
    assert mover in ("MAX", "MIN")
    assert np.isclose(mean + exploration, total, atol=0.0011)


def test_every_event_has_a_sentence_and_every_kind_is_declared() -> None:
    for game, algorithm in GROWING:
        if game in QUICK:
            trace: GrowthTrace = grown(with_tape(game, algorithm).report)
            for at in range(1, len(trace) + 1):
                moment = trace.moment(at)
                assert moment.event is not None
                assert moment.event.kind in trace.kinds
                assert moment.sentence()
