"""The texts in a PNG: tEXt, zTXt and iTXt chunks, each with its keyword. Pictures are not looked at."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import IO, Final

from gieok.errors import InvalidImport

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
LARGEST_TEXT: Final = 64 * 1024 * 1024  #: bytes of all that is unpacked
_TEXTS: Final = (b"tEXt", b"zTXt", b"iTXt")
_LONGEST_KEYWORD: Final = 79 + 512  #: 79 by the standard; names of pictures in cards are longer


def texts_in(file: IO[bytes], size: int, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Yield keyword and text of each `wanted` text in a PNG of `size` bytes; all of the file is checked."""
    room = LARGEST_TEXT
    if file.read(len(SIGNATURE)) != SIGNATURE:
        raise InvalidImport("it is no PNG")
    at, number = len(SIGNATURE), 0
    while True:
        number += 1
        head = file.read(8)
        if len(head) < 8:
            raise InvalidImport("the PNG was cut off", where=f"chunk {number}")
        length, kind = int.from_bytes(head[:4], "big"), head[4:]
        where = f"chunk {number} ({kind.decode('ascii', 'replace')!r})"
        at += 12 + length
        if at > size:
            raise InvalidImport(f"says it has {length:,} bytes, which the PNG does not have", where=where)
        data = file.read(length)
        if int.from_bytes(file.read(4), "big") != zlib.crc32(kind + data):
            raise InvalidImport("is damaged: its checksum is another", where=where)
        if kind == b"IEND":
            return
        if kind in _TEXTS:
            keyword, found, rest = data.partition(b"\0")
            if not found or not keyword or len(keyword) > _LONGEST_KEYWORD:
                raise InvalidImport("is a text without a keyword", where=where)
            if wanted(name := keyword.decode("latin-1")):
                text = _text(kind, rest, room, where)
                room -= len(text) if len(text) > len(rest) else 0
                yield name, text


def _text(kind: bytes, rest: bytes, room: int, where: str) -> bytes:
    if kind == b"tEXt":
        return rest
    if kind == b"zTXt":
        return _inflated(rest[1:], rest[:1], room, where)
    packed, method, rest = rest[:1], rest[1:2], rest[2:]
    parts = rest.split(b"\0", 2)  # language, keyword in that language, text
    if packed not in (b"\0", b"\1") or len(parts) != 3:
        raise InvalidImport("is a text that is not put together as one", where=where)
    return _inflated(parts[2], method, room, where) if packed == b"\1" else parts[2]


def _inflated(data: bytes, method: bytes, room: int, where: str) -> bytes:
    if method != b"\0":
        raise InvalidImport("is packed in an unknown way", where=where)
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(data, room + 1)
    except zlib.error as cause:
        raise InvalidImport(f"cannot be unpacked ({cause})", where=where) from cause
    if len(text) > room:
        raise InvalidImport(f"unpacks to more than {LARGEST_TEXT:,} bytes", where=where)
    if not unpacking.eof:
        raise InvalidImport("cannot be unpacked: it was cut off", where=where)
    return text
