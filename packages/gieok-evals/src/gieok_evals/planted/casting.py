"""Who is told what: the facts of each conversation, and how some of them change."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gieok_evals.planted.language import IDENTITY, LIFESTYLE, Language, Update, UpdateKind, Value
from gieok_evals.planted.script import Conversation
from gieok_evals.statement import fold

_NEXT: Final = {
    "솔로": ("연애중",),
    "연애중": ("이별", "기혼", "솔로"),
    "이별": ("연애중", "솔로"),
    "기혼": ("이혼",),
    "이혼": ("연애중", "솔로"),
}
_CENTIMETRES: Final = 3
Fact = tuple[str, Value]
_IDENTITY_FACTS: Final = 12
_LIFESTYLE_FACTS: Final = 13
_SHARED_SLOTS: Final = 5  #: of a side conversation, with a value of its own
_OWN_SLOTS: Final = 3  #: of a side conversation, which the scored one may not have
_MEASURES: Final = frozenset(
    {"age", "height", "birthday", "blood_type", "mbti"}
)  #: short values: 25 also stands in 125


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedChange:
    """A change of the scored conversation that is still to be put into words."""

    update: Update
    old: Value
    new: Value | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Everything that is decided before a word is said."""

    facts: Mapping[Conversation, tuple[Fact, ...]]
    changes: tuple[PlannedChange, ...]
    unplanted: tuple[str, ...]  #: slots that the scored conversation never speaks of
    used: tuple[Fact, ...]  #: every value the scored conversation holds at any time


class Values:
    """Draws values that cannot be mistaken for one another."""

    def __init__(self, words: Language, dice: random.Random) -> None:
        self._words = words
        self._dice = dice
        self._taken: set[str] = set()

    def draw(self, slot: str, among: Sequence[Value] | None = None) -> Value | None:
        """Return a value of `slot` that no drawn value resembles; None when there is none left."""
        pool = list(self._words.values[slot] if among is None else among)
        self._dice.shuffle(pool)
        chosen = next((value for value in pool if not self._resembles(slot, value)), None)
        if chosen is not None:
            self._taken |= {_key(slot, text) for text in _spellings(chosen)}
        return chosen

    def _resembles(self, slot: str, value: Value) -> bool:
        spellings = {_key(slot, text) for text in _spellings(value)}
        if slot in _MEASURES:
            return bool(spellings & self._taken)
        return any(new == old or (min(len(new), len(old)) > 1 and (new in old or old in new))
                   for new in spellings for old in self._taken)  # fmt: skip


def cast(words: Language, dice: random.Random, *, changes: int) -> Cast:
    """Decide who is told what. Closed slots may repeat a value between conversations when they run out."""
    main = [*dice.sample(IDENTITY, k=_IDENTITY_FACTS), *dice.sample(LIFESTYLE, k=_LIFESTYLE_FACTS)]
    values = Values(words, dice)
    facts = [(slot, value) for slot in main if (value := values.draw(slot)) is not None]
    planned = _changes(words, facts, values, dice, changes)
    used = (*facts, *((each.update.slot, each.new) for each in planned if each.new is not None))
    rest = [slot for slot in words.values if slot not in main]
    sides = {name: _side(main, rest, values, dice) for name in ("uB", "vA")}
    return Cast(
        facts={"uA": tuple(facts), "uB": sides["uB"], "vA": sides["vA"]},
        changes=planned,
        unplanted=tuple(rest),
        used=used,
    )


def _side(main: Sequence[str], rest: Sequence[str], values: Values, dice: random.Random) -> tuple[Fact, ...]:
    slots = [*dice.sample(main, k=_SHARED_SLOTS), *dice.sample(rest, k=_OWN_SLOTS)]
    return tuple((slot, value) for slot in slots if (value := values.draw(slot)) is not None)


def _changes(
    words: Language, facts: Sequence[Fact], values: Values, dice: random.Random, count: int
) -> tuple[PlannedChange, ...]:
    """Plan `count` changes, each of another slot until there is none left to change."""
    current: dict[str, Value] = dict(facts)
    planned: list[PlannedChange] = []
    while len(planned) < count:
        before = len(planned)
        slots = list(current)
        dice.shuffle(slots)
        for slot in slots:
            change = _change(words, slot, current[slot], values, dice) if len(planned) < count else None
            if change is not None:
                planned.append(change)
                current.pop(slot)
                if change.new is not None:
                    current[slot] = change.new
        if len(planned) == before:
            raise ValueError("the language has too few updates for this many changes")
    return tuple(planned)


def _change(words: Language, slot: str, old: Value, values: Values, dice: random.Random) -> PlannedChange | None:
    updates = [update for update in words.updates if update.slot == slot]
    dice.shuffle(updates)
    for update in updates:
        if "{new}" not in update.text:
            return PlannedChange(update=update, old=old, new=None)
        new = values.draw(slot, successors(slot, old, update.kind, words.values[slot]))
        if new is not None:
            return PlannedChange(update=update, old=old, new=new)
    return None


def _spellings(value: Value) -> tuple[str, ...]:
    return (*value.accepted, value.written)


def _key(slot: str, text: str) -> str:
    """Return what two values are compared by; measures only among their own slot (25살, 25일)."""
    return f"{slot}:{fold(text)}" if slot in _MEASURES else fold(text)
