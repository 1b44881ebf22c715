"""Scopes by whose story went on last, a page at a time: a bank may hold a million."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gieok.domain.desk import Bounds
from gieok.domain.record import to_record
from gieok.domain.scope import Scope
from gieok.ports import ScopeSummary
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.moments import microseconds, moment
from gieok.stores.tables.rows import dump
from gieok.stores.tables.snapshot import scope_key

_FRONT: Final = (2**63 - 1, 2**63 - 1)  #: before every scope


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
    latest_at, scope_id = place
    asked: dict[str, Any] = {
        "latest_at": latest_at,
        "id": scope_id,
        "words": dump(list(words)),
        "within": dump([to_record(bounds) for bounds in within]),
        "limit": limit,
    }
    of_users = bool(within) and all(bounds.user is not None for bounds in within)
    if of_users or words:
        few = "users" if of_users else "word"
        rows = connection.rows("leaf_few_scopes", few=few, word=max(words, key=len, default=""), **asked)
    else:
        rows = connection.rows("leaf_scopes", **asked)
    return [row[0] for row in rows]


def _place(connection: Connection, after: ScopeSummary) -> tuple[int, int]:
    """Return where `after` stood when it was told of: its story may have gone on since, or be erased."""
    found = connection.row("find_scope_place", **scope_key(after.scope))
    scope_id, latest_at = found if found is not None else (0, 0)
    return latest_at if after.latest_at is None else microseconds(after.latest_at), scope_id


def _named(user: str, character: str, world: str) -> Scope:
    return Scope(user=user or None, character=character or None, world=world or None)
