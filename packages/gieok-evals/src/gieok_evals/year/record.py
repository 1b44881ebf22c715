"""What the journal of a year says became of every memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gieok.domain.memory import Memory
from gieok.domain.operation import Operation
from gieok_evals.year.living import Living, made_from, open_still, reason


@dataclass(frozen=True)
class Record:
    """Every memory there ever was, which are open now, and what they were made from."""

    first: Mapping[str, Memory]  #: as each was made
    last: Mapping[str, Memory]  #: as each is now
    birth: Mapping[str, str | None]  #: the turn that made each; None: upkeep or a person did
    of_turn: Mapping[str, frozenset[str]]  #: ids of the memories that a turn made or touched
    visible: frozenset[str]  #: ids of what is true now

    @cached_property
    def merged(self) -> frozenset[str]:
        """Ids of everything that lives on in a visible memory: made from it, or kept in its place."""
        parents = [parent for each in self.visible for parent in made_from(self.last[each])]
        kept_instead = [each.id for each in self.last.values() if each.faded_at and each.closed_by in self.visible]
        return frozenset(self._ancestors([*parents, *kept_instead]) - self.visible)

    @property
    def closed(self) -> tuple[str, ...]:
        return tuple(memory_id for memory_id, memory in self.last.items() if not open_still(memory))

    def comes_from(self, memory: Memory, memory_ids: frozenset[str]) -> bool:
        """Whether upkeep made `memory` from one of them, at once or by steps."""
        return bool(self._ancestors(made_from(memory)) & memory_ids)

    def held(self, memory_ids: Iterable[str]) -> bool:
        """Whether one of them is still there, or lives on in another."""
        return any(each in self.visible or each in self.merged for each in memory_ids)

    def settled(self, memory_ids: Iterable[str]) -> bool:
        """Whether the story itself closed one of them: it was kept, broken or replaced."""
        closed = [self.last[each] for each in memory_ids if each in self.last]
        return any(memory.invalid_at is not None and memory.faded_at is None for memory in closed)

    def _ancestors(self, memory_ids: Iterable[str]) -> set[str]:
        """Return `memory_ids` with everything they were made from."""
        found: set[str] = set()
        waiting = list(memory_ids)
        while waiting:
            memory_id = waiting.pop()
            if memory_id not in found:
                found.add(memory_id)
                waiting += made_from(self.last[memory_id]) if memory_id in self.last else ()
        return found


def record(operations: Sequence[Operation], visible: Iterable[Memory]) -> Record:
    first: dict[str, Memory] = {}
    last: dict[str, Memory] = {}
    birth: dict[str, str | None] = {}
    of_turn: dict[str, set[str]] = {}
    for operation in operations:
        if operation.undone:
            continue
        for change in operation.changes:
            if change.after is None:
                continue
            turn = operation.turn_id if operation.kind in ("observe", "read") else None
            first.setdefault(change.memory_id, change.after)
            birth.setdefault(change.memory_id, turn)
            last[change.memory_id] = change.after
            if turn is not None:
                of_turn.setdefault(turn, set()).add(change.memory_id)
    shown = {memory.id: memory for memory in visible}
    return Record(
        first=first,
        last={**last, **shown},
        birth=birth,
        of_turn={turn: frozenset(ids) for turn, ids in of_turn.items()},
        visible=frozenset(shown),
    )


def explained(mind: Living, memory_id: str) -> bool:
    """Whether the history of a closed memory still shows how it was closed, and why."""
    for operation, change in mind.history(memory_id):
        was_open = change.before is None or open_still(change.before)
        if change.after is not None and was_open and not open_still(change.after):
            return bool(reason(operation, memory_id))
    return False
