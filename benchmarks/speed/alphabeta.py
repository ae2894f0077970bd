"""Alpha-beta on Connect 4, in nodes per second."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import ours
from benchmarks.peers import easyai, openspiel
from benchmarks.rows import Row, times_faster
from benchmarks.timing import best_in_turn, count_calls
from engines.rules import WIN

LATE = "771113726767335251562464"
"""A position with 18 empty cells that the side to move wins: 533,079 nodes to the end of the game, where no evaluation is
needed."""
OUR_SEARCHES = 40
"""The number of our searches in one run, which then takes a third of a second."""
OUR_DEPTH, SPIEL_DEPTH, SHIPPED_DEPTH, BITS_DEPTH = 10, 10, 4, 7
"""How deep each program searches the start position in about a second."""
TIMES_FASTER = 100


def measure(quick: bool) -> Iterator[Row]:
    """Measure searches to the end of the game, then to a depth."""
    yield from to_the_end(rounds=2 if quick else 6)
    yield from to_a_depth(rounds=1 if quick else 3)


def to_the_end(rounds: int) -> Iterator[Row]:
    """Search the same tree on both sides: same position, same move order, and all wins equal whatever their distance."""
    where, state = ours.position("connect4", LATE), openspiel.connect4(LATE)
    value, work = ours.run_alphabeta(where, ours.TO_THE_END, haste=False)
    nodes, spiel_value = int(work.nodes), openspiel.run_alpha_beta(state, ours.TO_THE_END)
    spiel_nodes = count_calls(openspiel.alpha_beta, lambda: openspiel.run_alpha_beta(state, ours.TO_THE_END))
    if (value / WIN, nodes) != (spiel_value, spiel_nodes):
        raise AssertionError(f"Not the same search: {value} in {nodes} nodes here, {spiel_value} in {spiel_nodes} there.")

    def search_often() -> None:
        for _ in range(OUR_SEARCHES):
            ours.run_alphabeta(where, ours.TO_THE_END, haste=False)

    our_time, loop_time, own_time = best_in_turn(
        rounds,
        search_often,
        lambda: openspiel.run_alpha_beta(state, ours.TO_THE_END),
        lambda: openspiel.run_own_alpha_beta(state, ours.TO_THE_END),
    )
    rate = OUR_SEARCHES * nodes / our_time
    task = "Connect 4 alpha-beta to the end of the game"
    note = f"{nodes:,} nodes, the same on both sides"
    spiel = {"OpenSpiel states in a Python loop": nodes / loop_time, "OpenSpiel's own alpha_beta_search": nodes / own_time}
    quickest = max(spiel, key=lambda peer: spiel[peer])
    for peer, its_rate in spiel.items():
        yield times_faster(task, "nodes/s", rate, peer, its_rate, TIMES_FASTER if peer == quickest else None, note)


def to_a_depth(rounds: int) -> Iterator[Row]:
    """Search the start position. Plybench evaluates every leaf, OpenSpiel scores it 0, easyAI only checks for lost games."""
    where, state = ours.position("connect4"), openspiel.start("connect_four")
    _, work = ours.run_alphabeta(where, OUR_DEPTH)
    shipped, bits = easyai.shipped(), easyai.ConnectFourOnBits()
    peers = {
        f"OpenSpiel states, depth {SPIEL_DEPTH}, leaves worth 0": (
            openspiel.alpha_beta,
            lambda: openspiel.run_alpha_beta(state, SPIEL_DEPTH),
        ),
        f"easyAI Negamax, its own Connect 4, depth {SHIPPED_DEPTH}": (
            easyai.node,
            lambda: easyai.run(shipped, SHIPPED_DEPTH),
        ),
        f"easyAI Negamax, Connect 4 on bitboards, depth {BITS_DEPTH}": (
            easyai.node,
            lambda: easyai.run(bits, BITS_DEPTH),
        ),
    }
    nodes = [count_calls(function, task) for function, task in peers.values()]
    our_time, *times = best_in_turn(
        rounds, lambda: ours.run_alphabeta(where, OUR_DEPTH), *(task for _, task in peers.values())
    )
    task = f"Connect 4 alpha-beta with evaluation, depth {OUR_DEPTH}"
    for peer, count, seconds in zip(peers, nodes, times, strict=True):
        yield times_faster(task, "nodes/s", int(work.nodes) / our_time, peer, count / seconds)
