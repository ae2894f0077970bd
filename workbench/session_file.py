"""Sessions as text: JSON that a person can read, with one line for each depth of a search.

What cannot be read is refused with a sentence that says what is wrong where. Nothing here touches the disk.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import Struct

from engines.contract import InputError, shown
from workbench.session import FORMAT, Saved, Session, session_of

WIDTH = 110
"""What fits on a line of so many characters is not broken."""
ROWS = ("depths", "root_moves", "lines", "notes")
"""Lists in which everything stands on a line of its own, however long."""
GROUPS = ("options", "parameters", "limit", "table", "pv")
"""What stands on one line, however long."""
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are not the JSON that was asked for."""


class _Head(Struct):
    format: str


def text_of(saved: Saved) -> bytes:
    """The file's content."""
    return (_written(msgspec.to_builtins(saved), "", 0) + "\n").encode()


def read(content: bytes, name: str) -> Session:
    """The session in a file's content; an InputError that begins with the file's name if it cannot be read."""
    where = shown(name, 100)
    _check_format(content, where)
    try:
        return session_of(msgspec.json.decode(content, type=Saved))
    except (*UNREADABLE, InputError) as error:
        raise InputError(f"The session {where} is damaged: {_shortened(str(error))}.") from None


def _check_format(content: bytes, where: str) -> None:
    """An InputError if this is no session, or one of a newer Plybench; asked before anything else in it is read."""
    if not content.strip():
        raise InputError(f"The session {where} is damaged: it is empty.")
    try:
        found = msgspec.json.decode(content, type=_Head).format
    except msgspec.ValidationError:
        raise InputError(f"{where} is not a session of Plybench: nothing in it says so.") from None
    except UNREADABLE as error:
        raise InputError(f"The session {where} is damaged: {_shortened(str(error))}.") from None
    if found == FORMAT:
        return
    if re.fullmatch(r"plybench session [0-9]{1,9}", found) and int(found.split()[-1]) > int(FORMAT.split()[-1]):
        raise InputError(f"The session {where} was written by a newer Plybench ({found}); this one reads {FORMAT}.")
    raise InputError(f"{where} is not a session of Plybench but says it is {shown(found)}.")


def _shortened(message: str, longest: int = 140) -> str:
    """What is wrong, fit to stand inside a sentence."""
    flat = " ".join("".join(letter if letter.isprintable() else "?" for letter in message).split()).rstrip(".")
    return flat if len(flat) <= longest else f"{flat[:longest]}..."


def _written(value: Any, indent: str, taken: int) -> str:
    """JSON on one line if it fits behind what the line has already, or has to; else one part on each line."""
    if not isinstance(value, dict | list | tuple) or not value:
        return _flat(value)
    flat = _flat(value)
    if len(indent) + taken + len(flat) <= WIDTH:
        return flat
    inner = indent + "  "
    if isinstance(value, list | tuple):
        parts = [_written(part, inner, 0) for part in value]
        opening, closing = "[]"
    else:
        parts = [_member(name, part, inner) for name, part in value.items()]
        opening, closing = "{}"
    return opening + ",".join(f"\n{inner}{part}" for part in parts) + f"\n{indent}{closing}"


def _member(name: str, value: Any, indent: str) -> str:
    """A name and its value."""
    key = f"{_flat(name)}: "
    if name in ROWS and isinstance(value, list | tuple) and value:
        rows = ",".join(f"\n{indent}  {_flat(part)}" for part in value)
        return f"{key}[{rows}\n{indent}]"
    return key + (_flat(value) if name in GROUPS else _written(value, indent, len(key)))


def _flat(value: Any) -> str:
    """JSON on one line, with spaces behind commas and colons."""
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
