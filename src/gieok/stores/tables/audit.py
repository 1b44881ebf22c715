"""What the digests of the audit log vouch for: an operation as the journal has it, and what was said in its turn.

Line by line and in one order, and each line the same whatever the engine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from secrets import token_hex
from typing import Any, Final

from gieok.domain.actor import Actor
from gieok.domain.audit import (
    ERASE,
    ERASED,
    READ,
    REVISED,
    Chain,
    ChainCheck,
    Content,
    Deed,
    Finding,
    Verified,
    canonical,
    first_link,
    link_of,
    names_digest,
    parsed,
    ranges,
)
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.ports import Gone
from gieok.stores.tables.connection import Connection, Reading, Row, Writing
from gieok.stores.tables.rows import MOST, dump, first_id, last_id, microseconds, moment, number_of, numbered
from gieok.stores.tables.snapshot import Ledger, standing

Record = dict[str, Any]
Hear = Callable[[str], object]  #: takes a line


@dataclass(frozen=True, slots=True)
class _Part:
    """A table of the journal: where an operation's rows are found, and what they tell."""

    table: str
    by: str  #: the column with the private id of the operation
    columns: tuple[str, ...]
    documents: frozenset[str]  #: columns with JSON


def _part(table: str, by: str, columns: str, documents: str) -> _Part:
    return _Part(table, by, tuple(columns.split()), frozenset(documents.split()))


_OPERATION: Final = _part(
    "operations",
    "id",
    "public_id kind turn_id at utc_offset recorded_at turn_number channel who why request undone upkeep",
    "request upkeep",
)
_CANDIDATE: Final = _part(
    "candidates",
    "operation",
    "position subject subject_id attribute said claim decision why promotion changes",
    "claim promotion",
)
_CHANGE: Final = _part("changes", "operation", "position memory_id before after", "before after")
_MOVE: Final = _part("moves", "operation", "position kind public_id before after causes", "before after causes")
_PARTS: Final = (_OPERATION, _CANDIDATE, _CHANGE, _MOVE)
_SAID: Final = _part("utterances", "turn", "position speaker text at utc_offset session", "")
_AT_ONCE: Final = 500  #: operations that are read together


def operation_line(row: Mapping[str, Any]) -> str:
    return _line(_OPERATION, row)


def heard(part: str, rows: Iterable[Record], hear: Hear) -> Iterator[Record]:
    """Yield rows of candidates, changes or moves as they go by, and have their lines heard."""
    which = next(each for each in _PARTS if each.table == part)
    for row in rows:
        hear(_line(which, row))
        yield row


def said_line(row: Mapping[str, Any]) -> str:
    return _line(_SAID, row)


def said(connection: Connection, scope_id: int, turn: int) -> list[str]:
    """Return the lines of what was said in a turn, by its private number."""
    place = numbered(scope_id, turn)
    rows = connection.read(_SAID.table, _SAID.columns, _SAID.by, place, place)
    return [_line(_SAID, dict(zip(_SAID.columns, row, strict=True))) for row in sorted(rows, key=lambda row: row[0])]


def journal_lines(connection: Connection, scope_id: int, numbers: Iterable[int]) -> dict[int, list[str]]:
    """Return what the journal tells of operations, by their numbers; those that are not there are left out."""
    wanted = set(numbers)
    found: defaultdict[int, list[str]] = defaultdict(list)
    for first, last in ranges(wanted):
        for low in range(first, last + 1, _AT_ONCE):
            _read_into(found, connection, scope_id, low, min(low + _AT_ONCE - 1, last))
    return {number: lines for number, lines in found.items() if lines[0].startswith('["operations"')}


def _read_into(found: defaultdict[int, list[str]], connection: Connection, scope_id: int, low: int, high: int) -> None:
    for part in _PARTS:
        columns = (part.by, *part.columns)
        rows = connection.read(part.table, columns, part.by, numbered(scope_id, low), numbered(scope_id, high))
        told = [(number_of(row[0]), dict(zip(part.columns, row[1:], strict=True))) for row in rows]
        for number, values in sorted(told, key=lambda each: (each[0], each[1].get("position", 0))):
            found[number].append(_line(part, values))


def _line(part: _Part, row: Mapping[str, Any]) -> str:
    told = {name: _told(name, row[name], part) for name in part.columns}
    return canonical([part.table, told])


def _told(name: str, value: Any, part: _Part) -> Any:
    if value is None:
        return None
    if name == "undone":
        return bool(value)
    if name not in part.documents:
        return value
    try:
        return parsed(value)
    except ValueError:  # no JSON any more: somebody has tampered with it, and its digest will tell
        return value


COLUMNS: Final = (
    "id", "recorded_at", "act", "operation", "turn", "covers", "actor_kind", "actor", "who", "name_salt", "names",
    "targets", "why", "record", "salt", "digest", "link",
)  # fmt: skip
#: What may say something of somebody: it goes with an erased scope.
_TELLING: Final = ("actor_kind", "actor", "who", "name_salt", "targets", "why", "record", "salt")
_AT_ONCE_AUDITING: Final = 5_000
OF_BANK: Final = 0  #: in place of a scope's id: the chain of what belongs to no scope
_SALT_BYTES: Final = 16


@dataclass(slots=True)
class ChainEnd:
    """The end of a scope's chain while something is written to it."""

    connection: Connection
    scope_id: int
    mark: str
    since: int
    length: int
    head: str

    def append(
        self,
        act: str,
        at: datetime,
        actor: Actor,
        *,
        who: str = "",
        why: str = "",
        targets: Sequence[str] = (),
        operation: int | None = None,
        turn: int | None = None,
        record: str | None = None,
        covers: Sequence[tuple[int, int]] | None = None,
        content: Content | None = None,
    ) -> None:
        """Write a deed; `content` has heard what it tells beside its own row."""
        content = content or new_content()
        name_salt, listed = token_hex(_SALT_BYTES), canonical(list(targets))
        deed = Deed(
            number=self.length + 1,
            at=at,
            recorded_at=microseconds(at),
            act=act,
            operation=operation,
            turn=turn,
            covers=None if covers is None else canonical([list(each) for each in covers]),
            actor=actor,
            who=who,
            name_salt=name_salt,
            names=names_digest(name_salt, actor, who),
            targets=listed,
            why=why,
            record=record,
            salt=content.salt,
            digest=content.digest(targets=listed, why=why, record=record),
            link="",
        )
        deed = replace(deed, link=link_of(self.head or first_link(self.mark, self.since), self.mark, deed))
        self.connection.run("insert_deed", **deed_row(deed, self.scope_id))
        self.length, self.head = deed.number, deed.link

    def close(self) -> None:
        """Keep where the chain ends, so that nobody cuts a piece off unnoticed."""
        self.connection.run("set_chain_end", scope_id=self.scope_id, length=self.length, head=self.head)


def new_content() -> Content:
    return Content(token_hex(_SALT_BYTES))


def chain_end(connection: Connection, scope_id: int, *, operations: int = 0) -> ChainEnd:
    """Return the end of a scope's chain, which begins here, behind so many operations, if it has none."""
    row = connection.row("find_chain", scope_id=scope_id)
    if row is None:
        row = (token_hex(16), operations, 0, "")
        put_chain(connection, scope_id, row)
    return ChainEnd(connection, scope_id, *row)


def put_chain(connection: Connection, scope_id: int, chain: Row) -> None:
    mark, since, length, head = chain
    connection.run("put_chain", scope_id=scope_id, mark=mark, since=since, length=length, head=head)


def deed_row(deed: Deed, scope_id: int) -> dict[str, Any]:
    return {
        "id": numbered(scope_id, deed.number),
        "recorded_at": deed.recorded_at,
        "act": deed.act,
        "operation": deed.operation,
        "turn": deed.turn,
        "covers": deed.covers,
        "actor_kind": None if deed.actor is None else deed.actor.kind,
        "actor": None if deed.actor is None else deed.actor.name,
        "who": deed.who,
        "name_salt": deed.name_salt,
        "names": deed.names,
        "targets": deed.targets,
        "why": deed.why,
        "record": deed.record,
        "salt": deed.salt,
        "digest": deed.digest,
        "link": deed.link,
    }


def deed_from(row: Row) -> Deed:
    values: Mapping[str, Any] = dict(zip(COLUMNS, row, strict=True))
    kind, name = values["actor_kind"], values["actor"]
    rest = {each: values[each] for each in COLUMNS if each not in ("id", "actor_kind", "actor")}
    return Deed(
        number=number_of(values["id"]),
        at=moment(values["recorded_at"], 0),
        actor=None if kind is None or name is None else Actor(kind=kind, name=name),
        **rest,
    )


def note_read(connection: Connection, scope: Scope, actor: Actor, route: str, at: datetime) -> bool:
    connection = connection.owned_by(scope.user or "")
    connection.hold(str(scope))
    here = standing(connection, scope)
    if not here.scope_id:
        return False
    end = chain_end(connection, here.scope_id, operations=here.operation_number)
    end.append(READ, at, actor, why=route)
    end.close()
    return True


def note_of_bank(connection: Connection, act: str, actor: Actor, *, targets: Sequence[str], why: str = "") -> None:
    """Tell of something that belongs to no scope."""
    nobody = connection.owned_by("")
    nobody.hold("the bank's own chain")
    end = chain_end(nobody, OF_BANK)
    end.append(act, datetime.now(UTC), actor, who="person", why=why, targets=targets)
    end.close()


def revised(
    end: ChainEnd, number: int, before: Sequence[str], after: Sequence[str], *, at: datetime, actor: Actor, why: str
) -> None:
    """Tell that a rewind gave operation `number` another outcome. What the journal told until now is kept here."""
    content = new_content().passing(after)
    end.append(REVISED, at, actor, who="rewind", why=why, operation=number, record="\n".join(before), content=content)


def close_chain(connection: Connection, scope_id: int, *, at: datetime, actor: Actor) -> None:
    """Erase all that the chain of a scope tells, names too, and leave its digests with nobody's name on them."""
    row = connection.row("find_chain", scope_id=scope_id)
    if row is None:
        return
    nobody = connection.owned_by("")
    for first in range(first_id(scope_id), numbered(scope_id, row[2]) + 1, _AT_ONCE_AUDITING):
        place = {"low": first, "high": min(first + _AT_ONCE_AUDITING - 1, last_id(scope_id))}
        kept = [_bare(each) for each in connection.read("audit", COLUMNS, "id", **place)]
        connection.run("erase_deeds", **place)
        if kept:
            nobody.fill("audit", kept)
    connection.run("erase_chain", scope_id=scope_id)
    put_chain(nobody, scope_id, row)
    end = chain_end(nobody, scope_id)
    end.append(ERASED, at, actor)
    end.close()


def _bare(row: Row) -> dict[str, Any]:
    values = dict(zip(COLUMNS, row, strict=True))
    return values | dict.fromkeys(_TELLING)


def drop_chain(connection: Connection, scope_id: int) -> None:
    """Drop a chain that is about to be put there again, longer."""
    connection.run("erase_deeds", low=first_id(scope_id), high=last_id(scope_id))
    connection.run("erase_chain", scope_id=scope_id)


_WHO: Final = "erase"
_AT_ONCE_AUDIT_ERASING: Final = 5_000


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
    for low in range(first_id(end.scope_id), numbered(end.scope_id, end.length) + 1, _AT_ONCE_AUDIT_ERASING):
        high = min(low + _AT_ONCE_AUDIT_ERASING - 1, numbered(end.scope_id, end.length))
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


_AT_ONCE_AUDIT_READING: Final = 1_000  #: deeds that are in memory together


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
        return self._writer.write(partial(note_read, scope=scope, actor=actor, route=route, at=at))

    def chains(self, scope: Scope | None = None) -> list[Chain]:
        with self._readers.snapshot() as connection:
            return [place.chain for place in _places(connection, scope)]

    def told(self, chain: Chain) -> Iterator[tuple[Deed, tuple[str, ...]]]:
        with self._readers.snapshot() as connection:
            for place in map(_place, connection.rows("find_marked_chains", mark=chain.mark)):
                for deed, lines in _told_audit_reading(connection.owned_by(place.owner), place):
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
    for deed, lines in _told_audit_reading(connection, place):
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
    while rows := connection.rows(
        "load_deeds", after=reached, high=last_id(place.scope_id), limit=_AT_ONCE_AUDIT_READING
    ):
        yield from map(deed_from, rows)
        reached = rows[-1][0]


def _told_audit_reading(connection: Connection, place: _Place) -> Iterator[tuple[Deed, list[str] | None]]:
    """Yield the deeds, newest first, with what each tells beside its row; None: what it is about is gone.

    What an operation told before it was revised stands in the deed that tells of the revision.
    """
    earlier: dict[int, list[str] | None] = {}
    high = last_id(place.scope_id)
    while rows := connection.rows(
        "load_last_deeds", low=first_id(place.scope_id), high=high, limit=_AT_ONCE_AUDIT_READING
    ):
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
