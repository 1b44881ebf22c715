"""A character card with its pictures in one zip (`.charx`). Nothing is unpacked to a disk, or without a bound."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from gieok.domain.attributes import ContentType
from gieok.errors import InvalidImport
from gieok.interop.importers.files import (
    LARGEST_JSON,
    MIB,
    Record,
    digest,
    filled_in,
    json_of,
    named,
    opened,
    pieces,
    record_of,
    scope_of,
    text_at,
)
from gieok.interop.importers.records import Arrival, Count, Known, LeftOut, Sprites, Whose
from gieok.interop.importers.sillytavern import Shelf, arrivals, entries_of

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


LARGEST_PICTURE: Final = 16 * MIB
LARGEST_ALBUM: Final = 128 * MIB  #: all pictures of a card
MOST_FACES: Final = 500
_LONGEST_ADDRESS: Final = 2_000
_LONGEST_NAME: Final = 80
_UNSAFE: Final = re.compile(r"[^\w\- ]+")
_EMBEDDED: Final = re.compile(r"embedd?ed://(.+)|__asset:(.+)", re.IGNORECASE | re.DOTALL)
_DATA: Final = re.compile(r"data:[\w/+.\-]{0,100}(?:;[\w=+.\-]{1,100}){0,5};base64,", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'\\]+", re.IGNORECASE)

Fetch = Callable[[str, int], bytes | None]  #: a picture that the file itself holds; raises `TooLarge`


@dataclass(slots=True)
class Album:
    """Faces that are being gathered."""

    faces: dict[str, str] = field(default_factory=dict)
    pictures: dict[str, bytes] = field(default_factory=dict)
    size: int = 0
    known: dict[str, str] = field(default_factory=dict)  #: by where it was found: many faces may share one picture


def faces_of(card: Record, character: str, fetch: Fetch) -> Iterator[Sprites | LeftOut]:
    """Yield the faces of a card, if it has any, and those that cannot be taken along."""
    album = Album()
    for where, feeling, address in _emotions(card):
        why_not = _kept(album, feeling, address, fetch)
        if why_not is not None:
            yield LeftOut(where=where, why=why_not)
    if album.faces:
        yield Sprites(character=character, where="assets", faces=album.faces, pictures=album.pictures)


def _emotions(card: Record) -> Iterator[tuple[str, str, str]]:
    """Yield place, feeling and address: the assets of V3, and what RisuAI puts into a card of V2."""
    assets = card.get("assets")
    for number, part in enumerate(assets if isinstance(assets, list) else (), start=1):
        where = f"asset {number}"
        asset = record_of(part, where)
        if asset.get("type") == "emotion":
            yield where, text_at(asset, "name", where), text_at(asset, "uri", where)
    extensions = card.get("extensions")
    risu = extensions.get("risuai") if isinstance(extensions, dict) else None
    emotions = risu.get("emotions") if isinstance(risu, dict) else None
    for number, pair in enumerate(emotions if isinstance(emotions, list) else (), start=1):
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair):
            yield f"emotion {number}", pair[0].strip(), pair[1].strip()


def _kept(album: Album, feeling: str, address: str, fetch: Fetch) -> str | None:
    """Put a face into the album; return why not, where it cannot be."""
    if not feeling or len(feeling) > _LONGEST_NAME:
        return "its feeling has no name"
    if feeling in album.faces:
        return f"there is another picture for {feeling!r}"
    if len(album.faces) >= MOST_FACES:
        return f"there are {MOST_FACES} faces already"
    if _ADDRESS.fullmatch(address) and len(address) <= _LONGEST_ADDRESS:
        album.faces[feeling] = address
        return None
    if address in album.known:
        album.faces[feeling] = album.known[address]
        return None
    return _stored(album, feeling, address, fetch)


def _stored(album: Album, feeling: str, address: str, fetch: Fetch) -> str | None:
    most = min(LARGEST_PICTURE, LARGEST_ALBUM - album.size)
    try:
        picture = _picture(address, fetch, most)
    except TooLarge:
        return f"its picture has more than {LARGEST_PICTURE:,} bytes, or all have more than {LARGEST_ALBUM:,}"
    if picture is None:
        return "its picture is not in the file"
    ending = ending_of(picture)
    if ending is None:
        return "it is no picture (PNG, JPEG, WebP, GIF or AVIF)"
    name = _file_name(feeling, ending, album.pictures)
    album.pictures[name] = picture
    album.size += len(picture)
    album.known[address] = album.faces[feeling] = name
    return None


def _picture(address: str, fetch: Fetch, most: int) -> bytes | None:
    if match := _EMBEDDED.fullmatch(address):
        return fetch(match[1] or match[2], most)
    if match := _DATA.match(address):
        return unpacked(address[match.end() :], most)
    return None


def unpacked(text: str | bytes, most: int) -> bytes | None:
    """Return what base64 stands for; None: it is none. Raises `TooLarge` beyond `most` bytes."""
    if len(text) > most * 4 // 3 + 4:
        raise TooLarge(f"has more than {most:,} bytes")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def ending_of(picture: bytes) -> str | None:
    """Return what a picture is by its first bytes, whatever its name says; None: no picture."""
    if picture.startswith(b"RIFF") and picture[8:12] == b"WEBP":
        return "webp"
    if picture[4:8] == b"ftyp" and picture[8:12] in (b"avif", b"avis"):
        return "avif"
    return next((ending for start, ending in _STARTS.items() if picture.startswith(start)), None)


_STARTS: Final[dict[bytes, str]] = {
    b"\x89PNG\r\n\x1a\n": "png",
    b"\xff\xd8\xff": "jpg",
    b"GIF87a": "gif",
    b"GIF89a": "gif",
}


def _file_name(feeling: str, ending: str, taken: dict[str, Any]) -> str:
    """Return a name that is one in any folder, and no way out of it."""
    plain = _UNSAFE.sub("_", feeling).strip("_ ") or "face"
    name, number = f"{plain}.{ending}", 2
    while name in taken:
        name, number = f"{plain}-{number}.{ending}", number + 1
    return name


FACES: Final = "faces.json"
_UNSAFE_FACES: Final = re.compile(r"[^\w.-]+")
_LONGEST: Final = 100


def put_beside(bank: str, sprites: Sprites, count: Count) -> list[Path]:
    """Write the faces of a character beside the file of the bank, and return the folder; what is there stays."""
    if "://" in bank or bank.startswith(":"):
        why = "the bank is no file, and has no place beside it for pictures"
        count.leave_out(LeftOut(where=sprites.where, why=why))
        return []
    folder = Path(f"{bank}.faces") / file_name(sprites.character)
    folder.mkdir(parents=True, exist_ok=True)
    names = {name: file_name(name) for name in sprites.pictures}
    for name, picture in sprites.pictures.items():
        _write(folder / names[name], picture)
    faces = {emotion: names.get(picture, picture) for emotion, picture in sprites.faces.items()}
    _write(folder / FACES, json.dumps(faces, ensure_ascii=False, indent=2).encode())
    return [folder]


def file_name(name: str) -> str:
    """Return a name as a file can have it anywhere; one that had to change keeps a part that tells it from others."""
    safe = _UNSAFE_FACES.sub("_", name).strip(".")
    if safe == name and len(safe) <= _LONGEST:
        return safe
    stem, dot, ending = safe[-_LONGEST:].rpartition(".")
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{stem}-{mark}.{ending}" if dot else f"{ending}-{mark}"


def _write(path: Path, data: bytes) -> None:
    """Write a file whole, unless there is one."""
    if path.exists():
        return
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".arriving-")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.replace(name, path)


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


_LONGEST_PIECE: Final = 1_000  #: characters: a description is found by paragraphs, not as a whole
_ASSET: Final = "chara-ext-asset_"
_CARDS: Final = ("chara", "ccv3")  #: what the text of a PNG is called that is a card; the second is V3
_FIELDS: Final[tuple[tuple[str, str, ContentType, float], ...]] = (
    ("description", "character", "profile", 0.8),
    ("personality", "character", "trait", 0.8),
    ("scenario", "character", "fact", 0.7),
    ("first_mes", "character", "note", 0.4),
)
_LEFT: Final = {
    "mes_example": "it is an example for a model",
    "system_prompt": "it is an instruction to a model",
    "post_history_instructions": "it is an instruction to a model",
    "creator_notes": "it is for whoever chooses a card",
    "alternate_greetings": "they are other ways to begin",
    "group_only_greetings": "they are other ways to begin",
}


def read_card(path: Path, whose: Whose) -> Iterator[Arrival]:
    """Read a card of any version, from whatever it is packed in."""
    with opened(path) as file:
        start = file.read(len(SIGNATURE))
        file.seek(0)
        if start == SIGNATURE:
            yield from _from_png(file, path, whose)
        elif start[:1] != b"{" and (zipfile.is_zipfile(file) or path.suffix.lower() == ".charx"):
            with unzipped(file) as charx:
                yield from _card(json_of(charx.card(), "card.json"), charx.part, whose)
        else:
            file.seek(0)
            text = file.read(LARGEST_JSON + 1)
            if len(text) > LARGEST_JSON:
                raise InvalidImport(f"it has more than {LARGEST_JSON:,} bytes, and is no picture")
            yield from _card(json_of(text), _nothing, whose)


def _nothing(name: str, most: int) -> bytes | None:
    """Return no picture: JSON holds none beside itself."""
    return None


def _is_wanted(keyword: str) -> bool:
    return keyword.lower() in _CARDS or keyword.startswith(_ASSET)


def _from_png(file: IO[bytes], path: Path, whose: Whose) -> Iterator[Arrival]:
    texts: dict[str, bytes] = {}
    for keyword, text in texts_in(file, path.stat().st_size, _is_wanted):
        texts.setdefault(keyword.lower() if keyword.lower() in _CARDS else keyword, text)
    packed = texts.get("ccv3") or texts.get("chara")
    if packed is None:
        raise InvalidImport("the PNG holds no character card")
    where = "ccv3" if "ccv3" in texts else "chara"
    try:
        card = unpacked(packed.strip(), LARGEST_TEXT)
    except TooLarge as cause:
        raise InvalidImport(str(cause), where=where) from cause
    if card is None:
        raise InvalidImport("is no base64", where=where)

    def fetch(name: str, most: int) -> bytes | None:
        text = texts.get(f"{_ASSET}:{name}", texts.get(f"{_ASSET}{name}"))
        return None if text is None else unpacked(text.strip(), most)

    yield from _card(json_of(card, where), fetch, whose)


def _card(value: object, fetch: Fetch, whose: Whose) -> Iterator[Arrival]:
    whole = record_of(value)
    card = record_of(whole["data"], "data") if "spec" in whole and "data" in whole else whole
    if not {field for field, *_ in _FIELDS} & card.keys():
        raise InvalidImport("it is no character card: it has neither description nor first message")
    character = named("character", whose.character or text_at(card, "name"), "--character")
    nickname = text_at(card, "nickname")
    scope = scope_of(character=character, world=whose.world)
    shelf = Shelf(scope=scope, character=nickname or character)
    if nickname:
        yield Known(
            scope=scope,
            origin=f"nickname/{digest(nickname)}",
            where="nickname",
            content=nickname,
            about="character",
            attribute="nickname",
            value=nickname,
        )
    for key, about, kind, importance in _FIELDS:
        yield from _told(card, key, about, kind, importance, shelf)
    for key, why in _LEFT.items():
        if card.get(key):
            yield LeftOut(where=key, why=why)
    book = record_of(card.get("character_book") or {}, "character_book")
    if book.get("entries"):
        yield from arrivals(entries_of(book, "character_book"), shelf)
    yield from faces_of(card, character, fetch)


def _told(card: Record, field: str, about: str, kind: ContentType, importance: float, shelf: Shelf) -> Iterator[Known]:
    text = filled_in(text_at(card, field, field), user=None, character=shelf.character)
    if not text:
        return
    for number, piece in enumerate(pieces(text, _LONGEST_PIECE), start=1):
        yield Known(
            scope=shelf.scope,
            origin=f"{field}/{number}/{digest(piece)}",
            where=field,
            content=piece,
            about=about,
            type=kind,
            said_by="character" if field == "first_mes" else None,
            importance=importance,
            tags=(field,),
        )
