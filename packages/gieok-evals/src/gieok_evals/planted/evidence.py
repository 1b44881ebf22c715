"""Whether a text or an answer from memory holds a value, however it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gieok.domain.answer import Context, Hit
from gieok.domain.memory import Memory
from gieok.domain.turn import USER
from gieok_evals.planted.language import Value
from gieok_evals.planted.script import Conversation, Script
from gieok_evals.statement import fold

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")  #: when something was said; no value
_MEMORY_BLOCKS: Final = ("pinned", "memories")
_QUESTION_BLOCK: Final = "message"
CONVERSATIONS: Final[tuple[Conversation, ...]] = ("uA", "uB", "vA")
_SHORTEST: Final = 2  #: a shorter word stands everywhere
#: Slots that prove nothing: values read from other words (여친 생겼어: 연애중), or mere letters and numbers.
_NOT_TELLING: Final = frozenset(
    "age birthday height blood_type mbti gender family relationship_status favorite.season favorite.color".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What memory gave for a question."""

    items: frozenset[str]  #: ids of the memories and utterances in it
    text: str  #: everything but the question itself
    memory_text: str  #: what stands there as remembered, without the recent talk

    @classmethod
    def of_context(cls, context: Context) -> Answer:
        answering = [block for block in context.blocks if block.name != _QUESTION_BLOCK]
        remembered = (block.text for block in answering if block.name in _MEMORY_BLOCKS)
        return cls(
            items=frozenset(context.items),
            text="\n".join(block.text for block in answering),
            memory_text="\n".join(remembered),
        )

    @classmethod
    def of_hits(cls, hits: Iterable[Hit]) -> Answer:
        hits = tuple(hits)
        text = "\n".join(hit.text for hit in hits)
        return cls(items=frozenset(hit.item.id for hit in hits), text=text, memory_text=text)


def mentions(text: str, value: Value, surfaces: Iterable[str] = ()) -> bool:
    """Whether `text` says `value` in one of its spellings or `surfaces`.

    Single letters and short bare numbers prove nothing (A, 25); longer numbers must stand alone.
    """
    lines = [fold(_DATE.sub("", line)) for line in text.splitlines()]
    spellings = {fold(each) for each in (*value.accepted, value.written, *surfaces)}
    return any(_stands_in(spelling, line) for spelling in spellings for line in lines)


def holds(memory: Memory, slot: str, value: Value) -> bool:
    """Whether `memory` says that `value` is the user's."""
    accepted = {fold(each) for each in value.accepted}
    return (
        memory.subject == USER
        and memory.attribute == slot
        and memory.polarity == "+"
        and memory.value is not None
        and fold(memory.value) in accepted
    )


def _stands_in(spelling: str, said: str) -> bool:
    if spelling.isdigit():
        return len(spelling) > 2 and re.search(rf"(?<!\d){spelling}(?!\d)", said) is not None
    return len(spelling) > 1 and spelling in said


def private_words(script: Script, conversation: Conversation) -> frozenset[str]:
    """Return the values that others were told and that nobody ever said, typed or asked in `conversation`."""
    own = [fold(text) for line in script.of(conversation) for text in (line.text, line.reply)]
    own += (fold(question.text) for checkpoint in script.checkpoints for question in checkpoint.questions)
    told = {
        fold(spelling)
        for line in script.lines
        if line.conversation != conversation
        for planted in line.facts
        if planted.slot not in _NOT_TELLING
        for spelling in (*planted.value.accepted, planted.value.written)
    }
    known = {
        fold(spelling)
        for line in script.of(conversation)
        for planted in line.facts
        for spelling in (*planted.value.accepted, *planted.value.forms.values())
    }
    return frozenset(word for word in told - known if len(word) >= _SHORTEST and not any(word in text for text in own))


def leaked(answer: Answer, private: frozenset[str]) -> list[str]:
    """Return the words of `private` in `answer`, line by line: 좋아해요 and 가자 in two lines are no 요가."""
    lines = [fold(line) for line in answer.text.splitlines()]
    return sorted(word for word in private if any(word in line for line in lines))
