"""What is true now as mem0's `get_all` returns it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC
from hashlib import md5
from typing import Any

from gieok.bank import MemoryBank
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import USER
from gieok.interop.marks import MARK, about, mark_of, with_name


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
