"""What a character without a model answers: by rule, from what it remembers and has just heard."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from gieok.cli.look.words import WORDS
from gieok.domain.answer import Hit, Observed
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import USER
from gieok.language.wording import josa

_SLOT: Final = re.compile(r"\{(\w+)(?::([^}]+))?\}")
_CLOSE: Final = 0.4  #: a cosine from which on a memory is about the question, even without a common word
_SPOKEN_OF: Final = 2  #: decisions of one turn that the answer goes into
_DAY: Final = re.compile(r"(?:(?P<year>\d{4})-)?(?P<month>\d{1,2})-(?P<day>\d{1,2})")


@cache
def phrases() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("phrases.ko.toml").read_text(encoding="utf-8"))


def phrase(table: str, *keys: str | None, **slots: object) -> str:
    """Return the first phrase of `table` that one of `keys` names, with its slots filled in."""
    known: Mapping[str, str] = phrases()[table]
    return filled(next(known[key] for key in keys if key is not None and key in known), **slots)


def lines(table: str) -> Sequence[str]:
    return list(phrases()[table]["lines"])


def filled(template: str, **slots: object) -> str:
    """Return `template` with {name} filled in, and {name:을/를} with the particle that fits."""

    def fill(slot: re.Match[str]) -> str:
        word = str(slots[slot[1]])
        return josa(word, slot[2]) if slot[2] else word

    return _SLOT.sub(fill, template)


def answer(observed: Observed, hits: Sequence[Hit], scope: Scope, *, asked: bool) -> str:
    """Return the reply to the turn `observed`; `hits` are what it brought to mind, `asked` whether it is a question."""
    decisions = [each for each in observed.decisions if each.claim.speaker == USER and _is_worth_a_word(each)]
    if decisions:
        return " ".join(_heard(decision, scope) for decision in decisions[:_SPOKEN_OF])
    if asked:
        return _known(hits, scope, observed.turn.id)
    small_talk = lines("small_talk")
    return small_talk[observed.turn.number % len(small_talk)]


def _is_worth_a_word(decision: Decision) -> bool:
    return not isinstance(decision, Ignore) or decision.why in phrases()["ignored"]


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
            return phrase("ignored", decision.why)


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
    value = _spoken(memory)
    own = memory.speaker == memory.subject == USER and memory.polarity == "+" and value is not None
    key = memory.attribute if own else "any" if memory.subject == USER else "other"
    who = WORDS["ko"].named(memory.subject_id, scope)
    return phrase(table, key, "any", v=value, who=who, content=memory.content)


def _spoken(memory: Memory) -> str | None:
    """Return the value of `memory` as one says it, however it was said at the time: 25살, 8월 15일."""
    if memory.attribute == "age" and memory.value is not None and memory.value.isdecimal():
        return f"{memory.value}살"
    day = _DAY.fullmatch(memory.value or "") if memory.attribute == "birthday" else None
    if day is not None:
        year = f"{day['year']}년 " if day["year"] else ""
        return f"{year}{int(day['month'])}월 {int(day['day'])}일"
    return memory.surface or memory.value


def _is_question(text: str) -> bool:
    from gieok.cli.look.memories import moods

    return "question" in moods(text)
