"""What somebody or something is connected with: people and memories as points, and the ties between them.

A memory is tied to whom it tells of, to the people its words name, to what it replaced and to what it was made from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from gieok.domain.entity import Entity
from gieok.domain.memory import Memory
from gieok.domain.turn import CHARACTER, USER

NAMES: Final = "names"  #: a memory names somebody in passing
REPLACED: Final = "replaced"  #: a memory took the place of another
MADE_FROM: Final = "made_from"  #: … was merged or concluded from others
KNOWS: Final = "knows"  #: somebody was spoken of
PAIR: Final = "pair"  #: the two
TIES: Final = (PAIR, KNOWS, NAMES, REPLACED, MADE_FROM)  #: those that are no attribute
WORLD: Final = "world"

PointKind = Literal["party", "person", "memory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Somebody, or a memory."""

    id: str  #: "user", "character", "world", `person_id` or `memory_id`
    kind: PointKind
    hops: int  #: from where one stands; 0: that is where
    entity: Entity | None = None  #: of a person, if more than the name is known
    memory: Memory | None = None
    name: str = ""  #: of a person


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """Two points that belong together. A memory comes first; of two memories the newer."""

    one: str
    other: str
    relation: str  #: what a memory tells (an attribute, else its content type), or one of `TIES`


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What stands around a point, and how it hangs together."""

    points: tuple[Point, ...]  #: the nearest first, then the weightiest
    ties: tuple[Tie, ...]
    relations: Mapping[str, int]  #: what else could be asked for: what is told of those one stands at, how often
    left_out: int  #: memories and people that did not fit
    present: datetime  #: of the story, when it was asked for

    def is_past(self, point: Point) -> bool:
        """Whether a point is a memory of what is no longer true."""
        return point.memory is not None and point.memory.given_up_by(self.present)

    def tied_to(self, point_id: str) -> Iterator[tuple[Tie, str]]:
        """Yield the ties of a point, each with the one at its other end."""
        for tie in self.ties:
            if tie.one == point_id:
                yield tie, tie.other
            elif tie.other == point_id:
                yield tie, tie.one


def person_id(name: str) -> str:
    """Return the id of somebody of whom nothing but the name is known."""
    return f"name:{name}"


def memory_id(memory: Memory) -> str:
    return f"memory:{memory.id}"


def relation_of(memory: Memory) -> str:
    """Return what a memory tells of its subject."""
    return memory.attribute or memory.content_type


class People:
    """Whom a mind knows, by all their names."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self.known = {entity.id: entity for entity in entities}
        self._by_name = {name: entity for entity in self.known.values() for name in names_of(entity)}

    def subject_of(self, memory: Memory) -> str:
        """Return the id of whom a memory tells of."""
        if memory.subject != "other":
            return memory.subject
        return self.called(memory.subject_id)

    def called(self, name: str) -> str:
        """Return the id of whoever goes by `name`; 지훈이 may be 지훈."""
        found = self._by_name.get(name) or self._by_name.get(name.removesuffix("이"))
        return found.id if found is not None else person_id(name)

    def named_in(self, text: str) -> list[str]:
        """Return the ids of those whose names stand in `text`."""
        found = (entity.id for name, entity in self._by_name.items() if len(name) > 1 and name in text)
        return list(dict.fromkeys(found))


def names_of(entity: Entity) -> tuple[str, ...]:
    """Return all names that somebody goes by, each once."""
    return tuple(dict.fromkeys((entity.name, entity.display_name, *entity.aliases)))


def ties_between(points: Collection[Point], people: People, character: str | None) -> Iterator[Tie]:
    """Yield every tie between two of `points`; two memories are tied once, by what one was made from if it was."""
    present = {point.id for point in points}
    made = {memory_id(each): {f"memory:{source}" for source in each.made_from} for each in _memories(points)}
    for tie in _all_ties(points, people, character):
        merged = tie.relation == REPLACED and tie.other in made.get(tie.one, ())
        if {tie.one, tie.other} <= present and not merged:
            yield tie


def _all_ties(points: Iterable[Point], people: People, character: str | None) -> Iterator[Tie]:
    yield Tie(one=USER, other=CHARACTER, relation=PAIR)
    for point in points:
        if point.memory is not None:
            yield from _ties_of(point.memory, people)
        elif point.kind == "person":
            yield Tie(one=point.id, other=acquaintance(point, character), relation=KNOWS)


def _memories(points: Iterable[Point]) -> Iterator[Memory]:
    return (point.memory for point in points if point.memory is not None)


def acquaintance(person: Point, character: str | None) -> str:
    """Return who of the two knows somebody: kin of the character carry her name."""
    return CHARACTER if character and person.name.startswith(f"{character}의 ") else USER


def _ties_of(memory: Memory, people: People) -> Iterator[Tie]:
    own, about = memory_id(memory), people.subject_of(memory)
    yield Tie(one=own, other=about, relation=relation_of(memory))
    for named in people.named_in(memory.content):
        if named != about:
            yield Tie(one=own, other=named, relation=NAMES)
    if memory.closed_by is not None:
        yield Tie(one=f"memory:{memory.closed_by}", other=own, relation=REPLACED)
    for source in memory.made_from:
        yield Tie(one=own, other=f"memory:{source}", relation=MADE_FROM)
