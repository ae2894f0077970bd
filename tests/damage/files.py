"""Damaged files, the same ones in every run: bytes, JSON documents and archives.

`mutation.py` makes the slips of people who type. Here whole files are damaged: anywhere in their bytes, or in their meaning
(a number that is too large, a missing key, a list that is too short), which a reader finds only by checking what it has
read. `damaged` does both.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Damage = Callable[[bytes, random.Random], bytes]
DIGITS = 5_000
"""More digits than Python converts to an integer (4,300)."""
BOMB = 60_000_000
"""The bytes to which a small compressed file may expand: more than any reader here needs."""

NUMBERS = (
    *("0", "-0", "1", "-1", "2", "7", "255", "256", "65536", "2147483647", "2147483648", "-2147483649", "4294967296"),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809"),
    *("18446744073709551615", "18446744073709551616", "1" + "0" * 30, "-1" + "0" * 30, "9" * DIGITS, "-" + "9" * DIGITS),
    *("0.5", "-0.0", "1.0", "2.5", "1e308", "1e400", "-1e400", "1e-400", "NaN", "Infinity", "-Infinity", "1e5000"),
)
"""Numbers as written in a file: at the limits of machine types, and beyond."""

TEXTS = (
    *("", " ", ".", "-", "0", "-1", "9" * DIGITS, "startpos", "e2e4", "a1", "1. e4", "\x00", "a\x00b", "\x1b[31m", "\n"),
    *("\u2028", "\ud800", "é", "½", "²", "٣", "x" * 3_000, "../../etc/passwd", "/dev/null", "[bold]", "[/]", "null"),
    *(
        "chess",
        "connect4",
        "tictactoe",
        "alphabeta",
        "uct",
        "2026-02-30T25:61:00Z",
        "w",
        "KQkq",
        "8/8/8/8/8/8/8/8 w - - 0 1",
    ),
)


class Number(str):
    """A number as it is written in the file, since some of them have no Python equivalent."""


class Pairs(list[tuple[str, Any]]):
    """A JSON object as pairs, so that a key can occur twice."""


def damaged(originals: Sequence[bytes], count: int, seed: int = 1, damages: Sequence[Damage] = ()) -> Iterator[bytes]:
    """Yield so many files with one to three damages each, of the given kinds or of those that suit the file."""
    chance = random.Random(seed)
    for number in range(count):
        data = originals[number % len(originals)]
        kinds = damages or suitable(data)
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            data = chance.choice(kinds)(data, chance)
        yield data


def suitable(data: bytes) -> tuple[Damage, ...]:
    """The kinds of damage that suit a file: half of the time to its meaning, if its format is known here."""
    anywhere = (in_bytes, in_bytes, cut_short)
    if data[:1] in (b"{", b"["):
        return (in_json, in_json, in_json, *anywhere)
    if data[:4] == b"PK\x03\x04":
        return (in_archive, in_archive, in_archive, *anywhere)
    if data[:2] == b"\x1f\x8b":
        return (in_gzip, in_gzip, in_gzip, *anywhere)
    if b"\x00" not in data:
        return (in_lines, in_lines, in_number, *anywhere)
    return anywhere


def in_bytes(data: bytes, chance: random.Random) -> bytes:
    """Change, delete or insert a few bytes, or overwrite them with others of the file."""
    place = chance.randrange(len(data) + 1)
    length = chance.choice((1, 1, 2, 4, 8, 64))
    match chance.randrange(7):
        case 0:
            bit = 1 << chance.randrange(8)
            return data[:place] + bytes(byte ^ bit for byte in data[place : place + 1]) + data[place + 1 :]
        case 1:
            return data[:place] + data[place + length :]
        case 2:
            return data[:place] + chance.randbytes(length) + data[place:]
        case 3:
            return data[:place] + chance.randbytes(length) + data[place + length :]
        case 4:
            other = chance.randrange(len(data) + 1)
            return data[:place] + data[other : other + length] + data[place + length :]
        case 5:
            # a binary number: in a header it makes lengths absurd
            number = chance.choice((0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF))
            return data[:place] + struct.pack(chance.choice("<>") + "I", number) + data[place + 4 :]
        case _:
            odd = (b"\x00", b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\n", b"\x1a", b"\x80")
            return data[:place] + chance.choice(odd) + data[place:]


def cut_short(data: bytes, chance: random.Random) -> bytes:
    """What a full disk or an interrupted copy leaves: only a beginning or an end, zeros for the rest, or the file twice."""
    place = chance.randrange(len(data) + 1)
    match chance.randrange(6):
        case 0 | 1 | 2:
            return data[:place]
        case 3:
            return data[place:]
        case 4:
            return data[:place] + b"\x00" * (len(data) - place)
        case _:
            return data + data[place:]


def in_lines(data: bytes, chance: random.Random) -> bytes:
    """Delete, repeat, split or move a line."""
    lines = data.split(b"\n")
    place, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            del lines[place]
        case 1:
            lines.insert(other, lines[place])
        case 2:
            lines[place], lines[other] = lines[other], lines[place]
        case _:
            lines[place] = lines[place][: chance.randrange(len(lines[place]) + 1)]
    return b"\n".join(lines)


def in_number(data: bytes, chance: random.Random) -> bytes:
    """Replace one number in a text by an unusual one."""
    starts = [i for i in range(len(data)) if data[i : i + 1].isdigit() and not data[i - 1 : i].isdigit()]
    if not starts:
        return in_bytes(data, chance)
    start = end = chance.choice(starts)
    while data[end : end + 1].isdigit():
        end += 1
    return data[:start] + chance.choice(NUMBERS).encode() + data[end:]


def in_json(data: bytes, chance: random.Random) -> bytes:
    """Damage one value in a JSON document, or in one line of JSON lines; the result is usually still JSON."""
    lines = data.split(b"\n")
    try:
        document = _parsed(data)
        lines, place = [data], 0
    except (ValueError, RecursionError):
        place = chance.randrange(len(lines))
        try:
            document = _parsed(lines[place])
        except (ValueError, RecursionError):
            return in_bytes(data, chance)
    places = list(_places(document, None, 0))
    holder, index = chance.choice(places)
    if holder is None:
        document = _other(document, chance)
    elif chance.randrange(3) == 0 and len(holder):
        _rearrange(holder, index, chance)
    else:
        _put(holder, index, _other(_at(holder, index), chance))
    lines[place] = _written(document)
    return b"\n".join(lines)


def in_archive(data: bytes, chance: random.Random) -> bytes:
    """Damage one member of a ZIP archive (such as an .npz file): its content or its name; delete or repeat it, or make it a
    bomb."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(entry.filename, archive.read(entry)) for entry in archive.infolist()]
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, ValueError, zlib.error):
        return in_bytes(data, chance)
    if not members:
        return in_bytes(data, chance)
    place = chance.randrange(len(members))
    name, inside = members[place]
    match chance.randrange(8):
        case 0:
            del members[place]
        case 1:
            members[place] = (chance.choice(("", "x.npy", "../x", "a" * 300, members[0][0])), inside)
        case 2:
            members.append((name, inside))
        case 3:
            members[place] = (name, inside + b"\x00" * chance.choice((1, 8, 10_000, chance.choice((10_000, BOMB)))))
        case 4:
            other = chance.randrange(len(members))
            members[place], members[other] = (name, members[other][1]), (members[other][0], inside)
        case _:
            members[place] = (name, _in_array(inside, chance))
    out = io.BytesIO()
    packing = chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    if sum(len(content) for _, content in members) > BOMB // 10:
        packing = zipfile.ZIP_DEFLATED
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", packing, compresslevel=1) as archive:
        warnings.simplefilter("ignore")  # a name may occur twice
        for member, content in members:
            archive.writestr(zipfile.ZipInfo(member), content)
    return out.getvalue()


def in_gzip(data: bytes, chance: random.Random) -> bytes:
    """Damage the content of a gzip file and compress it again, or make it a bomb: a small file that expands to many
    zeros."""
    try:
        inside = gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        return in_bytes(data, chance)
    if chance.randrange(8) == 0:
        return gzip.compress(inside + b"\x00" * chance.choice((1, 10_000, BOMB)), 1)
    return gzip.compress(chance.choice(suitable(inside))(inside, chance), 1)


def _in_array(inside: bytes, chance: random.Random) -> bytes:
    """Damage a numpy array: its header, its numbers or its bytes."""
    if inside[:6] != b"\x93NUMPY" or chance.randrange(3) == 0:
        return chance.choice(suitable(inside))(inside, chance)
    start = 10 + int.from_bytes(inside[8:10], "little")
    header, numbers = inside[10:start].decode("latin-1"), inside[start:]
    if chance.randrange(2):
        old, new = chance.choice(
            (
                ("(", f"({chance.choice(NUMBERS)}, "),
                ("(", "(-1, "),
                (",)", f"{chance.choice(('0', '000000', '999'))},)"),
                ("<i4", chance.choice(("<i8", ">i4", "|O", "<f8", "<f4", "|u1", "<U9", "<u8"))),
                ("<i8", chance.choice(("<i4", ">i8", "|O", "<f8", "<M8", "|u1", "<U9", "<u8"))),
                ("|u1", chance.choice(("<i8", "|i1", "|O", "<f8", "|b1", "|S1", "|V1"))),
                ("False", "True"),
                ("{", chance.choice(("{{", "{'x': 1, ", "__import__('os')", ""))),
            )
        )
        header = header.replace(old, new, 1)
        return inside[:8] + struct.pack("<H", min(len(header), 65_535)) + header.encode("latin-1", "replace") + numbers
    if len(numbers) >= 8:
        place = chance.randrange(len(numbers))
        place -= place % chance.choice((1, 4, 8))
        number = chance.choice((0, 1, 2, -1, 7, 127, 255, 65_535, -(2**31), 2**31 - 1, -(2**63), 2**63 - 1, 2**40))
        other = struct.pack("<q", number)[: chance.choice((1, 4, 8))]
        numbers = numbers[:place] + other + numbers[place + len(other) :]
    return inside[:start] + numbers


def _parsed(data: bytes) -> Any:
    number = Number
    return json.loads(data, parse_int=number, parse_float=number, parse_constant=number, object_pairs_hook=Pairs)


def _written(document: Any) -> bytes:
    """A document as bytes. An unpaired surrogate is kept, which is not valid UTF-8."""
    return _text(document).encode("utf-8", "surrogatepass")


def _text(document: Any) -> str:
    if isinstance(document, Number):
        return str(document)
    if isinstance(document, Pairs):
        return "{" + ",".join(f"{json.dumps(key)}:{_text(value)}" for key, value in document) + "}"
    if isinstance(document, list):
        return "[" + ",".join(_text(value) for value in document) + "]"
    return json.dumps(document, ensure_ascii=False)


def _places(value: Any, holder: Any, index: int) -> Iterator[tuple[Any, int]]:
    """Yield every place in a document: its container, and its index there."""
    yield holder, index
    if isinstance(value, list):
        for i in range(len(value)):
            yield from _places(_at(value, i), value, i)


def _at(holder: Any, index: int) -> Any:
    return holder[index][1] if isinstance(holder, Pairs) else holder[index]


def _put(holder: Any, index: int, value: Any) -> None:
    holder[index] = (holder[index][0], value) if isinstance(holder, Pairs) else value


def _rearrange(holder: Any, index: int, chance: random.Random) -> None:
    """Delete, repeat or move an entry; a key may be renamed."""
    other = chance.randrange(len(holder))
    match chance.randrange(5):
        case 0:
            del holder[index]
        case 1:
            holder.insert(other, holder[index])
        case 2:
            mine, theirs = _at(holder, index), _at(holder, other)
            _put(holder, index, theirs)
            _put(holder, other, mine)
        case 3 if isinstance(holder, Pairs):
            holder[index] = (chance.choice((*TEXTS, holder[other][0])), holder[index][1])
        case 3:
            holder.extend(holder * chance.choice((1, 2, 50)))
        case _:
            del holder[index:]


def _other(value: Any, chance: random.Random) -> Any:
    """A replacement for a value: mostly a wrong one of the same type, sometimes one of another type."""
    kind = chance.randrange(8)
    if kind == 0:
        objects = (Pairs(), Pairs([("", None)]), Pairs([("x", value)]))
        return chance.choice((None, True, False, [], [None], [[]], [value], *objects))
    if kind == 1:
        return _nested(chance.choice((3, 200, 5_000)))
    if isinstance(value, Number) and kind < 7:
        if kind < 4 and value.lstrip("-").isdigit() and len(value) < 20:
            return Number(int(value) + chance.choice((-1, 1, -2, 2, 10, 1000)))
        return Number(chance.choice(NUMBERS))
    if isinstance(value, str) and kind < 7:
        if value and kind < 5:
            place = chance.randrange(len(value))
            return value[:place] + chance.choice(("", "x", "\x00", "9", " ", value, "\ud800")) + value[place + 1 :]
        return chance.choice(TEXTS)
    if isinstance(value, bool) and kind < 5:
        return not value
    return Number(chance.choice(NUMBERS)) if kind < 6 else chance.choice(TEXTS)


def _nested(depth: int) -> Any:
    """A deeply nested list, as text, since Python's own writer gives up on it."""
    return Number("[" * depth + "]" * depth)
