"""SillyTavern: a chat is a file of JSON lines, the first of which is its head; World Info is one JSON object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import Final

from gieok.errors import InvalidImport
from gieok.interop.arriving.foreign import (
    Record,
    json_file,
    json_lines,
    named,
    record_of,
    scope_of,
    speaker_of,
    text_at,
)
from gieok.interop.arriving.lorebook import Shelf, arrivals, entries_of, risu_entries
from gieok.interop.arriving.macros import filled_in
from gieok.interop.arriving.moments import moment_of
from gieok.interop.arriving.shape import Arrival, LeftOut, Whose
from gieok.interop.arriving.talk import Message, exchanges

CHANNEL: Final = "sillytavern"
MOST_CHARACTERS: Final = 20  #: of one group
MOST_CHATS: Final = 10_000  #: of one folder
_NOBODY: Final = ("", "unused")  #: what the head says where it says no name
_NARRATORS: Final = ("narrator",)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A message as it stands in the file, before names are filled in."""

    where: str
    number: int
    name: str
    by_user: bool
    narrated: bool
    text: str
    date: object


def read_chat(path: Path, whose: Whose) -> Iterator[Arrival]:
    """Read a chat, or a folder of them."""
    if not path.is_dir():
        yield from _chat(path, "", whose)
        return
    files = sorted(path.glob("*.jsonl"))
    if not files or len(files) > MOST_CHATS:
        raise InvalidImport(f"{str(path)!r} has {len(files):,} chats (*.jsonl); between 1 and {MOST_CHATS:,} are read")
    for file in files:
        yield from _chat(file, f"{file.name}, ", whose)


def read_world_info(path: Path, whose: Whose) -> Iterator[Arrival]:
    """Read World Info, or a lorebook by itself: one of Character Card V3, or RisuAI's."""
    book = record_of(json_file(path))
    if book.get("spec") == "lorebook_v3":
        book = record_of(book.get("data"), "data")
    elif book.get("type") == "risu":
        yield from arrivals(risu_entries(book.get("data"), "data"), _shelf(book, path, whose))
        return
    yield from arrivals(entries_of(book), _shelf(book, path, whose))


def _shelf(book: Record, path: Path, whose: Whose) -> Shelf:
    name = text_at(book, "name") or path.stem
    world = whose.world or (None if whose.character else name)
    return Shelf(
        scope=scope_of(character=whose.character, world=world),
        character=whose.character or name,
        homes=True,
        user=whose.user,
    )


def _chat(path: Path, place: str, whose: Whose) -> Iterator[Arrival]:
    lines = json_lines(path, place)
    where, head = next(lines, (f"{place}line 1", {}))
    if "mes" in head or not {"user_name", "character_name", "chat_metadata"} & head.keys():
        raise InvalidImport("is not the head of a chat of SillyTavern", where=where)
    said: list[_Said] = []
    for number, (where, record) in enumerate(lines, start=1):
        found = _said(record, where, number)
        if isinstance(found, LeftOut):
            yield found
        else:
            said.append(found)
    if said:
        yield from _talk(said, head, path, place, whose)


def _talk(said: Sequence[_Said], head: Record, path: Path, place: str, whose: Whose) -> Iterator[Arrival]:
    shown = _name(head, "user_name") or next((each.name for each in said if each.by_user), "")
    user = named("user", whose.user or shown, "--user")
    cast = _cast(head, said, whose)
    everybody = _names(said)
    alone = cast[0] if len(everybody) < 2 or _name(head, "character_name") else None
    messages: list[Message] = []
    for each in said:
        message = _told(each, shown or user, alone, everybody, whose.zone)
        messages.append(message)
        if message.at is None and each.date not in (None, "", 0):
            date = str(each.date)[:40]
            yield LeftOut(where=each.where, why=f"its date, {date!r}, cannot be read; its words are kept")
    for character in cast:
        yield from exchanges(
            messages,
            scope=scope_of(place.rstrip(", ") or None, user=user, character=character, world=whose.world),
            chat=_chat_id(head, path),
            session=path.stem[:200],
            channel=CHANNEL,
        )


def _said(record: Record, where: str, number: int) -> _Said | LeftOut:
    extra = record.get("extra")
    kind = extra.get("type") if isinstance(extra, dict) else None
    if record.get("is_system") is True:
        return LeftOut(where=where, why="it was hidden from the model, or said by the program")
    text = _chosen(record, where)
    if not text:
        return LeftOut(where=where, why="it says nothing")
    return _Said(
        where=where,
        number=number,
        name=text_at(record, "name", where),
        by_user=record.get("is_user") is True,
        narrated=kind in _NARRATORS,
        text=text,
        date=record.get("send_date"),
    )


def _chosen(record: Record, where: str) -> str:
    """Return the text that was chosen of those that were proposed."""
    swipes, chosen = record.get("swipes"), record.get("swipe_id")
    if isinstance(swipes, list) and isinstance(chosen, int) and 0 <= chosen < len(swipes):
        if not isinstance(swipes[chosen], str):
            raise InvalidImport(f"swipe {chosen} is no text", where=where)
        if swipes[chosen].strip():
            return str(swipes[chosen]).strip()
    return text_at(record, "mes", where)


def _cast(head: Record, said: Sequence[_Said], whose: Whose) -> list[str]:
    """Return the characters whose memory it becomes: all that talk in a group, or the one who is asked for."""
    names = _names(said)
    by_name = _name(head, "character_name")
    if by_name or len(names) < 2:
        return [named("character", whose.character or by_name or next(iter(names), None), "--character")]
    if whose.character is not None and whose.character not in names:
        raise InvalidImport(f"nobody in it is called {whose.character!r}; there are {', '.join(names)[:200]}")
    if whose.character is None and len(names) > MOST_CHARACTERS:
        raise InvalidImport(
            f"{len(names)} characters talk in it; at most {MOST_CHARACTERS} are read, or one: --character NAME"
        )
    return [whose.character] if whose.character is not None else names


def _names(said: Sequence[_Said]) -> list[str]:
    return list(dict.fromkeys(each.name for each in said if not each.by_user and not each.narrated and each.name))


def _told(said: _Said, user: str, alone: str | None, everybody: Sequence[str], zone: tzinfo) -> Message:
    """Return a message with the names filled in. With one character `alone`, all is theirs that is not narrated."""
    try:
        at = moment_of(said.date, zone)
    except ValueError:
        at = None  # whoever imports it is told
    name = said.name if alone is None else alone
    if said.narrated:
        name = said.name if said.name and said.name not in (alone, *everybody) else "narrator"
    meant = said.name if not said.by_user and said.name else next(iter(everybody), user)
    return Message(
        where=said.where,
        number=said.number,
        text=filled_in(said.text, user=user, character=alone or meant) or said.text,
        at=at,
        by_user=said.by_user,
        name=None if said.by_user else speaker_of(name or "narrator", said.where),
    )


def _name(head: Record, field: str) -> str:
    name = text_at(head, field, "line 1")
    return "" if name in _NOBODY else name


def _chat_id(head: Record, path: Path) -> str:
    """Return what a chat is called by, also when its file gets another name."""
    metadata = head.get("chat_metadata")
    integrity = metadata.get("integrity") if isinstance(metadata, dict) else None
    known = integrity or head.get("create_date")
    return str(known)[:100] if isinstance(known, str | int) else path.stem
