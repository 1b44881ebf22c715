"""What moves in from another system, thing by thing: each in a transaction of its own, and each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from gieok.bank.telling import Outright
from gieok.domain.claim import Brought
from gieok.domain.decision import Retract, Supersede
from gieok.domain.entity import Face
from gieok.domain.operation import Arrive
from gieok.domain.relationship import Relationship
from gieok.domain.turn import checked_moment
from gieok.observe.imports import is_mark, mark_of
from gieok.observe.said import Said, said

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank
    from gieok.domain.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Keepsake:
    """A memory that moves in: what is said outright, and what the other system knew beside it."""

    what: Outright
    brought: Brought
    at: datetime | None = None  #: None: the present of the story
    certainty: float = 1.0
    emotion_intensity: float = 0.0
    believed: bool = True  #: False: the other system weighed it, and kept it out of its memory
    vector: Sequence[float] | None = None  #: of its words, by the bank's own embedder


class Door:
    """The way into one scope. What came through it once, and was forgotten or taken back since, stays out."""

    def __init__(self, bank: MemoryBank, scope: Scope, source: str) -> None:
        """`source` is the kind of system that things come from; it stands in the log."""
        self._bank = bank
        self._mind = bank.mind(scope)
        self._source = source
        self._arrived = bank.services.receiver.arrived(scope)

    def knows(self, origin: str) -> bool:
        """Whether the thing of that name came in before."""
        return self._mark(origin) in self._arrived.marks

    def hear(
        self,
        origin: str,
        text: str | None,
        reply: str | None,
        *,
        at: datetime,
        speaker: str | None = None,
        session: str | None = None,
        channel: str | None = None,
    ) -> bool:
        """Learn from an exchange of then; False: it came in before."""
        mark = self._mark(origin)
        if mark in self._arrived.marks:
            return False
        mind = self._mind
        lines = said(text, reply, mind._role(speaker, beside=text or ""))
        what = Said(
            lines=lines,
            at=at,
            session=session,
            turn_id=mark,
            operation_id=mark,
            why=self._source,
            channel=channel,
        )
        observed = self._bank.services.observer.observe(mind.key, what)
        self._arrived.marks.add(mark)
        if observed.again:
            return False
        if self._bank.settings.upkeep == "auto":
            gave_up = any(isinstance(decision, Supersede | Retract) for decision in observed.decisions)
            self._bank.services.maintainer.after_turn(mind.key, observed.turn.at, gave_up=gave_up)
        self._bank.wake(mind.key)
        return True

    def remember(self, origin: str, keepsake: Keepsake) -> bool:
        """Remember what another system knew; False: it came in before."""
        mark = self._mark(origin)
        if mark in self._arrived.marks:
            return False
        moment = self._mind._moment(keepsake.at)
        claim = self._mind._claim_of(keepsake.what, moment)
        view = keepsake.brought.interpretation
        brought = replace(keepsake.brought, interpretation=view and self._mind._masked(view, "interpretation"))
        claim = replace(
            claim,
            brought=brought,
            certainty=keepsake.certainty,
            emotion_intensity=keepsake.emotion_intensity,
            flaw=None if keepsake.believed else "trifling",
        )
        vector = keepsake.vector if claim.findable == keepsake.what.content else None
        return self._bank.services.receiver.remember(
            self._arrived, mark, claim, moment, why=self._source, vector=self._fitting(vector)
        )

    def meet(self, origin: str, person: Face) -> bool:
        """Know somebody as another system did, unless they are known here; False: they came in before."""
        mind = self._mind
        beside = person.summary
        notes = [
            tuple(replace(note, text=mind._masked(note.text, "a note", beside=beside)) for note in notes)
            for notes in (person.interests, person.personality)
        ]
        masked = replace(
            person,
            name=mind._called(person.name),
            display_name=mind._called(person.display_name) if person.display_name else "",
            summary=mind._masked(person.summary, "summary") if person.summary else "",
            interests=notes[0],
            personality=notes[1],
            first_seen=checked_moment(person.first_seen, "first_seen"),
            last_seen=checked_moment(person.last_seen, "last_seen"),
        )
        return self._note(origin, Arrive(person=masked), person.last_seen)

    def stand(self, origin: str, relationship: Relationship, at: datetime | None) -> bool:
        """Stand to the user as in another system, unless the two have met here; False: that came in before.

        To come after what was said there, which would else bring the two closer once more.
        """
        with self._bank.store.view(self._mind.key) as view:
            turns = view.turns(view.turn_number)
        met_there = len(turns) if all(is_mark(turn.id) for turn in turns) else 0
        return self._note(origin, Arrive(relationship=relationship, turns=met_there), at)

    def close(self, origin: str, told: str) -> bool:
        """Note in the log that a whole source has moved in."""
        return self._note(origin, Arrive(), None, told)

    def _note(self, origin: str, request: Arrive, at: datetime | None, told: str = "") -> bool:
        mark = self._mark(origin)
        if mark in self._arrived.marks:
            return False
        why = f"{self._source} {told}".rstrip()
        moment = self._mind._moment(at)
        return self._bank.services.receiver.note(self._arrived, mark, request, moment, why=why)

    def _mark(self, origin: str) -> str:
        return mark_of(self._mind.key, self._source, origin)

    def _fitting(self, vector: Sequence[float] | None) -> Sequence[float] | None:
        return vector if vector is not None and len(vector) == self._bank.embedder.dimension and any(vector) else None
