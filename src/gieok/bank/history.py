"""The history of a mind: relationship steps, feelings, versions of a memory and the grounds of a memory."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from gieok.domain.actor import Actor
from gieok.domain.apply import PAIR
from gieok.domain.emotion import Felt
from gieok.domain.entity import Entity, entity_id
from gieok.domain.memory import Memory, by_truth
from gieok.domain.operation import OperationKind
from gieok.domain.relationship import Level, MannerChange, Manners, Matter, Party, Relationship
from gieok.domain.scene import Scene
from gieok.domain.state import Alias, Cause, Kept, ScopeState, kind_of
from gieok.domain.turn import Utterance
from gieok.domain.upkeep import is_conclusion
from gieok.errors import UnknownMemory
from gieok.ports import MemoryFilter, RecordedMove, View
from gieok.recall.context import visible_scenes

_PARTIES: Final[tuple[Party, ...]] = ("user", "character")
_MATTERS: Final[tuple[Matter, ...]] = ("style", "address")
_HABITS: Final = tuple(f"{party}.{matter}" for party in _PARTIES for matter in _MATTERS)
_LONGEST_LINEAGE: Final = 100  #: memories


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One change of the relationship, with its time, turn, scene and causes."""

    number: int  #: of its operation in the journal
    at: datetime
    turn_id: str | None
    scene: str | None  #: the scene's id
    before: Relationship | None
    relationship: Relationship
    causes: tuple[Cause, ...]


def reached(step: Step) -> Level | None:
    """Return the level reached by a step; None: the level did not change."""
    level = step.relationship.level
    return level if step.before is not None and step.before.level != level else None


def effects(step: Step) -> list[list[Cause]]:
    """Return the causes of a step grouped by sign: one sign may affect several axes."""
    together: dict[tuple[str, str, str], list[Cause]] = {}
    for cause in step.causes:
        together.setdefault((cause.name, cause.speaker, cause.words), []).append(cause)
    return list(together.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Feeling:
    """A feeling of one speaker, and its time."""

    at: datetime
    turn_id: str
    turn_number: int
    felt: Felt


@dataclass(frozen=True, slots=True, kw_only=True)
class MannerStep:
    """A change in how one of the two speaks to the other, and the turn it happened in."""

    at: datetime
    turn_id: str | None
    change: MannerChange


@dataclass(frozen=True, slots=True, kw_only=True)
class Regard:
    """How the character regards a person after a turn."""

    at: datetime
    turn_id: str | None
    entity: Entity


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A version of a memory, and who made it."""

    number: int | None  #: the version number since this change; None: the memory was removed
    operation_id: str
    operation: int  #: number in the journal
    kind: OperationKind
    act: str  #: more precise than `kind`: a correction may be a restore
    at: datetime  #: story time
    recorded_at: datetime
    actor: Actor | None  #: who requested it; None: not recorded at that time, or erased since
    who: str  #: what did it: a reader, prompt or pass with its version; "person": a direct edit
    why: str
    turn_id: str | None
    before: Memory | None
    after: Memory | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """The grounds of a memory: its source memories and source utterances."""

    memories: tuple[Memory, ...] = ()
    utterances: tuple[Utterance, ...] = ()
    gone: int = 0  #: number of grounds that are no longer in force


@dataclass(frozen=True, slots=True, kw_only=True)
class Month:
    """The number of memories that became true in a month, in the bank's time zone."""

    year: int
    month: int
    memories: int


def steps(view: View, moves: Iterable[RecordedMove]) -> list[Step]:
    """Return relationship moves as steps, each with its scene."""
    by_start = sorted(scenes_in(view), key=lambda scene: scene.first_turn)
    starts = [scene.first_turn for scene in by_start]
    found = []
    for each in moves:
        earlier, now = each.move.before, each.move.after
        if isinstance(now, Relationship):
            place = bisect_right(starts, each.turn_number)
            found.append(
                Step(
                    number=each.number,
                    at=each.at,
                    turn_id=each.turn_id,
                    scene=by_start[place - 1].id if place else None,
                    before=earlier if isinstance(earlier, Relationship) else None,
                    relationship=now,
                    causes=each.move.causes,
                )
            )
    return found


def scenes_in(view: View) -> list[Scene]:
    """Return all scenes, oldest first."""
    return visible_scenes(view, [scene for _, scene in ScopeState(view.state_records("scene").items()).all(Scene)])


def manner_steps(view: View) -> list[MannerStep]:
    """Return every change in how the two speak to each other, oldest first."""
    turned = view.turning_points("manners", PAIR, _HABITS)
    return [MannerStep(at=each.at, turn_id=each.turn_id, change=change) for each in turned for change in _changes(each)]


def _changes(happened: RecordedMove) -> Iterator[MannerChange]:
    before, after = happened.move.before, happened.move.after
    if not isinstance(after, Manners):
        return
    earlier = before if isinstance(before, Manners) else Manners()
    for party in _PARTIES:
        for matter in _MATTERS:
            was, now = getattr(earlier.of(party), matter), getattr(after.of(party), matter)
            if now is not None and now != was:
                other = after.of("user" if party == "character" else "character").style
                yield MannerChange(
                    speaker=party,
                    what=matter,
                    before=None if was is None else was.value,
                    after=now.value,
                    at=now.at,
                    turn_number=now.turn_number,
                    asked_by=now.asked_by,
                    mutual=matter == "style" and other is not None and other.value == now.value,
                )


def regards_in(moves: Iterable[RecordedMove]) -> list[Regard]:
    """Return how a person was regarded after each turn that changed it, oldest first."""
    found: list[Regard] = []
    for each in moves:
        now = each.move.after
        if not isinstance(now, Entity):
            continue
        if found and each.turn_id is not None and found[-1].turn_id == each.turn_id:
            found.pop()  # both mentioned them; only the state at the end of the turn counts
        if not found or (found[-1].entity.sentiment, found[-1].entity.trust) != (now.sentiment, now.trust):
            found.append(Regard(at=each.at, turn_id=each.turn_id, entity=now))
    return found


def entity_named(view: View, name: str, channel: str | None) -> Entity | None:
    """Return the entity with this name or alias."""
    own = entity_id(name, channel)
    alias = state_of(view, Alias, own)
    return state_of(view, Entity, own if alias is None else alias.of)


def state_of(view: View, kind: type[Kept], id: str) -> Kept | None:
    """Return a state record by kind and id."""
    return ScopeState(view.state_records_by_key([(kind_of(kind), id)]).items()).get(kind, id)


def known_memory(view: View, memory_id: str) -> Memory:
    """Return a memory in any state; raises `UnknownMemory`."""
    known = view.memories_by_id([memory_id]).get(memory_id)
    if known is None:
        raise UnknownMemory(memory_id)
    return known


def grounds_of(view: View, memory_ids: Iterable[str]) -> dict[str, Grounds]:
    """Return the grounds of each memory; raises `UnknownMemory`."""
    asked = tuple(memory_ids)
    known = view.memories_by_id(asked)
    for memory_id in asked:
        if memory_id not in known:
            raise UnknownMemory(memory_id)
    made_from = view.memories_by_id({each for memory in known.values() for each in memory.made_from})
    refs = view.refs({each for memory in known.values() for each in memory.sources})
    items = view.items(refs.values())
    said = {item_id: items[ref] for item_id, ref in refs.items() if ref in items}
    grounds = {}
    for memory_id in asked:
        memory = known[memory_id]
        memories = tuple(made_from[each] for each in memory.made_from if each in made_from)
        utterances = tuple(item for each in memory.sources if isinstance(item := said.get(each), Utterance))
        gone = len(memory.made_from) + len(memory.sources) - len(memories) - len(utterances)
        grounds[memory_id] = Grounds(memories=memories, utterances=utterances, gone=gone)
    return grounds


def lineage_of(view: View, memory: Memory) -> list[Memory]:
    """Return a memory with its predecessors and successors, sorted by start time."""
    line, waiting = {memory.id: memory}, [memory]
    while waiting and len(line) < _LONGEST_LINEAGE:
        each = waiting.pop()
        successor = view.memories_by_id([each.closed_by]) if each.closed_by is not None else {}
        beside = [one for one in (*view.closed_by(each.id), *successor.values()) if one.id not in line]
        line |= {one.id: one for one in beside}
        waiting += beside
    return sorted(line.values(), key=by_truth)


def months_in(spread: Mapping[datetime, int], zone: ZoneInfo) -> list[Month]:
    """Return the sum of `spread` for each month of `zone`, oldest first; `spread` is sorted by time."""
    counted: dict[tuple[int, int], int] = {}
    here, end = (0, 0), None
    for moment, memories in spread.items():
        if end is None or moment >= end:
            there = moment.astimezone(zone)
            first = there.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
            following = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
            # `end` has the same zone as `moment`, which makes comparing fast; there may be 100,000 of them
            here, end = (there.year, there.month), following.astimezone(moment.tzinfo)
            counted[here] = 0
        counted[here] += memories
    return [Month(year=year, month=month, memories=memories) for (year, month), memories in counted.items()]


def facts_in(
    view: View,
    which: MemoryFilter,
    now: datetime,
    *,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    ever: bool = False,
) -> list[Memory]:
    """Return the memories that match `which`: true now, true at `as_of`, believed at `known_at`, or `ever` true.

    Summaries, profiles and insights are listed only if their type is requested.
    """
    moment = as_of or known_at or max(filter(None, (view.latest_at, now)))
    if known_at is not None:
        found = [memory for memory in view.believed_at(known_at) if _is_within(memory, which)]
    else:
        found = view.memories(replace(which, include_faded=True) if ever else replace(which, current_at=moment))
    if ever:
        found = [memory for memory in found if not memory.retracted and memory.forgotten_at is None]
    elif known_at is not None:
        found = [memory for memory in found if memory.true_at(moment)]
    return found if which.content_type else [memory for memory in found if not is_conclusion(memory)]


def _is_within(memory: Memory, which: MemoryFilter) -> bool:
    names = ("subject", "subject_id", "speaker", "content_type", "attribute", "doubtful")
    alike = all(getattr(which, name) in (None, getattr(memory, name)) for name in names)
    return alike and (which.learned_since is None or memory.known_at >= which.learned_since)
