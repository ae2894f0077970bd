"""The format of a portable session: a zip whose first file, `manifest.json`, names all the others with sizes and hashes.

Read as untrusted input. Nothing is unpacked under a name that stands in the file: whoever reads asks for a file of the
manifest, and says where it goes. Sizes are looked at before anything is unpacked, and hashes before anything is believed.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Annotated

import msgspec
from msgspec import Meta, Struct

from engines.contract import InputError, shown
from engines.storage.files import write_safely
from engines.storage.npz import ALWAYS_ALLOWED, BEST_PACKING
from workbench.sessions.codec import UNREADABLE
from workbench.sessions.types import Moment
from workbench.version import version

FORMAT = "plybench portable session 1"
SUFFIX = ".plybench"
MANIFEST, SESSION = "manifest.json", "session.json"
LARGEST_MANIFEST = 10_000_000
MOST_FILES = 10_000
CHUNK = 1 << 20
_MARK = re.compile(r"plybench portable session ([0-9]{1,9})")


class PortableFile(Struct, frozen=True, kw_only=True):
    """A file of a portable session."""

    path: str
    bytes: Annotated[int, Meta(ge=0)]
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Manifest(Struct, frozen=True, kw_only=True):
    """What is in a portable session, and who wrote it."""

    format: str
    plybench: str
    """The version of Plybench that wrote it."""
    made: Moment
    name: str
    """The name of the session."""
    files: tuple[PortableFile, ...]


class _ManifestHead(Struct):
    format: str


def is_portable(path: Path) -> bool:
    """Whether a file says by its name or by its first bytes that it is a portable session; whether it is good is another
    question."""
    if path.name.lower().endswith(SUFFIX):
        return True
    with path.open("rb") as stream:
        head = stream.read(30 + len(MANIFEST))
    return head.startswith(b"PK\x03\x04") and head.endswith(MANIFEST.encode())


# Writing.


def write(path: Path, name: str, session: bytes, files: Mapping[str, Path]) -> Manifest:
    """Write a session and the files that belong to it, whole or not at all."""
    rows = [PortableFile(path=SESSION, bytes=len(session), sha256=hashlib.sha256(session).hexdigest())]
    for called, file in files.items():
        rows.append(_row(called, file))
    manifest = Manifest(format=FORMAT, plybench=version(), made=_now(), name=name, files=tuple(rows))
    described = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    with write_safely(path) as stream, zipfile.ZipFile(stream, "w") as packed:
        _put(packed, MANIFEST, described)
        _put(packed, SESSION, session)
        for called, file in files.items():
            with file.open("rb") as source, packed.open(_entry(called), "w") as sink:
                while chunk := source.read(CHUNK):  # tapes and proofs are compressed already
                    sink.write(chunk)
    return manifest


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def _row(called: str, file: Path) -> PortableFile:
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
        return PortableFile(path=called, bytes=stream.tell(), sha256=found)


def _put(packed: zipfile.ZipFile, called: str, content: bytes) -> None:
    """Compressed, unless that would be so good that a reader has to take it for a trap."""
    entry = _entry(called)
    if len(content) <= BEST_PACKING * len(zlib.compress(content, 6)) // 2:
        entry.compress_type = zipfile.ZIP_DEFLATED
    packed.writestr(entry, content)


def _entry(called: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(called)
    entry.external_attr = 0o644 << 16
    return entry


# Reading.


@contextmanager
def reading(path: Path) -> Iterator[PortableArchive]:
    """A portable session, open for reading; an InputError if it is none, of a newer Plybench, or damaged at first sight."""
    try:
        with path.open("rb") as stream:
            yield PortableArchive(stream, path.name)
    except OSError as error:
        raise InputError(f"{shown(str(path), 80)} cannot be read: {error.strerror or 'it is damaged'}.") from None


class PortableArchive:
    """A portable session in an open file."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self.name, self.where = name, shown(name, 80)
        self._packed = self._opened(stream)
        self._entries = {entry.filename: entry for entry in self._packed.infolist()}
        stream.seek(0, 2)
        self._check_sizes(stream.tell())
        self.manifest = self._read_manifest()
        self.files = {file.path: file for file in self.manifest.files if file.path != SESSION}
        """Those beside the session itself."""
        self._check_entries()

    def session(self) -> bytes:
        """The content of the session's file."""
        (row,) = (file for file in self.manifest.files if file.path == SESSION)
        return b"".join(self.content(row))

    def content(self, file: PortableFile) -> Iterator[bytes]:
        """What is in a file, piece by piece; an InputError, at its end if not before, if the manifest says otherwise."""
        digest, length = hashlib.sha256(), 0
        for chunk in self._chunks(file.path):
            length += len(chunk)
            digest.update(chunk)
            if length > file.bytes:
                break
            yield chunk
        if length != file.bytes or digest.hexdigest() != file.sha256:
            raise self._damaged(f"its {shown(file.path)} is not what was packed")

    def _chunks(self, called: str) -> Iterator[bytes]:
        try:
            with self._packed.open(self._entries[called]) as source:
                while chunk := source.read(CHUNK):
                    yield chunk
        except GeneratorExit:
            raise
        except Exception:  # noqa: BLE001 - zip and zlib raise what they like at a damaged file
            raise self._damaged(f"its {shown(called)} cannot be unpacked") from None

    def _damaged(self, why: str) -> InputError:
        return InputError(f"The portable session {self.where} is damaged: {why}.")

    def _foreign(self) -> InputError:
        return InputError(f"{self.where} is not a portable session of Plybench, or one that was cut short.")

    def _opened(self, stream: IO[bytes]) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(stream)
        except Exception:  # noqa: BLE001 - as above
            raise self._foreign() from None

    def _check_sizes(self, size: int) -> None:
        """An InputError if it would unpack to more than such a file can hold."""
        if len(self._packed.infolist()) > MOST_FILES:
            raise self._damaged(f"it has more than {MOST_FILES:,} files")
        if sum(entry.file_size for entry in self._entries.values()) > ALWAYS_ALLOWED + BEST_PACKING * size:
            raise self._damaged("it would unpack to much more than such a file can hold")

    def _read_manifest(self) -> Manifest:
        """What the file says it is; its format is asked for before anything else."""
        entry = self._entries.get(MANIFEST)
        if entry is None:
            raise self._foreign()
        if entry.file_size > LARGEST_MANIFEST:
            raise self._damaged("its list of files is too long")
        content = b"".join(self._chunks(MANIFEST))
        try:
            found = msgspec.json.decode(content, type=_ManifestHead).format
            mark = _MARK.fullmatch(found)
            if mark and int(mark[1]) > int(FORMAT.rpartition(" ")[2]):
                sentence = f"{self.where} was written by a newer Plybench ({found}); this one reads {FORMAT}."
                raise InputError(sentence)
            if found != FORMAT:
                raise self._foreign()
            return msgspec.json.decode(content, type=Manifest)
        except UNREADABLE:
            raise self._damaged("its list of files cannot be read") from None

    def _check_entries(self) -> None:
        """An InputError if the manifest and the zip do not have the same files, each once."""
        listed = [file.path for file in self.manifest.files]
        found = [entry.filename for entry in self._packed.infolist()]
        if listed.count(SESSION) != 1:
            raise self._damaged("it has no session, or more than one")
        if len(set(listed)) != len(listed) or len(set(found)) != len(found):
            raise self._damaged("it has a file twice")
        if set(found) != {MANIFEST, *listed}:
            (odd, *_) = sorted(set(found) ^ {MANIFEST, *listed})
            raise self._damaged(f"{shown(odd, 60)} is in it or in its list of files, and not in both")
        for file in self.manifest.files:
            if self._entries[file.path].file_size != file.bytes:
                raise self._damaged(f"its {shown(file.path)} is not as long as it was")
