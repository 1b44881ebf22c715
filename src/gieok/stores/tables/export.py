"""All that is kept of scopes as lines of a file, and such lines as scopes: checked first, then written whole."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
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
from gieok.domain.operation import OperationKind
from gieok.domain.promotion import Promotion
from gieok.domain.recognition import FACT, Imprint, fact_imprints, turn_imprints
from gieok.domain.record import REQUESTS, Flaw, flaw_in, flaw_of_moment, shown
from gieok.domain.scope import Scope
from gieok.domain.state import KINDS, Cause
from gieok.domain.upkeep import Action
from gieok.errors import BankDamaged, BankError, ErrorText, InvalidExport, InvalidQuery
from gieok.ports import Fate, Line, Mark, TakenIn
from gieok.stores.tables import erase
from gieok.stores.tables.audit import chain_end_of
from gieok.stores.tables.cache import ScopeCache
from gieok.stores.tables.columns import MOST, USER_TABLES, Table, dump, microseconds, moment
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.copy_scope import COUNTERS, rows_of, words_of
from gieok.stores.tables.rows import PACKED, trace_from
from gieok.stores.tables.scopes import begin_scope, find_scope
from gieok.stores.tables.search_index import scoped_terms
from gieok.stores.tables.view import Shared, StoredView

Lines = Callable[[], Iterable[Line]]
Record = Mapping[str, Any]
SCOPES: Final = "scopes"
WORDS: Final = "words"  #: of an item, beside its columns
BY_NAME: Final = {table.name: table for table in USER_TABLES}
_AT_ONCE: Final = 1_000  #: rows that are written together
_SMALL: Final = 2**31 - 1
_SCENE_DIGITS: Final = 8
_A_DAY: Final = 24 * 60
_BOUNDED: Final = {"utc_offset": (-_A_DAY, _A_DAY), "marks": (0, sum(Mark))}  #: other whole numbers count something
_READERS: Final = ("observe", "read", "deepen")  #: operations that read a turn
_DECISIONS: Final = tuple(kind.__name__.lower() for kind in get_args(Decision))
_SAYS: Final = {"memory": "memories", "utterance": "utterances"}  #: where an item of a kind says what it says
_PLACE: Final = ("operation", "position")
#: By what the rows of a table are told apart; others have an id.
_KEYS: Final = {
    "things": ("kind", "public_id"),
    "traces": ("turn",),
    "candidates": _PLACE,
    "changes": _PLACE,
    "moves": _PLACE,
}
#: What a row points to by a number: column → table.
_POINTERS: Final = {
    "utterances": {"id": "items", "turn": "turns"},
    "memories": {"id": "items"},
    "candidates": {"operation": "operations"},
    "changes": {"operation": "operations"},
    "moves": {"operation": "operations"},
    "traces": {"turn": "turns"},
}


def exported(connection: Connection, scopes: Sequence[Scope]) -> Iterator[Line]:
    """Yield all that is kept of `scopes`, which belong to one user: where they stand, then table by table."""
    found = {scope: here for scope in scopes if (here := find_scope(connection, scope)).version}
    for scope, here in found.items():
        counters = {name: getattr(here, name) for name in COUNTERS}
        yield Line(SCOPES, scope, {**counters, "latest_at": iso_time(here.latest_at)})
    for table in USER_TABLES:
        for scope, here in found.items():
            words = dict(words_of(here)) if table.name == "items" else {}
            for row in rows_of(here, table):
                record = record_of(table, table.plain(row))
                if own := words.get(record.get("id", 0)):
                    record[WORDS] = own.split(" ")
                yield Line(table.name, scope, record)


def record_of(table: Table, plain: Record) -> dict[str, Any]:
    """Return the values of a row as they read in a file."""
    times = {name: iso_time(plain[name]) for name in table.of_kind("time") if plain[name] is not None}
    return {**plain, **times}


def plain_of(table: Table, record: Record) -> dict[str, Any]:
    """Return the values of the row that `record`, which has no flaw, stands for."""
    times = {name: from_iso_time(record[name]) for name in table.of_kind("time") if record[name] is not None}
    return {**table.later, **record, **times, **{name: float(record[name]) for name in table.of_kind("real")}}


def iso_time(at: int) -> str:
    return moment(at, 0).isoformat()


def from_iso_time(text: str) -> int:
    return microseconds(datetime.fromisoformat(text))


# Checking one line


def flaw_of(table: Table, record: Record) -> Flaw:
    """Return what keeps a record from being a row of `table`; None: nothing."""
    expected = {*table.columns, WORDS} if table.name == "items" else set(table.columns)
    if missing := next((name for name in table.columns if name not in record and name not in table.later), None):
        return f"lacks {missing}"
    if unknown := next((name for name in record if name not in expected), None):
        return f"has an unknown field {shown(unknown)}"
    for name in table.columns:
        if name not in record or (record[name] is None and name in table.nullable):
            continue
        if flaw := flaw_of_column(table, name, record[name]):
            return f"{name} {flaw}"
    check = _CHECKS.get(table.name)
    return check(record) if check is not None else None


def flaw_of_column(table: Table, name: str, value: Any) -> Flaw:
    whole = isinstance(value, int) and not isinstance(value, bool)
    match table.kinds[name]:
        case "id":
            return None if whole and 1 <= value <= MOST else f"is {shown(value)}, no number of a scope"
        case "flag":
            return None if isinstance(value, bool) else f"is {shown(value)}, neither true nor false"
        case "json":
            return None if isinstance(value, dict | list) else f"is {shown(value)}, neither object nor list"
        case "time":
            return flaw_of_moment(value)
        case "int":
            least, most = _BOUNDED.get(name, (0, _SMALL))
            fits = whole and least <= value <= most
            return None if fits else f"is {shown(value)}, no whole number from {least} to {most}"
        case "real":
            fits = (whole or isinstance(value, float)) and abs(value) <= _SMALL
            return None if fits else f"is {shown(value)}, no number"
    return None if isinstance(value, str) else f"is {shown(value)}, no text"


def flaw_of_scope(record: Record) -> Flaw:
    """Return what is wrong with where a scope is said to stand."""
    for name in COUNTERS:
        value = record.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _SMALL:
            return f"{name} is {shown(value)}, no whole number"
    if not 1 <= record["next_seq"] <= MOST + 1 or not 1 <= record["operation_number"] <= MOST or not record["version"]:
        return "says that nothing was ever written, or more than fits"
    return flaw_of_moment(record.get("latest_at"))


def _texts(record: Record, name: str) -> Flaw:
    texts = isinstance(record[name], list) and all(isinstance(each, str) for each in record[name])
    return None if texts else f"{name} is {shown(record[name])}, no list of texts"


def _one_of(record: Record, name: str, known: Iterable[str]) -> Flaw:
    return None if record[name] in known else f"{name} is {shown(record[name])}, none of {', '.join(known)}"


def _memory(record: Record) -> Flaw:
    """Look at a memory as at one that stands in the journal: there a kind of memory has to be one that there is."""
    own = {name: value for name, value in record.items() if name not in ("id", "utc_offset", "public_id")}
    return flaw_in(Memory, {"id": record["public_id"], **own}) or _attribute(record)


def _attribute(record: Record) -> Flaw:
    key = record.get("attribute")
    try:
        known = key is None or attribute(key).key == key
    except InvalidQuery:
        return f"attribute is {shown(key)}, which nobody knows"
    return None if known else f"attribute is {shown(key)}, which has another name"


def _operation(record: Record) -> Flaw:
    request, upkeep = record["request"], record["upkeep"]
    if flaw := _one_of(record, "kind", get_args(OperationKind)):
        return flaw
    kind = request.get("kind") if isinstance(request, dict) else None
    if not isinstance(kind, str) or kind not in REQUESTS:
        return f"request is {shown(request)}, of no known kind"
    own = {name: part for name, part in request.items() if name != "kind"} | ({"claims": []} if kind == "learn" else {})
    if flaw := flaw_in(REQUESTS[kind], own):
        return f"request {flaw}"
    if kind == "learn" and record["turn_id"] is None and record["kind"] in _READERS:
        return f"turn_id is missing: a turn is what {record['kind']} read"
    for done in upkeep if isinstance(upkeep, list) else [upkeep] if upkeep is not None else []:
        whole = isinstance(done, dict) and set(done) == {"action", "why", "changes"}
        told = whole and done["action"] in get_args(Action) and isinstance(done["why"], str)
        if not (told and type(done["changes"]) is int and done["changes"] >= 0):
            return f"upkeep is {shown(upkeep)}, nothing that upkeep does"
    return None


def _candidate(record: Record) -> Flaw:
    if flaw := flaw_in(Claim, record["claim"]) or _attribute(record["claim"]):
        return f"claim {flaw}"
    if record["decision"] is None:
        return None
    if flaw := _one_of(record, "decision", _DECISIONS):
        return flaw
    if record["changes"] is None or (record["decision"] == "ignore") != bool(record["why"]):
        return "does not say what came of its decision"
    flaw = flaw_in(Promotion, record["promotion"]) if record["promotion"] is not None else None
    return flaw and f"promotion {flaw}"


def _pair(kind: type, record: Record) -> Flaw:
    """Look at something before and after: only one of the two is whole."""
    before, after = record["before"], record["after"]
    if before is None and after is None:
        return "has neither before nor after"
    if after is not None and (flaw := flaw_in(kind, after)):
        return f"after {flaw}"
    flaw = flaw_in(kind, before, partial=after is not None) if before is not None else None
    return flaw and f"before {flaw}"


def _move(record: Record) -> Flaw:
    if flaw := _state_key(record):
        return flaw
    if not isinstance(record["causes"], list):
        return f"causes is {shown(record['causes'])}, no list"
    if flaw := next((found for cause in record["causes"] if (found := flaw_in(Cause, cause))), None):
        return f"causes {flaw}"
    whole = record["after"] if record["after"] is not None else record["before"]
    return _pair(KINDS[record["kind"]], record) or _entity(record["kind"], whole)


def _thing(record: Record) -> Flaw:
    if flaw := _state_key(record):
        return flaw
    flaw = flaw_in(KINDS[record["kind"]], record["record"])
    return f"record {flaw}" if flaw else _entity(record["kind"], record["record"])


def _state_key(record: Record) -> Flaw:
    """Look at the kind and id of a state record: scenes are numbered."""
    own = record["public_id"]
    if record["kind"] == "scene" and not (own.isascii() and own.isdigit() and len(own) == _SCENE_DIGITS):
        return f"public_id is {shown(own)}, no number of a scene"
    return _one_of(record, "kind", KINDS)


def _entity(kind: str, record: Record) -> Flaw:
    return "record is somebody without a name" if kind == "entity" and not record.get("faces") else None


def _trace(record: Record) -> Flaw:
    whole = record["record"]
    if not isinstance(whole, dict):
        return f"record is {shown(whole)}, no object"
    if flaw := flaw_in(Trace, {name: part for name, part in whole.items() if name not in PACKED}):
        return f"record {flaw}"
    try:
        scored = trace_from(dump(whole)).scored
    except (BankDamaged, RuntimeError):  # columns that do not match
        return "record has columns that do not match"
    found = [each for hit in scored for each in hit.why]
    fits = all(each.source in get_args(Source) and type(each.rank) is int for each in found)
    return None if fits and _texts(whole, "hits") is None else "record has hits that are none"


_CHECKS: Final[Mapping[str, Callable[[Record], Flaw]]] = {
    "turns": lambda record: _texts(record, "present"),
    "items": lambda record: _one_of(record, "kind", _SAYS) or _texts({WORDS: [], **record}, WORDS),
    "memories": _memory,
    "operations": _operation,
    "candidates": _candidate,
    "changes": lambda it: _pair(Memory, it) or _attribute(it["before"] or {}) or _attribute(it["after"] or {}),
    "moves": _move,
    "things": _thing,
    "traces": _trace,
}


# Checking lines among one another


@dataclass(slots=True)
class Checked:
    """What was seen of one scope of a file."""

    counters: dict[str, Any]
    counts: Counter[str] = field(default_factory=Counter)
    seen: dict[str, set[Any]] = field(default_factory=lambda: {table.name: set() for table in USER_TABLES})
    names: set[tuple[str, str]] = field(default_factory=set)  #: names and places that nothing else in force may have
    operations: set[str] = field(default_factory=set)  #: public ids
    bare: dict[int, tuple[str, str]] = field(default_factory=dict)  #: items without a row yet: table, public id

    def flaw_of(self, table: Table, record: Record) -> Flaw:
        """Return what keeps a record from standing beside those that were seen, and note it."""
        self.counts[table.name] += 1
        for column, other in _POINTERS.get(table.name, {}).items():
            if record[column] not in self.seen[other]:
                return f"{column} {record[column]} is nothing in {other}"
        if table.name in _SAYS.values():  # is the item that the row fills in meant for it?
            wanted = self.bare.pop(record["id"], None)
            if wanted is None or wanted[0] != table.name or record.get("public_id", wanted[1]) != wanted[1]:
                return f"id {record['id']} is another item's"
        key = tuple(record[name] for name in _KEYS.get(table.name, ("id",)))
        own = key[0] if len(key) == 1 else key
        if own in self.seen[table.name]:
            return f"comes twice ({own})"
        self.seen[table.name].add(own)
        if table.name == "operations":
            self.operations.add(record["public_id"])
        if table.name == "items":
            self.bare[record["id"]] = (_SAYS[record["kind"]], record["public_id"])
        return self._flaw_of_name(table, record)

    def _flaw_of_name(self, table: Table, record: Record) -> Flaw:
        if table.name == "utterances":
            name = f"position in turn {record['turn']}", str(record["position"])
        elif record.get("in_force") or record.get("rewound") is False:  # an item, a turn
            name = f"public_id in {table.name}", record["public_id"]
        else:
            return None
        if name in self.names:
            return f"{name[0]} comes twice ({name[1]})"
        self.names.add(name)
        return None


def checked(lines: Lines) -> dict[Scope, Checked]:
    """Look at every line; raises `InvalidExport` at the first that cannot be kept."""
    found: dict[Scope, Checked] = {}
    with closing(line for line in lines()) as every:  # the file that they come from is closed whatever happens
        for line in every:
            own, table = found.get(line.scope), BY_NAME.get(line.table)
            flaw: Flaw = None
            if line.table == SCOPES:
                flaw = f"[{line.scope}] comes twice" if own is not None else flaw_of_scope(line.record)
                found[line.scope] = Checked(dict(line.record))
            elif table is None or own is None:
                flaw = "belongs to no table or scope of this file"
            else:
                flaw = flaw_of(table, line.record) or own.flaw_of(table, line.record)
            if flaw:
                raise InvalidExport(flaw, table=line.table, line=line.number)
    for scope, own in found.items():
        if own.bare:
            raise InvalidExport(ErrorText("export.bare_items", scope=scope, n=len(own.bare)), table="items")
        if own.counters["operation_number"] < max(own.seen["operations"], default=0):
            raise InvalidExport(ErrorText("export.operations", scope=scope), table=SCOPES)
        if own.counters["next_seq"] <= max(own.seen["items"] | own.seen["turns"], default=0):
            raise InvalidExport(ErrorText("export.entries", scope=scope), table=SCOPES)
    return found


# Writing


def imported(
    connection: Connection, lines: Lines, found: dict[Scope, Checked], *, dry_run: bool, actor: Actor = LIBRARY
) -> list[TakenIn]:
    """Write what is new here, and read it once more; raises `InvalidExport` if it does not fit together.

    Who did what before it came is not vouched for: its chain begins with that `actor` took it in.
    """
    if not dry_run:
        for scope in sorted(found, key=str):
            connection.hold(str(scope))
    fates: dict[Scope, Fate] = {}
    for scope, own in found.items():
        here = find_scope(connection, scope)
        rows = here.connection.read("operations", ("public_id",), "id", here.first, here.last) if here.scope_id else []
        there = own.operations <= {public_id for (public_id,) in rows}
        fates[scope] = "new" if not here.scope_id else "there" if there else "differs"
    back = _brought_back(connection, lines, [scope for scope, fate in fates.items() if fate == "new"])
    fates |= dict.fromkeys(back, "erased")
    fresh = {scope: found[scope] for scope, fate in fates.items() if fate == "new"}
    if not dry_run and fresh:
        try:
            _write(connection, lines, fresh)
        except BankError as cause:
            if type(cause) is not BankError:  # the disk, the server: not the file's fault
                raise
            raise InvalidExport(ErrorText("export.contradiction", cause=cause)) from cause
        for scope in fresh:
            _read_again(connection, scope)
            end = chain_end_of(find_scope(connection, scope))
            end.append(IMPORT, datetime.now(UTC), actor, who="person")
            end.close()
    return [
        TakenIn(scope=scope, fate=fate, counts=dict(found[scope].counts), **back.get(scope, {}))
        for scope, fate in fates.items()
    ]


def _brought_back(connection: Connection, lines: Lines, fresh: Container[Scope]) -> dict[Scope, dict[str, Any]]:
    """Return the scopes that hold something that was erased in them here: how much, and by which erasures."""
    if not connection.rows("find_secrets"):
        return {}
    imprints: defaultdict[Scope, set[Imprint]] = defaultdict(set)
    said: defaultdict[tuple[Scope, int], list[tuple[int, str]]] = defaultdict(list)
    for line in lines():
        told = line.record
        if line.scope not in fresh:
            continue
        if line.table == "utterances":
            said[line.scope, told["turn"]].append((told["position"], told["text"]))
        elif line.table == "memories":
            imprints[line.scope].update(fact_imprints(**{name: told[name] for name in FACT}))
    for (scope, _), texts in said.items():
        imprints[scope].update(turn_imprints([text for _, text in sorted(texts)]))
    found = {scope: erase.recognised(connection, scope, own) for scope, own in imprints.items()}
    return {
        scope: {"held_back": len(own), "certificates": erase.certificates_of(connection, scope, own)}
        for scope, own in found.items()
        if own
    }


def _write(connection: Connection, lines: Lines, fresh: Mapping[Scope, Checked]) -> None:
    places = {scope: begin_scope(connection, scope) for scope in fresh}
    for scope, (owned, _) in places.items():
        counters = fresh[scope].counters
        latest_at = from_iso_time(counters["latest_at"])
        owned.run("restore_scope", latest_at=latest_at, **{name: counters[name] for name in COUNTERS})
    with closing(line for line in lines() if line.scope in places and line.table != SCOPES) as wanted:
        for (name, scope), group in groupby(wanted, key=lambda line: (line.table, line.scope)):
            owned, scope_id = places[scope]
            while records := [line.record for line in islice(group, _AT_ONCE)]:
                rows = [BY_NAME[name].row(plain_of(BY_NAME[name], record), scope_id) for record in records]
                if name != "items":
                    owned.insert(name, rows)
                    continue
                owned.insert_items(rows, {}, 1)
                worded = [each for each in zip(rows, records, strict=True) if each[1]["terms"] or each[1].get(WORDS)]
                owned.insert_keywords((row["id"], scoped_terms(scope_id, each.get(WORDS, ()))) for row, each in worded)


def _read_again(connection: Connection, scope: Scope) -> None:
    """Read all of a scope as its readers will, before the transaction ends."""
    # The view is not left: that would end the transaction.
    view = StoredView(connection, scope, Shared("", ScopeCache(connection.packing, 0)))
    try:
        number = 1
        while some := view.operations(since=number, limit=_AT_ONCE, in_force=False):
            number = some[-1].number + 1
            for operation in some:
                changes = sum(len(each.changes) for each in (*operation.decisions, *operation.kept))
                idle = any(not each.changes for each in operation.decisions if not isinstance(each, Ignore))
                if idle or changes > len(operation.changes):
                    raise ValueError(f"operation {operation.id} did something else than it decided")
        before: int | None = None
        while turns := view.turns(_AT_ONCE, before=before):
            before = turns[0].number
        view.state_records()
    except BankError as cause:
        if not isinstance(cause, BankDamaged):
            raise
        flaw = ErrorText("export.inconsistent", scope=scope, name=type(cause.__cause__).__name__, cause=cause.__cause__)
        raise InvalidExport(flaw) from cause
    except Exception as cause:  # the edge: whatever a file makes of the readers, it is the file's fault
        flaw = ErrorText("export.inconsistent", scope=scope, name=type(cause).__name__, cause=cause)
        raise InvalidExport(flaw) from cause
