"""mem0's filters: a tree of conditions on a memory, its metadata and its ids."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from itertools import product
from typing import Any, Final

from gieok.errors import InvalidQuery

IDS: Final = ("user_id", "agent_id", "run_id")
ANY: Final = "*"
_ORDERINGS: Final = {"gt": operator.gt, "gte": operator.ge, "lt": operator.lt, "lte": operator.le}
_OPERATORS: Final = ("eq", "ne", *_ORDERINGS, "in", "nin", "contains", "icontains")
_SPELLINGS: Final = {"$and": "AND", "$or": "OR", "$not": "NOT"}  #: older spellings; operators may start with "$", too
_JOINED: Final[Mapping[str, Callable[[Iterable[bool]], bool]]] = {
    "AND": all,
    "OR": any,
    "NOT": lambda fitting: not any(fitting),
}


def passes(record: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether a record passes a filter. Fields may have the prefix `metadata.`; nested ones are paths."""
    return all(_holds(record, key, condition) for key, condition in wanted.items())


def checked_filter(wanted: object) -> dict[str, Any]:
    """Return a valid filter; raises `InvalidQuery` for unknown operators and shapes."""
    if not isinstance(wanted, Mapping):
        raise InvalidQuery(f"filters must be a dict like {{'user_id': 'alice'}}, not {type(wanted).__name__}")
    spelt = {_SPELLINGS.get(str(key), str(key)): condition for key, condition in wanted.items()}
    return {key: _checked(key, condition) for key, condition in spelt.items()}


def checked_id(field: str, given: object) -> str:
    """Return an id as text; raises `InvalidQuery` if it is not a single name.

    Ids often come from outside, so "*" must not match the memories of all users.
    """
    written = str(given).strip()
    if not written:
        raise InvalidQuery(f"{field} is empty; give a name, or leave it out")
    if written == ANY and field == "user_id":
        raise InvalidQuery("user_id='*' names nobody: say whose memories are meant, or leave it out beside an agent_id")
    return written


def _checked(key: str, condition: Any) -> Any:
    if key in _JOINED:
        return [checked_filter(each) for each in _conditions(key, condition)]
    if isinstance(condition, Mapping):
        condition = {str(each).removeprefix("$"): want for each, want in condition.items()}
        unknown = [each for each in condition if each not in _OPERATORS]
        if unknown or not condition:
            named = f"operator {unknown[0]!r}" if unknown else "operator"
            raise InvalidQuery(f"filter {key!r} has no known {named}; there are {', '.join(_OPERATORS)}")
        for each in ("in", "nin"):
            if not isinstance(condition.get(each, []), list | tuple):
                raise InvalidQuery(f"filter {key!r}: {each!r} takes a list of values")
        return condition
    return checked_id(key, condition) if key in IDS and condition is not None else condition


def identities(wanted: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the ids that can pass a filter: one set per alternative, with "*" for any name."""
    return _all_of(_named(key, condition) for key, condition in wanted.items())


def _named(key: str, condition: Any) -> list[dict[str, str]]:
    if key == "AND":
        return _all_of(map(identities, condition))
    if key == "OR":
        return [one for each in condition for one in identities(each)]
    if key not in IDS:
        return [{}]
    if isinstance(condition, Mapping):
        names = condition.get("in", [condition["eq"]] if "eq" in condition else [ANY])
        return [{key: str(name)} for name in names]
    return [] if condition is None else [{key: str(condition)}]


def _all_of(several: Iterable[list[dict[str, str]]]) -> list[dict[str, str]]:
    """Return the sets that are consistent with one of each list."""
    found: list[dict[str, str]] = [{}]
    for others in several:
        pairs, found = product(found, others), []
        for one, other in pairs:
            shared = [key for key in one if key in other and ANY not in (one[key], other[key])]
            if all(one[key] == other[key] for key in shared):
                found.append({**one, **{key: name for key, name in other.items() if one.get(key, ANY) == ANY}})
    return found


def _holds(record: Mapping[str, Any], key: str, condition: Any) -> bool:
    if key in _JOINED:
        return _JOINED[key](passes(record, each) for each in _conditions(key, condition))
    have = _field(record, key)
    if isinstance(condition, Mapping):
        return all(_fits(have, name, want) for name, want in condition.items())
    return have is not None if condition == ANY else _is(have, condition)


def _conditions(key: str, condition: object) -> list[Any]:
    if isinstance(condition, Mapping) and key == "NOT":
        return [condition]
    if isinstance(condition, list | tuple) and condition:
        return list(condition)
    raise InvalidQuery(f"{key} takes a list of conditions, like {{{key!r}: [{{'category': 'food'}}]}}")


def _field(record: Mapping[str, Any], key: str) -> Any:
    """Return a field by its name, else by its path; None: missing."""
    for name in (key, key.removeprefix("metadata.")):
        if name in record:
            return record[name]
    found: Any = record
    for name in key.removeprefix("metadata.").split("."):
        found = _deeper(found, name)
    return found


def _deeper(found: Any, name: str) -> Any:
    """Return a part of a field; for a list, the parts of its items."""
    if isinstance(found, list):
        parts = [_deeper(each, name) for each in found]
        return [each for each in parts if each is not None] or None
    return found.get(name) if isinstance(found, Mapping) else None


def _fits(have: Any, name: str, want: Any) -> bool:
    if name in ("eq", "ne"):
        return _is(have, want) == (name == "eq")
    if name in ("in", "nin"):
        return any(_is(have, each) for each in want) == (name == "in")
    if isinstance(have, list):
        return any(_fits(each, name, want) for each in have)
    texts = isinstance(have, str) and isinstance(want, str)
    if name in _ORDERINGS:
        numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (have, want))
        return (texts or numbers) and bool(_ORDERINGS[name](*_moments(have, want)))
    if not texts:
        return False
    return want in have if name == "contains" else want.casefold() in have.casefold()


def _is(have: Any, want: Any) -> bool:
    """Return whether a field has a value; a list has the value of each item."""
    if isinstance(have, list) and not isinstance(want, list):
        return any(_is(each, want) for each in have)
    return isinstance(have, bool) == isinstance(want, bool) and bool(have == want)


def _moments(have: Any, want: Any) -> tuple[Any, Any]:
    """Return both as datetimes if they are times with time zones; else unchanged."""
    if isinstance(have, str) and isinstance(want, str):
        try:
            one, other = (datetime.fromisoformat(each) for each in (have, want))
        except ValueError:
            return have, want
        if one.tzinfo is not None and other.tzinfo is not None:
            return one, other
    return have, want
