"""The versions of a memory: who made each of them, when and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from gieok.domain.actor import Actor
from gieok.domain.audit import act_of
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Operation, OperationKind
from gieok.domain.scope import Scope
from gieok.errors import UnknownVersion

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What a memory became, and by whom."""

    number: int | None  #: that it has since; None: it was removed
    operation_id: str
    operation: int  #: its number in the journal
    kind: OperationKind
    act: str  #: the same, told more closely: a correction may restore what was
    at: datetime  #: in the story
    recorded_at: datetime
    actor: Actor | None  #: on whose behalf; None: it was not written down yet then, or erased since
    who: str  #: what carried it out: a rule, a prompt or a pass with its version; "person": nobody else
    why: str
    turn_id: str | None
    before: Memory | None
    after: Memory | None


class Versions:
    """The part of a `Mind` that tells who changed a memory."""

    _bank: MemoryBank
    key: Scope

    if TYPE_CHECKING:

        def history(self, memory_id: str) -> list[tuple[Operation, Change]]: ...

    def versions(self, memory_id: str) -> list[Version]:
        """Return what a memory was, version by version, oldest first, with who made it so; raises `UnknownMemory`.

        What a rewind took back is not among it: `MemoryBank.audit` tells of that.
        """
        happened = self.history(memory_id)
        actors = self._bank.store.trail.actors(self.key, [operation.number for operation, _ in happened])
        return [_version(operation, change, actors.get(operation.number)) for operation, change in happened]

    def _operation_of(self, memory_id: str, version: int | None) -> str:
        """Return the id of the operation that made a version; raises `UnknownVersion` where there is none."""
        for operation, change in reversed(self.history(memory_id)):
            if change.after is not None and change.after.version == version:
                return operation.id
        raise UnknownVersion(memory_id, version)


def _version(operation: Operation, change: Change, actor: Actor | None) -> Version:
    return Version(
        number=change.after.version if change.after is not None else None,
        operation_id=operation.id,
        operation=operation.number,
        kind=operation.kind,
        act=act_of(operation),
        at=operation.moment.at,
        recorded_at=operation.moment.recorded_at,
        actor=actor,
        who=operation.who,
        why=operation.why,
        turn_id=operation.turn_id,
        before=change.before,
        after=change.after,
    )
