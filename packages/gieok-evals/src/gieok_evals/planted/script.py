"""A script: everything that is said in three conversations, and what is asked at the probes.

User u talks to characters A and B, user v to A. The conversation of u with A is the one that is scored; the others
hold what must not leak.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from gieok.domain.attributes import attribute
from gieok_evals.cases import Expected
from gieok_evals.planted.language import UpdateKind, Value
from gieok_evals.statement import Statement, fold

Conversation = Literal["uA", "uB", "vA"]
LineKind = Literal["facts", "small_talk", "adversarial", "update", "probe"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A fact about the user as it was said."""

    slot: str
    value: Value
    surfaces: tuple[str, ...]  #: the words that carry the value in this sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What an update does to a slot."""

    slot: str
    kind: UpdateKind
    old: Value
    new: Planted | None
    names_old: bool  #: without it, a slot of many values may keep the old one


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """What must not be stored as a current fact."""

    said: Statement
    accepted: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """An adversarial turn."""

    family: str
    must_not: tuple[Forbidden, ...]
    expect: tuple[Expected, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One exchange: what the user says, and what the character answers."""

    conversation: Conversation
    number: int  #: its place in its conversation, from 1
    kind: LineKind
    at: datetime
    text: str
    reply: str
    facts: tuple[Planted, ...] = ()
    change: Change | None = None
    trap: Trap | None = None
    typing: str | None = None  #: the typing noise on it


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A probe, asked aside: it is answered from memory and leaves no trace there."""

    text: str
    slot: str
    kind: Literal["direct", "indirect", "abstain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Questions asked before line `before` of the scored conversation."""

    before: int
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """Three conversations in the order in which they happen."""

    seed: str
    lines: tuple[Line, ...]
    checkpoints: tuple[Checkpoint, ...]

    def of(self, conversation: Conversation) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.conversation == conversation)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotGold:
    """The truth about one slot."""

    current: tuple[Planted, ...] = ()
    stale: tuple[Value, ...] = ()  #: no longer true, or never
    unsettled: tuple[Value, ...] = ()  #: nobody said whether it still is
    changed_by: tuple[int, ...] = ()  #: numbers of the lines that changed it

    @property
    def values(self) -> tuple[Value, ...]:
        return tuple(planted.value for planted in self.current)


def gold(lines: Iterable[Line]) -> dict[str, SlotGold]:
    """Return the truth of every slot that `lines` of one conversation speak of."""
    truth: dict[str, SlotGold] = {}
    for line in lines:
        for planted in line.facts:
            if line.change is None:
                truth[planted.slot] = _stated(truth.get(planted.slot, SlotGold()), planted)
        if line.change is not None:
            slot = line.change.slot
            after = _changed(truth.get(slot, SlotGold()), line.change)
            truth[slot] = replace(after, changed_by=(*after.changed_by, line.number))
    return truth


def _stated(before: SlotGold, planted: Planted) -> SlotGold:
    if attribute(planted.slot).single:
        gone = tuple(value for value in before.values if not same(value, planted.value))
        return replace(before, current=(planted,), stale=(*before.stale, *gone))
    return replace(before, current=(*before.current, planted))


def _changed(before: SlotGold, change: Change) -> SlotGold:
    """Return the slot after `change`: the old value goes, or nobody knows, and the new one comes."""
    kept = tuple(planted for planted in before.current if not same(planted.value, change.old))
    open_end = change.kind == "update" and not change.names_old and not attribute(change.slot).single
    stale = before.stale if open_end else (*before.stale, change.old)
    if change.new is not None:
        new = change.new
        stale = tuple(value for value in stale if not same(value, new.value))  # it is true again
        kept = (*kept, new)
    return replace(
        before,
        current=kept,
        stale=stale,
        unsettled=(*before.unsettled, change.old) if open_end else before.unsettled,
    )


def same(one: Value, other: Value) -> bool:
    return fold(one.gold) == fold(other.gold)
