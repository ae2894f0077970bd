"""A scene as a graph in the language of Graphviz, which lays it out by itself: shapes, values, moves and kinds of lines."""

from __future__ import annotations

from workbench.drawing.scenes.scene import NodeFacts, Scene
from workbench.drawing.scenes.svg import BEST, PLAIN, STRONG, THEMES, UNSEARCHED

SHAPES = {
    "max": "triangle", "min": "invtriangle", "chance": "circle", "other": "diamond", "leaf": "box", "bundle": "box",
}  # fmt: skip


def dot_of(scene: Scene, theme: str = "light", about: str = "") -> str:
    """A scene as a DOT document. `about`: a line that stands on top as a comment."""
    colours = THEMES[theme]
    words = [
        scene.title,
        scene.sentence,
        *(f"{entry.sign}: {entry.text}" for entry in scene.legend if _is_words(entry.sign)),
    ]
    lines = [f"// {' '.join(about.split())}"] if about else []
    lines += [
        "digraph search {",
        f'  graph [label={quoted(*words)}, labelloc=t, ordering=out, bgcolor="{colours.ground}", '
        f'fontcolor="{colours.ink}", fontname="DejaVu Sans"];',
        f'  node [fontname="DejaVu Sans", fontsize=11, color="{colours.ink}", fontcolor="{colours.ink}", margin=0.04];',
        f'  edge [fontname="DejaVu Sans", fontsize=10, color="{colours.ink}", fontcolor="{colours.ink}"'
        + ("" if _is_graph(scene) else ", dir=none")
        + "];",
    ]
    stars = {shape.key for shape in scene.shapes if shape.form == "star"}
    moves = {node.key: node.move for node in scene.nodes}
    for node in scene.nodes:
        lines.append(f"  {quoted(node.key)} [{_look(node, scene, theme, node.key in stars)}];")
    for edge in scene.edges:
        width = BEST if "line" in edge.marks else STRONG if "path" in edge.marks else PLAIN
        look = [f"penwidth={width}"]
        if any(mark in edge.marks for mark in UNSEARCHED):
            look += ["style=dashed", f'color="{colours.faint}"']
        elif "line" in edge.marks:
            look.append(f'color="{colours.best}"')
        if not _is_graph(scene) and (said := moves.get(edge.end)):
            look.append(f"label={quoted(said + (' ✗' if 'never' in edge.marks else ''))}")
        lines.append(f"  {quoted(edge.start)} -> {quoted(edge.end)} [{', '.join(look)}];")
    lines += _rows(scene)
    return "\n".join([*lines, "}", ""])


def _is_words(sign: str) -> bool:
    return not sign.isidentifier() and not sign.startswith("line-")


def _is_graph(scene: Scene) -> bool:
    return any("row" in label.marks for label in scene.labels)


def _look(node: NodeFacts, scene: Scene, theme: str, is_star: bool) -> str:
    colours = THEMES[theme]
    name = node.move if _is_graph(scene) else ""
    below = " ".join(filter(None, (node.detail, node.mark, "cut" if "cut" in node.marks else "")))
    said = [part for part in (name, node.value, below) if part]
    look = [f"label={quoted(*said)}", f"shape={'star' if is_star else SHAPES[node.shape]}"]
    if any(mark in node.marks for mark in UNSEARCHED):
        look += ["style=dashed", f'color="{colours.faint}"', f'fontcolor="{colours.quiet}"']
    elif node.shape in colours.fills:
        look += ["style=filled", f'fillcolor="{colours.fills[node.shape]}"']
    if "here" in node.marks:
        look += ["peripheries=2", f'color="{colours.here}"', "penwidth=2"]
    elif "path" in node.marks or "line" in node.marks:
        look.append(f"penwidth={STRONG}")
    return ", ".join(look)


def _rows(scene: Scene) -> list[str]:
    """The layers of a graph, each on a row of its own."""
    if not _is_graph(scene):
        return []
    rows: dict[float, list[str]] = {}
    for shape in scene.shapes:
        if shape.key and shape.form != "pointer":
            rows.setdefault(shape.y, []).append(shape.key)
    return [f"  {{ rank=same; {'; '.join(map(quoted, keys))} }}" for keys in rows.values()]


def quoted(*lines: str) -> str:
    """Words in quotation marks, a line each."""
    plain = (" ".join(line.split()).replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(plain) + '"'
