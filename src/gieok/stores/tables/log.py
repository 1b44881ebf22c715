"""Reading a scope's log: the turns, and the operations that came of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from gieok.domain.memory import Change
from gieok.domain.operation import Operation
from gieok.domain.trace import Trace
from gieok.domain.turn import Turn, Utterance
from gieok.ports import TakenBack
from gieok.stores.tables.connection import Row
from gieok.stores.tables.journal_rows import operation_from
from gieok.stores.tables.moments import moment
from gieok.stores.tables.rows import dump, turn_from, utterance_from
from gieok.stores.tables.scope_ids import MOST, number_of
from gieok.stores.tables.snapshot import Snapshot
from gieok.stores.tables.trace_rows import trace_from
from gieok.stores.tables.upsetting import operation_of, turn_named

_ALL: Final = -1  # SQLite's LIMIT for no limit
_FEW: Final = 64  #: turns read at once that are kept for the next query


class Log(Snapshot):
    """The part of a view that reads turns and operations."""

    def turn(self, turn_id: str) -> Turn | None:
        return self._lasting(turn_named(turn_id), lambda: self._turn_named(turn_id))

    def _turn_named(self, turn_id: str) -> Turn | None:
        found = self._turns(self._ids("find_turn", scope_id=self._standing.scope_id, public_id=turn_id))
        return found[0] if found else None

    def turns(self, limit: int, *, before: int | None = None) -> list[Turn]:
        if limit > _FEW or before is not None:  # who leafs back would have a copy of every page kept
            return self._last_turns(limit, before)
        return [*self.kept(("turns", limit), lambda: self._last_turns(limit, None))]

    def _last_turns(self, limit: int, before: int | None) -> list[Turn]:
        return self._turns(
            self._ids(
                "find_last_turns",
                scope_id=self._standing.scope_id,
                before=MOST if before is None else before,
                limit=max(limit, 0),
            )
        )

    def turns_of(self, *, session: str | None = None, channel: str | None = None, limit: int) -> list[Turn]:
        return self._turns(
            self._ids(
                "find_turns_of",
                scope_id=self._standing.scope_id,
                session=session,
                channel=channel,
                limit=max(limit, 0),
            )
        )

    def unread(self, limit: int) -> list[Turn]:
        return self._turns(self._ids("find_unread_turns", scope_id=self._standing.scope_id, limit=max(limit, 0)))

    def left_open(self, limit: int) -> list[Turn]:
        return self._turns(self._ids("find_open_turns", scope_id=self._standing.scope_id, limit=max(limit, 0)))

    def taken_back(self) -> list[TakenBack]:
        found: dict[int, TakenBack] = {}
        for ref, turn_id, session, at, offset, item_id, text in self._rows(
            "find_taken_back", scope_id=self._standing.scope_id
        ):
            empty = TakenBack(place=ref, turn_id=turn_id, session=session, at=moment(at, offset), lines=())
            turn = found.get(ref, empty)
            found[ref] = replace(turn, lines=(*turn.lines, (item_id, text)))
        return list(found.values())

    def trace(self, turn_id: str) -> Trace | None:
        rows = self._rows("find_trace", scope_id=self._standing.scope_id, public_id=turn_id)
        return trace_from(rows[0][0]) if rows else None

    def operation_of(self, turn_id: str) -> Operation | None:
        return self._lasting(operation_of(turn_id), lambda: self._operation_of(turn_id))

    def _operation_of(self, turn_id: str) -> Operation | None:
        ids = self._ids("find_operation_of_turn", scope_id=self._standing.scope_id, turn_id=turn_id)
        found = self._operations(ids)
        return found[0] if found else None

    def operations(self, *, since: int = 1, limit: int | None = None, in_force: bool = True) -> list[Operation]:
        return self._operations(
            self._ids(
                "find_operations",
                first=self._first + max(since, 0),
                high=self._last,
                undone_too=not in_force,
                limit=_ALL if limit is None else max(limit, 0),
            )
        )

    def last_operations(self, limit: int, *, before: int | None = None) -> list[Operation]:
        return self._operations(
            self._ids(
                "find_last_operations",
                low=self._first,
                before=self._last + 1 if before is None else self._first + min(max(before, 0), MOST),
                limit=max(limit, 0),
            )
        )

    def arrived(self, since: int = 1) -> list[tuple[int, str]]:
        rows = self._rows("find_arrived", first=self._first + max(since, 0), high=self._last)
        return [(number_of(private_id), public_id) for private_id, public_id in rows]

    def history(self, memory_id: str) -> list[tuple[Operation, Change]]:
        places = self._rows("find_changes_of_memory", memory_id=memory_id, low=self._first, high=self._last)
        numbers = dict.fromkeys(operation for operation, _ in places)
        by_id = dict(zip(numbers, self._operations(numbers), strict=True))
        return [(by_id[operation], by_id[operation].changes[position]) for operation, position in places]

    def _turns(self, ids: Sequence[int]) -> list[Turn]:
        """Return the turns, oldest first."""
        spoken = self._rows("find_utterances_of_turns", turns=dump(ids), low=self._first, high=self._last)
        utterances: defaultdict[int, list[Utterance]] = defaultdict(list)
        for row in self._loaded("load_utterances", (private_id for (private_id,) in spoken)):
            utterances[row[-1]].append(utterance_from(row))
        return [turn_from(row, utterances[row[0]]) for row in self._loaded("load_turns", ids)]

    def _operations(self, ids: Iterable[int]) -> list[Operation]:
        """Return the operations in the log's order."""
        wanted = dump(list(ids))
        candidates = _by_operation(self._rows("load_candidates", ids=wanted))
        changes = _by_operation(self._rows("load_changes", ids=wanted))
        moves = _by_operation(self._rows("load_moves", ids=wanted))
        operations = self._rows("load_operations", ids=wanted, low=self._first, high=self._last)
        return [operation_from(row, candidates[row[0]], changes[row[0]], moves[row[0]]) for row in operations]


def _by_operation(rows: Iterable[Row]) -> defaultdict[int, list[Row]]:
    grouped: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row[0]].append(row)
    return grouped
