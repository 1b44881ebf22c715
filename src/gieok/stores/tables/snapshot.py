"""One scope, read in one transaction: the ground that every view stands on."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from threading import Lock
from typing import Any, Final, TypeVar

from gieok.domain.answer import Item
from gieok.domain.claim import Claim
from gieok.domain.judgement import Moment
from gieok.domain.memory import NONE, Change, Hold, Memory, Provisions, Retention
from gieok.domain.operation import Learn, Operation
from gieok.domain.record import (
    decision_records,
    decisions_from,
    differing,
    from_record,
    kept_from,
    kept_records,
    request_from,
    request_record,
    to_record,
)
from gieok.domain.scope import Scope, Sharing
from gieok.domain.state import KINDS, Cause, Move, StateRecord
from gieok.domain.turn import Utterance
from gieok.errors import EmbedderMismatch
from gieok.ports import ScopeMoved
from gieok.stores.tables.cache import ItemCache, Known
from gieok.stores.tables.connection import EMBEDDER, Connection, Row
from gieok.stores.tables.rows import dump, first_id, last_id, microseconds, moment, number_of, numbered, utc_offset

Answer = TypeVar("Answer")
Mask = Callable[[str], str]  #: see `gieok.ports.Hooks.mask`

_FEW: Final = 256  #: items read at once that are kept for the next query


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a scope stands, and whose vectors its bank holds; 0 everywhere: it was never written to."""

    embedder: str
    dimension: int
    scope_id: int
    version: int
    next_seq: int
    turn_number: int
    operation_number: int
    index_epoch: int
    hold: str | None  #: JSON
    retention: str | None  #: JSON

    @property
    def provisions(self) -> Provisions:
        if self.hold is None and self.retention is None:
            return NONE
        return Provisions(
            hold=None if self.hold is None else from_record(Hold, json.loads(self.hold)),
            retention=None if self.retention is None else from_record(Retention, json.loads(self.retention)),
        )


def standing(connection: Connection, scope: Scope) -> Standing:
    row = connection.row("find_scope", **scope_key(scope))
    assert row is not None, "every bank has its row in the table bank"
    return Standing(*row)


def scope_key(scope: Scope) -> dict[str, str]:
    return {"user": scope.user or "", "character": scope.character or "", "world": scope.world or ""}


class Snapshot:
    """Answers queries until it is left. Threads may share it; their queries take turns."""

    def __init__(self, connection: Connection, scope: Scope, known: ItemCache, mask: Mask | None = None) -> None:
        connection = connection.owned_by(scope.user or "")
        self._connection: Connection | None = connection
        self._packing = connection.packing
        self._scope = scope
        self._turn = Lock()
        self._mask = mask
        self._standing = standing(connection, scope)
        self._first = first_id(self._standing.scope_id)
        self._last = last_id(self._standing.scope_id)
        self._known: Known = known.known(self._standing.scope_id, self._standing.version)  #: what was read already

    @property
    def version(self) -> int:
        return self._standing.version

    @property
    def turn_number(self) -> int:
        return self._standing.turn_number

    @property
    def latest_at(self) -> datetime | None:
        return self.kept("latest_at", self._latest_at)

    @property
    def provisions(self) -> Provisions:
        return self._standing.provisions

    def leave(self) -> None:
        """End the transaction and let go of the connection, once a query that is under way is done."""
        with self._turn:
            if self._connection is not None:
                self._connection.end()
                self._connection = None

    def kept(self, name: Hashable, make: Callable[[], Answer]) -> Answer:
        return _looked_up(self._known.answers, name, make)

    def begun(self, scopes: Sequence[Scope]) -> frozenset[Scope]:
        keys = {tuple(scope_key(scope).values()): scope for scope in scopes}
        return frozenset(keys[row] for row in self._rows("find_begun", keys=dump([*keys]))) if keys else frozenset()

    def siblings(self, sharing: Sharing, limit: int) -> list[Scope]:
        named = self._scope.user if sharing == "user_facts" else self._scope.character
        if sharing == "none" or self._scope.is_canon or named is None:
            return []
        query = "find_siblings_of_user" if sharing == "user_facts" else "find_siblings_of_character"
        rows = self._rows(query, limit=limit, **scope_key(self._scope))
        return [Scope(user=user, character=character or None, world=world or None) for user, character, world in rows]

    def _lasting(self, name: Hashable, make: Callable[[], Answer]) -> Answer:
        """Return what `make` returns, kept until a write upsets what goes by that `name`: see `upsetting`."""
        return _looked_up(self._known.lasting, name, make)

    def _listed(self, name: Hashable, make: Callable[[], list[int]]) -> list[int]:
        """Return the ids that `make` returns, kept until a memory comes, goes or becomes another."""
        return _looked_up(self._known.lists, name, make)

    def _latest_at(self) -> datetime | None:
        rows = self._rows("latest_moment", scope_id=self._standing.scope_id)
        return moment(*rows[0]) if rows else None

    def _rows(self, query: str, **values: Any) -> list[Row]:
        with self._turn:
            return self.held().rows(query, **values)

    def _ids(self, query: str, **values: Any) -> list[int]:
        return [row[0] for row in self._rows(query, **values)]

    def _loaded(self, query: str, ids: Iterable[int]) -> list[Row]:
        """Return the rows of `ids` that are in this scope."""
        return self._rows(query, ids=dump(list(ids)), low=self._first, high=self._last)

    def _items(self, query: str, make: Callable[[Row], Item], refs: Sequence[int]) -> dict[int, Item]:
        """Return those of `refs` that `query` finds or that were read before."""
        read = self._known.items
        missing = [ref for ref in refs if ref not in read]
        made = {row[0]: make(row) for row in self._loaded(query, missing)} if missing else {}
        if len(made) <= _FEW:
            read.update(made)
        return {ref: item for ref in refs if (item := made.get(ref) or read.get(ref)) is not None}

    def _masked_utterance(self, utterance: Utterance) -> Utterance:
        if self._mask is None:
            return utterance
        masked = self._mask(utterance.text)
        return utterance if masked == utterance.text else replace(utterance, text=masked)

    def held(self) -> Connection:
        """Return the connection of the transaction; raises RuntimeError once the view was left."""
        if self._connection is None:
            raise RuntimeError("this view was left, or took its entry; enter the scope again")
        return self._connection


def _looked_up(answers: dict[Hashable, Any], name: Hashable, make: Callable[[], Answer]) -> Answer:
    try:
        found: Answer = answers[name]
    except KeyError:
        found = answers[name] = make()
    return found


@dataclass(slots=True, kw_only=True)
class Ledger:
    """Gives out ids, and notes what has to be known when the entry is closed."""

    connection: Connection
    scope_id: int
    dimension: int
    next_seq: int
    turn_number: int
    operation_number: int
    reindexed: bool = False  #: the index changed other than by new rows
    touched: dict[int, Memory | None] = field(default_factory=dict)
    """items that are no longer what they were, if they were there before, with what they are now; None: gone"""

    def new_id(self) -> int:
        """Return an id that nothing in this scope ever had; raises `ScopeFull`."""
        private_id = numbered(self.scope_id, self.next_seq)
        self.next_seq += 1
        return private_id

    def new_operation_id(self) -> int:
        self.operation_number += 1
        return numbered(self.scope_id, self.operation_number)

    def close(self) -> None:
        self.connection.run(
            "update_scope",
            scope_id=self.scope_id,
            next_seq=self.next_seq,
            operation_number=self.operation_number,
            reindexed=self.reindexed,
        )


def opened_ledger(connection: Connection, scope: Scope, *, seen_version: int, embedder: str) -> Ledger:
    """Return the ledger of `scope`, which begins here if it is new.

    Raises `ScopeMoved` if somebody wrote since `seen_version`, and `EmbedderMismatch` if the bank was re-embedded.
    """
    connection = connection.owned_by(scope.user or "")
    connection.hold(EMBEDDER, shared=True)  # before it is asked whose vectors the bank holds
    now = standing(connection, scope)
    if now.version != seen_version:
        raise ScopeMoved
    if now.embedder != embedder:
        raise EmbedderMismatch(built_with=now.embedder, configured=embedder)
    scope_id = now.scope_id or connection.value("insert_scope", **scope_key(scope))
    return Ledger(
        connection=connection,
        scope_id=scope_id,
        dimension=now.dimension,
        next_seq=max(now.next_seq, 1),
        turn_number=now.turn_number,
        operation_number=now.operation_number,
    )


Record = dict[str, Any]


def pair_texts(before: Any | None, after: Any | None) -> tuple[str | None, str | None]:
    """Return two values of one dataclass, or one of them, as texts."""
    if before is None or after is None:
        earlier = None if before is None else to_record(before)
    else:
        earlier = differing(before, after)
    return (None if earlier is None else dump(earlier), None if after is None else dump(to_record(after)))


def pair_records(before: str | None, after: str | None) -> tuple[Record | None, Record | None]:
    earlier = None if before is None else json.loads(before)
    later = None if after is None else json.loads(after)
    if earlier is not None and later is not None:
        earlier = _applied(earlier, later)
    return earlier, later


def _applied(difference: Mapping[str, Any], other: Mapping[str, Any]) -> Record:
    return {name: value for name, value in {**other, **difference}.items() if value is not None}


@lru_cache(maxsize=1024)  # most things are the same from one turn to the next
def thing_from(kind: str, record: str) -> StateRecord:
    return from_record(KINDS[kind], json.loads(record))


def move_from(kind: str, public_id: str, before: str | None, after: str | None, causes: str) -> Move:
    earlier, later = pair_records(before, after)
    return Move(
        kind=kind,
        id=public_id,
        before=None if earlier is None else from_record(KINDS[kind], earlier),
        after=None if later is None else from_record(KINDS[kind], later),
        causes=tuple(from_record(Cause, cause) for cause in json.loads(causes)),
    )


def move_rows(operation: Operation, private_id: int) -> list[dict[str, Any]]:
    return [
        _move_row(move) | {"operation": private_id, "position": position}
        for position, move in enumerate(operation.moves)
    ]


def _move_row(move: Move) -> dict[str, Any]:
    before, after = pair_texts(move.before, move.after)
    causes = dump([to_record(cause) for cause in move.causes])
    return {"kind": move.kind, "public_id": move.id, "before": before, "after": after, "causes": causes}


def write_thing(ledger: Ledger, move: Move) -> None:
    """Make a thing what `move` says it is after it."""
    key = {"scope_id": ledger.scope_id, "kind": move.kind, "public_id": move.id}
    if move.after is None:
        ledger.connection.run("delete_thing", **key)
    else:
        ledger.connection.run("put_thing", **key, record=dump(to_record(move.after)))


def operation_row(operation: Operation, private_id: int, scope_id: int) -> Record:
    request = request_record(operation.request)
    request.pop("claims", None)
    return {
        "id": private_id,
        "scope_id": scope_id,
        "public_id": operation.id,
        "kind": operation.kind,
        "turn_id": operation.turn_id,
        "at": microseconds(operation.moment.at),
        "utc_offset": utc_offset(operation.moment.at),
        "recorded_at": microseconds(operation.moment.recorded_at),
        "turn_number": operation.moment.turn_number,
        "channel": operation.moment.channel,
        "who": operation.who,
        "why": operation.why,
        "request": dump(request),
        "undone": operation.undone,
        "upkeep": upkeep_text(operation),
    }


def upkeep_text(operation: Operation) -> str | None:
    return dump(kept_records(operation.kept)) if operation.kept else None


def candidate_rows(operation: Operation, private_id: int) -> list[Record]:
    if not isinstance(operation.request, Learn):
        return []
    outcomes: Sequence[Record] = decision_records(operation.decisions) or [{}] * len(operation.request.claims)
    return [
        _candidate_row(claim, outcome) | {"operation": private_id, "position": position}
        for position, (claim, outcome) in enumerate(zip(operation.request.claims, outcomes, strict=True))
    ]


def _candidate_row(claim: Claim, outcome: Record) -> Record:
    subject, subject_id, attribute, said = claim.saying
    return {
        "subject": subject,
        "subject_id": subject_id,
        "attribute": attribute,
        "said": said,
        "claim": dump(to_record(claim)),
        "decision": outcome.get("kind"),
        "why": outcome.get("why"),
        "promotion": dump(outcome["promotion"]) if "promotion" in outcome else None,
        "changes": outcome.get("changes"),
    }


def change_rows(operation: Operation, private_id: int) -> Iterator[Record]:
    """Yield a row for each change, one at a time: upkeep may change a hundred thousand memories at once."""
    for position, change in enumerate(operation.changes):
        yield _change_row(change) | {"operation": private_id, "position": position}


def _change_row(change: Change) -> Record:
    before, after = pair_texts(change.before, change.after)
    return {"memory_id": change.memory_id, "before": before, "after": after}


def operation_from(row: Row, candidates: Sequence[Row], changes: Sequence[Row], moves: Sequence[Row]) -> Operation:
    (
        private_id, public_id, kind, turn_id, at, offset, recorded_at, turn_number, channel, who, why, request, undone,
        upkeep,
    ) = row  # fmt: skip
    record = json.loads(request) | {"claims": [json.loads(claim) for _, claim, *_ in candidates]}
    asked = request_from(record)
    claims = asked.claims if isinstance(asked, Learn) else ()
    happened = tuple(change_from(before, after) for _, before, after in changes)
    outcomes = [_outcome(*rest) for _, _, *rest in candidates if rest[0] is not None]
    return Operation(
        id=public_id,
        kind=kind,
        moment=Moment(
            at=moment(at, offset), recorded_at=moment(recorded_at, offset), turn_number=turn_number, channel=channel
        ),
        who=who,
        request=asked,
        why=why,
        turn_id=turn_id,
        decisions=decisions_from(outcomes, claims, happened) if outcomes else (),
        kept=kept_from(json.loads(upkeep), happened) if upkeep is not None else (),
        changes=happened,
        moves=tuple(move_from(*move) for _, *move in moves),
        number=number_of(private_id),
        undone=bool(undone),
    )


def _outcome(decision: str, why: str | None, promotion: str | None, changes: int) -> Record:
    outcome: Record = {"kind": decision, "changes": changes, "why": why}
    return outcome | {"promotion": json.loads(promotion)} if promotion else outcome


def change_from(before: str | None, after: str | None) -> Change:
    earlier, later = pair_records(before, after)
    return Change(before=_memory(earlier), after=_memory(later))


def memory_from_record(text: str) -> Memory:
    return from_record(Memory, json.loads(text))


def _memory(record: Record | None) -> Memory | None:
    return None if record is None else from_record(Memory, record)
