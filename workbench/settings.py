"""The user's settings: where opening books and endgame tables are, the app's theme and pictures, and other keys for it.

They are in `settings.toml` in the user's configuration directory; `PLYBENCH_CONFIG` names another directory. A variable of
the environment goes before the file, and the usual places of books and tables are looked at where neither says anything.
The table `[keys]` gives actions of the app other keys: `run = "r"`, `take_back = ["z", "backspace"]`; tables such as
`[keys.tree]` do so for the other screens and the dialogs.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from msgspec import Struct

from engines.contract import InputError, instead, shown
from engines.storage.files import write_safely
from engines.storage.toml import TomlError, read_toml

if TYPE_CHECKING:
    from engines.position import Position
    from positions.references import Kind, References

KEYS = "keys"
"""The table of the file that gives actions other keys."""
THEME = "theme"
"""The name of the app's theme, which the app writes when another one is chosen."""

PICTURES = "pictures"
"""Whether the app shows men as real pictures."""
Pictures = Literal["auto", "on", "off"]
"""Where the terminal can show them; also inside tmux or screen, and the app says why if it cannot; or never."""

Source = Literal["default", "file", "environment"]


class Declared(Struct, frozen=True, kw_only=True):
    """A setting, declared once."""

    name: Kind
    sentence: str
    many: bool
    """Whether it is a list of directories, or one file."""
    usual: tuple[str, ...]
    """Where such things are, if no setting says otherwise."""

    @property
    def variable(self) -> str:
        """The variable of the environment that goes before the file."""
        return f"PLYBENCH_{self.name.upper()}"

    @property
    def expected(self) -> str:
        """What belongs into the file."""
        return 'a list of directories in quotation marks, ["/a", "/b"]' if self.many else "a path in quotation marks"


DECLARED = (
    Declared(
        name="book",
        sentence="an opening book for chess in Polyglot's format",
        many=False,
        usual=(
            "/usr/share/games/gnuchess/book.bin",
            "/usr/share/gnuchess/smallbook.bin",
            "/usr/local/share/gnuchess/smallbook.bin",
            "/opt/homebrew/share/gnuchess/smallbook.bin",
        ),
    ),
    Declared(
        name="syzygy",
        sentence="directories of Syzygy endgame tables",
        many=True,
        usual=("/usr/share/syzygy", "/usr/local/share/syzygy", "/var/lib/syzygy", "~/.local/share/syzygy"),
    ),
    Declared(
        name="gaviota",
        sentence="directories of Gaviota endgame tables",
        many=True,
        usual=("/usr/share/gaviotatb", "/usr/local/share/gaviotatb", "/var/lib/gaviotatb", "~/.local/share/gaviotatb"),
    ),
)


class Settings(Struct, frozen=True, kw_only=True):
    """All settings; empty ones are switched off, or nothing was found."""

    book: str = ""
    syzygy: tuple[str, ...] = ()
    gaviota: tuple[str, ...] = ()


class SettingRow(Struct, frozen=True, kw_only=True):
    """A setting with where it comes from and what is there."""

    name: str
    sentence: str
    value: str | tuple[str, ...]
    source: Source
    variable: str
    """The variable of the environment that goes before the file."""
    found: int
    """How many entries the book has, or how many tables there are."""
    notes: tuple[str, ...]


class SettingsReport(Struct, frozen=True, kw_only=True):
    """All settings, or one, for a person or a script."""

    file: str
    settings: tuple[SettingRow, ...]


def settings_path() -> Path:
    """The user's settings file, which need not exist."""
    return _config_directory() / "settings.toml"


def _config_directory() -> Path:
    if given := os.environ.get("PLYBENCH_CONFIG"):
        return Path(_absolute(given))
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData/Roaming") / "plybench"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/plybench"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config").absolute() / "plybench"


def read_settings() -> Settings:
    """What is set; an InputError if the settings file is broken. The paths need not exist, but for the defaults."""
    found = {setting.name: paths for setting, (paths, _) in _found().items()}
    return Settings(book="".join(found["book"]), syzygy=found["syzygy"], gaviota=found["gaviota"])


def _found() -> dict[Declared, tuple[tuple[str, ...], Source]]:
    """The paths of each setting, and where they come from."""
    file = _read_file(_text())
    found: dict[Declared, tuple[tuple[str, ...], Source]] = {}
    for setting in DECLARED:
        given = os.environ.get(setting.variable)
        if given is not None:
            found[setting] = _split(given, setting), "environment"
        elif setting.name in file:
            found[setting] = file[setting.name], "file"
        else:
            there = tuple(path for path in map(_absolute, setting.usual) if _exists(path))
            found[setting] = there if setting.many else there[:1], "default"
    return found


def _split(text: str, setting: Declared) -> tuple[str, ...]:
    """The paths in what the user typed: several are separated as in PATH; nothing means none."""
    parts = text.split(os.pathsep) if setting.many else [text]
    return tuple(_absolute(part.strip()) for part in parts if part.strip())


def _absolute(path: str, directory: Path | None = None) -> str:
    """A path with `~` replaced, seen from a directory or from the current one."""
    with contextlib.suppress(RuntimeError):  # there is no such user: then it is a name with a ~
        path = str(Path(path).expanduser())
    return str(Path(path).absolute() if directory is None else directory / path)


def _exists(path: str) -> bool:
    with contextlib.suppress(OSError):  # a path that cannot be examined counts as missing
        return Path(path).exists()
    return False


def _text() -> str:
    """The text of the settings file, empty if there is none."""
    path = settings_path()
    try:
        return path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise InputError(f"The settings file {shown(str(path), 200)} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"The settings file {shown(str(path), 200)} is not text in UTF-8.") from None


def _parse(text: str) -> dict[str, Any]:
    try:
        return read_toml(text)
    except TomlError as error:
        raise InputError(f"The settings file {shown(str(settings_path()), 200)} is not valid TOML: {error}.") from None


def _read_file(text: str) -> dict[str, tuple[str, ...]]:
    """The settings in the text of the file, checked."""
    found: dict[str, tuple[str, ...]] = {}
    for name, value in _parse(text).items():
        if name in (KEYS, THEME, PICTURES):
            continue  # the app's own; see `read_keys`, `read_theme` and `read_pictures`
        where = f"In the settings file {shown(str(settings_path()), 200)}"
        setting = next((setting for setting in DECLARED if setting.name == name), None)
        if setting is None:
            hint = instead(name, (*_names(), THEME, PICTURES, f"[{KEYS}]"))
            raise InputError(f"{where}, {shown(name)} is not a setting.{hint}")
        paths = [value] if isinstance(value, str) else value if setting.many and isinstance(value, list) else None
        if paths is None or not all(isinstance(path, str) for path in paths):
            raise InputError(f"{where}, {name} is not {shown(str(value))} but {setting.expected}.")
        if any("\0" in path for path in paths):
            raise InputError(f"{where}, {name} has a NUL character in it, which no path can have.")
        found[name] = tuple(_absolute(path, settings_path().parent) for path in paths if path)
    return found


def read_keys() -> dict[str, list[str]]:
    """The keys that the file gives to actions, by the action's name; an InputError if there is something else."""
    where = f"In the settings file {shown(str(settings_path()), 200)}"
    table = _parse(_text()).get(KEYS, {})
    if not isinstance(table, dict):
        raise InputError(f'{where}, keys is not {shown(str(table))} but a table: [keys], and then lines such as run = "r".')
    places = {place: some for place, some in table.items() if isinstance(some, dict)}
    flat = {name: value for name, value in table.items() if name not in places}
    flat |= {f"{place}.{name}": value for place, some in places.items() for name, value in some.items()}
    found: dict[str, list[str]] = {}
    for name, value in flat.items():
        keys = [value] if isinstance(value, str) else value
        if not isinstance(keys, list) or not all(isinstance(key, str) and key for key in keys):
            raise InputError(
                f'{where}, the key of {shown(name)} is not {shown(str(value))} but written as "r" or ["r", "f5"].'
            )
        found[name] = keys
    return found


def _names() -> list[str]:
    return [setting.name for setting in DECLARED]


def declared(name: str) -> Declared:
    """The setting of this name."""
    for setting in DECLARED:
        if setting.name == name:
            return setting
    raise InputError(f"There is no setting {shown(name)}.{instead(name, _names())}")


def write_setting(name: str, text: str | None) -> None:
    """Write one setting to the file and leave the rest as it is. An empty text switches it off; None removes it, so that
    the usual places are looked at again. Directories are separated as in PATH."""
    setting = declared(name)
    paths = _split(text, setting) if text is not None else ()
    _write(name, None if text is None else list(paths) if setting.many else "".join(paths))


def read_theme() -> str:
    """The name of the theme that was chosen last; empty if none was. An InputError if the file is broken."""
    name = _parse(_text()).get(THEME, "")
    if not isinstance(name, str):
        raise InputError(
            f"In the settings file {shown(str(settings_path()), 200)}, theme is not {shown(str(name))} but a name in "
            'quotation marks, theme = "light".'
        )
    return name


def read_pictures() -> Pictures:
    """Whether the app shows men as real pictures; an InputError if the file says something else."""
    wanted = _parse(_text()).get(PICTURES, "auto")
    for known in get_args(Pictures):
        if wanted == known:
            return cast(Pictures, known)
    raise InputError(
        f"In the settings file {shown(str(settings_path()), 200)}, pictures is not {shown(str(wanted))} but one of "
        '"auto", "on" and "off", in quotation marks: pictures = "auto".'
    )


def write_theme(name: str) -> None:
    """Remember a theme."""
    _write(THEME, name)


def _write(name: str, value: str | list[str] | None) -> None:
    """Write one line of the file, or remove it, and leave the rest as it is."""
    old = _text()
    wanted = _parse(old)
    wanted.pop(name, None)
    lines = _without(old.rstrip("\n").split("\n") if old else [], name)
    if value is not None:
        wanted[name] = value
        text = _quoted(value) if isinstance(value, str) else f"[{', '.join(map(_quoted, value))}]"
        top = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
        lines.insert(top, f"{name} = {text}")  # above any [table]
    new = "".join(f"{line}\n" for line in lines)
    path = settings_path()
    if _parse(new) != wanted:
        raise InputError(f"{name} cannot be changed in {shown(str(path), 200)}; please edit that file by hand.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{shown(str(path.parent), 200)} cannot be made: {error.strerror}.") from None
    with write_safely(path) as file:
        file.write(new.encode())


def _without(lines: list[str], name: str) -> list[str]:
    """The lines of a TOML file without those that set `name`: from its `name =` on until they are a valid whole."""
    start = next((i for i, line in enumerate(lines) if re.match(rf"""\s*(["']?){name}\1\s*=""", line)), None)
    if start is None:
        return lines
    for end in range(start + 1, len(lines) + 1):
        with contextlib.suppress(TomlError):
            read_toml("\n".join(lines[start:end]))
            return lines[:start] + lines[end:]
    return lines


def _quoted(path: str) -> str:
    """A TOML string."""
    try:
        path.encode()
    except UnicodeEncodeError:
        raise InputError(f"A settings file cannot have {shown(path, 200)}: it is not text in UTF-8.") from None
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda letter: f"\\u{ord(letter[0]):04x}", escaped) + '"'


def report(name: str | None = None) -> SettingsReport:
    """All settings, or one, with where each comes from and what is there."""
    from positions.references import ReferenceSources

    if name is not None:
        declared(name)
    found, settings = _found(), read_settings()
    with ReferenceSources(settings.book, settings.syzygy, settings.gaviota) as sources:
        holdings = sources.holdings()
    return SettingsReport(
        file=str(settings_path()),
        settings=tuple(
            SettingRow(
                name=setting.name,
                sentence=setting.sentence,
                value=paths if setting.many else "".join(paths),
                source=source,
                variable=setting.variable,
                found=holdings[setting.name].count,
                notes=holdings[setting.name].notes,
            )
            for setting, (paths, source) in found.items()
            if name in (None, setting.name)
        ),
    )


def references_for(position: Position) -> References | None:
    """What the user's books and tables know of a position; None if there are none of its game."""
    if not position.game.has_references:
        return None
    from positions.references import look_up

    settings, fen = read_settings(), position.game.board_text(position.state)
    chess960 = bool(position.game.options["chess960"])
    return look_up(fen, settings.book, settings.syzygy, settings.gaviota, chess960=chess960)
