"""No module but its own compares the id of a game or an algorithm with a literal: differences are declared as attributes.

Adding a game or an algorithm takes one file and one line in the catalogue. That holds only as long as no other module asks
"is this chess?", or keeps a table with a row for each game. An attribute of `Game` or `Algorithm` answers such a question.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from engines.catalog import ALGORITHMS, GAMES
from tests.copies import ROOT

IDS = {*GAMES, *ALGORITHMS}
REGISTRY = {"GAMES", "ALGORITHMS"}
"""The lists of the catalogue. Asking whether a name is in them treats all ids alike."""
OTHER_WORDS = {
    "need": "what an algorithm needs of a position: graph, uci",
    "needs": "the same, all of them",
    "parallel": "how threads work together: on one tree, for one way",
    "word": "a word that a person types, such as random for openings",
    "switch": "a parameter of alpha-beta: beam, probcut",
    "variant": "what a PGN calls its rules: chess, standard",
}
"""Names of variables that are compared with words which only look like ids, and what they hold."""


class Module:
    """A module's syntax tree, and the literals that its names stand for."""

    def __init__(self, text: str, imported: Mapping[str, Module] | None = None) -> None:
        self.tree = ast.parse(text)
        self.imported = imported or {}
        self.literals: dict[str, set[str]] = {}
        self.sources: dict[str, str] = {}
        bound = Counter(node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name) and is_store(node))
        bound += Counter(node.arg for node in ast.walk(self.tree) if isinstance(node, ast.arg))
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    self._assign(target, node.value, bound)
            elif isinstance(node, ast.ImportFrom) and node.module:
                self.sources |= {alias.asname or alias.name: f"{node.module}:{alias.name}" for alias in node.names}

    def _assign(self, target: ast.expr, value: ast.expr, bound: Mapping[str, int]) -> None:
        """Record the ids that a constant holds. A name that is bound more than once is a variable, and not recorded."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, its in zip(target.elts, value.elts, strict=True):
                self._assign(one, its, bound)
        elif isinstance(target, ast.Name) and target.id not in REGISTRY and (target.id.isupper() or bound[target.id] == 1):
            self.literals[target.id] = self.literals.get(target.id, set()) | written(value)

    def ids_in(self, node: ast.expr) -> set[str]:
        """The ids in an expression: spelled out, or held by a constant that it names."""
        if isinstance(node, ast.Name):
            if node.id in self.literals:
                return self.literals[node.id]
            return self._elsewhere(self.sources.get(node.id, ""))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = self.sources.get(node.value.id, "").replace(":", ".")
            return self._elsewhere(f"{module}:{node.attr}") if node.attr.isupper() else set()
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            return set[str]().union(*(self.ids_in(one) for one in node.elts))
        if isinstance(node, ast.Starred):
            return self.ids_in(node.value)
        if isinstance(node, ast.BinOp):
            return self.ids_in(node.left) | self.ids_in(node.right)
        return written(node)

    def _elsewhere(self, source: str) -> set[str]:
        module, _, name = source.partition(":")
        return self.imported[module].literals.get(name, set()) if module in self.imported else set()

    def comparisons(self) -> Iterator[tuple[int, str]]:
        """Yield the line and the ids of every comparison with a literal id, and of every table with ids as keys."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                if not any(last_name(side) in OTHER_WORDS for side in sides):
                    yield from ((node.lineno, name) for side in sides for name in sorted(self.ids_in(side)))
            elif isinstance(node, ast.Match) and last_name(node.subject) not in OTHER_WORDS:
                for part in (part for case in node.cases for part in ast.walk(case.pattern)):
                    if isinstance(part, ast.MatchValue):
                        yield from ((part.lineno, name) for name in sorted(self.ids_in(part.value)))
            elif isinstance(node, ast.Dict):
                keys = [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
                yield from table_rows(node.lineno, keys)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
                yield from table_rows(node.lineno, [word.arg for word in node.keywords if word.arg])


def is_store(node: ast.Name) -> bool:
    """Whether the name is assigned here."""
    return isinstance(node.ctx, ast.Store)


def written(node: ast.expr) -> set[str]:
    """The ids in a literal: a string, or a collection of strings."""
    if isinstance(node, ast.Constant):
        return {node.value} & IDS if isinstance(node.value, str) else set()
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return set[str]().union(*(written(one) for one in node.elts))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("frozenset", "set", "tuple"):
        return set[str]().union(*(written(one) for one in node.args))
    return set()


def table_rows(line: int, keys: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the ids that are keys of a dictionary, if at least half of its keys are: a table of parameters may have one key
    that only looks like an id."""
    ids = [key for key in keys if key in IDS]
    if 2 * len(ids) >= len(keys):
        yield from ((line, name) for name in ids)


def last_name(node: ast.expr) -> str:
    """The name of an expression: `need`, or the last part of `algorithm.needs`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("lower", "strip"):
        return last_name(node.func.value)
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def owner(path: Path) -> str:
    """The id of the game or the algorithm that a file defines; empty if it defines none."""
    parts = path.parts
    if len(parts) < 3 or parts[0] != "engines" or parts[1] not in ("games", "search"):
        return ""
    return parts[2].removesuffix(".py").replace("_", "-")


def all_comparisons() -> list[str]:
    """`file:line id` of every comparison with a literal id outside its own file, in the whole product."""
    paths = [path for top in ("engines", "positions", "workbench") for path in sorted((ROOT / top).rglob("*.py"))]
    modules: dict[str, Module] = {}
    for path in paths:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        modules[name] = Module(path.read_text(), modules)
    found = []
    for path, module in zip(paths, modules.values(), strict=True):
        place = path.relative_to(ROOT)
        found += [f"{place}:{line} {name}" for line, name in module.comparisons() if name != owner(place)]
    return found


def test_nobody_compares_an_id_with_a_literal() -> None:
    found = all_comparisons()
    assert found == [], "declare what differs on Game or Algorithm:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "if game.id == 'chess': pass",
        "if 'chess' != study.game: pass",
        "if game in (None, 'chess'): pass",
        "if name not in {'tree', 'graph'}: pass",
        "small = [one for one in names if one == 'tictactoe']",
        "STRONG = ('pvs', 'mtdf')\nif algorithm in STRONG: pass",
        "FIRST, LAST = 'deepening', 'random'\nif algorithm == LAST: pass",
        "STRONG: tuple[str, ...] = ('pvs',)\nok = algorithm in (*STRONG, 'other')",
        "STRONG = frozenset(('pvs', 'mtdf'))\nif algorithm in STRONG: pass",
        "FIRST = {'chess'}\nif game.lower() in FIRST | {'other'}: pass",
        "def f(name):\n    slow = 'nested'\n    return name == slow",
        "match game:\n    case 'chess' | 'other': pass",
        "SECONDS = {'chess': 18.0}",
        "x = Parameter(name='quiescence', default_for={'chess': True, 'breakthrough': True})",
        "depth = {'chess': 4, 'usual': 6}.get(game)",
        "depths = dict(chess=4)",
    ],
)
def test_every_kind_of_comparison_is_found(text: str) -> None:
    assert list(Module(text).comparisons())


def test_constants_of_other_modules_are_known() -> None:
    modules = {"a.b": Module("PROVER = 'dfpn'")}
    assert list(Module("from a.b import PROVER\nif name == PROVER: pass", modules).comparisons())
    assert list(Module("from a import b\nif name == b.PROVER: pass", modules).comparisons())


@pytest.mark.parametrize(
    "text",
    [
        "ALGORITHM = 'deepening'\nsearch(catalog.algorithm(ALGORITHM))",
        "def f(game='connect4'): pass",
        "if need == 'graph' or 'uci' in algorithm.needs: pass",
        "if name in GAMES: pass",
        "RULES = {'chess', 'standard'}\nif variant.strip().lower() in RULES | {'normal'}: pass",
        "names = {'beam': 0, 'null_move': False, 'futility': False}",
        "if game.has_pgn: pass",
        "def f(game, text):\n    if text: game = 'chess'\n    return game == text",
    ],
)
def test_a_default_choice_and_other_words_are_no_comparison(text: str) -> None:
    assert not list(Module(text).comparisons())


def test_an_id_belongs_to_its_own_files() -> None:
    assert owner(Path("engines/games/chess/game.py")) == owner(Path("engines/games/chess.py")) == "chess"
    assert owner(Path("engines/search/monte_carlo.py")) == "monte-carlo"
    assert owner(Path("engines/solved/chess_endings.py")) == ""
