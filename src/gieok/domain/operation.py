"""Operations: everything that ever changed a scope's memories, in order, so that any of it can be undone.

A request is what was asked; carrying it out against what is believed gives its outcome. The same function serves
the first time and every replay, so a replay cannot drift from what would have happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from gieok.domain.beliefs import Beliefs
from gieok.domain.claim import Claim, Saying
from gieok.domain.decision import Decision
from gieok.domain.judgement import Moment, Policy, judge
from gieok.domain.memory import Change, Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Learn:
    """Believe what was claimed, and note which memories stood in the context of the reply."""

    claims: tuple[Claim, ...] = ()
    used: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Amend:
    """Put a memory's words right; it was always so."""

    memory_id: str
    content: str
    value: str | None = None
    surface: str | None = None
    saying: Saying | None = None  #: what the memory said: after a rewind another may say it


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """Keep a memory in every context, or no longer."""

    memory_id: str
    pinned: bool
    saying: Saying | None = None  #: what the memory said: after a rewind another may say it


@dataclass(frozen=True, slots=True, kw_only=True)
class Hide:
    """Forget a memory: it leaves every answer at once and stays in history."""

    memory_id: str
    saying: Saying | None = None  #: what the memory said: after a rewind another may say it


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Take operations back. Carries no change of its own: the survivors' outcomes say what is so now."""

    operations: tuple[str, ...]


Request = Learn | Amend | Pin | Hide | Undo
OperationKind = Literal["observe", "read", "remember", "correct", "pin", "forget", "rewind"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One entry of the journal: who did what, when and why, and what it changed."""

    id: str
    kind: OperationKind
    moment: Moment
    who: str  #: "person", or the extractor with its version
    request: Request
    why: str = ""
    turn_id: str | None = None
    decisions: tuple[Decision, ...] = ()
    changes: tuple[Change, ...] = ()  #: in order; the decisions' own first
    number: int = 0  #: its place in the scope's log, given by the store
    undone: bool = False

    def carried_out(self, beliefs: Beliefs, policy: Policy, *, turn_number: int | None = None) -> Operation:
        """Return this operation with its outcome against `beliefs`, which absorb it.

        A request whose memory is not there (any more) changes nothing.
        """
        moment = self.moment if turn_number is None else replace(self.moment, turn_number=turn_number)
        decisions: tuple[Decision, ...] = ()
        changes: list[Change] = []
        if isinstance(self.request, Learn):
            decisions = judge(self.request.claims, beliefs, moment, policy)
            changes = [change for decision in decisions for change in decision.changes]
            used = _used(self.request.used, beliefs, moment.at)
        else:
            used = _edited(self.request, beliefs, moment.at)
        beliefs.absorb(used)
        return replace(self, moment=moment, decisions=decisions, changes=(*changes, *used))


def _used(memory_ids: Iterable[str], beliefs: Beliefs, at: datetime) -> list[Change]:
    known = [beliefs[memory_id] for memory_id in dict.fromkeys(memory_ids) if memory_id in beliefs]
    return [Change(before=old, after=old.changed(uses=old.uses + 1, last_used_at=at)) for old in known]


def _edited(request: Amend | Pin | Hide | Undo, beliefs: Beliefs, at: datetime) -> list[Change]:
    before = None if isinstance(request, Undo) else _meant(request, beliefs)
    if isinstance(request, Undo) or before is None:
        return []
    if isinstance(request, Pin):
        after = before.changed(pinned=request.pinned)
    elif isinstance(request, Hide):
        after = before.changed(forgotten_at=at)
    else:
        value = before.value if request.value is None else request.value
        after = before.changed(content=request.content, value=value, surface=request.surface, origin="person")
    return [Change(before=before, after=after)]


def _meant(request: Amend | Pin | Hide, beliefs: Beliefs) -> Memory | None:
    """Return the memory a request is about, or the one that says the same since the turn that gave it was rewound."""
    if request.memory_id in beliefs:
        return beliefs[request.memory_id]
    return beliefs.that_says(request.saying) if request.saying is not None else None


def rewound(
    log: Sequence[Operation], undo: frozenset[str], beliefs: Beliefs, policy: Policy, *, turn_number: int
) -> list[Operation]:
    """Return what `log` becomes without the operations in `undo`; `beliefs` end as the survivors leave them.

    `log` holds every operation in force from the oldest in `undo` to the newest, in order; `turn_number` is the
    number of the last turn before it. Undoing by inverse changes runs back over all of them, newest first; then the
    survivors are judged again, with their own claims, times and ids.
    """
    for operation in reversed(log):
        beliefs.absorb(change.inverse for change in reversed(operation.changes))
    replayed = []
    for operation in log:
        if operation.id in undo:
            replayed.append(replace(operation, undone=True))
            continue
        turn_number += operation.kind == "observe"
        replayed.append(operation.carried_out(beliefs, policy, turn_number=turn_number))
    return replayed
