"""A scene as TikZ: a LaTeX document of its own that needs no package but tikz, so that a stock LaTeX compiles it."""

from __future__ import annotations

import unicodedata

from workbench.drawing.scenes.scene import Line, Point, Scene, SceneLabel, Shape
from workbench.drawing.scenes.svg import (
    ARROW,
    DASHES,
    PATH_WIDTH,
    THEMES,
    Theme,
    arrow_head,
    corners_of,
    label_colour,
    line_style,
    shape_style,
)

SCALE = 0.75
"""Points of TeX in a pixel."""
SPECIAL = {
    **{letter: f"\\{letter}" for letter in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
    '"': "''",
}
SYMBOLS = {
    "∞": r"\infty",
    "≤": r"\leq",
    "≥": r"\geq",
    "→": r"\rightarrow",
    "←": r"\leftarrow",
    "↑": r"\uparrow",
    "↓": r"\downarrow",
    "−": "-",
    "–": r"\textrm{--}",
    "Σ": r"\Sigma",
    "α": r"\alpha",
    "β": r"\beta",
    "σ": r"\sigma",
    "·": r"\cdot",
    "×": r"\times",
    "±": r"\pm",
    "½": r"\frac12",
    "…": r"\ldots",
    "≠": r"\neq",
    "√": r"\surd",
}
MEN = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP", strict=True))
"""Chess men, as letters: the fonts of a stock LaTeX have none."""
DICE = "⚀⚁⚂⚃⚄⚅"
"""Left out: the number stands beside each of them."""
LATIN = "ßæøÆØ"
"""Letters without an accent that a stock LaTeX has."""
SIZES = (5, 6, 7, 8, 9, 10, 10.95, 12)
"""The sizes of its letters, in points."""
PREAMBLE = r"""\documentclass{article}
\usepackage{tikz}
\renewcommand{\familydefault}{\sfdefault}
\pagestyle{empty}
\setlength{\parindent}{0pt}
\setlength{\topskip}{0pt}"""


def tikz_of(scene: Scene, theme: str = "light", about: str = "") -> str:
    """A scene as a LaTeX document. `about`: a line that stands on top as a comment."""
    colours = THEMES[theme]
    width, height = scene.width * SCALE, scene.height * SCALE
    lengths = {
        "paperwidth": width, "paperheight": height, "pdfpagewidth": width, "pdfpageheight": height, "textwidth": width,
        "textheight": height + 1, "hoffset": -72.27, "voffset": -72.27, "oddsidemargin": 0, "topmargin": 0, "headheight": 0,
        "headsep": 0, "footskip": 0,
    }  # fmt: skip
    used = Colours(colours)
    body = [
        *(_band(line, used) for line in scene.lines if "path" in line.marks),
        *(part for line in scene.lines for part in _line(line, used)),
        *(_shape(shape, used) for shape in scene.shapes),
        *(_label(label, used) for label in scene.labels),
    ]
    return "\n".join(
        [
            *([f"% {' '.join(about.split())}"] if about else []),
            PREAMBLE,
            *(rf"\setlength{{\{name}}}{{{value:.2f}pt}}" for name, value in lengths.items()),
            *(rf"\definecolor{{{name}}}{{HTML}}{{{value}}}" for value, name in used.names.items()),
            r"\begin{document}",
            rf"\begin{{tikzpicture}}[x={SCALE}pt, y=-{SCALE}pt, line join=round, inner sep=0pt, outer sep=0pt]",
            rf"\path[fill={used.name(colours.ground)}, use as bounding box] "
            f"(0,0) rectangle ({scene.width:g},{scene.height:g});",
            *body,
            r"\end{tikzpicture}",
            r"\end{document}",
            "",
        ]
    )


class Colours:
    """The colours of a document, by the names that are declared for them."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        every = [theme.ground, theme.ink, theme.quiet, theme.faint, theme.best, theme.path, theme.cut, theme.here]
        distinct = dict.fromkeys(value.lstrip("#").upper() for value in (*every, *theme.fills.values()))
        self.names = {value: f"ply{chr(ord('a') + number)}" for number, value in enumerate(distinct)}

    def name(self, value: str) -> str:
        """The name of a colour."""
        return self.names[value.lstrip("#").upper()]


def _path(points: tuple[Point, ...]) -> str:
    return " -- ".join(f"({x:.1f},{y:.1f})" for x, y in points)


def _width(pixels: float) -> str:
    return f"line width={pixels * SCALE:.2f}pt"


def _dashes(is_dashed: bool) -> str:
    on, off = (float(part) * SCALE for part in DASHES.split())
    return f", dash pattern=on {on:g}pt off {off:g}pt" if is_dashed else ""


def _band(line: Line, used: Colours) -> str:
    return rf"\draw[{used.name(used.theme.path)}, {_width(PATH_WIDTH)}, line cap=round] {_path(line.points)};"


def _line(line: Line, used: Colours) -> list[str]:
    colour, width, is_dashed = line_style(line, used.theme)
    drawn = [rf"\draw[{used.name(colour)}, {_width(width)}{_dashes(is_dashed)}] {_path(line.points)};"]
    if line.has_arrow:
        drawn.append(rf"\fill[{used.name(colour)}] {_path(arrow_head(line, ARROW + width))} -- cycle;")
    return drawn


def _shape(shape: Shape, used: Colours) -> str:
    fill, edge, width, is_dashed = shape_style(shape, used.theme)
    look = f"fill={used.name(fill)}, draw={used.name(edge)}, {_width(width)}{_dashes(is_dashed)}"
    if shape.form == "circle":
        return rf"\draw[{look}] ({shape.x:.1f},{shape.y:.1f}) circle[radius={shape.width / 2 * SCALE:.2f}pt];"
    return rf"\draw[{look}] {_path(corners_of(shape))} -- cycle;"


def _label(label: SceneLabel, used: Colours) -> str:
    size = max(size for size in SIZES if size <= max(label.size * SCALE, SIZES[0]) + 0.05)
    anchor = "base west" if label.anchor == "start" else "base"
    ground = f", fill={used.name(used.theme.ground)}, inner sep=1pt" if "move" in label.marks else ""
    font = rf"\fontsize{{{size:g}}}{{{size * 1.2:.1f}}}\selectfont" + (r"\bfseries" if label.bold else "")
    look = f"anchor={anchor}, text={used.name(label_colour(label, used.theme))}, font={{{font}}}{ground}"
    return rf"\node[{look}] at ({label.x:.1f},{label.y + 0.35 * label.size:.1f}) {{{tex_text(label.text)}}};"


def tex_text(text: str) -> str:
    """Words for LaTeX. Signs that a stock LaTeX has none of become the letters that are nearest to them."""
    return "".join(map(_tex_letter, text))


def _tex_letter(letter: str) -> str:
    if letter in SPECIAL:
        return SPECIAL[letter]
    if letter in SYMBOLS:
        return rf"\ensuremath{{{SYMBOLS[letter]}}}"
    if letter in MEN or letter in DICE:
        return MEN.get(letter, "")
    if letter.isascii():
        return letter if letter.isprintable() else " "
    if letter in LATIN or ("À" <= letter <= "ÿ" and unicodedata.decomposition(letter)):
        return letter
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return "".join(map(_tex_letter, plain)) or "?"
