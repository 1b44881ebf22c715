"""Lorebooks: SillyTavern World Info, RisuAI, and Character Card V2 and V3."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from gieok.domain.scope import Scope
from gieok.errors import ErrorText, InvalidImport
from gieok.interop.importers.fields import LONGEST_TAG, MOST_TAGS, Row, digest, fill_names, pieces, scope_of, unique
from gieok.interop.importers.files import json_file
from gieok.interop.importers.records import ImportedMemory, Item, Skipped, Whose
from gieok.interop.marks import MARK, marked_memory

MOST_ENTRIES: Final = 20_000
_LEAST, _GREATEST = 0.4, 0.9  #: importance for the lowest and the highest order
_REGEX: Final = re.compile(r"/.+/[a-z]*", re.DOTALL)
_DECORATOR: Final = re.compile(r"@@@?(?P<name>[a-z_]+)(?P<value>[^\n]*)(?:\n|$)\s*")
_NUMBER: Final = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_LARGEST: Final = 2**53
#: field names differ by format
_KEYS: Final = ("keys", "key", "secondary_keys", "keysecondary", "secondkey")
_ORDERS: Final = ("priority", "insertion_order", "order", "insertorder")
_CONSTANT: Final = ("constant", "alwaysActive")
_REGEX_KEYS: Final = ("use_regex", "useRegex")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The destination of a book's entries."""

    scope: Scope
    character: str  #: the name for {{char}}
    restores: bool = False  #: whether memories exported by gieok return to their own scope
    user: str | None = None  #: the user whose memories may return


def read_world_info(path: Path, whose: Whose) -> Iterator[Item]:
    book = Row(json_file(path))
    name = book.text("name") or path.stem
    parts, where = book.get("entries"), ""
    if book.get("spec") == "lorebook_v3":
        book = book.row("data")
        name, parts = book.text("name") or path.stem, book.get("entries")
    elif book.get("type") == "risu":
        parts, where = book.get("data") or [], "data"
    world = whose.world or (None if whose.character else name)
    scope = scope_of("", Whose(character=whose.character, world=world))
    target = Target(scope=scope, character=whose.character or name, restores=True, user=whose.user)
    yield from read_entries(parts, where, target)


def read_entries(parts: Any, where: str, target: Target) -> Iterator[Item]:
    """Yield the entries of a book, a list or an object by number, as memories of the world."""
    if not isinstance(parts, dict | list):
        raise InvalidImport(ErrorText("import.no_entries"), where=where or None)
    if len(parts) > MOST_ENTRIES:
        flaw = ErrorText("import.many_entries", n=len(parts), most_entries=MOST_ENTRIES)
        raise InvalidImport(flaw, where=where or None)
    numbered = parts.items() if isinstance(parts, dict) else enumerate(parts, start=1)
    prefix = f"{where}, " if where else ""
    rows = {str(number): Row(part, f"{prefix}entry {str(number)[:40]}") for number, part in numbered}
    rows = {number: row for number, row in rows.items() if row.get("mode") != "folder"}
    orders = sorted({order for row in rows.values() if (order := _order(row)) is not None})
    step = (_GREATEST - _LEAST) / (len(orders) - 1) if len(orders) > 1 else 0.0
    ranks = {order: round(_LEAST + place * step, 3) for place, order in enumerate(orders)} if step else {}
    for number, row in rows.items():
        order = _order(row)
        yield from _entry(row, number, target, None if order is None else ranks.get(order))


def _entry(row: Row, number: str, target: Target, importance: float | None) -> Iterator[Item]:
    content, decorators = _undecorated(row.text("content"))
    if why := _why_skipped(row, content, decorators):
        yield Skipped(where=row.where, why=why)
        return
    constant = "activate" in decorators or any(row.get(name) is True for name in _CONSTANT)
    extensions = row.get("extensions")
    mark = extensions.get(MARK) if isinstance(extensions, dict) else None
    if mark is not None and target.restores:
        own = Row(mark, row.where)
        yield marked_memory(own, content, user=target.user, otherwise=target.scope, pinned=constant)
        return
    regex = any(row.get(name) is True for name in _REGEX_KEYS)
    keys = [] if regex else [key for name in _KEYS for key in row.texts(name) if not _REGEX.fullmatch(key)]
    filled = partial(fill_names, user=None, character=target.character)
    tags = [filled(key)[:LONGEST_TAG] for key in unique(keys)[:MOST_TAGS]]
    for part, piece in enumerate(pieces(filled(content)), start=1):
        yield ImportedMemory(
            scope=target.scope,
            origin=f"lore/{number}/{part}/{digest(piece)}",
            where=row.where,
            content=piece,
            about="world",
            type="fact",
            importance=importance,
            tags=tuple(tag for tag in tags if tag),
            pinned=constant,
        )


def _undecorated(content: str) -> tuple[str, set[str]]:
    """Return a text without display decorators, and the names of the removed ones."""
    names: set[str] = set()
    while match := _DECORATOR.match(content):
        names.add(match["name"])
        content = content[match.end() :]
    return content.strip(), names


def _why_skipped(row: Row, content: str, decorators: set[str]) -> str | None:
    if row.get("enabled") is False or row.get("disable") is True:
        return ErrorText("skip.off")
    if "dont_activate" in decorators and "activate" not in decorators:
        return ErrorText("skip.never")
    return None if content else ErrorText("skip.empty")


def _order(row: Row) -> float | None:
    """Return the order of an entry; a higher order means more important."""
    for name in _ORDERS:
        value = row.get(name)
        if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            value = float(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST:
            return float(value)
    return None
