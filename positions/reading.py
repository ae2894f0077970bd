"""The text of a file, line by line, however large it is: no more of it is in memory than one line."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from engines.contract import InputError, shown

LONGEST_LINE = 4_000_000
"""Characters: a longer line is no text that a person or a program wrote."""
BLOCK = 1 << 20
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Characters that would do things to a terminal."""


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a file in UTF-8, UTF-16 with a byte order mark, or else Latin-1, each with a newline at its end.

    An InputError if there is no such file, or it is no text.
    """
    name = shown(str(path), 80)
    try:
        check_file(path)
        with path.open(encoding=_encoding(path), newline=None) as stream:
            while line := stream.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise InputError(f"{name} has a line of more than {LONGEST_LINE:,} characters.")
                yield _CONTROLS.sub("\ufffd", line if line.endswith("\n") else line + "\n")
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from None


def check_file(path: Path) -> None:
    """An InputError if this is not a file with something in it."""
    name = shown(str(path), 80)
    if path.is_dir():
        raise InputError(f"{name} is a directory, not a file.")
    if not path.exists():
        raise InputError(f"There is no file {name}.")
    if not path.is_file():
        raise InputError(f"{name} is not a file that can be read.")


def _encoding(path: Path) -> str:
    """How the file is encoded; an InputError if it is not text, or there is nothing in it. All of it is looked at."""
    name = shown(str(path), 80)
    with path.open("rb") as stream:
        first = stream.read(2)
    wide = first in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    found = "utf-16" if wide else "utf-8-sig"
    decoder = codecs.getincrementaldecoder(found)()
    blank = True
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            if found == "latin-1":
                text = block.decode(found)
            else:
                try:
                    text = decoder.decode(block)
                except UnicodeDecodeError:
                    found, text = "latin-1", block.decode("latin-1")
            if "\0" in text:
                raise InputError(f"{name} has NUL bytes in it, so it is not a text file.")
            blank = blank and not text.strip("\ufeff \t\r\n")
    if found != "latin-1":
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            found = "latin-1"
    if blank:
        raise InputError(f"{name} is empty.")
    return found
