"""Scopes: where each stands, lists of them (a page at a time: a bank may hold a million), and who may write to one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from gieok.domain.memory import NONE, Hold, Provisions, Retention
from gieok.domain.record import from_record, to_record
from gieok.domain.scope import LONGEST_NAME, Scope
from gieok.domain.server_state import Bounds
from gieok.errors import BankError, ErrorText
from gieok.ports import ScopeSummary
from gieok.stores.tables.columns import Row, dump, first_id, last_id, microseconds, moment, of_stored
from gieok.stores.tables.connection import Connection

_ALL: Final = 2**63 - 1
_NEWEST: Final = (2**63 - 1, 2**63 - 1)  #: before every scope
_FIRST: Final = ("", "", "\x02")  #: before every name, and behind what SQLite calls scopes that were erased
_BEHIND: Final = "\U0010ffff" * (LONGEST_NAME + 1)  #: every name


@dataclass(frozen=True, slots=True)
class ScopeRow:
    """Where a scope stands, and whose vectors its bank holds; 0 everywhere: it was never written to."""

    connection: Connection  #: whose queries are about this scope
    scope: Scope
    embedder: str
    dimension: int
    scope_id: int
    version: int
    next_seq: int
    turn_number: int
    operation_number: int
    index_epoch: int
    latest_at: int
    hold: str | None  #: JSON
    retention: str | None  #: JSON
    mark: str | None  #: of its chain of deeds, which follows; None: it has none
    since: int
    length: int
    head: str

    @property
    def first(self) -> int:
        """The lowest private id of the scope."""
        return first_id(self.scope_id)

    @property
    def last(self) -> int:
        """The highest private id of the scope."""
        return last_id(self.scope_id)

    @property
    def chain(self) -> Row:
        """Where its chain of deeds stands; empty: it has none."""
        return () if self.mark is None else (self.mark, self.since, self.length, self.head)

    @property
    @of_stored
    def provisions(self) -> Provisions:
        if self.hold is None and self.retention is None:
            return NONE
        return Provisions(
            hold=None if self.hold is None else from_record(Hold, json.loads(self.hold)),
            retention=None if self.retention is None else from_record(Retention, json.loads(self.retention)),
        )


def find_scope(connection: Connection, scope: Scope, *, hold: bool = False) -> ScopeRow:
    """Return where a scope stands; `hold`: and let nobody else write to it until the transaction ends."""
    owned = connection.bound(owner=scope.user or "")
    if hold:
        owned.hold(str(scope))
    row = owned.pinned("find_scope", **scope_key(scope))
    assert row is not None, "every bank has its row in the table bank"
    return ScopeRow(bound_to(owned, row[2]), scope, *row)


def bound_to(connection: Connection, scope_id: int) -> Connection:
    """Return `connection` with the values by which queries find the rows of a scope."""
    return connection.bound(scope_id=scope_id, low=first_id(scope_id), high=last_id(scope_id))


def begin_scope(connection: Connection, scope: Scope) -> tuple[Connection, int]:
    """Make a new scope; return the connection whose queries are about it, and its id."""
    owned = connection.bound(owner=scope.user or "")
    scope_id: int = owned.value("insert_scope", **scope_key(scope))
    return bound_to(owned, scope_id), scope_id


def scope_key(scope: Scope) -> dict[str, str]:
    return {"user": scope.user or "", "character": scope.character or "", "world": scope.world or ""}


def scope_named(user: str, character: str, world: str) -> Scope:
    return Scope(user=user or None, character=character or None, world=world or None)


def latest(
    connection: Connection, *, limit: int, after: ScopeSummary | None, words: Sequence[str], within: Sequence[Bounds]
) -> list[ScopeSummary]:
    """Return scopes, that whose story went on last first."""
    place = _NEWEST
    if after is not None:  # where it stood when it was told of: its story may have gone on since, or be erased
        here = find_scope(connection, after.scope)
        place = here.latest_at if after.latest_at is None else microseconds(after.latest_at), here.scope_id
    ids = _found(connection, place, words, within, limit)
    summaries = {row[0]: row[1:] for row in connection.rows("sum_up_scopes", ids=dump(ids))}
    return [_summary(*summaries[scope_id]) for scope_id in ids]


def newest(connection: Connection, *, within: Sequence[Bounds]) -> Scope | None:
    ids = _found(connection, _NEWEST, (), within, 1)
    row = connection.row("load_scope_names", ids=dump(ids)) if ids else None
    return None if row is None else scope_named(*row[1:])


def summaries(
    connection: Connection, *, limit: int | None, after: Scope | None, within: Sequence[Bounds]
) -> list[ScopeSummary]:
    rows = _by_name(connection, "list_scopes", _ALL if limit is None else limit, after, within)
    return [_summary(*row) for row in rows]


def names(connection: Connection, *, limit: int, after: Scope | None, within: Sequence[Bounds]) -> list[Scope]:
    return [scope_named(*row) for row in _by_name(connection, "list_scope_names", limit, after, within)]


def _summary(
    user: str, character: str, world: str, turns: int, memories: int, utterances: int, at: int | None, offset: int
) -> ScopeSummary:
    return ScopeSummary(
        scope=scope_named(user, character, world),
        turns=turns,
        memories=memories,
        utterances=utterances,
        latest_at=None if at is None else moment(at, offset),
    )


def _found(
    connection: Connection, place: tuple[int, int], words: Sequence[str], within: Sequence[Bounds], limit: int
) -> list[int]:
    bounds = _possible(within)
    if within and not bounds:
        return []
    asked: dict[str, Any] = {"latest_at": place[0], "id": place[1], "words": dump(list(words)), "limit": limit}
    query, asked["within"] = "leaf_scopes", dump([to_record(each) for each in bounds])
    of_users = bool(_users(bounds))
    if of_users or words:
        query, longest = "leaf_few_scopes", max(words, key=len, default="")
        asked |= {"few": "users" if of_users else "word", "word": longest}
    return [row[0] for row in connection.rows(query, **asked)]


def _by_name(
    connection: Connection, query: str, limit: int, after: Scope | None, within: Sequence[Bounds]
) -> list[Row]:
    """Return rows of scopes; where bounds name users, those of one after the other: nobody in between is met."""
    bounds = _possible(within)
    if within and not bounds:
        return []
    start = _FIRST
    if after is not None:
        user, character, world = scope_key(after).values()
        start = (user, character, world + "\x01")  # which is in no name: nothing stands between the two
    rows: list[Row] = []
    told = dump([to_record(each) for each in bounds])
    for first, last in [(user, user) for user in _users(bounds)] or [("", _BEHIND)]:
        user, character, world = max(start, (first, "", ""))
        place = {"user": user, "character": character, "world": world, "last": last}
        rows += connection.rows(query, **place, within=told, limit=limit - len(rows))
        if len(rows) >= limit:
            break
    return rows


def _possible(within: Sequence[Bounds]) -> list[Bounds]:
    """Return those in which a scope may lie: no name is empty, but tables keep an empty one where there is none."""
    return [each for each in within if "" not in (each.user, each.character, each.world)]


def _users(within: Sequence[Bounds]) -> list[str]:
    """Return the users whose scopes alone lie within; none: anybody's may."""
    named = {each.user for each in within if each.user is not None}
    return sorted(named) if all(each.user is not None for each in within) else []


class OwnProcess:
    """Remembers in which process it was made."""

    def __init__(self) -> None:
        self._pid = os.getpid()

    @property
    def left(self) -> bool:
        """Whether this is a fork of that process."""
        return os.getpid() != self._pid

    def check(self) -> None:
        """Raise `BankError` in a fork; to be called before any lock is taken."""
        if self.left:
            raise BankError(ErrorText("bank.other_process"))


@dataclass(slots=True)
class _ScopeLock:
    lock: Lock = field(default_factory=Lock)
    users: int = 0  #: holding or waiting


class ScopeLocks:
    """Lets one thread of this process at a time into a scope."""

    def __init__(self) -> None:
        self._process = OwnProcess()
        self._locks: dict[Scope, _ScopeLock] = {}
        self._gate = Lock()

    def __len__(self) -> int:
        return len(self._locks)

    @contextmanager
    def held(self, scope: Scope) -> Iterator[None]:
        self._process.check()
        with self._gate:
            own = self._locks.setdefault(scope, _ScopeLock())
            own.users += 1
        try:
            with own.lock:
                yield
        finally:
            with self._gate:
                own.users -= 1
                if not own.users:
                    del self._locks[scope]
