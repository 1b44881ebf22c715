"""Passes that need a model: reflection, summaries, profiles, conflicts, the character's view, and a director's note.

A model is asked about what is new since it was last asked, and only what keeps to its grounds is stored.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, tzinfo
from typing import Final, TypeVar

from gieok.domain.answer import Prompt
from gieok.domain.apply import PAIR, OperationApplier, WorkingState
from gieok.domain.claim import findable
from gieok.domain.judgement import Beliefs, Moment
from gieok.domain.memory import Memory, by_truth
from gieok.domain.model_conclusions import (
    FEWEST_GROUNDS,
    THOUGHTS,
    Conflict,
    Insight,
    Retelling,
    Thought,
    evidence_for,
    evidence_ids,
    insight_id,
    may_close,
    pass_id,
)
from gieok.domain.operation import Direct, Operation, Think
from gieok.domain.relationship import Relationship
from gieok.domain.scope import Scope
from gieok.domain.state import DIRECTOR, Note, ScopeState
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance
from gieok.domain.upkeep import Kept, Ran, by_upkeep, is_new
from gieok.errors import ModelFailed
from gieok.ids import new_id
from gieok.language.text import fold
from gieok.language.wording import closeness
from gieok.maintain.grounding import ungrounded
from gieok.maintain.summarise import TAG as ROLLING
from gieok.ports import Clock, IndexEntry, MemoryFilter, Model, Room, Store, View
from gieok.ports.store import entry, held
from gieok.prompts.data import Language, Line, Quoted
from gieok.prompts.tasks import (
    Reflection,
    conflict_prompt,
    director_prompt,
    interpret_prompt,
    profile_prompt,
    reflect_prompt,
    summarise_prompt,
)

PROFILE: Final = ("profile",)
_LIVED_THROUGH: Final = frozenset({"event", "promise", "decision"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PonderRules:
    """The numbers that pondering goes by."""

    reflect_at: int = 20  #: new memories
    most_memories: int = 40  #: that one question shows
    most_lines: int = 60
    telling: float = 0.7  #: an event as important as this is worth the character's own view …
    felt: float = 0.6  #: … or one that was felt as strongly
    most_events: int = 5  #: at a time; a question each
    most_profiles: int = 8
    near: float = 0.45  #: cosine from which on two memories may contradict each other …
    same: float = 0.98  #: … and beyond which they say the same
    most_new: int = 20  #: that are held against others …
    nearest: int = 10  #: … each against so many
    most_pairs: int = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A summary or a profile, with what it was made from."""

    memory: Memory
    grounds: tuple[Memory, ...] = ()
    lines: tuple[Utterance, ...] = ()  #: that it quotes


@dataclass(frozen=True, slots=True, kw_only=True)
class DueQuestions:
    """What a model is to be asked about; what is empty is not due."""

    new: tuple[Memory, ...] = ()  #: to reflect on
    events: tuple[Memory, ...] = ()  #: to see with the character's eyes
    summary: Page | None = None
    profiles: tuple[Page, ...] = ()
    pairs: tuple[tuple[Memory, Memory], ...] = ()  #: newer and older, that may not both hold
    marks: dict[Thought, Ran | None] = field(default_factory=dict)  #: when each was last asked for

    def __bool__(self) -> bool:
        return bool(self.new or self.events or self.summary or self.profiles or self.pairs)


def due_questions(view: View, at: datetime, rules: PonderRules) -> DueQuestions:
    """Return what is due in a scope at `at`."""
    marks = marks_of(view)
    pages = [page for page in view.conclusions() if page.true_at(at) and page.interpretation is None]
    retold = (page for page in pages if page.tags == PROFILE and _made_since(page, marks["profile"]))
    profiles = sorted(retold, key=_learned)[-rules.most_profiles :]
    return DueQuestions(
        new=tuple(_to_reflect_on(view, marks["reflect"], at, rules)),
        events=tuple(_events(view, marks["interpret"], at, rules)),
        summary=_summary(view, pages, marks["summarise"], at, rules),
        profiles=tuple(page for each in profiles if (page := _page(view, each, at)) is not None),
        pairs=tuple(_pairs(view, marks["conflict"], at, rules)),
        marks=marks,
    )


def marks_of(view: View) -> dict[Thought, Ran | None]:
    """Return when a model was last asked for each kind of thought; None: never."""
    life = ScopeState(view.state_records("pass").items())
    return {thought: life.get(Ran, pass_id(thought)) for thought in THOUGHTS}


def _to_reflect_on(view: View, mark: Ran | None, at: datetime, rules: PonderRules) -> list[Memory]:
    """Return the newest memories, if enough are new, and the most important ones beside them; by when they were so."""
    if _learned_since(view, mark) < rules.reflect_at:
        return []
    told = [memory for memory in view.memories(MemoryFilter(doubtful=False, current_at=at)) if not by_upkeep(memory)]
    new = sorted((memory for memory in told if is_new(memory, mark)), key=_learned)[-rules.most_memories :]
    if len(new) < rules.reflect_at:
        return []
    taken = {memory.id for memory in new}
    others = sorted((memory for memory in told if memory.id not in taken), key=lambda each: -each.importance)
    return sorted([*new, *others[: rules.most_memories - len(new)]], key=by_truth)


def _events(view: View, mark: Ran | None, at: datetime, rules: PonderRules) -> list[Memory]:
    """Return new events that moved somebody or matter, the most telling first."""
    found = [
        memory
        for memory in _told_since(view, mark, at)
        if memory.interpretation is None
        and memory.content_type in _LIVED_THROUGH
        and (memory.importance >= rules.telling or memory.emotion_intensity >= rules.felt)
    ]
    found.sort(key=lambda each: (-each.importance - each.emotion_intensity, by_truth(each)))
    return found[: rules.most_events]


def _summary(view: View, pages: Sequence[Memory], mark: Ran | None, at: datetime, rules: PonderRules) -> Page | None:
    rolling = [page for page in pages if ROLLING in page.tags and _made_since(page, mark)]
    page = _page(view, max(rolling, key=_learned), at) if rolling else None
    if page is None:
        return None
    # Of what was said, only what the summary quotes: forgetting any of it takes the summary with it.
    silent = view.forgotten_words()
    refs = view.refs(source for source in page.memory.sources[-rules.most_lines :] if source not in silent)
    lines = [item for item in view.items(refs.values()).values() if isinstance(item, Utterance)]
    lines.sort(key=lambda line: (line.at, line.position))
    return replace(page, lines=tuple(lines))


def _page(view: View, memory: Memory, at: datetime) -> Page | None:
    """Return a summary with its grounds, if all of them still hold: one that does not is made anew first."""
    grounds = tuple(view.memories_by_id(memory.made_from).values())
    return None if any(ground.given_up_by(at) for ground in grounds) else Page(memory=memory, grounds=grounds)


def _pairs(view: View, mark: Ran | None, at: datetime, rules: PonderRules) -> list[tuple[Memory, Memory]]:
    """Return new free memories, each with an older one that it may have put an end to, the nearest first."""
    told = (memory for memory in _told_since(view, mark, at) if memory.attribute is None)
    free = sorted(told, key=_learned)[-rules.most_new :]
    vectors = view.vectors([memory.id for memory in free])
    found: dict[tuple[str, str], tuple[float, Memory, Memory]] = {}
    for newer in free:
        if newer.id not in vectors:
            continue
        near = view.dense(vectors[newer.id], rules.nearest, memories_only=True)
        items = view.items(match.ref for match in near)
        for match in near:
            older = items.get(match.ref)
            if not isinstance(older, Memory) or not rules.near <= match.score <= rules.same:
                continue
            if not by_upkeep(older) and older.true_at(at) and may_close(newer, older):
                found[newer.id, older.id] = (match.score, newer, older)
    ranked = sorted(found.values(), key=lambda each: (-each[0], by_truth(each[1]), by_truth(each[2])))
    return [(newer, older) for _, newer, older in ranked[: rules.most_pairs]]


def _told_since(view: View, mark: Ran | None, at: datetime) -> list[Memory]:
    """Return what somebody told since a model was last asked, as far as it is true."""
    if mark is not None:
        found = view.memories(MemoryFilter(learned_since=mark.at, current_at=at))
        new = [memory for memory in found if is_new(memory, mark)]
        if len(new) >= _learned_since(view, mark):
            return [memory for memory in new if not memory.doubtful]
    # a story may be told out of order, or lag behind the clock: then only the turns tell what is new
    return [memory for memory in view.memories(MemoryFilter(doubtful=False, current_at=at)) if is_new(memory, mark)]


def _learned_since(view: View, mark: Ran | None) -> int:
    since = 0 if mark is None else mark.turn_number
    return view.counts(learned_since=since, said_since=view.turn_number).learned


def _made_since(page: Memory, mark: Ran | None) -> bool:
    return mark is None or page.touched_turn > mark.turn_number or page.known_at > mark.at


def _learned(memory: Memory) -> tuple[object, ...]:
    return (memory.known_at, memory.recorded_at, memory.id)


_LONGEST_INSIGHT: Final = 300
_LONGEST_ABOUT: Final = 40
_LONGEST_RETELLING: Final = 1_200


def insights_from(
    reflections: Iterable[Reflection], shown: Mapping[str, Memory], names: Sequence[str]
) -> tuple[Insight, ...]:
    """Return the insights that hold: each cites two of the memories `shown`, whose names and numbers are its own."""
    found = []
    for reflection in reflections:
        cited = [shown[each] for each in dict.fromkeys(reflection.memory_ids) if each in shown]
        content = one_line(reflection.content)
        if len(cited) < FEWEST_GROUNDS or not _fits(content, _LONGEST_INSIGHT, cited, names):
            continue
        if any(fold(content) == fold(memory.content) for memory in cited):
            continue  # that is remembered already
        subjects = {(memory.subject, memory.subject_id) for memory in cited}
        subject, subject_id = subjects.pop() if len(subjects) == 1 else ("user", USER)
        found.append(
            Insight(
                content=content,
                about=one_line(reflection.about)[:_LONGEST_ABOUT],
                subject=subject,
                subject_id=subject_id,
                importance=min(max(reflection.importance, 0.0), 1.0),
                grounds=tuple(map(evidence_for, cited)),
            )
        )
    return tuple(found)


def retelling_of(
    memory: Memory, text: str, *, grounds: Iterable[Memory] = (), said: Iterable[str] = (), names: Sequence[str]
) -> Retelling | None:
    """Return `memory` as `text` tells it; None: that says more than there is."""
    content = one_line(text)
    holds = _fits(content, _LONGEST_RETELLING, (memory, *grounds), (*said, *names))
    new = fold(content) != fold(memory.content)
    return Retelling(content=content, ground=evidence_for(memory)) if holds and new else None


def conflicts_among(found: Iterable[tuple[str, str]], asked: Iterable[tuple[Memory, Memory]]) -> tuple[Conflict, ...]:
    """Return the pairs that were asked about and that a model finds at odds."""
    pairs = {(newer.id, older.id): (newer, older) for newer, older in asked}
    return tuple(
        Conflict(newer=evidence_for(newer), older=evidence_for(older))
        for newer, older in (pairs[pair] for pair in dict.fromkeys(found) if pair in pairs)
    )


def one_line(text: str) -> str:
    return " ".join(text.split())


def _fits(content: str, longest: int, grounds: Sequence[Memory], besides: Sequence[str]) -> bool:
    if not 0 < len(content) <= longest:
        return False
    days = [moment.date() for memory in grounds for moment in (memory.valid_at, memory.known_at)]
    told = [
        text
        for each in grounds
        for text in (each.content, each.surface, each.value, each.subject_id, each.speaker, *each.details)
        if text
    ]
    return not ungrounded(content, (*told, *besides), days)


_NAMELESS: Final = {"ko": ("상대", "캐릭터"), "en": ("the user", "the character")}
_MOST_SAID_OF_IT: Final = 8  #: memories that tell who the character is


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """The two who talk."""

    user: str
    character: str
    closeness: str  #: "": they have not met

    @property
    def names(self) -> tuple[str, str]:
        return (self.user, self.character)

    @property
    def named(self) -> dict[str, str]:
        """The names by their role, as prompts take them."""
        return {USER: self.user, CHARACTER: self.character}

    def about(self, memory: Memory) -> str:
        return {"user": self.user, "character": self.character}.get(memory.subject, memory.subject_id)

    def lines(self, said: Iterable[Utterance]) -> list[Line]:
        return [Line(speaker=self.named.get(each.speaker, each.speaker), text=each.text) for each in said]


def parties(view: View, scope: Scope, at: datetime, language: Language) -> Parties:
    """Return what `view` knows of the two."""
    known = view.memories(MemoryFilter(subject="user", attribute="name", doubtful=False, current_at=at))
    called = max((memory for memory in known if memory.polarity == "+"), key=by_truth, default=None)
    user, character = _NAMELESS[language]
    relationship = ScopeState(view.state_records_by_key([("relationship", PAIR)]).items()).get(Relationship, PAIR)
    return Parties(
        user=(called.surface or called.value or user) if called is not None else user,
        character=scope.character or character,
        closeness="" if relationship is None else closeness(relationship, language),
    )


log = logging.getLogger(__name__)
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pondered:
    """What pondering did in a scope."""

    scope: Scope
    asked: tuple[Thought, ...] = ()  #: what the model was asked for and answered
    failed: tuple[Thought, ...] = ()  #: what it did not answer; it is asked again next time
    kept: tuple[Kept, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ponderer:
    """Has a model think memories over."""

    store: Store
    model: Model
    carrier: OperationApplier
    clock: Clock
    zone: tzinfo
    language: Language
    indexed: Callable[[Mapping[str, str]], Mapping[str, IndexEntry]]  #: makes texts findable
    rules: PonderRules = field(default_factory=PonderRules)

    def ponder(self, scope: Scope, at: datetime | None = None) -> Pondered:
        """Ask the model about what is new since it was last asked, and keep what holds.

        A kind of thought that the model fails at is left for the next time; the others are kept.
        """
        with self.store.view(scope) as view:
            at = at or max(filter(None, (view.latest_at, self.clock.now())))
            due = due_questions(view, at, self.rules)
            if not due:
                return Pondered(scope=scope)
            two = parties(view, scope, at, self.language)
            who_it_is = self._persona(scope, at) if due.events else ""
        asking = _Asking(
            model=self.model,
            due=due,
            parties=two,
            persona=who_it_is,
            zone=self.zone,
            today=at.astimezone(self.zone).date(),
            language=self.language,
        )
        asking.ask()
        done = None
        if asking.answered or asking.retellings:
            who = " ".join([*sorted(asking.versions), self.model.name])
            done = self.keep(scope, asking.together(), who=who, at=at, marks=due.marks)
        if done is None:
            return Pondered(scope=scope, failed=tuple(asking.failed))
        return Pondered(scope=scope, asked=tuple(asking.answered), failed=tuple(asking.failed), kept=done.kept)

    def keep(
        self, scope: Scope, think: Think, *, who: str, at: datetime, marks: Mapping[Thought, Ran | None] | None = None
    ) -> Operation | None:
        """Carry `think` out as one operation; None: somebody else has thought it over since `marks`."""
        operation_id = new_id()
        words = {
            insight_id(operation_id, number): findable(insight.subject, insight.subject_id, insight.content)
            for number, insight in enumerate(think.insights)
        }
        index = self.indexed(words)

        def act(room: Room) -> Operation | None:
            known = marks_of(room)
            if marks is not None and any(known[thought] != marks[thought] for thought in think.over):
                return None
            moment = Moment(at=at.astimezone(self.zone), recorded_at=self.clock.now(), turn_number=room.turn_number)
            asked = Operation(id=operation_id, kind="pass", moment=moment, who=who, request=think)
            # what it may touch: what it rests on, and every insight, which a newer one may take the place of
            insights = room.memories(MemoryFilter(content_type="insight")) if think.insights else []
            grounds = room.memories_by_id(evidence_ids(think.insights, think.retellings, think.conflicts))
            touched = {memory.id: memory for memory in insights} | grounds
            life = ScopeState(room.state_records("pass").items())
            done = self.carrier.carried_out(asked, WorkingState(beliefs=Beliefs(touched.values()), life=life))
            return room.apply(entry(done, index))

        return held(self.store, scope, act)

    def _persona(self, scope: Scope, at: datetime) -> str:
        """Return who the character is, by this scope and the canon that it may read."""
        told: list[str] = []
        for readable in scope.readable():
            with self.store.view(readable) as view:
                known = view.memories(MemoryFilter(subject="character", doubtful=False, current_at=at))
            facts = sorted((memory for memory in known if memory.attribute), key=lambda memory: -memory.importance)
            told += [memory.content for memory in facts[:_MOST_SAID_OF_IT]]
        return "\n".join(told)


@dataclass(slots=True, kw_only=True)
class _Asking:
    """One round of questions, with what came of each."""

    model: Model
    due: DueQuestions
    parties: Parties
    persona: str
    zone: tzinfo
    today: date
    language: Language
    insights: list[Insight] = field(default_factory=list)
    retellings: list[Retelling] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    answered: list[Thought] = field(default_factory=list)
    failed: list[Thought] = field(default_factory=list)
    versions: set[str] = field(default_factory=set)  #: of the prompts

    def ask(self) -> None:
        due = self.due
        ways: dict[Thought, tuple[object, Callable[[], None]]] = {
            "conflict": (due.pairs, self._settle),
            "reflect": (due.new, self._reflect),
            "summarise": (due.summary, self._summarise),
            "profile": (due.profiles, self._tell_profiles),
            "interpret": (due.events, self._interpret),
        }
        for thought, (wanted, way) in ways.items():
            if not wanted:
                continue
            try:
                way()  # what came before a failure stays
                self.answered.append(thought)
            except ModelFailed as trouble:
                log.warning("no %s this time: %s", thought, trouble)
                self.failed.append(thought)

    def together(self) -> Think:
        """Return all that was thought as one request, over the kinds that need not be asked for again."""
        open_ = {"reflect", *self.failed}  # for a reflection, too little may have gathered
        return Think(
            insights=tuple(self.insights),
            retellings=tuple(self.retellings),
            conflicts=tuple(self.conflicts),
            over=tuple(thought for thought in THOUGHTS if thought in self.answered or thought not in open_),
        )

    def _answer(self, prompt: Prompt[Answer]) -> Answer:
        answer = self.model.ask(prompt)
        self.versions.add(prompt.version)
        return answer

    def _reflect(self) -> None:
        shown = {memory.id: memory for memory in self.due.new}
        prompt = reflect_prompt(
            memories=self._quoted(shown.values()), today=self.today, **self.parties.named, language=self.language
        )
        reflections = self._answer(prompt)
        self.insights += insights_from(reflections, shown, self.parties.names)

    def _settle(self) -> None:
        shown = {memory.id: memory for pair in self.due.pairs for memory in pair}
        memories = self._quoted(sorted(shown.values(), key=by_truth))
        prompt = conflict_prompt(memories=memories, today=self.today, language=self.language)
        found = self._answer(prompt)
        self.conflicts += conflicts_among(found, self.due.pairs)

    def _summarise(self) -> None:
        page = self.due.summary
        assert page is not None, "asked for where there is one"
        lines = self.parties.lines(page.lines)
        prompt = summarise_prompt(
            summary=page.memory.content, lines=lines, **self.parties.named, language=self.language
        )
        self._retell(page, prompt)

    def _tell_profiles(self) -> None:
        for page in self.due.profiles:
            name = self.parties.about(page.memory)
            self._retell(page, profile_prompt(name=name, memories=self._quoted(page.grounds), language=self.language))

    def _interpret(self) -> None:
        for event in self.due.events:
            prompt = interpret_prompt(
                event=event.content,
                **self.parties.named,
                persona=self.persona,
                relationship=self.parties.closeness,
                language=self.language,
            )
            self._retell(Page(memory=event), prompt)

    def _retell(self, page: Page, prompt: Prompt[str]) -> None:
        said = [each.text for each in page.lines]
        text = self._answer(prompt)
        told = retelling_of(page.memory, text, grounds=page.grounds, said=said, names=self.parties.names)
        self.retellings += () if told is None else (told,)

    def _quoted(self, memories: Iterable[Memory]) -> list[Quoted]:
        return [
            Quoted(
                id=memory.id,
                text=memory.content,
                day=memory.valid_at.astimezone(self.zone).date(),
                about=self.parties.about(memory),
            )
            for memory in memories
        ]


_TURNS: Final = 8  #: the last ones, which a director reads


@dataclass(frozen=True, slots=True, kw_only=True)
class Director:
    """Has a model direct the next reply."""

    store: Store
    model: Model
    carrier: OperationApplier
    clock: Clock
    language: Language

    def direct(self, scope: Scope, turn: Turn) -> bool:
        """Leave a note after `turn`; return whether there is one. Another turn, or a director, may have come first."""
        with self.store.view(scope) as view:
            if not _is_last(view, turn):
                return False
            silent = view.forgotten_words()
            two = parties(view, scope, turn.at, self.language)
            said = (each for one in view.turns(_TURNS) for each in one.utterances if each.id not in silent)
            note = _note(view)
            prompt = director_prompt(
                lines=two.lines(said),
                relationship=two.closeness,
                note_before=note.text if note is not None else "",
                **two.named,
                language=self.language,
            )
        try:
            direction = self.model.ask(prompt)
        except ModelFailed as trouble:
            log.warning("no director after this turn: %s", trouble)
            return False
        if not direction.note and not direction.deltas:
            return False
        who = f"{prompt.version} {self.model.name}"
        direct = Direct(note=direction.note, deltas=direction.deltas)
        return self.leave(scope, turn, direct, who=who, silent=silent)

    def leave(
        self, scope: Scope, turn: Turn, direct: Direct, *, who: str, silent: frozenset[str] | None = None
    ) -> bool:
        """Leave what a director said after `turn`, unless it is late; return whether it was left.

        It is late, too, when more has been forgotten than the words `silent`: the note may tell of it.
        """

        def act(room: Room) -> bool:
            if not _is_last(room, turn) or (silent is not None and room.forgotten_words() != silent):
                return False
            moment = Moment(
                at=turn.at, recorded_at=self.clock.now(), turn_number=room.turn_number, channel=turn.channel
            )
            asked = Operation(id=new_id(), kind="direct", moment=moment, who=who, request=direct, turn_id=turn.id)
            things = room.state_records_by_key([("relationship", PAIR), ("note", DIRECTOR)])
            done = self.carrier.carried_out(asked, WorkingState(life=ScopeState(things.items())))
            room.apply(entry(done, {}))
            return True

        return held(self.store, scope, act)


def _is_last(view: View, turn: Turn) -> bool:
    """Whether `turn` is in force, the last one, and not directed yet."""
    known = view.turn(turn.id)
    if known is None or not known.says(turn) or known.number != view.turn_number:
        return False
    note = _note(view)
    return note is None or note.turn_number != known.number


def _note(view: View) -> Note | None:
    return ScopeState(view.state_records_by_key([("note", DIRECTOR)]).items()).get(Note, DIRECTOR)
