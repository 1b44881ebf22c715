"""Scores what was read from a line, what is believed at a checkpoint, and what memory answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from gieok.bank import Mind
from gieok.domain.answer import Context, Hit, Observed
from gieok.domain.attributes import attribute
from gieok.domain.memory import Memory
from gieok.domain.turn import USER
from gieok_evals.planted.language import Value, companions
from gieok_evals.planted.script import Line, Planted, Question, SlotGold, Trap
from gieok_evals.reports import Extraction, Share, Tally
from gieok_evals.statements import Expected, Statement, fold, listed, matched, same_subject, statements, stored

_OTHERS: Final = ("other_people", "name_collision", "character_statement")  #: families about somebody else
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")  #: when something was said; not a value
_MEMORY_BLOCKS: Final = ("pinned", "memories")
_QUESTION_BLOCK: Final = "message"
_BEST: Final = 5
_RANKED: Final = 10  #: hits looked at for freshness


@dataclass(kw_only=True)
class PlantedTally(Tally):
    """The counts of one script."""

    extraction: dict[str, Extraction] = field(default_factory=dict)  #: by slot
    unread: int = 0  #: turns whose extraction failed

    def read(self, slot: str, counts: Extraction) -> None:
        self.extraction[slot] = self.extraction.get(slot, Extraction()) + counts

    @property
    def total(self) -> Extraction:
        return sum(self.extraction.values(), Extraction())


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What memory gave for a question."""

    items: frozenset[str]  #: ids of its memories and utterances
    text: str  #: all of it but the question
    memory_text: str  #: its memories, without the recent turns

    @classmethod
    def of_context(cls, context: Context) -> Answer:
        blocks = [block for block in context.blocks if block.name != _QUESTION_BLOCK]
        return cls(
            items=frozenset(context.items),
            text="\n".join(block.text for block in blocks),
            memory_text="\n".join(block.text for block in blocks if block.name in _MEMORY_BLOCKS),
        )

    @classmethod
    def of_hits(cls, hits: Sequence[Hit]) -> Answer:
        text = "\n".join(hit.text for hit in hits)
        return cls(items=frozenset(hit.item.id for hit in hits), text=text, memory_text=text)


def mentions(text: str, value: Value, surfaces: Iterable[str] = ()) -> bool:
    """Whether a line of `text` has one of the spellings of `value` or one of `surfaces`.

    Single letters and short bare numbers (A, 25) prove nothing; longer numbers must stand alone.
    """
    lines = [fold(_DATE.sub("", line)) for line in text.splitlines()]
    spellings = value.spellings | set(map(fold, surfaces))
    return any(_is_in(spelling, line) for spelling in spellings for line in lines)


def _is_in(spelling: str, line: str) -> bool:
    if spelling.isdigit():
        return len(spelling) > 2 and re.search(rf"(?<!\d){spelling}(?!\d)", line) is not None
    return len(spelling) > 1 and spelling in line


def leaked(text: str, private: frozenset[str]) -> list[str]:
    """Return the words of `private` in `text`, line by line: 좋아해요 and 가자 in two lines are not 요가."""
    lines = [fold(line) for line in text.splitlines()]
    return sorted(word for word in private if any(word in line for line in lines))


def score_reading(line: Line, observed: Observed, tally: PlantedTally) -> None:
    """Score what was read from `line`: facts by precision and recall, everything else by how much was stored."""
    own = {utterance.id for utterance in observed.turn.utterances if utterance.speaker == USER}
    said = [
        statement
        for claim in stored(observed.decisions)
        if claim.source_id is None or claim.source_id in own
        for statement in statements(claim, observed.turn.at)
    ]
    current = sum(each.current for each in said)
    tally.shares["stored_per_utterance"] += Share(current, 1)
    if line.kind in ("small_talk", "probe"):
        tally.count("small_talk_stored", current > 0)
        if current:
            tally.fail(f"stored from {line.kind}: {line.text} → {listed(said)}")
        return
    match = matched([each for each in said if each.subject == USER or line.trap is not None], [*_expected(line)])
    for wanted in match.found:
        tally.read(wanted.said.attribute, Extraction(found=1))
    for wanted in match.missed:
        tally.read(wanted.said.attribute, Extraction(missed=1))
        tally.fail(f"not read: {wanted.said.attribute}={wanted.said.value}: {line.text} → {listed(said)}")
    for each in match.extra if line.trap is None else ():
        if _is_extra(each, line):
            tally.read(each.attribute, Extraction(extra=1))
            tally.fail(f"nobody said: {each}: {line.text}")


def _expected(line: Line) -> Iterator[Expected]:
    for planted in line.facts:
        said = Statement(subject=USER, attribute=planted.slot, value=planted.value.gold)
        yield Expected(said=said, accepted=planted.value.accepted)
    if line.change is not None:
        gone = Statement(subject=USER, attribute=line.change.slot, value=line.change.old.gold, polarity="-")
        yield Expected(said=gone, accepted=line.change.old.accepted, optional=True)
    if line.trap is not None:
        yield from line.trap.expect


def _is_extra(said: Statement, line: Line) -> bool:
    """Whether `said` is a fact about the user that `line` does not state, not even in other words."""
    if not said.current:
        return False
    if line.change is not None and fold(said.value) in map(fold, line.change.old.accepted):
        return False  # "물려서 쳐다도 보기 싫어" ends a favourite and says more
    return not any(
        said.attribute in (planted.slot, *companions(planted.slot))
        and fold(said.value) in map(fold, planted.value.accepted)
        for planted in line.facts
    )


def score_trap(line: Line, trap: Trap, believed: Sequence[Memory], tally: PlantedTally) -> None:
    """Score what must not be stored; `believed` are the current memories learned since the line before."""
    for forbidden in trap.must_not:
        wrong = [memory for memory in believed if _is_forbidden(memory, forbidden)]
        tally.count("false_memories", bool(wrong))
        tally.count_under("false_by_family", trap.family, bool(wrong))
        if trap.family in _OTHERS:
            tally.count("others_given", bool(wrong))
        if wrong:
            tally.fail(f"false memory ({trap.family}): {line.text} → {wrong[0].content}")


def _is_forbidden(memory: Memory, forbidden: Expected) -> bool:
    subject = memory.subject if memory.subject != "other" else memory.subject_id
    return (
        memory.polarity == "+"
        and memory.value is not None
        and memory.attribute == forbidden.said.attribute
        and same_subject(subject, forbidden.said.subject)
        and fold(memory.value) in map(fold, forbidden.accepted)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What is true at a checkpoint, and what is believed."""

    truth: Mapping[str, SlotGold]
    believed: tuple[Memory, ...]  #: current memories about the user
    said_in: Mapping[tuple[str, str], frozenset[str]]  #: (slot, value): ids of the utterances that told it
    changed_in: Mapping[int, str]  #: line number: id of the utterance that changed something

    def current(self, slot: str) -> list[Memory]:
        return [memory for memory in self.believed if memory.attribute == slot and memory.polarity == "+"]

    def values(self, slot: str) -> list[str]:
        return [fold(memory.value or "") for memory in self.current(slot)]

    def given(self, answer: Answer, planted: Planted) -> bool:
        """Whether `answer` has the fact: as a memory, as the utterance that told it, or in words."""
        sources = self.said_in.get((planted.slot, fold(planted.value.gold)), frozenset())
        as_memory = any(
            memory.id in answer.items
            and memory.subject == USER
            and memory.value is not None
            and _among(planted.value, [fold(memory.value)])
            for memory in self.current(planted.slot)
        )
        return as_memory or bool(sources & answer.items) or mentions(answer.text, planted.value, planted.surfaces)

    def is_fresh(self, answer: Answer, slot: str, gold: SlotGold) -> bool:
        """Whether `answer` has the new value, the utterance that changed it, or that the old one is not true."""
        changed = {self.changed_in[number] for number in gold.changed_by if number in self.changed_in}
        denied = {
            memory.id
            for memory in self.believed
            if memory.attribute == slot
            and memory.polarity == "-"
            and any(_among(value, [fold(memory.value or "")]) for value in gold.stale)
        }
        return bool((changed | denied) & answer.items) or any(self.given(answer, fact) for fact in gold.current)


def _among(value: Value, held: Sequence[str]) -> bool:
    return any(fold(each) in held for each in value.accepted)


def score_state(knowledge: Knowledge, tally: PlantedTally) -> None:
    """Score what is believed now, slot by slot."""
    for slot, gold in knowledge.truth.items():
        held = knowledge.values(slot)
        stale = any(_among(value, held) for value in gold.stale)
        if gold.stale:
            tally.count("stale_kept", stale)
        right = not stale and all(_among(value, held) for value in gold.values)
        if attribute(slot).single:
            right = right and (not gold.current or len(held) == 1)
            tally.count("state_single", right)
        else:
            tally.count("state_many", right)
        if not right:
            wanted = ", ".join(value.gold for value in gold.values) or "nothing"
            tally.fail(f"state: {slot} should be {wanted}, is {', '.join(held) or 'nothing'}")


def score_question(mind: Mind, question: Question, knowledge: Knowledge, tally: PlantedTally) -> tuple[Answer, Answer]:
    """Ask and score; return what the context and the recall gave."""
    context = Answer.of_context(mind.context(question.text))
    hits = mind.recall(question.text, k=_RANKED)
    recalled = Answer.of_hits(hits[:_BEST])
    if question.kind == "abstain":
        claimed = knowledge.current(question.slot)
        tally.count("abstention", not claimed)
        if claimed:
            tally.fail(f"should abstain: {question.text} → {claimed[0].content}")
        return context, recalled
    gold = knowledge.truth.get(question.slot, SlotGold())
    if gold.current:
        there = all(knowledge.given(context, planted) for planted in gold.current)
        tally.count("contains", there)
        tally.count_under("contains_by_kind", question.kind, there)
        tally.count_under("contains_by_slot", question.slot, there)
        tally.count("recall_at_5", all(knowledge.given(recalled, planted) for planted in gold.current))
        if not there:
            wanted = ", ".join(value.gold for value in gold.values)
            tally.fail(f"not in context ({question.kind} {question.slot}={wanted}): {question.text}")
    if gold.stale:
        _score_staleness(question, gold, context, hits, knowledge, tally)
    return context, recalled


def _score_staleness(
    question: Question, gold: SlotGold, context: Answer, hits: Sequence[Hit], knowledge: Knowledge, tally: PlantedTally
) -> None:
    slot = question.slot
    kept = any(_among(value, knowledge.values(slot)) for value in gold.stale)
    alone = any(mentions(context.memory_text, value) for value in gold.stale) and not knowledge.is_fresh(
        context, slot, gold
    )
    tally.count("stale_given", kept or alone)
    if kept or alone:
        why = "kept" if kept else "shown alone"
        tally.fail(f"stale ({why}): {slot}={gold.stale[-1].gold}: {question.text}")
    for hit in hits if gold.current else ():
        answer = Answer.of_hits([hit])
        fresh = knowledge.is_fresh(answer, slot, gold)
        if fresh or any(mentions(answer.text, value) for value in gold.stale):
            tally.count("freshness", fresh)
            break
