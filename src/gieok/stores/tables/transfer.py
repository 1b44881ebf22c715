"""Copying a scope from one bank to another, whatever their engines: row by row, whole or not at all.

Private ids are numbered anew, since a scope has another number there; everything else stays. Vectors are packed as the
other bank packs them: all but the last digits of their numbers stay.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby, islice
from typing import Any, Final, get_args

from gieok.domain.actor import LIBRARY, Actor
from gieok.domain.answer import Source, Trace
from gieok.domain.attributes import attribute
from gieok.domain.audit import IMPORT
from gieok.domain.claim import Claim
from gieok.domain.decision import Decision, Ignore
from gieok.domain.memory import Memory
from gieok.domain.operation import Operation, OperationKind
from gieok.domain.promotion import Promotion
from gieok.domain.record import REQUESTS, Flaw, flaw_in, flaw_of_moment, shown
from gieok.domain.scope import Scope
from gieok.domain.state import KINDS, Cause
from gieok.domain.upkeep import Action
from gieok.errors import BankError, EmbedderMismatch, InvalidExport, InvalidQuery
from gieok.ports import Fate, Line, Mark, TakenIn
from gieok.stores.tables.audit import COLUMNS, OF_BANK, chain_end, put_chain
from gieok.stores.tables.cache import ItemCache
from gieok.stores.tables.connection import EMBEDDER, Connection, Row
from gieok.stores.tables.erase import erase
from gieok.stores.tables.read import Shared, StoredView
from gieok.stores.tables.rows import (
    MOST,
    PACKED,
    dump,
    first_id,
    last_id,
    microseconds,
    moment,
    number_of,
    numbered,
    trace_from,
)
from gieok.stores.tables.search_index import IndexCache, scoped_terms
from gieok.stores.tables.snapshot import Standing, scope_key, standing

_WINDOW: Final = 5_000  #: ids that are read at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table as all engines have it, apart from whose rows they are."""

    name: str
    by: str  #: the column whose range is a scope
    columns: tuple[str, ...]
    ids: frozenset[str] = frozenset()  #: columns with private ids
    flags: frozenset[str] = frozenset()  #: columns that are true or false
    documents: frozenset[str] = frozenset()  #: columns with JSON
    numbers_scope: bool = False  #: it has the number of its scope in a column, too


def _table(
    name: str, by: str, columns: str, *, ids: str, flags: str = "", documents: str = "", numbers_scope: bool = False
) -> Table:
    return Table(
        name=name,
        by=by,
        columns=tuple(columns.split()),
        ids=frozenset(ids.split()),
        flags=frozenset(flags.split()),
        documents=frozenset(documents.split()),
        numbers_scope=numbers_scope,
    )


#: What others point to comes before them.
TABLES: Final = (
    _table(
        "turns",
        "id",
        "id public_id number session channel present at utc_offset recorded_at unread rewound left_open cut_off",
        ids="id",
        flags="unread rewound left_open cut_off",
        documents="present",
        numbers_scope=True,
    ),
    _table(
        "items",
        "id",
        "id public_id kind in_force searchable terms marks",
        ids="id",
        flags="in_force searchable",
        numbers_scope=True,
    ),
    _table("utterances", "id", "id turn position speaker text at utc_offset session", ids="id turn"),
    _table(
        "memories",
        "id",
        "id public_id speaker subject subject_id content content_type kind attribute value surface value_class "
        "polarity certainty importance emotion_intensity strength touched_turn utc_offset valid_at invalid_at known_at "
        "recorded_at retracted forgotten_at closed_by mentions uses last_used_at pinned origin extractor sources tags "
        "details channel interpretation pii_flags version faded_at made_from",
        ids="id",
        flags="retracted pinned",
        documents="sources tags details pii_flags made_from",
        numbers_scope=True,
    ),
    _table(
        "operations",
        "id",
        "id public_id kind turn_id at utc_offset recorded_at turn_number channel who why request undone upkeep",
        ids="id",
        flags="undone",
        documents="request upkeep",
        numbers_scope=True,
    ),
    _table(
        "candidates",
        "operation",
        "operation position subject subject_id attribute said claim decision why promotion changes",
        ids="operation",
        documents="claim promotion",
    ),
    _table(
        "changes", "operation", "operation position memory_id before after", ids="operation", documents="before after"
    ),
    _table(
        "moves",
        "operation",
        "operation position kind public_id before after causes",
        ids="operation",
        documents="before after causes",
    ),
    _table("traces", "turn", "turn record", ids="turn", documents="record", numbers_scope=True),
    _table("things", "scope_id", "kind public_id record", ids="", documents="record", numbers_scope=True),
    _table("audit", "id", " ".join(COLUMNS), ids="id"),
    _table("provisions", "scope_id", "kind record", ids="", documents="record", numbers_scope=True),
)


#: What belongs to the user whose it is; the rest belongs to whoever keeps the bank.
THEIRS: Final = tuple(table for table in TABLES if table.name not in ("provisions", "audit"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What a scope holds, in short: equal ones hold the same."""

    version: int  #: grows with all that is written, also with who has read it
    rows: dict[str, int] = field(default_factory=dict)  #: by table
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeMark:
    """Where a scope stands: what moves with every change of it."""

    scope: Scope
    number: int  #: never given twice: one that was erased and begun anew has another
    version: int
    epoch: int  #: of its index
    head: str  #: of its chain of deeds: no other course of events comes to it, as a restored bank does to a version

    @property
    def mark(self) -> tuple[int, int, int, str]:
        return self.number, self.version, self.epoch, self.head


def marks(connection: Connection) -> list[ScopeMark]:
    """Return where every scope stands."""
    return [
        ScopeMark(
            scope=Scope(user=user or None, character=character or None, world=world or None),
            number=number,
            version=version,
            epoch=epoch,
            head=head,
        )
        for user, character, world, number, version, epoch, head in connection.rows("list_scope_marks")
    ]


def last_turn(connection: Connection, mark: ScopeMark) -> tuple[str, datetime] | None:
    """Return the id of the last turn of a scope, and when it was recorded."""
    row = connection.owned_by(mark.scope.user or "").row("find_last_turn", scope_id=mark.number)
    return None if row is None else (row[0], moment(row[1], 0))


def fingerprint(connection: Connection, scope: Scope) -> Fingerprint:
    """Return what is kept of a scope, in short; vectors are counted, but not compared."""
    connection = connection.owned_by(scope.user or "")
    here = standing(connection, scope)
    seen, counts = hashlib.sha256(), {}
    for table in TABLES:
        lines = sorted(_told_copying(table, row) for row in rows_of(connection, table, here.scope_id))
        counts[table.name] = len(lines)
        seen.update("\n".join([table.name, *lines]).encode(errors="surrogatepass"))
    words = sorted(words_of(connection, here.scope_id))
    seen.update("\n".join(f"{number} {text}" for number, text in words).encode(errors="surrogatepass"))
    counts["vectors"] = sum(
        connection.packing.rows_in(column, here.dimension) for _, column in _vectors(connection, here)
    )
    chain = connection.row("find_chain", scope_id=here.scope_id) or ("", 0, 0, "")
    seen.update(json.dumps(chain).encode())
    return Fingerprint(version=here.version + chain[2], rows=counts, digest=seen.hexdigest())


def take_over(
    target: Connection, source: Connection, scope: Scope, present: datetime, *, actor: Actor = LIBRARY
) -> int:
    """Keep what `source` keeps of a scope instead of what `target` did; return the number it had there (0: none).

    Where that was an earlier copy its chain goes on; else what was done there ends with the erasure.
    """
    target.hold(str(scope))
    target.hold(EMBEDDER, shared=True)
    same = chain_of(source, scope)[:1] == chain_of(target, scope)[:1]
    before, _ = erase(target, scope, present, actor=actor, chain_too=same, held_too=True)
    copy_scope(source, target, scope)
    return before


def chain_of(connection: Connection, scope: Scope) -> Row:
    """Return where the chain of a scope stands; empty: it has none."""
    connection = connection.owned_by(scope.user or "")
    return connection.row("find_chain", scope_id=standing(connection, scope).scope_id) or ()


def copy_scope(source: Connection, target: Connection, scope: Scope) -> None:
    """Write all that `source` keeps of a scope to `target`, which must keep nothing of it yet."""
    source, target = (each.owned_by(scope.user or "") for each in (source, target))
    there, here = standing(source, scope), standing(target, scope)
    if (there.embedder, there.dimension) != (here.embedder, here.dimension):
        raise EmbedderMismatch(built_with=there.embedder, configured=here.embedder)
    if here.scope_id:
        raise BankError(f"[{scope}] is kept there already")
    scope_id: int = target.value("insert_scope", **scope_key(scope))
    for table in TABLES:
        if table.name == "items":
            _copy_items(source, target, table, there, scope_id)
            continue
        for rows in _batches(source, table, there.scope_id):
            target.fill(table.name, [_moved(table, row, scope_id) for row in rows])
    _copy_words(source, target, there.scope_id, scope_id)
    if chain := source.row("find_chain", scope_id=there.scope_id):
        put_chain(target, scope_id, chain)
    place = source.row("find_scope_place", **scope_key(scope)) or (0, 0)
    target.run(
        "restore_scope",
        scope_id=scope_id,
        version=there.version,
        next_seq=there.next_seq,
        turn_number=there.turn_number,
        operation_number=there.operation_number,
        index_epoch=there.index_epoch,
        latest_at=place[1],
    )


def bring_closed_chains(target: Connection, source: Connection) -> int:
    """Write the chains of scopes that were erased in `source` to `target`, unless they are there; return how many.

    The chain of the bank itself goes to a target that has none yet. Elsewhere the target's own goes on: beside it the
    other would look like the chain of a scope that is gone without having been erased.
    """
    source, target = source.owned_by(""), target.owned_by("")
    chains = list(target.rows("find_chains"))
    there, has_own = {row[6] for row in chains}, any(row[0] == OF_BANK for row in chains)
    closed = [
        row
        for row in source.rows("find_chains")
        if not row[2] and row[6] not in there and not (has_own and row[0] == OF_BANK)
    ]
    audit = next(table for table in TABLES if table.name == "audit")
    for source_id, *_, mark, since, length, head in closed:
        scope_id = OF_BANK if source_id == OF_BANK else _unused_scope_id(target, mark)
        for rows in _batches(source, audit, source_id):
            target.fill("audit", [_moved(audit, row, scope_id) for row in rows])
        put_chain(target, scope_id, (mark, since, length, head))
    return len(closed)


def _unused_scope_id(target: Connection, mark: str) -> int:
    """Return the number of a scope that is made and erased for it."""
    scope_id: int = target.value("insert_scope", user="", character="", world=f"\x01{mark}")
    target.run("erase_scope", scope_id=scope_id)
    return scope_id


def _copy_items(source: Connection, target: Connection, table: Table, there: Standing, scope_id: int) -> None:
    unpacked = source.packing.unpacked
    for rows in _batches(source, table, there.scope_id):
        items = [_moved(table, row, scope_id) for row in rows]
        numbers = [number_of(item["id"]) for item in items]
        low, high = numbered(there.scope_id, min(numbers)), numbered(there.scope_id, max(numbers))
        vectors = {
            numbered(scope_id, number_of(id)): unpacked([column], there.dimension)
            for id, column in source.rows("copy_vectors", low=low, high=high)
        }
        target.fill_items(items, vectors, there.dimension)


def _copy_words(source: Connection, target: Connection, source_id: int, scope_id: int) -> None:
    words = (
        (numbered(scope_id, number), scoped_terms(scope_id, text.split(" ")))
        for number, text in words_of(source, source_id)
    )
    while some := list(islice(words, _WINDOW)):
        target.fill_keywords([(id, terms) for id, terms in some if terms])


def rows_of(connection: Connection, table: Table, scope_id: int) -> Iterator[Row]:
    """Yield the rows that a table has of a scope."""
    for rows in _batches(connection, table, scope_id):
        yield from rows


def _batches(connection: Connection, table: Table, scope_id: int) -> Iterator[list[Row]]:
    """Yield the rows that a table has of a scope, some thousands at once; no batch is empty."""
    if table.by == "scope_id":
        ranges = [(scope_id, scope_id)]
    else:
        last = _last(connection, table, scope_id)
        starts = range(first_id(scope_id), last + 1, _WINDOW)
        ranges = [(first, min(first + _WINDOW - 1, last)) for first in starts]
    for low, high in ranges:
        if rows := connection.read(table.name, table.columns, table.by, low, high):
            yield rows


def _last(connection: Connection, table: Table, scope_id: int) -> int:
    highest = connection.highest(table.name, table.by, first_id(scope_id), last_id(scope_id))
    return first_id(scope_id) - 1 if highest is None else highest


def _vectors(connection: Connection, here: Standing) -> Iterator[tuple[int, Any]]:
    last = first_id(here.scope_id) + min(here.next_seq, MOST)
    for first in range(first_id(here.scope_id), last + 1, _WINDOW):
        rows = connection.rows("copy_vectors", low=first, high=min(first + _WINDOW - 1, last))
        yield from ((number_of(id), column) for id, column in rows)


def words_of(connection: Connection, scope_id: int) -> Iterator[tuple[int, str]]:
    """Yield the words of every item, without the prefix of their scope, by the item's number."""
    prefix = f"{scope_id}x"
    for id, terms in connection.rows("load_words", low=first_id(scope_id), high=last_id(scope_id)):
        words = sorted(connection.folded(term) or "" for term in terms.split(" "))
        yield number_of(id), " ".join(word.removeprefix(prefix) for word in words if word)


def _moved(table: Table, row: Row, scope_id: int) -> dict[str, Any]:
    values = dict(zip(table.columns, row, strict=True))
    for name in table.ids:
        values[name] = numbered(scope_id, number_of(values[name]))
    for name in table.flags:
        values[name] = bool(values[name])
    for name in table.documents:
        if values[name] is not None:
            values[name] = json.dumps(json.loads(values[name]), ensure_ascii=False, separators=(",", ":"))
    return values | ({"scope_id": scope_id} if table.numbers_scope else {})


def _told_copying(table: Table, row: Row) -> str:
    """Return a row as it reads in any bank."""
    values = dict(zip(table.columns, row, strict=True))
    for name in table.ids:
        values[name] = number_of(values[name])
    for name in table.flags:
        values[name] = bool(values[name])
    for name in table.documents:
        values[name] = None if values[name] is None else json.loads(values[name])
    return json.dumps(values, ensure_ascii=False, sort_keys=True)


SCOPES: Final = "scopes"
STANDING: Final = ("version", "next_seq", "turn_number", "operation_number", "index_epoch")  #: of a scope
WORDS: Final = "words"  #: of an item, beside its columns

_WHOLE: Final = frozenset(
    "number utc_offset terms marks position touched_turn mentions uses version turn_number changes".split()
)
_REAL: Final = frozenset("certainty importance emotion_intensity strength".split())
_MOMENTS: Final = frozenset("at recorded_at valid_at invalid_at known_at forgotten_at last_used_at faded_at".split())
NULLABLE: Final[Mapping[str, frozenset[str]]] = {
    "turns": frozenset({"session", "channel"}),
    "utterances": frozenset({"session"}),
    "memories": frozenset(
        "attribute value surface value_class invalid_at forgotten_at closed_by last_used_at channel interpretation "
        "faded_at".split()
    ),
    "operations": frozenset({"turn_id", "channel", "upkeep"}),
    "candidates": frozenset({"attribute", "said", "decision", "why", "promotion", "changes"}),
    "changes": frozenset({"before", "after"}),
    "moves": frozenset({"before", "after"}),
}
_SMALL: Final = 2**31 - 1
_SCENE_DIGITS: Final = 8
_A_DAY: Final = 24 * 60
_BOUNDED: Final = {"utc_offset": (-_A_DAY, _A_DAY), "marks": (0, sum(Mark))}  #: other whole numbers count something
_OF_TURNS: Final = ("observe", "read", "deepen")  #: operations that read a turn
_DECISIONS: Final = tuple(kind.__name__.lower() for kind in get_args(Decision))


def record_of(table: Table, row: Row) -> dict[str, Any]:
    """Return a row as it reads in a file."""
    return {name: _told(table, name, value) for name, value in zip(table.columns, row, strict=True)}


def row_of(table: Table, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that `record`, which has no flaw, stands for; ids are still those of the file."""
    return {name: _kept(table, name, record[name]) for name in table.columns}


def flaw_of(table: Table, record: Mapping[str, Any]) -> Flaw:
    """Return what keeps a record from being a row of `table`; None: nothing."""
    expected = {*table.columns, WORDS} if table.name == "items" else set(table.columns)
    if missing := next((name for name in table.columns if name not in record), None):
        return f"lacks {missing}"
    if unknown := next((name for name in record if name not in expected), None):
        return f"has an unknown field {shown(unknown)}"
    nullable = NULLABLE.get(table.name, frozenset())
    for name in table.columns:
        if record[name] is None and name in nullable:
            continue
        if flaw := _flaw_of_column(table, name, record[name]):
            return f"{name} {flaw}"
    look = _LOOKS.get(table.name)
    return look(record) if look is not None else None


def flaw_of_standing(record: Mapping[str, Any]) -> Flaw:
    """Return what is wrong with where a scope is said to stand."""
    for name in STANDING:
        value = record.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _SMALL:
            return f"{name} is {shown(value)}, no whole number"
    if not 1 <= record["next_seq"] <= MOST + 1 or not 1 <= record["operation_number"] <= MOST or not record["version"]:
        return "says that nothing was ever written, or more than fits"
    return flaw_of_moment(record.get("latest_at"))


def told_moment(at: int) -> str:
    return moment(at, 0).isoformat()


def kept_moment(text: str) -> int:
    return microseconds(datetime.fromisoformat(text))


def _told(table: Table, name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in table.ids:
        return number_of(value)
    if name in table.flags:
        return bool(value)
    if name in table.documents:
        return json.loads(value)
    return told_moment(value) if name in _MOMENTS else value


def _kept(table: Table, name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in table.documents:
        return dump(value)
    if name in _REAL:
        return float(value)
    return kept_moment(value) if name in _MOMENTS else value


def _flaw_of_column(table: Table, name: str, value: Any) -> Flaw:
    if name in table.ids:
        fits = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST
        return None if fits else f"is {shown(value)}, no number of a scope"
    if name in table.flags:
        return None if isinstance(value, bool) else f"is {shown(value)}, neither true nor false"
    if name in table.documents:
        return None if isinstance(value, dict | list) else f"is {shown(value)}, neither object nor list"
    if name in _MOMENTS:
        return flaw_of_moment(value)
    if name in _WHOLE:
        least, most = _BOUNDED.get(name, (0, _SMALL))
        fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return None if fits else f"is {shown(value)}, no whole number from {least} to {most}"
    if name in _REAL:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _SMALL
        return None if fits else f"is {shown(value)}, no number"
    return None if isinstance(value, str) else f"is {shown(value)}, no text"


def _names(record: Mapping[str, Any], *columns: str) -> Flaw:
    for name in columns:
        if not isinstance(record[name], list) or not all(isinstance(each, str) for each in record[name]):
            return f"{name} is {shown(record[name])}, no list of texts"
    return None


def _turn(record: Mapping[str, Any]) -> Flaw:
    return _names(record, "present")


def _item(record: Mapping[str, Any]) -> Flaw:
    if record["kind"] not in ("memory", "utterance"):
        return f"kind is {shown(record['kind'])}, neither memory nor utterance"
    return _names({WORDS: [], **record}, WORDS)


def _memory(record: Mapping[str, Any]) -> Flaw:
    """Look at a memory as at one that stands in the journal: there a kind of memory has to be one that there is."""
    own = {name: value for name, value in record.items() if name not in ("id", "utc_offset", "public_id")}
    return flaw_in(Memory, {"id": record["public_id"], **own}) or _flaw_of_attribute(record)


def _flaw_of_attribute(record: Mapping[str, Any]) -> Flaw:
    key = record.get("attribute")
    try:
        return (
            None if key is None or attribute(key).key == key else f"attribute is {shown(key)}, which has another name"
        )
    except InvalidQuery:
        return f"attribute is {shown(key)}, which nobody knows"


def _operation(record: Mapping[str, Any]) -> Flaw:
    request, upkeep = record["request"], record["upkeep"]
    if record["kind"] not in get_args(OperationKind):
        return f"kind is {shown(record['kind'])}, none of {', '.join(get_args(OperationKind))}"
    kind = request.get("kind") if isinstance(request, dict) else None
    if not isinstance(kind, str) or kind not in REQUESTS:
        return f"request is {shown(request)}, of no known kind"
    own = {name: part for name, part in request.items() if name != "kind"} | ({"claims": []} if kind == "learn" else {})
    if flaw := flaw_in(REQUESTS[kind], own):
        return f"request {flaw}"
    if kind == "learn" and record["turn_id"] is None and record["kind"] in _OF_TURNS:
        return f"turn_id is missing: a turn is what {record['kind']} read"
    if upkeep is not None and not (isinstance(upkeep, list) and all(map(_is_upkeep, upkeep))):
        return f"upkeep is {shown(upkeep)}, nothing that upkeep does"
    return None


def _is_upkeep(done: Any) -> bool:
    if not isinstance(done, dict) or set(done) != {"action", "why", "changes"}:
        return False
    count = done["changes"]
    told = done["action"] in get_args(Action) and isinstance(done["why"], str)
    return told and isinstance(count, int) and not isinstance(count, bool) and count >= 0


def _candidate(record: Mapping[str, Any]) -> Flaw:
    if flaw := flaw_in(Claim, record["claim"]) or _flaw_of_attribute(record["claim"]):
        return f"claim {flaw}"
    if record["decision"] is None:
        return None
    if record["decision"] not in _DECISIONS:
        return f"decision is {shown(record['decision'])}, none of {', '.join(_DECISIONS)}"
    if record["changes"] is None or record["changes"] < 0 or (record["decision"] == "ignore") != bool(record["why"]):
        return "does not say what came of its decision"
    flaw = flaw_in(Promotion, record["promotion"]) if record["promotion"] is not None else None
    return flaw and f"promotion {flaw}"


def _pair(kind: type, record: Mapping[str, Any]) -> Flaw:
    """Look at something before and after: only one of the two is whole."""
    before, after = record["before"], record["after"]
    if before is None and after is None:
        return "has neither before nor after"
    if after is not None and (flaw := flaw_in(kind, after)):
        return f"after {flaw}"
    flaw = flaw_in(kind, before, partial=after is not None) if before is not None else None
    return flaw and f"before {flaw}"


def _change(record: Mapping[str, Any]) -> Flaw:
    if flaw := _pair(Memory, record):
        return flaw
    sides = (side for side in (record["before"], record["after"]) if side is not None)
    return next((flaw for side in sides if (flaw := _flaw_of_attribute(side))), None)


def _move(record: Mapping[str, Any]) -> Flaw:
    if flaw := _flaw_of_key(record):
        return flaw
    if not isinstance(record["causes"], list):
        return f"causes is {shown(record['causes'])}, no list"
    flaws = (flaw_in(Cause, cause) for cause in record["causes"])
    flaw = next((found for found in flaws if found), None)
    if flaw:
        return f"causes {flaw}"
    whole = record["after"] if record["after"] is not None else record["before"]
    return _pair(KINDS[record["kind"]], record) or _flaw_of_entity(record["kind"], whole)


def _thing(record: Mapping[str, Any]) -> Flaw:
    if flaw := _flaw_of_key(record):
        return flaw
    if flaw := flaw_in(KINDS[record["kind"]], record["record"]):
        return f"record {flaw}"
    return _flaw_of_entity(record["kind"], record["record"])


def _flaw_of_key(record: Mapping[str, Any]) -> Flaw:
    """Look at a thing's kind and id: scenes are numbered, and there is one pair and one note."""
    kind, own = record["kind"], record["public_id"]
    if kind not in KINDS:
        return f"kind is {shown(kind)}, none of {', '.join(KINDS)}"
    if kind == "scene" and not (own.isascii() and own.isdigit() and len(own) == _SCENE_DIGITS):
        return f"public_id is {shown(own)}, no number of a scene"
    return None


def _flaw_of_entity(kind: str, record: Mapping[str, Any]) -> Flaw:
    return "record is somebody without a name" if kind == "entity" and not record.get("faces") else None


def _trace(record: Mapping[str, Any]) -> Flaw:
    whole = record["record"]
    if not isinstance(whole, dict):
        return f"record is {shown(whole)}, no object"
    if flaw := flaw_in(Trace, {name: part for name, part in whole.items() if name not in PACKED}):
        return f"record {flaw}"
    try:
        scored = trace_from(dump(whole)).scored
    except (KeyError, TypeError, ValueError, RuntimeError):  # columns that do not match
        return "record has columns that do not match"
    found = [each for hit in scored for each in hit.why]
    fits = all(each.source in get_args(Source) and type(each.rank) is int for each in found)
    fits = fits and _names(whole, "hits") is None
    return None if fits else "record has hits that are none"


_LOOKS: Final[Mapping[str, Callable[[Mapping[str, Any]], Flaw]]] = {
    "turns": _turn,
    "items": _item,
    "memories": _memory,
    "operations": _operation,
    "candidates": _candidate,
    "changes": _change,
    "moves": _move,
    "things": _thing,
    "traces": _trace,
}
BY_NAME: Final = {table.name: table for table in THEIRS}


Lines = Callable[[], Iterable[Line]]
_ROWS: Final = {"memory": "memories", "utterance": "utterances"}  #: where an item of a kind says what it says
_AT_ONCE: Final = 1_000  #: rows that are written together
#: What a row points to by a number: column → table.
_POINTERS: Final = {
    "utterances": {"id": "items", "turn": "turns"},
    "memories": {"id": "items"},
    "candidates": {"operation": "operations"},
    "changes": {"operation": "operations"},
    "moves": {"operation": "operations"},
    "traces": {"turn": "turns"},
}


def carried(connection: Connection, scopes: Sequence[Scope]) -> Iterator[Line]:
    """Yield all that is kept of `scopes`, which belong to one user: where they stand, then table by table."""
    owner = connection.owned_by(scopes[0].user or "") if scopes else connection
    standings = {scope: here for scope in scopes if (here := standing(owner, scope)).version}
    for scope, here in standings.items():
        _, latest_at = owner.row("find_scope_place", **scope_key(scope)) or (0, 0)
        counters = {name: getattr(here, name) for name in STANDING}
        yield Line(SCOPES, scope, {**counters, "latest_at": told_moment(latest_at)})
    for table in THEIRS:
        for scope, here in standings.items():
            words = dict(words_of(owner, here.scope_id)) if table.name == "items" else {}
            for row in rows_of(owner, table, here.scope_id):
                record = record_of(table, row)
                if own := words.get(record.get("id", 0)):
                    record[WORDS] = own.split(" ")
                yield Line(table.name, scope, record)


@dataclass(slots=True)
class _Checked:
    """What was seen of one scope of a file."""

    standing: dict[str, Any]
    counts: Counter[str] = field(default_factory=Counter)
    seen: dict[str, set[Any]] = field(default_factory=lambda: {table.name: set() for table in THEIRS})
    names: set[tuple[str, str]] = field(default_factory=set)  #: public ids in force
    operations: set[str] = field(default_factory=set)  #: public ids
    bare: dict[int, tuple[str, str]] = field(default_factory=dict)  #: items without a row yet: table, public id


def looked_through(lines: Lines) -> dict[Scope, _Checked]:
    """Look at every line; raises `InvalidExport` at the first that cannot be kept."""
    checked: dict[Scope, _Checked] = {}
    for line in lines():
        flaw = _flaw(line, checked)
        if flaw is not None:
            raise InvalidExport(flaw, table=line.table, line=line.number)
    for scope, found in checked.items():
        if found.bare:
            raise InvalidExport(f"[{scope}] has items that say nothing ({len(found.bare)})", table="items")
        if found.standing["operation_number"] < max(found.seen["operations"], default=0):
            raise InvalidExport(f"[{scope}] has more operations than it says", table=SCOPES)
        if found.standing["next_seq"] <= max(found.seen["items"] | found.seen["turns"], default=0):
            raise InvalidExport(f"[{scope}] has more entries than it says", table=SCOPES)
    return checked


def _flaw(line: Line, checked: dict[Scope, _Checked]) -> str | None:
    if line.table == SCOPES:
        if line.scope in checked:
            return f"[{line.scope}] comes twice"
        checked[line.scope] = _Checked(dict(line.record))
        return flaw_of_standing(line.record)
    known, table = checked.get(line.scope), BY_NAME.get(line.table)
    if table is None or known is None:
        return "belongs to no table or scope of this file"
    return flaw_of(table, line.record) or _flaw_among_others(table, line.record, known)


def _flaw_among_others(table: Table, record: Any, known: _Checked) -> str | None:
    known.counts[table.name] += 1
    for column, other in _POINTERS.get(table.name, {}).items():
        if record[column] not in known.seen[other]:
            return f"{column} {record[column]} is nothing in {other}"
    if table.name in ("memories", "utterances") and (flaw := _flaw_of_item(table, record, known)):
        return flaw
    own: Any = _key(table, record)
    if own in known.seen[table.name]:
        return f"comes twice ({own})"
    known.seen[table.name].add(own)
    if table.name == "operations":
        known.operations.add(record["public_id"])
    if table.name == "items":
        known.bare[record["id"]] = (_ROWS[record["kind"]], record["public_id"])
    return _flaw_of_name(table, record, known)


def _flaw_of_name(table: Table, record: Any, known: _Checked) -> str | None:
    """Look whether nobody else in force goes by the same name, or has the same place in a turn."""
    name: tuple[str, str] | None = None
    if table.name == "utterances":
        name = (f"position in turn {record['turn']}", str(record["position"]))
    elif (table.name == "items" and record["in_force"]) or (table.name == "turns" and not record["rewound"]):
        name = (f"public_id in {table.name}", record["public_id"])
    if name is None:
        return None
    if name in known.names:
        return f"{name[0]} comes twice ({name[1]})"
    known.names.add(name)
    return None


def _flaw_of_item(table: Table, record: Any, known: _Checked) -> str | None:
    """Look whether the item that a row fills in is meant for it."""
    wanted = known.bare.pop(record["id"], None)
    if wanted is None or wanted[0] != table.name or record.get("public_id", wanted[1]) != wanted[1]:
        return f"id {record['id']} is another item's"
    return None


def _key(table: Table, record: Any) -> Any:
    if table.name == "things":
        return (record["kind"], record["public_id"])
    if table.name == "traces":
        return record["turn"]
    return record["id"] if "id" in table.columns else (record["operation"], record["position"])


def take_in(
    connection: Connection,
    lines: Lines,
    checked: dict[Scope, _Checked],
    *,
    dry_run: bool,
    actor: Actor = LIBRARY,
) -> list[TakenIn]:
    """Write what is new here, and read it once more; raises `InvalidExport` if it does not fit together.

    Who did what before it came is not vouched for: its chain begins with that `actor` took it in.
    """
    if not dry_run:
        for scope in sorted(checked, key=str):
            connection.hold(str(scope))
    fates = {scope: _fate(connection, scope, found) for scope, found in checked.items()}
    fresh = [scope for scope, fate in fates.items() if fate == "new"]
    if not dry_run and fresh:
        try:
            _write(connection, lines, {scope: checked[scope] for scope in fresh})
        except BankError as cause:
            if type(cause) is not BankError:  # the disk, the server: not the file's fault
                raise
            raise InvalidExport(f"its lines contradict each other ({cause})") from cause
        for scope in fresh:
            _read_again(connection, scope)
            _begin_chain(connection, scope, actor)
    return [TakenIn(scope=scope, fate=fate, counts=dict(checked[scope].counts)) for scope, fate in fates.items()]


def _fate(connection: Connection, scope: Scope, found: _Checked) -> Fate:
    owned = connection.owned_by(scope.user or "")
    here = standing(owned, scope)
    if not here.scope_id:
        return "new"
    low, high = first_id(here.scope_id), last_id(here.scope_id)
    known = {public_id for (public_id,) in owned.read("operations", ("public_id",), "id", low, high)}
    return "there" if found.operations <= known else "differs"


def _write(connection: Connection, lines: Lines, fresh: dict[Scope, _Checked]) -> None:
    numbers: dict[Scope, int] = {}
    for scope, found in fresh.items():
        owned = connection.owned_by(scope.user or "")
        numbers[scope] = owned.value("insert_scope", **scope_key(scope))
        standing_of = {name: found.standing[name] for name in STANDING}
        latest_at = kept_moment(found.standing["latest_at"])
        owned.run("restore_scope", scope_id=numbers[scope], latest_at=latest_at, **standing_of)
    wanted = (line for line in lines() if line.scope in numbers and line.table != SCOPES)
    for (name, scope), group in groupby(wanted, key=lambda line: (line.table, line.scope)):
        owned = connection.owned_by(scope.user or "")
        while some := list(islice(group, _AT_ONCE)):
            _fill(owned, BY_NAME[name], [line.record for line in some], numbers[scope])


def _begin_chain(connection: Connection, scope: Scope, actor: Actor) -> None:
    owned = connection.owned_by(scope.user or "")
    here = standing(owned, scope)
    end = chain_end(owned, here.scope_id, operations=here.operation_number)
    end.append(IMPORT, datetime.now(UTC), actor, who="person")
    end.close()


def _fill(connection: Connection, table: Table, records: Sequence[Any], scope_id: int) -> None:
    rows = [_here(table, row_of(table, record), scope_id) for record in records]
    if table.name != "items":
        connection.fill(table.name, rows)
        return
    connection.fill_items(rows, {}, 1)
    words = (
        (row["id"], scoped_terms(scope_id, record.get(WORDS, ()))) for row, record in zip(rows, records, strict=True)
    )
    connection.fill_keywords([(id, terms) for id, terms in words if terms])


def _here(table: Table, row: dict[str, Any], scope_id: int) -> dict[str, Any]:
    for name in table.ids:
        row[name] = numbered(scope_id, row[name])
    return row | ({"scope_id": scope_id} if table.numbers_scope else {})


def _read_again(connection: Connection, scope: Scope) -> None:
    """Read all of a scope as its readers will, before the transaction ends."""
    # The view is not left: that would end the transaction.
    view = StoredView(connection, scope, Shared("", IndexCache(connection.packing, 0), ItemCache()))
    try:
        number = 1
        while some := view.operations(since=number, limit=_AT_ONCE, in_force=False):
            number = some[-1].number + 1
            for operation in some:
                _check_outcome(operation)
        before: int | None = None
        while turns := view.turns(_AT_ONCE, before=before):
            before = turns[0].number
        view.things()
    except BankError:
        raise
    except Exception as cause:  # the edge: whatever a file makes of the readers, it is the file's fault
        raise InvalidExport(f"[{scope}] does not fit together ({type(cause).__name__}: {cause})") from cause


def _check_outcome(operation: Operation) -> None:
    """Raise ValueError where decisions and changes do not add up."""
    changes = sum(len(each.changes) for each in (*operation.decisions, *operation.kept))
    idle = any(not each.changes for each in operation.decisions if not isinstance(each, Ignore))
    if idle or changes > len(operation.changes):
        raise ValueError(f"operation {operation.id} did something else than it decided")


def take_over_older(
    target: Connection,
    source: Connection,
    scope: Scope,
    present: datetime,
    *,
    actor: Actor = LIBRARY,
    erased: Container[str] = (),
) -> int | None:
    """Take a scope over unless something was done in `target` that `source` does not know of: None, it stays.

    `erased` are the marks of chains that ended in `target`: what was erased there does not come back.
    """
    target.owned_by(scope.user or "").hold(str(scope))
    if not _knows_all_of(source, target, scope, erased):
        return None
    return take_over(target, source, scope, present, actor=actor)


def _knows_all_of(source: Connection, target: Connection, scope: Scope, erased: Container[str]) -> bool:
    source, target = (each.owned_by(scope.user or "") for each in (source, target))
    there, here = standing(source, scope), standing(target, scope)
    chain = chain_of(source, scope)
    if not here.version:
        return chain[:1] == () or chain[0] not in erased
    older = here.version <= there.version
    return older and _goes_on(source, there.scope_id, chain, chain_of(target, scope))


def _goes_on(source: Connection, scope_id: int, chain: Row, earlier: Row) -> bool:
    """Whether a chain of `source` begins with all of an `earlier` one."""
    if chain[:1] != earlier[:1] or not chain or earlier[2] > chain[2]:
        return False
    last = numbered(scope_id, earlier[2])
    return not earlier[2] or any(link == earlier[3] for (link,) in source.read("audit", ("link",), "id", last, last))


def closed_chains(connection: Connection) -> dict[str, Row]:
    """Return the chains of scopes that were erased, by their marks: the number, and the chain."""
    rows = connection.owned_by("").rows("find_chains")
    return {row[6]: (row[0], row[6:]) for row in rows if not row[2]}


def living_among(target: Connection, marks: Container[str]) -> list[tuple[Scope, str]]:
    """Return the scopes that live in `target` though their chains are among those with `marks`, and these."""
    return [
        (Scope(user=user or None, character=character or None, world=world or None), mark)
        for _, _, lives, user, character, world, mark, *_ in target.owned_by("").rows("find_chains")
        if lives and mark in marks
    ]


def let_go(target: Connection, source: Connection, scope: Scope, closed: Row, present: datetime) -> int | None:
    """Erase a scope whose chain is `closed` in `source`; return its number (None: it went on without it, and stays).

    Nothing is left of its chain: that of `source`, which goes on to the erasure, is to be brought.
    """
    target.owned_by(scope.user or "").hold(str(scope))
    number, chain = closed
    if not _goes_on(source.owned_by(""), number, chain, chain_of(target, scope)):
        return None
    return erase(target, scope, present, chain_too=True, held_too=True)[0]
