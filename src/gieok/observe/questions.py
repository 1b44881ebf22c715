"""Questions to ask the user: what clears up a doubtful memory, and how a plan went whose day has passed.

The words are in `words/*/questions.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.decision import Decision, Ignore
from gieok.domain.memory import Memory, by_truth
from gieok.domain.relationship import Manners
from gieok.domain.turn import Utterance
from gieok.extract.times import Told, time_of_plan
from gieok.language.cache import cached_by_text
from gieok.language.terms import index_terms
from gieok.language.wording import polite_fact
from gieok.ports import BrowseFilter, View
from gieok.words import Language, Words, words_in

_MOST: Final = 1  #: questions of one turn: more of them are an interrogation
_FIRST: Final = ("caution", "identity")  #: categories, the most important first
_ONE_OF: Final = frozenset({"job", "pet"})  #: attributes whose English value takes an article
_UNCOUNTED: Final = ("a ", "an ", "the ", "two ", "three ", "four ", "five ")
_DAY: Final = timedelta(days=1)
_FRESH: Final = 5  #: days after which nobody asks any more how a plan went
_ACTION: Final = {"ko": re.compile(r"기$"), "en": re.compile(r"^plans to ")}  #: a plan that names what is done
_ARTICLE: Final = re.compile(r"^(?:an?|the)\s", re.IGNORECASE)
_PLANS: Final = 100  #: of the user, the newest: of older ones nobody is asked


def doubtful_in(decisions: Iterable[Decision]) -> list[str]:
    """Return the ids of the memories that were doubtful when they were decided on."""
    decided = (decision.memory for decision in decisions if not isinstance(decision, Ignore))
    return [memory.id for memory in decided if memory.doubtful]


_time_of_plan: Final = cached_by_text(time_of_plan, short_ones=4_096)  # every turn asks of all plans


def plans_of_user(view: View, now: datetime, changed: Mapping[str, Memory | None]) -> list[Memory]:
    """Return the user's newest plans, with what is `changed` about memories by their ids."""
    which = BrowseFilter(subject="user", subject_id="user", attribute="plan", present=now)
    plans = {leaf.memory.id: leaf.memory for leaf in view.browse(which, _PLANS)}
    new = {id: each for id, each in changed.items() if each and each.attribute == "plan" and each.subject == "user"}
    return [each for id, each in (plans | new).items() if changed.get(id, each) is not None]


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


def plan_to_ask_about(plans: Iterable[Memory], now: datetime) -> Memory | None:
    """Return the user's latest plan whose day passed at most a few days before `now`; None: there is none."""
    passed = []
    for plan in plans:
        end = _time_of(plan).until
        open_yet = plan.closed_by is None and plan.polarity == "+" and not (plan.doubtful or plan.hidden)
        if open_yet and plan.value and end is not None and end <= now < end + _FRESH * _DAY:
            passed.append((end, by_truth(plan), plan))
    return max(passed, default=(None, None, None))[-1]


def question_about_plan(
    plan: Memory, said: Sequence[Utterance], now: datetime, manners: Manners, language: Language
) -> str | None:
    """Return how to ask the user about a plan whose day has passed; None: it was spoken of since, in `said`."""
    time = _time_of(plan)
    if plan.value is None or time.since is None or time.until is None:
        return None
    named = {*index_terms(plan.value)}
    since = max(time.until - _DAY, plan.known_at)
    later = (each for each in said if each.at >= since and each.id not in plan.sources)
    if any(2 * len(named & {*index_terms(each.text)}) >= len(named) for each in later):
        return None
    words = words_in(language)
    days = (now.astimezone(time.until.tzinfo).date() - (time.until - _DAY).date()).days
    when = "period" if time.until - time.since > _DAY else {1: "yesterday", 2: "two_days"}.get(days, "day")
    weekday = words.choices("questions.plan.weekdays")[time.since.weekday()]
    told = words(f"questions.plan.when.{when}", weekday=weekday)
    kind = "action" if _ACTION[language].search(plan.content if language == "en" else plan.value) else "noun"
    value = _ARTICLE.sub("", plan.value).removesuffix(" tomorrow") if language == "en" else plan.value
    return words(f"questions.plan.{manners.character_style}.{kind}", when=told, value=value)


def _time_of(plan: Memory) -> Told:
    """Return when a plan is to happen: the time that its words name, or else the last day on which it holds."""
    told = _time_of_plan(f"{plan.surface or ''} {plan.content}", plan.known_at)
    if told.until is not None or plan.invalid_at is None:
        return told
    return Told(since=plan.invalid_at - _DAY, until=plan.invalid_at)


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
