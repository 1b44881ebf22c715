"""Scopes by whose story went on last, or by their names, a page at a time: a bank may hold a million."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock
from typing import Any, Final

from gieok.domain.answer import CallSum, ModelCall
from gieok.domain.record import to_record
from gieok.domain.scope import LONGEST_NAME, Scope
from gieok.domain.server_state import Bounds
from gieok.errors import BankError
from gieok.ports import ScopeSummary
from gieok.stores.tables.connection import Connection, Row
from gieok.stores.tables.reindex import bank_vectors
from gieok.stores.tables.rows import dump, microseconds, moment
from gieok.stores.tables.snapshot import scope_key, standing

_ALL: Final = 2**63 - 1
_FRONT: Final = (2**63 - 1, 2**63 - 1)  #: before every scope
_FIRST: Final = ("", "", "\x02")  #: before every name, and behind what SQLite calls scopes that were erased
_BEHIND: Final = "\U0010ffff" * (LONGEST_NAME + 1)  #: every name


def latest(
    connection: Connection,
    *,
    limit: int,
    after: ScopeSummary | None,
    words: Sequence[str],
    within: Sequence[Bounds],
) -> list[ScopeSummary]:
    place = _FRONT if after is None else _place(connection, after)
    ids = _found(connection, place, words, within, limit)
    summaries = {row[0]: row[1:] for row in connection.rows("sum_up_scopes", ids=dump(ids))}
    return [summary(*summaries[scope_id]) for scope_id in ids]


def newest(connection: Connection, *, within: Sequence[Bounds]) -> Scope | None:
    ids = _found(connection, _FRONT, (), within, 1)
    row = connection.row("load_scope_names", ids=dump(ids)) if ids else None
    return None if row is None else _named(*row[1:])


def summaries(
    connection: Connection, *, limit: int | None, after: Scope | None, within: Sequence[Bounds]
) -> list[ScopeSummary]:
    rows = _by_name(connection, "list_scopes", _ALL if limit is None else limit, after, within)
    return [summary(*row) for row in rows]


def names(connection: Connection, *, limit: int, after: Scope | None, within: Sequence[Bounds]) -> list[Scope]:
    return [_named(*row) for row in _by_name(connection, "list_scope_names", limit, after, within)]


def characters(connection: Connection) -> list[Scope]:
    return [_named("", character, world) for character, world in connection.rows("list_characters")]


def summary(
    user: str, character: str, world: str, turns: int, memories: int, utterances: int, at: int | None, offset: int
) -> ScopeSummary:
    return ScopeSummary(
        scope=_named(user, character, world),
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
    latest_at, scope_id = place
    asked: dict[str, Any] = {
        "latest_at": latest_at,
        "id": scope_id,
        "words": dump(list(words)),
        "within": dump([to_record(each) for each in bounds]),
        "limit": limit,
    }
    of_users = bool(_users(bounds))
    if of_users or words:
        few = "users" if of_users else "word"
        rows = connection.rows("leaf_few_scopes", few=few, word=max(words, key=len, default=""), **asked)
    else:
        rows = connection.rows("leaf_scopes", **asked)
    return [row[0] for row in rows]


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


def _place(connection: Connection, after: ScopeSummary) -> tuple[int, int]:
    """Return where `after` stood when it was told of: its story may have gone on since, or be erased."""
    found = connection.row("find_scope_place", **scope_key(after.scope))
    scope_id, latest_at = found if found is not None else (0, 0)
    return latest_at if after.latest_at is None else microseconds(after.latest_at), scope_id


def _named(user: str, character: str, world: str) -> Scope:
    return Scope(user=user or None, character=character or None, world=world or None)


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
            raise BankError("this bank was opened in another process; open it again here")


@dataclass(slots=True)
class _Door:
    lock: Lock = field(default_factory=Lock)
    visitors: int = 0  #: holding or waiting


class ScopeLocks:
    """Lets one thread of this process at a time into a scope."""

    def __init__(self) -> None:
        self._process = OwnProcess()
        self._doors: dict[Scope, _Door] = {}
        self._gate = Lock()

    @contextmanager
    def held(self, scope: Scope) -> Iterator[None]:
        self._process.check()
        with self._gate:
            door = self._doors.setdefault(scope, _Door())
            door.visitors += 1
        try:
            with door.lock:
                yield
        finally:
            with self._gate:
                door.visitors -= 1
                if not door.visitors:
                    del self._doors[scope]


def take(connection: Connection, scope: Scope, holder: str, *, until: datetime, now: datetime) -> bool:
    """Take the lease, also one that the clock was set back under: nobody would live to see its end."""
    connection = connection.owned_by(scope.user or "")
    scope_id = standing(connection, scope).scope_id
    if not scope_id:
        return False
    held = connection.row(
        "take_lease", scope_id=scope_id, holder=holder, until=microseconds(until), now=microseconds(now)
    )
    return held is not None


def let_go(connection: Connection, scope: Scope, holder: str) -> None:
    connection = connection.owned_by(scope.user or "")
    connection.run("drop_lease", scope_id=standing(connection, scope).scope_id, holder=holder)


def note(connection: Connection, call: ModelCall) -> None:
    connection.run(
        "add_model_call",
        day=call.at.astimezone(UTC).date().isoformat(),
        task=call.task,
        model=call.model,
        failure=call.failure or "",
        seconds=call.seconds,
        prompt_tokens=call.prompt_tokens,
        answer_tokens=call.answer_tokens,
        cost=call.cost,
    )


def sums(connection: Connection) -> list[CallSum]:
    return [
        CallSum(
            day=day,
            task=task,
            model=model,
            failure=failure or None,
            calls=calls,
            seconds=seconds,
            prompt_tokens=prompt_tokens,
            answer_tokens=answer_tokens,
            cost=cost,
        )
        for day, task, model, failure, calls, seconds, prompt_tokens, answer_tokens, cost in connection.rows(
            "find_model_calls"
        )
    ]


def contents(connection: Connection) -> dict[str, Any]:
    """Return the parts of a `BankInfo` that stand in the tables."""
    held = bank_vectors(connection)
    counts = connection.row("count_everything") or ()
    names = ("scopes", "turns", "utterances", "memories", "operations", "unembedded")
    return {
        "embedder": held.embedder,
        "dimension": held.dimension,
        "counts": dict(zip(names, counts, strict=True)),
    }
