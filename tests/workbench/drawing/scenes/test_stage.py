"""Scenes: what they show is what the trace says, nothing overlaps, and small trees stand still."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract import Limit
from tests.workbench.drawing.scenes.samples import SAMPLES, all_nodes, drawn_sample, traced_here
from workbench.drawing.scenes.scene import MARKS, Scene, SceneLabel, overlaps, text_width, wrapped
from workbench.drawing.scenes.stage import Stage, scene_of
from workbench.drawing.scenes.tree import key_of
from workbench.watch.trace import Trace, Unsearched


def moments(trace: Trace, most: int = 12) -> list[int]:
    return sorted({round(len(trace) * part / most) for part in range(most + 1)})


def values_in(scene: Scene) -> dict[str, str]:
    return {label.key: label.text for label in scene.labels if label.marks[:1] == ("value",)}


def assert_well_drawn(scene: Scene) -> None:
    assert not overlaps(scene.labels)
    for label in scene.labels:
        box = label.box
        assert -0.5 <= box.left <= box.right <= scene.width + 0.5, label
        assert -0.5 <= box.top <= box.bottom <= scene.height + 0.5, label
    for shape in scene.shapes:
        assert 0 <= shape.x - shape.width / 2 <= shape.x + shape.width / 2 <= scene.width
    for marks in (*(line.marks for line in scene.lines), *(shape.marks for shape in scene.shapes)):
        assert set(marks) <= set(MARKS)
    assert {mark for label in scene.labels for mark in label.marks} <= set(MARKS)
    assert not set(Counter(node.key for node in scene.nodes).values()) - {1}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_value_is_the_one_of_the_trace(name: str) -> None:
    trace, _ = drawn_sample(name)
    stage = Stage(trace, name)
    for at in moments(trace):
        scene, moment = stage.scene(at), trace.moment(at)
        drawn = {fact.key: fact for fact in scene.nodes if fact.shape != "bundle"}
        shown = values_in(scene)
        roots = list(moment.path[:1]) if not stage.is_graph else range(trace.size(0) or 4)
        known = (
            {key_of(node): node for root in roots for node in all_nodes(trace, root)}
            if not stage.is_graph
            else {str(node): node for node in range(4)}
        )
        assert set(drawn) <= set(known)
        for key, fact in drawn.items():
            look = moment.look(known[key])
            assert (fact.shape, fact.value, fact.detail, fact.mark) == (look.shape, look.value, look.detail, look.mark)
            if not stage.is_graph:
                assert shown.get(key, "") == look.value, "no value is cut short"
            assert ("here" in fact.marks, "cut" in fact.marks) == (look.is_here, look.is_cut)
        assert_well_drawn(scene)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_path_is_always_there_and_the_rest_is_counted(name: str) -> None:
    trace, _ = drawn_sample(name)
    stage = Stage(trace, name)
    for at in moments(trace):
        scene, moment = stage.scene(at), trace.moment(at)
        keys = {node.key for node in scene.nodes}
        assert key_of(moment.here) in keys
        for bundle in (node for node in scene.nodes if node.shape == "bundle" and node.above):
            moves, nodes = bundle.folded
            assert bundle.value.startswith(f"+{moves:,} move")
            assert ("node" in bundle.value) == bool(nodes)
        if not stage.is_graph:
            root = scene.nodes[0]
            shown = sum(1 for node in scene.nodes if node.shape != "bundle" and "/" not in node.key)
            folded = sum(node.folded[1] for node in scene.nodes)
            hidden_below = trace.depth >= stage.levels
            assert shown + folded == trace.size(int(root.key)) or hidden_below


@pytest.mark.parametrize("name", ["alphabeta", "three players", "layers", "best first"])
def test_a_small_tree_stands_still(name: str) -> None:
    trace, _ = drawn_sample(name)
    stage = Stage(trace, name)
    places, sizes = set(), set()
    for at in range(len(trace) + 1):
        scene = stage.scene(at)
        own = [shape for shape in scene.shapes if shape.key and shape.form != "pointer"]
        places.add(tuple((shape.key, shape.x, shape.y) for shape in own))
        sizes.add((scene.width, scene.height))
    assert len(places) == 1
    assert stage.is_graph or (stage.is_still and len(sizes) == 1)


def test_what_was_never_searched_is_there_and_its_edge_is_crossed() -> None:
    trace, _ = drawn_sample("alphabeta")
    scene = scene_of(trace, len(trace))
    never = [node for node in scene.nodes if "never" in node.marks]
    assert [node.value for node in never] == ["7", "", "5", "6"]
    crossed = [line for line in scene.lines if line.marks == ("cut",)]
    assert len(crossed) == 2 * 2, "two branches are cut; what lies below one is not crossed again"
    assert {node.value for node in scene.nodes if "cut" in node.marks} == {"≥9", "≤2"}
    heavy = [line for line in scene.lines if "line" in line.marks and line.key]
    assert len(heavy) == 3, "the best line"


@pytest.mark.parametrize("name", SAMPLES)
def test_the_legend_has_the_signs_that_occur_and_no_others(name: str) -> None:
    trace, _ = drawn_sample(name)
    stage = Stage(trace, name)
    for at in moments(trace, 5):
        scene = stage.scene(at)
        own = {shape.form for shape in scene.shapes if "legend" not in shape.marks and "bundle" not in shape.marks}
        signs = {entry.sign for entry in scene.legend}
        assert own <= signs
        assert {sign for sign in signs if sign in ("up", "down", "circle", "diamond", "square", "pointer", "star")} <= own


def test_a_subtree_is_drawn_alone() -> None:
    trace, _ = drawn_sample("alphabeta")
    top = trace.children(0)[1]
    scene = scene_of(trace, len(trace), top=top)
    assert {node.value for node in scene.nodes if node.shape == "leaf"} == {"2", "-2", "5", "6"}
    assert scene.nodes[0].key == key_of(top)
    unsearched = Unsearched(top, 1)
    assert {node.value for node in scene_of(trace, 3, top=unsearched).nodes} >= {"5", "6"}


def test_a_scene_is_json() -> None:
    scene = scene_of(drawn_sample("proof")[0], 20, "pns")
    assert msgspec.json.decode(msgspec.json.encode(scene), type=Scene) == scene


def bracketed(children: list[str]) -> str:
    return f"({' '.join(children)})"


TREES = st.recursive(
    st.integers(-999, 999).map(str), lambda below: st.lists(below, min_size=1, max_size=4).map(bracketed), max_leaves=24
).filter(lambda text: text.startswith("("))


@settings(max_examples=40, deadline=None)
@given(text=TREES, part=st.floats(0, 1))
def test_no_label_overlaps_another_in_any_typed_tree(text: str, part: float) -> None:
    trace, _ = traced_here(text, "tree", "alphabeta", Limit(depth=12))
    stage = Stage(trace, "alphabeta")
    assert_well_drawn(stage.scene(round(part * len(trace))))


def test_overlaps_are_found() -> None:
    one, other = SceneLabel(10, 10, "value"), SceneLabel(20, 12, "other")
    assert overlaps([one, other, SceneLabel(200, 10, "far")]) == [(one, other)]


def test_words_are_measured_and_wrapped() -> None:
    assert text_width("iii", 10) < text_width("WWW", 10) < text_width("WWW", 10, bold=True)
    lines = wrapped("one two three four", 10, 60)
    assert " ".join(lines) == "one two three four"
    assert all(text_width(line, 10) <= 60 for line in lines)
