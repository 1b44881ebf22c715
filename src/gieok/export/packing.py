"""Writing the file: a zip of JSON lines and a page, handed on piece by piece while it is written."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import IO, Any, Final

from gieok.domain.scope import Scope
from gieok.export.shape import DOCUMENTS, FORMAT, HEAD, PAGE, VERSION, file_of
from gieok.ports import Line

_PIECE: Final = 64 * 1024  #: bytes that are handed on together
_FOR_THE_OWNER: Final = 0o600 << 16
_FIRST_YEAR, _LAST_YEAR = 1980, 2107  # that a zip can tell
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What the file says of itself."""

    user: str
    at: datetime  #: when it was made
    language: str
    embedder: str


@dataclass(slots=True)
class _Chute:
    """What is written falls out at the other end; nobody can go back in it."""

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
    chute = _Chute()
    numbers = {scope: number for number, scope in enumerate(scopes, start=1)}
    counts: dict[str, int] = {}
    with zipfile.ZipFile(chute, "w", zipfile.ZIP_DEFLATED) as archive:
        for table, group in groupby(lines, key=lambda line: line.table):
            with _entry(archive, file_of(table), label.at) as file:
                for line in group:
                    counts[table] = counts.get(table, 0) + 1
                    _write(file, _told(line, numbers))
                    yield from chute.taken(_PIECE)
        with _entry(archive, file_of(DOCUMENTS), label.at) as file:
            for document in documents:
                counts[DOCUMENTS] = counts.get(DOCUMENTS, 0) + 1
                _write(file, document)
                yield from chute.taken(_PIECE)
        with _entry(archive, PAGE, label.at) as file:
            for piece in page:
                file.write(piece.encode("utf-8", "replace"))
                yield from chute.taken(_PIECE)
        with _entry(archive, HEAD, label.at) as file:
            file.write(json.dumps(_head(label, counts), ensure_ascii=False, indent=2).encode())
    yield from chute.taken()


def _told(line: Line, numbers: Mapping[Scope, int]) -> dict[str, Any]:
    told: dict[str, Any] = {"scope": numbers[line.scope]}
    if line.table == "scopes":
        told |= {"user": line.scope.user, "character": line.scope.character, "world": line.scope.world}
    return told | dict(line.record)


def _head(label: Label, counts: Mapping[str, int]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "user": label.user,
        "exported_at": label.at.isoformat(),
        "language": label.language,
        "embedder": label.embedder,
        "counts": dict(counts),
    }


def _entry(archive: zipfile.ZipFile, name: str, at: datetime) -> AbstractContextManager[IO[bytes]]:
    year = min(max(at.year, _FIRST_YEAR), _LAST_YEAR)
    info = zipfile.ZipInfo(name, (year, at.month, at.day, at.hour, at.minute, at.second))
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = _FOR_THE_OWNER
    return archive.open(info, "w")


def _write(file: IO[bytes], record: Mapping[str, Any]) -> None:
    file.write(_JSON.encode(record).encode("utf-8", "surrogatepass") + b"\n")
