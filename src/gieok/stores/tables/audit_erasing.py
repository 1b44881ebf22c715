"""Erasing from the audit log what goes from the journal: texts and salts go, who did what and when stays.

What is left in the journal is vouched for anew, so that it can still be held against the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Final

from gieok.domain.acting import Actor
from gieok.domain.audit import ERASE, REVISED, ranges
from gieok.domain.operation import Operation
from gieok.ports import Gone
from gieok.stores.tables.audit_contents import journal_lines, said
from gieok.stores.tables.auditing import ChainEnd, new_content
from gieok.stores.tables.ledger import Ledger
from gieok.stores.tables.rows import dump
from gieok.stores.tables.scope_ids import first_id, number_of, numbered

_WHO: Final = "erase"
_AT_ONCE: Final = 5_000


def strip(end: ChainEnd, operations: Iterable[int], *, at: datetime, actor: Actor) -> int:
    """Erase what deeds tell of operations, by their numbers, and tell of it; return how many deeds that were.

    To be called in the transaction in which these operations lose their texts in the journal.
    """
    asked = {"scope_id": end.scope_id, "operations": dump(sorted(set(operations)))}
    numbers = [number_of(id) for (id,) in end.connection.rows("find_deeds_to_strip", **asked)]
    if numbers:
        end.connection.run("strip_deeds", **asked)
        end.append(ERASE, at, actor, covers=ranges(numbers))
    return len(numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Telling:
    """A deed that tells of an operation."""

    operation: int
    turn: int | None
    keeps_record: bool


@dataclass(frozen=True, slots=True)
class ErasedDeeds:
    """What an erasure takes from a chain: knows what the journal told before it."""

    before: dict[int, list[str]]  #: of every operation that is written anew

    @classmethod
    def of(cls, ledger: Ledger, gone: Gone, revised: Iterable[Operation]) -> ErasedDeeds:
        """To be made before anything is written."""
        numbers = (each.number for each in chain(gone.operations, revised))
        return cls(journal_lines(ledger.connection, ledger.scope_id, numbers))

    def carry_out(self, end: ChainEnd, *, turns: Iterable[int], by: Operation, actor: Actor) -> None:
        """Strip every deed that may tell some of it, and vouch for what the journal tells now.

        `turns` are private ids of turns that lost words. To be called once everything is written.
        """
        connection, scope_id, at = end.connection, end.scope_id, by.moment.recorded_at
        after = journal_lines(connection, scope_id, self.before)
        changed = {number for number, lines in self.before.items() if after.get(number) != lines}
        deeds = list(_tellings(end))
        concerned = _concerned(deeds, changed, {number_of(turn) for turn in turns})
        if not concerned:
            return
        strip(end, concerned, at=at, actor=actor)
        kept_in = {deed.operation: deed.turn for deed in deeds if deed.turn is not None}
        why = f"by operation {by.id}"
        for number, lines in sorted(journal_lines(connection, scope_id, concerned).items()):
            turn = kept_in.get(number)
            words = [] if turn is None else said(connection, scope_id, turn)
            content = new_content().passing(lines).passing(words)
            kept = turn if words else None
            end.append(REVISED, at, actor, who=_WHO, why=why, operation=number, turn=kept, content=content)


def _tellings(end: ChainEnd) -> Iterator[_Telling]:
    columns = ("operation", "turn", "record")
    for low in range(first_id(end.scope_id), numbered(end.scope_id, end.length) + 1, _AT_ONCE):
        high = min(low + _AT_ONCE - 1, numbered(end.scope_id, end.length))
        for operation, turn, record in end.connection.read("audit", columns, "id", low, high):
            if operation is not None:
                yield _Telling(operation=operation, turn=turn, keeps_record=record is not None)


def _concerned(deeds: list[_Telling], changed: set[int], turns: set[int]) -> set[int]:
    """Return the numbers of the operations of which deeds may tell something that is gone.

    What an operation told before a rewind may repeat whatever was told before it: from the first of them on no such
    record is kept.
    """
    concerned = changed | {deed.operation for deed in deeds if deed.turn in turns}
    first = min(concerned, default=None)
    if first is None:
        return set()
    return concerned | {deed.operation for deed in deeds if deed.keeps_record and deed.operation >= first}
