"""What a mind tells of how things stand between the two, of the people they know, and of what they did together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

from gieok.bank.checking import composed
from gieok.bank.privacy import Discretion
from gieok.domain.apply import PAIR
from gieok.domain.attributes import ContentType
from gieok.domain.emotion import Felt
from gieok.domain.entity import Entity, entity_id, frequent
from gieok.domain.memory import Memory
from gieok.domain.operation import Join, Part, Stage
from gieok.domain.relationship import Manners, Relationship
from gieok.domain.scene import Scene, last_time, shared
from gieok.domain.state import Alias, Cause, ScopeState
from gieok.domain.turn import checked_moment, checked_speaker
from gieok.errors import InvalidQuery, UnknownPerson
from gieok.ports import Happened, MemoryFilter, View
from gieok.recall.context import visible_scenes


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One change of the relationship: when, by which turn and in which scene, and why."""

    number: int  #: of its operation in the journal
    at: datetime
    turn_id: str | None
    scene: str | None  #: the scene's id
    before: Relationship | None
    relationship: Relationship
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Feeling:
    """What somebody felt, and when."""

    at: datetime
    turn_id: str
    turn_number: int
    felt: Felt


class Living(Discretion):
    """The part of a `Mind` that tells of the two, of people and of scenes."""

    def relationship(self, at: datetime | None = None) -> Relationship:
        """Return how it stands between the two, or stood at `at`."""
        if at is not None:
            checked_moment(at)
            before = [step for step in self.trajectory() if step.at <= at]
            return before[-1].relationship if before else self._bank.services.beginning
        with self._bank.store.view(self.key) as view:
            known = ScopeState(view.things_by_key([("relationship", PAIR)]).items()).get(Relationship, PAIR)
        return known or self._bank.services.beginning

    def trajectory(self, limit: int | None = None, *, before: int | None = None) -> list[Step]:
        """Return every change of the relationship, oldest first; with `limit` the latest.

        With `before` only those with a lower number: so it is leafed through.
        """
        with self._bank.store.view(self.key) as view:
            return steps(view, view.moves("relationship", PAIR, limit=limit, before=before))

    def manners(self) -> Manners:
        """Return how the two speak to each other: styles and forms of address, since when, and who asked for it."""
        with self._bank.store.view(self.key) as view:
            known = ScopeState(view.things_by_key([("manners", PAIR)]).items()).get(Manners, PAIR)
        return known or Manners()

    def emotions(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
        before: int | None = None,
    ) -> list[Feeling]:
        """Return what was felt, oldest first; `limit` counts turns, the latest of them (numbered below `before`)."""
        for name, moment in (("since", since), ("until", until)):
            if moment is not None:
                checked_moment(moment, name)
        with self._bank.store.view(self.key) as view:
            turns = view.noticed(before=before, limit=limit if since is until is None else None)
        within = [turn for turn in turns if (since is None or turn.at >= since) and (until is None or turn.at < until)]
        latest = within if limit is None else within[max(len(within) - limit, 0) :]
        return [
            Feeling(at=turn.at, turn_id=turn.turn_id, turn_number=turn.turn_number, felt=felt)
            for turn in latest
            for felt in turn.noticed.felt
        ]

    def entities(self) -> list[Entity]:
        """Return everybody that was spoken of, by when they were last seen, the latest first."""
        with self._bank.store.view(self.key) as view:
            known = _entities(view)
        return sorted(known, key=lambda entity: (entity.last_seen, entity.id), reverse=True)

    def entity(self, name: str, *, channel: str | None = None) -> Entity:
        """Return the one who goes by `name`; raises `UnknownPerson`."""
        with self._bank.store.view(self.key) as view:
            found = _known_as(view, self._called(name), channel)
        if found is None:
            raise UnknownPerson(name)
        return found

    def frequent_contacts(self, limit: int = 10) -> tuple[Entity, ...]:
        """Return those who were met most, the most frequent first."""
        return frequent(self.entities(), limit)

    def same_person(self, name: str, other: str, *, channel: str | None = None, at: datetime | None = None) -> Entity:
        """Take `other` for another name of `name`; `different_people` takes it back."""
        return self._told_of(Join(name=self._called(name), other=self._called(other), channel=channel), at)

    def different_people(
        self, name: str, other: str, *, channel: str | None = None, at: datetime | None = None
    ) -> Entity:
        """Tell `other` apart from `name` again; each keeps what was learned under it."""
        return self._told_of(Part(name=self._called(name), other=self._called(other), channel=channel), at)

    def scenes(self, limit: int | None = None) -> list[Scene]:
        """Return the scenes, oldest first; with `limit` the latest. The last one may still be on."""
        with self._bank.store.view(self.key) as view:
            scenes = _scenes(view)
        return scenes if limit is None else scenes[max(len(scenes) - limit, 0) :]

    def scene(self) -> Scene | None:
        """Return the scene that is on."""
        latest = self.scenes(1)
        return latest[0] if latest and latest[0].ended_at is None else None

    def start_scene(
        self,
        *,
        place: str | None = None,
        daytime: str | None = None,
        session: str | None = None,
        participants: Iterable[str] = (),
        at: datetime | None = None,
    ) -> Scene:
        """Begin a scene; one that is on ends by it."""
        beside = place or ""
        present = self._names(participants, "participants", beside=beside)
        where, when = (None if each is None else self._masked(each, None, beside=beside) for each in (place, daytime))
        request = Stage(place=where, daytime=when, session=session, participants=present)
        self._bank.services.arranger.arrange(self.key, "scene", request, self._moment(at))
        started = self.scene()
        assert started is not None, "a scene was just started"
        return started

    def end_scene(self, at: datetime | None = None) -> Scene | None:
        """End the scene that is on; return it as it ended, or None where none is on."""
        current = self.scene()
        if current is None:
            return None
        self._bank.services.arranger.arrange(self.key, "scene", Stage(ends=True), self._moment(at))
        return self.scenes(1)[0]

    def shared_experiences(self, limit: int = 20) -> tuple[Scene, ...]:
        """Return what the two went through together, the oldest of the latest `limit` first."""
        return shared(self.scenes(), limit)

    def last_time(self) -> Scene | None:
        """Return the last meeting that is over, which tells what the two did last time."""
        return last_time(self.scenes())

    def timeline(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        type: ContentType | None = None,
        text: str | None = None,
    ) -> list[Memory]:
        """Return what was ever true, by when it began; also what has faded. `text` must stand in its words."""
        for name, moment in (("since", since), ("until", until)):
            if moment is not None:
                checked_moment(moment, name)
        if type is not None and type not in get_args(ContentType):
            raise InvalidQuery(f"unknown type {type!r}; choose one of {', '.join(get_args(ContentType))}")
        words = composed(text or "").casefold()
        with self._bank.store.view(self.key) as view:
            known = view.memories(MemoryFilter(content_type=type, include_faded=True))
        return [
            memory
            for memory in known
            if (since is None or memory.valid_at >= since)
            and (until is None or memory.valid_at < until)
            and words in memory.content.casefold()
        ]

    def _told_of(self, request: Join | Part, at: datetime | None) -> Entity:
        for name in (request.name, request.other):
            self.entity(name, channel=request.channel)
        self._bank.services.arranger.arrange(self.key, "people", request, self._moment(at))
        return self.entity(request.name, channel=request.channel)

    def _called(self, name: str) -> str:
        return self._masked(checked_speaker(name), None)

    def _moment(self, at: datetime | None) -> datetime:
        """Return `at`, or the present of the story."""
        return checked_moment(at) if at is not None else self._bank.services.lister.present(self.key)


def steps(view: View, moves: Iterable[Happened]) -> list[Step]:
    """Return moves of the relationship as steps, each in its scene."""
    scenes = sorted(_scenes(view), key=lambda scene: scene.first_turn)
    starts = [scene.first_turn for scene in scenes]
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
                    scene=scenes[place - 1].id if place else None,
                    before=earlier if isinstance(earlier, Relationship) else None,
                    relationship=now,
                    causes=each.move.causes,
                )
            )
    return found


def _scenes(view: View) -> list[Scene]:
    return visible_scenes(view, [scene for _, scene in ScopeState(view.things("scene").items()).all(Scene)])


def _entities(view: View) -> list[Entity]:
    return [entity for _, entity in ScopeState(view.things("entity").items()).all(Entity)]


def _known_as(view: View, name: str, channel: str | None) -> Entity | None:
    own = entity_id(name, channel)
    found = ScopeState(view.things_by_key([("entity", own), ("alias", own)]).items())
    alias = found.get(Alias, own)
    if alias is not None:
        return ScopeState(view.things_by_key([("entity", alias.of)]).items()).get(Entity, alias.of)
    return found.get(Entity, own)
