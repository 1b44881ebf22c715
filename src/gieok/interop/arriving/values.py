"""Values as other systems write them: moments, scales, lists in strings. What would lose its meaning is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any, Final

from gieok.domain.foreign_json import kept
from gieok.domain.scope import Scope
from gieok.errors import InvalidImport, InvalidScope
from gieok.interop.arriving.shape import Whose

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS: Final = ((1e17, 1_000_000_000), (1e14, 1_000_000), (1e11, 1_000), (0.0, 1))  #: from which on, parts of a second
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_SHOWN: Final = 40


def shown(value: Any) -> str:
    """Return a value as a complaint quotes it: its beginning."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def sound(value: Any, where: str) -> None:
    """Raise `InvalidImport` where a value holds what no store can keep."""
    try:
        kept(value)
    except ValueError as cause:
        raise InvalidImport(str(cause), where=where) from cause


def moment_of(value: Any, where: str) -> datetime | None:
    """Return a moment written as ISO 8601 or as seconds, milli-, micro- or nanoseconds since 1970; None: there is none.

    One without a time zone is UTC, as SQLite, Prisma and most servers write it.
    """
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
            moment = datetime.fromisoformat(value.strip())
        else:
            moment = _since_1970(value)
    except (ValueError, TypeError, OverflowError) as cause:
        raise InvalidImport(f"{shown(value)} is no moment", where=where) from cause
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _since_1970(value: Any) -> datetime:
    if isinstance(value, bool):
        raise TypeError
    number = float(value)
    parts = next(parts for least, parts in _UNITS if abs(number) >= least)
    return _EPOCH + timedelta(seconds=number / parts)


def number_of(value: Any, name: str, where: str, *, default: float = 0.0) -> float:
    """Return a number; `default` where there is none."""
    if value is None or value == "":
        return default
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as cause:
        raise InvalidImport(f"{name} is {shown(value)}, no number", where=where) from cause
    if not isfinite(number):
        raise InvalidImport(f"{name} is {shown(value)}, no number", where=where)
    return number


def count_of(value: Any, name: str, where: str) -> int:
    """Return how often something was, 0 or more."""
    return max(int(number_of(value, name, where)), 0)


def share_of(value: Any, name: str, where: str, *, default: float = 0.0) -> float:
    """Return a number between 0 and 1."""
    number = number_of(value, name, where, default=default)
    if not 0 <= number <= 1:
        raise InvalidImport(f"{name} is {shown(value)}, not between 0 and 1", where=where)
    return number


def scale_of(values: Iterable[Any]) -> int:
    """Return the top of the scale that importances are on: 1, or 10 where one of them is above 1."""
    return 10 if any(isinstance(each, int | float) and each > 1 for each in values) else 1


def importance_of(value: Any, top: int, where: str) -> float | None:
    """Return an importance on a scale up to `top` as 0–1; None: there is none."""
    if value is None or value == "":
        return None
    number = number_of(value, "importance", where) / top
    if not 0 <= number <= 1:
        raise InvalidImport(f"importance is {shown(value)}, not between 0 and {top}", where=where)
    return number


def text_of(value: Any, name: str, where: str) -> str:
    """Return a text, without space around it; "" where there is none."""
    if value is None:
        return ""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise InvalidImport(f"{name} is {shown(value)}, no text", where=where)
    return str(value).strip()


def named(value: Any, name: str, where: str) -> str | None:
    """Return what somebody or something is called; None: nothing."""
    return text_of(value, name, where) or None


def list_of(value: Any, name: str, where: str) -> list[Any]:
    """Return a list, also one that is written as JSON in a string; a string of words with commas is one, too."""
    if value is None or value == "":
        return []
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        value = parsed(value, name, where)
    if isinstance(value, Mapping):
        return [value]
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if not isinstance(value, list):
        raise InvalidImport(f"{name} is {shown(value)}, no list", where=where)
    return value


def words_of(value: Any, name: str, where: str) -> tuple[str, ...]:
    """Return a list of words, each once."""
    found = (text_of(part, name, where) for part in list_of(value, name, where))
    return tuple(dict.fromkeys(word for word in found if word))


def parsed(text: str, name: str, where: str) -> Any:
    """Return what JSON in a string says."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise InvalidImport(f"{name} is {shown(text)}, no JSON", where=where) from cause
    sound(value, where)
    return value


def vector_of(value: Any, where: str) -> tuple[float, ...] | None:
    """Return a vector written as numbers, as JSON, or as 32-bit floats; None: there is none."""
    if not value:
        return None
    if isinstance(value, bytes):
        from array import array

        if len(value) % 4:
            return None
        return _finite(array("f", value))
    return _finite(number_of(part, "a vector", where) for part in list_of(value, "a vector", where))


def _finite(numbers: Iterable[float]) -> tuple[float, ...] | None:
    vector = tuple(numbers)
    return vector if vector and all(map(isfinite, vector)) else None


def scope_for(
    whose: Whose, where: str, *, user: str | None = None, character: str | None = None, world: str | None = None
) -> Scope:
    """Return whose something is: as the file says, else as the caller does."""
    names = {"user": user or whose.user, "character": character or whose.character, "world": world or whose.world}
    if not any(names.values()):
        raise InvalidImport("nothing says whose it is; name it with --user, --character or --world", where=where)
    try:
        return Scope(**names)
    except InvalidScope as cause:
        raise InvalidImport(f"it cannot be kept under these names ({cause})", where=where) from cause
