"""No module but its own compares the id of a game or an algorithm with a literal: differences are declared as attributes.

Adding a game or an algorithm takes one file and one line in the catalogue. That holds only as long as no other module asks
"is this chess?", or keeps a table with a row for each game. An attribute of `Game` or `Algorithm` answers such a question.

There are many ways to ask it. So two things are looked for: comparisons with a literal, or with a constant that holds one;
and any string that is an id or another name of a game or an algorithm, wherever it stands. A string that is there for a good
reason is in `tests/allowed_ids.py`, with the reason.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import pytest

from engines import catalog
from engines.catalog import ALGORITHMS, GAMES
from engines.game import Game
from tests.allowed_ids import CHOICES, OTHER_WORDS
from tests.copies import ROOT

IDS = {*GAMES, *ALGORITHMS}
REGISTRY = {"GAMES", "ALGORITHMS"}
"""The lists of the catalogue. Asking whether a name is in them treats all ids alike."""
NAMES: Mapping[str, str] = {
    **{name: name for name in IDS},
    **{catalog.game(name).title: name for name in GAMES},
    **{catalog.algorithm(name).name: name for name in ALGORITHMS},
    **{
        catalog.position("startpos", name, settings=dict(options)).game.code: name
        for name in GAMES
        for options in catalog.game(name).variants
    },
}
"""All that a game or an algorithm is called, its id and its title and the name of its code, and the id that goes with it."""
CLASSES = {kind.__name__ for name in GAMES for kind in catalog.game(name).__mro__ if issubclass(kind, Game)} - {"Game"}
"""The classes of single games, and those that some games share. All others know `Game` alone."""
CLASSES_ALLOWED = ("engines/games/", "engines/solved/")
"""Where the classes may be named: where the games are, and what builds their tables of solved positions."""
OF_PREFIX, OF_SUFFIX = ("startswith", "removeprefix"), ("endswith", "removesuffix")
SHORTEST_PART = 3
"""A beginning or an end of an id that is shorter may mean anything."""

DECLARED = ("prover", "suite_algorithms")
"""What a game declares in ids of algorithms."""


class Module:
    """A module's syntax tree, and the literals that its names stand for."""

    def __init__(self, text: str, imported: Mapping[str, Module] | None = None, words: Collection[str] = ()) -> None:
        """`words`: the places in it where a word is no id, though it looks like one."""
        self.tree = ast.parse(text)
        self.imported = imported or {}
        self.words = words
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
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
                if not any(last_name(part) in self.words for side in sides for part in ast.walk(side)):
                    yield from ((node.lineno, name) for side in sides for name in sorted(self.ids_in(side)))
            elif isinstance(node, ast.Match) and last_name(node.subject) not in self.words:
                for part in (part for case in node.cases for part in ast.walk(case.pattern)):
                    if isinstance(part, ast.MatchValue):
                        yield from ((part.lineno, name) for name in sorted(self.ids_in(part.value)))
            elif isinstance(node, ast.Dict):
                keys = [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
                yield from table_rows(node.lineno, keys)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
                yield from table_rows(node.lineno, [word.arg for word in node.keywords if word.arg])

    def strings(self) -> Iterator[tuple[int, str, str]]:
        """Yield the line, the id and the place of every string that names a game or an algorithm."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in NAMES:
                yield node.lineno, NAMES[node.value], self.place(node)
            elif isinstance(node, ast.Call) and last_name(node.func) == "dict":
                yield from ((node.lineno, word.arg, "dict") for word in node.keywords if word.arg in IDS)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                for part in (one.value for one in ast.walk(node) if isinstance(one, ast.Constant)):
                    if isinstance(part, str) and (name := id_with(part, node.func.attr)):
                        yield node.lineno, name, node.func.attr

    def classes(self) -> Iterator[tuple[int, str]]:
        """Yield the line and the name of every mention of the class of a single game."""
        for node in ast.walk(self.tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else [last_name(node)]
            yield from ((getattr(node, "lineno", 0), name) for name in names if name in CLASSES)

    def place(self, node: ast.AST) -> str:
        """Where a string is: the name that it is given to, compared with or looked up in; `default` for the default of a
        parameter or an option, and `declared` for what a game declares. Empty if it is anywhere else."""
        below, above = node, self.parents.get(node)
        while above is not None:
            if isinstance(above, ast.arguments) or (isinstance(above, ast.keyword) and above.arg == "default"):
                return "default"
            if isinstance(above, ast.keyword) and above.arg:
                return above.arg
            if isinstance(above, ast.Compare):
                return next(filter(None, map(last_name, (above.left, *above.comparators))), "")
            if isinstance(above, ast.Subscript) and below is above.slice:
                return last_name(above.value) if not isinstance(self.parents[above], ast.AnnAssign) else self.place(above)
            if isinstance(above, ast.Call) and below is not above.func:
                outer = self.parents[above]
                while isinstance(outer, ast.Call):
                    above, outer = outer, self.parents[outer]
                return last_name(above.func) if not isinstance(outer, ast.Assign) else last_name(outer.targets[0])
            if isinstance(above, ast.Assign | ast.AnnAssign):
                targets = above.targets if isinstance(above, ast.Assign) else [above.target]
                names = [last_name(one) for target in targets for one in getattr(target, "elts", [target])]
                own = isinstance(self.parents[above], ast.ClassDef) and names[0] in DECLARED
                return "declared" if own else names[0]
            if isinstance(above, ast.match_case):
                outer = self.parents[above]
                return last_name(outer.subject) if isinstance(outer, ast.Match) else ""
            if isinstance(above, ast.stmt):
                return ""
            below, above = above, self.parents.get(above)
        return ""


def id_with(part: str, method: str) -> str:
    """The id that begins or ends with a text which a method of strings looks for there; empty if there is none."""
    if len(part) < SHORTEST_PART or part in NAMES:
        return ""
    test = str.startswith if method in OF_PREFIX else str.endswith if method in OF_SUFFIX else None
    return next((name for name in sorted(IDS) if test is not None and test(name, part)), "")


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


def last_name(node: ast.AST) -> str:
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


def listed(places: Mapping[str, Mapping[str, str]], path: Path) -> dict[str, str]:
    """The places that a list names in a file, and the file or folder under which it names them."""
    return {place: key for key, names in places.items() if path.is_relative_to(key) for place in names}


def all_modules() -> dict[Path, Module]:
    """All modules of the product, by their paths."""
    paths = [path.relative_to(ROOT) for top in ("engines", "positions", "workbench") for path in (ROOT / top).rglob("*.py")]
    by_name: dict[str, Module] = {}
    found = {}
    for path in sorted(paths):
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        found[path] = by_name[name] = Module((ROOT / path).read_text(), by_name, listed(OTHER_WORDS, path))
    return found


MODULES = all_modules()


def test_nobody_compares_an_id_with_a_literal() -> None:
    found = [
        f"{path}:{line} {name}"
        for path, module in MODULES.items()
        for line, name in module.comparisons()
        if name != owner(path)
    ]
    assert found == [], "declare what differs on Game or Algorithm:\n" + "\n".join(found)


def test_every_string_that_names_a_game_or_an_algorithm_has_a_reason() -> None:
    found, used = [], set()
    for path, module in MODULES.items():
        words, choices = listed(OTHER_WORDS, path), listed(CHOICES, path)
        for line, name, place in module.strings():
            if name == owner(path) or place in ("default", "declared"):
                continue
            if place not in words and place not in choices:
                found.append(f"{path}:{line} {name} ({place or 'no name'})")
            used |= {(entries[place], place) for entries in (words, choices) if place in entries}
    assert found == [], "declare what differs on Game or Algorithm:\n" + "\n".join(found)
    given = {(key, place) for entries in (OTHER_WORDS, CHOICES) for key, names in entries.items() for place in names}
    assert given - used == set(), "these are gone; take them off the list"


def test_no_class_of_a_single_game_is_named_elsewhere() -> None:
    found = [
        f"{path}:{line} {name}"
        for path, module in MODULES.items()
        if not path.as_posix().startswith(CLASSES_ALLOWED)
        for line, name in module.classes()
    ]
    assert found == [], "ask what Game declares instead:\n" + "\n".join(found)


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


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("return_of(DEPTHS.get('chess'))", "return_of"),
        ("depth = DEPTHS['chess']", "DEPTHS"),
        ("depths['chess'] = 4", "depths"),
        ("depths = dict([('chess', 1)])", "depths"),
        ("depths = dict(chess=1)", "dict"),
        ("depths = {'chess': 4, 'usual': 6, 'least': 2}", "depths"),
        ("if game.id.startswith('chess'): pass", "startswith"),
        ("if game.id.startswith('conn'): pass", "startswith"),
        ("if name.endswith('beta'): pass", "endswith"),
        ("if [game.id].count('chess'): pass", "count"),
        ("place = names.index('chess')", "place"),
        ("if game.title == 'Connect 4': pass", "title"),
        ("if algorithm.name == 'Alpha-beta': pass", "name"),
        ("if game.code == 'tictactoe-3': pass", "code"),
        ("if game.id == f'chess': pass", "id"),
        ("name = 'connect4' if scored else 'chess'", "name"),
        ("def f():\n    return 'connect4' if scored else 'chess'", ""),
        ("class Window:\n    game = 'chess'", "game"),
        ("for name in ('chess', 'graph'): pass", ""),
        ("same = operator.eq(game.id, 'chess')", "same"),
        ("match game.id:\n    case 'chess': pass", "id"),
    ],
)
def test_every_other_way_to_ask_is_found(text: str, place: str) -> None:
    assert {found for _, _, found in Module(text).strings()} == {place}


@pytest.mark.parametrize(
    "text",
    [
        "from engines.games.chess.game import ChessGame",
        "from engines.games import chess\nif isinstance(game, chess.game.ChessGame): pass",
        "if type(game) is ConnectFourGame: pass",
        "match game:\n    case ChessGame(): pass",
        "if isinstance(game, RowGame): pass",
    ],
)
def test_every_class_of_a_game_is_found(text: str) -> None:
    assert list(Module(text).classes())


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("def f(game='connect4'): pass", "default"),
        ("def f(*, game='connect4'): pass", "default"),
        ("option('--game', default='connect4')", "default"),
        ("class ChessGame(Game):\n    prover = 'deepening'", "declared"),
        ("class ChessGame(Game):\n    suite_algorithms: ClassVar = ('deepening', 'alphabeta')", "declared"),
    ],
)
def test_a_default_and_a_declaration_are_known(text: str, place: str) -> None:
    assert {found for _, _, found in Module(text).strings()} == {place}


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
    assert not list(Module(text, words=("need", "needs", "variant")).comparisons())


def test_an_id_belongs_to_its_own_files() -> None:
    assert owner(Path("engines/games/chess/game.py")) == owner(Path("engines/games/chess.py")) == "chess"
    assert owner(Path("engines/search/monte_carlo.py")) == "monte-carlo"
    assert owner(Path("engines/solved/chess_endings.py")) == ""
