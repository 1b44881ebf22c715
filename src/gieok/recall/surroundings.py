"""Walking from somebody, or from a memory, to what they are connected with: one hop or two, the weightiest first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from gieok.domain.entity import (
    KNOWS,
    MADE_FROM,
    NAMES,
    PAIR,
    REPLACED,
    WORLD,
    Entity,
    People,
    Point,
    Surroundings,
    acquaintance,
    memory_id,
    most_frequent,
    names_of,
    person_id,
    relation_of,
    ties_between,
)
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.state import ScopeState
from gieok.domain.turn import CHARACTER, USER
from gieok.errors import UnknownMemory, UnknownPerson
from gieok.ports import RelatedFilter, View

_DIGESTS: Final = ("summary", "profile")  #: they hang together with everything: shown where they are asked for
_PARTIES: Final = (USER, CHARACTER, WORLD)
_NAMED: Final = 8  #: people at a time whose names are looked for in words: every memory is read for that
_PEOPLE: Final = 0.25  #: the share of people in what is shown after a hop
_NEAR: Final = 0.6  #: the share of what is one hop away, where two are walked


def surroundings(
    view: View,
    scope: Scope,
    start: Sequence[str],
    *,
    hops: int,
    relations: Collection[str] | None,
    limit: int,
    present: datetime,
) -> Surroundings:
    """Return what stands around the points called `start`, at most `limit` points.

    Raises `UnknownMemory` or `UnknownPerson` where one of them is not known.
    """
    walk = Walk(view=view, scope=scope, relations=relations, present=present)
    here = [walk.point(each) for each in dict.fromkeys(start)]
    for point in here:
        walk.points.setdefault(point.id, point)
    told = [subject for point in here for subject in walk.subjects(point)]
    for hop in range(1, hops + 1):
        room = round(limit * _NEAR) if hop < hops else limit
        here = walk.step(here, hop, max(room - len(walk.points), 0))
    ties = ties_between(walk.points.values(), walk.people, scope.character)
    return Surroundings(
        points=tuple(walk.points.values()),
        ties=tuple(tie for tie in ties if walk.follows(tie.relation)),
        relations=view.relations(told, present),
        left_out=walk.missed,
        present=present,
    )


@dataclass(slots=True, kw_only=True)
class Walk:
    """Where one has been so far."""

    view: View
    scope: Scope
    relations: Collection[str] | None
    present: datetime
    people: People = field(init=False)
    points: dict[str, Point] = field(default_factory=dict)
    missed: int = 0  #: what there was no room for

    def __post_init__(self) -> None:
        self.people = People(entity for _, entity in ScopeState(self.view.state_records("entity").items()).all(Entity))

    def follows(self, relation: str) -> bool:
        return self.relations is None or relation in self.relations

    @property
    def _digests(self) -> tuple[str, ...]:
        """What is left out unless it was asked for."""
        return tuple(each for each in _DIGESTS if self.relations is None or each not in self.relations)

    def point(self, named: str) -> Point:
        """Return the point that an id or a name means."""
        if named in _PARTIES:
            return Point(id=named, kind="party", hops=0)
        if named.startswith("memory:"):
            own = named.removeprefix("memory:")
            memory = self.view.memories_by_id([own]).get(own)
            if memory is None or memory.disowned:
                raise UnknownMemory(own)
            return Point(id=named, kind="memory", hops=0, memory=memory)
        entity = self.people.known.get(named)
        if entity is not None:
            return self._person(entity.id, 0)
        found = self._person(self.people.called(named.removeprefix("name:")), 0)
        if found.entity is None and not self.view.relations(self.subjects(found), self.present):
            raise UnknownPerson(found.name)
        return found

    def subjects(self, point: Point) -> list[tuple[str, str]]:
        """Return what memories about a point call it."""
        match point.id:
            case "user" | "world":
                return [(point.id, point.id)]
            case "character":
                return [(CHARACTER, each) for each in dict.fromkeys((self.scope.character or CHARACTER, CHARACTER))]
        return [("other", spelt) for name in _names(point) for spelt in (name, f"{name}이")]

    def step(self, here: Sequence[Point], hop: int, room: int) -> list[Point]:
        """Go one hop on from `here`; return what is new, and note what there is no `room` for."""
        memories = self._memories(here, room)
        near = dict.fromkeys(each for each in self._people(here) if each not in self.points)
        people = [self._person(each, hop) for each in near]
        kept = people[: max(round(room * _PEOPLE), room - len(memories))]
        told = [Point(id=memory_id(memory), kind="memory", hops=hop, memory=memory) for memory in memories]
        new = [*kept, *told][:room]
        for point in new:
            self.points.setdefault(point.id, point)
        subjects = {subject for point in here for subject in self.subjects(point)}
        known = self.view.relations([*subjects], self.present)
        asked = {name: count for name, count in known.items() if self.follows(name) and name not in self._digests}
        shown = (point.memory for point in self.points.values() if point.memory is not None)
        own = [each for each in shown if (each.subject, each.subject_id) in subjects and each.true_at(self.present)]
        not_shown = sum(asked.values()) - sum(relation_of(each) in asked for each in own)
        self.missed += len(people) - len(kept) + not_shown
        return new

    def _memories(self, here: Sequence[Point], room: int) -> list[Memory]:
        """Return the weightiest memories that touch `here` and are new."""
        own = [point.memory for point in here if point.memory is not None]
        persons = [point for point in here if point.kind != "memory"]
        named = [name for point in persons[:_NAMED] for name in _names(point) if len(name) > 1]
        touch = RelatedFilter(
            present=self.present,
            subjects=tuple(subject for point in persons for subject in self.subjects(point)),
            relations=None if self.relations is None else tuple(self.relations),
            names=tuple(named) if self.follows(NAMES) else (),
            closers=tuple(memory.id for memory in own) if self.follows(REPLACED) else (),
            without=self._digests,
        )
        touched = self.view.related(touch, room + len(self.points))
        linked = (memory for memory in self._linked(own) if memory.content_type not in self._digests)
        found = {memory_id(memory): memory for memory in (*linked, *touched)}
        return [memory for id, memory in found.items() if id not in self.points][:room]

    def _linked(self, memories: Sequence[Memory]) -> Iterator[Memory]:
        """Yield what took the place of `memories`, what they were made from, and what was made from them."""
        wanted = [memory.closed_by for memory in memories if memory.closed_by and self.follows(REPLACED)]
        if self.follows(MADE_FROM):
            wanted += [source for memory in memories for source in memory.made_from]
            own = {memory.id for memory in memories}
            yield from (each for each in self.view.conclusions() if own & set(each.made_from)) if own else ()
        found = self.view.memories_by_id(wanted).values() if wanted else ()
        yield from (memory for memory in found if not memory.disowned)

    def _people(self, here: Sequence[Point]) -> Iterator[str]:
        """Yield the ids of those next to `here`, the best known first."""
        for point in here:
            if point.memory is not None:
                if self.follows(relation_of(point.memory)):
                    yield self.people.subject_of(point.memory)
                if self.follows(NAMES):
                    yield from self.people.named_in(point.memory.content)
            elif point.id in (USER, CHARACTER):
                yield from self._known_to(point.id)
            elif point.kind == "person" and self.follows(KNOWS):
                yield acquaintance(point, self.scope.character)

    def _known_to(self, party: str) -> Iterator[str]:
        if self.follows(PAIR):
            yield CHARACTER if party == USER else USER
        if self.follows(KNOWS):
            known = most_frequent(self.people.known.values(), len(self.people.known))
            points = (self._person(entity.id, 0) for entity in known)
            yield from (point.id for point in points if acquaintance(point, self.scope.character) == party)

    def _person(self, id: str, hops: int) -> Point:
        if id in _PARTIES:
            return Point(id=id, kind="party", hops=hops)
        entity = self.people.known.get(id)
        name = entity.display_name if entity is not None else id.removeprefix(person_id(""))
        return Point(id=id, kind="person", hops=hops, entity=entity, name=name)


def _names(point: Point) -> tuple[str, ...]:
    if point.entity is not None:
        return names_of(point.entity)
    return (point.name,) if point.name else ()
