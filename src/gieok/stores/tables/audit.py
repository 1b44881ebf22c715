"""The audit log in its tables: chains of deeds, what their digests vouch for, and how they are verified.

A digest vouches for an operation as the journal has it and for what was said in its turn: line by line, in one order,
and each line the same whatever the engine.
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
)
from gieok.stores.tables.connection import Connection, Reading, Writing
from gieok.stores.tables.replay import LaidDown, scope_differences
from gieok.stores.tables.rows import candidate_rows, change_rows, move_rows
from gieok.stores.tables.scopes import ScopeRow, bound_to, find_scope, scope_named

Hear = Callable[[str], object]  #: takes a line
BANK: Final = 0  #: in place of a scope's id: the chain of what belongs to no scope
_SALT_BYTES: Final = 16
_AT_ONCE: Final = 1_000  #: deeds that are in memory together
_OPERATIONS_AT_ONCE: Final = 500
#: What may say something of somebody: it goes with an erased scope.
_TELLING: Final = ("actor_kind", "actor", "who", "name_salt", "targets", "why", "record", "salt")
_CHANGES_LATER: Final = ("number", "unread", "rewound", "left_open")  #: of a turn
_OF_TURN: Final = '["turns"'  #: begins the line of a turn, which version 0.1 left out
_DEED_COLUMNS: Final = tuple(field.name for field in fields(audit.Deed) if field.name not in ("number", "at", "actor"))


def journal_line(table: Table, row: Mapping[str, Any]) -> str:
    """Return a row of the journal as a digest takes it: without private ids, and of a turn what never changes."""
    told = {name: row[name] for name, kind in table.kinds.items() if kind != "id" and name not in _CHANGES_LATER}
    for name, value in told.items():
        if value is not None and table.kinds[name] == "flag":
            told[name] = bool(value)
        elif value is not None and table.kinds[name] == "json":
            with suppress(
                ValueError, TypeError
            ):  # no JSON any more: somebody has tampered with it, and its digest will tell
                told[name] = audit.parsed_json(value)
    return audit.canonical([table.name, told])


def write_outcome(connection: Connection, operation: Operation, private_id: int, hear: Hear = str) -> None:
    """Write what came of an operation into the journal, and have every line of it heard as it goes by."""

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
    """Return what the journal tells of operations, by their numbers; those that are not there are left out."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    for first, last in audit.ranges(numbers):
        for low in range(first, last + 1, _OPERATIONS_AT_ONCE):
            high = min(low + _OPERATIONS_AT_ONCE - 1, last)
            for table in (OPERATIONS, CANDIDATES, CHANGES, MOVES):
                for row in _in_order(connection, table, table.by, numbered(scope_id, low), numbered(scope_id, high)):
                    found[number_of(row[table.by])].append(journal_line(table, row))
    return {number: lines for number, lines in found.items() if lines[0].startswith('["operations"')}


def _in_order(connection: Connection, table: Table, by: str, low: int, high: int) -> list[dict[str, Any]]:
    """Return the rows whose `by` lies within a range, in its order and in that of their positions."""
    rows = [
        dict(zip(table.kinds, row, strict=True)) for row in connection.read(table.name, table.columns, by, low, high)
    ]
    return sorted(rows, key=lambda row: (row[by], row.get("position", 0)))


def said(connection: Connection, scope_id: int, turn: int) -> list[str]:
    """Return the lines of a turn, by its private number, and of what was said in it; none if nothing is left."""
    place = numbered(scope_id, turn)
    words = [journal_line(UTTERANCES, row) for row in _in_order(connection, UTTERANCES, "turn", place, place)]
    return [*(journal_line(TURNS, row) for row in _in_order(connection, TURNS, "id", place, place)), *words]


@dataclass(slots=True)
class ChainEnd:
    """The end of a chain while something is written to it."""

    connection: Connection
    scope: Scope | None  #: None: the bank's own chain, or that of a scope that is gone
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
        """Add a deed; `content` has heard what it tells beside its own row, `about` are other fields of a `Deed`."""
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
        """Write the deeds, and where the chain ends, so that nobody cuts a piece off unnoticed."""
        self.connection.insert("audit", self._new)
        self.connection.run("set_chain_end", scope_id=self.scope_id, length=self.length, head=self.head)

    def strip(self, operations: Iterable[int], *, at: datetime, actor: Actor) -> int:
        """Erase what earlier deeds tell of operations, by their numbers, and tell of it; return how many deeds.

        To be called in the transaction in which these operations lose their texts in the journal.
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
    """Return the end of a chain, which begins here, behind so many operations, if there is none (empty)."""
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
    """Tell of something that belongs to no scope; `row` is the kind of the row that was written, and its JSON."""
    nobody = connection.bound(owner="")
    nobody.hold("the bank's own chain")
    end = chain_end(nobody, BANK, nobody.row("find_chain", scope_id=BANK) or ())
    end.append(act, datetime.now(UTC), actor, who="person", why=why, targets=targets, **vouching(row))
    end.close()


def vouching(row: tuple[str, str] | None) -> dict[str, Any]:
    """Return what a deed is given to vouch for a row that stands in no journal: its kind, and its JSON."""
    if row is None:
        return {}
    content = new_content()
    return {"content": content, "record": audit.row_digest(content.salt, *row)}


def close_chain(here: ScopeRow, *, at: datetime, actor: Actor) -> None:
    """Erase all that the chain of a scope tells, names too, and leave its digests with nobody's name on them."""
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
    """Strip every deed that may tell some of what is erased, and vouch for what the journal tells now.

    `before` is what the journal told of every operation that is written anew, `turns` are private ids of turns that
    lost words. To be called once everything is written.
    """
    connection, scope_id, at = end.connection, end.scope_id, by.moment.recorded_at
    after = journal_lines(connection, scope_id, before)
    changed = {number for number, lines in before.items() if after.get(number) != lines}
    read = connection.windows("audit", ("operation", "turn", "record"), "id", first_id(scope_id), last_id(scope_id))
    deeds = [deed for deed in chain.from_iterable(read) if deed[0] is not None]
    lost = {number_of(turn) for turn in turns}
    concerned = changed | {operation for operation, turn, _ in deeds if turn in lost}
    # What an operation told before a rewind may repeat whatever was told before it: from the first of them on no
    # such record is kept.
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
    """A chain, and where its rows are."""

    chain: audit.Chain
    connection: Connection  #: whose queries are about its scope
    scope_id: int

    @classmethod
    def of(cls, connection: Connection, row: Row) -> _Place:
        scope_id, owner, lives, user, character, world, mark, since, length, head = row
        scope = scope_named(user, character, world) if lives else None
        chain = audit.Chain(mark=mark, scope=scope, since=since, length=length, head=head, of_bank=scope_id == BANK)
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
                    audit.Finding(chain=None, what=f"{rows} rows from id {first} on belong to a chain that is gone")
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
            lost = (f"[{each}] is kept, but its chain is gone" for each in unchained)
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
    """Return where the chain of a scope is, or (None) where all are."""
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
    """Yield what is wrong; what nothing vouches for, since an earlier version wrote it, is counted in `uncovered`."""
    check, laid_down, reached = audit.ChainCheck(place.chain), LaidDown(), first_id(place.scope_id) - 1
    while rows := place.connection.rows("load_deeds", after=reached, limit=_AT_ONCE):  # also behind its proper end
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


def _unlike(place: _Place, laid_down: LaidDown, tellers: Container[int | None]) -> Iterator[str]:
    """Yield in what the rows that a chain is about differ from what it and the journal tell."""
    if place.chain.of_bank:
        yield from laid_down.of_bank(place.connection)
    if place.chain.scope is None:  # it was erased, and so was its journal
        return
    for some in place.connection.windows("operations", ("id",), "id", *place.ids):
        for number in sorted(number_of(id) for (id,) in some):
            if number > place.chain.since and number not in tellers:
                yield f"operation {number} stands in the journal, but no row tells of it"
    here = find_scope(place.connection, place.chain.scope)
    yield from chain(scope_differences(here), laid_down.of_scope(here))


def _wrong_content(deed: audit.Deed, lines: Sequence[str] | None) -> str | None:
    if deed.salt is None:
        tells = any(each is not None for each in (deed.targets, deed.why, deed.record))
        return f"row {deed.number} tells what nothing vouches for" if tells else None
    if lines is None:
        return f"row {deed.number} is about operation {deed.operation}, which is gone from the journal"
    if _vouched(deed, lines) is not None:
        return None
    beside = "" if deed.operation is None else f", or operation {deed.operation} of the journal,"
    return f"row {deed.number}{beside} was changed: it does not tell what it told"


def _vouched(deed: audit.Deed, lines: Sequence[str]) -> Sequence[str] | None:
    """Return the lines that the digest of a deed is about: in version 0.1 all but the turn's own; None: not these."""
    if deed.salt is None:
        return None
    for told in (lines, [line for line in lines if not line.startswith(_OF_TURN)]):
        content = audit.Content(deed.salt).passing(told)
        if content.digest(targets=deed.targets, why=deed.why, record=deed.record) == deed.digest:
            return told
    return None


def _backwards(place: _Place) -> Iterator[tuple[audit.Deed, list[str] | None]]:
    """Yield the deeds, newest first, with what each tells beside its row; None: what it is about is gone.

    What an operation told before it was revised stands in the deed that tells of the revision.
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
