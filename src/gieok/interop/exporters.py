"""Export memories to the file formats of other systems."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import md5
from pathlib import Path
from typing import Any, Final

from gieok.bank import MemoryBank
from gieok.bank.adapters import keywords
from gieok.bank.privacy import Exported, write_whole
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import USER
from gieok.errors import ErrorText, InvalidQuery, UnknownUser
from gieok.interop.marks import MARK, about, mark_of, with_name
from gieok.records import record

_HIGHEST: Final = 100  #: order of an entry with importance 1
_AT_ONCE: Final = 200  #: memories per read


def card_lorebook(bank: MemoryBank, scopes: Sequence[Scope]) -> Iterator[bytes]:
    """Yield a standalone lorebook of Character Card V3."""
    entries = [
        {
            "keys": entry["keys"], "content": entry["content"], "extensions": entry["extensions"], "enabled": True,
            "insertion_order": entry["order"], "case_sensitive": False, "use_regex": False,
            "constant": entry["constant"], "selective": False, "secondary_keys": [], "position": "before_char",
            "priority": entry["order"], "id": number, "name": entry["title"], "comment": entry["title"],
        }
        for number, entry in enumerate(_entries(bank, scopes))
    ]  # fmt: skip
    name = _book_name(scopes)
    book = {"name": name, "description": "", "recursive_scanning": False, "extensions": {}, "entries": entries}
    yield _json({"spec": "lorebook_v3", "data": book})


def world_info(bank: MemoryBank, scopes: Sequence[Scope]) -> Iterator[bytes]:
    """Yield a SillyTavern World Info file."""
    entries = {
        str(number): {
            "uid": number, "key": entry["keys"], "keysecondary": [], "comment": entry["title"],
            "content": entry["content"], "constant": entry["constant"], "vectorized": False, "selective": True,
            "selectiveLogic": 0, "addMemo": True, "order": entry["order"], "position": 0, "disable": False,
            "excludeRecursion": True, "preventRecursion": True, "probability": 100, "useProbability": True,
            "depth": 4, "displayIndex": number, "extensions": entry["extensions"],
        }
        for number, entry in enumerate(_entries(bank, scopes))
    }  # fmt: skip
    yield _json({"name": _book_name(scopes), "entries": entries})


def _entries(bank: MemoryBank, scopes: Sequence[Scope]) -> Iterator[dict[str, Any]]:
    """Yield the fields of memories that both formats share."""
    for scope, memory in _facts(bank, scopes):
        keys = keywords(memory, [name for name in (scope.user, scope.character) if name is not None])
        mark = mark_of(memory, scope)
        if not keys and not memory.pinned:
            mark["pinned"] = False  # without a keyword it is constant, although it is not pinned
        content = with_name(memory)
        yield {
            "keys": list(keys),
            "content": content,
            "order": round(memory.importance * _HIGHEST),
            "constant": memory.pinned or not keys,
            "title": ", ".join(keys[:3]) or content[:40],
            "extensions": {MARK: mark},
        }


def _facts(bank: MemoryBank, scopes: Sequence[Scope]) -> Iterator[tuple[Scope, Memory]]:
    for scope in scopes:
        for memory in bank.mind(scope).facts():
            yield scope, memory


def _book_name(scopes: Sequence[Scope]) -> str:
    names = (name for scope in scopes for name in (scope.user, scope.character, scope.world) if name is not None)
    return ", ".join(dict.fromkeys(names))[:200]


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def mem0_results(bank: MemoryBank, scopes: Sequence[Scope]) -> Iterator[bytes]:
    """Yield the output of mem0's `get_all`."""
    yield _json({"results": [_mem0_item(memory, scope) for scope, memory in _facts(bank, scopes)]})


def _mem0_item(memory: Memory, scope: Scope) -> dict[str, Any]:
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


def memory_lines(bank: MemoryBank, scopes: Sequence[Scope]) -> Iterator[bytes]:
    """Yield the memories in every state as JSON lines, scope by scope, the newest first."""
    now = bank.clock.now()
    for scope in scopes:
        mind, place = bank.mind(scope), None
        while leaves := mind.memories(_AT_ONCE, before=place, state="all"):
            for leaf in leaves:
                told = {**record(scope), **record(leaf.memory), "state": leaf.memory.state(now)}
                yield json.dumps(told, ensure_ascii=False, default=_moment).encode() + b"\n"
            place = leaves[-1].place


def _moment(value: datetime) -> str:
    return value.isoformat().replace("+00:00", "Z")


Writer = Callable[[MemoryBank, Sequence[Scope]], Iterator[bytes]]

OWN: Final = "zip"  #: gieok's own format, with everything
WRITERS: Final[Mapping[str, Writer]] = {
    "jsonl": memory_lines,
    "lorebook": card_lorebook,
    "worldinfo": world_info,
    "mem0": mem0_results,
}
FORMATS: Final = (OWN, *WRITERS)


def export_file(
    bank: MemoryBank,
    format: str,
    to: str | os.PathLike[str],
    *,
    user: str | None = None,
    character: str | None = None,
    world: str | None = None,
) -> Exported:
    """Write the memories of a user into a file; without a user, the canon of a character or a world.

    An existing file is replaced once the new one is complete. Raises `UnknownUser` if there are no memories, and
    `InvalidQuery` for an unknown format; gieok's own needs a user.
    """
    if format not in FORMATS:
        raise InvalidQuery(ErrorText("export.format", format=format, known=", ".join(FORMATS)))
    if format == OWN:
        if user is None:
            raise InvalidQuery(ErrorText("export.whose"))
        return bank.export(user=user, character=character, world=world, to=to)
    asked = Scope(user=user, character=character, world=world)
    own = (summary.scope for summary in bank.scopes() if summary.scope.user == user)
    scopes = [each for each in own if character in (None, each.character) and world in (None, each.world)]
    if not scopes:
        raise UnknownUser(str(asked))
    target = Path(to)
    write_whole(target, WRITERS[format](bank, scopes), bank=bank.settings.bank)
    return Exported(path=target, scopes=tuple(scopes), size_bytes=target.stat().st_size)


leave = export_file  #: the name in 0.1.0
