"""What was talked of, how often, and with what feeling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Final

from gieok.domain.attributes import Category, attribute
from gieok.domain.emotion import Emotion
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory, by_truth
from gieok.domain.turn import USER
from gieok.domain.upkeep import Ground, Kept, Told, UpkeepRules, by_upkeep, is_new, let_go
from gieok.language.morphemes import analyse
from gieok.language.terms import STOP_WORDS, stem
from gieok.language.text import fold, has_hangul, normalise
from gieok.language.token_count import estimate_tokens
from gieok.language.wording import josa
from gieok.maintain.words import Stretch, stretch, stretch_after, words

_NOUNS: Final = frozenset({"NNG", "NNP", "SH"})
_READ: Final = 500  #: characters of a text that are looked at for what it is about
_SHORTEST: Final = 2  #: a noun of one syllable says too little by itself, and is often misread


def nouns_in(text: str) -> tuple[str, ...]:
    """Return the Korean nouns of `text` and the stems of its foreign words, in order."""
    return _nouns_in(text[:_READ])


@lru_cache(maxsize=4096)  # the turns of the last weeks are looked at again at every reflection
def _nouns_in(text: str) -> tuple[str, ...]:
    return tuple(_nouns(text))


def _nouns(text: str) -> Iterator[str]:
    for morpheme in analyse(normalise(text)):
        if morpheme.tag in _NOUNS:
            yield morpheme.form
        elif morpheme.tag == "SL":
            word = fold(morpheme.form)
            if word not in STOP_WORDS:
                yield stem(word)


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
    elif memory.value:
        terms = frozenset(nouns_in(memory.value))
        if terms:
            yield Topic(memory.surface or memory.value, terms)


class TalkedOf:
    """The turns of a while, by what the user talked of in them."""

    def __init__(self, turns: Sequence[Told]) -> None:
        self.turns = turns

    @cached_property
    def _terms(self) -> list[frozenset[str]]:
        return [frozenset(_terms_of(turn)) for turn in self.turns]

    def about(self, topic: Topic) -> list[Told]:
        return [turn for turn, terms in zip(self.turns, self._terms, strict=True) if topic.terms <= terms]


def _terms_of(turn: Told) -> Iterable[str]:
    for topic in turn.topics:
        yield fold(topic)
        yield from nouns_in(topic)
    for _, speaker, text in turn.lines:
        if speaker == USER:
            yield from nouns_in(text)


def feeling_of(turn: Told) -> Emotion:
    """Return what the user felt in a turn; neutral where nothing was noticed."""
    return next((felt.emotion for felt in turn.felt if felt.speaker == USER), "neutral")


def how_it_was(turns: Sequence[Told], *, korean: bool) -> str:
    """Return how the user felt in these turns, as far as one can say: always only if always; "" in doubt."""
    felt = [feeling_of(turn) for turn in turns]
    names = sorted({name for name in felt if name != "neutral"}, key=lambda name: (-felt.count(name), name))
    if not names:
        return ""
    first = names[0]
    if felt.count(first) * 2 > len(felt):
        always = felt.count(first) == len(felt)
        if korean:
            return f"{'늘' if always else '대체로'} {words().feelings[first].was}"
        return f"{'always' if always else 'mostly'} {first}"
    both = [name for name in names if felt.count(name) >= 2][:2]
    if len(both) < 2:
        return ""
    if korean:
        one, other = (words().feelings[name].can_be for name in both)
        return f"{one} 때도 있었고 {other} 때도 있었다"
    return f"sometimes {both[0]}, sometimes {both[1]}"


_TASTES: Final = {"likes": ("좋아하는", "they like"), "dislikes": ("싫어하는", "they dislike")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """One sentence, what it is about, and what it rests on."""

    subject: Memory  #: one of the memories of the same subject
    about: str  #: a newer insight about the same takes its place
    sentence: str
    memories: tuple[Memory, ...]
    sources: tuple[str, ...] = ()  #: ids of the utterances that were counted


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """What memories share, and the turns about it since the last reflection."""

    topic: Topic
    memories: list[Memory]
    fresh: list[Told]

    @property
    def rank(self) -> tuple[int, int, str]:
        return (-len(self.fresh), self.fresh[0].number, self.topic.label)


def often_told(ground: Ground, new: Sequence[Memory], moment: Moment, rules: UpkeepRules) -> list[Insight]:
    """Return what the user came back to since the last reflection, the most frequent first."""
    turns = ground.told(max(moment.turn_number - rules.look_back_turns, 0))
    last = ground.last("reflect")
    talked = TalkedOf(turns)
    known_since = turns[0].at if turns and moment.turn_number > rules.look_back_turns else None
    found: dict[tuple[int, ...], Insight] = {}
    for group in _groups(talked, new, 0 if last is None else last.turn_number, rules):
        # words that only ever come together (시험, 공부) are one topic
        together = tuple(turn.number for turn in group.fresh)
        said = _stretch(group.fresh, moment.at, known_since)
        if together in found or said is None:
            continue
        counted = [turn for turn in talked.about(group.topic) if said.start(moment.at) <= turn.at <= moment.at]
        if len(counted) >= rules.insight_at:
            found[together] = _told_often(group, counted, said)
    return list(found.values())[: rules.most_insights]


def _groups(talked: TalkedOf, new: Sequence[Memory], since: int, rules: UpkeepRules) -> list[_Group]:
    of: dict[Topic, list[Memory]] = defaultdict(list)
    for memory in new:
        for topic in topics_of(memory):
            of[topic].append(memory)
    groups = (
        _Group(topic=topic, memories=memories, fresh=[turn for turn in talked.about(topic) if turn.number > since])
        for topic, memories in of.items()
    )
    return sorted((group for group in groups if len(group.fresh) >= rules.insight_at), key=lambda group: group.rank)


def _stretch(fresh: Sequence[Told], now: datetime, known_since: datetime | None) -> Stretch | None:
    """Return the stretch to tell of; every turn in it is known, so that the count holds for all of it."""
    said = stretch(min(turn.at for turn in fresh), now)
    if known_since is not None and said.start(now) <= known_since:
        return stretch_after(known_since, now)
    return said


def _told_often(group: _Group, counted: Sequence[Told], said: Stretch) -> Insight:
    korean = has_hangul(group.memories[0].content)
    feeling = how_it_was(counted, korean=korean)
    if korean:
        told = f"{said.korean} {group.topic.label} 얘기를 {len(counted)}번 했"
        sentence = f"{told}고 {feeling}" if feeling else f"{told}다"
    else:
        sentence = f"talked about {group.topic.label} {len(counted)} times {said.english}"
        sentence += f", {feeling}" if feeling else ""
    spoken = (line for turn in counted for line in turn.lines if line[1] == USER)
    return Insight(
        subject=group.memories[0],
        about=group.topic.label,
        sentence=sentence,
        memories=tuple(sorted(group.memories, key=by_truth)),
        sources=tuple(utterance_id for utterance_id, _, _ in spoken),
    )


def tastes(memories: Sequence[Memory], ground: Ground, moment: Moment, rules: UpkeepRules) -> Iterator[Insight]:
    """Yield what somebody likes or dislikes several of a kind of."""
    last = ground.last("reflect")
    groups: dict[tuple[str, str, str, str], list[Memory]] = defaultdict(list)
    for memory in memories:
        attribute, kind = memory.attribute, memory.value_class
        if attribute in _TASTES and kind is not None and kind in words().classes and memory.polarity == "+":
            groups[(memory.subject, memory.subject_id, attribute, kind)].append(memory)
    for (*_, attribute, kind), group in groups.items():
        if len(group) >= rules.insight_at and any(is_new(memory, last) for memory in group):
            yield _taste(attribute, kind, sorted(group, key=by_truth))


def _taste(attribute: str, kind: str, group: list[Memory]) -> Insight:
    names = list(dict.fromkeys(memory.surface or memory.value or "" for memory in group))
    korean_taste, english_taste = _TASTES[attribute]
    if any(has_hangul(memory.content) for memory in group):
        listed = josa(", ".join(names), "을/를")
        sentence = f"{korean_taste} {josa(words().classes[kind], '으로/로')} {listed} 꼽았다"
    else:
        sentence = f"named {len(names)} {words().english_classes[kind]} {english_taste}: {', '.join(names)}"
    return Insight(subject=group[0], about=f"{attribute}:{kind}", sentence=sentence, memories=tuple(group))


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
