"""What is true now as a lorebook: Character Card V3's own, and SillyTavern's World Info.

The keys are nouns and values, as they are said. The importance is the order, and what is pinned is always there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gieok.bank import MemoryBank
from gieok.bank.keywords import keywords
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.interop.marks import MARK, mark_of, with_name

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
