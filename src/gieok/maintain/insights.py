"""Insights: what several memories and turns show together, counted and dated, never guessed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok.domain.judgement import Moment
from gieok.domain.memory import Memory, by_truth
from gieok.domain.turn import USER
from gieok.domain.upkeep import Ground, Told, UpkeepRules, is_new
from gieok.language.particles import josa
from gieok.language.text import has_hangul
from gieok.maintain.talked import TalkedOf, Topic, how_it_was, topics_of
from gieok.maintain.words import Stretch, stretch, stretch_after, words

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
