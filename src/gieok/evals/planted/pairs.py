"""Plausible pairs of an old and a new value: a year older, a few centimetres taller, married before divorced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gieok.evals.planted.language import UpdateKind, Value
from gieok.evals.statement import fold

_NEXT: Final = {
    "솔로": ("연애중",),
    "연애중": ("이별", "기혼", "솔로"),
    "이별": ("연애중", "솔로"),
    "기혼": ("이혼",),
    "이혼": ("연애중", "솔로"),
}
_CENTIMETRES: Final = 3


def successors(slot: str, old: Value, kind: UpdateKind, pool: Sequence[Value]) -> tuple[Value, ...]:
    """Return the values of `pool` that may follow `old`: as its successor, or as what was meant all along."""
    others = [value for value in pool if fold(value.gold) != fold(old.gold) and not _overlap(value, old)]
    if slot == "age":
        steps = (1,) if kind == "update" else (-2, -1, 1, 2)
        return tuple(value for value in others if int(value.gold) - int(old.gold) in steps)
    if slot == "height":
        return tuple(value for value in others if abs(int(value.gold) - int(old.gold)) <= _CENTIMETRES)
    if slot == "relationship_status" and kind == "update":
        return tuple(value for value in others if value.gold in _NEXT.get(old.gold, ()))
    return tuple(others)


def _overlap(one: Value, other: Value) -> bool:
    """Whether a spelling of one stands in a spelling of the other (여름, 한여름): the two could not be told apart."""
    ours = [fold(text) for text in (*one.accepted, one.written)]
    theirs = [fold(text) for text in (*other.accepted, other.written)]
    return any(a in b or b in a for a in ours for b in theirs if len(a) > 1 and len(b) > 1)
