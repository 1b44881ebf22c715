"""Questions that clear up what is doubtful. The words are in `words/*/questions.toml`, by attribute."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.decision import Decision, Ignore
from gieok.domain.memory import Memory, by_truth
from gieok.language.wording import polite_fact
from gieok.words import Language, Words, words_in

_MOST: Final = 1  #: questions of one turn: more of them are an interrogation
_FIRST: Final = ("caution", "identity")  #: categories, the most important first
_ONE_OF: Final = frozenset({"job", "pet"})  #: attributes whose English value takes an article
_UNCOUNTED: Final = ("a ", "an ", "the ", "two ", "three ", "four ", "five ")


def doubtful_in(decisions: Iterable[Decision]) -> list[str]:
    """Return the ids of the memories that were doubtful when they were decided on."""
    decided = (decision.memory for decision in decisions if not isinstance(decision, Ignore))
    return [memory.id for memory in decided if memory.doubtful]


def questions_about(memories: Iterable[Memory], language: Language) -> tuple[str, ...]:
    """Return at most one question, about the most important memory that still waits to be confirmed."""
    waiting = [each for each in memories if each.doubtful and not each.hidden and each.invalid_at is None]
    asked = (question_about(each, language) for each in sorted(waiting, key=_rank))
    return tuple(question for question in asked if question is not None)[:_MOST]


def question_about(memory: Memory, language: Language) -> str | None:
    """Return what to ask the user to learn whether `memory` is so; None: it is not for the user to say.

    Memories about the character and the world are not.
    """
    if memory.subject not in ("user", "other"):
        return None
    words = words_in(language)
    by_attribute = words.some(f"questions.{memory.subject}")
    key = (memory.attribute or "").partition(".")[0]  # favorite.music: favorite
    if memory.polarity == "-" or memory.value is None or key not in by_attribute:
        return _stated(memory, words)
    value = _one(memory.value) if language == "en" and key in _ONE_OF else memory.value
    return words(f"questions.{memory.subject}.{key}", who=memory.subject_id, value=value)


def _stated(memory: Memory, words: Words) -> str:
    """Return what `memory` says as a question; a note that makes no sentence is quoted."""
    if words.language == "en":
        said = f"{memory.subject_id} {memory.content}" if memory.subject == "other" else memory.content
        return words(f"questions.{memory.subject}.stated", said=said)
    said = polite_fact(memory)
    return words(f"questions.{memory.subject}.stated" if said.endswith("요") else "questions.quoted", said=said)


def _rank(memory: Memory) -> tuple[object, ...]:
    category = attribute(memory.attribute).category if memory.attribute is not None else ""
    place = _FIRST.index(category) if category in _FIRST else len(_FIRST)
    return (place, -memory.importance, by_truth(memory))


def _one(value: str) -> str:
    """Return an English noun with its article, unless it has one or is counted."""
    low = value.lower()
    if low.startswith(_UNCOUNTED) or low[:1].isdigit() or low.endswith("s"):
        return value
    return f"{'an' if low[:1] in 'aeiou' else 'a'} {value}"
