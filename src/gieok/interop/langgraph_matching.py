"""What LangGraph asks of records: filters with operators, patterns of namespaces, and the text that stands for one."""

from __future__ import annotations

import json
import operator
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from langgraph.store.base import MatchCondition, get_text_at_path

from gieok.domain.turn import LONGEST_UTTERANCE

WHOLE: Final = "$"  #: stands for all of a value where its fields are named
_ORDERINGS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def passes(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Whether a record's value passes a filter; a field that it does not have is None."""
    return all(_fits(value.get(name), each) for name, each in (wanted or {}).items())


def _fits(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        if any(str(name).startswith("$") for name in wanted):
            return all(_compares(value, name, than) for name, than in wanted.items())
        return isinstance(value, Mapping) and all(_fits(value.get(name), each) for name, each in wanted.items())
    if isinstance(wanted, list | tuple):
        same_length = isinstance(value, list | tuple) and len(value) == len(wanted)
        return same_length and all(_fits(*pair) for pair in zip(value, wanted, strict=True))
    return bool(value == wanted)


def _compares(value: Any, name: str, than: Any) -> bool:
    if name == "$eq":
        return bool(value == than)
    if name == "$ne":
        return bool(value != than)
    if name not in _ORDERINGS:
        raise ValueError(f"unknown operator {name!r} in a filter; there are $eq, $ne, {', '.join(_ORDERINGS)}")
    try:
        return _ORDERINGS[name](float(value), float(than))
    except (TypeError, ValueError):  # no numbers: dates and names are compared as text, the rest not at all
        return isinstance(value, str) and isinstance(than, str) and _ORDERINGS[name](value, than)


def matches(namespace: Sequence[str], condition: MatchCondition) -> bool:
    """Whether a namespace begins (or ends) like the pattern; * stands for any one label."""
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"unknown match type {condition.match_type!r}; there are prefix and suffix")
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(pattern in ("*", label) for label, pattern in zip(part, path, strict=True))


def text_of(value: Mapping[str, Any], fields: Sequence[str]) -> str | None:
    """Return the words that a record is found by: those of its `fields`, a line each; None: there are none."""
    lines: list[str] = []
    for path in fields:
        lines += _told(value) if path == WHOLE else get_text_at_path(value, path)
    return sayable("\n".join(lines))


def _told(value: Any, name: str = "") -> Iterator[str]:
    """Yield what a value holds, leaf by leaf, each after its name: braces and quotes would only blur the search."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _told(part, str(key))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _told(part, name)
    elif value is not None and value != "":
        said = value if isinstance(value, str) else json.dumps(value)
        yield f"{name}: {said}" if name else said


def sayable(text: str) -> str | None:
    """Return `text` as a memory can hold it: cut off where it is too long; None: nothing in it can be read."""
    readable = text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFC", readable)[:LONGEST_UTTERANCE].strip() or None
