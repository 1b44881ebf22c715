"""Domain values as plain JSON-compatible records, and back.

Fields with default values are omitted, so that records stay small, and old records stay readable when a field with a
default is added.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from functools import cache
from typing import Any, Final, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from gieok.domain.claim import Claim
from gieok.domain.decision import Decision, Ignore
from gieok.domain.memory import Change
from gieok.domain.operation import Request
from gieok.domain.promotion import Promotion
from gieok.domain.turn import checked_moment
from gieok.domain.upkeep import Kept
from gieok.errors import NaiveDatetime

Value = TypeVar("Value")
_PLAIN: Final = frozenset({str, int, float, bool, type(None)})
REQUESTS: Final[dict[str, type[Request]]] = {kind.__name__.lower(): kind for kind in get_args(Request)}
_DECISIONS: Final[dict[str, type[Decision]]] = {kind.__name__.lower(): kind for kind in get_args(Decision)}


def to_record(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if is_dataclass(kind):
        return {
            name: content if type(content) in _PLAIN else to_record(content)
            for name, default in _defaults_of(kind)
            if (content := getattr(value, name)) != default
        }
    if isinstance(value, date):  # includes datetime
        return value.isoformat()
    if isinstance(value, tuple | list):
        return [part if type(part) in _PLAIN else to_record(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): to_record(part) for key, part in value.items()}
    return value


def differing(value: Any, other: Any) -> dict[str, Any]:
    """Return the fields of `value` that differ in `other`, of the same dataclass; None: the default value."""
    found: dict[str, Any] = {}
    for name, default in _defaults_of(type(value)):
        own = getattr(value, name)
        if own != getattr(other, name):
            found[name] = None if own == default else to_record(own)
    return found


def from_record(kind: type[Value], record: Mapping[str, Any]) -> Value:
    readers = _readers_of(cast(Any, kind))
    return kind(
        **{name: part if (read := readers[name]) is None or part is None else read(part)
           for name, part in record.items() if name in readers}
    )  # fmt: skip


def _reader(hint: Any) -> Callable[[Any], Any] | None:
    """Return a function that converts part of a record to type `hint`; None: no conversion needed."""
    if hint is datetime or hint is date:
        parse: Callable[[Any], Any] = hint.fromisoformat
        return parse
    origin = get_origin(hint)
    if origin is tuple:
        inner = _reader(get_args(hint)[0])
        if inner is None:
            return tuple
        return lambda parts: tuple(inner(part) for part in parts)
    if origin in (types.UnionType, Union):
        return _reader(next(arg for arg in get_args(hint) if arg is not type(None)))
    if isinstance(hint, type) and is_dataclass(hint):
        return lambda part: from_record(hint, part)
    return None


def _fields_with_defaults(kind: Any) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a dataclass with their defaults; `MISSING`: no default."""
    made = ((each, each.default_factory) for each in fields(kind))
    return tuple((each.name, each.default if make is MISSING else make()) for each, make in made)


_defaults_of: Callable[[Any], tuple[tuple[str, Any], ...]] = cache(_fields_with_defaults)


@cache
def _readers_of(kind: Any) -> dict[str, Callable[[Any], Any] | None]:
    hints = get_type_hints(kind)
    return {field.name: _reader(hints[field.name]) for field in fields(kind) if field.init}


def request_record(request: Request) -> dict[str, Any]:
    return {"kind": type(request).__name__.lower(), **to_record(request)}


def request_from(record: Mapping[str, Any]) -> Request:
    return from_record(REQUESTS[record["kind"]], record)


def decision_name(decision: Decision) -> str:
    return type(decision).__name__.lower()


def decision_records(decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    """Return the decisions without their claims and changes, which the request and the journal contain."""
    return [
        {
            "kind": decision_name(decision),
            "changes": len(decision.changes),
            **({"why": decision.why} if isinstance(decision, Ignore) else {}),
            **({"promotion": to_record(promotion)} if (promotion := promotion_of(decision)) else {}),
        }
        for decision in decisions
    ]


def decisions_from(
    records: Sequence[Mapping[str, Any]], claims: Sequence[Claim], changes: Sequence[Change]
) -> tuple[Decision, ...]:
    """Rebuild decisions from their records, the request's claims and the operation's changes."""
    decisions: list[Decision] = []
    taken = 0
    for record, claim in zip(records, claims, strict=True):
        parts: dict[str, Any] = {"claim": claim}
        if "promotion" in record:
            parts["promotion"] = from_record(Promotion, record["promotion"])
        if record["kind"] == "ignore":
            parts["why"] = record["why"]
        else:
            parts["changes"] = tuple(changes[taken : taken + record["changes"]])
            taken += record["changes"]
        decisions.append(_DECISIONS[record["kind"]](**parts))
    return tuple(decisions)


def kept_records(kept: Sequence[Kept]) -> list[dict[str, Any]]:
    """Return the results of upkeep without their changes, which the journal contains."""
    return [{"action": each.action, "why": each.why, "changes": len(each.changes)} for each in kept]


def kept_from(records: Sequence[Mapping[str, Any]], changes: Sequence[Change]) -> tuple[Kept, ...]:
    """Rebuild results of upkeep from their records and the operation's changes."""
    kept: list[Kept] = []
    taken = 0
    for record in records:
        own = tuple(changes[taken : taken + record["changes"]])
        kept.append(Kept(action=record["action"], why=record["why"], changes=own))
        taken += len(own)
    return tuple(kept)


def promotion_of(decision: Decision) -> Promotion | None:
    return getattr(decision, "promotion", None)


Flaw = str | None  #: location and description; None: no flaw
_Check = Callable[[Any], Flaw]
_LARGEST: Final = 2**53  #: largest integer that every JSON parser can hold


def flaw_in(kind: type, record: Any, *, partial: bool = False) -> Flaw:
    """Return why `record` is not a valid value of dataclass `kind`; None: it is valid.

    With `partial`, fields may be missing or null.
    """
    if not isinstance(record, Mapping):
        return f"is no object ({shown(record)})"
    checks, needed = _fields_of(kind)
    if not partial and (missing := next((name for name in needed if name not in record), None)):
        return f"lacks {missing}"
    for name, part in record.items():
        check = checks.get(name)
        if check is None:
            return f"has an unknown field {shown(name)}"
        if partial and part is None:
            continue
        if flaw := check(part):
            return f"{name} {flaw}"
    return None


def shown(value: Any) -> str:
    """Return a value shortened for an error message."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


@cache
def _fields_of(kind: type) -> tuple[dict[str, _Check], tuple[str, ...]]:
    hints = get_type_hints(kind)
    own = [field for field in fields(kind) if field.init]
    needed = tuple(each.name for each in own if each.default is MISSING and each.default_factory is MISSING)
    return {each.name: _check(hints[each.name]) for each in own}, needed


def _check(hint: Any) -> _Check:
    if hint in _PLAIN_JSON:
        return _PLAIN_JSON[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return lambda part: None if part in inner and isinstance(part, str) else f"is {shown(part)}, none of {inner}"
    if origin in (types.UnionType, Union) and type(None) in inner:
        some = _check(Union[tuple(each for each in inner if each is not type(None))])  # noqa: UP007  # made of a tuple
        return lambda part: None if part is None else some(part)
    if origin is tuple:
        return _row_check(inner)
    if isinstance(hint, type) and is_dataclass(hint):
        return lambda part: flaw_in(hint, part)
    return _unknown


def _unknown(part: Any) -> Flaw:
    return f"is {shown(part)}, which has no place in a record"


def _row_check(inner: tuple[Any, ...]) -> _Check:
    many = inner[-1] is Ellipsis
    checks = [_check(each) for each in inner if each is not Ellipsis]

    def flaw(part: Any) -> Flaw:
        if not isinstance(part, list) or (not many and len(part) != len(checks)):
            return f"is {shown(part)}, no list" + ("" if many else f" of {len(checks)}")
        for number, each in enumerate(part):
            if found := checks[0 if many else number](each):
                return f"[{number}] {found}"
        return None

    return flaw


def flaw_of_moment(part: Any) -> Flaw:
    """Return why a text is not a valid time; None: it is valid."""
    try:
        checked_moment(datetime.fromisoformat(part))
    except NaiveDatetime:
        return f"is {shown(part)}, a moment without a time zone"
    except (TypeError, ValueError, OverflowError):  # also for dates outside the calendar
        return f"is {shown(part)}, no moment"
    return None


def _day(part: Any) -> Flaw:
    try:
        date.fromisoformat(part)
    except (TypeError, ValueError):
        return f"is {shown(part)}, no day"
    return None


def _plain(fits: Callable[[Any], bool], lacks: str) -> _Check:
    return lambda part: None if fits(part) else f"is {shown(part)}, {lacks}"


def _is_number(part: Any) -> bool:
    return type(part) in (int, float) and abs(part) <= _LARGEST


_PLAIN_JSON: Final[dict[Any, _Check]] = {
    str: _plain(lambda part: isinstance(part, str), "no text"),
    int: _plain(lambda part: isinstance(part, int) and _is_number(part), "no whole number"),
    float: _plain(_is_number, "no number"),
    bool: _plain(lambda part: isinstance(part, bool), "neither true nor false"),
    datetime: flaw_of_moment,
    date: _day,
}
