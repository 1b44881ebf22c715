"""Scripts: what is said in three conversations, what is asked at the checkpoints, and what is true then.

User u talks to characters A and B, user v to A. The conversation of u with A is scored; the other two hold what must
not leak.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, get_args

from gieok.domain.attributes import attribute
from gieok_evals.planted.language import UpdateKind, Value
from gieok_evals.statements import Expected, fold

Conversation = Literal["uA", "uB", "vA"]
CONVERSATIONS: Final[tuple[Conversation, ...]] = get_args(Conversation)
SCORED: Final[Conversation] = "uA"
SIDES: Final[tuple[Conversation, ...]] = ("uB", "vA")
#: Slots that prove no leak: values read from other words (여친 생겼어: 연애중), or mere letters and numbers.
_NO_PROOF: Final = frozenset(
    "age birthday height blood_type mbti gender family relationship_status favorite.season favorite.color".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A fact about the user as it was said."""

    slot: str
    value: Value
    surfaces: tuple[str, ...]  #: the words for the value in this sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What an update does to a slot."""

    slot: str
    kind: UpdateKind
    old: Value
    new: Planted | None
    names_old: bool  #: if not, a slot of many values may keep the old one


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """What an adversarial turn must not and should give."""

    family: str
    must_not: tuple[Expected, ...]  #: what must not be stored as a current fact
    expect: tuple[Expected, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """One exchange without its place and time."""

    kind: Literal["facts", "small_talk", "adversarial", "update", "probe"]
    text: str
    reply: str
    ask: str | None = None  #: what the character says just before
    facts: tuple[Planted, ...] = ()
    change: Change | None = None
    trap: Trap | None = None
    typing: str | None = None  #: the typing noise on it


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(Spoken):
    """One exchange: what the user says, and what the character replies."""

    conversation: Conversation
    number: int  #: its place in its conversation, from 1
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A probe. It is answered from memory and leaves no trace there."""

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
    unsettled: tuple[Value, ...] = ()  #: nobody said whether it still is true
    changed_by: tuple[int, ...] = ()  #: numbers of the lines that changed it

    @property
    def values(self) -> tuple[Value, ...]:
        return tuple(planted.value for planted in self.current)


def gold(lines: Iterable[Line]) -> dict[str, SlotGold]:
    """Return the truth of every slot that `lines` of one conversation speak of."""
    truth: dict[str, SlotGold] = {}
    for line in lines:
        if line.change is not None:
            slot = line.change.slot
            after = _changed(truth.get(slot, SlotGold()), line.change)
            truth[slot] = replace(after, changed_by=(*after.changed_by, line.number))
            continue
        for planted in line.facts:
            truth[planted.slot] = _stated(truth.get(planted.slot, SlotGold()), planted)
    return truth


def _stated(before: SlotGold, planted: Planted) -> SlotGold:
    if attribute(planted.slot).single:
        gone = tuple(value for value in before.values if not same(value, planted.value))
        return replace(before, current=(planted,), stale=(*before.stale, *gone))
    return replace(before, current=(*before.current, planted))


def _changed(before: SlotGold, change: Change) -> SlotGold:
    """Return the slot after `change`: the old value is stale or unsettled, and the new one is current."""
    current = tuple(planted for planted in before.current if not same(planted.value, change.old))
    unsettled = change.kind == "update" and not change.names_old and not attribute(change.slot).single
    stale = before.stale if unsettled else (*before.stale, change.old)
    if change.new is not None:
        new = change.new
        stale = tuple(value for value in stale if not same(value, new.value))  # it is true again
        current = (*current, new)
    return replace(
        before,
        current=current,
        stale=stale,
        unsettled=(*before.unsettled, change.old) if unsettled else before.unsettled,
    )


def same(one: Value, other: Value) -> bool:
    return fold(one.gold) == fold(other.gold)


def private_words(script: Script, conversation: Conversation) -> frozenset[str]:
    """Return the values told in the other conversations that nobody ever said or asked in `conversation`."""
    own = [fold(text) for line in script.of(conversation) for text in (line.text, line.reply)]
    own += (fold(question.text) for checkpoint in script.checkpoints for question in checkpoint.questions)
    told: set[str] = set()
    known: set[str] = set()
    for line in script.lines:
        for planted in line.facts:
            if line.conversation == conversation:
                known.update(map(fold, (*planted.value.accepted, *planted.value.forms.values())))
            elif planted.slot not in _NO_PROOF:
                told |= planted.value.spellings
    return frozenset(word for word in told - known if len(word) > 1 and not any(word in text for text in own))
