"""A memory: what a character believes, since when it was true and since when it was known.

Two clocks: `valid_at`/`invalid_at` say when it was true in the story (half-open), `known_at` when it was
learned in story time. What was believed at an earlier moment is read from the journal of changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, cast, get_args

from gieok.domain.attributes import ContentType
from gieok.domain.claim import Brought, Statement
from gieok.domain.claim import Kind as Kind
from gieok.errors import ErrorText, InvalidQuery, UnderHold

MemoryState = Literal["current", "past", "retracted", "faded", "forgotten"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory(Statement):
    """One belief. A change is a new value with the next version."""

    kind: Kind  #: how it fades
    strength: float = 1.0  #: when it was last touched; `strength_now` gives today's
    touched_turn: int = 0  #: number of the turn that last touched it
    valid_at: datetime
    known_at: datetime  #: when we learned it, in story time; never changes
    recorded_at: datetime  #: wall time
    retracted: bool = False  #: it was never true
    forgotten_at: datetime | None = None
    faded_at: datetime | None = None  #: when upkeep let go of it; it stays in history
    closed_by: str | None = None  #: the memory that superseded it, or that it was merged into
    made_from: tuple[str, ...] = ()  #: ids of the memories that it was merged or concluded from
    mentions: int = 0  #: how often it was said again
    uses: int = 0  #: how often it stood in a context
    last_used_at: datetime | None = None
    pinned: bool = False
    sources: tuple[str, ...] = ()  #: ids of the utterances that said it
    channel: str | None = None
    interpretation: str | None = None  #: the character's own view of it
    pii_flags: tuple[str, ...] = ()
    version: int = 1

    @property
    def hidden(self) -> bool:
        """Forgotten, let go of or never true: left out of every answer except its own history."""
        return self.retracted or self.forgotten_at is not None or self.faded_at is not None

    @property
    def disowned(self) -> bool:
        """Forgotten or never true; what only faded was."""
        return self.retracted or self.forgotten_at is not None

    def given_up_by(self, moment: datetime) -> bool:
        """Whether it was never true, was forgotten, or had ended by `moment`."""
        return self.disowned or (self.invalid_at is not None and self.invalid_at <= moment)

    def true_at(self, moment: datetime) -> bool:
        """Whether it was true at `moment`, by what is believed now."""
        if self.retracted or self.forgotten_at is not None or self.faded_at is not None or self.valid_at > moment:
            return False  # `hidden`, without asking: recall asks this of hundreds
        return self.invalid_at is None or self.invalid_at > moment

    def state(self, now: datetime) -> MemoryState:
        """Return how it stands; what another memory closed is past, whenever that was."""
        if self.forgotten_at is not None:
            return "forgotten"
        if self.retracted:
            return "retracted"
        if self.faded_at is not None:
            return "faded"
        ended = self.invalid_at is not None and (self.closed_by is not None or self.invalid_at <= now)
        return "past" if ended else "current"

    def changed(self, **fields: object) -> Memory:
        return replace(self, version=self.version + 1, **fields)  # type: ignore[arg-type]  # which fields vary is up to the caller


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One memory before and after an operation; None: it did not exist."""

    before: Memory | None
    after: Memory | None

    @property
    def memory_id(self) -> str:
        memory = self.after or self.before
        assert memory is not None, "a change has at least one side"
        return memory.id

    @property
    def inverse(self) -> Change:
        return Change(before=self.after, after=self.before)


def with_imported(memory: Memory, brought: Brought | None) -> Memory:
    if brought is None:
        return memory
    return replace(
        memory,
        pinned=memory.pinned or (brought.pinned and not memory.doubtful),
        uses=brought.uses,
        mentions=brought.mentions,
        strength=brought.strength,
        kind=brought.kind or memory.kind,
        interpretation=brought.interpretation,
    )


def with_imported_counts(memory: Memory, brought: Brought | None) -> Memory:
    """Return a memory that another system knew, too, with what it counted."""
    if brought is None:
        return memory
    return replace(
        memory,
        pinned=memory.pinned or (brought.pinned and not memory.doubtful),
        uses=memory.uses + brought.uses,
        mentions=memory.mentions + brought.mentions,
    )


def by_truth(memory: Memory) -> tuple[datetime, datetime, str]:
    """Order memories by when they became true, then by when they were learned."""
    return (memory.valid_at, memory.known_at, memory.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class FadingRates:
    """How fast each kind of memory fades, and what holds it."""

    base: Mapping[Kind, float] = field(
        default_factory=lambda: MappingProxyType(
            {"episodic": 0.95, "emotional": 0.97, "semantic": 0.98, "insight": 0.98}
        )
    )
    emotion: float = 0.4  #: how much feeling holds a memory
    importance: float = 0.3  #: how much importance holds it
    ceiling: float = 0.995  #: nothing fades slower
    floor: float = 0.1  #: nothing fades below
    every_turns: int = 5  #: turns in one fading step


def factor(memory: Memory, rates: FadingRates) -> float:
    """Return what one fading step leaves of `memory`'s strength, as a share; 1 for a pinned memory."""
    if memory.pinned:
        return 1.0
    base = rates.base[memory.kind]
    held = memory.emotion_intensity * rates.emotion + memory.importance * rates.importance
    return min(base + (1 - base) * held, rates.ceiling)


def strength_now(memory: Memory, turn_number: int, rates: FadingRates) -> float:
    """Return `memory`'s strength at turn `turn_number`; it stops falling once at or below the floor."""
    steps = turn_number // rates.every_turns - memory.touched_turn // rates.every_turns
    if steps <= 0:
        return memory.strength
    share = factor(memory, rates)
    faded = memory.strength * share**steps
    if faded > rates.floor:
        return faded
    return _first_at_or_below_floor(memory.strength, share, rates.floor)


@lru_cache(maxsize=1024)
def _first_at_or_below_floor(strength: float, share: float, floor: float) -> float:
    while strength > floor:
        strength *= share
    return strength


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """Handed to extractors with the turn."""

    names: frozenset[str] = frozenset()  #: by which the user is known
    mentioned: tuple[Memory, ...] = ()  #: current facts about the user whose value is said, or asked about just before
    people: tuple[str, ...] = ()  #: others of whom something is known
    pets: frozenset[str] = frozenset()  #: animals at home, by name
    aliases: Mapping[str, str] = field(default_factory=dict)  #: names of others, by whom they are known as: 다인 → 누나
    of_others: tuple[Memory, ...] = ()  #: current facts of others who are named
    doubtful: tuple[Memory, ...] = ()
    """doubtful facts about the user whose value is said: they may be ended or taken back, and support nothing else"""


NOTHING_KNOWN = Background()


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Which known facts an extractor needs to read a turn."""

    said: str = ""  #: facts of the user whose value is in it; "": nothing but names is needed
    people: bool = False  #: whether the names of others are needed


Days = Mapping[ContentType, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Nothing of a scope may go while it stands."""

    since: datetime  #: wall time
    by: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long a scope keeps its memories, where that is not as the bank does."""

    days: Mapping[str, float] = field(default_factory=dict)  #: by type; 0: for good


@dataclass(frozen=True, slots=True, kw_only=True)
class Provisions:
    """What was laid down for one scope."""

    hold: Hold | None = None
    retention: Retention | None = None

    def check_hold(self, scope: object) -> None:
        """Raise `UnderHold` while a hold stands on `scope`."""
        if self.hold is not None:
            raise UnderHold(str(scope), self.hold.by, self.hold.why)

    def days(self, usual: Days) -> Days:
        """Return how long each type is kept here; what is not named is kept for good. Under a hold, everything is."""
        return {} if self.hold is not None else self.laid_down(usual)

    def laid_down(self, usual: Days) -> Days:
        """Return the same, whether or not there is a hold."""
        if self.retention is None:
            return usual
        laid_down = {**usual, **cast("Days", self.retention.days)}
        return {name: days for name, days in laid_down.items() if days > 0}


NONE = Provisions()


def checked_days(days: Mapping[str, float | None]) -> Retention:
    """Return the retention that is meant; None: for good. Raises `InvalidQuery`."""
    for name, given in days.items():
        if name not in get_args(ContentType):
            raise InvalidQuery(ErrorText("query.type", name=name, known=", ".join(get_args(ContentType))))
        if given is not None and not 0 < given < 1e6:
            raise InvalidQuery(ErrorText("query.days", name=name, given=given))
    return Retention(days={name: float(given or 0) for name, given in days.items()})


def is_over(memory: Memory, at: datetime, days: Days) -> bool:
    """Whether `memory` is past its time at `at`."""
    kept = days.get(memory.content_type)
    return kept is not None and at > memory.known_at + timedelta(days=kept)
