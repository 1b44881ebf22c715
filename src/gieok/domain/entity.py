"""Somebody that is spoken of, or who speaks: how often, how warmly, and what is known of them.

What is learned is kept by the name under which it was learned. Two names of one person are two faces of one
entity, whose figures are those of its faces together; taking them apart again gives each name its own back,
with all that was learned under it meanwhile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from gieok.domain.judgement import Moment
from gieok.domain.noticed import EntityKind, Mention

Sentiment = Literal["negative", "neutral", "positive"]

_PRECISION: Final = 6  #: decimal places, so that a figure is the same wherever it is computed


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleRules:
    """The numbers that the view of a person goes by."""

    pace: float = 0.3  #: 0–1, how far one mention moves the sentiment towards its valence
    positive_from: float = 0.15
    negative_to: float = -0.15
    trust: float = 50.0  #: 0–100, of somebody just met
    trust_gain: float = 2.0  #: for a mention of valence 1
    trust_loss: float = 4.0  #: for a mention of valence -1: trust is lost faster than it is won
    most_notes: int = 20  #: of each kind, for each name; the oldest give way


RULES: Final = PeopleRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A short trait or interest, and where it was told."""

    text: str
    source: str = ""  #: id of the utterance or memory that told it
    times: int = 1  #: how often it came up, where somebody counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """What is known of somebody under one name."""

    name: str
    channel: str | None = None
    kind: EntityKind = "person"
    display_name: str = ""  #: "": the name
    summary: str = ""
    interests: tuple[Note, ...] = ()
    personality: tuple[Note, ...] = ()
    interactions: int = 0  #: turns in which it was spoken of, or spoke
    felt: int = 0  #: mentions that were warm or cold
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
    """One person or being of a scope, under all their names."""

    faces: tuple[Face, ...]  #: the first is the name that the entity goes by; never empty

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
        """The other names, each once."""
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
        """-1 to 1; of several names each counts as often as it was spoken of warmly or coldly."""
        return self._weighed([face.sentiment for face in self.faces])

    @property
    def trust(self) -> float:
        """0–100, weighed like the sentiment."""
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
    """Return the id of whoever goes by `name` in `channel`: the same in every replay and every copy."""
    # Both parts are told apart by their length, so that no two pairs of names spell the same.
    key = f"{-1 if channel is None else len(channel)}:{channel or ''}:{name}"
    return "who-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def met(
    entity: Entity | None, mention: Mention, moment: Moment, rules: PeopleRules = RULES, *, source: str = ""
) -> Entity:
    """Return the entity as it is after `mention`; None: it was never met.

    A turn counts once, however often and under whatever names it speaks of them. Somebody who speaks is met by a
    mention of themself. `source` is the utterance or memory that the mention's note comes from.
    """
    before = entity.faces if entity is not None else ()
    counted = any(face.last_turn == moment.turn_number and face.interactions for face in before)
    found = next((at for at, face in enumerate(before) if _is_face(face, mention, moment)), None)
    old = before[found] if found is not None else _new_face(mention, moment, rules)
    new = _noted(_judged(_seen(old, mention, moment, count=not counted), mention, rules), mention, rules, source)
    if found is None:
        return Entity(faces=(*before, new))
    return Entity(faces=(*before[:found], new, *before[found + 1 :]))


def described(entity: Entity, *, summary: str | None = None, display_name: str | None = None) -> Entity:
    """Return the entity with what a person or a reflection wrote of them; it stays with the name they go by."""
    main = entity.faces[0]
    main = replace(
        main,
        summary=main.summary if summary is None else summary,
        display_name=main.display_name if display_name is None else display_name,
    )
    return Entity(faces=(main, *entity.faces[1:]))


def merged(one: Entity, other: Entity) -> Entity:
    """Return the two as one, who goes by the name of `one`. Names that both have are an error of the caller."""
    if {face.id for face in one.faces} & {face.id for face in other.faces}:
        raise ValueError(f"{one.name!r} and {other.name!r} share a name; an entity cannot be merged with itself")
    return Entity(faces=(*one.faces, *other.faces))


def split(entity: Entity, name: str, channel: str | None = None) -> tuple[Entity, Entity]:
    """Return the entity without `name`, and the one who goes by it; each with what was learned under its names."""
    taken = tuple(face for face in entity.faces if face.name == name and face.channel == channel)
    left = tuple(face for face in entity.faces if face not in taken)
    if not taken or not left:
        raise ValueError(f"{name!r} cannot be split from {entity.name!r}: it must be one of several names of theirs")
    return Entity(faces=left), Entity(faces=taken)


def frequent(entities: Iterable[Entity], limit: int = 10, *, min_count: int = 1) -> tuple[Entity, ...]:
    """Return those who are met most, then those met last, first."""
    often = [entity for entity in entities if entity.interactions >= min_count]
    often.sort(key=lambda entity: entity.id)
    often.sort(key=lambda entity: (entity.interactions, entity.last_seen), reverse=True)
    return tuple(often[:limit])


def _is_face(face: Face, mention: Mention, moment: Moment) -> bool:
    return face.name == mention.name and face.channel == moment.channel


def _new_face(mention: Mention, moment: Moment, rules: PeopleRules) -> Face:
    return Face(
        name=mention.name,
        channel=moment.channel,
        kind=mention.kind,
        trust=rules.trust,
        first_seen=moment.at,
        last_seen=moment.at,
    )


def _seen(face: Face, mention: Mention, moment: Moment, *, count: bool) -> Face:
    return replace(
        face,
        kind=mention.kind if face.kind == "person" else face.kind,  # a name turns out to be a cat's, never back
        interactions=face.interactions + count,
        first_seen=min(face.first_seen, moment.at),
        last_seen=max(face.last_seen, moment.at),
        last_turn=moment.turn_number,
    )


def _judged(face: Face, mention: Mention, rules: PeopleRules) -> Face:
    """Move sentiment and trust. To be named in passing says nothing."""
    valence = min(max(mention.valence, -1.0), 1.0)
    if not valence:
        return face
    sentiment = face.sentiment + rules.pace * (valence - face.sentiment)
    trust = face.trust + valence * (rules.trust_gain if valence > 0 else rules.trust_loss)
    return replace(
        face,
        felt=face.felt + 1,
        sentiment=round(sentiment, _PRECISION),
        trust=round(min(max(trust, 0.0), 100.0), _PRECISION),
    )


def _noted(face: Face, mention: Mention, rules: PeopleRules, source: str) -> Face:
    note = Note(text=mention.note, source=source)
    if not mention.note or not mention.note_kind:
        return face
    if mention.note_kind == "interest":
        return replace(face, interests=_with(face.interests, note, rules))
    return replace(face, personality=_with(face.personality, note, rules))


def _with(notes: tuple[Note, ...], note: Note, rules: PeopleRules) -> tuple[Note, ...]:
    if any(known.text == note.text for known in notes):
        return notes
    return (*notes, note)[-rules.most_notes :]


def _together(many: Iterable[tuple[Note, ...]]) -> tuple[Note, ...]:
    by_text: dict[str, Note] = {}
    for notes in many:
        for note in notes:
            by_text.setdefault(note.text, note)
    return tuple(by_text.values())
