"""What is wrong with a record that comes from outside, before anybody makes a value of it.

`from_record` trusts whoever wrote a record. A file that somebody hands in may say anything.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from functools import cache
from math import isfinite
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from gieok.domain.turn import checked_moment
from gieok.errors import NaiveDatetime

Flaw = str | None  #: where it is, and what; None: there is none
_Check = Callable[[Any], Flaw]
_LARGEST: Final = 2**53  #: a number that any reader of JSON can hold


def flaw_in(kind: type, record: Any, *, partial: bool = False) -> Flaw:
    """Return what keeps `record` from being a value of dataclass `kind`; None: nothing.

    With `partial` it may leave fields out, and set any to null.
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
    """Return a value as a complaint quotes it: its beginning."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


@cache
def _fields_of(kind: type) -> tuple[dict[str, _Check], tuple[str, ...]]:
    hints = get_type_hints(kind)
    own = [field for field in fields(kind) if field.init]
    needed = tuple(each.name for each in own if each.default is MISSING and each.default_factory is MISSING)
    return {each.name: _check(hints[each.name]) for each in own}, needed


def _check(hint: Any) -> _Check:
    if hint in _PLAIN:
        return _PLAIN[hint]
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


def _text(part: Any) -> Flaw:
    return None if isinstance(part, str) else f"is {shown(part)}, no text"


def _whole(part: Any) -> Flaw:
    fits = isinstance(part, int) and not isinstance(part, bool) and abs(part) <= _LARGEST
    return None if fits else f"is {shown(part)}, no whole number"


def _number(part: Any) -> Flaw:
    fits = isinstance(part, int | float) and not isinstance(part, bool) and isfinite(part) and abs(part) <= _LARGEST
    return None if fits else f"is {shown(part)}, no number"


def _flag(part: Any) -> Flaw:
    return None if isinstance(part, bool) else f"is {shown(part)}, neither true nor false"


def flaw_of_moment(part: Any) -> Flaw:
    """Return what keeps a text from being a moment that can be kept."""
    try:
        checked_moment(datetime.fromisoformat(part))
    except NaiveDatetime:
        return f"is {shown(part)}, a moment without a time zone"
    except (TypeError, ValueError, OverflowError):  # what is beyond the calendar, too
        return f"is {shown(part)}, no moment"
    return None


def _day(part: Any) -> Flaw:
    try:
        date.fromisoformat(part)
    except (TypeError, ValueError):
        return f"is {shown(part)}, no day"
    return None


_PLAIN: Final[dict[Any, _Check]] = {
    str: _text, int: _whole, float: _number, bool: _flag, datetime: flaw_of_moment, date: _day,
}  # fmt: skip
