"""Carrying operations out against what is believed and how things stand.

The same function serves the first time and every replay, so a replay cannot drift from what would have happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from gieok.domain.beliefs import Beliefs
from gieok.domain.decision import Decision
from gieok.domain.judgement import Policy, judge
from gieok.domain.living import Living
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import (
    Amend,
    Arrive,
    Direct,
    Hide,
    Join,
    Learn,
    Maintain,
    Operation,
    Part,
    Pin,
    Restore,
    Stage,
    Think,
)
from gieok.domain.personal import Flags
from gieok.domain.restoring import restored
from gieok.domain.things import Life, Move
from gieok.domain.thinking import mark_of, thought_over
from gieok.domain.upkeep import Kept, PassName, Ran


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """Everything an operation is carried out against. Both change as it goes."""

    beliefs: Beliefs = field(default_factory=Beliefs)
    life: Life = field(default_factory=Life)


class Keeper(Protocol):
    """Decides what an upkeep pass does."""

    def __call__(self, name: PassName, operation: Operation, present: Present) -> Iterator[Kept]:
        """Yield what the pass `name` does; what was yielded is absorbed into `present` before the next pass."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """Carries operations out by the rules it was given."""

    policy: Policy = field(default_factory=Policy)
    living: Living = field(default_factory=Living)

    def carried_out(
        self, operation: Operation, present: Present, *, turn_number: int | None = None, keeper: Keeper | None = None
    ) -> Operation:
        """Return `operation` with its outcome against `present`, which absorbs it.

        A request whose memory is not there (any more) changes nothing.
        """
        moment = operation.moment
        if turn_number is not None:
            moment = replace(moment, turn_number=turn_number)
            operation = replace(operation, moment=moment)
        match operation.request:
            case Learn() as request:
                return self._learned(operation, request, present)
            case Maintain() as request:
                assert keeper is not None, "passes need somebody who decides"
                return _maintained(operation, request, present, keeper)
            case Think() as request:
                return _thought(operation, request, present)
            case Direct() as request:
                moves = tuple(self.living.directed(request, operation, present.life))
                return replace(operation, decisions=(), kept=(), changes=(), moves=moves)
            case Arrive() as request:
                moves = tuple(self.living.arrived(request, present.life))
                return replace(operation, decisions=(), kept=(), changes=(), moves=moves)
            case Join() | Part() | Stage() as request:
                moves = tuple(self.living.arranged(request, operation, present.life))
                return replace(operation, decisions=(), kept=(), changes=(), moves=moves)
            case Amend() | Pin() | Hide() | Restore() as request:
                changes = tuple(_edited(request, present.beliefs, moment.at, self.policy.flags))
                present.beliefs.absorb(changes)
                forgets = isinstance(request, Hide) and bool(changes)
                moves = tuple(self.living.hushed(present.life)) if forgets else ()
                return replace(operation, decisions=(), kept=(), changes=changes, moves=moves)
        return replace(operation, decisions=(), kept=(), changes=(), moves=())

    def _learned(self, operation: Operation, request: Learn, present: Present) -> Operation:
        beliefs, moment = present.beliefs, operation.moment
        decisions = judge(request.claims, beliefs, moment, self.policy)
        lived = self.living.lived(operation, request, decisions, present.life)
        beliefs.absorb(lived.changes)
        used = tuple(_used(request.used, beliefs, moment.at))
        beliefs.absorb(used)
        changes = (*_changes(decisions), *lived.changes, *used)
        return replace(operation, decisions=decisions, kept=(), changes=changes, moves=lived.moves)

    def rewound(
        self,
        log: Sequence[Operation],
        undo: frozenset[str],
        present: Present,
        *,
        turn_number: int,
        keeper: Keeper | None = None,
    ) -> list[Operation]:
        """Return what `log` becomes without the operations in `undo`; `present` ends as the survivors leave it.

        `log` holds every operation in force from the oldest in `undo` to the newest, in order; `turn_number` is the
        number of the last turn before it. Undoing by inverse changes runs back over all of them, newest first; then
        the survivors are judged again, with their own claims, times and ids.
        """
        for operation in reversed(log):
            present.beliefs.absorb(change.inverse for change in reversed(operation.changes))
            present.life.absorb(move.inverse for move in reversed(operation.moves))
        replayed = []
        for operation in log:
            if operation.id in undo:
                replayed.append(replace(operation, undone=True))
                continue
            turn_number += operation.kind == "observe"
            replayed.append(self.carried_out(operation, present, turn_number=turn_number, keeper=keeper))
        return replayed


def _maintained(operation: Operation, request: Maintain, present: Present, keeper: Keeper) -> Operation:
    kept: list[Kept] = []
    moves: list[Move] = []
    for name in request.passes:
        done = list(keeper(name, operation, present))
        for each in done:
            present.beliefs.absorb(each.changes)
        kept += done
        ran = Ran(turn_number=operation.moment.turn_number, at=operation.moment.at)
        moves += present.life.moved(name, ran)
    changes = tuple(change for each in kept for change in each.changes)
    return replace(operation, decisions=(), kept=tuple(kept), changes=changes, moves=tuple(moves))


def _thought(operation: Operation, request: Think, present: Present) -> Operation:
    kept: list[Kept] = []
    for each in thought_over(
        request.insights,
        request.retellings,
        request.conflicts,
        who=operation.who,
        operation_id=operation.id,
        beliefs=present.beliefs,
        moment=operation.moment,
    ):
        present.beliefs.absorb(each.changes)
        kept.append(each)
    ran = Ran(turn_number=operation.moment.turn_number, at=operation.moment.at)
    moves = tuple(move for thought in request.over for move in present.life.moved(mark_of(thought), ran))
    changes = tuple(change for each in kept for change in each.changes)
    return replace(operation, decisions=(), kept=tuple(kept), changes=changes, moves=moves)


def _changes(decisions: Iterable[Decision]) -> Iterator[Change]:
    for decision in decisions:
        yield from decision.changes


def _used(memory_ids: Iterable[str], beliefs: Beliefs, at: datetime) -> list[Change]:
    known = [beliefs[memory_id] for memory_id in dict.fromkeys(memory_ids) if memory_id in beliefs]
    return [Change(before=old, after=old.changed(uses=old.uses + 1, last_used_at=at)) for old in known]


def _edited(request: Amend | Pin | Hide | Restore, beliefs: Beliefs, at: datetime, flags: Flags) -> list[Change]:
    before = _meant(request, beliefs)
    if before is None:
        return []
    if isinstance(request, Restore):
        changes = restored(before, request.to, beliefs)
        return [*changes, *_told_otherwise(changes[0], beliefs, at)]
    if isinstance(request, Pin):
        after = before.changed(pinned=request.pinned)
    elif isinstance(request, Hide):
        told_on = (_let_go(old, at) for old in beliefs.concluded_from(before))
        return [Change(before=before, after=before.changed(forgotten_at=at)), *told_on]
    else:
        value = before.value if request.value is None else request.value
        told = {"content": request.content, "value": value, "surface": request.surface, "origin": "person"}
        marks = flags(request.content if value is None else f"{request.content} {value}")
        after = before.changed(**told, pii_flags=marks, interpretation=None)  # that told of other words
        change = Change(before=before, after=after)
        return [change, *_told_otherwise(change, beliefs, at)]
    return [Change(before=before, after=after)]


def _told_otherwise(change: Change, beliefs: Beliefs, at: datetime) -> Iterator[Change]:
    """Yield what becomes of the conclusions that tell what a memory said before."""
    before, after = change.before, change.after
    if before is not None and after is not None and before.content != after.content:
        yield from (_put_right(page, before, after, at) for page in beliefs.retelling(before))


def _let_go(memory: Memory, at: datetime) -> Change:
    return Change(before=memory, after=memory.changed(faded_at=at))


def _put_right(page: Memory, before: Memory, after: Memory, at: datetime) -> Change:
    """Return what becomes of a conclusion: the story so far is told on with the right words, others are let go."""
    if page.content_type != "summary" or before.content not in page.content:
        return _let_go(page, at)
    told = page.content.replace(before.content, " ".join(after.content.split()))
    return Change(before=page, after=page.changed(content=told, interpretation=None))


def _meant(request: Amend | Pin | Hide | Restore, beliefs: Beliefs) -> Memory | None:
    """Return the memory a request is about, or the one that says the same since the turn that gave it was rewound."""
    if request.memory_id in beliefs:
        return beliefs[request.memory_id]
    return beliefs.that_says(request.saying) if request.saying is not None else None
