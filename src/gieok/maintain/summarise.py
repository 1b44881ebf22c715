"""Extracts: of a stretch of talk, what is worth telling again, in the words that are there.

What became a memory is told by it; of the rest, sentences that say something are quoted. Questions, greetings and
small talk stay behind. Nothing is reworded, so nothing is invented.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import groupby
from typing import Any, Final

from gieok.domain.claim import CONCLUSIONS
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory, by_truth
from gieok.domain.turn import CHARACTER, USER
from gieok.domain.upkeep import (
    Kept,
    UpkeepRules,
    UpkeepSource,
    UpkeepTurn,
    closing_change,
    conclusion,
    is_new,
    is_protected,
    refreshed,
)
from gieok.language import cache
from gieok.language.mood import mood_of
from gieok.language.morphemes import analyse
from gieok.language.numerals import find_month_days
from gieok.language.terms import STOP_WORDS
from gieok.language.text import has_hangul, normalise, sentences
from gieok.language.token_count import estimate_tokens
from gieok.maintain.reflect import nouns_in
from gieok.maintain.words import day_of, day_said, days_said, words

BETWEEN: Final = " · "
BY_HAND: Final = "※ "  #: before what a person wrote into a summary, so that the next one knows it
QUOTE: Final = "“"
_WORTH: Final = 0.5  #: a sentence worth less is not quoted
_LONGEST: Final = 100  #: characters of a quotation; Korean says "not" at the end, so none is cut
_SHORTEST: Final = 6
_READ: Final = 60  #: utterances that are looked at, the longest
_FELT: Final = 0.4  #: a feeling at least so strong is noted
_SAID: Final = frozenset({"statement", "wish"})
_NOUNS: Final = frozenset({"NNG", "NNP", "SH", "SL"})
_PLAIN: Final = str.maketrans({"“": "‘", "”": "’"})
_MARK: Final = re.compile(r"[?？!.…~]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to tell."""

    day: date | None  #: None: nobody knows any more
    text: str
    worth: float
    memory_id: str | None = None
    utterance_id: str | None = None  #: of a quotation


def told_by(memory: Memory, day: date | None) -> Item:
    worth = memory.importance + 0.3 * memory.emotion_intensity
    text = one_line(memory.content)
    if memory.subject in ("character", "other") and memory.subject_id not in text:
        text = f"{one_line(memory.subject_id)}: {text}"
    return Item(day=day, text=text, worth=worth, memory_id=memory.id)


def _only_names(memory: Memory) -> bool:
    """Whether it says that Sofia is called Sofia: among others' facts that would read as the user's own name."""
    return memory.subject == "other" and memory.attribute == "name" and memory.value == memory.subject_id


class Remembered:
    """Memories by the utterances that said them, and those that nobody said by their day."""

    def __init__(self, memories: Iterable[Memory], now: datetime) -> None:
        self._by_source: dict[str, list[Memory]] = defaultdict(list)
        self._by_day: dict[date, list[Memory]] = defaultdict(list)
        for memory in sorted(memories, key=by_truth):
            if not memory.true_at(now) or memory.content_type in CONCLUSIONS:
                continue
            for source in memory.sources:
                self._by_source[source].append(memory)
            if not memory.sources:
                self._by_day[day_of(memory.known_at, now.tzinfo)].append(memory)

    def from_utterance(self, utterance_id: str) -> list[Memory]:
        return self._by_source.get(utterance_id, [])

    def on(self, day: date) -> list[Memory]:
        return self._by_day.get(day, [])


def extracts(turns: Sequence[UpkeepTurn], remembered: Remembered, zone: tzinfo | None, *, quotes: int) -> list[Item]:
    """Return what is worth telling of `turns`, in the order of the story, at most `quotes` of it quoted."""
    days = {turn.number: day_of(turn.at, zone) for turn in turns}
    facts: dict[str, Item] = {}
    for day in dict.fromkeys(days.values()):
        facts |= {memory.id: told_by(memory, day) for memory in remembered.on(day)}
    for turn in turns:
        for memory in (memory for line in turn.lines for memory in remembered.from_utterance(line[0])):
            if not _only_names(memory):
                facts.setdefault(memory.id, told_by(memory, days[turn.number]))
    quoted = sorted(_quotations(turns, remembered, days), key=lambda item: -item.worth)[:quotes]
    return sorted((*facts.values(), *quoted), key=lambda item: (item.day or date.min, -item.worth))


def _quotations(turns: Sequence[UpkeepTurn], remembered: Remembered, days: Mapping[int, date]) -> Iterator[Item]:
    spoken = [
        (turn, utterance_id, speaker, text)
        for turn in turns
        for utterance_id, speaker, text in turn.lines
        if speaker != CHARACTER and not remembered.from_utterance(utterance_id)
    ]
    longest = sorted(range(len(spoken)), key=lambda place: (-len(spoken[place][3]), place))[:_READ]
    seen: set[str] = set()
    for place in sorted(longest):
        turn, utterance_id, speaker, text = spoken[place]
        felt = next((each for each in turn.felt if each.speaker == speaker and each.emotion != "neutral"), None)
        strength = felt.intensity if felt is not None else 0.0
        sentence, worth = max(
            ((each, worth_of(each, mark) + 0.6 * strength) for each, mark in _sentences(text)),
            key=lambda pair: pair[1],
            default=("", 0.0),
        )
        if worth < _WORTH or worth == 0.6 * strength or sentence in seen:
            continue
        seen.add(sentence)
        who = "" if speaker == USER else f"{one_line(speaker)}: "
        noted = ""
        if felt is not None and strength >= _FELT:
            noted = f" ({words().feelings[felt.emotion].noted if has_hangul(sentence) else felt.emotion})"
        yield Item(
            day=days[turn.number],
            text=f"{who}{QUOTE}{sentence}”{noted}",
            worth=worth,
            utterance_id=utterance_id,
        )


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of `text` that can be quoted, each with the mark that ends it."""
    text = normalise(text)
    place = 0
    for sentence in sentences(text):
        place = text.index(sentence, place) + len(sentence)
        mark = _MARK.match(text, place)
        if _SHORTEST <= len(sentence) <= _LONGEST:
            yield one_line(sentence), mark.group() if mark else ""


@cache.cached_by_text
def worth_of(sentence: str, mark: str = "") -> float:
    """Return how much a sentence tells, 0–1: by its nouns, names and numbers; 0 for what states nothing."""
    morphemes = analyse(sentence)
    asked = "?" in mark or "？" in mark
    if asked or (has_hangul(sentence) and mood_of(morphemes, mark) not in _SAID):
        return 0.0
    nouns = {m.form.casefold() for m in morphemes if m.tag in _NOUNS} - words().light - STOP_WORDS
    named = any(morpheme.tag in ("NNP", "SN", "NR") for morpheme in morphemes)
    return min(0.25 * len(nouns), 0.7) + (0.3 if named and nouns else 0.0)


def one_line(text: str) -> str:
    """Return `text` so that it can stand among others, without the marks that tell what each of them is."""
    plain = " ".join(text.split()).translate(_PLAIN).removeprefix(BY_HAND)
    return plain.replace(BETWEEN, ", ")


def chosen(items: Sequence[Item], tokens: int) -> list[Item]:
    """Return the items worth most that fit into `tokens`, in their order; of equals the newer."""
    ranked = sorted(range(len(items)), key=lambda place: (-items[place].worth, -place))
    kept: list[int] = []
    days: set[date | None] = set()
    for place in ranked:
        item = items[place]
        label = "" if item.day in days else _label(item.day, korean=True, year=None)
        cost = estimate_tokens(f"\n{label}{item.text}{BETWEEN}")
        if cost <= tokens:
            kept.append(place)
            days.add(item.day)
            tokens -= cost
    return [items[place] for place in sorted(kept)]


def written(heading: str, items: Sequence[Item], *, korean: bool, year: int) -> str:
    lines = [
        _label(day, korean=korean, year=year) + BETWEEN.join(item.text for item in of_day)
        for day, of_day in groupby(items, key=lambda item: item.day)
    ]
    return "\n".join([heading, *lines])


def read_back(page: Memory, memories: Mapping[str, Memory], year: int) -> list[Item]:
    """Return what `page` tells, without what its memories no longer say: it was forgotten, or is not so any more.

    `year` is that of its making, which its days leave out.
    """
    grounds = (memories.get(memory_id) for memory_id in page.made_from)
    holding = {(told := told_by(memory, None)).text: told for memory in grounds if memory is not None}
    items: list[Item] = []
    for line in page.content.split("\n")[1:]:
        day, texts = _day_and_texts(line, year)
        for text in texts:
            if text in holding:
                items.append(replace(holding[text], day=day))
            elif text.startswith(BY_HAND):
                items.append(Item(day=day, text=text, worth=1.0))
            elif QUOTE in text:
                items.append(Item(day=day, text=text, worth=0.5))
            elif page.origin == "person" and text.strip():
                items.append(Item(day=day, text=BY_HAND + text, worth=1.0))
    quoted = [at for at, item in enumerate(items) if item.memory_id is None and not item.text.startswith(BY_HAND)]
    if len(quoted) == len(page.sources):  # else a person has changed them: whose words are whose cannot be told
        for at, source in zip(quoted, page.sources, strict=True):
            items[at] = replace(items[at], utterance_id=source)
    return items


def _day_and_texts(line: str, year: int) -> tuple[date | None, list[str]]:
    label, mark, rest = line.partition(": ")
    days = find_month_days(label)
    if not mark or len(days) != 1 or days[0].start > len("2026년 "):
        return None, line.split(BETWEEN)
    try:
        return date(days[0].year or year, days[0].month, days[0].day), rest.split(BETWEEN)
    except ValueError:  # the 29th of February of another year
        return None, rest.split(BETWEEN)


def _label(day: date | None, *, korean: bool, year: int | None) -> str:
    return "" if day is None else f"{day_said(day, korean=korean, year=year)}: "


EXTRACTOR: Final = "upkeep/summarise/1"
TAG: Final = "rolling"
_IMPORTANCE: Final = 0.7
_NEW_SHARE: Final = 0.5  #: of the room, which the newest turns are sure of


def summarised(
    ground: UpkeepSource, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]
) -> Iterator[Kept]:
    """Yield the summary that takes the place of the one before, if the turns since told anything."""
    memories = sorted(ground.memories(), key=by_truth)
    before = [memory for memory in memories if memory.extractor == EXTRACTOR]
    # where the last one had to go, since it told of something forgotten, the rest of the story is told once more
    anew = not before and "summary" not in rules.keep_days
    last = None if anew else ground.last("summarise")
    turns = ground.told(0 if last is None else last.turn_number)
    if not turns:
        return
    zone = moment.at.tzinfo
    # what nobody said in a turn is told once, in the summary of its day
    remembered = Remembered((m for m in memories if not m.doubtful and (m.sources or is_new(m, last))), moment.at)
    new = extracts(turns, remembered, zone, quotes=rules.summary_quotes)
    if not new:
        return
    holding = {memory.id: memory for memory in memories if memory.true_at(moment.at)}
    old = [item for page in before for item in read_back(page, holding, day_of(page.known_at, zone).year)]
    items = _fitting(old, new, rules)
    since = min((*(page.valid_at for page in before), *(turn.at for turn in turns)))
    until = max(turn.at for turn in turns)
    summary = _page(
        items,
        holding,
        moment,
        span=(day_of(since, zone), day_of(until, zone)),
        year=moment.at.year,
        id=new_id(0),
        valid_at=since,
        extractor=EXTRACTOR,
        tags=(TAG,),
    )
    closed = (closing_change(page, moment, replaced_by=summary.id) for page in before)
    why = f"{len(turns)} turns were not summarised"
    yield Kept(action="summarise", why=why, changes=(Change(before=None, after=summary), *closed))


def _fitting(old: Sequence[Item], new: Sequence[Item], rules: UpkeepRules) -> list[Item]:
    """Return what fits: the best of the new in half of the room, and in the rest what is best of all."""
    told_again = {item.memory_id for item in new if item.memory_id}
    old = [item for item in old if item.memory_id is None or item.memory_id not in told_again]
    sure = chosen(new, int(rules.summary_tokens * _NEW_SHARE))
    spent = sum(estimate_tokens(f"\n{item.text} · 12월 31일: ") for item in sure)
    rest = chosen([*old, *(item for item in new if item not in sure)], max(rules.summary_tokens - spent, 0))
    return [item for item in (*old, *new) if item in sure or item in rest]


def _page(
    items: Sequence[Item],
    known: Mapping[str, Memory],
    moment: Moment,
    *,
    span: tuple[date, date],
    year: int,
    span_year: int | None = None,
    **fields: Any,
) -> Memory:
    """Return the summary that tells `items` of the days in `span`; days of `year` are told without it."""
    told = tuple(dict.fromkeys(item.memory_id for item in items if item.memory_id))
    korean = any(has_hangul(item.text) for item in items)
    days = days_said(*span, korean=korean, year=year if span_year is None else span_year)
    heading = f"{days}의 대화" if korean else f"Talk of {days}"
    return conclusion(
        (known[memory_id] for memory_id in told),
        moment,
        **fields,
        subject="user",
        subject_id="user",
        content=written(heading, items, korean=korean, year=year),
        content_type="summary",
        kind="semantic",
        importance=_IMPORTANCE,
        sources=tuple(item.utterance_id for item in items if item.utterance_id),
        made_from=told,
    )


EXTRACTOR_WEEKLY: Final = "upkeep/weekly/1"
TAG_WEEKLY: Final = "weekly"
_TOPICS: Final = 3


def weeks_documented(
    ground: UpkeepSource, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]
) -> Iterator[Kept]:
    """Yield a document for every week that is over, had turns worth telling, and has none yet."""
    memories = sorted(ground.memories(), key=by_truth)
    documents = [memory for memory in memories if memory.extractor == EXTRACTOR_WEEKLY]
    done = {tag for document in documents for tag in document.tags}
    weeks = _weeks(ground.told(max((document.touched_turn for document in documents), default=0)), moment)
    weeks = {monday: turns for monday, turns in weeks.items() if _name(monday) not in done}
    if not weeks:
        return
    remembered = Remembered((memory for memory in memories if not memory.doubtful), moment.at)
    known = {memory.id: memory for memory in memories}
    number = 0
    for monday, turns in sorted(weeks.items()):
        told = extracts(turns, remembered, moment.at.tzinfo, quotes=rules.summary_quotes)
        items = chosen(told, rules.summary_tokens)
        if not items:
            continue
        nouns = Counter(noun for item in items for noun in dict.fromkeys(nouns_in(item.text)))
        heavy = [noun for noun in nouns if len(noun) > 1 and noun not in words().light]
        document = _page(
            items,
            known,
            moment,
            span=(monday.date(), (monday + timedelta(days=6)).date()),
            year=monday.year,
            span_year=0,
            id=new_id(number),
            valid_at=monday,
            touched_turn=max(turn.number for turn in turns),  # from there on the next document looks
            extractor=EXTRACTOR_WEEKLY,
            tags=(TAG_WEEKLY, _name(monday), *sorted(heavy, key=lambda noun: -nouns[noun])[:_TOPICS]),
        )
        number += 1
        changes = [Change(before=None, after=document)]
        for memory in (known[memory_id] for memory_id in document.made_from):
            if (
                memory.kind == "episodic"
                and memory.importance < rules.weekly_low
                and memory.emotion_intensity < rules.strong_feeling
                and not is_protected(memory)
            ):
                known[memory.id] = refreshed(memory, moment, rules, importance=memory.importance * rules.weekly_share)
                changes.append(Change(before=memory, after=known[memory.id]))
        yield Kept(action="summarise", why=f"week {_name(monday)} is over", changes=tuple(changes))


def _weeks(turns: Sequence[UpkeepTurn], moment: Moment) -> dict[datetime, list[UpkeepTurn]]:
    """Return the turns of each week that is over, by its Monday."""
    weeks: dict[datetime, list[UpkeepTurn]] = defaultdict(list)
    for turn in turns:
        day = turn.at.astimezone(moment.at.tzinfo).date()
        monday = datetime.combine(day - timedelta(days=day.weekday()), time(), tzinfo=moment.at.tzinfo)
        if monday + timedelta(days=7) <= moment.at:
            weeks[monday].append(turn)
    return weeks


def _name(monday: datetime) -> str:
    year, week, _ = monday.isocalendar()
    return f"{year}-W{week:02}"
