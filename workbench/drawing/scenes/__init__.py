"""A moment of a search as a picture: laid out in pixels as plain shapes, and written in several formats.

How the modules go together:

    stage = Stage(trace)              # where things stand: the same place at all moments of a small tree
    scene = stage.scene(at)           # lines, shapes and labels, each with words (`marks`) for what it means
    text = svg_of(scene, "dark")      # a picture; other modules write TikZ, DOT, PNG and GIF

`stage.py` lays out, `tree.py` and `graph.py` make the shapes, `scene.py` has the types. A scene goes through
`msgspec.json.encode` as it is. A shape, line or label that belongs to a node has that node's `key`, which is the same at all
moments; so whoever animates scenes can tell what became of a node.
"""
