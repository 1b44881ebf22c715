"""What a mind tells of how it came about: the way of the relationship, of manners and of regards; and what is tied."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from gieok.bank.checking import listed
from gieok.bank.living import Step, steps
from gieok.domain.apply import PAIR
from gieok.domain.entity import Entity, Surroundings
from gieok.domain.relationship import MannerChange, Manners, Matter, Party
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER
from gieok.errors import InvalidQuery
from gieok.ports import Happened
from gieok.recall.surroundings import surroundings

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank

_PARTIES: Final[tuple[Party, ...]] = ("user", "character")
_MATTERS: Final[tuple[Matter, ...]] = ("style", "address")
_HABITS: Final = tuple(f"{party}.{matter}" for party in _PARTIES for matter in _MATTERS)
_FARTHEST: Final = 2  #: hops


@dataclass(frozen=True, slots=True, kw_only=True)
class MannerStep:
    """One of the two began to speak to the other in a new way, and in which turn."""

    at: datetime
    turn_id: str | None
    change: MannerChange


@dataclass(frozen=True, slots=True, kw_only=True)
class Regard:
    """How somebody was thought of after a turn."""

    at: datetime
    turn_id: str | None
    entity: Entity


class Relating:
    """The part of a `Mind` that tells how things came about, and what is connected with what."""

    _bank: MemoryBank
    key: Scope

    if TYPE_CHECKING:

        def _moment(self, at: datetime | None) -> datetime: ...

    def course(self, most: int = 200) -> list[Step]:
        """Return the way of the relationship in at most so many steps, evenly chosen, the first and the last too."""
        with self._bank.store.view(self.key) as view:
            return steps(view, view.spread("relationship", [PAIR], most))

    def level_changes(self) -> list[Step]:
        """Return the steps that led to another level, oldest first; the first is where they met."""
        with self._bank.store.view(self.key) as view:
            return steps(view, view.turning_points("relationship", PAIR, ["level"]))

    def manner_changes(self) -> list[MannerStep]:
        """Return every change of how the two speak to each other, oldest first, what was known first included."""
        with self._bank.store.view(self.key) as view:
            turned = view.turning_points("manners", PAIR, _HABITS)
        return [
            MannerStep(at=each.at, turn_id=each.turn_id, change=change) for each in turned for change in _changes(each)
        ]

    def regards(self, entity_id: str) -> list[Regard]:
        """Return how somebody was thought of after each turn that changed it, oldest first."""
        with self._bank.store.view(self.key) as view:
            return _regards(view.moves("entity", entity_id))

    def courses_of_regard(self, entity_ids: Iterable[str], most: int = 30) -> dict[str, list[Regard]]:
        """Return for each of several people how they were thought of, at most `most` times, evenly chosen."""
        ids = listed(entity_ids, "entity_ids")
        with self._bank.store.view(self.key) as view:
            happened = view.spread("entity", ids, most)
        return {each: _regards([one for one in happened if one.move.id == each]) for each in ids}

    def surroundings(
        self,
        of: str | Sequence[str] | None = None,
        *,
        hops: int = 1,
        relations: Collection[str] | None = None,
        limit: int = 150,
    ) -> Surroundings:
        """Return what the two, or somebody, or a memory ("memory:" and its id) is connected with.

        `relations` are those to follow: attributes (content types where a memory has none) and `TIES`; None: all.
        At most `limit` points, the nearest and weightiest. Raises `UnknownMemory` or `UnknownPerson`.
        """
        if hops not in range(1, _FARTHEST + 1):
            raise InvalidQuery(f"hops = {hops} is too far; choose 1 or 2")
        if limit < 1:
            raise InvalidQuery(f"limit = {limit} shows nothing; give at least 1")
        start = (USER, CHARACTER) if of is None else (of,) if isinstance(of, str) else tuple(of)
        present = self._moment(None)
        with self._bank.store.view(self.key) as view:
            return surroundings(view, self.key, start, hops=hops, relations=relations, limit=limit, present=present)


def _changes(happened: Happened) -> Iterator[MannerChange]:
    before, after = happened.move.before, happened.move.after
    if not isinstance(after, Manners):
        return
    earlier = before if isinstance(before, Manners) else Manners()
    for party in _PARTIES:
        for matter in _MATTERS:
            was, now = getattr(earlier.of(party), matter), getattr(after.of(party), matter)
            if now is not None and now != was:
                yield MannerChange(
                    speaker=party,
                    what=matter,
                    before=None if was is None else was.value,
                    after=now.value,
                    at=now.at,
                    turn_number=now.turn_number,
                    asked_by=now.asked_by,
                    mutual=matter == "style" and _speaks_so(after, party, now.value),
                )


def _speaks_so(manners: Manners, party: Party, style: str) -> bool:
    other = manners.of("user" if party == "character" else "character").style
    return other is not None and other.value == style


def _regards(moves: Iterable[Happened]) -> list[Regard]:
    course: list[Regard] = []
    for each in moves:
        now = each.move.after
        if not isinstance(now, Entity):
            continue
        if course and each.turn_id is not None and course[-1].turn_id == each.turn_id:
            course.pop()  # both speak of them: what counts is how the turn ended
        if not course or (course[-1].entity.sentiment, course[-1].entity.trust) != (now.sentiment, now.trust):
            course.append(Regard(at=each.at, turn_id=each.turn_id, entity=now))
    return course
