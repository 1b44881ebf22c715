"""Reflection without a model: what was talked of often, tastes of one kind, and profiles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from gieok.domain import upkeep
from gieok.domain.attributes import Category, ContentType, attribute
from gieok.domain.claim import Subject
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory, by_truth
from gieok.domain.turn import USER
from gieok.domain.upkeep import Kept, UpkeepRules, UpkeepSource, UpkeepTurn, by_upkeep, closing_change, is_new
from gieok.language.morphemes import analyse
from gieok.language.terms import STOP_WORDS, stem
from gieok.language.text import fold, has_hangul, normalise
from gieok.language.token_count import estimate_tokens
from gieok.language.wording import josa
from gieok.maintain.words import stretch, stretch_after, words

EXTRACTOR: Final = "upkeep/reflect/1"
_NOUNS: Final = frozenset({"NNG", "NNP", "SH"})
_READ: Final = 500  #: characters of a text that are looked at for what it is about
_SHORTEST: Final = 2  #: a noun of one syllable says too little by itself, and is often misread
_TASTES: Final = {"likes": ("좋아하는", "they like"), "dislikes": ("싫어하는", "they dislike")}
_ORDER: Final[tuple[Category, ...]] = (
    "identity", "caution", "people", "preference", "situation", "request", "shared_event",
)  # fmt: skip
_IMPORTANCE: Final = {"insight": 0.6, "profile": 0.7}


@lru_cache(maxsize=4096)  # the turns of the last weeks are looked at again at every reflection
def nouns_in(text: str) -> tuple[str, ...]:
    """Return the Korean nouns of `text` and the stems of its foreign words, in order."""
    found = []
    for morpheme in analyse(normalise(text[:_READ])):
        if morpheme.tag in _NOUNS:
            found.append(morpheme.form)
        elif morpheme.tag == "SL" and (word := fold(morpheme.form)) not in STOP_WORDS:
            found.append(stem(word))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that may have been talked of."""

    label: str  #: as it is said
    terms: frozenset[str]  #: all of them stand in a turn that is about it


def topics_of(memory: Memory) -> Iterator[Topic]:
    """Yield what `memory` is about: whom it speaks of, the nouns in it; of English words the value alone."""
    if memory.subject == "other":
        yield Topic(memory.subject_id, frozenset({fold(memory.subject_id)}))
    if has_hangul(memory.content):
        for noun in dict.fromkeys(nouns_in(memory.content)):
            if has_hangul(noun) and len(noun) >= _SHORTEST and noun not in words().light:
                yield Topic(noun, frozenset({noun}))
    elif memory.value and (terms := frozenset(nouns_in(memory.value))):
        yield Topic(memory.surface or memory.value, terms)


def _terms_of(turn: UpkeepTurn) -> frozenset[str]:
    """Return what the user talked of in `turn`."""
    said = (text for _, speaker, text in turn.lines if speaker == USER)
    terms = {noun for text in (*turn.topics, *said) for noun in nouns_in(text)}
    return frozenset(terms | {fold(topic) for topic in turn.topics})


def how_it_was(turns: Sequence[UpkeepTurn], *, korean: bool) -> str:
    """Return how the user felt in these turns, as far as one can say: always only if always; "" in doubt."""
    felt = [next((each.emotion for each in turn.felt if each.speaker == USER), "neutral") for turn in turns]
    names = sorted({name for name in felt if name != "neutral"}, key=lambda name: (-felt.count(name), name))
    if names and felt.count(names[0]) * 2 > len(felt):
        always = felt.count(names[0]) == len(felt)
        if korean:
            return f"{'늘' if always else '대체로'} {words().feelings[names[0]].was}"
        return f"{'always' if always else 'mostly'} {names[0]}"
    both = [name for name in names if felt.count(name) >= 2][:2]
    if len(both) < 2:
        return ""
    if korean:
        one, other = (words().feelings[name].can_be for name in both)
        return f"{one} 때도 있었고 {other} 때도 있었다"
    return f"sometimes {both[0]}, sometimes {both[1]}"


def often_told(ground: UpkeepSource, new: Sequence[Memory], moment: Moment, rules: UpkeepRules) -> list[Memory]:
    """Return what the user came back to since the last reflection, the most frequent first."""
    turns = [(turn, _terms_of(turn)) for turn in ground.told(max(moment.turn_number - rules.look_back_turns, 0))]
    last = ground.last("reflect")
    since = 0 if last is None else last.turn_number
    known_since = turns[0][0].at if turns and moment.turn_number > rules.look_back_turns else None
    of: dict[Topic, list[Memory]] = defaultdict(list)
    for memory in new:
        for topic in topics_of(memory):
            of[topic].append(memory)
    about = {topic: [turn for turn, terms in turns if topic.terms <= terms] for topic in of}
    fresh = {topic: [turn for turn in found if turn.number > since] for topic, found in about.items()}
    often = [topic for topic in of if len(fresh[topic]) >= rules.insight_at]
    insights: dict[tuple[int, ...], Memory] = {}
    for topic in sorted(often, key=lambda each: (-len(fresh[each]), fresh[each][0].number, each.label)):
        together = tuple(turn.number for turn in fresh[topic])
        said = stretch(min(turn.at for turn in fresh[topic]), moment.at)
        if known_since is not None and said.start(moment.at) <= known_since:
            later = stretch_after(known_since, moment.at)  # every turn in it is known, so the count holds for all of it
            if later is None:
                continue
            said = later
        counted = [turn for turn in about[topic] if said.start(moment.at) <= turn.at <= moment.at]
        # words that only ever come together (시험, 공부) are one topic
        if together in insights or len(counted) < rules.insight_at:
            continue
        korean = has_hangul(of[topic][0].content)
        feeling = how_it_was(counted, korean=korean)
        if korean:
            told = f"{said.korean} {topic.label} 얘기를 {len(counted)}번 했"
            sentence = f"{told}고 {feeling}" if feeling else f"{told}다"
        else:
            sentence = f"talked about {topic.label} {len(counted)} times {said.english}"
            sentence += f", {feeling}" if feeling else ""
        spoken = (line for turn in counted for line in turn.lines if line[1] == USER)
        insights[together] = conclusion(
            "insight",
            sentence,
            sorted(of[topic], key=by_truth),
            moment,
            about=("user", USER),
            tags=("insight", topic.label),
            sources=tuple(utterance_id for utterance_id, _, _ in spoken),
        )
    return list(insights.values())[: rules.most_insights]


def tastes(memories: Sequence[Memory], ground: UpkeepSource, moment: Moment, rules: UpkeepRules) -> Iterator[Memory]:
    """Yield what somebody likes or dislikes several of a kind of."""
    last = ground.last("reflect")
    groups: dict[tuple[str, str, str, str], list[Memory]] = defaultdict(list)
    for memory in memories:
        taste, kind = memory.attribute, memory.value_class
        if taste in _TASTES and kind is not None and kind in words().classes and memory.polarity == "+":
            groups[(memory.subject, memory.subject_id, taste, kind)].append(memory)
    for (*_, taste, kind), found in groups.items():
        if len(found) < rules.insight_at or not any(is_new(memory, last) for memory in found):
            continue
        group = sorted(found, key=by_truth)
        names = list(dict.fromkeys(memory.surface or memory.value or "" for memory in group))
        korean, english = _TASTES[taste]
        if any(has_hangul(memory.content) for memory in group):
            listed = josa(", ".join(names), "을/를")
            sentence = f"{korean} {josa(words().classes[kind], '으로/로')} {listed} 꼽았다"
        else:
            sentence = f"named {len(names)} {words().english_classes[kind]} {english}: {', '.join(names)}"
        yield conclusion("insight", sentence, group, moment, tags=("insight", f"{taste}:{kind}"))


def profile(known: Sequence[Memory], moment: Moment, rules: UpkeepRules) -> Memory | None:
    """Return the profile of the one that all of `known` are about; None: too little is known."""

    def first_things_first(memory: Memory) -> tuple[object, ...]:
        rank = _ORDER.index(attribute(memory.attribute).category) if memory.attribute else len(_ORDER)
        return (rank, -memory.importance, by_truth(memory))

    facts = sorted((memory for memory in known if memory.attribute is not None), key=first_things_first)
    if len(facts) < rules.profile_at:
        return None
    sentences = {memory.id: " ".join(memory.content.split()).rstrip(".") for memory in facts}
    told: dict[str, Memory] = {}
    room = rules.profile_tokens
    for memory in facts:
        sentence = sentences[memory.id]
        cost = estimate_tokens(f"{sentence}. ")
        if sentence not in told and cost <= room:
            told[sentence] = memory
            room -= cost
    if not told:
        return None
    text = ". ".join(told) + "."
    if left := len({*sentences.values()}) - len(told):
        text += f" 그 밖에 {left}가지." if has_hangul(text) else f" And {left} more."
    return conclusion("profile", text, list(told.values()), moment, tags=("profile",))


def reflected(ground: UpkeepSource, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]) -> Iterator[Kept]:
    """Yield insights and profiles; each closes the one before it about the same."""
    memories = sorted(ground.memories(), key=by_truth)
    last = ground.last("reflect")
    told = [m for m in memories if not by_upkeep(m) and not m.doubtful and m.true_at(moment.at)]
    learned = sorted((m for m in told if is_new(m, last)), key=lambda m: (m.known_at, m.recorded_at, m.id))
    new = learned[-rules.reflect_most :]
    if not new:
        return
    known: dict[tuple[str, str], list[Memory]] = defaultdict(list)
    for memory in told:
        known[(memory.subject, memory.subject_id)].append(memory)
    subjects = dict.fromkeys((memory.subject, memory.subject_id) for memory in new)
    profiles = (profile(known[subject], moment, rules) for subject in subjects)
    insights = (*often_told(ground, new, moment, rules), *tastes(told, ground, moment, rules))
    before = {_key(memory): memory for memory in memories if memory.extractor == EXTRACTOR}
    number = 0
    for after in (*insights, *filter(None, profiles)):
        older = before.get(_key(after))
        if older is not None and (older.content == after.content or older.origin == "person"):
            continue  # a person's words are not overwritten
        made = replace(after, id=new_id(number))
        number += 1
        closed = () if older is None else (closing_change(older, moment, replaced_by=made.id),)
        why = f"{len(made.made_from)} memories together"
        yield Kept(action="reflect", why=why, changes=(Change(before=None, after=made), *closed))


def _key(memory: Memory) -> tuple[object, ...]:
    return (memory.subject, memory.subject_id, memory.tags)


def conclusion(
    content_type: ContentType,
    content: str,
    grounds: Sequence[Memory],
    moment: Moment,
    *,
    tags: tuple[str, ...],
    about: tuple[Subject, str] | None = None,
    sources: tuple[str, ...] = (),
) -> Memory:
    """Return a memory that rests on `grounds`, without an id; it is about the first of them, or `about`."""
    subject, subject_id = about or (grounds[0].subject, grounds[0].subject_id)
    return upkeep.conclusion(
        grounds,
        moment,
        id="",
        subject=subject,
        subject_id=subject_id,
        content=content,
        content_type=content_type,
        importance=_IMPORTANCE[content_type],
        extractor=EXTRACTOR,
        sources=sources,
        made_from=tuple(dict.fromkeys(memory.id for memory in grounds)),
        tags=tags,
    )
