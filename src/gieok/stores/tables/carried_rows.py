"""Rows as anybody can read them, and back: moments by the calendar, documents opened up, no number of this bank.

What comes back is looked at as if a stranger had written it. Private ids are counted from the beginning of a scope.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, get_args

from gieok.domain.answer import Source
from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.decision import Decision
from gieok.domain.memory import Memory
from gieok.domain.operation import OperationKind
from gieok.domain.record import REQUESTS
from gieok.domain.record_flaws import Flaw, flaw_in, flaw_of_moment, shown
from gieok.domain.things import KINDS, Cause
from gieok.domain.trace import Trace
from gieok.domain.upkeep import Action
from gieok.domain.worth import Promotion
from gieok.errors import InvalidQuery
from gieok.ports import Mark
from gieok.stores.tables.connection import Row
from gieok.stores.tables.copying import THEIRS, Table
from gieok.stores.tables.moments import microseconds, moment
from gieok.stores.tables.rows import dump
from gieok.stores.tables.scope_ids import MOST, number_of
from gieok.stores.tables.trace_rows import PACKED, trace_from

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
