"""The dicts that mem0's callers get: memories as items, changes as events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from hashlib import md5
from typing import Any, Literal

from gieok.domain.decision import Decision
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.errors import InvalidQuery
from gieok.interop.mem0.shelf import Beside
from gieok.interop.messages import written

Item = dict[str, Any]
Event = Literal["ADD", "UPDATE", "DELETE"]


def holds(memory: Memory, at: datetime) -> bool:
    """Whether a memory is among those that mem0 would have: what is forgotten, faded or over is not."""
    return not memory.hidden and (memory.invalid_at is None or memory.invalid_at > at)


def item(memory: Memory, scope: Scope, beside: Beside, *, updated_at: datetime, runs: Iterable[str] = ()) -> Item:
    """Return a memory; of several runs it tells one that was asked for."""
    asked = [run for run in beside.runs if run in tuple(runs)]
    told = {
        "user_id": scope.user,
        "agent_id": scope.character,
        "run_id": (asked or list(beside.runs))[-1] if beside.runs else None,
        "actor_id": beside.actor_id,
        "role": beside.role,
        "expiration_date": beside.expiration_date,
    }
    changed = max(written(updated_at), beside.updated_at or "")
    return {
        "id": memory.id,
        "memory": memory.content,
        "hash": md5(memory.content.encode(), usedforsecurity=False).hexdigest(),
        "metadata": dict(beside.metadata) or None,
        "created_at": written(memory.known_at),
        "updated_at": changed,
        **{name: value for name, value in told.items() if value is not None},
    }


def record(shown: Mapping[str, Any], beside: Beside) -> dict[str, Any]:
    """Return what a filter looks at: the metadata, and over it what says whose and when it is."""
    return {**beside.metadata, **shown, "metadata": dict(beside.metadata), "run_id": list(beside.runs)}


def expired(beside: Beside, now: datetime) -> bool:
    """Whether its last day is over."""
    return beside.expiration_date is not None and beside.expiration_date < now.astimezone(UTC).date().isoformat()


def happened(decisions: Iterable[Decision], at: datetime) -> Iterator[Item]:
    """Yield what an `add` did, change by change; what was only said again changes nothing that mem0 would tell."""
    for decision in decisions:
        for change in decision.changes:
            event = event_of(change, at)
            memory = change.after or change.before
            if event is not None and memory is not None:
                yield {"id": memory.id, "memory": memory.content, "event": event}


def event_of(change: Change, at: datetime) -> Event | None:
    """Return what a change is in mem0's words; None: nothing that it would tell."""
    before = change.before if change.before is not None and holds(change.before, at) else None
    after = change.after if change.after is not None and holds(change.after, at) else None
    if before is None:
        return None if after is None else "ADD"
    if after is None:
        return "DELETE"
    return "UPDATE" if before.content != after.content else None


def history_entry(operation: Operation, change: Change, beside: Beside) -> Item | None:
    """Return an entry of a memory's history; None: nothing that mem0 would tell."""
    event = event_of(change, operation.moment.at)
    if event is None:
        return None
    known = change.after or change.before
    return {
        "id": operation.id,
        "memory_id": change.memory_id,
        "old_memory": None if event == "ADD" or change.before is None else change.before.content,
        "new_memory": None if event == "DELETE" or change.after is None else change.after.content,
        "event": event,
        "created_at": None if known is None else written(known.known_at),
        "updated_at": written(operation.moment.at),
        "is_deleted": event == "DELETE",
        "actor_id": beside.actor_id,
        "role": beside.role,
    }


def day_of(expiration: object) -> str | None:
    """Return a last day as it is kept; raises `InvalidQuery`."""
    if expiration is None:
        return None
    if isinstance(expiration, datetime):
        return expiration.date().isoformat()
    if isinstance(expiration, date):
        return expiration.isoformat()
    try:
        return date.fromisoformat(str(expiration)).isoformat()
    except ValueError as cause:
        raise InvalidQuery(f"expiration_date={expiration!r} is no day like 2026-11-16; nothing was kept") from cause
