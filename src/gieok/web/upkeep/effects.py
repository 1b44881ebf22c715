"""What an operation does to memories, as it is shown: before and after, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from gieok.domain.memory import Change, Memory
from gieok.domain.upkeep import Action, Kept, What, what_became, words_of
from gieok.web.upkeep.reasons import reason
from gieok.web.wording import Words

#: What is told of a memory that stays, in this order.
_TOLD: Final = (
    "content", "value", "kind", "importance", "pinned", "mentions", "uses", "invalid_at", "retracted", "forgotten_at",
    "faded_at", "interpretation",
)  # fmt: skip
_WHATS: Final[tuple[What, ...]] = ("new", "changed", "closed")

Told = str | float | bool | datetime | None  #: a field, to be put into words by whoever shows it


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One field of a memory before and after."""

    field: str
    before: Told
    after: Told


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What becomes of one memory."""

    what: What
    memory_id: str
    content: str
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One thing that upkeep does, and why."""

    action: Action
    why: str
    effects: tuple[Effect, ...]


def deeds(kept: Iterable[Kept], words: Words) -> list[Deed]:
    return [
        Deed(
            action=each.action,
            why=reason(each.why, words),
            effects=tuple(effect(change) for change in each.changes),
        )
        for each in kept
    ]


def effect(change: Change) -> Effect:
    what = what_became(change)
    return Effect(
        what=what, memory_id=change.memory_id, content=words_of(change), differences=differences(change, what)
    )


def differences(change: Change, what: What) -> tuple[Difference, ...]:
    """Return which fields differ, of those that tell something; a new memory is told by its words alone."""
    before, after = change.before, change.after
    if before is None or after is None:
        return ()
    told = (Difference(field=name, before=_told(before, name), after=_told(after, name)) for name in _TOLD)
    return tuple(each for each in told if each.before != each.after)


def counted(deeds: Iterable[Deed]) -> Mapping[What, int]:
    """Return how many memories are made, changed and closed."""
    found = Counter(effect.what for deed in deeds for effect in deed.effects)
    return {what: found[what] for what in _WHATS if found[what]}


def _told(memory: Memory, name: str) -> Told:
    value: Any = getattr(memory, name)
    return round(value, 2) if isinstance(value, float) else value
