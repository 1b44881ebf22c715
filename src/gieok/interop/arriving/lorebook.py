"""Lorebooks: what a world knows, to be brought up by its keys.

Character Card V2 and V3, SillyTavern's World Info and RisuAI each name the fields their own way; an entry is the same
in all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gieok.domain.scope import Scope
from gieok.errors import InvalidImport
from gieok.interop.arriving.foreign import (
    Record,
    digest,
    number_at,
    pieces,
    record_of,
    text_at,
    texts_at,
    within,
)
from gieok.interop.arriving.homecoming import LONGEST_TAG, MOST_TAGS, coming_home
from gieok.interop.arriving.macros import filled_in
from gieok.interop.arriving.shape import Arrival, Known, LeftOut
from gieok.interop.marks import MARK

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
