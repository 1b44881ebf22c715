"""Reading answers as text: whether they give a value, which of two comes first, and what should not be in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from gieok_evals.outside.report import DEPTH, LONGEST, Tally
from gieok_evals.planted.evidence import Answer, leaked, mentions
from gieok_evals.planted.language import Value
from gieok_evals.planted.script import Planted, Question, SlotGold, same
from gieok_evals.statement import fold

_LETTER: Final = r"[0-9A-Za-z가-힣]"
#: What may stand right behind a value: particles, copulas and units.
_BEHIND: Final = r"(?:이|가|은|는|을|를|도|만|과|와|랑|의|에|로|임|이야|야|이에요|예요|입니다|살|세|형|cm|센티)?"


def cut(answers: Sequence[str]) -> list[str]:
    """Return as much of `answers` as counts: so many, each so long."""
    return [answer[:LONGEST] for answer in answers[:DEPTH]]


class Truth:
    """What is true in the scored conversation by now, and in which words it was said."""

    def __init__(self, slots: Mapping[str, SlotGold], said: Mapping[int, str], told: Mapping[int, Sequence[Planted]]):
        self.slots = slots
        self._said = said  #: by the number of the line
        self._told = told  #: what each line planted

    def gives(self, answer: str, planted: Planted) -> bool:
        """Whether `answer` holds a fact: its value, or the very words that told it."""
        words = fold(answer)
        own = (self._said[line] for line, facts in self._told.items() if planted in facts)
        return _names(answer, planted.value, planted.surfaces) or any(fold(line) in words for line in own)

    def is_new(self, answer: str, gold: SlotGold) -> bool:
        """Whether `answer` holds what a slot has now, or the words that changed it."""
        words = fold(answer)
        changes = (self._said[line] for line in gold.changed_by if line in self._said)
        return any(self.gives(answer, fact) for fact in gold.current) or any(fold(line) in words for line in changes)

    def is_old(self, answer: str, slot: str, gold: SlotGold) -> bool:
        """Whether `answer` holds what is no longer true of a slot, or the words that told it."""
        told = [fact for facts in self._told.values() for fact in facts if fact.slot == slot]
        gone = [fact for fact in told if any(same(fact.value, value) for value in gold.stale)]
        return any(_names(answer, value) for value in gold.stale) or any(self.gives(answer, fact) for fact in gone)


def _names(answer: str, value: Value, surfaces: Sequence[str] = ()) -> bool:
    """Whether `answer` says `value`; a short one must stand as a word of its own (봄을, not 봄비; 25살, not 125)."""
    if mentions(answer, value, surfaces):
        return True
    short = [each for each in {*value.accepted, value.written} if len(fold(each)) <= 2]
    return any(re.search(rf"(?<!{_LETTER}){re.escape(each)}{_BEHIND}(?!{_LETTER})", answer) for each in short)


def score(question: Question, answers: Sequence[str], truth: Truth, tally: Tally) -> None:
    """Score the answers to one question about the scored conversation."""
    gold = truth.slots.get(question.slot, SlotGold())
    if question.kind == "abstain" or not gold.current:
        return
    for depth in (1, 5, DEPTH):
        there = all(any(truth.gives(each, fact) for each in answers[:depth]) for fact in gold.current)
        tally.count(f"found_at_{depth}", there)
        if depth == DEPTH:
            tally.count_under(question.kind, there)
            tally.count_under(question.slot, there)
            if not there:
                wanted = ", ".join(value.gold for value in gold.values)
                tally.fail(f"not given ({question.kind} {question.slot}={wanted}): {question.text}")
    if gold.stale:
        _score_freshness(question, gold, answers, truth, tally)


def _score_freshness(question: Question, gold: SlotGold, answers: Sequence[str], truth: Truth, tally: Tally) -> None:
    for answer in answers:
        new = truth.is_new(answer, gold)
        if new or truth.is_old(answer, question.slot, gold):
            tally.count("fresh", new)
            if not new:
                tally.fail(f"old ({question.slot}={gold.stale[-1].gold}): {question.text} → {answer}")
            return


def watch(asked: str, answers: Sequence[str], private: frozenset[str], tally: Tally) -> None:
    """Look for words that only another user was told."""
    text = "\n".join(answers)
    words = leaked(Answer(items=frozenset(), text=text, memory_text=text), private)
    tally.count("leaks", bool(words))
    if words:
        tally.fail(f"LEAK: {', '.join(words)}: {asked}")
