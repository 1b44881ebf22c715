"""A memory: a statement with two time axes.

`valid_at`/`invalid_at` say when it was true in the story (half-open); `known_at` says when it was learned, in story
time. Earlier beliefs are read from the journal of changes.
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
    """One memory. A change produces a new value with the next version."""

    kind: Kind  #: decay rate class
    strength: float = 1.0  #: as of `touched_turn`; `strength_now` gives the current value
    touched_turn: int = 0  #: number of the turn that last touched it
    valid_at: datetime
    known_at: datetime  #: when it was learned, in story time; never changes
    recorded_at: datetime  #: wall time
    retracted: bool = False  #: it was never true
    forgotten_at: datetime | None = None
    faded_at: datetime | None = None  #: when upkeep pruned it; it stays in history
    closed_by: str | None = None  #: the memory that superseded it or that it was merged into
    made_from: tuple[str, ...] = ()  #: ids of the memories it was merged or derived from
    mentions: int = 0  #: number of repetitions
    uses: int = 0  #: number of contexts it was used in
    last_used_at: datetime | None = None
    pinned: bool = False
    sources: tuple[str, ...] = ()  #: ids of its source utterances
    channel: str | None = None
    interpretation: str | None = None  #: the character's own view of it
    pii_flags: tuple[str, ...] = ()
    version: int = 1

    @property
    def hidden(self) -> bool:
        """Forgotten, pruned or never true: excluded from every answer except its own history."""
        return self.retracted or self.forgotten_at is not None or self.faded_at is not None

    @property
    def disowned(self) -> bool:
        """Forgotten or never true; a pruned memory was true."""
        return self.retracted or self.forgotten_at is not None

    def given_up_by(self, moment: datetime) -> bool:
        """Return whether it was never true, was forgotten, or had ended by `moment`."""
        return self.disowned or (self.invalid_at is not None and self.invalid_at <= moment)

    def true_at(self, moment: datetime) -> bool:
        """Return whether it was true at `moment`, by current knowledge."""
        if self.retracted or self.forgotten_at is not None or self.faded_at is not None or self.valid_at > moment:
            return False  # `hidden`, inlined: recall calls this hundreds of times
        return self.invalid_at is None or self.invalid_at > moment

    def state(self, now: datetime) -> MemoryState:
        """Return its state; a memory closed by another is past, whenever that happened."""
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
    """A memory before and after an operation; None: it does not exist."""

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
    """Return an imported memory with the counts of the other system."""
    if brought is None:
        return memory
    return replace(
        memory,
        pinned=memory.pinned or (brought.pinned and not memory.doubtful),
        uses=memory.uses + brought.uses,
        mentions=memory.mentions + brought.mentions,
    )


def by_truth(memory: Memory) -> tuple[datetime, datetime, str]:
    """Sort key: by when memories became true, then by when they were learned."""
    return (memory.valid_at, memory.known_at, memory.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class FadingRates:
    """Decay rates per kind of memory, and what slows decay."""

    base: Mapping[Kind, float] = field(
        default_factory=lambda: MappingProxyType(
            {"episodic": 0.95, "emotional": 0.97, "semantic": 0.98, "insight": 0.98}
        )
    )
    emotion: float = 0.4  #: how much emotion slows decay
    importance: float = 0.3  #: how much importance slows decay
    ceiling: float = 0.995  #: slowest decay
    floor: float = 0.1  #: lowest strength
    every_turns: int = 5  #: turns per decay step


def factor(memory: Memory, rates: FadingRates) -> float:
    """Return the factor by which one decay step multiplies `memory`'s strength; 1 for a pinned memory."""
    if memory.pinned:
        return 1.0
    base = rates.base[memory.kind]
    held = memory.emotion_intensity * rates.emotion + memory.importance * rates.importance
    return min(base + (1 - base) * held, rates.ceiling)


def strength_now(memory: Memory, turn_number: int, rates: FadingRates) -> float:
    """Return `memory`'s strength at turn `turn_number`; it stops falling at or below the floor."""
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
    """Known data that an extractor gets with the turn."""

    names: frozenset[str] = frozenset()  #: names of the user
    mentioned: tuple[Memory, ...] = ()  #: current facts about the user whose value is said, or asked about just before
    people: tuple[str, ...] = ()  #: other people of whom something is known
    pets: frozenset[str] = frozenset()  #: names of the user's pets
    aliases: Mapping[str, str] = field(default_factory=dict)  #: other names of people, by their usual name: 다인 → 누나
    of_others: tuple[Memory, ...] = ()  #: current facts about people who are mentioned
    doubtful: tuple[Memory, ...] = ()
    """doubtful facts about the user whose value is said: they may be ended or taken back, and support nothing else"""


NOTHING_KNOWN = Background()


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """The background that an extractor needs to read a turn."""

    said: str = ""  #: text to look up facts of the user by value; "": none needed
    people: bool = False  #: whether names of other people are needed


Days = Mapping[ContentType, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A hold on a scope: nothing may be erased."""

    since: datetime  #: wall time
    by: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Retention settings of one scope that differ from the bank's."""

    days: Mapping[str, float] = field(default_factory=dict)  #: by type; 0: forever


@dataclass(frozen=True, slots=True, kw_only=True)
class Provisions:
    """Hold and retention of one scope."""

    hold: Hold | None = None
    retention: Retention | None = None

    def check_hold(self, scope: object) -> None:
        """Raise `UnderHold` if `scope` is under a hold."""
        if self.hold is not None:
            raise UnderHold(str(scope), self.hold.by, self.hold.why)

    def days(self, usual: Days) -> Days:
        """Return the retention of each type here; unnamed types are kept forever. Under a hold, all are."""
        return {} if self.hold is not None else self.laid_down(usual)

    def laid_down(self, usual: Days) -> Days:
        """Return the same regardless of a hold."""
        if self.retention is None:
            return usual
        laid_down = {**usual, **cast("Days", self.retention.days)}
        return {name: days for name, days in laid_down.items() if days > 0}


NONE = Provisions()


def checked_days(days: Mapping[str, float | None]) -> Retention:
    """Return the retention; None: forever. Raises `InvalidQuery`."""
    for name, given in days.items():
        if name not in get_args(ContentType):
            raise InvalidQuery(ErrorText("query.type", name=name, known=", ".join(get_args(ContentType))))
        if given is not None and not 0 < given < 1e6:
            raise InvalidQuery(ErrorText("query.days", name=name, given=given))
    return Retention(days={name: float(given or 0) for name, given in days.items()})


def is_over(memory: Memory, at: datetime, days: Days) -> bool:
    """Return whether the retention of `memory` has expired at `at`."""
    kept = days.get(memory.content_type)
    return kept is not None and at > memory.known_at + timedelta(days=kept)
