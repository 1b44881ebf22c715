"""A character card with its pictures in one zip (`.charx`). Nothing is unpacked to a disk, or without a bound."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final

from gieok.errors import InvalidImport
from gieok.interop.arriving.foreign import LARGEST_JSON

CARD: Final = "card.json"
_MOST_PARTS: Final = 20_000
_KNOWN: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED: Final = 0x1
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


class TooLarge(ValueError):
    """A part of the zip has more bytes than are read."""


class Charx:
    """An open card."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._parts = {part.filename: part for part in archive.infolist()}

    def card(self) -> bytes:
        try:
            found = self.part(CARD, LARGEST_JSON)
        except TooLarge as cause:
            raise InvalidImport(str(cause), where=CARD) from cause
        if found is None:
            raise InvalidImport(f"the zip is no character card: it has no {CARD}")
        return found

    def part(self, name: str, most: int) -> bytes | None:
        """Return a part by its exact name; None: there is none. Raises `TooLarge` beyond `most` bytes."""
        part = self._parts.get(name)
        if part is None or part.is_dir():
            return None
        if part.compress_type not in _KNOWN or part.flag_bits & _ENCRYPTED:
            raise InvalidImport("is packed in a way that no card is", where=name[:200])
        try:
            with self._archive.open(part) as file:
                data = file.read(most + 1)  # what the zip says of its size may be a lie
        except _BROKEN as cause:
            raise InvalidImport(f"is damaged ({cause})", where=name[:200]) from cause
        if len(data) > most:
            raise TooLarge(f"has more than {most:,} bytes")
        return data


@contextmanager
def unzipped(file: IO[bytes]) -> Iterator[Charx]:
    try:
        archive = zipfile.ZipFile(file)
    except _BROKEN as cause:
        raise InvalidImport("it is no zip, or was cut off") from cause
    with archive:
        names = archive.namelist()
        if len(names) > _MOST_PARTS or len(set(names)) != len(names):
            raise InvalidImport(f"the zip has {len(names):,} parts, some of them twice, or more than {_MOST_PARTS:,}")
        yield Charx(archive)
