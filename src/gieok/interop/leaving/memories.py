"""Memories as JSON lines, each as the HTTP API shows it, with whose it is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, Final

from gieok.bank import MemoryBank
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope

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
