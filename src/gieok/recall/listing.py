"""Listing what is known, without ranking: true now, at another moment, by the beliefs of another moment, or ever."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn
from gieok.domain.upkeep import concluded
from gieok.ports import Clock, MemoryFilter, Store, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Lister:
    """Lists facts. It never writes."""

    store: Store
    clock: Clock

    def present(self, scope: Scope) -> datetime:
        """Return the present of the story in `scope`."""
        with self.store.view(scope) as view:
            return present(view, self.clock)

    def facts(
        self, scope: Scope, which: MemoryFilter, *, as_of: datetime | None, known_at: datetime | None, history: bool
    ) -> list[Memory]:
        """Return the memories that `which` names: true now, at `as_of`, by the beliefs of `known_at`, or ever.

        Summaries, profiles and insights are listed only where their type is asked for.
        """
        found = self._listed(scope, which, as_of=as_of, known_at=known_at, history=history)
        return found if which.content_type else [memory for memory in found if not concluded(memory)]

    def _listed(
        self, scope: Scope, which: MemoryFilter, *, as_of: datetime | None, known_at: datetime | None, history: bool
    ) -> list[Memory]:
        with self.store.view(scope) as view:
            if known_at is not None:
                believed = [memory for memory in view.believed_at(known_at) if _within(memory, which)]
                moment = as_of or known_at
            else:
                moment = as_of or present(view, self.clock)
                if not history:
                    return view.memories(replace(which, current_at=moment))
                believed = view.memories(replace(which, include_faded=True))
        if history:
            return [memory for memory in believed if not memory.retracted and memory.forgotten_at is None]
        return [memory for memory in believed if memory.true_at(moment)]


def present(view: View, clock: Clock) -> datetime:
    """Return the present of the story: its newest turn, unless the clock is further."""
    return max(filter(None, (view.latest_at, clock.now())))


def _within(memory: Memory, which: MemoryFilter) -> bool:
    return (
        which.subject in (None, memory.subject)
        and which.subject_id in (None, memory.subject_id)
        and which.speaker in (None, memory.speaker)
        and which.content_type in (None, memory.content_type)
        and which.attribute in (None, memory.attribute)
        and (which.learned_since is None or memory.known_at >= which.learned_since)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """The last turns, or the last messages."""

    turns: int
    messages: int = 0  #: above 0: counted in messages, whatever the turns

    def of(self, view: View, now: datetime) -> list[Turn]:
        """Return the turns, oldest first; a turn that is in only by half keeps its newer half."""
        turns = [turn for turn in view.turns(self.messages or self.turns) if turn.at <= now]
        if not self.messages:
            return turns
        kept: list[Turn] = []
        left = self.messages
        for turn in reversed(turns):
            if left > 0:
                kept.append(replace(turn, utterances=turn.utterances[-left:]))
                left -= len(turn.utterances)
        return kept[::-1]
