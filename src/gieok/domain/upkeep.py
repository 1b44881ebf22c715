"""Upkeep: what is done with memories between the turns, by which numbers, and when it is due.

A pass looks at its ground and says what it would change and why. It writes nothing and knows no clock, so that a dry
run, the real run and a replay come to the same. Fading is no pass: `fading.strength_now` computes it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from gieok.domain.attributes import ContentType
from gieok.domain.claim import CONCLUSIONS
from gieok.domain.emotion import Felt
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, FadingRates, Memory, strength_now
from gieok.domain.scope import Scope

PassName = Literal["merge", "promote", "prune", "retain", "reflect", "summarise", "weekly"]
Action = Literal["merge", "promote", "forget", "reflect", "summarise", "retell", "settle"]
MergeMode = Literal["fuse", "keep"]
What = Literal["new", "changed", "closed"]
#: What a pass waits for; "stale": the summary tells what no longer holds.
Measure = Literal["turns", "memories", "tokens", "hours", "stale"]

#: In the order in which they run: what is often used is promoted before it could be merged away.
PASSES: Final[tuple[PassName, ...]] = ("promote", "merge", "prune", "retain", "reflect", "summarise", "weekly")

_SUMMARIES: Final = frozenset({"summary", "profile"})
_LOOKS_AT_ALL: Final = frozenset({"promote", "merge", "prune", "reflect"})  #: passes whose work grows with the scope


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepRules:
    """The numbers that upkeep goes by."""

    fading: FadingRates = field(default_factory=FadingRates)

    merge_every_turns: int = 10
    merge_mode: MergeMode = "fuse"  #: one new memory out of several, or "keep": the more important one stays
    fuse_similarity: float = 0.80
    fuse_candidates: int = 50  #: the newest episodic memories
    keep_similarity: float = 0.85
    keep_candidates: int = 500

    promote_every_turns: int = 10
    promote_at: int = 3  #: said again and used, together
    promoted_importance: float = 0.8

    prune_every_turns: int = 25
    prune_strength: float = 0.15  #: below, and never said again
    prune_importance: float = 0.2  #: at or below, never used …
    prune_days: float = 60.0  #: … and older than this
    cap: int | None = None  #: current memories in a scope; beyond, the weakest go
    strong_feeling: float = 0.7  #: what was felt at least so strongly does not fade away

    #: how long a type of memory is kept; one that is not named: for good
    keep_days: Mapping[ContentType, float] = field(default_factory=lambda: MappingProxyType({}))

    reflect_at: int = 20  #: new memories
    reflect_most: int = 1_000  #: of more, the newest are reflected on
    insight_at: int = 3  #: turns about one thing …
    most_insights: int = 5  #: … of which so many are put into words at a time
    look_back_turns: int = 400  #: turns that an insight may count
    profile_at: int = 3  #: current memories of one person
    profile_tokens: int = 200

    summarise_after_turns: int = 12  #: when more than these are not in the summary yet
    summarise_every_turns: int | None = None  #: instead: at so many
    summarise_tokens: int = 6_000  #: or when they cost more than this
    summary_tokens: int = 400
    summary_quotes: int = 6  #: utterances in a summary that no memory tells of

    weekly_days: float = 7.0
    weekly_low: float = 0.5  #: episodic memories less important than this are replaced by their week's document …
    weekly_share: float = 0.5  #: … and keep this share of their importance

    share_of_writes: int = 25  #: what looks at the whole scope waits for this share of all that was written, if longer
    every_hours: float | None = 6.0  #: merging, pruning and retention also by the clock; None: by turns alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One thing that a pass does to memories."""

    action: Action
    why: str
    changes: tuple[Change, ...]  #: the new or changed memory first


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkept:
    """What upkeep did in a scope, or would do."""

    scope: Scope
    passes: tuple[PassName, ...]
    kept: tuple[Kept, ...]
    dry_run: bool = False
    busy: bool = False  #: another process is doing it


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepTurn:
    """One turn, as upkeep sees it."""

    number: int
    at: datetime  #: story time
    lines: tuple[tuple[str, str, str], ...]  #: (utterance id, speaker, text)
    felt: tuple[Felt, ...] = ()
    topics: tuple[str, ...] = ()  #: what it is about


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """When a pass last ran in a scope."""

    turn_number: int  #: of the last turn that it saw
    at: datetime  #: story time, as its moment has it


class UpkeepSource(Protocol):
    """What a pass looks at: one scope, at one moment."""

    def memories(self) -> Sequence[Memory]: ...

    def alike(self, ids: Sequence[str]) -> NDArray[np.float32]:
        """Return the cosines among these memories, a row for each."""
        ...

    def told(self, since: int) -> Sequence[UpkeepTurn]:
        """Return the turns in force with a number above `since`, oldest first."""
        ...

    def last(self, name: PassName) -> Ran | None:
        """Return when a pass last ran; None: never."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepCounters:
    """How a scope stands: the counters that tell which passes are due."""

    turn_number: int
    writes: int = 0  #: operations so far
    new_memories: int = 0  #: learned since the last reflection, without upkeep's own
    unsummarised_tokens: int = 0
    began_at: datetime | None = None  #: when the scope's story began; None: passes are not scheduled
    ran: Mapping[PassName, Ran] = field(default_factory=dict)

    def turns_since(self, name: PassName) -> int:
        return self.turn_number - (self.ran[name].turn_number if name in self.ran else 0)

    def time_since(self, name: PassName, now: datetime) -> timedelta:
        since = self.ran[name].at if name in self.ran else self.began_at
        return now - since if since is not None and self.began_at is not None else timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """How much has come together of what a pass waits for."""

    by: Measure
    have: float
    need: float
    due: bool

    @property
    def share(self) -> float:
        return min(self.have / self.need, 1.0) if self.need > 0 else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """How far a pass is from being due."""

    name: PassName
    measured: Measured | None  #: by what it is due, else what is nearest; None: nothing asks for it
    ran: Ran | None = None

    @property
    def due(self) -> bool:
        return self.measured is not None and self.measured.due


def outlooks(standing: UpkeepCounters, rules: UpkeepRules, now: datetime) -> tuple[Outlook, ...]:
    """Return how far each pass is, in the order in which they run; `now` is the present of the story."""
    found = []
    for name in PASSES:
        measured = [] if name == "retain" and not rules.keep_days else _measured(name, standing, rules, now)
        nearest = max(measured, key=lambda each: (each.due, each.share), default=None)
        found.append(Outlook(name=name, measured=nearest, ran=standing.ran.get(name)))
    return tuple(found)


def _measured(name: PassName, standing: UpkeepCounters, rules: UpkeepRules, now: datetime) -> Iterator[Measured]:
    turns = standing.turns_since(name)
    rare = standing.writes // rules.share_of_writes if name in _LOOKS_AT_ALL else 0
    every = {
        "promote": rules.promote_every_turns,
        "merge": rules.merge_every_turns,
        "prune": rules.prune_every_turns,
        "retain": rules.prune_every_turns,
        "summarise": rules.summarise_every_turns or rules.summarise_after_turns + 1,
    }.get(name)
    if every is not None:
        every = max(every, rare)
        yield Measured(by="turns", have=turns, need=every, due=turns >= every)
    if name == "reflect":
        new, need = standing.new_memories, max(rules.reflect_at, rare)
        yield Measured(by="memories", have=new, need=need, due=new >= need)
    if name == "summarise":
        tokens, most = standing.unsummarised_tokens, rules.summarise_tokens
        yield Measured(by="tokens", have=tokens, need=most, due=turns > 0 and tokens > most)
    by_clock = rules.every_hours if name in ("merge", "prune", "retain") else None
    hours = rules.weekly_days * 24 if name == "weekly" else by_clock
    if hours is not None:
        since = standing.time_since(name, now)
        have = since / timedelta(hours=1)
        yield Measured(by="hours", have=have, need=hours, due=since >= timedelta(hours=hours))


def by_upkeep(memory: Memory) -> bool:
    """Whether upkeep made it, also where a person has put its words right since."""
    return memory.origin == "reflection" or memory.extractor.startswith("upkeep/")


def is_conclusion(memory: Memory) -> bool:
    """Whether upkeep concluded it from others, rather than merged them."""
    return by_upkeep(memory) and memory.content_type in CONCLUSIONS


def derived_from(gone: Collection[str], memories: Iterable[Memory]) -> list[Memory]:
    """Return what upkeep made out of any of the memories `gone`: it holds their words, and may not be so any more."""
    return [memory for memory in memories if by_upkeep(memory) and any(each in gone for each in memory.made_from)]


def conclusion(grounds: Iterable[Memory], moment: Moment, **fields: Any) -> Memory:
    """Return a memory that upkeep concludes at `moment` from `grounds`, with their personal data marked.

    `fields` say what it is and override what conclusions have in common.
    """
    common = {
        "speaker": "character",
        "kind": "insight",
        "touched_turn": moment.turn_number,
        "valid_at": moment.at,
        "known_at": moment.at,
        "recorded_at": moment.recorded_at,
        "origin": "reflection",
        "pii_flags": tuple(sorted({flag for memory in grounds for flag in memory.pii_flags})),
    }
    return Memory(**{**common, **fields})


def is_new(memory: Memory, ran: Ran | None) -> bool:
    """Whether something about `memory` was learned since a pass ran; what upkeep made is never new."""
    if by_upkeep(memory):
        return False
    return ran is None or memory.touched_turn > ran.turn_number or memory.known_at > ran.at


def is_protected(memory: Memory) -> bool:
    """Whether upkeep may neither prune it nor merge it away: only another claim, a person or its age closes it.

    Past values of an attribute are its history. Summaries and profiles are replaced, not pruned. What is doubtful may
    fade, whatever it is about.
    """
    return memory.pinned or (memory.attribute is not None and not memory.doubtful) or is_current_summary(memory)


def is_current_summary(memory: Memory) -> bool:
    """Whether it is a summary of which there is one at a time: the rolling one, or somebody's profile."""
    return by_upkeep(memory) and memory.content_type in _SUMMARIES and "weekly" not in memory.tags


def refreshed(memory: Memory, moment: Moment, rules: UpkeepRules, **fields: Any) -> Memory:
    """Return the next version of `memory`, its strength that of now: another rate of fading never reaches back."""
    strength = strength_now(memory, moment.turn_number, rules.fading)
    return memory.changed(strength=strength, touched_turn=moment.turn_number, **fields)


def closing_change(memory: Memory, moment: Moment, *, replaced_by: str | None = None) -> Change:
    """Return the change by which upkeep closes `memory`, for the memory that takes its place if there is one."""
    closer = memory.closed_by if replaced_by is None else replaced_by
    return Change(before=memory, after=memory.changed(faded_at=moment.at, closed_by=closer))


def change_kind(change: Change) -> What:
    """Say what a change does to its memory; one that ended is closed, though it stays in history."""
    before, after = change.before, change.after
    if before is None:
        return "new"
    ended = after is not None and before.invalid_at is None and after.invalid_at is not None
    return "closed" if after is None or after.hidden or ended else "changed"


def change_text(change: Change) -> str:
    """Return what there is to read of a change: the words of the memory, or those that it was told anew in."""
    before, after = change.before, change.after
    if before is not None and after is not None and after.interpretation not in (None, before.interpretation):
        return after.interpretation or ""
    memory = after or before
    return memory.content if memory else ""
