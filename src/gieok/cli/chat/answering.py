"""What a character without a model answers: by rule, from what it remembers and has just heard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gieok.cli.chat.phrases import lines, phrase
from gieok.cli.look.words import WORDS
from gieok.domain.answer import Hit, Observed
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import USER

_CLOSE: Final = 0.4  #: a cosine from which on a memory is about the question, even without a common word
_SPOKEN_OF: Final = 2  #: decisions of one turn that the answer goes into


def answer(observed: Observed, hits: Sequence[Hit], scope: Scope, *, asked: bool) -> str:
    """Return the reply to the turn `observed`; `hits` are what it brought to mind, `asked` whether it is a question."""
    decisions = [each for each in observed.decisions if each.claim.speaker == USER]
    if decisions:
        return " ".join(_heard(decision, scope) for decision in decisions[:_SPOKEN_OF])
    if asked:
        return _known(hits, scope, observed.turn.id)
    small_talk = lines("small_talk")
    return small_talk[observed.turn.number % len(small_talk)]


def _heard(decision: Decision, scope: Scope) -> str:
    match decision:
        case Remember():
            return _about("remember", decision.memory, scope)
        case Supersede():
            old = decision.closed[0].content
            return phrase("change", "any", old=old, new=decision.memory.content)
        case Reinforce():
            return phrase("change", "again", content=decision.memory.content)
        case Retract():
            return phrase("change", "retract", content=decision.memory.content)
        case Ignore():
            return phrase("change", "ignore")


def _known(hits: Sequence[Hit], scope: Scope, turn_id: str) -> str:
    for hit in hits:
        if hit.parts.keyword <= 0 and hit.parts.relevance < _CLOSE:
            continue
        if isinstance(hit.item, Memory):
            return _about("answer", hit.item, scope)
        if hit.item.speaker == USER and hit.item.turn_id != turn_id and not _is_question(hit.text):
            return phrase("answer", "said", text=hit.text)
    return phrase("answer", "nothing")


def _about(table: str, memory: Memory, scope: Scope) -> str:
    own = memory.subject == USER and memory.polarity == _usual_polarity(memory)
    key = memory.attribute if own else "any" if memory.subject == USER else "other"
    who = WORDS["ko"].named(memory.subject_id, scope)
    value = memory.surface or memory.value
    return phrase(table, key, "any", v=value, who=who, content=memory.content)


def _usual_polarity(memory: Memory) -> str:
    return "-" if memory.attribute == "dislikes" else "+"


def _is_question(text: str) -> bool:
    from gieok.cli.silence import moods

    return "question" in moods(text)
