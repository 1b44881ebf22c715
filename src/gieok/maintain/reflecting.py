"""Reflecting: when enough is new, what it shows together is put into words, and profiles are brought up to date."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.attributes import Category, attribute
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory, by_truth
from gieok.domain.upkeep import Ground, Kept, UpkeepRules, by_upkeep, is_new, let_go
from gieok.language.text import has_hangul
from gieok.language.token_count import estimate_tokens
from gieok.maintain.insights import Insight, often_told, tastes

_ORDER: Final[tuple[Category, ...]] = (
    "identity", "caution", "people", "preference", "situation", "request", "shared_event",
)  # fmt: skip
EXTRACTOR: Final = "upkeep/reflect/1"
_INSIGHT_IMPORTANCE: Final = 0.6
_PROFILE_IMPORTANCE: Final = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is known of one being."""

    text: str
    memories: tuple[Memory, ...]  #: those that it tells, in order


def profile(known: Sequence[Memory], rules: UpkeepRules) -> Profile | None:
    """Return the profile of the one that all of `known` are about; None: too little is known."""
    facts = sorted((memory for memory in known if memory.attribute is not None), key=_first_things_first)
    if len(facts) < rules.profile_at:
        return None
    told: dict[str, Memory] = {}
    room = rules.profile_tokens
    for memory in facts:
        sentence = " ".join(memory.content.split()).rstrip(".")
        cost = estimate_tokens(f"{sentence}. ")
        if sentence not in told and cost <= room:
            told[sentence] = memory
            room -= cost
    left = len({" ".join(memory.content.split()).rstrip(".") for memory in facts}) - len(told)
    text = ". ".join(told) + "."
    if left:
        text += f" 그 밖에 {left}가지." if has_hangul(text) else f" And {left} more."
    return Profile(text=text, memories=tuple(told.values())) if told else None


def _first_things_first(memory: Memory) -> tuple[object, ...]:
    rank = _ORDER.index(attribute(memory.attribute).category) if memory.attribute else len(_ORDER)
    return (rank, -memory.importance, by_truth(memory))


def reflected(ground: Ground, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]) -> Iterator[Kept]:
    """Yield insights and profiles; each closes the one before it about the same."""
    memories = sorted(ground.memories(), key=by_truth)
    last = ground.last("reflect")
    told = [memory for memory in memories if not by_upkeep(memory) and memory.true_at(moment.at)]
    new = sorted((memory for memory in told if is_new(memory, last)), key=_learned)[-rules.reflect_most :]
    if not new:
        return
    before = {_key(memory): memory for memory in memories if memory.extractor == EXTRACTOR}
    number = 0
    for after in _reflections(ground, told, new, moment, rules):
        older = before.get(_key(after))
        if older is not None and (older.content == after.content or older.origin == "person"):
            continue  # a person's words are not overwritten
        made = replace(after, id=new_id(number))
        number += 1
        closed = () if older is None else (let_go(older, moment, for_the_sake_of=made.id),)
        why = f"{len(made.made_from)} memories together"
        yield Kept(action="reflect", why=why, changes=(Change(before=None, after=made), *closed))


def _reflections(
    ground: Ground, told: Sequence[Memory], new: Sequence[Memory], moment: Moment, rules: UpkeepRules
) -> Iterator[Memory]:
    for insight in (*often_told(ground, new, moment, rules), *tastes(told, ground, moment, rules)):
        yield _insight(insight, moment)
    known: dict[tuple[str, str], list[Memory]] = defaultdict(list)
    for memory in told:
        known[(memory.subject, memory.subject_id)].append(memory)
    for subject in dict.fromkeys((memory.subject, memory.subject_id) for memory in new):
        summed_up = profile(known[subject], rules)
        if summed_up is not None:
            yield _profile(summed_up, moment)


def _insight(insight: Insight, moment: Moment) -> Memory:
    # What somebody often talks of is told of the user, what they like of whoever likes it.
    counted = bool(insight.sources)
    return Memory(
        id="",
        speaker="character",
        subject="user" if counted else insight.subject.subject,
        subject_id="user" if counted else insight.subject.subject_id,
        content=insight.sentence,
        content_type="insight",
        kind="insight",
        importance=_INSIGHT_IMPORTANCE,
        touched_turn=moment.turn_number,
        valid_at=moment.at,
        known_at=moment.at,
        recorded_at=moment.recorded_at,
        origin="reflection",
        extractor=EXTRACTOR,
        sources=insight.sources,
        made_from=tuple(dict.fromkeys(memory.id for memory in insight.memories)),
        tags=("insight", insight.about),
        pii_flags=tuple(sorted({flag for memory in insight.memories for flag in memory.pii_flags})),
    )


def _profile(summed_up: Profile, moment: Moment) -> Memory:
    of = summed_up.memories[0]
    return Memory(
        id="",
        speaker="character",
        subject=of.subject,
        subject_id=of.subject_id,
        content=summed_up.text,
        content_type="profile",
        kind="insight",
        importance=_PROFILE_IMPORTANCE,
        touched_turn=moment.turn_number,
        valid_at=moment.at,
        known_at=moment.at,
        recorded_at=moment.recorded_at,
        origin="reflection",
        extractor=EXTRACTOR,
        made_from=tuple(memory.id for memory in summed_up.memories),
        tags=("profile",),
        pii_flags=tuple(sorted({flag for memory in summed_up.memories for flag in memory.pii_flags})),
    )


def _learned(memory: Memory) -> tuple[object, ...]:
    return (memory.known_at, memory.recorded_at, memory.id)


def _key(memory: Memory) -> tuple[object, ...]:
    return (memory.subject, memory.subject_id, memory.tags)
