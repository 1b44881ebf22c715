"""The audit log in its tables: chains of deeds, the data that their digests cover, and their verification.

A digest covers an operation in the journal and the utterances of its turn, as lines in a fixed order. The lines are
the same on every database.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from itertools import chain
from secrets import token_hex
from typing import Any, Final

from gieok.domain import audit
from gieok.domain.actor import Actor
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.errors import BankDamaged, ErrorText
from gieok.stores.tables.columns import (
    AUDIT,
    CANDIDATES,
    CHANGES,
    MOST,
    MOVES,
    OPERATIONS,
    TURNS,
    UNREADABLE,
    UTTERANCES,
    Row,
    Table,
    dump,
    first_id,
    last_id,
    microseconds,
    moment,
    number_of,
    numbered,
    of_stored,
)
from gieok.stores.tables.connection import Connection, Reading, Writing
from gieok.stores.tables.replay import LaidDown, scope_differences
from gieok.stores.tables.rows import candidate_rows, change_rows, move_rows
from gieok.stores.tables.scopes import ScopeRow, bound_to, find_scope, scope_named

Hear = Callable[[str], object]  #: takes a line
BANK: Final = 0  #: in place of a scope's id: the chain for data outside scopes
_SALT_BYTES: Final = 16
_AT_ONCE: Final = 1_000  #: deeds in memory at the same time
_OPERATIONS_AT_ONCE: Final = 500
#: Columns that may contain personal data: they are erased with their scope.
_TELLING: Final = ("actor_kind", "actor", "who", "name_salt", "targets", "why", "record", "salt")
_CHANGES_LATER: Final = ("number", "unread", "rewound", "left_open")  #: columns of a turn that change later
_OF_TURN: Final = '["turns"'  #: beginning of the line of a turn; version 0.1 did not cover it
_DEED_COLUMNS: Final = tuple(field.name for field in fields(audit.Deed) if field.name not in ("number", "at", "actor"))


def journal_line(table: Table, row: Mapping[str, Any]) -> str:
    """Return a row of the journal as a line for a digest: without private ids and columns that change later."""
    told: dict[str, Any] = {}
    for name, kind in table.kinds.items():
        if kind == "id" or name in _CHANGES_LATER:
            continue
        told[name] = value = row[name]
        if value is not None and kind == "flag":
            told[name] = bool(value)
        elif value is not None and kind == "json":
            with suppress(ValueError, TypeError):  # invalid JSON was tampered with; then the digest differs
                told[name] = audit.parsed_json(value)
    return audit.canonical([table.name, told])


def write_outcome(connection: Connection, operation: Operation, private_id: int, hear: Hear = str) -> None:
    """Write the outcome of an operation into the journal; `hear` is called with each line."""

    def heard(table: Table, rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        for row in rows:
            hear(journal_line(table, row))
            yield row

    for table, rows in ((CANDIDATES, candidate_rows), (CHANGES, change_rows), (MOVES, move_rows)):
        connection.insert(table.name, heard(table, rows(operation, private_id)))


def rewrite_outcome(connection: Connection, operation: Operation, private_id: int, hear: Hear = str) -> None:
    for query in ("delete_candidates", "delete_changes", "delete_moves"):
        connection.run(query, operation=private_id)
    write_outcome(connection, operation, private_id, hear)


def journal_lines(connection: Connection, scope_id: int, numbers: Iterable[int]) -> dict[int, list[str]]:
    """Return the lines of the journal about operations, by number; missing operations are left out."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    for first, last in audit.ranges(numbers):
        for low in range(first, last + 1, _OPERATIONS_AT_ONCE):
            high = min(low + _OPERATIONS_AT_ONCE - 1, last)
            for table in (OPERATIONS, CANDIDATES, CHANGES, MOVES):
                for row in _in_order(connection, table, table.by, numbered(scope_id, low), numbered(scope_id, high)):
                    found[number_of(row[table.by])].append(journal_line(table, row))
    return {number: lines for number, lines in found.items() if lines[0].startswith('["operations"')}


def _in_order(connection: Connection, table: Table, by: str, low: int, high: int) -> list[dict[str, Any]]:
    """Return the rows whose `by` is within a range, ordered by it and by position."""
    rows = [
        dict(zip(table.kinds, row, strict=True)) for row in connection.read(table.name, table.columns, by, low, high)
    ]
    return sorted(rows, key=lambda row: (row[by], row.get("position", 0)))


def said(connection: Connection, scope_id: int, turn: int) -> list[str]:
    """Return the lines of a turn and its utterances, by its private number; none if nothing is left."""
    place = numbered(scope_id, turn)
    words = [journal_line(UTTERANCES, row) for row in _in_order(connection, UTTERANCES, "turn", place, place)]
    return [*(journal_line(TURNS, row) for row in _in_order(connection, TURNS, "id", place, place)), *words]


@dataclass(slots=True)
class ChainEnd:
    """The end of a chain while something is written to it."""

    connection: Connection
    scope: Scope | None  #: None: the bank's own chain, or that of an erased scope
    scope_id: int
    mark: str
    since: int
    length: int
    head: str
    _new: list[dict[str, Any]] = field(default_factory=list)  #: rows that are not written yet

    def append(
        self,
        act: str,
        at: datetime,
        actor: Actor,
        *,
        who: str = "",
        why: str = "",
        targets: Sequence[str] = (),
        content: audit.Content | None = None,
        **about: Any,
    ) -> None:
        """Add a deed; `content` is the digest of data beside its row, `about` are other fields of a `Deed`."""
        content = content or new_content()
        name_salt, listed = token_hex(_SALT_BYTES), audit.canonical(list(targets))
        deed = audit.Deed(
            number=self.length + 1,
            at=at,
            recorded_at=microseconds(at),
            act=act,
            actor=actor,
            who=who,
            name_salt=name_salt,
            names=audit.names_digest(name_salt, actor, who, self.scope),
            targets=listed,
            why=why,
            salt=content.salt,
            digest=content.digest(targets=listed, why=why, record=about.get("record")),
            link="",
            **about,
        )
        deed = replace(deed, link=audit.link_of(self.head or audit.first_link(self.mark, self.since), self.mark, deed))
        row = {name: getattr(deed, name) for name in _DEED_COLUMNS}
        self._new.append(
            {"id": numbered(self.scope_id, deed.number), "actor_kind": actor.kind, "actor": actor.name, **row}
        )
        self.length, self.head = deed.number, deed.link

    def close(self) -> None:
        """Write the deeds and the end of the chain, so that cutting rows off is detected."""
        self.connection.insert("audit", self._new)
        self.connection.run("set_chain_end", scope_id=self.scope_id, length=self.length, head=self.head)

    def strip(self, operations: Iterable[int], *, at: datetime, actor: Actor) -> int:
        """Erase the texts of earlier deeds about operations, and record it; return the number of deeds.

        Call it in the transaction that erases the texts of these operations in the journal.
        """
        asked = {"scope_id": self.scope_id, "operations": dump(sorted(set(operations)))}
        numbers = [number_of(id) for (id,) in self.connection.rows("find_deeds_to_strip", **asked)]
        if numbers:
            self.connection.run("strip_deeds", **asked)
            self.append(audit.ERASE, at, actor, covers=audit.canonical([list(each) for each in audit.ranges(numbers)]))
        return len(numbers)


def new_content() -> audit.Content:
    return audit.Content(token_hex(_SALT_BYTES))


def chain_end(
    connection: Connection, scope_id: int, chain: Row, *, scope: Scope | None = None, operations: int = 0
) -> ChainEnd:
    """Return the end of a chain; an empty `chain` starts a new one after so many operations."""
    if not chain:
        chain = (token_hex(16), operations, 0, "")
        put_chain(connection, scope_id, chain)
    return ChainEnd(connection, scope, scope_id, *chain)


def chain_end_of(here: ScopeRow) -> ChainEnd:
    return chain_end(here.connection, here.scope_id, here.chain, scope=here.scope, operations=here.operation_number)


def put_chain(connection: Connection, scope_id: int, chain: Row) -> None:
    mark, since, length, head = chain
    connection.run("put_chain", scope_id=scope_id, mark=mark, since=since, length=length, head=head)


def deed_from(row: Row) -> audit.Deed:
    values: dict[str, Any] = dict(zip(AUDIT.kinds, row, strict=True))
    kind, name = values.pop("actor_kind"), values.pop("actor")
    return audit.Deed(
        number=number_of(values.pop("id")),
        at=moment(values["recorded_at"], 0),
        actor=None if kind is None or name is None else Actor(kind=kind, name=name),
        **values,
    )


def note_of_bank(
    connection: Connection,
    act: str,
    actor: Actor,
    *,
    targets: Sequence[str],
    why: str = "",
    row: tuple[str, str] | None = None,
) -> None:
    """Add a deed to the bank's own chain; `row` is the kind of the row that was written, and its JSON."""
    nobody = connection.bound(owner="")
    nobody.hold("the bank's own chain")
    end = chain_end(nobody, BANK, nobody.row("find_chain", scope_id=BANK) or ())
    end.append(act, datetime.now(UTC), actor, who="person", why=why, targets=targets, **vouching(row))
    end.close()


def vouching(row: tuple[str, str] | None) -> dict[str, Any]:
    """Return the fields of a deed that cover a row outside the journal, given as its kind and its JSON."""
    if row is None:
        return {}
    content = new_content()
    return {"content": content, "record": audit.row_digest(content.salt, *row)}


def close_chain(here: ScopeRow, *, at: datetime, actor: Actor) -> None:
    """Erase the names and texts in the chain of a scope, and keep its digests."""
    if not here.chain:
        return
    nobody = here.connection.bound(owner="")
    for rows in here.connection.windows("audit", AUDIT.columns, "id", here.first, here.last):
        ids = [row[0] for row in rows]
        here.connection.run("erase_deeds", low=min(ids), high=max(ids))
        nobody.insert("audit", [dict(zip(AUDIT.kinds, row, strict=True)) | dict.fromkeys(_TELLING) for row in rows])
    here.connection.run("erase_chain")
    put_chain(nobody, here.scope_id, here.chain)
    end = ChainEnd(nobody, None, here.scope_id, *here.chain)
    end.append(audit.ERASED, at, actor)
    end.close()


def strip_erased(
    end: ChainEnd, before: Mapping[int, Sequence[str]], *, turns: Iterable[int], by: Operation, actor: Actor
) -> None:
    """Strip every deed that may contain erased text, and cover the new content of the journal.

    `before` holds the former lines of every rewritten operation, `turns` are private ids of turns that
    lost words. Call it after everything is written.
    """
    connection, scope_id, at = end.connection, end.scope_id, by.moment.recorded_at
    after = journal_lines(connection, scope_id, before)
    changed = {number for number, lines in before.items() if after.get(number) != lines}
    read = connection.windows("audit", ("operation", "turn", "record"), "id", first_id(scope_id), last_id(scope_id))
    deeds = [deed for deed in chain.from_iterable(read) if deed[0] is not None]
    lost = {number_of(turn) for turn in turns}
    concerned = changed | {operation for operation, turn, _ in deeds if turn in lost}
    # The record of an operation before a rewind may repeat anything said before it: from the first such operation on,
    # no such record is kept.
    first = min(concerned, default=MOST + 1)
    concerned |= {operation for operation, _, record in deeds if record is not None and operation >= first}
    end.strip(concerned, at=at, actor=actor)
    turn_of = {operation: turn for operation, turn, _ in deeds if turn is not None}
    for number, lines in sorted(journal_lines(connection, scope_id, concerned).items()):
        turn = turn_of.get(number)
        words = [] if turn is None else said(connection, scope_id, turn)
        end.append(
            audit.REVISED,
            at,
            actor,
            who="erase",
            why=f"by operation {by.id}",
            operation=number,
            turn=turn if words else None,
            content=new_content().passing(lines).passing(words),
        )


@dataclass(frozen=True, slots=True)
class _Place:
    """A chain and the location of its rows."""

    chain: audit.Chain
    connection: Connection  #: bound to its scope
    scope_id: int

    @classmethod
    @of_stored
    def of(cls, connection: Connection, row: Row) -> _Place:
        scope_id, owner, lives, user, character, world, mark, since, length, head = row
        scope = scope_named(user, character, world) if lives else None
        of_bank = scope_id == BANK
        chain = audit.Chain(mark=mark, scope=scope, since=int(since), length=int(length), head=head, of_bank=of_bank)
        return cls(chain, bound_to(connection.bound(owner=owner), scope_id), scope_id)

    @property
    def ids(self) -> tuple[int, int]:
        """The lowest and the highest private id of its scope."""
        return first_id(self.scope_id), last_id(self.scope_id)


class StoredAuditLog:
    """Implements `gieok.ports.AuditLog`."""

    def __init__(self, writer: Writing, readers: Reading) -> None:
        self._writer = writer
        self._readers = readers

    def deeds(self, scope: Scope | None, limit: int | None = None, *, before: int | None = None) -> list[audit.Deed]:
        with self._readers.snapshot() as connection:
            if scope is None:
                connection, scope_id = connection.bound(owner=""), BANK
            else:
                here = find_scope(connection, scope)
                connection, scope_id = here.connection, here.scope_id
                if not scope_id:
                    return []
            high = last_id(scope_id) if before is None else first_id(scope_id) + min(max(before, 1), MOST) - 1
            most = MOST if limit is None else max(limit, 0)
            rows = connection.rows("load_last_deeds", low=first_id(scope_id), high=high, limit=most)
        return [deed_from(row) for row in reversed(rows)]

    def actors(self, scope: Scope, operations: Iterable[int]) -> dict[int, Actor]:
        with self._readers.snapshot() as connection:
            here = find_scope(connection, scope)
            rows = here.connection.rows("find_actors", operations=dump(sorted(set(operations))), revised=audit.REVISED)
        return {number: Actor(kind=kind, name=name) for number, kind, name in rows}

    def note_read(self, scope: Scope, actor: Actor, route: str, at: datetime) -> bool:
        def note(connection: Connection) -> bool:
            here = find_scope(connection, scope, hold=True)
            if here.scope_id:
                end = chain_end_of(here)
                end.append(audit.READ, at, actor, why=route)
                end.close()
            return bool(here.scope_id)

        return self._writer.write(note)

    def chains(self, scope: Scope | None = None) -> list[audit.Chain]:
        with self._readers.snapshot() as connection:
            return [place.chain for place in _places(connection, scope)]

    def lines(self, chain: audit.Chain) -> Iterator[tuple[audit.Deed, tuple[str, ...]]]:
        with self._readers.snapshot() as connection:
            for row in connection.rows("find_marked_chains", mark=chain.mark):
                for deed, lines in _backwards(_Place.of(connection, row)):
                    told = _vouched(deed, lines or ())
                    yield deed, tuple(lines or ()) if told is None else tuple(told)

    def verify(self, scope: Scope | None = None) -> audit.Verified:
        with self._readers.snapshot() as connection:
            places = _places(connection, scope)
            uncovered = Counter[str]()
            findings = [finding for place in places for finding in _checked(place, uncovered)]
            unchained = [scope] if scope is not None and not places and find_scope(connection, scope).scope_id else []
            if scope is None:
                unchained = [scope_named(*names) for names in connection.rows("find_unchained")]
                findings += [
                    audit.Finding(chain=None, what=ErrorText("audit.stray_rows", n=rows, id=first))
                    for first, rows in connection.rows("find_stray_deeds")
                ]
                strays = (
                    ErrorText("audit.strays", table=table, n=n) for table, n in connection.rows("find_strays") if n
                )
                findings += [audit.Finding(chain=None, what=what) for what in strays]
                if not any(place.chain.of_bank for place in places):  # no chain: then there are no such rows either
                    unknown = LaidDown()
                    findings += [audit.Finding(chain=None, what=what) for what in unknown.of_bank(connection)]
                    uncovered["rows"] += unknown.uncovered
            lost = (ErrorText("audit.chain_gone", scope=each) for each in unchained)
            findings += [audit.Finding(chain=None, what=what) for what in lost]
        deeds = sum(place.chain.length for place in places)
        return audit.Verified(
            chains=len(places),
            deeds=deeds,
            findings=tuple(findings),
            root=audit.root_of(place.chain for place in places),
            uncovered=tuple(ErrorText(f"audit.uncovered_{what}", n=n) for what, n in uncovered.items() if n),
        )


def _places(connection: Connection, scope: Scope | None) -> list[_Place]:
    """Return the place of the chain of a scope, or of all chains (None)."""
    if scope is None:
        return [_Place.of(connection, row) for row in connection.rows("find_chains")]
    here = find_scope(connection, scope)
    if not here.chain:
        return []
    mark, since, length, head = here.chain
    chain = audit.Chain(mark=mark, scope=scope, since=since, length=length, head=head)
    return [_Place(chain, here.connection, here.scope_id)]


def _checked(place: _Place, uncovered: Counter[str]) -> list[audit.Finding]:
    try:
        return list(_findings(place, uncovered))
    except (BankDamaged, *UNREADABLE) as cause:
        return [audit.Finding(chain=place.chain, what=ErrorText("audit.unreadable", cause=cause))]


def _findings(place: _Place, uncovered: Counter[str]) -> Iterator[audit.Finding]:
    """Yield findings; rows of earlier versions that no digest covers are counted in `uncovered`."""
    check, laid_down, reached = audit.ChainCheck(place.chain), LaidDown(), first_id(place.scope_id) - 1
    while rows := place.connection.rows("load_deeds", after=reached, limit=_AT_ONCE):  # also after its recorded end
        for deed in map(deed_from, rows):
            check.take(deed)
            laid_down.take(deed)
        reached = rows[-1][0]
    check.end()
    yield from check.findings
    tellers = set()
    for deed, lines in _backwards(place):
        tellers.add(deed.operation)
        if (what := _wrong_content(deed, lines)) is not None:
            yield audit.Finding(chain=place.chain, number=deed.number, since=deed.at, what=what)
        elif lines and lines != _vouched(deed, lines):
            uncovered["turns"] += 1
    uncovered["names"] += place.chain.scope is not None and not check.names_scope
    yield from (audit.Finding(chain=place.chain, what=what) for what in _unlike(place, laid_down, tellers))
    uncovered["rows"] += laid_down.uncovered


def _unlike(place: _Place, laid_down: LaidDown, tellers: Container[int | None]) -> Iterator[ErrorText]:
    """Yield how the rows that a chain covers differ from the chain and the journal."""
    if place.chain.of_bank:
        yield from laid_down.of_bank(place.connection)
    if place.chain.scope is None:  # the scope and its journal were erased
        return
    for some in place.connection.windows("operations", ("id",), "id", *place.ids):
        for number in sorted(number_of(id) for (id,) in some):
            if number > place.chain.since and number not in tellers:
                yield ErrorText("audit.operation_unlogged", operation=number)
    here = find_scope(place.connection, place.chain.scope)
    yield from chain(scope_differences(here), laid_down.of_scope(here))


def _wrong_content(deed: audit.Deed, lines: Sequence[str] | None) -> ErrorText | None:
    if deed.salt is None:
        tells = any(each is not None for each in (deed.targets, deed.why, deed.record))
        return ErrorText("audit.content_uncovered", row=deed.number) if tells else None
    if lines is None:
        return ErrorText("audit.operation_gone", row=deed.number, operation=deed.operation)
    if _vouched(deed, lines) is not None:
        return None
    if deed.operation is None:
        return ErrorText("audit.content_changed", row=deed.number)
    return ErrorText("audit.operation_changed", row=deed.number, operation=deed.operation)


def _vouched(deed: audit.Deed, lines: Sequence[str]) -> Sequence[str] | None:
    """Return the lines that the digest of a deed covers (version 0.1: without the turn's own); None: they differ."""
    if deed.salt is None:
        return None
    for told in (lines, [line for line in lines if not line.startswith(_OF_TURN)]):
        content = audit.Content(deed.salt).passing(told)
        if content.digest(targets=deed.targets, why=deed.why, record=deed.record) == deed.digest:
            return told
    return None


def _backwards(place: _Place) -> Iterator[tuple[audit.Deed, list[str] | None]]:
    """Yield the deeds, newest first, with the lines that each covers; None: its operation is missing.

    The deed of a revision holds the lines of the operation before it.
    """
    earlier: dict[int, list[str] | None] = {}
    high = last_id(place.scope_id)
    while rows := place.connection.rows("load_last_deeds", high=high, limit=_AT_ONCE):
        deeds = list(map(deed_from, rows))
        wanted = {deed.operation for deed in deeds if deed.operation is not None} - set(earlier)
        journal: dict[int, list[str] | None] = {**journal_lines(place.connection, place.scope_id, wanted)}
        for deed in deeds:
            number = deed.operation
            if number is None:
                yield deed, []
                continue
            lines = earlier.pop(number) if number in earlier else journal.get(number)
            if deed.act == audit.REVISED:
                journal.pop(number, None)
                earlier[number] = None if deed.record is None else deed.record.split("\n")
            if lines is not None and deed.turn is not None:
                lines = [*lines, *said(place.connection, place.scope_id, deed.turn)]
            yield deed, lines
        high = rows[-1][0] - 1
