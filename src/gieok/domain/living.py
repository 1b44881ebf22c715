"""What a turn does to the relationship, to manners, to the people that are spoken of, and to the scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from gieok.domain.decision import Decision, Remember, Supersede
from gieok.domain.entity import Entity, PeopleRules, entity_id, merged, met, split
from gieok.domain.judgement import Moment
from gieok.domain.manners import ANYBODY, MannerChange, Manners
from gieok.domain.manners import after as manners_after
from gieok.domain.memory import Change, Memory
from gieok.domain.noticed import Mention, Noticed, Sign
from gieok.domain.operation import Direct, Join, Learn, Operation, Part, Stage
from gieok.domain.relationship import Relationship, Shift, moved, new_relationship
from gieok.domain.relationship_rules import RelationshipRules, default_rules
from gieok.domain.scene import Scene, SceneRules, begun, ended, staged
from gieok.domain.things import DIRECTOR, Alias, Cause, Life, Move, Note, directed
from gieok.domain.turn import CHARACTER, USER

PAIR: Final = "pair"  #: the id of what there is once for the two
_THE_TWO: Final = frozenset({USER, CHARACTER})
_DISCLOSURE: Final = "self_disclosure"
_CHANGED_MANNERS: Final = "manners/1"
_MILESTONE: Final = 0.6  #: the importance of speaking otherwise from now on


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """What became of a turn beside what was claimed in it."""

    moves: tuple[Move, ...] = ()
    changes: tuple[Change, ...] = ()  #: events worth remembering: they speak otherwise to one another now


Retold = Callable[[MannerChange, str | None], str]  #: a change of manners in words, given the character's name


def _in_short(change: MannerChange, character: str | None) -> str:
    who = (character or change.speaker) if change.speaker == "character" else change.speaker
    return f"{who}: {change.what} {change.after}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Living:
    """The rules that people live together by."""

    relationship: RelationshipRules = field(default_factory=default_rules)
    people: PeopleRules = field(default_factory=PeopleRules)
    scenes: SceneRules = field(default_factory=SceneRules)
    retold: Retold = _in_short

    def lived(self, operation: Operation, request: Learn, decisions: Sequence[Decision], life: Life) -> Lived:
        """Return what a turn moved; `life` absorbs it."""
        noticed, moment = request.noticed, operation.moment
        if noticed is None:
            return Lived()
        towards_each_other = () if noticed.speakers - _THE_TWO else noticed.manners
        manners, changed = manners_after(life.get(Manners, PAIR) or Manners(), towards_each_other, moment)
        moves = [
            *self._closer(noticed, decisions, life, moment),
            *life.moved(PAIR, manners),
            *self._met(noticed.mentions, life, moment),
            *self._staged(noticed, request, operation, life),
        ]
        news = _news(changed)
        events = (
            self._event(operation, number, change, self.retold(change, request.character))
            for number, change in enumerate(news)
        )
        return Lived(moves=tuple(moves), changes=tuple(Change(before=None, after=event) for event in events))

    def arranged(self, request: Join | Part | Stage, operation: Operation, life: Life) -> Iterator[Move]:
        """Yield what a person's own word on people and scenes moves; what cannot be done moves nothing."""
        match request:
            case Join():
                yield from _joined(request, life)
            case Part():
                yield from _parted(request, life)
            case Stage():
                yield from self._set(request, operation, life)

    def directed(self, request: Direct, operation: Operation, life: Life) -> Iterator[Move]:
        """Yield what a director moves, and the note it leaves."""
        before = life.get(Relationship, PAIR) or new_relationship(self.relationship)
        after, shifts = directed(before, request.deltas)
        yield from life.moved(PAIR, after, _causes(shifts))
        moment = operation.moment
        note = Note(text=request.note, turn_number=moment.turn_number, at=moment.at, by=operation.who)
        yield from life.moved(DIRECTOR, note)

    def hushed(self, life: Life) -> Iterator[Move]:
        """Yield that the director's note is wiped out: it may tell of what is being forgotten."""
        note = life.get(Note, DIRECTOR)
        if note is not None:
            yield from life.moved(DIRECTOR, replace(note, text=""))  # that it was left stays known: no second one

    def _closer(self, noticed: Noticed, decisions: Sequence[Decision], life: Life, moment: Moment) -> Iterator[Move]:
        """Yield how a turn brings the two closer; what one of them says to somebody else does not."""
        company = noticed.speakers - _THE_TWO
        if company and USER not in noticed.speakers:
            return  # the character talked to others, and nobody says that the user was there
        before = life.get(Relationship, PAIR) or new_relationship(self.relationship)
        own = () if company else (sign for sign in noticed.signs if sign.speaker in _THE_TWO)
        signs = (*own, *_disclosed(decisions))
        after, shifts = moved(before, signs, moment, self.relationship)
        yield from life.moved(PAIR, after, _causes(shifts))

    def _met(self, mentions: Iterable[Mention], life: Life, moment: Moment) -> Iterator[Move]:
        for mention in mentions:
            own = entity_id(mention.name, moment.channel)
            alias = life.get(Alias, own)
            key = alias.of if alias is not None else own
            after = met(life.get(Entity, key), mention, moment, self.people)
            yield from life.moved(key, after, [Cause(name="mention", speaker=mention.by, amount=mention.valence)])

    def _staged(self, noticed: Noticed, request: Learn, operation: Operation, life: Life) -> Iterator[Move]:
        number, latest = _latest_scene(life)
        after = staged(
            latest,
            noticed,
            operation.moment,
            self.scenes,
            session=request.session,
            participants=request.participants,
            scene_id=f"scene-{operation.id}",
        )
        yield from _put_scenes(life, number, latest, after)

    def _set(self, request: Stage, operation: Operation, life: Life) -> Iterator[Move]:
        moment = operation.moment
        number, latest = _latest_scene(life)
        over = (ended(latest, moment.at),) if latest is not None else ()
        new = () if request.ends else (
            begun(
                moment,
                f"scene-{operation.id}",
                session=request.session,
                place=request.place,
                daytime=request.daytime,
                participants=request.participants,
            ),
        )  # fmt: skip
        yield from _put_scenes(life, number, latest, (*over, *new))

    def _event(self, operation: Operation, number: int, change: MannerChange, content: str) -> Memory:
        moment = operation.moment
        return Memory(
            id=f"{operation.id}-manners-{number}",
            speaker=change.speaker,
            subject="user",
            subject_id="user",
            content=content,
            content_type="event",
            kind="episodic",
            attribute="milestone",
            value=content,
            importance=_MILESTONE,
            touched_turn=moment.turn_number,
            valid_at=change.at,
            known_at=moment.at,
            recorded_at=moment.recorded_at,
            extractor=_CHANGED_MANNERS,
            channel=moment.channel,
        )


def _news(changed: Sequence[MannerChange]) -> Iterator[MannerChange]:
    """Yield what is worth remembering; where one follows the other in the same turn, they changed together."""
    together = {change.after for change in changed if change.what == "style" and change.mutual}
    first = {change.after: change for change in reversed(changed) if change.what == "style"}
    for change in changed:
        if change.before is None or (change.what == "address" and ANYBODY & {change.before, change.after}):
            continue
        if change.what == "style" and change.after in together:
            if change.mutual:
                yield replace(change, asked_by=first[change.after].asked_by)
        else:
            yield change


def _disclosed(decisions: Iterable[Decision]) -> Iterator[Sign]:
    """To tell of oneself brings closer."""
    told = [
        decision.claim
        for decision in decisions
        if isinstance(decision, Remember | Supersede) and decision.claim.subject == decision.claim.speaker == "user"
    ]
    if told:
        yield Sign(name=_DISCLOSURE, speaker="user", words=told[0].content)


def _causes(shifts: Iterable[Shift]) -> Iterator[Cause]:
    for shift in shifts:
        yield Cause(
            name=shift.cause,
            speaker=shift.speaker,
            words=shift.words,
            axis=shift.axis,
            amount=round(shift.after - shift.before, 6),
        )


def _joined(request: Join, life: Life) -> Iterator[Move]:
    one, other = _person(life, request.name, request.channel), _person(life, request.other, request.channel)
    if one is None or other is None or one[0] == other[0]:
        return
    (key, person), (other_key, namesake) = one, other
    yield from life.moved(key, merged(person, namesake), [Cause(name="same_person")])
    yield from life.dropped(Entity, other_key, [Cause(name="same_person")])
    for face in namesake.faces:
        yield from life.moved(face.id, Alias(of=key))


def _parted(request: Part, life: Life) -> Iterator[Move]:
    one = _person(life, request.name, request.channel)
    if one is None or not one[1].goes_by(request.other, request.channel) or len(one[1].faces) < 2:
        return
    key, person = one
    left, taken = split(person, request.other, request.channel)
    if left.id != key:  # the name that the person went by leaves
        yield from life.dropped(Entity, key, [Cause(name="different_people")])
        yield from life.dropped(Alias, left.id)
        for face in left.faces[1:]:
            yield from life.moved(face.id, Alias(of=left.id))
    yield from life.dropped(Alias, taken.id)
    yield from life.moved(left.id, left, [Cause(name="different_people")])
    yield from life.moved(taken.id, taken, [Cause(name="different_people")])


def _person(life: Life, name: str, channel: str | None) -> tuple[str, Entity] | None:
    own = entity_id(name, channel)
    alias = life.get(Alias, own)
    key = alias.of if alias is not None else own
    found = life.get(Entity, key)
    return (key, found) if found is not None else None


def _latest_scene(life: Life) -> tuple[int, Scene | None]:
    """Return the number of the latest scene, and the scene."""
    known = life.all(Scene)
    return (int(known[-1][0]), known[-1][1]) if known else (0, None)


def _put_scenes(life: Life, number: int, latest: Scene | None, scenes: Sequence[Scene]) -> Iterator[Move]:
    """Put scenes in their places: what goes on where `latest` stood, what is new behind it."""
    for scene in scenes:
        if latest is None or scene.id != latest.id:
            number += 1
        yield from life.moved(f"{number:08d}", scene)
