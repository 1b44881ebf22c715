"""Scopes by whose story went on last, or by their names, a page at a time: a bank may hold a million."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gieok.domain.desk import Bounds
from gieok.domain.record import to_record
from gieok.domain.scope import LONGEST_NAME, Scope
from gieok.ports import ScopeSummary
from gieok.stores.tables.connection import Connection, Row
from gieok.stores.tables.moments import microseconds, moment
from gieok.stores.tables.rows import dump
from gieok.stores.tables.snapshot import scope_key

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
