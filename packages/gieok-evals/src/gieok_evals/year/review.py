"""What a mind knows at the end of a quarter, and what is left at the end of the year."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from typing import Final

from gieok.bank import Mind
from gieok.domain.attributes import attribute
from gieok.domain.memory import Memory
from gieok.domain.operation import Operation
from gieok.domain.relationship import Relationship
from gieok_evals.reports import Share, one
from gieok_evals.statements import fold
from gieok_evals.year.story import DAYS, LEVELS, Expectation, Fact, Line, Person, day_of, moment

OLD: Final = 700  #: turns after which no trivial memory is left, whatever its importance and emotion: 0.985¹⁴⁰ < 0.15
_CONCLUSIONS: Final = ("insight", "summary", "profile")  #: they are made from memories, but replace none
_PRUNED_EVERY: Final = 25  #: turns between two prune passes
_DEPTH: Final = 10  #: hits among which a promise or an event must be
_SOON: Final = 2.0  #: days within which a level should not change and change back
_EVEN: Final = 1.0  #: points of score that are no rise
_NONE: Final = Share()


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowing:
    """What was known at a moment."""

    current: Share = _NONE  #: facts that are current
    asked: Share = _NONE  #: facts in the context of a question about them
    unasked: Share = _NONE  #: cautions in the context of an unrelated question
    outdated: Share = _NONE  #: old values that are no longer current
    misses: tuple[str, ...] = ()

    def __add__(self, other: Knowing) -> Knowing:
        return Knowing(
            current=self.current + other.current,
            asked=self.asked + other.asked,
            unasked=self.unasked + other.unasked,
            outdated=self.outdated + other.outdated,
            misses=(*self.misses, *other.misses),
        )


@dataclass(frozen=True, slots=True)
class Point:
    """The relationship at a moment."""

    day: float  #: since the story began
    score: float
    level: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A year that was played."""

    lines: Sequence[Line]
    quarters: tuple[Knowing, ...]  #: at the end of each
    most: int  #: current memories at once, at the end of a quarter
    heard: Mapping[str, frozenset[str]]  #: turn id: ids of its utterances
    noted: Mapping[str, int]  #: memory stored with `remember`: number of the line that first gave it
    unread: int  #: turns whose extraction failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """One user's year. The fields are keys of the JSON report."""

    user: str
    character: str
    title: str
    turns: int
    everyday: int  #: turns of everyday talk
    seconds: float = 0.0
    known: Knowing  #: at the end of the year
    never_read: int  #: facts that no memory ever stated
    quarters: Knowing  #: sum over the ends of all quarters
    promises: Share  #: kept, or settled by the story
    events: Share  #: kept, or merged into a kept memory
    never_remembered: int  #: promises and events that no memory ever stated
    found: Share  #: promises and events that a question finds
    trivial: Share  #: old everyday episodes, mentioned once, that are gone or merged
    trivial_made: int
    trivial_repeated: int  #: mentioned again, and still current
    misread: int  #: facts that were read into everyday lines
    made: int
    visible: int
    most: int  #: current memories at once
    bounded: bool
    merged: int
    let_go: int
    explained: Share  #: closed memories whose history gives the reason
    unread: int
    flickers: int  #: times that a level came back within two days
    expected: Share  #: expectations of the relationship that were met
    course: tuple[Point, ...]
    misses: tuple[str, ...]


def standing_facts(lines: Iterable[Line]) -> list[tuple[Line, Fact]]:
    """Return the facts that are true after `lines`, each with its line: those that no later line ended."""
    standing: list[tuple[Line, Fact]] = []
    for line in lines:
        later = line.fact
        if later is not None:
            standing = [
                (earlier, fact)
                for earlier, fact in standing
                if (fact.attributes, fact.about) != (later.attributes, later.about)
                or not set(fact.values) & set(later.ends)
            ]
            standing.append((line, later))
    return standing


def known(
    mind: Mind,
    lines: Sequence[Line],
    memories: Sequence[Memory],
    at: datetime,
    heard: Mapping[str, frozenset[str]],
    aside: str,
) -> Knowing:
    """Look for the facts of `lines` among the current `memories` and in contexts.

    `heard` has the utterances of each turn, `aside` is an unrelated question.
    """
    beside = set(mind.context(aside, at=at).items)
    found = Knowing()
    for line, fact in standing_facts(lines):
        shown = f"{fact.attributes[0]}={fact.values[0]} (day {line.day}: {line.text})"
        right = {memory.id for memory in memories if states(memory, fact, fact.values)}
        old = [memory.content for memory in memories if states(memory, fact, fact.ends)]
        found += Knowing(
            current=one(bool(right)),
            outdated=one(not old) if fact.ends else _NONE,
            misses=(
                *([] if right else [f"not current: {shown}"]),
                *(f"current still: {content} – {shown}" for content in old),
            ),
        )
        if attribute(fact.attributes[0]).category == "caution":
            found += Knowing(unasked=one(bool(right & beside)))
        if line.told is not None and line.told.ask is not None:
            context = mind.context(line.told.ask, at=at)
            there = bool((right | heard[line.turn_id]) & set(context.items)) or any(
                _holds(context.text, value)
                for value in fact.values
                if len(value) > 1  # one letter may be chance
            )
            found += Knowing(asked=one(there), misses=() if there else (f"not in context: {shown}",))
    return found


def states(memory: Memory, fact: Fact, values: Sequence[str]) -> bool:
    """Whether `memory` states `fact` with one of `values`."""
    whom = memory.subject if memory.subject == "user" else memory.subject_id
    return (
        memory.attribute in fact.attributes
        and fold(fact.about) in fold(whom)
        and any(_holds(text, value) for text in (memory.value or "", memory.surface or "") for value in values)
    )


def _holds(text: str, value: str) -> bool:
    """Whether `value` is in `text`; a number only as a whole."""
    if value.isdigit():
        return re.search(rf"(?<!\d){value}(?!\d)", text) is not None
    return fold(value) in fold(text)


@dataclass(frozen=True)
class Record:
    """Every memory there ever was, from the journal."""

    first: Mapping[str, Memory]  #: as each was made
    last: Mapping[str, Memory]  #: as each is now
    birth: Mapping[str, str | None]  #: the turn that made each; None: a pass or a person did
    of_turn: Mapping[str, frozenset[str]]  #: turn id: ids of the memories that it made or changed
    visible: frozenset[str]  #: ids of the current memories

    @cached_property
    def merged(self) -> frozenset[str]:
        """Ids of the memories that live on in a current one: it was made from them, or kept instead of them."""
        parents = [parent for each in self.visible for parent in _replaced_by(self.last[each])]
        kept_instead = [each.id for each in self.last.values() if each.faded_at and each.closed_by in self.visible]
        return frozenset(self._ancestors([*parents, *kept_instead]) - self.visible)

    @property
    def closed(self) -> tuple[str, ...]:
        return tuple(memory_id for memory_id, memory in self.last.items() if not _is_open(memory))

    def comes_from(self, memory: Memory, memory_ids: frozenset[str]) -> bool:
        """Whether upkeep made `memory` from one of them, directly or in steps."""
        return bool(self._ancestors(_replaced_by(memory)) & memory_ids)

    def held(self, memory_ids: Iterable[str]) -> bool:
        """Whether one of them is current, or lives on in a current one."""
        return any(each in self.visible or each in self.merged for each in memory_ids)

    def settled(self, memory_ids: Iterable[str]) -> bool:
        """Whether the story itself closed one of them, not upkeep."""
        closed = [self.last[each] for each in memory_ids if each in self.last]
        return any(memory.invalid_at is not None and memory.faded_at is None for memory in closed)

    def _ancestors(self, memory_ids: Iterable[str]) -> set[str]:
        """Return `memory_ids` with everything they were made from."""
        found: set[str] = set()
        waiting = list(memory_ids)
        while waiting:
            memory_id = waiting.pop()
            if memory_id not in found:
                found.add(memory_id)
                waiting += _replaced_by(self.last[memory_id]) if memory_id in self.last else ()
        return found


def record(operations: Sequence[Operation], visible: Iterable[Memory]) -> Record:
    first: dict[str, Memory] = {}
    last: dict[str, Memory] = {}
    birth: dict[str, str | None] = {}
    of_turn: dict[str, set[str]] = {}
    for operation in operations:
        if operation.undone:
            continue
        turn = operation.turn_id if operation.kind in ("observe", "read") else None
        for change in operation.changes:
            if change.after is None:
                continue
            first.setdefault(change.memory_id, change.after)
            birth.setdefault(change.memory_id, turn)
            last[change.memory_id] = change.after
            if turn is not None:
                of_turn.setdefault(turn, set()).add(change.memory_id)
    current = {memory.id: memory for memory in visible}
    return Record(
        first=first,
        last={**last, **current},
        birth=birth,
        of_turn={turn: frozenset(ids) for turn, ids in of_turn.items()},
        visible=frozenset(current),
    )


def _is_open(memory: Memory) -> bool:
    """Whether nothing has closed `memory`: neither the story, nor a person, nor upkeep."""
    return memory.invalid_at is None and not memory.hidden


def _replaced_by(memory: Memory) -> tuple[str, ...]:
    """Return the ids of the memories that `memory` replaced."""
    return () if memory.content_type in _CONCLUSIONS else memory.made_from


def explained(mind: Mind, memory_id: str) -> bool:
    """Whether the history of a closed memory shows why it was closed."""
    for operation, change in mind.history(memory_id):
        was_open = change.before is None or _is_open(change.before)
        if change.after is not None and was_open and not _is_open(change.after):
            touching = [
                each
                for each in (*operation.kept, *operation.decisions)
                if any(change.memory_id == memory_id for change in each.changes)
            ]
            return bool(touching or operation.why)
    return False


def course(mind: Mind) -> tuple[Point, ...]:
    """Return how the relationship went: the last point of every day, and every change of level."""
    points: list[Point] = []
    for step in mind.trajectory():
        point = Point(day_of(step.at), score(step.relationship), step.relationship.level)
        if points and int(points[-1].day) == int(point.day) and points[-1].level == point.level:
            points[-1] = point
        else:
            points.append(point)
    return tuple(points)


def score(standing: Relationship) -> float:
    """Return the score of a relationship, 0–100. It is computed here again because the engine's own is under test."""
    near = 0.35 * standing.affection + 0.25 * standing.trust + 0.25 * standing.familiarity + 0.15 * standing.respect
    return min(max(near - 0.1 * standing.rivalry, 0.0), 100.0)


def met(expected: Expectation, way: Sequence[Point]) -> bool:
    """Whether the relationship went as `expected`; without any point it stays at strangers and 0."""
    before = [point for point in way if point.day <= expected.start]
    within = [*before[-1:], *(point for point in way if expected.start < point.day <= expected.end)]
    inside = within or [Point(expected.start, 0.0, LEVELS[0])]
    ranks = [LEVELS.index(point.level) for point in inside]
    rise = inside[-1].score - inside[0].score
    return not (
        (expected.at_most is not None and max(ranks) > LEVELS.index(expected.at_most))
        or (expected.at_least is not None and min(ranks) < LEVELS.index(expected.at_least))
        or (expected.moves == "up" and rise <= _EVEN)
        or (expected.moves == "not up" and rise > _EVEN)
    )


def flickers(way: Sequence[Point]) -> int:
    """Return how often a level changed and changed back within two days."""
    changes = [after for before, after in pairwise(way) if before.level != after.level]
    levels = [point.level for point in (*way[:1], *changes)]
    returns = zip(levels, pairwise(changes), strict=False)
    return sum(later.level == before and later.day - left.day <= _SOON for before, (left, later) in returns)


def review(mind: Mind, person: Person, played: Played, *, cap: int | None) -> Lived:
    """Return what is left of `played` in `mind`."""
    memories = mind.facts()
    written = record(mind.journal(), memories)
    way = course(mind)
    kept = [_kept(mind, line, written, played) for line in played.lines if line.told is not None and line.told.keep]
    trivial = _trivial(written, played)
    most = max(played.most, len(memories))
    unexplained = [each for each in written.closed if not explained(mind, each)]
    unmet = [each for each in person.course if not met(each, way)]
    misses = [
        *_unknown(played),
        *(miss for each in kept for miss in each.misses),
        *(f"trivial, and still there: {written.last[each].content}" for each in trivial.left),
        *(f"closed without a reason: {written.last[each].content}" for each in unexplained),
        *map(str, unmet),
    ]
    return Lived(
        user=person.user,
        character=person.character,
        title=person.title,
        turns=len(played.lines),
        everyday=sum(line.kind == "everyday" for line in played.lines),
        known=played.quarters[-1],
        never_read=sum(
            not any(states(memory, fact, fact.values) for memory in written.last.values())
            for _, fact in standing_facts(played.lines)
        ),
        quarters=sum(played.quarters, Knowing()),
        promises=sum((one(each.held) for each in kept if each.kind == "promise"), _NONE),
        events=sum((one(each.held) for each in kept if each.kind == "event"), _NONE),
        never_remembered=sum(not each.remembered for each in kept),
        found=sum((one(each.found) for each in kept), _NONE),
        trivial=trivial.gone,
        trivial_made=trivial.made,
        trivial_repeated=trivial.repeated,
        misread=trivial.misread,
        made=len(written.first),
        visible=len(memories),
        most=most,
        bounded=cap is None or most <= _bound(memories, cap),
        merged=len(written.merged),
        let_go=sum(memory.faded_at is not None for memory in written.last.values()),
        explained=Share(len(written.closed) - len(unexplained), len(written.closed)),
        unread=played.unread,
        flickers=flickers(way),
        expected=Share(len(person.course) - len(unmet), len(person.course)),
        course=way,
        misses=tuple(f"{person.user}: {miss}" for miss in misses),
    )


def _unknown(played: Played) -> Iterator[str]:
    """Yield what was not known at the end of a quarter, each once."""
    told: set[str] = set()
    for number, quarter in enumerate(reversed(played.quarters)):
        for miss in quarter.misses:
            if miss not in told:
                yield f"{number} quarters before the end {miss}" if number else miss
        told |= set(quarter.misses)


def _bound(memories: Sequence[Memory], cap: int) -> int:
    """Return how many memories may be current: some may not be pruned, and a few wait for the next pass."""
    unprunable = sum(
        memory.pinned or memory.attribute is not None or memory.content_type in ("summary", "profile")
        for memory in memories
    )
    return max(cap, unprunable) + _PRUNED_EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A promise or an event, and what became of it."""

    kind: str
    remembered: bool
    held: bool
    found: bool
    misses: tuple[str, ...]


def _kept(mind: Mind, line: Line, written: Record, played: Played) -> _Kept:
    assert line.told is not None
    kind, ask = line.told.keep, line.told.ask
    assert kind is not None
    assert ask is not None, f"{line.text}: it is to be kept and needs a question"
    ids = written.of_turn.get(line.turn_id, frozenset())
    heard = played.heard[line.turn_id]
    held = written.held(ids) or (kind == "promise" and written.settled(ids))
    found = any(
        hit.item.id in heard | ids
        or (isinstance(hit.item, Memory) and (set(hit.item.sources) & heard or written.comes_from(hit.item, ids)))
        for hit in mind.recall(ask, k=_DEPTH, at=moment(DAYS))
    )
    lost = "lost" if ids else "never remembered"
    misses = (
        "" if held else f"{kind} {lost}: day {line.day}: {line.text}",
        "" if found else f"{kind} not found by {ask!r}: day {line.day}: {line.text}",
    )
    return _Kept(kind=kind, remembered=bool(ids), held=held, found=found, misses=tuple(filter(None, misses)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trivial:
    """The memories of everyday lines."""

    made: int  #: episodes
    misread: int  #: facts
    repeated: int
    gone: Share
    left: tuple[str, ...]


def _trivial(written: Record, played: Played) -> _Trivial:
    born = dict(played.noted)
    for line in played.lines:
        if line.kind == "everyday":
            ids = written.of_turn.get(line.turn_id, ())
            born |= {each: line.number for each in ids if written.birth[each] == line.turn_id}
    episodes = [each for each in born if written.first[each].kind == "episodic"]
    old = [each for each in episodes if born[each] <= len(played.lines) - OLD]
    once = [each for each in old if written.last[each].mentions == 0]
    left = tuple(each for each in once if each in written.visible)
    return _Trivial(
        made=len(episodes),
        misread=sum(written.first[each].kind == "semantic" for each in born),
        repeated=sum(each in written.visible for each in old) - len(left),
        gone=Share(len(once) - len(left), len(once)),
        left=left,
    )
