"""Scrubbing: what was forgotten, or is past its time, leaves the tables and the journal for good.

What it was read from goes with it: what was said in that turn is blanked, the turn stays. Whatever else was decided
stays as it is; nothing is judged again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Final

from gieok.domain.erasure import (
    EVERYTHING,
    Certificate,
    Words,
    folded_text,
    memory_without,
    new_certificate,
    operation_without,
    value_without,
)
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Days, Memory, is_over
from gieok.domain.operation import Erased, Learn, Maintain, Operation
from gieok.domain.recognition import statement_imprints
from gieok.domain.scope import Scope
from gieok.domain.state import Move
from gieok.domain.turn import Turn
from gieok.domain.upkeep import by_upkeep
from gieok.ids import new_id
from gieok.language.terms import telling_words
from gieok.ports import BrowseFilter, Clock, Entry, MemoryFilter, Removal, RewoundTurn, Room, Store, View
from gieok.ports.store import held

WHO: Final = "scrub/1"
_ALL: Final = MemoryFilter(include_hidden=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrubber:
    """Deletes forgotten and expired memories from the store."""

    store: Store
    clock: Clock
    days: Days  #: that the bank keeps each type

    def counts(self, scope: Scope) -> dict[str, int]:
        """Return how much would be deleted; empty: nothing."""
        with self.store.view(scope) as view:
            plan = self._plan(view)
            return plan.counts if plan.any else {}

    def scrub(self, scope: Scope, *, by: str = WHO) -> Certificate | None:
        """Scrub `scope` and return the certificate, unproven; None: there was nothing to do. Raises `UnderHold`."""
        with self.store.view(scope) as view:
            if not self._plan(view).any:
                return None

        def scrub(room: Room) -> Certificate | None:
            plan = self._plan(room)
            if not plan.any:
                return None
            room.provisions.check_hold(scope)
            now = self.clock.now()
            certificate = new_certificate(
                id=new_id(), at=now, by=by, salt=new_id(), scope=scope, part=EVERYTHING, counts=plan.counts
            )
            certificate = replace(certificate, asked={"forgotten": "yes"})
            room.apply(plan.entry(room.latest_at or now, now, certificate))
            return certificate

        return held(self.store, scope, scrub)

    def _plan(self, view: View) -> ScrubPlan:
        present = max(filter(None, (view.latest_at, self.clock.now())))
        return ScrubPlan(view=view, present=present, days=view.provisions.days(self.days))


@dataclass(frozen=True, kw_only=True)
class ScrubPlan:
    """What is scrubbed of a scope."""

    view: View
    present: datetime
    days: Days

    @cached_property
    def any(self) -> bool:
        forgotten = self.view.browse(BrowseFilter(state="forgotten", present=self.present), 1)
        perhaps = forgotten or self.days or self.view.ever_hidden()
        return bool(perhaps) and bool(self.gone or self._hidden)

    @cached_property
    def gone(self) -> dict[str, Memory]:
        """The memories to delete, with those that rest on them, and those of the same sentences that repeat them."""
        asked = {
            each.id: each
            for each in self._memories.values()
            if each.forgotten_at is not None or is_over(each, self.present, self.days)
        }
        if not asked and not self._hidden:
            return {}
        told = [each for each in asked.values() if not by_upkeep(each)]
        said = {source for each in told for source in each.sources}
        ids = {each.id for each in told}
        sides = (side for change in self._changes if change.memory_id in ids for side in (change.before, change.after))
        once = [side for side in sides if side is not None]
        values = {folded_text(text) for each in (*told, *once) for text in (each.value, each.surface) if text}

        def goes(each: Memory) -> bool:
            if any(ground in asked for ground in each.made_from):
                return True
            if said.isdisjoint(each.sources):
                return False
            texts = [folded_text(text) for text in _texts(each)]
            return by_upkeep(each) or any(value in text for text in texts for value in values if len(value) > 1)

        while resting := [each for each in self._memories.values() if each.id not in asked and goes(each)]:
            asked |= {each.id: each for each in resting}
        return asked

    @cached_property
    def counts(self) -> dict[str, int]:
        return {
            "turns": len(self._taken_back),
            "utterances": len(self.said) + sum(len(each.lines) for each in self._taken_back),
            "memories": len(self.gone),
            "operations": sum(isinstance(each.request, Erased) for each in self._redacted),
        }

    def entry(self, at: datetime, now: datetime, certificate: Certificate) -> Entry:
        moment = Moment(at=at, recorded_at=now, turn_number=self.view.turn_number)
        request = Maintain(passes=())
        operation = Operation(id=new_id(), kind="pass", moment=moment, who=WHO, request=request, why="scrubbed")
        changes = (
            Change(before=each, after=None if each.id in self.gone else memory_without(each, self.words))
            for each in self._memories.values()
        )
        things = self.view.state_records()
        moves = (
            Move(kind=kind, id=id, before=thing, after=value_without(thing, self.words))
            for (kind, id), thing in things.items()
        )
        return Entry(
            operation=operation,
            index={},
            memories=tuple(change for change in changes if change.before != change.after),
            moves=tuple(move for move in moves if move.before != move.after),
            removal=Removal(
                operations=tuple(self._redacted),
                taken_back=frozenset(each.place for each in self._taken_back),
                blanked=frozenset(self.said),
                words=self.words.exact,
                imprints=frozenset(
                    imprint for each in (*self.gone.values(), *self._once) for imprint in statement_imprints(each)
                ),
                certificate=certificate,
            ),
        )

    @cached_property
    def said(self) -> dict[str, str]:
        """The utterances of the turns that told them, by id; all of a turn, since a reply repeats what it answers."""
        sources = {source for each in self.gone.values() if not by_upkeep(each) for source in each.sources}
        turns = (turn for turn in self._turns if any(line.id in sources for line in turn.utterances))
        return {line.id: line.text for turn in turns for line in turn.utterances}

    @cached_property
    def words(self) -> Words:
        """What would reveal them: their sentences, and words that stand nowhere else."""
        left = [line.text for turn in self._turns for line in turn.utterances if line.id not in self.said]
        known = [text for each in self._staying for text in _texts(each)]
        own = [text for each in (*self.gone.values(), *self._once) for text in _texts(each)]
        said_then = [text for each in self._taken_back for _, text in each.lines]
        rare = telling_words([*own, *self.said.values(), *said_then, *self._topics], [*left, *known])
        exact = {each.content for each in (*self.gone.values(), *self._once) if len(each.content) > 1}
        stays = "\n".join((*left, *known))
        return Words(exact=(text for text in exact if text not in stays), rare=rare)

    @cached_property
    def _staying(self) -> list[Memory]:
        """The memories that stay, with what they said before: the journal goes on telling it."""
        gone = {*self.gone, *self._hidden}
        changes = (change for change in self._changes if change.memory_id not in gone)
        once = (side for change in changes for side in (change.before, change.after) if side is not None)
        return [*(each for each in self._memories.values() if each.id not in gone), *once]

    @cached_property
    def _memories(self) -> dict[str, Memory]:
        return {each.id: each for each in self.view.memories(_ALL)}

    @cached_property
    def _hidden(self) -> frozenset[str]:
        """The ids of forgotten memories that no longer exist because their turn was rewound."""
        return frozenset(each for each in self.view.ever_hidden() if each not in self._memories)

    @cached_property
    def _once(self) -> list[Memory]:
        """What these memories once said."""
        changes = (change for change in self._changes if change.memory_id in self._hidden)
        return [side for change in changes for side in (change.before, change.after) if side is not None]

    @cached_property
    def _operations(self) -> list[Operation]:
        return self.view.operations(in_force=False)

    @cached_property
    def _changes(self) -> list[Change]:
        return [change for each in self._operations for change in each.changes]

    @cached_property
    def _topics(self) -> list[str]:
        """What was noticed to be talked of in the turns that are blanked: it may be a part of a word that was said."""
        turns = {turn.id for turn in self._turns if any(line.id in self.said for line in turn.utterances)}
        turns |= {each.turn_id for each in self._taken_back}
        requests = (each.request for each in self._operations if each.turn_id in turns)
        noticed = (request.noticed for request in requests if isinstance(request, Learn))
        topics = {topic for each in noticed if each is not None for topic in each.topics}
        said = "\n".join([*self.said.values(), *(text for each in self._taken_back for _, text in each.lines)])
        return [topic for topic in topics if topic in said]  # the others are names of attributes

    @cached_property
    def _turns(self) -> list[Turn]:
        return self.view.turns(self.view.turn_number)

    @cached_property
    def _taken_back(self) -> list[RewoundTurn]:
        sources = {source for each in self._once for source in each.sources}
        return [each for each in self.view.rewound_turns() if any(line in sources for line, _ in each.lines)]

    @cached_property
    def _redacted(self) -> list[Operation]:
        """The operations of the journal that lose words, as they are afterwards."""
        gone = {*self.gone, *self._hidden}
        anew = ((each, operation_without(each, self.words, gone)) for each in self._operations)
        return [new for old, new in anew if new != old]


def _texts(memory: Memory) -> list[str]:
    name = memory.subject_id if memory.subject == "other" else None
    return [text for text in (memory.content, memory.value, memory.surface, name) if text]
