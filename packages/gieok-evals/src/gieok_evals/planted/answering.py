"""Scoring what memory answers at a checkpoint, against what is true by then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.bank import Mind
from gieok.domain.answer import Hit
from gieok.domain.attributes import attribute
from gieok.domain.memory import Memory
from gieok_evals.planted.evidence import Answer, holds, mentions
from gieok_evals.planted.language import Value
from gieok_evals.planted.report import Tally
from gieok_evals.planted.script import Planted, Question, SlotGold
from gieok_evals.statement import fold

_K: Final = 5
_RANKED: Final = 10  #: hits looked at for freshness


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What is true at a checkpoint, and what is believed."""

    truth: Mapping[str, SlotGold]
    believed: tuple[Memory, ...]  #: current memories about the user
    said_in: Mapping[tuple[str, str], frozenset[str]]  #: (slot, value): ids of the utterances that planted it
    changed_in: Mapping[int, str]  #: line number: id of the utterance that changed something

    def current(self, slot: str) -> list[Memory]:
        return [memory for memory in self.believed if memory.attribute == slot and memory.polarity == "+"]

    def given(self, answer: Answer, planted: Planted) -> bool:
        """Whether `answer` holds the fact: as a memory, as the utterance that said it, or in its words."""
        sources = self.said_in.get((planted.slot, fold(planted.value.gold)), frozenset())
        as_memory = any(
            memory.id in answer.items and holds(memory, planted.slot, planted.value) for memory in self.believed
        )
        return as_memory or bool(sources & answer.items) or mentions(answer.text, planted.value, planted.surfaces)


def score_state(knowledge: Knowledge, tally: Tally) -> None:
    """Score what is believed now, slot by slot."""
    for slot, gold in knowledge.truth.items():
        held = [fold(memory.value or "") for memory in knowledge.current(slot)]
        stale = [value for value in gold.stale if _among(value, held)]
        if gold.stale:
            tally.count("stale_kept", bool(stale))
        missing = [value for value in gold.values if not _among(value, held)]
        if attribute(slot).single:
            right = not missing and not stale and (not gold.current or len(held) == 1)
            tally.count("state_single", right)
        else:
            right = not missing and not stale
            tally.count("state_many", right)
        if not right:
            wanted = ", ".join(value.gold for value in gold.values) or "nothing"
            tally.fail(f"state: {slot} should be {wanted}, is {', '.join(held) or 'nothing'}")


def score_question(mind: Mind, question: Question, knowledge: Knowledge, tally: Tally) -> tuple[Answer, Answer]:
    """Ask aside and score; return what the context and the recall gave."""
    context = Answer.of_context(mind.context(question.text))
    hits = mind.recall(question.text, k=_RANKED)
    recalled = Answer.of_hits(hits[:_K])
    if question.kind == "abstain":
        claimed = knowledge.current(question.slot)
        tally.count("abstention", not claimed)
        if claimed:
            tally.fail(f"should abstain: {question.text} → {claimed[0].content}")
        return context, recalled
    gold = knowledge.truth.get(question.slot, SlotGold())
    if gold.current:
        _score_contents(question, gold, context, recalled, knowledge, tally)
    if gold.stale:
        _score_staleness(question, gold, context, hits, knowledge, tally)
    return context, recalled


def _score_contents(
    question: Question, gold: SlotGold, context: Answer, recalled: Answer, knowledge: Knowledge, tally: Tally
) -> None:
    there = all(knowledge.given(context, planted) for planted in gold.current)
    tally.count("contains", there)
    tally.count_under("contains_by_kind", question.kind, there)
    tally.count_under("contains_by_slot", question.slot, there)
    tally.count("recall_at_5", all(knowledge.given(recalled, planted) for planted in gold.current))
    if not there:
        wanted = ", ".join(value.gold for value in gold.values)
        tally.fail(f"not in context ({question.kind} {question.slot}={wanted}): {question.text}")


def _score_staleness(
    question: Question, gold: SlotGold, context: Answer, hits: Sequence[Hit], knowledge: Knowledge, tally: Tally
) -> None:
    held = [fold(memory.value or "") for memory in knowledge.current(question.slot)]
    kept = any(_among(value, held) for value in gold.stale)
    shown = any(mentions(context.memory_text, value) for value in gold.stale)
    given = kept or (shown and not _is_fresh(context, question.slot, gold, knowledge))
    tally.count("stale_given", given)
    if given:
        why = "kept" if kept else "shown alone"
        tally.fail(f"stale ({why}): {question.slot}={gold.stale[-1].gold}: {question.text}")
    ranks = [_freshness(hit, question.slot, gold, knowledge) for hit in hits]
    if any(ranks) and gold.current:
        first = next(rank for rank in ranks if rank)
        tally.count("freshness", first == "new")


def _is_fresh(answer: Answer, slot: str, gold: SlotGold, knowledge: Knowledge) -> bool:
    """Whether `answer` also holds the new value, the words that changed it, or that the old one is no longer true."""
    changed = {knowledge.changed_in[number] for number in gold.changed_by if number in knowledge.changed_in}
    denied = {
        memory.id
        for memory in knowledge.believed
        if memory.attribute == slot
        and memory.polarity == "-"
        and any(_among(value, [fold(memory.value or "")]) for value in gold.stale)
    }
    return bool((changed | denied) & answer.items) or any(knowledge.given(answer, fact) for fact in gold.current)


def _freshness(hit: Hit, slot: str, gold: SlotGold, knowledge: Knowledge) -> str:
    answer = Answer.of_hits([hit])
    if _is_fresh(answer, slot, gold, knowledge):
        return "new"
    return "old" if any(mentions(answer.text, value) for value in gold.stale) else ""


def _among(value: Value, held: Sequence[str]) -> bool:
    return any(fold(each) in held for each in value.accepted)
