"""The faces of a character card: which picture shows which feeling. Addresses are kept, never followed."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from gieok.interop.arriving.charx import TooLarge
from gieok.interop.arriving.foreign import MIB, Record, record_of, text_at
from gieok.interop.arriving.shape import LeftOut, Sprites

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
