"""The purposes of the start page, without a screen: each of them can be done, and says in two sentences what it shows."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from engines import catalog
from positions import library
from workbench.app.keys import Keys
from workbench.app.places import ANALYSE
from workbench.app.screens.start import PLACES
from workbench.comparison.lane_specs import read_lanes
from workbench.play.levels import level
from workbench.start.purposes import GO_ON, PURPOSES, Purpose, purpose

IDS = [one.id for one in PURPOSES]
LONGEST = 130
"""Two lines of a narrow terminal: there is no room for more below the list."""


def test_each_purpose_has_a_name_and_a_key_of_its_own() -> None:
    assert len(set(IDS)) == len(IDS)
    assert len({one.key for one in PURPOSES}) == len(IDS)
    assert purpose(GO_ON).leads_to == "last"


@pytest.mark.parametrize("one", PURPOSES, ids=IDS)
def test_what_it_says_is_short_and_names_keys_that_are_there(one: Purpose) -> None:
    place = PLACES.get(one.leads_to, ANALYSE)
    assert {name for _, name, _, _ in Formatter().parse(one.sentences) if name} <= {a.id for a in Keys().at(place)}
    said = Keys().said(place, one.sentences)
    assert len(said) <= LONGEST
    assert 1 <= len(re.findall(r"[.](?= |$)", said)) <= 2
    assert said.endswith(".")
    assert not one.title.endswith(".")


@pytest.mark.parametrize("one", [one for one in PURPOSES if one.position], ids=lambda one: one.id)
def test_its_algorithms_can_search_its_position(one: Purpose) -> None:
    entry = library.get(one.position)
    assert "perft" not in entry.tags, "positions that test move generators show nothing"
    for name in (*one.lanes, *filter(None, (one.algorithm,))):
        algorithm = catalog.algorithm(name)
        assert catalog.misfit(algorithm, entry.position()) is None
        if one.limit is not None:
            catalog.check_limit(algorithm, one.limit)
    if one.lanes:
        read_lanes(",".join(one.lanes), (), entry.game)
    if one.level:
        level(entry.position().game, one.level)
