"""What the cards of algorithms, the README and the guide claim, held against what the searches do."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path
from random import Random

import pytest

from engines import catalog
from engines.contract import Setting
from engines.parts.alphabeta.parameters import FURTHER, UNSAFE
from engines.position import Position
from tests.engines import checks
from tests.naive import games as naive
from tests.strategies import sample

ROOT = Path(__file__).parents[3]
README, GUIDE = (" ".join((ROOT / name).read_text(encoding="utf-8").split()) for name in ("README.md", "docs/guide.md"))
TEXTBOOK = "((3 12 8) (2 4 6) (14 5 2))"
OFF: dict[str, Setting] = {"beam": 0, **dict.fromkeys((*(name for name in UNSAFE if name != "beam"), *FURTHER), False)}


def card(name: str) -> str:
    """The card as one long line."""
    return " ".join(catalog.card(name).split())


def tree(text: str) -> Position:
    return catalog.position(text, "tree")


def test_minimax_negamax_and_alphabeta_by_their_nodes() -> None:
    position = tree(TEXTBOOK)
    nodes = {name: checks.run(position, name, depth=2).nodes for name in ("minimax", "negamax", "alphabeta")}
    assert "negamax with just as many nodes, alpha-beta with never more" in card("minimax")
    assert nodes["negamax"] == nodes["minimax"] == 13
    assert nodes["alphabeta"] <= nodes["minimax"]
    assert "on a small tree their repeated steps may add up to more" in card("minimax")
    assert checks.run_with(tree("((1 2) (3 4))"), "deepening", OFF, nodes=1000).nodes > 7


def test_negamax_without_its_minus_sign_is_wrong_from_depth_1_on() -> None:
    def careless(oracle: naive.Naive, depth: int, sign: int, best: int) -> float:
        """Negamax with a slip: no minus sign (`sign` 1), or a best value that begins at nothing (0)."""
        over = oracle.result()
        if over is not None or depth == 0:
            return float((over if over is not None else oracle.evaluate()) * oracle.turn())
        return max([best, *(sign * careless(oracle.play(move), depth - 1, sign, best) for move in oracle.moves())])

    assert "both give wrong values from depth 1 on" in card("negamax")
    cases = [case for case in sample("connect4", 60) if naive.minimax(case.oracle, 1).value != case.oracle.evaluate()]
    for sign, best in ((1, -(10**12)), (-1, 0)):
        true = [float(naive.minimax(case.oracle, 1).value) * case.oracle.turn() for case in cases]
        slips = [careless(case.oracle, 1, sign, best) for case in cases]
        assert slips != true


def worst_first(depth: int, chance: Random, top: bool = True) -> tuple[str, int]:
    """A tree of two moves a node and distinct numbers, in which whoever moves finds the worst move first; and its value."""
    if depth == 0:
        number = chance.randrange(1000)
        return str(number), number
    children = sorted((worst_first(depth - 1, chance, not top) for _ in range(2)), key=lambda row: row[1], reverse=not top)
    return f"({' '.join(text for text, _ in children)})", children[-1][1]


def test_the_worst_order_may_save_nothing() -> None:
    assert "With the worst order it may look at every leaf and save nothing." in card("alphabeta")
    leaves = [checks.run(tree(worst_first(4, Random(seed))[0]), "alphabeta", depth=4).leaves for seed in range(30)]
    assert 16 in leaves, "every leaf"
    assert min(leaves) < 16, "but a bound from far above may still cut"


def test_deepening_marks_every_switch_that_may_change_the_value() -> None:
    text = catalog.card("deepening")
    assert tuple(re.findall(r"^ {8}(\w+)\*", text, re.MULTILINE)) == UNSAFE
    assert tuple(re.findall(r"^ {8}(\w+)\+", text, re.MULTILINE)) == FURTHER
    others: dict[str, Setting] = {"table": 0, "ordering": "none", "aspiration": False, "threads": 2}
    for case in sample("breakthrough", 12) + sample("connect4", 12):
        true = naive.shown(case.oracle, naive.minimax(case.oracle, 3).value)
        for name, value in others.items():
            assert checks.run_with(case.board(), "deepening", {**OFF, name: value}, depth=3).value == true, (case, name)


SEEN_IN = {
    "null_move": ("chess", 5),
    "check_extension": ("chess", 2),
    "futility": ("chess", 3),
    "quiescence": ("breakthrough", 2),
    "singular_extension": ("connect4", 8),
    "probcut": ("connect4", 8),
}
"""Where a switch changes values, and at which depth; elsewhere: Connect 4 at depth 5."""


@pytest.mark.parametrize("name", [*UNSAFE, *FURTHER])
def test_every_marked_switch_does_change_some_value(name: str) -> None:
    game, depth = SEEN_IN.get(name, ("connect4", 5))
    chance, on = Random(1), {**OFF, name: 2 if name == "beam" else True}
    for _ in range(40):
        position = catalog.position("startpos", game)
        while len(position.played) < 12:
            position = position.play(chance.choice(position.game.legal_moves(position.state)))
            if position.is_over:
                position = catalog.position("startpos", game)
        found = [checks.run_with(position, "deepening", {**chosen, "table": 1}, depth=depth) for chosen in (OFF, on)]
        if found[0].value != found[1].value:
            return
    pytest.fail(f"{name} changed no value.")


def test_the_singular_extension_does_nothing_without_a_table() -> None:
    assert "does nothing without a table" in card("deepening")
    for case in sample("connect4", 6):
        reports = [
            checks.run_with(case.board(), "deepening", {**OFF, "table": 0, "singular_extension": on}, depth=7, nodes=2**40)
            for on in (False, True)
        ]
        assert reports[0].nodes == reports[1].nodes
        assert reports[0].value == reports[1].value


def test_a_beam_claims_what_is_checked_and_no_more() -> None:
    assert "where a search of all moves, made to check it, confirms a win that was found" in card("beam")
    won = checks.run_with(catalog.position("112233", "connect4"), "beam", {"beam": 1}, depth=1)
    assert (won.exact, won.outcome, won.distance) == (True, "first", 1)
    narrow = checks.run_with(tree(TEXTBOOK), "beam", {"beam": 1}, depth=2)
    assert narrow.value != 3
    assert not narrow.exact
    wide = checks.run_with(tree(TEXTBOOK), "beam", {"beam": 3}, depth=2)
    assert (wide.value, wide.exact) == (3, True)


def random_tree(depth: int, chance: Random) -> tuple[str, int]:
    """A tree of two moves a node whose inner nodes have no numbers, so that forecasts of it are poor; and its value."""

    def build(left: int, top: bool) -> tuple[str, int]:
        if left == 0:
            number = chance.randrange(-50, 51)
            return str(number), number
        children = [build(left - 1, not top) for _ in range(2)]
        return f"({' '.join(text for text, _ in children)})", (max if top else min)(value for _, value in children)

    return build(depth, True)


def test_probcut_proves_nothing_where_it_believed_a_forecast() -> None:
    assert "proven only where no forecast was believed and nothing was estimated" in card("probcut")
    short = checks.run(tree(TEXTBOOK), "probcut", depth=2)
    assert (short.value, short.exact) == (3, True), "too shallow for a forecast"
    wrong = 0
    for seed in range(40):
        text, true = random_tree(7, Random(seed))
        found = checks.run(tree(text), "probcut", depth=7)
        assert found.value == true or not found.exact, text
        wrong += found.value != true
    assert wrong > 0, "or no forecast was believed"


def test_minimax_keeps_one_line_in_memory() -> None:
    assert "memory for one line and the moves at each of its positions, b d in all" in card("minimax")
    position, nodes, peaks = catalog.position("startpos", "connect4"), [], []
    checks.run(position, "minimax", depth=1)  # what is loaded for the first search stays
    for depth in (2, 6):
        tracemalloc.start()
        nodes.append(checks.run(position, "minimax", depth=depth).nodes)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert nodes == [57, 137_257]
    assert peaks[1] - peaks[0] < nodes[1], "not even a byte for each node"


def test_what_sampling_keeps_in_memory() -> None:
    assert "memory for the sums of the root's moves, and for nothing below them" in card("monte-carlo")
    position = catalog.position("44", "connect4")
    assert checks.run(position, "monte-carlo", iterations=500).tree_nodes == 1 + 7
    assert "at most one new position for each" in card("uct")
    sampled = checks.run(position, "uct", iterations=500)
    assert sum(sampled.tree_depths) <= 501


def test_the_first_to_go_depth_first_was_pn_star() -> None:
    assert "It came after PN* (Seo, 1995), the first proof-number search to go depth first" in card("pds")


FIRST_DESCRIBED = {
    "minimax": "(von Neumann 1928; Zermelo 1913 on who can force a win at chess; Shannon 1950",
    "negamax": "(a way to write minimax; Knuth and Moore 1975)",
    "alphabeta": "(John McCarthy's idea, 1956; Edwards and Hart 1961; analysed by Knuth and Moore 1975)",
    "pvs": "(Marsland and Campbell 1982; NegaScout, Reinefeld 1983)",
    "mtdf": "(Plaat, Schaeffer, Pijls and De Bruin, 1996)",
    "probcut": "(Buro 1995, for Othello)",
    "pns": "(Allis, 1994)",
    "pn2": "(Allis, 1994; Breuker, 1998)",
    "dfpn": "(Nagai, 1999)",
    "pds": "(Nagai, 1998)",
    "best-first": "(Korf and Chickering, 1996; with completion: Cohen-Solal, 2021)",
    "expectiminimax": "(Michie 1966;",
    "star1": "(Bruce Ballard, 1983; analysed again by Hauk, Buro and Schaeffer, 2004)",
    "star2": "(Bruce Ballard, 1983; analysed again by Hauk, Buro and Schaeffer, 2004)",
    "maxn": "(Luckhardt and Irani, 1986; shallow pruning by Korf, 1991)",
    "paranoid": "(Sturtevant and Korf, 2000)",
    "monte-carlo": "(Abramson, 1987)",
    "uct": "(Kocsis and Szepesvári, 2006)",
    "ppa": "(Cazenave, 2015)",
    "nested": "(Cazenave, 2009: nested Monte Carlo search)",
    "nrpa": "(Rosin, 2011: nested rollout policy adaptation)",
}
"""By the publications themselves. Zermelo's paper is about won positions, not about values that are backed up."""


@pytest.mark.plain
@pytest.mark.parametrize("name", FIRST_DESCRIBED)
def test_authors_and_years(name: str) -> None:
    assert FIRST_DESCRIBED[name] in catalog.card(name).split("\n\n", 1)[0]


@pytest.mark.plain
def test_the_guide_promises_no_more_than_there_is() -> None:
    texts = README + GUIDE
    assert "any k " not in texts
    assert "any algorithm with any parameters" not in texts
    assert "an algorithm that fits the game, with parameters, weights and evaluation of its own" in GUIDE
    assert "from the first moves on" not in texts
    assert "in Connect 4 when a few stones are on the board, if not before" in GUIDE


def test_the_readme_and_the_guide_say_what_there_is() -> None:
    rows = next(parameter for parameter in catalog.game("connect4").parameters if parameter.name == "k")
    assert f"{rows.low} to {rows.high} in a row" in GUIDE
    assert "no network" not in README + GUIDE
    assert "`--cluster ADDRESS` to the Dask cluster that you name" in README
