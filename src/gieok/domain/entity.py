"""People (and animals) who are mentioned or speak: how often, how warmly, and what is known about them.

Data is stored under the name it was learned under. Two names of one person are two faces of one entity, whose figures
combine those of its faces. Splitting an entity gives each name its own data back, including what was learned while
they were merged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any, Final, Literal

from gieok.domain.judgement import Moment
from gieok.domain.memory import Memory
from gieok.domain.noticed import EntityKind, Mention
from gieok.domain.turn import CHARACTER, USER

Sentiment = Literal["negative", "neutral", "positive"]

_PRECISION: Final = 6  #: decimal places, so that figures are equal on every machine


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleRules:
    """Parameters for the view of a person."""

    pace: float = 0.3  #: 0–1, how far one mention moves the sentiment towards its valence
    positive_from: float = 0.15
    negative_to: float = -0.15
    trust: float = 50.0  #: 0–100, for a new person
    trust_gain: float = 2.0  #: for a mention of valence 1
    trust_loss: float = 4.0  #: for a mention of valence -1; trust falls faster than it rises
    most_notes: int = 20  #: per kind and name; the oldest are dropped


RULES: Final = PeopleRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A short trait or interest, and its source."""

    text: str
    source: str = ""  #: id of the utterance or memory it comes from
    times: int = 1  #: number of occurrences, if counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """Data about a person under one name."""

    name: str
    channel: str | None = None
    kind: EntityKind = "person"
    display_name: str = ""  #: "": same as the name
    summary: str = ""
    interests: tuple[Note, ...] = ()
    personality: tuple[Note, ...] = ()
    interactions: int = 0  #: turns in which it was mentioned, or spoke
    felt: int = 0  #: mentions with a positive or negative valence
    sentiment: float = 0.0  #: -1 to 1
    trust: float = RULES.trust  #: 0–100
    first_seen: datetime
    last_seen: datetime
    last_turn: int = 0

    @property
    def id(self) -> str:
        return entity_id(self.name, self.channel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A person or being of a scope, with all names."""

    faces: tuple[Face, ...]  #: the first is the main name; never empty

    @property
    def id(self) -> str:
        return self.faces[0].id

    @property
    def name(self) -> str:
        return self.faces[0].name

    @property
    def channel(self) -> str | None:
        return self.faces[0].channel

    @property
    def kind(self) -> EntityKind:
        return next((face.kind for face in self.faces if face.kind != "person"), "person")

    @property
    def display_name(self) -> str:
        return self.faces[0].display_name or self.faces[0].name

    @property
    def aliases(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(face.name for face in self.faces[1:] if face.name != self.name))

    @property
    def summary(self) -> str:
        return next((face.summary for face in self.faces if face.summary), "")

    @property
    def interests(self) -> tuple[Note, ...]:
        return _together(face.interests for face in self.faces)

    @property
    def personality(self) -> tuple[Note, ...]:
        return _together(face.personality for face in self.faces)

    @property
    def interactions(self) -> int:
        return sum(face.interactions for face in self.faces)

    @property
    def first_seen(self) -> datetime:
        return min(face.first_seen for face in self.faces)

    @property
    def last_seen(self) -> datetime:
        return max(face.last_seen for face in self.faces)

    @property
    def sentiment(self) -> float:
        """-1 to 1; with several names, weighted by their mentions with a valence."""
        return self._weighed([face.sentiment for face in self.faces])

    @property
    def trust(self) -> float:
        """0–100, weighted like the sentiment."""
        return self._weighed([face.trust for face in self.faces])

    def sentiment_label(self, rules: PeopleRules = RULES) -> Sentiment:
        if self.sentiment >= rules.positive_from:
            return "positive"
        return "negative" if self.sentiment <= rules.negative_to else "neutral"

    def goes_by(self, name: str, channel: str | None = None) -> bool:
        return any(face.name == name and face.channel == channel for face in self.faces)

    def _weighed(self, values: list[float]) -> float:
        weights = [face.felt for face in self.faces]
        if not any(weights):
            return values[0]
        total = sum(value * weight for value, weight in zip(values, weights, strict=True))
        return round(total / sum(weights), _PRECISION)


def entity_id(name: str, channel: str | None = None) -> str:
    """Return the id for `name` in `channel`; it is the same in every replay and copy."""
    # the length keeps the two parts apart, so that no two pairs give the same key
    key = f"{-1 if channel is None else len(channel)}:{channel or ''}:{name}"
    return "who-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def met(entity: Entity | None, mention: Mention, moment: Moment) -> Entity:
    """Return the entity after `mention`; None: it is new.

    A turn counts once, however often and under whatever names it mentions them. A speaker is met by a mention of
    themself.
    """
    before = entity.faces if entity is not None else ()
    counted = any(face.last_turn == moment.turn_number and face.interactions for face in before)
    own = (mention.name, moment.channel)
    found = next((at for at, face in enumerate(before) if (face.name, face.channel) == own), len(before))
    new = Face(name=mention.name, channel=moment.channel, kind=mention.kind, first_seen=moment.at, last_seen=moment.at)
    old = before[found] if found < len(before) else new
    seen = replace(
        old,
        kind=mention.kind if old.kind == "person" else old.kind,  # a person may turn out to be a cat, not the reverse
        interactions=old.interactions + (not counted),
        first_seen=min(old.first_seen, moment.at),
        last_seen=max(old.last_seen, moment.at),
        last_turn=moment.turn_number,
    )
    now = _judged(_noted(seen, mention), mention.valence)
    return Entity(faces=(*before[:found], now, *before[found + 1 :]))


def merged(one: Entity, other: Entity) -> Entity:
    """Return one entity with the main name of `one`. The two must not share a name."""
    if {face.id for face in one.faces} & {face.id for face in other.faces}:
        raise ValueError(f"{one.name!r} and {other.name!r} share a name; an entity cannot be merged with itself")
    return Entity(faces=(*one.faces, *other.faces))


def split(entity: Entity, name: str, channel: str | None = None) -> tuple[Entity, Entity]:
    """Return the entity without `name`, and the entity with that name; each with the data of its own names."""
    taken = tuple(face for face in entity.faces if face.name == name and face.channel == channel)
    left = tuple(face for face in entity.faces if face not in taken)
    if not taken or not left:
        raise ValueError(f"{name!r} cannot be split from {entity.name!r}: it must be one of several names of theirs")
    return Entity(faces=left), Entity(faces=taken)


def most_frequent(entities: Iterable[Entity], limit: int = 10) -> tuple[Entity, ...]:
    """Return the people met most often, then most recently, first."""
    often = sorted((entity for entity in entities if entity.interactions), key=lambda entity: entity.id)
    often.sort(key=lambda entity: (entity.interactions, entity.last_seen), reverse=True)
    return tuple(often[:limit])


def _judged(face: Face, valence: float) -> Face:
    """Update sentiment and trust. A neutral mention changes nothing."""
    valence = min(max(valence, -1.0), 1.0)
    if not valence:
        return face
    trust = face.trust + valence * (RULES.trust_gain if valence > 0 else RULES.trust_loss)
    return replace(
        face,
        felt=face.felt + 1,
        sentiment=round(face.sentiment + RULES.pace * (valence - face.sentiment), _PRECISION),
        trust=round(min(max(trust, 0.0), 100.0), _PRECISION),
    )


def _noted(face: Face, mention: Mention) -> Face:
    if not mention.note or not mention.note_kind:
        return face
    kind = "interests" if mention.note_kind == "interest" else "personality"
    kept: Any = _together([getattr(face, kind), (Note(text=mention.note),)])[-RULES.most_notes :]
    return replace(face, **{kind: kept})


def _together(many: Iterable[tuple[Note, ...]]) -> tuple[Note, ...]:
    by_text: dict[str, Note] = {}
    for note in chain.from_iterable(many):
        by_text.setdefault(note.text, note)
    return tuple(by_text.values())


NAMES: Final = "names"  #: a memory mentions a person
REPLACED: Final = "replaced"  #: a memory superseded another
MADE_FROM: Final = "made_from"  #: … was merged or concluded from others
KNOWS: Final = "knows"  #: a person was mentioned
PAIR: Final = "pair"  #: user and character
TIES: Final = (PAIR, KNOWS, NAMES, REPLACED, MADE_FROM)  #: relations that are not attributes
WORLD: Final = "world"

PointKind = Literal["party", "person", "memory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A person or a memory in the graph."""

    id: str  #: "user", "character", "world", `person_id` or `memory_id`
    kind: PointKind
    hops: int  #: distance from the start; 0: the start itself
    entity: Entity | None = None  #: for a person of whom more than the name is known
    memory: Memory | None = None
    name: str = ""  #: for a person


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """An edge between two points. A memory comes first; of two memories, the newer."""

    one: str
    other: str
    relation: str  #: the attribute of a memory (else its content type), or one of `TIES`


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The graph around a point."""

    points: tuple[Point, ...]  #: sorted by distance, then by importance
    ties: tuple[Tie, ...]
    relations: Mapping[str, int]  #: relations available for filtering around the start, with counts
    left_out: int  #: memories and people above the limit
    present: datetime  #: story time of the query

    def is_past(self, point: Point) -> bool:
        return point.memory is not None and point.memory.given_up_by(self.present)

    def tied_to(self, point_id: str) -> Iterator[tuple[Tie, str]]:
        """Yield the edges of a point, each with the id at the other end."""
        for tie in self.ties:
            if tie.one == point_id:
                yield tie, tie.other
            elif tie.other == point_id:
                yield tie, tie.one


def person_id(name: str) -> str:
    """Return the id of a person of whom only the name is known."""
    return f"name:{name}"


def memory_id(memory: Memory) -> str:
    return f"memory:{memory.id}"


def relation_of(memory: Memory) -> str:
    return memory.attribute or memory.content_type


class People:
    """The people a mind knows, by all their names."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self.known = {entity.id: entity for entity in entities}
        self._by_name = {name: entity for entity in self.known.values() for name in names_of(entity)}

    def subject_of(self, memory: Memory) -> str:
        return self.called(memory.subject_id) if memory.subject == "other" else memory.subject

    def called(self, name: str) -> str:
        """Return the id of the person named `name`; 지훈이 may be 지훈."""
        found = self._by_name.get(name) or self._by_name.get(name.removesuffix("이"))
        return found.id if found is not None else person_id(name)

    def named_in(self, text: str) -> list[str]:
        found = (entity.id for name, entity in self._by_name.items() if len(name) > 1 and name in text)
        return list(dict.fromkeys(found))


def names_of(entity: Entity) -> tuple[str, ...]:
    return tuple(dict.fromkeys((entity.name, entity.display_name, *entity.aliases)))


def ties_between(points: Collection[Point], people: People, character: str | None) -> Iterator[Tie]:
    """Yield every edge between two of `points`; two memories have one edge, `made_from` if it applies."""
    present = {point.id for point in points}
    yield from (tie for tie in _all_ties(points, people, character) if {tie.one, tie.other} <= present)


def _all_ties(points: Collection[Point], people: People, character: str | None) -> Iterator[Tie]:
    memories = {point.id: point.memory for point in points if point.memory is not None}
    yield Tie(one=USER, other=CHARACTER, relation=PAIR)
    for point in points:
        if point.kind == "person":
            yield Tie(one=point.id, other=acquaintance(point, character), relation=KNOWS)
        memory = point.memory
        if memory is None:
            continue
        about = people.subject_of(memory)
        yield Tie(one=point.id, other=about, relation=relation_of(memory))
        for named in people.named_in(memory.content):
            if named != about:
                yield Tie(one=point.id, other=named, relation=NAMES)
        closer = memories.get(f"memory:{memory.closed_by}")
        if closer is not None and memory.id not in closer.made_from:
            yield Tie(one=memory_id(closer), other=point.id, relation=REPLACED)
        for source in memory.made_from:
            yield Tie(one=point.id, other=f"memory:{source}", relation=MADE_FROM)


def acquaintance(person: Point, character: str | None) -> str:
    """Return whose acquaintance the person is: "레티아의 언니" is the character's, others are the user's."""
    return CHARACTER if character and person.name.startswith(f"{character}의 ") else USER
