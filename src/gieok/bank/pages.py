"""What a mind keeps, to be leafed through: turns and how they came about, memories, the journal, the summaries."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Literal, get_args

from gieok.bank.checking import composed, listed
from gieok.domain.answer import Item, Observed
from gieok.domain.attributes import ContentType
from gieok.domain.attributes import attribute as attribute_named
from gieok.domain.claim import Origin, Subject
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.domain.trace import Trace
from gieok.domain.turn import CHARACTER, Turn, checked_moment
from gieok.domain.upkeep import by_upkeep
from gieok.errors import InvalidQuery, NoTrace, UnknownMemory, UnknownTurn
from gieok.ports import Leaf, Leafing

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank
    from gieok.language.mood import Mood

State = Literal["current", "past", "forgotten", "all"]


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
        state: State = "current",
        text: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        about: str | None = None,
        type: ContentType | None = None,
        attribute: str | None = None,
        origin: Origin | None = None,
        pinned: bool | None = None,
    ) -> list[Leaf]:
        """Return the memories that were written down last (with a place below `before`), the newest first.

        Every word of `text` stands in what is returned. `since` and `until` ask from when on it was true.
        """
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
        which = Leafing(
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
        )
        with self._bank.store.view(self.key) as view:
            return view.leaves(which, limit, before=before)

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

    def items(self, item_ids: Iterable[str]) -> dict[str, Item]:
        """Return memories and utterances by their ids, as a trace names them, without those that were forgotten."""
        with self._bank.store.view(self.key) as view:
            refs = view.refs(listed(item_ids, "item_ids"))
            items, silent = view.items(refs.values()), view.forgotten_words()
        found = {item_id: items[ref] for item_id, ref in refs.items() if ref in items and item_id not in silent}
        return {key: item for key, item in found.items() if not (isinstance(item, Memory) and item.hidden)}

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
