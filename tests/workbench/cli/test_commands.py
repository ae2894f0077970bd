"""The other commands, each in its two forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines import catalog
from engines.compiled.kernel import is_compiled
from engines.warm import missing, parts
from tests.workbench.conftest import Plybench

PERFT = [
    ("connect4", "7x6", 8, 5673234),
    ("breakthrough", "6x4", 7, 15530246),
    ("breakthrough", "6x6", 5, 1248290),
    ("breakthrough", "8x8", 5, 6182818),
    ("breakthrough", "5x5", 5, 289828),
]


@pytest.mark.parametrize(("game", "size", "depth", "leaves"), PERFT)
def test_perft_gives_published_counts(plybench: Plybench, game: str, size: str, depth: int, leaves: int) -> None:
    document = plybench("perft", "startpos", "--game", game, "--size", size, "--depth", str(depth), "--json").json
    assert set(document) >= {"game", "position", "depth", "leaves", "seconds", "divide"}
    assert document["leaves"] == sum(document["divide"].values()) == leaves


def test_perft_for_people(plybench: Plybench) -> None:
    assert "343 at depth 3" in plybench("perft", "startpos", "--game", "connect4", "--depth", "3").out


@pytest.mark.parametrize("depth", ["0", "1"])
def test_perft_of_little_depth(plybench: Plybench, depth: str) -> None:
    document = plybench("perft", "startpos", "--game", "connect4", "--depth", depth, "--json").json
    assert document["leaves"] == (7 if depth == "1" else 1)


def test_eval_adds_up(plybench: Plybench) -> None:
    document = plybench("eval", "4444", "--game", "connect4", "--json").json
    assert document["value"] == sum(term["value"] for term in document["terms"])
    for term in document["terms"]:
        assert set(term) == {"name", "first", "second", "weight", "value"}
        assert term["value"] == term["weight"] * (term["first"] - term["second"])


def test_eval_for_people(plybench: Plybench) -> None:
    assert "free runners" in plybench("eval", "breakthrough/race").out


def test_games_and_algorithms_say_what_fits_what(plybench: Plybench) -> None:
    games = {row["id"]: row for row in plybench("games", "--json").json}
    algorithms = {row["id"]: row for row in plybench("algorithms", "--json").json}
    assert list(games) == catalog.GAMES
    assert list(algorithms) == catalog.ALGORITHMS
    for game, row in games.items():
        assert row["algorithms"] == [name for name in algorithms if game in algorithms[name]["games"]]
    assert algorithms["alphabeta"]["parameters"][0]["name"] == "quickest"


@pytest.mark.parametrize("name", catalog.ALGORITHMS)
def test_every_algorithm_has_a_card(plybench: Plybench, name: str) -> None:
    card = plybench("algorithms", name).out
    for part in ("Idea.", "Cost.", "Watch."):
        assert part in card
    code = [line for line in catalog.card(name).splitlines() if line.startswith("    ")]
    assert code
    assert max(map(len, code)) <= 80, "it would be wrapped on a small terminal"


@pytest.mark.parametrize("name", catalog.GAMES)
def test_every_game_can_be_shown(plybench: Plybench, name: str) -> None:
    assert catalog.game(name).title in plybench("games", name).out


def test_positions_are_listed_searched_and_shown(plybench: Plybench) -> None:
    everything = plybench("positions", "--json").json
    assert {row["game"] for row in everything} == set(catalog.GAMES)
    assert [row["id"] for row in plybench("positions", "pure", "race", "--json").json] == ["breakthrough/race"]
    assert plybench("positions", "tree/horizon", "--json").json["title"] == "The horizon in seven nodes"
    assert "2 against 2" in plybench("positions", "breakthrough/race").out
    assert plybench("positions", "--game", "tree").code == 0


def test_welcome_shows_a_board_and_commands(plybench: Plybench) -> None:
    out = plybench().out
    assert "plybench analyze breakthrough/course-6x4" in out
    assert "Black to move" in out


def test_warm_compiles_what_is_missing(plybench: Plybench) -> None:
    assert plybench("warm").code == 0
    assert missing() == []
    assert all(is_compiled(part.name) for part in parts())
    assert "already" in plybench("warm").err


def test_help_names_every_command(plybench: Plybench) -> None:
    out = plybench("--help").out
    for command in ("analyze", "eval", "perft", "tape", "games", "algorithms", "positions", "warm"):
        assert command in out
    assert plybench("--version").out.startswith("plybench ")


def test_readme_commands_exist() -> None:
    readme = Path("README.md").read_text()
    for command in ("make run", "make test"):
        assert command in readme
