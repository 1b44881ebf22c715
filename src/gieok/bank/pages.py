"""What a mind keeps, to be leafed through: turns and how they came about, memories, the journal, the summaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, TypedDict, Unpack, get_args
from zoneinfo import ZoneInfo

from gieok.bank.checking import composed
from gieok.domain.answer import Observed, Trace
from gieok.domain.attributes import ContentType
from gieok.domain.attributes import attribute as attribute_named
from gieok.domain.claim import Origin, Subject
from gieok.domain.memory import Change, Memory, by_truth, strength_now
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, Turn, Utterance, checked_moment
from gieok.domain.upkeep import by_upkeep
from gieok.errors import InvalidQuery, NoTrace, UnknownMemory, UnknownTurn
from gieok.ports import About, Leaf, Leafing, View

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank
    from gieok.language.mood import Mood

State = Literal["current", "past", "forgotten", "all"]
_LONGEST_LINE: Final = 100  #: memories that took one another's place


class Narrowed(TypedDict, total=False):
    """Which memories are looked at; what is left out does not narrow."""

    state: State  #: "current" where it is left out
    text: str | None  #: every word of it stands in them
    since: datetime | None  #: true from then on, or later
    until: datetime | None  #: true from an earlier moment
    about: str | None
    type: ContentType | None
    attribute: str | None
    origin: Origin | None
    pinned: bool | None
    pii: bool | None  #: whether something personal was found in their words


@dataclass(frozen=True, slots=True, kw_only=True)
class Month:
    """How many memories became true in a month of the bank's time zone."""

    year: int
    month: int
    memories: int


class Pages:
    """The part of a `Mind` that shows what is kept, one page at a time."""

    _bank: MemoryBank
    key: Scope

    if TYPE_CHECKING:

        def _moment(self, at: datetime | None) -> datetime: ...
        def _subject(self, about: str) -> tuple[Subject, str]: ...
        def _turn(self, turn_id: str) -> Turn: ...

    def turns(self, limit: int = 20, *, before: int | None = None) -> list[Turn]:
        """Return the last turns (with a number below `before`), oldest first."""
        with self._bank.store.view(self.key) as view:
            return view.turns(limit, before=before)

    def turn(self, turn_id: str) -> Turn:
        """Return the turn in force with this id; raises `UnknownTurn`."""
        return self._turn(turn_id)

    def memories(
        self,
        limit: int = 50,
        *,
        before: int | None = None,
        **which: Unpack[Narrowed],
    ) -> list[Leaf]:
        """Return the memories that were written down last (with a place below `before`), the newest first.

        Every word of `text` stands in what is returned. `since` and `until` ask from when on it was true.
        """
        leafing = self._leafing(**which)
        with self._bank.store.view(self.key) as view:
            return view.leaves(leafing, limit, before=before)

    def story(self, limit: int = 50, *, before: Leaf | None = None, **which: Unpack[Narrowed]) -> list[Leaf]:
        """Return memories by when they became true (below `before`, the last one seen), the latest first."""
        leafing = self._leafing(**which)
        with self._bank.store.view(self.key) as view:
            return view.story(leafing, limit, before=before)

    def months(self, **which: Unpack[Narrowed]) -> list[Month]:
        """Return how many memories became true in each month, the latest first; months without one are left out."""
        leafing = self._leafing(**which)
        with self._bank.store.view(self.key) as view:
            spread = view.quarters(leafing)
        return _by_month(spread, self._bank.settings.zone)[::-1]

    def subjects(self) -> list[About]:
        """Return whom memories are about, past and forgotten ones too, those with the most first."""
        with self._bank.store.view(self.key) as view:
            return view.subjects()

    def sources(self, memory_id: str, limit: int = 20) -> list[Turn]:
        """Return the turns that a memory was read from or said again in, oldest first; of many the first `limit`.

        What a person wrote down or upkeep made has none; turns that were taken back are left out.
        """
        said = self.memory(memory_id).sources
        with self._bank.store.view(self.key) as view:
            spoken = view.items(view.refs(said).values()).values()
            named = dict.fromkeys(each.turn_id for each in spoken if isinstance(each, Utterance))
            turns = [turn for turn_id in named if (turn := view.turn(turn_id)) is not None]
        return sorted(turns, key=lambda turn: turn.number)[: max(limit, 0)]

    def lineage(self, memory_id: str) -> list[Memory]:
        """Return a memory with all that took one another's place before and after it, by when each became true."""
        line = {memory_id: self.memory(memory_id)}
        with self._bank.store.view(self.key) as view:
            waiting = [line[memory_id]]
            while waiting and len(line) < _LONGEST_LINE:
                beside = [each for each in _next_in_line(view, waiting.pop()) if each.id not in line]
                line |= {each.id: each for each in beside}
                waiting += beside
        return sorted(line.values(), key=by_truth)

    def _leafing(
        self,
        *,
        state: State = "current",
        text: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        about: str | None = None,
        type: ContentType | None = None,
        attribute: str | None = None,
        origin: Origin | None = None,
        pinned: bool | None = None,
        pii: bool | None = None,
    ) -> Leafing:
        for name, moment in (("since", since), ("until", until)):
            if moment is not None:
                checked_moment(moment, name)
        if attribute is not None:
            attribute = attribute_named(attribute).key
        for name, given, choices in (
            ("state", state, get_args(State)),
            ("type", type, get_args(ContentType)),
            ("origin", origin, get_args(Origin)),
        ):
            if given is not None and given not in choices:
                raise InvalidQuery(f"unknown {name} {given!r}; choose one of {', '.join(choices)}")
        subject, subject_id = (None, None) if about is None else self._subject(about)
        return Leafing(
            state=state,
            present=self._moment(None),
            words=tuple(composed(text or "").split()),
            since=since,
            until=until,
            subject=subject,
            subject_id=subject_id,
            content_type=type,
            attribute=attribute,
            origin=origin,
            pinned=pinned,
            pii=pii,
        )

    def present(self) -> datetime:
        """Return the present of the story: its newest turn, unless the clock is further."""
        return self._moment(None)

    def strengths(self, memories: Iterable[Memory]) -> dict[str, float]:
        """Return how strong memories are by now, by their ids: they fade from turn to turn."""
        fading = self._bank.services.policy.fading
        with self._bank.store.view(self.key) as view:
            turn_number = view.turn_number
        return {memory.id: strength_now(memory, turn_number, fading) for memory in memories}

    def memory(self, memory_id: str) -> Memory:
        """Return a memory as it is now, also one that is past or forgotten; raises `UnknownMemory`."""
        with self._bank.store.view(self.key) as view:
            known = view.memories_by_id([memory_id]).get(memory_id)
        if known is None:
            raise UnknownMemory(memory_id)
        return known

    def history(self, memory_id: str) -> list[tuple[Operation, Change]]:
        """Return everything that happened to a memory, oldest first."""
        with self._bank.store.view(self.key) as view:
            happened = view.history(memory_id)
        if not happened:
            raise UnknownMemory(memory_id)
        return happened

    def journal(self, limit: int | None = None, *, since: int = 1) -> list[Operation]:
        """Return the operations of this scope from number `since` on, in order, undone ones and rewinds included."""
        with self._bank.store.view(self.key) as view:
            return view.operations(since=since, limit=limit, in_force=False)

    def last_operations(self, limit: int, *, before: int | None = None) -> list[Operation]:
        """Return the end of the journal (below number `before`), in order."""
        with self._bank.store.view(self.key) as view:
            return view.last_operations(limit, before=before)

    def summaries(self) -> list[Memory]:
        """Return the story so far and the weekly documents, oldest first."""
        with self._bank.store.view(self.key) as view:
            concluded = view.concluded()
        return [memory for memory in concluded if by_upkeep(memory) and memory.content_type == "summary"]


def _by_month(spread: Mapping[datetime, int], zone: ZoneInfo) -> list[Month]:
    """Return the sums of what `spread` tells, in order, for each month that begins and ends by the clock of `zone`."""
    counted: dict[tuple[int, int], int] = {}
    here, end = (0, 0), None
    for moment, memories in spread.items():
        if end is None or moment >= end:
            there = moment.astimezone(zone)
            # the clock of `moment`: comparing two of one clock is quick, and there may be a hundred thousand
            here, end = (there.year, there.month), _next_month(there).astimezone(moment.tzinfo)
            counted[here] = 0
        counted[here] += memories
    return [Month(year=year, month=month, memories=memories) for (year, month), memories in counted.items()]


def _next_month(moment: datetime) -> datetime:
    first = moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return first.replace(year=first.year + 1, month=1) if first.month == 12 else first.replace(month=first.month + 1)


def _next_in_line(view: View, memory: Memory) -> list[Memory]:
    successor = view.memories_by_id([memory.closed_by]) if memory.closed_by is not None else {}
    return [*view.closed_by(memory.id), *successor.values()]


class Hindsight:
    """The part of a `Mind` that looks back at turns."""

    _bank: MemoryBank
    key: Scope

    if TYPE_CHECKING:

        def _turn(self, turn_id: str) -> Turn: ...

    def observed(self, turn_id: str) -> Observed:
        """Return what became of a turn, as it is in force now. Raises `UnknownTurn`."""
        return self._bank.services.observer.observed(self.key, turn_id)

    def trace(self, turn_id: str) -> Trace:
        """Return how a turn came about: what was found, shown to the model and used, what it cost, who read feelings.

        The last `keep_traces` turns have one. Raises `UnknownTurn`, or `NoTrace` for a turn without.
        """
        with self._bank.store.view(self.key) as view:
            trace = view.trace(turn_id)
            known = trace is not None or view.turn(turn_id) is not None
        if not known:
            raise UnknownTurn(turn_id)
        if trace is None:
            raise NoTrace(turn_id, self._bank.settings.keep_traces)
        return trace

    def silence(self, turn_id: str) -> tuple[Mood, ...]:
        """Return the moods in which nothing can be told as a fact, of what was said to the character in a turn.

        None: it was told plainly. Raises `UnknownTurn`.
        """
        from gieok.language.clauses import clauses
        from gieok.language.mood import mood
        from gieok.language.text import normalise

        turn = self._turn(turn_id)
        said = "\n".join(each.text for each in turn.utterances if each.speaker != CHARACTER)
        found = dict.fromkeys(mood(clause) for clause in clauses(normalise(said)))
        return tuple(each for each in found if each != "statement")
