"""Reading the audit log, and looking it through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from gieok.domain.acting import Actor
from gieok.domain.audit import REVISED, Chain, Content, Deed, Finding, Verified
from gieok.domain.audit_checking import ChainCheck
from gieok.domain.scope import Scope
from gieok.stores.tables import auditing
from gieok.stores.tables.audit_contents import journal_lines, said
from gieok.stores.tables.auditing import OF_BANK, deed_from
from gieok.stores.tables.connection import Connection, Reading, Row, Writing
from gieok.stores.tables.rows import dump
from gieok.stores.tables.scope_ids import MOST, first_id, last_id, number_of, numbered
from gieok.stores.tables.snapshot import standing

_AT_ONCE: Final = 1_000  #: deeds that are in memory together


@dataclass(frozen=True, slots=True)
class _Place:
    """A chain, and where its rows are."""

    chain: Chain
    owner: str
    scope_id: int


class StoredTrail:
    """Implements `gieok.ports.Trail`."""

    def __init__(self, writer: Writing, readers: Reading) -> None:
        self._writer = writer
        self._readers = readers

    def deeds(self, scope: Scope | None, limit: int | None = None, *, before: int | None = None) -> list[Deed]:
        with self._readers.snapshot() as connection:
            connection = connection.owned_by("" if scope is None else scope.user or "")
            scope_id = OF_BANK if scope is None else standing(connection, scope).scope_id
            if scope is not None and not scope_id:
                return []
            high = last_id(scope_id) if before is None else first_id(scope_id) + min(max(before, 1), MOST) - 1
            most = MOST if limit is None else max(limit, 0)
            rows = connection.rows("load_last_deeds", low=first_id(scope_id), high=high, limit=most)
        return [deed_from(row) for row in reversed(rows)]

    def actors(self, scope: Scope, operations: Iterable[int]) -> dict[int, Actor]:
        with self._readers.snapshot() as connection:
            connection = connection.owned_by(scope.user or "")
            scope_id = standing(connection, scope).scope_id
            wanted = dump(sorted(set(operations)))
            rows = connection.rows("find_actors", scope_id=scope_id, operations=wanted, revised=REVISED)
        return {number: Actor(kind=kind, name=name) for number, kind, name in rows}

    def note_read(self, scope: Scope, actor: Actor, route: str, at: datetime) -> bool:
        return self._writer.write(partial(auditing.note_read, scope=scope, actor=actor, route=route, at=at))

    def chains(self, scope: Scope | None = None) -> list[Chain]:
        with self._readers.snapshot() as connection:
            return [place.chain for place in _places(connection, scope)]

    def told(self, chain: Chain) -> Iterator[tuple[Deed, tuple[str, ...]]]:
        with self._readers.snapshot() as connection:
            for place in map(_place, connection.rows("find_marked_chains", mark=chain.mark)):
                for deed, lines in _told(connection.owned_by(place.owner), place):
                    yield deed, tuple(lines or ())

    def verify(self, scope: Scope | None = None) -> Verified:
        with self._readers.snapshot() as connection:
            places = _places(connection, scope)
            findings = [finding for place in places for finding in _found(connection, place)]
            if scope is None:
                findings += _strays(connection)
            elif not places and _number(connection, scope):
                findings.append(_unchained(scope))
        return Verified(chains=len(places), deeds=sum(place.chain.length for place in places), findings=tuple(findings))


def _places(connection: Connection, scope: Scope | None) -> list[_Place]:
    """Return where the chain of a scope is, or (None) where all are."""
    if scope is None:
        return [_place(row) for row in connection.rows("find_chains")]
    owner, scope_id = scope.user or "", _number(connection, scope)
    row = connection.owned_by(owner).row("find_chain", scope_id=scope_id) if scope_id else None
    if row is None:
        return []
    mark, since, length, head = row
    return [_Place(Chain(mark=mark, scope=scope, since=since, length=length, head=head), owner, scope_id)]


def _number(connection: Connection, scope: Scope) -> int:
    """Return the number of a scope; 0: nothing is kept of it."""
    return standing(connection.owned_by(scope.user or ""), scope).scope_id


def _place(row: Row) -> _Place:
    scope_id, owner, lives, user, character, world, mark, since, length, head = row
    return _Place(
        Chain(
            mark=mark,
            scope=_named(user, character, world) if lives else None,
            since=since,
            length=length,
            head=head,
            of_bank=scope_id == OF_BANK,
        ),
        owner,
        scope_id,
    )


def _named(user: str, character: str, world: str) -> Scope:
    return Scope(user=user or None, character=character or None, world=world or None)


def _strays(connection: Connection) -> Iterator[Finding]:
    """Yield what has no chain: scopes that were written to, and rows."""
    for names in connection.rows("find_unchained"):
        yield _unchained(_named(*names))
    for first, rows in connection.rows("find_stray_deeds"):
        yield Finding(chain=None, what=f"{rows} rows from id {first} on belong to a chain that is gone")


def _unchained(scope: Scope) -> Finding:
    return Finding(chain=None, what=f"[{scope}] is kept, but its chain is gone")


def _found(connection: Connection, place: _Place) -> list[Finding]:
    try:
        return list(_wrong_with(connection, place))
    except UnicodeDecodeError as cause:
        return [Finding(chain=place.chain, what=f"a text in its rows was changed to what is no text: {cause}")]


def _wrong_with(connection: Connection, place: _Place) -> Iterator[Finding]:
    connection = connection.owned_by(place.owner)
    check = ChainCheck(place.chain)
    for deed in _forwards(connection, place):
        check.take(deed)
    check.end()
    yield from check.findings
    tellers = set()
    for deed, lines in _told(connection, place):
        if deed.operation is not None:
            tellers.add(deed.operation)
        if (what := _wrong_content(deed, lines)) is not None:
            yield Finding(chain=place.chain, number=deed.number, since=deed.at, what=what)
    for number in _operations(connection, place):
        if number > place.chain.since and number not in tellers:
            yield Finding(chain=place.chain, what=f"operation {number} stands in the journal, but no row tells of it")


def _wrong_content(deed: Deed, lines: Sequence[str] | None) -> str | None:
    if deed.salt is None:
        telling = (deed.targets, deed.why, deed.record)
        return (
            f"row {deed.number} tells what nothing vouches for" if any(each is not None for each in telling) else None
        )
    if lines is None:
        return f"row {deed.number} is about operation {deed.operation}, which is gone from the journal"
    told = Content(deed.salt).passing(lines).digest(targets=deed.targets, why=deed.why, record=deed.record)
    if told == deed.digest:
        return None
    beside = "" if deed.operation is None else f", or operation {deed.operation} of the journal,"
    return f"row {deed.number}{beside} was changed: it does not tell what it told"


def _forwards(connection: Connection, place: _Place) -> Iterator[Deed]:
    """Yield all deeds there are, also behind the end that the chain should have."""
    reached = first_id(place.scope_id) - 1
    while rows := connection.rows("load_deeds", after=reached, high=last_id(place.scope_id), limit=_AT_ONCE):
        yield from map(deed_from, rows)
        reached = rows[-1][0]


def _told(connection: Connection, place: _Place) -> Iterator[tuple[Deed, list[str] | None]]:
    """Yield the deeds, newest first, with what each tells beside its row; None: what it is about is gone.

    What an operation told before it was revised stands in the deed that tells of the revision.
    """
    earlier: dict[int, list[str] | None] = {}
    high = last_id(place.scope_id)
    while rows := connection.rows("load_last_deeds", low=first_id(place.scope_id), high=high, limit=_AT_ONCE):
        deeds = list(map(deed_from, rows))
        wanted = {deed.operation for deed in deeds if deed.operation is not None} - set(earlier)
        journal: dict[int, list[str] | None] = {**journal_lines(connection, place.scope_id, wanted)}
        for deed in deeds:
            number = deed.operation
            if number is None:
                yield deed, []
                continue
            lines = earlier.pop(number) if number in earlier else journal.get(number)
            if deed.act == REVISED:
                journal.pop(number, None)
                earlier[number] = None if deed.record is None else deed.record.split("\n")
            yield deed, _with_words(connection, place, deed, lines)
        high = rows[-1][0] - 1


def _with_words(connection: Connection, place: _Place, deed: Deed, lines: list[str] | None) -> list[str] | None:
    if lines is None or deed.turn is None:
        return lines
    return [*lines, *said(connection, place.scope_id, deed.turn)]


def _operations(connection: Connection, place: _Place) -> Iterator[int]:
    if place.chain.scope is None:
        return
    first, last = first_id(place.scope_id), last_id(place.scope_id)
    highest = connection.highest("operations", "id", first, last)
    for low in range(1, number_of(highest) + 1 if highest is not None else 1, 50_000):
        high = min(low + 49_999, MOST)
        rows = connection.read(
            "operations", ("id",), "id", numbered(place.scope_id, low), numbered(place.scope_id, high)
        )
        yield from sorted(number_of(id) for (id,) in rows)
