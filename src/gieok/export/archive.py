"""The zip file of an export, written in pieces and read by line. Format: `docs/importing-and-exporting.md`."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import IO, Any, Final

from gieok.domain.json_text import kept, value_of
from gieok.domain.scope import Scope
from gieok.errors import ErrorText, InvalidExport, InvalidScope
from gieok.ports import Line

FORMAT: Final = "gieok-export"
VERSION: Final = 1  #: increased when older versions cannot read new files
HEAD: Final = "gieok.json"  #: written last: a file without it is truncated
PAGE: Final = "index.html"
DOCUMENTS: Final = "documents"  #: data that programs store beside memories; exported, but not imported
#: in this order, so that references point backwards
TABLES: Final = (
    "scopes", "turns", "items", "utterances", "memories", "operations", "candidates", "changes", "moves", "traces",
    "things",
)  # fmt: skip


def file_of(table: str) -> str:
    return f"{table}.jsonl"


_NAMES: Final = ("user", "character", "world")
_PIECE: Final = 64 * 1024  #: bytes per yielded piece
_FOR_THE_OWNER: Final = 0o600 << 16
_FIRST_YEAR, _LAST_YEAR = 1980, 2107  # the years that a zip can represent
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Contents of the head of the file."""

    user: str
    at: datetime  #: time of the export
    language: str
    embedder: str


@dataclass(slots=True)
class _Buffer:
    """A write buffer that is emptied by reading; it cannot seek."""

    _held: bytearray = field(default_factory=bytearray)

    def write(self, data: bytes, /) -> int:
        self._held += data
        return len(data)

    def flush(self) -> None: ...

    def close(self) -> None: ...

    def taken(self, least: int = 1) -> Iterator[bytes]:
        if len(self._held) >= least:
            yield bytes(self._held)
            self._held.clear()


def packed(
    label: Label,
    scopes: Sequence[Scope],
    lines: Iterable[Line],
    documents: Iterable[Mapping[str, Any]],
    page: Iterable[str],
) -> Iterator[bytes]:
    """Yield the file. `lines` come table by table."""
    buffer = _Buffer()
    numbers = {scope: number for number, scope in enumerate(scopes, start=1)}
    counts: Counter[str] = Counter()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for table, group in groupby(lines, key=lambda line: line.table):
            with _entry(archive, file_of(table), label.at) as file:
                for line in group:
                    counts[table] += 1
                    named = {name: getattr(line.scope, name) for name in _NAMES} if table == "scopes" else {}
                    _write(file, {"scope": numbers[line.scope], **named, **line.record})
                    yield from buffer.taken(_PIECE)
        with _entry(archive, file_of(DOCUMENTS), label.at) as file:
            for document in documents:
                counts[DOCUMENTS] += 1
                _write(file, document)
                yield from buffer.taken(_PIECE)
        with _entry(archive, PAGE, label.at) as file:
            for piece in page:
                file.write(piece.encode("utf-8", "replace"))
                yield from buffer.taken(_PIECE)
        with _entry(archive, HEAD, label.at) as file:
            head = {
                "format": FORMAT,
                "version": VERSION,
                "user": label.user,
                "exported_at": label.at.isoformat(),
                "language": label.language,
                "embedder": label.embedder,
                "counts": counts,
            }
            file.write(json.dumps(head, ensure_ascii=False, indent=2).encode())
    yield from buffer.taken()


def _entry(archive: zipfile.ZipFile, name: str, at: datetime) -> AbstractContextManager[IO[bytes]]:
    year = min(max(at.year, _FIRST_YEAR), _LAST_YEAR)
    info = zipfile.ZipInfo(name, (year, at.month, at.day, at.hour, at.minute, at.second))
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = _FOR_THE_OWNER
    return archive.open(info, "w")


def _write(file: IO[bytes], record: Mapping[str, Any]) -> None:
    file.write(_JSON.encode(record).encode("utf-8", "surrogatepass") + b"\n")


_LONGEST_LINE: Final = 16 * 1024 * 1024  #: bytes
_LONGEST_HEAD: Final = 64 * 1024
_FREE_BYTES: Final = 64 * 1024 * 1024  #: uncompressed bytes that any file may have
_MAX_RATIO: Final = 100  #: maximum compression ratio beyond that; text shrinks to a twentieth
_KNOWN: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED: Final = 0x1
_MOST_SCOPES: Final = 10_000
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True)
class Parcel:
    """An open export."""

    archive: zipfile.ZipFile
    user: str
    counts: Mapping[str, Any]  #: lines by table, from the head

    def lines(self) -> Iterator[Line]:
        """Yield the lines, table by table; raises `InvalidExport` for an invalid one."""
        scopes: dict[int, Scope] = {}
        for table in TABLES:
            number = 0
            for number, record in _records(self.archive, table):
                scope = self._scope(table, number, record, scopes)
                yield Line(table, scope, record, number)
            if number != self.counts.get(table, 0):
                flaw = ErrorText("export.line_count", number=number, value=self.counts.get(table))
                raise InvalidExport(flaw, table=table)

    def _scope(self, table: str, number: int, record: dict[str, Any], scopes: dict[int, Scope]) -> Scope:
        named = record.pop("scope", None)
        if not isinstance(named, int) or isinstance(named, bool):
            raise InvalidExport(ErrorText("export.scope_number"), table=table, line=number)
        if table != TABLES[0]:
            if named not in scopes:
                raise InvalidExport(ErrorText("export.unknown_scope", named=named), table=table, line=number)
            return scopes[named]
        try:
            scope = Scope(**{name: record.pop(name, None) for name in _NAMES})
        except InvalidScope as cause:
            raise InvalidExport(str(cause), table=table, line=number) from cause
        if scope.user != self.user:
            raise InvalidExport(ErrorText("export.line_of_other"), table=table, line=number)
        if named in scopes or scope in scopes.values() or len(scopes) == _MOST_SCOPES:
            raise InvalidExport(ErrorText("export.scope_twice", named=named), table=table, line=number)
        scopes[named] = scope
        return scope


@contextmanager
def unpacked(path: str | os.PathLike[str]) -> Iterator[Parcel]:
    """Open an export; raises `InvalidExport` if it is invalid, truncated or damaged."""
    if not os.path.isfile(path):
        raise InvalidExport(ErrorText("file.missing", path=os.fspath(path)))
    try:
        archive = zipfile.ZipFile(path)
    except _BROKEN as cause:
        raise InvalidExport(ErrorText("export.not_ours", path=os.fspath(path))) from cause
    with archive:
        _check_growth(archive, os.path.getsize(path))
        head = _read_head(archive, os.fspath(path))
        yield Parcel(archive, head["user"], head["counts"])


def _read_head(archive: zipfile.ZipFile, path: str) -> dict[str, Any]:
    try:
        with archive.open(HEAD) as file:
            head = value_of(file.read(_LONGEST_HEAD))
    except (KeyError, *_BROKEN) as cause:
        raise InvalidExport(ErrorText("export.no_head", path=path, head=HEAD)) from cause
    if not isinstance(head, dict) or head.get("format") != FORMAT or not isinstance(head.get("user"), str):
        raise InvalidExport(ErrorText("export.other_head", path=path, head=HEAD))
    if head.get("version") != VERSION:
        made_by = str(head.get("version"))[:20]
        raise InvalidExport(ErrorText("export.version", path=path, value=made_by, version=VERSION))
    counts = head.get("counts")
    names = archive.namelist()
    if not isinstance(counts, dict) or len(set(names)) != len(names):
        raise InvalidExport(ErrorText("export.contents", path=path))
    return head


def _check_growth(archive: zipfile.ZipFile, size: int) -> None:
    grown = sum(entry.file_size for entry in archive.infolist())
    if any(entry.compress_type not in _KNOWN or entry.flag_bits & _ENCRYPTED for entry in archive.infolist()):
        raise InvalidExport(ErrorText("export.packing"))
    if grown > _FREE_BYTES and grown > size * _MAX_RATIO:
        raise InvalidExport(ErrorText("export.bomb", size=size, grown=grown))


def _records(archive: zipfile.ZipFile, table: str) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    try:
        with archive.open(file_of(table)) as file:
            while text := file.readline(_LONGEST_LINE + 1):
                number += 1
                yield number, _record(text, table, number)
    except KeyError:
        return  # the export has no such lines
    except InvalidExport:
        raise
    except _BROKEN as cause:
        raise InvalidExport(ErrorText("export.damaged", cause=cause), table=table, line=number + 1) from cause


def _record(text: bytes, table: str, number: int) -> dict[str, Any]:
    if len(text) > _LONGEST_LINE:
        raise InvalidExport(ErrorText("export.long_line", longest_line=_LONGEST_LINE), table=table, line=number)
    try:
        record = kept(value_of(text))
    except ValueError as cause:
        raise InvalidExport(ErrorText("export.bad_json", cause=cause), table=table, line=number) from cause
    if not isinstance(record, dict):
        raise InvalidExport(ErrorText("export.not_object"), table=table, line=number)
    return record
