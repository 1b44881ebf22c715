"""Moving out: what is remembered here, in files that other systems read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from hashlib import md5
from pathlib import Path
from typing import Any, Final

from gieok.bank import MemoryBank
from gieok.bank.disclosing import Exported, write_whole
from gieok.bank.keywords import keywords
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import USER
from gieok.errors import InvalidQuery, UnknownUser
from gieok.interop.messages import MARK, about, mark_of, with_name

_HIGHEST: Final = 100  #: order of what matters most


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """What both formats say of a memory."""

    number: int
    keys: tuple[str, ...]
    content: str
    order: int
    constant: bool
    mark: dict[str, Any]


def card_lorebook(bank: MemoryBank, scopes: Sequence[Scope]) -> Iterator[bytes]:
    """Yield a lorebook as Character Card V3 has it by itself."""
    entries = [
        {
            "keys": list(entry.keys),
            "content": entry.content,
            "extensions": {MARK: entry.mark},
            "enabled": True,
            "insertion_order": entry.order,
            "case_sensitive": False,
            "use_regex": False,
            "constant": entry.constant,
            "selective": False,
            "secondary_keys": [],
            "position": "before_char",
            "priority": entry.order,
            "id": entry.number,
            "name": _title(entry),
            "comment": _title(entry),
        }
        for entry in _entries(bank, scopes)
    ]
    book = {"name": _name(scopes), "description": "", "recursive_scanning": False, "extensions": {}, "entries": entries}
    yield _written({"spec": "lorebook_v3", "data": book})


def world_info(bank: MemoryBank, scopes: Sequence[Scope]) -> Iterator[bytes]:
    """Yield World Info as SillyTavern keeps it."""
    entries = {
        str(entry.number): {
            "uid": entry.number,
            "key": list(entry.keys),
            "keysecondary": [],
            "comment": _title(entry),
            "content": entry.content,
            "constant": entry.constant,
            "vectorized": False,
            "selective": True,
            "selectiveLogic": 0,
            "addMemo": True,
            "order": entry.order,
            "position": 0,
            "disable": False,
            "excludeRecursion": True,
            "preventRecursion": True,
            "probability": 100,
            "useProbability": True,
            "depth": 4,
            "displayIndex": entry.number,
            "extensions": {MARK: entry.mark},
        }
        for entry in _entries(bank, scopes)
    }
    yield _written({"name": _name(scopes), "entries": entries})


def _entries(bank: MemoryBank, scopes: Sequence[Scope]) -> Iterator[_Entry]:
    number = 0
    for scope in scopes:
        for memory in bank.mind(scope).facts():
            yield _entry(memory, scope, number)
            number += 1


def _entry(memory: Memory, scope: Scope, number: int) -> _Entry:
    names = [name for name in (scope.user, scope.character) if name is not None]
    keys = keywords(memory, names)
    mark = mark_of(memory, scope)
    if not keys and not memory.pinned:
        mark["pinned"] = False  # nothing would ever bring it up: it is always there, though it is not pinned
    return _Entry(
        number=number,
        keys=keys,
        content=with_name(memory),
        order=round(memory.importance * _HIGHEST),
        constant=memory.pinned or not keys,
        mark=mark,
    )


def _title(entry: _Entry) -> str:
    return ", ".join(entry.keys[:3]) or entry.content[:40]


def _name(scopes: Sequence[Scope]) -> str:
    names = (name for scope in scopes for name in (scope.user, scope.character, scope.world) if name is not None)
    return ", ".join(dict.fromkeys(names))[:200]


def _written(book: Any) -> bytes:
    return json.dumps(book, ensure_ascii=False, indent=1).encode() + b"\n"


def mem0_results(bank: MemoryBank, scopes: Sequence[Scope]) -> Iterator[bytes]:
    results = [_item(memory, scope) for scope in scopes for memory in bank.mind(scope).facts()]
    yield json.dumps({"results": results}, ensure_ascii=False, indent=1).encode() + b"\n"


def _item(memory: Memory, scope: Scope) -> dict[str, Any]:
    text = memory.content if about(memory) == USER else with_name(memory)
    learned = memory.known_at.astimezone(UTC).isoformat()
    return {
        "id": memory.id,
        "memory": text,
        "hash": md5(text.encode(), usedforsecurity=False).hexdigest(),
        "metadata": {
            "importance": memory.importance,
            "pinned": memory.pinned,
            "valid_at": memory.valid_at.isoformat(),
            "tags": list(memory.tags),
            MARK: mark_of(memory, scope),
        },
        "created_at": learned,
        "updated_at": learned,
        **({"user_id": scope.user} if scope.user is not None else {}),
        **({"agent_id": scope.character} if scope.character is not None else {}),
    }


_AT_ONCE: Final = 200  #: memories that are read together
_UNSHOWN: Final = frozenset({"value_class", "touched_turn", "retracted", "faded_at", "extractor", "details"})
_CALLED: Final = {"content_type": "type"}


def memory_lines(bank: MemoryBank, scopes: Sequence[Scope]) -> Iterator[bytes]:
    """Yield the memories in every state, scope by scope, the newest first."""
    now = bank.clock.now()
    for scope in scopes:
        mind, place = bank.mind(scope), None
        while leaves := mind.memories(_AT_ONCE, before=place, state="all"):
            lines = (json.dumps(_record(leaf.memory, scope, now), ensure_ascii=False) for leaf in leaves)
            yield "".join(f"{line}\n" for line in lines).encode()
            place = leaves[-1].place


def _record(memory: Memory, scope: Scope, now: datetime) -> dict[str, Any]:
    shown = [field.name for field in fields(memory) if field.name not in _UNSHOWN]
    return {
        "user": scope.user,
        "character": scope.character,
        "world": scope.world,
        "state": memory.state(now),
        **{_CALLED.get(name, name): _plain(getattr(memory, name)) for name in shown},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return written(value)
    return list(value) if isinstance(value, tuple) else value


def written(moment: datetime) -> str:
    """Return a moment in ISO 8601; UTC is Z."""
    return (
        moment.isoformat().replace("+00:00", "Z") if moment.utcoffset() == UTC.utcoffset(None) else moment.isoformat()
    )


Writer = Callable[[MemoryBank, Sequence[Scope]], Iterator[bytes]]

OWN: Final = "zip"  #: gieok's own: everything, also for people
WRITERS: Final[Mapping[str, Writer]] = {
    "jsonl": memory_lines,
    "lorebook": card_lorebook,
    "worldinfo": world_info,
    "mem0": mem0_results,
}
FORMATS: Final = (OWN, *WRITERS)


def leave(
    bank: MemoryBank,
    format: str,
    to: str | os.PathLike[str],
    *,
    user: str | None = None,
    character: str | None = None,
    world: str | None = None,
) -> Exported:
    """Write what is remembered of a user into a file; without a user the canon of a character or a world.

    A file that is there is replaced, but only by a whole one. Raises `UnknownUser` where nothing is kept, and
    `InvalidQuery` for a format that there is none of; gieok's own needs a user.
    """
    if format not in FORMATS:
        raise InvalidQuery(f"unknown format {format!r}; choose one of {', '.join(FORMATS)}")
    if format == OWN:
        if user is None:
            raise InvalidQuery("whose memories? name a user: --user NAME; canon leaves as jsonl, lorebook or worldinfo")
        return bank.export(user=user, character=character, world=world, to=to)
    scopes = _scopes(bank, Scope(user=user, character=character, world=world))
    target = Path(to)
    write_whole(target, WRITERS[format](bank, scopes))
    return Exported(path=target, scopes=tuple(scopes), size_bytes=target.stat().st_size)


def _scopes(bank: MemoryBank, asked: Scope) -> list[Scope]:
    found = [
        summary.scope
        for summary in bank.scopes()
        if summary.scope.user == asked.user
        and asked.character in (None, summary.scope.character)
        and asked.world in (None, summary.scope.world)
    ]
    if not found:
        raise UnknownUser(str(asked))
    return found
