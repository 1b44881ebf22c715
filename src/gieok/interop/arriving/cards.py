"""Character cards, V1 to V3: a PNG with the card in its texts, a zip (`.charx`), or JSON.

What a card says of its character is canon: it holds for everybody who meets them. What it tells a model to do is
left out.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from gieok.domain.attributes import ContentType
from gieok.errors import InvalidImport
from gieok.interop.arriving.card_faces import Fetch, faces_of, unpacked
from gieok.interop.arriving.charx import TooLarge, unzipped
from gieok.interop.arriving.foreign import (
    LARGEST_JSON,
    Record,
    digest,
    json_of,
    named,
    opened,
    pieces,
    record_of,
    scope_of,
    text_at,
)
from gieok.interop.arriving.lorebook import Shelf, arrivals, entries_of
from gieok.interop.arriving.macros import filled_in
from gieok.interop.arriving.png import LARGEST_TEXT, SIGNATURE, texts_in
from gieok.interop.arriving.shape import Arrival, Known, LeftOut, Whose

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
    for field, about, kind, importance in _FIELDS:
        yield from _told(card, field, about, kind, importance, shelf)
    for field, why in _LEFT.items():
        if card.get(field):
            yield LeftOut(where=field, why=why)
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
