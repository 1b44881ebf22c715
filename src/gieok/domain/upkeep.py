"""Upkeep: the passes that maintain memories between turns, their parameters, and when each is due.

A pass reads its source and returns changes with reasons. It writes nothing and uses no clock, so that a dry run, the
real run and a replay agree. Decay is no pass: `memory.strength_now` computes it.
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
#: What a pass waits for; "stale": the summary contains something no longer true.
Measure = Literal["turns", "memories", "tokens", "hours", "stale"]

#: In execution order: promotion comes before merging, so that a frequently used memory is not merged away.
PASSES: Final[tuple[PassName, ...]] = ("promote", "merge", "prune", "retain", "reflect", "summarise", "weekly")

_SUMMARIES: Final = frozenset({"summary", "profile"})
_WHOLE_SCOPE: Final = frozenset({"promote", "merge", "prune", "reflect"})  #: passes whose cost grows with the scope


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepRules:
    """Parameters of upkeep."""

    fading: FadingRates = field(default_factory=FadingRates)

    merge_every_turns: int = 10
    merge_mode: MergeMode = "fuse"  #: merge several memories into a new one; "keep": the more important one stays
    fuse_similarity: float = 0.80
    fuse_candidates: int = 50  #: the newest episodic memories
    keep_similarity: float = 0.85
    keep_candidates: int = 500

    promote_every_turns: int = 10
    promote_at: int = 3  #: repetitions and uses together
    promoted_importance: float = 0.8

    prune_every_turns: int = 25
    prune_strength: float = 0.15  #: below this, and never repeated
    prune_importance: float = 0.2  #: at or below this, never used …
    prune_days: float = 60.0  #: … and older than this
    cap: int | None = None  #: maximum of current memories in a scope; the weakest are pruned
    strong_feeling: float = 0.7  #: memories with a feeling this strong are not pruned

    #: retention of each type; a type that is not named is kept forever
    keep_days: Mapping[ContentType, float] = field(default_factory=lambda: MappingProxyType({}))

    reflect_at: int = 20  #: new memories
    reflect_most: int = 1_000  #: if there are more, only the newest
    insight_at: int = 3  #: turns about one topic …
    most_insights: int = 5  #: … of which this many are written at a time
    look_back_turns: int = 400  #: turns that an insight may consider
    profile_at: int = 3  #: current memories about one person
    profile_tokens: int = 200

    summarise_after_turns: int = 12  #: when more turns than this are not summarised
    summarise_every_turns: int | None = None  #: instead: every this many turns
    summarise_tokens: int = 6_000  #: or when they have more tokens than this
    summary_tokens: int = 400
    summary_quotes: int = 6  #: utterances quoted in a summary that no memory covers

    weekly_days: float = 7.0
    weekly_low: float = 0.5  #: less important episodic memories are replaced by a weekly summary …
    weekly_share: float = 0.5  #: … and keep this share of their importance

    share_of_writes: int = 25  #: a pass over the whole scope waits for this share of all writes, if that is longer
    every_hours: float | None = 6.0  #: merging, pruning and retention also run by time; None: only by turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One change of memories by a pass."""

    action: Action
    why: str
    changes: tuple[Change, ...]  #: the new or changed memory first


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkept:
    """The result of upkeep in a scope, or of a dry run."""

    scope: Scope
    passes: tuple[PassName, ...]
    kept: tuple[Kept, ...]
    dry_run: bool = False
    busy: bool = False  #: another process is running it


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepTurn:
    """A turn, as input of upkeep."""

    number: int
    at: datetime  #: story time
    lines: tuple[tuple[str, str, str], ...]  #: (utterance id, speaker, text)
    felt: tuple[Felt, ...] = ()
    topics: tuple[str, ...] = ()  #: its topics


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """When a pass last ran in a scope."""

    turn_number: int  #: the last turn that it processed
    at: datetime  #: story time, as its moment has it


class UpkeepSource(Protocol):
    """The input of a pass: one scope at one moment."""

    def memories(self) -> Sequence[Memory]: ...

    def alike(self, ids: Sequence[str]) -> NDArray[np.float32]:
        """Return the matrix of cosines among these memories."""
        ...

    def told(self, since: int) -> Sequence[UpkeepTurn]:
        """Return the turns in force numbered above `since`, oldest first."""
        ...

    def last(self, name: PassName) -> Ran | None:
        """Return when a pass last ran; None: never."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepCounters:
    """Counters of a scope that determine which passes are due."""

    turn_number: int
    writes: int = 0  #: operations so far
    new_memories: int = 0  #: learned since the last reflection, without those of upkeep
    unsummarised_tokens: int = 0
    began_at: datetime | None = None  #: story time of the first turn; None: passes are not scheduled
    ran: Mapping[PassName, Ran] = field(default_factory=dict)

    def turns_since(self, name: PassName) -> int:
        return self.turn_number - (self.ran[name].turn_number if name in self.ran else 0)

    def time_since(self, name: PassName, now: datetime) -> timedelta:
        since = self.ran[name].at if name in self.ran else self.began_at
        return now - since if since is not None and self.began_at is not None else timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """How much of what a pass waits for has accumulated."""

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
    measured: Measured | None  #: the measure that makes it due, else the nearest one; None: no measure applies
    ran: Ran | None = None

    @property
    def due(self) -> bool:
        return self.measured is not None and self.measured.due


def outlooks(standing: UpkeepCounters, rules: UpkeepRules, now: datetime) -> tuple[Outlook, ...]:
    """Return the outlook of each pass, in execution order; `now` is the present of the story."""
    found = []
    for name in PASSES:
        measured = [] if name == "retain" and not rules.keep_days else _measured(name, standing, rules, now)
        nearest = max(measured, key=lambda each: (each.due, each.share), default=None)
        found.append(Outlook(name=name, measured=nearest, ran=standing.ran.get(name)))
    return tuple(found)


def _measured(name: PassName, standing: UpkeepCounters, rules: UpkeepRules, now: datetime) -> Iterator[Measured]:
    turns = standing.turns_since(name)
    rare = standing.writes // rules.share_of_writes if name in _WHOLE_SCOPE else 0
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
    """Return whether upkeep created it, even if a person has corrected it since."""
    return memory.origin == "reflection" or memory.extractor.startswith("upkeep/")


def is_conclusion(memory: Memory) -> bool:
    """Return whether upkeep derived it from other memories, rather than merged them."""
    return by_upkeep(memory) and memory.content_type in CONCLUSIONS


def derived_from(gone: Collection[str], memories: Iterable[Memory]) -> list[Memory]:
    """Return memories that upkeep made from any of the memories `gone`; they may contain its text or be outdated."""
    return [memory for memory in memories if by_upkeep(memory) and any(each in gone for each in memory.made_from)]


def conclusion(grounds: Iterable[Memory], moment: Moment, **fields: Any) -> Memory:
    """Return a memory that upkeep derives at `moment` from `grounds`, with their personal data kinds.

    `fields` are the other fields of the memory; they override the defaults.
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
    """Return whether something about `memory` was learned since a pass ran; a memory made by upkeep is never new."""
    if by_upkeep(memory):
        return False
    return ran is None or memory.touched_turn > ran.turn_number or memory.known_at > ran.at


def is_protected(memory: Memory) -> bool:
    """Return whether upkeep may neither prune nor merge it: only a claim, a person or its age closes it.

    Past values of an attribute are its history. Summaries and profiles are replaced, not pruned. A doubtful memory may
    always be pruned.
    """
    return memory.pinned or (memory.attribute is not None and not memory.doubtful) or is_current_summary(memory)


def is_current_summary(memory: Memory) -> bool:
    """Return whether it is the running summary or a person's profile, of which only the latest is current."""
    return by_upkeep(memory) and memory.content_type in _SUMMARIES and "weekly" not in memory.tags


def refreshed(memory: Memory, moment: Moment, rules: UpkeepRules, **fields: Any) -> Memory:
    """Return the next version of `memory` with its current strength: a new decay rate must not apply to the past."""
    strength = strength_now(memory, moment.turn_number, rules.fading)
    return memory.changed(strength=strength, touched_turn=moment.turn_number, **fields)


def closing_change(memory: Memory, moment: Moment, *, replaced_by: str | None = None) -> Change:
    """Return the change by which upkeep closes `memory`; `replaced_by` is the id of its replacement."""
    closer = memory.closed_by if replaced_by is None else replaced_by
    return Change(before=memory, after=memory.changed(faded_at=moment.at, closed_by=closer))


def change_kind(change: Change) -> What:
    """Return what a change does to its memory; "closed" for one that ended and stays in history."""
    before, after = change.before, change.after
    if before is None:
        return "new"
    ended = after is not None and before.invalid_at is None and after.invalid_at is not None
    return "closed" if after is None or after.hidden or ended else "changed"


def change_text(change: Change) -> str:
    """Return the text of a change: that of the memory, or its new wording."""
    before, after = change.before, change.after
    if before is not None and after is not None and after.interpretation not in (None, before.interpretation):
        return after.interpretation or ""
    memory = after or before
    return memory.content if memory else ""
