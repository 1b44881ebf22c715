"""Pondering: a model deepens what rules keep.

It sees what connects memories, tells summaries and profiles anew, looks at events with the character's eyes, and finds
memories that cannot both hold. It is asked while nobody holds the scope, so that no turn waits for it. What it says
becomes one operation, which is carried out by rules on what is so by then, and in every replay without the model.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from typing import TypeVar

from gieok.domain.beliefs import Beliefs
from gieok.domain.carrying import Carrier, Present
from gieok.domain.claim import findable
from gieok.domain.judgement import Moment
from gieok.domain.memory import Memory, by_truth
from gieok.domain.model import Prompt
from gieok.domain.operation import Operation, Think
from gieok.domain.scope import Scope
from gieok.domain.things import Life
from gieok.domain.thinking import THOUGHTS, Thought, insight_id, rests_on
from gieok.domain.upkeep import Kept, Ran
from gieok.errors import ModelFailed
from gieok.ids import new_id
from gieok.maintain.matters import Matters, Page, PonderRules, marks_of, matters
from gieok.maintain.parties import Parties, parties, persona
from gieok.maintain.thoughts import conflicts_among, insights_from, retelling_of
from gieok.ports import Clock, IndexEntry, MemoryFilter, Model, Room, Store, View
from gieok.ports.applying import entry, held
from gieok.prompts.conflict import conflict_prompt
from gieok.prompts.interpret import interpret_prompt
from gieok.prompts.profile import profile_prompt
from gieok.prompts.quoting import Language, Quoted
from gieok.prompts.reflect import reflect_prompt
from gieok.prompts.summarise import summarise_prompt

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
    carrier: Carrier
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
            due = matters(view, at, self.rules)
            if not due:
                return Pondered(scope=scope)
            two = parties(view, scope, at, self.language)
        asking = _Asking(
            model=self.model,
            due=due,
            parties=two,
            persona=self._persona(scope, at) if due.events else "",
            zone=self.zone,
            today=at.astimezone(self.zone).date(),
            language=self.language,
        )
        asking.ask()
        if not asking.answered and not asking.thoughts:
            return Pondered(scope=scope, failed=tuple(asking.failed))
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
            done = self.carrier.carried_out(asked, _present(room, think))
            return room.apply(entry(done, index))

        return held(self.store, scope, act)

    def _persona(self, scope: Scope, at: datetime) -> str:
        """Return who the character is, by this scope and the canon that it may read."""
        told = []
        for readable in scope.readable():
            with self.store.view(readable) as view:
                told.append(persona(view, at))
        return "\n".join(filter(None, told))


@dataclass(slots=True, kw_only=True)
class _Asking:
    """One round of questions, with what came of each."""

    model: Model
    due: Matters
    parties: Parties
    persona: str
    zone: tzinfo
    today: date
    language: Language
    thoughts: list[Think] = field(default_factory=list)
    answered: list[Thought] = field(default_factory=list)
    failed: list[Thought] = field(default_factory=list)
    versions: set[str] = field(default_factory=set)  #: of the prompts

    def ask(self) -> None:
        due = self.due
        ways: dict[Thought, tuple[object, Callable[[], Iterator[Think]]]] = {
            "conflict": (due.pairs, self._conflicts),
            "reflect": (due.new, self._reflection),
            "summarise": (due.summary, self._summary),
            "profile": (due.profiles, self._profiles),
            "interpret": (due.events, self._interpretations),
        }
        for thought, (wanted, way) in ways.items():
            if wanted:
                self._try(thought, way)

    def together(self) -> Think:
        """Return all that was thought as one request."""
        return Think(
            insights=tuple(each for part in self.thoughts for each in part.insights),
            retellings=tuple(each for part in self.thoughts for each in part.retellings),
            conflicts=tuple(each for part in self.thoughts for each in part.conflicts),
            over=tuple(thought for thought in THOUGHTS if self._is_settled(thought)),
        )

    def _is_settled(self, thought: Thought) -> bool:
        """Whether what came until now need not be looked at again; for a reflection, too little may have gathered."""
        return thought in self.answered or (thought != "reflect" and thought not in self.failed)

    def _try(self, thought: Thought, way: Callable[[], Iterator[Think]]) -> None:
        """Ask for one kind of thought; what came before a failure stays."""
        try:
            for part in way():
                self.thoughts.append(part)
            self.answered.append(thought)
        except ModelFailed as trouble:
            log.warning("no %s this time: %s", thought, trouble)
            self.failed.append(thought)

    def _answer(self, prompt: Prompt[Answer]) -> Answer:
        answer = self.model.ask(prompt)
        self.versions.add(prompt.version)
        return answer

    def _reflection(self) -> Iterator[Think]:
        shown = {memory.id: memory for memory in self.due.new}
        prompt = reflect_prompt(
            memories=self._quoted(shown.values()),
            today=self.today,
            user=self.parties.user,
            character=self.parties.character,
            language=self.language,
        )
        reflections = self._answer(prompt)
        yield Think(insights=insights_from(reflections, shown, self.parties.names))

    def _conflicts(self) -> Iterator[Think]:
        shown = {memory.id: memory for pair in self.due.pairs for memory in pair}
        memories = self._quoted(sorted(shown.values(), key=by_truth))
        prompt = conflict_prompt(memories=memories, today=self.today, language=self.language)
        found = self._answer(prompt)
        yield Think(conflicts=conflicts_among(found, self.due.pairs))

    def _summary(self) -> Iterator[Think]:
        page = self.due.summary
        assert page is not None, "asked for where there is one"
        prompt = summarise_prompt(
            summary=page.memory.content,
            lines=self.parties.lines(page.lines),
            user=self.parties.user,
            character=self.parties.character,
            language=self.language,
        )
        yield self._retold(page, self._answer(prompt))

    def _profiles(self) -> Iterator[Think]:
        for page in self.due.profiles:
            name = self.parties.about(page.memory)
            prompt = profile_prompt(name=name, memories=self._quoted(page.grounds), language=self.language)
            yield self._retold(page, self._answer(prompt))

    def _interpretations(self) -> Iterator[Think]:
        for event in self.due.events:
            prompt = interpret_prompt(
                event=event.content,
                user=self.parties.user,
                character=self.parties.character,
                persona=self.persona,
                relationship=self.parties.closeness,
                language=self.language,
            )
            yield self._retold(Page(memory=event), self._answer(prompt))

    def _retold(self, page: Page, text: str) -> Think:
        said = [each.text for each in page.lines]
        told = retelling_of(page.memory, text, grounds=page.grounds, said=said, names=self.parties.names)
        return Think(retellings=() if told is None else (told,))

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


def _present(view: View, think: Think) -> Present:
    """Return what `think` may touch: what it rests on, and every insight, which a newer one may take the place of."""
    insights = view.memories(MemoryFilter(content_type="insight")) if think.insights else []
    grounds = view.memories_by_id(rests_on(think.insights, think.retellings, think.conflicts))
    known = {memory.id: memory for memory in insights} | grounds
    return Present(beliefs=Beliefs(known.values()), life=Life(view.things("pass").items()))
