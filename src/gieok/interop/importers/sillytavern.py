"""Lorebooks: what a world knows, to be brought up by its keys.

Character Card V2 and V3, SillyTavern's World Info and RisuAI each name the fields their own way; an entry is the same
in all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import Any, Final

from gieok.domain.scope import Scope
from gieok.errors import InvalidImport
from gieok.interop.importers.files import (
    LONGEST_TAG,
    MOST_TAGS,
    Message,
    Record,
    coming_home,
    digest,
    exchanges,
    filled_in,
    json_file,
    named,
    number_at,
    pieces,
    record_of,
    scope_of,
    speaker_of,
    text_at,
    texts_at,
    within,
)
from gieok.interop.importers.files import json_lines_foreign as json_lines
from gieok.interop.importers.files import moment_of_moments as moment_of
from gieok.interop.importers.records import Arrival, Known, LeftOut, Whose
from gieok.interop.messages import MARK

MOST_ENTRIES: Final = 20_000
_LEAST, _GREATEST = 0.4, 0.9  #: importance of the first to go, and of the last
_REGULAR: Final = re.compile(r"/.+/[a-z]*", re.DOTALL)
_DECORATOR: Final = re.compile(r"@@@?(?P<name>[a-z_]+)(?P<value>[^\n]*)(?:\n|$)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry, whatever book it is from."""

    where: str
    name: str  #: its number in the book
    content: str
    keys: tuple[str, ...]
    constant: bool  #: always in the prompt
    order: float | None  #: the higher, the later it is let go of
    why_not: str | None  #: it is switched off
    mark: Record | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """Where entries are put."""

    scope: Scope
    character: str  #: whom {{char}} means
    homes: bool = False  #: whether a memory that gieok wrote goes where it was; in a card it is lore like all else
    user: str | None = None  #: whose memories may go home


def entries_of(book: Record, where: str | None = None) -> Iterator[Entry]:
    """Yield the entries of a book: a list of them, or an object by their numbers."""
    parts = book.get("entries")
    if isinstance(parts, dict):
        numbered: Sequence[tuple[str, Any]] = list(parts.items())
    elif isinstance(parts, list):
        numbered = [(str(number), part) for number, part in enumerate(parts, start=1)]
    else:
        raise InvalidImport("it has no entries", where=where)
    yield from _entries(numbered, where)


def risu_entries(parts: Any, where: str | None = None) -> Iterator[Entry]:
    """Yield the entries of a list as RisuAI writes it."""
    if parts is None:
        return
    if not isinstance(parts, list):
        raise InvalidImport("the lorebook is no list", where=where)
    yield from _entries([(str(number), part) for number, part in enumerate(parts, start=1)], where)


def arrivals(entries: Iterable[Entry], shelf: Shelf) -> Iterator[Arrival]:
    """Yield what entries say as memories of the world; those that gieok wrote as what they were."""
    found = list(entries)
    ranks = _ranks(found)
    for entry in found:
        if entry.why_not is not None:
            yield LeftOut(where=entry.where, why=entry.why_not)
        elif entry.mark is not None and shelf.homes:
            yield coming_home(
                entry.mark, entry.content, entry.where, user=shelf.user, otherwise=shelf.scope, pinned=entry.constant
            )
        else:
            yield from _lore(entry, shelf, ranks.get(entry.order))


def _entries(numbered: Sequence[tuple[str, Any]], where: str | None) -> Iterator[Entry]:
    if len(numbered) > MOST_ENTRIES:
        raise InvalidImport(f"has {len(numbered):,} entries; at most {MOST_ENTRIES:,} are read", where=where)
    for number, part in numbered:
        place = within(where, f"entry {number[:40]}")
        record = record_of(part, place)
        if record.get("mode") != "folder":
            yield _entry(record, number, place)


def _entry(record: Record, number: str, where: str) -> Entry:
    content, decorators = _undecorated(text_at(record, "content", where))
    regular = any(record.get(name) is True for name in ("use_regex", "useRegex"))
    keys = [] if regular else [key for name in _KEYS for key in texts_at(record, name, where)]
    order = next((found for name in _ORDERS if (found := number_at(record, name)) is not None), None)
    extensions = record.get("extensions")
    mark = extensions.get(MARK) if isinstance(extensions, dict) else None
    return Entry(
        where=where,
        name=number,
        content=content,
        keys=tuple(dict.fromkeys(key for key in keys if not _REGULAR.fullmatch(key)))[:MOST_TAGS],
        constant=any(record.get(name) is True for name in ("constant", "alwaysActive")) or "activate" in decorators,
        order=order,
        why_not=_why_not(record, content, decorators),
        mark=record_of(mark, where) if mark is not None else None,
    )


_KEYS: Final = ("keys", "key", "secondary_keys", "keysecondary", "secondkey")
_ORDERS: Final = ("priority", "insertion_order", "order", "insertorder")


def _why_not(record: Record, content: str, decorators: set[str]) -> str | None:
    if record.get("enabled") is False or record.get("disable") is True:
        return "it is switched off"
    if "dont_activate" in decorators and "activate" not in decorators:
        return "it is never brought up"
    return None if content else "it says nothing"


def _undecorated(content: str) -> tuple[str, set[str]]:
    """Return a text without the lines that say how it is to be shown, and what these are called."""
    names: set[str] = set()
    while match := _DECORATOR.match(content):
        names.add(match["name"])
        content = content[match.end() :]
    return content.strip(), names


def _ranks(entries: Sequence[Entry]) -> dict[float | None, float]:
    """Return how important each order is beside the others; none where all are the same."""
    orders = sorted({entry.order for entry in entries if entry.order is not None})
    if len(orders) < 2:
        return {}
    step = (_GREATEST - _LEAST) / (len(orders) - 1)
    return {order: round(_LEAST + place * step, 3) for place, order in enumerate(orders)}


def _lore(entry: Entry, shelf: Shelf, importance: float | None) -> Iterator[Known]:
    content = filled_in(entry.content, user=None, character=shelf.character)
    tags = tuple(filled_in(key, user=None, character=shelf.character)[:LONGEST_TAG] for key in entry.keys)
    for number, piece in enumerate(pieces(content), start=1):
        yield Known(
            scope=shelf.scope,
            origin=f"lore/{entry.name}/{number}/{digest(piece)}",
            where=entry.where,
            content=piece,
            about="world",
            type="fact",
            importance=importance,
            tags=tuple(tag for tag in tags if tag),
            pinned=entry.constant,
        )


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
