"""The mind of one character for one user: the handle that callers use.

Each method checks its arguments and calls a service; the rules are elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict, TypeVar, Unpack, get_args

from gieok.bank import history as past
from gieok.bank.history import Feeling, Grounds, MannerStep, Month, Regard, Step, Version
from gieok.bank.inputs import (
    Exchange,
    NewMemory,
    ScopeInput,
    check_moments,
    checked_choice,
    composed,
    consented,
    listed,
    weights_over,
)
from gieok.bank.services import weights_in
from gieok.domain.answer import BLOCKS, Context, Hit, Item, ModelCall, Observed, Trace, Where, trace_of
from gieok.domain.apply import PAIR
from gieok.domain.attributes import ContentType
from gieok.domain.attributes import attribute as attribute_named
from gieok.domain.audit import act_of
from gieok.domain.claim import Origin, Polarity
from gieok.domain.decision import Decision
from gieok.domain.emotion import Felt
from gieok.domain.entity import Entity, Surroundings, most_frequent
from gieok.domain.erasure import Erasing, Erasure, checked_part
from gieok.domain.memory import Change, Memory, strength_now
from gieok.domain.operation import Join, Operation, Part, Stage
from gieok.domain.relationship import Manners, Relationship, new_relationship
from gieok.domain.scene import Scene, last_time, shared_scenes
from gieok.domain.scope import Scope
from gieok.domain.scoring import Weights
from gieok.domain.state import ScopeState
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance, checked_moment
from gieok.domain.upkeep import PASSES, Outlook, PassName, by_upkeep
from gieok.errors import (
    ErrorText,
    InvalidQuery,
    NoTrace,
    UnknownMemory,
    UnknownPerson,
    UnknownTurn,
    UnknownVersion,
)
from gieok.export.about_me import AboutMe, about_me, called
from gieok.ids import new_id
from gieok.observe.said import Said, after_storing, reworded, said
from gieok.ports import About, BrowseFilter, Holdings, Leaf, MemoryFilter, PlannedEntry, View
from gieok.ports.view import State as State
from gieok.recall.surroundings import surroundings

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank
    from gieok.bank.models import Deepened
    from gieok.domain.upkeep import Upkept
    from gieok.language.mood import Mood
    from gieok.recall.recaller import Recaller
    from gieok.settings import Settings

PERSON: Final = "person"
READ_TOGETHER: Final = 1_000  #: number of unread turns that one upkeep reads
STORED_TOGETHER: Final = 64  #: exchanges per transaction of `observe_many`
Answer = TypeVar("Answer")


class Narrowed(TypedDict, total=False):
    """A filter for memories; an omitted field does not filter."""

    state: State  #: default: "current"
    text: str | None  #: every word of it is in the memory
    since: datetime | None  #: became true at or after
    until: datetime | None  #: became true before
    about: str | None
    type: ContentType | None
    attribute: str | None
    origin: Origin | None
    pinned: bool | None
    doubtful: bool | None  #: whether it is unconfirmed
    pii: bool | None  #: whether personal data was found in its text


class Mind:
    """What one character knows about one user in one world."""

    def __init__(
        self,
        bank: MemoryBank,
        scope: Scope,
        *,
        weights: Weights | Mapping[str, float] | None = None,
        settings: Settings | None = None,
    ) -> None:
        self._bank = bank
        self._services = bank.services
        self._settings = settings or bank.settings
        self._input = ScopeInput(scope, bank.services.mask)
        self.key = scope  #: the frozen scope
        #: recall weights, unless a call gives others
        self.weights = weights_over(weights, weights_in(self._settings))

    def __repr__(self) -> str:
        return f"Mind({self.key})"

    @property
    def bank(self) -> MemoryBank:
        """The bank that this mind belongs to."""
        return self._bank

    def under(self, settings: Settings) -> Mind:
        """Return this mind with other settings for recall and context, to try them out. Nothing is changed.

        Store, encoder and models stay those of the bank, and so do the rules that judge new claims.
        """
        return Mind(self._bank, self.key, settings=settings)

    # Write

    def observe(
        self,
        text: str | None = None,
        *,
        reply: str | None = None,
        at: datetime | None = None,
        session: str | None = None,
        turn_id: str | None = None,
        speaker: str | None = None,
        present: Iterable[str] = (),
        channel: str | None = None,
        context: Context | None = None,
        cut_off: bool = False,
        scripted: bool = False,
        felt: Iterable[Felt] = (),
        calls: Iterable[ModelCall] = (),
        consent: Iterable[str] = (),
    ) -> Observed:
        """Learn from an exchange: `text` by the user (or by another `speaker`), then `reply` by the character.

        The same `turn_id` with the same text returns what was stored; with another text it raises `TurnChanged`.
        Characters in `present` also learn from it, each in their own scope; a rewind here does not affect them.
        `context` is the context the reply was made with: its memories are counted as used, in the same transaction.
        `cut_off` marks an interrupted reply, `scripted` one with fixed phrases, from which nothing is learned. `felt`
        are feelings that a model or a player has already named. `calls` are the model calls made for the reply; `trace`
        returns them together with `context`. Personal data is masked as configured; `Observed.ask` lists the kinds to
        ask the user about, and `consent` the kinds they agree to store.
        """
        others = tuple(self.key.beside(each).character or CHARACTER for each in listed(present, "present"))
        return self._learn(
            Said(
                lines=said(text, reply, self._input.speaker(speaker, beside=text or "")),
                at=at,
                session=session,
                turn_id=turn_id if turn_id is not None else (new_id() if others else None),
                channel=channel,
                present=others,
                cut_off=cut_off,
                scripted=scripted,
                felt=tuple(felt),
                consent=consented(consent),
                used=context.items if context is not None else (),
                trace=trace_of(context, calls) if self._bank.settings.keep_traces else None,
            )
        )

    def _learn(self, what: Said, first: Callable[[], Sequence[PlannedEntry]] | None = None) -> Observed:
        """Learn from an exchange here and for those present, in one transaction that begins with `first`."""
        heard = [(self.key.beside(name), what.heard_by(name, self.key.character or CHARACTER)) for name in what.present]
        observed = self._services.observer.observe(self.key, what, beside=heard, first=first)
        if not observed.again:
            for scope in (self.key, *(scope for scope, _ in heard)):
                with after_storing():
                    self._services.after_turn(scope, observed)
                self._bank.wake(scope)
        return observed

    def observe_many(
        self,
        exchanges: Iterable[Exchange],
        *,
        read: bool = True,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Turn]:
        """Learn from earlier exchanges, oldest first, with the same result as `observe` for each.

        They are stored first, many in one transaction, and are found by `recall` from then on. Then their facts and
        feelings are read, as `read_unread` does; with `read=False` this is left for later. All exchanges are checked
        before the first is stored; one whose `turn_id` is stored already is skipped. Returns the stored turns.
        `progress` is called with (done, total): each exchange counts once when stored, once when read.
        """
        whats = [self._input.exchange(each, number) for number, each in enumerate(exchanges, 1)]
        told = progress or (lambda done, total: None)
        total = len(whats) * (1 + read)
        told(0, total)
        stored: list[Turn] = []
        for start in range(0, len(whats), STORED_TOGETHER):
            some = self._services.observer.store_unread(self.key, whats[start : start + STORED_TOGETHER])
            stored += [observed.turn for observed in some]
            told(len(stored), total)
        if read:
            self.read_unread(progress=lambda done: told(min(len(whats) + done, total), total))
        return stored

    def read_unread(self, *, progress: Callable[[int], None] | None = None) -> int:
        """Read the facts and feelings of turns that were stored unread, oldest first; return how many were read.

        It can be stopped at any time: what is left stays unread, and `observe` and `maintain` read some of it, too.
        `progress` is called with how many are read.
        """
        done = self._services.read_unread(self.key, progress=progress)
        if done:
            self._bank.wake(self.key)
        return done

    def remember(
        self,
        content: str,
        *,
        about: str = USER,
        attribute: str | None = None,
        value: str | None = None,
        type: ContentType | None = None,
        said_by: str | None = None,
        polarity: Polarity = "+",
        importance: float | None = None,
        valid_at: datetime | None = None,
        invalid_at: datetime | None = None,
        at: datetime | None = None,
        tags: Sequence[str] = (),
        origin: Literal["person", "import"] = "person",
        consent: Iterable[str] = (),
    ) -> Decision:
        """Remember a statement. It is judged like any claim, but never ignored as unimportant.

        Personal data in it is masked as in `observe`.
        """
        what = NewMemory(
            content=content,
            about=about,
            attribute=attribute,
            value=value,
            type=type,
            said_by=said_by,
            polarity=polarity,
            importance=importance,
            valid_at=valid_at,
            invalid_at=invalid_at,
            tags=tags,
            origin=origin,
            consent=consent,
        )
        moment = self._moment(at)
        return self._services.observer.remember(self.key, self._input.claim(what, moment), moment)

    # Read

    def recall(
        self,
        query: str,
        *,
        k: int | None = None,
        at: datetime | None = None,
        where: Where | None = None,
        weights: Weights | Mapping[str, float] | None = None,
        explain: bool = False,
    ) -> list[Hit]:
        """Return memories and utterances relevant to `query`, best first, each with its score parts. Writes nothing.

        `weights` may set single parts; the others keep their weight. With `explain`, the `contributions` of each hit
        show what each part adds to its score.
        """
        return self._recaller.recall(
            self.key,
            self._input.text(query, "query"),
            k=self._settings.recall_k if k is None else k,
            at=None if at is None else checked_moment(at),
            where=Where() if where is None else self._input.where(where),
            weights=self.weights if weights is None else weights_over(weights, self.weights),
            explain=explain,
        )

    def context(
        self,
        query: str,
        *,
        budget: int | None = None,
        k: int | None = None,
        at: datetime | None = None,
        include: Iterable[str] = (),
        weights: Weights | Mapping[str, float] | None = None,
        system: str = "",
        examples: Iterable[str] = (),
        shown: Iterable[str] | None = None,
        without: Iterable[str] = (),
    ) -> Context:
        """Return what a model should see before it answers `query`, in at most `budget` tokens.

        `include` are ids of items to add first. `system` is your own prompt and `examples` your few-shot examples: they
        are counted and come first, unchanged, while memories are quoted as data. If you show the model recent messages
        yourself, pass the ids of their utterances as `shown`: then neither they nor the last turns are quoted.
        `without` names blocks to omit: pinned, people, examples, talk, memories, summary.
        """
        settings = self._settings
        unwanted = listed(without, "without")
        for name in unwanted:
            checked_choice("block", name, BLOCKS)
        return self._recaller.context(
            self.key,
            self._input.text(query, "query"),
            budget=settings.context_budget if budget is None else budget,
            k=settings.context_k if k is None else k,
            at=None if at is None else checked_moment(at),
            include=listed(include, "include"),
            system=system.strip(),
            examples=[each.strip() for each in listed(examples, "examples") if each.strip()],
            weights=self.weights if weights is None else weights_over(weights, self.weights),
            shown=None if shown is None else listed(shown, "shown"),
            without=frozenset(unwanted),
        )

    def items(self, ids: Iterable[str]) -> dict[str, Item]:
        """Return the memories and utterances with these ids that a context may quote; others are omitted."""
        return self._recaller.items(self.key, listed(ids, "ids"))

    def facts(
        self,
        about: str | None = None,
        *,
        said_by: str | None = None,
        type: ContentType | None = None,
        attribute: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        learned_since: datetime | None = None,
        history: bool = False,
        doubtful: bool = False,
    ) -> list[Memory]:
        """Return what is true now, oldest first, without ranking or limit.

        `as_of` returns what was true at that time, `known_at` what was believed then. `history` returns everything that
        was ever true, but not what was retracted or forgotten. Doubtful memories are listed only with `doubtful=True`.
        """
        if attribute is not None:
            attribute = attribute_named(attribute).key
        checked_choice("type", type, get_args(ContentType))
        check_moments(as_of=as_of, known_at=known_at, learned_since=learned_since)
        subject, subject_id = (None, None) if about is None else self._input.subject(about)
        which = MemoryFilter(
            subject=subject,
            subject_id=subject_id,
            speaker=self._input.role(said_by),
            content_type=type,
            attribute=attribute,
            doubtful=None if doubtful else False,
            learned_since=learned_since,
        )
        now = self._bank.clock.now()
        return self._read(lambda view: past.facts_in(view, which, now, as_of=as_of, known_at=known_at, ever=history))

    def doubtful(self) -> list[Memory]:
        """Return the memories that wait for `confirm` or `reject`, oldest first."""
        now = self._bank.clock.now()
        return self._read(lambda view: past.facts_in(view, MemoryFilter(doubtful=True), now))

    def timeline(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        type: ContentType | None = None,
        text: str | None = None,
    ) -> list[Memory]:
        """Return everything that was ever true, decayed memories included, by start date. `text` filters by content.

        Doubtful memories are omitted.
        """
        check_moments(since=since, until=until)
        checked_choice("type", type, get_args(ContentType))
        words = composed(text or "").casefold()
        with self._view() as view:
            known = view.memories(MemoryFilter(content_type=type, doubtful=False, include_faded=True))
        return [
            memory
            for memory in known
            if (since is None or memory.valid_at >= since)
            and (until is None or memory.valid_at < until)
            and words in memory.content.casefold()
        ]

    def turns(self, limit: int = 20, *, before: int | None = None) -> list[Turn]:
        """Return the last turns (with a number below `before`), oldest first."""
        return self._read(lambda view: view.turns(limit, before=before))

    def turn(self, turn_id: str) -> Turn:
        """Return the turn in force with this id; raises `UnknownTurn`."""
        with self._view() as view:
            turn = view.turn(turn_id)
        if turn is None:
            raise UnknownTurn(turn_id)
        return turn

    def observed(self, turn_id: str) -> Observed:
        """Return the current result of a turn. Raises `UnknownTurn`."""
        return self._services.observer.observed(self.key, turn_id)

    def trace(self, turn_id: str) -> Trace:
        """Return the trace of a turn: what was found, shown to the model and used, its cost, how feelings were read.

        The last `keep_traces` turns have one. Raises `UnknownTurn`, or `NoTrace` for a turn without.
        """
        with self._view() as view:
            trace = view.trace(turn_id)
            known = trace is not None or view.turn(turn_id) is not None
        if not known:
            raise UnknownTurn(turn_id)
        if trace is None:
            raise NoTrace(turn_id, self._bank.settings.keep_traces)
        return trace

    def silence(self, turn_id: str) -> tuple[Mood, ...]:
        """Return why a turn gave no fact: the moods, other than plain statement, of what was said to the character.

        Empty: it was plain statement. Raises `UnknownTurn`.
        """
        from gieok.language.clauses import clauses
        from gieok.language.mood import mood
        from gieok.language.text import normalise

        told = "\n".join(each.text for each in self.turn(turn_id).utterances if each.speaker != CHARACTER)
        found = dict.fromkeys(mood(clause) for clause in clauses(normalise(told)))
        return tuple(each for each in found if each != "statement")

    def memories(self, limit: int = 50, *, before: int | None = None, **which: Unpack[Narrowed]) -> list[Leaf]:
        """Return the memories stored last (with a place below `before`), the newest first.

        `text`: every word of it is in the memory. `since` and `until` filter by the time it became true.
        """
        filter = self._browsing(which)
        return self._read(lambda view: view.browse(filter, limit, before=before))

    def story(self, limit: int = 50, *, before: Leaf | None = None, **which: Unpack[Narrowed]) -> list[Leaf]:
        """Return memories by the time they became true (before `before`, the last one seen), the latest first."""
        filter = self._browsing(which)
        return self._read(lambda view: view.browse_by_date(filter, limit, before=before))

    def months(self, **which: Unpack[Narrowed]) -> list[Month]:
        """Return how many memories became true in each month, the latest first; empty months are omitted."""
        filter = self._browsing(which)
        with self._view() as view:
            spread = view.count_by_quarter_hour(filter)
        return past.months_in(spread, self._bank.settings.zone)[::-1]

    def subjects(self) -> list[About]:
        """Return the subjects of memories, past and forgotten ones included, sorted by number of memories."""
        return self._read(lambda view: view.subjects())

    def memory(self, memory_id: str) -> Memory:
        """Return a memory in its current state, also if past or forgotten; raises `UnknownMemory`."""
        return self._read(lambda view: past.known_memory(view, memory_id))

    def sources(self, memory_id: str, limit: int = 20) -> list[Turn]:
        """Return the first `limit` turns that a memory was extracted from or repeated in, oldest first.

        A memory that a person wrote or upkeep made has none; rewound turns are omitted.
        """
        with self._view() as view:
            sources = past.known_memory(view, memory_id).sources
            spoken = view.items(view.refs(sources).values()).values()
            named = dict.fromkeys(each.turn_id for each in spoken if isinstance(each, Utterance))
            turns = [turn for turn_id in named if (turn := view.turn(turn_id)) is not None]
        return sorted(turns, key=lambda turn: turn.number)[: max(limit, 0)]

    def lineage(self, memory_id: str) -> list[Memory]:
        """Return a memory with its predecessors and successors, sorted by start date."""
        return self._read(lambda view: past.lineage_of(view, past.known_memory(view, memory_id)))

    def strengths(self, memories: Iterable[Memory]) -> dict[str, float]:
        """Return the current strength of memories by id; it decays from turn to turn."""
        with self._view() as view:
            turn_number = view.turn_number
        return {each.id: strength_now(each, turn_number, self._services.policy.fading) for each in memories}

    def history(self, memory_id: str) -> list[tuple[Operation, Change]]:
        """Return all changes of a memory, oldest first."""
        with self._view() as view:
            happened = view.history(memory_id)
        if not happened:
            raise UnknownMemory(memory_id)
        return happened

    def versions(self, memory_id: str) -> list[Version]:
        """Return the versions of a memory, oldest first, with the author of each; raises `UnknownMemory`.

        Versions undone by a rewind are omitted; `MemoryBank.audit` has them.
        """
        happened = self.history(memory_id)
        actors = self._bank.store.audit.actors(self.key, [operation.number for operation, _ in happened])
        return [
            Version(
                number=change.after.version if change.after is not None else None,
                operation_id=operation.id,
                operation=operation.number,
                kind=operation.kind,
                act=act_of(operation),
                at=operation.moment.at,
                recorded_at=operation.moment.recorded_at,
                actor=actors.get(operation.number),
                who=operation.who,
                why=operation.why,
                turn_id=operation.turn_id,
                before=change.before,
                after=change.after,
            )
            for operation, change in happened
        ]

    def journal(self, limit: int | None = None, *, since: int = 1) -> list[Operation]:
        """Return the operations of this scope from number `since` on, in order, including undone ones and rewinds."""
        return self._read(lambda view: view.operations(since=since, limit=limit, in_force=False))

    def last_operations(self, limit: int, *, before: int | None = None) -> list[Operation]:
        """Return the last operations of the journal (numbered below `before`), in order."""
        return self._read(lambda view: view.last_operations(limit, before=before))

    def summaries(self) -> list[Memory]:
        """Return the running summary and the weekly summaries, oldest first."""
        return [memory for memory in self.conclusions() if memory.content_type == "summary"]

    def present(self) -> datetime:
        """Return the present of the story: its newest turn, or the clock if that is later."""
        return self._moment(None)

    def period(self, when: str) -> tuple[datetime | None, datetime | None]:
        """Return the period of story time that a phrase names, from its start to before its end; None: open."""
        from gieok.language.periods import asked_periods

        found = asked_periods(when, self.present(), self._bank.settings.zone)
        if len(found) != 1:
            raise InvalidQuery(ErrorText("erase.several_times" if found else "erase.no_time", when=when))
        return found[0].start, found[0].end

    # Edit

    def correct(
        self,
        memory_id: str,
        content: str,
        *,
        value: str | None = None,
        at: datetime | None = None,
        if_version: int | None = None,
        consent: Iterable[str] = (),
    ) -> Memory:
        """Correct a memory and return its new state. The old wording stays in its history.

        With `if_version`, here and in `pin` and `forget`, raises `MemoryMoved` unless the memory has that version.
        """
        moment = self._moment(at)
        kinds = consented(consent)
        raw, content = content, self._input.text(content, "content", kinds)
        value = surface = None if value is None else self._input.text(value, consent=kinds, beside=raw)
        if value is None:  # read the correction as the memory's speaker would have said it
            read = self._services.observer.reread(self.key, self.memory(memory_id), content, moment, kinds)
            value, surface = (read.value, read.surface) if read else (None, None)
        return self._services.editor.correct(
            self.key, memory_id, content, value=value, surface=surface, at=moment, if_version=if_version
        )

    def pin(
        self, memory_id: str, pinned: bool = True, *, at: datetime | None = None, if_version: int | None = None
    ) -> Memory:
        """Pin a memory, so that it is in every context, or (`pinned=False`) unpin it."""
        moment = self._moment(at)
        return self._services.editor.pin(self.key, memory_id, pinned=pinned, at=moment, if_version=if_version)

    def confirm(self, memory_id: str, *, at: datetime | None = None, if_version: int | None = None) -> Memory:
        """Confirm a doubtful memory: pin it if its attribute is pinned, and close contradicting memories.

        Raises `InvalidQuery` for a memory that is not doubtful, as does `reject`.
        """
        return self._services.editor.confirm(self.key, memory_id, at=self._moment(at), if_version=if_version)

    def reject(self, memory_id: str, *, at: datetime | None = None, if_version: int | None = None) -> Memory:
        """Retract a doubtful memory: it was never true."""
        return self._services.editor.reject(self.key, memory_id, at=self._moment(at), if_version=if_version)

    def forget(self, memory_id: str, *, at: datetime | None = None, if_version: int | None = None) -> Memory:
        """Hide a memory from all answers at once. It stays in its history until the next `scrub`."""
        return self._services.editor.forget(self.key, memory_id, at=self._moment(at), if_version=if_version)

    def restore(
        self,
        memory_id: str,
        operation_id: str | None = None,
        *,
        version: int | None = None,
        at: datetime | None = None,
        if_version: int | None = None,
    ) -> Memory:
        """Restore a memory to an earlier `version`, or to its state after an operation of its `history`.

        A forgotten memory can be restored, too. Its wording and validity are restored. Later memories that superseded
        and contradict it are retracted. The restore is added to the history.
        """
        if (operation_id is None) == (version is None):
            raise InvalidQuery("name either the operation of its history or the version that it shall be again")
        if operation_id is None:
            afters = ((each.id, change.after) for each, change in reversed(self.history(memory_id)))
            operation_id = next((id for id, after in afters if after is not None and after.version == version), None)
        if operation_id is None:
            raise UnknownVersion(memory_id, version)
        return self._services.editor.restore(
            self.key, memory_id, operation_id, at=self._moment(at), if_version=if_version
        )

    def rewind(self, turn_id: str, *more: str, following: bool = False, at: datetime | None = None) -> tuple[str, ...]:
        """Undo a turn (and `more`) with everything it caused; with `following`, every turn after the first as well.

        Later turns are judged again as if it had never been said. Returns the ids of the undone turns, which may be
        used again.
        """
        rewinder = self._services.rewinder
        return rewinder.rewind(self.key, (turn_id, *more), following=following, at=self._moment(at))

    def reroll(self, turn_id: str, reply: str, *, context: Context | None = None) -> Observed:
        """Replace the character's reply in a turn; undo the first reply and all later turns."""
        return self._reworded(turn_id, reply=reply, context=context)

    def edit(
        self, turn_id: str, *, text: str | None = None, reply: str | None = None, consent: Iterable[str] = ()
    ) -> Observed:
        """Replace the text of an earlier turn; a part that is not given stays. Later turns are undone."""
        return self._reworded(turn_id, text=text, reply=reply, consent=consent)

    def _reworded(
        self,
        turn_id: str,
        *,
        text: str | None = None,
        reply: str | None = None,
        context: Context | None = None,
        consent: Iterable[str] = (),
    ) -> Observed:
        turn = self.turn(turn_id)
        before = {(each.speaker, each.text) for each in turn.utterances}
        lines = reworded(turn, text, reply)
        stays = [text for speaker, text in lines if (speaker, text) in before]
        kinds = (*consented(consent), *(kind for each in stays for kind in self._consented_before(each)))
        return self._replaced(turn, lines, context=context, consent=kinds)

    def instead(
        self,
        turn_id: str,
        text: str | None = None,
        *,
        reply: str | None = None,
        context: Context | None = None,
        cut_off: bool = False,
        scripted: bool = False,
        felt: Iterable[Felt] = (),
        calls: Iterable[ModelCall] = (),
        consent: Iterable[str] = (),
    ) -> Observed:
        """Replace a turn by another exchange; undo the turn and all later turns.

        It is one transaction: if it fails, nothing changes.
        """
        turn = self.turn(turn_id)
        speaker = next((each.speaker for each in turn.utterances if each.speaker != CHARACTER), None)
        lines = said(text, reply, self._input.role(speaker, beside=text or ""))
        more: dict[str, Any] = {"cut_off": cut_off, "scripted": scripted, "felt": tuple(felt)}
        return self._replaced(turn, lines, context=context, calls=calls, consent=consented(consent), **more)

    def _replaced(
        self,
        turn: Turn,
        lines: tuple[tuple[str, str], ...],
        *,
        context: Context | None,
        consent: tuple[str, ...],
        calls: Iterable[ModelCall] = (),
        **more: Any,
    ) -> Observed:
        what = Said(
            lines=lines,
            at=turn.at,
            session=turn.session,
            turn_id=turn.id,
            channel=turn.channel,
            present=turn.present,
            consent=consent,
            used=context.items if context is not None else (),
            trace=trace_of(context, calls) if self._bank.settings.keep_traces else None,
            **more,
        )
        return self._learn(what, partial(self._undo_entries, turn))

    def _undo_entries(self, turn: Turn) -> list[PlannedEntry]:
        """Return the entries that undo `turn` and later turns, in every scope that heard it."""
        scopes = [self.key]
        for scope in map(self.key.beside, turn.present):
            with self._bank.store.view(scope) as view:
                if view.turn(turn.id) is not None:  # it may be undone there already
                    scopes.append(scope)
        rewinder = self._services.rewinder
        return [rewinder.plan(scope, (turn.id,), following=True, at=turn.at)[0] for scope in scopes]

    # People

    def relationship(self, at: datetime | None = None) -> Relationship:
        """Return the relationship between user and character, now or at `at`."""
        if at is not None:
            checked_moment(at)
            before = [step for step in self.trajectory() if step.at <= at]
            return before[-1].relationship if before else self._beginning()
        return self._read(lambda view: past.state_of(view, Relationship, PAIR) or self._beginning())

    def trajectory(self, limit: int | None = None, *, before: int | None = None) -> list[Step]:
        """Return every change of the relationship, oldest first; with `limit`, the latest.

        `before` returns only changes with a lower number, for paging.
        """
        return self._read(lambda view: past.steps(view, view.moves("relationship", PAIR, limit=limit, before=before)))

    def course(self, most: int = 200) -> list[Step]:
        """Return at most `most` relationship changes, evenly chosen, including the first and the last."""
        return self._read(lambda view: past.steps(view, view.sampled_moves("relationship", [PAIR], most)))

    def level_changes(self) -> list[Step]:
        """Return the steps that reached another level, oldest first; the first is the first meeting."""
        return self._read(lambda view: past.steps(view, view.turning_points("relationship", PAIR, ["level"])))

    def manners(self) -> Manners:
        """Return how the two speak to each other: styles and forms of address, since when, and who asked for them."""
        return self._read(lambda view: past.state_of(view, Manners, PAIR) or Manners())

    def manner_changes(self) -> list[MannerStep]:
        """Return every change in how the two speak to each other, oldest first, the first known manner included."""
        return self._read(past.manner_steps)

    def emotions(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
        before: int | None = None,
    ) -> list[Feeling]:
        """Return feelings, oldest first; `limit` counts turns, the latest of them (numbered below `before`)."""
        check_moments(since=since, until=until)
        with self._view() as view:
            turns = view.noticed(before=before, limit=limit if since is until is None else None)
        within = [turn for turn in turns if (since is None or turn.at >= since) and (until is None or turn.at < until)]
        latest = within if limit is None else within[max(len(within) - limit, 0) :]
        return [
            Feeling(at=turn.at, turn_id=turn.turn_id, turn_number=turn.turn_number, felt=felt)
            for turn in latest
            for felt in turn.noticed.felt
        ]

    def entities(self) -> list[Entity]:
        """Return all people who were mentioned, the last seen first."""
        with self._view() as view:
            known = [entity for _, entity in ScopeState(view.state_records("entity").items()).all(Entity)]
        return sorted(known, key=lambda entity: (entity.last_seen, entity.id), reverse=True)

    def entity(self, name: str, *, channel: str | None = None) -> Entity:
        """Return the person named `name`; raises `UnknownPerson`."""
        with self._view() as view:
            found = past.entity_named(view, self._input.person(name), channel)
        if found is None:
            raise UnknownPerson(name)
        return found

    def frequent_contacts(self, limit: int = 10) -> tuple[Entity, ...]:
        """Return the people met most often, the most frequent first."""
        return most_frequent(self.entities(), limit)

    def same_person(self, name: str, other: str, *, channel: str | None = None, at: datetime | None = None) -> Entity:
        """Treat `other` as another name of `name`; `different_people` undoes it."""
        return self._relate(Join(name=self._input.person(name), other=self._input.person(other), channel=channel), at)

    def different_people(
        self, name: str, other: str, *, channel: str | None = None, at: datetime | None = None
    ) -> Entity:
        """Treat `other` and `name` as two people again; each keeps what was learned under its name."""
        return self._relate(Part(name=self._input.person(name), other=self._input.person(other), channel=channel), at)

    def regards(self, entity_id: str) -> list[Regard]:
        """Return how a person was regarded after each turn that changed it, oldest first."""
        return self._read(lambda view: past.regards_in(view.moves("entity", entity_id)))

    def courses_of_regard(self, entity_ids: Iterable[str], most: int = 30) -> dict[str, list[Regard]]:
        """Return how each of several people was regarded over time, at most `most` values each, evenly chosen."""
        ids = listed(entity_ids, "entity_ids")
        with self._view() as view:
            happened = view.sampled_moves("entity", ids, most)
        return {each: past.regards_in([one for one in happened if one.move.id == each]) for each in ids}

    def surroundings(
        self,
        of: str | Sequence[str] | None = None,
        *,
        hops: int = 1,
        relations: Collection[str] | None = None,
        limit: int = 150,
    ) -> Surroundings:
        """Return the graph around user and character, or around a person or a memory ("memory:" and its id).

        `relations` limits the edges to attributes (content types for memories without one) and `TIES`; None: all.
        Returns at most `limit` nodes, the nearest and most important. Raises `UnknownMemory` or `UnknownPerson`.
        """
        if hops not in (1, 2):
            raise InvalidQuery(f"hops = {hops} is too far; choose 1 or 2")
        if limit < 1:
            raise InvalidQuery(f"limit = {limit} shows nothing; give at least 1")
        start = (USER, CHARACTER) if of is None else (of,) if isinstance(of, str) else tuple(of)
        present = self.present()
        with self._view() as view:
            return surroundings(view, self.key, start, hops=hops, relations=relations, limit=limit, present=present)

    def scenes(self, limit: int | None = None) -> list[Scene]:
        """Return the scenes, oldest first; with `limit`, the latest. The last one may be open."""
        with self._view() as view:
            scenes = past.scenes_in(view)
        return scenes if limit is None else scenes[max(len(scenes) - limit, 0) :]

    def scene(self) -> Scene | None:
        """Return the open scene."""
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
        """Start a scene; an open scene ends."""
        beside = place or ""
        request = Stage(
            place=None if place is None else self._input.text(place, beside=beside),
            daytime=None if daytime is None else self._input.text(daytime, beside=beside),
            session=session,
            participants=self._input.names(participants, "participants", beside=beside),
        )
        self._services.arranger.arrange(self.key, "scene", request, self._moment(at))
        started = self.scene()
        assert started is not None, "a scene was just started"
        return started

    def end_scene(self, at: datetime | None = None) -> Scene | None:
        """End the open scene and return it; None: no scene is open."""
        if self.scene() is None:
            return None
        self._services.arranger.arrange(self.key, "scene", Stage(ends=True), self._moment(at))
        return self.scenes(1)[0]

    def shared_experiences(self, limit: int = 20) -> tuple[Scene, ...]:
        """Return what the two experienced together, the latest `limit`, oldest first."""
        return shared_scenes(self.scenes(), limit)

    def last_time(self) -> Scene | None:
        """Return the last ended meeting, which says what the two did last time."""
        return last_time(self.scenes())

    # Upkeep

    def maintain(
        self, passes: Iterable[PassName] | None = None, *, at: datetime | None = None, dry_run: bool = False
    ) -> Upkept:
        """Run the upkeep that is due, or the named `passes`; a dry run writes nothing and returns what would be done.

        Items stored while the embedder was unavailable get their vectors, and unread turns are read. Without named
        passes, forgotten memories are also erased from disk: see `scrub`.
        """
        done = self.upkept(passes, at=at, dry_run=dry_run)
        if passes is None and not dry_run:
            self._bank.scrub([self.key], prove=self._bank.store.proves_quickly)
        return done

    def upkept(self, passes: Iterable[PassName] | None, *, at: datetime | None, dry_run: bool) -> Upkept:
        """Run upkeep like `maintain`, without scrubbing, for callers that process many minds and scrub once."""
        asked = None if passes is None else listed(passes, "passes")
        for name in asked or ():
            checked_choice("pass", name, PASSES)
        wanted = None if asked is None else [name for name in PASSES if name in asked]
        moment = None if at is None else checked_moment(at)
        if not dry_run:
            self._services.fill_in_vectors(self.key)
            self._services.read_unread(self.key, most=READ_TOGETHER)
        return self._services.maintainer.maintain(self.key, wanted, at=moment, dry_run=dry_run)

    def due(self, at: datetime | None = None) -> tuple[PassName, ...]:
        """Return the upkeep passes that are due."""
        return self._services.maintainer.due(self.key, None if at is None else checked_moment(at))

    def outlook(self, at: datetime | None = None) -> tuple[Outlook, ...]:
        """Return how far each upkeep pass is from being due, what makes it due, and when it last ran."""
        return self._services.maintainer.outlook(self.key, None if at is None else checked_moment(at))

    def conclusions(self) -> list[Memory]:
        """Return memories that upkeep derived and that are in force: summaries, profiles, insights, merged memories."""
        return self._read(lambda view: [memory for memory in view.conclusions() if by_upkeep(memory)])

    def grounds(self, memory_ids: Iterable[str]) -> dict[str, Grounds]:
        """Return the grounds of each of these memories; raises `UnknownMemory`."""
        asked = listed(memory_ids, "memory_ids")
        return self._read(lambda view: past.grounds_of(view, asked))

    def deepen(self) -> Deepened:
        """Run the models' background work now: direct, read the conversation, reflect."""
        return self._services.model_jobs(self.key, all_turns=True)

    def holdings(self) -> Holdings:
        """Return how much is stored of this mind, in every state."""
        return self._bank.holdings(self.key)

    # Privacy

    def about_me(self) -> AboutMe:
        """Return what is stored about the user, in plain words for the user: `str(mind.about_me())`.

        Every entry has a number, and the ids that `forget` takes. Canon and the character's own data are omitted.
        Writes nothing.
        """
        settings = self._bank.settings
        facts = self.facts()
        return about_me(
            facts,
            character=self.key.character,
            between=self._relationship_sentences(called(facts, settings.language), settings.language),
            language=settings.language,
            zone=settings.zone,
            present=self.present(),
        )

    def erase(
        self,
        *,
        session: str | None = None,
        turn: str | None = None,
        matching: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        by: str = PERSON,
        dry_run: bool = False,
        prove: bool = True,
    ) -> Erasure:
        """Erase a part of this mind permanently: see `MemoryBank.erase`. For all of it: `bank.erase(mind.key)`."""
        part = checked_part(session=session, turn=turn, matching=matching, since=since, until=until)
        if part.is_all:
            raise InvalidQuery(ErrorText("erase.what"))
        return self._bank.erase_asked(Erasing(scope=self.key, part=part), by=by, dry_run=dry_run, prove=prove)

    def forget_said(
        self,
        when: str | None = None,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        by: str = PERSON,
        dry_run: bool = False,
    ) -> Erasure:
        """Erase what was said in a period: "지난주 화요일", "last Tuesday", or from `since` to before `until`."""
        if when is not None:
            since, until = self.period(when)
        if since is None and until is None:
            raise InvalidQuery(ErrorText("erase.when"))
        return self.erase(since=since, until=until, by=by, dry_run=dry_run)

    def scrub(self, *, by: str = "scrub", dry_run: bool = False, prove: bool = True) -> Erasure:
        """Erase what was forgotten or has expired here; raises `UnderHold`."""
        self._bank.provisions(self.key).check_hold(self.key)
        return self._bank.scrub([self.key], by=by, dry_run=dry_run, prove=prove)

    def _beginning(self) -> Relationship:
        return new_relationship(self._services.living.relationship)

    def _read(self, ask: Callable[[View], Answer]) -> Answer:
        with self._view() as view:
            return ask(view)

    def _view(self) -> AbstractContextManager[View]:
        return self._bank.store.view(self.key)

    @cached_property
    def _recaller(self) -> Recaller:
        own = self._settings is self._bank.settings
        return self._services.recaller if own else self._services.recaller_under(self._settings)

    def _moment(self, at: datetime | None) -> datetime:
        """Return `at`, or the present of the story."""
        return self._services.moment(self.key, at)

    def _browsing(self, which: Narrowed) -> BrowseFilter:
        unknown = which.keys() - Narrowed.__annotations__.keys()
        if unknown:
            raise TypeError(f"got an unexpected keyword argument {min(unknown)!r}")
        given: dict[str, Any] = {"state": "current", **which}
        text, about, content_type, key = (given.pop(name, None) for name in ("text", "about", "type", "attribute"))
        check_moments(since=which.get("since"), until=which.get("until"))
        checked_choice("state", which.get("state"), get_args(State))
        checked_choice("type", which.get("type"), get_args(ContentType))
        checked_choice("origin", which.get("origin"), get_args(Origin))
        subject, subject_id = (None, None) if about is None else self._input.subject(about)
        return BrowseFilter(
            present=self.present(),
            words=tuple(composed(text or "").split()),
            subject=subject,
            subject_id=subject_id,
            content_type=content_type,
            attribute=None if key is None else attribute_named(key).key,
            **given,
        )

    def _consented_before(self, text: str) -> tuple[str, ...]:
        """Return the kinds of personal data in logged text; their storage was consented to."""
        if self._bank.settings.pii_turns == "keep":
            return ()
        from gieok.privacy.masking import held

        return held(text)

    def _relate(self, request: Join | Part, at: datetime | None) -> Entity:
        for name in (request.name, request.other):
            self.entity(name, channel=request.channel)
        self._services.arranger.arrange(self.key, "people", request, self._moment(at))
        return self.entity(request.name, channel=request.channel)

    def _relationship_sentences(self, user: str, language: str) -> list[str]:
        """Return sentences on the current relationship and on how the two speak to each other."""
        from gieok.language.wording import change_sentence, level_words

        relationship = self.relationship()
        if not relationship.turns:
            return []
        names = {"user": user, "character": self.key.character or ("캐릭터" if language == "ko" else "the character")}
        latest = {(step.change.speaker, step.change.what): step.change for step in self.manner_changes()}
        mutual = any(change.mutual and change.before is not None for change in latest.values())
        told = [
            change_sentence(change, names, "en" if language == "en" else "ko")
            for change in latest.values()
            if change.what != "style" or change.before is not None or not mutual
        ]
        return [level_words(relationship.level, language), *dict.fromkeys(told)]
