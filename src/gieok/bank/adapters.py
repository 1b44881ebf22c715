"""Support for adapters: import items once, read text without storing it, keywords of a memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, cast

from gieok.bank.inputs import Exchange, NewMemory, ScopeInput
from gieok.domain.answer import Observed
from gieok.domain.claim import Brought, Claim
from gieok.domain.decision import Ignore
from gieok.domain.entity import Face
from gieok.domain.memory import NOTHING_KNOWN, Memory
from gieok.domain.operation import Arrive
from gieok.domain.recognition import Imprint, statement_imprints, turn_imprints
from gieok.domain.relationship import Relationship
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance, checked_moment, checked_text
from gieok.errors import ErasedBefore
from gieok.ids import new_id
from gieok.observe.imports import is_mark, mark_of
from gieok.observe.said import Said

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank
    from gieok.words import Language

_MOST_KEYWORDS: Final = 8
_LONGEST_KEYWORD: Final = 20
_NOUNS: Final = frozenset({"NNG", "NNP", "XR", "SL", "SH"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignMemory:
    """A memory to import, with the data that the other system kept about it."""

    what: NewMemory
    brought: Brought
    at: datetime | None = None  #: None: the present of the story
    certainty: float = 1.0
    emotion_intensity: float = 0.0
    believed: bool = True  #: False: the other system judged the memory and did not keep it
    vector: Sequence[float] | None = None  #: embedding of its text, made by the bank's embedder


class ScopeImport:
    """Imports items into one scope. Each item is imported once, in its own transaction.

    An item that was imported and later forgotten or rewound is not imported again; the methods return False for it.
    An item that was erased in this scope raises `ErasedBefore`.
    """

    def __init__(self, bank: MemoryBank, scope: Scope, source: str) -> None:
        """`source` is the type of the source system; it is recorded in the journal."""
        self._bank = bank
        self._services = bank.services
        self._scope = scope
        self._source = source
        self._input = ScopeInput(scope, bank.services.mask)
        self._arrived = bank.services.receiver.arrived(scope)

    def has(self, origin: str) -> bool:
        """Return whether the item with this name was imported before."""
        return self._mark(origin) in self._arrived.marks

    def add_turns(self, exchanges: Sequence[tuple[str, Exchange]]) -> list[Literal["new", "present", "erased"]]:
        """Store earlier exchanges, oldest first, each with its origin, in one transaction; return the result of each.

        Call `read` afterwards to extract their facts.
        """
        kept = self._services.log_mask or self._services.mask  # as the log would store them
        fates: list[Literal["new", "present", "erased"]] = []
        whats: list[Said] = []
        with self._bank.store.view(self._scope) as view:
            for origin, exchange in exchanges:
                mark, text, reply = self._mark(origin), exchange.get("text"), exchange.get("reply")
                if mark in self._arrived.marks:
                    fates.append("present")
                elif view.recognised(turn_imprints([kept(line).text for line in (text, reply) if line])):
                    fates.append("erased")
                else:
                    fates.append("new")
                    self._arrived.marks.add(mark)
                    what = self._input.exchange(exchange)
                    whats.append(replace(what, turn_id=mark, operation_id=mark, why=self._source))
        stored = iter(self._services.observer.store_unread(self._scope, whats) if whats else ())
        return ["present" if fate == "new" and next(stored).again else fate for fate in fates]

    def read(self, progress: Callable[[int], None] | None = None) -> None:
        """Read all turns that are stored unread."""
        if self._services.read_unread(self._scope, progress=progress):
            self._bank.wake(self._scope)

    def add_memory(self, origin: str, memory: ForeignMemory) -> bool:
        """Import a memory."""
        mark = self._mark(origin)
        if mark in self._arrived.marks:
            return False
        moment = self._services.moment(self._scope, memory.at)
        view = memory.brought.interpretation
        claim = replace(
            self._input.claim(memory.what, moment),
            brought=replace(memory.brought, interpretation=view and self._input.text(view, "interpretation")),
            certainty=memory.certainty,
            emotion_intensity=memory.emotion_intensity,
            flaw=None if memory.believed else "trifling",
        )
        self._check_erased(statement_imprints(claim))
        vector = memory.vector if claim.findable == memory.what.content else None
        fits = vector is not None and len(vector) == self._bank.embedder.dimension and any(vector)
        return self._services.receiver.remember(
            self._arrived, mark, claim, moment, why=self._source, vector=vector if fits else None
        )

    def add_person(self, origin: str, person: Face) -> bool:
        """Import a person, unless already known here."""
        beside = person.summary
        interests, personality = (
            tuple(replace(note, text=self._input.text(note.text, "a note", beside=beside)) for note in notes)
            for notes in (person.interests, person.personality)
        )
        masked = replace(
            person,
            name=self._input.person(person.name),
            display_name=self._input.person(person.display_name) if person.display_name else "",
            summary=self._input.text(person.summary, "summary") if person.summary else "",
            interests=interests,
            personality=personality,
            first_seen=checked_moment(person.first_seen, "first_seen"),
            last_seen=checked_moment(person.last_seen, "last_seen"),
        )
        return self._note(origin, Arrive(person=masked), person.last_seen)

    def set_relationship(self, origin: str, relationship: Relationship, at: datetime | None) -> bool:
        """Import the relationship with the user, unless the two have met here.

        Call it after `read`: reading the imported turns would move the relationship again.
        """
        with self._bank.store.view(self._scope) as view:
            turns = view.turns(view.turn_number)
        met_there = len(turns) if all(is_mark(turn.id) for turn in turns) else 0
        return self._note(origin, Arrive(relationship=relationship, turns=met_there), at)

    def finish(self, origin: str, told: str) -> bool:
        """Record in the journal that a whole source was imported."""
        return self._note(origin, Arrive(), None, told)

    def _check_erased(self, imprints: Iterable[Imprint]) -> None:
        with self._bank.store.view(self._scope) as view:
            if view.recognised(imprints):
                raise ErasedBefore(str(self._scope))

    def _note(self, origin: str, request: Arrive, at: datetime | None, told: str = "") -> bool:
        mark = self._mark(origin)
        if mark in self._arrived.marks:
            return False
        why = f"{self._source} {told}".rstrip()
        moment = self._services.moment(self._scope, at)
        return self._services.receiver.note(self._arrived, mark, request, moment, why=why)

    def _mark(self, origin: str) -> str:
        return mark_of(self._scope, self._source, origin)


def question_about(bank: MemoryBank, memory: Memory) -> str | None:
    """Return the question that asks the user to confirm a doubtful memory; None: the user cannot confirm it."""
    from gieok.observe.questions import question_about

    return question_about(memory, cast("Language", bank.settings.language))


def sentences_left_open(observed: Observed) -> list[tuple[Utterance, tuple[str, ...]]]:
    """Return, by utterance, the sentences that state something but gave no claim.

    Greetings, questions, jokes and the character's utterances are excluded.
    """
    from gieok.extract import left_open

    kept = [decision.claim for decision in observed.decisions if not isinstance(decision, Ignore)]
    return list(left_open.sentences_left_open(observed.turn, kept))


def claims_in(
    bank: MemoryBank,
    scope: Scope,
    lines: Sequence[tuple[str, str]],
    *,
    before: Sequence[tuple[str, str]] = (),
    at: datetime,
) -> list[Claim]:
    """Return the claims in `lines`, each (speaker, text), following the lines `before`; texts are masked."""

    def turn_of(said: Sequence[tuple[str, str]]) -> Turn:
        turn_id = new_id()
        masked = [(speaker, bank.services.mask(checked_text(text)).text) for speaker, text in said]
        spoken = tuple(
            Utterance(id=new_id(), turn_id=turn_id, speaker=speaker, text=text, at=at, position=position)
            for position, (speaker, text) in enumerate(masked)
        )
        return Turn(id=turn_id, utterances=spoken, at=at, recorded_at=at)

    extractor = bank.services.extractor
    return list(extractor.claims(turn_of(lines), scope, turn_of(before).utterances, NOTHING_KNOWN))


def with_context(query: str, before: Sequence[str]) -> str:
    """Return a question, preceded by the last messages if it cannot be understood alone."""
    from gieok.recall.model import leans_on_talk

    return f"{before[-1]}\n{query}" if before and leans_on_talk(query) else query


def keywords(memory: Memory, names: Collection[str] = ()) -> tuple[str, ...]:
    """Return words that should trigger a memory: its value and its nouns, each once; may be empty.

    For programs that only search for words. `names` of the speakers are left out: they would match everything.
    """
    from gieok.language.morphemes import analyse
    from gieok.language.terms import STOP_WORDS, topics_of

    value = (memory.surface or memory.value or "") if memory.attribute is not None else ""
    is_word = 1 < len(value) <= _LONGEST_KEYWORD and " " not in value and any(map(str.isalpha, value))
    found = [
        *([value] if is_word else []),
        *(topics_of(value, names=names) if value else ()),
        *topics_of(memory.content, names=names),
    ]
    if memory.subject == "other":
        found.append(memory.subject_id)
    unsaid = {name.casefold() for name in (*names, USER, CHARACTER)}
    nouns = (part.form for part in analyse(memory.content) if part.tag in _NOUNS and len(part.form) > 1)
    chosen: dict[str, str] = {}
    for word in found or (each for each in nouns if each.lower() not in STOP_WORDS):
        if word.casefold() not in unsaid:
            chosen.setdefault(word.casefold(), word)
    return tuple(chosen.values())[:_MOST_KEYWORDS]
