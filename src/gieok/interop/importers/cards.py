"""Character cards V1, V2 and V3 from a PNG, a zip (`.charx`) or JSON, with their lorebooks and pictures."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final

from gieok.domain.attributes import ContentType
from gieok.errors import ErrorText, InvalidImport
from gieok.interop.importers import files
from gieok.interop.importers.fields import Row, digest, fill_names, pieces, required, scope_of
from gieok.interop.importers.lorebooks import Target, read_entries
from gieok.interop.importers.records import Faces, ImportedMemory, Item, Skipped, Whose

LARGEST_PICTURE: Final = 16 * files.MIB
LARGEST_ALBUM: Final = 128 * files.MIB  #: bytes of all pictures of a card
MOST_FACES: Final = 500
_CARD: Final = "card.json"
_LONGEST_PIECE: Final = 1_000  #: characters; a description is split, so that single paragraphs are found
_ASSET: Final = "chara-ext-asset_"
_KEYWORDS: Final = ("chara", "ccv3")  #: keywords of the PNG texts that hold a card; the second is V3
_FIELDS: Final[tuple[tuple[str, ContentType, float], ...]] = (
    ("description", "profile", 0.8),
    ("personality", "trait", 0.8),
    ("scenario", "fact", 0.7),
    ("first_mes", "note", 0.4),
)
_SKIPPED: Final = {
    "mes_example": ErrorText("skip.example"),
    "system_prompt": ErrorText("skip.instruction"),
    "post_history_instructions": ErrorText("skip.instruction"),
    "creator_notes": ErrorText("skip.for_people"),
    "alternate_greetings": ErrorText("skip.greetings"),
    "group_only_greetings": ErrorText("skip.greetings"),
}
_LONGEST_URL: Final = 2_000
_LONGEST_NAME: Final = 80
_UNSAFE: Final = re.compile(r"[^\w\- ]+")
_EMBEDDED: Final = re.compile(r"embedd?ed://(.+)|__asset:(.+)", re.IGNORECASE | re.DOTALL)
_DATA: Final = re.compile(r"data:[\w/+.\-]{0,100}(?:;[\w=+.\-]{1,100}){0,5};base64,", re.IGNORECASE)
_URL: Final = re.compile(r"https?://[^\s<>\"'\\]+", re.IGNORECASE)
_SIGNATURES: Final = {files.PNG: "png", b"\xff\xd8\xff": "jpg", b"GIF87a": "gif", b"GIF89a": "gif"}

Fetch = Callable[[str, int], bytes | None]  #: returns a picture embedded in the file; raises `TooLarge`


def read_card(path: Path, whose: Whose) -> Iterator[Item]:
    """Read a card of any version, from any container."""
    with files.open_file(path) as file:
        start = file.read(len(files.PNG))
        file.seek(0)
        if start == files.PNG:
            yield from _from_png(file, path, whose)
        elif start[:1] != b"{" and (zipfile.is_zipfile(file) or path.suffix.lower() == ".charx"):
            with files.open_zip(file) as archive:
                card = archive.part(_CARD, files.LARGEST_JSON)
                if card is None:
                    raise InvalidImport(ErrorText("import.zip_without_card", card=_CARD))
                yield from _card(files.parse_json(card, _CARD), archive.part, whose)
        else:
            file.seek(0)
            text = file.read(files.LARGEST_JSON + 1)
            if len(text) > files.LARGEST_JSON:
                raise InvalidImport(ErrorText("import.large_json", largest_json=files.LARGEST_JSON))
            yield from _card(files.parse_json(text, path.name), lambda name, most: None, whose)


def _from_png(file: IO[bytes], path: Path, whose: Whose) -> Iterator[Item]:
    texts: dict[str, bytes] = {}

    def wanted(keyword: str) -> bool:
        return keyword.lower() in _KEYWORDS or keyword.startswith(_ASSET)

    for keyword, text in files.png_texts(file, path.stat().st_size, wanted):
        texts.setdefault(keyword.lower() if keyword.lower() in _KEYWORDS else keyword, text)
    name = next((name for name in reversed(_KEYWORDS) if texts.get(name)), None)
    if name is None:
        raise InvalidImport(ErrorText("import.png_without_card"))
    card = files.decode_base64(texts[name].strip(), files.LARGEST_TEXT, name)
    if card is None:
        raise InvalidImport(ErrorText("import.base64"), where=name)

    def fetch(asset: str, most: int) -> bytes | None:
        text = texts.get(f"{_ASSET}:{asset}", texts.get(f"{_ASSET}{asset}"))
        return None if text is None else files.decode_base64(text.strip(), most, asset)

    yield from _card(files.parse_json(card, name), fetch, whose)


def _card(value: Any, fetch: Fetch, whose: Whose) -> Iterator[Item]:
    card = Row(value)
    if "spec" in card.fields and "data" in card.fields:
        card = Row(card.get("data"), "")
    if not {field for field, *_ in _FIELDS} & card.fields.keys():
        raise InvalidImport(ErrorText("import.not_a_card"))
    character = required("character", whose.character or card.text("name"))
    nickname = card.text("nickname")
    scope = scope_of("", Whose(character=character, world=whose.world))
    target = Target(scope=scope, character=nickname or character)
    own: dict[str, Any] = {"scope": scope, "about": "character"}
    if nickname:
        given = {"content": nickname, "value": nickname, "attribute": "nickname", "where": "nickname"}
        yield ImportedMemory(**own | given, origin=f"nickname/{digest(nickname)}")
    for field, type, importance in _FIELDS:
        text = fill_names(card.text(field), user=None, character=target.character)
        for number, piece in enumerate(pieces(text, _LONGEST_PIECE) if text else (), start=1):
            yield ImportedMemory(
                **own,
                origin=f"{field}/{number}/{digest(piece)}",
                where=field,
                content=piece,
                type=type,
                said_by="character" if field == "first_mes" else None,
                importance=importance,
                tags=(field,),
            )
    for field, why in _SKIPPED.items():
        if card.get(field):
            yield Skipped(where=field, why=why)
    if card.get("character_book"):
        book = card.row("character_book")
        if book.get("entries"):
            yield from read_entries(book.get("entries"), book.where, target)
    yield from _faces(card, character, fetch)


def _faces(card: Row, character: str, fetch: Fetch) -> Iterator[Item]:
    """Yield the pictures of a card by emotion, and the skipped ones."""
    faces: dict[str, str] = {}
    pictures: dict[str, bytes] = {}
    known: dict[str, str] = {}  # by URL: several emotions may share one picture
    for where, emotion, address in _emotions(card):
        try:
            if emotion in faces:
                raise _Unusable(ErrorText("skip.other_picture", emotion=emotion))
            if not emotion or len(emotion) > _LONGEST_NAME:
                raise _Unusable(ErrorText("skip.no_emotion"))
            if len(faces) >= MOST_FACES:
                raise _Unusable(ErrorText("skip.many_faces", most=MOST_FACES))
            if _URL.fullmatch(address) and len(address) <= _LONGEST_URL:
                faces[emotion] = address
                continue
            if address not in known:
                picture = _picture(address, fetch, LARGEST_ALBUM - sum(map(len, pictures.values())))
                known[address] = _file_name(emotion, _suffix(picture), pictures)
                pictures[known[address]] = picture
            faces[emotion] = known[address]
        except _Unusable as why:
            yield Skipped(where=where, why=why.args[0])
    if faces:
        yield Faces(character=character, where="assets", faces=faces, pictures=pictures)


class _Unusable(Exception):
    """The reason why a picture is skipped."""


def _emotions(card: Row) -> Iterator[tuple[str, str, str]]:
    """Yield place, emotion and URL: the assets of V3, and RisuAI's extension of V2."""
    assets = card.get("assets")
    for number, part in enumerate(assets if isinstance(assets, list) else (), start=1):
        asset = Row(part, f"asset {number}")
        if asset.get("type") == "emotion":
            yield asset.where, asset.text("name"), asset.text("uri")
    found: Any = card.fields
    for name in ("extensions", "risuai", "emotions"):
        found = found.get(name) if isinstance(found, dict) else None
    for number, pair in enumerate(found if isinstance(found, list) else (), start=1):
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair):
            yield f"emotion {number}", pair[0].strip(), pair[1].strip()


def _picture(address: str, fetch: Fetch, room: int) -> bytes:
    most, picture = min(LARGEST_PICTURE, room), None
    try:
        if match := _EMBEDDED.fullmatch(address):
            picture = fetch(match[1] or match[2], most)
        elif match := _DATA.match(address):
            picture = files.decode_base64(address[match.end() :], most, "uri")
    except files.TooLarge as cause:
        raise _Unusable(ErrorText("skip.large_picture", most=LARGEST_PICTURE, album=LARGEST_ALBUM)) from cause
    if picture is None:
        raise _Unusable(ErrorText("skip.no_picture"))
    return picture


def _suffix(picture: bytes) -> str:
    """Return the file type of a picture by its first bytes, ignoring its name."""
    if picture.startswith(b"RIFF") and picture[8:12] == b"WEBP":
        return "webp"
    if picture[4:8] == b"ftyp" and picture[8:12] in (b"avif", b"avis"):
        return "avif"
    for signature, suffix in _SIGNATURES.items():
        if picture.startswith(signature):
            return suffix
    raise _Unusable(ErrorText("skip.not_a_picture"))


def _file_name(emotion: str, suffix: str, taken: dict[str, bytes]) -> str:
    """Return a file name without any path."""
    stem = _UNSAFE.sub("_", emotion).strip("_ ") or "face"
    name, number = f"{stem}.{suffix}", 2
    while name in taken:
        name, number = f"{stem}-{number}.{suffix}", number + 1
    return name
